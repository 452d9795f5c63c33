"""Remarks about the image that EC2 nodes are launched with. One rule, one function, one id."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from epochwise.catalog.instance_families import Architecture, architecture
from epochwise.catalog.instance_types import instance_type as catalog_row
from epochwise.checks.finding import Finding, Level


@dataclass(frozen=True, slots=True)
class SeenImage:
    """What an app can see of an image."""

    name: str
    """What it is, for a message."""
    problem: str = ""
    """Why CDK does not find it, in CDK's words; empty where it does."""
    looked_up: bool = False
    """Whether the account is asked for it, so that the stack's account and Region must be known."""
    regions: Collection[str] | None = None
    """Regions that its map has an image for; None where it is no map."""
    linux: bool = True
    architecture: Architecture | None = None
    """None where its name does not say."""


def node_image_findings(
    image: SeenImage, *, instance_type: str, region: str | None, account_known: bool
) -> Iterator[Finding]:
    """Yield every remark about an image; None for a Region that only the deploy knows."""
    found = [
        *image_lookup_without_env(image, region, account_known=account_known),
        *image_not_of_region(image, region),
    ]
    yield from found or image_not_found(image)
    yield from image_of_some_regions(image, region)
    yield from image_not_linux(image)
    yield from image_of_other_architecture(image, instance_type)


def image_lookup_without_env(image: SeenImage, region: str | None, *, account_known: bool) -> Iterator[Finding]:
    """An image that is looked up at synth needs to know where.

    Source: CDK Developer Guide, environments and context.
    """
    absent = [name for name, known in (("account", account_known), ("region", region is not None)) if not known]
    if image.looked_up and absent:
        yield Finding(
            "IMAGE_LOOKUP_WITHOUT_ENV",
            Level.ERROR,
            f"image, {image.name}, is looked up at synth, which needs the stack's account and region, got a stack "
            f"without {' and '.join(absent)}",
            "give the stack an env with both, or name the image by a parameter: ec2.MachineImage.from_ssm_parameter(…)",
        )


def image_not_of_region(image: SeenImage, region: str | None) -> Iterator[Finding]:
    """An image is of one Region, and a map of images has one for the stack's.

    Source: EC2 User Guide, AMIs (an AMI is of one Region).
    """
    if image.regions is not None and (not image.regions or (region is not None and region not in image.regions)):
        yield Finding(
            "IMAGE_NOT_OF_REGION",
            Level.ERROR,
            f"image must have an AMI of {region or 'the Region of the deploy'}, got a map of "
            f"{', '.join(sorted(image.regions)) or 'no known Region'}",
            f'add it: ec2.MachineImage.generic_linux({{"{region or "us-east-1"}": "ami-…"}})',
        )


def image_of_some_regions(image: SeenImage, region: str | None) -> Iterator[Finding]:
    """A stack without a Region can be deployed to the Regions of its map of images alone.

    Source: CloudFormation User Guide, Fn::FindInMap (a key that is absent fails the deploy).
    """
    if image.regions and region is None:
        yield Finding(
            "IMAGE_OF_SOME_REGIONS",
            Level.WARNING,
            f"image has AMIs of {', '.join(sorted(image.regions))}: a deploy to another Region fails",
            "deploy to one of these, or name the image by a parameter: ec2.MachineImage.from_ssm_parameter(…)",
        )


def image_not_found(image: SeenImage) -> Iterator[Finding]:
    """An image is one that CDK can refer to.

    Source: CDK, ec2.IMachineImage getImage.
    """
    if image.problem:
        yield Finding(
            "IMAGE_NOT_FOUND",
            Level.ERROR,
            f"image must be one that CDK can refer to, got {image.name}: {image.problem:.200}",
            "name the image by a parameter: ec2.MachineImage.from_ssm_parameter(…)",
        )


def image_not_linux(image: SeenImage) -> Iterator[Finding]:
    """Lustre's clients run on Linux, and on Windows an EFA is no more than another network interface.

    Source: FSx for Lustre User Guide, lustre-client-matrix; EC2 User Guide, efa (limitations).
    """
    if not image.linux:
        yield Finding(
            "IMAGE_NOT_LINUX",
            Level.ERROR,
            f"image must be of Linux, got {image.name} of Windows",
            "take one such as ec2.MachineImage.latest_amazon_linux2023()",
        )


def image_of_other_architecture(image: SeenImage, instance_type: str) -> Iterator[Finding]:
    """An image is built for the processors of the instance type.

    Source: EC2 API, DescribeInstanceTypes ProcessorInfo SupportedArchitectures.
    """
    row = catalog_row(instance_type)
    if row is None or image.architecture is None or image.architecture is architecture(row):
        return
    fix = (
        "ec2.AmazonLinuxCpuType.ARM_64" if architecture(row) is Architecture.ARM64 else "ec2.AmazonLinuxCpuType.X86_64"
    )
    yield Finding(
        "IMAGE_OF_OTHER_ARCHITECTURE",
        Level.ERROR,
        f"image must be built for {architecture(row)}, which {instance_type} has, got {image.name} for "
        f"{image.architecture}",
        f"take the image for {architecture(row)}; of Amazon Linux it is cpu_type={fix}",
    )

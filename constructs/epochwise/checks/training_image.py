"""What a training image's URI says, and the rule about its Region."""

import re
from dataclasses import dataclass
from typing import Self

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

_ECR_URI = re.compile(
    r"^\d{12}\.dkr[.-]ecr(?:-fips)?\.(?P<region>[a-z0-9-]+)\.(?:amazonaws\.com(?:\.cn)?|on\.aws)/(?P<path>[^:@]+)(?::(?P<tag>[^@]+))?"
)
_REFERENCE = re.compile(r"(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@sha256:[0-9a-f]{64})?")
_VERSION = re.compile(r"^v?(?P<version>\d+\.\d+(?:\.\d+)?)(?![\d.])")


@dataclass(frozen=True, slots=True)
class EcrImage:
    """An image in Amazon ECR, as its URI names it."""

    region: str
    repository: str
    tag: str
    """Empty when the URI has none."""

    @classmethod
    def parse(cls, uri: str) -> Self | None:
        """Read a URI; None when it does not name an image in ECR.

        >>> EcrImage.parse("763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.3.0-gpu-py311")
        EcrImage(region='us-east-1', repository='pytorch-training', tag='2.3.0-gpu-py311')
        """
        found = _ECR_URI.match(uri)
        return None if found is None else cls(found["region"], found["path"], found["tag"] or "")

    @property
    def version(self) -> str | None:
        """The version at the start of the tag, with two or three numbers, or None."""
        found = _VERSION.match(self.tag)
        return None if found is None else found["version"]


def image_repository(uri: str) -> str | None:
    """Return an image's URI without tag and digest, or None when it does not lie in ECR.

    >>> image_repository("763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.3.0-gpu-py311")
    '763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training'
    """
    return None if EcrImage.parse(uri) is None else uri.partition("@")[0].partition(":")[0]


def image_tag_illegal(job: DeclaredJob) -> Finding | None:
    """Refuse a tag or digest that no image in ECR has.

    Source: OCI distribution specification, tag and digest as references.
    """
    repository = image_repository(job.training.image)
    if repository is None or _REFERENCE.fullmatch(job.training.image.removeprefix(repository)):
        return None
    return Finding(
        "IMAGE_TAG_ILLEGAL",
        Level.ERROR,
        f"training.image must end in the name of its repository, :tag or @sha256:digest, got {job.training.image:.120}",
        "a tag has up to 128 letters, digits, _ . and -, and begins with none of the last two; a digest has 64 digits "
        "of 0 to f",
    )


def image_region(job: DeclaredJob) -> Finding | None:
    """Warn when the image lies in another Region than the job.

    AWS requires it of images for hosting and lists its training images by Region; that CreateTrainingJob refuses an
    image of another Region is assumed. Source: SageMaker API Reference, ContainerDefinition.
    """
    image = EcrImage.parse(job.training.image)
    if image is None or image.region == job.workload.region:
        return None
    return Finding(
        "IMAGE_REGION",
        Level.WARNING,
        f"training.image lies in {image.region} and the job runs in {job.workload.region}; SageMaker takes images "
        "of the job's own Region",
        f"copy the image to a repository in {job.workload.region}, or take AWS's image for that Region; AWS's account "
        "differs in some Regions",
    )

"""What an app can see of a machine image, found out on trial so that nothing stays behind of one that is refused."""

import re

from aws_cdk import App, CfnParameter, Environment, Stack, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk.region_info import RegionInfo
from constructs import Construct

from epochwise.catalog.instance_families import architecture_named
from epochwise.catalog.regions import regions
from epochwise.cdk.arguments_of_their_kind import shown
from epochwise.checks.node_image import SeenImage

_ACCOUNT = "123456789012"
"""Of the trial, in which nobody is asked."""
_MAPS = (ec2.GenericLinuxImage, ec2.GenericWindowsImage)
_NEEDS_ENV = "account/region are not specified"
"""CDK's words where a look-up has no place."""
_OWN_PARAMETERS = "/aws/service/"
"""Where AWS names its own images, by their architecture."""


def see_image(image: ec2.IMachineImage, scope: Construct) -> SeenImage:
    """Look at an image as the scope's stack would get it."""
    stack = Stack.of(scope)
    account = None if Token.is_unresolved(stack.account) else stack.account
    region = None if Token.is_unresolved(stack.region) else stack.region
    name = shown(image)
    offered = _regions_of(image, known=region) if isinstance(image, _MAPS) else None
    trial = Stack(App(), "Trial", env=Environment(account=account, region=region))
    try:
        found = image.get_image(trial)
    except RuntimeError as error:
        said = _one_line(str(error))
        windows = isinstance(image, ec2.GenericWindowsImage | ec2.WindowsImage)
        return SeenImage(name, problem=said, looked_up=_NEEDS_ENV in said, regions=offered, linux=not windows)
    named = [
        text
        for text in (
            found.image_id,
            *(each.default for each in trial.node.find_all() if isinstance(each, CfnParameter)),
        )
        if isinstance(text, str) and _OWN_PARAMETERS in text
    ]
    return SeenImage(
        name,
        regions=offered,
        linux=found.os_type is not ec2.OperatingSystemType.WINDOWS,
        architecture=architecture_named(" ".join(named)),
    )


def _regions_of(image: ec2.IMachineImage, *, known: str | None) -> list[str]:
    """Return the Regions that a map has an image for: CDK does not show the map, but says where it has none."""
    trial, found = App(), []
    for region in sorted({*regions(), *(each.name for each in RegionInfo.regions), *([known] if known else [])}):
        try:
            image.get_image(Stack(trial, region, env=Environment(account=_ACCOUNT, region=region)))
        except RuntimeError:
            continue
        found.append(region)
    return found


def _one_line(text: str) -> str:
    """Return the first line of CDK's words, without the name of the error."""
    return re.sub(r"^\w+: ", "", text.strip().partition("\n")[0]).rstrip(".")

"""What all instance types of a family share: the architecture of their processors, and their placement groups.

Source: EC2 DescribeInstanceTypes; see `data/instance_families.json`.
"""

from enum import StrEnum

from epochwise.catalog.data_file import load
from epochwise.catalog.instance_types import InstanceType


class Architecture(StrEnum):
    """What an image is built for, in EC2's words."""

    X86_64 = "x86_64"
    ARM64 = "arm64"


def architecture(instance: InstanceType) -> Architecture:
    """Return what images of a type must be built for.

    >>> from epochwise.catalog.instance_types import instance_type
    >>> [str(architecture(instance_type(name))) for name in ("p5.48xlarge", "hpc7g.16xlarge")]
    ['x86_64', 'arm64']
    """
    return Architecture.ARM64 if instance.family in load("instance_families")["arm64"] else Architecture.X86_64


def takes_cluster_placement(instance: InstanceType) -> bool:
    """Tell whether instances of a type start in a cluster placement group; burstable ones do not.

    >>> from epochwise.catalog.instance_types import instance_type
    >>> [takes_cluster_placement(instance_type(name)) for name in ("p5.48xlarge", "t3.large", "m7i-flex.large")]
    [True, False, False]
    """
    return instance.family not in load("instance_families")["without_cluster_placement"]


def architecture_named(text: str) -> Architecture | None:
    """Return the architecture that the name of an image or its parameter says, None where it says none.

    >>> architecture_named("/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-arm64")
    <Architecture.ARM64: 'arm64'>
    >>> architecture_named("/mine/golden")
    """
    words = {"x86_64": "x86_64", "amd64": "x86_64", "arm64": "arm64", "aarch64": "arm64"}
    named = {architecture for word, architecture in words.items() if word in text.lower()}
    return Architecture(named.pop()) if len(named) == 1 else None

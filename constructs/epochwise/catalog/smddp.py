"""Where the SageMaker distributed data parallel library (SMDDP) runs and which images bring it."""

from collections.abc import Collection

from epochwise.catalog.data_file import load

_TABLE = load("smddp")

LAST_RELEASE: str = _TABLE["last_release"]["version"]
LAST_RELEASE_DATE: str = _TABLE["last_release"]["date"]
"""YYYY-MM-DD."""
OPTIMISED_TYPES: frozenset[str] = frozenset(_TABLE["instance_types"]["optimised"])
"""EC2 names of the types on which both AllReduce and AllGather are optimised."""
ALLREDUCE_ONLY_TYPES: frozenset[str] = frozenset(_TABLE["instance_types"]["allreduce_only"])
"""EC2 names of the types on which only AllReduce works, without further optimisation."""
SUPPORTED_TYPES: frozenset[str] = OPTIMISED_TYPES | ALLREDUCE_ONLY_TYPES
PREINSTALLED: dict[str, str] = _TABLE["preinstalled"]
"""PyTorch version of an AWS Deep Learning Container to the SMDDP version inside."""


def pytorch_versions_with_smddp(repository: str) -> Collection[str] | None:
    """Return the PyTorch versions with SMDDP among the images of an ECR repository, or None when it is not AWS's.

    >>> "2.4.1" in pytorch_versions_with_smddp("pytorch-training")
    False
    """
    if repository == "pytorch-training":
        return tuple(PREINSTALLED)
    versions: list[str] | None = _TABLE["other_images"].get(repository)
    return versions

"""Which links to S3 FSx refuses, for the local AWS, apart from the library's own checks.

Sources: API reference of CreateDataRepositoryAssociation (botocore 1.44.8), FSx for Lustre User Guide of mid-2026,
create-dra-linked-data-repo.
"""

from collections.abc import Iterator, Sequence

from tests.deploy.lustre_refusals import LARGEST_CHUNK_MIB, Properties, deployment_type, version

MOST = 8
"""Associations of a file system."""
EVENTS = {"NEW", "CHANGED", "DELETED"}


def association_refusals(asked: Properties, file_system: Properties, others: Sequence[Properties]) -> Iterator[str]:
    """Yield every reason why a file system is not linked.

    Args:
        asked: the properties of the association.
        file_system: those of its file system.
        others: those of the associations that the file system has already.
    """
    if deployment_type(file_system) == "SCRATCH_1" or file_system.get("StorageType") == "INTELLIGENT_TIERING":
        yield "SCRATCH_1 and Intelligent-Tiering are not linked"
    if version(file_system) == "2.10":
        yield "links require version 2.12 or later"
    if "ImportPath" in file_system.get("LustreConfiguration", {}):
        yield "a file system with an ImportPath is not linked"
    if len(others) >= MOST:
        yield f"a file system has at most {MOST} links"
    yield from _of_paths(asked, others)
    chunk = int(asked.get("ImportedFileChunkSize", 1024))
    if not 1 <= chunk <= LARGEST_CHUNK_MIB:
        yield f"ImportedFileChunkSize must be 1 to {LARGEST_CHUNK_MIB}, got {chunk}"
    for name, policy in asked.get("S3", {}).items():
        if not policy.get("Events") or set(policy["Events"]) - EVENTS:
            yield f"{name}.Events must be some of {sorted(EVENTS)}"


def _of_paths(asked: Properties, others: Sequence[Properties]) -> Iterator[str]:
    path, bucket = asked.get("FileSystemPath"), asked.get("DataRepositoryPath")
    if not path or not path.startswith("/"):
        yield f"FileSystemPath must begin with /, got {path}"
    elif any(_overlap(path, each["FileSystemPath"]) for each in others):
        yield f"FileSystemPath {path} overlaps another"
    if not bucket or not bucket.startswith("s3://") or len(bucket) <= len("s3://"):
        yield f"DataRepositoryPath must begin with s3://, got {bucket}"
    elif any(_overlap(bucket, each["DataRepositoryPath"]) for each in others):
        yield f"DataRepositoryPath {bucket} overlaps another"


def _overlap(one: str, other: str) -> bool:
    """Tell whether a path holds another; `/` holds all."""
    one, other = (f"{each.rstrip('/')}/" for each in (one, other))
    return one.startswith(other) or other.startswith(one)

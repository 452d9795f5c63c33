"""What CloudFormation and FSx make of a changed file system, for the local AWS, apart from the library's own rules.

Sources: CloudFormation's registry and reference page of AWS::FSx::FileSystem (2026), API reference of UpdateFileSystem
(botocore 1.44.8), FSx for Lustre User Guide of mid-2026: managing-storage-capacity, managing-throughput-capacity,
managing-metadata-performance, managing-ssd-read-cache. What CloudFormation does with what the service cannot change is
not verified; here such an update fails.
"""

from collections.abc import Iterator
from typing import Any

from tests.deploy.lustre_refusals import Properties, deployment_type, efa, refusals, version

REPLACING = ("BackupId", "FileSystemType", "KmsKeyId", "SecurityGroupIds", "SubnetIds")
REPLACING_OF_LUSTRE = ("CopyTagsToBackups", "DeploymentType")
IMMUTABLE_OF_LUSTRE = ("DriveCacheType", "EfaEnabled", "ExportPath", "ImportPath", "ImportedFileChunkSize")
LOCKED_S = 6 * 3600
"""Between two requests to grow."""


def is_replaced(old: Properties, new: Properties) -> bool:
    """Tell whether CloudFormation makes another file system."""
    before, after = _lustre(old), _lustre(new)
    return any(old.get(name) != new.get(name) for name in REPLACING) or any(
        before.get(name) != after.get(name) for name in REPLACING_OF_LUSTRE
    )


def update_refusals(old: Properties, new: Properties, *, since_last_growth_s: float) -> list[str]:
    """Return every reason why a file system is not changed in place; empty when it is.

    Args:
        old: the properties that it has.
        new: what is asked for, which replaces nothing.
        since_last_growth_s: age of the last request to grow; infinite without one.
    """
    refused = [*_of_immutable(old, new), *_of_growth(old, new), *_of_tier(old, new), *_of_metadata(old, new)]
    if is_growth(old, new) and since_last_growth_s < LOCKED_S:
        refused.append("a file system grows again 6 h after the last request at the earliest")
    if tuple(map(int, version(new).split("."))) < tuple(map(int, version(old).split("."))):
        refused.append("the Lustre version only becomes newer")
    return refused + refusals(new)


def is_growth(old: Properties, new: Properties) -> bool:
    """Tell whether storage capacity is to change."""
    return _number(old.get("StorageCapacity")) != _number(new.get("StorageCapacity"))


def _lustre(properties: Properties) -> dict[str, Any]:
    return dict(properties.get("LustreConfiguration", {}))


def _number(value: Any) -> int:
    return int(value or 0)


def _of_immutable(old: Properties, new: Properties) -> Iterator[str]:
    before, after = _lustre(old), _lustre(new)
    if old.get("StorageType", "SSD") != new.get("StorageType", "SSD"):
        yield "StorageType cannot be changed"
    for name in IMMUTABLE_OF_LUSTRE:
        if before.get(name) != after.get(name) and (name != "EfaEnabled" or efa(old) != efa(new)):
            yield f"{name} cannot be changed"


def _of_growth(old: Properties, new: Properties) -> Iterator[str]:
    if is_growth(old, new) and deployment_type(old) == "SCRATCH_1":
        yield "SCRATCH_1 does not grow"
    if _number(new.get("StorageCapacity")) < _number(old.get("StorageCapacity")):
        yield "StorageCapacity only grows"
    if _number(_lustre(new).get("ThroughputCapacity")) < _number(_lustre(old).get("ThroughputCapacity")):
        yield "ThroughputCapacity only grows"
    before, after = (_number(_lustre(each).get("DataReadCacheConfiguration", {}).get("SizeGiB")) for each in (old, new))
    if before and after and before != after and abs(after - before) * 10 < before:
        yield "a read cache changes by at least a tenth"


def _of_tier(old: Properties, new: Properties) -> Iterator[str]:
    before, after = (_lustre(each).get("PerUnitStorageThroughput") for each in (old, new))
    if _number(before) != _number(after) and (efa(old) or old.get("StorageType", "SSD") != "SSD"):
        yield "PerUnitStorageThroughput changes on SSD without EFA only"


def _of_metadata(old: Properties, new: Properties) -> Iterator[str]:
    before, after = (_lustre(each).get("MetadataConfiguration") for each in (old, new))
    if before == after:
        return
    if before is None or after is None:
        yield "a metadata configuration is neither added nor removed"
    elif is_growth(old, new):
        yield "metadata IOPS are not changed while storage grows"
    elif "Iops" in before and "Iops" in after and int(after["Iops"]) < int(before["Iops"]):
        yield "metadata IOPS only grow"

"""File systems that FSx makes, as properties of AWS::FSx::FileSystem, to be changed into what it refuses."""

from typing import Any

AUTOMATIC = {"Mode": "AUTOMATIC"}


def shape(kind: str, capacity: int | None = None, **lustre: Any) -> dict[str, Any]:
    """Return the properties of a file system on SSD with Lustre 2.15, in one subnet."""
    storage = {} if capacity is None else {"StorageCapacity": capacity}
    return {
        "FileSystemType": "LUSTRE",
        "FileSystemTypeVersion": "2.15",
        "StorageType": "SSD",
        "SubnetIds": ["subnet-1"],
        "LustreConfiguration": {"DeploymentType": kind, **lustre},
        **storage,
    }


SCRATCH = shape("SCRATCH_2", 2400)
PERSISTENT = shape("PERSISTENT_2", 4800, PerUnitStorageThroughput=500, MetadataConfiguration=AUTOMATIC)
EFA = shape("PERSISTENT_2", 9600, PerUnitStorageThroughput=500, MetadataConfiguration=AUTOMATIC, EfaEnabled=True)
HDD = shape("PERSISTENT_1", 6000, PerUnitStorageThroughput=12, DriveCacheType="NONE") | {"StorageType": "HDD"}
TIERED = shape(
    "PERSISTENT_2",
    ThroughputCapacity=4000,
    MetadataConfiguration={"Mode": "USER_PROVISIONED", "Iops": 6000},
    DataReadCacheConfiguration={"SizingMode": "USER_PROVISIONED", "SizeGiB": 110},
) | {"StorageType": "INTELLIGENT_TIERING"}


def but(properties: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return properties with some changed, or without them where None; lower case names are of LustreConfiguration.

    >>> but({"StorageCapacity": 1200, "LustreConfiguration": {"EfaEnabled": True}}, KmsKeyId="key", efaEnabled=None)
    {'StorageCapacity': 1200, 'LustreConfiguration': {}, 'KmsKeyId': 'key'}
    """
    top = {name: value for name, value in changes.items() if name[0].isupper()}
    below = {name[0].upper() + name[1:]: value for name, value in changes.items() if name[0].islower()}
    lustre = _present(properties["LustreConfiguration"] | below)
    return _present(properties | top) | {"LustreConfiguration": lustre}


def _present(properties: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if value is not None}

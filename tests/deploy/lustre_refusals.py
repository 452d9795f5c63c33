"""What FSx refuses to create, for the local AWS: written from AWS's texts, and apart from the library's own checks.

Nothing of epochwise is imported here, so that a mistake in its rules is not repeated. Sources: API reference of
CreateFileSystem (botocore 1.44.8, 2026-11-20), and the FSx for Lustre User Guide of mid-2026: using-fsx-lustre,
getting-started, managing-metadata-performance, efa-file-systems, using-backups-fsx.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

Properties = Mapping[str, Any]
"""Of an AWS::FSx::FileSystem, without intrinsic functions."""

TIERS = {
    ("PERSISTENT_1", "SSD"): {50, 100, 200},
    ("PERSISTENT_1", "HDD"): {12, 40},
    ("PERSISTENT_2", "SSD"): {125, 250, 500, 1000},
}
"""PerUnitStorageThroughput in MB/s/TiB."""
HDD_STEP_GIB = {12: 6000, 40: 1800}
EFA_STEP_GIB = {125: 38400, 250: 19200, 500: 9600, 1000: 4800}
TIERING_STEP_MBPS = 4000
METADATA_IOPS = {1500, 3000, 6000, *range(12000, 192001, 12000)}
STORAGE_TYPES = {
    "SCRATCH_1": {"SSD"},
    "SCRATCH_2": {"SSD"},
    "PERSISTENT_1": {"SSD", "HDD"},
    "PERSISTENT_2": {"SSD", "INTELLIGENT_TIERING"},
}
WEEKLY = r"[1-7]:([01]\d|2[0-3]):?([0-5]\d)"
DAILY = r"([01]\d|2[0-3]):?([0-5]\d)"
LOG_LEVELS = {"DISABLED", "WARN_ONLY", "ERROR_ONLY", "WARN_ERROR"}
LARGEST_CHUNK_MIB = 512_000


def refusals(asked: Properties) -> list[str]:
    """Return every reason why FSx does not create a file system; empty when it does."""
    lustre = asked.get("LustreConfiguration", {})
    kind, storage = deployment_type(asked), asked.get("StorageType", "SSD")
    if asked.get("FileSystemType") != "LUSTRE":
        return ["not a file system of Lustre"]
    if storage not in STORAGE_TYPES.get(kind, ()):
        return [f"{kind} has no storage of type {storage}"]
    return [
        *_of_subnets(asked),
        *_of_throughput(kind, storage, lustre),
        *_of_capacity(asked),
        *_of_version(asked),
        *_of_metadata(asked),
        *_of_efa(asked),
        *_of_persistent_only(kind, asked, lustre),
        *_of_import(kind, lustre),
        *_of_formats(lustre),
    ]


def deployment_type(asked: Properties) -> str:
    """Return the deployment type, SCRATCH_1 where none is asked for."""
    return str(asked.get("LustreConfiguration", {}).get("DeploymentType", "SCRATCH_1"))


def version(asked: Properties) -> str:
    """Return the Lustre version, with FSx's own where none is asked for."""
    given = asked.get("FileSystemTypeVersion")
    if given is not None or deployment_type(asked) != "PERSISTENT_2":
        return str(given or "2.10")
    return "2.15" if "MetadataConfiguration" in asked["LustreConfiguration"] else "2.12"


def step_gib(asked: Properties) -> tuple[int, ...]:
    """Return what a capacity is a multiple of, then the smaller capacities that are legal too; empty without any."""
    lustre = asked.get("LustreConfiguration", {})
    tier = int(lustre.get("PerUnitStorageThroughput", 0))
    match deployment_type(asked), asked.get("StorageType", "SSD"):
        case _, "INTELLIGENT_TIERING":
            return ()
        case "SCRATCH_1", _:
            return (3600, 1200, 2400)
        case _, "HDD":
            return (HDD_STEP_GIB.get(tier, 6000),)
    return (EFA_STEP_GIB.get(tier, 38400),) if efa(asked) else (2400, 1200)


def efa(asked: Properties) -> bool:
    """Tell whether EFA is asked for."""
    return str(asked.get("LustreConfiguration", {}).get("EfaEnabled", False)).lower() == "true"


def automatic_iops(capacity_gib: int) -> int:
    """Return the metadata IOPS that AUTOMATIC gives on SSD (User Guide, performance)."""
    for least, iops in ((48000, 12000 * (capacity_gib // 24000)), (12000, 12000), (4800, 6000), (2400, 3000)):
        if capacity_gib >= least:
            return min(iops, 192_000)
    return 1500


def _of_subnets(asked: Properties) -> Iterator[str]:
    if len(asked.get("SubnetIds", ())) != 1:
        yield "exactly one subnet is required"


def _of_throughput(kind: str, storage: str, lustre: Properties) -> Iterator[str]:
    tier, legal = lustre.get("PerUnitStorageThroughput"), TIERS.get((kind, storage))
    if legal is None and tier is not None:
        yield f"PerUnitStorageThroughput is not of {kind} with {storage}"
    if legal is not None and (tier is None or int(tier) not in legal):
        yield f"PerUnitStorageThroughput must be one of {sorted(legal)}, got {tier}"
    mbps, tiered = lustre.get("ThroughputCapacity"), storage == "INTELLIGENT_TIERING"
    if tiered != (mbps is not None):
        yield "ThroughputCapacity belongs to Intelligent-Tiering, which requires it"
    if mbps is not None and (int(mbps) <= 0 or int(mbps) % TIERING_STEP_MBPS):
        yield f"ThroughputCapacity must be a multiple of {TIERING_STEP_MBPS}, got {mbps}"
    if tiered != ("DataReadCacheConfiguration" in lustre):
        yield "DataReadCacheConfiguration belongs to Intelligent-Tiering, which requires it"
    if (storage == "HDD") != ("DriveCacheType" in lustre):
        yield "DriveCacheType belongs to HDD, which requires it"


def _of_capacity(asked: Properties) -> Iterator[str]:
    steps, capacity = step_gib(asked), asked.get("StorageCapacity")
    if not steps:
        if capacity is not None:
            yield "StorageCapacity is not of Intelligent-Tiering"
        return
    if capacity is None or int(capacity) <= 0 or (int(capacity) % steps[0] and int(capacity) not in steps[1:]):
        yield f"StorageCapacity must be a multiple of {steps[0]}, or one of {steps[1:]}, got {capacity}"


def _of_version(asked: Properties) -> Iterator[str]:
    kind, got = deployment_type(asked), version(asked)
    if got not in {"2.10", "2.12", "2.15"}:
        yield f"FileSystemTypeVersion must be 2.10, 2.12 or 2.15, got {got}"
    elif kind == "PERSISTENT_2" and got == "2.10":
        yield "PERSISTENT_2 has no version 2.10"
    elif asked.get("StorageType") == "INTELLIGENT_TIERING" and got != "2.15":
        yield "Intelligent-Tiering requires version 2.15"


def _of_metadata(asked: Properties) -> Iterator[str]:
    wanted = asked.get("LustreConfiguration", {}).get("MetadataConfiguration")
    if wanted is None:
        return
    if deployment_type(asked) != "PERSISTENT_2" or version(asked) != "2.15":
        yield "MetadataConfiguration requires PERSISTENT_2 and version 2.15"
    iops = wanted.get("Iops")
    match wanted.get("Mode"):
        case "AUTOMATIC" if iops is not None:
            yield "Iops is not given in mode AUTOMATIC"
        case "USER_PROVISIONED" if iops is None or int(iops) not in METADATA_IOPS:
            yield f"Iops must be 1500, 3000, 6000, or a multiple of 12000 up to 192000, got {iops}"
        case "USER_PROVISIONED" if "StorageCapacity" in asked:
            least = automatic_iops(int(asked["StorageCapacity"]))
            if int(iops) < least:
                yield f"Iops must be at least {least}, which AUTOMATIC gives, got {iops}"
        case "AUTOMATIC" | "USER_PROVISIONED":
            pass
        case other:
            yield f"Mode must be AUTOMATIC or USER_PROVISIONED, got {other}"


def _of_efa(asked: Properties) -> Iterator[str]:
    if not efa(asked):
        return
    if deployment_type(asked) != "PERSISTENT_2":
        yield "EFA requires PERSISTENT_2"
    elif "MetadataConfiguration" not in asked.get("LustreConfiguration", {}):
        yield "EFA requires a metadata configuration"


def _of_persistent_only(kind: str, asked: Properties, lustre: Properties) -> Iterator[str]:
    days = int(lustre.get("AutomaticBackupRetentionDays", 0))
    if not 0 <= days <= 90:
        yield f"AutomaticBackupRetentionDays must be 0 to 90, got {days}"
    if not days and "DailyAutomaticBackupStartTime" in lustre:
        yield "DailyAutomaticBackupStartTime requires backups"
    if days and "ImportPath" in lustre:
        yield "backups are not of file systems linked to S3"
    if kind.startswith("SCRATCH") and days:
        yield f"{kind} has no backups"
    if kind.startswith("SCRATCH") and "KmsKeyId" in asked:
        yield f"{kind} takes no KmsKeyId"


def _of_import(kind: str, lustre: Properties) -> Iterator[str]:
    if "ImportPath" not in lustre:
        if {"ExportPath", "AutoImportPolicy"} & lustre.keys():
            yield "ExportPath and AutoImportPolicy require ImportPath"
        return
    if kind == "PERSISTENT_2":
        yield "PERSISTENT_2 takes no ImportPath"
    if lustre.get("ExportPath", lustre["ImportPath"]).split("/")[:3] != lustre["ImportPath"].split("/")[:3]:
        yield "ExportPath must be in the bucket of ImportPath"


def _of_formats(lustre: Properties) -> Iterator[str]:
    for name, pattern in (("WeeklyMaintenanceStartTime", WEEKLY), ("DailyAutomaticBackupStartTime", DAILY)):
        if name in lustre and not re.fullmatch(pattern, str(lustre[name])):
            yield f"{name} must match {pattern}, got {lustre[name]}"
    if lustre.get("DataCompressionType", "NONE") not in {"NONE", "LZ4"}:
        yield f"DataCompressionType must be NONE or LZ4, got {lustre['DataCompressionType']}"
    chunk = int(lustre.get("ImportedFileChunkSize", 1024))
    if not 1 <= chunk <= LARGEST_CHUNK_MIB:
        yield f"ImportedFileChunkSize must be 1 to {LARGEST_CHUNK_MIB}, got {chunk}"
    logs = lustre.get("LogConfiguration", {})
    if logs and logs.get("Level") not in LOG_LEVELS:
        yield f"LogConfiguration.Level must be one of {sorted(LOG_LEVELS)}, got {logs.get('Level')}"
    group = str(logs.get("Destination", ":log-group:/aws/fsx")).partition(":log-group:")[2]
    if not group.startswith("/aws/fsx"):
        yield f"LogConfiguration.Destination must begin with /aws/fsx, got {group}"

"""The local AWS refuses what AWS refuses: so that a deploy there can fail."""

import re
from math import inf
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.association_refusals import association_refusals
from tests.deploy.lustre_refusals import automatic_iops, refusals
from tests.deploy.lustre_update_refusals import LOCKED_S, is_replaced, update_refusals
from tests.deploy.shapes import AUTOMATIC, EFA, HDD, PERSISTENT, SCRATCH, TIERED, but, shape

Properties = dict[str, Any]
PROVISIONED = {"Mode": "USER_PROVISIONED", "Iops": 12000}
LINK = {"FileSystemId": "fs-1", "FileSystemPath": "/a", "DataRepositoryPath": "s3://bucket/a/"}


@pytest.mark.parametrize(
    "asked",
    [
        *(SCRATCH, PERSISTENT, EFA, HDD, TIERED),
        but(SCRATCH, StorageCapacity=1200),
        shape("SCRATCH_1", 3600),
        but(PERSISTENT, FileSystemTypeVersion=None),
        but(PERSISTENT, metadataConfiguration=PROVISIONED, KmsKeyId="key"),
        but(PERSISTENT, automaticBackupRetentionDays=90, dailyAutomaticBackupStartTime="23:59"),
        but(PERSISTENT, weeklyMaintenanceStartTime="7:23:59", dataCompressionType="LZ4"),
        but(EFA, StorageCapacity=38400, perUnitStorageThroughput=125),
        but(HDD, StorageCapacity=1800, perUnitStorageThroughput=40),
        but(SCRATCH, importPath="s3://bucket/a", exportPath="s3://bucket/b", importedFileChunkSize=512_000),
    ],
)
def test_what_fsx_makes_is_made(asked: Properties) -> None:
    assert refusals(asked) == []


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (but(SCRATCH, SubnetIds=["subnet-1", "subnet-2"]), "exactly one subnet"),
        (but(SCRATCH, SubnetIds=[]), "exactly one subnet"),
        (but(SCRATCH, StorageCapacity=3600), "multiple of 2400"),
        (but(SCRATCH, StorageCapacity=0), "multiple of 2400"),
        (but(SCRATCH, StorageCapacity=None), "multiple of 2400"),
        (shape("SCRATCH_1", 4800), "multiple of 3600"),
        (but(EFA, StorageCapacity=4800), "multiple of 9600"),
        (but(HDD, StorageCapacity=1800), "multiple of 6000"),
        (but(TIERED, StorageCapacity=4800), "not of Intelligent-Tiering"),
        (but(SCRATCH, perUnitStorageThroughput=125), "not of SCRATCH_2"),
        (but(PERSISTENT, perUnitStorageThroughput=333), "must be one of"),
        (but(PERSISTENT, perUnitStorageThroughput=None), "must be one of"),
        (but(TIERED, throughputCapacity=6000), "multiple of 4000"),
        (but(TIERED, throughputCapacity=None), "Intelligent-Tiering, which requires it"),
        (but(PERSISTENT, throughputCapacity=4000), "belongs to Intelligent-Tiering"),
        (but(TIERED, dataReadCacheConfiguration=None), "Intelligent-Tiering, which requires it"),
        (but(HDD, driveCacheType=None), "HDD, which requires it"),
        (but(SCRATCH, StorageType="HDD"), "no storage of type HDD"),
        (but(PERSISTENT, FileSystemTypeVersion="2.10", metadataConfiguration=None), "no version 2.10"),
        (but(PERSISTENT, FileSystemTypeVersion="2.12"), "requires PERSISTENT_2 and version 2.15"),
        (but(SCRATCH, metadataConfiguration=AUTOMATIC), "requires PERSISTENT_2"),
        (but(PERSISTENT, metadataConfiguration=PROVISIONED | {"Iops": 9000}), "multiple of 12000"),
        (but(PERSISTENT, metadataConfiguration=PROVISIONED | {"Iops": 3000}), "at least 6000"),
        (but(PERSISTENT, metadataConfiguration=AUTOMATIC | {"Iops": 6000}), "not given in mode AUTOMATIC"),
        (but(PERSISTENT, metadataConfiguration={"Iops": 6000}), "Mode must be"),
        (but(EFA, metadataConfiguration=None), "EFA requires a metadata configuration"),
        (but(SCRATCH, efaEnabled=True, StorageCapacity=38400), "EFA requires PERSISTENT_2"),
        (but(SCRATCH, automaticBackupRetentionDays=1), "no backups"),
        (but(PERSISTENT, automaticBackupRetentionDays=91), "0 to 90"),
        (but(PERSISTENT, dailyAutomaticBackupStartTime="01:00"), "requires backups"),
        (but(SCRATCH, KmsKeyId="key"), "takes no KmsKeyId"),
        (but(PERSISTENT, importPath="s3://bucket"), "takes no ImportPath"),
        (but(SCRATCH, exportPath="s3://bucket"), "require ImportPath"),
        (but(SCRATCH, importPath="s3://bucket/a", exportPath="s3://other/a"), "in the bucket of"),
        (but(PERSISTENT, weeklyMaintenanceStartTime="8:00:00"), "WeeklyMaintenanceStartTime"),
        (but(PERSISTENT, logConfiguration={"Level": "ALL"}), "LogConfiguration.Level"),
        (
            but(
                PERSISTENT, logConfiguration={"Level": "WARN_ONLY", "Destination": "arn:aws:logs:r:1:log-group:/other"}
            ),
            "/aws/fsx",
        ),
    ],
)
def test_what_fsx_refuses_is_refused_for_that_reason_alone(asked: Properties, reason: str) -> None:
    [refused] = refusals(asked)
    assert reason in refused


@pytest.mark.parametrize(
    ("capacity", "iops"),
    [(1200, 1500), (2400, 3000), (4800, 6000), (9600, 6000), (12000, 12000), (45600, 12000), (48000, 24000)],
)
def test_automatic_gives_the_published_metadata_iops(capacity: int, iops: int) -> None:
    assert automatic_iops(capacity) == iops


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SCRATCH, but(SCRATCH, StorageCapacity=4800)),
        (PERSISTENT, but(PERSISTENT, perUnitStorageThroughput=250)),
        (PERSISTENT, but(PERSISTENT, metadataConfiguration=PROVISIONED)),
        (EFA, but(EFA, StorageCapacity=19200)),
        (PERSISTENT, but(PERSISTENT, dataCompressionType="LZ4")),
    ],
)
def test_what_grows_in_place_grows(old: Properties, new: Properties) -> None:
    assert not is_replaced(old, new)
    assert update_refusals(old, new, since_last_growth_s=inf) == []


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (PERSISTENT, but(PERSISTENT, StorageCapacity=2400), "only grows"),
        (PERSISTENT, but(PERSISTENT, StorageCapacity=6000), "multiple of 2400"),
        (shape("SCRATCH_1", 3600), shape("SCRATCH_1", 7200), "does not grow"),
        (EFA, but(EFA, perUnitStorageThroughput=1000), "without EFA only"),
        (EFA, but(EFA, efaEnabled=None), "EfaEnabled cannot be changed"),
        (TIERED, but(TIERED, throughputCapacity=8000) | {"FileSystemTypeVersion": "2.12"}, "only becomes newer"),
        (but(TIERED, throughputCapacity=8000), TIERED, "ThroughputCapacity only grows"),
        (
            TIERED,
            but(TIERED, dataReadCacheConfiguration={"SizingMode": "USER_PROVISIONED", "SizeGiB": 120}),
            "at least a tenth",
        ),
        (
            but(PERSISTENT, FileSystemTypeVersion="2.12", metadataConfiguration=None),
            PERSISTENT,
            "neither added nor removed",
        ),
        (PERSISTENT, but(PERSISTENT, StorageCapacity=7200, metadataConfiguration=PROVISIONED), "while storage grows"),
        (
            but(PERSISTENT, metadataConfiguration=PROVISIONED | {"Iops": 24000}),
            but(PERSISTENT, metadataConfiguration=PROVISIONED),
            "only grow",
        ),
    ],
)
def test_an_update_that_fsx_refuses_is_refused(old: Properties, new: Properties, reason: str) -> None:
    assert any(reason in each for each in update_refusals(old, new, since_last_growth_s=inf))


def test_a_file_system_does_not_grow_twice_within_six_hours() -> None:
    new = but(PERSISTENT, StorageCapacity=7200)
    assert update_refusals(PERSISTENT, new, since_last_growth_s=LOCKED_S) == []
    [refused] = update_refusals(PERSISTENT, new, since_last_growth_s=LOCKED_S - 1)
    assert "6 h" in refused


@pytest.mark.parametrize(
    "change",
    [{"SubnetIds": ["subnet-2"]}, {"KmsKeyId": "key"}, {"SecurityGroupIds": ["sg-2"]}, {"copyTagsToBackups": True}],
)
def test_some_changes_make_another_file_system(change: dict[str, Any]) -> None:
    assert is_replaced(PERSISTENT, but(PERSISTENT, **change))


def test_links_that_fsx_makes_are_made() -> None:
    seven = [LINK | {"FileSystemPath": f"/{n}", "DataRepositoryPath": f"s3://bucket/{n}/"} for n in range(7)]
    assert list(association_refusals(LINK, SCRATCH, seven)) == []
    assert list(association_refusals(LINK | {"FileSystemPath": "/"}, PERSISTENT, [])) == []


@pytest.mark.parametrize(
    ("asked", "file_system", "others", "reason"),
    [
        (LINK, shape("SCRATCH_1", 3600), [], "are not linked"),
        (LINK, TIERED, [], "are not linked"),
        (LINK, but(SCRATCH, FileSystemTypeVersion=None), [], "version 2.12"),
        (LINK, but(SCRATCH, importPath="s3://bucket/b"), [], "with an ImportPath"),
        (
            LINK,
            SCRATCH,
            [LINK | {"FileSystemPath": f"/{n}", "DataRepositoryPath": f"s3://bucket/{n}"} for n in range(8)],
            "at most 8",
        ),
        (LINK | {"FileSystemPath": "a"}, SCRATCH, [], "must begin with /"),
        (LINK | {"FileSystemPath": None}, SCRATCH, [], "must begin with /"),
        (LINK | {"FileSystemPath": "/a/b"}, SCRATCH, [LINK | {"DataRepositoryPath": "s3://other"}], "/a/b overlaps"),
        (LINK | {"FileSystemPath": "/"}, SCRATCH, [LINK | {"DataRepositoryPath": "s3://other"}], "/ overlaps"),
        (LINK, SCRATCH, [LINK | {"FileSystemPath": "/b"}], "s3://bucket/a/ overlaps"),
        (LINK | {"DataRepositoryPath": "bucket/a"}, SCRATCH, [], "must begin with s3://"),
        (LINK | {"ImportedFileChunkSize": 0}, SCRATCH, [], "1 to 512000"),
        (LINK | {"S3": {"AutoImportPolicy": {"Events": ["MOVED"]}}}, SCRATCH, [], "must be some of"),
    ],
)
def test_a_link_that_fsx_refuses_is_refused_for_that_reason_alone(
    asked: Properties, file_system: Properties, others: list[Properties], reason: str
) -> None:
    [refused] = association_refusals(asked, file_system, others)
    assert reason in refused


def test_the_refusals_take_nothing_from_the_library() -> None:
    files = sorted(Path(__file__).parent.glob("*_refusals.py"))
    assert len(files) == 3
    assert [file.name for file in files if re.search(r"^(from|import) epochwise", file.read_text(), re.MULTILINE)] == []

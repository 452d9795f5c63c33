"""The catalog against what others say of the same facts.

Every known disagreement is a row of KNOWN with its reason. A test computes the disagreements it sees and asserts that
they are exactly those, so that a release which changes a fact, or settles one, fails here.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from inspect import signature
from pathlib import Path
from typing import Any

import botocore
import pytest

from epochwise.catalog.data_file import load
from epochwise.catalog.fsx_lustre import (
    DeploymentType,
    DriveCacheType,
    Family,
    MetadataMode,
    StorageType,
    families,
    provisioned_metadata_iops,
)
from epochwise.catalog.intelligent_tiering import (
    THROUGHPUT_STEP_MBPS,
    read_cache_gib,
    tiering_families,
    tiering_metadata_iops,
)
from epochwise.catalog.legality import Wanted, illegal_settings

KNOWN = {
    "botocore: Intelligent-Tiering of 1000 and 2000 MB/s": "its text has named them since 1.44.8, but its own minimum "
    "is 4000, so that boto3 refuses them, as CloudFormation does",
    "botocore: Intelligent-Tiering metadata IOPS other than 6000 and 12000": "only its text since 1.44.8 has them; the "
    "User Guide has the two",
    "botocore: PERSISTENT_2 from 600 GiB": "a stale sentence about the described type; the text on creation says 1200",
    "CloudFormation: no RootSquashConfiguration": "botocore has it, the resource type does not",
    "cfn-lint: any capacity from 1200 GiB": "it knows the minimum and no step",
    "moto: anything is a file system": "it checks nothing",
    "CDK: a capacity of 0 and below": "the L2 asks for a multiple of the step, and those are",
    "CDK: PERSISTENT without throughput": "the L2 has it optional; FSx requires it",
    "CDK: HDD of 1200 GiB without throughput": "likewise, and its capacity is then judged as that of SSD",
    "CDK: INTELLIGENT_TIERING with a storage capacity": "the L2 passes the storage type on, and requires a capacity",
    "CDK: no Intelligent-Tiering": "the L2 has neither throughput capacity nor read cache",
    "CDK: no EFA": "the L2 has no property for it",
    "CDK: no metadata configuration": "likewise",
}
"""Each known disagreement, and why it stands."""


@cache
def shapes() -> dict[str, Any]:
    """Return the shapes of botocore's fsx model."""
    file = Path(botocore.__file__).parent / "data" / "fsx" / "2018-03-01" / "service-2.json.gz"
    shapes: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))["shapes"]
    return shapes


def text_of(shape: str, member: str) -> str:
    """Return botocore's documentation of a member as plain text."""
    return " ".join(re.sub(r"<[^>]+>", " ", shapes()[shape]["members"][member]["documentation"]).split())


def numbers(text: str) -> list[int]:
    """Return the whole numbers of a text."""
    return [int(number) for number in re.findall(r"\b\d+\b", text)]


def known(*names: str) -> set[str]:
    """Return names of known disagreements; a name that is not among them fails."""
    assert set(names) <= set(KNOWN)
    return set(names)


@pytest.mark.parametrize(
    ("shape", "values"),
    [
        ("LustreDeploymentType", set(DeploymentType)),
        ("StorageType", set(StorageType)),
        ("DriveCacheType", set(DriveCacheType)),
        ("MetadataConfigurationMode", set(MetadataMode)),
        ("DataCompressionType", {"NONE", "LZ4"}),
    ],
)
def test_botocores_enumerations_are_the_catalogs(shape: str, values: set[str]) -> None:
    assert set(shapes()[shape]["enum"]) == values


def test_botocores_bounds_are_the_catalogs() -> None:
    tiers = [row.per_unit_storage_throughput for row in families() if row.per_unit_storage_throughput is not None]
    assert bounds("PerUnitStorageThroughput") == (min(tiers), max(tiers))
    throughputs = load("fsx_lustre")["intelligent_tiering"]
    assert bounds("ThroughputCapacityMbps") == (THROUGHPUT_STEP_MBPS, throughputs["throughput_max_mbps"])
    assert bounds("MetadataIops") == (provisioned_metadata_iops()[0], provisioned_metadata_iops()[-1])


def bounds(shape: str) -> tuple[int, int]:
    """Return the bounds of a number in botocore's model."""
    return shapes()[shape]["min"], shapes()[shape]["max"]


def test_botocores_text_has_the_catalogs_throughput_tiers() -> None:
    said = re.findall(
        r"For (PERSISTENT_\d) (SSD|HDD) storage: ([\d, ]+)MB/s/TiB",
        text_of("CreateFileSystemLustreConfiguration", "PerUnitStorageThroughput"),
    )
    ours: dict[tuple[str, str], set[int]] = {}
    for row in families():
        if row.per_unit_storage_throughput is not None:
            ours.setdefault((row.deployment_type, row.storage_type), set()).add(row.per_unit_storage_throughput)
    assert {(deployment, storage): set(numbers(tiers)) for deployment, storage, tiers in said} == ours


def without_efa(deployment_type: str, storage_type: str, tier: int | None = None) -> list[Family]:
    """Return the families of a type whose capacities botocore's text describes: it does not tell those with EFA."""
    found = [
        row
        for row in families()
        if (row.deployment_type, row.storage_type, row.efa_enabled) == (deployment_type, storage_type, False)
        and tier in {None, row.per_unit_storage_throughput}
    ]
    assert found
    return found


def test_botocores_text_has_the_catalogs_capacities() -> None:
    lustre = text_of("CreateFileSystemRequest", "StorageCapacity").partition("FSx for ONTAP")[0]
    seen = set()
    for types, exact, step in re.findall(
        r"For ((?:(?:SCRATCH|PERSISTENT)_\d[ ,and]*)+) deployment types?[^.]*?valid values are ([^.]*?)"
        r"and increments of (\d+) GiB",
        lustre,
    ):
        for deployment_type in re.findall(r"[A-Z]+_\d", types):
            seen.add(deployment_type)
            for row in without_efa(deployment_type, "SSD"):
                assert row.capacity_step_gib == int(step)
                assert {*row.capacity_exact_gib} == {gib for gib in numbers(exact) if gib % int(step)}
                assert next(row.capacities_gib(10_000)) == min(numbers(exact))
    assert seen == set(DeploymentType)
    hdd = re.findall(r"increments of (\d+) GiB for (\d+) MB/s/TiB", lustre)
    assert len(hdd) == 2
    for step, tier in hdd:
        for row in without_efa("PERSISTENT_1", "HDD", int(tier)):
            assert (row.capacity_step_gib, row.capacity_exact_gib) == (int(step), ())


def test_botocores_text_has_the_catalogs_metadata_iops_and_read_cache() -> None:
    text = text_of("CreateFileSystemLustreMetadataConfiguration", "Iops")
    said: dict[str, set[int]] = {}
    for kind, listed, step, most in re.findall(
        r"For (SSD|Intelligent-Tiering) file systems, valid values are ([\d, ]+)and multiples of (\d+) "
        r"up to a maximum of (\d+)",
        text,
    ):
        said[kind] = {*numbers(listed), *range(int(step), int(most) + 1, int(step))}
    assert said["SSD"] == set(provisioned_metadata_iops())
    seen = set()
    if said["Intelligent-Tiering"] != set(tiering_metadata_iops()):
        assert set(tiering_metadata_iops()) < said["Intelligent-Tiering"]
        seen = known("botocore: Intelligent-Tiering metadata IOPS other than 6000 and 12000")
    assert seen == {name for name in KNOWN if name.startswith("botocore: Intelligent-Tiering metadata")}
    [(least, most)] = re.findall(
        r"minimum of (\d+) GiB and maximum of (\d+) GiB for SSD read cache size for every 1000 MBps",
        text_of("LustreReadCacheConfiguration", "SizeGiB"),
    )
    step = load("fsx_lustre")["intelligent_tiering"]["per_step"]
    assert (4 * int(least), 4 * int(most)) == (step["read_cache_min_gib"], step["read_cache_max_gib"])
    assert read_cache_gib(1, 4000) == 4 * int(least)


def test_botocore_disagrees_with_itself_on_throughput_capacity_and_on_the_smallest_persistent_2() -> None:
    seen = set()
    text = text_of("CreateFileSystemLustreConfiguration", "ThroughputCapacity")
    small = [mbps for mbps in numbers(text) if mbps < THROUGHPUT_STEP_MBPS]
    if small:
        assert small == [1000, 2000]
        assert bounds("ThroughputCapacityMbps")[0] == 4000
        seen |= known("botocore: Intelligent-Tiering of 1000 and 2000 MB/s")
    if "(600 GiB)" in text_of("LustreFileSystemConfiguration", "DeploymentType"):
        seen |= known("botocore: PERSISTENT_2 from 600 GiB")
    assert seen == {name for name in KNOWN if name.startswith("botocore") and "metadata" not in name}
    assert numbers(text)[-1] == load("fsx_lustre")["intelligent_tiering"]["throughput_max_mbps"]


def test_botocore_allows_efa_on_every_throughput_capacity_that_the_catalog_has() -> None:
    text = text_of("CreateFileSystemLustreConfiguration", "EfaEnabled")
    assert "only when ThroughputCapacity is 4000 MBps or a multiple of 4000 MBps" in text
    assert {row.efa_enabled for row in tiering_families()} == {False, True}


def test_botocore_requires_a_drive_cache_type_with_hdd_as_the_catalog_does() -> None:
    assert "required when StorageType is set to HDD" in text_of("CreateFileSystemLustreConfiguration", "DriveCacheType")
    assert all((row.drive_cache_type is not None) == (row.storage_type == "HDD") for row in families())


def test_cloudformation_has_the_seventeen_settings_that_botocore_has_but_root_squash() -> None:
    from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", "AWS::FSx::FileSystem").schema
    lustre = schema["definitions"]["LustreConfiguration"]
    assert lustre["additionalProperties"] is False
    assert len(lustre["properties"]) == 17
    missing = set(shapes()["CreateFileSystemLustreConfiguration"]["members"]) - set(lustre["properties"])
    assert {f"CloudFormation: no {name}" for name in missing} == known("CloudFormation: no RootSquashConfiguration")
    assert set(lustre["properties"]) < set(shapes()["CreateFileSystemLustreConfiguration"]["members"])


def test_cfn_lint_knows_the_catalogs_smallest_capacity_and_no_step() -> None:
    extension = resources.files("cfnlint.data.schemas.extensions.aws_fsx_filesystem") / "storage_capacity.json"
    [rule] = [
        rule["then"]["properties"]["StorageCapacity"]
        for rule in json.loads(extension.read_text())["allOf"]
        if rule["if"]["properties"]["FileSystemType"]["enum"] == ["LUSTRE"]
    ]
    assert rule["minimum"] == min(next(row.capacities_gib(50_000)) for row in families())
    assert set(rule) == {"minimum"}
    assert known("cfn-lint: any capacity from 1200 GiB")
    assert illegal_settings(Wanted(storage_capacity_gib=1500))


def test_moto_creates_a_file_system_that_the_catalog_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    import boto3
    from moto import mock_aws

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    assert illegal_settings(Wanted(deployment_types=[DeploymentType.SCRATCH_2], storage_capacity_gib=3601))
    with mock_aws():
        created = boto3.client("fsx", region_name="us-east-1").create_file_system(
            FileSystemType="LUSTRE",
            StorageCapacity=3601,
            SubnetIds=["subnet-0123456789abcdef0"],
            LustreConfiguration={"DeploymentType": "SCRATCH_2"},
        )
    assert known("moto: anything is a file system")
    assert created["FileSystem"]["StorageCapacity"] == 3601


Accepts = Callable[..., bool]


@pytest.fixture(scope="module")
def cdk_accepts() -> Accepts:
    """Return whether CDK's own construct accepts settings; each attempt is a construct of its own."""
    from aws_cdk import App, Stack, aws_ec2, aws_fsx

    stack = Stack(App(), "settings")
    vpc = aws_ec2.Vpc(stack, "Vpc", max_azs=1)
    attempts = iter(range(10**6))

    def accepts(
        deployment_type: str,
        capacity_gib: int,
        *,
        storage_type: str | None = None,
        tier: int | None = None,
        drive_cache: str | None = None,
    ) -> bool:
        try:
            aws_fsx.LustreFileSystem(
                stack,
                f"FileSystem{next(attempts)}",
                vpc=vpc,
                vpc_subnet=vpc.private_subnets[0],
                storage_capacity_gib=capacity_gib,
                storage_type=None if storage_type is None else aws_fsx.StorageType(storage_type),
                lustre_configuration=aws_fsx.LustreConfiguration(
                    deployment_type=aws_fsx.LustreDeploymentType(deployment_type),
                    per_unit_storage_throughput=tier,
                    drive_cache_type=None if drive_cache is None else aws_fsx.DriveCacheType(drive_cache),
                ),
            )
        except RuntimeError:
            return False
        return True

    return accepts


def capacities_to_try(row: Family) -> Iterator[int]:
    """Yield a family's first capacities, their neighbours, what other types have, and none at all."""
    first = list(row.capacities_gib(5 * row.capacity_step_gib))[:3]
    yield from sorted({gib + near for gib in first for near in (-1, 0, 1)} | {1200, 1800, 2400, 3600, 6000, 0, -2400})


@pytest.mark.parametrize("row", [row for row in families() if not row.efa_enabled], ids=lambda row: row.price_item)
def test_cdks_construct_and_the_catalog_accept_the_same_capacities_but_for_none(
    row: Family, cdk_accepts: Accepts
) -> None:
    disagreed = {}
    for gib in capacities_to_try(row):
        ours = not illegal_settings(
            Wanted(
                deployment_types=[row.deployment_type],
                storage_type=row.storage_type,
                storage_capacity_gib=gib,
                per_unit_storage_throughput=row.per_unit_storage_throughput,
                drive_cache_type=row.drive_cache_type,
                efa_enabled=False,
            )
        )
        theirs = cdk_accepts(
            row.deployment_type,
            gib,
            storage_type=row.storage_type,
            tier=row.per_unit_storage_throughput,
            drive_cache=row.drive_cache_type,
        )
        if ours is not theirs:
            disagreed[gib] = theirs
    assert known("CDK: a capacity of 0 and below")
    # every step divides 0; -2400 is a multiple of the steps that divide 2400
    assert {gib for gib in disagreed if gib > 0} == set()
    assert disagreed[0] is True
    assert all(disagreed.values())


@pytest.mark.parametrize("deployment_type", DeploymentType)
@pytest.mark.parametrize("tier", [None, 12, 40, 50, 100, 200, 125, 250, 500, 1000, 333])
def test_cdks_construct_and_the_catalog_accept_the_same_throughputs_but_for_none(
    deployment_type: DeploymentType, tier: int | None, cdk_accepts: Accepts
) -> None:
    ours = {
        row.per_unit_storage_throughput
        for row in families()
        if (row.deployment_type, row.storage_type) == (deployment_type, "SSD")
    }
    theirs = cdk_accepts(deployment_type, 2400, storage_type="SSD", tier=tier)
    if tier is None and not deployment_type.is_scratch:
        assert known("CDK: PERSISTENT without throughput")
        assert theirs
        assert None not in ours
        said = text_of("CreateFileSystemLustreConfiguration", "PerUnitStorageThroughput")
        assert f"Required with PERSISTENT_1 and {DeploymentType.PERSISTENT_2}" in said
    else:
        assert theirs is (tier in ours)


def test_cdks_construct_accepts_hdd_without_throughput_and_tiering_with_a_capacity(cdk_accepts: Accepts) -> None:
    seen = set()
    if cdk_accepts("PERSISTENT_1", 1200, storage_type="HDD"):
        seen |= known("CDK: HDD of 1200 GiB without throughput")
    if cdk_accepts("PERSISTENT_2", 2400, storage_type="INTELLIGENT_TIERING"):
        seen |= known("CDK: INTELLIGENT_TIERING with a storage capacity")
    assert seen == {name for name in KNOWN if name.startswith(("CDK: HDD", "CDK: INTELLIGENT"))}
    hdd = Wanted(storage_type=StorageType.HDD, storage_capacity_gib=1200)
    tiering = Wanted(storage_type=StorageType.INTELLIGENT_TIERING, storage_capacity_gib=2400)
    assert illegal_settings(hdd)
    assert illegal_settings(tiering)


def test_cdks_construct_cannot_say_efa_metadata_or_throughput_capacity() -> None:
    from aws_cdk import aws_fsx

    said = set(signature(aws_fsx.LustreConfiguration).parameters) | set(signature(aws_fsx.LustreFileSystem).parameters)
    wanted = {
        "CDK: no EFA": {"efa_enabled"},
        "CDK: no metadata configuration": {"metadata_configuration"},
        "CDK: no Intelligent-Tiering": {"throughput_capacity", "data_read_cache_configuration"},
    }
    assert {name for name, settings in wanted.items() if not settings & said} == known(*wanted)
    low_level = set(signature(aws_fsx.CfnFileSystem.LustreConfigurationProperty).parameters)
    assert set().union(*wanted.values()) <= low_level


@pytest.mark.parametrize(
    ("enumeration", "values"),
    [
        ("LustreDeploymentType", set(DeploymentType)),
        ("StorageType", set(StorageType)),
        ("DriveCacheType", set(DriveCacheType)),
        ("LustreDataCompressionType", {"NONE", "LZ4"}),
    ],
)
def test_cdks_enumerations_are_the_catalogs(enumeration: str, values: set[str]) -> None:
    from aws_cdk import aws_fsx

    assert {member.value for member in getattr(aws_fsx, enumeration)} == values


def test_every_known_disagreement_is_seen_by_a_test() -> None:
    source = Path(__file__).read_text(encoding="utf-8").partition("Each known disagreement, and why it stands")[2]
    assert not {name for name in KNOWN if f'"{name}"' not in source}

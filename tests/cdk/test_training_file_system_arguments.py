"""Whatever is passed: it is taken, or refused with a ValueError by Python, before anything reaches CDK."""

from typing import Any

from aws_cdk import App, Aws, RemovalPolicy, Stack, Token
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Template
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, MetadataMode, StorageType
from epochwise.checks.bucket_link import LINK_EVENTS
from epochwise.checks.file_system_settings import LUSTRE_VERSIONS, AutoImportPolicy, LogLevel, ReadCacheMode
from tests.cdk.file_systems import FILE_SYSTEM, PERSISTENT_2, SCRATCH_2, TIERING, build, imported_vpc

anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=2**60),
    st.floats(),
    st.text(max_size=20),
    st.text(alphabet="\ud800\x00a/${}", max_size=8),
    st.just([]),
    st.just({}),
    st.just(object()),
    st.binary(max_size=3),
    st.sampled_from([Aws.REGION, Token.as_number({"Ref": "Number"}), Token.as_any({"Ref": "Any"})]),
)


def some(*legal: Any) -> st.SearchStrategy[Any]:
    """Return legal values, mostly, and anything else."""
    return st.one_of(st.sampled_from(legal), st.sampled_from(legal), anything)


ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    "deployment_type": some(*DeploymentType),
    "storage_type": some(*StorageType),
    "storage_capacity_gib": some(1200, 2400, 4800, 9600),
    "per_unit_storage_throughput": some(50, 125, 500, 1000),
    "efa_enabled": some(True, False),
    "metadata_iops": some(None, 6000, 12000),
    "metadata_mode": some(None, *MetadataMode),
    "drive_cache_type": some(None, *DriveCacheType),
    "throughput_capacity_mbps": some(None, 4000),
    "read_cache_gib": some(None, 64),
    "read_cache_mode": some(None, *ReadCacheMode),
    "lustre_version": some(*LUSTRE_VERSIONS),
    "security_groups": anything,
    "client_security_groups": some((), []),
    "data_compression": some(True, False),
    "encryption_key": anything,
    "automatic_backup_retention_days": some(None, 7),
    "daily_automatic_backup_start_time": some(None, "03:00"),
    "copy_tags_to_backups": some(True, False),
    "backup_id": some(None, "backup-0123456789abcdef0"),
    "weekly_maintenance_start_time": some(None, "7:03:00"),
    "log_level": some(None, *LogLevel),
    "log_group": anything,
    "import_path": some(None, "s3://example-data/x"),
    "export_path": some(None, "s3://example-data/y"),
    "auto_import_policy": some(None, *AutoImportPolicy),
    "imported_file_chunk_size_mib": some(None, 1024),
    "tags": st.one_of(st.none(), anything, st.dictionaries(st.text(max_size=4), anything, max_size=2)),
    "removal_policy": some(None, *RemovalPolicy),
    "size": anything,
    "vpc": anything,
    "subnet": anything,
}
BASES = (SCRATCH_2, PERSISTENT_2, TIERING)
LINK_ARGUMENTS: dict[str, st.SearchStrategy[Any]] = {
    "prefix": some("", "train", "a/b/"),
    "file_system_path": some("/", "/train", "a"),
    "import_events": some(LINK_EVENTS, [], ["NEW"]),
    "export_events": some((), ["DELETED"]),
    "imported_file_chunk_size_mib": some(None, 256),
}


def changes(arguments: dict[str, st.SearchStrategy[Any]], most: int) -> st.SearchStrategy[dict[str, Any]]:
    """Draw a few arguments."""
    return st.sets(st.sampled_from(sorted(arguments)), min_size=1, max_size=most).flatmap(
        lambda names: st.fixed_dictionaries({name: arguments[name] for name in sorted(names)})
    )


def expect_an_id(error: ValueError) -> None:
    """A refusal is one of the checks, which carries its id."""
    assert str(error).endswith("]")


def fresh() -> Stack:
    """Return a stack of its own with a network that exists."""
    stack = Stack(App(), "test")
    imported_vpc(stack)
    return stack


@given(base=st.sampled_from(BASES), changed=changes(ARGUMENTS, 3))
@example(base=SCRATCH_2, changed={"storage_capacity_gib": float("nan")})
@example(base=SCRATCH_2, changed={"storage_capacity_gib": 2400 * 10**400})
@example(base=SCRATCH_2, changed={"tags": {"a": "\ud800"}})
@example(base=SCRATCH_2, changed={"import_path": "s3://example-data/\ud800"})
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_constructor_takes_its_arguments_or_refuses_them_in_python(
    base: dict[str, Any], changed: dict[str, Any]
) -> None:
    stack = fresh()
    try:
        build(stack, **(base | changed))
    except ValueError as error:
        expect_an_id(error)
        assert stack.node.try_find_child("FileSystem") is None
    else:
        Template.from_stack(stack).resource_count_is(FILE_SYSTEM, 1)


@given(links=st.lists(changes(LINK_ARGUMENTS, 3), min_size=1, max_size=3))
@example(links=[{"file_system_path": "/\ud800"}])
@example(links=[{"imported_file_chunk_size_mib": float("inf")}])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_link_bucket_takes_its_arguments_or_refuses_them_in_python(links: list[dict[str, Any]]) -> None:
    stack = fresh()
    file_system = build(stack, **SCRATCH_2)
    bucket = s3.Bucket.from_bucket_name(stack, "Bucket", "example-data")
    for link in links:
        before = len(file_system.node.children)
        try:
            file_system.link_bucket(bucket, **link)
        except ValueError as error:
            expect_an_id(error)
            assert len(file_system.node.children) == before
    Template.from_stack(stack).resource_count_is(FILE_SYSTEM, 1)

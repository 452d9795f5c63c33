"""From the arguments of `TrainingFileSystem` to the settings that checks judge and FSx gets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from aws_cdk import RemovalPolicy, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_logs as logs

from epochwise.catalog.fsx_lustre import MetadataMode, StorageType
from epochwise.cdk.arguments_of_their_kind import shown
from epochwise.cdk.findings import refuse_errors
from epochwise.cdk.tokens import is_token
from epochwise.checks.file_system import size_missing, size_not_alone
from epochwise.checks.file_system_access import file_system_groups_out_of_range
from epochwise.checks.file_system_backups import removal_policy_unsupported
from epochwise.checks.file_system_logs import GENERATED_NAME
from epochwise.checks.file_system_settings import FileSystemSettings
from epochwise.checks.file_system_tags import tag_findings
from epochwise.checks.finding import Finding
from epochwise.checks.given_subnet import subnets_not_one
from epochwise.sizing.plan import Choice

SIZE_SETTINGS = (
    "deployment_type",
    "storage_type",
    "storage_capacity_gib",
    "per_unit_storage_throughput",
    "efa_enabled",
    "metadata_iops",
    "metadata_mode",
    "throughput_capacity_mbps",
    "drive_cache_type",
    "read_cache_mode",
    "read_cache_gib",
)
"""What a plan's choice decides."""
NUMBERS_OF_DEPLOY = (
    "storage_capacity_gib",
    "per_unit_storage_throughput",
    "metadata_iops",
    "throughput_capacity_mbps",
    "read_cache_gib",
    "automatic_backup_retention_days",
    "imported_file_chunk_size_mib",
)
"""Numbers that are only passed on, so that they may be parameters of a template."""
_DEFAULTS: Mapping[str, object] = {"storage_type": StorageType.SSD, "efa_enabled": False}


def settings_of(
    given: Mapping[str, object], *, size: Choice | None, customer_key: bool, log_group: logs.ILogGroup | None
) -> tuple[FileSystemSettings, FileSystemSettings]:
    """Return what FSx is asked for, tokens included, and the same as checks take it, where a token is None.

    Raises:
        ValueError: the size is given twice or not at all.
    """
    asked = dict(given)
    if size is not None:
        others = [name for name in SIZE_SETTINGS if asked[name] != _DEFAULTS.get(name)]
        refuse_errors(size_not_alone(size.label, others))
        asked |= _chosen(size)
    else:
        refuse_errors(size_missing(given["deployment_type"]))
    unknown = {name for name, value in asked.items() if is_token(value, str) or is_token(value, int)}
    name = None if log_group is None else _name_of(log_group)
    settings = FileSystemSettings(**asked, customer_key=customer_key, log_group_name=name)  # type: ignore[arg-type]
    if is_token(name, str):
        unknown.add("log_group_name")
    return settings, replace(settings, **dict.fromkeys(unknown), unknown=frozenset(unknown))  # type: ignore[arg-type]


def _name_of(log_group: logs.ILogGroup) -> str:
    """Return the name of a log group: as it was given where the app makes the group, whose own attribute is a token."""
    made = log_group.node.default_child
    if not isinstance(made, logs.CfnLogGroup):
        return log_group.log_group_name
    if Stack.of(made).resolve(made.log_group_name) is None:
        return GENERATED_NAME
    return str(made.log_group_name)


def _chosen(size: Choice) -> dict[str, object]:
    """Return the settings of a plan's choice."""
    provisioned = size.metadata_mode is MetadataMode.USER_PROVISIONED
    return {name: getattr(size, name) for name in SIZE_SETTINGS if name not in {"metadata_iops", "read_cache_mode"}} | {
        "metadata_iops": size.metadata_iops if provisioned else None
    }


def argument_findings(
    *,
    security_groups: Sequence[ec2.ISecurityGroup] | None,
    tags: Mapping[str, str] | None,
    removal_policy: RemovalPolicy | None,
) -> list[Finding]:
    """Return what is wrong with the arguments that are no settings; of tags only what is known before the deploy."""
    found = [*tag_findings([(_known(key), _known(value)) for key, value in (tags or {}).items()])]
    if security_groups is not None:
        found += file_system_groups_out_of_range(len(security_groups))
    if removal_policy is not None:
        found += removal_policy_unsupported(removal_policy.name)
    return found


def tag_count(resource: fsx.CfnFileSystem) -> int:
    """Return how many tags a file system has with those of its stack, which CloudFormation adds at the deploy."""
    return len({*resource.tags.tag_values(), *Stack.of(resource).tags.tag_values()})


def _known(text: str) -> str | None:
    """Return a text, None where only the deploy knows it."""
    return None if is_token(text, str) else text


def not_one_subnet(given: object) -> Iterator[Finding]:
    """Yield what is said of several subnets, or none, in place of one."""
    if isinstance(given, list | tuple):
        yield from subnets_not_one([shown(each) for each in given])

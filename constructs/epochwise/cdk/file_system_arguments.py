"""From the arguments of `TrainingFileSystem` to the settings that checks judge and FSx gets."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from aws_cdk import RemovalPolicy, Stack
from aws_cdk import aws_logs as logs

from epochwise.catalog.fsx_lustre import MetadataMode, StorageType
from epochwise.cdk.findings import refuse_errors
from epochwise.cdk.tokens import is_token
from epochwise.checks.file_system import size_missing, size_not_alone
from epochwise.checks.file_system_access import file_system_groups_out_of_range
from epochwise.checks.file_system_backups import removal_policy_unsupported
from epochwise.checks.file_system_settings import FileSystemSettings
from epochwise.checks.file_system_tags import tag_findings
from epochwise.checks.finding import Finding
from epochwise.checks.given_subnet import subnets_not_one
from epochwise.checks.setting_kinds import SETTING_KINDS, construct_of_wrong_kind, setting_of_wrong_kind, wrong_kinds
from epochwise.sizing.candidate import Candidate

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
_DEFAULTS: Mapping[str, object] = {"storage_type": StorageType.SSD, "efa_enabled": False}


def settings_of(
    given: Mapping[str, object], *, size: Candidate | None, customer_key: bool, log_group: logs.ILogGroup | None
) -> tuple[FileSystemSettings, FileSystemSettings]:
    """Return what FSx is asked for, tokens included, and the same as checks take it, where a token is None.

    Raises:
        ValueError: an argument is of the wrong kind, or the size is given twice or not at all.
    """
    asked = dict(given)
    if size is not None:
        refuse_errors(construct_of_wrong_kind("size", size, attribute="family", kind="the choice of a plan"))
        others = [name for name in SIZE_SETTINGS if asked[name] != _DEFAULTS.get(name)]
        refuse_errors(size_not_alone(size.label, others))
        asked |= _chosen(size)
    else:
        refuse_errors(size_missing(given["deployment_type"]))
    unknown = {name for name, value in asked.items() if is_token(value, SETTING_KINDS[name])}
    refuse_errors(wrong_kinds({name: value for name, value in asked.items() if name not in unknown}))
    typed = {name: _typed(SETTING_KINDS[name], value) for name, value in asked.items()}
    name = None if log_group is None else _name_of(log_group)
    settings = FileSystemSettings(**typed, customer_key=customer_key, log_group_name=name)  # type: ignore[arg-type]
    if is_token(name, str):
        unknown.add("log_group_name")
    return settings, replace(settings, **dict.fromkeys(unknown), unknown=frozenset(unknown))  # type: ignore[arg-type]


def _name_of(log_group: logs.ILogGroup) -> str:
    """Return the name of a log group: as it was given where the app makes the group, whose own attribute is a token."""
    made = log_group.node.default_child
    if not isinstance(made, logs.CfnLogGroup):
        return log_group.log_group_name
    if Stack.of(made).resolve(made.log_group_name) is None:
        return "a generated name"
    return str(made.log_group_name)


def _chosen(size: Candidate) -> dict[str, object]:
    """Return the settings of a plan's choice."""
    provisioned = size.metadata_mode is MetadataMode.USER_PROVISIONED
    return {name: getattr(size, name) for name in SIZE_SETTINGS if name not in {"metadata_iops", "read_cache_mode"}} | {
        "metadata_iops": size.metadata_iops if provisioned else None
    }


def _typed(kind: type, value: object) -> object:
    """Return a value of its enumeration, for the text of one."""
    return kind(value) if isinstance(value, str) and issubclass(kind, StrEnum) else value


def argument_findings(
    *,
    vpc: object,
    subnet: object,
    security_groups: object,
    client_security_groups: object,
    encryption_key: object,
    log_group: object,
    tags: object,
    removal_policy: object,
) -> list[Finding]:
    """Return what is wrong with the arguments that are no settings."""
    found = [
        *construct_of_wrong_kind("vpc", vpc, attribute="vpc_id", kind="a VPC"),
        *(subnets_not_one([str(each) for each in subnet]) if isinstance(subnet, list | tuple) else ()),
        *construct_of_wrong_kind("subnet", subnet, attribute="subnet_id", kind="one subnet"),
        *tag_findings({} if tags is None else tags),
    ]
    if security_groups is not None:
        found += groups_findings("security_groups", security_groups)
        found += file_system_groups_out_of_range(
            len(security_groups) if isinstance(security_groups, list | tuple) else 1
        )
    found += groups_findings("client_security_groups", client_security_groups)
    if encryption_key is not None:
        found += construct_of_wrong_kind("encryption_key", encryption_key, attribute="key_arn", kind="a KMS key")
    if log_group is not None:
        found += construct_of_wrong_kind("log_group", log_group, attribute="log_group_name", kind="a log group")
    if removal_policy is not None:
        named = removal_policy.name if isinstance(removal_policy, RemovalPolicy) else repr(removal_policy)
        found += removal_policy_unsupported(named)
    return found


def groups_findings(name: str, groups: object) -> list[Finding]:
    """Return what is wrong with a list of security groups."""
    if not isinstance(groups, list | tuple):
        return list(setting_of_wrong_kind(name, groups, list))
    return [
        finding
        for group in groups
        for finding in construct_of_wrong_kind(
            name, group, attribute="security_group_id", kind="a list of security groups"
        )
    ]

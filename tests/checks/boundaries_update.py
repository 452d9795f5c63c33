"""Boundaries of what is said about an update: whole diffs, since templates decide which is made."""

from functools import partial
from typing import Any

from epochwise.checks.finding import Finding
from epochwise.templates.diff import diff_templates
from tests.checks.boundaries import Row
from tests.templates.small import template


def _updated(old: dict[str, Any], new: dict[str, Any] | None) -> list[Finding]:
    after = template(**new) if new is not None else {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}
    return [change.finding for change in diff_templates(template(**old), after)]


RETAINED = {"deletion_policy": "Retain", "update_replace_policy": "Retain"}
PROVISIONED = {"MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 12000}}
CASES: list[tuple[str, dict[str, Any], dict[str, Any] | None, str | None]] = [
    ("UPDATE_LOSES_DATA", {}, {"SubnetIds": ["subnet-2"]}, "subnet-2"),
    ("UPDATE_LOSES_DATA", {}, None, "is gone from the template"),
    ("UPDATE_LOSES_DATA", RETAINED, None, None),
    ("UPDATE_LOSES_DATA", {}, {"SubnetIds": ["subnet-1"]}, None),
    ("UPDATE_CAN_ONLY_FAIL", {}, {"EfaEnabled": True}, "is set to true"),
    ("UPDATE_CAN_ONLY_FAIL", {}, {"EfaEnabled": False}, None),
    ("UPDATE_SHRINKS", {}, {"StorageCapacity": 2400}, "2400 is less than the 4800"),
    ("UPDATE_SHRINKS", PROVISIONED, {"MetadataConfiguration": {"Mode": "USER_PROVISIONED", "Iops": 6000}}, "6000"),
    ("UPDATE_SHRINKS", {}, {"StorageCapacity": 4800}, None),
    ("UPDATE_GROWTH_STEP_ILLEGAL", {}, {"StorageCapacity": 7199}, "nearest legal: 4800 or 7200, got 7199"),
    ("UPDATE_GROWTH_STEP_ILLEGAL", {}, {"StorageCapacity": 7201}, "nearest legal: 7200 or 9600, got 7201"),
    ("UPDATE_GROWTH_STEP_ILLEGAL", {}, {"StorageCapacity": 7200}, None),
    ("UPDATE_IN_PLACE", {}, {"StorageCapacity": 7200}, "from 4800 to 7200"),
    ("UPDATE_IN_PLACE", {}, {}, None),
    ("UPDATE_REPLACES", {}, {"link": {"FileSystemPath": "/other"}}, "/other"),
    ("UPDATE_REPLACES", {}, {"link": {"FileSystemPath": "/data"}}, None),
    ("UPDATE_UNKNOWN", {}, {"StorageCapacity": {"Ref": "Size"}}, '{"Ref": "Size"}'),
    ("UPDATE_UNKNOWN", {"StorageCapacity": {"Ref": "Size"}}, {"StorageCapacity": {"Ref": "Size"}}, None),
    ("UPDATE_LEAVES_FILE_SYSTEM", RETAINED, None, "DeletionPolicy Retain"),
    ("UPDATE_LEAVES_FILE_SYSTEM", {}, None, None),
    ("UPDATE_UNPROTECTS", RETAINED, {}, "from Retain to Delete"),
    ("UPDATE_UNPROTECTS", {}, RETAINED, None),
]

ROWS = tuple(Row(finding_id, partial(_updated, old, new), says) for finding_id, old, new, says in CASES)

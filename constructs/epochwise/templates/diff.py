"""Tell what an update from one template to another does to the file systems, their links and what they stand on.

Values are compared as they stand; no function is evaluated. What refers to a resource that is replaced, or to a
parameter, mapping or condition that changes, changes with it. Values imported from another stack are taken as unchanged
while their name is.
"""

import json
from collections.abc import Iterator
from typing import Any

from epochwise.catalog.replacement import BUCKET_LINK, FILE_SYSTEM, Effect, UpdateRule, create_only, update_rules
from epochwise.checks.finding import Finding, Level
from epochwise.checks.update import (
    update_can_only_fail,
    update_in_place,
    update_leaves_file_system,
    update_loses_data,
    update_replaces,
    update_unknown,
    update_unprotects,
)
from epochwise.templates.change import Change
from epochwise.templates.file_system_update import in_place_update
from epochwise.templates.intrinsics import canonical
from epochwise.templates.update import Template, Update, flat_properties

_KEEPS = {"Retain", "RetainExceptOnCreate"}
MAX_SHOWN = 120
"""Characters of a value in a message."""
REPLACED = "replaced by an empty one"
_POLICIES = ("UpdateReplacePolicy", "DeletionPolicy")
_SCALING = {
    "StorageCapacity",
    "LustreConfiguration.PerUnitStorageThroughput",
    "LustreConfiguration.ThroughputCapacity",
    "LustreConfiguration.MetadataConfiguration",
}
"""What FSx scales, one at a time."""


def diff_templates(old: Template, new: Template) -> list[Change]:
    """Return what an update of the stack with the old template to the new one does, worst first.

    Resources that hold no data and that no file system stands on are left out, and so is what is new.
    """
    update = Update.between(old, new)
    changes: list[Change] = []
    for logical_id, was in sorted(update.before.items()):
        if create_only(was["Type"]) is None:
            continue
        becomes = update.after.get(logical_id)
        if becomes is None:
            changes += _removed(update, logical_id)
        elif was["Type"] != becomes["Type"]:
            note = "CloudFormation does not update a resource's type; give it another logical id"
            cause = f"changes from {was['Type']} to {becomes['Type']}"
            finding = update_can_only_fail(logical_id, cause=cause, note=note)
            changes.append(Change(logical_id, was["Type"], "Type", was["Type"], becomes["Type"], finding, ""))
        else:
            changes += _updated(update, logical_id)
    order = list(Level)
    return sorted(changes, key=lambda change: order.index(change.finding.level))


def _removed(update: Update, logical_id: str) -> Iterator[Change]:
    """Yield what the removal of a resource comes to; one that appears under another id is no longer the same."""
    was = update.before[logical_id]
    resource_type, policy = was["Type"], str(was.get("DeletionPolicy", "Delete"))
    successors = [
        name for name, each in update.after.items() if each["Type"] == resource_type and name not in update.before
    ]
    gone = f"is gone from the template and {' and '.join(successors)} is new, and another id is another resource"
    if resource_type == FILE_SYSTEM:
        if successors or policy not in _KEEPS:
            cause, outcome = (gone, REPLACED) if successors else ("is gone from the template", "removed")
            finding = update_loses_data(logical_id, cause=cause, outcome=f"is {outcome}", kept=policy in _KEEPS)
        else:
            finding = update_leaves_file_system(logical_id, policy=policy)
    elif resource_type == BUCKET_LINK and policy not in _KEEPS and not successors:
        note = "FSx no longer imports or exports; what was imported stays (assumed)"
        finding = update_in_place(logical_id, cause="is taken out of the template", note=note)
    elif successors:
        finding = update_replaces(logical_id, cause=gone, certain=True, note="")
    else:
        return
    yield Change(logical_id, resource_type, "", resource_type, None, finding, "")


def _updated(update: Update, logical_id: str) -> Iterator[Change]:
    """Yield what the changes of a resource that stays in the template come to."""
    was, becomes = update.before[logical_id], update.after[logical_id]
    resource_type = was["Type"]
    old, new = flat_properties(was), flat_properties(becomes)
    kept = all(str(resource.get("UpdateReplacePolicy")) in _KEEPS for resource in (was, becomes))
    scaled: list[str] = []
    for prop, sure in update.changes(logical_id):
        place, cause = f"{logical_id}.{prop}", _cause(old.get(prop), new.get(prop))
        rule = update_rules(resource_type).get(prop)
        if resource_type == FILE_SYSTEM and not old.get("FileSystemType") == new.get("FileSystemType") == "LUSTRE":
            rule = rule if prop in {"FileSystemType", "SubnetIds", "SecurityGroupIds", "KmsKeyId", "BackupId"} else None
        if resource_type == FILE_SYSTEM:
            finding = _file_system_finding(rule, old, new, place=place, cause=cause, sure=sure, kept=kept)
        elif prop in (create_only(resource_type) or ()):
            note = (
                rule.note if rule else "a file system that refers to it, here or in another stack, is replaced with it"
            )
            finding = update_replaces(place, cause=cause, certain=sure, note=note)
        elif rule is not None:
            finding = update_in_place(place, cause=cause, note=rule.note)
        else:
            continue
        scaled += [prop] if prop in _SCALING else []
        yield Change(logical_id, resource_type, prop, old.get(prop), new.get(prop), finding, _source(rule))
    yield from _about_whole(update, logical_id, scaled)


def _file_system_finding(
    rule: UpdateRule | None, old: dict[str, Any], new: dict[str, Any], *, place: str, cause: str, sure: bool, kept: bool
) -> Finding:
    """Return what the change of a file system's property comes to."""
    if rule is None:
        return update_unknown(place, cause=cause, doubt="what an update of it does is not known")
    match rule.verdict:
        case Effect.REPLACES:
            return update_loses_data(place, cause=cause, outcome=f"{'is' if sure else 'may be'} {REPLACED}", kept=kept)
        case Effect.IN_PLACE:
            return in_place_update(rule, old, new, place, cause)
        case Effect.FAILS:
            default = canonical(rule.default)
            if default is not None and old.get(rule.name, default) == new.get(rule.name, default):
                return update_unknown(place, cause=cause, doubt="means the same to FSx, but CloudFormation may try it")
            if not sure:
                return update_unknown(place, cause=cause, doubt="the deploy fails if it becomes another value")
            return update_can_only_fail(place, cause=cause, note=rule.note)


def _about_whole(update: Update, logical_id: str, scaled: list[str]) -> Iterator[Change]:
    """Yield what is to be said about a resource's condition and policies, and about several scalings at once."""
    was, becomes = update.before[logical_id], update.after[logical_id]
    resource_type, old_condition, new_condition = was["Type"], was.get("Condition"), becomes.get("Condition")
    if old_condition != new_condition or (isinstance(new_condition, str) and new_condition in update.moved):
        cause, doubt = _cause(old_condition, new_condition), "it may come or go with it"
        finding = update_unknown(f"{logical_id}.Condition", cause=cause, doubt=doubt)
        yield Change(logical_id, resource_type, "Condition", old_condition, new_condition, finding, "")
    if resource_type != FILE_SYSTEM:
        return
    if len(scaled) > 1:
        cause = f"{' and '.join(scaled)} change in one update"
        doubt = "FSx may refuse the second while it scales the first; deploy them apart, by 6 h or more"
        finding = update_unknown(logical_id, cause=cause, doubt=doubt)
        yield Change(logical_id, resource_type, "", None, None, finding, "")
    for policy in _POLICIES:
        old, new = str(was.get(policy, "Delete")), str(becomes.get(policy, "Delete"))
        if old in _KEEPS and new not in _KEEPS:
            finding = update_unprotects(f"{logical_id}.{policy}", was=old, becomes=new)
            yield Change(logical_id, resource_type, policy, old, new, finding, "")


def _cause(old: Any, new: Any) -> str:
    """Say how a property changes."""
    if old == new:
        return f"refers to what changes ({_shown(old)})"
    if old is None:
        return f"is set to {_shown(new)}"
    return f"is no longer set, it was {_shown(old)}" if new is None else f"changes from {_shown(old)} to {_shown(new)}"


def _shown(value: Any) -> str:
    """Render a value on one line, shortened."""
    text = " ".join((value if isinstance(value, str) else json.dumps(value, default=str)).split())
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def _source(rule: UpdateRule | None) -> str:
    """Say who says what about a property."""
    if rule is None:
        return ""
    updated = "can update it" if rule.service else "cannot update it"
    return (
        f"CloudFormation's schema: {rule.registry}, its page: {rule.page}, CDK: {rule.cdk}, FSx's API {updated}; "
        f"{rule.trust}"
    )

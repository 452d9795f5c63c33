"""What moto's CloudFormation is taught of stacks: DependsOn comes first, and what is refused is rolled back.

Moto forgets a resource whose update it does not know; here it stays as it was. Moto answers a refusal as an error of
the call, forgets which template a stack had before, and drops a stack whose deletion is refused. Here such a stack is
in ROLLBACK_COMPLETE, UPDATE_ROLLBACK_COMPLETE or DELETE_FAILED, with the reason as an event; other resources that an
update has changed by then stay so.
"""

from collections.abc import Callable
from typing import Any

from moto.cloudformation import parsing
from moto.cloudformation.models import CloudFormationBackend, Stack
from moto.cloudformation.parsing import ResourceMap

_get = ResourceMap.__getitem__
_update_resource = parsing.parse_and_update_resource
_create, _update, _delete = Stack.create_resources, Stack.update, Stack.delete


def _get_after_dependencies(resources: ResourceMap, logical_id: str) -> Any:
    """Create a resource after what it depends on: moto does so only where nothing refers to it earlier."""
    if logical_id not in resources._parsed_resources:
        before = resources._resource_json_map.get(logical_id, {}).get("DependsOn", ())
        for each in (before,) if isinstance(before, str) else before:
            resources[each]
    return _get(resources, logical_id)


def _update_or_keep(logical_id: str, resource_json: Any, resources: ResourceMap, *more: Any, **named: Any) -> Any:
    """Update a resource where moto can, and keep it otherwise."""
    return _update_resource(logical_id, resource_json, resources, *more, **named) or resources[logical_id]


def _told(stack: Stack, action: str, error: Exception, ends_as: str) -> None:
    """Put a stack into a failed state, with the reason."""
    stack._add_stack_event(f"{action}_FAILED", resource_status_reason=str(error))
    stack.status = ends_as
    stack._add_stack_event(ends_as)


def _create_or_roll_back(stack: Stack) -> None:
    try:
        _create(stack)
    except Exception as error:  # noqa: BLE001 - whatever a resource is refused for is the stack's reason
        stack.resource_map.delete()
        _told(stack, "CREATE", error, "ROLLBACK_COMPLETE")


def _update_or_roll_back(stack: Stack, template: str, *more: Any, **named: Any) -> None:
    resources, before = stack.resource_map, stack.template
    try:
        _update(stack, template, *more, **named)
    except Exception as error:  # noqa: BLE001 - as above
        stack.template = before
        stack._parse_template()
        resources._template, resources._resource_json_map = stack.template_dict, stack.template_dict["Resources"]
        _told(stack, "UPDATE", error, "UPDATE_ROLLBACK_COMPLETE")


def _delete_or_stay(backend: CloudFormationBackend, name_or_stack_id: str) -> None:
    """Delete a stack; where that is refused, it is still there."""
    for stack in [each for each in backend.stacks.values() if name_or_stack_id in (each.stack_id, each.name)]:
        exports = [each.name for each in stack.exports]
        try:
            _delete(stack)
        except Exception as error:  # noqa: BLE001 - as above
            _told(stack, "DELETE", error, "DELETE_FAILED")
            continue
        backend.deleted_stacks[stack.stack_id] = backend.stacks.pop(stack.stack_id)
        for export in exports:
            backend.exports.pop(export, None)


_TAUGHT: list[tuple[Any, str, Callable[..., Any]]] = [
    (parsing, "parse_and_update_resource", _update_or_keep),
    (ResourceMap, "__getitem__", _get_after_dependencies),
    (Stack, "create_resources", _create_or_roll_back),
    (Stack, "update", _update_or_roll_back),
    (CloudFormationBackend, "delete_stack", _delete_or_stay),
]


def teach() -> None:
    """Change moto's classes in this process."""
    for owner, method, taught in _TAUGHT:
        setattr(owner, method, taught)

"""The reference app's own templates: what an update of its file system would do."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from epochwise.catalog.replacement import FILE_SYSTEM
from epochwise.templates.change import Change, Verdict, exit_status
from epochwise.templates.diff import diff_templates

ROOT = Path(__file__).parents[2]
Document = dict[str, Any]
Changed = Callable[..., list[Change]]


@pytest.fixture(scope="module")
def template_of() -> Callable[..., Document]:
    """Return how to synthesize the guide's storage stack, with changes to its declaration."""
    from aws_cdk import App
    from aws_cdk.assertions import Template

    from epochwise import Workload, plan
    from stacks.deployment import create_stacks
    from tests.cdk.conftest import CONTEXT

    guide = Workload.from_file(ROOT / "workloads" / "guide.yaml")

    def make(**changes: Any) -> Document:
        workload = Workload.model_validate(guide.model_dump(mode="json", exclude_unset=True) | changes)
        stacks = {stack.stack_name: stack for stack in create_stacks(App(context=CONTEXT), plan(workload))}
        [storage] = [stack for name, stack in stacks.items() if name.endswith("storage")]
        return dict(Template.from_stack(storage).to_json())

    return make


@pytest.fixture(scope="module")
def deployed(template_of: Callable[..., Document]) -> Document:
    return template_of()


def file_system_of(document: Document) -> tuple[str, Document]:
    """Return the one file system of a template, with its logical id."""
    [found] = [(name, each) for name, each in document["Resources"].items() if each["Type"] == FILE_SYSTEM]
    return found


@pytest.fixture
def changed(deployed: Document) -> Changed:
    """Return how to diff the deployed template with one whose file system has other properties."""

    def diff(**properties: Any) -> list[Change]:
        new = deepcopy(deployed)
        top = file_system_of(new)[1]["Properties"]
        lustre = properties.pop("LustreConfiguration", {})
        top |= properties | {"LustreConfiguration": top["LustreConfiguration"] | lustre}
        return diff_templates(deployed, new)

    return diff


def test_f46_the_next_step_of_the_guide_keeps_its_file_system(
    template_of: Callable[..., Document], deployed: Document
) -> None:
    grown = template_of(file_system={"storage_capacity_gib": 7200, "per_unit_storage_throughput": 500})
    assert file_system_of(grown)[0] == file_system_of(deployed)[0]
    sizes = [file_system_of(each)[1]["Properties"]["StorageCapacity"] for each in (deployed, grown)]
    assert sizes == [4800, 7200]
    [change] = [each for each in diff_templates(deployed, grown) if each.resource_type == FILE_SYSTEM]
    assert (change.property_name, change.verdict) == ("StorageCapacity", Verdict.IN_PLACE)
    assert exit_status([change]) == 0


def test_f46_a_change_of_its_tier_is_in_place_although_cdk_diff_says_replacement(changed: Changed) -> None:
    [change] = changed(LustreConfiguration={"PerUnitStorageThroughput": 1000})
    assert change.verdict is Verdict.IN_PLACE
    assert "CDK: replaces" in change.source
    assert "unavailable for up to 1 h" in change.message


@pytest.mark.parametrize(
    "properties",
    [
        {"SecurityGroupIds": ["sg-0123456789abcdef0"]},
        {"SubnetIds": ["subnet-0123456789abcdef0"]},
        {"KmsKeyId": "arn:aws:kms:us-east-1:123456789012:key/other"},
    ],
)
def test_f71_another_group_subnet_or_key_replaces_it_and_the_old_one_is_retained(
    changed: Changed, properties: Document
) -> None:
    changes = changed(**properties)
    assert changes[0].verdict is Verdict.LOSES_DATA
    assert "the old one stays, outside the stack, and keeps costing" in changes[0].message
    assert exit_status(changes) == 1


def test_efa_that_is_switched_on_can_only_fail(changed: Changed) -> None:
    [change] = changed(LustreConfiguration={"EfaEnabled": True})
    assert change.verdict is Verdict.FAILS
    assert "EFA can be chosen only at creation" in change.message


def test_f71_its_renamed_construct_is_another_file_system(deployed: Document) -> None:
    name = file_system_of(deployed)[0]
    new = deepcopy(deployed)
    new["Resources"]["Renamed"] = new["Resources"].pop(name)
    change = diff_templates(deployed, new)[0]
    assert (change.logical_id, change.verdict) == (name, Verdict.LOSES_DATA)


def test_the_guide_does_not_differ_from_itself(template_of: Callable[..., Document], deployed: Document) -> None:
    assert diff_templates(deployed, template_of()) == []

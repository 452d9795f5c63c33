"""Checks about a stack that is deployed, and the plan."""

from typing import Any

import pytest

from tests.live.preflight.account import Account
from tests.live.preflight.stacks import deployed, template


def test_a_stack_at_rest_passes(account: Account) -> None:
    deployed("storage")
    assert account.judged("stack", stack="storage").said == "stack storage is in CREATE_COMPLETE"


def test_f51_a_stack_whose_creation_failed_is_told_with_the_reason(account: Account) -> None:
    """Which resource failed and what AWS said is in the stack's events, which nobody reads."""
    deployed("broken", tags={"Failure": "security groups do not permit Lustre LNET network traffic on port 988."})
    row = account.judged("stack", stack="broken")
    why = "FileSystem failed with security groups do not permit Lustre LNET network traffic on port 988"
    assert row.verdict == "FAIL"
    assert row.said == f"stack broken is in ROLLBACK_COMPLETE: {why} [STACK_NOT_UPDATABLE]"
    assert row.instead == "delete the stack, whose creation failed, and deploy again"


def test_a_stack_that_is_not_there_fails_and_its_template_cannot_be_told(account: Account) -> None:
    row = account.judged("stack", stack="absent")
    assert (row.verdict, row.said) == (
        "FAIL",
        "stack absent does not exist in this account and Region; leave --stack out before the first deploy",
    )
    row = account.judged("template", stack="absent", template=template())
    assert (row.verdict, row.said) == ("SKIP", "stack absent does not exist in this account and Region")


@pytest.mark.parametrize(
    ("settings", "verdict", "said"),
    [
        ({}, "PASS", "nothing changes about a file system"),
        ({"gib": 7200}, "PASS", "FileSystem.StorageCapacity"),
        ({"gib": 2400}, "FAIL", "[UPDATE_SHRINKS]"),
        ({"SecurityGroupIds": ["sg-0aaaaaaaaaaaaaaaa"]}, "FAIL", "[UPDATE_LOSES_DATA]"),
        ({"SubnetIds": ["subnet-0aaaaaaaaaaaaaaaa"]}, "FAIL", "[UPDATE_LOSES_DATA]"),
    ],
)
def test_f71_an_update_that_replaces_the_file_system_fails(
    account: Account, settings: dict[str, Any], verdict: str, said: str
) -> None:
    """Another subnet or security group made another file system, and the data was lost."""
    deployed("storage")
    row = account.judged("template", stack="storage", template=template(**settings))
    assert row.verdict == verdict
    assert said in row.said


def test_without_a_new_template_the_update_cannot_be_told(account: Account) -> None:
    deployed("storage")
    row = account.judged("template", stack="storage")
    assert row.verdict == "SKIP"
    assert row.said == "no new template is named; name what `cdk synth` wrote with --template"


def test_a_plan_passes_and_one_that_finds_nothing_fails(account: Account) -> None:
    row = account.judged("plan")
    assert (row.verdict, row.said) == ("PASS", "PERSISTENT_2 4800 GiB at 500 MB/s/TiB, 1632.00 USD a month")
    row = account.judged("plan", {"epoch": {"target": "0.01 s"}})
    assert row.verdict == "FAIL"
    assert "[NOTHING_FEASIBLE]" in row.said


def test_what_does_not_depend_on_the_plan_is_checked_without_one(account: Account) -> None:
    looked = account.look(changes={"epoch": {"target": "0.01 s"}})
    assert looked.status == 1
    assert looked.document["plan"] == "no legal file system is feasible"
    assert looked.verdicts == {
        "plan": "FAIL",
        "region": "PASS",
        "zone": "PASS",
        "instance-type": "PASS",
        "training-quota": "FAIL",
        "file-system-quota": "SKIP",
    }

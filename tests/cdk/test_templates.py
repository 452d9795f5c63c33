"""What holds for the guide's templates as a whole."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from aws_cdk import Stack
from aws_cdk.assertions import Template
from cfnlint import api
from cfnlint.config import ManualArgs

from epochwise import Plan
from epochwise.cdk.plan_summary import METADATA_KEY
from stacks.pipeline_manifest import stateful
from tests.cdk.conftest import ROOT
from tests.stacks.last_release import last_release, lost

LINT_ACKNOWLEDGED = {
    "I1022": "CDK joins strings with Fn::Join, the library cannot make it use Fn::Sub",
    "W3005": "CDK's state machine depends on its role's policy, and on the role that GetAtt names already",
}


def test_stateful_resources_have_the_logical_ids_of_the_last_release(templates: dict[str, Template]) -> None:
    released = last_release()["workloads"]["guide"]
    for stack, template in templates.items():
        assert lost(released[f"{stack}.template.json"]["stateful"], stateful(template.to_json())) == []


def test_the_plan_travels_in_the_template(templates: dict[str, Template], guide_plan: Plan) -> None:
    choice = guide_plan.choice
    assert choice is not None
    storage = templates["storage"].to_json()
    summary = storage["Metadata"][METADATA_KEY]
    assert summary["workload"] == "guide"
    assert summary["choice"]["storage_capacity_gib"] == choice.storage_capacity_gib
    assert summary["choice"]["binding"] == choice.binding
    assert {finding["id"] for finding in summary["findings"]} == {finding.id for finding in guide_plan.findings}
    assert "rejected" not in summary
    assert storage["Outputs"]["Why"]["Value"].startswith(f"{choice.label}: ")


def test_the_stacks_are_agnostic_of_account_and_region(guide_stacks: dict[str, Stack]) -> None:
    for stack in guide_stacks.values():
        assert stack.environment == "aws://unknown-account/unknown-region"


def test_every_synth_is_the_same_to_the_byte(tmp_path: Path) -> None:
    def synthesize(seed: str) -> dict[str, bytes]:
        output = tmp_path / seed
        subprocess.run(
            [sys.executable, "app.py"],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed, "CDK_OUTDIR": str(output), "CDK_CONTEXT_JSON": "{}"},
            check=True,
            capture_output=True,
        )
        return {file.name: file.read_bytes() for file in output.glob("*.template.json")}

    first, second = synthesize("1"), synthesize("2")
    assert len(first) == 3
    assert first == second


@pytest.mark.parametrize("name", ["network", "storage", "training"])
def test_cfn_lint_finds_nothing_on_any_level(templates: dict[str, Template], name: str) -> None:
    matches = api.lint(json.dumps(templates[name].to_json()), config=ManualArgs(include_checks=["I"]))
    unacknowledged = [str(match) for match in matches if match.rule.id not in LINT_ACKNOWLEDGED]
    assert not unacknowledged


def test_each_acknowledged_lint_rule_still_matches_somewhere(templates: dict[str, Template]) -> None:
    found = {
        match.rule.id
        for template in templates.values()
        for match in api.lint(json.dumps(template.to_json()), config=ManualArgs(include_checks=["I"]))
    }
    assert found >= set(LINT_ACKNOWLEDGED)

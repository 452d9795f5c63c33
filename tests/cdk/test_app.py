"""The app as the CDK CLI starts it: exit status, messages, stacks."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cdk.conftest import CONTEXT, ROOT

GUIDE = yaml.safe_load((ROOT / "workloads" / "guide.yaml").read_text(encoding="utf-8"))


def run(output: Path, workload: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    context = CONTEXT | ({} if workload is None else {"workload": str(workload)})
    return subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env=os.environ | {"CDK_OUTDIR": str(output), "CDK_CONTEXT_JSON": json.dumps(context)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def declare(tmp_path: Path, **changed: Any) -> Path:
    file = tmp_path / "workload.yaml"
    document = {key: value for key, value in (GUIDE | changed).items() if value is not None}
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return file


def stacks(output: Path) -> set[str]:
    return {file.name.removesuffix(".template.json") for file in output.glob("*.template.json")}


def test_the_guide_passes_strict_validation_and_needs_no_credentials(tmp_path: Path) -> None:
    assert CONTEXT["@aws-cdk/core:validateAgainstDefaultRules"] is True
    done = run(tmp_path, CDK_VALIDATION="true", AWS_ACCESS_KEY_ID="", AWS_PROFILE="", AWS_EC2_METADATA_DISABLED="true")
    assert done.returncode == 0, done.stderr
    assert stacks(tmp_path) == {"epochwise-guide-network", "epochwise-guide-storage", "epochwise-guide-training"}


@pytest.mark.parametrize(
    ("changed", "status", "told"),
    [
        ({"epoch": {"target": "soon"}}, 2, "epoch.target"),
        ({"dataset": None}, 2, "dataset: is required"),
        ({"epoch": {"target": "0.001 s"}}, 1, "NOTHING_FEASIBLE"),
        ({"cluster": GUIDE["cluster"] | {"instance_type": "ml.g5.xlarge"}}, 1, "SMDDP_"),
        ({"cluster": GUIDE["cluster"] | {"nodes": 10_000}}, 1, "free_addresses"),
        ({"cluster": GUIDE["cluster"] | {"availability_zone": "euw1-az2"}}, 2, "such as use1-az2, got 'euw1-az2'"),
    ],
)
def test_what_cannot_be_built_is_told_without_a_traceback(
    tmp_path: Path, changed: dict[str, Any], status: int, told: str
) -> None:
    done = run(tmp_path / "out", declare(tmp_path, **changed))
    assert done.returncode == status, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not stacks(tmp_path / "out")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = run(tmp_path / "out", tmp_path / "absent.yaml")
    assert done.returncode == 2
    assert "absent.yaml" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_zone_by_its_id_reaches_the_subnet(tmp_path: Path) -> None:
    cluster = GUIDE["cluster"] | {"availability_zone": "use1-az4"}
    done = run(tmp_path / "out", declare(tmp_path, cluster=cluster))
    assert done.returncode == 0, done.stderr
    network = json.loads((tmp_path / "out" / "epochwise-guide-network.template.json").read_text(encoding="utf-8"))
    subnets = [each for each in network["Resources"].values() if each["Type"] == "AWS::EC2::Subnet"]
    assert [each["Properties"].get("AvailabilityZoneId") for each in subnets if "Nat" not in str(each)] == ["use1-az4"]


@pytest.mark.parametrize(
    "changed",
    [
        {"training": None, "watch": None},
        {
            "training": None,
            "watch": None,
            "cluster": {"instance_type": "p4d.24xlarge", "nodes": 4, "platform": "ec2"},
        },
    ],
)
def test_without_a_job_there_is_no_training_stack_and_it_is_said(tmp_path: Path, changed: dict[str, Any]) -> None:
    done = run(tmp_path / "out", declare(tmp_path, **changed))
    assert done.returncode == 0, done.stderr
    assert "a training job is not" in done.stderr
    assert stacks(tmp_path / "out") == {"epochwise-guide-network", "epochwise-guide-storage"}

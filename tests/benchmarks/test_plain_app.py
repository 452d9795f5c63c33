"""What the benchmarks compare is the same."""

import json
from pathlib import Path

from benchmarks import scale
from benchmarks.plain_app import JOB, STOPPER
from benchmarks.run import PLAIN_APP, REFERENCE_APP, resource_types, same_resource_types
from epochwise import Workload
from epochwise.cdk.job_abort import stopper_states
from epochwise.cdk.job_findings import watched_findings
from epochwise.cdk.job_shapes import job_shapes
from epochwise.cdk.job_state_machine import job_states
from epochwise.cdk.job_watch import Watching
from epochwise.checks.declared_job import DeclaredJob
from epochwise.training.request import JobDeployment, create_training_job_request


def test_the_reference_app_and_the_one_by_hand_have_the_same_resources(tmp_path: Path) -> None:
    types = same_resource_types({app: tmp_path / app[0] for app in (REFERENCE_APP, PLAIN_APP)})
    assert types["AWS::FSx::FileSystem"] == 1
    assert types["AWS::StepFunctions::StateMachine"] == 2


def test_the_definitions_by_hand_have_the_states_of_ours() -> None:
    guide = Workload.from_file(Path(__file__).parents[2] / "workloads" / "guide.yaml")
    by_hand = {path: json.loads(path.read_text(encoding="utf-8"))["States"] for path in (JOB, STOPPER)}
    assert by_hand[STOPPER] == stopper_states("guide", partition="${Partition}")["States"]
    deployment = JobDeployment.placeholders(guide)
    shapes = job_shapes(
        guide, lambda shaped: create_training_job_request(shaped, deployment), max_nodes=4, instance_types=()
    )
    job = DeclaredJob.of(guide)
    assert job is not None
    watching = Watching(workload_name="guide", topic_arn="", findings=watched_findings(job, shapes.request, ()))
    assert set(by_hand[JOB]) == set(job_states(shapes, watching=watching, partition="aws")["States"])


def test_apps_of_several_environments_have_the_same_resources(tmp_path: Path) -> None:
    ours, by_hand = tmp_path / "ours", tmp_path / "by-hand"
    scale.synth(2, ours, by_hand=False)
    scale.synth(2, by_hand, by_hand=True)
    assert resource_types(ours) == resource_types(by_hand)
    assert resource_types(ours)["AWS::FSx::FileSystem"] == 2

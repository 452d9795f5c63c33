"""What a template says of a job is read back as it was written, and nothing else is taken for it."""

import json
from typing import Any

import pytest

from epochwise import Workload
from epochwise.following.deployed_job import METADATA_KEY, DeployedJob, UnreadableJobError, jobs_in
from epochwise.workload import read_workload_mapping
from tests.following.runs import GUIDE

RICH: dict[str, Any] = {
    "dataset": {"size": "1.5 TiB", "files": 1_281_167, "compression_ratio": 1.7},
    "epoch": {"target": 61.25, "count": 7, "tolerance": 0.05},
    "checkpoint": {"size": "5 GB", "every": "10 min", "write_within": 45.5},
    "file_system": {"objective": "meet-target", "deployment_types": ["PERSISTENT_2"]},
}


def rich() -> Workload:
    """Return a workload with fractions, lists and sections of every kind."""
    document = read_workload_mapping(GUIDE) | RICH
    document["training"] |= {"hyperparameters": {"lr": 0.1, "layers": [1, 2], "on": True, "text": "0.1"}}
    document["watch"] = {"using": ["cloudwatch"], "rules": [{"LoadBalancing": {"threshold": 0.25}}]}
    return Workload.from_mapping(document, source="rich")


def template(*jobs: dict[str, Any]) -> dict[str, Any]:
    """Return a template of state machines with these summaries."""
    return {
        "Resources": {
            f"Job{number}": {"Type": "AWS::StepFunctions::StateMachine", "Metadata": {METADATA_KEY: job}}
            for number, job in enumerate(jobs)
        }
    }


@pytest.mark.parametrize("workload", [Workload.from_file(GUIDE), rich()], ids=["guide", "rich"])
def test_a_job_is_read_back_as_it_was_written(workload: Workload) -> None:
    job = DeployedJob(workload, {"ml.p4d.24xlarge": "1 to 3 or 5"}, 3333.3, 3671.0)
    through_json = json.loads(json.dumps(job.as_metadata()))
    assert jobs_in(template(through_json)) == {"Job0": job}


def test_a_template_takes_it_without_fractions() -> None:
    def leaves(value: Any) -> list[Any]:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return [value] if inner is None else [leaf for each in inner for leaf in leaves(each)]

    assert {type(leaf) for leaf in leaves(DeployedJob(rich(), {"a": "1"}, 0.5, None).as_metadata())} == {str}


def test_rates_that_are_not_known_stay_unknown() -> None:
    job = DeployedJob(rich(), {})
    assert DeployedJob.from_metadata(job.as_metadata()).ceiling_mbps is None


@pytest.mark.parametrize(
    "resource",
    [
        {"Type": "AWS::SNS::Topic", "Metadata": {METADATA_KEY: {}}},
        {"Type": "AWS::StepFunctions::StateMachine", "Metadata": {"aws:cdk:path": "a/b"}},
        {"Type": "AWS::StepFunctions::StateMachine"},
        "no resource",
    ],
)
def test_other_resources_are_no_jobs(resource: Any) -> None:
    assert jobs_in({"Resources": {"Other": resource}}) == {}
    assert jobs_in({}) == {}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"workload": "{}"}, "is required and missing"),
        ({"workload": "no JSON"}, "JSONDecodeError"),
        ({"shapes": 5}, "TypeError"),
        ({"demand_mbps": "fast"}, "could not convert"),
    ],
)
def test_what_another_version_wrote_is_said_so(changes: dict[str, Any], said: str) -> None:
    written = DeployedJob(Workload.from_file(GUIDE), {}).as_metadata() | changes
    with pytest.raises(UnreadableJobError, match="another version deployed it") as caught:
        jobs_in(template(written))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)

"""An execution is given what differs from what is deployed, and what it cannot change is refused with its key."""

import json
from typing import Any

import pytest

from epochwise import Workload
from epochwise.cdk.job_name import SUFFIX_KEY
from epochwise.declaration.setting import with_setting
from epochwise.following.deployed_job import DeployedJob
from epochwise.following.execution_input import asked, execution_name, job_name_of
from epochwise.workload import read_workload_mapping
from tests.following.runs import GUIDE

IMAGE = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training"
SHAPES = {"ml.p4d.24xlarge": "1 to 8", "ml.p4de.24xlarge": "2 or 4"}


def guide(*settings: str) -> Workload:
    """Return the guide with keys replaced."""
    document = read_workload_mapping(GUIDE)
    for setting in settings:
        document = with_setting(document, setting)
    return Workload.from_mapping(document, source="guide")


def deployed(*settings: str) -> DeployedJob:
    """Return the guide's job as it is deployed."""
    return DeployedJob(guide(*settings), SHAPES)


@pytest.mark.parametrize(
    ("there", "here", "given"),
    [
        ([], [], {}),
        ([], ["cluster.nodes=8"], {"nodes": 8}),
        ([], ["cluster.instance_type=ml.p4de.24xlarge"], {"instance_type": "ml.p4de.24xlarge"}),
        ([], [f"training.image={IMAGE}:2.4.0"], {"image": f"{IMAGE}:2.4.0"}),
        ([], ["training.hyperparameters.lr=0.2"], {"hyperparameters": {"lr": "0.2"}}),
        ([], ["training.hyperparameters.model=resnet"], {"hyperparameters": {"model": '"resnet"'}}),
        (["training.hyperparameters.lr=0.2"], ["training.hyperparameters.lr=0.2"], {}),
        (
            ["training.hyperparameters.lr=0.2", "training.hyperparameters.wd=1"],
            ["training.hyperparameters.lr=0.3", "training.hyperparameters.wd=1"],
            {"hyperparameters": {"lr": "0.3"}},
        ),
    ],
)
def test_only_what_differs_is_given(there: list[str], here: list[str], given: dict[str, Any]) -> None:
    found = asked(deployed(*there), guide(*here))
    assert found.findings == ()
    assert found.input == given


def test_what_the_deploy_chose_itself_is_always_given() -> None:
    here = DeployedJob.from_metadata(DeployedJob(guide(), SHAPES, given=("image", "nodes")).as_metadata())
    assert here.given == ("image", "nodes")
    assert asked(here, guide()).input == {"image": f"{IMAGE}:2.3.0-gpu-py311", "nodes": 4}


def test_a_batch_is_given_as_the_hyperparameters_it_comes_to() -> None:
    batch = "training.batch={per_device: 32}"
    found = asked(deployed(batch), guide("training.batch={per_device: 64}"))
    assert found.findings == ()
    assert found.input["hyperparameters"]["per_device_batch_size"] == "64"
    assert found.input["hyperparameters"]["global_batch_size"] == str(64 * 32)
    # more nodes alone change the batch too, which the deployed job does by itself for them
    more = asked(deployed(batch), guide(batch, "cluster.nodes=8"))
    assert more.input == {"nodes": 8}


def test_a_name_of_the_job_is_given_without_the_workloads() -> None:
    assert asked(deployed(), guide(), job_name="guide-spring-1").input == {"job_name_suffix": "spring-1"}


@pytest.mark.parametrize(
    ("settings", "finding_id", "said"),
    [
        (["dataset.size=200 GB"], "LAUNCH_NEEDS_DEPLOY", "dataset.size is 200000000000 here and 100000000000 deployed"),
        (["epoch.count=1"], "LAUNCH_NEEDS_DEPLOY", "epoch.count is 1 here and 90 deployed"),
        (["training.max_runtime=3600"], "LAUNCH_NEEDS_DEPLOY", "training.max_runtime is 3600.0 here and not declared"),
        (["checkpoint={size: 1 GB, every: 60, write_within: 5}"], "LAUNCH_NEEDS_DEPLOY", "checkpoint.size is "),
        (["name=other"], "LAUNCH_NEEDS_DEPLOY", "name is 'other' here and 'guide' deployed"),
        (["cluster.nodes=9"], "LAUNCH_SHAPE_NOT_DEPLOYED", "asks for 9 ml.p4d.24xlarge"),
        (["cluster.instance_type=ml.p4de.24xlarge", "cluster.nodes=3"], "LAUNCH_SHAPE_NOT_DEPLOYED", "asks for 3 "),
        (["training.image=elsewhere:1"], "LAUNCH_IMAGE_NOT_DEPLOYED", "training.image is elsewhere:1"),
        (["cluster.instance_type=ml.g5.48xlarge"], "SMDDP_INSTANCE_TYPE", "ml.g5.48xlarge"),
    ],
)
def test_what_no_execution_can_change_is_refused_with_its_key(settings: list[str], finding_id: str, said: str) -> None:
    found = {finding.id: finding.message for finding in asked(deployed(), guide(*settings)).findings}
    assert said in found[finding_id]


def test_a_hyperparameter_that_is_gone_needs_a_deploy() -> None:
    [finding] = asked(deployed("training.hyperparameters.lr=0.2"), guide()).findings
    assert finding.id == "LAUNCH_NEEDS_DEPLOY"
    assert "training.hyperparameters.lr is not declared here and '0.2' deployed" in finding.message


def test_of_many_keys_the_first_are_named_and_the_rest_counted() -> None:
    keys = [f"training.environment.KEY{number}=x" for number in range(9)]
    [finding] = asked(deployed(), guide(*keys)).findings
    assert "KEY5 is 'x' here" in finding.message
    assert "KEY6" not in finding.message
    assert "3 more keys differ" in finding.message


def test_the_same_call_names_the_same_execution_and_another_call_another() -> None:
    calls = [[], ["cluster.nodes=8"], ["cluster.nodes=2"], ["training.hyperparameters.lr=0.2"]]
    names = [execution_name(deployed(), asked(deployed(), guide(*call))) for call in calls]
    again = [execution_name(deployed(), asked(deployed(), guide(*call))) for call in calls]
    assert names == again
    assert len(set(names)) == len(calls)
    assert all(name.startswith("guide-") and len(name) == len("guide-") + 16 for name in names)
    redeployed = deployed("epoch.count=1")
    assert execution_name(redeployed, asked(redeployed, guide("epoch.count=1"))) not in names


def test_the_order_of_hyperparameters_makes_no_other_execution() -> None:
    one = asked(deployed(), guide("training.hyperparameters.a=1", "training.hyperparameters.b=2"))
    other = asked(deployed(), guide("training.hyperparameters.b=2", "training.hyperparameters.a=1"))
    assert one.text == other.text
    assert json.loads(one.text) == one.input


def test_a_job_is_named_as_the_state_machine_names_it() -> None:
    arn = "arn:aws:states:us-east-1:123456789012:execution:machine:one"
    assert job_name_of("guide", arn, {}) == "guide-c33dea7f3f7cd74c14fb92ab5267de3a"
    assert job_name_of("guide", arn, {SUFFIX_KEY: "spring"}) == "guide-spring"

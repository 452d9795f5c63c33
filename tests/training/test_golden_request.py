"""The request against one that AWS's SDK itself sends.

`sdk_v2_request.json` was captured from sagemaker 2.257.7 with a mocked client: 2 × ml.p4d.24xlarge, SMDDP, FSx for
Lustre, profiler rules and a debugger rule that stops the job.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.workload import Workload

GOLDEN: dict[str, Any] = json.loads(Path(__file__).with_name("sdk_v2_request.json").read_text(encoding="utf-8"))


def requested(*, send_defaults: bool) -> dict[str, Any]:
    workload = Workload.model_validate(
        {
            "name": "golden",
            "dataset": {"size": "100 GB"},
            "epoch": {"target": "30 s", "count": 90},
            "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 2},
            "training": {
                "image": "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.2.0-gpu-py310",
                "entry_point": "train.py",
                "source": "s3://my-bucket/code/sourcedir.tar.gz",
                "distribution": "smddp",
                "custom_mpi_options": "-verbose -x NCCL_DEBUG=VERSION",
                "hyperparameters": {"lr": 0.1},
                "environment": {"NCCL_DEBUG": "INFO"},
            },
            "watch": {
                "send_defaults": send_defaults,
                "rules": [
                    "ProfilerReport",
                    "LowGpuUtilization",
                    {"CpuBottleneck": {"threshold": 60}},
                    {"LossNotDecreasing": {"actions": ["stop_training"]}},
                ],
                "profile_s3": "s3://my-bucket/prof",
                "hook": False,
            },
        }
    )
    deployment = JobDeployment(
        job_name="job-1",
        role_arn="arn:aws:iam::111111111111:role/R",
        subnet_ids=("subnet-1",),
        security_group_ids=("sg-1",),
        file_system_id="fs-0123456789abcdef0",
        mount_name="abcdefgh",
        file_system_path="/data",
        output_s3_uri="s3://my-bucket/out",
        region="us-east-1",
    )
    return create_training_job_request(workload, deployment)


@pytest.fixture(scope="module")
def request_sent() -> dict[str, Any]:
    # as the SDK, which leaves some defaults to the service
    return requested(send_defaults=False)


@pytest.mark.parametrize("field", sorted(GOLDEN))
def test_a_field_equals_the_sdks(field: str, request_sent: dict[str, Any]) -> None:
    assert request_sent[field] == GOLDEN[field]


def test_nothing_but_the_tag_that_names_the_workload_is_added(request_sent: dict[str, Any]) -> None:
    assert set(request_sent) - set(GOLDEN) == {"Tags"}
    assert request_sent["Tags"] == [{"Key": "epochwise:workload", "Value": "golden"}]


def test_by_default_the_rules_name_what_the_sdk_leaves_to_the_service_and_nothing_else_differs() -> None:
    rules = ("DebugRuleConfigurations", "ProfilerRuleConfigurations")
    by_default = requested(send_defaults=True)
    assert {**by_default, "Tags": None} == {**GOLDEN, **{key: by_default[key] for key in rules}, "Tags": None}
    added = {}
    for ours, golden in zip(
        *([rule for key in rules for rule in each[key]] for each in (by_default, GOLDEN)), strict=True
    ):
        assert ours == golden | {"RuleParameters": ours["RuleParameters"] | golden["RuleParameters"]}
        added[ours["RuleConfigurationName"]] = len(ours["RuleParameters"]) - len(golden["RuleParameters"])
    assert {name for name, count in added.items() if count} == {"LossNotDecreasing", "ProfilerReport"}

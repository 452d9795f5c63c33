"""The request against one that AWS's SDK itself sends.

`sdk_v2_request.json` was captured from sagemaker 2.257.7 with a mocked client: 2 × ml.p4d.24xlarge, SMDDP, FSx for
Lustre, profiler rules and a debugger rule.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from epochwise.checks.declared_job import DeclaredJob
from epochwise.training.distribution import distribution_hyperparameters
from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.training.watch_rules import CpuBottleneck, LowGpuUtilization, WatchRule
from epochwise.workload import Workload

GOLDEN: dict[str, Any] = json.loads(Path(__file__).with_name("sdk_v2_request.json").read_text(encoding="utf-8"))
CUSTOM_MPI_OPTIONS = "sagemaker_distributed_dataparallel_custom_mpi_options"
EVALUATOR = "503895931360.dkr.ecr.us-east-1.amazonaws.com/sagemaker-debugger-rules:latest"

DEVIATIONS = {
    "Environment": "the declaration has no variables of the user's own; golden has NCCL_DEBUG",
    "DebugRuleConfigurations": "rules about tensors are not declared: they need a hook in the script",
    "ProfilerRuleConfigurations": "golden has ProfilerReport, which is not declared, and CPUBottleneck at 60 percent",
    "ProfilerConfig": "golden puts the profile next to the output, this library into it, as the SDK does by default",
    "Tags": "the SDK sets none",
    "HyperParameters": "golden has custom MPI options, which are not declared",
}
"""Fields of the whole request that differ, with the reason; their content is compared below as far as it goes."""


@pytest.fixture
def workload() -> Workload:
    return Workload.model_validate(
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
                "hyperparameters": {"lr": 0.1},
            },
            "watch": {"rules": ["LowGpuUtilization", "CpuBottleneck"]},
        }
    )


@pytest.fixture
def request_sent(workload: Workload) -> dict[str, Any]:
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


@pytest.mark.parametrize("field", sorted(set(GOLDEN) - set(DEVIATIONS)))
def test_a_field_equals_the_sdks(field: str, request_sent: dict[str, Any]) -> None:
    assert request_sent[field] == GOLDEN[field]


def test_no_field_differs_without_being_listed(request_sent: dict[str, Any]) -> None:
    fields = set(GOLDEN) | set(request_sent)
    assert {field for field in fields if request_sent.get(field) != GOLDEN.get(field)} == set(DEVIATIONS)


def test_hyperparameters_differ_in_the_mpi_options_only(request_sent: dict[str, Any]) -> None:
    sent, golden = request_sent["HyperParameters"], GOLDEN["HyperParameters"]
    assert sent | {CUSTOM_MPI_OPTIONS: golden[CUSTOM_MPI_OPTIONS]} == golden
    assert sent[CUSTOM_MPI_OPTIONS] == '""'


def test_mpi_options_come_out_as_the_sdks_once_given(workload: Workload) -> None:
    job = DeclaredJob.of(workload)
    assert job is not None
    options = distribution_hyperparameters(job, "-verbose -x NCCL_DEBUG=VERSION")[CUSTOM_MPI_OPTIONS]
    assert json.dumps(options) == GOLDEN["HyperParameters"][CUSTOM_MPI_OPTIONS]


@pytest.mark.parametrize("rule", [LowGpuUtilization(), CpuBottleneck(threshold=60)], ids=lambda rule: rule.aws_rule)
def test_a_rule_comes_out_as_the_sdks(rule: WatchRule) -> None:
    golden = {entry["RuleConfigurationName"]: entry for entry in GOLDEN["ProfilerRuleConfigurations"]}
    assert rule.profiler_rule_configuration(EVALUATOR) == golden[rule.aws_rule]


def test_the_profiler_is_set_as_the_sdk_sets_it_by_default(request_sent: dict[str, Any]) -> None:
    assert request_sent["ProfilerConfig"] == GOLDEN["ProfilerConfig"] | {"S3OutputPath": "s3://my-bucket/out"}


def test_there_is_no_debug_hook(request_sent: dict[str, Any]) -> None:
    assert not {"DebugHookConfig", "DebugRuleConfigurations", "CheckpointConfig"} & set(request_sent)

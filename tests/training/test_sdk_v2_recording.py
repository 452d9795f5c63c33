"""What is sent against what version 2 of AWS's SDK sends for the same declarations.

`sdk_v2_recording.json` is written by `benchmarks/record_sdk_v2.py`, in an environment of its own.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from epochwise.catalog.smddp import SUPPORTED_TYPES
from epochwise.catalog.watch_rule_names import PROFILER_RULE_NAMES, TENSOR_RULE_NAMES
from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.workload import Workload

RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("sdk_v2_recording.json").read_text(encoding="utf-8"))
OURS = {aws: ours for ours, aws in PROFILER_RULE_NAMES.items()}
BY_SNAKE_CASE = {name.lower(): name for name in TENSOR_RULE_NAMES}
DEPLOYMENT = JobDeployment(
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
LAUNCHERS: dict[str, dict[str, Any]] = {
    "none": {"distribution": "none"},
    "torchrun": {"distribution": "torchrun"},
    "smddp": {"distribution": "smddp"},
    "smddp with options": {
        "distribution": "smddp",
        "custom_mpi_options": '-verbose -x NCCL_DEBUG=VERSION -x A="b"',
    },
    "mpi": {"distribution": "mpi", "processes_per_host": 8},
    "mpi with options": {
        "distribution": "mpi",
        "processes_per_host": 4,
        "custom_mpi_options": "--verbose -x NCCL_DEBUG=INFO",
    },
}
MPI_OPTIONS = "sagemaker_mpi_custom_mpi_options"


def requested(
    instance_type: str = "ml.p4d.24xlarge", nodes: int = 2, watch: dict[str, Any] | None = None, **training: Any
) -> dict[str, Any]:
    section = {
        "image": "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.2.0-gpu-py310",
        "entry_point": "train.py",
        "source": "s3://my-bucket/code/sourcedir.tar.gz",
        "distribution": "none",
    } | training
    workload = Workload.model_validate(
        {
            "name": "recorded",
            "dataset": {"size": "1 GB"},
            "epoch": {"target": "60 s"},
            "cluster": {"instance_type": instance_type, "nodes": nodes},
            "training": section,
            "watch": {"send_defaults": False} | (watch or {}),
        }
    )
    return create_training_job_request(workload, DEPLOYMENT)


def test_the_recording_is_of_the_version_that_the_catalog_cites() -> None:
    assert RECORDED["recorded_with"] == {"sagemaker": "2.257.7", "smdebug-rulesconfig": "1.0.1"}


@pytest.mark.parametrize(
    "case", RECORDED["distributions"], ids=lambda case: f"{case['instance_type']}-{case['distribution']}"
)
def test_a_launcher_is_asked_for_as_the_sdk_does(case: dict[str, Any]) -> None:
    launcher = LAUNCHERS[case["distribution"]]
    if launcher["distribution"] == "smddp" and case["instance_type"].removeprefix("ml.") not in SUPPORTED_TYPES:
        # the SDK refuses ml.p5.48xlarge alone and lets other types pass on which the library does not run
        assert ("error" in case["sent"]) is (case["instance_type"] == "ml.p5.48xlarge")
        with pytest.raises(ValueError, match="SMDDP_INSTANCE_TYPE"):
            requested(case["instance_type"], case["nodes"], **launcher)
        return
    request = requested(case["instance_type"], case["nodes"], **launcher)
    recorded = dict(case["sent"]["HyperParameters"])
    assert request["HyperParameters"] == recorded
    for field in ("ResourceConfig", "InputDataConfig"):
        assert request[field] == case["sent"][field]
    # told an image instead of a framework, the SDK leaves the time series of metrics to the service
    time_series = {"EnableSageMakerMetricsTimeSeries": True}
    assert request["AlgorithmSpecification"] == case["sent"]["AlgorithmSpecification"] | time_series


@pytest.mark.parametrize(
    "case", RECORDED["profiler_rules"], ids=lambda case: f"{case['rule']}-{sorted(case['parameters'])}"
)
def test_a_profiler_rule_is_sent_as_the_sdk_does(case: dict[str, Any]) -> None:
    watch = {
        "rules": [{OURS[case["rule"]]: case["parameters"]}],
        "profile_s3": "s3://my-bucket/prof",
        "profiling_interval_ms": case["sent"]["ProfilerConfig"]["ProfilingIntervalInMilliseconds"],
    }
    request = requested(watch=watch)
    assert {field: request[field] for field in case["sent"]} == case["sent"]


@pytest.mark.parametrize(
    "case", RECORDED["tensor_rules"], ids=lambda case: f"{case['rule']}-{sorted(case['parameters'])}"
)
def test_a_rule_about_tensors_is_sent_as_the_sdk_does(case: dict[str, Any]) -> None:
    name = BY_SNAKE_CASE[case["rule"].replace("_", "")]
    trials = {"other_trials": ["s3://my-bucket/a", "s3://my-bucket/b"]} if name == "SimilarAcrossRuns" else {}
    parameters = case["parameters"] | trials
    if "token_values" in parameters:
        parameters = parameters | {"token_values": [0, 1]}
    watch = {"rules": [{name: parameters}], "tensors_s3": "s3://my-bucket/tensors"}
    request = requested(nodes=1, watch=watch)
    assert request["DebugRuleConfigurations"] == case["sent"]["DebugRuleConfigurations"]
    assert by_name(request["DebugHookConfig"]) == by_name(case["sent"]["DebugHookConfig"])


def by_name(hook: dict[str, Any]) -> dict[str, Any]:
    """Return a hook with its collections by name: the SDK keeps a set of them, and sends an empty list."""
    collections = hook.get("CollectionConfigurations", [])
    return hook | {
        "CollectionConfigurations": {entry["CollectionName"]: entry["CollectionParameters"] for entry in collections}
    }


@pytest.mark.parametrize("case", RECORDED["actions"], ids=lambda case: case["actions"])
def test_actions_are_sent_as_the_sdk_does(case: dict[str, Any]) -> None:
    known = {"stop_training": "stop_training", "email": {"email": "name@example.com"}, "sms": {"sms": "+15550100"}}
    actions = [*known.values()] if case["actions"] == "all" else [known[case["actions"]]]
    request = requested(watch={"rules": [{"LossNotDecreasing": {"actions": actions}}], "hook": False})
    assert request["DebugRuleConfigurations"] == case["sent"]["DebugRuleConfigurations"]


def test_every_built_in_rule_is_recorded() -> None:
    assert {case["rule"] for case in RECORDED["profiler_rules"]} == set(OURS)
    snake = {case["rule"].replace("_", "") for case in RECORDED["tensor_rules"]}
    assert snake == set(BY_SNAKE_CASE)


def test_options_are_sent_as_the_sdk_does() -> None:
    spot = requested(spot=True, max_runtime=3600, max_wait=7200)
    recorded = RECORDED["options"]["spot"]
    assert {field: spot[field] for field in recorded} == recorded
    others = requested(
        keep_alive="30 min",
        max_attempts=3,
        inter_container_encryption=True,
        output_kms_key="alias/key",
        metrics={"loss": "loss=([0-9.]+)"},
        environment={"NCCL_DEBUG": "INFO"},
        tags={"team": "vision"},
        infra_check=True,
        remote_debug=True,
    )
    recorded = RECORDED["options"]["others"]
    # with metrics of its own the SDK leaves the time series to the service, which then makes them anyway
    others["AlgorithmSpecification"].pop("EnableSageMakerMetricsTimeSeries")
    others["Tags"] = [tag for tag in others["Tags"] if tag["Key"] != "epochwise:workload"]
    assert {field: others[field] for field in recorded} == recorded


@pytest.mark.parametrize("case", RECORDED["checkpoints"], ids=lambda case: str(case["nodes"]))
def test_f91_where_the_sdk_drops_the_hook_in_silence_a_distributed_job_is_refused(case: dict[str, Any]) -> None:
    assert "CheckpointConfig" in case["sent"]
    assert "DebugHookConfig" not in case["sent"]
    arguments: dict[str, Any] = {
        "nodes": case["nodes"],
        "watch": {"rules": ["LossNotDecreasing"]},
        "checkpoint_s3": "s3://my-bucket/checkpoints",
    }
    if case["nodes"] == 1:
        request = requested(**arguments)
        assert request["CheckpointConfig"] == case["sent"]["CheckpointConfig"]
    else:
        with pytest.raises(ValueError, match="DEBUGGER_CHECKPOINT_DISTRIBUTED"):
            requested(**arguments)

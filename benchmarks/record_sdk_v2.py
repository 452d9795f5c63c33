"""Record what version 2 of AWS's SageMaker SDK sends, for tests/training to compare with.

The SDK pins packages that this project does not want, so it gets an environment of its own:

    python3 -m venv /tmp/sdk-v2
    /tmp/sdk-v2/bin/pip install sagemaker==2.257.7
    /tmp/sdk-v2/bin/python benchmarks/record_sdk_v2.py tests/training/sdk_v2_recording.json

The session's clients are mocks, so that no training call leaves the machine, and what would be sent is kept. The SDK is
told not to report its use.
"""

import json
import sys
import warnings
from importlib import metadata
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

warnings.simplefilter("ignore")

import boto3
from sagemaker.debugger import (
    DebuggerHookConfig,
    ProfilerConfig,
    ProfilerRule,
    Rule,
    rule_configs,
)
from sagemaker.inputs import FileSystemInput
from sagemaker.pytorch import PyTorch
from sagemaker.session import Session

REGION = "us-east-1"
IMAGE = f"763104351884.dkr.ecr.{REGION}.amazonaws.com/pytorch-training:2.2.0-gpu-py310"
DISTRIBUTIONS: dict[str, Any] = {
    "none": None,
    "torchrun": {"torch_distributed": {"enabled": True}},
    "smddp": {"smdistributed": {"dataparallel": {"enabled": True}}},
    "smddp with options": {
        "smdistributed": {
            "dataparallel": {"enabled": True, "custom_mpi_options": '-verbose -x NCCL_DEBUG=VERSION -x A="b"'}
        }
    },
    "mpi": {"mpi": {"enabled": True, "processes_per_host": 8}},
    "mpi with options": {
        "mpi": {"enabled": True, "processes_per_host": 4, "custom_mpi_options": "--verbose -x NCCL_DEBUG=INFO"}
    },
}
TYPES = {
    "ml.p3.16xlarge": 2,
    "ml.p3dn.24xlarge": 2,
    "ml.p4d.24xlarge": 2,
    "ml.p4de.24xlarge": 4,
    "ml.p5.48xlarge": 2,
    "ml.p5en.48xlarge": 2,
    "ml.g5.48xlarge": 1,
    "ml.g6e.48xlarge": 2,
}
PROFILER_RULES: dict[str, dict[str, Any]] = {
    "BatchSize": {"window": 100},
    "CPUBottleneck": {"threshold": 60},
    "GPUMemoryIncrease": {"increase": 7},
    "IOBottleneck": {"gpu_threshold": 70, "patience": 50},
    "LoadBalancing": {"threshold": 0.7},
    "LowGPUUtilization": {"threshold_p95": 80, "threshold_p5": 5.5},
    "OverallSystemUsage": {"scan_interval_us": 1_000_000},
    "ProfilerReport": {"CPUBottleneck_threshold": 90, "IOBottleneck_threshold": 90},
}
TENSOR_RULES: dict[str, dict[str, Any]] = {
    "create_xgboost_report": {},
    "dead_relu": {"threshold_layer": 40.5},
    "exploding_tensor": {"only_nan": True, "collection_names": "losses,gradients"},
    "poor_weight_initialization": {"patience": 3},
    "saturated_activation": {"threshold_tanh_min": -5.5},
    "vanishing_gradient": {"threshold": 1e-06},
    "weight_update_ratio": {"num_steps": 4},
    "all_zero": {"tensor_regex": ".*bias"},
    "class_imbalance": {"samples": 100, "argmax": True},
    "loss_not_decreasing": {"num_steps": 20, "mode": "TRAIN"},
    "overfit": {"patience": 2},
    "overtraining": {"delta": 0.02},
    "similar_across_runs": {"collection_names": "weights"},
    "stalled_training_rule": {"threshold": 900},
    "tensor_variance": {"max_threshold": 10},
    "unchanged_tensor": {"rtol": 0.001},
    "check_input_images": {"channel": 3},
    "nlp_sequence_ratio": {"token_values": "0,1"},
    "confusion": {"category_no": 10},
    "feature_importance_overweight": {"nfeatures": 2},
    "tree_depth": {"depth": 6},
}
ACTIONS = {
    "stop_training": [rule_configs.StopTraining()],
    "email": [rule_configs.Email("name@example.com")],
    "sms": [rule_configs.SMS("+15550100")],
    "all": [
        rule_configs.StopTraining(),
        rule_configs.Email("name@example.com"),
        rule_configs.SMS("+15550100"),
    ],
}


def sent(instance_type: str = "ml.p4d.24xlarge", instance_count: int = 2, **arguments: Any) -> dict[str, Any]:
    """Return the CreateTrainingJob request that the SDK sends, or the error that it raises instead."""
    boto_session = MagicMock(region_name=REGION, spec=boto3.Session)
    client = MagicMock()
    client.describe_training_job.return_value = {"TrainingJobStatus": "Completed"}
    session = Session(
        boto_session=boto_session,
        sagemaker_client=client,
        sagemaker_runtime_client=MagicMock(),
        default_bucket="my-bucket",
        sagemaker_config={
            "SchemaVersion": "1.0",
            "SageMaker": {"PythonSDK": {"Modules": {"TelemetryOptOut": True}}},
        },
    )
    session._default_bucket = "my-bucket"
    try:
        estimator = PyTorch(
            entry_point="train.py",
            source_dir="s3://my-bucket/code/sourcedir.tar.gz",
            role="arn:aws:iam::111111111111:role/R",
            image_uri=IMAGE,
            instance_type=instance_type,
            instance_count=instance_count,
            output_path="s3://my-bucket/out",
            subnets=["subnet-1"],
            security_group_ids=["sg-1"],
            sagemaker_session=session,
            **arguments,
        )
        source = FileSystemInput("fs-0123456789abcdef0", "FSxLustre", "/abcdefgh/data", "ro")
        estimator.fit({"train": source}, job_name="job-1", wait=False)
    except Exception as error:  # noqa: BLE001 - whatever the SDK refuses is part of the record
        return {"error": f"{type(error).__name__}: {error}"}
    call: dict[str, Any] = client.create_training_job.call_args.kwargs
    return call


def _tensor_rule(name: str, parameters: dict[str, Any], actions: Any = None) -> Rule:
    """Return a built-in rule about tensors."""
    trials = {"other_trials_s3_input_paths": ["s3://my-bucket/a", "s3://my-bucket/b"]}
    return Rule.sagemaker(
        getattr(rule_configs, name)(),
        rule_parameters={key: str(value) for key, value in parameters.items()},
        actions=rule_configs.ActionList(*actions) if actions else None,
        **(trials if name == "similar_across_runs" else {}),
    )


def recording() -> dict[str, Any]:
    """Return everything that is recorded."""
    distributions = [
        {
            "instance_type": instance_type,
            "nodes": nodes,
            "distribution": name,
            "sent": _part(
                sent(instance_type, nodes, distribution=distribution, debugger_hook_config=False),
                "HyperParameters",
                "ResourceConfig",
                "AlgorithmSpecification",
                "InputDataConfig",
            ),
        }
        for instance_type, nodes in TYPES.items()
        for name, distribution in DISTRIBUTIONS.items()
    ]
    profiler_rules = [
        {
            "rule": name,
            "parameters": parameters,
            "sent": _part(
                sent(
                    rules=[ProfilerRule.sagemaker(getattr(rule_configs, name)(**parameters))],
                    profiler_config=ProfilerConfig(
                        s3_output_path="s3://my-bucket/prof", system_monitor_interval_millis=interval
                    ),
                    debugger_hook_config=False,
                ),
                "ProfilerRuleConfigurations",
                "ProfilerConfig",
            ),
        }
        for name, declared in PROFILER_RULES.items()
        for parameters in ({}, declared)
        for interval in ((500,) if parameters else (500, 1000))
    ]
    tensor_rules = [
        {
            "rule": name,
            "parameters": parameters,
            "sent": _part(
                sent(
                    instance_count=1,
                    rules=[_tensor_rule(name, parameters)],
                    debugger_hook_config=DebuggerHookConfig(s3_output_path="s3://my-bucket/tensors"),
                ),
                "DebugRuleConfigurations",
                "DebugHookConfig",
            ),
        }
        for name, declared in TENSOR_RULES.items()
        for parameters in (({}, declared) if declared else ({},))
    ]
    actions = [
        {
            "actions": name,
            "sent": _part(
                sent(rules=[_tensor_rule("loss_not_decreasing", {}, given)], debugger_hook_config=False),
                "DebugRuleConfigurations",
            ),
        }
        for name, given in ACTIONS.items()
    ]
    checkpoints = [
        {
            "nodes": nodes,
            "sent": _part(
                sent(
                    instance_count=nodes,
                    rules=[_tensor_rule("loss_not_decreasing", {})],
                    checkpoint_s3_uri="s3://my-bucket/checkpoints",
                    checkpoint_local_path="/opt/ml/checkpoints",
                ),
                "CheckpointConfig",
                "DebugHookConfig",
                "DebugRuleConfigurations",
            ),
        }
        for nodes in (1, 2)
    ]
    options = {
        "spot": _part(
            sent(use_spot_instances=True, max_run=3600, max_wait=7200, debugger_hook_config=False),
            "EnableManagedSpotTraining",
            "StoppingCondition",
        ),
        "others": _part(
            sent(
                keep_alive_period_in_seconds=1800,
                max_retry_attempts=3,
                encrypt_inter_container_traffic=True,
                enable_network_isolation=False,
                output_kms_key="alias/key",
                metric_definitions=[{"Name": "loss", "Regex": "loss=([0-9.]+)"}],
                environment={"NCCL_DEBUG": "INFO"},
                tags=[{"Key": "team", "Value": "vision"}],
                enable_infra_check=True,
                enable_remote_debug=True,
                debugger_hook_config=False,
            ),
            "ResourceConfig",
            "RetryStrategy",
            "EnableInterContainerTrafficEncryption",
            "OutputDataConfig",
            "AlgorithmSpecification",
            "Environment",
            "Tags",
            "InfraCheckConfig",
            "RemoteDebugConfig",
        ),
    }
    return {
        "recorded_with": {name: metadata.version(name) for name in ("sagemaker", "smdebug-rulesconfig")},
        "distributions": distributions,
        "profiler_rules": profiler_rules,
        "tensor_rules": tensor_rules,
        "actions": actions,
        "checkpoints": checkpoints,
        "options": options,
    }


def _part(request: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Keep some fields, or the error."""
    if "error" in request:
        return request
    return {key: request[key] for key in keys if key in request}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(recording(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"recorded in {sys.argv[1]}")

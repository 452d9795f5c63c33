"""The boundaries of the rules about options of the training and watch sections."""

from typing import Any

import pytest

from epochwise.catalog.watch_rule_names import TENSOR_RULE_NAMES
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.checks.rule_actions import rule_action_closed_vpc
from epochwise.checks.training import training_findings
from epochwise.workload import Workload

OPTION_LEVELS = {
    "MPI_OPTIONS_UNUSED": Level.WARNING,
    "CUSTOM_MPI_OPTIONS_LENGTH": Level.ERROR,
    "BATCH_ABOVE_8192": Level.WARNING,
    "BATCH_DIVERGES": Level.ERROR,
    "BATCH_HYPERPARAMETERS_KEPT": Level.INFO,
    "BATCH_SAMPLES_UNKNOWN": Level.INFO,
    "BATCH_ABOVE_DATASET": Level.WARNING,
    "WARMUP_BEYOND_RUN": Level.WARNING,
    "PREPROCESSING_ABOVE_TARGET": Level.WARNING,
    "ENVIRONMENT_COUNT": Level.ERROR,
    "ENVIRONMENT_RDMAV": Level.WARNING,
    "EXECUTION_VARIABLE_RESERVED": Level.ERROR,
    "MAX_RUNTIME_BELOW_EPOCHS": Level.WARNING,
    "MAX_PENDING_ON_CPUS": Level.WARNING,
    "KEEP_ALIVE_UNDOCUMENTED": Level.WARNING,
    "KEEP_ALIVE_WITH_SPOT": Level.ERROR,
    "TRAINING_PLAN_TYPE": Level.ERROR,
    "TRAINING_PLAN_REGION": Level.ERROR,
    "TRAINING_PLAN_WAIT": Level.WARNING,
    "SPOT_NEEDS_MAX_WAIT": Level.ERROR,
    "MAX_WAIT_WITHOUT_SPOT": Level.ERROR,
    "SPOT_WITHOUT_CHECKPOINT": Level.WARNING,
    "VOLUME_KEY_ON_LOCAL_NVME": Level.ERROR,
    "VOLUME_SIZE_ON_LOCAL_NVME": Level.WARNING,
    "ENCRYPTION_ONE_NODE": Level.WARNING,
    "ENCRYPTION_WITH_EFA": Level.WARNING,
    "NETWORK_ISOLATION_FILE_SYSTEM": Level.WARNING,
    "REQUEST_OVERWRITES": Level.ERROR,
    "REQUEST_EXCLUDED": Level.ERROR,
    "REQUEST_UNKNOWN_FIELD": Level.ERROR,
    "REQUEST_ENTRY_UNNAMED": Level.ERROR,
    "REQUEST_MALFORMED": Level.ERROR,
    "REQUEST_TOO_LARGE": Level.ERROR,
    "REQUEST_ADDRESS_ILLEGAL": Level.ERROR,
    "NAME_ENDS_AS_PATH": Level.ERROR,
    "MANIFEST_OBJECTS_UNSEEN": Level.WARNING,
    "CHANNEL_NEEDS_PIPE": Level.ERROR,
    "CHANNEL_ATTRIBUTES_UNUSED": Level.WARNING,
    "PROCESSES_ABOVE_CPUS": Level.ERROR,
    "MAX_WAIT_BEYOND_EXECUTION": Level.ERROR,
    "IMAGE_TAG_ILLEGAL": Level.ERROR,
    "CHECKPOINTS_TWICE": Level.WARNING,
    "DEBUGGER_CHECKPOINT_DISTRIBUTED": Level.ERROR,
    "WATCH_RULE_NEEDS_DEBUGGER": Level.ERROR,
    "WATCH_RULE_NEEDS_CLOUDWATCH": Level.ERROR,
    "WATCH_BEYOND_LOOKBACK": Level.WARNING,
    "NCCL_RULE_WITHOUT_EFA": Level.WARNING,
    "NCCL_LOG_HIDDEN": Level.WARNING,
    "RULE_ACTION_ON_PROFILER": Level.ERROR,
    "RULE_ACTION_UNREACHABLE": Level.ERROR,
    "RULE_ACTION_IN_VPC": Level.WARNING,
    "DEBUGGER_HOOK": Level.WARNING,
    "WATCH_TOO_MANY_RULES": Level.ERROR,
    "WATCH_TOO_MANY_COLLECTIONS": Level.ERROR,
    "RULE_PARAMETER_COUNT": Level.ERROR,
    "RULE_VALUE_LENGTH": Level.ERROR,
}
"""The ids are part of the interface: users acknowledge them."""
P4D, NCCL = "ml.p4d.24xlarge", "NcclWithoutEfa"
C5 = {"instance_type": "ml.c5.9xlarge", "nodes": 2}
PLAN = "arn:aws:sagemaker:us-east-1:111111111111:training-plan/plan"
ECR = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training"
AUGMENTED = {"S3DataType": "AugmentedManifestFile", "S3Uri": "s3://bucket/m"}
CHECKPOINT = {"size": "1 GB", "every": 600, "write_within": 60}
STOP = {"LossNotDecreasing": {"actions": ["stop_training"]}}
TENSOR_RULES = [
    {name: {"other_trials": "s3://bucket/run"}} if name == "SimilarAcrossRuns" else name for name in TENSOR_RULE_NAMES
]


def trained(**changes: Any) -> Workload:
    """Return a workload; keys of other sections are told by their names, all others are training's."""
    sections = {"cluster", "checkpoint", "watch", "dataset", "epoch"}
    return Workload.model_validate(
        {
            "name": "checked",
            "dataset": {"size": "1 GB", "samples": 10**6},
            "epoch": {"target": "60 s"},
            "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 2},
            "training": {"image": "image"} | {key: value for key, value in changes.items() if key not in sections},
        }
        | {key: value for key, value in changes.items() if key in sections}
    )


def batch(per_device: int, nodes: int = 2, **changes: Any) -> dict[str, Any]:
    cluster = {"instance_type": "ml.p4d.24xlarge", "nodes": nodes}
    return {"batch": {"per_device": per_device}, "cluster": cluster} | changes


def rules(*declared: Any, using: tuple[str, ...] = ("debugger",), **watch: Any) -> dict[str, Any]:
    return {"watch": {"rules": list(declared), "using": list(using)} | watch}


def cloudwatch(*declared: Any) -> dict[str, Any]:
    return rules(*declared, using=("cloudwatch",))


def launched(options: str) -> dict[str, Any]:
    return {"custom_mpi_options": options, "distribution": "mpi"}


def hub(**source: Any) -> dict[str, Any]:
    return {"ChannelName": "hub", "DataSource": source}


def channel(**options: Any) -> dict[str, Any]:
    return {"channels": {"labels": {"s3": "s3://bucket/labels"} | options}}


def boards(address: str) -> dict[str, Any]:
    return {"request": {"TensorBoardOutputConfig": {"S3OutputPath": address}}}


def own_rule(**parameters: str) -> dict[str, Any]:
    rule = {"RuleConfigurationName": "Own", "RuleEvaluatorImage": "image", "RuleParameters": parameters}
    return {"request": {"DebugRuleConfigurations": [rule]}}


def many_trials(count: int) -> dict[str, Any]:
    return rules({"SimilarAcrossRuns": {"other_trials": [f"s3://bucket/{number}" for number in range(count)]}})


OPTION_BOUNDARIES: list[tuple[str, dict[str, Any], bool]] = [
    ("MPI_OPTIONS_UNUSED", {"custom_mpi_options": "-v"}, True),
    ("MPI_OPTIONS_UNUSED", {"custom_mpi_options": "-v", "distribution": "smddp"}, False),
    ("MPI_OPTIONS_UNUSED", {"processes_per_host": 4, "distribution": "smddp"}, True),
    ("MPI_OPTIONS_UNUSED", {"processes_per_host": 4, "custom_mpi_options": "-v", "distribution": "mpi"}, False),
    ("CUSTOM_MPI_OPTIONS_LENGTH", {"custom_mpi_options": "x" * 2498, "distribution": "mpi"}, False),
    ("CUSTOM_MPI_OPTIONS_LENGTH", {"custom_mpi_options": "x" * 2499, "distribution": "mpi"}, True),
    ("BATCH_ABOVE_8192", batch(512), False),
    ("BATCH_ABOVE_8192", batch(513), True),
    ("BATCH_ABOVE_8192", batch(4096), True),
    ("BATCH_ABOVE_8192", batch(4097), False),
    ("BATCH_DIVERGES", batch(4096), False),
    ("BATCH_DIVERGES", batch(4097), True),
    ("BATCH_HYPERPARAMETERS_KEPT", batch(1, hyperparameters={"learning_rate": 1}), True),
    ("BATCH_HYPERPARAMETERS_KEPT", batch(1, hyperparameters={"lr": 1}), False),
    ("BATCH_HYPERPARAMETERS_KEPT", {"hyperparameters": {"learning_rate": 1}}, False),
    ("BATCH_SAMPLES_UNKNOWN", batch(1, dataset={"size": 1}), True),
    ("BATCH_SAMPLES_UNKNOWN", batch(1), False),
    ("BATCH_ABOVE_DATASET", batch(10, dataset={"size": 1, "samples": 159}), True),
    ("BATCH_ABOVE_DATASET", batch(10, dataset={"size": 1, "samples": 160}), False),
    ("WARMUP_BEYOND_RUN", batch(1, epoch={"target": 60, "count": 4}), True),
    ("WARMUP_BEYOND_RUN", batch(1, epoch={"target": 60, "count": 5}), False),
    ("WARMUP_BEYOND_RUN", {"epoch": {"target": 60, "count": 4}}, False),
    ("PREPROCESSING_ABOVE_TARGET", {"preprocessing": 0.012, "dataset": {"size": 1, "samples": 960_000}}, False),
    ("PREPROCESSING_ABOVE_TARGET", {"preprocessing": 0.0121, "dataset": {"size": 1, "samples": 960_000}}, True),
    ("ENVIRONMENT_COUNT", {"environment": {f"V{number}": "" for number in range(95)}}, False),
    ("ENVIRONMENT_COUNT", {"environment": {f"V{number}": "" for number in range(96)}}, True),
    ("ENVIRONMENT_RDMAV", {"environment": {"RDMAV_FORK_SAFE": "1"}}, True),
    ("ENVIRONMENT_RDMAV", {"environment": {"FI_EFA_FORK_SAFE": "1"}}, False),
    ("EXECUTION_VARIABLE_RESERVED", {"environment": {"EPOCHWISE_EXECUTION": "1"}}, True),
    ("EXECUTION_VARIABLE_RESERVED", {"hyperparameters": {"EPOCHWISE_EXECUTION": 1}}, True),
    ("EXECUTION_VARIABLE_RESERVED", {"hyperparameters": {"execution": 1}}, False),
    ("MAX_RUNTIME_BELOW_EPOCHS", {"max_runtime": 59}, True),
    ("MAX_RUNTIME_BELOW_EPOCHS", {"max_runtime": 60}, False),
    ("MAX_PENDING_ON_CPUS", {"max_pending": 1800, "cluster": C5}, True),
    ("MAX_PENDING_ON_CPUS", {"max_pending": 1800}, False),
    ("KEEP_ALIVE_UNDOCUMENTED", {"keep_alive": 3600}, False),
    ("KEEP_ALIVE_UNDOCUMENTED", {"keep_alive": 3601}, True),
    ("KEEP_ALIVE_WITH_SPOT", {"keep_alive": 60, "spot": True, "max_wait": 1000}, True),
    ("KEEP_ALIVE_WITH_SPOT", {"keep_alive": 60}, False),
    ("KEEP_ALIVE_WITH_SPOT", {"spot": True, "max_wait": 1000}, False),
    ("TRAINING_PLAN_TYPE", {"training_plan": PLAN, "cluster": C5}, True),
    ("TRAINING_PLAN_TYPE", {"training_plan": PLAN}, False),
    ("TRAINING_PLAN_REGION", {"training_plan": PLAN.replace("us-east-1", "us-west-2")}, True),
    ("TRAINING_PLAN_REGION", {"training_plan": PLAN}, False),
    ("TRAINING_PLAN_WAIT", {"training_plan": PLAN}, True),
    ("TRAINING_PLAN_WAIT", {"training_plan": PLAN, "max_pending": "28 d"}, False),
    ("TRAINING_PLAN_WAIT", {}, False),
    ("SPOT_NEEDS_MAX_WAIT", {"spot": True}, True),
    ("SPOT_NEEDS_MAX_WAIT", {"spot": True, "max_runtime": 100, "max_wait": 99}, True),
    ("SPOT_NEEDS_MAX_WAIT", {"spot": True, "max_runtime": 100, "max_wait": 100}, False),
    ("MAX_WAIT_WITHOUT_SPOT", {"max_wait": 100}, True),
    ("MAX_WAIT_WITHOUT_SPOT", {"spot": True, "max_wait": 100}, False),
    ("SPOT_WITHOUT_CHECKPOINT", {"spot": True}, True),
    ("SPOT_WITHOUT_CHECKPOINT", {"spot": True, "checkpoint_s3": "s3://bucket/c"}, False),
    ("SPOT_WITHOUT_CHECKPOINT", {"spot": True, "checkpoint": CHECKPOINT}, False),
    ("VOLUME_KEY_ON_LOCAL_NVME", {"volume_kms_key": "alias/a"}, True),
    ("VOLUME_KEY_ON_LOCAL_NVME", {"volume_kms_key": "alias/a", "cluster": C5}, False),
    ("VOLUME_SIZE_ON_LOCAL_NVME", {"volume_size_gb": 100}, True),
    ("VOLUME_SIZE_ON_LOCAL_NVME", {"volume_size_gb": 100, "cluster": C5}, False),
    ("ENCRYPTION_ONE_NODE", {"inter_container_encryption": True, "cluster": C5 | {"nodes": 1}}, True),
    ("ENCRYPTION_ONE_NODE", {"inter_container_encryption": True}, False),
    ("ENCRYPTION_WITH_EFA", {"inter_container_encryption": True}, True),
    ("ENCRYPTION_WITH_EFA", {"inter_container_encryption": True, "cluster": C5}, False),
    ("NETWORK_ISOLATION_FILE_SYSTEM", {"network_isolation": True}, True),
    ("NETWORK_ISOLATION_FILE_SYSTEM", {}, False),
    ("REQUEST_OVERWRITES", {"request": {"RetryStrategy": {"MaximumRetryAttempts": 3}}}, True),
    ("REQUEST_OVERWRITES", {"request": {"MlflowConfig": {"MlflowRunName": "run"}}}, False),
    ("REQUEST_EXCLUDED", {"request": {"ResourceConfig": {"InstanceGroups": []}}}, True),
    ("REQUEST_EXCLUDED", {"request": {"ResourceConfig": {"InstancePlacementConfig": {}}}}, False),
    ("REQUEST_UNKNOWN_FIELD", {"request": {"Retries": 3}}, True),
    ("REQUEST_UNKNOWN_FIELD", {"request": {"MlflowConfig": {}}}, False),
    ("REQUEST_ENTRY_UNNAMED", {"request": {"InputDataConfig": [{"ChannelName": "train"}]}}, True),
    ("REQUEST_ENTRY_UNNAMED", {"request": {"InputDataConfig": [{"ChannelName": "other"}]}}, False),
    ("REQUEST_MALFORMED", {"request": {"InputDataConfig": [{"ChannelName": "a"}]}}, True),
    ("REQUEST_MALFORMED", {"request": {"InputDataConfig": [{"ChannelName": "a", "DataSource": "s3://b"}]}}, True),
    ("REQUEST_MALFORMED", {"request": {"InputDataConfig": [hub(S3DataSource={"S3DataType": "S3Prefix"})]}}, True),
    ("REQUEST_MALFORMED", {"request": {"TensorBoardOutputConfig": "s3://bucket/boards"}}, True),
    ("REQUEST_MALFORMED", {"request": {"SessionChainingConfig": {"EnableSessionTagChaining": 1}}}, True),
    ("REQUEST_MALFORMED", {"request": {"DebugHookConfig": {"HookParameters": ["a"]}}}, True),
    ("REQUEST_MALFORMED", {"request": {"AlgorithmSpecification": {"ContainerArguments": "a"}}}, True),
    ("REQUEST_MALFORMED", {"request": {"InputDataConfig": [hub(DatasetSource={"DatasetArn": "arn"})]}}, False),
    ("REQUEST_MALFORMED", {"request": {"DebugHookConfig": {"HookParameters": {"a": "b"}}}}, False),
    ("REQUEST_MALFORMED", {"request": {"AlgorithmSpecification": {"ContainerArguments": ["a"]}}}, False),
    ("REQUEST_TOO_LARGE", {"hyperparameters": {f"h{number}": "x" * 2490 for number in range(90)}}, False),
    ("REQUEST_TOO_LARGE", {"request": {"MlflowConfig": {"MlflowRunName": "x" * 262_144}}}, True),
    ("CHECKPOINTS_TWICE", {"checkpoint": CHECKPOINT, "checkpoint_s3": "s3://bucket/c"}, True),
    ("CHECKPOINTS_TWICE", {"checkpoint": CHECKPOINT}, False),
    ("DEBUGGER_CHECKPOINT_DISTRIBUTED", rules("Overfit") | {"checkpoint_s3": "s3://bucket/c"}, True),
    ("DEBUGGER_CHECKPOINT_DISTRIBUTED", rules("Overfit") | {"checkpoint": CHECKPOINT}, False),
    ("DEBUGGER_CHECKPOINT_DISTRIBUTED", rules("CpuBottleneck") | {"checkpoint_s3": "s3://bucket/c"}, False),
    ("DEBUGGER_CHECKPOINT_DISTRIBUTED", rules("Overfit", hook=False) | {"checkpoint_s3": "s3://bucket/c"}, False),
    ("WATCH_RULE_NEEDS_DEBUGGER", rules("IoBottleneck", using=("cloudwatch",)), True),
    ("WATCH_RULE_NEEDS_DEBUGGER", rules("Overfit", using=("cloudwatch",)), True),
    ("WATCH_RULE_NEEDS_DEBUGGER", rules("CpuBottleneck", using=("cloudwatch",)), False),
    ("WATCH_RULE_NEEDS_DEBUGGER", rules("IoBottleneck", using=("cloudwatch", "debugger")), False),
    ("WATCH_RULE_NEEDS_CLOUDWATCH", rules("StorageBottleneck"), True),
    ("WATCH_RULE_NEEDS_CLOUDWATCH", rules("StorageBottleneck", using=("debugger", "cloudwatch")), False),
    ("WATCH_RULE_NEEDS_CLOUDWATCH", rules(NCCL), True),
    ("WATCH_BEYOND_LOOKBACK", cloudwatch({"LowGpuUtilization": {"window": 21601}}), True),
    ("WATCH_BEYOND_LOOKBACK", cloudwatch({"GpuMemoryIncrease": {"patience": 21601}}), True),
    ("WATCH_BEYOND_LOOKBACK", cloudwatch({"StorageBottleneck": {"patience": 181}}), True),
    ("WATCH_BEYOND_LOOKBACK", cloudwatch({"LowGpuUtilization": {"window": 21600, "patience": 21600}}), False),
    ("WATCH_BEYOND_LOOKBACK", cloudwatch({"StorageBottleneck": {"patience": 180}}), False),
    ("WATCH_BEYOND_LOOKBACK", rules({"LowGpuUtilization": {"window": 21601}}), False),
    ("NCCL_RULE_WITHOUT_EFA", cloudwatch(NCCL) | {"cluster": {"instance_type": P4D, "nodes": 1}}, True),
    ("NCCL_RULE_WITHOUT_EFA", cloudwatch(NCCL) | {"cluster": {"instance_type": "ml.g5.xlarge", "nodes": 2}}, True),
    ("NCCL_RULE_WITHOUT_EFA", cloudwatch(NCCL) | {"cluster": {"instance_type": "ml.trn1.32xlarge", "nodes": 2}}, True),
    ("NCCL_RULE_WITHOUT_EFA", cloudwatch("CpuBottleneck") | {"cluster": {"instance_type": P4D, "nodes": 1}}, False),
    ("NCCL_RULE_WITHOUT_EFA", cloudwatch(NCCL), False),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | {"environment": {"NCCL_DEBUG": "WARN"}}, True),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | {"environment": {"NCCL_DEBUG_FILE": "/opt/nccl.%h"}}, True),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | {"environment": {"NCCL_DEBUG_SUBSYS": "COLL,P2P"}}, True),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | {"environment": {"NCCL_DEBUG_SUBSYS": "^INIT,NET"}}, True),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | launched("-x NCCL_DEBUG=VERSION"), True),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | launched("-x 'NCCL_DEBUG=WARN'"), True),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | launched("-v -xNCCL_DEBUG=NONE"), True),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | launched("-x NCCL_DEBUG=INFO -x NCCL_DEBUG=ABORT"), True),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | launched("-x NCCL_DEBUG=INFO -x NCCL_DEBUG_FILE=a"), True),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | launched("-x NCCL_DEBUG=WARN -x NCCL_DEBUG=INFO"), False),
    (
        "NCCL_LOG_HIDDEN",
        cloudwatch(NCCL) | launched("-x NCCL_DEBUG=INFO") | {"environment": {"NCCL_DEBUG": "WARN"}},
        False,
    ),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | {"environment": {"NCCL_DEBUG_FILE": "/dev/stdout"}}, False),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | {"environment": {"NCCL_DEBUG_SUBSYS": "coll,net"}}, False),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | {"environment": {"NCCL_DEBUG_SUBSYS": "^COLL"}}, False),
    ("NCCL_LOG_HIDDEN", cloudwatch(NCCL) | {"environment": {"NCCL_DEBUG": "trace"}}, False),
    ("NCCL_LOG_HIDDEN", cloudwatch("CpuBottleneck") | {"environment": {"NCCL_DEBUG": "WARN"}}, False),
    ("RULE_ACTION_ON_PROFILER", rules({"CpuBottleneck": {"actions": ["stop_training"]}}), True),
    ("RULE_ACTION_ON_PROFILER", rules(STOP), False),
    ("RULE_ACTION_UNREACHABLE", rules(STOP) | {"network_isolation": True}, True),
    ("RULE_ACTION_UNREACHABLE", rules(STOP) | {"spot": True}, True),
    ("RULE_ACTION_UNREACHABLE", rules("LossNotDecreasing") | {"spot": True}, False),
    ("RULE_ACTION_UNREACHABLE", rules(STOP), False),
    ("RULE_ACTION_IN_VPC", rules(STOP), True),
    ("RULE_ACTION_IN_VPC", rules({"StalledTrainingRule": {"stop_training_on_fire": True}}), True),
    ("RULE_ACTION_IN_VPC", rules("LossNotDecreasing", "StalledTrainingRule"), False),
    ("DEBUGGER_HOOK", rules("LossNotDecreasing"), True),
    ("DEBUGGER_HOOK", rules("LossNotDecreasing", hook=False), False),
    ("DEBUGGER_HOOK", rules("CpuBottleneck"), False),
    ("WATCH_TOO_MANY_RULES", rules(*TENSOR_RULES), True),
    ("WATCH_TOO_MANY_RULES", rules(*TENSOR_RULES[:20]), False),
    ("WATCH_TOO_MANY_COLLECTIONS", rules("DeadRelu", collections={f"c{n}": {} for n in range(20)}), True),
    ("WATCH_TOO_MANY_COLLECTIONS", rules("DeadRelu", collections={f"c{n}": {} for n in range(19)}), False),
    ("REQUEST_ADDRESS_ILLEGAL", boards("s3://bucket/boards"), False),
    ("REQUEST_ADDRESS_ILLEGAL", boards("/opt/boards"), True),
    ("REQUEST_ADDRESS_ILLEGAL", boards("s3://10.0.0.1/boards"), True),
    ("REQUEST_ADDRESS_ILLEGAL", own_rule(other_trial_0="s3://bucket/run", regex="a"), False),
    ("REQUEST_ADDRESS_ILLEGAL", own_rule(other_trial_0="run"), True),
    ("NAME_ENDS_AS_PATH", own_rule(**{"a.$": "$.b"}), True),
    ("NAME_ENDS_AS_PATH", rules("DeadRelu", collections={"c": {"a.$": 1}}), True),
    ("NAME_ENDS_AS_PATH", rules("DeadRelu", collections={"c": {"a.$b": "a.$"}}), False),
    ("NAME_ENDS_AS_PATH", {"hyperparameters": {"a.$": "$.b"}, "tags": {"a.b": "States.UUID"}}, False),
    ("MANIFEST_OBJECTS_UNSEEN", {"channels": {"a": {"s3": "s3://bucket/m", "type": "ManifestFile"}}}, True),
    ("MANIFEST_OBJECTS_UNSEEN", {"request": {"InputDataConfig": [hub(S3DataSource=AUGMENTED)]}}, True),
    ("MANIFEST_OBJECTS_UNSEEN", {"channels": {"a": {"s3": "s3://bucket/m"}}}, False),
    ("CHANNEL_NEEDS_PIPE", channel(compression="Gzip"), True),
    ("CHANNEL_NEEDS_PIPE", channel(record_wrapper="RecordIO"), True),
    ("CHANNEL_NEEDS_PIPE", channel(record_wrapper="RecordIO", mode="FastFile"), False),
    ("CHANNEL_NEEDS_PIPE", channel(type="AugmentedManifestFile", mode="FastFile"), True),
    ("CHANNEL_NEEDS_PIPE", {"request": {"InputDataConfig": [hub(S3DataSource=AUGMENTED)]}}, True),
    ("CHANNEL_NEEDS_PIPE", channel(compression="Gzip", type="AugmentedManifestFile", mode="Pipe"), False),
    ("CHANNEL_NEEDS_PIPE", channel(compression="None", record_wrapper="None", type="ManifestFile"), False),
    ("CHANNEL_ATTRIBUTES_UNUSED", channel(attributes=["label"]), True),
    ("CHANNEL_ATTRIBUTES_UNUSED", channel(attributes=["label"], type="AugmentedManifestFile", mode="Pipe"), False),
    ("PROCESSES_ABOVE_CPUS", {"processes_per_host": 97, "distribution": "mpi"}, True),
    ("PROCESSES_ABOVE_CPUS", {"processes_per_host": 37, "distribution": "mpi", "cluster": C5}, True),
    ("PROCESSES_ABOVE_CPUS", {"processes_per_host": 96, "distribution": "mpi"}, False),
    ("MAX_WAIT_BEYOND_EXECUTION", {"spot": True, "max_wait": 365 * 86_400 - 21_599}, True),
    ("MAX_WAIT_BEYOND_EXECUTION", {"spot": True, "max_wait": 365 * 86_400 - 21_600}, False),
    ("IMAGE_TAG_ILLEGAL", {"image": f"{ECR}:"}, True),
    ("IMAGE_TAG_ILLEGAL", {"image": f"{ECR}:-a"}, True),
    ("IMAGE_TAG_ILLEGAL", {"image": f"{ECR}:{'a' * 129}"}, True),
    ("IMAGE_TAG_ILLEGAL", {"image": f"{ECR}@sha256:abc"}, True),
    ("IMAGE_TAG_ILLEGAL", {"image": f"{ECR}:{'a' * 100}@sha256:{'0' * 64}"}, False),
    ("IMAGE_TAG_ILLEGAL", {"image": ECR}, False),
    ("IMAGE_TAG_ILLEGAL", {"image": f"{ECR}:{'a' * 128}"}, False),
    ("RULE_PARAMETER_COUNT", many_trials(97), False),
    ("RULE_PARAMETER_COUNT", many_trials(98), True),
    ("RULE_VALUE_LENGTH", rules({"DeadRelu": {"tensor_regex": "x" * 256}}), False),
    ("RULE_VALUE_LENGTH", rules({"DeadRelu": {"tensor_regex": ["x" * 128, "y" * 128]}}), True),
    ("RULE_VALUE_LENGTH", rules({"Overfit": {"actions": [{"email": f"{'a' * 300}@b.org"}]}}), True),
]

CLOSED_VPC_BOUNDARIES: list[tuple[Any, bool, bool]] = [
    (STOP, True, True),
    (STOP, False, False),
    ("LossNotDecreasing", True, False),
]
"""A rule, whether the subnets are closed, and whether that is refused: only the deployment knows of subnets."""


def found(finding_id: str, changes: dict[str, Any]) -> Finding | None:
    return next((finding for finding in training_findings(trained(**changes)) if finding.id == finding_id), None)


@pytest.mark.parametrize(("finding_id", "changes", "expected"), OPTION_BOUNDARIES)
def test_a_rule_speaks_on_one_side_of_its_boundary(finding_id: str, changes: dict[str, Any], expected: bool) -> None:
    assert (found(finding_id, changes) is not None) is expected


@pytest.mark.parametrize("finding_id", OPTION_LEVELS)
def test_a_finding_has_its_level_and_reads_as_one_line_without_full_stop(finding_id: str) -> None:
    changes = next(changes for known, changes, expected in OPTION_BOUNDARIES if known == finding_id and expected)
    finding = found(finding_id, changes)
    assert finding is not None
    assert finding.level is OPTION_LEVELS[finding_id]
    assert "\n" not in str(finding)
    assert finding.fix
    assert not finding.message.endswith(".")
    assert not finding.fix.endswith(".")


def test_every_rule_has_a_boundary_on_both_sides() -> None:
    for side in (True, False):
        assert {finding_id for finding_id, _, expected in OPTION_BOUNDARIES if expected is side} == set(OPTION_LEVELS)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"spot": True}, ["SPOT_NEEDS_MAX_WAIT", "86400 s", "absent", "set training.max_wait to 86400"]),
        (batch(600), ["BATCH_ABOVE_8192", "9600", "23.74 %", "24.79 % at 16384"]),
        (batch(5000), ["BATCH_DIVERGES", "80000", "33.96 %", "65536"]),
        ({"volume_kms_key": "alias/a"}, ["VOLUME_KEY_ON_LOCAL_NVME", "alias/a", "8000 GB", "ml.p4d.24xlarge"]),
        (rules(*TENSOR_RULES), ["WATCH_TOO_MANY_RULES", "21", "20", "remove 1"]),
        (rules("IoBottleneck", using=("cloudwatch",)), ["WATCH_RULE_NEEDS_DEBUGGER", "IoBottleneck", "cloudwatch"]),
    ],
)
def test_a_message_names_the_value_what_is_allowed_and_the_fix(changes: dict[str, Any], words: list[str]) -> None:
    finding = found(words[0], changes)
    assert finding is not None
    assert [word for word in words if word not in str(finding)] == []


@pytest.mark.parametrize(("rule", "closed", "expected"), CLOSED_VPC_BOUNDARIES)
def test_actions_in_a_closed_vpc_are_refused_and_other_rules_are_not(rule: Any, closed: bool, expected: bool) -> None:
    job = DeclaredJob.of(trained(**rules(rule)))
    assert job is not None
    refused = rule_action_closed_vpc(job, closed=closed)
    assert refused is None or (refused.id, refused.level) == ("RULE_ACTION_CLOSED_VPC", Level.ERROR)
    assert (refused is not None) is expected

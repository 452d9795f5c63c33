"""Boundaries of what is said about options of training and watch: the cases of their own test, and the messages."""

from typing import Any

from epochwise.checks.finding import Finding
from epochwise.checks.training import training_findings
from tests.checks.boundaries import rows_of_table
from tests.checks.test_training_option_findings import OPTION_BOUNDARIES, trained

SAYS: dict[str, str | tuple[str, ...]] = {
    "MPI_OPTIONS_UNUSED": ("training.custom_mpi_options is declared", "training.processes_per_host is declared"),
    "CUSTOM_MPI_OPTIONS_LENGTH": "takes 2501 characters",
    "BATCH_ABOVE_8192": ("a global batch of 8208", "a global batch of 65536"),
    "BATCH_DIVERGES": "a global batch of 65552",
    "BATCH_HYPERPARAMETERS_KEPT": "holds learning_rate",
    "BATCH_SAMPLES_UNKNOWN": "dataset.samples is not",
    "BATCH_ABOVE_DATASET": "a global batch of 160, and the dataset has 159",
    "WARMUP_BEYOND_RUN": "warmup_epochs is 5, and epoch.count is 4",
    "PREPROCESSING_ABOVE_TARGET": "takes 60.5 s",
    "ENVIRONMENT_COUNT": "holds 96; 95 fit",
    "ENVIRONMENT_RDMAV": "RDMAV_FORK_SAFE",
    "EXECUTION_VARIABLE_RESERVED": ("training.environment must", "training.hyperparameters must"),
    "MAX_RUNTIME_BELOW_EPOCHS": "training.max_runtime is 59 s",
    "MAX_PENDING_ON_CPUS": "training.max_pending is 1800 s",
    "KEEP_ALIVE_UNDOCUMENTED": "training.keep_alive is 3601 s",
    "KEEP_ALIVE_WITH_SPOT": "training.keep_alive is 60 s",
    "TRAINING_PLAN_TYPE": "cluster.instance_type is ml.c5.9xlarge",
    "TRAINING_PLAN_REGION": "training.training_plan is of us-west-2",
    "TRAINING_PLAN_WAIT": "training-plan/plan and training.max_pending is absent",
    "SPOT_NEEDS_MAX_WAIT": ("it is absent", "it is 99 s"),
    "MAX_WAIT_WITHOUT_SPOT": "training.max_wait is 100 s",
    "SPOT_WITHOUT_CHECKPOINT": "no checkpoint is declared",
    "VOLUME_KEY_ON_LOCAL_NVME": "training.volume_kms_key is alias/a",
    "VOLUME_SIZE_ON_LOCAL_NVME": "training.volume_size_gb is 100",
    "ENCRYPTION_ONE_NODE": "cluster.nodes is 1",
    "ENCRYPTION_WITH_EFA": "ml.p4d.24xlarge",
    "NETWORK_ISOLATION_FILE_SYSTEM": "training.network_isolation is true",
    "REQUEST_OVERWRITES": "RetryStrategy.MaximumRetryAttempts",
    "REQUEST_EXCLUDED": "ResourceConfig.InstanceGroups",
    "REQUEST_UNKNOWN_FIELD": "holds Retries",
    "REQUEST_ENTRY_UNNAMED": "ChannelName is 'train'",
    "REQUEST_MALFORMED": (
        "InputDataConfig[0] lacks DataSource",
        "InputDataConfig[0].DataSource must be a mapping, got 's3://b'",
        "InputDataConfig[0].DataSource.S3DataSource lacks S3Uri",
        "TensorBoardOutputConfig must be a mapping, got 's3://bucket/boards'",
        "EnableSessionTagChaining must be of type boolean, got 1",
        "DebugHookConfig.HookParameters must be a mapping, got ['a']",
        "AlgorithmSpecification.ContainerArguments must be a list, got 'a'",
    ),
    "REQUEST_ADDRESS_ILLEGAL": (
        "TensorBoardOutputConfig.S3OutputPath is '/opt/boards'",
        "S3OutputPath is 's3://10.0.0.1/boards'",
        "DebugRuleConfigurations[0].RuleParameters.other_trial_0 is 'run'",
    ),
    "NAME_ENDS_AS_PATH": (
        "training.request.DebugRuleConfigurations[0].RuleParameters.a.$ must",
        "watch.collections.c.a.$ must",
    ),
    "MANIFEST_OBJECTS_UNSEEN": ("manifests of a (s3://bucket/m)", "manifests of hub (s3://bucket/m)"),
    "CHANNEL_NEEDS_PIPE": (
        "labels has CompressionType Gzip in mode File",
        "labels has RecordWrapperType RecordIO in mode File",
        "labels has S3DataType AugmentedManifestFile in mode FastFile",
        "hub has S3DataType AugmentedManifestFile in mode File",
    ),
    "CHANNEL_ATTRIBUTES_UNUSED": "labels (S3Prefix)",
    "PROCESSES_ABOVE_CPUS": ("got 97", "got 37"),
    "MAX_WAIT_BEYOND_EXECUTION": "got 31514401 s",
    "IMAGE_TAG_ILLEGAL": "got 763104351884.dkr.ecr",
    "REQUEST_TOO_LARGE": "takes up to 27",
    "CHECKPOINTS_TWICE": "training.checkpoint_s3 is s3://bucket/c",
    "DEBUGGER_CHECKPOINT_DISTRIBUTED": "training.checkpoint_s3 is s3://bucket/c",
    "WATCH_RULE_NEEDS_DEBUGGER": ("holds IoBottleneck", "holds Overfit"),
    "WATCH_RULE_NEEDS_CLOUDWATCH": ("holds StorageBottleneck", "holds NcclWithoutEfa"),
    "NCCL_RULE_WITHOUT_EFA": ("1 × ml.p4d.24xlarge", "2 × ml.g5.xlarge", "2 × ml.trn1.32xlarge"),
    "WATCH_BEYOND_LOOKBACK": (
        "LowGpuUtilization.window (21601, at most 21600)",
        "GpuMemoryIncrease.patience (21601, at most 21600)",
        "StorageBottleneck.patience (181, at most 180)",
    ),
    "NCCL_LOG_HIDDEN": (
        "training.environment sets NCCL_DEBUG=WARN",
        "training.environment sets NCCL_DEBUG_FILE=/opt/nccl.%h",
        "training.environment sets NCCL_DEBUG_SUBSYS=COLL,P2P",
        "training.environment sets NCCL_DEBUG_SUBSYS=^INIT,NET",
        "training.custom_mpi_options sets NCCL_DEBUG=VERSION",
        "training.custom_mpi_options sets NCCL_DEBUG=WARN",
        "training.custom_mpi_options sets NCCL_DEBUG=NONE",
        "training.custom_mpi_options sets NCCL_DEBUG=ABORT",
        "training.custom_mpi_options sets NCCL_DEBUG_FILE=a",
    ),
    "RULE_ACTION_ON_PROFILER": "actions to CpuBottleneck",
    "RULE_ACTION_UNREACHABLE": ("training.network_isolation is true", "training.spot is true"),
    "RULE_ACTION_IN_VPC": ("actions to LossNotDecreasing", "actions to StalledTrainingRule"),
    "DEBUGGER_HOOK": "holds LossNotDecreasing",
    "WATCH_TOO_MANY_RULES": "holds 21 rules",
    "WATCH_TOO_MANY_COLLECTIONS": "save 21 collections",
    "RULE_PARAMETER_COUNT": "SimilarAcrossRuns (98)",
    "RULE_VALUE_LENGTH": ("DeadRelu.tensor_regex (257)", "Overfit.actions (350)"),
}


def _found(changes: dict[str, Any]) -> list[Finding]:
    return training_findings(trained(**changes))


ROWS = rows_of_table(OPTION_BOUNDARIES, _found, SAYS)

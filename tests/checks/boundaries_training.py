"""Boundaries of what is said about a training job: the cases of its own test, and what each message must hold."""

from typing import Any

from epochwise.checks.finding import Finding
from epochwise.checks.training import training_findings
from tests.checks.boundaries import rows_of_table
from tests.checks.test_training_findings import BOUNDARIES, declared

SAYS: dict[str, str | tuple[str, ...]] = {
    "TRAINING_NOT_SAGEMAKER": "cluster.platform is ec2",
    "EC2_HAS_NO_JOB": "cluster.platform is ec2",
    "NO_TRAINING_DECLARED": "training is not declared",
    "SMDDP_INSTANCE_TYPE": "cluster.instance_type is ml.",
    "SMDDP_ALLREDUCE_ONLY": "ml.p3dn.24xlarge",
    "SMDDP_ONE_NODE": "cluster.nodes is 1",
    "SMDDP_IMAGE": "holds PyTorch ",
    "SMDDP_FROZEN": "SMDDP's last release",
    "DISTRIBUTION_NONE_MANY_NODES": "cluster.nodes is 2",
    "DISTRIBUTION_NEEDS_ENTRY_POINT": "training.distribution is torchrun",
    "IMAGE_REGION": "the job runs in us-east-2",
    "RUN_TOO_LONG": "28.",
    "RUN_ABOVE_DEFAULT_QUOTA": " epochs of ",
    "HYPERPARAMETER_COUNT": ("holds 93; 92 fit", "holds 86; 85 fit"),
    "HYPERPARAMETER_LENGTH": "long (2501)",
    "CHECKPOINTS_ON_FILE_SYSTEM": "checkpoint is declared",
    "WATCH_WITHOUT_JOB": "CpuBottleneck, LoadBalancing, LowGpuUtilization",
    "WATCH_NOT_EVALUATED": "watch.using is empty",
    "WATCH_NEEDS_GPU": "ml.c5n.18xlarge",
    "LOAD_BALANCING_ONE_GPU": "1 × ml.g5.xlarge",
    "DEBUGGER_REGION": "eu-south-2",
    "DEBUGGER_TRAINIUM": "ml.trn1.32xlarge",
    "DEBUGGER_CLOSED": "watch.using is debugger",
}


def _found(changes: dict[str, Any]) -> list[Finding]:
    return training_findings(declared(**changes))


ROWS = rows_of_table(BOUNDARIES, _found, SAYS)

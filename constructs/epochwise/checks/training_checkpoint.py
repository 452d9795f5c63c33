"""Rules about where a job's checkpoints go."""

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.workload.training_section import CHECKPOINT_CHANNEL

CHECKPOINT_FOLDER = "/opt/ml/checkpoints"
"""What SageMaker copies to S3 while the job runs. Source: SageMaker Developer Guide, model-checkpoints."""


def checkpoints_on_file_system(job: DeclaredJob) -> Finding | None:
    """Tell where the script has to write its checkpoints, since SageMaker does not copy them.

    CheckpointConfig would copy them to S3 from each node's own disk, and AWS does not support it together with Debugger
    in distributed jobs. Source: SageMaker Developer Guide, debugger considerations; sagemaker-training 5.1.4 for the
    folder.
    """
    if job.workload.checkpoint is None or job.training.checkpoint_s3 is not None:
        return None
    return Finding(
        "CHECKPOINTS_ON_FILE_SYSTEM",
        Level.INFO,
        f"checkpoint is declared: the file system is mounted writable as channel {CHECKPOINT_CHANNEL}, and nothing but "
        "the script writes to it",
        f"have the script write to a folder below /opt/ml/input/data/{CHECKPOINT_CHANNEL}",
    )


def checkpoints_twice(job: DeclaredJob) -> Finding | None:
    """Warn when the file system is sized for checkpoints that SageMaker copies to S3 instead.

    Source: SageMaker Developer Guide, model-checkpoints.
    """
    if job.workload.checkpoint is None or job.training.checkpoint_s3 is None:
        return None
    return Finding(
        "CHECKPOINTS_TWICE",
        Level.WARNING,
        f"training.checkpoint_s3 is {job.training.checkpoint_s3}, so checkpoints leave {CHECKPOINT_FOLDER} for S3 and "
        "the file system has no channel for them, and checkpoint still has it sized for them",
        "remove either",
    )


def debugger_checkpoint_distributed(job: DeclaredJob) -> Finding | None:
    """Refuse Debugger's hook together with CheckpointConfig in a distributed job.

    AWS's SDK drops the hook without an error in just this case: a hook, both fields of CheckpointConfig, and several
    nodes or a launcher; the rules about tensors then have nothing to read. (For PyTorch it drops it on one node without
    a launcher too, which its own condition does not mean to.) Checkpoints on the file system are another
    matter, since SageMaker knows nothing of them. Source: sagemaker 2.257.7, estimator.py,
    _validate_and_set_debugger_configs; SageMaker Developer Guide, debugger considerations.
    """
    if not job.hook_is_set or job.training.checkpoint_s3 is None or not job.is_distributed:
        return None
    rules = ", ".join(rule.name for rule in job.tensor_rules)
    return Finding(
        "DEBUGGER_CHECKPOINT_DISTRIBUTED",
        Level.ERROR,
        f"watch.rules holds {rules}, which need Debugger's hook, training.checkpoint_s3 is "
        f"{job.training.checkpoint_s3}, and {job.workload.cluster.nodes} × {job.workload.cluster.instance_type} with "
        f"distribution {job.training.distribution} is distributed; SageMaker does not support the three together",
        "declare checkpoint instead of training.checkpoint_s3, which writes to the file system, or remove these rules",
    )

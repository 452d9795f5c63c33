"""The rule about where a job's checkpoints go."""

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

CHECKPOINT_CHANNEL = "checkpoints"
"""The input channel that mounts the file system writable."""


def checkpoints_on_file_system(job: DeclaredJob) -> Finding | None:
    """Tell where the script has to write its checkpoints, since SageMaker does not copy them.

    CheckpointConfig would copy them to S3 from each node's own disk, and AWS does not support it together with Debugger
    in distributed jobs. Source: SageMaker Developer Guide, debugger considerations; sagemaker-training 5.1.4 for the
    folder.
    """
    if job.workload.checkpoint is None:
        return None
    return Finding(
        "CHECKPOINTS_ON_FILE_SYSTEM",
        Level.INFO,
        f"checkpoint is declared: the file system is mounted writable as channel {CHECKPOINT_CHANNEL}, and nothing but "
        "the script writes to it",
        f"have the script write to a folder below /opt/ml/input/data/{CHECKPOINT_CHANNEL}",
    )

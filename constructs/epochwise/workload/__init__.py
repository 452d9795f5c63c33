"""What a user declares: one workload file, validated whole."""

from epochwise.workload.model import Workload, WorkloadError, read_workload_mapping
from epochwise.workload.sections import (
    Checkpoint,
    Cluster,
    Dataset,
    Epoch,
    FileSystem,
    Objective,
    Training,
    Watch,
    WatchRuleName,
)

__all__ = [
    "Checkpoint",
    "Cluster",
    "Dataset",
    "Epoch",
    "FileSystem",
    "Objective",
    "Training",
    "Watch",
    "WatchRuleName",
    "Workload",
    "WorkloadError",
    "read_workload_mapping",
]

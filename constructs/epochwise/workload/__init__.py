"""What a user declares: one workload file, validated whole."""

from epochwise.workload.model import Workload, WorkloadError, read_workload_mapping
from epochwise.workload.sections import (
    Checkpoint,
    Cluster,
    Dataset,
    Epoch,
    FileSystem,
    Objective,
)
from epochwise.workload.training_section import Batch, Channel, Training
from epochwise.workload.watch_section import RuleAction, Watch, WatchedRule, WatchRuleName

__all__ = [
    "Batch",
    "Channel",
    "Checkpoint",
    "Cluster",
    "Dataset",
    "Epoch",
    "FileSystem",
    "Objective",
    "RuleAction",
    "Training",
    "Watch",
    "WatchRuleName",
    "WatchedRule",
    "Workload",
    "WorkloadError",
    "read_workload_mapping",
]

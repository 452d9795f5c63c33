"""Rules about the global batch and its learning rate.

The numbers are of ResNet-50 on ImageNet, each error the mean of five runs (Goyal et al. 2017).
"""

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

BATCH_HYPERPARAMETERS = (
    "per_device_batch_size",
    "global_batch_size",
    "learning_rate",
    "warmup_start_learning_rate",
    "warmup_epochs",
    "warmup_steps",
    "steps_per_epoch",
)
"""Hyperparameters that `training.batch` adds; the last two only where the number of samples is known."""
LARGEST_GOOD_BATCH = 8192
LARGEST_BATCH = 65536
ERROR_PERCENT = {
    128: 23.49,
    256: 23.60,
    512: 23.48,
    1024: 23.53,
    2048: 23.49,
    4096: 23.56,
    8192: 23.74,
    16384: 24.79,
    32768: 27.55,
    65536: 33.96,
}
"""Top-1 error in percent by global batch."""


def batch_above_good(job: DeclaredJob) -> Finding | None:
    """Warn above the batch up to which the paper's error stays that of small batches.

    Source: Goyal et al. 2017, "Accurate, Large Minibatch SGD".
    """
    batch = job.global_batch()
    if batch is None or not LARGEST_GOOD_BATCH < batch <= LARGEST_BATCH:
        return None
    worse = next(known for known in ERROR_PERCENT if known >= batch)
    return Finding(
        "BATCH_ABOVE_8192",
        Level.WARNING,
        f"{_named(job)}; linear scaling kept the error at {ERROR_PERCENT[LARGEST_GOOD_BATCH]:.2f} % up to a batch of "
        f"{LARGEST_GOOD_BATCH}, and it was {ERROR_PERCENT[worse]:.2f} % at {worse} (Goyal et al. 2017)",
        f"lower training.batch.per_device or cluster.nodes to a global batch of {LARGEST_GOOD_BATCH} or less, or "
        "validate the model",
    )


def batch_diverges(job: DeclaredJob) -> Finding | None:
    """Refuse a batch at which the paper's training diverged.

    An error, since training.batch stands for the paper's rule and for nothing else: a script with another rule or
    optimizer does without the section, and no check looks at its batch. Source: Goyal et al. 2017, "Accurate, Large
    Minibatch SGD".
    """
    batch = job.global_batch()
    if batch is None or batch <= LARGEST_BATCH:
        return None
    return Finding(
        "BATCH_DIVERGES",
        Level.ERROR,
        f"{_named(job)}; with linear scaling the error was {ERROR_PERCENT[LARGEST_BATCH]:.2f} % at {LARGEST_BATCH}, "
        "and training diverged above (Goyal et al. 2017)",
        f"lower training.batch.per_device or cluster.nodes to a global batch of {LARGEST_BATCH} or less, or remove "
        "training.batch and set the rate in training.hyperparameters",
    )


def batch_hyperparameters_kept(job: DeclaredJob) -> Finding | None:
    """Tell which of the user's hyperparameters go before those that are derived from the batch."""
    own = [name for name in BATCH_HYPERPARAMETERS if name in job.training.hyperparameters]
    if job.training.batch is None or not own:
        return None
    return Finding(
        "BATCH_HYPERPARAMETERS_KEPT",
        Level.INFO,
        f"training.hyperparameters holds {', '.join(own)}, which go before those derived from training.batch",
        "remove them to have them derived",
    )


def batch_samples_unknown(job: DeclaredJob) -> Finding | None:
    """Tell that without samples the warmup is told in epochs only."""
    if job.training.batch is None or job.workload.dataset.sample_count is not None:
        return None
    return Finding(
        "BATCH_SAMPLES_UNKNOWN",
        Level.INFO,
        "training.batch is declared and dataset.samples is not, so the steps of an epoch and of the warmup are unknown "
        "and the script is told epochs only",
        "declare dataset.samples, or dataset.files where each file is a sample",
    )


def batch_above_dataset(job: DeclaredJob) -> Finding | None:
    """Warn when one step takes more samples than there are."""
    batch, samples = job.global_batch(), job.workload.dataset.sample_count
    if batch is None or samples is None or batch <= samples:
        return None
    return Finding(
        "BATCH_ABOVE_DATASET",
        Level.WARNING,
        f"{_named(job)}, and the dataset has {samples} samples: an epoch is one step",
        "lower training.batch.per_device or cluster.nodes",
    )


def warmup_beyond_run(job: DeclaredJob) -> Finding | None:
    """Warn when the run ends before its learning rate has reached the one that the batch asks for.

    Source: Goyal et al. 2017, "Accurate, Large Minibatch SGD": gradual warmup.
    """
    batch, epochs = job.training.batch, job.workload.epoch.count
    if batch is None or batch.warmup_epochs <= epochs:
        return None
    return Finding(
        "WARMUP_BEYOND_RUN",
        Level.WARNING,
        f"training.batch.warmup_epochs is {batch.warmup_epochs}, and epoch.count is {epochs}: the run ends before the "
        "learning rate is the scaled one",
        f"set training.batch.warmup_epochs to {epochs} or less, or raise epoch.count",
    )


def _named(job: DeclaredJob) -> str:
    """Say how the global batch comes about."""
    batch, cluster = job.training.batch, job.workload.cluster
    per_device = 0 if batch is None else batch.per_device
    factors = f"{per_device} per device × {job.processes_per_node} × {cluster.nodes} nodes"
    return f"{factors} is a global batch of {job.global_batch()}"

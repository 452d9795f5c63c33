"""How a run is put into words, whatever shows it."""

from collections.abc import Iterator

from epochwise.declaration.quantity_text import rate_text, spent_text
from epochwise.following.run import Job, TrainingRun
from epochwise.following.use import HostUse


def standing_text(run: TrainingRun) -> str:
    """Say in one line how a run stands.

    While the execution still waits, say for late rules, its job may have ended already: both are said.
    """
    said = "the job is not there yet" if run.job is None else job_text(run.job)
    if run.ended:
        said = str(run.outcome)
    if run.training_s is not None:
        said += f" after {spent_text(run.training_s)} of training"
    if not run.ended and run.job is not None and run.job.training_end is not None:
        said += "; the execution has not ended yet"
    return said


def job_text(job: Job) -> str:
    """Say a job's status, and the one below it where that says more."""
    return job.status if job.secondary in {"", job.status} else f"{job.status}, {job.secondary}"


def storage_text(run: TrainingRun) -> str | None:
    """Say what the file system delivers against what is asked for and what it can; None without a figure."""
    said = list(_rates(run))
    return "; ".join(said) if said else None


def _rates(run: TrainingRun) -> Iterator[str]:
    """Yield what is known of the file system's rates."""
    use = run.use
    if use is not None and use.read_mbps is not None:
        share = "" if not run.ceiling_mbps else f" ({use.read_mbps / run.ceiling_mbps:.0%} of its ceiling)"
        yield f"delivers {rate_text(use.read_mbps)} MB/s{share}"
    if use is not None and use.write_mbps:
        yield f"takes {rate_text(use.write_mbps)} MB/s"
    if run.demand_mbps is not None:
        yield f"demand {rate_text(run.demand_mbps)} MB/s"
    if run.ceiling_mbps is not None:
        yield f"ceiling {rate_text(run.ceiling_mbps)} MB/s"


def window_text(run: TrainingRun) -> str:
    """Say which part of a run the figures are the mean of."""
    if run.use is None or run.use.window.recent:
        return "mean of the last minutes"
    return "mean of the whole training"


def busyness_text(hosts: tuple[HostUse, ...]) -> str | None:
    """Say in one line how busy the nodes are; None without a figure."""
    said = []
    for title, kind in (("GPUs", "gpu"), ("CPUs", "cpu")):
        there = {host.name: value for host in hosts if (value := getattr(host, kind)) is not None}
        if there:
            least = min(there, key=lambda name: there[name])
            mean = sum(there.values()) / len(there)
            said.append(f"{title} {mean:.0f}%" + (f", least {there[least]:.0f}% on {least}" if len(there) > 1 else ""))
    return "; ".join(said) if said else None

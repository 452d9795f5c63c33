"""A run as it is read: how it stands, how busy its nodes are, what was found."""

from collections.abc import Iterator
from datetime import datetime

from epochwise.declaration.quantity_text import time_text
from epochwise.following.run import Outcome, ToldFinding, TrainingRun
from epochwise.following.use import HostUse
from epochwise.report.content import Content, Fact, Facts, Remark, Remarks, Row, Table, Tone, content
from epochwise.report.run_words import job_text, standing_text, storage_text, window_text

_MOST_ROWS = 16
"""Nodes that are shown; of more, those whose GPUs are least busy, which the others wait for."""


def run_content(run: TrainingRun) -> Content:
    """Return what one look at a run shows."""
    return content(
        run.name,
        standing_text(run),
        Facts(tuple(_facts(run))),
        _nodes(run),
        Remarks("findings", tuple(finding_remark(told) for told in run.findings)),
        Remarks("rules", tuple(_rules(run))),
        Remarks("not known", tuple(Remark("", said) for said in run.unknown)),
        good=not any(each.outcome in {Outcome.FAILED, Outcome.STOPPED} for each in (run, run.job) if each is not None),
    )


def finding_remark(told: ToldFinding) -> Remark:
    """Return a finding as a remark."""
    tones = {tone.value: tone for tone in Tone}
    try:
        time = time_text(datetime.fromisoformat(told.time))
    except ValueError:
        time = told.time
    text = f"{told.message}; {told.fix} (by {told.source}, {time})"
    return Remark(told.rule, text, tones.get(told.level, Tone.WARNING))


def _facts(run: TrainingRun) -> Iterator[Fact]:
    """Yield what is known in sentences."""
    yield Fact("as of", time_text(run.time))
    if run.reason is not None:
        yield Fact("reason", run.reason)
    execution, job = run.execution, run.job
    if execution is not None:
        ended = "" if execution.stop is None else f", until {time_text(execution.stop)}"
        yield Fact(
            "execution",
            f"{execution.arn.rpartition(':')[2]}: {execution.status}, since {time_text(execution.start)}{ended}",
        )
    if job is not None:
        since = "" if job.since is None else f" since {time_text(job.since)}"
        message = f": {job.message}" if job.message else ""
        yield Fact("job", f"{job_text(job)}{since}{message}")
        yield Fact("cluster", f"{job.nodes} × {job.instance_type}")
    storage = storage_text(run)
    if storage is not None:
        yield Fact("storage", storage)


def _nodes(run: TrainingRun) -> Table:
    """Return how busy each node is."""
    hosts = () if run.use is None else run.use.hosts
    there = [host for host in hosts if not host.is_silent]
    shown = sorted(there, key=_least_first)[:_MOST_ROWS] if len(there) > _MOST_ROWS else there
    title = f"nodes in %, {window_text(run)}"
    if len(shown) < len(there):
        title += f"; the {len(shown)} of {len(there)} whose GPUs are least busy"
    if run.use is not None and run.use.hosts_left_out:
        title += f"; {run.use.hosts_left_out} more are not looked at"
    if len(there) < len(hosts):
        title += f"; {len(hosts) - len(there)} without metrics"
    return Table(
        title,
        ("node", "CPU", "memory", "GPU", "GPU memory"),
        tuple(
            Row((host.name, *(_percent(each) for each in (host.cpu, host.memory, host.gpu, host.gpu_memory))))
            for host in shown
        ),
    )


def _least_first(host: HostUse) -> float:
    """Return what nodes are sorted by."""
    return -1.0 if host.gpu is None else host.gpu


def _percent(value: float | None) -> str:
    """Render a share, or that there is none."""
    return "-" if value is None else f"{value:.0f}"


def _rules(run: TrainingRun) -> Iterator[Remark]:
    """Yield what rules say that found nothing, and how far Debugger is with its own."""
    found = {told.rule for told in run.findings if told.source == "cloudwatch"}
    for rule, reason in run.verdicts.items():
        if rule not in found:
            yield Remark(rule, reason)
    for status in () if run.job is None else run.job.rules:
        yield Remark(status.rule, f"{status.status}, by debugger")

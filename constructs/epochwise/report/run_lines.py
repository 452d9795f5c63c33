"""A run as lines with times, for pipes and logs: what is new since the look before, and the figures now and then."""

from collections.abc import Iterator
from datetime import UTC, datetime

from epochwise.declaration.one_line import one_line
from epochwise.following.run import TrainingRun
from epochwise.report.run_text import finding_remark
from epochwise.report.run_words import busyness_text, job_text, standing_text, storage_text

FIGURES_EVERY_S = 600
"""Seconds between two lines of figures, so that the log of a long run stays short."""


class RunLines:
    """Turns looks into lines; remembers what was said."""

    def __init__(self) -> None:
        """Say everything at the first look."""
        self._last: TrainingRun | None = None
        self._figures_at: datetime | None = None

    def of(self, run: TrainingRun) -> list[str]:
        """Return the lines of a look, none where nothing is new."""
        stamp = f"{run.time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        lines = [f"{stamp} {run.name}: {one_line(said)}" for said in self._said(run)]
        self._last = run
        return lines

    def _said(self, run: TrainingRun) -> Iterator[str]:
        """Yield what is new."""
        last = self._last
        told = set() if last is None else {finding.id for finding in last.findings}
        known = set() if last is None else set(last.unknown)
        if not run.ended and (last is None or _status(last) != _status(run)):
            message = "" if run.job is None or not run.job.message else f": {run.job.message}"
            yield _status(run) + message
        for finding in run.findings:
            if finding.id not in told:
                yield finding_remark(finding).sentence
        for unknown in run.unknown:
            if unknown not in known:
                yield f"not known: {unknown}"
        if self._figures_are_due(run):
            figures = [] if run.use is None else [busyness_text(run.use.hosts)]
            said = [each for each in (*figures, storage_text(run)) if each]
            if said:
                self._figures_at = run.time
                yield "; ".join(said)
        if run.ended:
            yield standing_text(run) + ("" if run.reason is None else f": {run.reason}")

    def _figures_are_due(self, run: TrainingRun) -> bool:
        """Tell whether it is time for figures: at the first ones, now and then, and at the end."""
        if run.use is None or run.use.is_silent:
            return False
        at = self._figures_at
        return at is None or run.ended or (run.time - at).total_seconds() >= FIGURES_EVERY_S


def _status(run: TrainingRun) -> str:
    """Return what changes seldom."""
    if run.job is None or run.job.training_end is not None:
        return standing_text(run)
    return job_text(run.job)

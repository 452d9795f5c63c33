"""The global batch and its learning rate as they are read."""

from typing import Any

from epochwise.report.content import Content, Fact, Facts, Remark, Remarks, Row, Table, Tone, content
from epochwise.training.batch_plan import BatchPlan
from epochwise.training.learning_rate import LearningRate


def batch_content(planned: BatchPlan) -> Content:
    """Return what a batch comes to."""
    declared = planned.declared
    return content(
        planned.workload.name,
        f"a global batch of {declared.global_batch} takes a learning rate of {_rate(declared.rate)}, "
        + _warmup(declared),
        Facts(
            (
                Fact(
                    "reference",
                    f"{_rate(declared.base_rate)} at a batch of {declared.base_batch}; rate grows as batch does",
                ),
                Fact("told to", "the script as hyperparameters: " + ", ".join(declared.hyperparameters)),
            )
        ),
        Table(
            f"{declared.per_device} samples per device",
            ("nodes", "batch", "rate", "steps/epoch", "warmup steps", "start", "middle", "end"),
            tuple(_row(point, marked=point.nodes == declared.nodes) for point in planned.points),
        ),
        Remarks(
            "findings",
            tuple(
                Remark(finding.id, f"{finding.message}; {finding.fix}", Tone(finding.level))
                for finding in planned.findings
            ),
        ),
        good=not planned.refused,
    )


def batch_dict(planned: BatchPlan) -> dict[str, Any]:
    """Return the same as plain values."""
    return {
        "workload": planned.workload.name,
        "declared": planned.declared.as_dict(),
        "points": [point.as_dict() for point in planned.points],
        "findings": [finding.as_dict() for finding in planned.findings],
    }


def _row(point: LearningRate, *, marked: bool) -> Row:
    """Return one number of nodes."""
    warm = point.warmup_epochs > 0
    middle = point.start_rate + (point.rate - point.start_rate) / 2
    return Row(
        (
            str(point.nodes),
            str(point.global_batch),
            _rate(point.rate),
            _count(point.steps_per_epoch),
            _count(point.warmup_steps),
            _rate(point.start_rate) if warm else "",
            _rate(middle) if warm else "",
            _rate(point.rate) if warm else "",
        ),
        marked=marked,
    )


def _warmup(point: LearningRate) -> str:
    """Say how the rate gets there."""
    if not point.warmup_epochs:
        return "without warmup"
    steps = "" if point.warmup_steps is None else f" ({point.warmup_steps} steps)"
    return f"reached from {_rate(point.base_rate)} over {point.warmup_epochs} epochs{steps}"


def _rate(rate: float) -> str:
    """Render a rate with as many digits as it has, up to six."""
    return f"{rate:.6g}"


def _count(steps: int | None) -> str:
    """Render a number of steps, or nothing where it is unknown."""
    return "" if steps is None else str(steps)

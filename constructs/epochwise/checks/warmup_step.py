"""Whether the learning rate of one step can be told. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level


def step_negative(step: int) -> Iterator[Finding]:
    """Steps are counted from 0."""
    if step < 0:
        yield Finding("STEP_NEGATIVE", Level.ERROR, f"step must be 0 or more, got {step}", "nearest legal: 0")


def warmup_steps_unknown(warmup_steps: int | None, warmup_epochs: int) -> Iterator[Finding]:
    """How many steps a warmup has follows from the number of samples."""
    if warmup_steps is None:
        yield Finding(
            "WARMUP_STEPS_UNKNOWN",
            Level.ERROR,
            f"the steps of a warmup of {warmup_epochs} epochs need dataset.samples or dataset.files, got neither",
            "declare dataset.samples",
        )

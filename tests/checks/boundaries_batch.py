"""Boundaries of what must be declared before a batch and its warmup can be told."""

from functools import partial

from epochwise.checks.batch_plan import batch_not_declared
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding
from epochwise.checks.warmup_step import step_negative, warmup_steps_unknown
from tests.checks.boundaries import Row
from tests.checks.test_training_option_findings import trained


def _told(**training: object) -> list[Finding]:
    job = DeclaredJob.of(trained(**training))
    assert job is not None
    return list(batch_not_declared(job))


ROWS = (
    Row("BATCH_NOT_DECLARED", _told, "training.batch is not declared"),
    Row("BATCH_NOT_DECLARED", partial(_told, batch={"per_device": 1}), None),
    Row("STEP_NEGATIVE", partial(step_negative, -1), "got -1"),
    Row("STEP_NEGATIVE", partial(step_negative, 0), None),
    Row("WARMUP_STEPS_UNKNOWN", partial(warmup_steps_unknown, None, 5), "5 epochs"),
    Row("WARMUP_STEPS_UNKNOWN", partial(warmup_steps_unknown, 0, 0), None),
)

"""Moto's server, taught that a training job takes time: hyperparameters say its status and its times.

Of its own, moto ends every job in the moment in which it is created.
"""

from datetime import UTC, datetime
from typing import Any

from moto.sagemaker.models import FakeTrainingJob
from moto.server import main

STATUS, START, END = "moto_status", "moto_start", "moto_end"
"""Hyperparameters; the times are seconds since 1970, and an empty one is a time that has not come."""

_made = FakeTrainingJob.__init__


def _make(self: FakeTrainingJob, *given: Any, **named: Any) -> None:
    """Make a job of moto's, then give it the times that it was told."""
    _made(self, *given, **named)
    told = self.hyper_parameters or {}
    self.training_job_status = told.get(STATUS, self.training_job_status)
    for name, attribute in ((START, "training_start_time"), (END, "training_end_time")):
        if name in told:
            seconds = told[name]
            setattr(self, attribute, datetime.fromtimestamp(float(seconds), tz=UTC) if seconds else None)


def teach() -> None:
    """Teach moto."""
    for owner, method, taught in [(FakeTrainingJob, "__init__", _make)]:
        setattr(owner, method, taught)


if __name__ == "__main__":
    teach()
    main()

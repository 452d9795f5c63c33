"""Boundaries of what is said about the topic that a job is given."""

from functools import partial

from epochwise.checks import job_telling
from tests.checks.boundaries import Row

ROWS = (
    Row("TOPIC_IS_FIFO", partial(job_telling.topic_is_fifo, "a", fifo=True), "got a, a FIFO topic"),
    Row("TOPIC_IS_FIFO", partial(job_telling.topic_is_fifo, "a", fifo=False), None),
    Row("TOPIC_POLICY_UNSEEN", partial(job_telling.topic_policy_unseen, "a", imported=True), "whether topic a"),
    Row("TOPIC_POLICY_UNSEEN", partial(job_telling.topic_policy_unseen, "a", imported=False), None),
)

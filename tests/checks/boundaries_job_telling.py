"""Boundaries of what is said about the topic and the key that a job is given."""

from functools import partial

from epochwise.checks import job_telling
from tests.checks.boundaries import Row

EAST, WEST = "us-east-1", "us-west-2"

ROWS = (
    Row("TOPIC_IS_FIFO", partial(job_telling.topic_is_fifo, "a", fifo=True), "got a, a FIFO topic"),
    Row("TOPIC_IS_FIFO", partial(job_telling.topic_is_fifo, "a", fifo=False), None),
    Row("TOPIC_OF_OTHER_REGION", partial(job_telling.topic_of_other_region, "a", WEST, EAST), "got a in us-west-2"),
    Row("TOPIC_OF_OTHER_REGION", partial(job_telling.topic_of_other_region, "a", EAST, EAST), None),
    Row("TOPIC_POLICY_UNSEEN", partial(job_telling.topic_policy_unseen, "a", imported=True), "whether topic a"),
    Row("TOPIC_POLICY_UNSEEN", partial(job_telling.topic_policy_unseen, "a", imported=False), None),
    Row("ENCRYPTION_KEY_IS_ALIAS", partial(job_telling.encryption_key_is_alias, "a", alias=True), "got a, an alias"),
    Row("ENCRYPTION_KEY_IS_ALIAS", partial(job_telling.encryption_key_is_alias, "a", alias=False), None),
)

"""Boundaries of what is said about the account that a job runs in."""

from functools import partial

from epochwise.checks import job_deployment as deployment
from tests.checks.boundaries import Row

NETWORK = partial(deployment.job_network_out_of_range, "subnet_ids", most=16)
OUTPUT = deployment.job_output_with_slash

ROWS = (
    Row("JOB_NETWORK_OUT_OF_RANGE", partial(NETWORK, 0), "got 0"),
    Row("JOB_NETWORK_OUT_OF_RANGE", partial(NETWORK, 17), "got 17"),
    Row("JOB_NETWORK_OUT_OF_RANGE", partial(NETWORK, 16), None),
    Row("JOB_OUTPUT_WITH_SLASH", partial(OUTPUT, "s3://bucket/"), "got 's3://bucket/'"),
    Row("JOB_OUTPUT_WITH_SLASH", partial(OUTPUT, "s3://bucket"), None),
)

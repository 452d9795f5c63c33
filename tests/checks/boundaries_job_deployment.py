"""Boundaries of what is said about where a training job is deployed."""

from functools import partial

from epochwise.checks.job_deployment import output_uri_ends_in_slash, vpc_config_out_of_range
from tests.checks.boundaries import Row

ROWS = (
    Row("VPC_CONFIG_OUT_OF_RANGE", partial(vpc_config_out_of_range, "subnet_ids", 0, 16), "got 0"),
    Row("VPC_CONFIG_OUT_OF_RANGE", partial(vpc_config_out_of_range, "subnet_ids", 17, 16), "got 17"),
    Row("VPC_CONFIG_OUT_OF_RANGE", partial(vpc_config_out_of_range, "subnet_ids", 1, 16), None),
    Row("VPC_CONFIG_OUT_OF_RANGE", partial(vpc_config_out_of_range, "subnet_ids", 16, 16), None),
    Row("OUTPUT_URI_ENDS_IN_SLASH", partial(output_uri_ends_in_slash, "s3://bucket/out/"), "got 's3://bucket/out/'"),
    Row("OUTPUT_URI_ENDS_IN_SLASH", partial(output_uri_ends_in_slash, "s3://bucket/out"), None),
)

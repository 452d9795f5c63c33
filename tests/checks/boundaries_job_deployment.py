"""Boundaries of what is said about where a training job is deployed."""

from functools import partial

from epochwise.checks.job_deployment import deployment_value_illegal, output_uri_ends_in_slash, vpc_config_out_of_range
from tests.checks.boundaries import Row

VALUES = [
    ("job_name", "-job", "got '-job'"),
    ("job_name", "job-1", None),
    ("role_arn", "Role", "got 'Role'"),
    ("role_arn", "arn:aws:iam::111111111111:role/R", None),
    ("subnet_ids", "", "got ''"),
    ("security_group_ids", "sg 1", "got 'sg 1'"),
    ("file_system_id", "fs-0123456789abcdef0", None),
    ("file_system_id", "/fsx", "got '/fsx'"),
    ("mount_name", "fsx/a", "got 'fsx/a'"),
    ("output_s3_uri", "/opt/ml", "got '/opt/ml'"),
    ("region", "Virginia", "got 'Virginia'"),
    ("region", "us-gov-east-1", None),
    ("region", "<REGION>", None),
    ("subnet_ids", "${Token[A.1]}", None),
    ("subnet_ids", "#{Token[A.1]}", None),
]

ROWS = (
    *(
        Row("DEPLOYMENT_VALUE_ILLEGAL", partial(deployment_value_illegal, name, value), says)
        for name, value, says in VALUES
    ),
    Row("VPC_CONFIG_OUT_OF_RANGE", partial(vpc_config_out_of_range, "subnet_ids", 0, 16), "got 0"),
    Row("VPC_CONFIG_OUT_OF_RANGE", partial(vpc_config_out_of_range, "subnet_ids", 17, 16), "got 17"),
    Row("VPC_CONFIG_OUT_OF_RANGE", partial(vpc_config_out_of_range, "subnet_ids", 1, 16), None),
    Row("VPC_CONFIG_OUT_OF_RANGE", partial(vpc_config_out_of_range, "subnet_ids", 16, 16), None),
    Row("OUTPUT_URI_ENDS_IN_SLASH", partial(output_uri_ends_in_slash, "s3://bucket/out/"), "got 's3://bucket/out/'"),
    Row("OUTPUT_URI_ENDS_IN_SLASH", partial(output_uri_ends_in_slash, "s3://bucket/out"), None),
)

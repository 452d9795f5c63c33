"""Ask EC2 which instance types a Region has, and what they are."""

from typing import Any

from epochwise.live.aws import Aws


def offered_instance_types(aws: Aws) -> list[dict[str, Any]]:
    """Return EC2's description of each instance type that is offered in a Region.

    Needs the permissions ec2:DescribeInstanceTypes and ec2:DescribeInstanceTypeOfferings.

    Raises:
        AwsError: AWS does not answer.
    """
    offered = {
        offering["InstanceType"]
        for page in aws.pages("ec2", "describe_instance_type_offerings", LocationType="region")
        for offering in page["InstanceTypeOfferings"]
    }
    return [
        record
        for page in aws.pages("ec2", "describe_instance_types")
        for record in page["InstanceTypes"]
        if record["InstanceType"] in offered
    ]


def training_instance_types(aws: Aws) -> frozenset[str]:
    """Return the types that CreateTrainingJob takes, as the installed boto3 knows them; nothing is asked."""
    return frozenset(aws.choices("sagemaker", "TrainingInstanceType"))

"""An app of 300 plain resources, a third of them file systems, judged by `EpochwiseChecks` where JUDGED is set."""

import os

from aws_cdk import App, Stack, Validations
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_s3 as s3

THIRD = 100


def main() -> None:
    """Synthesize."""
    app = App()
    stack = Stack(app, "Plain")
    for number in range(THIRD):
        group = ec2.CfnSecurityGroup(stack, f"Group{number}", group_description="servers", vpc_id="vpc-0")
        fsx.CfnFileSystem(
            stack,
            f"FileSystem{number}",
            file_system_type="LUSTRE",
            file_system_type_version="2.15",
            subnet_ids=["subnet-0"],
            security_group_ids=[group.ref],
            storage_capacity=1200,
            lustre_configuration=fsx.CfnFileSystem.LustreConfigurationProperty(deployment_type="SCRATCH_2"),
        )
        s3.CfnBucket(stack, f"Bucket{number}")
    if os.environ.get("JUDGED"):
        from epochwise import EpochwiseChecks

        Validations.of(app).add_plugins(EpochwiseChecks())
    app.synth()


if __name__ == "__main__":
    main()

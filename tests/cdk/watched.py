"""A file system that stands for any other, for what is shared by all of them."""

from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from epochwise.cdk.lustre_file_system import LustreFileSystem


class AnyFileSystem(LustreFileSystem):
    def __init__(
        self,
        scope: Construct,
        construct_id: str = "FileSystem",
        *,
        file_system_id: str = "fs-0123456789abcdef0",
        efa_enabled: bool = False,
        lustre_version: str | None = "2.15",
    ) -> None:
        super().__init__(scope, construct_id)
        self.file_system_id = file_system_id
        self.dns_name = f"{file_system_id}.fsx.us-east-1.amazonaws.com"
        self.mount_name = "abcdefgh"
        self.security_groups: list[ec2.ISecurityGroup] = []
        self.efa_enabled = efa_enabled
        self.lustre_version = lustre_version
        self._connections = ec2.Connections()

"""`ImportedTrainingFileSystem`: a file system that others own, as far as its clients are concerned."""

from collections.abc import Sequence

from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.given_groups import once_each
from epochwise.cdk.lustre_access import LustreAccess, LustreClients
from epochwise.cdk.lustre_connections import LustreConnections
from epochwise.cdk.lustre_file_system import LustreFileSystem
from epochwise.cdk.tokens import is_token
from epochwise.checks.file_system_access import (
    dns_name_invalid,
    file_system_groups_out_of_range,
    file_system_id_invalid,
    host_of_other_file_system,
    mount_name_invalid,
)


class ImportedTrainingFileSystem(LustreClients, LustreFileSystem):
    """A file system that exists already, made by `TrainingFileSystem.from_attributes`.

    Rules are added to its groups where those can be changed (CDK imports groups as mutable by default), and nothing
    else of it is touched: its links, its size and its removal are its owner's.
    """

    @arguments_of_their_kind()
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        file_system_id: str,
        dns_name: str,
        mount_name: str,
        security_groups: Sequence[ec2.ISecurityGroup],
        efa_enabled: bool = False,
    ) -> None:
        """Take the attributes of a file system.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            file_system_id: FSx's id, fs-0123456789abcdef0.
            dns_name: host to mount from, or the IPv4 address of its first interface where the name does not resolve.
            mount_name: FSx's mount name, 1 to 8 characters.
            security_groups: groups of its file servers, at least one.
            efa_enabled: whether clients can mount over EFA, which decides the rules of clients.

        Raises:
            ValueError: an attribute is none that FSx gives.
        """
        names = (
            (file_system_id_invalid, file_system_id),
            (dns_name_invalid, dns_name),
            (mount_name_invalid, mount_name),
        )
        remarks = refuse_errors(
            [
                *(finding for check, value in names if not is_token(value, str) for finding in check(value)),
                *(
                    ()
                    if is_token(file_system_id, str) or is_token(dns_name, str)
                    else host_of_other_file_system(dns_name, file_system_id)
                ),
                *file_system_groups_out_of_range(len(security_groups)),
            ]
        )
        groups = once_each(security_groups)
        super().__init__(scope, construct_id)
        self.file_system_id = file_system_id
        self.dns_name = dns_name
        self.mount_name = mount_name
        self.security_groups = groups
        self.efa_enabled = efa_enabled
        self._access = LustreAccess(self, groups, efa_enabled=efa_enabled)
        self._connections = LustreConnections(
            security_groups=groups, efa_enabled=efa_enabled, access=self._access, allow_client=self.allow_client
        )
        annotate(self, [*remarks, *self._access.findings])

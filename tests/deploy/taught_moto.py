"""Moto's server, taught what it lacks to deploy the reference app and to take it down again.

CloudFormation there knows neither FSx nor SecurityGroupEgress, and deletes neither rules nor route tables. A file
system becomes one of moto's own, so that `describe_file_systems` shows it; a link to S3 is only remembered. What it is
taught of training jobs stands beside this file.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from moto.cloudformation.parsing import ResourceMap
from moto.core.common_models import CloudFormationModel
from moto.ec2.models import ec2_backends
from moto.ec2.models.route_tables import RouteTable
from moto.ec2.models.security_groups import SecurityGroupIngress
from moto.ec2.models.subnets import SubnetRouteTableAssociation
from moto.fsx.models import FileSystem, fsx_backends
from moto.server import main

from tests.deploy.taught_jobs import teach as teach_jobs

MOTO_MODULE = "moto.fsx.models"
"""Moto files its models by the module they come from."""


class LustreFileSystem(CloudFormationModel):
    """AWS::FSx::FileSystem."""

    __module__ = MOTO_MODULE

    def __init__(self, file_system: FileSystem) -> None:
        self.file_system = file_system

    @property
    def physical_resource_id(self) -> str:
        return self.file_system.file_system_id

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::FSx::FileSystem"

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        return attr == "LustreMountName"

    def get_cfn_attribute(self, attribute_name: str) -> str:
        assert attribute_name == "LustreMountName"
        return "abcdefgh"

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kwargs: Any
    ) -> "LustreFileSystem":
        asked = cloudformation_json["Properties"]
        file_system = fsx_backends[account_id][region_name].create_file_system(
            client_request_token="",
            file_system_type=asked["FileSystemType"],
            storage_capacity=int(asked["StorageCapacity"]),
            storage_type=asked["StorageType"],
            subnet_ids=asked["SubnetIds"],
            security_group_ids=asked["SecurityGroupIds"],
            tags=asked.get("Tags"),
            kms_key_id=asked.get("KmsKeyId"),
            windows_configuration=None,
            lustre_configuration=asked["LustreConfiguration"],
            ontap_configuration=None,
            file_system_type_version=asked["FileSystemTypeVersion"],
            open_zfs_configuration=None,
        )
        return cls(file_system)

    @classmethod
    def update_from_cloudformation_json(
        cls,
        original_resource: "LustreFileSystem",
        new_resource_name: str,
        cloudformation_json: Any,
        account_id: str,
        region_name: str,
    ) -> "LustreFileSystem":
        """Grow in place; any other change makes another file system, which is stricter than FSx."""
        asked, grown = cloudformation_json["Properties"], original_resource.file_system
        there = (grown.storage_type, grown.subnet_ids, grown.security_group_ids, grown.lustre_configuration)
        wanted = ("StorageType", "SubnetIds", "SecurityGroupIds", "LustreConfiguration")
        if there != tuple(asked[name] for name in wanted):
            return cls.create_from_cloudformation_json(new_resource_name, cloudformation_json, account_id, region_name)
        grown.storage_capacity = int(asked["StorageCapacity"])
        return original_resource

    def delete(self, account_id: str, region_name: str) -> None:
        fsx_backends[account_id][region_name].file_systems.pop(self.physical_resource_id, None)


class DataRepositoryAssociation(CloudFormationModel):
    """AWS::FSx::DataRepositoryAssociation."""

    __module__ = MOTO_MODULE

    physical_resource_id = "dra-0123456789abcdef0"

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::FSx::DataRepositoryAssociation"

    @classmethod
    def create_from_cloudformation_json(cls, *_asked: Any, **_more: Any) -> "DataRepositoryAssociation":
        return cls()

    def delete(self, account_id: str, region_name: str) -> None:
        pass


class SecurityGroupEgress(CloudFormationModel):
    """AWS::EC2::SecurityGroupEgress: the first one takes the place of the default way out."""

    __module__ = "moto.ec2.models"
    groups_without_default: ClassVar[set[str]] = set()

    def __init__(self, properties: Any) -> None:
        self.properties = properties

    @property
    def physical_resource_id(self) -> str:
        return "sgr-0123456789abcdef0"

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::EC2::SecurityGroupEgress"

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kwargs: Any
    ) -> "SecurityGroupEgress":
        asked = cloudformation_json["Properties"]
        backend = ec2_backends[account_id][region_name]
        group = backend.get_security_group_from_id(asked["GroupId"])
        assert group is not None
        if group.id not in cls.groups_without_default:
            group.egress_rules.clear()
            cls.groups_without_default.add(group.id)
        backend.authorize_security_group_egress(**_rule(asked, "DestinationSecurityGroupId"))
        return cls(asked)

    def delete(self, account_id: str, region_name: str) -> None:
        backend = ec2_backends[account_id][region_name]
        backend.revoke_security_group_egress(**_rule(self.properties, "DestinationSecurityGroupId"))


def _rule(properties: dict[str, Any], peer: str) -> dict[str, Any]:
    """Return a rule's properties as moto's backend takes them."""
    return {
        "group_name_or_id": properties["GroupId"],
        "ip_protocol": properties["IpProtocol"],
        "from_port": properties.get("FromPort"),
        "to_port": properties.get("ToPort"),
        "ip_ranges": [{"CidrIp": properties["CidrIp"]}] if "CidrIp" in properties else [],
        "source_groups": [{"GroupId": properties[peer]}] if peer in properties else [],
    }


def _revoke_ingress(ingress: SecurityGroupIngress, account_id: str, region_name: str) -> None:
    """Delete an AWS::EC2::SecurityGroupIngress."""
    backend = ec2_backends[account_id][region_name]
    backend.revoke_security_group_ingress(**_rule(ingress.properties, "SourceSecurityGroupId"))


def _disassociate(association: SubnetRouteTableAssociation, account_id: str, region_name: str) -> None:
    """Delete an AWS::EC2::SubnetRouteTableAssociation."""
    route_table = ec2_backends[account_id][region_name].get_route_table(association.route_table_id)
    for association_id, subnet_id in list(route_table._associations.items()):
        if subnet_id == association.subnet_id:
            del route_table._associations[association_id]


def _delete_route_table(route_table: RouteTable, account_id: str, region_name: str) -> None:
    """Delete an AWS::EC2::RouteTable."""
    ec2_backends[account_id][region_name].delete_route_table(route_table.id)


def _delete_in_reverse(resources: ResourceMap) -> None:
    """Delete a stack's resources, last one first and each once, but for retained ones.

    Moto forgets each resource as it goes and creates it again when the next one refers to it.
    """
    left = [
        logical_id
        for logical_id, resource in resources._resource_json_map.items()
        if resource.get("DeletionPolicy") != "Retain" and resources._parsed_resources.get(logical_id) is not None
    ]
    while left:
        refused: dict[str, Exception] = {}
        for logical_id in reversed(left):
            try:
                resources._delete_resource(
                    resources._parsed_resources[logical_id], resources._resource_json_map[logical_id]
                )
            except Exception as error:  # noqa: BLE001 - whatever depends on something is tried again
                refused[logical_id] = error
        if len(refused) == len(left):
            raise next(iter(refused.values()))
        left = [logical_id for logical_id in left if logical_id in refused]


_TAUGHT: list[tuple[type, str, Callable[..., Any]]] = [
    (RouteTable, "delete", _delete_route_table),
    (SecurityGroupIngress, "delete", _revoke_ingress),
    (SubnetRouteTableAssociation, "delete", _disassociate),
    (ResourceMap, "delete", _delete_in_reverse),
]
for owner, method, taught in _TAUGHT:
    setattr(owner, method, taught)
teach_jobs()


if __name__ == "__main__":
    main()

"""Moto's server, taught what it lacks to deploy the reference app and to take it down again.

CloudFormation there knows neither FSx nor SecurityGroupEgress, deletes neither rules nor route tables, and deletes
subnets and groups that are in use. What it is taught of file systems, of stacks and of training jobs stands beside this
file.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from moto.cloudformation.parsing import ResourceMap
from moto.core.common_models import CloudFormationModel
from moto.ec2.exceptions import DependencyViolationError
from moto.ec2.models import EC2Backend, ec2_backends
from moto.ec2.models.route_tables import RouteTable
from moto.ec2.models.security_groups import SecurityGroupIngress
from moto.ec2.models.subnets import SubnetRouteTableAssociation
from moto.server import main

from tests.deploy.taught_fsx import in_use
from tests.deploy.taught_fsx import teach as teach_fsx
from tests.deploy.taught_jobs import teach as teach_jobs
from tests.deploy.taught_stacks import teach as teach_stacks

_delete_group, _delete_subnet = EC2Backend._delete_security_group, EC2Backend.delete_subnet


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


def _delete_unused_group(backend: EC2Backend, vpc_id: str | None, group_id: str) -> Any:
    """Delete a security group that no interface is in and no other group's rule names."""
    naming = {
        group.id
        for groups in backend.groups.values()
        for group in groups.values()
        for rule in (*group.ingress_rules, *group.egress_rules)
        if rule.source_group.get("GroupId") == group_id
    }
    if naming - {group_id} or group_id in in_use(backend.account_id, backend.region_name):
        raise DependencyViolationError(f"resource {group_id} has a dependent object")
    return _delete_group(backend, vpc_id, group_id)


def _delete_unused_subnet(backend: EC2Backend, subnet_id: str) -> Any:
    """Delete a subnet without interfaces of a file system."""
    if subnet_id in in_use(backend.account_id, backend.region_name):
        raise DependencyViolationError(f"The subnet '{subnet_id}' has dependencies and cannot be deleted.")
    return _delete_subnet(backend, subnet_id)


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
    (EC2Backend, "_delete_security_group", _delete_unused_group),
    (EC2Backend, "delete_subnet", _delete_unused_subnet),
]
for owner, method, taught in _TAUGHT:
    setattr(owner, method, taught)
teach_fsx()
teach_stacks()
teach_jobs()


if __name__ == "__main__":
    main()

"""What moto's server is taught of FSx: file systems and their links to S3, as resources that refuse what FSx refuses.

A file system becomes one of moto's own, so that `describe_file_systems` shows it, and
`describe_data_repository_associations` shows its links. What is refused stands in the modules of refusals beside this
one.
"""

import json
import time
from collections.abc import Callable, Sequence
from math import inf
from typing import Any
from uuid import uuid4

from moto.core.common_models import CloudFormationModel
from moto.core.exceptions import ServiceException
from moto.ec2.models import ec2_backends
from moto.fsx.models import FileSystem, FSxBackend, fsx_backends
from moto.fsx.responses import FSxResponse

from tests.deploy.association_refusals import association_refusals
from tests.deploy.lustre_refusals import Properties, deployment_type, refusals
from tests.deploy.lustre_update_refusals import is_growth, is_replaced, update_refusals

MOTO_MODULE = "moto.fsx.models"
"""Moto files its models by the module they come from."""
QUOTA_GIB = 100_800
"""Of all file systems of a deployment type in an account and Region (User Guide, limits); scratch types share one."""
LNET_PORT = 988


class RefusedError(ServiceException):
    code = "BadRequest"


class LustreFileSystem(CloudFormationModel):
    """AWS::FSx::FileSystem."""

    __module__ = MOTO_MODULE

    def __init__(self, file_system: FileSystem, asked: Properties) -> None:
        self.file_system, self.asked = file_system, asked
        self.grown_at = -inf

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
        backend = fsx_backends[account_id][region_name]
        _refuse([*refusals(asked), *_of_lnet(asked, account_id, region_name), *_of_quota(asked, None, backend)])
        file_system = backend.create_file_system(
            client_request_token="",
            file_system_type=asked["FileSystemType"],
            storage_capacity=int(asked.get("StorageCapacity", 0)),
            storage_type=asked.get("StorageType", "SSD"),
            subnet_ids=asked["SubnetIds"],
            security_group_ids=asked.get("SecurityGroupIds", []),
            tags=asked.get("Tags"),
            kms_key_id=asked.get("KmsKeyId"),
            windows_configuration=None,
            lustre_configuration=asked.get("LustreConfiguration", {}),
            ontap_configuration=None,
            file_system_type_version=asked.get("FileSystemTypeVersion"),
            open_zfs_configuration=None,
        )
        created = cls(file_system, asked)
        _created[created.physical_resource_id] = created
        return created

    @classmethod
    def update_from_cloudformation_json(
        cls,
        original_resource: "LustreFileSystem",
        new_resource_name: str,
        cloudformation_json: Any,
        account_id: str,
        region_name: str,
    ) -> "LustreFileSystem":
        """Change in place, or make another one where CloudFormation does; the old one goes unless it is retained."""
        old, asked = original_resource.asked, cloudformation_json["Properties"]
        if is_replaced(old, asked):
            new = cls.create_from_cloudformation_json(new_resource_name, cloudformation_json, account_id, region_name)
            if cloudformation_json.get("UpdateReplacePolicy") != "Retain":
                original_resource.delete(account_id, region_name)
            return new
        backend = fsx_backends[account_id][region_name]
        age_s = time.monotonic() - original_resource.grown_at
        _refuse([*update_refusals(old, asked, since_last_growth_s=age_s), *_of_quota(asked, old, backend)])
        if is_growth(old, asked):
            original_resource.grown_at = time.monotonic()
        original_resource.asked = asked
        changed = original_resource.file_system
        changed.storage_capacity = int(asked.get("StorageCapacity", 0))
        changed.lustre_configuration = asked.get("LustreConfiguration", {})
        return original_resource

    def delete(self, account_id: str, region_name: str) -> None:
        backend = fsx_backends[account_id][region_name]
        if self.physical_resource_id in backend.file_systems:
            backend.delete_file_system(self.physical_resource_id, "", None, None, None)


class DataRepositoryAssociation(CloudFormationModel):
    """AWS::FSx::DataRepositoryAssociation."""

    __module__ = MOTO_MODULE

    def __init__(self, asked: Properties) -> None:
        self.asked = asked
        self.physical_resource_id = f"dra-{uuid4().hex[:17]}"

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::FSx::DataRepositoryAssociation"

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **kwargs: Any
    ) -> "DataRepositoryAssociation":
        asked = cloudformation_json["Properties"]
        file_system = asked.get("FileSystemId")
        if file_system not in fsx_backends[account_id][region_name].file_systems:
            _refuse([f"there is no file system {file_system} to link"])
        others = [each.asked for each in _links.values() if each.asked["FileSystemId"] == file_system]
        _refuse(list(association_refusals(asked, _created[file_system].asked, others)))
        created = cls(asked)
        _links[created.physical_resource_id] = created
        return created

    @classmethod
    def update_from_cloudformation_json(
        cls,
        original_resource: "DataRepositoryAssociation",
        new_resource_name: str,
        cloudformation_json: Any,
        account_id: str,
        region_name: str,
    ) -> "DataRepositoryAssociation":
        """Make another one, whatever changes: the library changes none in place."""
        original_resource.delete(account_id, region_name)
        return cls.create_from_cloudformation_json(new_resource_name, cloudformation_json, account_id, region_name)

    def delete(self, _account_id: str, _region_name: str) -> None:
        _links.pop(self.physical_resource_id, None)

    def described(self) -> dict[str, Any]:
        return {**self.asked, "AssociationId": self.physical_resource_id, "Lifecycle": "AVAILABLE"}


_created: dict[str, LustreFileSystem] = {}
_links: dict[str, DataRepositoryAssociation] = {}
_delete = FSxBackend.delete_file_system


def _refuse(reasons: Sequence[str]) -> None:
    """Refuse for reasons, if there are any."""
    if reasons:
        raise RefusedError("; ".join(reasons))


def _of_lnet(asked: Properties, account_id: str, region_name: str) -> list[str]:
    """Refuse groups that keep file servers from each other (User Guide, cannot-create-fs)."""
    backend = ec2_backends[account_id][region_name]
    ids = set(asked.get("SecurityGroupIds", ()))
    groups = [backend.get_security_group_from_id(each) for each in ids]
    for listed in ("ingress_rules", "egress_rules"):
        rules = [rule for group in groups if group is not None for rule in getattr(group, listed)]
        if not any(_lets_lnet(rule, ids) for rule in rules):
            return [f"the security groups do not permit Lustre LNET traffic on port {LNET_PORT} ({listed})"]
    return []


def _lets_lnet(rule: Any, groups: set[str]) -> bool:
    """Tell whether a rule lets Lustre's traffic through to one of groups, or to any address."""
    every = str(rule.ip_protocol) == "-1"
    ports = every or (rule.ip_protocol == "tcp" and int(rule.from_port) <= LNET_PORT <= int(rule.to_port))
    return ports and (bool(rule.ip_range) or rule.source_group.get("GroupId") in groups)


def _of_quota(asked: Properties, old: Properties | None, backend: FSxBackend) -> list[str]:
    """Refuse more storage of a deployment type than an account has by default."""
    kind = deployment_type(asked).partition("SCRATCH")[1] or deployment_type(asked)
    held = sum(
        each.storage_capacity
        for each in backend.file_systems.values()
        if str((each.lustre_configuration or {}).get("DeploymentType", "SCRATCH_1")).startswith(kind)
    )
    total = held - int((old or {}).get("StorageCapacity", 0)) + int(asked.get("StorageCapacity", 0))
    return [f"{total} GiB of {kind} exceed the account's {QUOTA_GIB}"] if total > QUOTA_GIB else []


def _delete_with_links(backend: FSxBackend, file_system_id: str, *more: Any, **named: Any) -> Any:
    """Delete a file system, and its links with it."""
    for name, link in list(_links.items()):
        if link.asked["FileSystemId"] == file_system_id:
            del _links[name]
    return _delete(backend, file_system_id, *more, **named)


def _describe_links(_response: FSxResponse) -> str:
    """Answer DescribeDataRepositoryAssociations without filters."""
    return json.dumps({"Associations": [each.described() for each in _links.values()]})


def in_use(account_id: str, region_name: str) -> set[str]:
    """Return the subnets and security groups that hold interfaces of a file system."""
    file_systems = fsx_backends[account_id][region_name].file_systems.values()
    return {name for each in file_systems for name in (*each.subnet_ids, *each.security_group_ids)}


_TAUGHT: list[tuple[type, str, Callable[..., Any]]] = [
    (FSxBackend, "delete_file_system", _delete_with_links),
    (FSxResponse, "describe_data_repository_associations", _describe_links),
]


def teach() -> None:
    """Change moto's classes in this process."""
    for owner, method, taught in _TAUGHT:
        setattr(owner, method, taught)

"""A small template with a file system, its group, its subnet and its link."""

from typing import Any

TOP = {"StorageCapacity", "StorageType", "SubnetIds", "SecurityGroupIds", "KmsKeyId", "FileSystemTypeVersion"}
TOP |= {"FileSystemType", "BackupId", "NetworkType", "Tags"}


def template(
    *,
    logical_id: str = "FileSystem",
    deletion_policy: str | None = None,
    update_replace_policy: str | None = None,
    link: dict[str, Any] | None = None,
    group: dict[str, Any] | None = None,
    parameters: dict[str, Any] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Return a template; settings are properties of the file system, top or Lustre, None to leave one out."""
    top = {
        "FileSystemType": "LUSTRE",
        "StorageCapacity": 4800,
        "SubnetIds": ["subnet-1"],
        "SecurityGroupIds": [{"Fn::GetAtt": ["Group", "GroupId"]}],
    }
    lustre = {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 250}
    for name, value in settings.items():
        (top if name in TOP else lustre)[name] = value
    file_system = {
        "Type": "AWS::FSx::FileSystem",
        "Properties": _given(top | {"LustreConfiguration": _given(lustre)}),
        "DeletionPolicy": deletion_policy,
        "UpdateReplacePolicy": update_replace_policy,
    }
    association = {"FileSystemId": {"Ref": logical_id}, "FileSystemPath": "/data", "DataRepositoryPath": "s3://bucket/"}
    return {
        "Parameters": parameters or {},
        "Resources": {
            logical_id: _given(file_system),
            "Group": {
                "Type": "AWS::EC2::SecurityGroup",
                "Properties": {"GroupDescription": "servers", "VpcId": "vpc-1"} | (group or {}),
            },
            "Link": {
                "Type": "AWS::FSx::DataRepositoryAssociation",
                "Properties": association | (link or {}),
            },
        },
    }


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}

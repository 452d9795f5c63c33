"""Stacks with a file system in the account, deployed or only written."""

import json
from pathlib import Path
from typing import Any

import boto3


def template(*, gib: int = 4800, mbps: int = 500, **more: Any) -> dict[str, Any]:
    """Return the template of a file system."""
    return {
        "Resources": {
            "FileSystem": {
                "Type": "AWS::FSx::FileSystem",
                "DeletionPolicy": "Retain",
                "UpdateReplacePolicy": "Retain",
                "Properties": {
                    "FileSystemType": "LUSTRE",
                    "FileSystemTypeVersion": "2.15",
                    "StorageCapacity": gib,
                    "StorageType": "SSD",
                    "SubnetIds": ["subnet-0123456789abcdef0"],
                    "SecurityGroupIds": ["sg-0123456789abcdef0"],
                    "LustreConfiguration": {
                        "DeploymentType": "PERSISTENT_2",
                        "PerUnitStorageThroughput": mbps,
                    },
                }
                | more,
            }
        }
    }


def deployed(name: str, *, tags: dict[str, str] | None = None, **settings: Any) -> None:
    """Deploy a stack with a file system."""
    boto3.client("cloudformation").create_stack(
        StackName=name,
        TemplateBody=json.dumps(template(**settings)),
        Tags=[{"Key": key, "Value": value} for key, value in (tags or {}).items()],
    )


def written_template(folder: Path, **settings: Any) -> str:
    """Write a template and return its path."""
    file = folder / "new.template.json"
    file.write_text(json.dumps(template(**settings)))
    return str(file)

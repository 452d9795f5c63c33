"""What a pipeline reads first: which files there are, in which order they are deployed, and what each asks for."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from epochwise.catalog.cloudformation import MAX_INLINE_BYTES
from epochwise.cdk.plan_summary import why
from epochwise.sizing.plan import Plan
from stacks.public_exports import imports_of

MANIFEST = "manifest.json"
FORMAT = 1
"""Raised when a pipeline that read the last one would misread this one."""
STATEFUL = (
    "AWS::EC2::SecurityGroup",
    "AWS::EC2::Subnet",
    "AWS::EC2::VPC",
    "AWS::FSx::DataRepositoryAssociation",
    "AWS::FSx::FileSystem",
    "AWS::KMS::Key",
    "AWS::S3::Bucket",
    "AWS::SNS::Topic",
    "AWS::StepFunctions::StateMachine",
)
"""Resources that hold something, that others hold the name of, or whose change replaces a file system: another logical
id is another resource, and the data of the old one is out of reach."""


@dataclass(frozen=True, slots=True)
class StackFiles:
    """A stack, and the templates of which one is deployed as it."""

    stack: str
    templates: tuple[str, ...]
    """Which is taken is the pipeline's choice; the first needs nothing that is there."""


def manifest(
    plan: Plan,
    order: Sequence[StackFiles],
    templates: Mapping[str, Mapping[str, Any]],
    files: Mapping[str, bytes],
) -> dict[str, Any]:
    """Describe a folder of templates.

    Args:
        plan: what they deploy.
        order: the stacks, each after those that it imports from.
        templates: each template by its file name.
        files: every file's content by its name.
    """
    return {
        "format": FORMAT,
        "epochwise": metadata.version("epochwise"),
        "workload": plan.workload.name,
        "region": plan.workload.region,
        "why": why(plan),
        "deploy": [{"stack": each.stack, "templates": list(each.templates)} for each in order],
        "files": {
            name: _of_file(content) | (_of_template(templates[name], content) if name in templates else {})
            for name, content in files.items()
        },
    }


def stateful(template: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the logical ids of what holds state, by type."""
    found: dict[str, list[str]] = {}
    for logical_id, resource in sorted(template["Resources"].items()):
        if resource["Type"] in STATEFUL:
            found.setdefault(resource["Type"], []).append(logical_id)
    return dict(sorted(found.items()))


def exports_of(template: Mapping[str, Any]) -> list[str]:
    """Return the names that a template exports, in order."""
    return sorted(each["Export"]["Name"] for each in template.get("Outputs", {}).values() if "Export" in each)


def _of_file(content: bytes) -> dict[str, Any]:
    """Say what every file is held to."""
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _of_template(template: Mapping[str, Any], content: bytes) -> dict[str, Any]:
    """Say what deploying a template takes."""
    return {
        "needs_s3": len(content) > MAX_INLINE_BYTES,
        "capabilities": _capabilities(template["Resources"].values()),
        "parameters": {
            name: {"required": "Default" not in each} | {key.lower(): value for key, value in each.items()}
            for name, each in template.get("Parameters", {}).items()
        },
        "imports": imports_of(template),
        "exports": exports_of(template),
        "resources": len(template["Resources"]),
        "stateful": stateful(template),
    }


def _capabilities(resources: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what a deploy must acknowledge: that roles are made, and whether they have names of their own."""
    roles = [each for each in resources if each["Type"].startswith("AWS::IAM::")]
    if not roles:
        return []
    named = any({"RoleName", "ManagedPolicyName"} & set(each.get("Properties", {})) for each in roles)
    return ["CAPABILITY_NAMED_IAM" if named else "CAPABILITY_IAM"]

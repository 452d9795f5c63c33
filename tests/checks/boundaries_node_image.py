"""Boundaries of what is said about the image of EC2 nodes."""

from functools import partial
from typing import Any

from epochwise.catalog.instance_families import Architecture
from epochwise.checks.finding import Finding
from epochwise.checks.node_image import SeenImage, node_image_findings
from tests.checks.boundaries import Row


def _seen(changes: dict[str, Any], where: dict[str, Any]) -> list[Finding]:
    stack: dict[str, Any] = {"instance_type": "p5.48xlarge", "region": "eu-west-1", "account_known": True}
    return list(node_image_findings(SeenImage("an image", **changes), **stack | where))


_NOWHERE: dict[str, Any] = {"region": None, "account_known": False}
_ARM: dict[str, Any] = {"instance_type": "hpc7g.16xlarge"}
_LOOKED_UP: dict[str, Any] = {"looked_up": True, "problem": "Cannot retrieve value"}
_CASES: list[tuple[str, dict[str, Any], dict[str, Any], str | None]] = [
    ("IMAGE_LOOKUP_WITHOUT_ENV", _LOOKED_UP, _NOWHERE, "without account and region"),
    ("IMAGE_LOOKUP_WITHOUT_ENV", _LOOKED_UP, {"account_known": False}, "without account"),
    ("IMAGE_LOOKUP_WITHOUT_ENV", {}, _NOWHERE, None),
    ("IMAGE_NOT_OF_REGION", {"regions": ["us-east-1"]}, {}, "of eu-west-1, got a map of us-east-1"),
    ("IMAGE_NOT_OF_REGION", {"regions": []}, _NOWHERE, "got a map of no known Region"),
    ("IMAGE_NOT_OF_REGION", {"regions": ["us-east-1"]}, _NOWHERE, None),
    ("IMAGE_NOT_OF_REGION", {"regions": ["eu-west-1", "us-east-1"]}, {}, None),
    ("IMAGE_NOT_OF_REGION", {}, {}, None),
    ("IMAGE_OF_SOME_REGIONS", {"regions": ["us-east-1"]}, _NOWHERE, "AMIs of us-east-1"),
    ("IMAGE_OF_SOME_REGIONS", {"regions": ["eu-west-1"]}, {}, None),
    ("IMAGE_NOT_FOUND", {"problem": "no such parameter"}, {}, "got an image: no such parameter"),
    ("IMAGE_NOT_FOUND", {}, {}, None),
    ("IMAGE_NOT_FOUND", _LOOKED_UP, _NOWHERE, None),
    ("IMAGE_NOT_LINUX", {"linux": False}, {}, "got an image of Windows"),
    ("IMAGE_NOT_LINUX", {}, {}, None),
    ("IMAGE_OF_OTHER_ARCHITECTURE", {"architecture": Architecture.ARM64}, {}, "got an image for arm64"),
    ("IMAGE_OF_OTHER_ARCHITECTURE", {"architecture": Architecture.X86_64}, _ARM, "got an image for x86_64"),
    ("IMAGE_OF_OTHER_ARCHITECTURE", {"architecture": Architecture.X86_64}, {}, None),
    ("IMAGE_OF_OTHER_ARCHITECTURE", {"architecture": Architecture.ARM64}, _ARM, None),
    ("IMAGE_OF_OTHER_ARCHITECTURE", {}, _ARM, None),
]
ROWS = tuple(Row(finding_id, partial(_seen, image, where), says) for finding_id, image, where, says in _CASES)

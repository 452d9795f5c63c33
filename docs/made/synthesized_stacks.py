"""The guide's stacks, synthesized once a build, as plain data."""

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from docs.made.command_line import ROOT
from epochwise import Plan, Workload, plan
from epochwise.workload import read_workload_mapping

GUIDE = ROOT / "workloads" / "guide.yaml"


@dataclass(frozen=True)
class SynthesizedStack:
    """One stack: what it is called, its template and what CDK notes of its constructs."""

    name: str
    """The stack's whole name, by which others import from it."""
    template: dict[str, Any]
    metadata: dict[str, list[dict[str, Any]]]
    """Notes by the path of the construct."""

    @property
    def part(self) -> str:
        """Its part of the whole: network, storage or training."""
        return self.name.rpartition("-")[2]

    @property
    def resources(self) -> dict[str, dict[str, Any]]:
        """The template's resources by logical id."""
        return dict(self.template["Resources"])

    @property
    def paths(self) -> dict[str, str]:
        """The path of the construct of each resource, below its stack, by logical id."""
        return {
            note["data"]: below_stack(path)
            for path, notes in self.metadata.items()
            for note in notes
            if note["type"] == "aws:cdk:logicalId" and note["data"] in self.resources
        }


def below_stack(path: str) -> str:
    """Return a construct's path below its stack, less the names that CDK gives to primary children.

    >>> below_stack("/epochwise-guide-training/Job/Role/Resource")
    'Job/Role'
    """
    return path.strip("/").partition("/")[2].removesuffix("/Resource")


@cache
def shown_plan() -> Plan:
    """Return the guide's plan, its rules evaluated by CloudWatch too, so that every kind of resource is there."""
    document = read_workload_mapping(GUIDE)
    watch = document["watch"] | {"using": ["debugger", "cloudwatch"]}
    return plan(Workload.from_mapping(document | {"watch": watch}, source=GUIDE.name))


@cache
def synthesized_stacks() -> tuple[SynthesizedStack, ...]:
    """Synthesize the stacks, in the order of their deployment; CDK's own validation, which tests hold, is left out."""
    # read when aws_cdk is imported
    os.environ["CDK_VALIDATION"] = "false"
    from aws_cdk import App

    from stacks.deployment import create_stacks

    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    with TemporaryDirectory() as folder:
        app = App(context=context, outdir=folder)
        create_stacks(app, shown_plan())
        return tuple(
            SynthesizedStack(
                made.stack_name,
                made.template,
                json.loads(Path(folder, f"{made.stack_name}.metadata.json").read_text(encoding="utf-8")),
            )
            for made in app.synth().stacks
        )

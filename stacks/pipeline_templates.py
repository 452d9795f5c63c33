"""A workload's templates for pipelines without the CDK: what `cdk deploy` would do is in the files themselves."""

import json
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from aws_cdk import App
from aws_cdk.cx_api import CloudFormationStackArtifact

from epochwise.checks.refusal import refuse_errors
from epochwise.checks.template_limits import template_over_limit
from epochwise.sizing.plan import Plan
from stacks.deployment import create_stacks, stack_prefix
from stacks.network_in_vpc import NetworkInVpcStack
from stacks.pipeline_manifest import MANIFEST, StackFiles, manifest
from stacks.public_exports import with_public_exports
from stacks.training import TrainingStack

FEATURE_FLAGS: Mapping[str, bool | str] = {
    "@aws-cdk/aws-iam:minimizePolicies": True,
    "@aws-cdk/aws-s3:serverAccessLogsUseBucketPolicy": True,
    "@aws-cdk/core:defaultCrossStackReferences": "strong",
}
"""Those of CDK's feature flags on which a template depends; cdk.json sets them too, among others."""
_QUIET: Mapping[str, bool] = {
    "@aws-cdk/core:annotationsInValidationReport": False,
    "@aws-cdk/core:validateAgainstDefaultRules": False,
}
"""The CDK prints nothing by itself; what is to be said is returned."""
_OURS = re.compile(r"(?P<text>.*) \[ack: Annotation::(?P<id>[A-Z0-9_]+)\]", re.DOTALL)
NETWORK, NETWORK_IN_VPC = "network.template.json", "network-in-vpc.template.json"
STORAGE, TRAINING = "storage.template.json", "training.template.json"


@dataclass(frozen=True)
class PipelineTemplates:
    """What belongs into one folder."""

    workload_name: str
    files: Mapping[str, bytes]
    """File name to content; the manifest is the last."""
    remarks: tuple[str, ...]
    """What is to be said about the stacks, each once; of a VPC that is there, `epochwise check` says more."""


def pipeline_templates(plan: Plan) -> PipelineTemplates:
    """Return the templates of a plan, its evaluator's archive where it has one, and their manifest.

    Raises:
        ValueError: a check refuses the workload's job, network or file system, or CloudFormation would refuse a
            template for its size.
    """
    with tempfile.TemporaryDirectory() as folder:
        app = App(analytics_reporting=False, context={**FEATURE_FLAGS, **_QUIET}, outdir=folder)
        stacks = create_stacks(app, plan, for_pipeline=True)
        in_vpc = NetworkInVpcStack(app, f"{stack_prefix(plan)}-network-in-vpc", plan=plan)
        artifacts = {each.stack_name: each for each in app.synth().stacks}
        names = [NETWORK, STORAGE, TRAINING][: len(stacks)]
        made = {name: artifacts[stack.stack_name] for name, stack in zip(names, stacks, strict=True)}
        made[NETWORK_IN_VPC] = artifacts[in_vpc.stack_name]
        templates = with_public_exports(
            {name: dict(artifact.template) for name, artifact in made.items()}, plan.workload.name
        )
        remarks = _remarks(artifacts[stack.stack_name] for stack in stacks)
    archive = next((stack.archive for stack in stacks if isinstance(stack, TrainingStack)), None)
    bodies = {name: _written(template) for name, template in sorted(templates.items())}
    refuse_errors(
        finding
        for name, template in templates.items()
        for finding in template_over_limit(name, _counts(template, bodies[name]))
    )
    files = bodies | ({} if archive is None else {archive.name: archive.content})
    order = [
        StackFiles(f"{stack_prefix(plan)}-network", (NETWORK, NETWORK_IN_VPC)),
        *(StackFiles(stack.stack_name, (name,)) for name, stack in zip(names[1:], stacks[1:], strict=True)),
    ]
    document = manifest(plan, order, templates, files)
    return PipelineTemplates(plan.workload.name, files | {MANIFEST: _written(document)}, remarks)


def _written(document: Mapping[str, Any]) -> bytes:
    """Write a document the same way every time; narrowly, since a small template needs no bucket to be deployed."""
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _counts(template: Mapping[str, Any], body: bytes) -> dict[str, int]:
    """Count what CloudFormation limits."""
    return {"bytes": len(body)} | {section: len(value) for section, value in template.items() if section[0].isupper()}


def _remarks(artifacts: Iterable[CloudFormationStackArtifact]) -> tuple[str, ...]:
    """Return the warnings of this library that constructs were annotated with, each with its id at the end."""
    texts = [str(message.entry.data) for artifact in artifacts for message in artifact.messages]
    ours = [found for found in map(_OURS.fullmatch, texts) if found is not None]
    return tuple(dict.fromkeys(f"{found['text']} [{found['id']}]" for found in ours))

"""How much room the definition of a job's state machine takes in a template."""

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from epochwise.cdk.job_findings import watched_findings
from epochwise.cdk.job_shapes import JobShapes
from epochwise.cdk.job_state_machine import job_states
from epochwise.cdk.job_watch import Watching
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding
from epochwise.checks.running_job import MAX_DEFINITION_BYTES, definition_too_large
from epochwise.following.deployed_job import DeployedJob

_BYTES_OF_TOKENS = 32 * 1024
"""Covers the ARNs, ids and addresses that only the deploy knows, and the functions that stand for them."""


def definition_findings(job: DeclaredJob, shapes: JobShapes, stop_on: Sequence[str]) -> Iterator[Finding]:
    """Say whether the definition for some shapes fits, and else for how many nodes at most it would.

    Args:
        job: what is declared.
        shapes: with the request of any deployment, since what only the deploy knows is estimated.
        stop_on: rules whose finding stops the job.
    """
    size = definition_bytes(job, shapes, stop_on)
    counts = sorted({shape.nodes for _, members in shapes.variants for shape in members})
    fitting = 0
    if size > MAX_DEFINITION_BYTES:
        fitting = bisect_right(
            counts, MAX_DEFINITION_BYTES, key=lambda nodes: definition_bytes(job, shapes.up_to(nodes), stop_on)
        )
    yield from definition_too_large(size, max_nodes=counts[-1], fitting=counts[fitting - 1] if fitting else 0)


def definition_bytes(job: DeclaredJob, shapes: JobShapes, stop_on: Sequence[str]) -> int:
    """Return the bytes that the definition and what is said of it take as the texts that a template holds."""
    watching = Watching(
        workload_name=job.workload.name,
        topic_arn="",
        findings=watched_findings(job, shapes.request, stop_on),
        evaluator_arn="" if job.cloudwatch_rules else None,
    )
    definition = json.dumps(job_states(shapes, watching=watching, partition=""), separators=(",", ":"))
    summary = DeployedJob(job.workload, shapes.counts).as_metadata()
    return len(json.dumps(definition)) + len(json.dumps(summary)) + _BYTES_OF_TOKENS

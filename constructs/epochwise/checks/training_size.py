"""The rule about how large the request may be."""

import json

from epochwise.catalog.training_job import STATE_PAYLOAD_BYTES
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

_BYTES_OF_THE_REST = 16 * 1024
"""Covers the names of fields, channels, tags, metrics and collections, and what the deployment fills in."""
_BYTES_PER_RULE = 2048
"""Covers a rule's name, image, default parameters and actions."""


def request_bytes(job: DeclaredJob) -> int:
    """Return the most bytes that the request takes as JSON."""
    training, watch = job.training, job.workload.watch
    declared = training.model_dump(mode="json", exclude={"hyperparameters"})
    encoded = {key: json.dumps(value) for key, value in training.hyperparameters.items()}
    rules = [dict(rule.parameters) for rule in watch.declared]
    texts = (declared, encoded, rules, watch.collections)
    return sum(len(json.dumps(part)) for part in texts) + _BYTES_PER_RULE * len(rules) + _BYTES_OF_THE_REST


def request_too_large(job: DeclaredJob) -> Finding | None:
    """Refuse a request that the state machine cannot hand over.

    A state takes 256 KiB; the definition that holds the request is judged by DEFINITION_TOO_LARGE. Source:
    Step Functions Developer Guide, quotas.
    """
    size = request_bytes(job)
    if size <= STATE_PAYLOAD_BYTES:
        return None
    return Finding(
        "REQUEST_TOO_LARGE",
        Level.ERROR,
        f"the request takes up to {size} bytes; a state of the state machine that sends it takes {STATE_PAYLOAD_BYTES}",
        "move long hyperparameters and variables into a file next to the training script",
    )

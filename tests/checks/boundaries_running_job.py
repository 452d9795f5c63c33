"""Boundaries of what is said about the freedom that executions of a job have."""

from functools import partial
from typing import Any

from epochwise.checks.finding import Finding
from epochwise.checks.running_job import (
    MAX_CONFIGURATION,
    MAX_DEFINITION_BYTES,
    definition_too_large,
    evaluator_configuration_too_long,
    instance_type_never_allowed,
    running_job_findings,
)
from tests.checks.boundaries import Row
from tests.checks.test_training_option_findings import rules, trained


def _asked(**changes: Any) -> list[Finding]:
    freedom: dict[str, Any] = {"max_nodes": 2, "instance_types": [], "stop_on": []}
    watched = trained(**rules("LoadBalancing", using=("cloudwatch",)))
    return running_job_findings(watched, **freedom | changes)


CASES: list[tuple[str, dict[str, Any], str | None]] = [
    ("MAX_NODES_BELOW_DECLARED", {"max_nodes": 1}, "max_nodes is 1"),
    ("MAX_NODES_BELOW_DECLARED", {"max_nodes": 2}, None),
    ("INSTANCE_TYPE_NOT_IN_SAGEMAKER", {"instance_types": ["p4d.24xlarge"]}, "holds 'p4d.24xlarge'"),
    ("INSTANCE_TYPE_NOT_IN_SAGEMAKER", {"instance_types": ["ml.p4d.24xlarg"]}, "holds 'ml.p4d.24xlarg',"),
    ("INSTANCE_TYPE_NOT_IN_SAGEMAKER", {"instance_types": ["ml.p4d.24xlarge"]}, None),
    ("TOO_MANY_SHAPES", {"max_nodes": 2001}, "2001 pairs"),
    ("TOO_MANY_SHAPES", {"max_nodes": 1001, "instance_types": ["ml.p4de.24xlarge"]}, "2002 pairs"),
    ("TOO_MANY_SHAPES", {"max_nodes": 1000, "instance_types": ["ml.p4de.24xlarge"]}, None),
    ("STOP_ON_NOT_WATCHED", {"stop_on": ["BatchSize"]}, "holds 'BatchSize'"),
    ("STOP_ON_NOT_WATCHED", {"stop_on": ["LoadBalancing"]}, None),
]

ROWS = (
    *(Row(finding_id, partial(_asked, **changes), says) for finding_id, changes, says in CASES),
    *(
        Row(
            "EVALUATOR_CONFIGURATION_TOO_LONG",
            partial(evaluator_configuration_too_long, length, ["ml.p5.48xlarge"]),
            says,
        )
        for length, says in [(MAX_CONFIGURATION + 1, "takes 3801 characters"), (MAX_CONFIGURATION, None)]
    ),
    *(
        Row("DEFINITION_TOO_LARGE", partial(definition_too_large, size, max_nodes=200, fitting=fitting), says)
        for size, fitting, says in [
            (MAX_DEFINITION_BYTES + 1, 90, "takes about 800001 bytes"),
            (MAX_DEFINITION_BYTES + 1, 0, "takes about 800001 bytes"),
            (MAX_DEFINITION_BYTES, 0, None),
        ]
    ),
    Row(
        "INSTANCE_TYPE_NEVER_ALLOWED",
        partial(instance_type_never_allowed, "ml.g5.48xlarge", ["a reason"]),
        "holds 'ml.g5.48xlarge'",
    ),
)

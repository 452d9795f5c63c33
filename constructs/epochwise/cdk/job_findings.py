"""Which findings a job may have: what the request asks Debugger for, and what is left to CloudWatch's metrics."""

import re
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from epochwise.cdk.job_shapes import Request
from epochwise.cdk.job_watch import WatchedFinding
from epochwise.checks.declared_job import DeclaredJob

_NOT_EVIDENCE = ("patience", "window", "scan_interval_us")
_NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def watched_findings(job: DeclaredJob, request: Request, stop_on: Sequence[str]) -> tuple[WatchedFinding, ...]:
    """Return every finding that is looked for, Debugger's first.

    Debugger's are read from the request, which names each rule; `stop_on` holds the names of the declaration.
    """
    by_aws_name = {rule.aws_name: rule.name for rule in job.workload.watch.declared}
    debugger = [
        WatchedFinding(
            rule=by_aws_name.get(rule["RuleConfigurationName"], rule["RuleConfigurationName"]),
            source="debugger",
            configuration=rule["RuleConfigurationName"],
            about_tensors=about_tensors,
            parameters=dict(_numbers(rule.get("RuleParameters", {}))),
            stops=by_aws_name.get(rule["RuleConfigurationName"]) in stop_on,
        )
        for member, about_tensors in (("ProfilerRuleConfigurations", False), ("DebugRuleConfigurations", True))
        for rule in request.get(member, ())
    ]
    cloudwatch = [
        WatchedFinding(rule=rule.name, source="cloudwatch", stops=rule.name in stop_on) for rule in job.cloudwatch_rules
    ]
    return (*debugger, *cloudwatch)


def _numbers(parameters: dict[str, Any]) -> Iterable[tuple[str, float]]:
    """Yield the thresholds of a rule, which RuleParameters holds as text; JSON has no number for nan and infinity.

    >>> dict(_numbers({"threshold": "1e-3", "tensor_regex": "nan", "other": "1e999", "group": "1_000", "window": "5"}))
    {'threshold': 0.001}
    """
    for name, text in parameters.items():
        if name not in _NOT_EVIDENCE and _NUMERAL.fullmatch(text) and isfinite(float(text)):
            yield name, float(text)

"""The states that look for findings between two looks at a job, tell each once, and remember that they did."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from epochwise.cdk.job_input_rules import escaped
from epochwise.cdk.job_late_rules import SEEN, STATUSES, late_states
from epochwise.cdk.job_tasks import task

Source = Literal["debugger", "cloudwatch"]
NEXT_FINDING = "ReadTold"
"""The first of these states."""
AFTER_FINDINGS = "HasEnded"
"""What follows when there is nothing more to tell."""
EVALUATOR = "Evaluator"
"""Stands for a rule in the finding that the evaluator does not work."""
_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_PLAIN = 50
"""Characters of a rule's name in a state's, which may have 80 (Step Functions quotas)."""


@dataclass(frozen=True, kw_only=True)
class WatchedFinding:
    """One finding that there may be: a rule, as one source evaluates it."""

    rule: str
    source: Source
    configuration: str = ""
    """RuleConfigurationName in the request; Debugger only."""
    about_tensors: bool = False
    """Whether Debugger lists it with the rules about tensors."""
    parameters: Mapping[str, float] | None = None
    """Thresholds that the finding's evidence names; Debugger tells no measurements."""
    stops: bool = False
    """Whether the job is stopped for it."""

    @property
    def id(self) -> str:
        """What is remembered once it is told."""
        return f"{self.source}/{self.rule}"

    @property
    def state(self) -> str:
        """Name of the state that words it; of a rule with a name of the user's, one that a state may have."""
        plain = _OTHER.sub("_", self.rule)[:_LONGEST_PLAIN]
        if plain != self.rule:
            plain += hashlib.sha256(self.rule.encode()).hexdigest()[:8]
        return f"{plain}{'ByDebugger' if self.source == 'debugger' else 'ByCloudWatch'}"


@dataclass(frozen=True, kw_only=True)
class Watching:
    """What a job is watched for, and where it is told."""

    workload_name: str
    topic_arn: str
    findings: tuple[WatchedFinding, ...] = ()
    evaluator_arn: str | None = None
    """The function that judges CloudWatch's metrics; None without rules for it."""
    evaluator_log_group: str = ""

    @property
    def looks_at(self) -> dict[str, str]:
        """What of DescribeTrainingJob's answer is kept for Debugger's findings, as JSONPath.

        A deep scan finds nothing, instead of failing, where the answer has no such member.
        """
        members = {"ProfilerIssues": "ProfilerRuleEvaluationStatuses", "DebugIssues": "DebugRuleEvaluationStatuses"}
        if not self.debugged:
            return {}
        return STATUSES | {
            f"{name}.$": f"$..{member}[?(@.RuleEvaluationStatus == 'IssuesFound')].RuleConfigurationName"
            for name, member in members.items()
        }

    @property
    def debugged(self) -> bool:
        """Whether Debugger evaluates any rule."""
        return any(finding.source == "debugger" for finding in self.findings)

    @property
    def first_state(self) -> str:
        """What follows a look at the job."""
        if self.evaluator_arn is not None:
            return "EvaluateMetrics"
        return NEXT_FINDING if self.findings else AFTER_FINDINGS


def watch_states(watching: Watching, *, partition: str) -> dict[str, Any]:
    """Return the states between DescribeTrainingJob and HasEnded; none without findings to look for."""
    if not watching.findings:
        return {}
    known = {"told.$": "States.JsonToString($.told)"}
    if watching.debugged:
        known |= SEEN
        known |= {"profiler.$": "States.JsonToString($.look.ProfilerIssues)"}
        known |= {"debug.$": "States.JsonToString($.look.DebugIssues)"}
    stopping = [finding for finding in watching.findings if finding.stops]
    choices = [*map(_is_to_stop, stopping), *map(_is_news, watching.findings)]
    worded = {f"StopOn{finding.rule}": _asking_to_stop(finding) for finding in stopping}
    worded |= {finding.state: _worded(watching, finding) for finding in watching.findings}
    if watching.evaluator_arn is not None:
        choices.append(_evaluator_failed())
        worded["EvaluatorFailed"] = _evaluator_finding(watching)
    return {
        **_evaluation(watching, partition),
        **(late_states() if watching.debugged else {}),
        NEXT_FINDING: {"Type": "Pass", "Parameters": known, "ResultPath": "$.seen", "Next": "FindNews"},
        "FindNews": {"Type": "Choice", "Choices": choices, "Default": AFTER_FINDINGS},
        **worded,
        "TellFinding": task(
            partition,
            "sns:publish",
            {
                "TopicArn": watching.topic_arn,
                "Subject.$": f"States.Format('{watching.workload_name}: {{}}', $.news.finding.rule)",
                "Message.$": "States.JsonToString($.news.finding)",
                "MessageAttributes": {
                    name: {"DataType": "String", "StringValue.$": f"$.news.finding.{name}"}
                    for name in ("workload", "rule", "source")
                },
            },
            then="AddToTold",
        )
        # what could not be told is not remembered, so that the next look tells it
        | {"Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.failure", "Next": AFTER_FINDINGS}]},
        "AddToTold": {
            "Type": "Pass",
            "Parameters": {
                "lists.$": "States.Array($.told, States.Array($.news.id))",
                "stop.$": "$.adding.stop",
            },
            "ResultPath": "$.adding",
            "Next": "RememberFinding",
        },
        "RememberFinding": {
            "Type": "Pass",
            "InputPath": "$.adding.lists[*][*]",
            "ResultPath": "$.told",
            "Next": NEXT_FINDING,
        },
    }


def _evaluation(watching: Watching, partition: str) -> dict[str, Any]:
    """Return the state that has CloudWatch's metrics judged, where a function does."""
    if watching.evaluator_arn is None:
        return {}
    asked = {
        "job.$": "$.job",
        "nodes.$": "$.nodes",
        "instance_type.$": "$.instance_type",
        "time.$": "$$.State.EnteredTime",
    }
    invoked = task(
        partition,
        "lambda:invoke",
        # the API takes text
        {"FunctionName": watching.evaluator_arn, "Payload.$": "States.JsonToString($.asked)"},
        then=NEXT_FINDING,
    ) | {
        "ResultSelector": {"answer.$": "States.StringToJson($.Payload)"},
        "ResultPath": "$.evaluation",
        "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.evaluation", "Next": NEXT_FINDING}],
    }
    return {
        "EvaluateMetrics": {"Type": "Pass", "Parameters": asked, "ResultPath": "$.asked", "Next": "AskEvaluator"},
        "AskEvaluator": invoked,
    }


def _not_told(finding_id: str) -> dict[str, Any]:
    """Return the condition that a finding is not among those that were told."""
    return {"Not": {"Variable": "$.seen.told", "StringMatches": f"*{_quoted(finding_id)}*"}}


def _quoted(text: str) -> str:
    r"""Return a pattern of a text as it stands in JSON.

    >>> print(_quoted('a*"b'))
    "a\*\\"b"
    """
    return escaped(json.dumps(text, ensure_ascii=False), "\\*")


def _is_there(finding: WatchedFinding) -> dict[str, Any]:
    """Return the condition that a finding is there."""
    if finding.source == "debugger":
        return {
            "Variable": "$.seen.debug" if finding.about_tensors else "$.seen.profiler",
            "StringMatches": f"*{_quoted(finding.configuration)}*",
        }
    return {"Variable": f"$.evaluation.answer.found.{finding.rule}", "IsPresent": True}


def _is_news(finding: WatchedFinding) -> dict[str, Any]:
    """Return the choice of a finding that is there and was not told."""
    return {"And": [_is_there(finding), _not_told(finding.id)], "Next": finding.state}


def _is_to_stop(finding: WatchedFinding) -> dict[str, Any]:
    """Return the choice of a finding that is there and for which the job is not asked to stop yet, told or not."""
    asked = [{"Variable": "$.adding.stop", "StringMatches": f"* {finding.rule}{end}"} for end in ("", " *")]
    return {"And": [_is_there(finding), {"Not": {"Or": asked}}], "Next": f"StopOn{finding.rule}"}


def _asking_to_stop(finding: WatchedFinding) -> dict[str, Any]:
    """Return the state that adds a rule to those for which the job is stopped after this look."""
    return {
        "Type": "Pass",
        "Parameters": {
            "lists.$": "$.adding.lists",
            "stop.$": f"States.Format('{{}} {finding.rule}', $.adding.stop)",
        },
        "ResultPath": "$.adding",
        "Next": NEXT_FINDING,
    }


def _worded(watching: Watching, finding: WatchedFinding) -> dict[str, Any]:
    """Return the state that puts a finding into `$.news`."""
    said: dict[str, Any] = {"finding.$": f"$.evaluation.answer.found.{finding.rule}"}
    if finding.source == "debugger":
        said = {
            "finding": _finding(
                watching,
                finding.rule,
                "debugger",
                message=f"SageMaker Debugger found issues: {finding.configuration}",
                evidence=dict(finding.parameters or {}),
                fix="see the rule's report below the job's profiler output, and the rule's evaluation in "
                "DescribeTrainingJob",
            )
        }
    return _news(finding.id, said=said)


def _news(finding_id: str, *, said: dict[str, Any]) -> dict[str, Any]:
    """Return a state that words one finding."""
    return {
        "Type": "Pass",
        "Parameters": {"id": finding_id, **said},
        "ResultPath": "$.news",
        "Next": "TellFinding",
    }


def _finding(
    watching: Watching, rule: str, source: Source, *, message: str, evidence: dict[str, Any], fix: str
) -> dict[str, Any]:
    """Return a finding in the shape that all have, worded by the state machine."""
    return {
        "workload": watching.workload_name,
        "job.$": "$.job",
        "rule": rule,
        "level": "warning",
        "message": message,
        "evidence": evidence,
        "fix": fix,
        "source": source,
        "time.$": "$$.State.EnteredTime",
    }


def _evaluator_failed() -> dict[str, Any]:
    """Return the choice of an evaluation that failed: by an error of the call, or by one in the function's answer."""
    failed = [
        {"Variable": "$.evaluation.Error", "IsPresent": True},
        {"Variable": "$.evaluation.answer.errorMessage", "IsPresent": True},
    ]
    return {"And": [{"Or": failed}, _not_told(f"cloudwatch/{EVALUATOR}")], "Next": "EvaluatorFailed"}


def _evaluator_finding(watching: Watching) -> dict[str, Any]:
    """Return the state that words the evaluator's failure."""
    said = _finding(
        watching,
        EVALUATOR,
        "cloudwatch",
        message="the rules could not be evaluated by CloudWatch's metrics",
        evidence={},
        fix=f"look into the log group {watching.evaluator_log_group}",
    )
    return _news(f"cloudwatch/{EVALUATOR}", said={"finding": said})

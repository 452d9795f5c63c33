"""How a training job is named after its execution, by the machine that runs it and by the one that stops it."""

from collections.abc import Mapping
from typing import Any

from epochwise.training.request import JOB_NAME_PLACEHOLDER
from epochwise.workload.training_section import OWNER_VARIABLE

LONGEST_NAME = 63
"""Characters of a training job's name (SageMaker API, CreateTrainingJob)."""
SUFFIX_KEY = "job_name_suffix"
"""What an execution's input may hold in place of the hash."""
OWNERS = f"$..Environment.{OWNER_VARIABLE}"
"""Where DescribeTrainingJob's answer names the execution, as JSONPath; a deep scan, for jobs without environment."""
_NAME, _TEXTS = "$.run.job", "$.named.texts"


def job_name_expression(workload_name: str, execution_arn: str = "$$.Execution.Id") -> str:
    """Return the name of an execution's job: the same on every retry, so that none is created twice.

    The name is the workload's and 32 digits of hash.

    >>> job_name_expression("guide")
    "States.Format('guide-{}', States.Hash($$.Execution.Id, 'MD5'))"
    """
    return f"States.Format('{workload_name}-{{}}', States.Hash({execution_arn}, 'MD5'))"


def named_rules(request: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the rules about tensors with paths to the job's name in them, and the texts that those paths need.

    Rules that stop the job know it by the beginning of its name, which is known once the execution has named it. The
    name stands at `$.run.job`, the pieces of text around it at `$.named.texts`: kept apart, nothing of them has to be
    escaped in a function of Step Functions. A job whose name only continues this one's is not told apart by its
    beginning: executions that name their jobs themselves should not do that.

    >>> rule = {"RuleParameters": {"prefix": "<TRAINING_JOB_NAME>", "action": "stop '<TRAINING_JOB_NAME>'"}}
    >>> named, texts = named_rules({"DebugRuleConfigurations": [rule]})
    >>> named["DebugRuleConfigurations"][0]["RuleParameters"]["prefix.$"], texts
    ('$.run.job', ["stop '", "'"])
    """
    texts: list[str] = []
    return {key: _with_name(request[key], texts) for key in ("DebugRuleConfigurations",) if key in request}, texts


def _with_name(value: Any, texts: list[str]) -> Any:
    """Return JSON with a path or function wherever the placeholder stands in a text; appends the texts around it."""
    match value:
        case dict():
            return dict(_member(key, inner, texts) for key, inner in value.items())
        case list():
            return [_with_name(inner, texts) for inner in value]
        case _:
            return value


def _member(key: str, value: Any, texts: list[str]) -> tuple[str, Any]:
    """Return one member of an object likewise."""
    if not isinstance(value, str) or JOB_NAME_PLACEHOLDER not in value:
        return key, _with_name(value, texts)
    if value == JOB_NAME_PLACEHOLDER:
        return f"{key}.$", _NAME
    parts = []
    for piece in value.split(JOB_NAME_PLACEHOLDER):
        parts += [f"{_TEXTS}[{len(texts)}]", _NAME]
        texts.append(piece)
    parts.pop()
    return f"{key}.$", f"States.Format('{'{}' * len(parts)}', {', '.join(parts)})"


def naming_states(workload_name: str, *, suffix: str, execution_arn: str, then: str) -> dict[str, Any]:
    """Return the states that write the job's name to `$.name.job`; the first is NameJob.

    Args:
        workload_name: begins the name.
        suffix: path of the suffix that an execution asked for, empty when it did not.
        execution_arn: path of the execution's ARN.
        then: the state that follows.
    """
    named = {"Type": "Pass", "ResultPath": "$.name", "Next": then}
    return {
        "NameJob": {
            "Type": "Choice",
            "Choices": [{"Variable": suffix, "StringEquals": "", "Next": "NameJobByExecution"}],
            "Default": "NameJobAsAsked",
        },
        "NameJobByExecution": named | {"Parameters": {"job.$": job_name_expression(workload_name, execution_arn)}},
        "NameJobAsAsked": named | {"Parameters": {"job.$": f"States.Format('{workload_name}-{{}}', {suffix})"}},
    }

"""SageMaker Debugger's built-in rules: where their evaluator lives and what parameters they take."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from epochwise.catalog.data_file import load
from epochwise.catalog.rule_parameter import RuleParameter

CLOSED_TO_NEW_CUSTOMERS: str = load("debugger")["lifecycle"]["debugger_closed_to_new_customers"]
"""The day from which Debugger takes no new customers, YYYY-MM-DD."""
PROFILER_SUPPORT_ENDS: str = load("debugger")["lifecycle"]["profiler_support_ends"]
"""The day on which support of SageMaker Profiler ends, YYYY-MM-DD."""
DISCONTINUED_RULES: dict[str, str] = load("debugger")["discontinued_rules"]
"""AWS's rules that are no more, with the reason."""
PROFILING_INTERVALS_MS: tuple[int, ...] = tuple(load("debugger")["profiling_intervals_ms"])
DEFAULT_PROFILING_INTERVAL_MS: int = load("debugger")["default_profiling_interval_ms"]
MAX_RULES: int = load("debugger")["limits"]["rule_configurations"]
"""Most rules of each kind, profiler rules and rules about tensors."""
MAX_RULE_PARAMETERS: int = load("debugger")["limits"]["rule_parameters"]
MAX_RULE_VALUE_LENGTH: int = load("debugger")["limits"]["rule_value_length"]
"""Characters of a rule parameter's name, and of its value."""
MAX_COLLECTIONS: int = load("debugger")["limits"]["collections"]


@cache
def profiler_rules() -> dict[str, dict[str, RuleParameter]]:
    """Return the parameters of every current profiler rule, by AWS's rule name and the parameter's name.

    ProfilerReport has none of its own: it takes those of the others as `<rule>_<parameter>`.
    """
    return {
        rule: {name: RuleParameter(name=name, **row) for name, row in parameters.items()}
        for rule, parameters in load("debugger")["profiler_rules"].items()
    }


@cache
def profiler_report_parameters() -> dict[str, RuleParameter]:
    """Return what ProfilerReport takes: every parameter of the other rules, as `<rule>_<parameter>`.

    AWS reads the rule's name without regard to case. Source: smdebug_rulesconfig 1.0.1.
    """
    return {
        f"{rule}_{name}": parameter
        for rule, parameters in profiler_rules().items()
        for name, parameter in parameters.items()
    }


@dataclass(frozen=True, slots=True)
class TensorRuleFacts:
    """What a rule about tensors takes, and which collections of tensors the hook has to save for it."""

    parameters: Mapping[str, RuleParameter]
    required: tuple[str, ...]
    collections: Mapping[str, Mapping[str, str]]
    """Collection name to its parameters; empty where the rule reads what the hook saves anyway, or is told."""


@cache
def tensor_rules() -> dict[str, TensorRuleFacts]:
    """Return every built-in rule about tensors, by AWS's name."""
    return {
        rule: TensorRuleFacts(
            parameters={name: RuleParameter(name=name, **row) for name, row in facts["parameters"].items()},
            required=tuple(facts.get("required", ())),
            collections=facts["collections"],
        )
        for rule, facts in load("tensor_rules")["rules"].items()
    }


@cache
def evaluator_regions() -> tuple[str, ...]:
    """Return the Regions that have an image of the rule evaluator, in order."""
    return tuple(sorted(load("debugger")["evaluator_accounts"]))


def evaluator_image(region: str) -> str | None:
    """Return the URI of the image that evaluates built-in rules in a Region, or None where there is none.

    >>> evaluator_image("us-east-1")
    '503895931360.dkr.ecr.us-east-1.amazonaws.com/sagemaker-debugger-rules:latest'
    """
    table = load("debugger")
    account = table["evaluator_accounts"].get(region)
    if account is None:
        return None
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    return f"{account}.dkr.ecr.{region}.{suffix}/{table['evaluator_repository']}:{table['evaluator_tag']}"

"""The section about what watches a job."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, JsonValue, WithJsonSchema, field_validator

from epochwise.catalog.debugger import DISCONTINUED_RULES, MAX_COLLECTIONS, tensor_rules
from epochwise.catalog.watch_rule_names import (
    PROFILER_RULE_NAMES,
    TENSOR_RULE_NAMES,
    WATCH_RULE_NAMES,
    known_parameter,
    near_rule_name,
    parameters_of,
)
from epochwise.workload.sections import S3Uri, Section
from epochwise.workload.training_section import ONE_LINE

WatchRuleName = str
"""One of `epochwise.catalog.watch_rule_names.WATCH_RULE_NAMES`."""
_CollectionValue = int | float | Annotated[str, Field(max_length=256, pattern=ONE_LINE)]
ACTIONS_KEY = "actions"
_EMAIL = re.compile(r"[^@\s\"\\]+@[^@\s\"\\]+\.[^@\s\"\\]+")
_PHONE = re.compile(r"\+\d{1,15}")
_ACTION_HELP = "must be stop_training, {email: name@example.com} or {sms: +15550100}"


@dataclass(frozen=True, slots=True)
class RuleAction:
    """What a rule about tensors does by itself when it fires."""

    kind: Literal["stop_training", "email", "sms"]
    endpoint: str = ""
    """Address or telephone number; empty where the job is stopped."""


@dataclass(frozen=True, slots=True)
class WatchedRule:
    """One rule as declared."""

    name: WatchRuleName
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """By AWS's name of each; what is not declared is sent by its default, where one is documented."""
    actions: tuple[RuleAction, ...] = ()

    @property
    def aws_name(self) -> str:
        """The rule's name in AWS's words."""
        return PROFILER_RULE_NAMES.get(self.name, self.name)

    @property
    def about_tensors(self) -> bool:
        """Whether the rule reads tensors that a hook in the training script saves."""
        return self.name in TENSOR_RULE_NAMES


def _action(declared: object) -> RuleAction:
    """Read an action.

    Raises:
        ValueError: it is none.
    """
    match declared:
        case "stop_training":
            return RuleAction("stop_training")
        case {"email": str(address), **others} if not others and _EMAIL.fullmatch(address):
            return RuleAction("email", address)
        case {"sms": str(number), **others} if not others and _PHONE.fullmatch(number):
            return RuleAction("sms", number)
    raise ValueError(f"{ACTIONS_KEY} {_ACTION_HELP}, not {declared!r}")


def watched_rule(declared: object) -> WatchedRule:
    """Read a rule: its name, or its name with parameters and actions.

    Raises:
        ValueError: naming what is wrong and what is allowed.

    >>> watched_rule({"CpuBottleneck": {"threshold": 60}}).parameters
    {'threshold': 60}
    """
    given: dict[str, Any] = {}
    match declared:
        case str(named):
            name = named
        case {**entry} if len(entry) == 1 and isinstance(next(iter(entry.values())), Mapping | None):
            name = str(next(iter(entry)))
            given = {str(key): value for key, value in _mapping(entry.get(name)).items()}
        case _:
            raise ValueError("must be the name of a rule, or {name: {parameter: value}}")
    _known(name)
    actions = given.pop(ACTIONS_KEY, [])
    if not isinstance(actions, list | tuple):
        raise ValueError(f"{ACTIONS_KEY} of {name} must be a list")
    parameters = {_parameter(name, key): _value(name, key, value) for key, value in given.items()}
    absent = [key for key in tensor_rules()[name].required if key not in parameters] if name in tensor_rules() else []
    if absent:
        raise ValueError(f"must give {name} its {', '.join(absent)}")
    return WatchedRule(name, parameters, tuple(_action(action) for action in actions))


def _mapping(value: object) -> Mapping[Any, Any]:
    """Return what is declared for a rule; nothing where it is only named."""
    return value if isinstance(value, Mapping) else {}


def _known(name: str) -> None:
    """Refuse a name that no rule has."""
    if name in DISCONTINUED_RULES:
        raise ValueError(f"must not hold {name}: {DISCONTINUED_RULES[name]}")
    if name not in WATCH_RULE_NAMES:
        near = near_rule_name(name)
        meant = f"; did you mean {near}?" if near else ""
        raise ValueError(f"must be one of {', '.join(WATCH_RULE_NAMES)}{meant}")


def _parameter(rule: str, key: str) -> str:
    """Return a parameter's name as AWS spells it."""
    known = known_parameter(rule, key)
    if known is None:
        takes = ", ".join(parameters_of(rule)) or "none"
        raise ValueError(f"must not give {rule} a parameter {key}; it takes {takes}")
    return known


def _value(rule: str, key: str, value: object) -> object:
    """Hold a value to its parameter's range."""
    parameter = parameters_of(rule)[_parameter(rule, key)]
    refusal = replace(parameter, name=key).refusal(rule, value)
    if refusal is not None:
        raise ValueError(f"{refusal} [WATCH_RULE_PARAMETER_ILLEGAL]")
    return value


def _checked(declared: object) -> object:
    """Refuse what is no rule, and write a rule without parameters as its name alone."""
    rule = watched_rule(declared)
    return rule.name if not rule.parameters and not rule.actions else declared


RuleEntry = Annotated[
    str | dict[str, dict[str, JsonValue]],
    BeforeValidator(_checked),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "enum": list(WATCH_RULE_NAMES)},
                {
                    "type": "object",
                    "minProperties": 1,
                    "maxProperties": 1,
                    "properties": {name: {"type": "object"} for name in WATCH_RULE_NAMES},
                    "additionalProperties": False,
                },
            ]
        }
    ),
]


class Watch(Section):
    """What watches the job."""

    rules: tuple[RuleEntry, ...] = ()
    """Each a name, or {name: {parameter: value}} with `actions` among the parameters of rules about tensors."""
    using: tuple[Literal["debugger", "cloudwatch"], ...] = ("debugger",)
    """What evaluates the rules. Debugger takes no new customers since 2026-07-30."""
    send_defaults: Annotated[bool, Field(strict=True)] = True
    """Whether the request names the defaults that AWS's SDK leaves to the service: those of rules about tensors and of
    the rules inside ProfilerReport."""
    profiling_interval_ms: Literal[100, 200, 500, 1000, 5000, 60000] = 500
    """Milliseconds between two looks at a node, for Debugger's profiler rules."""
    profile_s3: S3Uri | None = None
    """Where the profile goes; into the job's output by default."""
    hook: Annotated[bool, Field(strict=True)] = True
    """Whether rules about tensors get a hook configured; false where the script brings its own."""
    tensors_s3: S3Uri | None = None
    """Where the hook saves tensors; into the job's output by default."""
    collections: Annotated[
        dict[
            Annotated[str, Field(max_length=256, pattern=ONE_LINE)],
            dict[Annotated[str, Field(max_length=256, pattern=ONE_LINE)], _CollectionValue],
        ],
        Field(max_length=MAX_COLLECTIONS),
    ] = Field(default_factory=dict)
    """Tensors that the hook saves beside those that the rules need, by collection: save_interval, include_regex, …"""

    @field_validator("rules")
    @classmethod
    def _no_twin_rules(cls, rules: tuple[RuleEntry, ...]) -> tuple[RuleEntry, ...]:
        cls._no_twins(tuple(watched_rule(rule).name for rule in rules))
        return rules

    @field_validator("using")
    @classmethod
    def _no_twins(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        twins = sorted({name for name in names if names.count(name) > 1})
        if twins:
            raise ValueError(f"must hold each name once, twice there: {', '.join(twins)}")
        return names

    @property
    def declared(self) -> tuple[WatchedRule, ...]:
        """The rules with their parameters and actions, in the order of the declaration."""
        return tuple(watched_rule(rule) for rule in self.rules)

    @property
    def names(self) -> tuple[WatchRuleName, ...]:
        """The rules' names."""
        return tuple(rule.name for rule in self.declared)

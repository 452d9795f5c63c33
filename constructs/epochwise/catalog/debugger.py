"""SageMaker Debugger's built-in profiler rules: where their evaluator lives and what parameters they take."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from epochwise.catalog.data_file import load

CLOSED_TO_NEW_CUSTOMERS: str = load("debugger")["lifecycle"]["debugger_closed_to_new_customers"]
"""The day from which Debugger takes no new customers, YYYY-MM-DD."""
PROFILER_SUPPORT_ENDS: str = load("debugger")["lifecycle"]["profiler_support_ends"]
"""The day on which support of SageMaker Profiler ends, YYYY-MM-DD."""


@dataclass(frozen=True, slots=True)
class RuleParameter:
    """One parameter of a profiler rule. Source: smdebug_rulesconfig 1.0.1; see `data/debugger.json`."""

    name: str
    default: int | float
    """What AWS's SDK sends; the guide documents another number for some."""
    kind: Literal["percentile", "positive"]
    documented_default: int | None = None
    """What the guide says instead, where it differs."""

    @property
    def allowed(self) -> str:
        """Say in words what is allowed."""
        return "a number from 0 to 100" if self.kind == "percentile" else "a whole number above 0"

    def accepts(self, value: object) -> bool:
        """Tell whether a value lies in the range; truth values and NaN never do.

        >>> RuleParameter("patience", 1000, "positive").accepts(0)
        False
        """
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if self.kind == "percentile":
            return 0 <= value <= 100
        return isinstance(value, int) and value > 0


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

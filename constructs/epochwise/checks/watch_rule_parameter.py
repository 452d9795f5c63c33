"""Whether a profiler rule is given parameters that it takes. One rule, one function, one id."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from epochwise.catalog.rule_parameter import RuleParameter
from epochwise.checks.finding import Finding, Level


def watch_rule_parameter_illegal(rule: str, value: object, parameter: RuleParameter) -> Iterator[Finding]:
    """A parameter lies in the range that its rule compares with.

    Source: SageMaker Developer Guide, debugger-built-in-profiler-rules.
    """
    refusal = parameter.refusal(rule, value)
    if refusal is not None:
        default = "" if parameter.default is None else f", such as {parameter.default:g}, which AWS's SDK sends"
        yield Finding(
            "WATCH_RULE_PARAMETER_ILLEGAL",
            Level.ERROR,
            refusal,
            f"write {parameter.allowed}{default}",
        )


def profiler_report_parameter_unknown(name: str, known: Iterable[str]) -> Iterator[Finding]:
    """The report takes the parameters of the rules inside it, as `<AWS's rule>_<parameter>`.

    Source: SageMaker Developer Guide, debugger-built-in-profiler-rules, ProfilerReport.
    """
    names = list(known)
    if name not in names:
        near = get_close_matches(name, names, n=1)
        yield Finding(
            "PROFILER_REPORT_PARAMETER_UNKNOWN",
            Level.ERROR,
            f"ProfilerReport has no parameter {name!r:.60}; it takes {', '.join(names)}",
            f"nearest legal: {near[0]}" if near else "leave it out",
        )

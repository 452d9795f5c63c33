"""Remarks about what a file system is watched for. One rule, one function, one id."""

import re
from collections.abc import Iterator, Mapping

from epochwise.checks.finding import Finding, Level

IDLE_HOURS = range(1, 169)
"""CloudWatch looks back at most seven days with a period of an hour (PutMetricAlarm, EvaluationPeriods)."""


SHORT_PERIODS_S = (1, 5, 10, 30)
"""Seconds below a minute that CloudWatch has points of, where a metric is of high resolution."""


def watch_findings(
    *, shares: Mapping[str, float], rates: Mapping[str, float | None], idle_hours: int, monthly_usd: float | None
) -> Iterator[Finding]:
    """Yield every remark about thresholds."""
    for name, share in shares.items():
        yield from alarm_share_out_of_range(name, share)
    for name, rate in rates.items():
        yield from alarm_rate_not_positive(name, rate)
    yield from idle_hours_out_of_range(idle_hours)
    yield from monthly_usd_negative(monthly_usd)


def alarm_share_out_of_range(name: str, share: float) -> Iterator[Finding]:
    """A share of a limit is above 0, or the alarm always rings, and up to 1, or it never does.

    Source: CloudWatch API, PutMetricAlarm Threshold.
    """
    if not 0 < share <= 1:
        yield Finding(
            "ALARM_SHARE_OUT_OF_RANGE",
            Level.ERROR,
            f"{name} must be above 0 and up to 1, got {share:g}",
            "pass 0.9 for 90 %",
        )


def alarm_rate_not_positive(name: str, rate: float | None) -> Iterator[Finding]:
    """A limit that is watched is above 0.

    Source: CloudWatch API, PutMetricAlarm Threshold.
    """
    if rate is not None and not 0 < rate < float("inf"):
        yield Finding(
            "ALARM_RATE_NOT_POSITIVE",
            Level.ERROR,
            f"{name} must be above 0 and finite, got {rate:g}",
            "leave it out where nothing limits",
        )


def idle_hours_out_of_range(hours: int) -> Iterator[Finding]:
    """An alarm looks back a week at most.

    Source: CloudWatch API, PutMetricAlarm EvaluationPeriods.
    """
    if hours not in IDLE_HOURS:
        yield Finding(
            "IDLE_HOURS_OUT_OF_RANGE",
            Level.ERROR,
            f"idle_hours must be {IDLE_HOURS[0]} to {IDLE_HOURS[-1]}, got {hours}",
            f"nearest legal: {min(max(hours, IDLE_HOURS[0]), IDLE_HOURS[-1])}",
        )


def monthly_usd_negative(monthly_usd: float | None) -> Iterator[Finding]:
    """A price is 0 or more."""
    if monthly_usd is not None and monthly_usd < 0:
        yield Finding(
            "MONTHLY_USD_NEGATIVE",
            Level.ERROR,
            f"monthly_usd must be 0 or more, got {monthly_usd:g}",
            "leave it out where the price is not known",
        )


def metric_period_illegal(seconds: float | None) -> Iterator[Finding]:
    """A period is one that CloudWatch has points of, and known when the app runs; None where it is not.

    Source: CloudWatch API, MetricStat Period.
    """
    if seconds is None or not (seconds in SHORT_PERIODS_S or (seconds > 0 and seconds % 60 == 0)):
        got = "a token, which only the deploy knows" if seconds is None else f"{seconds:g}"
        yield Finding(
            "METRIC_PERIOD_ILLEGAL",
            Level.ERROR,
            f"period must be {', '.join(map(str, SHORT_PERIODS_S))} or a multiple of 60 seconds, got {got}",
            "write it like Duration.minutes(5)",
        )


def dashboard_name_invalid(name: str | None) -> Iterator[Finding]:
    """A dashboard's name has up to 255 letters, digits, - and _; None is not given, or not known.

    Source: CloudWatch API, PutDashboard DashboardName.
    """
    if name is not None and not re.fullmatch("[A-Za-z0-9_-]{1,255}", name):
        yield Finding(
            "DASHBOARD_NAME_INVALID",
            Level.ERROR,
            f"dashboard_name must be 1 to 255 letters, digits, - and _, got {name!r:.60}",
            "leave it out for a name that CloudFormation makes",
        )

"""Remarks about what a file system is watched for. One rule, one function, one id."""

from collections.abc import Iterator, Mapping

from epochwise.checks.finding import Finding, Level

IDLE_HOURS = range(1, 169)
"""CloudWatch looks back at most seven days with a period of an hour (PutMetricAlarm, EvaluationPeriods)."""


def watch_findings(
    *, shares: Mapping[str, float], rates: Mapping[str, float | None], idle_hours: int
) -> Iterator[Finding]:
    """Yield every remark about thresholds."""
    for name, share in shares.items():
        yield from alarm_share_out_of_range(name, share)
    for name, rate in rates.items():
        yield from alarm_rate_not_positive(name, rate)
    yield from idle_hours_out_of_range(idle_hours)


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

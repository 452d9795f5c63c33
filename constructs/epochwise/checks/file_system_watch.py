"""Remarks about what a file system is watched for. One rule, one function, one id."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from epochwise.catalog.fsx_metrics import PUBLISHER, SERVER, TARGET, WHOLE, dimension_of
from epochwise.checks.finding import Finding, Level

IDLE_HOURS = range(1, 169)
"""CloudWatch looks back at most seven days with a period of an hour (PutMetricAlarm, EvaluationPeriods)."""


METRIC_DIMENSIONS = (SERVER, TARGET)
"""Of metrics of a part of the file system (FSx User Guide, fs-metrics)."""
PLAIN_STATISTICS = ("SampleCount", "Average", "Sum", "Minimum", "Maximum")
"""Statistics without a number (CloudWatch User Guide, Statistics-definitions)."""
_PERCENT = r"(100(\.0{1,10})?|\d{1,2}(\.\d{1,10})?)"
_BOUND = r"-?\d+(\.\d+)?"
_RANGE = rf"\(({_PERCENT}%)?:({_PERCENT}%)?\)|\(({_BOUND})?:({_BOUND})?\)"
_STATISTIC = re.compile(
    rf"{'|'.join(PLAIN_STATISTICS)}|IQM|(p|tm|wm|tc|ts){_PERCENT}|(PR|TM|WM|TC|TS)({_RANGE})", re.IGNORECASE
)
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


def metric_name_invalid(name: str) -> Iterator[Finding]:
    """FSx's metrics have names of letters and digits, which a search can quote.

    Source: FSx User Guide, fs-metrics.
    """
    if not re.fullmatch("[A-Za-z0-9]{1,255}", name):
        yield Finding(
            "METRIC_NAME_INVALID",
            Level.ERROR,
            f"name must be that of a metric of FSx, of letters and digits, got {name!r:.60}",
            "write it as FSx does, such as DataReadBytes",
        )


def metric_statistic_illegal(statistic: str) -> Iterator[Finding]:
    """A statistic is one of CloudWatch's: a plain one, a percentile of up to 100, or one over a range.

    Source: CloudWatch User Guide, Statistics-definitions.
    """
    if not _STATISTIC.fullmatch(statistic):
        yield Finding(
            "METRIC_STATISTIC_ILLEGAL",
            Level.ERROR,
            f"statistic must be {', '.join(PLAIN_STATISTICS)}, IQM, a percentile such as p99 or tm90, or one of a "
            f"range such as PR(10:100), got {statistic!r:.60}",
            f"nearest legal: {(get_close_matches(statistic[:60].capitalize(), PLAIN_STATISTICS, 1) or ['Sum'])[0]}",
        )


def metric_color_illegal(color: str | None) -> Iterator[Finding]:
    """A line has a colour of six hexadecimal digits; None leaves it to CloudWatch.

    Source: CloudWatch User Guide, Dashboard Body Structure (color).
    """
    if color is not None and not re.fullmatch("#[0-9A-Fa-f]{6}", color):
        yield Finding(
            "METRIC_COLOR_ILLEGAL",
            Level.ERROR,
            f"color must be # and six of 0-9 a-f, got {color!r:.60}",
            "write it like #ff7f0e, or cloudwatch.Color.ORANGE",
        )


def metric_dimension_unknown(dimension: str) -> Iterator[Finding]:
    """FSx's metrics have one more dimension than the file system: the server, or the storage target.

    Source: FSx User Guide, fs-metrics.
    """
    if dimension not in METRIC_DIMENSIONS:
        yield Finding(
            "METRIC_DIMENSION_UNKNOWN",
            Level.ERROR,
            f"dimension must be {' or '.join(METRIC_DIMENSIONS)}, got {dimension!r:.60}",
            f"nearest legal: {(get_close_matches(dimension[:60], METRIC_DIMENSIONS, 1) or METRIC_DIMENSIONS)[0]}",
        )


def metric_of_other_dimension(name: str, dimension: str | None = None) -> Iterator[Finding]:
    """A metric has points under its own dimensions only: under others a graph is empty and an alarm never rings.

    Names that are not known are taken; None is for metrics of the whole file system.

    Source: FSx User Guide, fs-metrics.
    """
    right = dimension_of(name)
    if right is not None and right != (dimension or WHOLE):
        if right == PUBLISHER:
            fix = f"write cloudwatch.Metric(…) with {WHOLE} and {PUBLISHER}, which is AutoImport or AutoExport"
        elif right == WHOLE:
            fix = f"draw metric({name!r})"
        else:
            fix = f"draw server_search({name!r}, dimension={right!r}), which an alarm does not take"
        yield Finding(
            "METRIC_OF_OTHER_DIMENSION",
            Level.ERROR,
            f"name must be a metric by {dimension or f'{WHOLE} alone'}, got {name}, which is by {right}",
            fix,
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

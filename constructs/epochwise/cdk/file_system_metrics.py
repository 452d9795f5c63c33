"""CloudWatch metrics of an FSx for Lustre file system, as metrics, as MB/s and per server.

Source: FSx User Guide, fs-metrics: namespace AWS/FSx, one point a minute. Metrics of the whole file system have the
dimension FileSystemId alone. Those of one server or one storage target have a second dimension whose values, such as
OSS0002, are known only once the file system exists: they are found by search expressions, which a graph takes and an
alarm does not.
"""

from collections.abc import Iterator
from decimal import Decimal

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from epochwise.cdk.findings import refuse_errors
from epochwise.cdk.tokens import is_token
from epochwise.checks.file_system_watch import (
    metric_color_illegal,
    metric_dimension_unknown,
    metric_name_invalid,
    metric_of_other_dimension,
    metric_period_illegal,
    metric_statistic_illegal,
)
from epochwise.checks.finding import Finding

NAMESPACE = "AWS/FSx"
PERIOD = Duration.minutes(1)
"""How often FSx sends a point."""


def file_system_metric(
    scope: Construct,
    file_system_id: str,
    name: str,
    *,
    statistic: str,
    period: Duration | None = None,
    label: str | None = None,
    color: str | None = None,
) -> cloudwatch.Metric:
    """Return a metric of the whole file system, in the account and Region of `scope`.

    Raises:
        ValueError: CloudWatch has no points of such a period or statistic, or no line of such a colour.
    """
    refuse_errors(
        [
            *_text_findings(name, statistic),
            *(() if is_token(name, str) else metric_of_other_dimension(name)),
            *period_findings(period),
            *metric_color_illegal(None if color is None or is_token(color, str) else color),
        ]
    )
    return cloudwatch.Metric(
        namespace=NAMESPACE,
        metric_name=name,
        dimensions_map={"FileSystemId": file_system_id},
        statistic=statistic,
        period=period or PERIOD,
        label=label,
        color=color,
    ).attach_to(scope)


def _text_findings(name: str, statistic: str) -> Iterator[Finding]:
    """Yield what is wrong with a metric's name and statistic, as far as they are known."""
    if not is_token(name, str):
        yield from metric_name_invalid(name)
    if not is_token(statistic, str):
        yield from metric_statistic_illegal(statistic)


def period_findings(period: Duration | None) -> Iterator[Finding]:
    """Yield what is wrong with a period; by default there is nothing."""
    if period is not None:
        yield from metric_period_illegal(None if period.is_unresolved() else period.to_milliseconds() / 1000)


def per_second(
    scope: Construct, metrics: dict[str, cloudwatch.Metric], *, divisor: int = 1, label: str, color: str | None = None
) -> cloudwatch.MathExpression:
    """Return the sum of metrics a second, each counted with its own period.

    Ids in an expression are shared by a whole graph; they carry the address of `scope`, so that two file systems can be
    drawn together.

    Args:
        scope: the file system.
        metrics: metrics by a word that tells them apart, lower case; all of one period.
        divisor: what a rate is divided by, such as 10^6 for MB/s from bytes.
        label: name of the line.
        color: its colour, CloudWatch's choice by default.
    """
    using = {f"{word}_{scope.node.addr[-8:]}": metric for word, metric in metrics.items()}
    rates = [f"{name}/PERIOD({name})" for name in using]
    total = rates[0] if len(rates) == 1 else f"({'+'.join(rates)})"
    return cloudwatch.MathExpression(
        expression=total if divisor == 1 else f"{total}/{divisor}",
        using_metrics=dict(using),
        period=next(iter(metrics.values())).period,
        label=label,
        color=color,
    )


def read_while_connected(
    scope: Construct, *, read: cloudwatch.Metric, clients: cloudwatch.Metric, otherwise: float
) -> cloudwatch.MathExpression:
    """Return MB/s that clients read while any is connected, and `otherwise` while none is; for alarms.

    A period in which clients are connected and no bytes are reported counts as none read.
    """
    suffix = scope.node.addr[-8:]
    bytes_id, clients_id = f"read_{suffix}", f"clients_{suffix}"
    return cloudwatch.MathExpression(
        expression=f"IF(FILL({clients_id},0)>0,FILL({bytes_id},0)/PERIOD({bytes_id})/1000000,{plain_decimal(otherwise)})",
        using_metrics={bytes_id: read, clients_id: clients},
        period=read.period,
        label="read MB/s while clients are connected",
    )


def plain_decimal(number: float) -> str:
    """Write a number for an expression, without an exponent.

    >>> plain_decimal(1e6), plain_decimal(0.000025), plain_decimal(3333.25), plain_decimal(2)
    ('1000000', '0.000025', '3333.25', '2')
    """
    text = format(Decimal(repr(number)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def server_search(
    file_system_id: str,
    name: str,
    *,
    dimension: str = "FileServer",
    statistic: str = "Maximum",
    period: Duration | None = None,
    label: str = "",
) -> cloudwatch.SearchExpression:
    """Return one line per server or storage target, for a graph only.

    Args:
        file_system_id: FSx's id.
        name: the metric, such as NetworkThroughputUtilization.
        dimension: FileServer or StorageTargetId.
        statistic: CloudWatch's statistic.
        period: 1 minute by default.
        label: put in front of each line's own name.

    Raises:
        ValueError: CloudWatch has no points of such a period or statistic, or FSx no such dimension.
    """
    refuse_errors(
        [
            *_text_findings(name, statistic),
            *metric_dimension_unknown(dimension),
            *(() if is_token(name, str) else metric_of_other_dimension(name, dimension)),
            *period_findings(period),
        ]
    )
    period = period or PERIOD
    query = f'{{{NAMESPACE},FileSystemId,{dimension}}} MetricName="{name}" FileSystemId="{file_system_id}"'
    return cloudwatch.SearchExpression(
        expression=f"SEARCH('{query}', '{statistic}', {int(period.to_seconds())})",
        period=period,
        label=label,
    )

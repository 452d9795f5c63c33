"""CloudWatch metrics of an FSx for Lustre file system, as metrics, as MB/s and per server.

Source: FSx User Guide, fs-metrics: namespace AWS/FSx, one point a minute. Metrics of the whole file system have the
dimension FileSystemId alone. Those of one server or one storage target have a second dimension whose values, such as
OSS0002, are known only once the file system exists: they are found by search expressions, which a graph takes and an
alarm does not.
"""

from collections.abc import Iterator

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from epochwise.cdk.findings import refuse_errors
from epochwise.checks.file_system_watch import metric_period_illegal
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
        ValueError: CloudWatch has no points of such a period.
    """
    refuse_errors(period_findings(period))
    return cloudwatch.Metric(
        namespace=NAMESPACE,
        metric_name=name,
        dimensions_map={"FileSystemId": file_system_id},
        statistic=statistic,
        period=period or PERIOD,
        label=label,
        color=color,
    ).attach_to(scope)


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
        expression=f"IF(FILL({clients_id},0)>0,FILL({bytes_id},0)/PERIOD({bytes_id})/1000000,{otherwise:g})",
        using_metrics={bytes_id: read, clients_id: clients},
        period=read.period,
        label="read MB/s while clients are connected",
    )


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
        ValueError: CloudWatch has no points of such a period.
    """
    refuse_errors(period_findings(period))
    period = period or PERIOD
    query = f'{{{NAMESPACE},FileSystemId,{dimension}}} MetricName="{name}" FileSystemId="{file_system_id}"'
    return cloudwatch.SearchExpression(
        expression=f"SEARCH('{query}', '{statistic}', {int(period.to_seconds())})",
        period=period,
        label=label,
    )

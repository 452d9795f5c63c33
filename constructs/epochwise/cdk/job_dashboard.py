"""What a dashboard shows of a workload's training jobs."""

from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_logs as logs

_METRICS = {
    "GPUUtilization": "GPU utilisation, percent × GPUs of the node",
    "CPUUtilization": "CPU utilisation, percent × vCPUs of the node",
    "GPUMemoryUtilization": "GPU memory, percent × GPUs of the node",
}
"""Metric and what CloudWatch counts in it. Source: SageMaker Developer Guide, metrics of training jobs."""


def utilization_widgets(workload_name: str) -> list[cloudwatch.IWidget]:
    """Return one graph per metric, with a line for each node of every job of the workload.

    The nodes of coming jobs are found by a search for the words of the workload's name among hosts, since metrics of
    jobs have no other dimension; so jobs of a workload whose name has the same words are shown too.
    """
    words = " ".join(workload_name.split("-"))
    return [
        cloudwatch.GraphWidget(
            title=f"{workload_name}: {title}",
            width=8,
            left=[
                cloudwatch.MathExpression(
                    expression=f"SEARCH('{{/aws/sagemaker/TrainingJobs,Host}} MetricName=\"{metric}\" {words}', "
                    "'Average', 60)",
                    using_metrics={},
                    label="",
                )
            ],
        )
        for metric, title in _METRICS.items()
    ]


def findings_widget(workload_name: str, log_group: logs.ILogGroup) -> cloudwatch.IWidget:
    """Return a table of the findings that were told, newest first, out of the state machine's log."""
    return cloudwatch.LogQueryWidget(
        title=f"{workload_name}: findings",
        width=24,
        log_group_names=[log_group.log_group_name],
        query_lines=[
            "fields @timestamp, details.parameters",
            'filter type = "TaskScheduled" and details.resource = "publish"',
            "sort @timestamp desc",
            "limit 50",
        ],
    )

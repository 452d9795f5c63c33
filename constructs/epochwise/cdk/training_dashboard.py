"""`TrainingDashboard`: what training asks of its file system, what it gets, and what it could get, in one graph."""

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.file_system_limits import FileSystemLimits, limits_of
from epochwise.cdk.findings import refuse_errors
from epochwise.cdk.lustre_file_system import LustreFileSystem
from epochwise.cdk.plan_summary import why
from epochwise.cdk.stack_order import come_after
from epochwise.cdk.tokens import is_token
from epochwise.cdk.training_job import TrainingJob
from epochwise.checks.file_system_watch import alarm_rate_not_positive, dashboard_name_invalid
from epochwise.sizing.plan import Plan

_WIDTH = 24
"""Columns of a CloudWatch dashboard."""
_HEIGHT = 7


class TrainingDashboard(Construct):
    """A dashboard of a file system and, where there is one, of the job that reads it.

    Demand and ceiling lie as lines over what is delivered: below the demand training waits for data; at the ceiling the
    file system is what it waits for. Lines per server come from search expressions, since the servers' names are known
    only once they exist.

    | attribute | is |
    |---|---|
    | `dashboard` | CloudWatch's dashboard, to which widgets can be added |
    | `limits` | what is drawn as lines |
    """

    @arguments_of_their_kind()
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        file_system: LustreFileSystem,
        plan: Plan | None = None,
        demand_mbps: float | None = None,
        ceiling_mbps: float | None = None,
        opens_per_s: float | None = None,
        storage_capacity_gib: int | None = None,
        job: TrainingJob | None = None,
        dashboard_name: str | None = None,
    ) -> None:
        """Create the dashboard.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            file_system: what is drawn.
            plan: where demand, ceilings and the reason for the size come from; what is given below goes before it.
            demand_mbps: MB/s that training must read.
            ceiling_mbps: MB/s that the file system delivers at most.
            opens_per_s: metadata operations a second that it allows at most.
            storage_capacity_gib: storage capacity in GiB, 94 % of which holds data.
            job: adds the runs of its state machine, the use of every node, and what the watch rules found.
            dashboard_name: CloudFormation's choice by default, so that several can be deployed.

        Raises:
            ValueError: a rate is not above 0.
        """
        limits = limits_of(plan, FileSystemLimits(demand_mbps, ceiling_mbps, opens_per_s, storage_capacity_gib))
        rates = ("demand_mbps", "ceiling_mbps", "opens_per_s", "storage_capacity_gib")
        refuse_errors(
            [
                *(finding for name in rates for finding in alarm_rate_not_positive(name, getattr(limits, name))),
                *dashboard_name_invalid(None if is_token(dashboard_name, str) else dashboard_name),
            ]
        )
        super().__init__(scope, construct_id)
        come_after(self, file_system.file_system_id, file_system)
        self.limits = limits
        self.dashboard = cloudwatch.Dashboard(
            self, "Resource", dashboard_name=dashboard_name, default_interval=Duration.hours(3)
        )
        if plan is not None:
            self.dashboard.add_widgets(cloudwatch.TextWidget(markdown=_reasons(plan), width=_WIDTH, height=3))
        self.dashboard.add_widgets(_throughput(file_system, limits))
        self.dashboard.add_widgets(
            _metadata(file_system, limits), _connections(file_system), _capacity(file_system, limits)
        )
        self.dashboard.add_widgets(*_servers(file_system))
        if job is not None:
            self.dashboard.add_widgets(_runs(job))
            *use_of_nodes, findings = job.dashboard_widgets()
            self.dashboard.add_widgets(*use_of_nodes)
            self.dashboard.add_widgets(findings)


def _reasons(plan: Plan) -> str:
    """Say in Markdown why the file system has the size it has."""
    binding = "" if plan.choice is None else f"\n\nBound by **{plan.choice.binding}**."
    return f"## {plan.workload.name}\n{why(plan)}{binding}"


def _line(value: float | None, label: str, color: str) -> list[cloudwatch.HorizontalAnnotation]:
    """Return a line across a graph, or none where there is nothing to draw."""
    return [] if value is None else [cloudwatch.HorizontalAnnotation(value=round(value, 1), label=label, color=color)]


def _throughput(file_system: LustreFileSystem, limits: FileSystemLimits) -> cloudwatch.GraphWidget:
    """Draw demand, delivered and ceiling."""
    return cloudwatch.GraphWidget(
        title="Demand, delivered and ceiling",
        width=_WIDTH,
        height=_HEIGHT + 1,
        left=[file_system.metric_read_mbps(), file_system.metric_write_mbps()],
        left_annotations=[
            *_line(limits.demand_mbps, "demand", cloudwatch.Color.ORANGE),
            *_line(limits.ceiling_mbps, "ceiling", cloudwatch.Color.RED),
        ],
        left_y_axis=cloudwatch.YAxisProps(label="MB/s", min=0, show_units=False),
    )


def _metadata(file_system: LustreFileSystem, limits: FileSystemLimits) -> cloudwatch.GraphWidget:
    """Draw metadata operations against the rate that is provisioned."""
    return cloudwatch.GraphWidget(
        title="Metadata operations",
        width=_WIDTH // 3,
        height=_HEIGHT,
        left=[file_system.metric_metadata_operations_per_s()],
        left_annotations=_line(limits.opens_per_s, "opens allowed", cloudwatch.Color.RED),
        left_y_axis=cloudwatch.YAxisProps(label="per second", min=0, show_units=False),
    )


def _connections(file_system: LustreFileSystem) -> cloudwatch.GraphWidget:
    """Draw how many clients there are."""
    return cloudwatch.GraphWidget(
        title="Client connections",
        width=_WIDTH // 3,
        height=_HEIGHT,
        left=[file_system.metric_client_connections()],
        left_y_axis=cloudwatch.YAxisProps(min=0, show_units=False),
    )


def _capacity(file_system: LustreFileSystem, limits: FileSystemLimits) -> cloudwatch.GraphWidget:
    """Draw what is stored against what can be."""
    return cloudwatch.GraphWidget(
        title="Stored",
        width=_WIDTH // 3,
        height=_HEIGHT,
        left=[file_system.metric_physical_disk_usage(), file_system.metric_logical_disk_usage()],
        left_annotations=_line(
            None if limits.usable_bytes is None else round(limits.usable_bytes), "usable", cloudwatch.Color.RED
        ),
        left_y_axis=cloudwatch.YAxisProps(min=0),
    )


def _servers(file_system: LustreFileSystem) -> list[cloudwatch.IWidget]:
    """Draw how busy each server and each storage target is: one that is alone at 100 % holds a file that all read."""
    metrics = [
        ("Network of each server", "NetworkThroughputUtilization", "FileServer"),
        ("Disks of each server", "FileServerDiskThroughputUtilization", "FileServer"),
        ("CPU of each metadata server", "CPUUtilization", "FileServer"),
        ("Fill of each storage target", "StorageCapacityUtilization", "StorageTargetId"),
    ]
    return [
        cloudwatch.GraphWidget(
            title=title,
            width=_WIDTH // len(metrics),
            height=_HEIGHT,
            left=[file_system.server_search(name, dimension=dimension)],
            left_y_axis=cloudwatch.YAxisProps(label="%", min=0, max=100, show_units=False),
        )
        for title, name, dimension in metrics
    ]


def _runs(job: TrainingJob) -> cloudwatch.GraphWidget:
    """Draw the runs of a job."""
    machine = job.state_machine
    return cloudwatch.GraphWidget(
        title="Runs of the training job",
        width=_WIDTH,
        height=_HEIGHT,
        left=[machine.metric_started(), machine.metric_succeeded(), machine.metric_failed()],
    )

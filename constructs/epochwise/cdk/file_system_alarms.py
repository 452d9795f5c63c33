"""`FileSystemAlarms`: storage that binds or lags, fills up, stands idle, or has too many metadata operations."""

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_sns as sns
from constructs import Construct

from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.file_system_limits import FileSystemLimits, limits_of
from epochwise.cdk.findings import refuse_errors
from epochwise.cdk.lustre_file_system import LustreFileSystem
from epochwise.cdk.stack_order import come_after
from epochwise.checks.file_system_watch import watch_findings
from epochwise.sizing.plan import Plan


class FileSystemAlarms(Construct):
    """Alarms on a file system, none of which needs the name of a server.

    Each exists where what it compares with is known, from the plan or given:

    | attribute | rings when | needs |
    |---|---|---|
    | `ceiling_alarm` | it delivers `ceiling_share` of its ceiling in 10 of 15 minutes: storage binds | ceiling |
    | `demand_alarm` | connected clients read less than `demand_share` of the demand for 15 minutes | demand |
    | `capacity_alarm` | `full_share` of what it can hold is taken for 15 minutes | storage capacity |
    | `metadata_alarm` | `metadata_share` of the opens that it allows in 10 of 15 minutes | opens |
    | `idle_alarm` | no client is connected for `idle_hours` | nothing |

    A topic that is encrypted must use a key of its own whose policy lets CloudWatch publish: the key `alias/aws/sns`
    does not (CloudWatch User Guide, alarms and Amazon SNS).
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
        monthly_usd: float | None = None,
        topic: sns.ITopic | None = None,
        ceiling_share: float = 0.9,
        demand_share: float = 0.8,
        full_share: float = 0.9,
        metadata_share: float = 0.8,
        idle_hours: int = 6,
    ) -> None:
        """Create the alarms.

        Args:
            scope: where they belong.
            construct_id: their id there.
            file_system: what is watched.
            plan: where demand, ceilings, capacity and price come from; what is given below goes before it.
            demand_mbps: MB/s that training must read.
            ceiling_mbps: MB/s that the file system delivers at most.
            opens_per_s: metadata operations a second that it allows at most; counted like opens (assumed).
            storage_capacity_gib: storage capacity in GiB, 94 % of which holds data.
            monthly_usd: its price, which the idle alarm names.
            topic: who is told; nobody by default.
            ceiling_share: part of the ceiling from which storage counts as the bottleneck.
            demand_share: part of the demand below which storage lags; a job that evaluates or writes checkpoints reads
                less for a while, so it is below 1.
            full_share: part of the usable capacity from which it counts as full.
            metadata_share: part of the metadata rate from which it counts as saturated.
            idle_hours: hours without a client, 1 to 168.

        Raises:
            ValueError: an argument is of the wrong kind, a share is not above 0 and up to 1, a rate is not above 0, or
                the hours are out of range.
        """
        limits = limits_of(
            plan, FileSystemLimits(demand_mbps, ceiling_mbps, opens_per_s, storage_capacity_gib, monthly_usd)
        )
        refuse_errors(
            watch_findings(
                shares={
                    "ceiling_share": ceiling_share,
                    "demand_share": demand_share,
                    "full_share": full_share,
                    "metadata_share": metadata_share,
                },
                rates={
                    "demand_mbps": limits.demand_mbps,
                    "ceiling_mbps": limits.ceiling_mbps,
                    "opens_per_s": limits.opens_per_s,
                    "storage_capacity_gib": limits.storage_capacity_gib,
                },
                idle_hours=idle_hours,
                monthly_usd=limits.monthly_usd,
            )
        )
        super().__init__(scope, construct_id)
        come_after(self, file_system.file_system_id, file_system)
        self.limits = limits
        self._topic = topic
        self.alarms: list[cloudwatch.Alarm] = []
        self.ceiling_alarm = self._ceiling(file_system, ceiling_share)
        self.demand_alarm = self._demand(file_system, demand_share)
        self.capacity_alarm = self._capacity(file_system, full_share)
        self.metadata_alarm = self._metadata(file_system, metadata_share)
        self.idle_alarm = self._idle(file_system, idle_hours)

    def _ceiling(self, file_system: LustreFileSystem, share: float) -> cloudwatch.Alarm | None:
        """Ring when reads and writes together come near to what the file system delivers."""
        ceiling = self.limits.ceiling_mbps
        if ceiling is None:
            return None
        return self._alarm(
            "Ceiling",
            file_system.metric_throughput_mbps(),
            threshold=ceiling * share,
            points=(10, 15),
            description=f"Storage is the bottleneck: {share:.0%} of its {ceiling:.0f} MB/s are delivered",
        )

    def _demand(self, file_system: LustreFileSystem, share: float) -> cloudwatch.Alarm | None:
        """Ring when training reads less than it needs; without clients nothing is asked for."""
        demand = self.limits.demand_mbps
        if demand is None:
            return None
        return self._alarm(
            "Demand",
            file_system.metric_read_mbps_while_connected(otherwise=demand),
            threshold=demand * share,
            points=(3, 3),
            comparison=cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
            description=f"Clients read less than {share:.0%} of the {demand:.0f} MB/s that the epoch target needs",
        )

    def _capacity(self, file_system: LustreFileSystem, share: float) -> cloudwatch.Alarm | None:
        """Ring when the disks fill up; the last known fill counts while no point arrives."""
        usable, gib = self.limits.usable_bytes, self.limits.storage_capacity_gib
        if usable is None:
            return None
        return self._alarm(
            "Capacity",
            file_system.metric_physical_disk_usage(),
            threshold=round(usable * share),
            points=(15, 15),
            missing=cloudwatch.TreatMissingData.IGNORE,
            description=f"{share:.0%} of what {gib} GiB of storage capacity hold is taken; release or add some",
        )

    def _metadata(self, file_system: LustreFileSystem, share: float) -> cloudwatch.Alarm | None:
        """Ring when metadata operations come near to the rate that is provisioned."""
        opens = self.limits.opens_per_s
        if opens is None:
            return None
        return self._alarm(
            "Metadata",
            file_system.metric_metadata_operations_per_s(),
            threshold=opens * share,
            points=(10, 15),
            description=f"Metadata is the bottleneck: {share:.0%} of its {opens:.0f} operations a second",
        )

    def _idle(self, file_system: LustreFileSystem, hours: int) -> cloudwatch.Alarm:
        """Ring when nobody uses it; hours without a point are hours without a client."""
        usd = self.limits.monthly_usd
        cost = "" if usd is None else f"; it costs about {usd:.0f} USD a month"
        return self._alarm(
            "Idle",
            file_system.metric_client_connections(period=Duration.hours(1)),
            threshold=0,
            points=(hours, hours),
            comparison=cloudwatch.ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
            missing=cloudwatch.TreatMissingData.BREACHING,
            description=f"No client has been connected for {hours} hours{cost}",
        )

    def _alarm(
        self,
        alarm_id: str,
        metric: cloudwatch.IMetric,
        *,
        threshold: float,
        points: tuple[int, int],
        description: str,
        comparison: cloudwatch.ComparisonOperator = (cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD),
        missing: cloudwatch.TreatMissingData = cloudwatch.TreatMissingData.NOT_BREACHING,
    ) -> cloudwatch.Alarm:
        """Create one alarm; `points` are how many of how many periods ring."""
        ringing, looked_at = points
        alarm = cloudwatch.Alarm(
            self,
            alarm_id,
            metric=metric,
            threshold=round(threshold, 1),
            datapoints_to_alarm=ringing,
            evaluation_periods=looked_at,
            comparison_operator=comparison,
            treat_missing_data=missing,
            alarm_description=description,
        )
        if self._topic is not None:
            alarm.add_alarm_action(actions.SnsAction(self._topic))
        self.alarms.append(alarm)
        return alarm

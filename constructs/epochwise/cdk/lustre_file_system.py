"""`LustreFileSystem`: what every FSx for Lustre file system offers, whether it is created here or elsewhere."""

from collections.abc import Sequence

import jsii
from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from epochwise.catalog.lustre_client_versions import ClientOs
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.file_system_metrics import (
    file_system_metric,
    per_second,
    read_while_connected,
    server_search,
)
from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.lustre_client import add_start_up, checked_client
from epochwise.checks.lustre_client import mount_path_findings
from epochwise.clients.mount import DEFAULT_ATTEMPTS, DEFAULT_PATH, ClientMount, fstab_line, mount_command


@jsii.implements(ec2.IConnectable)
class LustreFileSystem(Construct):
    """An FSx for Lustre file system: what a client mounts and what CloudWatch knows about it.

    Abstract: a subclass sets the attributes below, and gets its metrics and what clients need from here.
    """

    file_system_id: str
    """FSx's id, fs-0123456789abcdef0."""
    dns_name: str
    """Host to mount from."""
    mount_name: str
    """FSx's mount name, which follows the host: `<dns_name>@tcp:/<mount_name>`."""
    security_groups: Sequence[ec2.ISecurityGroup]
    """Groups of the file servers."""
    efa_enabled: bool
    """Whether clients can mount over EFA."""
    _connections: ec2.Connections
    lustre_version: str | None = None
    """FSx's file system type version, such as 2.15; None where it is not known."""

    @property
    def connections(self) -> ec2.Connections:
        """The file servers' groups; on its default port a peer gets all that a client needs, in both directions."""
        return self._connections

    @arguments_of_their_kind()
    def metric(
        self,
        name: str,
        *,
        statistic: str = "Sum",
        period: Duration | None = None,
        label: str | None = None,
        color: str | None = None,
    ) -> cloudwatch.Metric:
        """Return a metric of the whole file system by FSx's name.

        Metrics of one server or storage target need `server_search` instead: their names are not known at synth.

        Args:
            name: FSx's name, such as DataReadBytes.
            statistic: CloudWatch's statistic; sums are over the file system's storage targets.
            period: 1 minute by default, which is how often FSx sends a point.
            label: name of the line in a graph.
            color: its colour.
        """
        return file_system_metric(
            self, self.file_system_id, name, statistic=statistic, period=period, label=label, color=color
        )

    @arguments_of_their_kind()
    def metric_data_read_bytes(self, *, statistic: str = "Sum", period: Duration | None = None) -> cloudwatch.Metric:
        """Return bytes that clients read in a period."""
        return self.metric("DataReadBytes", statistic=statistic, period=period)

    @arguments_of_their_kind()
    def metric_data_write_bytes(self, *, statistic: str = "Sum", period: Duration | None = None) -> cloudwatch.Metric:
        """Return bytes that clients wrote in a period."""
        return self.metric("DataWriteBytes", statistic=statistic, period=period)

    @arguments_of_their_kind()
    def metric_data_read_operations(
        self, *, statistic: str = "Sum", period: Duration | None = None
    ) -> cloudwatch.Metric:
        """Return read operations in a period."""
        return self.metric("DataReadOperations", statistic=statistic, period=period)

    @arguments_of_their_kind()
    def metric_data_write_operations(
        self, *, statistic: str = "Sum", period: Duration | None = None
    ) -> cloudwatch.Metric:
        """Return write operations in a period."""
        return self.metric("DataWriteOperations", statistic=statistic, period=period)

    @arguments_of_their_kind()
    def metric_metadata_operations(
        self, *, statistic: str = "Sum", period: Duration | None = None
    ) -> cloudwatch.Metric:
        """Return metadata operations in a period."""
        return self.metric("MetadataOperations", statistic=statistic, period=period)

    @arguments_of_their_kind()
    def metric_client_connections(
        self, *, statistic: str = "Maximum", period: Duration | None = None
    ) -> cloudwatch.Metric:
        """Return active connections between clients and the file system."""
        return self.metric("ClientConnections", statistic=statistic, period=period)

    @arguments_of_their_kind()
    def metric_logical_disk_usage(self) -> cloudwatch.Metric:
        """Return bytes stored as clients see them, before compression.

        Always a point a minute: a sum over storage targets and a longer period counts each target again.
        """
        return self.metric("LogicalDiskUsage")

    @arguments_of_their_kind()
    def metric_physical_disk_usage(self) -> cloudwatch.Metric:
        """Return bytes taken on disk, after compression; always a point a minute, as above."""
        return self.metric("PhysicalDiskUsage")

    @arguments_of_their_kind()
    def metric_read_mbps(self, *, period: Duration | None = None) -> cloudwatch.MathExpression:
        """Return MB/s (10^6 B/s) that clients read."""
        return per_second(
            self, {"read": self.metric_data_read_bytes(period=period)}, divisor=1_000_000, label="read MB/s"
        )

    @arguments_of_their_kind()
    def metric_write_mbps(self, *, period: Duration | None = None) -> cloudwatch.MathExpression:
        """Return MB/s (10^6 B/s) that clients write."""
        return per_second(
            self, {"write": self.metric_data_write_bytes(period=period)}, divisor=1_000_000, label="write MB/s"
        )

    @arguments_of_their_kind()
    def metric_throughput_mbps(self, *, period: Duration | None = None) -> cloudwatch.MathExpression:
        """Return MB/s (10^6 B/s) that clients read and write together."""
        return per_second(
            self,
            {
                "read": self.metric_data_read_bytes(period=period),
                "write": self.metric_data_write_bytes(period=period),
            },
            divisor=1_000_000,
            label="read and write MB/s",
        )

    @arguments_of_their_kind()
    def metric_read_mbps_while_connected(
        self, *, otherwise: float, period: Duration | None = None
    ) -> cloudwatch.MathExpression:
        """Return MB/s that clients read while any is connected, and `otherwise` while none is; 5 minutes by default."""
        period = period or Duration.minutes(5)
        return read_while_connected(
            self,
            read=self.metric_data_read_bytes(period=period),
            clients=self.metric_client_connections(period=period),
            otherwise=otherwise,
        )

    @arguments_of_their_kind()
    def metric_metadata_operations_per_s(self, *, period: Duration | None = None) -> cloudwatch.MathExpression:
        """Return metadata operations a second."""
        return per_second(self, {"metadata": self.metric_metadata_operations(period=period)}, label="metadata/s")

    @arguments_of_their_kind()
    def server_search(
        self,
        name: str,
        *,
        dimension: str = "FileServer",
        statistic: str = "Maximum",
        period: Duration | None = None,
        label: str = "",
    ) -> cloudwatch.SearchExpression:
        """Return one line per file server (or StorageTargetId) of a metric, for a graph; alarms take no search."""
        return server_search(
            self.file_system_id,
            name,
            dimension=dimension,
            statistic=statistic,
            period=period,
            label=label,
        )

    @arguments_of_their_kind()
    def mount_command(self, path: str = DEFAULT_PATH, *, noatime: bool = False, read_only: bool = False) -> str:
        """Return the command that root mounts with, for any client; over EFA it is the same.

        Args:
            path: folder to mount at.
            noatime: leave access times alone; then nothing can be released by age.
            read_only: mount for reading only.

        Raises:
            ValueError: the path is not absolute, needs quoting, or is one of the instance's own.
        """
        refuse_errors(mount_path_findings(path))
        mount = ClientMount(self.dns_name, self.mount_name, path=path, noatime=noatime, read_only=read_only)
        return mount_command(mount)

    @arguments_of_their_kind()
    def fstab_line(
        self,
        path: str = DEFAULT_PATH,
        *,
        os: ClientOs | str = ClientOs.AMAZON_LINUX_2023,
        efa: bool = False,
        noatime: bool = False,
        read_only: bool = False,
        nofail: bool = True,
    ) -> str:
        """Return the line of /etc/fstab that mounts again after a restart.

        Args:
            path: folder to mount at.
            os: the client's operating system, which says what an automatic mount waits for.
            efa: whether the client mounts over EFA, and waits for that instead.
            noatime: leave access times alone.
            read_only: mount for reading only.
            nofail: start the instance even if the mount fails.

        Raises:
            ValueError: such a client cannot mount this file system.
        """
        mount = self._client(path, os, efa=efa, noatime=noatime, read_only=read_only, nofail=nofail)
        checked_client(mount, efa_enabled=self.efa_enabled, lustre_version=self.lustre_version)
        return fstab_line(mount)

    @arguments_of_their_kind()
    def user_data(
        self,
        *,
        os: ClientOs | str = ClientOs.AMAZON_LINUX_2023,
        path: str = DEFAULT_PATH,
        efa: bool = False,
        instance_type: str | None = None,
        os_release: str | None = None,
        noatime: bool = False,
        read_only: bool = False,
        attempts: int = DEFAULT_ATTEMPTS,
        tune: bool = True,
    ) -> ec2.UserData:
        """Return user data of a client of its own; see `add_to_user_data`."""
        user_data = ec2.UserData.for_linux()
        self.add_to_user_data(
            user_data,
            os=os,
            path=path,
            efa=efa,
            instance_type=instance_type,
            os_release=os_release,
            noatime=noatime,
            read_only=read_only,
            attempts=attempts,
            tune=tune,
        )
        return user_data

    @arguments_of_their_kind()
    def add_to_user_data(
        self,
        user_data: ec2.UserData,
        *,
        os: ClientOs | str = ClientOs.AMAZON_LINUX_2023,
        path: str = DEFAULT_PATH,
        efa: bool = False,
        instance_type: str | None = None,
        os_release: str | None = None,
        noatime: bool = False,
        read_only: bool = False,
        attempts: int = DEFAULT_ATTEMPTS,
        tune: bool = True,
    ) -> None:
        """Let user data install the Lustre client, mount the file system, and mount it again after restarts.

        A mount that fails is tried again, with pauses that differ from node to node; when all tries fail, the start-up
        ends with status 1. Give each file system of an instance its own path.

        Args:
            user_data: of an instance with Linux: a shell script, or a multipart one with such a default part.
            os: its operating system; the script stops on another.
            path: folder to mount at.
            efa: set up EFA for Lustre, and stop when its interfaces are not there.
            instance_type: EC2's name, which says whether it can mount over EFA and with how many interfaces.
            os_release: minor release of a Red Hat or Rocky Linux, such as 9.5, where it is known.
            noatime: leave access times alone; then nothing can be released by age.
            read_only: mount for reading only.
            attempts: how often the mount is tried; the default takes ten minutes and more.
            tune: tune clients with more than 64 CPUs or 64 GiB of memory as AWS recommends.

        Raises:
            ValueError: such a client cannot mount this file system, or the user data cannot take its start-up: it is
                no shell, is of another operating system, mounts something at that path, or becomes too large.
        """
        mount = self._client(path, os, efa=efa, noatime=noatime, read_only=read_only)
        remarks = checked_client(
            mount,
            efa_enabled=self.efa_enabled,
            lustre_version=self.lustre_version,
            os_release=os_release,
            instance_type=instance_type,
            attempts=attempts,
        )
        add_start_up(self, user_data, mount, instance_type=instance_type, attempts=attempts, tune=tune)
        annotate(self, remarks)

    def _client(
        self,
        path: str,
        os: ClientOs | str,
        *,
        efa: bool,
        noatime: bool,
        read_only: bool,
        nofail: bool = True,
    ) -> ClientMount:
        """Return one mount of this file system."""
        return ClientMount(
            self.dns_name,
            self.mount_name,
            os=ClientOs(os),
            path=path,
            efa=efa,
            noatime=noatime,
            read_only=read_only,
            nofail=nofail,
        )

"""`TrainingFileSystem`: FSx for Lustre in the size that was planned, with its security group and its links to S3."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from aws_cdk import CfnResource, RemovalPolicy, Stack, Tags
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from constructs import Construct, IConstruct

from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, MetadataMode, StorageType
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.bucket_links import BucketLinking, BucketLinks
from epochwise.cdk.encryption_key import encryption_key_findings
from epochwise.cdk.file_system_arguments import (
    NUMBERS_OF_DEPLOY,
    argument_findings,
    not_one_subnet,
    settings_of,
    tag_count,
)
from epochwise.cdk.file_system_place import place_findings
from epochwise.cdk.file_system_removal import KeptResources, apply_removal, destroy_is_allowed, is_retained
from epochwise.cdk.findings import annotate, annotate_at_synth, refuse_errors
from epochwise.cdk.given_groups import once_each
from epochwise.cdk.imported_file_system import ImportedTrainingFileSystem
from epochwise.cdk.known_region import known_region, workload_region_findings
from epochwise.cdk.lustre_access import LustreAccess, LustreClients
from epochwise.cdk.lustre_configuration import create_log_group, log_destination, lustre_configuration
from epochwise.cdk.lustre_connections import LustreConnections
from epochwise.cdk.lustre_file_system import LustreFileSystem
from epochwise.cdk.planned_file_system import choice_of, link_dataset
from epochwise.cdk.rules_first import hand_over_rules
from epochwise.cdk.security_group_rules import create_group, is_created_here
from epochwise.cdk.stack_order import is_of_stack
from epochwise.checks.file_system import destroy_not_allowed, file_system_findings
from epochwise.checks.file_system_region import file_system_not_offered
from epochwise.checks.file_system_settings import NEWEST_LUSTRE, AutoImportPolicy, LogLevel, ReadCacheMode
from epochwise.checks.file_system_tags import too_many_tags
from epochwise.sizing.plan import Choice
from epochwise.workload import Workload


class TrainingFileSystem(LustreClients, BucketLinking, LustreFileSystem):
    """An FSx for Lustre file system in one subnet.

    Its security group opens TCP 988 and 1018-1023 to itself and to each client group, in both directions and by group
    id; on an EFA-enabled file system all traffic instead. The file system waits for every rule, since FSx refuses to
    create one whose servers cannot reach each other.

    A persistent file system is retained with its group, its rules, its links and its logs when it is removed or
    replaced, so that it stays reachable; a scratch one is destroyed. It is replaced when its type, subnet, groups, key,
    backup or copying of tags to backups changes. A retained one keeps interfaces in the subnet and costs money: delete
    it by hand before the VPC.

    | attribute | is |
    |---|---|
    | `file_system_id`, `dns_name`, `mount_name` | what a client mounts: `<dns_name>@tcp:/<mount_name>` |
    | `security_group`, `security_groups`, `connections` | the servers' groups, the first of them and their ports |
    | `settings`, `efa_enabled`, `lustre_version` | what FSx is asked for |
    | `log_group` | where failed imports and exports are logged, if anywhere |
    | `retained` | whether it outlives its stack |
    """

    @arguments_of_their_kind(*NUMBERS_OF_DEPLOY, subnet=not_one_subnet)
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        vpc: ec2.IVpc,
        subnet: ec2.ISubnet,
        size: Choice | None = None,
        deployment_type: DeploymentType | None = None,
        storage_type: StorageType = StorageType.SSD,
        storage_capacity_gib: int | None = None,
        per_unit_storage_throughput: int | None = None,
        efa_enabled: bool = False,
        metadata_iops: int | None = None,
        metadata_mode: MetadataMode | None = None,
        drive_cache_type: DriveCacheType | None = None,
        throughput_capacity_mbps: int | None = None,
        read_cache_gib: int | None = None,
        read_cache_mode: ReadCacheMode | None = None,
        lustre_version: str = NEWEST_LUSTRE,
        security_groups: Sequence[ec2.ISecurityGroup] | None = None,
        client_security_groups: Sequence[ec2.ISecurityGroup] = (),
        data_compression: bool = False,
        encryption_key: kms.IKey | None = None,
        automatic_backup_retention_days: int | None = None,
        daily_automatic_backup_start_time: str | None = None,
        copy_tags_to_backups: bool = False,
        backup_id: str | None = None,
        weekly_maintenance_start_time: str | None = None,
        log_level: LogLevel | None = None,
        log_group: logs.ILogGroup | None = None,
        import_path: str | None = None,
        export_path: str | None = None,
        auto_import_policy: AutoImportPolicy | None = None,
        imported_file_chunk_size_mib: int | None = None,
        tags: Mapping[str, str] | None = None,
        removal_policy: RemovalPolicy | None = None,
    ) -> None:
        """Create the file system.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            vpc: the VPC of its subnet.
            subnet: the one subnet it lives in, in the zone of its clients.
            size: what a plan chose; excludes the eleven settings that follow.
            deployment_type: FSx's deployment type.
            storage_type: SSD, HDD on PERSISTENT_1, or INTELLIGENT_TIERING on PERSISTENT_2.
            storage_capacity_gib: storage capacity in GiB; none on Intelligent-Tiering.
            per_unit_storage_throughput: MB/s per TiB of storage capacity; required on persistent SSD and HDD.
            efa_enabled: whether clients can mount over EFA; cannot be changed later.
            metadata_iops: provisioned metadata IOPS; by default those of the capacity, 6000 on Intelligent-Tiering.
            metadata_mode: follows from metadata_iops.
            drive_cache_type: SSD cache of HDD for reads, none by default.
            throughput_capacity_mbps: MB/s of Intelligent-Tiering, a multiple of 4000.
            read_cache_gib: SSD read cache of Intelligent-Tiering in GiB, 5 for each MB/s by default.
            read_cache_mode: follows from read_cache_gib; NO_CACHE for none.
            lustre_version: 2.15; older ones for clients that cannot mount it.
            security_groups: groups of the servers instead of one made here; the first that is mutable gets the rules.
            client_security_groups: groups of the nodes that mount it.
            data_compression: whether LZ4 compresses what is written.
            encryption_key: key of a persistent file system; FSx's own by default.
            automatic_backup_retention_days: days to keep daily backups, persistent types without bucket links only.
            daily_automatic_backup_start_time: HH:MM in UTC; FSx's choice by default.
            copy_tags_to_backups: whether backups get the file system's tags.
            backup_id: backup to restore, backup-0123456789abcdef0.
            weekly_maintenance_start_time: d:HH:MM in UTC, d from 1 for Monday; FSx's choice by default.
            log_level: which failed imports and exports are logged; none is said to FSx by default.
            log_group: where to, a group under /aws/fsx/; one made here by default, kept for a year.
            import_path: s3://bucket/prefix of the older link to S3, not on PERSISTENT_2; prefer `link_bucket`.
            export_path: where the older link exports to.
            auto_import_policy: what the older link imports by itself.
            imported_file_chunk_size_mib: MiB after which a file of the older link is striped.
            tags: tags of everything made here.
            removal_policy: RETAIN for persistent types and DESTROY for scratch by default. DESTROY of a persistent one
                counts only with the context flag `epochwise:allow-destroy`, and so does an aspect of the app.

        Raises:
            ValueError: an argument is of the wrong kind, or no FSx for Lustre file system has these settings.
        """
        given: dict[str, object] = {
            "deployment_type": deployment_type,
            "storage_type": storage_type,
            "storage_capacity_gib": storage_capacity_gib,
            "per_unit_storage_throughput": per_unit_storage_throughput,
            "efa_enabled": efa_enabled,
            "metadata_iops": metadata_iops,
            "metadata_mode": metadata_mode,
            "drive_cache_type": drive_cache_type,
            "throughput_capacity_mbps": throughput_capacity_mbps,
            "read_cache_gib": read_cache_gib,
            "read_cache_mode": read_cache_mode,
            "lustre_version": lustre_version,
            "data_compression": data_compression,
            "automatic_backup_retention_days": automatic_backup_retention_days,
            "daily_automatic_backup_start_time": daily_automatic_backup_start_time,
            "copy_tags_to_backups": copy_tags_to_backups,
            "backup_id": backup_id,
            "weekly_maintenance_start_time": weekly_maintenance_start_time,
            "log_level": log_level,
            "import_path": import_path,
            "export_path": export_path,
            "auto_import_policy": auto_import_policy,
            "imported_file_chunk_size_mib": imported_file_chunk_size_mib,
        }
        refuse_errors(argument_findings(security_groups=security_groups, tags=tags, removal_policy=removal_policy))
        asked, settings = settings_of(given, size=size, customer_key=encryption_key is not None, log_group=log_group)
        clients, given_groups = once_each(client_security_groups), once_each(security_groups or ())
        remarks = refuse_errors(
            [
                *file_system_findings(settings),
                *file_system_not_offered(settings, known_region(scope)),
                *encryption_key_findings(scope, encryption_key),
                *place_findings(vpc, subnet, servers=given_groups, clients=clients),
            ]
        )
        super().__init__(scope, construct_id)
        self.vpc = vpc
        self.subnet = subnet
        self.settings = settings
        self.efa_enabled = settings.efa_enabled
        self.lustre_version = settings.lustre_version
        self.retained = is_retained(self, settings.deployment_type, removal_policy)
        if removal_policy is RemovalPolicy.DESTROY and self.retained:
            remarks.append(destroy_not_allowed())
        two_keys = self.retained and not settings.deployment_type.is_scratch and not destroy_is_allowed(self)
        self._kept = KeptResources(self) if two_keys else None
        self.security_groups = given_groups
        if security_groups is None:
            own = create_group(self, "SecurityGroup", vpc=vpc, description="FSx for Lustre file servers")
            self._share_fate([own])
            hand_over_rules(own, self._wait_for)
            self.security_groups = [own]
        self.security_group = self.security_groups[0]
        self.log_group = log_group
        if log_group is None and settings.logs not in {None, LogLevel.DISABLED}:
            self.log_group = create_log_group(self)
            self._share_fate([self.log_group])

        self._resource = fsx.CfnFileSystem(
            self,
            "Resource",
            file_system_type="LUSTRE",
            file_system_type_version=lustre_version,
            storage_type=settings.storage_type,
            storage_capacity=asked.storage_capacity_gib,
            subnet_ids=[subnet.subnet_id],
            security_group_ids=[group.security_group_id for group in self.security_groups],
            kms_key_id=None if encryption_key is None else encryption_key.key_arn,
            backup_id=backup_id,
            lustre_configuration=lustre_configuration(asked, log_destination(self, asked, self.log_group)),
        )
        self._share_fate([self._resource])
        self.file_system_id = self._resource.ref
        stack = Stack.of(self)
        self.dns_name = f"{self._resource.ref}.fsx.{stack.region}.{stack.url_suffix}"
        self.mount_name = self._resource.attr_lustre_mount_name
        self._access = LustreAccess(
            self,
            self.security_groups,
            efa_enabled=settings.efa_enabled,
            vpc=vpc,
            needs=[each for each in (vpc, subnet, encryption_key, self.log_group) if each is not None],
            new_group=security_groups is None,
        )
        self._connections = LustreConnections(
            security_groups=self.security_groups,
            efa_enabled=settings.efa_enabled,
            access=self._access,
            allow_client=self.allow_client,
        )
        self._links = BucketLinks(
            self, file_system_id=self.file_system_id, settings=settings, on_created=self._share_fate
        )
        made, standing = self._access.allow_servers()
        self._wait_for(made)
        self._keep([group for group in given_groups if is_created_here(group)])
        self._keep(standing)
        for rule in standing:
            if is_of_stack(rule, self):
                self._resource.node.add_dependency(rule)
        for client in clients:
            self.allow_client(client)
        self._access.settle()
        for key, value in (tags or {}).items():
            Tags.of(self).add(key, value)
        annotate(self, [*remarks, *self._access.findings])
        # tags of stacks and of constructs around it are added until the synth
        annotate_at_synth(self._resource, lambda: too_many_tags(tag_count(self._resource)))

    @classmethod
    @arguments_of_their_kind(subnet=not_one_subnet)
    def for_workload(
        cls,
        scope: Construct,
        construct_id: str,
        *,
        workload: Workload,
        vpc: ec2.IVpc,
        subnet: ec2.ISubnet,
        security_groups: Sequence[ec2.ISecurityGroup] | None = None,
        client_security_groups: Sequence[ec2.ISecurityGroup] = (),
        encryption_key: kms.IKey | None = None,
        weekly_maintenance_start_time: str | None = None,
        log_level: LogLevel | None = None,
        log_group: logs.ILogGroup | None = None,
        tags: Mapping[str, str] | None = None,
        removal_policy: RemovalPolicy | None = None,
    ) -> Self:
        """Create the file system that a plan chooses for a workload, linked to the workload's dataset.

        The other arguments are the constructor's.

        Raises:
            ValueError: no file system meets the workload's target, and why; or it declares another Region.
        """
        refuse_errors(workload_region_findings(scope, workload.region))
        choice, remarks = choice_of(workload)
        file_system = cls(
            scope,
            construct_id,
            vpc=vpc,
            subnet=subnet,
            size=choice,
            security_groups=security_groups,
            client_security_groups=client_security_groups,
            data_compression=workload.dataset.compression_ratio > 1,
            encryption_key=encryption_key,
            weekly_maintenance_start_time=weekly_maintenance_start_time,
            log_level=log_level,
            log_group=log_group,
            tags=tags,
            removal_policy=removal_policy,
        )
        link_dataset(file_system, workload.dataset)
        annotate(file_system, remarks)
        return file_system

    @staticmethod
    @arguments_of_their_kind()
    def from_attributes(
        scope: Construct,
        construct_id: str,
        *,
        file_system_id: str,
        dns_name: str,
        mount_name: str,
        security_groups: Sequence[ec2.ISecurityGroup],
        efa_enabled: bool = False,
    ) -> ImportedTrainingFileSystem:
        """Take a file system that others own; see `ImportedTrainingFileSystem` for the arguments and errors."""
        return ImportedTrainingFileSystem(
            scope,
            construct_id,
            file_system_id=file_system_id,
            dns_name=dns_name,
            mount_name=mount_name,
            security_groups=security_groups,
            efa_enabled=efa_enabled,
        )

    def _share_fate(self, resources: Iterable[IConstruct]) -> None:
        """Keep resources, or let them go, with the file system."""
        shared = list(resources)
        apply_removal(shared, retained=self.retained)
        if self._kept is not None:
            self._kept.add(shared)

    def _keep(self, resources: Iterable[IConstruct]) -> None:
        """Keep what the app made elsewhere with a file system that is retained; else it is its maker's."""
        if self.retained:
            self._share_fate(resources)

    def _wait_for(self, rules: Iterable[CfnResource]) -> None:
        """Create rules before the file system, and let them share its fate."""
        made = list(rules)
        self._share_fate(made)
        for rule in made:
            self._resource.node.add_dependency(rule)

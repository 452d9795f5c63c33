"""`TrainingFileSystem`: FSx for Lustre in the size that was planned, with its security group and its links to S3."""

from collections.abc import Iterable, Sequence

from aws_cdk import CfnDeletionPolicy, CfnResource, Names, RemovalPolicy, Stack, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from epochwise.catalog.fsx_lustre import DeploymentType, MetadataMode, StorageType
from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.security_group_rules import ALL_TRAFFIC, LUSTRE_PORTS, allow_between, create_group
from epochwise.checks.bucket_link import (
    LINK_EVENTS,
    BucketLink,
    bucket_link_findings,
    normalised_path,
    normalised_prefix,
)
from epochwise.checks.file_system import FileSystemSettings, destroy_not_allowed, file_system_findings
from epochwise.sizing.plan import Choice

LUSTRE_VERSION = "2.15"
"""The only version with a metadata configuration, and one that every current client mounts."""
ALLOW_DESTROY = "epochwise:allow-destroy"
"""Context flag that must be true before a persistent file system is destroyed."""


class TrainingFileSystem(Construct):
    """An FSx for Lustre file system in one subnet.

    Its own security group opens TCP 988 and 1018-1023 to itself and to each client group, in both directions and by
    group id; on an EFA-enabled file system all traffic instead. The file system waits for every rule, since FSx refuses
    to create one whose servers cannot reach each other.

    A persistent file system is retained with its group, its rules and its links when it is removed or replaced, so that
    it stays reachable; a scratch one is destroyed. Retained file systems keep interfaces in the subnet: delete them by
    hand before the VPC.

    | attribute | is |
    |---|---|
    | `file_system_id`, `dns_name`, `mount_name` | what a client mounts: `<dns_name>@tcp:/<mount_name>` |
    | `security_group`, `connections` | the servers' group |
    | `settings` | what FSx is asked for |
    | `retained` | whether it outlives its stack |
    """

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
        client_security_groups: Sequence[ec2.ISecurityGroup] = (),
        data_compression: bool = False,
        encryption_key: kms.IKey | None = None,
        automatic_backup_retention_days: int | None = None,
        removal_policy: RemovalPolicy | None = None,
    ) -> None:
        """Create the file system.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            vpc: the VPC of its subnet.
            subnet: the one subnet it lives in, in the zone of its clients.
            size: what a plan chose; excludes the settings that follow.
            deployment_type: FSx's deployment type.
            storage_type: SSD, or HDD on PERSISTENT_1.
            storage_capacity_gib: storage capacity in GiB.
            per_unit_storage_throughput: MB/s per TiB of storage capacity; required on persistent types.
            efa_enabled: whether clients can mount over EFA; cannot be changed later.
            metadata_iops: provisioned metadata IOPS; without it PERSISTENT_2 has those that come with its capacity.
            client_security_groups: groups of the nodes that mount it.
            data_compression: whether LZ4 compresses what is written.
            encryption_key: key of a persistent file system; FSx's own by default.
            automatic_backup_retention_days: days to keep daily backups, persistent types without bucket links only.
            removal_policy: RETAIN for persistent types and DESTROY for scratch by default. DESTROY of a persistent one
                counts only with the context flag `epochwise:allow-destroy`.

        Raises:
            ValueError: no kind of FSx for Lustre file system has these settings.
        """
        explicit = (deployment_type, storage_capacity_gib, per_unit_storage_throughput, metadata_iops)
        if size is not None:
            if efa_enabled or storage_type is not StorageType.SSD or any(setting is not None for setting in explicit):
                raise ValueError(f"size must be alone, got other settings beside {size.label}; leave them out")
            deployment_type, storage_type = size.deployment_type, size.storage_type
            storage_capacity_gib, efa_enabled = size.storage_capacity_gib, size.efa_enabled
            per_unit_storage_throughput = size.per_unit_storage_throughput
            metadata_iops = size.metadata_iops if size.metadata_mode is MetadataMode.USER_PROVISIONED else None
        if deployment_type is None or storage_capacity_gib is None:
            raise ValueError("size, or deployment_type and storage_capacity_gib, must be given, got neither")
        self.settings = FileSystemSettings(
            deployment_type=DeploymentType(deployment_type),
            storage_type=StorageType(storage_type),
            storage_capacity_gib=_known(storage_capacity_gib),
            per_unit_storage_throughput=_known(per_unit_storage_throughput),
            efa_enabled=efa_enabled,
            metadata_iops=_known(metadata_iops),
            customer_key=encryption_key is not None,
            automatic_backup_retention_days=_known(automatic_backup_retention_days),
            throughput_known=not Token.is_unresolved(per_unit_storage_throughput),
        )
        remarks = refuse_errors(file_system_findings(self.settings))
        super().__init__(scope, construct_id)
        settings = self.settings

        self.retained = _is_retained(self, settings.deployment_type, removal_policy)
        if removal_policy is RemovalPolicy.DESTROY and self.retained:
            remarks.append(destroy_not_allowed())
        self.security_group = create_group(self, "SecurityGroup", vpc=vpc, description="FSx for Lustre file servers")
        self._ports = (ALL_TRAFFIC,) if efa_enabled else LUSTRE_PORTS
        self._clients: set[str] = set()
        self._links: list[BucketLink] = []
        self._last_link: fsx.CfnDataRepositoryAssociation | None = None
        group = self.security_group.node.default_child
        assert isinstance(group, CfnResource)  # noqa: S101 - what a created group is made of
        self._apply_removal([group])

        self._resource = fsx.CfnFileSystem(
            self,
            "Resource",
            file_system_type="LUSTRE",
            file_system_type_version=LUSTRE_VERSION,
            storage_type=settings.storage_type,
            storage_capacity=storage_capacity_gib,
            subnet_ids=[subnet.subnet_id],
            security_group_ids=[self.security_group.security_group_id],
            kms_key_id=None if encryption_key is None else encryption_key.key_arn,
            lustre_configuration=fsx.CfnFileSystem.LustreConfigurationProperty(
                deployment_type=settings.deployment_type,
                per_unit_storage_throughput=per_unit_storage_throughput,
                # FSx requires a drive cache type with HDD; the read cache is not part of any predicted size
                drive_cache_type="NONE" if settings.storage_type is StorageType.HDD else None,
                data_compression_type="LZ4" if data_compression else None,
                efa_enabled=True if efa_enabled else None,
                metadata_configuration=_metadata_configuration(settings.deployment_type, metadata_iops),
                automatic_backup_retention_days=automatic_backup_retention_days,
            ),
        )
        self._apply_removal([self._resource])
        self._allow("Self", self.security_group, description="Lustre among file servers")
        for client in client_security_groups:
            self.allow_client(client)
        annotate(self, remarks)

        self.connections = ec2.Connections(security_groups=[self.security_group], default_port=ec2.Port.tcp(988))
        self.file_system_id = self._resource.ref
        stack = Stack.of(self)
        self.dns_name = f"{self._resource.ref}.fsx.{stack.region}.{stack.url_suffix}"
        self.mount_name = self._resource.attr_lustre_mount_name

    def allow_client(self, client: ec2.ISecurityGroup) -> None:
        """Let the nodes of a security group mount the file system.

        Rules are added in both directions to both groups, by group id. A group that is allowed already stays as it is.
        They belong to this construct's stack: take groups from the same stack, or from one that it may depend on.

        Raises:
            ValueError: the client is no security group; EFA does not honour rules by address.
        """
        if not hasattr(client, "security_group_id"):
            raise ValueError(
                f"client must be a security group, got {type(client).__name__}; rules by address do not count for EFA"
            )
        name = Names.unique_id(client)
        if name in self._clients:
            return
        self._clients.add(name)
        self._allow(f"To{name}", self.security_group, client, description="Lustre from file servers to clients")
        self._allow(f"From{name}", client, self.security_group, description="Lustre from clients to file servers")

    def link_bucket(
        self,
        bucket: s3.IBucket,
        *,
        prefix: str = "",
        file_system_path: str = "/",
        import_events: Sequence[str] = LINK_EVENTS,
        export_events: Sequence[str] = (),
    ) -> fsx.CfnDataRepositoryAssociation:
        """Link a prefix of a bucket to a folder: files appear at once, their data arrives when it is first read.

        Args:
            bucket: the bucket, in the file system's Region.
            prefix: part of the bucket, the whole by default.
            file_system_path: folder of the file system; the root only for a single link.
            import_events: NEW, CHANGED, DELETED: what in the bucket shows up in the file system.
            export_events: what in the file system is written to the bucket; nothing by default, which suits a dataset.

        Raises:
            ValueError: links overlap, are too many, or the file system takes none.
        """
        link = BucketLink(
            bucket=bucket.bucket_name,
            prefix=prefix if Token.is_unresolved(prefix) else normalised_prefix(prefix),
            file_system_path=file_system_path
            if Token.is_unresolved(file_system_path)
            else normalised_path(file_system_path),
            import_events=tuple(import_events),
            export_events=tuple(export_events),
        )
        remarks = refuse_errors(
            bucket_link_findings(
                link,
                existing=self._links,
                deployment_type=self.settings.deployment_type,
                automatic_backup_retention_days=self.settings.automatic_backup_retention_days,
            )
        )
        policies = fsx.CfnDataRepositoryAssociation
        association = fsx.CfnDataRepositoryAssociation(
            self,
            f"BucketLink{len(self._links) + 1}",
            file_system_id=self.file_system_id,
            file_system_path=link.file_system_path,
            data_repository_path=f"s3://{link.bucket}/{link.prefix}",
            batch_import_meta_data_on_create=True,
            s3=policies.S3Property(
                auto_import_policy=policies.AutoImportPolicyProperty(events=list(link.import_events))
                if link.import_events
                else None,
                auto_export_policy=policies.AutoExportPolicyProperty(events=list(link.export_events))
                if link.export_events
                else None,
            ),
        )
        # FSx creates one association of a file system at a time
        if self._last_link is not None:
            association.node.add_dependency(self._last_link)
        self._last_link = association
        self._links.append(link)
        self._apply_removal([association])
        annotate(association, remarks)
        return association

    def _allow(
        self,
        rule_id: str,
        source: ec2.ISecurityGroup,
        target: ec2.ISecurityGroup | None = None,
        *,
        description: str,
    ) -> None:
        """Add a pair of rules from one group to another, or to itself, before the file system."""
        rules = allow_between(
            self,
            rule_id,
            source_group_id=source.security_group_id,
            target_group_id=(target or source).security_group_id,
            ports=self._ports,
            description=description,
        )
        self._apply_removal(rules)
        for rule in rules:
            self._resource.node.add_dependency(rule)

    def _apply_removal(self, resources: Iterable[CfnResource]) -> None:
        """Let resources share the fate of the file system."""
        policy = CfnDeletionPolicy.RETAIN if self.retained else CfnDeletionPolicy.DELETE
        for resource in resources:
            resource.cfn_options.deletion_policy = policy
            resource.cfn_options.update_replace_policy = policy


def _known(number: int | None) -> int | None:
    """Return a number, or None for a token, whose value only a deploy knows."""
    return None if number is None or Token.is_unresolved(number) else number


def _is_retained(scope: Construct, deployment_type: DeploymentType, removal_policy: RemovalPolicy | None) -> bool:
    """Decide whether the file system outlives its stack."""
    if removal_policy is None:
        return not deployment_type.is_scratch
    if removal_policy is not RemovalPolicy.DESTROY:
        return True
    return not deployment_type.is_scratch and not destroy_is_allowed(scope)


def destroy_is_allowed(scope: Construct) -> bool:
    """Tell whether the app's context lets persistent file systems be destroyed."""
    return str(scope.node.try_get_context(ALLOW_DESTROY)).lower() == "true"


def _metadata_configuration(
    deployment_type: DeploymentType, metadata_iops: int | None
) -> fsx.CfnFileSystem.MetadataConfigurationProperty | None:
    """Return the metadata configuration, which must be there from the start or can never be added.

    Source: FSx User Guide, managing-metadata-performance.
    """
    if deployment_type is not DeploymentType.PERSISTENT_2:
        return None
    mode = MetadataMode.AUTOMATIC if metadata_iops is None else MetadataMode.USER_PROVISIONED
    return fsx.CfnFileSystem.MetadataConfigurationProperty(mode=mode, iops=metadata_iops)

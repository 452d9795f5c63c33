"""Links of a file system to S3 (`AWS::FSx::DataRepositoryAssociation`), one after the other, with their rights."""

from collections.abc import Callable, Iterable, Sequence

from aws_cdk import Annotations, Aws, Stack
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct, IConstruct

from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.same_environment import awaited_findings
from epochwise.cdk.tokens import is_token
from epochwise.checks.bucket_link import (
    LINK_EVENTS,
    BucketLink,
    bucket_link_findings,
    normalised_path,
    normalised_prefix,
)
from epochwise.checks.file_system_settings import FileSystemSettings
from epochwise.checks.finding import Finding, Level
from epochwise.checks.linked_bucket import (
    bucket_in_another_region,
    bucket_name_illegal,
    bucket_not_seen,
    key_policy_of_others,
)

KEY_ACTIONS = ("kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey")
"""What FSx does with the key of a linked bucket (FSx User Guide, s3-server-side-encryption-support)."""
S3_ROLES = "role/aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/AWSServiceRoleForFSxS3Access_fs-*"
"""Roles that FSx makes, one for each file system, when its first link is made."""


class BucketLinks:
    """The links of one file system, in the order in which they are made."""

    def __init__(
        self,
        scope: Construct,
        *,
        file_system_id: str,
        settings: FileSystemSettings,
        on_created: Callable[[Iterable[IConstruct]], None],
    ) -> None:
        """Begin without a link; `on_created` is told of every resource."""
        self._scope = scope
        self._file_system_id = file_system_id
        self._settings = settings
        self._on_created = on_created
        self._links: list[BucketLink] = []
        self._last: fsx.CfnDataRepositoryAssociation | None = None

    @property
    def made(self) -> tuple[BucketLink, ...]:
        """The links that there are so far."""
        return tuple(self._links)

    def add(
        self,
        bucket: s3.IBucket,
        *,
        prefix: str,
        file_system_path: str,
        import_events: Sequence[str],
        export_events: Sequence[str],
        imported_file_chunk_size_mib: int | None,
    ) -> fsx.CfnDataRepositoryAssociation:
        """Link a bucket; see `BucketLinking.link_bucket`."""
        unknown_size = is_token(imported_file_chunk_size_mib, int)
        link = BucketLink(
            bucket=bucket.bucket_name,
            prefix=prefix if is_token(prefix, str) else normalised_prefix(prefix),
            file_system_path=file_system_path if is_token(file_system_path, str) else normalised_path(file_system_path),
            import_events=tuple(dict.fromkeys(import_events)),
            export_events=tuple(dict.fromkeys(export_events)),
            imported_file_chunk_size_mib=None if unknown_size else imported_file_chunk_size_mib,
        )
        settings, key = self._settings, bucket.encryption_key
        remarks = refuse_errors(
            [
                *([] if is_token(link.bucket, str) else bucket_name_illegal(link.bucket)),
                *bucket_link_findings(
                    link,
                    existing=self._links,
                    deployment_type=settings.deployment_type,
                    automatic_backup_retention_days=settings.automatic_backup_retention_days,
                    storage_type=settings.storage_type,
                    lustre_version=settings.lustre_version,
                    copy_tags_to_backups=settings.copy_tags_to_backups,
                    import_path=settings.import_path or ("of the deploy" if settings.gives("import_path") else None),
                ),
                *bucket_in_another_region(_region(bucket), _region(self._scope), link.import_events),
                *(awaited_findings("key of bucket", key, self._scope) if key is not None else ()),
            ]
        )
        association = self._associate(link, imported_file_chunk_size_mib)
        remarks += bucket_not_seen(link.bucket, seen=isinstance(bucket, s3.Bucket) or key is not None)
        if key is not None:
            remarks += allow_fsx(key, bucket, self._scope)
            association.node.add_dependency(key)
        annotate(association, remarks)
        inform(association, remarks)
        return association

    def _associate(self, link: BucketLink, chunk_size_mib: int | None) -> fsx.CfnDataRepositoryAssociation:
        """Create the association, after the one before it: FSx creates one at a time."""
        policies = fsx.CfnDataRepositoryAssociation
        association = fsx.CfnDataRepositoryAssociation(
            self._scope,
            f"BucketLink{len(self._links) + 1}",
            file_system_id=self._file_system_id,
            file_system_path=link.file_system_path,
            data_repository_path=f"s3://{link.bucket}/{link.prefix}",
            batch_import_meta_data_on_create=True,
            imported_file_chunk_size=chunk_size_mib,
            s3=policies.S3Property(
                auto_import_policy=policies.AutoImportPolicyProperty(events=list(link.import_events))
                if link.import_events
                else None,
                auto_export_policy=policies.AutoExportPolicyProperty(events=list(link.export_events))
                if link.export_events
                else None,
            ),
        )
        if self._last is not None:
            association.node.add_dependency(self._last)
        self._last = association
        self._links.append(link)
        self._on_created([association])
        return association


class BucketLinking:
    """A file system that buckets can be linked to."""

    _links: BucketLinks

    @property
    def bucket_links(self) -> tuple[BucketLink, ...]:
        """The links that there are so far; names that only the deploy knows are tokens."""
        return self._links.made

    @arguments_of_their_kind("imported_file_chunk_size_mib")
    def link_bucket(
        self,
        bucket: s3.IBucket,
        *,
        prefix: str = "",
        file_system_path: str = "/",
        import_events: Sequence[str] = LINK_EVENTS,
        export_events: Sequence[str] = (),
        imported_file_chunk_size_mib: int | None = None,
    ) -> fsx.CfnDataRepositoryAssociation:
        """Link a prefix of a bucket to a folder: files appear at once, their data arrives when it is first read.

        The key of an encrypted bucket gets a statement that lets FSx use it through S3.

        Args:
            bucket: the bucket, in the file system's Region.
            prefix: part of the bucket, the whole by default.
            file_system_path: folder of the file system; the root only for a single link.
            import_events: NEW, CHANGED, DELETED: what in the bucket shows up in the file system.
            export_events: what in the file system is written to the bucket; nothing by default, which suits a dataset.
            imported_file_chunk_size_mib: MiB after which an imported file goes on to the next disk, 1024 by default.

        Raises:
            ValueError: links overlap, are too many, or the file system takes none.
        """
        return self._links.add(
            bucket,
            prefix=prefix,
            file_system_path=file_system_path,
            import_events=import_events,
            export_events=export_events,
            imported_file_chunk_size_mib=imported_file_chunk_size_mib,
        )


def allow_fsx(key: kms.IKey, bucket: s3.IBucket, scope: IConstruct) -> list[Finding]:
    """Let FSx's roles for S3 use a bucket's key, through S3 and in the account of the file system only.

    A role exists only once its link is made and a key's policy takes no role that does not exist, so the roles are
    matched by name. Source: FSx User Guide, s3-server-side-encryption-support; its way of naming all of an account's
    file systems is a condition on the caller too.
    """
    region, account = _region(bucket) or Aws.REGION, Stack.of(scope).account
    if key.env.account == account or is_token(account, str):
        account = Aws.ACCOUNT_ID
    result = key.add_to_resource_policy(
        iam.PolicyStatement(
            sid="AllowFsxForLustreThroughS3",
            principals=[iam.AnyPrincipal()],
            actions=list(KEY_ACTIONS),
            resources=["*"],
            conditions={
                "StringEquals": {
                    "kms:CallerAccount": account,
                    "kms:ViaService": f"s3.{region}.amazonaws.com",
                },
                "ArnLike": {"aws:PrincipalArn": f"arn:{Aws.PARTITION}:iam::{account}:{S3_ROLES}"},
            },
        ),
        allow_no_op=True,
    )
    return list(key_policy_of_others(key.node.path, ours=result.statement_added))


def inform(construct: IConstruct, findings: Iterable[Finding]) -> None:
    """Add every finding that is neither an error nor a warning to a construct, for whoever synthesizes."""
    for finding in findings:
        if finding.level is Level.INFO:
            Annotations.of(construct).add_info_v2(finding.id, f"{finding.message}; {finding.fix}")


def _region(construct: IConstruct | s3.IBucket) -> str | None:
    """Return the Region of a resource, or of a construct's stack, None when only the deploy knows it."""
    region = construct.env.region if hasattr(construct, "env") else Stack.of(construct).region
    return None if is_token(region, str) else region

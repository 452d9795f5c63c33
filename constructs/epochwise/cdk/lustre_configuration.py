"""From settings to what CloudFormation takes: `AWS::FSx::FileSystem` LustreConfiguration."""

from aws_cdk import ArnFormat, Fn, Names, Stack
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_logs as logs
from constructs import Construct

from epochwise.checks.file_system_logs import LOG_GROUP_PREFIX
from epochwise.checks.file_system_settings import FileSystemSettings, LogLevel


def lustre_configuration(
    settings: FileSystemSettings, log_destination: str | None
) -> fsx.CfnFileSystem.LustreConfigurationProperty:
    """Return the configuration; settings may hold tokens, and what is not asked for is left to FSx."""
    properties = fsx.CfnFileSystem
    metadata, read_cache, level = settings.metadata, settings.read_cache, settings.logs
    return properties.LustreConfigurationProperty(
        deployment_type=settings.deployment_type,
        per_unit_storage_throughput=settings.per_unit_storage_throughput,
        throughput_capacity=settings.throughput_capacity_mbps,
        drive_cache_type=settings.drive_cache,
        data_read_cache_configuration=None
        if read_cache is None
        else properties.DataReadCacheConfigurationProperty(sizing_mode=read_cache[0], size_gib=read_cache[1]),
        data_compression_type="LZ4" if settings.data_compression else None,
        efa_enabled=settings.efa_enabled or None,
        metadata_configuration=None
        if metadata is None
        else properties.MetadataConfigurationProperty(mode=metadata[0], iops=metadata[1]),
        automatic_backup_retention_days=settings.automatic_backup_retention_days,
        daily_automatic_backup_start_time=settings.daily_automatic_backup_start_time,
        copy_tags_to_backups=settings.copy_tags_to_backups or None,
        weekly_maintenance_start_time=settings.weekly_maintenance_start_time,
        log_configuration=None
        if level is None
        else properties.LogConfigurationProperty(level=level, destination=log_destination),
        import_path=settings.import_path,
        export_path=settings.export_path,
        auto_import_policy=settings.auto_import_policy,
        imported_file_chunk_size=settings.imported_file_chunk_size_mib,
    )


def create_log_group(scope: Construct) -> logs.LogGroup:
    """Create a log group whose name FSx takes and that no other stack, or an earlier one of that name, has."""
    stack = Stack.of(scope)
    own = Fn.select(2, Fn.split("/", stack.stack_id))
    name = Names.unique_resource_name(scope, max_length=200, separator="-", allowed_special_characters="-_")
    return logs.LogGroup(
        scope,
        "Logs",
        log_group_name=f"{LOG_GROUP_PREFIX}{name}-{own}",
        retention=logs.RetentionDays.ONE_YEAR,
    )


def log_destination(scope: Construct, settings: FileSystemSettings, group: logs.ILogGroup | None) -> str | None:
    """Return the ARN of a log group without the wildcard for its streams, which FSx's own examples do not have."""
    if group is None or settings.logs in {None, LogLevel.DISABLED}:
        return None
    return Stack.of(scope).format_arn(
        service="logs",
        resource="log-group",
        resource_name=group.log_group_name,
        arn_format=ArnFormat.COLON_RESOURCE_NAME,
    )

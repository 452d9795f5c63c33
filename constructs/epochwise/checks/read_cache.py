"""Remarks about the SSD read cache of Intelligent-Tiering. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.catalog.intelligent_tiering import (
    READ_CACHE_QUOTA_GIB,
    read_cache_max_gib,
    read_cache_min_gib,
    servers,
)
from epochwise.checks.file_system_settings import FileSystemSettings, ReadCacheMode
from epochwise.checks.finding import Finding, Level


def read_cache_findings(settings: FileSystemSettings) -> Iterator[Finding]:
    """Yield every remark about the read cache."""
    yield from read_cache_needs_tiering(settings)
    yield from read_cache_mode_contradicts_size(settings)
    yield from read_cache_out_of_range(settings)
    yield from read_cache_above_quota(settings)


def read_cache_needs_tiering(settings: FileSystemSettings) -> Iterator[Finding]:
    """Only Intelligent-Tiering has an SSD read cache of its own; that of HDD is its drive cache.

    Source: FSx API, LustreReadCacheConfiguration.
    """
    if settings.is_tiering:
        return
    for name in ("read_cache_mode", "read_cache_gib"):
        if settings.gives(name):
            yield Finding(
                "READ_CACHE_NEEDS_TIERING",
                Level.ERROR,
                f"{name} must be absent for {settings.storage_type}, got {getattr(settings, name)}",
                "leave it out, or use storage_type INTELLIGENT_TIERING; HDD has drive_cache_type READ",
            )


def read_cache_mode_contradicts_size(settings: FileSystemSettings) -> Iterator[Finding]:
    """A read cache has a size exactly when it is USER_PROVISIONED.

    Source: FSx API, LustreReadCacheConfiguration SizeGiB.
    """
    mode, sized = settings.read_cache_mode, settings.gives("read_cache_gib")
    if mode is ReadCacheMode.USER_PROVISIONED and not sized:
        yield Finding(
            "READ_CACHE_MODE_CONTRADICTS_SIZE",
            Level.ERROR,
            "read_cache_gib must be given with read_cache_mode USER_PROVISIONED, got None",
            "pass it; read_cache_mode can then be left out",
        )
    if mode in {ReadCacheMode.NO_CACHE, ReadCacheMode.PROPORTIONAL_TO_THROUGHPUT_CAPACITY} and sized:
        yield Finding(
            "READ_CACHE_MODE_CONTRADICTS_SIZE",
            Level.ERROR,
            f"read_cache_gib must be absent with read_cache_mode {mode}, got {settings.read_cache_gib}",
            "leave out either",
        )


def read_cache_out_of_range(settings: FileSystemSettings) -> Iterator[Finding]:
    """A read cache has 32 to 131072 GiB for each 4000 MB/s of throughput capacity.

    Source: FSx User Guide, intelligent-tiering-file-systems.
    """
    size, throughput = settings.read_cache_gib, settings.throughput_capacity_mbps
    if not settings.is_tiering or size is None or throughput is None or servers(throughput) < 1:
        return
    least, most = read_cache_min_gib(throughput), read_cache_max_gib(throughput)
    if not least <= size <= most:
        yield Finding(
            "READ_CACHE_OUT_OF_RANGE",
            Level.ERROR,
            f"read_cache_gib must be {least} to {most} at {throughput} MB/s, got {size}",
            f"nearest legal: {min(max(size, least), most)}",
        )


def read_cache_above_quota(settings: FileSystemSettings) -> Iterator[Finding]:
    """An account has a quota of SSD read cache.

    Source: FSx User Guide, limits.
    """
    size = settings.read_cache_gib
    if settings.is_tiering and size is not None and size > READ_CACHE_QUOTA_GIB:
        yield Finding(
            "READ_CACHE_ABOVE_QUOTA",
            Level.WARNING,
            f"read_cache_gib is {size}, above the default quota of {READ_CACHE_QUOTA_GIB} GiB",
            "make sure that AWS has raised the quota of this account and Region before the deploy",
        )

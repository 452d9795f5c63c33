"""How files are spread over storage targets, and when to say so.

FSx gives new files a progressive layout: the first 100 MiB on one target, then 8, 16 and 32 targets as a file grows.
That suits a mix of sizes. It is worth changing for a folder of large files of one size that many nodes read at the same
time, where the first 100 MiB of every file would wait for a single target. Files that arrive from S3 ignore it: their
stripes come from the size of the chunks that are imported; files that are opened to append have one stripe.

Source: FSx User Guide, performance.
"""

from math import ceil
from shlex import quote

from epochwise.catalog.lustre_client_versions import DEFAULT_LAYOUT_ENDS_MIB, default_layout
from epochwise.checks.judged_arguments import judged_arguments
from epochwise.checks.lustre_client import mount_path_findings, stripe_size_not_positive
from epochwise.checks.refusal import refuse_errors

MIB = 1 << 20
LARGEST_CHUNK_MIB = 512_000
"""Source: FSx API, CreateDataRepositoryAssociation ImportedFileChunkSize."""


@judged_arguments()
def default_stripe_command(directory: str) -> str:
    """Return the command that gives a folder FSx's own layout, for folders that had another.

    >>> default_stripe_command("/fsx/mixed")
    'lfs setstripe -E 100M -c 1 -E 10G -c 8 -E 100G -c 16 -E -1 -c 32 /fsx/mixed'

    Raises:
        ValueError: the folder's path needs quoting, or is not absolute.
    """
    refuse_errors(mount_path_findings(directory, "directory"))
    parts = " ".join(f"-E {end} -c {stripes}" for end, stripes in default_layout())
    return f"lfs setstripe {parts} {quote(directory)}"


@judged_arguments()
def stripe_command(directory: str, file_size_bytes: float, *, storage_targets: int | None = None) -> str:
    """Return the command for a folder of files of about one size, all of a file over as many targets as it is worth.

    Args:
        directory: a folder; files that are there already keep their stripes.
        file_size_bytes: size of one file.
        storage_targets: object storage targets of the file system (`lfs df`); no file has more stripes.

    >>> stripe_command("/fsx/shards", 5 * 2**30)
    'lfs setstripe -c 8 -S 1M /fsx/shards'
    >>> stripe_command("/fsx/images", 100e3)
    'lfs setstripe -c 1 -S 1M /fsx/images'

    Raises:
        ValueError: a size is not above 0, or the path needs quoting.
    """
    refuse_errors(mount_path_findings(directory, "directory"))
    return f"lfs setstripe -c {stripe_count(file_size_bytes, storage_targets)} -S 1M {quote(directory)}"


@judged_arguments()
def stripe_count(file_size_bytes: float, storage_targets: int | None = None) -> int:
    """Return over how many targets FSx's layout spreads the end of a file of this size."""
    refuse_errors(stripe_size_not_positive(file_size_bytes, "file_size_bytes"))
    if storage_targets is not None:
        refuse_errors(stripe_size_not_positive(storage_targets, "storage_targets"))
    part = sum(file_size_bytes > end * MIB for end in DEFAULT_LAYOUT_ENDS_MIB)
    stripes = default_layout()[part][1]
    return stripes if storage_targets is None else min(stripes, storage_targets)


@judged_arguments()
def imported_file_chunk_mib(file_size_bytes: float, storage_targets: int) -> int:
    """Return the ImportedFileChunkSize that spreads files from S3 over all targets: their size over the targets.

    >>> imported_file_chunk_mib(2.4 * 2**30, 6)
    410

    Raises:
        ValueError: a size is not above 0.
    """
    refuse_errors(stripe_size_not_positive(file_size_bytes, "file_size_bytes"))
    refuse_errors(stripe_size_not_positive(storage_targets, "storage_targets"))
    return min(max(1, ceil(file_size_bytes / MIB / storage_targets)), LARGEST_CHUNK_MIB)

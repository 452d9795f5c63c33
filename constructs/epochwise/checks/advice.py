"""Advice on a plan, each only where the numbers support it. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level
from epochwise.declaration.quantity_text import seconds_text


def s3_is_enough(*, mode: str, mbps_needed: float, mbps_per_node: float, usd: float, monthly_usd: float) -> Finding:
    """SageMaker's File or FastFile mode over S3 meets the target for less than any file system.

    Source: SageMaker Developer Guide, model-access-training-data; the rate per node is assumed.
    """
    return Finding(
        "S3_IS_ENOUGH",
        Level.INFO,
        f"each node needs {mbps_needed:.3g} MB/s, and {mode} mode over S3 is assumed to give {mbps_per_node:g}: about "
        f"{usd:.2f} USD of requests for all epochs against {monthly_usd:.2f} USD a month",
        f"no file system needed: read the dataset from S3 in {mode} mode",
    )


def preload_first(*, cold_s: float, limit_s: float, preload_s: float) -> Iterator[Finding]:
    """A first epoch that waits for S3 is worth a preload.

    Source: User Guide, preload-file-contents-hsm-dra; both times are assumed.
    """
    if cold_s > limit_s:
        yield Finding(
            "PRELOAD_FIRST",
            Level.INFO,
            f"the first epoch takes {seconds_text(cold_s)} (assumed) where {seconds_text(limit_s)} are allowed, "
            "since linked S3 data arrives on first read",
            f"preload it before the nodes start: about {seconds_text(preload_s)} (assumed) with lfs hsm_restore",
        )


def larger_files(*, binds: bool, opens_per_s: float, extra_usd: float) -> Iterator[Finding]:
    """Many small files cost metadata IOPS, or bind the epoch.

    Source: User Guide, performance: two file opens a second per metadata IOPS.
    """
    if binds or extra_usd > 0:
        cost = f" and costs {extra_usd:.2f} USD a month of metadata IOPS" if extra_usd > 0 else ""
        yield Finding(
            "LARGER_FILES",
            Level.INFO,
            f"opening {opens_per_s:.0f} files a second {'binds the epoch' if binds else 'is asked for'}{cost}",
            "pack samples into larger files, such as shards of 100 MB and more",
        )


def efa_above_10_gbps(*, read_mbps: float, efa_enabled: bool, mountable: bool) -> Iterator[Finding]:
    """AWS recommends EFA above 10 GB/s of file system throughput.

    Source: User Guide, performance and efa-file-systems.
    """
    if read_mbps > 10_000 and mountable and not efa_enabled:
        yield Finding(
            "EFA_ABOVE_10_GBPS",
            Level.INFO,
            f"{read_mbps:.0f} MB/s are asked for, and AWS recommends EFA above 10000 MB/s, which these nodes can mount",
            "compare the plan with file_system.efa_enabled true; EFA can be chosen only at creation",
        )


def bigger_tier(*, label: str, usd: float, other_label: str, other_usd: float) -> Finding:
    """For one rate, a small capacity at a high tier costs less than a large one at a low tier."""
    return Finding(
        "BIGGER_TIER",
        Level.INFO,
        f"{label} costs {usd:.2f} USD a month, the same target at the next lower tier takes {other_label} "
        f"for {other_usd:.2f} USD",
        "raise the tier before the capacity when the target grows; both can be changed in place without EFA",
    )


def preprocessing_binds(*, seconds: float, vcpus: int, assumed: bool) -> Finding:
    """Preprocessing on CPUs holds the epoch up.

    Source: SageMaker Developer Guide, data-parallel-configuration.
    """
    whose = " that the collective library leaves (assumed)" if assumed else ""
    return Finding(
        "PREPROCESSING_BINDS",
        Level.WARNING,
        f"preprocessing takes {seconds_text(seconds)} an epoch on {vcpus} vCPUs a node{whose}, longer than reading",
        "move preprocessing to the GPU or ahead of training; a faster file system does not shorten it",
    )


def compute_binds(*, compute_s: float, io_s: float) -> Finding:
    """Computing, not storage, decides the epoch."""
    return Finding(
        "COMPUTE_BINDS",
        Level.INFO,
        f"an epoch computes for {seconds_text(compute_s)} and reads for {seconds_text(io_s)}: "
        "storage is not the bottleneck",
        "nothing to do: the accelerators are fed",
    )


def read_ahead_assumed(*, hit_share: float, binding: str) -> Iterator[Finding]:
    """Cached reads come early in an epoch and uncached ones late; only a loader that reads ahead levels them out.

    Source: simulation of one epoch, item by item, on the guide's file system: the predicted epoch holds from a
    read-ahead of a fifth of an epoch on; with one of a hundredth it is 6 % longer.
    """
    if binding == "disk" and 0.05 < hit_share < 0.95:
        yield Finding(
            "READ_AHEAD_ASSUMED",
            Level.INFO,
            f"the steady epoch counts on loaders that read ahead: {hit_share:.0%} of the reads are cached, early in "
            "the epoch; with little read-ahead it was 6 % longer in a simulation, more where another ceiling is near",
            "let the loaders prefetch, or keep a margin to epoch.target",
        )


def page_cache_counted(*, hit_share: float, limit_share: float, epochs: int) -> Finding:
    """RAM of the nodes is counted as cache; it warms slowly."""
    return Finding(
        "PAGE_CACHE_COUNTED",
        Level.INFO,
        f"the nodes' page caches are counted with {hit_share:.0%} of all reads, the mean over {epochs} epochs; "
        f"a job without end would reach {limit_share:.0%}",
        "leave cluster.page_cache out if training needs the memory",
    )

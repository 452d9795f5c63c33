"""Nothing legal is feasible: which ceiling stands in the way, and what would lift it."""

from epochwise.checks.finding import Finding, Level

_QUOTA = "raise file_system.storage_quota_gib once AWS has raised the quota"
_LIFTS = {
    "capacity": f"{_QUOTA}, or keep less on the file system",
    "addresses": "use a larger subnet and say so in cluster.free_addresses",
    "disk": f"{_QUOTA}, or allow a longer epoch.target",
    "network": f"{_QUOTA}, or allow a longer epoch.target",
    "client": "use more nodes, nodes with more network bandwidth, or EFA mounts (cluster.platform: ec2)",
    "metadata": "pack the samples into fewer, larger files, or allow a longer epoch.target",
    "preprocessing": "move preprocessing to the GPU or ahead of training, or use more vCPUs",
    "compute": "use more nodes or faster ones, or allow a longer epoch.target: no file system shortens computing",
    "write": "allow a longer checkpoint.write_within, or write smaller checkpoints",
}


def nothing_feasible(*, wanted: str, nearest: str, fastest: str, ceiling: str, pins: str) -> Finding:
    """No legal file system does what is asked for.

    Args:
        wanted: what is asked for, such as 3333 MB/s.
        nearest: the nearest file system and how it misses.
        fastest: the fastest epoch that any legal file system reaches.
        ceiling: which ceiling the nearest fails.
        pins: the pins that narrow the search, comma-separated; empty without any.
    """
    widen = f", or widen the pins ({pins})" if pins else ""
    return Finding(
        "NOTHING_FEASIBLE",
        Level.ERROR,
        f"no legal file system does {wanted}; the nearest, {nearest}{fastest}",
        _LIFTS[ceiling] + widen,
    )


def nothing_within_quota(quota_gib: int) -> Finding:
    """The quota is smaller than the smallest file system. Source: User Guide, using-fsx-lustre: 1200 GiB."""
    return Finding(
        "NOTHING_WITHIN_QUOTA",
        Level.ERROR,
        f"no legal file system fits a storage quota of {quota_gib} GiB",
        "raise file_system.storage_quota_gib to at least 1200",
    )

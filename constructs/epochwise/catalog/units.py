"""Convert between the units of AWS's tables; each conversion exists here and nowhere else."""

BYTES_PER_MB = 1_000_000
BYTES_PER_GB = 1_000_000_000
BYTES_PER_GIB = 1 << 30


def mbps_from_gbps(gbps: float) -> float:
    """Convert a network rate in gigabits per second to MB/s.

    >>> mbps_from_gbps(100)
    12500.0
    """
    return gbps * 125.0


def fsx_tib_from_gib(capacity_gib: float) -> float:
    """Convert FSx storage capacity in GiB to the "TiB" of FSx's throughput tables, which is 1000 GiB.

    Source: User Guide, ssd-storage: a 4.8-TiB (4800 GiB) file system at 50 MB/s/TiB gives 240 MB/s.

    >>> fsx_tib_from_gib(4800) * 50
    240.0
    """
    return capacity_gib / 1000.0


def bytes_from_gib(gib: float) -> float:
    """Convert GiB to bytes.

    >>> bytes_from_gib(1)
    1073741824.0
    """
    return gib * float(BYTES_PER_GIB)


def gib_from_mib(mib: float) -> float:
    """Convert MiB to GiB.

    >>> gib_from_mib(1536)
    1.5
    """
    return mib / 1024


def gib_from_bytes(size_bytes: float) -> float:
    """Convert bytes to GiB.

    >>> gib_from_bytes(1.5 * 2**30)
    1.5
    """
    return size_bytes / BYTES_PER_GIB


def mb_from_bytes(size_bytes: float) -> float:
    """Convert bytes to MB (10^6).

    >>> mb_from_bytes(100e9)
    100000.0
    """
    return size_bytes / BYTES_PER_MB

"""Numbers that AWS does not publish and a plan still needs; output that rests on them says "assumed"."""

from epochwise.catalog.data_file import load

_HYDRATION = load("assumptions")["hydration"]
_S3 = load("assumptions")["s3"]

HYDRATION_SECONDS_PER_FILE: float = _HYDRATION["seconds_per_file"]
"""Seconds until a file of a linked bucket, read for the first time, is on the file system."""
PRELOAD_STREAMS_PER_NODE: int = _HYDRATION["preload_streams_per_node"]
"""Files that one node preloads side by side."""

COLLECTIVE_VCPUS_PER_ACCELERATOR: dict[str, int] = {
    name: value for name, value in load("assumptions")["collective_vcpus_per_accelerator"].items() if name == "smddp"
}
"""vCPUs that a collective library keeps busy, per accelerator, by the name of the distribution."""

S3_FILE_MODE_MBPS_PER_NODE: float = _S3["file_mode_mbps_per_node"]
"""MB/s at which one node downloads from S3 before training starts."""
S3_FAST_FILE_MBPS_PER_NODE: float = _S3["fast_file_mbps_per_node"]
"""MB/s at which one node streams from S3 while it trains."""
S3_GET_USD_PER_1000: float = _S3["get_usd_per_1000"]
"""USD for a thousand GET requests."""

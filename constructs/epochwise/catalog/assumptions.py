"""Numbers that AWS does not publish and a plan still needs; output that rests on them says "assumed"."""

from epochwise.catalog.data_file import load

HYDRATION_SECONDS_PER_FILE: float = load("assumptions")["hydration"]["seconds_per_file"]
"""Seconds until a file of a linked bucket, read for the first time, is on the file system."""
HYDRATION_STREAMS_PER_NODE: int = load("assumptions")["hydration"]["streams_per_node"]
"""Files that one node reads for the first time side by side."""

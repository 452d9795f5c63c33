"""What CloudWatch knows of an FSx for Lustre file system, and of which part of it.

Source: FSx User Guide, fs-metrics (mid-2026).
"""

from collections.abc import Mapping

WHOLE = "FileSystemId"
"""The one dimension of metrics of a whole file system."""
SERVER = "FileServer"
TARGET = "StorageTargetId"
PUBLISHER = "Publisher"
"""Of automatic imports and exports."""
DIMENSIONS: Mapping[str, tuple[str, ...]] = {
    WHOLE: (
        "DataReadBytes",
        "DataWriteBytes",
        "DataReadOperations",
        "DataWriteOperations",
        "MetadataOperations",
        "ClientConnections",
        "LogicalDiskUsage",
        "PhysicalDiskUsage",
    ),
    SERVER: (
        "NetworkThroughputUtilization",
        "NetworkSentBytes",
        "NetworkReceivedBytes",
        "FileServerDiskThroughputUtilization",
        "CPUUtilization",
    ),
    TARGET: (
        "DiskReadBytes",
        "DiskWriteBytes",
        "DiskReadOperations",
        "DiskWriteOperations",
        "DiskIopsUtilization",
        "FreeDataStorageCapacity",
        "StorageCapacityUtilization",
        "StorageCapacityUtilizationWithCachedWrites",
        "FileCreateOperations",
        "FileOpenOperations",
        "FileDeleteOperations",
        "DirectoryCreateOperations",
        "DirectoryDeleteOperations",
        "StatOperations",
        "RenameOperations",
    ),
    PUBLISHER: ("AgeOfOldestQueuedMessage", "RepositoryRenameOperations"),
}
"""Names of metrics by the dimension that they have, beside that of the file system."""


def dimension_of(metric: str) -> str | None:
    """Return the dimension that a metric has, None where its name is not known.

    >>> dimension_of("CPUUtilization"), dimension_of("DataReadBytes"), dimension_of("Later")
    ('FileServer', 'FileSystemId', None)
    """
    return next((dimension for dimension, names in DIMENSIONS.items() if metric in names), None)

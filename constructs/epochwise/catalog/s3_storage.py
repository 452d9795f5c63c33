"""Where S3 keeps objects: archived storage classes, and what the metrics of a bucket count."""

from epochwise.catalog.data_file import load

_TABLE = load("s3")
_METRICS = _TABLE["bucket_metrics"]

INTELLIGENT_TIERING = "INTELLIGENT_TIERING"
"""The storage class whose objects lie in access tiers."""
_ARCHIVED = _TABLE["archived_storage_classes"]
ARCHIVED_CLASSES: frozenset[str] = frozenset(
    [
        *_ARCHIVED["storage_class"],
        *_ARCHIVED["storage_type"],
        *(f"{INTELLIGENT_TIERING} {tier}" for tier in _ARCHIVED["access_tier"]),
    ]
)
"""Names of storage classes, access tiers and storage types whose objects cannot be read before they are restored."""

METRICS_NAMESPACE: str = _METRICS["namespace"]
SIZE_METRIC: str = _METRICS["size"]
OBJECTS_METRIC: str = _METRICS["objects"]
ALL_STORAGE_TYPES: str = _METRICS["all_storage_types"]
DIRECTORY_BUCKET_SUFFIX: str = _TABLE["directory_bucket_suffix"]
"""Directory buckets list their keys in no order."""


def holds_objects(storage_type: str) -> bool:
    """Tell whether a storage type of the metrics counts bytes of objects: overhead and unfinished uploads are none.

    >>> holds_objects("StandardStorage"), holds_objects("GlacierObjectOverhead"), holds_objects("GlacierStagingStorage")
    (True, False, False)
    """
    return not any(part in storage_type for part in _METRICS["not_object_bytes"])

"""Boundaries of what is said about quotas."""

from functools import partial

from epochwise.catalog.service_quotas import NamedQuota
from epochwise.checks.quota import QuotaUse, file_system_quota_exceeded, training_quota_exceeded
from tests.checks.boundaries import Row

STORAGE = partial(QuotaUse, NamedQuota("fsx", "storage", "GiB", "L-1"), 100_800, used=96_000)
NODES = partial(QuotaUse, NamedQuota("sagemaker", "nodes of a type", "nodes"), 4)

ROWS = (
    Row("FILE_SYSTEM_QUOTA_EXCEEDED", partial(file_system_quota_exceeded, STORAGE(needed=4801)), "96000 of 100800 GiB"),
    Row("FILE_SYSTEM_QUOTA_EXCEEDED", partial(file_system_quota_exceeded, STORAGE(needed=4800)), None),
    Row("TRAINING_QUOTA_EXCEEDED", partial(training_quota_exceeded, NODES(needed=5)), "4 nodes allowed"),
    Row("TRAINING_QUOTA_EXCEEDED", partial(training_quota_exceeded, NODES(needed=4)), None),
)

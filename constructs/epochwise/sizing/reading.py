"""A workload as the prediction sees it, computed once for all candidates."""

from math import inf
from typing import NamedTuple

from epochwise.catalog.lustre_clients import (
    EFA_CONNECTIONS,
    EFA_MBPS,
    ENA_MBPS,
    EfaMount,
    efa_connections_per_client,
    efa_mount,
)
from epochwise.catalog.units import mb_from_bytes
from epochwise.sizing.page_cache import PageCache, page_cache
from epochwise.workload import Dataset, Workload
from epochwise.workload.preprocessing import preprocessing_s


class HydrationWaits(NamedTuple):
    """How linked S3 data arrives, assumed."""

    mbps: float
    """Most that arrives, MB/s; infinite when only the disks limit it."""
    lazy_wait_s: float
    """Seconds that the readers wait for cold files in the first epoch, all together."""
    preload_wait_s: float
    """The same with preload streams."""


class Reading(NamedTuple):
    """What is read, by whom, and what holds an epoch up besides the file system."""

    working_set_bytes: int
    """What the servers' cache is shared by."""
    dataset_mb: float
    files: int | None
    nodes: int
    ena_mbps_per_node: float
    efa_mbps_per_node: float | None
    """MB/s of one node over EFA; None where the nodes cannot mount over EFA."""
    hydration: HydrationWaits | None
    """None without linked S3 data."""
    page_cache: PageCache | None
    """None where none is declared."""
    preprocessing_s: float
    """Seconds that preprocessing one epoch takes; 0 where it is not declared."""
    compute_s: float
    """Seconds that one epoch computes; 0 where it is not declared."""

    @property
    def preprocessing_mbps(self) -> float:
        """MB/s of dataset bytes that preprocessing keeps up with."""
        return self.dataset_mb / self.preprocessing_s if self.preprocessing_s else inf

    @property
    def compute_mbps(self) -> float:
        """MB/s of dataset bytes that computing keeps up with."""
        return self.dataset_mb / self.compute_s if self.compute_s else inf

    @property
    def floor_s(self) -> float:
        """Seconds that an epoch takes whatever the file system."""
        return max(self.preprocessing_s, self.compute_s)


def efa_mount_of(workload: Workload) -> EfaMount:
    """Tell whether the workload's nodes can mount over EFA, all of them at once."""
    instance = workload.cluster.instance
    mount = efa_mount(instance, sagemaker=workload.runs_in_sagemaker)
    connections = workload.cluster.nodes * efa_connections_per_client(instance)
    if mount.possible and connections > EFA_CONNECTIONS:
        nodes = workload.cluster.nodes
        reason = f"{nodes} nodes open {connections} EFA connections, a file system takes {EFA_CONNECTIONS}"
        return EfaMount(False, reason)
    return mount


def reading_of(workload: Workload) -> Reading:
    """Derive what the prediction needs of a workload."""
    instance, dataset = workload.cluster.instance, workload.dataset
    return Reading(
        working_set_bytes=dataset.working_set or dataset.size,
        dataset_mb=mb_from_bytes(dataset.size),
        files=dataset.files,
        nodes=workload.cluster.nodes,
        ena_mbps_per_node=min(instance.ena_mbps, ENA_MBPS),
        efa_mbps_per_node=min(instance.efa_mbps, EFA_MBPS) if efa_mount_of(workload).possible else None,
        hydration=None if dataset.source is None else _hydration(workload, dataset),
        page_cache=_page_cache(workload),
        preprocessing_s=preprocessing_s(workload) or 0.0,
        compute_s=workload.epoch.compute or 0.0,
    )


def _page_cache(workload: Workload) -> PageCache | None:
    """Step the declared page caches over the job's epochs."""
    cluster = workload.cluster
    if not cluster.page_cache:
        return None
    return page_cache(cluster.nodes, min(cluster.page_cache / workload.dataset.size, 1.0), workload.epoch.count)


def _hydration(workload: Workload, dataset: Dataset) -> HydrationWaits:
    """Derive the waits for linked S3 data from what is declared or assumed."""
    declared, nodes = dataset.hydration, workload.cluster.nodes
    waits_s = (dataset.files or 0) * declared.seconds_per_file
    readers = declared.readers_per_node or max(1, workload.cluster.instance.accelerators)
    return HydrationWaits(
        mbps=inf if declared.mbps is None else declared.mbps,
        lazy_wait_s=waits_s / (nodes * readers),
        preload_wait_s=waits_s / (nodes * declared.preload_streams_per_node),
    )

"""What one candidate delivers to one workload: ceilings and epochs."""

from math import inf
from typing import NamedTuple

from epochwise.catalog.assumptions import HYDRATION_SECONDS_PER_FILE, HYDRATION_STREAMS_PER_NODE
from epochwise.catalog.fsx_lustre import OPENS_PER_METADATA_IOPS, Family
from epochwise.catalog.lustre_clients import (
    EFA_CONNECTIONS,
    EFA_MBPS,
    ENA_MBPS,
    ENA_MBPS_PER_OSS,
    EfaMount,
    efa_connections_per_client,
    efa_mount,
)
from epochwise.catalog.units import bytes_from_gib, fsx_tib_from_gib, mb_from_bytes
from epochwise.sizing.cache import lru_hit_share
from epochwise.workload import Workload


class Reading(NamedTuple):
    """A workload as the prediction sees it, computed once for all candidates."""

    dataset_bytes: int
    dataset_mb: float
    files: int | None
    nodes: int
    ena_mbps_per_node: float
    efa_mbps_per_node: float | None
    """MB/s of one node over EFA; None where the nodes cannot mount over EFA."""
    linked_to_s3: bool


class Ceilings(NamedTuple):
    """Each limit of a candidate: MB/s of dataset bytes, opens per second; infinite where nothing limits."""

    disk: float
    network: float
    client: float
    metadata_opens_per_s: float
    write: float


class EpochSeconds(NamedTuple):
    """Predicted seconds of one epoch."""

    cold: float
    """First epoch; of linked S3 data with an assumed rate of hydration."""
    steady: float
    """Later epochs at baseline rates with the servers' RAM as cache; this one decides."""
    without_cache: float
    burst: float
    """As steady with burst rates where they are published; never relied on."""


class Prediction(NamedTuple):
    """Ceilings, epochs and what binds the steady one."""

    ceilings: Ceilings
    epoch_s: EpochSeconds
    binding: str
    """disk, network, client or metadata."""
    hit_share: float
    """Share of reads that the servers' RAM answers in steady state."""


def efa_mount_of(workload: Workload) -> EfaMount:
    """Tell whether the workload's nodes can mount over EFA, all of them at once."""
    instance = workload.cluster.instance
    mount = efa_mount(instance, sagemaker=workload.runs_in_sagemaker)
    connections = workload.cluster.nodes * efa_connections_per_client(instance)
    if mount.possible and connections > EFA_CONNECTIONS:
        return EfaMount(
            False,
            f"{workload.cluster.nodes} nodes open {connections} EFA connections, a file system takes {EFA_CONNECTIONS}",
        )
    return mount


def reading_of(workload: Workload) -> Reading:
    """Derive what the prediction needs of a workload."""
    instance = workload.cluster.instance
    return Reading(
        dataset_bytes=workload.dataset.size,
        dataset_mb=mb_from_bytes(workload.dataset.size),
        files=workload.dataset.files,
        nodes=workload.cluster.nodes,
        ena_mbps_per_node=min(instance.ena_mbps, ENA_MBPS),
        efa_mbps_per_node=min(instance.efa_mbps, EFA_MBPS) if efa_mount_of(workload).possible else None,
        linked_to_s3=workload.dataset.source is not None,
    )


def predict(reading: Reading, family: Family, capacity_gib: int, metadata_iops: int) -> Prediction:
    """Predict ceilings and epochs of one file system.

    Rates are SI; see the module `epochwise.catalog.fsx_lustre` for the table rows.
    """
    tib = fsx_tib_from_gib(capacity_gib)
    hit_share = lru_hit_share(bytes_from_gib(tib * family.ram_gib) / reading.dataset_bytes)
    miss_share = 1 - hit_share
    disk_read = tib * family.disk_read
    network = tib * family.network
    client = _client_mbps(reading, family, capacity_gib)
    opens = OPENS_PER_METADATA_IOPS * metadata_iops
    opens_s = 0.0 if reading.files is None else reading.files / opens
    disk = disk_read / miss_share if miss_share else inf

    binding, mbps = "disk", disk
    if network < mbps:
        binding, mbps = "network", network
    if client < mbps:
        binding, mbps = "client", client
    steady = reading.dataset_mb / mbps
    if opens_s > steady:
        binding, steady = "metadata", opens_s

    without_cache = max(reading.dataset_mb / min(disk_read, network, client), opens_s)
    burst_disk = tib * (family.disk_read_burst or family.disk_read) / miss_share if miss_share else inf
    burst_network = tib * (family.network_burst or family.network)
    write = min(tib * family.disk_write, network, client)
    return Prediction(
        ceilings=Ceilings(disk, network, client, opens, write),
        epoch_s=EpochSeconds(
            cold=max(without_cache, _hydration_s(reading, tib * family.disk_write)),
            steady=steady,
            without_cache=without_cache,
            burst=max(reading.dataset_mb / min(burst_disk, burst_network, client), opens_s),
        ),
        binding=binding,
        hit_share=hit_share,
    )


def _client_mbps(reading: Reading, family: Family, capacity_gib: int) -> float:
    """Return MB/s that all nodes together can take from the file system."""
    if family.efa_enabled and reading.efa_mbps_per_node is not None:
        return reading.nodes * reading.efa_mbps_per_node
    return reading.nodes * min(reading.ena_mbps_per_node, ENA_MBPS_PER_OSS * family.oss_count(capacity_gib))


def _hydration_s(reading: Reading, disk_write_mbps: float) -> float:
    """Return seconds that linked S3 data takes to arrive when it is read lazily: assumed, AWS publishes no rate.

    Arriving bytes are written to disk, and each cold file costs one wait per stream.
    """
    if not reading.linked_to_s3:
        return 0.0
    waits_s = (reading.files or 0) * HYDRATION_SECONDS_PER_FILE / (reading.nodes * HYDRATION_STREAMS_PER_NODE)
    return max(reading.dataset_mb / disk_write_mbps, waits_s)

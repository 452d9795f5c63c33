"""What a workload asks of its file system."""

from dataclasses import dataclass

from epochwise.catalog.fsx_lustre import USABLE_SHARE
from epochwise.catalog.units import gib_from_bytes, mb_from_bytes
from epochwise.workload import Workload

CAPACITY_HEADROOM = 1.10
"""Data on the file system is counted with a tenth on top."""


@dataclass(frozen=True)
class Demand:
    """Rates in MB/s (10^6 B/s) and per second, capacity in GiB."""

    read_mbps: float
    """Dataset bytes over the epoch target."""
    opens_per_s: float | None
    """File opens over the epoch target; None where the number of files is not declared."""
    write_mbps: float
    """Bytes of one checkpoint over the time it may take; 0 without checkpoints."""
    stored_gib: float
    """Dataset on disk and kept checkpoints, with headroom."""

    @property
    def capacity_gib(self) -> float:
        """Storage capacity that holds them: part of it is not usable."""
        return self.stored_gib / USABLE_SHARE


def demand_of(workload: Workload) -> Demand:
    """Derive the demand of a workload."""
    dataset, target_s, checkpoint = workload.dataset, workload.epoch.target, workload.checkpoint
    stored_bytes = dataset.size / dataset.compression_ratio + workload.checkpoint_bytes_kept
    return Demand(
        read_mbps=mb_from_bytes(dataset.size) / target_s,
        opens_per_s=None if dataset.files is None else dataset.files / target_s,
        write_mbps=0.0 if checkpoint is None else mb_from_bytes(checkpoint.size) / checkpoint.write_within,
        stored_gib=gib_from_bytes(stored_bytes) * CAPACITY_HEADROOM,
    )

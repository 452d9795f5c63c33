"""What a job's dataset is taken for: as declared, or as its reads have it, with how the cache sees it."""

from dataclasses import dataclass
from enum import StrEnum

from epochwise.catalog.units import BYTES_PER_MB, mb_from_bytes
from epochwise.checks.tuning import CACHE_TOLERANCE
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.reading import reading_of
from epochwise.tuning.measured_job import MeasuredJob
from epochwise.tuning.observation import Observation
from epochwise.tuning.recognised_dataset import working_set_of
from epochwise.workload import Workload

NEAR = 0.05
"""Share by which two sizes may differ and still be one."""
COUNT_NEAR = 0.03
"""The same for what all epochs read."""


class Source(StrEnum):
    """Where the size comes from."""

    CACHE = "cache"
    """What the servers' cache answered."""
    DECLARED = "declared"


@dataclass(frozen=True)
class DatasetEvidence:
    """The dataset of a job, MB."""

    size_mb: float
    source: Source
    working_set_mb: float | None
    """Where the cache answers as if it were shared by another amount; None where the size explains it."""
    measured_hit_share: float | None
    """Of the reads after the first epoch; None where the metrics do not tell."""
    predicted_hit_share: float
    """The same, as the file's plan has it on this file system."""
    epochs: float
    """Passes over it."""
    to_servers: float
    """Share of the reads that the nodes' own page caches do not answer, as declared."""

    @property
    def recognised(self) -> bool:
        """Whether its size was measured, or what was measured agrees with the declared one."""
        return self.source is Source.CACHE or self.working_set_mb is not None


def dataset_evidence(workload: Workload, job: MeasuredJob, seen: Observation, there: Candidate) -> DatasetEvidence:
    """Weigh what the cache says of the dataset against what else is known.

    The cache's law has a size for it, if samples are read in a fresh random order. Where that size contradicts the
    bytes that lie on the file system, or where all epochs of a completed job read what is declared, the declared size
    stands and the order is what differs: the law's size is then the working set.

    Args:
        workload: what is declared, on the job's nodes.
        job: what was measured.
        seen: what follows from it.
        there: the job's file system, predicted for the workload.
    """
    declared_mb = mb_from_bytes(workload.dataset.size)
    ram_mb = there.delivery.ram_bytes / BYTES_PER_MB
    pages = 0.0 if not workload.cluster.page_cache else _page_hits(workload)
    law_mb = None if pages else seen.recognised_mb
    declared_set_mb = mb_from_bytes(workload.dataset.working_set or workload.dataset.size)
    size_mb, source, working_set_mb = declared_mb, Source.DECLARED, None
    if law_mb is not None and workload.dataset.working_set is not None:
        working_set_mb = declared_set_mb if _near(law_mb, declared_set_mb) else law_mb
    elif law_mb is not None:
        if _near(law_mb, declared_mb) or not _declared_stands(workload, job, seen, law_mb):
            size_mb, source = law_mb, Source.CACHE
        else:
            working_set_mb = law_mb
    measured = seen.steady_hit_share(size_mb)
    predicted = there.prediction.hit_share
    known = law_mb is None and not pages and ram_mb > 0
    if known and measured is not None and abs(measured - predicted) > CACHE_TOLERANCE:
        working_set_mb = working_set_of(measured, ram_mb)
    return DatasetEvidence(
        size_mb=size_mb,
        source=source,
        working_set_mb=working_set_mb,
        measured_hit_share=measured,
        predicted_hit_share=predicted,
        epochs=seen.epochs(size_mb * (1 - pages)),
        to_servers=1 - pages,
    )


def _page_hits(workload: Workload) -> float:
    """Return the share of the reads that declared page caches answer."""
    pages = reading_of(workload).page_cache
    return 0.0 if pages is None else pages.hit_share


def _declared_stands(workload: Workload, job: MeasuredJob, seen: Observation, law_mb: float) -> bool:
    """Tell whether the declared size stands against the one that the cache's law has."""
    declared_mb, count = mb_from_bytes(workload.dataset.size), workload.epoch.count
    passes = seen.epochs(declared_mb)
    if job.completed and count > 1 and abs(passes - count) <= COUNT_NEAR * count:
        return True
    if seen.stored_bytes is None:
        return False
    stored_mb = mb_from_bytes(seen.stored_bytes)
    return law_mb > stored_mb * (1 + NEAR) or (_near(stored_mb, declared_mb) and not _near(stored_mb, law_mb))


def _near(one: float, other: float) -> bool:
    """Tell whether two sizes are the same, as far as can be measured."""
    return abs(one - other) <= NEAR * other

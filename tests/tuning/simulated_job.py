"""A job whose truth is known, stepped item by item, and the metrics that CloudWatch would keep of it.

Rates come from the file system's published figures, the order of reads and the caches from the simulation: no law of
the model and nothing of `epochwise.tuning` is used.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from epochwise.catalog.legality import Wanted, matching_families
from epochwise.sizing.candidate import Candidate, Size
from epochwise.sizing.existing import candidate_of_size
from epochwise.tuning.cloudwatch_metrics import MetricKey, hosts_of, storage_of
from epochwise.tuning.existing_file_system import ExistingFileSystem
from epochwise.tuning.measured_job import MeasuredJob
from epochwise.watching.metrics import Series
from epochwise.workload import Workload
from epochwise.workload.preprocessing import preprocessing_s
from tests.sizing.epoch_simulator import Caches, Job, Rates, step_epoch

MINUTE_S = 60
ITEMS = 2000
START = datetime(2026, 10, 9, 8, 0, tzinfo=UTC)
LEAD_IN_S = 95.0
"""From the job's start to its first read."""
TARGET_GIB = 1200
"""Storage capacity of one object storage target."""


@dataclass(frozen=True)
class Truth:
    """What a job really is, and where it ran."""

    document: dict[str, Any]
    """Its workload as it really is; the epoch's target is what accelerators and CPUs need."""
    wanted: Wanted
    """The file system's settings."""
    size: Size
    epochs: int
    burst_s: float = 0.0
    """Seconds for which burst credit lasts."""
    read_ahead: int | None = ITEMS // 4
    missing: float = 0.0
    """Share of the minutes whose metrics are lost, each for itself."""
    silent_hosts: int = 0
    busy: float = 1.0
    """How busy accelerators look to CloudWatch when nothing holds them up."""
    warm: bool = False
    """Whether a job before it has filled the cache with the same dataset."""
    order: str = "shuffled"
    """Or sequential: the same order in every epoch."""

    @property
    def workload(self) -> Workload:
        """The truth as a declaration."""
        return Workload.from_mapping(self.document, source="truth")

    @property
    def candidate(self) -> Candidate:
        """The file system."""
        [family] = matching_families(self.wanted)
        return candidate_of_size(self.workload, family, self.size)


@dataclass
class Simulated:
    """A job that ran: what each minute held, in MB, opens or seconds."""

    truth: Truth
    seconds: float = 0.0
    minutes: dict[str, dict[int, float]] = field(default_factory=dict)
    steady_read_mb: float = 0.0
    steady_disk_mb: float = 0.0

    @property
    def length(self) -> int:
        """Whole minutes that it takes."""
        return int(self.seconds // MINUTE_S) + 1

    @property
    def steady_hit_share(self) -> float:
        """Share of the reads after the first epoch that the disks did not answer, counted read by read."""
        return 1 - self.steady_disk_mb / self.steady_read_mb

    def add(self, name: str, begins_at: float, ends_at: float, amount: float) -> None:
        """Spread an amount evenly over the minutes from one time to another."""
        kept = self.minutes.setdefault(name, {})
        first, last = int(begins_at // MINUTE_S), int(ends_at // MINUTE_S)
        if first == last:
            kept[first] = kept.get(first, 0.0) + amount
            return
        for minute in range(first, last + 1):
            inside = min(ends_at, (minute + 1) * MINUTE_S) - max(begins_at, minute * MINUTE_S)
            kept[minute] = kept.get(minute, 0.0) + amount * inside / (ends_at - begins_at)

    def series(self, name: str) -> list[float]:
        """Return what each minute held."""
        return [self.minutes.get(name, {}).get(minute, 0.0) for minute in range(self.length)]


def simulate(truth: Truth, seed: int = 0) -> Simulated:
    """Run a job: epochs one after the other, checkpoints between them."""
    workload, candidate = truth.workload, truth.candidate
    done, random = Simulated(truth, seconds=LEAD_IN_S), Random(seed)
    job = _job(workload, candidate, truth)
    bursting = replace(job, rates=_rates(workload, candidate, burst=True))
    order, caches = list(range(job.items)), Caches(job)
    if truth.warm:
        for _ in range(3):
            random.shuffle(order)
            step_epoch(job, order, caches)
    checkpoint, next_checkpoint_s = workload.checkpoint, LEAD_IN_S
    next_checkpoint_s += checkpoint.every if checkpoint else 0.0
    for epoch in range(truth.epochs):
        if truth.order == "shuffled":
            random.shuffle(order)
        begins_at = done.seconds

        def note(name: str, begin: float, end: float, amount: float, offset: float = begins_at) -> None:
            done.add(name, offset + begin, offset + end, amount)

        before = {name: sum(done.minutes.get(name, {}).values()) for name in ("client", "disk")}
        inside = bursting if done.seconds - LEAD_IN_S < truth.burst_s else job
        done.seconds += step_epoch(inside, order, caches, note=note)
        if epoch:
            done.steady_read_mb += sum(done.minutes["client"].values()) - before["client"]
            done.steady_disk_mb += sum(done.minutes.get("disk", {}).values()) - before["disk"]
        if checkpoint and done.seconds >= next_checkpoint_s:
            takes_s = checkpoint.size / 1e6 / candidate.ceilings.write
            done.add("write", done.seconds, done.seconds + takes_s, checkpoint.size / 1e6)
            done.seconds += takes_s
            next_checkpoint_s += checkpoint.every
    return done


def _job(workload: Workload, candidate: Candidate, truth: Truth) -> Job:
    """Return the job as the simulation takes it."""
    dataset, delivery = workload.dataset, candidate.delivery
    return Job(
        dataset_mb=dataset.size / 1e6,
        nodes=workload.cluster.nodes,
        rates=_rates(workload, candidate, burst=False),
        items=ITEMS,
        ram_share=min(delivery.ram_bytes / dataset.size, 1),
        files=dataset.files or 0,
        compute_s=workload.epoch.compute or 0,
        preprocess_s=preprocessing_s(workload) or 0,
        read_ahead=truth.read_ahead,
    )


def _rates(workload: Workload, candidate: Candidate, *, burst: bool) -> Rates:
    """Return the rates of the file system: baseline, or while it bursts."""
    delivery = candidate.delivery
    return Rates(
        disk=delivery.disk_read_burst if burst else delivery.disk_read,
        network=delivery.network_burst if burst else delivery.network,
        client=min(workload.cluster.instance.ena_mbps, 12_500, 625 * delivery.servers),
        opens_per_s=2 * candidate.metadata_iops,
    )


@dataclass(frozen=True)
class Metric:
    """One metric of CloudWatch: a value a minute, None for a lost one."""

    namespace: str
    name: str
    dimensions: tuple[tuple[str, str], ...]
    values: tuple[float | None, ...]
    samples: int = 1
    """How many parts a value is the sum of."""


def metrics(done: Simulated, job: str, file_system_id: str, seed: int = 1) -> Iterator[Metric]:
    """Yield every metric of a job and its file system, as FSx and SageMaker name and count them."""
    truth, random = done.truth, Random(seed)
    candidate, workload = truth.candidate, truth.workload
    delivery = candidate.delivery
    capacity = candidate.storage_capacity_gib or TARGET_GIB * 2
    targets, servers = max(1, capacity // TARGET_GIB), delivery.servers
    lost = {minute for minute in range(done.length) if random.random() < truth.missing}

    def kept(values: list[float], noise: float = 0.0) -> tuple[float | None, ...]:
        return tuple(
            None if minute in lost else value * (1 + random.uniform(-noise, noise))
            for minute, value in enumerate(values)
        )

    def storage(name: str, values: list[float], samples: int = 1, **second: str) -> Metric:
        dimensions = (("FileSystemId", file_system_id), *second.items())
        return Metric("AWS/FSx", name, dimensions, kept(values), samples)

    read, disk, write = ([mb * 1e6 for mb in done.series(name)] for name in ("client", "disk", "write"))
    opens = done.series("metadata")
    yield storage("DataReadBytes", read, targets)
    yield storage("DataWriteBytes", write, targets)
    yield storage("MetadataOperations", [each * 1.5 for each in opens])
    yield storage("ClientConnections", [float(workload.cluster.nodes)] * done.length)
    stored = float(workload.dataset.size + workload.checkpoint_bytes_kept)
    yield storage("LogicalDiskUsage", [stored] * done.length, targets)
    for target in range(targets):
        yield storage("DiskReadBytes", [each / targets for each in disk], StorageTargetId=f"OST{target:04x}")
    yield storage("FileOpenOperations", opens, StorageTargetId="MDT0000")
    yield storage(
        "CPUUtilization",
        [60 * each / MINUTE_S / candidate.ceilings.metadata_opens_per_s for each in opens],
        FileServer="MDS0000",
    )
    for server in range(servers):
        name = f"OSS{2 * server:04x}"
        network = [100 * each / 1e6 / MINUTE_S / delivery.network for each in map(sum, zip(read, write, strict=True))]
        disks = [100 * each / 1e6 / MINUTE_S / delivery.disk_read for each in disk]
        yield storage("NetworkThroughputUtilization", network, FileServer=name)
        yield storage("FileServerDiskThroughputUtilization", disks, FileServer=name)
    instance = workload.cluster.instance
    busy = [100 * truth.busy * each / MINUTE_S for each in done.series("accelerators")]
    cpu = [100 * min(1.0, 0.04 + each / MINUTE_S) for each in done.series("cpu")]
    for host in range(1, workload.cluster.nodes + 1 - truth.silent_hosts):
        of_host = (("Host", f"{job}/algo-{host}"),)
        scaled = kept([each * instance.accelerators for each in busy], 0.01)
        namespace = "/aws/sagemaker/TrainingJobs"
        yield Metric(namespace, "GPUUtilization", of_host, scaled)
        yield Metric(namespace, "CPUUtilization", of_host, kept([each * instance.vcpu for each in cpu], 0.005))


def times(done: Simulated) -> tuple[datetime, datetime]:
    """Return when a job began and ended."""
    return START, START + timedelta(seconds=done.seconds)


def kept_series(done: Simulated, job: str, file_system_id: str) -> dict[MetricKey, Series]:
    """Return the metrics of a job as they are fetched."""
    found: dict[MetricKey, Series] = {}
    for metric in metrics(done, job, file_system_id):
        statistics = {"DataReadBytes": ("Sum", "SampleCount"), "ClientConnections": ("Maximum",)}
        average = metric.name.endswith("Utilization")
        for statistic in statistics.get(metric.name, ("Average",) if average else ("Sum",)):
            count = float(metric.samples)
            values = (
                metric.values
                if statistic != "SampleCount"
                else tuple(None if value is None else count for value in metric.values)
            )
            found[MetricKey(metric.namespace, metric.name, metric.dimensions, statistic)] = values
    return found


def measured(done: Simulated, status: str = "Completed") -> MeasuredJob:
    """Return the job as it would be measured."""
    truth, (start, end) = done.truth, times(done)
    found, cluster = kept_series(done, "job", "fs-0123456789abcdef0"), truth.workload.cluster
    [family] = matching_families(truth.wanted)
    return MeasuredJob(
        name="job",
        status=status,
        start=start,
        end=end,
        period_s=MINUTE_S,
        instance_type=cluster.instance_type,
        hosts=hosts_of(found, "job", cluster.nodes, cluster.instance),
        storage=storage_of(found, "fs-0123456789abcdef0", MINUTE_S),
        file_system=ExistingFileSystem("fs-0123456789abcdef0", family, truth.size),
    )

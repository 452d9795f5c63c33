"""The model beside figures that others published: each prediction is computed when the page is made."""

from collections.abc import Iterator
from typing import Any

from docs.made.command_line import ROOT
from docs.made.markdown import table
from docs.made.published_figure import Figure, Relation
from epochwise import Candidate, DeploymentType, Workload
from epochwise.catalog.assumptions import HYDRATION_SECONDS_PER_FILE, S3_FILE_MODE_MBPS_PER_NODE
from epochwise.catalog.prices import catalog_prices
from epochwise.declaration.quantity_text import rate_text
from epochwise.sizing.demand import demand_of
from epochwise.sizing.search import candidates
from epochwise.workload.dlio import workload_from_dlio

_DLIO = ROOT / "tests" / "workload" / "dlio"
_WAITING = ", waiting as long as the benchmark passes"
_DEMANDS = (
    ("unet3d", "a100", 1613, 1452),
    ("unet3d", "v100", 431, None),
    ("resnet50", "a100", 105.4, 94.9),
    ("resnet50", "v100", 37.6, None),
    ("cosmoflow", "a100", 513, 359),
    ("cosmoflow", "v100", 302, None),
    ("retinanet", "b200", 163, 139),
    ("flux", "b200", 77, None),
    ("bert", "v100", 0.12, None),
)
"""Model, accelerator, MB/s that one accelerator asks for, and at the utilisation at which the benchmark passes."""


def published_figures() -> str:
    """Write the table."""
    rows = (
        (
            figure.setting,
            f"{rate_text(figure.published)} {figure.unit}",
            f"{rate_text(figure.predicted)} {figure.unit}",
            f"{figure.relation}, within {figure.within:.0%}" if figure.relation is Relation.SAME else figure.relation,
            figure.source,
        )
        for figure in every_figure()
    )
    return table(("setting", "published", "this model", "relation", "source"), rows, right=[1, 2])


def every_figure() -> tuple[Figure, ...]:
    """Return all figures."""
    return (*_guide(), *_demands(), *_measurements())


def _guide() -> Iterator[Figure]:
    """Yield what AWS's guide says of its own example."""
    workload = Workload.from_file(ROOT / "workloads" / "guide.yaml")
    source = "AWS's guide to SMDDP, configuration tips"
    smallest = _candidate(workload, DeploymentType.SCRATCH_2, 1200)
    chosen = _candidate(workload, DeploymentType.PERSISTENT_2, 4800, 500)
    yield Figure(
        "100 GB in 30 s: throughput needed (“about 3 GB/s”)",
        3000,
        demand_of(workload).read_mbps,
        "MB/s",
        Relation.SAME,
        source,
        0.12,
    )
    yield Figure(
        "SCRATCH_2 of 1200 GiB: throughput",
        240,
        smallest.delivery.network,
        "MB/s",
        Relation.SAME,
        source,
    )
    yield Figure(
        "what is enough for it: disk throughput",
        2400,
        chosen.delivery.disk_read,
        "MB/s",
        Relation.SAME,
        source,
    )
    yield Figure(
        "what is enough for it: RAM of the servers",
        67,
        chosen.delivery.ram_bytes / 1e9,
        "GB",
        Relation.SAME,
        f"{source}; it multiplies by 10 where 12 TiB are meant",
        0.06,
    )


def _demands() -> Iterator[Figure]:
    """Yield the demand of one accelerator in MLPerf Storage's and DLIO's workload files."""
    for model, accelerator, mbps, at_au in _DEMANDS:
        source = f"MLPerf Storage and DLIO, {model} on {accelerator.upper()}"
        for published, waits in ((mbps, False), (at_au, True)):
            if published is None:
                continue
            document = workload_from_dlio(
                _DLIO / f"{model}_{accelerator}.yaml",
                accelerator=accelerator,
                nodes=1,
                accelerators_per_node=8,
                at_au=waits,
            )
            workload = Workload.from_mapping(document, source=model)
            predicted = workload.dataset.size / 1e6 / workload.epoch.limit_s / 8
            setting = f"{model}, one {accelerator.upper()}{_WAITING if waits else ''}"
            # 0.12 is published with two digits
            within = 0.04 if published < 1 else 0.01
            yield Figure(setting, published, predicted, "MB/s", Relation.SAME, source, within)


def _measurements() -> Iterator[Figure]:
    """Yield what people measured on file systems."""
    source = "a public measurement"
    small = _workload(102_400 * 2**20, "ml.c5n.18xlarge", 1)
    lowest = _candidate(small, DeploymentType.PERSISTENT_1, 1200, 50)
    setting = "PERSISTENT_1 at 50 MB/s/TiB, 1200 GiB, one client reading 100 GiB a stream"
    megabytes = small.dataset.size / 1e6
    for streams, mbps in ((1, 133), (4, 345), (8, 152)):
        yield Figure(
            f"{setting}: {streams} stream{'s' if streams > 1 else ''}",
            mbps,
            megabytes / lowest.epoch_s.without_cache,
            "MB/s",
            Relation.PROMISED,
            source,
        )
    large = _candidate(small, DeploymentType.PERSISTENT_2, 100_800, 1000)
    # 1.1 PiB, in FSx's TiB of 1000 GiB; throughput is linear in them
    share = 1.1 * 2**20 / 100_800
    yield Figure(
        "PERSISTENT_2 at 1000 MB/s/TiB, 1.1 PiB: throughput (“more than 1 TB/s”)",
        1_000_000,
        large.delivery.disk_read * share,
        "MB/s",
        Relation.CEILING,
        source,
    )
    automatic = _candidate(small, DeploymentType.PERSISTENT_2, 1200, 125)
    yield Figure(
        "1200 GiB, AUTOMATIC metadata: 10 000 stats from one node, 16 streams",
        5400,
        automatic.ceilings.metadata_opens_per_s,
        "a second",
        Relation.PROMISED,
        f"{source}; the model counts opens, not stats",
    )
    images = _workload(int(2940 * 0.113e6 * 60), "ml.p3.16xlarge", 1, target=60)
    yield Figure(
        "ResNet-50 at 2940 images/s of 113 kB on one DGX-1: demand",
        335,
        demand_of(images).read_mbps,
        "MB/s",
        Relation.SAME,
        f"{source}, over NFS",
    )
    efa = _workload(10**12, "p5.48xlarge", 1, platform="ec2")
    fast = next(
        each
        for each in candidates(efa, catalog_prices())
        if each.efa_enabled and each.per_unit_storage_throughput == 1000
    )
    yield Figure(
        "one p5 node with 8 streams over EFA",
        34_360,
        fast.ceilings.client,
        "MB/s",
        Relation.CEILING,
        f"{source}; 2080 MB/s where egress was allowed by address and not by group",
    )
    yield Figure(
        "SageMaker's File mode, 50 GB in shards of 100 MB, one node",
        170,
        S3_FILE_MODE_MBPS_PER_NODE,
        "MB/s",
        Relation.TAKEN,
        source,
    )
    yield Figure(
        "linked S3 data, one thread, files of 135 kB read for the first time",
        0.94,
        HYDRATION_SECONDS_PER_FILE,
        "s a file",
        Relation.TAKEN,
        source,
    )


def _workload(size: int, instance_type: str, nodes: int, *, target: float = 3600, **cluster: Any) -> Workload:
    """Declare what a measurement read."""
    return Workload.from_mapping(
        {
            "name": "measured",
            "dataset": {"size": size},
            "epoch": {"target": target},
            "cluster": {"instance_type": instance_type, "nodes": nodes, **cluster},
            "file_system": {"deployment_types": ["PERSISTENT_1", "PERSISTENT_2"]},
        },
        source="a published setting",
    )


def _candidate(workload: Workload, kind: DeploymentType, capacity_gib: int, tier: int | None = None) -> Candidate:
    """Return the file system of a size, without EFA."""
    return next(
        each
        for each in candidates(workload, catalog_prices())
        if (each.deployment_type, each.per_unit_storage_throughput) == (kind, tier)
        and each.storage_capacity_gib == capacity_gib
        and not each.efa_enabled
        and each.drive_cache_type is None
    )

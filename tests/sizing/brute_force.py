"""A twin of the planner written from the model's page and the AWS tables alone: plain loops, no shared code."""

from dataclasses import dataclass
from math import ceil, inf, log
from typing import Any

# deployment type, storage type, tier, EFA: legal small capacities, step, GiB per OSS,
# network, network burst, RAM GiB, disk read, disk write, disk burst (MB/s per 1000 GiB), USD per GiB
P2_TIERS = {
    125: (320, 1300, 3.4, 500, 0.145),
    250: (640, 1300, 6.8, 500, 0.21),
    500: (1300, 0, 13.7, 0, 0.34),
    1000: (2600, 0, 27.3, 0, 0.6),
}
P1_TIERS = {50: (250, 2.2, 0.14), 100: (500, 4.4, 0.19), 200: (750, 8.8, 0.29)}
EFA_STEP = {125: 38400, 250: 19200, 500: 9600, 1000: 4800}
TOKYO = {125: 0.186, 250: 0.278, 500: 0.464, 1000: 0.837}
METADATA = [1500, 3000, 6000, *range(12000, 192001, 12000)]
NITRO = {"p5.48xlarge": (100, 3200, 8), "trn2.48xlarge": None, "g6e.48xlarge": (100, 400, 2)}
ENA_GBPS = {
    "ml.p4d.24xlarge": 100,
    "ml.p5.48xlarge": 100,
    "ml.g5.2xlarge": 5,
    "ml.trn1.32xlarge": 100,
    "ml.c5n.18xlarge": 100,
    "ml.m5.large": 0.75,
    "p5.48xlarge": 100,
    "trn2.48xlarge": 200,
    "g6e.48xlarge": 100,
}


@dataclass
class Row:
    kind: tuple[str, int | None, bool]
    capacity: int
    metadata: int
    usd: float
    steady: float
    feasible: bool


def automatic(gib: int) -> int:
    if gib >= 48000:
        return min(12000 * (gib // 24000), 192000)
    return 12000 if gib >= 12000 else 6000 if gib >= 4800 else 3000 if gib >= 2400 else 1500


def kinds(
    document: dict[str, Any],
) -> list[tuple[tuple[str, int | None, bool], tuple[int, ...], int, int, tuple[float, ...]]]:
    """Every kind that the workload may get: ((type, tier, EFA), small capacities, step, GiB per OSS, rates)."""
    region, pins = document["region"], document["file_system"]
    asked = pins.get("deployment_types")
    has_p2, has_old = region != "me-south-1", region != "ca-west-1"
    if asked is None:
        asked = ["PERSISTENT_2" if has_p2 else "PERSISTENT_1"]
        if not document["checkpoint"]:
            asked.append("SCRATCH_2")
    tiers = [125, 250] if region == "il-central-1" else [125, 250, 500, 1000]
    rows: list[Any] = []
    if "SCRATCH_1" in asked and has_old:
        rows.append((("SCRATCH_1", None, False), (1200, 2400), 3600, 3600, (200, 0, 200, 200, 0.14)))
    if "SCRATCH_2" in asked and has_old:
        rows.append((("SCRATCH_2", None, False), (1200,), 2400, 2400, (200, 6.7, 200, 100, 0.14)))
    if "PERSISTENT_1" in asked and has_old:
        rows += [
            (("PERSISTENT_1", t, False), (1200,), 2400, 2400, (n, r, t, t, p)) for t, (n, r, p) in P1_TIERS.items()
        ]
    if "PERSISTENT_2" in asked and has_p2:
        for tier in tiers:
            network, _, ram, _, usd = P2_TIERS[tier]
            rates = (network, ram, tier, tier, TOKYO[tier] if region == "ap-northeast-1" else usd)
            rows.append((("PERSISTENT_2", tier, False), (1200,), 2400, 2400, rates))
            if region != "il-central-1" and pins.get("efa_enabled") is not False:
                rows.append((("PERSISTENT_2", tier, True), (), EFA_STEP[tier], EFA_STEP[tier], rates))
    return rows


def every_row(document: dict[str, Any]) -> list[Row]:
    """Predict and price every legal file system."""
    dataset, cluster, check = document["dataset"], document["cluster"], document["checkpoint"]
    size, files, nodes, name = dataset["size"], dataset["files"], cluster["nodes"], cluster["instance_type"]
    limit = document["epoch"]["target"] * (1 + document["epoch"]["tolerance"])
    stored = size / dataset["compression_ratio"] + (check["size"] * check["keep"] if check else 0)
    quota = document["file_system"].get("storage_quota_gib", 100800)
    rows = []
    for kind, small, step, per_oss, (network, ram, read, write, usd) in kinds(document):
        for gib in sorted({*[s for s in small if s <= quota], *range(step, quota + 1, step)}):
            tib = gib / 1000
            share = tib * ram * 2**30 / size
            hits = 1.0 if share >= 1 else max(0.0, share + (1 - share) * log(1 - share))
            disk = inf if hits >= 1 else tib * read / (1 - hits)
            client = nodes * min(ENA_GBPS[name] * 125, 12500, 625 * ceil(gib / per_oss))
            nitro = NITRO.get(name)
            if kind[2] and cluster.get("platform") == "ec2" and nitro and nodes * nitro[2] <= 1024:
                client = nodes * min(nitro[1] * 125, 87500)
            has = automatic(gib)
            need = 0 if files is None else ceil(files / (2 * limit))
            iops = has
            if kind[0] == "PERSISTENT_2" and need > has:
                iops = min([m for m in METADATA if m >= need] or [192000])
            steady = max(size / 1e6 / min(disk, tib * network, client), 0 if files is None else files / (2 * iops))
            writes = min(tib * write, tib * network, client)
            asked = check["size"] / 1e6 / check["write_within"] if check else 0
            holds = 0.94 * gib >= stored / 2**30 * 1.10
            extra = max(0, iops - has) * 0.055 if kind[0] == "PERSISTENT_2" else 0
            feasible = holds and steady <= limit and writes >= asked
            rows.append(Row(kind, gib, iops, round(gib * usd + extra, 2), steady, feasible))
    return rows


def cheapest(document: dict[str, Any]) -> Row | None:
    """Return the cheapest feasible row; ties go to the shorter epoch, then the smaller capacity."""
    feasible = [row for row in every_row(document) if row.feasible]
    return min(feasible, key=lambda row: (row.usd, row.steady, row.capacity), default=None)

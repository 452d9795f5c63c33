"""A twin of the planner written from the model's page and AWS's tables alone: plain loops, no shared code."""

from dataclasses import dataclass
from math import ceil, inf, log
from typing import Any

P2_TIERS = {125: (320, 3.4, 0.145), 250: (640, 6.8, 0.21), 500: (1300, 13.7, 0.34), 1000: (2600, 27.3, 0.6)}
P1_TIERS = {50: (250, 2.2, 0.14), 100: (500, 4.4, 0.19), 200: (750, 8.8, 0.29)}
HDD_TIERS = {12: (40, 0.4, 0.025, 6000), 40: (150, 1.5, 0.083, 1800)}
EFA_STEP = {125: 38400, 250: 19200, 500: 9600, 1000: 4800}
TOKYO = {125: 0.186, 250: 0.278, 500: 0.464, 1000: 0.837}
METADATA = [1500, 3000, 6000, *range(12000, 192001, 12000)]
# Gbps over EFA and connections that a client opens; None where it cannot mount over EFA
EFA_CLIENTS = {"p5.48xlarge": (3200, 8), "g6e.48xlarge": (400, 2)}
# Gbps of one network card, addresses in the subnet, vCPUs, accelerators
NODES = {
    "ml.p4d.24xlarge": (100, 5, 96, 8),
    "ml.p5.48xlarge": (100, 33, 192, 8),
    "ml.g5.2xlarge": (5, 2, 8, 1),
    "ml.trn1.32xlarge": (100, 9, 128, 16),
    "ml.c5n.18xlarge": (100, 5, 72, 0),
    "ml.m5.large": (0.75, 2, 2, 0),
    "p5.48xlarge": (100, 33, 192, 8),
    "trn2.48xlarge": (200, 17, 192, 16),
    "g6e.48xlarge": (100, 5, 192, 8),
}


@dataclass(frozen=True)
class Kind:
    """File systems that differ only in size; rates in MB/s per 1000 GiB."""

    name: tuple[str, str, int | None, str | None, bool]
    """Deployment type, storage type, tier, drive cache, EFA."""
    small: tuple[int, ...]
    step: int
    per_oss: int
    network: float
    ram_gib: float
    read: float
    write: float
    usd: float


@dataclass(frozen=True)
class Row:
    """One file system."""

    kind: tuple[str, str, int | None, str | None, bool]
    size: int
    metadata: int
    usd: float
    steady: float
    feasible: bool


def automatic(gib: int) -> int:
    if gib >= 48000:
        return min(12000 * (gib // 24000), 192000)
    return 12000 if gib >= 12000 else 6000 if gib >= 4800 else 3000 if gib >= 2400 else 1500


def kinds(document: dict[str, Any]) -> list[Kind]:
    """Return every kind that the workload may get."""
    region, pins = document["region"], document["file_system"]
    has_p2, has_old = region != "me-south-1", region != "ca-west-1"
    asked = pins.get("deployment_types")
    if asked is None:
        asked = ["PERSISTENT_2" if has_p2 else "PERSISTENT_1"]
        if not document["checkpoint"]:
            asked.append("SCRATCH_2")
    hdd = pins.get("storage_type") == "HDD"
    if hdd:
        asked = ["PERSISTENT_1"]
    found: list[Kind] = []
    if "SCRATCH_1" in asked and has_old and not document["dataset"]["source"]:
        found.append(Kind(("SCRATCH_1", "SSD", None, None, False), (1200, 2400), 3600, 3600, 200, 0, 200, 200, 0.14))
    if "SCRATCH_2" in asked and has_old:
        found.append(Kind(("SCRATCH_2", "SSD", None, None, False), (1200,), 2400, 2400, 200, 6.7, 200, 100, 0.14))
    if "PERSISTENT_1" in asked and has_old and not hdd:
        for tier, (network, ram, usd) in P1_TIERS.items():
            found.append(
                Kind(("PERSISTENT_1", "SSD", tier, None, False), (1200,), 2400, 2400, network, ram, tier, tier, usd)
            )
    if "PERSISTENT_1" in asked and has_old and hdd:
        for tier, (network, ram, usd, step) in HDD_TIERS.items():
            for drive, extra in (("NONE", 0.0), ("READ", 0.2 * 0.14)):
                found.append(
                    Kind(
                        ("PERSISTENT_1", "HDD", tier, drive, False),
                        (),
                        step,
                        step,
                        network,
                        ram,
                        tier,
                        tier,
                        usd + extra,
                    )
                )
    if "PERSISTENT_2" in asked and has_p2:
        for tier in [125, 250] if region == "il-central-1" else [125, 250, 500, 1000]:
            network, ram, usd = P2_TIERS[tier]
            usd = TOKYO[tier] if region == "ap-northeast-1" else usd
            found.append(
                Kind(("PERSISTENT_2", "SSD", tier, None, False), (1200,), 2400, 2400, network, ram, tier, tier, usd)
            )
            if region != "il-central-1" and pins.get("efa_enabled") is not False:
                found.append(
                    Kind(
                        ("PERSISTENT_2", "SSD", tier, None, True),
                        (),
                        EFA_STEP[tier],
                        EFA_STEP[tier],
                        network,
                        ram,
                        tier,
                        tier,
                        usd,
                    )
                )
    return found


def lru(share: float) -> float:
    return 1.0 if share >= 1 else max(0.0, share + (1 - share) * log(1 - share))


def every_row(document: dict[str, Any]) -> list[Row]:
    """Predict and price every legal file system."""
    rows = []
    for kind in kinds(document):
        hdd = kind.name[1] == "HDD"
        quota = document["file_system"].get("storage_quota_gib") or (102000 if hdd else 100800)
        for gib in sorted({*[s for s in kind.small if s <= quota], *range(kind.step, quota + 1, kind.step)}):
            rows += [_provisioned(document, kind, gib)]
    region, pins = document["region"], document["file_system"]
    tiering = region not in {"me-south-1", "il-central-1"} and not document["dataset"]["source"]
    if (
        tiering
        and pins.get("storage_type") != "HDD"
        and "PERSISTENT_2" in pins.get("deployment_types", ["PERSISTENT_2"])
    ):
        for efa in (False, True) if pins.get("efa_enabled") is not False else (False,):
            rows += [_tiering(document, mbps, efa=efa) for mbps in range(4000, 100001, 4000)]
    return rows


def _judge(
    document: dict[str, Any],
    kind: tuple[str, str, int | None, str | None, bool],
    size: int,
    *,
    disk: float,
    network: float,
    servers: int,
    write: float,
    iops: int,
    usd: float,
    holds: bool,
) -> Row:
    """Put the ceilings together."""
    dataset, cluster, check, epoch = (document[key] for key in ("dataset", "cluster", "checkpoint", "epoch"))
    nodes, name = cluster["nodes"], cluster["instance_type"]
    gbps, per_node, vcpus, accelerators = NODES[name]
    client = nodes * min(gbps * 125, 12500, 625 * servers)
    over_efa = EFA_CLIENTS.get(name) if cluster.get("platform") == "ec2" else None
    if kind[4] and over_efa and nodes * over_efa[1] <= 1024:
        client = nodes * min(over_efa[0] * 125, 87500)
    seconds = [dataset["size"] / 1e6 / min(disk, network, client)]
    if dataset["files"] is not None:
        seconds.append(dataset["files"] / (2 * iops))
    if epoch.get("compute"):
        seconds.append(epoch["compute"])
    training = document.get("training")
    if training:
        left = vcpus - (accelerators if training["distribution"] == "smddp" else 0)
        seconds.append(dataset["files"] * training["preprocessing"] / (nodes * max(1, left)))
    steady = max(seconds)
    addresses = servers + max(1, ceil(iops / 12000)) + nodes * per_node
    asked = check["size"] / 1e6 / check["write_within"] if check else 0
    feasible = (
        holds
        and addresses <= cluster.get("free_addresses", 32763)
        and steady <= epoch["target"] * (1 + epoch["tolerance"])
        and min(write, network, client) >= asked
    )
    return Row(kind, size, iops, round(usd, 2), steady, feasible)


def _stored_gib(document: dict[str, Any]) -> float:
    dataset, check = document["dataset"], document["checkpoint"]
    stored = dataset["size"] / dataset["compression_ratio"] + (check["size"] * check["keep"] if check else 0)
    return float(stored / 2**30 * 1.10)


def _metadata_needed(document: dict[str, Any]) -> int:
    limit = document["epoch"]["target"] * (1 + document["epoch"]["tolerance"])
    return 0 if document["dataset"]["files"] is None else ceil(document["dataset"]["files"] / (2 * limit))


def _provisioned(document: dict[str, Any], kind: Kind, gib: int) -> Row:
    tib, size = gib / 1000, document["dataset"]["size"]
    hits = lru(tib * kind.ram_gib * 2**30 / size)
    disk = inf if hits >= 1 else tib * kind.read / (1 - hits)
    if kind.name[3] == "READ":
        # a fifth of the capacity is SSD, which gives 200 MB/s per TiB of its own
        both = max(hits, lru(tib * 200 * 2**30 / size))
        disk = inf if both >= 1 else tib * kind.read / (1 - both)
        disk = min(disk, inf if both <= hits else tib * 0.2 * 200 / (both - hits))
    need, iops, extra = _metadata_needed(document), automatic(gib), 0.0
    if kind.name[0] == "PERSISTENT_2" and need > iops:
        provisioned = min([m for m in METADATA if m >= need] or [192000])
        iops, extra = provisioned, max(0, provisioned - iops) * 0.055
    return _judge(
        document,
        kind.name,
        gib,
        disk=disk,
        network=tib * kind.network,
        servers=ceil(gib / kind.per_oss),
        write=tib * kind.write,
        iops=iops,
        usd=gib * kind.usd + extra,
        holds=0.94 * gib >= _stored_gib(document),
    )


def _tiering(document: dict[str, Any], mbps: int, *, efa: bool) -> Row:
    steps, size, check = mbps // 4000, document["dataset"]["size"], document["checkpoint"]
    on_disk = size / document["dataset"]["compression_ratio"]
    hits = lru(steps * 76.8e9 / size)
    cache = max(32 * steps, ceil(on_disk * 1.10 / 2**30))
    stored = on_disk + (check["size"] * check["keep"] if check else 0)
    return _judge(
        document,
        ("PERSISTENT_2", "INTELLIGENT_TIERING", None, None, efa),
        mbps,
        disk=inf if hits >= 1 else mbps / (1 - hits),
        network=12500.0 * steps,
        servers=steps,
        write=float(mbps),
        iops=6000 if _metadata_needed(document) <= 6000 else 12000,
        usd=mbps * 0.52 + cache * 0.09 + stored / 1e9 * 0.023,
        holds=cache <= min(131072 * steps, 100800) and _stored_gib(document) <= 512 * 1024 * steps,
    )


def cheapest(rows: list[Row]) -> Row | None:
    """Return the cheapest feasible row; ties go to the shorter epoch, then the smaller size."""
    feasible = [row for row in rows if row.feasible]
    return min(feasible, key=lambda row: (row.usd, row.steady, row.size), default=None)

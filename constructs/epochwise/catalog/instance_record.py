"""EC2's description of an instance type, as a row of `data/instance_types.json`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from epochwise.catalog.units import gib_from_mib

_LEAST_CARD_GBPS = 100.0
"""Of the types with several cards: no card of theirs gives less."""
_QUOTED = re.compile(r"(?:(?P<cards>\d+)x )?(?P<gbps>[\d.]+) Gigabit")

Record = Mapping[str, Any]
"""One entry of DescribeInstanceTypes' InstanceTypes."""
Cell = int | float | str | bool | None


def instance_row(record: Record, *, sagemaker_training: bool) -> list[Cell]:
    """Return the cells of an instance type, in the order of the catalog's columns.

    Network rates are baselines of one card, which is what one TCP client gets; see the catalog's `meta`.

    Raises:
        KeyError: the record lacks what every instance type has.
    """
    network = record["NetworkInfo"]
    accelerators = [*_accelerators(record)]
    efa = _efa_interfaces(network)
    return [
        record["VCpuInfo"]["DefaultVCpus"],
        _short(gib_from_mib(record["MemoryInfo"]["SizeInMiB"])),
        sum(count for count, _ in accelerators),
        accelerators[0][1] if accelerators else None,
        _short(_ena_gbps(network)),
        network.get("MaximumNetworkCards", len(network["NetworkCards"])),
        efa,
        _short(_efa_gbps(network, efa)),
        record.get("InstanceStorageInfo", {}).get("TotalSizeInGB", 0),
        sagemaker_training,
        bool(network.get("EncryptionInTransitSupported")),
    ]


def _accelerators(record: Record) -> Iterator[tuple[int, str]]:
    """Yield number and name of each kind of accelerator, of the first group that has any."""
    groups = (
        (record.get("GpuInfo", {}).get("Gpus", ()), ""),
        (record.get("NeuronInfo", {}).get("NeuronDevices", ()), "AWS"),
        (record.get("InferenceAcceleratorInfo", {}).get("Accelerators", ()), ""),
    )
    for group, maker in groups:
        for each in group:
            yield each.get("Count", 0), f"{maker or each['Manufacturer']} {each['Name']}"
        if group:
            return


def _ena_gbps(network: Record) -> float:
    """Return the baseline of the first card; per-card peaks of several cards do not add up to the quoted total."""
    cards = network["NetworkCards"]
    baseline = float(cards[0]["BaselineBandwidthInGbps"])
    quoted = _quoted_gbps(network.get("NetworkPerformance"))
    if len(cards) > 1 and quoted is not None:
        return min(baseline, max(quoted / len(cards), _LEAST_CARD_GBPS))
    return baseline


def _efa_interfaces(network: Record) -> int:
    """Return how many EFA interfaces a type takes."""
    return int(network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0)) if network.get("EfaSupported") else 0


def _efa_gbps(network: Record, interfaces: int) -> float:
    """Return the rate over all EFA interfaces: the quoted total of several, else that of the card."""
    if not interfaces:
        return 0.0
    card = network["NetworkCards"][0]
    quoted = _quoted_gbps(network.get("NetworkPerformance") if interfaces > 1 else card.get("NetworkPerformance"))
    return float(card["BaselineBandwidthInGbps"]) if quoted is None else quoted


def _quoted_gbps(text: str | None) -> float | None:
    """Read a rate that is quoted without "up to".

    >>> _quoted_gbps("4x 100 Gigabit"), _quoted_gbps("3200 Gigabit"), _quoted_gbps("Up to 10 Gigabit")
    (400.0, 3200.0, None)
    """
    found = _QUOTED.fullmatch(text or "")
    return None if found is None else float(found["cards"] or 1) * float(found["gbps"])


def _short(number: float) -> int | float:
    """Return a number as the catalog writes it: three decimals, none where it is whole."""
    rounded = round(number, 3)
    return int(rounded) if rounded == int(rounded) else rounded

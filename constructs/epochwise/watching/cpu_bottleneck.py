"""CpuBottleneck: GPUs idle while CPUs are busy."""

from dataclasses import dataclass

from .metrics import Metrics, known, minutes_of
from .verdict import Verdict, undecided

RULE = "CpuBottleneck"


@dataclass(frozen=True)
class CpuBottleneck:
    """Parameters as Debugger's CPUBottleneck takes them, with the defaults that AWS's SDK sends.

    Debugger looks at each CPU core twice a second; here a minute counts as a bottleneck when the mean of a node's vCPUs
    is above, and the mean of its GPUs below, the thresholds. The node with the largest share of such minutes decides.
    """

    threshold: float = 50
    """Percent of a node's minutes that may be bottlenecks."""
    gpu_threshold: float = 10
    cpu_threshold: float = 90
    patience: int = 1000
    """Data points of 500 ms that pass before the first evaluation."""


def judge(metrics: Metrics, rule: CpuBottleneck) -> Verdict:
    """Say whether GPUs wait for CPUs for too large a share of the run."""
    patience = minutes_of(rule.patience)
    shares: dict[str, float] = {}
    for host in metrics.hosts:
        both = [
            None if cpu is None or gpu is None else (cpu, gpu) for cpu, gpu in zip(host.cpu, host.gpu, strict=False)
        ]
        pairs = known(metrics.patient(both, patience))
        if pairs:
            bound = sum(cpu > rule.cpu_threshold and gpu < rule.gpu_threshold for cpu, gpu in pairs)
            shares[host.name] = 100 * bound / len(pairs)
    evidence = metrics.gaps() | {"threshold_percent": rule.threshold}
    if not shares:
        return undecided(RULE, f"no node has CPU and GPU metrics after {patience} minutes of patience", evidence)
    worst = max(shares, key=lambda name: shares[name])
    evidence["bottleneck_percent"] = round(shares[worst], 1)
    said = (
        f"{worst} spent {shares[worst]:.1f} % of its minutes with CPUs above {rule.cpu_threshold:g} % and GPUs below "
        f"{rule.gpu_threshold:g} %; {rule.threshold:g} % is the limit"
    )
    if shares[worst] <= rule.threshold:
        return Verdict(RULE, fired=False, reason=said, evidence=evidence)
    return Verdict(
        RULE,
        fired=True,
        reason=said,
        evidence=evidence,
        fix="preprocess before training or on the GPU, raise the number of data loader workers, or take an instance "
        "type with more vCPUs per GPU",
    )

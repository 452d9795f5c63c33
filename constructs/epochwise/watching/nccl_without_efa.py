"""NcclWithoutEfa: NCCL goes over TCP although the nodes have EFA, which only its log says."""

import re
from dataclasses import dataclass

from .metrics import Host, Metrics
from .verdict import Verdict, undecided

RULE = "NcclWithoutEfa"
LOG_FILTER = '?"Using network" ?"NET/OFI" ?"NET/Socket" ?"NET plugin"'
"""What CloudWatch Logs picks out of the log: lines that hold any of these."""
_EFA = re.compile(r"NET/OFI .*selected provider is efa|Using network (AWS )?Libfabric", re.IGNORECASE)
_NOT_EFA = re.compile(
    r"NET/Socket *: *Using|Using network Socket|NET plugin Socket|NET/OFI .*selected provider is (?!efa)", re.IGNORECASE
)
_NICS = re.compile(r"selected provider is efa.*found (\d+) nics", re.IGNORECASE)
_SHOWN = 160
"""Characters of a line that are told."""


@dataclass(frozen=True)
class NcclWithoutEfa:
    """A rule without parameters: one node that fell back makes all of them wait.

    NCCL falls back to sockets without an error where the OFI plugin is not in the image, or finds no EFA. Source of the
    lines: aws-samples/awsome-distributed-ai, EFA cheat sheet; NVIDIA/nccl, issue 1597; aws/aws-ofi-nccl, issue 67.
    """


def decided(line: str) -> bool:
    """Tell whether a line says what NCCL goes over."""
    return bool(_EFA.search(line) or _NOT_EFA.search(line))


def judge(metrics: Metrics, _rule: NcclWithoutEfa) -> Verdict:
    """Say whether the log of any node shows NCCL on something else than EFA."""
    said = {host.name: line for host in metrics.hosts for line in [_fallback(host)] if line}
    seen = [host for host in metrics.hosts if any(decided(line) for line in host.log)]
    evidence: dict[str, float] = {
        "hosts": len(metrics.hosts),
        "hosts_missing": len(metrics.hosts) - len(seen),
        "hosts_without_efa": len(said),
    }
    nics = [int(found[1]) for host in metrics.hosts for line in host.log if (found := _NICS.search(line))]
    if nics:
        evidence["efa_interfaces_least"] = min(nics)
    if said:
        name, line = next(iter(said.items()))
        return Verdict(
            RULE,
            fired=True,
            reason=f"NCCL does not use EFA on {', '.join(said)}; {name} logs: {line[:_SHOWN]}",
            evidence=evidence,
            fix="take an image with the aws-ofi-nccl plugin, set FI_PROVIDER to efa, and see that the nodes' security "
            "group allows all traffic from and to itself",
        )
    if not metrics.nccl_over_efa:
        return undecided(RULE, "one node, or nodes whose accelerators have no EFA: NCCL has none to use", evidence)
    if not seen:
        return undecided(RULE, "no node has logged what NCCL goes over; NCCL_DEBUG=INFO makes it", evidence)
    return Verdict(
        RULE, fired=False, reason=f"NCCL uses EFA on {', '.join(host.name for host in seen)}", evidence=evidence
    )


def _fallback(host: Host) -> str:
    """Return the first line of a node that shows something else than EFA; empty when none does."""
    return next((line.strip() for line in host.log if _NOT_EFA.search(line)), "")

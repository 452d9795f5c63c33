"""What one client of an FSx for Lustre file system can read, by how it is connected."""

from dataclasses import dataclass

from epochwise.catalog.data_file import load
from epochwise.catalog.instance_types import InstanceType

_LIMITS = load("fsx_lustre")["clients"]

ENA_MBPS: float = _LIMITS["ena_mbps"]
"""Most that one client gets without EFA, MB/s."""
ENA_MBPS_PER_OSS: float = _LIMITS["ena_mbps_per_oss"]
"""Most that passes between one client and one object storage server without EFA, MB/s."""
EFA_MBPS: float = _LIMITS["efa_mbps"]
"""Most that one client gets over EFA, MB/s."""
EFA_CONNECTIONS: int = _LIMITS["efa_connections"]
"""EFA connections that one file system takes from all clients together."""


@dataclass(frozen=True)
class EfaMount:
    """Whether clients of a type can mount over EFA, with the reason when they cannot."""

    possible: bool
    reason: str = ""


def efa_mount(instance: InstanceType, *, sagemaker: bool) -> EfaMount:
    """Tell whether instances of a type can mount an EFA-enabled file system over EFA.

    Source: User Guide, efa-file-systems: Nitro v4 or later with EFA, except trn2.
    """
    if sagemaker:
        return EfaMount(False, "nobody has shown a SageMaker training job that mounts FSx for Lustre over EFA")
    if not instance.efa_interfaces:
        return EfaMount(False, f"{instance.name} has no EFA")
    if instance.family in _LIMITS["efa_excluded_families"]:
        return EfaMount(False, f"FSx for Lustre excludes {instance.family} from EFA")
    if instance.family in _LIMITS["efa_nitro_v3_families"]:
        return EfaMount(False, f"{instance.family} is not built on Nitro v4 or later (unverified)")
    return EfaMount(True)


def efa_connections_per_client(instance: InstanceType) -> int:
    """Return the EFA interfaces that AWS's client set-up configures on one instance."""
    configured: dict[str, int] = _LIMITS["efa_interfaces"]
    if instance.name in configured:
        return configured[instance.name]
    if instance.network_cards > 1:
        return int(_LIMITS["efa_interfaces_multi_card"])
    return int(_LIMITS["efa_interfaces_single_card"])

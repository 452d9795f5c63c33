"""How long preprocessing on the nodes' CPUs takes, from what a workload declares."""

from epochwise.catalog.assumptions import COLLECTIVE_VCPUS_PER_ACCELERATOR
from epochwise.workload.model import Workload


def preprocessing_vcpus(workload: Workload) -> int:
    """Return the vCPUs of one node that preprocessing may use: all but those that the collective library takes.

    SMDDP reduces gradients on CPUs; how many it takes is assumed.
    """
    instance, training = workload.cluster.instance, workload.training
    taken = 0 if training is None else COLLECTIVE_VCPUS_PER_ACCELERATOR.get(training.distribution, 0)
    return max(1, instance.vcpu - taken * instance.accelerators)


def preprocessing_s(workload: Workload) -> float | None:
    """Return the seconds that preprocessing one epoch takes on all nodes; None where it is not declared."""
    training, samples = workload.training, workload.dataset.sample_count
    if training is None or training.preprocessing is None or samples is None:
        return None
    return samples * training.preprocessing / (workload.cluster.nodes * preprocessing_vcpus(workload))

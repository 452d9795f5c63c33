"""Ten jobs, each with its truth, what its owner had declared, and the verdict that the truth deserves."""

from functools import cache
from typing import Any, NamedTuple

from epochwise.catalog.fsx_lustre import DeploymentType, MetadataMode, automatic_metadata_iops
from epochwise.catalog.legality import Wanted
from epochwise.sizing.candidate import Size
from epochwise.tuning.recommendation import Verdict
from tests.tuning.simulated_job import Simulated, Truth, simulate

SCRATCH_2, PERSISTENT_2 = DeploymentType.SCRATCH_2, DeploymentType.PERSISTENT_2
TRAINING = {"image": "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.3.0-gpu-py311"}


class Case(NamedTuple):
    """One job."""

    truth: Truth
    declared: dict[str, dict[str, Any]]
    """Keys of the truth that the file has otherwise; None leaves one out."""
    verdict: Verdict
    bottleneck: str

    @property
    def document(self) -> dict[str, Any]:
        """What the file declares."""
        sections = {name: self.truth.document[name] | values for name, values in self.declared.items()}
        kept = {name: {key: each for key, each in one.items() if each is not None} for name, one in sections.items()}
        return self.truth.document | kept


def document(**sections: Any) -> dict[str, Any]:
    """Return a workload: the guide's, with sections changed."""
    base: dict[str, Any] = {
        "name": "job",
        "dataset": {"size": "100 GB"},
        "epoch": {"target": "30 s", "compute": "30 s"},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
    }
    return base | {name: base.get(name, {}) | values for name, values in sections.items()}


def on(deployment_type: DeploymentType, capacity_gib: int, tier: int | None = None, iops: int | None = None) -> Any:
    """Return a file system as `Truth` takes it."""
    persistent = deployment_type is PERSISTENT_2
    mode = None if not persistent else MetadataMode.AUTOMATIC if iops is None else MetadataMode.USER_PROVISIONED
    return {
        "wanted": Wanted(
            deployment_types=(deployment_type,),
            storage_capacity_gib=capacity_gib,
            per_unit_storage_throughput=tier,
            efa_enabled=False,
        ),
        "size": Size(capacity_gib, metadata_mode=mode, metadata_iops=iops or automatic_metadata_iops(capacity_gib)),
    }


CASES = {
    "the guide on what is planned for it": Case(
        Truth(document(), **on(PERSISTENT_2, 4800, 500), epochs=60), {}, Verdict.KEEP, "compute"
    ),
    "the guide on the smallest scratch": Case(
        Truth(document(), **on(SCRATCH_2, 1200), epochs=4),
        {"epoch": {"target": "60 s", "compute": None}},
        Verdict.GROW,
        "network",
    ),
    "a dataset of another size than declared": Case(
        Truth(
            document(dataset={"size": "80 GB"}, epoch={"target": "20 s", "compute": "20 s"}),
            **on(PERSISTENT_2, 7200, 250),
            epochs=40,
        ),
        {"dataset": {"size": "150 GB"}, "epoch": {"target": "45 s", "compute": None}},
        Verdict.GROW,
        "disk",
    ),
    "twice what is needed": Case(
        Truth(document(epoch={"target": "100 s", "compute": "100 s"}), **on(PERSISTENT_2, 9600, 1000), epochs=20),
        {"epoch": {"target": "120 s", "compute": None}},
        Verdict.SHRINK,
        "compute",
    ),
    "many small files": Case(
        Truth(
            document(dataset={"files": 2_000_000}, epoch={"target": "100 s", "compute": "100 s"}),
            **on(PERSISTENT_2, 4800, 500),
            epochs=15,
        ),
        {"dataset": {"files": 500_000}, "epoch": {"target": "120 s", "compute": None}},
        Verdict.GROW,
        "metadata",
    ),
    "preprocessing on the CPUs": Case(
        Truth(
            document(
                dataset={"samples": 1_000_000},
                epoch={"target": "45.02 s", "compute": "20 s"},
                training=TRAINING | {"preprocessing": "0.01728 s"},
            ),
            **on(PERSISTENT_2, 4800, 500),
            epochs=40,
        ),
        {"epoch": {"target": "20 s", "compute": None}, "training": {"preprocessing": None}},
        Verdict.NOT_STORAGE,
        "preprocessing",
    ),
    "checkpoints that are written too slowly": Case(
        Truth(
            document(
                epoch={"target": "60 s", "compute": "60 s"},
                checkpoint={"size": "200 GB", "every": "6 min", "write_within": "60 s"},
            ),
            **on(PERSISTENT_2, 7200, 250),
            epochs=40,
        ),
        {"checkpoint": {"size": "50 GB", "every": "10 min"}, "epoch": {"target": "80 s", "compute": None}},
        Verdict.GROW,
        "write",
    ),
    "a burst that ends": Case(
        Truth(
            document(dataset={"size": "60 GB"}, epoch={"target": "24 s", "compute": "24 s"}),
            **on(PERSISTENT_2, 9600, 125),
            epochs=60,
            burst_s=600,
        ),
        {"dataset": {"size": "40 GB"}, "epoch": {"target": "30 s", "compute": None}},
        Verdict.GROW,
        "disk",
    ),
    "lost minutes and a silent node": Case(
        Truth(
            document(cluster={"nodes": 8}, epoch={"target": "50 s", "compute": "50 s"}),
            **on(SCRATCH_2, 7200),
            epochs=25,
            missing=0.15,
            silent_hosts=1,
        ),
        {"epoch": {"target": "40 s", "compute": None}},
        Verdict.GROW,
        "network",
    ),
    "many nodes and a large dataset": Case(
        Truth(
            document(dataset={"size": "2 TB"}, cluster={"nodes": 16}, epoch={"target": "300 s", "compute": "300 s"}),
            **on(PERSISTENT_2, 9600, 500),
            epochs=5,
            busy=0.97,
        ),
        {"epoch": {"target": "600 s", "compute": None}},
        Verdict.GROW,
        "disk",
    ),
}


@cache
def simulated(name: str) -> Simulated:
    """Run a job, once."""
    return simulate(CASES[name].truth)

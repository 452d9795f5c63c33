"""Rules about the SageMaker distributed data parallel library (SMDDP)."""

from epochwise.catalog import smddp
from epochwise.catalog.instance_types import SAGEMAKER_PREFIX
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.checks.training_image import EcrImage


def smddp_instance_type(job: DeclaredJob) -> Finding | None:
    """Refuse types that SMDDP does not run on; AWS's SDK lets most of them pass.

    Source: SageMaker Developer Guide, distributed-data-parallel-support; sagemaker 2.257.7 refuses ml.p5.48xlarge only.
    """
    name = job.workload.cluster.instance.name
    if job.training.distribution != "smddp" or name in smddp.SUPPORTED_TYPES:
        return None
    return Finding(
        "SMDDP_INSTANCE_TYPE",
        Level.ERROR,
        f"training.distribution smddp needs {_listed(smddp.SUPPORTED_TYPES)}; cluster.instance_type is "
        f"{job.workload.cluster.instance_type}",
        "set training.distribution to torchrun, or cluster.instance_type to one of these",
    )


def smddp_allreduce_only(job: DeclaredJob) -> Finding | None:
    """Warn about types on which only AllReduce works.

    Source: SageMaker Developer Guide, distributed-data-parallel-support.
    """
    if job.training.distribution != "smddp" or job.workload.cluster.instance.name not in smddp.ALLREDUCE_ONLY_TYPES:
        return None
    return Finding(
        "SMDDP_ALLREDUCE_ONLY",
        Level.WARNING,
        f"on {job.workload.cluster.instance_type} SMDDP offers AllReduce only, without its further optimisations; they "
        f"need {_listed(smddp.OPTIMISED_TYPES)}",
        "set training.distribution to torchrun, or cluster.instance_type to one of these",
    )


def smddp_one_node(job: DeclaredJob) -> Finding | None:
    """Warn when SMDDP is to run on one node.

    Within a host NVLink already makes AllReduce efficient; the library gains between hosts. Source: SageMaker Developer
    Guide, configuration tips for the distributed data parallel library.
    """
    if job.training.distribution != "smddp" or job.workload.cluster.nodes >= 2:
        return None
    return Finding(
        "SMDDP_ONE_NODE",
        Level.WARNING,
        f"SMDDP speeds up traffic between nodes and cluster.nodes is {job.workload.cluster.nodes}; within one node "
        "NCCL over NVLink is already efficient, and SMDDP can be slower",
        "set training.distribution to torchrun, or cluster.nodes to 2 or more",
    )


def smddp_image(job: DeclaredJob) -> Finding | None:
    """Warn when AWS's image brings no SMDDP with its PyTorch version.

    Only AWS's repositories are judged, by the version at the start of the tag; other images may hold anything. Source:
    SageMaker Developer Guide, distributed-data-parallel-support.
    """
    image = EcrImage.parse(job.training.image)
    if job.training.distribution != "smddp" or image is None or image.version is None:
        return None
    versions = smddp.pytorch_versions_with_smddp(image.repository)
    on_cpu = "-cpu-" in image.tag
    if versions is None or (not on_cpu and any(f"{known}.".startswith(f"{image.version}.") for known in versions)):
        return None
    named = f"PyTorch {image.version} for CPUs" if on_cpu else f"PyTorch {image.version}"
    return Finding(
        "SMDDP_IMAGE",
        Level.WARNING,
        f"training.image {image.repository}:{image.tag} holds {named}, for which AWS preinstalls no SMDDP in "
        f"{image.repository}; it does for {', '.join(versions)}",
        "take a GPU image with one of these versions, install SMDDP in an image of your own, or set "
        "training.distribution to torchrun",
    )


def smddp_frozen(job: DeclaredJob) -> Finding | None:
    """Tell that SMDDP sees no more releases, which keeps it from later instance types.

    Source: SMDDP release notes; AWS has announced no end of support.
    """
    if job.training.distribution != "smddp":
        return None
    return Finding(
        "SMDDP_FROZEN",
        Level.INFO,
        f"SMDDP's last release is {smddp.LAST_RELEASE} of {smddp.LAST_RELEASE_DATE}, and it supports no instance type "
        "later than P4",
        "prefer training.distribution torchrun for new work",
    )


def _listed(names: frozenset[str]) -> str:
    """Render instance types as SageMaker spells them."""
    return " or ".join(SAGEMAKER_PREFIX + name for name in sorted(names))

"""Whether the declared training can become a SageMaker job, and what about it will surprise."""

from collections.abc import Callable

from epochwise.checks import distribution, smddp, training_checkpoint, training_image, training_limits, watch
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.workload import Workload

_RULES: tuple[Callable[[DeclaredJob], Finding | None], ...] = (
    smddp.smddp_instance_type,
    smddp.smddp_allreduce_only,
    smddp.smddp_one_node,
    smddp.smddp_image,
    smddp.smddp_frozen,
    distribution.distribution_none_many_nodes,
    distribution.distribution_needs_entry_point,
    training_image.image_region,
    training_limits.run_too_long,
    training_limits.run_above_default_quota,
    training_limits.hyperparameter_count,
    training_limits.hyperparameter_length,
    training_checkpoint.checkpoints_on_file_system,
    watch.watch_cloudwatch_unavailable,
    watch.watch_not_evaluated,
    watch.watch_needs_gpu,
    watch.load_balancing_one_gpu,
    watch.debugger_region,
    watch.debugger_trainium,
    watch.debugger_closed,
)
"""Every rule about a job, in the order in which findings are shown."""


def training_findings(workload: Workload) -> list[Finding]:
    """Return what is to be said about the workload's training job; why there is none, when there is none."""
    job = DeclaredJob.of(workload)
    found = [no_job(workload), watch.watch_without_job(workload)] if job is None else [rule(job) for rule in _RULES]
    return [finding for finding in found if finding is not None]


def no_job(workload: Workload) -> Finding | None:
    """Return the finding that says why the workload has no training job, or None when it has one."""
    for rule in (training_not_sagemaker, ec2_has_no_job, no_training_declared):
        finding = rule(workload)
        if finding is not None:
            return finding
    return None


def training_not_sagemaker(workload: Workload) -> Finding | None:
    """Warn when a training section stands next to nodes that SageMaker does not run.

    CreateTrainingJob starts instances of its own, named ml.*; it cannot use EC2 instances. Source: botocore 1.44.8,
    TrainingInstanceType.
    """
    if workload.runs_in_sagemaker or workload.training is None:
        return None
    return Finding(
        "TRAINING_NOT_SAGEMAKER",
        Level.WARNING,
        f"training is declared, but cluster.platform is {workload.cluster.platform} and a SageMaker training job runs "
        "on SageMaker's own instances only, so no job is built",
        "set cluster.platform to sagemaker with an instance type that begins with ml., or remove training",
    )


def ec2_has_no_job(workload: Workload) -> Finding | None:
    """Tell that nodes in EC2 get network and storage, and start training themselves."""
    if workload.runs_in_sagemaker:
        return None
    return Finding(
        "EC2_HAS_NO_JOB",
        Level.INFO,
        f"cluster.platform is {workload.cluster.platform}: network and storage are built, a training job is not",
        "start training on the instances, or set cluster.platform to sagemaker and declare training",
    )


def no_training_declared(workload: Workload) -> Finding | None:
    """Tell that without a training section there is nothing to start."""
    if workload.training is not None:
        return None
    return Finding(
        "NO_TRAINING_DECLARED",
        Level.INFO,
        "training is not declared: network and storage are built, a training job is not",
        "declare training with at least training.image to get a job",
    )

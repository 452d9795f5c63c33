"""Whether the declared training can become a SageMaker job, and what about it will surprise."""

from collections.abc import Callable
from dataclasses import replace

from epochwise.checks import (
    distribution,
    nccl,
    path_names,
    rule_actions,
    smddp,
    training_batch,
    training_capacity,
    training_channels,
    training_checkpoint,
    training_debugger,
    training_environment,
    training_image,
    training_isolation,
    training_limits,
    training_preprocessing,
    training_request_addresses,
    training_request_fields,
    training_size,
    training_spot,
    training_volume,
    watch,
)
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.checks.refusal import refuse_errors
from epochwise.workload import Workload

_RULES: tuple[Callable[[DeclaredJob], Finding | None], ...] = (
    smddp.smddp_instance_type,
    smddp.smddp_allreduce_only,
    smddp.smddp_one_node,
    smddp.smddp_image,
    smddp.smddp_frozen,
    distribution.distribution_none_many_nodes,
    distribution.distribution_needs_entry_point,
    distribution.mpi_options_unused,
    distribution.custom_mpi_options_length,
    distribution.processes_above_cpus,
    training_image.image_region,
    training_image.image_tag_illegal,
    training_channels.manifest_objects_unseen,
    training_channels.channel_needs_pipe,
    training_channels.channel_attributes_unused,
    training_batch.batch_above_good,
    training_batch.batch_diverges,
    training_batch.batch_hyperparameters_kept,
    training_batch.batch_samples_unknown,
    training_batch.batch_above_dataset,
    training_batch.warmup_beyond_run,
    training_preprocessing.preprocessing_above_target,
    training_limits.run_too_long,
    training_limits.run_above_default_quota,
    training_limits.hyperparameter_count,
    training_limits.hyperparameter_length,
    training_environment.environment_count,
    training_environment.environment_rdmav,
    training_environment.execution_variable_reserved,
    training_capacity.max_runtime_below_epochs,
    training_capacity.max_pending_on_cpus,
    training_capacity.keep_alive_undocumented,
    training_capacity.training_plan_type,
    training_capacity.training_plan_region,
    training_capacity.training_plan_wait,
    training_spot.spot_needs_max_wait,
    training_spot.max_wait_without_spot,
    training_spot.max_wait_beyond_execution,
    training_spot.spot_without_checkpoint,
    training_spot.keep_alive_with_spot,
    training_volume.volume_key_on_local_nvme,
    training_volume.volume_size_on_local_nvme,
    training_isolation.encryption_one_node,
    training_isolation.encryption_with_efa,
    training_isolation.network_isolation_file_system,
    training_request_fields.request_overwrites,
    training_request_fields.request_excluded,
    training_request_fields.request_unknown_field,
    training_request_fields.request_entry_unnamed,
    training_request_fields.request_malformed,
    training_request_addresses.request_address_illegal,
    path_names.name_ends_as_path,
    training_size.request_too_large,
    training_checkpoint.checkpoints_on_file_system,
    training_checkpoint.checkpoints_twice,
    training_checkpoint.debugger_checkpoint_distributed,
    watch.watch_not_evaluated,
    watch.watch_rule_needs_debugger,
    watch.watch_rule_needs_cloudwatch,
    watch.watch_needs_gpu,
    watch.load_balancing_one_gpu,
    watch.watch_beyond_lookback,
    nccl.nccl_rule_without_efa,
    nccl.nccl_log_hidden,
    rule_actions.rule_action_on_profiler,
    rule_actions.rule_action_unreachable,
    rule_actions.rule_action_in_vpc,
    training_debugger.debugger_region,
    training_debugger.debugger_trainium,
    training_debugger.debugger_hook,
    training_debugger.watch_too_many_rules,
    training_debugger.watch_too_many_collections,
    training_debugger.rule_parameter_count,
    training_debugger.rule_value_length,
    training_debugger.debugger_closed,
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


def required_job(workload: Workload) -> DeclaredJob:
    """Return the workload's training job, for what is nothing without one.

    Raises:
        ValueError: it has none; says why, as the error that it then is.
    """
    job, absent = DeclaredJob.of(workload), no_job(workload)
    refuse_errors([] if absent is None else [replace(absent, level=Level.ERROR)])
    assert job is not None  # noqa: S101 - what has no job has a reason
    return job


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

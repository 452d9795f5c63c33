"""Rules about what watches a job."""

from epochwise.catalog.debugger import (
    CLOSED_TO_NEW_CUSTOMERS,
    PROFILER_SUPPORT_ENDS,
    evaluator_image,
    evaluator_regions,
)
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.workload import Workload


def watch_without_job(workload: Workload) -> Finding | None:
    """Warn when rules are declared and there is no job for them to watch."""
    if not workload.watch.rules:
        return None
    return Finding(
        "WATCH_WITHOUT_JOB",
        Level.WARNING,
        f"watch.rules holds {', '.join(workload.watch.rules)}, and there is no SageMaker training job to watch",
        "declare training on cluster.platform sagemaker, or remove watch.rules",
    )


def watch_cloudwatch_unavailable(job: DeclaredJob) -> Finding | None:
    """Refuse rules evaluated by CloudWatch, which this version does not build."""
    if not job.workload.watch.rules or "cloudwatch" not in job.workload.watch.using:
        return None
    return Finding(
        "WATCH_CLOUDWATCH_UNAVAILABLE",
        Level.ERROR,
        f"watch.using is {', '.join(job.workload.watch.using)}; this version evaluates rules with debugger only",
        "set watch.using to [debugger], or remove watch.rules",
    )


def watch_not_evaluated(job: DeclaredJob) -> Finding | None:
    """Warn when rules are declared and nothing evaluates them."""
    if not job.workload.watch.rules or job.workload.watch.using:
        return None
    return Finding(
        "WATCH_NOT_EVALUATED",
        Level.WARNING,
        f"watch.rules holds {', '.join(job.workload.watch.rules)}, but watch.using is empty, so nothing evaluates them",
        "set watch.using to [debugger], or remove watch.rules",
    )


def watch_needs_gpu(job: DeclaredJob) -> Finding | None:
    """Warn when rules about GPUs watch nodes without any.

    All three rules look at the utilisation of GPUs. Source: SageMaker Developer Guide,
    debugger-built-in-profiler-rules.
    """
    if not job.workload.watch.rules or job.workload.cluster.instance.accelerators:
        return None
    return Finding(
        "WATCH_NEEDS_GPU",
        Level.WARNING,
        f"watch.rules holds {', '.join(job.workload.watch.rules)}, which judge GPU utilisation, and "
        f"{job.workload.cluster.instance_type} has no GPU, so they never fire",
        "remove watch.rules, or choose a cluster.instance_type with GPUs",
    )


def load_balancing_one_gpu(job: DeclaredJob) -> Finding | None:
    """Warn when LoadBalancing has nothing to compare.

    It measures how the utilisation of several GPUs differs. Source: SageMaker Developer Guide,
    debugger-built-in-profiler-rules.
    """
    gpus = job.workload.cluster.instance.accelerators * job.workload.cluster.nodes
    if "LoadBalancing" not in job.workload.watch.rules or gpus != 1:
        return None
    return Finding(
        "LOAD_BALANCING_ONE_GPU",
        Level.WARNING,
        f"LoadBalancing compares GPUs, and {job.workload.cluster.nodes} × {job.workload.cluster.instance_type} has 1",
        "remove LoadBalancing from watch.rules",
    )


def debugger_region(job: DeclaredJob) -> Finding | None:
    """Refuse Debugger's rules in a Region without an image that evaluates them.

    The API takes the image's URI and has no default. Source: sagemaker 2.257.7, image_uri_config/debugger.json.
    """
    if not job.evaluated_by_debugger or evaluator_image(job.workload.region) is not None:
        return None
    return Finding(
        "DEBUGGER_REGION",
        Level.ERROR,
        f"SageMaker Debugger has no rule evaluator in {job.workload.region}; it has one in "
        f"{', '.join(evaluator_regions())}",
        "remove watch.rules, or set region to one of these",
    )


def debugger_trainium(job: DeclaredJob) -> Finding | None:
    """Refuse Debugger's rules on Trainium, where there is no profile for them to read.

    AWS's SDK switches the profiler off for these types. Source: sagemaker 2.257.7.
    """
    if not job.evaluated_by_debugger or not job.workload.cluster.instance.family.startswith("trn"):
        return None
    return Finding(
        "DEBUGGER_TRAINIUM",
        Level.ERROR,
        f"SageMaker's profiler does not run on Trainium, so no rule can watch {job.workload.cluster.instance_type}",
        "remove watch.rules, or choose a cluster.instance_type with GPUs",
    )


def debugger_closed(job: DeclaredJob) -> Finding | None:
    """Warn that Debugger takes no new customers, and that the profiler's support ends.

    Source: SageMaker Developer Guide, notices on the Debugger and Profiler pages; whether rules are still evaluated
    after the profiler's end is unverified.
    """
    if not job.evaluated_by_debugger:
        return None
    return Finding(
        "DEBUGGER_CLOSED",
        Level.WARNING,
        f"watch.using is debugger: SageMaker Debugger takes no new customers since {CLOSED_TO_NEW_CUSTOMERS}, and "
        f"support of SageMaker Profiler ends on {PROFILER_SUPPORT_ENDS}",
        "remove watch.rules if the account has not used Debugger before that day; CloudWatch keeps the job's metrics",
    )

"""Rules about what watches a job, whoever evaluates it."""

from epochwise.catalog.watch_rule_names import CLOUDWATCH_RULE_NAMES, DEBUGGER_RULE_NAMES, GPU_RULE_NAMES
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.workload import Workload

LOOKBACK_MINUTES = 180
"""Minutes of metrics that the evaluator reads."""
POINTS_A_MINUTE = 120
"""Data points of Debugger's rules, 500 ms each."""


def watch_without_job(workload: Workload) -> Finding | None:
    """Warn when rules are declared and there is no job for them to watch."""
    if not workload.watch.rules:
        return None
    return Finding(
        "WATCH_WITHOUT_JOB",
        Level.WARNING,
        f"watch.rules holds {', '.join(workload.watch.names)}, and there is no SageMaker training job to watch",
        "declare training on cluster.platform sagemaker, or remove watch.rules",
    )


def watch_not_evaluated(job: DeclaredJob) -> Finding | None:
    """Warn when rules are declared and nothing evaluates them."""
    if not job.workload.watch.rules or job.workload.watch.using:
        return None
    return Finding(
        "WATCH_NOT_EVALUATED",
        Level.WARNING,
        f"watch.rules holds {', '.join(job.workload.watch.names)}, but watch.using is empty, so nothing evaluates them",
        "set watch.using to [debugger] or [cloudwatch], or remove watch.rules",
    )


def watch_rule_needs_debugger(job: DeclaredJob) -> Finding | None:
    """Refuse rules that only Debugger can evaluate where it is not to.

    CloudWatch has SageMaker's utilisation of CPUs, GPUs, their memory and disks by the minute, and neither tensors nor
    the time that CPUs wait. Source: SageMaker Developer Guide, monitoring-cloudwatch.
    """
    watch = job.workload.watch
    lacking = [name for name in watch.names if name not in CLOUDWATCH_RULE_NAMES]
    if not lacking or not watch.using or "debugger" in watch.using:
        return None
    return Finding(
        "WATCH_RULE_NEEDS_DEBUGGER",
        Level.ERROR,
        f"watch.rules holds {', '.join(lacking)}, and watch.using is {', '.join(watch.using)}, which can evaluate "
        f"{', '.join(CLOUDWATCH_RULE_NAMES)} only",
        "add debugger to watch.using, or remove these rules",
    )


def watch_rule_needs_cloudwatch(job: DeclaredJob) -> Finding | None:
    """Refuse rules that only CloudWatch's metrics and logs can answer where they are not to be used.

    Debugger sees neither the file system's throughput, which is a metric of FSx, nor what NCCL logs. Source: FSx User
    Guide, fs-metrics; SageMaker Developer Guide, debugger-built-in-profiler-rules.
    """
    watch = job.workload.watch
    lacking = [name for name in watch.names if name not in DEBUGGER_RULE_NAMES]
    if not lacking or not watch.using or "cloudwatch" in watch.using:
        return None
    return Finding(
        "WATCH_RULE_NEEDS_CLOUDWATCH",
        Level.ERROR,
        f"watch.rules holds {', '.join(lacking)}, which Debugger cannot evaluate, and watch.using is "
        f"{', '.join(watch.using)}",
        "add cloudwatch to watch.using, or remove the rule",
    )


def watch_needs_gpu(job: DeclaredJob) -> Finding | None:
    """Warn when rules about GPUs watch nodes without any.

    Source: SageMaker Developer Guide, debugger-built-in-profiler-rules.
    """
    about_gpus = [name for name in job.workload.watch.names if name in GPU_RULE_NAMES]
    if not about_gpus or job.workload.cluster.instance.accelerators:
        return None
    return Finding(
        "WATCH_NEEDS_GPU",
        Level.WARNING,
        f"watch.rules holds {', '.join(about_gpus)}, which judge GPUs, and {job.workload.cluster.instance_type} has no "
        "GPU, so they never fire",
        "remove them from watch.rules, or choose a cluster.instance_type with GPUs",
    )


def load_balancing_one_gpu(job: DeclaredJob) -> Finding | None:
    """Warn when LoadBalancing has nothing to compare.

    It measures how the utilisation of several GPUs differs. Source: SageMaker Developer Guide,
    debugger-built-in-profiler-rules.
    """
    gpus = job.workload.cluster.instance.accelerators * job.workload.cluster.nodes
    if "LoadBalancing" not in job.workload.watch.names or gpus != 1:
        return None
    return Finding(
        "LOAD_BALANCING_ONE_GPU",
        Level.WARNING,
        f"LoadBalancing compares GPUs, and {job.workload.cluster.nodes} × {job.workload.cluster.instance_type} has 1",
        "remove LoadBalancing from watch.rules",
    )


def watch_beyond_lookback(job: DeclaredJob) -> Finding | None:
    """Warn about parameters that reach further back than the evaluator of CloudWatch's metrics reads.

    A window that is longer is never full; patience ends where the metrics that are read no longer begin with the job.
    """
    beyond = [
        f"{rule.name}.{name} ({rule.parameters[name]}, at most {most})"
        for rule in job.cloudwatch_rules
        for name in ("window", "patience")
        if rule.parameters.get(name, 0) > (most := _most_points(rule.name))
    ]
    if not beyond:
        return None
    return Finding(
        "WATCH_BEYOND_LOOKBACK",
        Level.WARNING,
        f"watch.using holds cloudwatch, whose evaluator reads the last {LOOKBACK_MINUTES} minutes, and watch.rules "
        f"reaches further back: {', '.join(beyond)}; such a window never fires, such patience ends early",
        "lower them to what is read, or set watch.using to [debugger]",
    )


def _most_points(rule: str) -> int:
    """Return the points of a rule's window or patience that the evaluator reads: of 500 ms, or minutes in its own."""
    return LOOKBACK_MINUTES * (1 if rule not in DEBUGGER_RULE_NAMES else POINTS_A_MINUTE)

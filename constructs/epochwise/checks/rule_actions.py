"""Rules about what a watch rule does by itself when it fires.

StopTraining, email and SMS work for rules about tensors only, and neither without the internet nor in spot jobs.
"""

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

_STOPS_BY_PARAMETER = "stop_training_on_fire"


def rule_action_on_profiler(job: DeclaredJob) -> Finding | None:
    """Refuse actions of rules that have none. Source: SageMaker Developer Guide, debugger-built-in-actions."""
    named = [rule.name for rule in job.workload.watch.declared if rule.actions and not rule.about_tensors]
    if not named:
        return None
    return Finding(
        "RULE_ACTION_ON_PROFILER",
        Level.ERROR,
        f"watch.rules gives actions to {', '.join(named)}; SageMaker has built-in actions for rules about tensors only",
        f"remove actions from {', '.join(named)}; the state machine tells how these rules ended",
    )


def rule_action_unreachable(job: DeclaredJob) -> Finding | None:
    """Refuse actions where they do nothing: in network isolation and in spot jobs.

    Source: SageMaker Developer Guide, debugger-built-in-actions.
    """
    reasons = [
        key
        for key, on in (("network_isolation", job.training.network_isolation), ("spot", job.training.spot))
        if on and acting_rules(job)
    ]
    if not reasons:
        return None
    return Finding(
        "RULE_ACTION_UNREACHABLE",
        Level.ERROR,
        f"watch.rules gives actions to {', '.join(acting_rules(job))}, and training.{' and training.'.join(reasons)} "
        "is true, where built-in actions do not work",
        "remove the actions, or " + " and ".join(f"set training.{key} to false" for key in reasons),
    )


def rule_action_in_vpc(job: DeclaredJob) -> Finding | None:
    """Warn that actions need a way to the internet, since every job here runs in a VPC.

    Source: SageMaker Developer Guide, debugger-built-in-actions.
    """
    if not acting_rules(job):
        return None
    return Finding(
        "RULE_ACTION_IN_VPC",
        Level.WARNING,
        f"watch.rules gives actions to {', '.join(acting_rules(job))}, which work only where the job's subnets reach "
        "the internet; StopTraining also acts only where exactly one running job's name begins with this job's",
        "make sure of a NAT gateway; a role of your own must be allowed to stop training jobs and to use the topic "
        "SMDebugRules, as the role of TrainingJob is",
    )


def rule_action_closed_vpc(job: DeclaredJob, *, closed: bool) -> Finding | None:
    """Refuse actions in subnets without a way to the internet; only the deployment knows of it.

    Source: SageMaker Developer Guide, debugger-built-in-actions.
    """
    if not closed or not acting_rules(job):
        return None
    return Finding(
        "RULE_ACTION_CLOSED_VPC",
        Level.ERROR,
        f"watch.rules gives actions to {', '.join(acting_rules(job))}, and the job's subnets have no way to the "
        "internet, where built-in actions do not work",
        "remove the actions, or give the network a NAT gateway",
    )


def acting_rules(job: DeclaredJob) -> list[str]:
    """Return the rules about tensors that act by themselves."""
    return [rule.name for rule in job.tensor_rules if rule.actions or rule.parameters.get(_STOPS_BY_PARAMETER)]

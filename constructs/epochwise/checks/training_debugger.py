"""Rules about SageMaker Debugger: where it runs, and what it takes."""

from epochwise.catalog.debugger import (
    CLOSED_TO_NEW_CUSTOMERS,
    MAX_COLLECTIONS,
    MAX_RULE_PARAMETERS,
    MAX_RULE_VALUE_LENGTH,
    MAX_RULES,
    PROFILER_SUPPORT_ENDS,
    evaluator_image,
    evaluator_regions,
    tensor_rules,
)
from epochwise.catalog.watch_rule_names import parameters_of
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

_PARAMETERS_OF_THE_REQUEST = 3
"""Most that the request adds to a rule: its name, its actions, and the prefix of the job's name."""
_LONGEST_JOB_NAME = 63
_ACTION_LENGTHS = {"stop_training": 58 + _LONGEST_JOB_NAME, "email": 44, "sms": 42}
"""Characters of an action as sent, its endpoint left out, with the comma and space after it."""


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
    """Refuse Debugger's profiler rules on Trainium, where there is no profile for them to read.

    AWS's SDK switches the profiler off for these types. Source: sagemaker 2.257.7.
    """
    if not job.profiler_rules or not job.workload.cluster.instance.family.startswith("trn"):
        return None
    return Finding(
        "DEBUGGER_TRAINIUM",
        Level.ERROR,
        f"SageMaker's profiler does not run on Trainium, so no profiler rule can watch "
        f"{job.workload.cluster.instance_type}",
        f"remove {', '.join(rule.name for rule in job.profiler_rules)} from watch.rules, or choose a "
        "cluster.instance_type with GPUs",
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


def debugger_hook(job: DeclaredJob) -> Finding | None:
    """Warn that rules about tensors put a hook into the training script, which has broken training before.

    Reported are crashes in the hook and scripts that no longer start. AWS's images hook scripts in by themselves where
    the framework is one that they know. Source: awslabs/sagemaker-debugger, issues 184, 401 and 482.
    """
    if not job.hook_is_set:
        return None
    return Finding(
        "DEBUGGER_HOOK",
        Level.WARNING,
        f"watch.rules holds {', '.join(rule.name for rule in job.tensor_rules)}: Debugger's hook saves tensors from "
        "inside the training script, and crashes of it are reported for recent frameworks",
        "try one short job first, or keep to profiler rules, which leave the script alone",
    )


def watch_too_many_rules(job: DeclaredJob) -> Finding | None:
    """Refuse more rules about tensors than one job takes; profiler rules are fewer. Source: botocore 1.44.8."""
    count = len(job.tensor_rules)
    if count <= MAX_RULES:
        return None
    return Finding(
        "WATCH_TOO_MANY_RULES",
        Level.ERROR,
        f"watch.rules holds {count} rules about tensors; one job takes {MAX_RULES}",
        f"remove {count - MAX_RULES} of them, or watch with a second job",
    )


def watch_too_many_collections(job: DeclaredJob) -> Finding | None:
    """Refuse more collections than the hook takes, those that the rules need included. Source: botocore 1.44.8."""
    if not job.hook_is_set:
        return None
    needed = {name for rule in job.tensor_rules for name in tensor_rules()[rule.name].collections}
    count = len(needed | set(job.workload.watch.collections))
    if count <= MAX_COLLECTIONS:
        return None
    return Finding(
        "WATCH_TOO_MANY_COLLECTIONS",
        Level.ERROR,
        f"the hook would save {count} collections, {len(needed)} of them for the rules; it takes {MAX_COLLECTIONS}",
        f"remove {count - MAX_COLLECTIONS} from watch.collections",
    )


def rule_parameter_count(job: DeclaredJob) -> Finding | None:
    """Refuse more parameters than one rule takes, such as runs to compare with. Source: botocore 1.44.8."""
    counts = {rule.name: sum(_entries(value) for value in rule.parameters.values()) for rule in job.debugger_rules}
    allowed = MAX_RULE_PARAMETERS - _PARAMETERS_OF_THE_REQUEST
    too_many = {name: count for name, count in counts.items() if count > allowed}
    if not too_many:
        return None
    return Finding(
        "RULE_PARAMETER_COUNT",
        Level.ERROR,
        f"one rule takes {allowed} parameters beside those that the request adds; more are declared for "
        + ", ".join(f"{name} ({count})" for name, count in too_many.items()),
        "declare fewer",
    )


def rule_value_length(job: DeclaredJob) -> Finding | None:
    """Refuse values that are too long as a rule's parameter, actions included. Source: botocore 1.44.8."""
    lengths = {
        f"{rule.name}.{key}": max(_lengths(rule.name, key, value))
        for rule in job.debugger_rules
        for key, value in rule.parameters.items()
    } | {
        f"{rule.name}.actions": sum(_ACTION_LENGTHS[action.kind] + len(action.endpoint) for action in rule.actions)
        for rule in job.debugger_rules
    }
    too_long = {key: length for key, length in lengths.items() if length > MAX_RULE_VALUE_LENGTH}
    if not too_long:
        return None
    return Finding(
        "RULE_VALUE_LENGTH",
        Level.ERROR,
        f"a parameter of a rule may take {MAX_RULE_VALUE_LENGTH} characters as sent; too long: "
        + ", ".join(f"{key} ({length})" for key, length in too_long.items()),
        "shorten them, or give fewer actions",
    )


def _entries(value: object) -> int:
    """Count the entries that a parameter becomes; only runs to compare with become several."""
    return len(value) if isinstance(value, list | tuple) else 1


def _lengths(rule: str, key: str, value: object) -> list[int]:
    """Return the lengths of what a parameter becomes: each run to compare with is sent by itself."""
    parameter = parameters_of(rule)[key]
    if parameter.kind == "s3_uris" and isinstance(value, list | tuple):
        return [len(str(part)) for part in value]
    return [len(parameter.encoded(value))]

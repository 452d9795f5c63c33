"""Rules about `training.request`, the fields of CreateTrainingJob that are passed through."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from epochwise.catalog.training_job import APPENDED, EXCLUDED, MEMBERS, PASSED_THROUGH
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.workload.training_section import CHECKPOINT_CHANNEL, TRAIN_CHANNEL


def request_overwrites(job: DeclaredJob) -> Finding | None:
    """Refuse fields that the request sets itself, and name the option of each."""
    options = {path: MEMBERS[path] for path, _ in _given(job) if path in MEMBERS}
    overwriting = {
        path: option
        for path, option in options.items()
        if option != PASSED_THROUGH and not option.startswith(EXCLUDED) and path not in APPENDED
    }
    if not overwriting:
        return None
    return Finding(
        "REQUEST_OVERWRITES",
        Level.ERROR,
        f"training.request holds {', '.join(overwriting)}, which this library sets",
        "say it by the option instead: " + ", ".join(f"{path} by {option}" for path, option in overwriting.items()),
    )


def request_excluded(job: DeclaredJob) -> Finding | None:
    """Refuse fields that cannot stand next to those of a job with an image and nodes.

    Source: botocore 1.44.8, CreateTrainingJob.
    """
    reasons = {
        path: MEMBERS[path].removeprefix(EXCLUDED)
        for path, _ in _given(job)
        if MEMBERS.get(path, "").startswith(EXCLUDED)
    }
    if not reasons:
        return None
    return Finding(
        "REQUEST_EXCLUDED",
        Level.ERROR,
        "; ".join(f"training.request.{path}: {reason}" for path, reason in reasons.items()),
        f"remove {', '.join(reasons)} from training.request",
    )


def request_unknown_field(job: DeclaredJob) -> Finding | None:
    """Refuse fields that CreateTrainingJob does not have. Source: botocore 1.44.8, CreateTrainingJob."""
    unknown = [path for path, _ in _given(job) if path not in MEMBERS]
    if not unknown:
        return None
    near = [match for path in unknown for match in get_close_matches(path, MEMBERS, n=1)]
    meant = f"; near: {', '.join(near)}" if near else ""
    return Finding(
        "REQUEST_UNKNOWN_FIELD",
        Level.ERROR,
        f"training.request holds {', '.join(unknown)}, which CreateTrainingJob does not have{meant}",
        "correct the name, or remove it",
    )


def request_entry_unnamed(job: DeclaredJob) -> Finding | None:
    """Refuse entries of lists that have no name, or the name of an entry that the request has already.

    Source: botocore 1.44.8, Channel, DebugRuleConfiguration and ProfilerRuleConfiguration.
    """
    taken = {
        "InputDataConfig": {TRAIN_CHANNEL, CHECKPOINT_CHANNEL, *job.training.channels},
        "DebugRuleConfigurations": {rule.name for rule in job.tensor_rules},
        "ProfilerRuleConfigurations": {name for rule in job.profiler_rules for name in (rule.name, rule.aws_name)},
    }
    wrong: list[str] = []
    for key, name_key in APPENDED.items():
        if key not in job.training.request:
            continue
        entries = job.training.request[key]
        for place, entry in enumerate(entries if isinstance(entries, list) else [entries]):
            name = entry.get(name_key) if isinstance(entry, Mapping) else None
            if not isinstance(entries, list) or not isinstance(name, str) or name in taken[key]:
                wrong.append(f"{key}[{place}] ({name_key} is {'absent' if name is None else name!r})")
            else:
                taken[key].add(name)
    if not wrong:
        return None
    return Finding(
        "REQUEST_ENTRY_UNNAMED",
        Level.ERROR,
        f"training.request adds {', '.join(wrong)}; an entry of a list needs a name that no other entry has",
        "give each entry a name of its own",
    )


def _given(job: DeclaredJob) -> Iterator[tuple[str, Any]]:
    """Yield the fields that are given, and those of the structures among them."""
    structures = {path.partition(".")[0] for path in MEMBERS if "." in path}
    for key, value in job.training.request.items():
        if key in APPENDED:
            continue
        if key in structures and isinstance(value, Mapping):
            yield from ((f"{key}.{name}", inner) for name, inner in value.items())
        else:
            yield key, value

"""Rules about `training.request`, the fields of CreateTrainingJob that are passed through."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from epochwise.catalog.training_job import APPENDED, EXCLUDED, MEMBERS, PASSED_THROUGH, SHAPES
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.workload.training_section import CHECKPOINT_CHANNEL, TRAIN_CHANNEL

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "long": (int,),
    "float": (int, float),
    "double": (int, float),
}
"""AWS's names of simple types to those of a value."""


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


def request_malformed(job: DeclaredJob) -> Finding | None:
    """Refuse values of another shape than CreateTrainingJob takes. Source: botocore 1.44.8, CreateTrainingJob."""
    wrong: list[str] = []
    for key, value in job.training.request.items():
        shape = SHAPES.get(key)
        if shape is None:
            continue
        if key not in APPENDED:
            wrong += _misshaped(key, _passed(value, shape), shape)
        elif isinstance(value, list):
            # an entry that is no mapping, or whose name is no text, is refused by REQUEST_ENTRY_UNNAMED
            for place, entry in enumerate(value):
                if isinstance(entry, dict) and isinstance(entry.get(APPENDED[key]), str):
                    wrong += _misshaped(f"{key}[{place}]", entry, shape[0])
    if not wrong:
        return None
    return Finding(
        "REQUEST_MALFORMED",
        Level.ERROR,
        f"training.request holds what CreateTrainingJob does not take: {'; '.join(wrong)}",
        "write each as CreateTrainingJob has it, or remove it",
    )


def _passed(value: Any, shape: Mapping[str, Any]) -> Any:
    """Leave out members that are none, or are no one's to pass through: other rules refuse those by their names."""
    if not isinstance(value, dict):
        return value
    return {name: part for name, part in value.items() if name in shape or f"{name}!" in shape}


def _misshaped(path: str, value: Any, shape: Any) -> Iterator[str]:
    """Yield what of a value differs from its shape, each with its path."""
    match shape:
        case str() if type(value) not in _TYPES[shape]:
            yield f"{path} must be of type {shape}, got {value!r:.60}"
        case list() if not isinstance(value, list):
            yield f"{path} must be a list, got {value!r:.60}"
        case dict() if not isinstance(value, dict):
            yield f"{path} must be a mapping, got {value!r:.60}"
        case [inner]:
            for place, part in enumerate(value):
                yield from _misshaped(f"{path}[{place}]", part, inner)
        case {"*": inner}:
            for name, part in value.items():
                yield from _misshaped(f"{path}.{name}", part, inner)
        case dict():
            yield from _members_misshaped(path, value, shape)


def _members_misshaped(path: str, value: Mapping[str, Any], shape: Mapping[str, Any]) -> Iterator[str]:
    """Yield what of a structure is absent, unknown, or of another shape."""
    members = {name.removesuffix("!"): part for name, part in shape.items()}
    yield from (f"{path} lacks {name[:-1]}" for name in shape if name.endswith("!") and name[:-1] not in value)
    yield from (f"{path} has no {name!r:.60}; it takes {', '.join(members)}" for name in value if name not in members)
    for name, part in value.items():
        if name in members:
            yield from _misshaped(f"{path}.{name}", part, members[name])


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

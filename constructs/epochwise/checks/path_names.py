"""The rule about names that a state machine would take for more than names."""

from collections.abc import Iterator, Mapping
from typing import Any

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

_PATH_SUFFIX = ".$"


def name_ends_as_path(job: DeclaredJob) -> Finding | None:
    """Refuse names inside passed-through fields and collections whose values a state machine would look up.

    In the parameters of a call a name that ends in .$ has a path or a function for its value. Hyperparameters reach the
    call as data, and may be called so. Source: Step Functions Developer Guide,
    input-output-inputpath-params (from memory, unverified).
    """
    given = {"training.request": job.training.request, "watch.collections": job.workload.watch.collections}
    found = [path for where, value in given.items() for path in _path_names(where, value)]
    if not found:
        return None
    return Finding(
        "NAME_ENDS_AS_PATH",
        Level.ERROR,
        f"{', '.join(found)[:300]} must not end in {_PATH_SUFFIX}, by which a state machine knows paths",
        f"nearest legal: {found[0].removesuffix(_PATH_SUFFIX)[:100]}",
    )


def _path_names(where: str, value: Any) -> Iterator[str]:
    """Yield the paths of names that end so, at any depth."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name.endswith(_PATH_SUFFIX):
                yield f"{where}.{name}"
            yield from _path_names(f"{where}.{name}", inner)
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            yield from _path_names(f"{where}[{place}]", inner)

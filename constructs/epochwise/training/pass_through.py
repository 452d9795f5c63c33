"""Fields of CreateTrainingJob without an option here, merged into the request as the user wrote them."""

from collections.abc import Mapping
from typing import Any

from epochwise.catalog.training_job import APPENDED


def merged(request: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request with the given fields: structures are merged, entries of lists that are there appended.

    Nothing that the request holds is replaced: `REQUEST_OVERWRITES` refused such fields before.
    """
    whole = dict(request)
    for key, value in given.items():
        present = whole.get(key)
        if key in APPENDED and isinstance(present, list) and isinstance(value, list):
            whole[key] = [*present, *value]
        elif isinstance(present, Mapping) and isinstance(value, Mapping):
            whole[key] = merged(present, value)
        else:
            whole[key] = value
    return whole

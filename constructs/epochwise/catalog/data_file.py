"""Read the catalog's data files."""

import json
from functools import cache
from pkgutil import get_data
from typing import Any


@cache
def load(name: str) -> Any:
    """Return the parsed content of `catalog/data/<name>.json`; callers must not change it."""
    content = get_data("epochwise.catalog", f"data/{name}.json")
    return json.loads(content or b"")

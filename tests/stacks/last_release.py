"""What others hold of the last release: logical ids of what holds state, exports and Parameters.

`python -m tests.stacks.last_release` writes the list anew, which is done once for each release and never in between.
"""

import json
import os
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("last_release.json")
LISTED = ("guide", "llm-8b")
"""A job that Debugger judges, and one that a function does."""
VERSION = metadata.version("epochwise")


def listed(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a manifest is public."""
    return {
        name: {
            "stateful": each["stateful"],
            "exports": each["exports"],
            "parameters": {name: "required" if said["required"] else "" for name, said in each["parameters"].items()},
        }
        for name, each in sorted(manifest["files"].items())
        if name.endswith(".template.json")
    }


def last_release() -> dict[str, Any]:
    """Read the list."""
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def lost(then: Any, now: Any, path: str = "") -> list[str]:
    """Return what was listed and is gone or another thing."""
    match then, now:
        case dict(), dict():
            return [each for key in then for each in lost(then[key], now.get(key), f"{path}/{key}")]
        case list(), list():
            return [f"{path}/{each}" for each in then if each not in now]
        case _:
            return [] if then == now else [path]


def main() -> None:
    """Write the list of this version."""
    os.environ["CDK_VALIDATION"] = "false"
    from epochwise import Workload, plan
    from stacks.pipeline_templates import pipeline_templates

    workloads = FILE.parents[2] / "workloads"
    sets = {name: pipeline_templates(plan(Workload.from_file(workloads / f"{name}.yaml"))) for name in LISTED}
    manifests = {name: json.loads(each.files["manifest.json"]) for name, each in sets.items()}
    document = {"version": VERSION, "workloads": {name: listed(each) for name, each in manifests.items()}}
    FILE.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

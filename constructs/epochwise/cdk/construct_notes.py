"""`ConstructNotes`: what CDK notes at the constructs of an app, read from the assembly and from above its stacks."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from aws_cdk import Validations
from constructs import IConstruct

from epochwise.policy.app_resources import Nested

_LOGICAL_ID, _TEMPLATE_FILE = "aws:cdk:logicalId", "aws:cdk:templateFile"


@dataclass(frozen=True)
class Note:
    """What is noted at one construct."""

    template: str
    """Path of the template of the construct's stack, of the outer one for a nested stack; empty above the stacks."""
    place: str
    """Path of the construct; empty for the app."""
    kind: str
    data: Any


@dataclass(frozen=True)
class ConstructNotes:
    """Everything that is noted at the constructs of an app."""

    notes: tuple[Note, ...]

    @classmethod
    def of(cls, root: IConstruct, stacks: Iterable[tuple[str, str]]) -> "ConstructNotes":
        """Read the notes of an app.

        Args:
            root: the app.
            stacks: construct path and template path of each stack.
        """
        paths = dict(stacks)
        below = (note for template in paths.values() for note in _in_assembly(Path(template)))
        return cls((*below, *_above(root, paths)))

    @cached_property
    def nested_places(self) -> dict[str, str]:
        """Template of each nested stack, by the construct path of the stack."""
        files = {
            note.place: str(Path(note.template).with_name(note.data))
            for note in self.notes
            if note.kind == _TEMPLATE_FILE and isinstance(note.data, str)
        }
        return {place: file for place, file in files.items() if _resource_of(place) in self._logical_ids}

    @cached_property
    def nested(self) -> Nested:
        """Template of each nested stack, and the resource that deploys it."""
        return {
            file: (self._template_of(_resource_of(place)), self._logical_ids[_resource_of(place)].data)
            for place, file in self.nested_places.items()
        }

    @cached_property
    def places(self) -> dict[tuple[str, str], str]:
        """Construct path of each resource, by its template and logical id."""
        return {(self._template_of(place), str(note.data)): place for place, note in self._logical_ids.items()}

    def acknowledgements(self) -> Iterator[tuple[str, str]]:
        """Yield the path of each construct that acknowledges a rule, and the rule."""
        # asked once: each look at it asks node
        kind = Validations.ACKNOWLEDGED_RULES_METADATA_KEY
        for note in self.notes:
            if note.kind == kind:
                yield from ((note.place, str(rule)) for rule in note.data)

    @cached_property
    def _logical_ids(self) -> dict[str, Note]:
        return {note.place: note for note in self.notes if note.kind == _LOGICAL_ID}

    def _template_of(self, place: str) -> str:
        """Return the template that a resource stands in: that of the innermost stack around it."""
        parts = place.split("/")
        above = ("/".join(parts[:length]) for length in range(len(parts) - 1, 0, -1))
        inner = next((self.nested_places[stack] for stack in above if stack in self.nested_places), None)
        return self._logical_ids[place].template if inner is None else inner


def _resource_of(place: str) -> str:
    """Return the path of the resource that deploys a nested stack, as CDK lays it beside the stack."""
    return f"{place}.NestedStack/{place.rpartition('/')[2]}.NestedStackResource"


def _in_assembly(template: Path) -> Iterator[Note]:
    """Yield what is noted at a stack and within."""
    metadata = template.with_name(template.name.replace(".template.json", ".metadata.json"))
    if metadata.exists():
        for path, entries in json.loads(metadata.read_text(encoding="utf-8")).items():
            for entry in entries:
                yield Note(str(template), path.removeprefix("/"), str(entry.get("type")), entry.get("data"))


def _above(root: IConstruct, stacks: Iterable[str]) -> Iterator[Note]:
    """Yield what is noted at the app, its stages and whatever else holds stacks: no stack's metadata has it."""
    parents = {
        "/".join(parts[:length]) for parts in (path.split("/") for path in stacks) for length in range(len(parts))
    }
    for place in sorted(parents - set(stacks)):
        construct: IConstruct | None = root
        for name in filter(None, place.split("/")):
            construct = None if construct is None else construct.node.try_find_child(name)
        for entry in [] if construct is None else construct.node.metadata:
            yield Note("", place, entry.type, entry.data)

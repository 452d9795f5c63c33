"""`Update`: two templates of one stack, and which names stand for something else in the second."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from epochwise.catalog.replacement import LUSTRE, create_only
from epochwise.templates.intrinsics import canonical, is_intrinsic, references, surely_differ

_SECTIONS = ("Parameters", "Mappings", "Conditions")

Template = Mapping[str, Any]
Moved = dict[str, bool]
"""Names that stand for something else: True where it is sure, False where it may be."""


def section(template: Template, name: str) -> dict[str, Any]:
    """Return a section of a template, empty where there is none."""
    found = template.get(name)
    return found if isinstance(found, dict) else {}


def resources(template: Template) -> dict[str, dict[str, Any]]:
    """Return the resources of a template that have a type."""
    return {
        str(logical_id): resource
        for logical_id, resource in section(template, "Resources").items()
        if isinstance(resource, dict) and isinstance(resource.get("Type"), str)
    }


@dataclass(frozen=True)
class Update:
    """Two templates of one stack, and the names that change their meaning from one to the other."""

    before: Mapping[str, dict[str, Any]]
    """Resources that are deployed."""
    after: Mapping[str, dict[str, Any]]
    moved: Moved = field(default_factory=dict)

    @classmethod
    def between(cls, old: Template, new: Template) -> Self:
        """Find every parameter, mapping, condition and resource that an update changes or replaces.

        Exact for the types whose replacing properties the catalog knows; any other resource that changes may be
        replaced.
        """
        update = cls(resources(old), resources(new))
        update.moved.update(
            (str(name), False)
            for part in _SECTIONS
            for name in section(old, part).keys() | section(new, part).keys()
            if canonical(section(old, part).get(name)) != canonical(section(new, part).get(name))
        )
        known: Moved = {}
        while True:
            for name in sorted(update.before.keys() & update.after.keys()):
                sure = update._replaced(name)
                if sure is not None:
                    update.moved[name] = sure or update.moved.get(name, False)
            if known == update.moved:
                return update
            known = dict(update.moved)

    def changes(self, logical_id: str) -> Iterator[tuple[str, bool]]:
        """Yield each property of a resource that changes, and whether it surely does."""
        old, new = flat_properties(self.before[logical_id]), flat_properties(self.after[logical_id])
        for name in sorted(old.keys() | new.keys()):
            was, becomes = old.get(name), new.get(name)
            if was != becomes:
                yield name, surely_differ(was, becomes, self.before.keys(), self.after.keys())
                continue
            through = [self.moved[reference] for reference in references(was) if reference in self.moved]
            if through:
                yield name, any(through)

    def _replaced(self, logical_id: str) -> bool | None:
        """Tell whether a resource is replaced: surely, perhaps, or not at all."""
        old, new = self.before[logical_id], self.after[logical_id]
        condition = new.get("Condition")
        conditional = isinstance(condition, str) and condition in self.moved
        if old["Type"] != new["Type"] or old.get("Condition") != condition or conditional:
            return False
        replacing = create_only(new["Type"])
        verdicts = [sure for name, sure in self.changes(logical_id) if replacing is None or name in replacing]
        return (replacing is not None and any(verdicts)) if verdicts else None


def flat_properties(resource: Mapping[str, Any]) -> dict[str, Any]:
    """Return a resource's properties in canonical form, those of a LustreConfiguration by path."""
    properties = canonical(section(resource, "Properties"))
    lustre = properties.get(LUSTRE)
    if isinstance(lustre, dict) and not is_intrinsic(lustre):
        del properties[LUSTRE]
        properties |= {f"{LUSTRE}.{key}": value for key, value in lustre.items()}
    return dict(properties)

"""`AppResources`: the resources of all templates of an app, and which of them a value stands for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from epochwise.templates.intrinsics import is_intrinsic
from epochwise.templates.update import Template, resources, section


@dataclass(frozen=True)
class Resource:
    """One resource of one template."""

    template: str
    """Name of its template, such as a file's path."""
    logical_id: str
    type: str
    properties: Mapping[str, Any]
    attributes: Mapping[str, Any] = field(repr=False)
    """The whole resource: DeletionPolicy and the like beside Properties."""

    @property
    def place(self) -> str:
        """What it is called in messages."""
        return self.logical_id

    def value(self, name: str) -> Any:
        """Return a property; None where it is absent."""
        return self.properties.get(name)

    def items(self, name: str) -> list[Any]:
        """Return the items of a property; none where it is absent or only a deploy knows the list."""
        value = self.properties.get(name)
        return value if isinstance(value, list) else []

    def mapping(self, name: str) -> Mapping[str, Any]:
        """Return a property of several; empty where it is absent or only a deploy knows it."""
        value = self.properties.get(name)
        return value if isinstance(value, dict) and not is_intrinsic(value) else {}


class AppResources:
    """The resources of all templates of an app.

    A value that refers to a resource of its own template, or through an export to one of another, stands for that
    resource; text stands for itself; what only a deploy knows stands for nothing.
    """

    def __init__(self, templates: Mapping[str, Template]) -> None:
        """Take templates by name."""
        self._resources = {
            (name, logical_id): Resource(name, logical_id, found["Type"], section(found, "Properties"), found)
            for name, template in templates.items()
            for logical_id, found in resources(template).items()
        }
        self._exports = {
            export["Name"]: (name, output.get("Value"))
            for name, template in templates.items()
            for output in section(template, "Outputs").values()
            if isinstance(output, dict)
            and isinstance(export := output.get("Export"), dict)
            and isinstance(export.get("Name"), str)
        }

    def of_type(self, *types: str) -> Iterator[Resource]:
        """Yield the resources of some types, in the order of the templates."""
        return (resource for resource in self._resources.values() if resource.type in types)

    def resource(self, template: str, value: Any) -> Resource | None:
        """Return the resource that a value of a template stands for, if the app has it."""
        match value:
            case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), *_]}:
                return self._resources.get((template, name))
            case {"Fn::GetAtt": str(name)}:
                return self._resources.get((template, name.split(".", 1)[0]))
            case {"Fn::ImportValue": str(export)} if export in self._exports:
                return self.resource(*self._exports[export])
        return None

    def identity(self, template: str, value: Any) -> str | None:
        """Return one text for everything that stands for the same thing; None for what only a deploy knows."""
        if isinstance(value, str):
            return value
        found = self.resource(template, value)
        return None if found is None else f"{found.template}#{found.logical_id}"

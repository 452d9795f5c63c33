"""`AppResources`: the resources of all templates of an app, and which of them a value stands for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from epochwise.templates.intrinsics import is_intrinsic
from epochwise.templates.update import Template, resources, section

Nested = Mapping[str, tuple[str, str]]
"""Template of each nested stack, and the template and logical id of the resource that deploys it."""
Place = tuple[str, Any]
"""A value, and the template that it stands in."""
_OUTPUTS = "Outputs."


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

    A value that refers to a resource of its own template, or through an export, a nested stack's parameter or its
    output to one of another, stands for that resource; text stands for itself; what only a deploy knows stands for
    nothing.
    """

    def __init__(self, templates: Mapping[str, Template], nested: Nested | None = None) -> None:
        """Take templates by name, and the nested stacks among them."""
        self._nested = dict(nested or {})
        self._templates_of = {stack: name for name, stack in self._nested.items()}
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
        self._outputs = {
            (name, output): found.get("Value")
            for name, template in templates.items()
            for output, found in section(template, "Outputs").items()
            if isinstance(found, dict)
        }

    def of_type(self, *types: str) -> Iterator[Resource]:
        """Yield the resources of some types, in the order of the templates."""
        return (resource for resource in self._resources.values() if resource.type in types)

    def resource(self, template: str, value: Any) -> Resource | None:
        """Return the resource that a value of a template stands for, if the app has it."""
        template, value = self._followed(template, value)
        match value:
            case {"Ref": str(name)} | {"Fn::GetAtt": [str(name), *_]}:
                return self._resources.get((template, name))
        return None

    def identity(self, template: str, value: Any) -> str | None:
        """Return one text for everything that stands for the same thing; None for what only a deploy knows."""
        template, value = self._followed(template, value)
        if isinstance(value, str):
            return value
        found = self.resource(template, value)
        return None if found is None else f"{found.template}#{found.logical_id}"

    def _followed(self, template: str, value: Any) -> Place:
        """Return a value where it was made, and the template that makes it."""
        seen: list[Place] = []
        place: Place | None = (template, value)
        while place is not None and place not in seen:
            seen.append(place)
            place = self._from(*place)
        return seen[-1]

    def _from(self, template: str, value: Any) -> Place | None:
        """Return where a value comes from; None where it is made in its own template."""
        match value:
            case {"Fn::GetAtt": str(attribute)}:
                return template, {"Fn::GetAtt": attribute.split(".", 1)}
            case {"Fn::ImportValue": str(export)}:
                return self._exports.get(export)
            case {"Ref": str(name)} if template in self._nested and (template, name) not in self._resources:
                stack = self._resources.get(self._nested[template])
                given = {} if stack is None else stack.mapping("Parameters")
                return (stack.template, given[name]) if stack is not None and name in given else None
            case {"Fn::GetAtt": [str(name), str(attribute)]} if attribute.startswith(_OUTPUTS):
                inner = self._templates_of.get((template, name))
                output = (inner or "", attribute.removeprefix(_OUTPUTS))
                return (output[0], self._outputs[output]) if output in self._outputs else None
        return None

"""CloudFormation's Rules, evaluated as AWS describes them: moto does not."""

from collections.abc import Mapping
from typing import Any


def refusals(
    template: Mapping[str, Any],
    parameters: Mapping[str, Any],
    *,
    region: str,
    attributes: Mapping[tuple[str, str], str] | None = None,
) -> list[str]:
    """Return the descriptions of the assertions that do not hold.

    Args:
        template: with Rules and Parameters.
        parameters: what a deploy gives; the others are their defaults.
        region: where it is deployed.
        attributes: what EC2 says of a Parameter's value, by its name and the attribute.
    """
    given = {name: str(each.get("Default", "")) for name, each in template.get("Parameters", {}).items()}
    given |= {name: str(value) for name, value in parameters.items()} | {"AWS::Region": region}

    def value(node: Any) -> Any:
        match node:
            case {"Ref": name}:
                return given[name]
            case {"Fn::ValueOf": [name, attribute]}:
                return (attributes or {})[name, attribute]
            case {"Fn::Equals": [one, other]}:
                return value(one) == value(other)
            case {"Fn::Contains": [members, one]}:
                return value(one) in [value(member) for member in members]
            case str():
                return node
            case _:
                raise NotImplementedError(node)

    return [
        each["AssertDescription"]
        for rule in template.get("Rules", {}).values()
        for each in rule["Assertions"]
        if not value(each["Assert"])
    ]

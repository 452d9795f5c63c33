"""Names under which the stacks of one workload find each other, the same in every release.

CDK derives the name of an export from where the value stands in the app. Without the CDK CLI, pipelines and other
stacks refer to it, so that it gets a name of its own here.
"""

from collections.abc import Mapping
from typing import Any

PUBLIC: Mapping[tuple[str, str], str] = {
    ("AWS::EC2::VPC", "Ref"): "VpcId",
    ("AWS::EC2::Subnet", "Ref"): "SubnetId",
    ("AWS::EC2::SecurityGroup", "GroupId"): "NodesSecurityGroupId",
    ("AWS::FSx::FileSystem", "Ref"): "FileSystemId",
    ("AWS::FSx::FileSystem", "LustreMountName"): "MountName",
}
"""What is exported of a resource, by its type and attribute."""


def export_name(workload_name: str, public: str) -> str:
    """Return the name of an export, one in an account and Region.

    >>> export_name("guide", "VpcId")
    'epochwise-guide-VpcId'
    """
    return f"epochwise-{workload_name}-{public}"


def with_public_exports(templates: Mapping[str, dict[str, Any]], workload_name: str) -> dict[str, dict[str, Any]]:
    """Return templates whose exports, and imports of each other, have their public names.

    An output that shows the same value already becomes the export.

    Raises:
        KeyError: something is exported that has no public name.
    """
    names: dict[str, str] = {}
    renamed = {file: dict(template) for file, template in templates.items()}
    for template in renamed.values():
        outputs = dict(template.get("Outputs", {}))
        for logical_id, output in list(outputs.items()):
            name = output.get("Export", {}).get("Name")
            if not isinstance(name, str) or ":" not in name:
                continue
            public = PUBLIC[_exported(template, output["Value"])]
            names[name] = export_name(workload_name, public)
            shown = outputs.get(public, {})
            place = public if shown.get("Value") == output["Value"] else f"{public}Export"
            del outputs[logical_id]
            outputs[place] = {**shown, "Value": output["Value"], "Export": {"Name": names[name]}}
        if outputs:
            template["Outputs"] = outputs
    return {file: _imported(template, names) for file, template in renamed.items()}


def imports_of(template: Any) -> list[str]:
    """Return the names that a template imports, in order."""
    match template:
        case {"Fn::ImportValue": str(name)}:
            return [name]
        case Mapping():
            return sorted({name for value in template.values() for name in imports_of(value)})
        case list():
            return sorted({name for value in template for name in imports_of(value)})
        case _:
            return []


def _exported(template: Mapping[str, Any], value: Mapping[str, Any]) -> tuple[str, str]:
    """Return the type and attribute that an export's value refers to."""
    logical_id, attribute = value.get("Fn::GetAtt", (value.get("Ref"), "Ref"))
    return template["Resources"][logical_id]["Type"], attribute


def _imported(value: Any, names: Mapping[str, str]) -> Any:
    """Return a part of a template that imports by public names."""
    match value:
        case {"Fn::ImportValue": str(name)}:
            return {"Fn::ImportValue": names[name]}
        case dict():
            return {key: _imported(each, names) for key, each in value.items()}
        case list():
            return [_imported(each, names) for each in value]
        case _:
            return value

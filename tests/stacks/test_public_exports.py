"""Exports have names that stay, and whatever imports them says the same."""

from typing import Any

import pytest

from stacks.public_exports import imports_of, with_public_exports


def exporting(kind: str, **outputs: Any) -> dict[str, Any]:
    """Return a template with one resource and an output that CDK exports."""
    return {
        "Resources": {"One": {"Type": kind}},
        "Outputs": {"ExportsOne": {"Value": {"Ref": "One"}, "Export": {"Name": "stack:ExportsOne"}}} | outputs,
    }


IMPORTING = {"Resources": {"Two": {"Properties": {"List": [{"Fn::ImportValue": "stack:ExportsOne"}]}}}}


def test_an_export_and_its_imports_are_renamed_together() -> None:
    made = with_public_exports({"a": exporting("AWS::EC2::VPC"), "b": IMPORTING}, "guide")
    assert made["a"]["Outputs"] == {
        "VpcIdExport": {"Value": {"Ref": "One"}, "Export": {"Name": "epochwise-guide-VpcId"}}
    }
    assert imports_of(made["b"]) == ["epochwise-guide-VpcId"]


def test_an_output_of_the_same_value_becomes_the_export_and_another_stays() -> None:
    same = {"Value": {"Ref": "One"}, "Description": "FSx for Lustre file system"}
    made = with_public_exports({"a": exporting("AWS::FSx::FileSystem", FileSystemId=same)}, "guide")
    assert made["a"]["Outputs"] == {"FileSystemId": same | {"Export": {"Name": "epochwise-guide-FileSystemId"}}}
    other = {"Value": "fixed"}
    made = with_public_exports({"a": exporting("AWS::FSx::FileSystem", FileSystemId=other)}, "guide")
    assert set(made["a"]["Outputs"]) == {"FileSystemId", "FileSystemIdExport"}


def test_what_has_no_public_name_is_not_exported_under_one_of_chance() -> None:
    with pytest.raises(KeyError, match="AWS::SQS::Queue"):
        with_public_exports({"a": exporting("AWS::SQS::Queue")}, "guide")

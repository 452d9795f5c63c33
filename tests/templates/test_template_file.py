import json
from pathlib import Path

import pytest

from epochwise.templates.diff import diff_templates
from epochwise.templates.template_file import (
    MAX_TEMPLATE_BYTES,
    UnreadableTemplateError,
    as_template,
    parse_template,
    read_template,
)
from tests.templates.small import template

YAML = """
AWSTemplateFormatVersion: 2010-09-09
Conditions:
  Wanted: !Not [!Equals [!Ref Stage, test]]
Resources:
  FileSystem:
    Type: AWS::FSx::FileSystem
    Condition: Wanted
    Properties:
      FileSystemType: LUSTRE
      StorageCapacity: 4800
      SubnetIds: [!If [Wanted, !Ref Subnet, !Ref AWS::NoValue]]
      SecurityGroupIds:
        - !GetAtt Group.GroupId
      Tags:
        - {Key: name, Value: !Sub "${AWS::StackName}-fs"}
        - {Key: when, Value: 2026-01-01}
        - Key: all
          Value: !Join
            - ""
            - [a, !ImportValue network:Subnet]
      KmsKeyId: !Transform {Name: Macro, Parameters: {a: b}}
"""


def test_yaml_is_read_with_its_short_forms() -> None:
    found = parse_template(YAML, "here")
    properties = found["Resources"]["FileSystem"]["Properties"]
    assert found["AWSTemplateFormatVersion"] == "2010-09-09"
    assert found["Conditions"]["Wanted"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "Stage"}, "test"]}]}
    assert properties["SubnetIds"] == [{"Fn::If": ["Wanted", {"Ref": "Subnet"}, {"Ref": "AWS::NoValue"}]}]
    assert properties["SecurityGroupIds"] == [{"Fn::GetAtt": "Group.GroupId"}]
    assert [tag["Value"] for tag in properties["Tags"]] == [
        {"Fn::Sub": "${AWS::StackName}-fs"},
        "2026-01-01",
        {"Fn::Join": ["", ["a", {"Fn::ImportValue": "network:Subnet"}]]},
    ]
    assert properties["KmsKeyId"] == {"Fn::Transform": {"Name": "Macro", "Parameters": {"a": "b"}}}


def test_json_and_yaml_of_one_template_do_not_differ(tmp_path: Path) -> None:
    long_form = parse_template(YAML, "here")
    long_form["Resources"]["FileSystem"]["Properties"]["SecurityGroupIds"] = [{"Fn::GetAtt": ["Group", "GroupId"]}]
    (tmp_path / "a.json").write_text(json.dumps(long_form), encoding="utf-8-sig")
    (tmp_path / "a.yaml").write_text(YAML, encoding="utf-8")
    assert diff_templates(read_template(tmp_path / "a.json"), read_template(str(tmp_path / "a.yaml"))) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "must be a CloudFormation template with Resources, got nothing"),
        (b"[]", "must be a CloudFormation template with Resources, got a list"),
        (b"just text", "got text"),
        (b"name: guide\nregion: us-east-1", "got keys name, region"),
        (b'{"Resources": {}}', "with Resources, got Resources without any"),
        (b'{"Resources": [1]}', "with Resources, each by its logical id, got a list for Resources"),
        (b"Resources:", "with Resources, each by its logical id, got nothing for Resources"),
        (b'{"F": null}', "with Resources, got keys F"),
        (b'{"Resources": {"F": null}}', "resource F must be a mapping with a Type, got nothing"),
        (b"Resources: {F: [1]}", "resource F must be a mapping with a Type, got a list"),
        (b"Resources: {F: {Type: 3}}", "resource F must be of a Type in text, got a number"),
        (b"Resources: {F: {Properties: {}}}", "resource F must be of a Type in text, got nothing"),
        (
            b"Resources: {F: {Type: A, Properties: [1]}}",
            "resource F must be one whose Properties are a mapping, got a list",
        ),
        (b"{}", "with Resources, got an empty mapping"),
        (b'{"Resources": }', "is not JSON in line 1, column 15: expecting value"),
        (b"Resources:\n\t- a", "is not YAML in line 2, column 1"),
        (
            b"Resources: {A: &x {}, B: *x}",
            "is not YAML in line 1, column 26: aliases are not supported by CloudFormation",
        ),
        (b"Resources: {A: {}, A: {}}", "is not YAML in line 1, column 20: the key 'A' stands here twice"),
        (b"Resources: {? [a] : b}", "is not YAML"),
        (b"Resources: !!python/object:os.system {}", "is not YAML in line 1, column 12"),
        (b"Resources: \xff", "is not UTF-8 text (byte 11)"),
        (b"Resources: \x00", "is not YAML"),
        (b"[" * 5000, "is nested too deeply for a template"),
        (b'{"a":' * 50000, "is nested too deeply for a template"),
        (b" " * (MAX_TEMPLATE_BYTES + 1), f"is larger than the {MAX_TEMPLATE_BYTES} bytes CloudFormation takes"),
    ],
    ids=lambda value: str(value[:20]),
)
def test_an_unreadable_template_ends_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "template.yaml"
    file.write_bytes(content)
    with pytest.raises(UnreadableTemplateError) as caught:
        read_template(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "message"), [("absent.json", "No such file"), (".", "Is a directory"), ("a\0", "null")]
)
def test_a_file_that_is_none_ends_in_one_line(path: str, message: str) -> None:
    with pytest.raises(UnreadableTemplateError, match=f"cannot be read: .*{message}"):
        read_template(path)


def test_no_file_is_named_by_nothing() -> None:
    with pytest.raises(UnreadableTemplateError, match="must be named by its file, got ''"):
        read_template("")


def test_loops_of_the_language_extensions_are_no_resources_of_their_own() -> None:
    looped = {"Resources": {"Fn::ForEach::Topics": ["Name", ["a"], {"T${Name}": {"Type": "AWS::SNS::Topic"}}]}}
    assert as_template(looped, "template") is looped


def test_a_template_that_python_made_is_read(tmp_path: Path) -> None:
    (tmp_path / "small.json").write_text(json.dumps(template()), encoding="utf-8")
    assert read_template(tmp_path / "small.json") == template()

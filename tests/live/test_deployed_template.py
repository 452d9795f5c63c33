import json
import subprocess
import sys

import boto3
import pytest

from epochwise.live.deployed_template import UnreachableStackError, deployed_template
from epochwise.templates.diff import diff_templates
from epochwise.templates.template_file import UnreadableTemplateError

RESOURCES = {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "name"}}}
GROUP = """
Resources:
  Group:
    Type: AWS::EC2::SecurityGroup
    Properties:
      GroupDescription: !Sub "${AWS::StackName} servers"
"""


pytestmark = pytest.mark.usefixtures("here")


@pytest.mark.parametrize(("name", "body"), [("as-json", json.dumps({"Resources": RESOURCES})), ("as-yaml", GROUP)])
def test_a_deployed_stack_has_the_template_it_was_given(name: str, body: str) -> None:
    boto3.client("cloudformation").create_stack(StackName=name, TemplateBody=body)
    found = deployed_template(name)
    if name == "as-json":
        assert found == {"Resources": RESOURCES}
    else:
        properties = found["Resources"]["Group"]["Properties"]
        assert properties == {"GroupDescription": {"Fn::Sub": "${AWS::StackName} servers"}}
    assert diff_templates(found, found) == []


def refused(stack_name: str = "guide-storage") -> str:
    """Return the one sentence with which an attempt ends."""
    with pytest.raises(UnreachableStackError) as caught:
        deployed_template(stack_name)
    assert isinstance(caught.value, UnreadableTemplateError)
    sentence = str(caught.value)
    assert sentence.startswith(f"stack {stack_name}: ")
    assert "\n" not in sentence
    assert not sentence.endswith(".")
    return sentence


def test_a_stack_that_is_not_there_is_said_so() -> None:
    assert refused() == "stack guide-storage: does not exist in this account and Region"


def test_why_aws_does_not_answer_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert "there are no credentials to sign with" in refused()
    monkeypatch.setitem(sys.modules, "boto3", None)
    assert "install epochwise[live]" in refused()


def test_boto3_is_loaded_only_when_aws_is_asked() -> None:
    code = "import sys, epochwise.live.deployed_template; print('boto3' in sys.modules, 'botocore' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest

from epochwise.live.deployed_template import UnreachableStackError, deployed_template
from epochwise.templates.diff import diff_templates
from epochwise.templates.template_file import UnreadableTemplateError

START_UP_S = 30
RESOURCES = {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "name"}}}
GROUP = """
Resources:
  Group:
    Type: AWS::EC2::SecurityGroup
    Properties:
      GroupDescription: !Sub "${AWS::StackName} servers"
"""


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Start moto's server on loopback, without what the tests of a deploy teach it."""
    port = _free_port()
    command = [sys.executable, "-c", "from moto.server import main; main()", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + START_UP_S
        while True:
            try:
                with urllib.request.urlopen(f"{address}/moto-api/data.json", timeout=5):
                    break
            except OSError:
                if server.poll() is not None or time.monotonic() > deadline:
                    pytest.fail("moto's server did not start; `make setup` installs it")
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=10)


@pytest.fixture(autouse=True)
def environment(endpoint: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Lead boto3 to the local AWS, and away from the files of whoever runs the tests."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": str(tmp_path / "config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials"),
    }.items():
        monkeypatch.setenv(name, value)
    boto3.DEFAULT_SESSION = None


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


def test_absent_credentials_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    assert "AWS cannot be asked: Unable to locate credentials" in refused()


def test_an_absent_region_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    assert "AWS cannot be asked: You must specify a region" in refused()


def test_an_absent_profile_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "absent")
    assert "profile (absent) could not be found" in refused()


@pytest.mark.parametrize("address", ["http://127.0.0.1:{port}", "not an address"])
def test_an_endpoint_that_does_not_answer_is_said(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    address = address.format(port=_free_port())
    monkeypatch.setenv("AWS_ENDPOINT_URL", address)
    assert "AWS cannot be asked: " in refused()
    assert address in refused()


@pytest.mark.parametrize(
    ("code", "message", "said"),
    [
        (
            "AccessDenied",
            "User x is not authorized.",
            "cloudformation:GetTemplate is not allowed: User x is not authorized",
        ),
        ("ExpiredToken", "The token has expired", "AWS refused: The token has expired (ExpiredToken)"),
    ],
)
def test_a_refusal_is_said(monkeypatch: pytest.MonkeyPatch, code: str, message: str, said: str) -> None:
    from botocore.client import BaseClient
    from botocore.exceptions import ClientError

    def refuse(*_: object) -> None:
        raise ClientError({"Error": {"Code": code, "Message": message}}, "GetTemplate")

    monkeypatch.setattr(BaseClient, "_make_api_call", refuse)
    assert refused() == f"stack guide-storage: {said}"


def test_boto3_that_is_not_installed_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    assert "install epochwise[live], or pass the deployed template's file" in refused()


def test_boto3_is_loaded_only_when_aws_is_asked() -> None:
    code = "import sys, epochwise.live.deployed_template; print('boto3' in sys.modules, 'botocore' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]

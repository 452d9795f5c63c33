"""A whole answer that is none, as a proxy on the way gives it, ends in one sentence, whatever was asked."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from epochwise.live.aws import Aws
from epochwise.live.bucket_listing import listed
from epochwise.live.execution_start import start_execution
from epochwise.live.failure import AwsError, NoServiceError, NotAllowedError, NotFoundError, RefusedError, UnwellError
from epochwise.live.job_of_stack import JobOfStack
from epochwise.workload.s3_address import s3_folder
from tests.cli.command_line import called
from tests.live.fault_proxy import MALFORMED, MISTYPED, Fault, Faults, fault_proxy
from tests.live.local_aws import assert_one_sentence, aws_variables, free_port

CALLS = [
    ("fsx", "describe_file_systems", {}),
    ("cloudwatch", "list_metrics", {}),
    ("ec2", "describe_vpcs", {}),
    ("cloudformation", "get_template", {"StackName": "guide"}),
    ("sts", "get_caller_identity", {}),
    ("s3", "get_bucket_request_payment", {"Bucket": "bucket"}),
    ("s3", "get_bucket_encryption", {"Bucket": "bucket"}),
    ("s3", "get_bucket_notification_configuration", {"Bucket": "bucket"}),
    ("s3", "list_objects_v2", {"Bucket": "bucket"}),
]
"""One of each protocol, and of each form of answer."""
BODIES = [body for body in MALFORMED if body is not MISTYPED]

NO_ANSWER = r"AWS's answer to .* cannot be read: it .*; repeat it later|AWS failed on s3:.*; repeat it later"
"""botocore itself makes a 500 of what S3 answers and is no XML."""


@pytest.fixture(autouse=True)
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Faults]:
    """Lead boto3 to a proxy before nobody, which answers each call with what is no answer."""
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    faults = Faults(lambda _: Fault.MALFORMED)
    with fault_proxy(f"http://127.0.0.1:{free_port()}", faults) as address:
        for name, value in aws_variables(address, tmp_path).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "2")
        yield faults


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.decode()[:15] or "empty")
def test_what_is_no_answer_is_asked_for_again_and_then_told(body: bytes, faults: Faults) -> None:
    faults.bodies = [body]
    for service, method, request in CALLS:
        faults.struck.clear()
        with pytest.raises(UnwellError, match=NO_ANSWER):
            Aws().ask(service, method, **request)
        assert len(faults.struck) == 2


@pytest.mark.parametrize(
    ("service", "method", "body", "said"),
    [
        ("fsx", "describe_file_systems", {"FileSystems": "none"}, "botocore cannot parse it"),
        ("fsx", "describe_file_systems", {"FileSystems": [{"CreationTime": {}}]}, "botocore cannot parse it"),
        ("fsx", "describe_file_systems", {"FileSystems": [{"Lifecycle": 1}]}, "its FileSystems[0].Lifecycle is not"),
        ("fsx", "describe_file_systems", {"FileSystems": [None]}, "its FileSystems[0] is not"),
        ("fsx", "describe_file_systems", {"NextToken": True}, "its NextToken is not"),
        ("service-quotas", "list_services", {"Services": [{"ServiceCode": []}]}, "its Services[0].ServiceCode is not"),
    ],
)
def test_a_field_of_another_kind_is_told(service: str, method: str, body: object, said: str, faults: Faults) -> None:
    faults.bodies = [json.dumps(body).encode()]
    with pytest.raises(UnwellError) as caught:
        Aws().ask(service, method)
    assert said in str(caught.value)


def test_a_field_that_is_lacking_is_told_where_it_is_needed(faults: Faults) -> None:
    faults.bodies = [b'{"FileSystems": [{"Lifecycle": "AVAILABLE"}]}']
    found = Aws().ask("fsx", "describe_file_systems")["FileSystems"][0]
    assert (found["Lifecycle"], found.get("VpcId")) == ("AVAILABLE", None)
    with pytest.raises(UnwellError, match="AWS's answer to fsx:DescribeFileSystems lacks FileSystemId; repeat it"):
        found["FileSystemId"]


def test_deeply_nested_json_is_no_answer(faults: Faults) -> None:
    faults.bodies = [b'{"FileSystems":' + b"[" * 100_000]
    with pytest.raises(UnwellError, match="cannot be read"):
        Aws().ask("fsx", "describe_file_systems")


def test_a_configuration_without_a_field_is_an_answer(faults: Faults) -> None:
    faults.bodies = [b'<NotificationConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>']
    found = Aws().ask("s3", "get_bucket_notification_configuration", Bucket="bucket")
    assert set(found) == {"ResponseMetadata"}


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.decode()[:15] or "empty")
def test_a_listing_that_is_none_is_told(body: bytes, faults: Faults) -> None:
    faults.bodies = [body]
    with pytest.raises(UnwellError, match=NO_ANSWER):
        listed(s3_folder("s3://bucket/"))


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.decode()[:15] or "empty")
@pytest.mark.parametrize(
    "command",
    [
        ("launch", "workloads/guide.yaml", "--stack", "guide", "--wait"),
        ("watch", "job"),
        ("watch", "arn:aws:states:us-east-1:123456789012:execution:machine:run"),
        ("measure", "s3://bucket/"),
        ("measure", "s3://bucket/", "--estimate"),
        ("measure", "s3://bucket/", "--inventory", "s3://bucket/manifest.json"),
        ("tune", "job", "--file", "workloads/guide.yaml"),
        ("check", "workloads/guide.yaml"),
        ("refresh-prices",),
        ("refresh-catalog",),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_every_command_ends_in_one_sentence(body: bytes, command: tuple[str, ...], faults: Faults) -> None:
    faults.bodies = [body]
    done = called(*command)
    assert_one_sentence(done)
    assert done.stdout == "" or command[0] == "check"


@pytest.mark.parametrize("body", [b"", b"{}", b'{"executionArn": "arn"}', b'{"startDate": "soon"}'])
def test_of_a_start_that_is_answered_with_something_else_it_is_said_that_it_may_be_repeated(
    body: bytes, faults: Faults
) -> None:
    faults.bodies = [body]
    arn = "arn:aws:states:us-east-1:123456789012:stateMachine:guide"
    job = JobOfStack("guide", "Job", arn, cast("Any", None), (), datetime(2026, 10, 9, tzinfo=UTC))
    with pytest.raises(AwsError, match="repeat the same command, which never starts a second one"):
        start_execution(Aws(), job, name="one", given="{}")


@pytest.mark.parametrize("status", [301, 302, 307])
def test_a_redirect_of_s3_that_names_no_region_is_told(status: int, faults: Faults) -> None:
    faults.status = status
    for command in (["measure", "s3://bucket/"], ["measure", "s3://bucket/", "--region", "eu-west-1"]):
        sentence = assert_one_sentence(called(*command))
        assert f"S3 redirects to another endpoint ({status}) and does not say in which Region" in sentence
    with pytest.raises(UnwellError):
        Aws().ask("s3", "head_bucket", Bucket="bucket")


@pytest.mark.parametrize(("service", "method"), [("fsx", "describe_file_systems"), ("ec2", "describe_vpcs")])
@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [
        (502, UnwellError, "retries (502: Sign in)"),
        (400, RefusedError, ": Sign in (400)"),
        (403, AwsError, "is not allowed: Sign in"),
        (407, NoServiceError, "wants to know who asks (407: Sign in); sign in to it"),
    ],
)
def test_of_a_page_in_html_only_the_title_is_said(
    service: str, method: str, status: int, kind: type[AwsError], said: str, faults: Faults
) -> None:
    faults.status, faults.bodies = status, MALFORMED[:1]
    with pytest.raises(kind) as caught:
        Aws().ask(service, method)
    assert said in str(caught.value)


@pytest.mark.parametrize(("method", "more"), [("get_bucket_policy", {}), ("get_object", {"Key": "key"})])
def test_an_error_is_told_also_where_a_good_answer_is_not_parsed(
    method: str, more: dict[str, str], faults: Faults
) -> None:
    faults.bodies = MALFORMED[:1]
    for status, kind in ((403, NotAllowedError), (404, NotFoundError), (407, NoServiceError), (503, UnwellError)):
        faults.status = status
        with pytest.raises(kind, match="Sign in"):
            Aws().ask("s3", method, Bucket="bucket", **more)


def test_attempts_of_a_profile_that_are_none_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_MAX_ATTEMPTS")
    (tmp_path / "config").write_text("[default]\nmax_attempts = abc\n")
    sentence = assert_one_sentence(called("measure", "s3://bucket/"))
    assert "max_attempts of the profile must be a whole number from 1 on, got 'abc'" in sentence


def test_attempts_of_the_environment_go_before_those_of_a_profile(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("[default]\nmax_attempts = abc\n")
    assert "cannot be read" in assert_one_sentence(called("measure", "s3://bucket/"))


@pytest.mark.parametrize("given", ["abc", "", "0", "-1", "²"])
def test_a_number_of_attempts_that_is_none_is_told(given: str) -> None:
    sentence = assert_one_sentence(called("measure", "s3://bucket/", AWS_MAX_ATTEMPTS=given))
    assert f"AWS_MAX_ATTEMPTS must be a whole number from 1 on, got {given!r}" in sentence


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:abc", "nowhere"])
def test_an_endpoint_that_is_no_address_is_told(endpoint: str) -> None:
    assert "AWS cannot be asked: " in assert_one_sentence(called("measure", "s3://bucket/", AWS_ENDPOINT_URL=endpoint))

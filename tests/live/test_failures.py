"""Every way in which AWS does not answer ends in one sentence of the right kind."""

from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from botocore.config import Config

from epochwise.live.aws import Aws
from epochwise.live.failure import (
    AwsError,
    NoCredentialsError,
    NoServiceError,
    NotAllowedError,
    NotFoundError,
    RefusedError,
    ThrottledError,
    UnwellError,
)
from tests.live.fault_proxy import Fault, Faults, fault_proxy
from tests.live.local_aws import free_port

pytestmark = pytest.mark.usefixtures("here")

CALLS = [
    ("fsx", "describe_file_systems", "fsx:DescribeFileSystems"),
    ("cloudwatch", "describe_alarms", "cloudwatch:DescribeAlarms"),
    ("ec2", "describe_vpcs", "ec2:DescribeVpcs"),
    ("s3", "list_buckets", "s3:ListBuckets"),
    ("stepfunctions", "list_state_machines", "states:ListStateMachines"),
]
"""One of each protocol: JSON, CBOR or query, EC2's, REST with XML."""


@pytest.fixture
def faults(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Faults]:
    """Lead boto3 through a proxy."""
    faults = Faults(lambda _: Fault.NONE)
    with fault_proxy(endpoint, faults) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        yield faults


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try each call once."""
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize(("service", "method", "permission"), CALLS)
@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        (Fault.FAULT, UnwellError, "repeat it later"),
        (Fault.THROTTLED, ThrottledError, "repeat it in a minute"),
        (Fault.CUT_BEFORE, UnwellError, "the connection broke during"),
        (Fault.CUT_WITHIN, UnwellError, "the connection broke during"),
        (Fault.DENIED, NotAllowedError, "is not allowed: User x is not authorized"),
    ],
)
def test_each_fault_is_told_with_the_permission_that_was_asked(
    faults: Faults,
    service: str,
    method: str,
    permission: str,
    fault: Fault,
    kind: type[AwsError],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faults.chosen = lambda _: fault
    with pytest.raises(AwsError) as caught:
        Aws().ask(service, method)
    assert type(caught.value) is kind, caught.value
    assert permission in str(caught.value)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("service", "method", "permission"), CALLS)
def test_expired_credentials_are_told(faults: Faults, service: str, method: str, permission: str) -> None:
    faults.chosen = lambda _: Fault.EXPIRED
    with pytest.raises(NoCredentialsError, match="the credentials have expired"):
        Aws().ask(service, method)
    assert [fault for _, fault in faults.struck] == [Fault.EXPIRED], permission


@pytest.mark.parametrize(
    "fault", [Fault.FAULT, Fault.THROTTLED, Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.CUT_WITHIN, Fault.DELAY]
)
def test_a_fault_that_passes_is_never_seen(faults: Faults, fault: Fault) -> None:
    faults.chosen = lambda _: Fault.NONE if faults.struck else fault
    assert Aws().ask("fsx", "describe_file_systems")["FileSystems"] == []
    assert [struck for _, struck in faults.struck][:2] == ([fault] if fault is Fault.DELAY else [fault, Fault.NONE])


def test_pages_come_one_after_the_other(faults: Faults) -> None:
    buckets = boto3.client("s3", config=Config(s3={"addressing_style": "path"}))
    buckets.create_bucket(Bucket="pages")
    for key in range(5):
        buckets.put_object(Bucket="pages", Key=str(key), Body=b"")
    faults.struck.clear()
    pages = Aws().pages("s3", "list_objects_v2", Bucket="pages", MaxKeys=2)
    assert [each["Key"] for each in next(pages)["Contents"]] == ["0", "1"]
    assert len(faults.struck) == 1
    assert [len(page["Contents"]) for page in pages] == [2, 1]
    faults.chosen = lambda _: Fault.DENIED
    with pytest.raises(NotAllowedError, match="s3:ListBucket") as caught:
        list(Aws().pages("s3", "list_objects_v2", Bucket="pages"))
    assert caught.value.permission == "s3:ListBucket"


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(NotFoundError, match="bucket"):
        Aws().ask("s3", "list_objects_v2", Bucket="absent-bucket")
    with pytest.raises(NotFoundError, match="finds nothing of that name"):
        Aws().ask("s3", "head_bucket", Bucket="absent-bucket")
    with pytest.raises(NotFoundError, match="absent-stack"):
        Aws().ask("cloudformation", "describe_stacks", StackName="absent-stack")


def test_a_request_that_boto3_refuses_is_told() -> None:
    with pytest.raises(RefusedError, match="Unknown parameter"):
        Aws().ask("fsx", "describe_file_systems", Nonsense=1)


def test_absent_credentials_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    with pytest.raises(NoCredentialsError, match="sign in first"):
        Aws().ask("fsx", "describe_file_systems")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(NoCredentialsError, match="sign in first"):
        Aws().ask("fsx", "describe_file_systems")


def test_an_absent_region_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    with pytest.raises(AwsError, match="no Region is named; set AWS_REGION"):
        Aws()
    assert Aws("eu-west-1").region == "eu-west-1"
    monkeypatch.setenv("AWS_REGION", "eu-west-2")
    assert Aws().region == "eu-west-2"


def test_an_absent_profile_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "absent")
    with pytest.raises(AwsError, match=r"profile \(absent\) could not be found"):
        Aws().ask("fsx", "describe_file_systems")


@pytest.mark.usefixtures("once")
def test_an_endpoint_that_nobody_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    with pytest.raises(NoServiceError, match="no connection to fsx in us-east-1"):
        Aws().ask("fsx", "describe_file_systems")


def test_an_endpoint_that_is_no_address_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "not an address")
    with pytest.raises(AwsError, match="not an address"):
        Aws().ask("fsx", "describe_file_systems")


def test_a_configuration_that_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("[profile\nx")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(broken))
    with pytest.raises(AwsError, match="broken"):
        Aws().ask("fsx", "describe_file_systems")

"""Whatever AWS fails with, a preflight says so: one check is skipped, or all of it ends in one sentence."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from tests.cli.command_line import called, written
from tests.live.fault_proxy import Fault, Faults, at_random, fault_proxy
from tests.live.local_aws import assert_one_sentence, epochwise_live, free_port
from tests.live.preflight.account import BUCKET, WORKLOAD, Account, linked, trained
from tests.live.preflight.stacks import deployed, template, written_template
from tests.live.preflight.test_quotas import reserve

READS = re.compile(r"(Describe|Get|List)\w+|(GET|HEAD) /.*")


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try each call once."""
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")


@contextmanager
def broken(endpoint: str, monkeypatch: pytest.MonkeyPatch, fault: Fault, operation: str = ".*") -> Iterator[Faults]:
    """Lead this process through a proxy that breaks the calls of an operation."""
    faults = Faults(lambda asked: fault if re.fullmatch(operation, asked) else Fault.NONE)
    with fault_proxy(endpoint, faults) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        yield faults


def furnished(account: Account) -> tuple[dict[str, Any], dict[str, Any]]:
    """Furnish an account so that every check applies; return a workload's sections, and what is named."""
    vpc = account.vpc()
    subnet = account.subnet(vpc)
    nodes, servers = account.group(vpc, "nodes"), account.group(vpc, "servers")
    file_system = account.file_system(subnet, servers)
    options = boto3.client("ec2").create_dhcp_options(
        DhcpConfigurations=[{"Key": "domain-name-servers", "Values": ["AmazonProvidedDNS"]}]
    )["DhcpOptions"]["DhcpOptionsId"]
    boto3.client("ec2").associate_dhcp_options(DhcpOptionsId=options, VpcId=vpc)
    account.bucket()
    key = boto3.client("kms").create_key()["KeyMetadata"]["KeyId"]
    rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key}}
    boto3.client("s3").put_bucket_encryption(Bucket=BUCKET, ServerSideEncryptionConfiguration={"Rules": [rule]})
    deployed("storage")
    named = {
        "vpc": vpc,
        "subnet": subnet,
        "security_groups": (nodes,),
        "file_system": file_system,
        "stack": "storage",
        "template": template(),
    }
    return linked() | reserve(), named


DENIED = [
    ("region", "GetParameter", "ssm:GetParameter"),
    ("zone", "DescribeInstanceTypeOfferings", "ec2:DescribeInstanceTypeOfferings"),
    ("instance-type", "DescribeInstanceTypes", "ec2:DescribeInstanceTypes"),
    ("training-quota", "ListServiceQuotas", "servicequotas:ListServiceQuotas"),
    ("training-quota", "ListAWSDefaultServiceQuotas", "servicequotas:ListAWSDefaultServiceQuotas"),
    ("training-plan", "DescribeTrainingPlan", "sagemaker:DescribeTrainingPlan"),
    ("file-system", "DescribeFileSystems", "fsx:DescribeFileSystems"),
    ("dns", "DescribeVpcAttribute", "ec2:DescribeVpcAttribute"),
    ("dns-servers", "DescribeVpcs", "ec2:DescribeVpcs"),
    ("dns-servers", "DescribeDhcpOptions", "ec2:DescribeDhcpOptions"),
    ("addresses", "DescribeSubnets", "ec2:DescribeSubnets"),
    ("routes", "DescribeRouteTables", "ec2:DescribeRouteTables"),
    ("routes", "DescribeVpcEndpoints", "ec2:DescribeVpcEndpoints"),
    ("security-groups", "DescribeSecurityGroups", "ec2:DescribeSecurityGroups"),
    ("lustre-rules", "DescribeNetworkInterfaces", "ec2:DescribeNetworkInterfaces"),
    ("bucket", f"HEAD /{BUCKET}", "s3:ListBucket"),
    ("objects", rf"GET /{BUCKET}\?list-type.*", "s3:ListBucket"),
    ("bucket-payer", rf"GET /{BUCKET}\?requestPayment", "s3:GetBucketRequestPayment"),
    ("bucket-events", rf"GET /{BUCKET}\?notification", "s3:GetBucketNotification"),
    ("bucket-policy", rf"GET /{BUCKET}\?policy", "s3:GetBucketPolicy"),
    ("bucket-key", rf"GET /{BUCKET}\?encryption", "s3:GetEncryptionConfiguration"),
    ("bucket-key", "DescribeKey", "kms:DescribeKey"),
    ("bucket-key-policy", "GetKeyPolicy", "kms:GetKeyPolicy"),
    ("stack", "DescribeStacks", "cloudformation:DescribeStacks"),
    ("template", "GetTemplate", "cloudformation:GetTemplate"),
]


@pytest.mark.parametrize(("check", "operation", "permission"), DENIED)
def test_f87_a_missing_permission_skips_its_check_and_is_named_as_iam_writes_it(
    account: Account, endpoint: str, monkeypatch: pytest.MonkeyPatch, check: str, operation: str, permission: str
) -> None:
    changes, named = furnished(account)
    with broken(endpoint, monkeypatch, Fault.DENIED, operation) as faults:
        row = account.judged(check, changes, **named)
    assert Fault.DENIED in [fault for _, fault in faults.struck]
    assert (row.verdict, row.permission, row.said) == ("SKIP", permission, f"{permission} is not allowed")
    assert row.instead == f"allow {permission} to whoever runs this, or look by hand"
    assert row.by_hand
    assert not row.unanswered


@pytest.mark.parametrize(
    ("operation", "permission"),
    [
        ("ListServiceQuotas", "servicequotas:ListServiceQuotas"),
        ("DescribeFileSystems", "fsx:DescribeFileSystems"),
        ("ListStackResources", "cloudformation:ListStackResources"),
    ],
)
def test_quotas_of_file_systems_are_skipped_likewise(
    account: Account, endpoint: str, monkeypatch: pytest.MonkeyPatch, operation: str, permission: str
) -> None:
    deployed("storage")
    with broken(endpoint, monkeypatch, Fault.DENIED, operation):
        row = account.judged("file-system-quota", stack="storage")
    assert (row.verdict, row.permission) == ("SKIP", permission)


def test_one_missing_permission_stops_no_other_check(
    account: Account, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.bucket()
    before = account.look(changes=linked())
    with broken(endpoint, monkeypatch, Fault.DENIED, "DescribeInstanceTypes"):
        looked = account.look(changes=linked())
    assert looked.verdicts == before.verdicts | {"instance-type": "SKIP"}
    assert [*looked.verdicts] == [*before.verdicts]


def test_without_any_permission_all_is_skipped_and_nothing_fails(
    account: Account, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with broken(endpoint, monkeypatch, Fault.DENIED):
        looked = account.look(changes=linked())
    assert looked.status == 0
    assert {verdict for check, verdict in looked.verdicts.items() if check != "plan"} == {"SKIP"}
    assert looked.document["account"] is None


@pytest.mark.parametrize("fault", [Fault.FAULT, Fault.THROTTLED, Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.CUT_WITHIN])
def test_what_aws_does_not_answer_is_skipped_and_ends_in_status_2(
    account: Account, endpoint: str, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    account.allow("ml.p4d.24xlarge for training job usage", 4)
    with broken(endpoint, monkeypatch, fault, "DescribeInstanceTypes"):
        looked = account.look()
    assert looked.status == 2
    assert looked.row("instance-type")["verdict"] == "SKIP"
    assert looked.row("instance-type")["permission"] is None
    assert looked.verdicts["zone"] == "PASS"
    assert len(looked.errors.splitlines()) == 1
    assert "no answer to instance-type: " in looked.errors


def test_a_check_that_fails_counts_more_than_one_without_an_answer(
    account: Account, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with broken(endpoint, monkeypatch, Fault.FAULT, "DescribeInstanceTypes"):
        looked = account.look()
    assert (looked.status, looked.verdicts["training-quota"]) == (1, "FAIL")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.FAULT, "AWS failed on "),
        (Fault.THROTTLED, "AWS throttles "),
        (Fault.CUT_BEFORE, "the connection broke during "),
        (Fault.CUT_WITHIN, "the connection broke during "),
        (Fault.EXPIRED, "the credentials have expired "),
    ],
)
def test_what_strikes_every_call_ends_in_one_sentence(
    account: Account, endpoint: str, variables: dict[str, str], tmp_path: Path, fault: Fault, said: str
) -> None:
    file = written(tmp_path, **WORKLOAD)
    with fault_proxy(endpoint, Faults(lambda _: fault)) as address:
        done = epochwise_live(
            "check", file, variables=variables | {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": "1"}
        )
    assert assert_one_sentence(done).startswith(f"{file}: {said}")
    assert done.stdout == ""


def test_credentials_that_expire_under_way_end_all_of_it(
    account: Account, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(account.folder, **WORKLOAD)
    with broken(endpoint, monkeypatch, Fault.EXPIRED, "DescribeInstanceTypes"):
        done = called("check", file)
    assert "the credentials have expired" in assert_one_sentence(done)
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"AWS_ACCESS_KEY_ID": None, "AWS_SECRET_ACCESS_KEY": None}, "there are no credentials to sign with"),
        ({"AWS_ENDPOINT_URL": "nobody"}, "no connection to "),
        ({"AWS_PROFILE": "absent"}, "profile (absent) could not be found"),
    ],
)
def test_without_credentials_or_a_connection_it_ends_in_one_sentence(
    endpoint: str, variables: dict[str, str], tmp_path: Path, changes: dict[str, str | None], said: str
) -> None:
    file = written(tmp_path, **WORKLOAD)
    given = variables | {"AWS_MAX_ATTEMPTS": "1"} | {key: value for key, value in changes.items() if value}
    if given["AWS_ENDPOINT_URL"] == "nobody":
        given["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{free_port()}"
    left = {key: value for key, value in given.items() if changes.get(key, "") is not None}
    done = epochwise_live("check", file, variables=left)
    assert said in assert_one_sentence(done)
    assert done.stdout == ""


ALL = tuple(fault for fault in Fault if fault is not Fault.LATE)
RUNS = 40


def test_random_faults_never_end_in_a_traceback_and_nothing_is_written(
    account: Account, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a fixed seed: a third of all calls breaks, now and then also with credentials that expire."""
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    changes, named = {**linked(), **trained()}, ["--subnet", account.subnet(account.vpc())]
    account.bucket()
    deployed("storage")
    named += ["--stack", "storage", "--template", written_template(account.folder)]
    file = written(account.folder, **WORKLOAD | changes)
    faults, ended = Faults(lambda _: Fault.NONE), Counter[int]()
    with fault_proxy(endpoint, faults) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        for seed in range(RUNS):
            kinds = ALL if seed % 4 == 0 else tuple(fault for fault in ALL if fault is not Fault.EXPIRED)
            faults.chosen = at_random(seed, 0.3, kinds)
            done = called("check", file, *named, AWS_MAX_ATTEMPTS=str(1 + seed % 2))
            ended[done.returncode] += 1
            assert "Traceback" not in done.stdout + done.stderr, seed
            assert len(done.stderr.splitlines()) <= 1, seed
            if done.stdout:
                assert re.match(r"small: \d+ checks: ", done.stdout), seed
                assert len(re.findall(r"^  (PASS|SKIP|FAIL) ", done.stdout, flags=re.MULTILINE)) >= 18, seed
            else:
                assert_one_sentence(done)
    assert set(ended) <= {0, 1, 2}
    # the seeds are worth something: some runs are answered, and some are not
    assert min(ended[0] + ended[1], ended[2]) >= 2, ended
    assert {name for name, _ in faults.struck if not READS.fullmatch(name)} == set()
    assert {fault for _, fault in faults.struck} == set(ALL)


@pytest.mark.parametrize("status", [200, 204])
def test_a_bucket_whose_region_the_answer_does_not_say_is_not_passed(
    status: int, account: Account, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy that wants somebody to sign in answers HEAD with a good status too."""
    account.bucket()
    with broken(endpoint, monkeypatch, Fault.MALFORMED, "HEAD .*") as faults:
        faults.status = status
        row = account.judged("bucket", linked())
    assert (row.verdict, row.said) == (
        "SKIP",
        f"the answer does not say in which Region bucket {BUCKET} is, as S3's own does",
    )

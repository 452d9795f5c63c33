"""Checks about the bucket of the dataset, its policy, its key and what is in it."""

import json
from typing import Any

import boto3
import pytest

from tests.live.preflight.account import BUCKET, Account, linked

OF_BUCKET = ("bucket", "objects", "bucket-payer", "bucket-events", "bucket-policy", "bucket-key", "bucket-key-policy")
EVERYTHING = [f"arn:aws:s3:::{BUCKET}", f"arn:aws:s3:::{BUCKET}/*"]
ROLE = "AWSServiceRoleForFSxS3Access_fs-*"


@pytest.mark.parametrize("check", OF_BUCKET)
def test_f60_a_plain_bucket_passes(account: Account, check: str) -> None:
    account.bucket()
    row = account.judged(check, linked())
    assert row.verdict == "PASS"
    assert row.findings == ()


def test_f60_a_bucket_that_is_not_there_fails_once(account: Account) -> None:
    """The other checks about it have nothing to look at."""
    rows = {check: account.judged(check, linked()) for check in OF_BUCKET}
    assert rows["bucket"].said == f"bucket {BUCKET} does not exist [BUCKET_ABSENT]"
    assert {check: row.verdict for check, row in rows.items()} == {
        check: "FAIL" if check == "bucket" else "SKIP" for check in OF_BUCKET
    }
    assert rows["objects"].said == f"bucket {BUCKET} does not exist"


def test_f60_a_bucket_of_another_region_fails(account: Account) -> None:
    """FSx imports from its own Region alone."""
    account.bucket("example-bucket-far-away", region="eu-west-1")
    row = account.judged("bucket", linked("example-bucket-far-away"))
    assert row.verdict == "FAIL"
    assert "got one in eu-west-1 [BUCKET_IN_ANOTHER_REGION]" in row.said


def test_the_alias_of_an_access_point_fails(account: Account) -> None:
    account.bucket("mine-abcdefghij-s3alias")
    row = account.judged("bucket", linked("mine-abcdefghij-s3alias"))
    assert row.verdict == "FAIL"
    assert "an access point; FSx links buckets alone (assumed) [BUCKET_IS_ACCESS_POINT]" in row.said


@pytest.mark.parametrize(
    ("storage_class", "verdict"),
    [("STANDARD_IA", "PASS"), ("GLACIER_IR", "PASS"), ("GLACIER", "FAIL"), ("DEEP_ARCHIVE", "FAIL")],
)
def test_objects_that_are_archived_fail(account: Account, storage_class: str, verdict: str) -> None:
    account.bucket()
    boto3.client("s3").put_object(Bucket=BUCKET, Key="guide/1", Body=b"x", StorageClass=storage_class)
    boto3.client("s3").put_object(Bucket=BUCKET, Key="elsewhere/1", Body=b"x", StorageClass="GLACIER")
    row = account.judged("objects", linked())
    assert row.verdict == verdict
    if verdict == "FAIL":
        assert f"of 2 objects below s3://{BUCKET}/guide/ 1 in {storage_class}" in row.said
        assert "[OBJECTS_ARCHIVED]" in row.said
    else:
        assert row.said.startswith(f"objects looked at below s3://{BUCKET}/guide/: 2, 1 in ")
        assert f"1 in {storage_class}" in row.said


def test_a_prefix_without_objects_is_remarked(account: Account) -> None:
    account.bucket()
    row = account.judged("objects", linked(prefix="guides/"))
    assert row.verdict == "PASS"
    assert [finding.id for finding in row.findings] == ["NO_OBJECTS"]


def test_a_bucket_whose_requester_pays_cannot_be_told(account: Account) -> None:
    account.bucket()
    boto3.client("s3").put_bucket_request_payment(Bucket=BUCKET, RequestPaymentConfiguration={"Payer": "Requester"})
    row = account.judged("bucket-payer", linked())
    assert row.verdict == "SKIP"
    assert "whether FSx can read it is unverified [BUCKET_REQUESTER_PAYS]" in row.said


@pytest.mark.parametrize(
    ("events", "name", "verdict"),
    [
        (["s3:ObjectCreated:*"], "ours", "FAIL"),
        (["s3:ObjectRemoved:Delete"], "ours", "FAIL"),
        (["s3:ObjectRestore:Completed"], "ours", "PASS"),
        (["s3:ObjectCreated:*"], "FSx", "PASS"),
    ],
)
def test_notifications_that_fsx_needs_for_itself_fail(
    account: Account, events: list[str], name: str, verdict: str
) -> None:
    """The link would be MISCONFIGURED, and import nothing any more."""
    account.bucket()
    queue = boto3.client("sqs").create_queue(QueueName="events")["QueueUrl"]
    arn = boto3.client("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"][
        "QueueArn"
    ]
    boto3.client("s3").put_bucket_notification_configuration(
        Bucket=BUCKET,
        NotificationConfiguration={"QueueConfigurations": [{"Id": name, "QueueArn": arn, "Events": events}]},
    )
    row = account.judged("bucket-events", linked())
    assert row.verdict == verdict
    assert ("[BUCKET_EVENTS_OVERLAP]" in row.said) is (verdict == "FAIL")


def denied(**changes: Any) -> dict[str, Any]:
    statement = {"Sid": "Ours", "Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": EVERYTHING}
    return {"Version": "2012-10-17", "Statement": [statement | changes]}


@pytest.mark.parametrize(
    ("policy", "verdict", "said"),
    [
        (denied(), "FAIL", "denies s3:ListBucket and s3:GetObject in Ours [BUCKET_POLICY_DENIES]"),
        (denied(Effect="Allow"), "PASS", "denies nothing that FSx does"),
        (denied(Action=["s3:DeleteBucket", "s3:PutObject"]), "PASS", "denies nothing"),
        (
            denied(Action="s3:GetObject", Condition={"StringNotEquals": {"aws:SourceVpce": "vpce-1"}}),
            "FAIL",
            "denies s3:GetObject in Ours where aws:SourceVpce StringNotEquals vpce-1 (that FSx is kept out",
        ),
        (denied(Condition={"Bool": {"aws:SecureTransport": "false"}}), "PASS", "denies nothing"),
        (
            denied(Condition={"StringNotEquals": {"aws:PrincipalOrgID": "o-1"}}),
            "SKIP",
            "whether that is FSx cannot be told [BUCKET_POLICY_CONDITIONAL]",
        ),
        (
            denied(
                Condition={
                    "StringNotEquals": {"aws:SourceVpc": "vpc-1"},
                    "ArnNotLike": {"aws:PrincipalArn": f"*{ROLE}"},
                }
            ),
            "SKIP",
            "[BUCKET_POLICY_CONDITIONAL]",
        ),
        (denied(Principal={"AWS": "arn:aws:iam::123456789012:user/other"}), "PASS", "denies nothing"),
    ],
)
def test_a_policy_that_keeps_fsx_out_fails(account: Account, policy: dict[str, Any], verdict: str, said: str) -> None:
    account.bucket()
    boto3.client("s3").put_bucket_policy(Bucket=BUCKET, Policy=json.dumps(policy))
    row = account.judged("bucket-policy", linked())
    assert row.verdict == verdict
    assert said in row.said


def encrypted(account: Account, policy: list[dict[str, Any]] | None = None) -> str:
    """Make a bucket that is encrypted with a key of somebody's, and return the key."""
    account.bucket()
    given = {} if policy is None else {"Policy": json.dumps({"Version": "2012-10-17", "Statement": policy})}
    key = str(boto3.client("kms").create_key(**given)["KeyMetadata"]["KeyId"])
    rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key}}
    boto3.client("s3").put_bucket_encryption(Bucket=BUCKET, ServerSideEncryptionConfiguration={"Rules": [rule]})
    return key


def test_f60_a_key_that_is_enabled_passes_and_one_that_is_not_fails(account: Account) -> None:
    key = encrypted(account)
    assert account.judged("bucket-key", linked()).said == f"key {key} is Enabled"
    boto3.client("kms").disable_key(KeyId=key)
    row = account.judged("bucket-key", linked())
    assert row.verdict == "FAIL"
    assert (
        f"key {key} of the linked bucket is Disabled, so that nothing in it can be read [BUCKET_KEY_UNUSABLE]"
        in row.said
    )


ROOT = {"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::123456789012:root"}, "Action": "kms:*", "Resource": "*"}


@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ([], "FAIL"),
        ([ROOT | {"Principal": "*", "Condition": {"StringLike": {"aws:userid": "*:FSx"}}}], "PASS"),
        (
            [ROOT | {"Principal": {"AWS": f"arn:aws:iam::1:role/aws-service-role/{ROLE}"}, "Action": "kms:Decrypt"}],
            "PASS",
        ),
        ([ROOT | {"Principal": "*", "Action": "kms:DescribeKey"}], "FAIL"),
    ],
)
def test_f60_a_key_whose_policy_does_not_let_fsx_in_fails(
    account: Account, more: list[dict[str, Any]], verdict: str
) -> None:
    """The account's own permissions are not enough: FSx's role has none for keys."""
    encrypted(account, [ROOT, *more])
    row = account.judged("bucket-key-policy", linked())
    assert row.verdict == verdict
    assert ("[KEY_POLICY_OF_OTHERS]" in row.said) is (verdict == "FAIL")


def test_without_a_source_nothing_is_asked_of_a_bucket(account: Account) -> None:
    assert not {*OF_BUCKET} & {*account.look().verdicts}

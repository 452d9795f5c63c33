"""Checks about what an account may have: file systems of FSx, nodes of SageMaker, a training plan."""

from typing import Any

import boto3
import pytest

from tests.live.preflight.account import CLUSTER, USAGE, Account, trained
from tests.live.preflight.stacks import deployed

STORAGE = "Lustre Persistent_2 storage capacity"
PINS = {"file_system": {"deployment_types": ["PERSISTENT_2"]}}


@pytest.mark.parametrize(("limit", "verdict"), [(4800 + 1200, "PASS"), (4800 + 1199, "FAIL")])
def test_f88_storage_fits_beside_what_is_there_of_the_same_type(account: Account, limit: int, verdict: str) -> None:
    """Used and allowed are of one deployment type: scratch and other kinds of FSx do not count."""
    subnet = account.subnet(account.vpc())
    account.file_system(subnet, gib=1200)
    account.file_system(subnet, gib=2400, DeploymentType="SCRATCH_2")
    account.allow(STORAGE, limit)
    row = account.judged("file-system-quota", PINS)
    assert row.verdict == verdict
    said = f"1200 of {limit} GiB used ({STORAGE}), 4800 needed"
    if verdict == "PASS":
        assert row.said == f"{said}; 1 of 100 file systems used (Lustre Persistent_2 file systems), 1 needed"
    else:
        assert row.said == f"{said} [FILE_SYSTEM_QUOTA_EXCEEDED]"
        raised = "--service-code fsx --quota-code L-8F1B9C74 --desired-value 6000`"
        assert f"ask AWS with `aws service-quotas request-service-quota-increase {raised}" in row.instead


def test_f88_other_types_that_fit_are_named(account: Account) -> None:
    account.allow(STORAGE, 0)
    row = account.judged("file-system-quota")
    assert row.verdict == "FAIL"
    assert "what would fit: SCRATCH_2 16800 GiB (2352.00 USD a month)" in row.instead
    assert all("PERSISTENT_2 Intelligent-Tiering" in each for each in row.instead.split(", ") if "PERSISTENT_2" in each)


def test_the_number_of_file_systems_counts_too(account: Account) -> None:
    account.allow("Lustre Persistent_2 file systems", 0)
    row = account.judged("file-system-quota", PINS)
    assert (
        row.said == "0 of 0 file systems used (Lustre Persistent_2 file systems), 1 needed [FILE_SYSTEM_QUOTA_EXCEEDED]"
    )


def test_intelligent_tiering_has_quotas_of_its_own(account: Account) -> None:
    pins = {"file_system": {"storage_type": "INTELLIGENT_TIERING"}}
    account.file_system(
        account.subnet(account.vpc()),
        ThroughputCapacity=4000,
        DataReadCacheConfiguration={"SizingMode": "USER_PROVISIONED", "SizeGiB": 32},
    )
    account.allow("Lustre Persistent Intelligent-Tiering throughput capacity", 11_999)
    row = account.judged("file-system-quota", pins)
    assert row.verdict == "FAIL"
    assert (
        "4000 of 11999 MB/s used (Lustre Persistent Intelligent-Tiering throughput capacity), 8000 needed" in row.said
    )
    account.allow("Lustre Persistent Intelligent-Tiering throughput capacity", 12_000)
    assert "32 of 100800 GiB used" in account.judged("file-system-quota", pins).said


def test_hdd_is_limited_for_each_file_system(account: Account) -> None:
    pins = {
        "file_system": {"storage_type": "HDD", "storage_quota_gib": 200_000},
        "epoch": {"target": "1 h"},
        "dataset": {"size": "10 TB"},
    }
    account.allow("Lustre Persistent HDD storage capacity (per file system)", 6000)
    row = account.judged("file-system-quota", pins)
    assert row.verdict == "FAIL"
    assert "0 of 6000 GiB used (Lustre Persistent HDD storage capacity (per file system))" in row.said


def test_what_the_stack_has_itself_does_not_count_against_it(account: Account) -> None:
    deployed("storage", gib=4800)
    account.allow(STORAGE, 4800)
    assert account.judged("file-system-quota", PINS).verdict == "FAIL"
    row = account.judged("file-system-quota", PINS, stack="storage")
    assert row.verdict == "PASS"
    assert row.said.startswith("0 of 4800 GiB used")
    assert account.judged("file-system-quota", PINS, stack="absent").verdict == "FAIL"


def test_without_a_plan_there_is_nothing_to_compare_with(account: Account) -> None:
    row = account.judged("file-system-quota", {"epoch": {"target": "0.01 s"}})
    assert row.verdict == "SKIP"
    assert row.said == "no legal file system is feasible, so there is none to compare with"


@pytest.mark.parametrize(("limit", "verdict"), [(4, "PASS"), (3, "FAIL"), (0, "FAIL")])
def test_nodes_fit_into_the_quota_of_their_type(account: Account, limit: int, verdict: str) -> None:
    account.allow(USAGE, limit)
    row = account.judged("training-quota")
    assert row.verdict == verdict
    said = f"{limit} nodes allowed ({USAGE}), 4 needed"
    assert row.said.startswith(said if verdict == "PASS" else f"{said} [TRAINING_QUOTA_EXCEEDED]")


def test_types_that_the_account_may_use_instead_are_named(account: Account) -> None:
    """A type without accelerators is no way out for one with."""
    for name in ("ml.g5.48xlarge", "ml.m5.xlarge"):
        account.allow(f"{name} for training job usage", 4)
    row = account.judged("training-quota")
    assert row.verdict == "FAIL"
    assert row.instead.endswith("; the account may use 4 nodes of ml.g5.48xlarge")


@pytest.mark.parametrize(
    ("changes", "quota", "needed"),
    [
        (trained(spot=True, max_wait="10 d"), "ml.p4d.24xlarge for spot training job usage", 4),
        (trained(keep_alive="1 h"), "ml.p4d.24xlarge for training warm pool usage", 4),
        ({}, "Maximum number of instances per training job", 4),
        (trained(spot=True, max_wait="10 d"), "Maximum number of instances per spot training job", 4),
        ({}, "Number of instances across all training jobs", 4),
        (trained(max_runtime="2 d"), "Longest run time for a training job", 172_800),
    ],
)
def test_each_quota_that_a_job_counts_against_is_judged(
    account: Account, changes: dict[str, Any], quota: str, needed: int
) -> None:
    for each in (USAGE, "ml.p4d.24xlarge for spot training job usage", "ml.p4d.24xlarge for training warm pool usage"):
        account.allow(each, 4)
    assert account.judged("training-quota", changes).verdict == "PASS"
    account.allow(quota, needed - 1)
    row = account.judged("training-quota", changes)
    assert row.verdict == "FAIL"
    assert f"({quota}), {needed} needed [TRAINING_QUOTA_EXCEEDED]" in row.said


def test_a_quota_that_nobody_lists_cannot_be_told(account: Account) -> None:
    row = account.judged("training-quota", {"cluster": CLUSTER | {"instance_type": "ml.c5n.18xlarge"}})
    assert (row.verdict, row.said) == (
        "SKIP",
        "Service Quotas lists no quota called ml.c5n.18xlarge for training job usage",
    )


def test_nodes_of_ec2_have_no_quota_of_sagemaker(account: Account) -> None:
    looked = account.look(changes={"cluster": CLUSTER | {"instance_type": "p4d.24xlarge", "platform": "ec2"}})
    assert "training-quota" not in looked.verdicts
    assert looked.verdicts["zone"] == "PASS"


def reserve(**changes: str) -> dict[str, Any]:
    """Make a training plan and return the sections of a job that uses it."""
    tags = {"Status": "Active", "Nodes": "4", "Type": "ml.p4d.24xlarge", "Zone": "us-east-1a", "Target": "training-job"}
    made = boto3.client("sagemaker").create_training_plan(
        TrainingPlanName="reserved",
        TrainingPlanOfferingId="tpo-0123456789",
        Tags=[{"Key": key, "Value": value} for key, value in (tags | changes).items()],
    )
    return trained(training_plan=made["TrainingPlanArn"])


def test_f33_a_training_plan_with_the_nodes_passes(account: Account) -> None:
    """A reservation is for a type, a number and a zone, and a job that asks for others waits for ever."""
    row = account.judged("training-plan", reserve())
    assert (row.verdict, row.said) == (
        "PASS",
        "training plan reserved is Active with 4 nodes of ml.p4d.24xlarge",
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"Status": "Expired"}, "its status is Expired"),
        ({"Nodes": "3"}, "it has 3 nodes, the job wants 4"),
        ({"Type": "ml.p5.48xlarge"}, "it has ml.p5.48xlarge, the job wants ml.p4d.24xlarge"),
        ({"Target": "hyperpod-cluster"}, "it is for hyperpod-cluster"),
        ({"Zone": "us-east-1b"}, "it is in us-east-1b, the nodes in us-east-1a"),
    ],
)
def test_f33_a_training_plan_for_something_else_fails(account: Account, changes: dict[str, str], said: str) -> None:
    zone = {"cluster": CLUSTER | {"availability_zone": "us-east-1a"}}
    row = account.judged("training-plan", zone | reserve(**changes))
    assert row.verdict == "FAIL"
    assert f"training plan reserved cannot be used: {said} [RESERVED_PLAN_UNUSABLE]" in row.said


def test_f33_a_training_plan_that_is_not_there_fails_and_its_nodes_cannot_be_told(account: Account) -> None:
    arn = "arn:aws:sagemaker:us-east-1:123456789012:training-plan/absent"
    row = account.judged("training-plan", trained(training_plan=arn))
    assert row.verdict == "FAIL"
    assert "absent does not exist" in row.said
    row = account.judged("training-quota", trained(training_plan=arn))
    assert row.verdict == "SKIP"
    assert row.said == f"whether the nodes of a training plan count against {USAGE} is unverified"

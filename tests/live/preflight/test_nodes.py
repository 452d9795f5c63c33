"""Checks about the Region, the zone and the type of the nodes, and the debugger."""

from typing import Any

import boto3
import pytest

from tests.live.preflight.account import CLUSTER, Account, trained


def of(**cluster: Any) -> dict[str, Any]:
    return {"cluster": CLUSTER | cluster}


def test_a_zone_that_offers_the_type_passes_and_others_are_named(account: Account) -> None:
    row = account.judged("zone", changes=of(availability_zone="us-east-1b"))
    assert row.verdict == "PASS"
    assert row.said == (
        "us-east-1b offers p4d.24xlarge, and so do us-east-1a, us-east-1c, us-east-1d; that is EC2's offer, "
        "SageMaker's own capacity is not shown"
    )


def test_f17_f25_a_zone_without_the_type_fails_with_those_that_have_it(account: Account) -> None:
    """The nodes' type is not in the zone that was taken; another zone has it."""
    row = account.judged("zone", of(availability_zone="us-east-1e"))
    assert (row.verdict, row.said) == (
        "FAIL",
        "us-east-1e does not offer p4d.24xlarge [INSTANCE_TYPE_NOT_IN_ZONE]",
    )
    assert row.instead == "take a zone that does: us-east-1a, us-east-1b, us-east-1c, us-east-1d"
    [by_hand] = row.by_hand
    assert by_hand == (
        "aws ec2 describe-instance-type-offerings --region us-east-1 --location-type availability-zone "
        "--filters Name=instance-type,Values=p4d.24xlarge --query 'InstanceTypeOfferings[].Location'"
    )


def test_without_a_zone_all_that_offer_the_type_are_named(account: Account) -> None:
    row = account.judged("zone")
    assert row.verdict == "PASS"
    assert row.said.startswith("p4d.24xlarge is offered in us-east-1a, us-east-1b, us-east-1c, us-east-1d; ")
    assert row.instead == "set cluster.availability_zone to one of them"
    assert [finding.id for finding in row.findings] == ["ZONE_NOT_CHOSEN"]


def test_a_type_that_the_region_lacks_fails(account: Account) -> None:
    changes = {"region": "eu-south-1"} | of(instance_type="p4d.24xlarge", platform="ec2")
    row = account.judged("zone", changes=changes)
    assert row.verdict == "FAIL"
    assert "no zone of eu-south-1 offers p4d.24xlarge to this account [INSTANCE_TYPE_NOT_IN_REGION]" in row.said
    assert "SageMaker" not in row.said


@pytest.mark.parametrize(("zone", "verdict"), [("us-east-1a", "PASS"), ("us-east-1b", "FAIL"), (None, "PASS")])
def test_a_subnet_is_in_the_declared_zone(account: Account, zone: str | None, verdict: str) -> None:
    subnet = account.subnet(account.vpc(), zone="us-east-1a")
    row = account.judged("zone", subnet=subnet, changes=of(**({"availability_zone": zone} if zone else {})))
    assert row.verdict == verdict
    if verdict == "FAIL":
        assert f"subnet {subnet} is in us-east-1a, and cluster.availability_zone is us-east-1b" in row.said


def test_the_zone_of_a_subnet_counts_where_none_is_declared(account: Account) -> None:
    subnet = account.subnet(account.vpc(), zone="us-east-1e")
    row = account.judged("zone", subnet=subnet)
    assert "us-east-1e does not offer p4d.24xlarge" in row.said


def test_a_type_that_is_as_in_the_catalog_passes(account: Account) -> None:
    row = account.judged("instance-type")
    assert (row.verdict, row.said) == (
        "PASS",
        "p4d.24xlarge has 96 vCPUs, 1152 GiB, 8 accelerators and 4 EFA interfaces, as in the catalog",
    )


def test_a_type_that_ec2_does_not_have_fails(account: Account) -> None:
    """Moto's list has no p3, though the catalog has."""
    row = account.judged("instance-type", changes=of(instance_type="ml.p3.16xlarge"))
    assert row.verdict == "FAIL"
    assert "[INSTANCE_TYPE_NOT_IN_REGION]" in row.said


def test_nodes_without_efa_pass_with_a_remark(account: Account) -> None:
    row = account.judged("instance-type", changes=of(instance_type="ml.g5.4xlarge"))
    assert row.verdict == "PASS"
    assert "no EFA" in row.said
    assert [finding.id for finding in row.findings] == ["INSTANCE_TYPE_WITHOUT_EFA"]


def test_the_region_passes_with_what_the_catalog_knows_of_it(account: Account) -> None:
    row = account.judged("region")
    assert row.verdict == "PASS"
    assert row.said.startswith(
        "us-east-1 has fsx-lustre and sagemaker; PERSISTENT_2 at 500 MB/s/TiB is offered there as of 20"
    )


def test_a_region_without_the_service_fails(account: Account) -> None:
    parameter = "/aws/service/global-infrastructure/regions/ap-southeast-7/services/fsx-lustre"
    ssm = boto3.client("ssm", region_name="ap-southeast-7")
    # moto loads it when it is first asked for
    ssm.get_parameter(Name=parameter)
    ssm.delete_parameter(Name=parameter)
    row = account.judged("region", changes={"region": "ap-southeast-7"})
    assert row.verdict == "FAIL"
    assert "ap-southeast-7 does not have fsx-lustre [SERVICE_NOT_IN_REGION]" in row.said


def test_another_region_of_the_environment_is_remarked(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    assert account.judged("region").findings == ()
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    row = account.judged("region")
    assert row.verdict == "PASS"
    assert [finding.id for finding in row.findings] == ["ENVIRONMENT_IN_ANOTHER_REGION"]
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    assert account.judged("region").findings == ()


def test_whether_debugger_takes_the_account_cannot_be_told(account: Account) -> None:
    watched = trained() | {"watch": {"rules": ["LowGpuUtilization"], "using": ["debugger"]}}
    row = account.judged("debugger", changes=watched)
    assert row.verdict == "SKIP"
    assert "takes no new customers since 2026-07-30" in row.said
    assert row.permission == ""
    assert "debugger" not in account.look(changes=trained()).verdicts

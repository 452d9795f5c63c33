"""An account before a deploy, as tests furnish it and look at it with `epochwise check`."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

from epochwise.checks.preflight import Preflight
from epochwise.live.answers import Answers
from epochwise.live.aws import Aws
from epochwise.live.preflight import CHECKS
from epochwise.live.preflight_subject import Named, Subject
from epochwise.sizing.planner import plan
from epochwise.workload import Workload
from tests.cli.command_line import called, written
from tests.live.preflight.taught_account import defaults

CLUSTER = {"instance_type": "ml.p4d.24xlarge", "nodes": 4}
IMAGE = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.3.0-gpu-py311"
WORKLOAD: dict[str, Any] = {
    "name": "small",
    "dataset": {"size": "100 GB"},
    "epoch": {"target": "30 s"},
    "cluster": CLUSTER,
}
BUCKET = "example-training-data"
USAGE = "ml.p4d.24xlarge for training job usage"


@dataclass(frozen=True)
class Looked:
    """What a preflight printed as JSON."""

    status: int
    document: dict[str, Any]
    errors: str

    def row(self, check: str) -> dict[str, Any]:
        """Return one check."""
        [found] = [each for each in self.document["checks"] if each["id"] == check]
        row: dict[str, Any] = found
        return row

    @property
    def verdicts(self) -> dict[str, str]:
        """Return how each check ends."""
        return {each["id"]: each["verdict"] for each in self.document["checks"]}


class Account:
    """What stands in the account, and how it is looked at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def look(self, *arguments: str, changes: dict[str, Any] | None = None) -> Looked:
        """Run `epochwise check --json` on a small workload with some sections replaced."""
        file = written(self.folder, **WORKLOAD | (changes or {}))
        done = called("check", file, "--json", *arguments)
        assert "Traceback" not in done.stderr
        assert done.stdout, done.stderr
        return Looked(done.returncode, json.loads(done.stdout), done.stderr)

    def judged(self, check: str, changes: dict[str, Any] | None = None, **named: Any) -> Preflight:
        """Make one check alone, which is faster than all of them."""
        workload = Workload.from_mapping(WORKLOAD | (changes or {}), source="test")
        subject = Subject(plan(workload), "epochwise plan", Named(**named), Answers(Aws(workload.region)))
        [chosen] = [each for each in CHECKS if each.id == check]
        assert chosen.applies(subject)
        return chosen.made(subject)

    def allow(self, name: str, value: float) -> None:
        """Set one of the account's quotas."""
        service = "fsx" if name.startswith("Lustre") else "sagemaker"
        [code] = [each["QuotaCode"] for each in defaults(service) if each["QuotaName"] == name]
        boto3.client("service-quotas").request_service_quota_increase(
            ServiceCode=service, QuotaCode=code, DesiredValue=value
        )

    def vpc(self, *, hostnames: bool = True, cidr: str = "10.0.0.0/16") -> str:
        """Make a VPC."""
        ec2 = boto3.client("ec2")
        vpc = str(ec2.create_vpc(CidrBlock=cidr)["Vpc"]["VpcId"])
        ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsHostnames={"Value": hostnames})
        return vpc

    def subnet(self, vpc: str, *, cidr: str = "10.0.0.0/24", zone: str = "us-east-1a") -> str:
        """Make a subnet."""
        made = boto3.client("ec2").create_subnet(VpcId=vpc, CidrBlock=cidr, AvailabilityZone=zone)
        return str(made["Subnet"]["SubnetId"])

    def group(self, vpc: str, name: str = "nodes", *, closed: bool = False) -> str:
        """Make a security group, as EC2 makes it: everything out, nothing in; or nothing out either."""
        ec2 = boto3.client("ec2")
        group = str(ec2.create_security_group(GroupName=name, Description=name, VpcId=vpc)["GroupId"])
        if closed:
            everything = [{"IpProtocol": "-1", "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}]
            ec2.revoke_security_group_egress(GroupId=group, IpPermissions=everything)
        return group

    def open(self, group: str, peer: str, *ports: tuple[int, int], ways: str = "in out", cidr: str = "") -> None:
        """Let a group and a peer, or addresses, exchange all traffic, or TCP on ports."""
        ec2 = boto3.client("ec2")
        to: dict[str, Any] = {"IpRanges": [{"CidrIp": cidr}]} if cidr else {"UserIdGroupPairs": [{"GroupId": peer}]}
        rules = [{"IpProtocol": "tcp", "FromPort": low, "ToPort": high} | to for low, high in ports] or [
            {"IpProtocol": "-1"} | to
        ]
        if "in" in ways:
            ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=rules)
        if "out" in ways:
            ec2.authorize_security_group_egress(GroupId=group, IpPermissions=rules)

    def file_system(self, subnet: str, *groups: str, gib: int = 4800, **lustre: Any) -> str:
        """Make a Lustre file system."""
        made = boto3.client("fsx").create_file_system(
            FileSystemType="LUSTRE",
            StorageCapacity=gib,
            StorageType="SSD",
            SubnetIds=[subnet],
            SecurityGroupIds=list(groups),
            LustreConfiguration={"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 500} | lustre,
        )
        return str(made["FileSystem"]["FileSystemId"])

    def bucket(self, name: str = BUCKET, *, region: str = "us-east-1") -> str:
        """Make a bucket with one object."""
        s3 = boto3.client("s3", region_name=region)
        where = {} if region == "us-east-1" else {"CreateBucketConfiguration": {"LocationConstraint": region}}
        s3.create_bucket(Bucket=name, **where)
        s3.put_object(Bucket=name, Key="guide/0", Body=b"x")
        return name


def linked(bucket: str = BUCKET, prefix: str = "guide/") -> dict[str, Any]:
    """Return the sections of a workload whose dataset lies in a bucket."""
    return {"dataset": {"size": "100 GB", "source": f"s3://{bucket}/{prefix}"}}


def trained(**training: Any) -> dict[str, Any]:
    """Return the sections of a workload with a training job."""
    return {"training": {"image": IMAGE} | training}

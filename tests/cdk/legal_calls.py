"""A stack with one of everything that arguments stand for, and a legal call of each public callable."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_stepfunctions as sfn

from epochwise import Plan, Workload
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_job import TrainingJob
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import SCRATCH_2, imported_vpc
from tests.cdk.public_callables import PublicCallable

FILE_SYSTEM_ID = "fs-0123456789abcdef0"


class LegalCalls:
    """A stack of its own; what of it a call does not need is not made."""

    def __init__(self, new_app: Callable[..., App], planned: Plan) -> None:
        self.app = new_app()
        self.stack = Stack(self.app, "test")
        self.plan = planned
        self._named = 0

    @property
    def workload(self) -> Workload:
        return self.plan.workload

    @cached_property
    def vpc(self) -> ec2.IVpc:
        return imported_vpc(self.stack)

    @cached_property
    def group(self) -> ec2.ISecurityGroup:
        return ec2.SecurityGroup.from_security_group_id(self.stack, "Group", "sg-0123456789abcdef0")

    @cached_property
    def network(self) -> TrainingNetwork:
        return TrainingNetwork(self.stack, "Network", vpc=self.vpc, nodes=4, instance_type="ml.p4d.24xlarge")

    @cached_property
    def file_system(self) -> TrainingFileSystem:
        subnet = self.vpc.private_subnets[0]
        return TrainingFileSystem(self.stack, "FileSystem", vpc=self.vpc, subnet=subnet, **SCRATCH_2)

    @cached_property
    def job(self) -> TrainingJob:
        return TrainingJob(
            self.stack, "Job", workload=self.workload, network=self.network, file_system=self.file_system
        )

    @cached_property
    def bucket(self) -> s3.IBucket:
        return s3.Bucket.from_bucket_name(self.stack, "Bucket", "example-data")

    @cached_property
    def key(self) -> kms.IKey:
        return kms.Key(self.stack, "Key")

    @cached_property
    def log_group(self) -> logs.ILogGroup:
        return logs.LogGroup(self.stack, "LogGroup", log_group_name="/aws/fsx/example")

    @cached_property
    def machine(self) -> sfn.StateMachine:
        body = sfn.DefinitionBody.from_chainable(sfn.Pass(self.stack, "Pass"))
        return sfn.StateMachine(self.stack, "Machine", definition_body=body)

    def subject(self, called: PublicCallable) -> Any:
        """Return the construct that a method is called on; None where the class, or nothing, is called."""
        if called.owner is None or called.makes:
            return None
        made = {"TrainingFileSystem": "file_system", "TrainingNetwork": "network", "TrainingJob": "job"}
        return getattr(self, made[called.owner.__name__])

    def arguments(self, called: PublicCallable) -> dict[str, Any]:
        """Return the arguments of a call that is taken; a new required argument needs a value here."""
        self._named += 1
        legal: dict[str, Callable[[], Any]] = {
            "bucket": lambda: self.bucket,
            "client": lambda: self.group,
            "configuration": lambda: "{}",
            "construct_id": lambda: f"Made{self._named}",
            "dataset": lambda: self.workload.dataset,
            "dns_name": lambda: f"{FILE_SYSTEM_ID}.fsx.us-east-1.amazonaws.com",
            "encryption_key": lambda: self.key,
            "file_system": lambda: self.file_system,
            "file_system_id": lambda: FILE_SYSTEM_ID,
            "grantee": lambda: iam.ServicePrincipal("lambda.amazonaws.com"),
            "instance_type": lambda: "ml.p4d.24xlarge",
            "jobs_arn": lambda: "arn:aws:sagemaker:us-east-1:123456789012:training-job/guide-*",
            "log_group": lambda: self.log_group,
            "machine": lambda: self.machine,
            "mount_name": lambda: "abcdefgh",
            "name": lambda: "DataReadBytes",
            "network": lambda: self.network,
            "nodes": lambda: 4,
            "otherwise": lambda: 1.0,
            "peer": lambda: self.group,
            "plan": lambda: self.plan,
            "scope": lambda: self.stack,
            "security_groups": lambda: [self.group],
            "stack": lambda: self.stack,
            "subnet": lambda: self.vpc.private_subnets[0],
            "user_data": ec2.UserData.for_linux,
            "vpc": lambda: self.vpc,
            "workload": lambda: self.workload,
            "workload_name": lambda: "guide",
        }
        given = {name: legal[name]() for name in called.required}
        return given | (SCRATCH_2 if called.name == "TrainingFileSystem" else {})

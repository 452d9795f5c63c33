"""Stacks of several Regions, accounts and Stages, with one of everything in each, and what can be given it."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from aws_cdk import App, Environment, Stack, Stage
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns

from epochwise import Workload, plan
from epochwise.cdk.file_system_alarms import FileSystemAlarms
from epochwise.cdk.node_launch_template import NodeLaunchTemplate
from epochwise.cdk.plan_summary import add_plan_summary
from epochwise.cdk.training_dashboard import TrainingDashboard
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_job import TrainingJob
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import PERSISTENT_2, SCRATCH_2, imported_vpc
from tests.cdk.jobs import changed

ACCOUNT, EAST, WEST = "111122223333", "us-east-1", "us-west-2"
REGION, OTHER_ACCOUNT, STAGE, ONE = (
    "CONSTRUCT_OF_OTHER_REGION",
    "CONSTRUCT_OF_OTHER_ACCOUNT",
    "CONSTRUCT_OF_OTHER_STAGE",
    "ENVIRONMENT_KNOWN_TO_ONE",
)


class Things:
    """A stack and one of everything in it; what is not asked for is not made."""

    def __init__(self, stack: Stack, workload: Workload) -> None:
        self.stack = stack
        self.workload = workload
        self._made = 0

    def name(self) -> str:
        self._made += 1
        return f"Made{self._made}"

    @cached_property
    def vpc(self) -> ec2.IVpc:
        return ec2.Vpc(self.stack, "Vpc", max_azs=1, nat_gateways=0, restrict_default_security_group=False)

    @cached_property
    def subnet(self) -> ec2.ISubnet:
        return self.vpc.isolated_subnets[0]

    @cached_property
    def group(self) -> ec2.ISecurityGroup:
        return ec2.SecurityGroup(self.stack, "Group", vpc=self.vpc)

    @cached_property
    def key(self) -> kms.IKey:
        return kms.Key(self.stack, "Key")

    @cached_property
    def topic(self) -> sns.ITopic:
        return sns.Topic(self.stack, "Topic")

    @cached_property
    def bucket(self) -> s3.IBucket:
        return s3.Bucket(self.stack, "Bucket")

    @cached_property
    def log_group(self) -> logs.ILogGroup:
        return logs.LogGroup(self.stack, "LogGroup", log_group_name=f"/aws/fsx/{self.stack.stack_name}")

    @cached_property
    def network(self) -> TrainingNetwork:
        return TrainingNetwork(self.stack, "Network", vpc=self.vpc, subnet=self.subnet, **CLUSTER)

    @cached_property
    def file_system(self) -> TrainingFileSystem:
        return TrainingFileSystem(self.stack, "FileSystem", vpc=self.vpc, subnet=self.subnet, **SCRATCH_2)

    @cached_property
    def job(self) -> TrainingJob:
        return TrainingJob(
            self.stack, "Job", workload=self.workload, network=self.network, file_system=self.file_system
        )

    @cached_property
    def role(self) -> iam.IRole:
        return iam.Role(self.stack, "Role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))


class Imported(Things):
    """The same by ids, names and ARNs, which no template refers to."""

    @cached_property
    def vpc(self) -> ec2.IVpc:
        return imported_vpc(self.stack)

    @cached_property
    def subnet(self) -> ec2.ISubnet:
        return self.vpc.private_subnets[0]

    @cached_property
    def group(self) -> ec2.ISecurityGroup:
        return ec2.SecurityGroup.from_security_group_id(self.stack, "Group", "sg-1")

    @cached_property
    def key(self) -> kms.IKey:
        return kms.Key.from_key_arn(self.stack, "Key", f"arn:aws:kms:{EAST}:{ACCOUNT}:key/1")

    @cached_property
    def topic(self) -> sns.ITopic:
        return sns.Topic.from_topic_arn(self.stack, "Topic", f"arn:aws:sns:{EAST}:{ACCOUNT}:findings")

    @cached_property
    def bucket(self) -> s3.IBucket:
        return s3.Bucket.from_bucket_name(self.stack, "Bucket", "example-data")

    @cached_property
    def log_group(self) -> logs.ILogGroup:
        arn = f"arn:aws:logs:{EAST}:{ACCOUNT}:log-group:/aws/fsx/example"
        return logs.LogGroup.from_log_group_arn(self.stack, "LogGroup", arn)

    @cached_property
    def network(self) -> TrainingNetwork:
        return TrainingNetwork(
            self.stack, "Network", vpc=self.vpc, subnet=self.subnet, security_groups=[self.group], **CLUSTER
        )

    @cached_property
    def file_system(self) -> Any:
        host = f"fs-0123456789abcdef0.fsx.{EAST}.amazonaws.com"
        return TrainingFileSystem.from_attributes(
            self.stack,
            "FileSystem",
            file_system_id="fs-0123456789abcdef0",
            dns_name=host,
            mount_name="abcdefgh",
            security_groups=[self.group],
        )


CLUSTER: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
Call = Callable[[Things, Things], Any]


def network(home: Things, **given: Any) -> TrainingNetwork:
    return TrainingNetwork(home.stack, home.name(), **({"vpc": home.vpc, "subnet": home.subnet} | CLUSTER | given))


def storage(home: Things, **given: Any) -> TrainingFileSystem:
    where: dict[str, Any] = {"vpc": home.vpc, "subnet": home.subnet}
    return TrainingFileSystem(home.stack, home.name(), **(where | PERSISTENT_2 | given))


def job(home: Things, **given: Any) -> TrainingJob:
    needed: dict[str, Any] = {"workload": home.workload, "network": home.network, "file_system": home.file_system}
    return TrainingJob(home.stack, home.name(), **(needed | given))


CALLS: dict[str, Call] = {
    "network's vpc": lambda home, there: network(home, vpc=there.vpc, subnet=there.subnet),
    "network's subnet": lambda home, there: network(home, vpc=there.vpc, subnet=None, subnets=[there.subnet]),
    "network's groups": lambda home, there: network(home, security_groups=[there.group]),
    "peer over EFA": lambda home, there: home.network.allow_efa_peer(there.group),
    "file system's vpc": lambda home, there: storage(home, vpc=there.vpc, subnet=there.subnet),
    "file system's groups": lambda home, there: storage(home, security_groups=[there.group]),
    "file system's clients": lambda home, there: storage(home, client_security_groups=[there.group]),
    "file system's key": lambda home, there: storage(home, encryption_key=there.key),
    "file system's log group": lambda home, there: storage(home, log_level="WARN_ERROR", log_group=there.log_group),
    "client": lambda home, there: home.file_system.allow_client(there.group),
    "connection": lambda home, there: home.file_system.connections.allow_default_port_from(there.group),
    "linked bucket": lambda home, there: storage(home).link_bucket(there.bucket),
    "alarms' file system": lambda home, there: FileSystemAlarms(home.stack, home.name(), file_system=there.file_system),
    "alarms' topic": lambda home, there: FileSystemAlarms(
        home.stack, home.name(), file_system=home.file_system, topic=there.topic
    ),
    "dashboard's file system": lambda home, there: TrainingDashboard(
        home.stack, home.name(), file_system=there.file_system
    ),
    "nodes' user data": lambda home, there: NodeLaunchTemplate(
        home.stack,
        home.name(),
        network=home.network,
        instance_type="p4d.24xlarge",
        user_data=there.file_system.user_data(),
    ),
    "nodes' network": lambda home, there: NodeLaunchTemplate(
        home.stack, home.name(), network=there.network, instance_type="p4d.24xlarge"
    ),
    "job's topic": lambda home, there: job(home, topic=there.topic),
    "job's key": lambda home, there: job(home, encryption_key=there.key),
}
"""What is given things of another stack, those that are made or called in one and those of the other."""
CREATED_ALONE: dict[str, Call] = {
    "nodes' profile": lambda home, there: NodeLaunchTemplate(
        home.stack,
        home.name(),
        network=home.network,
        instance_type="p4d.24xlarge",
        instance_profile=iam.InstanceProfile(there.stack, there.name()),
    ),
    "summary's file system": lambda home, there: add_plan_summary(
        home.stack, plan=plan(home.workload), file_system=there.file_system
    ),
    "job's network": lambda home, there: job(home, network=there.network),
    "job's file system": lambda home, there: job(home, file_system=there.file_system),
    "job's bucket": lambda home, there: job(home, artifacts_bucket=there.bucket),
    "dashboard's job": lambda home, there: TrainingDashboard(
        home.stack, home.name(), file_system=home.file_system, job=there.job
    ),
    "starter": lambda home, there: home.job.grant_start(there.role),
}
"""More of them, of which an import is seen elsewhere or has nothing to judge."""
PAIRS = {
    "Region": ("home", "west", REGION),
    "account": ("home", "theirs", OTHER_ACCOUNT),
    "Stage": ("home", "staged", STAGE),
    "unknown there": ("home", "agnostic", ONE),
    "unknown here": ("agnostic", "home", ONE),
    "account unknown there": ("home", "eastern", ONE),
}
"""Stacks of which one cannot refer to the other: where a call is made, where its argument is, and what is said."""
NAMELESS = (
    *("alarms' topic", "linked bucket", "nodes' profile", "job's topic", "job's bucket", "dashboard's job"),
    "starter",
)
"""Calls with what the CDK names, and does not refer to, where only the deploy knows the account of the call."""
EXPORTED = (
    *("file system's vpc", "file system's key", "alarms' file system", "nodes' network", "nodes' user data"),
    "job's key",
)
"""Calls with what it refers to even then."""
NAMED = "file system's log group"
"""Of a name that the app knows, and so without a reference where only one side knows its environment."""


def places(app: App, workload: Workload, kind: type[Things] = Things) -> dict[str, Things]:
    """Return a stack for every place, with the things of it."""
    known = Environment(account=ACCOUNT, region=EAST)
    stacks = {
        "home": Stack(app, "home", env=known),
        "west": Stack(app, "west", env=Environment(account=ACCOUNT, region=WEST)),
        "theirs": Stack(app, "theirs", env=Environment(account="999900001111", region=EAST)),
        "eastern": Stack(app, "eastern", env=Environment(region=EAST)),
        "agnostic": Stack(app, "agnostic"),
        "staged": Stack(Stage(app, "Prod", env=known), "staged"),
    }
    return {
        name: (Things if name == "home" else kind)(
            stack, changed(workload, region=WEST) if name == "west" else workload
        )
        for name, stack in stacks.items()
    }

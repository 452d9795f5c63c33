"""What is of another Region, account or Stage is refused in our words before the CDK fails on it, and nothing else."""

from collections.abc import Callable
from itertools import cycle

import pytest
from aws_cdk import App, Environment, Stack, Stage
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from aws_cdk.assertions import Template

from epochwise import Workload
from epochwise.cdk.file_system_alarms import FileSystemAlarms
from epochwise.cdk.training_file_system import TrainingFileSystem
from tests.cdk.environments import (
    ACCOUNT,
    CALLS,
    CREATED_ALONE,
    EAST,
    EXPORTED,
    NAMED,
    NAMELESS,
    ONE,
    OTHER_ACCOUNT,
    PAIRS,
    REGION,
    STAGE,
    WEST,
    Call,
    Imported,
    Things,
    network,
    places,
    storage,
)
from tests.cdk.jobs import changed


@pytest.fixture(scope="module")
def unlinked(guide: Workload) -> Workload:
    return changed(guide, dataset={"size": "100 GB"})


@pytest.fixture(scope="module")
def created(new_app: Callable[..., App], unlinked: Workload) -> dict[str, Things]:
    return places(new_app(), unlinked)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("call", [each for each in CALLS | CREATED_ALONE if each != NAMED])
def test_what_another_environments_stack_creates_is_refused_in_our_words(
    created: dict[str, Things], call: str, pair: str
) -> None:
    home, there = (created[name] for name in PAIRS[pair][:2])
    with pytest.raises(ValueError, match=rf"\[{PAIRS[pair][2]}\]$") as refused:
        (CALLS | CREATED_ALONE)[call](home, there)
    assert f"got {there.stack.node.path}/" in str(refused.value)


@pytest.mark.parametrize("call", NAMELESS)
def test_what_the_cdk_names_is_refused_where_only_the_deploy_knows_the_account_of_the_call(
    created: dict[str, Things], call: str
) -> None:
    with pytest.raises(ValueError, match=rf"an unknown account and {EAST}.*\[{ONE}\]$"):
        (CALLS | CREATED_ALONE)[call](created["eastern"], created["home"])


def test_what_the_cdk_refers_to_is_taken_where_only_the_deploy_knows_the_account_of_the_call(
    new_app: Callable[..., App], unlinked: Workload
) -> None:
    made = places(app := new_app(), unlinked)
    for call in EXPORTED:
        CALLS[call](made["eastern"], made["home"])
    app.synth()
    assert "unknown-account" not in str(Template.from_stack(made["eastern"].stack).to_json())


@pytest.mark.parametrize(("pair", "refused"), [(pair, pair in {"Region", "account", "Stage"}) for pair in PAIRS])
def test_a_log_group_of_a_name_that_the_app_knows_takes_no_reference(
    new_app: Callable[..., App], unlinked: Workload, pair: str, refused: bool
) -> None:
    made = places(app := new_app(), unlinked)
    home, there = (made[name] for name in PAIRS[pair][:2])
    if refused:
        with pytest.raises(ValueError, match=rf"\[{PAIRS[pair][2]}\]$"):
            CALLS[NAMED](home, there)
    else:
        CALLS[NAMED](home, there)
        app.synth()


@pytest.mark.parametrize("env", [Environment(account=ACCOUNT, region=EAST), None], ids=["known", "unknown"])
def test_things_of_another_stack_of_the_same_environment_are_taken(
    new_app: Callable[..., App], unlinked: Workload, env: Environment | None
) -> None:
    app = new_app()
    there, home = (Things(Stack(app, name, env=env), unlinked) for name in ("there", "home"))
    home.vpc, home.subnet = there.vpc, there.subnet
    for name, call in (CALLS | CREATED_ALONE).items():
        if name != "starter":
            call(home, there)
    app.synth()
    assert {each.stack_name for each in home.stack.dependencies} == {"there"}


def test_a_starter_of_another_stack_of_the_same_environment_is_taken(
    new_app: Callable[..., App], unlinked: Workload
) -> None:
    app = new_app()
    home, there = (Things(Stack(app, name), unlinked) for name in ("home", "there"))
    CREATED_ALONE["starter"](home, there)
    app.synth()


def test_what_is_imported_by_its_id_name_or_arn_is_taken_from_whatever_stack(
    new_app: Callable[..., App], unlinked: Workload
) -> None:
    app = new_app()
    made = places(app, unlinked, Imported)
    calls = CALLS | {name: CREATED_ALONE[name] for name in ("job's network", "job's file system", "job's bucket")}
    elsewhere = cycle(made[place] for place in ("theirs", "eastern", "agnostic", "staged"))
    for call, there in zip(calls.values(), elsewhere, strict=False):
        call(made["home"], there)
    app.synth()
    assert made["home"].stack.dependencies == []


ARN = "arn:aws:{}:" + WEST + ":" + ACCOUNT + ":{}"
IN_WEST: dict[str, Call] = {
    "key": lambda home, _: storage(
        home, encryption_key=kms.Key.from_key_arn(home.stack, home.name(), ARN.format("kms", "key/1"))
    ),
    "topic": lambda home, _: FileSystemAlarms(
        home.stack,
        home.name(),
        file_system=home.file_system,
        topic=sns.Topic.from_topic_arn(home.stack, home.name(), ARN.format("sns", "findings")),
    ),
    "log group": lambda home, _: storage(
        home,
        log_level="WARN_ERROR",
        log_group=logs.LogGroup.from_log_group_arn(
            home.stack, home.name(), ARN.format("logs", "log-group:/aws/fsx/example")
        ),
    ),
    "vpc": lambda home, _: network(
        home,
        vpc=ec2.Vpc.from_vpc_attributes(
            home.stack, home.name(), vpc_id="vpc-1", availability_zones=["us-west-2a"], region=WEST
        ),
    ),
    "subnet by its zone": lambda home, _: network(
        home,
        subnet=ec2.Subnet.from_subnet_attributes(
            home.stack, home.name(), subnet_id="subnet-1", availability_zone="us-west-2a"
        ),
    ),
    "file system by its host": lambda home, _: FileSystemAlarms(
        home.stack,
        home.name(),
        file_system=TrainingFileSystem.from_attributes(
            home.stack,
            home.name(),
            file_system_id="fs-0123456789abcdef0",
            dns_name=f"fs-0123456789abcdef0.fsx.{WEST}.amazonaws.com",
            mount_name="abcdefgh",
            security_groups=[home.group],
        ),
    ),
    "group imported by another stack": lambda home, there: home.file_system.allow_client(
        ec2.SecurityGroup.from_security_group_id(there.stack, there.name(), "sg-1")
    ),
}


@pytest.mark.parametrize("call", IN_WEST)
def test_what_is_imported_of_another_region_is_refused_where_its_arn_zone_or_stack_says_so(
    created: dict[str, Things], call: str
) -> None:
    with pytest.raises(ValueError, match=rf"must be in {EAST}, where home.* in {WEST}; .*\[{REGION}\]$"):
        IN_WEST[call](created["home"], created["west"])


def test_a_log_group_of_another_account_is_refused_and_a_key_is_left_to_its_policy(created: dict[str, Things]) -> None:
    home = created["home"]
    arn = f"arn:aws:{{}}:{EAST}:999900001111:{{}}"
    theirs = logs.LogGroup.from_log_group_arn(home.stack, "Theirs", arn.format("logs", "log-group:/aws/fsx/example"))
    with pytest.raises(ValueError, match=rf"log_group must be in account {ACCOUNT}.*\[{OTHER_ACCOUNT}\]$"):
        storage(home, log_level="WARN_ERROR", log_group=theirs)
    storage(home, encryption_key=kms.Key.from_key_arn(home.stack, "Shared", arn.format("kms", "key/1")))


@pytest.mark.parametrize(
    ("events", "name", "finding"),
    [
        (("NEW",), None, REGION),
        ((), None, REGION),
        (("NEW",), "example-data", "BUCKET_IN_ANOTHER_REGION"),
        ((), "example-data", None),
    ],
)
def test_a_bucket_of_another_region_is_taken_by_its_name_for_exports_alone(
    new_app: Callable[..., App], unlinked: Workload, events: tuple[str, ...], name: str | None, finding: str | None
) -> None:
    made = places(app := new_app(), unlinked)
    bucket = s3.Bucket(made["west"].stack, "Data", bucket_name=name)
    file_system = storage(made["home"])
    if finding is None:
        file_system.link_bucket(bucket, import_events=events)
        app.synth()
    else:
        with pytest.raises(ValueError, match=rf"\[{finding}\]$"):
            file_system.link_bucket(bucket, import_events=events)


@pytest.mark.parametrize(("stage", "finding"), [(True, STAGE), (False, "CONSTRUCT_OF_LATER_STACK")])
def test_a_link_does_not_wait_for_the_key_of_a_bucket_of_another_stage_or_of_a_later_stack(
    new_app: Callable[..., App], unlinked: Workload, stage: bool, finding: str
) -> None:
    app = new_app()
    home = Things(Stack(app, "home"), unlinked)
    later = Stack(Stage(app, "Prod") if stage else app, "later")
    if not stage:
        later.add_stack_dependency(home.stack)
    key = kms.Key(later, "Key")
    bucket = s3.Bucket.from_bucket_attributes(home.stack, "Bucket", bucket_name="example-data", encryption_key=key)
    with pytest.raises(ValueError, match=rf"key of bucket must be of .* got {later.node.path}/Key .*\[{finding}\]$"):
        storage(home).link_bucket(bucket)
    app.synth()


@pytest.mark.parametrize("declared", [True, False])
def test_a_bucket_of_a_later_stack_is_refused(new_app: Callable[..., App], unlinked: Workload, declared: bool) -> None:
    app = new_app()
    home, later = (Things(Stack(app, name), unlinked) for name in ("home", "later"))
    file_system = storage(home)
    if declared:
        later.stack.add_stack_dependency(home.stack)
    else:
        FileSystemAlarms(later.stack, "Alarms", file_system=file_system)
    with pytest.raises(
        ValueError, match=r"bucket must be of a stack that does not wait for home.*\[CONSTRUCT_OF_LATER_"
    ):
        file_system.link_bucket(later.bucket)
    app.synth()

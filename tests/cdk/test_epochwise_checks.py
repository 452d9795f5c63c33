"""The plugin that judges any CDK app: plain L1 and L2 resources, acknowledged or not."""

import json
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest
from aws_cdk import Acknowledgment, App, NestedStack, Stack, Stage, Validations
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_fsx as fsx
from constructs import Construct

from epochwise import Workload, plan
from epochwise.cdk.epochwise_checks import NAME, EpochwiseChecks

WORKLOADS = sorted((Path(__file__).parents[2] / "workloads").glob("*.yaml"))
Found = set[tuple[str, str]]


@pytest.fixture
def app(tmp_path: Path) -> App:
    """Return an app as another team has it: without this project's context."""
    app = App(outdir=str(tmp_path))
    Validations.of(app).add_plugins(EpochwiseChecks())
    return app


def judged(app: App, *, suppressed: bool = False) -> Found:
    """Synthesize, and return each finding's id with the path of its construct."""
    with suppress(RuntimeError):
        app.synth()
    file = Path(app.outdir) / "validation-report.json"
    reports = json.loads(file.read_text(encoding="utf-8"))["pluginReports"] if file.exists() else []
    return {
        (violation["ruleName"], construct["constructPath"])
        for plugin in reports
        if plugin["pluginName"] == NAME
        for violation in plugin.get("suppressedViolations" if suppressed else "violations", [])
        for construct in violation["violatingConstructs"]
    }


def l2_file_system(stack: Stack) -> tuple[ec2.SecurityGroup, fsx.LustreFileSystem]:
    """Create CDK's own file system, as its README does, in a group that anyone reaches."""
    vpc = ec2.Vpc(stack, "Vpc")
    group = ec2.SecurityGroup(stack, "Group", vpc=vpc)
    group.add_ingress_rule(ec2.Peer.any_ipv4(), ec2.Port.tcp(988))
    file_system = fsx.LustreFileSystem(
        stack,
        "FileSystem",
        vpc=vpc,
        vpc_subnet=vpc.private_subnets[0],
        storage_capacity_gib=1200,
        security_group=group,
        lustre_configuration=fsx.LustreConfiguration(deployment_type=fsx.LustreDeploymentType.SCRATCH_2),
    )
    return group, file_system


def test_cdk_s_own_construct_is_judged_with_our_ids_at_its_path(app: App) -> None:
    l2_file_system(Stack(app, "Theirs"))
    assert judged(app) == {
        ("LUSTRE_2_10_CLIENTS", "Theirs/FileSystem/Resource"),
        ("RETAINED_WITHOUT_ITS_GROUP", "Theirs/FileSystem/Resource"),
        ("LUSTRE_PORTS_OPEN", "Theirs/Group/Resource"),
    }


@pytest.mark.parametrize(("gib", "finding_id"), [(1200, "LUSTRE_2_10_CLIENTS"), (1300, "FILE_SYSTEM_ILLEGAL")])
def test_an_error_stops_the_synth_and_a_warning_does_not(app: App, gib: int, finding_id: str) -> None:
    fsx.CfnFileSystem(
        Stack(app, "Theirs"),
        "FileSystem",
        file_system_type="LUSTRE",
        subnet_ids=["subnet-0"],
        storage_capacity=gib,
        lustre_configuration=fsx.CfnFileSystem.LustreConfigurationProperty(deployment_type="SCRATCH_2"),
    )
    with nullcontext() if gib == 1200 else pytest.raises(RuntimeError):
        app.synth()
    assert (finding_id, "Theirs/FileSystem") in judged(app)


def test_a_group_whose_rule_cdk_drops_is_found(app: App) -> None:
    stack = Stack(app, "Theirs")
    group = ec2.SecurityGroup(stack, "Efa", vpc=ec2.Vpc(stack, "Vpc"))
    group.connections.allow_internally(ec2.Port.all_traffic())
    template = ec2.CfnLaunchTemplate.LaunchTemplateDataProperty(
        network_interfaces=[
            ec2.CfnLaunchTemplate.NetworkInterfaceProperty(interface_type="efa", groups=[group.security_group_id])
        ]
    )
    ec2.CfnLaunchTemplate(stack, "Nodes", launch_template_data=template)
    assert judged(app) == {("EFA_SELF_RULES_ABSENT", "Theirs/Efa/Resource")}


def test_what_is_acknowledged_is_left_out_and_what_matches_nothing_is_told(app: App) -> None:
    stack = Stack(app, "Theirs")
    group, file_system = l2_file_system(stack)
    for construct, finding_id in (
        (group, "LUSTRE_PORTS_OPEN"),
        (file_system, "RETAINED_WITHOUT_ITS_GROUP"),
        (stack, "LUSTRE_2_10_CLIENTS"),
        (file_system, "LUSTRE_PORTS_OPEN"),
        (group, "NO_SUCH_ID"),
    ):
        Validations.of(construct).acknowledge(Acknowledgment(id=f"{NAME}::{finding_id}", reason="as they wish"))
    Validations.of(group).acknowledge(Acknowledgment(id="Other::NO_SUCH_ID", reason="not ours"))
    assert judged(app) == {
        ("ACKNOWLEDGEMENT_MATCHES_NOTHING", "Theirs/FileSystem"),
        ("ACKNOWLEDGEMENT_MATCHES_NOTHING", "Theirs/Group"),
    }
    assert {rule for rule, _ in judged(app, suppressed=True)} == {
        "LUSTRE_PORTS_OPEN",
        "RETAINED_WITHOUT_ITS_GROUP",
        "LUSTRE_2_10_CLIENTS",
    }


def test_nested_stacks_are_judged_at_the_paths_of_their_constructs(app: App) -> None:
    outer = NestedStack(Stack(Stage(app, "Prod"), "Theirs"), "Outer")
    group, _ = l2_file_system(NestedStack(outer, "Inner"))
    for construct, finding_id in ((group, "LUSTRE_PORTS_OPEN"), (outer, "NO_SUCH_ID")):
        Validations.of(construct).acknowledge(Acknowledgment(id=f"{NAME}::{finding_id}", reason="as they wish"))
    assert judged(app) == {
        ("LUSTRE_2_10_CLIENTS", "Prod/Theirs/Outer/Inner/FileSystem/Resource"),
        ("RETAINED_WITHOUT_ITS_GROUP", "Prod/Theirs/Outer/Inner/FileSystem/Resource"),
        ("ACKNOWLEDGEMENT_MATCHES_NOTHING", "Prod/Theirs/Outer"),
    }


def test_what_is_acknowledged_above_the_stacks_is_held_to_the_same(app: App) -> None:
    stage = Stage(app, "Prod")
    l2_file_system(Stack(Construct(stage, "Group"), "Theirs"))
    for construct, finding_id in (
        (app, "LUSTRE_PORTS_OPEN"),
        (stage, "RETAINED_WITHOUT_ITS_GROUP"),
        (stage.node.find_child("Group"), "LUSTRE_2_10_CLIENTS"),
        (app, "NO_SUCH_ID"),
        (stage, "NO_SUCH_ID"),
        (stage.node.find_child("Group"), "NO_SUCH_ID"),
    ):
        Validations.of(construct).acknowledge(Acknowledgment(id=f"{NAME}::{finding_id}", reason="as they wish"))
    assert judged(app) == {("ACKNOWLEDGEMENT_MATCHES_NOTHING", place) for place in ("", "Prod", "Prod/Group")}


@pytest.mark.parametrize("file", WORKLOADS, ids=lambda file: file.stem)
def test_our_own_constructs_pass_our_own_rules(file: Path, new_app: Callable[..., App], tmp_path: Path) -> None:
    from stacks.deployment import create_stacks

    app = new_app(outdir=str(tmp_path))
    create_stacks(app, plan(Workload.from_file(file)))
    Validations.of(app).add_plugins(EpochwiseChecks())
    assert judged(app) == set()

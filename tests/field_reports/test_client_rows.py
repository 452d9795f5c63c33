"""What people who mount file systems ran into, and what is true of this library; each test names its row."""

from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk.assertions import Match, Template

from epochwise.catalog.fsx_lustre import DeploymentType
from epochwise.catalog.lustre_client_versions import ClientOs
from epochwise.cdk.file_system_alarms import FileSystemAlarms
from epochwise.cdk.lustre_client_documents import PreloadDocument
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.clients.scripts import Script, script_text
from epochwise.clients.striping import default_stripe_command, stripe_command

EFA: dict[str, Any] = {
    "deployment_type": DeploymentType.PERSISTENT_2,
    "storage_capacity_gib": 9600,
    "per_unit_storage_throughput": 500,
    "efa_enabled": True,
}
SCRATCH: dict[str, Any] = {"deployment_type": DeploymentType.SCRATCH_2, "storage_capacity_gib": 1200}


@pytest.fixture
def stack() -> Stack:
    return Stack(App(), "clients")


def file_system(stack: Stack, **settings: Any) -> TrainingFileSystem:
    vpc = ec2.Vpc(stack, "Vpc", max_azs=1, restrict_default_security_group=False)
    return TrainingFileSystem(stack, "FileSystem", vpc=vpc, subnet=vpc.private_subnets[0], **(settings or SCRATCH))


def launched(stack: Stack, user_data: ec2.UserData) -> Template:
    ec2.LaunchTemplate(stack, "Node", user_data=user_data, require_imdsv2=True)
    return Template.from_stack(stack)


def script_of(template: Template) -> str:
    """Return the user data of the launch template, with references as they stand."""
    [node] = template.find_resources("AWS::EC2::LaunchTemplate").values()
    parts = node["Properties"]["LaunchTemplateData"]["UserData"]["Fn::Base64"]["Fn::Join"][1]
    return "".join(part if isinstance(part, str) else str(part) for part in parts)


def test_f34c_nodes_that_mount_at_once_try_again_apart_from_each_other_and_not_for_ever(stack: Stack) -> None:
    template = launched(stack, file_system(stack).user_data(attempts=7))
    script = script_of(template)
    assert '[ "$attempt" -lt 7 ] || die' in script
    assert "RANDOM % 11" in script
    assert "timeout 120 mount -t lustre -o relatime,flock" in script
    template.has_resource_properties(
        "AWS::EC2::LaunchTemplate",
        {
            "LaunchTemplateData": {
                "UserData": {"Fn::Base64": {"Fn::Join": ["", Match.array_with([{"Ref": "AWS::Region"}])]}}
            }
        },
    )


def test_f68_files_can_be_striped_and_the_default_can_be_had_back() -> None:
    assert stripe_command("/fsx/shards", 50 * 2**30) == "lfs setstripe -c 16 -S 1M /fsx/shards"
    assert default_stripe_command("/fsx/shards").startswith("lfs setstripe -E 100M -c 1 -E 10G -c 8 ")


def test_f73_an_idle_file_system_rings(stack: Stack) -> None:
    FileSystemAlarms(stack, "Alarms", file_system=file_system(stack), monthly_usd=168)
    Template.from_stack(stack).has_resource_properties(
        "AWS::CloudWatch::Alarm",
        {
            "MetricName": "ClientConnections",
            "Dimensions": [{"Name": "FileSystemId", "Value": {"Ref": Match.string_like_regexp("^FileSystem")}}],
            "AlarmDescription": Match.string_like_regexp("168 USD a month"),
        },
    )


def test_f104_efa_is_proven_by_counters_and_its_lack_stops_a_node(stack: Stack) -> None:
    user_data = file_system(stack, **EFA).user_data(efa=True, instance_type="p5.48xlarge")
    script = script_of(launched(stack, user_data))
    assert 'if [ "$(efa_interfaces)" -lt 8 ]; then\n  die ' in script
    assert "x-systemd.after=configure-efa-fsx-lustre-client.service" in script
    assert "send_count" in script_text(Script.EFA_TRAFFIC)


def test_f105_a_job_whose_log_shows_sockets_is_told_apart() -> None:
    text = script_text(Script.NCCL_EFA)
    assert "NET/Socket" in text
    assert "selected provider is efa" in text


@pytest.mark.parametrize(
    ("os", "legal"),
    [(os, True) for os in ClientOs] + [("CENTOS_7", False)],
)
def test_f120_every_system_mounts_what_this_library_creates_or_is_refused(
    stack: Stack, os: ClientOs | str, legal: bool
) -> None:
    created = file_system(stack)
    if legal:
        assert "modprobe lustre" in created.user_data(os=os).render()
    else:
        with pytest.raises(ValueError, match=r"os must be .*, got 'CENTOS_7'"):
            created.user_data(os=os)


@pytest.mark.parametrize("tune", [True, False])
def test_f121_tuning_comes_with_the_mount_and_can_be_left_out(stack: Stack, tune: bool) -> None:
    script = file_system(stack).user_data(tune=tune).render()
    for setting in ("ptlrpcd_per_cpt_max=32", "ksocklnd credits=2560", "max_rpcs_in_flight=32", "lru_max_age=600000"):
        assert (setting in script) is tune


def test_f64_files_that_are_in_s3_only_are_brought_in_by_a_command(stack: Stack) -> None:
    PreloadDocument(stack, "Preload")
    Template.from_stack(stack).has_resource_properties(
        "AWS::SSM::Document",
        {
            "DocumentType": "Command",
            "Content": {
                "schemaVersion": "2.2",
                "parameters": {"path": Match.object_like({"default": "/fsx"}), "streams": Match.any_value()},
                "mainSteps": [Match.object_like({"action": "aws:runShellScript"})],
            },
        },
    )

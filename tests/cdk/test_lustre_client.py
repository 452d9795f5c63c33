import json
import re
import subprocess
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from aws_cdk.assertions import Annotations, Match, Template
from cfnlint import api
from cfnlint.config import ManualArgs

from epochwise import Plan
from epochwise.catalog.lustre_client_versions import ClientOs
from epochwise.cdk.file_system_alarms import FileSystemAlarms
from epochwise.cdk.lustre_client_documents import PreloadDocument, ReleaseDocument
from epochwise.cdk.training_dashboard import TrainingDashboard
from tests.cdk.watched import AnyFileSystem


def documents(stack: Stack) -> list[dict[str, Any]]:
    return [
        document["Properties"] for document in Template.from_stack(stack).find_resources("AWS::SSM::Document").values()
    ]


def test_the_command_is_the_one_that_aws_documents(stack: Stack) -> None:
    file_system = AnyFileSystem(stack)
    source = "fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com@tcp:/abcdefgh"
    assert file_system.mount_command() == f"mount -t lustre -o relatime,flock {source} /fsx"
    assert file_system.mount_command("/data", noatime=True, read_only=True).endswith(f"noatime,flock,ro {source} /data")
    assert file_system.fstab_line("/data").startswith(f"{source} /data lustre defaults,relatime,flock,_netdev,nofail,")
    with pytest.raises(ValueError, match=r"MOUNT_PATH_INVALID"):
        file_system.mount_command("data")


@pytest.mark.parametrize(
    ("file_system", "client", "finding"),
    [
        ({"lustre_version": "2.10"}, {}, "LUSTRE_CLIENT_VERSION_UNSUPPORTED"),
        ({"lustre_version": "2.12"}, {"os": ClientOs.RHEL_10}, "LUSTRE_CLIENT_VERSION_UNSUPPORTED"),
        ({"efa_enabled": True}, {"efa": True, "os": "AMAZON_LINUX_2"}, "EFA_CLIENT_OS_UNSUPPORTED"),
        ({"efa_enabled": False}, {"efa": True}, "EFA_MOUNT_NEEDS_EFA_FILE_SYSTEM"),
        ({"efa_enabled": True}, {"efa": True, "instance_type": "p4d.24xlarge"}, "EFA_CLIENT_INSTANCE_UNABLE"),
        ({}, {"instance_type": "p5.49xlarge"}, "INSTANCE_TYPE_UNKNOWN"),
        ({}, {"path": "/"}, "MOUNT_PATH_INVALID"),
        ({}, {"attempts": 0}, "MOUNT_ATTEMPTS_OUT_OF_RANGE"),
        ({}, {"os": "WINDOWS"}, "os must be AMAZON_LINUX_2023 or .*, got 'WINDOWS'"),
    ],
)
def test_f120_a_client_that_cannot_mount_is_refused(
    stack: Stack, file_system: dict[str, Any], client: dict[str, Any], finding: str
) -> None:
    with pytest.raises(ValueError, match=finding):
        AnyFileSystem(stack, **file_system).user_data(**client)


def test_an_efa_enabled_file_system_that_is_mounted_without_efa_is_warned_about(stack: Stack) -> None:
    AnyFileSystem(stack, efa_enabled=True).user_data()
    assert Annotations.from_stack(stack).find_warning("/test/FileSystem", Match.string_like_regexp("EFA_NOT_MOUNTED"))


def test_user_data_keeps_the_script_runs_it_and_fails_with_it(stack: Stack) -> None:
    text = AnyFileSystem(stack).user_data(path="/mnt/data").render()
    assert text.startswith("#!/bin/bash\n")
    assert text.endswith("\n/usr/local/sbin/mount-lustre-mnt:data || exit 1")
    subprocess.run(["bash", "-n"], input=text, text=True, check=True, capture_output=True)


def test_f34c_two_file_systems_are_mounted_by_one_instance(stack: Stack) -> None:
    user_data = ec2.UserData.for_linux()
    for name in ("one", "other"):
        AnyFileSystem(stack, name, file_system_id=f"fs-{name}").add_to_user_data(user_data, path=f"/{name}")
    text = user_data.render()
    files = re.findall(r"^cat >(/usr/local/sbin/mount-lustre-\S+)", text, re.MULTILINE)
    assert files == ["/usr/local/sbin/mount-lustre-one", "/usr/local/sbin/mount-lustre-other"]
    assert len(re.findall(r"attempt\" -lt 20 ", text)) == 2
    assert len(text) < 16 * 1024


def test_names_that_a_deploy_makes_stay_references(stack: Stack) -> None:
    file_system = AnyFileSystem(stack)
    file_system.dns_name = f"fs.fsx.{stack.region}.{stack.url_suffix}"
    rendered = json.dumps(stack.resolve(file_system.user_data().render()))
    assert '{"Ref": "AWS::Region"}' in rendered
    assert "Token[" not in rendered


@pytest.mark.parametrize("kind", [PreloadDocument, ReleaseDocument])
def test_a_document_is_of_schema_2_2_and_runs_bash_that_parses(stack: Stack, kind: Any) -> None:
    kind(stack, "Document", path="/fsx/train", streams=16)
    [document] = documents(stack)
    content = document["Content"]
    assert (document["DocumentType"], content["schemaVersion"]) == ("Command", "2.2")
    assert content["parameters"]["path"]["default"] == "/fsx/train"
    assert content["parameters"]["streams"]["default"] == "16"
    [step] = content["mainSteps"]
    assert step["action"] == "aws:runShellScript"
    lines = step["inputs"]["runCommand"]
    assert lines[0] == "#!/bin/bash"
    text = "\n".join(lines)
    asked = re.findall(r"\{\{ (\w+) \}\}", text)
    assert asked == list(content["parameters"])
    for name, parameter in content["parameters"].items():
        text = text.replace(f"{{{{ {name} }}}}", parameter["default"])
    subprocess.run(["bash", "-n"], input=text, text=True, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("parameter", "taken", "refused"),
    [
        ("path", ["/fsx", "/fsx/a-b/c.d_e"], ["fsx", "/", "/fsx/'; reboot '", "/fsx $(id)", "/fsx/..", "/fsx\n/etc"]),
        ("streams", ["1", "99", "256"], ["0", "257", "1 ; id", "", "-1"]),
    ],
)
def test_a_command_takes_no_parameter_that_a_shell_would_read_otherwise(
    stack: Stack, parameter: str, taken: list[str], refused: list[str]
) -> None:
    PreloadDocument(stack, "Document")
    pattern = documents(stack)[0]["Content"]["parameters"][parameter]["allowedPattern"]
    assert all(re.fullmatch(pattern, text) for text in taken)
    assert not [text for text in refused if re.fullmatch(pattern, text)]


@pytest.mark.parametrize(
    ("kind", "settings", "says"),
    [
        (PreloadDocument, {"streams": 0}, "streams must be 1 to 256, got 0"),
        (PreloadDocument, {"path": "fsx"}, "path must be absolute"),
        (ReleaseDocument, {"days": -1}, "days must be 0 to 9999, got -1; nearest legal: 0 .RELEASE_DAYS"),
        (ReleaseDocument, {"days": 10_000}, "got 10000; nearest legal: 9999 .RELEASE_DAYS_OUT_OF_RANGE"),
    ],
)
def test_a_document_with_settings_it_would_refuse_is_not_made(
    stack: Stack, kind: Any, settings: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        kind(stack, "Document", **settings)
    assert stack.node.try_find_child("Document") is None


def everything(app: App, plan: Plan) -> Stack:
    """Create two of everything that watches and uses a file system."""
    stack = Stack(app, "watch")
    topic = sns.Topic(stack, "Topic", master_key=kms.Key(stack, "Key", enable_key_rotation=True), enforce_ssl=True)
    for name in ("One", "Other"):
        file_system = AnyFileSystem(stack, name, file_system_id=f"fs-{name.lower()}")
        FileSystemAlarms(stack, f"{name}Alarms", file_system=file_system, plan=plan, topic=topic)
        TrainingDashboard(stack, f"{name}Dashboard", file_system=file_system, plan=plan)
        PreloadDocument(stack, f"{name}Preload", path=f"/{name}")
        ReleaseDocument(stack, f"{name}Release", path=f"/{name}")
    return stack


def test_two_of_everything_live_in_one_stack_without_a_fixed_name(new_app: Any, guide_plan: Plan) -> None:
    template = Template.from_stack(everything(new_app(), guide_plan))
    template.resource_count_is("AWS::SSM::Document", 4)
    template.resource_count_is("AWS::CloudWatch::Alarm", 10)
    template.resource_count_is("AWS::CloudWatch::Dashboard", 2)
    named = [
        name
        for resource in template.to_json()["Resources"].values()
        for name in ("Name", "AlarmName", "DashboardName", "TopicName")
        if name in resource.get("Properties", {})
    ]
    assert named == []


def test_cfn_lint_finds_nothing(new_app: Any, guide_plan: Plan) -> None:
    template = Template.from_stack(everything(new_app(), guide_plan)).to_json()
    matches = api.lint(json.dumps(template), config=ManualArgs(include_checks=["I"]))
    # CDK joins strings with Fn::Join, the library cannot make it use Fn::Sub
    assert [str(match) for match in matches if match.rule.id != "I1022"] == []


def test_f113_nag_finds_nothing(new_app: Any, guide_plan: Plan, tmp_path: Any) -> None:
    from tests.cdk.nag import nag

    app = new_app(outdir=str(tmp_path))
    everything(app, guide_plan)
    assert nag(app) == set()

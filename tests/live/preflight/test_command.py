"""`epochwise check` as a command: what it prints, what it refuses, and the commands that look by hand."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import botocore.session
import jmespath
import pytest
from botocore import xform_name

from epochwise.report.shell_lines import shell_lines
from tests.cli.command_line import ROOT, called, written
from tests.live.local_aws import assert_one_sentence, epochwise_live
from tests.live.preflight.account import USAGE, WORKLOAD, Account, linked
from tests.live.preflight.stacks import deployed, written_template
from tests.live.preflight.test_failures import furnished

OF_CLI = {"region", "query", "output", "max-items"}
"""Options that the CLI has for every call."""
SERVICES = {"s3api": "s3"}


def test_it_prints_each_check_with_the_command_that_looks_by_hand(account: Account, variables: dict[str, str]) -> None:
    account.allow(USAGE, 4)
    file = written(account.folder, **WORKLOAD)
    done = epochwise_live("check", file, variables=variables)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("small: 6 checks: 6 passed\n\n  account     123456789012, us-east-1\n")
    assert f"\n    epochwise plan {file}\n" in done.stdout
    assert "\n    aws ec2 describe-instance-type-offerings --region us-east-1 \\\n      --location-type" in done.stdout
    assert "a VPC that exists, its DNS, routes and free addresses: --vpc, --subnet" in done.stdout
    assert "\x1b" not in done.stdout


def test_it_ends_with_status_1_when_a_check_fails(account: Account, variables: dict[str, str]) -> None:
    done = epochwise_live("check", written(account.folder, **WORKLOAD), "--json", variables=variables)
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads(done.stdout)
    assert (document["workload"], document["account"], document["region"]) == ("small", "123456789012", "us-east-1")
    assert (document["passed"], document["failed"], document["skipped"]) == (5, 1, 0)
    assert [*document["checks"][0]] == ["id", "verdict", "said", "instead", "permission", "by_hand", "findings"]
    assert len(document["not_asked"]) == 4


def test_a_setting_counts_and_stands_in_the_command_of_the_plan(account: Account) -> None:
    looked = account.look("--set", "cluster.nodes=2")
    assert "2 needed" in looked.row("training-quota")["said"]
    assert looked.row("plan")["by_hand"][0].endswith(" --set cluster.nodes=2")


def test_the_order_is_the_same_however_fast_each_answer_is(account: Account) -> None:
    changes, named = furnished(account)
    arguments = ["--vpc", named["vpc"], "--subnet", named["subnet"], "--file-system", named["file_system"]]
    arguments += ["--security-group", named["security_groups"][0], "--stack", "storage"]
    orders = {tuple(account.look(*arguments, changes=changes).verdicts) for _ in range(3)}
    assert orders == {
        (
            *("plan", "region", "zone", "instance-type", "training-quota", "training-plan", "file-system"),
            *("dns", "dns-servers", "addresses", "routes", "security-groups", "lustre-rules"),
            *("bucket", "objects", "bucket-payer", "bucket-events", "bucket-policy", "bucket-key", "bucket-key-policy"),
            *("stack", "template"),
        )
    }


def test_an_update_is_compared_with_the_stack(account: Account) -> None:
    deployed("storage")
    looked = account.look("--stack", "storage", "--template", written_template(account.folder, gib=2400))
    assert looked.verdicts["stack"] == "PASS"
    [diff] = looked.row("template")["by_hand"]
    assert diff == f"epochwise diff {account.folder}/new.template.json --deployed storage"
    assert "[UPDATE_SHRINKS]" in looked.row("template")["said"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--vpc", "vpc"], "--vpc must be an id such as vpc-0123456789abcdef0, got 'vpc'"),
        (["--subnet", "10.0.0.0/24"], "--subnet must be an id such as subnet-0123456789abcdef0, got '10.0.0.0/24'"),
        (["--security-group", "default"], "--security-group must be an id such as sg-0123456789abcdef0, got 'default'"),
        (["--subnet", "subnet-01234567", "--subnet", "subnet-76543210"], "[SUBNETS_NOT_ONE]"),
        ([f"--security-group=sg-0123456{digit}" for digit in range(6)], "[SECURITY_GROUPS_OUT_OF_RANGE]"),
        (["--file-system", "fsx"], "[FILE_SYSTEM_ID_INVALID]"),
        (["--template", "new.json"], "--template is compared with a deployed stack; name it with --stack"),
        (["--stack", "s", "--template", "absent.json"], "absent.json: cannot be read: No such file or directory"),
        (["--set", "cluster.nodes=0"], "cluster.nodes"),
        (["--set", "cluster"], "--set "),
    ],
)
def test_a_bad_call_is_refused_before_anything_is_asked(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = called("check", written(tmp_path, **WORKLOAD), *arguments, AWS_ENDPOINT_URL="http://127.0.0.1:9")
    assert said in assert_one_sentence(done)
    assert done.stdout == ""


def test_a_file_that_is_not_there_is_refused() -> None:
    assert "absent.yaml" in assert_one_sentence(called("check", "absent.yaml"))


def test_ctrl_c_ends_it_at_once_in_one_sentence(variables: dict[str, str], tmp_path: Path) -> None:
    """Calls under way are not waited for."""
    file = written(tmp_path, **WORKLOAD)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        process = subprocess.Popen(
            [sys.executable, "-c", "from epochwise.cli import main; main()", "check", str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **variables, "AWS_ENDPOINT_URL": address},
        )
        silent.settimeout(60)
        connection, _ = silent.accept()
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=20)
        connection.close()
    done = subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr.lstrip("\n"))
    assert assert_one_sentence(done, status=130) == f"{file}: interrupted; nothing was changed"
    assert stdout == ""


def test_the_help_names_every_option() -> None:
    done = called("check", "--help", COLUMNS="80")
    assert done.returncode == 0
    options = ["--stack", "--template", "--vpc", "--subnet", "--security-group", "--file-system", "--set", "--json"]
    assert [option for option in options if option not in done.stdout] == []
    assert "nothing is changed" in done.stdout


def commands_of(account: Account) -> list[str]:
    """Return every command of a preflight in which every check applies, once with what is planned and once without."""
    changes, named = furnished(account)
    arguments = ["--security-group", named["security_groups"][0], "--stack", "storage"]
    whole = account.look(
        *arguments, "--subnet", named["subnet"], "--file-system", named["file_system"], changes=changes
    )
    other = account.look("--vpc", named["vpc"], changes=linked() | {"file_system": {"storage_type": "HDD"}})
    rows = [*whole.document["checks"], *other.document["checks"]]
    assert all(row["by_hand"] for row in rows)
    return [command for row in rows for command in row["by_hand"]]


def calls_in(command: str) -> Iterator[list[str]]:
    """Yield the words of a command, and of those within it."""
    inner = re.search(r"\$\((?P<command>.*)\)", command)
    if inner:
        yield from calls_in(inner["command"])
        command = command.replace(inner[0], "inner")
    yield shlex.split(command)


def test_every_command_by_hand_is_one_that_the_aws_cli_has(account: Account) -> None:
    session = botocore.session.get_session()
    commands = [command for command in commands_of(account) if not command.startswith("epochwise ")]
    assert len(commands) > 30
    for command in commands:
        for aws, service, operation, *words in calls_in(command):
            assert aws == "aws"
            model = session.get_service_model(SERVICES.get(service, service))
            [name] = [each for each in model.operation_names if xform_name(each, "-") == operation]
            shape = model.operation_model(name).input_shape
            known = {xform_name(member, "-") for member in shape.members} if shape else set()
            options = [word.removeprefix("--") for word in words if word.startswith("--")]
            assert {*options} - known - OF_CLI == set(), command
            required = {xform_name(member, "-") for member in (shape.required_members if shape else [])}
            assert required <= {*options}, command
            if "query" in options:
                jmespath.compile(words[words.index("--query") + 1])


def test_every_command_by_hand_survives_its_lines_and_a_shell(account: Account) -> None:
    """Pasted in several lines, a shell sees the same words."""
    echo = 'aws() { printf \'%s\\n\' "$@"; }; epochwise() { aws "$@"; }; '
    for command in sorted({*commands_of(account)}):
        lines = shell_lines(command, indent=4)
        pasted, whole = (
            subprocess.run(["bash", "-c", echo + text], capture_output=True, text=True, check=True).stdout
            for text in ("\n".join(lines), command)
        )
        assert pasted == whole
        words = whole.splitlines()
        assert len(words) > 1

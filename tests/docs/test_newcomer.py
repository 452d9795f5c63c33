"""A newcomer's path: the README's commands in order, in a clean copy of the project, each output compared."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_readme import BLOCKS, ROOT, THE_DAY

SHELL = {"sh", "console", "text"}
"""Languages whose blocks hold commands; in the latter two they stand behind `$ `, with what they print below."""
AN_ACCOUNT = "asks an account"
NOT_RUN = {
    "make test": "runs this test",
    "make setup": "downloads from package registries; CI runs it before the tests, in a clean clone",
    "make templates": "as the next one, for each workload; tests/stacks/test_pipeline_templates.py makes them all",
    "epochwise check workloads/guide.yaml": f"{AN_ACCOUNT}; tests/live/preflight/test_readme.py compares what is shown",
    "epochwise measure s3://example-training-data/guide/ --write workloads/guide.yaml": (
        f"{AN_ACCOUNT}; tests/docs/test_live_examples.py compares what is shown"
    ),
    "epochwise refresh-prices --region us-east-1 --output prices.yaml": (
        f"{AN_ACCOUNT}; tests/live/test_refresh_prices.py"
    ),
    "epochwise plan workloads/guide.yaml --prices prices.yaml": "reads what the command before it writes",
    "epochwise refresh-catalog": f"{AN_ACCOUNT}; tests/live/test_refresh_catalog.py",
    "cdk bootstrap": f"{AN_ACCOUNT}; tests/deploy/test_guide_is_deployed.py",
    "cdk deploy --all --context workload=workloads/guide.yaml": f"{AN_ACCOUNT}; tests/deploy/test_guide_is_deployed.py",
    "epochwise launch workloads/guide.yaml --stack epochwise-guide-training --set cluster.nodes=2 --wait": (
        f"{AN_ACCOUNT}; tests/live/test_launch.py"
    ),
    "epochwise watch guide-0233ebaab84948be7a24c8db5189a5ab --once": f"{AN_ACCOUNT}; tests/live/watch/test_watch.py",
    "epochwise tune guide-1 --file workloads/guide.yaml": (
        f"{AN_ACCOUNT}; tests/docs/test_readme_tune.py compares what is shown"
    ),
    "cd dist/templates/llm-8b": "for the commands after it",
    "aws s3 cp . s3://our-releases/llm-8b/ --recursive": f"{AN_ACCOUNT}, with AWS's CLI",
    **{
        f"aws cloudformation deploy --stack-name epochwise-llm-8b-{part}": (
            f"{AN_ACCOUNT}, with AWS's CLI; tests/deploy/test_evaluator_is_deployed.py deploys such templates"
        )
        for part in ("network", "storage", "training")
    },
}
"""Beginnings of commands that are not rehearsed, and why."""
WRITTEN = {"cdk.out", "dist"}
"""What the commands leave in the project's folder, and .gitignore names."""


def commands() -> list[tuple[str, str | None]]:
    """Return every command of the README in order, with what it is shown to print, None where nothing is shown."""
    found: list[tuple[str, str | None]] = []
    for language, block in BLOCKS:
        whole = re.sub(r" \\\n *", " ", block)
        if language == "sh":
            found += [(line, None) for line in whole.splitlines()]
        elif language in SHELL:
            found += re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", whole, flags=re.MULTILINE)
    return found


def reason(command: str) -> str | None:
    """Return why a command is not rehearsed."""
    exact = NOT_RUN.get(command)
    return exact or next((why for start, why in NOT_RUN.items() if command.startswith(f"{start} --")), None)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Copy what git keeps, and what is new and not ignored; what `make setup` makes is linked."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    clone = tmp_path / "epochwise"
    for name in filter(None, files.split("\0")):
        if (ROOT / name).is_file() and not (ROOT / name).is_symlink():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, clone / name)
    (clone / ".venv").mkdir()
    for part in Path(sys.prefix).iterdir():
        if part.name != ".ready":
            (clone / ".venv" / part.name).symlink_to(part)
    (clone / "node_modules").symlink_to(ROOT / "node_modules")
    (clone / ".venv" / ".ready").touch()
    return clone


def test_the_readmes_commands_in_order_do_what_it_shows(clone: Path) -> None:
    before = {path.name for path in clone.iterdir()}
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MAKE"))}
    variables |= {
        "PATH": os.pathsep.join([str(clone / ".venv/bin"), str(clone / "node_modules/.bin"), os.environ["PATH"]]),
        # the copy's own code, wherever the environment has installed one from
        "PYTHONPATH": os.pathsep.join([str(clone / "constructs"), str(clone)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SOURCE_DATE_EPOCH": THE_DAY,
    }
    rehearsed = []
    for command, shown in commands():
        why = reason(command)
        if why is not None:
            print(f"not run: {command}: {why}")  # noqa: T201 - a newcomer's gaps are told
            continue
        done = subprocess.run(
            ["bash", "-c", command], capture_output=True, text=True, check=False, cwd=clone, env=variables, timeout=300
        )
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        assert shown is None or (done.stdout, done.stderr) == (shown, ""), command
        rehearsed.append(command)

    assert rehearsed[0] == "make synth"
    assert len([shown for command, shown in commands() if shown and command in rehearsed]) >= 2
    assert (clone / "cdk.out" / "epochwise-guide-training.template.json").is_file()
    assert {path.name for path in clone.iterdir()} - before == WRITTEN
    for file in ("README.md", "workloads/guide.yaml"):
        assert (clone / file).read_bytes() == (ROOT / file).read_bytes()


def test_each_command_that_is_not_rehearsed_is_in_the_readme_and_names_tests_that_exist() -> None:
    told = [command for command, _ in commands()]
    for start, why in NOT_RUN.items():
        assert any(command == start or command.startswith(f"{start} --") for command in told), start
        for file in re.findall(r"tests/\S+\.py", why):
            assert (ROOT / file).is_file(), file

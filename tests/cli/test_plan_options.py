"""`epochwise plan` with settings, prices and files: what it does, and how it refuses."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.command_line import GUIDE, NOON, ROOT, called, epochwise, written

FORM = "--set must be KEY=VALUE with a dotted KEY, such as epoch.target=60"


def choice_of(*arguments: str) -> dict[str, object]:
    """Return the choice that a plan of the guide prints as JSON."""
    done = called("plan", "--json", GUIDE, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    choice = json.loads(done.stdout)["choice"]
    assert isinstance(choice, dict)
    return choice


def refused(*arguments: str | Path, **environment: str) -> str:
    """Return the one line with which a call is refused: status 2, nothing else printed, no traceback."""
    done = called("plan", *arguments, **environment)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line


def test_a_setting_replaces_a_key_and_is_read_as_yaml() -> None:
    assert choice_of("--set", "epoch.target=60")["storage_capacity_gib"] == 9600
    assert choice_of("--set", "epoch.target=30 s", "--set", "epoch.target=60 s")["storage_capacity_gib"] == 9600
    pinned = choice_of("--set", "file_system.deployment_types=[SCRATCH_2]", "--set", "file_system.efa_enabled=false")
    assert pinned["deployment_type"] == "SCRATCH_2"
    assert choice_of("--set", "prices={PERSISTENT_2-SSD-500: 1000}")["per_unit_storage_throughput"] == 250


def test_settings_hold_for_every_file(tmp_path: Path) -> None:
    done = epochwise("plan", "--json", "--set", "name=both", GUIDE, written(tmp_path))
    assert [json.loads(line)["workload"] for line in done.stdout.splitlines()] == ["both", "both"]


def test_a_section_that_is_there_but_empty_is_made(tmp_path: Path) -> None:
    file = tmp_path / "workload.yaml"
    file.write_text((ROOT / GUIDE).read_text() + "file_system:\n")
    assert "file_system: " in refused(file)
    assert called("plan", file, "--set", "file_system.efa_enabled=false").returncode == 0


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("epoch.target", f"{FORM}, got 'epoch.target'"),
        ("=60", f"{FORM}, got '=60'"),
        ("epoch..target=60", f"{FORM}, got 'epoch..target=60'"),
        ("", f"{FORM}, got ''"),
        ("epoch.target=[", "--set epoch.target: the value is not YAML: "),
        ("epoch.target=2026-13-99", "--set epoch.target: the value is not YAML: "),
        ("name.first=x", "--set name.first: name holds 'guide', which has no keys"),
        ("dataset.size.unit=x", "--set dataset.size.unit: dataset.size holds '100 GB', which has no keys"),
    ],
)
def test_a_malformed_setting_is_told(setting: str, message: str) -> None:
    assert refused(GUIDE, "--set", setting).startswith(message)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("epoch.target=soon", f"{GUIDE}: epoch.target: must be a number of seconds"),
        ("epoch.traget=60", f"{GUIDE}: epoch.traget: unknown key, allowed here: target, count"),
        ("epoch.target=", f"{GUIDE}: epoch.target: must be a number of seconds"),
        ("checkpoint.keep=0", f"{GUIDE}: checkpoint."),
        ("nodes=3", f"{GUIDE}: nodes: unknown key"),
    ],
)
def test_a_mistake_of_a_setting_names_its_key(setting: str, message: str) -> None:
    done = called("plan", GUIDE, "--set", setting)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)


def test_prices_of_a_file_go_before_the_catalog(tmp_path: Path) -> None:
    row = {"region": "us-east-1", "item": "SCRATCH_2-SSD", "usd": 0.01, "unit": "GB-month", "date": "2026-10-01"}
    file = tmp_path / "prices.yaml"
    file.write_text(yaml.safe_dump({"rows": [row | {"source": "a contract", "verified": True}]}))
    assert choice_of("--prices", str(file))["monthly_usd"] == 168
    assert "2026-10-01 (8 days old); a contract" in " ".join(epochwise("plan", GUIDE, "--prices", file).stdout.split())


def test_a_bad_price_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text("rows: [{}]")
    done = epochwise("plan", GUIDE, "--prices", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{file}: rows.0.usd: is required and missing" in done.stderr
    assert "cannot be read" in refused(GUIDE, "--prices", tmp_path / "absent.yaml")


def test_a_picture_and_a_page_are_written_beside_what_is_printed(tmp_path: Path) -> None:
    picture, page = tmp_path / "plan.svg", tmp_path / "plan.html"
    done = epochwise("plan", GUIDE, "--plot", picture, "--html", page)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == epochwise("plan", GUIDE).stdout
    assert b"<svg" in picture.read_bytes()
    assert 'id="choice">PERSISTENT_2 4800 GiB at 500 MB/s/TiB<' in page.read_text()
    assert sorted(tmp_path.iterdir()) == [page, picture]


def test_an_infeasible_workload_is_drawn_as_well_and_ends_with_1(tmp_path: Path) -> None:
    picture = tmp_path / "plan.png"
    assert epochwise("plan", GUIDE, "--set", "epoch.target=0.01", "--plot", picture).returncode == 1
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("option", "name", "message"),
    [
        ("--plot", "plan.pdf", "a picture's name must end in .svg or .png, got "),
        ("--plot", "plan", "a picture's name must end in .svg or .png, got "),
        ("--plot", "absent/plan.svg", "cannot be written: No such file or directory"),
        ("--html", "absent/plan.html", "cannot be written: No such file or directory"),
        ("--html", ".", "cannot be written: "),
    ],
)
def test_a_file_that_cannot_be_written_is_told_and_nothing_is(
    tmp_path: Path, option: str, name: str, message: str
) -> None:
    assert message in refused(GUIDE, option, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--plot", "--html"])
def test_files_are_drawn_of_one_workload(tmp_path: Path, option: str) -> None:
    assert refused(GUIDE, GUIDE, option, tmp_path / "x.svg") == f"{option} takes one workload file, got 2"


def test_without_matplotlib_the_extra_is_named(tmp_path: Path) -> None:
    code = "import sys; sys.modules['matplotlib'] = None; from epochwise.cli import main; main()"
    for option in ("--plot", "--html"):
        done = subprocess.run(
            [sys.executable, "-c", code, "plan", GUIDE, option, str(tmp_path / "x.svg")],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "plots need matplotlib, which is not installed: pip install 'epochwise[plot]'\n"


def test_the_day_is_the_environments() -> None:
    assert "(1 day old)" in epochwise("plan", GUIDE, SOURCE_DATE_EPOCH="1783987200").stdout
    assert refused(GUIDE, SOURCE_DATE_EPOCH="soon").startswith("SOURCE_DATE_EPOCH must be a whole number of seconds")


def test_a_pipe_gets_plain_text_and_waits_for_neither_rich_nor_matplotlib() -> None:
    code = (
        "import sys; sys.argv = ['epochwise', 'plan', 'workloads/guide.yaml']\n"
        "from epochwise.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([name for name in ('rich', 'matplotlib', 'numpy') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == "[]\n"
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(("term", "coloured"), [("xterm-256color", True), ("dumb", False)])
def test_a_terminal_gets_colour_unless_it_is_dumb(term: str, coloured: bool) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": term, "COLUMNS": "80", "SOURCE_DATE_EPOCH": NOON}
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        [sys.executable, "-c", "from epochwise.cli import main; main()", "plan", GUIDE],
        stdout=theirs,
        cwd=ROOT,
        env=environment,
    ) as running:
        os.close(theirs)
        drawn = b""
        try:
            while chunk := os.read(ours, 4096):
                drawn += chunk
        except OSError:
            pass  # how a terminal of Linux ends
    os.close(ours)
    text = drawn.decode()
    assert running.returncode == 0
    assert ("\x1b[" in text) is coloured
    assert "PERSISTENT_2 4800 GiB at 500 MB/s/TiB, 1632.00 USD a month" in re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_stream_that_lacks_a_letter_gets_a_question_mark() -> None:
    done = epochwise("plan", GUIDE, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "on 4 ? ml.p4d.24xlarge" in done.stdout


def test_a_page_never_replaces_the_workload_file_or_what_is_no_file(tmp_path: Path) -> None:
    workload = tmp_path / "own.yaml"
    workload.write_bytes((ROOT / GUIDE).read_bytes())
    link, fifo = tmp_path / "link.yaml", tmp_path / "fifo"
    link.symlink_to(workload)
    os.mkfifo(fifo)
    for output in (workload, link, fifo):
        done = called("plan", workload, "--html", output)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
    assert workload.read_bytes() == (ROOT / GUIDE).read_bytes()
    assert fifo.is_fifo()


def test_output_that_has_nowhere_to_go_is_said_in_one_line() -> None:
    command = f"{sys.executable} -c 'from epochwise.cli import main; main()' plan {GUIDE} > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["cannot print: No space left on device"]

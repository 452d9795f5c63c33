"""The house stands as it is drawn."""

import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PURE_ROOMS = [
    "catalog",
    "declaration",
    "workload",
    "checks",
    "sizing",
    "training",
    "clients",
    "templates",
    "following",
    "tuning",
    "report",
]


def _python_files() -> list[Path]:
    """Return the project's own Python files."""
    folders = ["constructs", "stacks", "tests", "benchmarks", "docs", "examples"]
    return [ROOT / "app.py", *(file for folder in folders for file in (ROOT / folder).rglob("*.py"))]


def test_the_source_root_has_no_init_that_would_hide_pypis_constructs() -> None:
    assert not (ROOT / "constructs" / "__init__.py").exists()


def test_no_test_folder_is_a_package_or_called_constructs() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))
    assert "constructs" not in {folder.name for folder in (ROOT / "tests").rglob("*") if folder.is_dir()}


def test_constructs_is_pypis_and_epochwise_is_not_inside_it() -> None:
    code = "import constructs, epochwise, sys; print(constructs.__file__); print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    origin, *modules = done.stdout.splitlines()
    assert Path(origin) == Path(str(metadata.distribution("constructs").locate_file("constructs/__init__.py")))
    assert not [module for module in modules if module.startswith("constructs.epochwise")]


@pytest.mark.parametrize("room", PURE_ROOMS)
def test_a_pure_room_loads_neither_jsii_nor_boto3(room: str) -> None:
    modules = (
        ["epochwise.workload"]
        if room == "workload"
        else [
            f"epochwise.{room}.{file.stem}"
            for file in (ROOT / "constructs" / "epochwise" / room).glob("*.py")
            if file.stem != "__init__"
        ]
    )
    assert modules
    code = f"import sys, {', '.join(modules)}; print(*{{m.partition('.')[0] for m in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert not {"jsii", "aws_cdk", "constructs", "boto3", "botocore"} & set(done.stdout.split())


def test_importing_the_package_loads_no_room() -> None:
    code = "import sys, epochwise; print(*sorted(m for m in sys.modules if m.startswith('epochwise')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["epochwise"]


def test_every_public_name_loads_and_an_unknown_one_says_so() -> None:
    code = "import epochwise as e; [getattr(e, name) for name in e.__all__]; print(set(e.__all__) <= set(dir(e)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "True"
    import epochwise

    with pytest.raises(AttributeError, match="no attribute 'TrainingCluster'"):
        epochwise.TrainingCluster  # noqa: B018 - looking it up is the test


def test_no_module_is_over_400_lines() -> None:
    long = {str(file): lines for file in _python_files() if (lines := len(file.read_text().splitlines())) > 400}
    assert not long


def test_committed_files_name_no_registry_and_lock_files_have_no_addresses() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    hosts = ["pypi.org" + "/simple", "pythonhosted" + ".org", "registry.npmjs" + ".org", "deb.debian" + ".org"]
    for name in filter(None, tracked.split("\0")):
        file = ROOT / name
        if file.suffix in {".png", ".gz"} or not file.exists():
            continue
        text = file.read_text(encoding="utf-8")
        assert not [host for host in hosts if host in text], name
    assert '"resolved"' not in (ROOT / "package-lock.json").read_text()
    assert not (ROOT / "uv.lock").exists()

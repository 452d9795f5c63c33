"""Another team's app installs the built wheel, and synthesizes with the oldest and the newest aws-cdk-lib."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "vision_team"
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
[FLOOR] = [
    requirement.partition(">=")[2].partition(",")[0]
    for requirement in DECLARED["dependencies"]
    if requirement.startswith("aws-cdk-lib")
]
_MINOR = "Programming Language :: Python :: 3."
MINORS = [int(kind.removeprefix(_MINOR)) for kind in DECLARED["classifiers"] if kind.startswith(_MINOR)]
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))


def candidates(minor: int) -> Iterator[Path]:
    """Yield where a Python may be: on PATH, where pyenv leaves names that start nothing, and with pyenv itself."""
    found = shutil.which(f"python3.{minor}")
    yield from [] if found is None else [Path(found)]
    yield from sorted(PYENV.glob(f"versions/3.{minor}.*/bin/python"))


def starts(python: Path) -> bool:
    return subprocess.run([python, "-c", "import venv"], capture_output=True, check=False).returncode == 0


FOUND = {minor: python for minor in MINORS if (python := next(filter(starts, candidates(minor)), None)) is not None}
NEWEST = FOUND[max(FOUND)] if max(FOUND, default=0) > sys.version_info.minor else Path(sys.executable)
OTHERS = {minor: python for minor, python in FOUND.items() if python != NEWEST and minor != sys.version_info.minor}


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command outside the repository, where nothing of it is on the path."""
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "CDK_VALIDATION"}}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=EXAMPLE,
        env=environment | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    [built] = folder.glob("*.whl")
    return built


def new_python(python: Path, folder: Path, *, rest: bool) -> Path:
    """Make an environment with nothing in it; behind that, if asked for, is what is installed here but this project."""
    run(python, "-m", "venv", "--without-pip", folder)
    made = folder / "bin" / "python"
    if rest:
        [own] = folder.glob("lib/python3.*/site-packages")
        (own / "rest.pth").write_text(sysconfig.get_path("purelib"))
    return made


def install(python: Path, *what: str | Path) -> None:
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--ignore-installed", *what)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a Python that has the wheel, and every library that is installed here."""
    python = new_python(Path(sys.executable), tmp_path_factory.mktemp("installed"), rest=True)
    install(python, "--no-deps", wheel)
    return python


def resource_types(folder: Path) -> set[str]:
    """Return the types of the resources of the team's training stack."""
    template = json.loads((folder / "vision-training.template.json").read_text(encoding="utf-8"))
    return {resource["Type"] for resource in template["Resources"].values()}


def assert_synthesized(folder: Path) -> None:
    assert resource_types(folder) >= {
        "AWS::FSx::FileSystem",
        "AWS::FSx::DataRepositoryAssociation",
        "AWS::StepFunctions::StateMachine",
        "AWS::Lambda::Function",
    }


def test_the_wheel_holds_the_library_and_its_data_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/", 1)[0] for name in names} == {"epochwise", f"epochwise-{DECLARED['version']}.dist-info"}
    assert "epochwise/py.typed" in names
    data = {str(file.relative_to(ROOT / "constructs")) for file in (ROOT / "constructs").rglob("catalog/data/*.json")}
    assert data
    assert data <= set(names)


def test_the_team_s_app_synthesizes_with_the_newest_cdk(installed: Path, tmp_path: Path) -> None:
    found = run(installed, "-c", "import epochwise; print(epochwise.__file__)").stdout
    assert Path(found).is_relative_to(installed.parents[1])
    run(installed, "app.py", CDK_OUTDIR=str(tmp_path))
    assert_synthesized(tmp_path)


def test_mypy_reads_the_wheel_s_types_in_the_team_s_app(installed: Path, tmp_path: Path) -> None:
    """Strictly, as the team's pyproject says."""
    cached = ROOT / ".mypy_cache"
    if cached.is_dir():  # aws_cdk alone takes a minute, and `make test` has just read it under these flags
        shutil.copytree(cached, tmp_path / "cache")
    mypy = (sys.executable, "-m", "mypy", "--warn-unreachable", "--cache-dir", tmp_path / "cache")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("from epochwise import plan\n\nplan(3)\n")
    assert "Success" in run(*mypy, "--python-executable", installed, "app.py").stdout
    with pytest.raises(AssertionError, match=r'incompatible type "int"; expected "Workload"'):
        run(*mypy, "--python-executable", installed, wrong)


def test_the_team_s_app_synthesizes_with_the_oldest_cdk_in_the_newest_python(wheel: Path, tmp_path: Path) -> None:
    python = new_python(NEWEST, tmp_path / "venv", rest=False)
    install(python, wheel, f"aws-cdk-lib=={FLOOR}")
    version = "import importlib.metadata as m; print(m.version('aws-cdk-lib'))"
    assert run(python, "-c", version).stdout.split() == [FLOOR]
    run(python, "app.py", CDK_OUTDIR=str(tmp_path / "out"))
    assert_synthesized(tmp_path / "out")


@pytest.mark.parametrize("minor", OTHERS)
def test_every_other_python_of_this_machine_plans(minor: int, wheel: Path, tmp_path: Path) -> None:
    python = new_python(OTHERS[minor], tmp_path / "venv", rest=True)
    install(python, "--no-deps", wheel)
    install(python, "pydantic", "pyyaml")  # the two that are compiled for one Python
    planned = run(python.with_name("epochwise"), "plan", ROOT / "workloads" / "guide.yaml", PYTHONDONTWRITEBYTECODE="1")
    assert "PERSISTENT_2" in planned.stdout

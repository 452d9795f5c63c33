"""Another team's app installs the built wheel, and synthesizes with the oldest and the newest aws-cdk-lib."""

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
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


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel alone into a folder that goes before what is installed here, and return the folder."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, wheel)
    return folder


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
    code = "import epochwise, aws_cdk; print(epochwise.__file__)"
    assert str(installed) in run(sys.executable, "-c", code, PYTHONPATH=str(installed)).stdout
    run(sys.executable, "app.py", PYTHONPATH=str(installed), CDK_OUTDIR=str(tmp_path))
    assert_synthesized(tmp_path)


def test_the_team_s_app_synthesizes_with_the_oldest_cdk(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, f"aws-cdk-lib=={FLOOR}")
    assert run(
        python, "-c", "import aws_cdk, importlib.metadata as m; print(m.version('aws-cdk-lib'))"
    ).stdout.split() == [FLOOR]
    run(python, "app.py", CDK_OUTDIR=str(tmp_path / "out"))
    assert_synthesized(tmp_path / "out")

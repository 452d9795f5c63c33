"""Every workload of the repository in one app, as declared and as changed, deployed and destroyed by the real CLI."""

from dataclasses import dataclass
from pathlib import Path

import yaml

from epochwise import Choice, Workload, plan
from tests.deploy.account import Account
from tests.deploy.conftest import ROOT, Cdk
from tests.deploy.workload_changes import changed_document

FILES = sorted((ROOT / "workloads").glob("*.yaml"))
NAMES = [file.stem for file in FILES]
ASSETS = "assets"
"""Bucket of tests/deploy/workloads_app.py."""
PARTS = ("network", "storage", "training")
STATE_MACHINE = "AWS::StepFunctions::StateMachine"


@dataclass(frozen=True)
class Apps:
    """The files of all workloads before and after the change, and how their one app is run."""

    cdk: Cdk
    folder: Path

    def deploy(self, version: str) -> str:
        """Deploy all stacks of all workloads; returns the folder of their templates, which is an app too."""
        more = ("--all", "--require-approval", "never", "--method", "direct", "--concurrency", "4")
        app = ("--app", "python tests/deploy/workloads_app.py", "--context", f"workloads={self.folder / version}")
        done = self.cdk("deploy", *more, *app)
        return str(done.args[done.args.index("--output") + 1])

    def destroy(self, assembly: str, names: list[str]) -> None:
        """Destroy workloads' jobs and storage, and the networks that nothing is left in."""
        stacks = [stack(name, part) for name in names for part in ("storage", "training")]
        stacks += [stack(name, "network") for name in names if not self.persists(name)]
        self.cdk("destroy", *stacks, "--force", "--app", assembly)

    def workload(self, name: str, version: str) -> Workload:
        """Return a workload as it is declared."""
        return Workload.from_file(self.folder / version / f"{name}.yaml")

    def choice(self, name: str, version: str) -> Choice:
        """Return what is planned for a workload."""
        choice = plan(self.workload(name, version)).choice
        assert choice is not None
        return choice

    def persists(self, name: str) -> bool:
        """Tell whether a workload's file system outlives its stack."""
        return not self.choice(name, "after").deployment_type.is_scratch


def stack(name: str, part: str) -> str:
    """Return the name of a workload's stack."""
    return f"epochwise-{name}-{part}"


def machine(account: Account, name: str) -> str:
    """Return the state machine that trains, not the one that stops jobs."""
    [found] = [each for each in account.ids(stack(name, "training"), STATE_MACHINE) if "Stopper" not in each]
    return found


def write_files(folder: Path) -> None:
    """Write every workload as it is, and with one more node, a larger file system and one more rule."""
    for version in ("before", "after"):
        (folder / version).mkdir()
    for file in FILES:
        document = yaml.safe_load(file.read_text(encoding="utf-8"))
        (folder / "before" / file.name).write_text(yaml.safe_dump(document), encoding="utf-8")
        (folder / "after" / file.name).write_text(yaml.safe_dump(changed_document(document)), encoding="utf-8")

"""Every workload that ships is planned and synthesized, and passes every pack of cdk-nag."""

from collections.abc import Callable
from pathlib import Path

import pytest
from aws_cdk import App
from constructs import IConstruct

from epochwise import Workload, plan
from epochwise.cdk.acknowledgements import Pack
from tests.cdk.jobs import changed
from tests.cdk.nag import nag

ROOT = Path(__file__).parents[2]
WORKLOADS = sorted((ROOT / "workloads").glob("*.yaml"))


def built(workload: Workload, app: App) -> App:
    """Create the stacks of a workload."""
    from stacks.deployment import create_stacks

    create_stacks(app, plan(workload))
    return app


def acting(guide: Workload) -> Workload:
    """Return the guide with a rule that acts by itself."""
    rules = [{"Overfit": {"actions": ["stop_training", {"email": "name@example.com"}]}}]
    return changed(guide, watch={"rules": rules, "using": ["debugger"]})


@pytest.mark.parametrize("file", WORKLOADS, ids=lambda file: file.stem)
def test_f113_no_pack_finds_anything_that_is_not_acknowledged(
    file: Path, new_app: Callable[..., App], tmp_path: Path
) -> None:
    assert nag(built(Workload.from_file(file), new_app(outdir=str(tmp_path)))) == set()


def test_f116_each_acknowledgement_matches_a_finding_and_each_finding_one(
    new_app: Callable[..., App], guide: Workload, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workloads = {
        "guide": guide,
        "acting": acting(guide),
        "unet3d": Workload.from_file(ROOT / "workloads" / "unet3d.yaml"),
        "nccl": changed(guide, watch={"rules": ["NcclWithoutEfa"], "using": ["cloudwatch"]}),
    }
    acknowledged: list[tuple[str, str]] = []

    def record(construct: IConstruct, rule: str, reason: str, *packs: Pack) -> None:
        assert len(reason) > 20
        acknowledged.extend((f"{pack}-{rule}", construct.node.path) for pack in packs or [Pack.SOLUTIONS])

    for room in (
        "acknowledgements",
        "security_group_rules",
        "training_vpc",
        "job_evaluator",
        "job_storage",
        "job_abort",
    ):
        monkeypatch.setattr(f"epochwise.cdk.{room}.acknowledge", record)
    found = {
        finding
        for name, workload in workloads.items()
        for finding in nag(built(workload, new_app(outdir=str(tmp_path / name))))
    }
    for rule, path in acknowledged:
        assert any(rule == other and _is_at(path, where) for other, where in found), (rule, path)
    for rule, where in found:
        assert any(rule == other and _is_at(path, where) for other, path in acknowledged), (rule, where)
    assert {rule.partition("-")[0] for rule, _ in found} == set(Pack)


def _is_at(acknowledged: str, found: str) -> bool:
    """Tell whether a finding is at a construct, or at a part of it."""
    return found == acknowledged or found.startswith(f"{acknowledged}/")


def test_the_same_bytes_cost_less_in_fewer_files() -> None:
    files, shards = (
        plan(Workload.from_file(ROOT / "workloads" / f"resnet50-{kind}.yaml")) for kind in ("files", "shards")
    )
    assert files.workload.dataset.size == shards.workload.dataset.size
    assert files.choice is not None
    assert shards.choice is not None
    assert shards.choice.monthly_usd < files.choice.monthly_usd


def test_the_tiny_one_is_told_that_it_needs_no_file_system() -> None:
    [workload] = [file for file in WORKLOADS if file.stem == "tiny"]
    assert "S3_IS_ENOUGH" in {finding.id for finding in plan(Workload.from_file(workload)).findings}


@pytest.mark.parametrize("file", WORKLOADS, ids=lambda file: file.stem)
def test_each_workload_says_why_it_is_declared_so(file: Path) -> None:
    comment = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    assert len(comment) >= 2
    planned = plan(Workload.from_file(file))
    assert planned.choice is not None
    assert planned.workload.name == file.stem

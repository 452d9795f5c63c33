"""What people wrote for the site names what exists, and marks that stand for nothing are refused."""

import re
from pathlib import Path

import pytest
from mkdocs.exceptions import PluginError

from docs.hooks import PARTS, filled, linked
from docs.made.published_figure import Figure
from docs.made.published_figures import every_figure
from epochwise import Workload, plan
from epochwise.catalog.fsx_lustre import DeploymentType
from epochwise.checks.registry import every_check

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "pages").rglob("*.md"))
WORDS = {*DeploymentType, "ALL_REDUCE", "FI_PROVIDER", "NCCL_DEBUG", "SOME_ID"}
"""In capitals, and no id of a check."""
TEXTS = {page.name: page.read_text(encoding="utf-8") for page in PAGES}


@pytest.mark.parametrize("page", TEXTS)
def test_each_id_on_a_written_page_is_one_of_a_check(page: str) -> None:
    named = set(re.findall(r"`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`", TEXTS[page]))
    assert named - {check.id for check in every_check()} - WORDS == set()


def test_each_part_that_is_made_is_shown() -> None:
    assert set(re.findall(r"<!-- made: (\w+) -->", "".join(TEXTS.values()))) == set(PARTS)


@pytest.mark.parametrize("text", re.split(r"^### ", TEXTS["troubleshooting.md"], flags=re.MULTILINE)[1:])
def test_each_symptom_has_a_cause_and_what_is_done_about_it(text: str) -> None:
    heading, _, body = text.partition("\n")
    assert len(heading) > 10
    assert "Source: " in body or re.search(r"`[A-Z_]+`", body), "name a source or a check"


@pytest.mark.parametrize(
    ("message", "says"),
    [
        pytest.param("Error 4126", "rules that name a security group", id="f15"),
        pytest.param("Creation fails", "Try again later, or take another zone", id="f34b"),
        pytest.param("resource sg-… has a dependent object", "interfaces are still in the group", id="f12"),
    ],
)
def test_f15_f34b_f12_what_no_template_prevents_is_explained(message: str, says: str) -> None:
    [entry] = re.findall(rf"^### {message}.*?(?=^##|\Z)", TEXTS["troubleshooting.md"], flags=re.MULTILINE | re.DOTALL)
    assert says in " ".join(entry.split())


@pytest.mark.parametrize("figure", every_figure(), ids=lambda figure: figure.setting)
def test_what_the_model_claims_of_a_published_figure_is_true(figure: Figure) -> None:
    assert figure.holds, f"{figure.predicted} beside {figure.published}"


@pytest.mark.parametrize(
    ("kind", "what"),
    [("made", "nothing"), ("run", "epochwise plan no-such-file.yaml"), ("readme", "No heading"), ("other", "prices")],
)
def test_a_mark_that_stands_for_nothing_fails_the_build(kind: str, what: str) -> None:
    with pytest.raises(PluginError, match=r"^page\.md: "):
        filled(kind, what, "page.md")


def test_the_guides_figures_in_the_prose_are_the_plans() -> None:
    planned = plan(Workload.from_file(ROOT / "workloads" / "guide.yaml"))
    assert planned.choice is not None
    delivery, prediction = planned.choice.delivery, planned.choice.prediction
    smallest = next(each.candidate for each in planned.rejected if each.candidate.label == "SCRATCH_2 1200 GiB")
    model = " ".join(TEXTS["model.md"].split())
    assert f"{delivery.disk_read:.0f} MB/s from disk, {delivery.ram_bytes / 1e9:.1f} GB of RAM" in model
    assert f"answers {100 * prediction.hit_share:.0f} % of the reads" in model
    assert f"lifts the disks to {prediction.ceilings.disk:.0f} MB/s" in model
    assert f"needs {smallest.epoch_s.steady:.0f} s" in TEXTS["plan.md"]
    assert f"need {planned.demand.capacity_gib:.0f} GiB" in TEXTS["cost.md"]
    assert f"makes it {planned.choice.storage_capacity_gib}" in TEXTS["cost.md"]


def test_an_id_is_linked_outside_code_only() -> None:
    text = "`BIGGER_TIER` and `SCRATCH_2`\n```text\n`BIGGER_TIER`\n```\n"
    assert linked(text, "workloads/guide.md") == (
        "[`BIGGER_TIER`](../reference/checks.md#bigger-tier) and `SCRATCH_2`\n```text\n`BIGGER_TIER`\n```\n"
    )

"""Families that are out are named together where they have the same reason."""

from epochwise.report.families import families_out
from epochwise.report.plan_remarks import nearest_rejected
from tests.report.plans import planned


def told(**changes: object) -> dict[str, str]:
    """Return what is said of the families that are out, by their names."""
    return {remark.text: remark.head for remark in families_out(planned(**changes)).items}


def test_families_with_the_same_reason_share_a_line() -> None:
    lines = told(file_system={"deployment_types": ["SCRATCH_2"]})
    assert list(lines) == ["the pins in file_system exclude it"]
    (names,) = lines.values()
    assert "PERSISTENT_2 at 125, 250, 500 or 1000 MB/s/TiB with or without EFA" in names
    assert "PERSISTENT_1 HDD at 12 or 40 MB/s/TiB with SSD read cache" in names


def test_a_reason_that_names_its_family_stands_alone() -> None:
    lines = told()
    assert lines["PERSISTENT_1 is considered only where pinned, or where the Region lacks PERSISTENT_2"] == ""
    assert lines["HDD is considered only where file_system.storage_type pins it"] == ""


def test_a_family_that_was_looked_at_is_named_by_its_nearest_file_system() -> None:
    lines = told(dataset={"size": "100 TB"})
    reason = "holds 90240 GiB, dataset and checkpoints with headroom need 102445 GiB"
    assert lines[reason] == "PERSISTENT_2 96000 GiB at 250 or 500 MB/s/TiB with EFA"


def test_every_family_without_a_feasible_file_system_is_told_once() -> None:
    plan = planned()
    assert sum(len(remark.text) > 0 for remark in families_out(plan).items) == len(
        {verdict.reason for verdict in plan.families}
    )


def test_the_nearest_rejected_are_cheaper_and_not_told_elsewhere() -> None:
    plan = planned()
    nearest = nearest_rejected(plan)
    assert plan.choice is not None
    assert len({refusal.candidate.family for refusal in nearest}) == len(nearest) > 1
    assert all(refusal.candidate.monthly_usd <= plan.choice.monthly_usd for refusal in nearest)
    assert not {refusal.candidate for refusal in nearest} & {shown.candidate for shown in plan.alternatives}
    assert [refusal.miss for refusal in nearest] == sorted(refusal.miss for refusal in nearest)
    assert nearest_rejected(planned(dataset={"size": "100 TB"})) == []

"""What a plan says, and that it fits 80 columns."""

from datetime import date, timedelta

import pytest

from epochwise.catalog.prices import Price, catalog_prices
from epochwise.report.plan_text import headline, plan_text
from tests.report.plans import TODAY, cases, planned

CASES = cases()


def text_of(case: str) -> str:
    """Return the text of a case, its lines joined by single spaces."""
    return " ".join(plan_text(CASES[case], TODAY).split())


@pytest.mark.parametrize("case", CASES)
def test_a_plan_fits_80_columns_and_is_nothing_but_text(case: str) -> None:
    text = plan_text(CASES[case], TODAY)
    assert max(map(len, text.splitlines())) <= 80
    assert not any(line.endswith(" ") for line in text.splitlines())
    assert set(text) <= set(map(chr, range(32, 127))) | {"\n", "×"}


def test_no_line_ends_between_a_number_and_its_unit() -> None:
    for case in CASES:
        for line in plan_text(CASES[case], TODAY).splitlines():
            assert not line.strip().startswith(("MB/s", "GiB ", "s an epoch", "USD"))


def test_the_guide_says_everything_that_its_plan_holds() -> None:
    text = text_of("guide")
    for words in (
        "guide: PERSISTENT_2 4800 GiB at 500 MB/s/TiB, 1632.00 USD a month",
        "3333 MB/s: 100 GB in 30 s on 4 × ml.p4d.24xlarge; at least 109 GiB",
        "27.2 s an epoch, bound by disk (3671 MB/s); the servers' RAM answers 35% of the reads",
        "cold 41.7 s (assumed), without cache 41.7 s",
        "preload 41.7 s for the linked data before the first epoch (assumed)",
        "3 addresses in the subnet; 6000 metadata IOPS (AUTOMATIC)",
        "90 epochs take 0.685 h: file system 1.53 USD; the cluster is not priced",
        "disk (binds) 3671 MB/s 3333 MB/s 91%",
        "hydration (assumed) 2400 MB/s",
        "next cheaper; misses: client gives 2500 MB/s: 40 s an epoch, allowed 30 s",
        "next faster",
        "cheapest with EFA",
        "cheapest at 250 MB/s/TiB",
        "SCRATCH_2 9600 GiB (1344.00 USD): network gives 1920 MB/s: 52.1 s an epoch, allowed 30 s",
        "PERSISTENT_2 Intelligent-Tiering with or without EFA: it cannot be linked to S3",
        "info HYDRATION_ASSUMED: ",
        "PERSISTENT_2-SSD-500: 0.34 USD per GB-month, us-east-1, 2026-07-13 (88 days old), unverified",
        "accelerators where cluster.price_per_node_hour is not declared; NAT gateway",
    ):
        assert words in text
    assert "waiting" not in text
    assert "burst" not in text


def test_a_priced_cluster_shows_what_waiting_costs_on_a_line_of_its_own() -> None:
    plan = CASES["files and checkpoints"]
    assert plan.choice is not None
    campaign = plan.campaign(plan.choice)
    text = text_of("files and checkpoints")
    assert f"cluster {campaign.cluster_usd:.2f} USD, together {campaign.usd:.2f} USD" in text
    assert f"waiting {campaign.waiting_usd:.2f} USD of that pay for accelerators that wait for data" in text
    assert "accelerators where" not in text
    assert "14235 file opens a second; 333 MB/s of checkpoints" in text
    assert "at burst rates 80 s (not relied on)" in text


def test_intelligent_tiering_has_a_quota_of_throughput_and_a_read_cache() -> None:
    text = text_of("Intelligent-Tiering")
    assert "20490 GiB of SSD read cache" in text
    assert "quota 100000 MB/s 4000 MB/s 4%" in text
    assert "which may take 10% longer" in text
    assert "1 epoch takes" in text


def test_an_infeasible_plan_begins_with_what_stands_in_the_way() -> None:
    text = text_of("infeasible")
    assert text.startswith("guide: no legal file system is feasible")
    assert headline(CASES["infeasible"]) == "no legal file system is feasible"
    assert text.index("error NOTHING_FEASIBLE") < text.index("families that are out")
    assert "PERSISTENT_2 100800 GiB at 125, 250, 500 or 1000 MB/s/TiB" in text
    assert "not in the estimate" not in text
    assert "ceilings" not in text


def test_the_cheapest_campaign_shows_campaigns_and_asks_for_no_epoch() -> None:
    text = text_of("cheapest campaign")
    assert "939.45 USD the campaign" in text
    assert "a target that cheapest-campaign ignores" in text
    assert "USD/month USD/campaign steady bound by" in text
    assert "for the 48 h that it lives" in text
    assert "compute (binds) 6667 MB/s metadata" in text


def test_a_plan_bound_by_metadata_counts_opens() -> None:
    plan = planned(dataset={"size": "1 GB", "files": 2_000_000}, epoch={"target": "60 s"})
    assert plan.choice is not None
    assert plan.choice.binding == "metadata"
    assert "bound by metadata (48000 opens/s)" in " ".join(plan_text(plan, TODAY).split())


@pytest.mark.parametrize(
    ("day", "told"),
    [
        (date(2026, 7, 13), "(0 days old)"),
        (date(2026, 7, 14), "(1 day old)"),
        (date(2026, 7, 15), "(2 days old)"),
        (date(2026, 7, 12), "(in the future)"),
    ],
)
def test_prices_tell_their_age(day: date, told: str) -> None:
    assert f"2026-07-13 {told}" in " ".join(plan_text(CASES["guide"], day).split())


def test_a_declared_price_has_no_age_and_a_verified_one_is_not_called_unverified() -> None:
    verified = Price("us-east-1", "METADATA-IOPS", 0.05, "IOPS-month", "2026-10-01", "AWS", verified=True)
    plan = planned(catalog_prices().overridden_by([verified]), prices={"PERSISTENT_2-SSD-500": 0.3})
    text = " ".join(plan_text(plan, TODAY).split())
    assert "0.3 USD per GB-month, us-east-1, declared, unverified; the workload file" in text
    assert "0.05 USD per IOPS-month, us-east-1, 2026-10-01 (8 days old); AWS" in text


def test_the_same_plan_reads_the_same_twice() -> None:
    assert plan_text(planned(), TODAY) == plan_text(planned(), TODAY)
    assert plan_text(planned(), TODAY) != plan_text(planned(), TODAY + timedelta(days=1))


def test_prices_of_another_region_are_told() -> None:
    assert "PRICE_OF_ANOTHER_REGION" in plan_text(planned(region="eu-central-1"), TODAY)

"""What people who lost data or paid too much ran into, and what is true of this library; each test names its row."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, RemovalPolicy, Stack
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Template

from epochwise import Plan, Workload, plan
from epochwise.catalog.prices import price_items
from epochwise.catalog.replacement import FILE_SYSTEM
from tests.cdk.file_systems import LINK, PERSISTENT_2, RULES, SCRATCH_2, build, summary


@pytest.mark.parametrize(
    ("settings", "removal_policy", "context", "policy"),
    [
        (PERSISTENT_2, None, {}, "Retain"),
        (PERSISTENT_2, RemovalPolicy.DESTROY, {}, "Retain"),
        (PERSISTENT_2, None, {"epochwise:allow-destroy": True}, "Retain"),
        (PERSISTENT_2, RemovalPolicy.DESTROY, {"epochwise:allow-destroy": True}, "Delete"),
        (SCRATCH_2, None, {}, "Delete"),
        (SCRATCH_2, RemovalPolicy.RETAIN, {}, "Retain"),
    ],
)
def test_f71_f72_data_is_deleted_only_with_both_keys(
    new_app: Callable[..., App],
    settings: dict[str, Any],
    removal_policy: RemovalPolicy | None,
    context: dict[str, Any],
    policy: str,
) -> None:
    stack = Stack(new_app(**context), "test")
    build(stack, **settings, removal_policy=removal_policy).link_bucket(
        s3.Bucket.from_bucket_name(stack, "Bucket", "example-data")
    )
    template = Template.from_stack(stack)
    for kind in (FILE_SYSTEM, LINK, *RULES):
        template.all_resources(kind, {"DeletionPolicy": policy, "UpdateReplacePolicy": policy})


def test_f73_the_template_says_what_a_month_costs(stack: Stack, guide_plan: Plan) -> None:
    choice = guide_plan.choice
    assert choice is not None
    assert f"about {choice.monthly_usd:.0f} USD a month" in summary(stack, guide_plan)["why"]


def test_f75_the_template_says_what_is_not_in_the_estimate(stack: Stack, guide_plan: Plan) -> None:
    assert "transfer between zones and out of AWS" in summary(stack, guide_plan)["not_in_estimate"]


def test_f76_f77_every_price_that_is_used_has_its_date_and_whether_it_is_verified(
    stack: Stack, guide_plan: Plan
) -> None:
    prices = summary(stack, guide_plan)["prices"]
    assert prices
    for price in prices:
        assert price["date"].startswith("20")
        assert isinstance(price["verified"], bool)
        assert price["unit"]


def test_f77_prices_can_be_replaced_by_ones_own(guide: Workload) -> None:
    own = guide.model_dump(mode="json", exclude_none=True) | {"prices": dict.fromkeys(price_items(), 9.99)}
    prices = plan(Workload.model_validate(own)).prices
    assert {price.usd for price in prices} == {9.99}

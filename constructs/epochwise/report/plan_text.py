"""A plan as it is read: one content, whatever draws it."""

from datetime import date

from epochwise.report.content import Content, content
from epochwise.report.families import families_out
from epochwise.report.plain_text import plain_text
from epochwise.report.plan_facts import plan_facts
from epochwise.report.plan_remarks import (
    finding_remarks,
    not_in_estimate,
    price_remarks,
    rejected_remarks,
)
from epochwise.report.plan_tables import alternatives_table, ceilings_table
from epochwise.sizing.plan import Plan
from epochwise.workload import Objective


def plan_content(plan: Plan, today: date) -> Content:
    """Return what a plan says; `today` decides how old its prices are."""
    choice = plan.choice
    if choice is None:
        return content(
            plan.workload.name,
            "no legal file system is feasible",
            plan_facts(plan),
            finding_remarks(plan),
            families_out(plan),
            price_remarks(plan.prices, today),
            good=False,
        )
    return content(
        plan.workload.name,
        headline(plan),
        plan_facts(plan),
        ceilings_table(plan, choice),
        alternatives_table(plan),
        rejected_remarks(plan),
        families_out(plan),
        finding_remarks(plan),
        price_remarks(plan.prices, today),
        not_in_estimate(plan),
    )


def headline(plan: Plan) -> str:
    """Return the choice and its price in one line."""
    choice = plan.choice
    if choice is None:
        return "no legal file system is feasible"
    text = f"{choice.label}, {choice.monthly_usd:.2f} USD a month"
    if plan.workload.file_system.objective is Objective.CHEAPEST_CAMPAIGN:
        text += f"; {plan.campaign(choice).usd:.2f} USD the campaign"
    return text


def plan_text(plan: Plan, today: date) -> str:
    """Draw a plan as plain text in 80 columns."""
    return plain_text(plan_content(plan, today))

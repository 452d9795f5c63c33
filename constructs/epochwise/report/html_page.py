"""One page that holds a whole plan: no request leaves it."""

from collections.abc import Iterable
from datetime import date
from html import escape

from epochwise.declaration.quantity_text import seconds_text
from epochwise.report.content import Content
from epochwise.report.cost_figure import cost_picture
from epochwise.report.figures import inline_svg
from epochwise.report.html_blocks import block_html
from epochwise.report.plan_text import headline, plan_content
from epochwise.report.scaling_figure import scaling_picture
from epochwise.report.scaling_text import scaling_content
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.plan import Plan
from epochwise.sizing.scaling import Scaling
from epochwise.workload import Objective

_STYLE = """
:root { color-scheme: light; --ink: #1d2433; --faint: #5b6478; --line: #e2e6ee; --good: #0b7a4b; --bad: #b42318; }
* { box-sizing: border-box; }
body { margin: 0; background: #f5f7fa; color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Helvetica, Arial,
  "DejaVu Sans", sans-serif; }
main { max-width: 1040px; margin: 0 auto; padding: 32px 20px 64px; }
header, section, figure { background: #fff; border: 1px solid var(--line); border-radius: 10px; padding: 20px 24px;
  margin: 0 0 16px; }
header { border-top: 4px solid var(--good); }
header.bad { border-top-color: var(--bad); }
h1 { font-size: 15px; font-weight: 600; color: var(--faint); margin: 0; }
#choice { font-size: 26px; font-weight: 700; line-height: 1.25; margin: 2px 0 16px; }
h2 { font-size: 16px; margin: 0 0 10px; }
h2.part { margin: 32px 0 12px; font-size: 20px; }
.figures { display: flex; flex-wrap: wrap; gap: 12px 40px; margin: 0; }
.figures div { min-width: 120px; }
.figures dt { color: var(--faint); font-size: 13px; text-align: left; }
.figures dd { font-size: 20px; font-weight: 600; margin: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 20px; margin: 0; }
dl.figures { display: flex; }
dt { color: var(--faint); }
dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 0 6px 20px; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top;
  white-space: nowrap; }
th { color: var(--faint); font-weight: 500; font-size: 13px; }
th.words, td.words { text-align: left; white-space: normal; width: 55%; }
th:first-child, td:first-child { padding-left: 0; }
tr:last-child td { border-bottom: 0; }
tr.marked td { font-weight: 700; }
.note { color: var(--faint); font-size: 13px; font-weight: 400; }
td:last-child.words, th:last-child.words { width: auto; }
ul { list-style: none; margin: 0; padding: 0; }
li { padding: 7px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
li:last-child { border-bottom: 0; padding-bottom: 0; }
.level { display: inline-block; min-width: 64px; padding: 0 8px; border-radius: 99px; background: #e8edf7;
  font-size: 12px; text-align: center; }
.warning .level { background: #fdf0d5; }
.error .level { background: #fbdcd8; color: var(--bad); font-weight: 700; }
figure { overflow-x: auto; }
figure svg { display: block; width: 100%; min-width: 640px; height: auto; }
figcaption { color: var(--faint); font-size: 13px; margin-top: 8px; }
footer { color: var(--faint); font-size: 13px; }
@media print { body { background: #fff; } header, section, figure { break-inside: avoid; } }
"""


def html_page(plan: Plan, everything: Iterable[Candidate], scaling: Scaling, today: date) -> str:
    """Draw a plan, what a shorter epoch costs, and how the workload scales.

    Args:
        plan: what to show.
        everything: all candidates that the plan looked at.
        scaling: of the same workload.
        today: decides how old prices are.

    Raises:
        PlotExtraMissingError: matplotlib is not installed.
    """
    name = escape(plan.workload.name)
    cost = inline_svg(cost_picture(plan, everything), "USD a month against the steady epoch of every legal file system")
    scales = inline_svg(scaling_picture(scaling), "epoch and scaling efficiency against the number of nodes")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}: {escape(headline(plan))}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{_header(plan)}\n"
        f'<figure id="cost">{cost}<figcaption>Each mark is a legal file system; the dashed target is '
        f"{_target_text(plan)}.</figcaption></figure>\n"
        f"{_blocks(plan_content(plan, today))}\n"
        f'<h2 class="part">Strong scaling</h2>\n'
        f'<figure id="scaling">{scales}<figcaption>The same work on more nodes: where storage binds, nodes wait.'
        f"</figcaption></figure>\n"
        f"{_blocks(scaling_content(scaling))}\n"
        f"<footer>Sized by epochwise on {today.isoformat()}.</footer>\n"
        f"</main>\n</body>\n</html>\n"
    )


def _header(plan: Plan) -> str:
    """Draw the answer: the choice, what it costs, what binds it."""
    name, choice = escape(plan.workload.name), plan.choice
    if choice is None:
        return f'<header class="bad"><h1>{name}</h1><div id="choice">{escape(headline(plan))}</div></header>'
    campaign = plan.campaign(choice)
    figures = [
        ("USD a month", "monthly-usd", f"{choice.monthly_usd:.2f}"),
        ("steady epoch", "epoch", seconds_text(choice.epoch_s.steady)),
        (
            "target, ignored" if _ignores_target(plan) else "allowed",
            "allowed",
            seconds_text(plan.workload.epoch.limit_s),
        ),
        ("bound by", "binding", choice.binding),
        ("reads from RAM", "hit-share", f"{choice.prediction.hit_share:.0%}"),
        ("USD the campaign", "campaign-usd", f"{campaign.usd:.2f}"),
    ]
    drawn = "".join(f'<div><dt>{label}</dt><dd id="{key}">{escape(text)}</dd></div>' for label, key, text in figures)
    return (
        f'<header><h1>{name}</h1><div id="choice">{escape(choice.label)}</div><dl class="figures">{drawn}</dl></header>'
    )


def _ignores_target(plan: Plan) -> bool:
    """Tell whether the plan looks for the cheapest campaign, whatever its epochs."""
    return plan.workload.file_system.objective is Objective.CHEAPEST_CAMPAIGN


def _target_text(plan: Plan) -> str:
    """Say what the target in the picture means."""
    return "ignored: the cheapest campaign wins" if _ignores_target(plan) else "the longest epoch that is allowed"


def _blocks(report: Content) -> str:
    """Draw the blocks of a report."""
    return "\n".join(map(block_html, report.blocks))

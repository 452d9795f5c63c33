"""The stacks and what goes between them, drawn from their templates."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from matplotlib.patches import FancyBboxPatch

from docs.made.synthesized_stacks import SynthesizedStack, shown_plan, synthesized_stacks
from epochwise.report.figures import FAINT, GOOD, INK, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _GAP, _LINE = 3.1, 1.25, 0.235
"""Of a box, between boxes, and from line to line, in inches."""
_PLAIN = {"AWS::CloudFormation::CustomResource", "AWS::CDK::Metadata"}


def stacks_picture() -> bytes:
    """Draw each stack with its resources, what one imports from another, and what lies outside."""
    stacks = synthesized_stacks()
    lists = [resource_lines(stack) for stack in stacks]
    box_height = (max(map(len, lists)) + 1.6) * _LINE
    height = box_height + 2.6
    width = len(stacks) * _WIDTH + (len(stacks) - 1) * _GAP + 0.2

    def stacks_figure(figure: "Figure") -> None:
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(-0.1, width - 0.1), ylim=(0, height))
        axes.axis("off")
        top = height - 0.9
        for place, (stack, lines) in enumerate(zip(stacks, lists, strict=True)):
            _box(axes, (place * (_WIDTH + _GAP), top), box_height, stack.name, lines)
        for taker in range(len(stacks)):
            for giver in range(taker):
                _arrow(axes, giver, taker, imported(stacks[taker], stacks[giver]), top)
        _outside(axes, top - box_height)

    return drawn(stacks_figure, width=width, height=height)


def resource_lines(stack: SynthesizedStack) -> list[str]:
    """Return the kinds of resources of a stack with their numbers, as lines of text.

    The services stand in the order in which the template first names them.
    """
    counts = Counter(each["Type"] for each in stack.resources.values() if each["Type"] not in _PLAIN)
    return [
        f"{count} × {kind.removeprefix('AWS::').replace('::', ' ')}" if count > 1 else kind[5:].replace("::", " ")
        for kind, count in counts.items()
    ]


def imported(taker: SynthesizedStack, giver: SynthesizedStack) -> list[str]:
    """Return what a stack imports from another: kinds of resources, such as VPC, and attributes of one."""
    wanted = set(re.findall(rf'"{re.escape(giver.name)}:([^"]+)"', json.dumps(taker.template)))
    outputs = giver.template.get("Outputs", {})
    words = []
    for name, output in outputs.items():
        if name not in wanted:
            continue
        match output["Value"]:
            case {"Ref": resource}:
                words.append(_kind(giver, resource))
            case {"Fn::GetAtt": [resource, attribute]}:
                words.append(_kind(giver, resource) if attribute.endswith("Id") else attribute)
    return list(dict.fromkeys(words))


def _kind(stack: SynthesizedStack, logical_id: str) -> str:
    """Return the last word of a resource's type."""
    return str(stack.resources[logical_id]["Type"]).rpartition(":")[2]


def _box(axes: "Axes", corner: tuple[float, float], height: float, title: str, lines: Iterable[str]) -> None:
    """Draw one stack below its upper left corner."""
    left, top = corner
    _frame(axes, (left, top - height), height, facecolor="#f5f7fa")
    axes.text(left + 0.15, top - 0.75 * _LINE, title, va="center", weight="bold", color=INK)
    for place, line in enumerate(lines):
        axes.text(left + 0.15, top - (place + 2) * _LINE, line, va="center", fontsize=9, color=INK)


def _frame(axes: "Axes", corner: tuple[float, float], height: float, **style: Any) -> None:
    """Draw a frame above its lower left corner."""
    rounded = "round,pad=0,rounding_size=0.08"
    axes.add_patch(FancyBboxPatch(corner, _WIDTH, height, boxstyle=rounded, edgecolor=FAINT, **style))


def _arrow(axes: "Axes", giver: int, taker: int, words: list[str], top: float) -> None:
    """Draw what goes from one stack to another: beside it straight, over others above them."""
    step = _WIDTH + _GAP
    style = {"arrowstyle": "-|>", "color": GOOD, "lw": 1.4, "shrinkA": 0, "shrinkB": 0}
    if taker == giver + 1:
        start, end, height = giver * step + _WIDTH, taker * step, top - 2.2 * _LINE
        axes.annotate("", (end - 0.04, height), (start + 0.04, height), arrowprops=style)
        axes.text((start + end) / 2, height - 0.12, "\n".join(words), ha="center", va="top", fontsize=8, color=GOOD)
        return
    start, end, height = giver * step + _WIDTH / 2, taker * step + _WIDTH / 2, top + 0.45
    axes.plot([start, start, end], [top, height, height], color=GOOD, lw=1.4)
    axes.annotate("", (end, top + 0.03), (end, height), arrowprops=style)
    axes.text((start + end) / 2, height + 0.07, ", ".join(words), ha="center", va="bottom", fontsize=8, color=GOOD)


def _outside(axes: "Axes", bottom: float) -> None:
    """Draw what the stacks work with and do not make: the dataset and the job."""
    workload, step = shown_plan().workload, _WIDTH + _GAP
    outside = (
        (1, f"{workload.dataset.source}", "linked, import only", "-|>"),
        (2, f"training job: {workload.cluster.nodes} × {workload.cluster.instance_type}", "started and watched", "<|-"),
    )
    for place, words, relation, head in outside:
        left = place * step
        middle = left + _WIDTH / 2
        _frame(axes, (left, 0.25), 0.5, facecolor="white", linestyle="--")
        axes.text(middle, 0.5, words, ha="center", va="center", fontsize=8.5, color=INK)
        style = {"arrowstyle": head, "color": FAINT, "lw": 1.2, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (middle, bottom - 0.03), (middle, 0.78), arrowprops=style)
        axes.text(middle + 0.1, (bottom + 0.78) / 2, relation, va="center", fontsize=8, color=FAINT)

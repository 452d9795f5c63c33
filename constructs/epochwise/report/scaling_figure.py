"""How a workload scales on what is planned and on what is too small."""

from typing import TYPE_CHECKING

from epochwise.report.figures import BAD, FAINT, GOOD, drawn, plain_numbers
from epochwise.sizing.scaling import Run, Scaling

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def scaling_picture(scaling: Scaling, suffix: str = ".svg") -> bytes:
    """Draw epoch and efficiency against the number of nodes."""

    def scaling_figure(figure: "Figure") -> None:
        epochs, efficiency = figure.subplots(1, 2)
        nodes = [point.nodes for point in scaling.points]
        epochs.plot(nodes, [point.ideal_s for point in scaling.points], color=FAINT, linestyle="--", label="ideal")
        for label, colour, mark, runs in _series(scaling):
            epochs.plot(nodes, [run.epoch_s for run in runs], color=colour, marker=mark, label=label)
            efficiency.plot(nodes, [100 * run.efficiency for run in runs], color=colour, marker=mark)
        epochs.set(yscale="log", ylabel="steady epoch, seconds", title="epoch")
        plain_numbers(epochs, "y")
        efficiency.set(ylabel="ideal epoch over epoch, %", ylim=(0, 105), title="scaling efficiency")
        for axes in (epochs, efficiency):
            _nodes_axis(axes, nodes)
        figure.legend(loc="outside lower center", ncols=3, fontsize=9)

    return drawn(scaling_figure, width=9.5, height=4.2, suffix=suffix)


def _series(scaling: Scaling) -> list[tuple[str, str, str, list[Run]]]:
    """Return name, colour, mark and epochs of each file system."""
    chosen = [point.chosen for point in scaling.points if point.chosen is not None]
    choice = scaling.planned.choice
    planned = [] if choice is None else [(f"planned: {choice.label}", GOOD, "o", chosen)]
    against = [point.against for point in scaling.points]
    return [*planned, (f"compared: {scaling.against.label}", BAD, "s", against)]


def _nodes_axis(axes: "Axes", nodes: list[int]) -> None:
    """Put every number of nodes on a logarithmic axis."""
    from matplotlib.ticker import NullLocator

    axes.set(xscale="log", xlabel="nodes")
    axes.set_xticks(nodes, [str(count) for count in nodes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(visible=True)

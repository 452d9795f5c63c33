"""Strong scaling as it is read: the epochs on two file systems, and what each number of nodes would take."""

from epochwise.declaration.quantity_text import seconds_text
from epochwise.report.content import Content, Fact, Facts, Remark, Remarks, Row, Table, Tone, content
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.scaling import Run, Scaling


def scaling_content(scaling: Scaling) -> Content:
    """Return what a scaling says."""
    declared, choice = scaling.workload.cluster.nodes, scaling.planned.choice
    return content(
        scaling.workload.name,
        _headline(scaling),
        Facts((Fact("work", work_text(scaling)),)),
        _runs(
            scaling,
            "" if choice is None else f"planned for {declared} nodes: {_named(choice)}",
            [(point.nodes, point.ideal_s, point.chosen) for point in scaling.points],
        ),
        _runs(
            scaling,
            f"compared with: {_named(scaling.against)}",
            [(point.nodes, point.ideal_s, point.against) for point in scaling.points],
        ),
        planned_table(scaling),
        Remarks("notes", tuple(_notes(scaling))),
        good=choice is not None,
    )


def _headline(scaling: Scaling) -> str:
    """Return what is left of linear scaling on most nodes."""
    declared, last = scaling.workload.cluster.nodes, scaling.points[-1]
    against = f"{last.against.efficiency:.1%} on {scaling.against.label}"
    if last.chosen is None:
        return f"no legal file system is feasible for {declared} nodes; {last.nodes} keep {against} of linear scaling"
    chosen = f"{last.chosen.efficiency:.1%} of linear scaling on what is planned for {declared}"
    return f"{last.nodes} nodes keep {chosen}, {against}"


def work_text(scaling: Scaling) -> str:
    """Say what is shared by the nodes, and where its time comes from."""
    nodes = scaling.workload.cluster.nodes
    source = "epoch.compute" if scaling.compute_declared else "epoch.target, since epoch.compute is not declared"
    return (
        f"an epoch computes for {seconds_text(scaling.compute_s)} on {nodes} × "
        f"{scaling.workload.cluster.instance_type} ({source}), on n nodes for {nodes}/n of it"
    )


def _named(candidate: Candidate) -> str:
    """Name a file system with its price."""
    return f"{candidate.label}, {candidate.monthly_usd:.2f} USD a month"


def _runs(scaling: Scaling, title: str, runs: list[tuple[int, float, Run | None]]) -> Table:
    """Return epochs and efficiency on one file system, the declared number of nodes marked."""
    return Table(
        title,
        ("nodes", "ideal", "epoch", "efficiency", "bound by"),
        tuple(
            Row(
                (str(nodes), seconds_text(ideal_s), seconds_text(run.epoch_s), f"{run.efficiency:.1%}", run.binding),
                marked=nodes == scaling.workload.cluster.nodes,
            )
            for nodes, ideal_s, run in runs
            if run is not None
        ),
        wide=4,
    )


def planned_table(scaling: Scaling) -> Table:
    """Return the file system that each number of nodes would take."""
    return Table(
        "what would have to be planned for each number of nodes",
        ("nodes", "target", "file system", "USD/month", "epoch"),
        tuple(
            Row(
                (
                    str(point.nodes),
                    seconds_text(scaling.workload.epoch.target * scaling.workload.cluster.nodes / point.nodes),
                    "none feasible" if point.planned is None else point.planned.label,
                    "" if point.planned is None else f"{point.planned.monthly_usd:.2f}",
                    "" if point.planned is None else seconds_text(point.planned.epoch_s.steady),
                ),
                marked=point.nodes == scaling.workload.cluster.nodes,
            )
            for point in scaling.points
        ),
        wide=2,
    )


def _notes(scaling: Scaling) -> list[Remark]:
    """Say what the numbers leave out."""
    notes = [
        Remark(
            "",
            "an epoch is the steady one; efficiency is the ideal epoch over the epoch, and counts nothing but the wait "
            "for data: what nodes lose to each other is not in it",
        )
    ]
    if scaling.against_is_too_small:
        holds, needs = scaling.against.ceilings.capacity_gib, scaling.planned.demand.stored_gib
        notes.append(
            Remark(
                scaling.against.label,
                f"holds {holds:.0f} GiB, dataset and checkpoints with headroom need {needs:.0f} GiB: its epochs are "
                "those of its rates alone",
                Tone.WARNING,
            )
        )
    return notes

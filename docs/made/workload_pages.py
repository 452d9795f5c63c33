"""Each workload that ships: why it is declared so, the file, and its plan."""

import re
from pathlib import Path

from docs.made.command_line import ROOT, console
from docs.made.markdown import block, prose, table
from epochwise import Workload, plan
from epochwise.declaration.quantity_text import rate_text, seconds_text, size_text

WORKLOADS = ROOT / "workloads"


def workload_files() -> tuple[Path, ...]:
    """Return the files of `workloads/`, the guide's first."""
    return tuple(sorted(WORKLOADS.glob("*.yaml"), key=lambda file: (file.stem != "guide", file.stem)))


def workload_page(file: Path) -> str:
    """Write the page of one workload."""
    why, declared = comment_and_rest(file.read_text(encoding="utf-8"))
    name = f"workloads/{file.name}"
    return "\n\n".join(
        (
            f"# {file.stem}",
            prose(why),
            f"## {name}",
            block(declared, "yaml"),
            "## Its plan",
            console(f"epochwise plan {name}"),
        )
    )


def comment_and_rest(text: str) -> tuple[str, str]:
    r"""Split a file into the comment that opens it and what is declared.

    >>> comment_and_rest("# Why\n# so.\nname: a\n")
    ('Why so.', 'name: a\n')
    """
    opening = re.match(r"(#.*\n)*", text)
    comment = opening.group() if opening else ""
    return " ".join(line.lstrip("# ").strip() for line in comment.splitlines()), text[len(comment) :]


def workloads_table() -> str:
    """Write a table of all workloads with what is planned for them."""
    rows = []
    for file in workload_files():
        planned = plan(Workload.from_file(file))
        workload, choice, asked = planned.workload, planned.choice, planned.demand
        opens = "" if asked.opens_per_s is None else f"{rate_text(asked.opens_per_s)} opens/s"
        writes = f"{rate_text(asked.write_mbps)} MB/s written" if asked.write_mbps else ""
        rows.append(
            (
                f"[{file.stem}]({file.stem}.md)",
                f"{size_text(workload.dataset.size)} in {seconds_text(workload.epoch.target)}",
                f"{workload.cluster.nodes} × {workload.cluster.instance_type}",
                ", ".join(filter(None, (f"{rate_text(asked.read_mbps)} MB/s", opens, writes))),
                "nothing is feasible" if choice is None else choice.label,
                "" if choice is None else f"{choice.monthly_usd:.2f}",
                "" if choice is None else f"{seconds_text(choice.epoch_s.steady)}, {choice.binding}",
            )
        )
    heads = ("workload", "epoch", "nodes", "asks for", "planned", "USD a month", "steady epoch, bound by")
    return table(heads, rows, right=[5])

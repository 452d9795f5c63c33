"""Print what is measured, as ratios within one run: `make benchmark`.

Both sides of a ratio take turns. What takes less than a second counts with its fastest round, since whatever else the
machine does only ever adds time; a synth, whose node is quicker or slower by chance, with the median of the rounds'
ratios. A machine that is busy throughout blurs both, which is why the load stands above the table. Nothing is asserted;
a target missed is to be read in the table.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from epochwise import Workload, plan

ROOT = Path(__file__).resolve().parents[1]
GUIDE = "workloads/guide.yaml"
LARGER = 1000
PROCESS_ROUNDS = 40
SYNTH_ROUNDS = 20
POLICY_ROUNDS = 20
PLAN_ROUNDS = 200
REFERENCE_APP = ("reference app", "app.py")
PLAIN_APP = ("plain app", "benchmarks/plain_app.py")
ADDED_BY_CLI = {
    "aws:cdk:enable-path-metadata": True,
    "aws:cdk:enable-asset-metadata": True,
    "aws:cdk:version-reporting": True,
    "aws:cdk:bundling-stacks": ["**"],
    "@aws-cdk/core:failSynthOnValidationErrors": False,
    "workload": GUIDE,
}
"""Context that `cdk synth --context workload=workloads/guide.yaml` adds to what cdk.json holds."""
IGNORED_TYPE = "AWS::CDK::Metadata"
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""What measured processes get: Python keeps compiled modules, as it does for users, whatever this shell says."""


class BenchmarkError(Exception):
    """Why nothing can be measured."""


class Rounds(NamedTuple):
    """Seconds of two sides, round by round."""

    ours: list[float]
    other: list[float]

    @property
    def ratio_of_fastest(self) -> float:
        """How many times as long ours takes, each side at its fastest."""
        return min(self.ours) / min(self.other)

    @property
    def median_ratio(self) -> float:
        """The median of every round's own ratio."""
        return median(ours / other for ours, other in zip(self.ours, self.other, strict=True))


class Row(NamedTuple):
    """A line of the table."""

    what: str
    beside: str
    measured: str
    target: str
    taken_from: str


def in_turns(ours: Callable[[], object], other: Callable[[], object], rounds: int) -> Rounds:
    """Call two functions in turns, each first every other round, and time every call."""
    timed = Rounds([], [])
    sides = [(ours, timed.ours), (other, timed.other)]
    for _ in range(rounds):
        sides.reverse()
        for side, seconds in sides:
            start = time.perf_counter()
            side()
            seconds.append(time.perf_counter() - start)
    return timed


def run(command: list[str], accepted: tuple[int, ...] = (0,), **variables: str) -> None:
    """Run a command in the project's root to its end, unseen."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=ENVIRONMENT | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in accepted:
        raise BenchmarkError(f"{' '.join(command)} ended with status {done.returncode}: {done.stderr.strip()}")


def synth(*app: str, folder: Path, **variables: str) -> None:
    """Let an app write its templates to a folder, with the context that the CDK CLI passes for the guide."""
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"] | ADDED_BY_CLI
    told = {"CDK_OUTDIR": str(folder), "CDK_CONTEXT_JSON": json.dumps(context, separators=(",", ":"))}
    run([sys.executable, *app], (0,), **told, **variables)


def resource_types(folder: Path) -> Counter[str]:
    """Count the types of the resources in a folder's templates."""
    templates = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.template.json"))]
    kinds = (resource["Type"] for template in templates for resource in template["Resources"].values())
    return Counter(kind for kind in kinds if kind != IGNORED_TYPE)


def same_resource_types(folders: dict[tuple[str, str], Path]) -> Counter[str]:
    """Synthesize both apps once, which warms jsii's cache too, and return the types that both have.

    Raises:
        BenchmarkError: they differ, so that their times say nothing.
    """
    counted: dict[str, Counter[str]] = {}
    for (name, script), folder in folders.items():
        synth(script, folder=folder)
        counted[name] = resource_types(folder)
    ours, plain = counted[REFERENCE_APP[0]], counted[PLAIN_APP[0]]
    if ours != plain:
        differing = sorted(kind for kind in {*ours, *plain} if ours[kind] != plain[kind])
        told = ", ".join(f"{kind} {ours[kind]} and {plain[kind]}" for kind in differing)
        raise BenchmarkError(f"{REFERENCE_APP[0]} and {PLAIN_APP[0]} have different resources: {told}")
    return ours


def command_row() -> Row:
    """Measure the whole process of a plan beside what it cannot do without."""
    ours = [str(Path(sys.executable).with_name("epochwise")), "plan", GUIDE]
    other = [sys.executable, "-c", "import yaml, pydantic"]
    run(ours)
    run(other)
    timed = in_turns(lambda: run(ours), lambda: run(other), PROCESS_ROUNDS)
    return Row(
        f"epochwise plan {GUIDE}",
        'python -c "import yaml, pydantic"',
        f"{timed.ratio_of_fastest:.2f} ×",
        "at most 3 ×, under 0.5 s",
        f"fastest of {PROCESS_ROUNDS}: {min(timed.ours):.3f} s / {min(timed.other):.3f} s",
    )


def dataset_row() -> Row:
    """Measure the whole process of a plan for a dataset so much larger that the rest is equal."""
    ours = [str(Path(sys.executable).with_name("epochwise")), "plan", GUIDE]
    larger = [*ours, "--set", f"dataset.size={100 * LARGER} GB"]
    # nothing holds so much within the default quota, which the plan says with status 1
    timed = in_turns(lambda: run(larger, accepted=(0, 1)), lambda: run(ours), PROCESS_ROUNDS // 2)
    return Row(
        f"epochwise plan with {LARGER} × the dataset",
        "epochwise plan of the guide",
        f"{timed.ratio_of_fastest:.2f} ×",
        "near 1 ×",
        f"fastest of {PROCESS_ROUNDS // 2}",
    )


def synth_row() -> Row:
    """Measure the reference app beside the plain one."""
    with tempfile.TemporaryDirectory() as temporary:
        folders = {app: Path(temporary, app[0]) for app in (REFERENCE_APP, PLAIN_APP)}
        types = same_resource_types(folders)
        sys.stdout.write(f"both apps synthesize the same {types.total()} resources of {len(types)} types\n")
        sys.stdout.flush()
        timed = in_turns(
            lambda: synth(REFERENCE_APP[1], folder=folders[REFERENCE_APP]),
            lambda: synth(PLAIN_APP[1], folder=folders[PLAIN_APP]),
            SYNTH_ROUNDS,
        )
    return Row(
        "synth of the guide",
        "the same by hand in aws-cdk-lib",
        f"{timed.median_ratio:.2f} ×",
        "at most 1.10 ×",
        f"median of {SYNTH_ROUNDS}: {median(timed.ours):.2f} s / {median(timed.other):.2f} s",
    )


def policy_row() -> Row:
    """Measure the synth of an app that our rules judge beside the same app without them."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "benchmarks/policy_app.py"]
        run(command, CDK_OUTDIR=folder, JUDGED="1")
        timed = in_turns(
            lambda: run(command, CDK_OUTDIR=folder, JUDGED="1"), lambda: run(command, CDK_OUTDIR=folder), POLICY_ROUNDS
        )
    return Row(
        "synth of 300 plain resources with EpochwiseChecks",
        "the same without",
        f"{timed.median_ratio:.2f} ×",
        "under 1.10 ×",
        f"median of {POLICY_ROUNDS}: {median(timed.ours):.2f} s / {median(timed.other):.2f} s",
    )


def plan_rows() -> list[Row]:
    """Measure plans in this process: the guide, and the guide with a dataset so much larger that the rest is equal."""
    guide = Workload.from_file(ROOT / GUIDE)
    dataset = guide.dataset.model_copy(update={"size": guide.dataset.size * LARGER})
    larger = guide.model_copy(update={"dataset": dataset})
    timed = in_turns(lambda: plan(larger), lambda: plan(guide), PLAN_ROUNDS)
    rounds = f"fastest of {PLAN_ROUNDS}"
    return [
        Row("plans of the guide", "a second", f"{1 / min(timed.other):.0f}", "200 or more", rounds),
        Row(
            f"plan with {LARGER} × the dataset",
            "plan of the guide",
            f"{timed.ratio_of_fastest:.2f} ×",
            "near 1 ×",
            rounds,
        ),
    ]


def table(rows: list[Row]) -> str:
    """Return rows as plain text in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def main() -> int:
    """Measure and print; return 1 when something cannot be measured."""
    load = os.getloadavg()[0]
    sys.stdout.write(f"load average before: {load:.1f} on {os.cpu_count()} cores; above 1, measure again\n")
    try:
        rows = [
            Row("what", "beside what", "measured", "target", "taken from"),
            synth_row(),
            policy_row(),
            command_row(),
            dataset_row(),
            *plan_rows(),
        ]
    except BenchmarkError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"\n{table(rows)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

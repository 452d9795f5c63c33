"""Print how synth time and template size grow with the training environments of one app: part of `make benchmark`.

Ours and the same app by hand in aws-cdk-lib take turns. What one more environment costs is the slope between two sizes:
where it is the same from 1 to 10 as from 10 to 50, growth is linear. Nothing is asserted.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks import run
from benchmarks.run import BenchmarkError, Rounds, Row

SIZES = (1, 10, 50)
ROUNDS = 3


def synth(environments: int, folder: Path, *, by_hand: bool) -> None:
    """Let an app of so many environments write its templates to a folder."""
    plain = {"PLAIN": "1"} if by_hand else {}
    run.synth("-m", "benchmarks.scale_app", folder=folder, ENVIRONMENTS=str(environments), **plain)


def template_bytes(folder: Path) -> int:
    """Return the bytes of all templates in a folder."""
    return sum(file.stat().st_size for file in folder.glob("*.template.json"))


def measured(environments: int, folder: Path) -> tuple[Rounds, int, int]:
    """Return the rounds of both apps at one size, and the bytes of ours and of the one by hand.

    Raises:
        BenchmarkError: they have different resources, so that their times say nothing.
    """
    ours, plain = folder / f"ours-{environments}", folder / f"plain-{environments}"
    synth(environments, ours, by_hand=False)
    synth(environments, plain, by_hand=True)
    if run.resource_types(ours) != run.resource_types(plain):
        raise BenchmarkError(f"the apps of {environments} environments have different resources")
    timed = run.in_turns(
        lambda: synth(environments, ours, by_hand=False), lambda: synth(environments, plain, by_hand=True), ROUNDS
    )
    return timed, template_bytes(ours), template_bytes(plain)


def slope(values: dict[int, float], start: int, end: int) -> float:
    """Return what one more environment adds between two sizes."""
    return (values[end] - values[start]) / (end - start)


def growth(name: str, unit: str, ours: dict[int, float], plain: dict[int, float]) -> Row:
    """Say whether one more environment costs the same in a large app as in a small one."""
    small, middle, large = SIZES
    ratios = [slope(side, middle, large) / slope(side, small, middle) for side in (ours, plain)]
    added = slope(ours, middle, large)
    return Row(
        f"{name} that one more environment adds, {middle} to {large}",
        f"{small} to {middle}",
        f"{ratios[0]:.2f} × (by hand {ratios[1]:.2f} ×)",
        "near 1 ×: linear",
        f"{added:.3g} {unit} each",
    )


def rows() -> list[Row]:
    """Measure every size."""
    seconds: tuple[dict[int, float], dict[int, float]] = {}, {}
    kilobytes: tuple[dict[int, float], dict[int, float]] = {}, {}
    lines = []
    with tempfile.TemporaryDirectory() as temporary:
        for environments in SIZES:
            timed, *sizes = measured(environments, Path(temporary))
            for side, each, size in zip(range(2), timed, sizes, strict=True):
                seconds[side][environments] = median(each)
                kilobytes[side][environments] = size / 1000
            lines.append(
                Row(
                    f"synth of {environments} environments",
                    "the same by hand in aws-cdk-lib",
                    f"{timed.median_ratio:.2f} ×; templates {sizes[0] / sizes[1]:.2f} ×",
                    "",
                    f"median of {ROUNDS}: {median(timed.ours):.1f} s / {median(timed.other):.1f} s; "
                    f"{sizes[0] / 1000:.0f} kB / {sizes[1] / 1000:.0f} kB",
                )
            )
    return [*lines, growth("time", "s", *seconds), growth("size", "kB", *kilobytes)]


def main() -> int:
    """Measure and print; return 1 when nothing can be measured."""
    try:
        measured_rows = rows()
    except BenchmarkError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{run.table([Row('what', 'beside what', 'measured', 'target', 'taken from'), *measured_rows])}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

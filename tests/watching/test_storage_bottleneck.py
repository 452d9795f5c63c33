"""StorageBottleneck on either side of its thresholds, and the file system that it names."""

import pytest

from epochwise.watching.storage_bottleneck import Rung, StorageBottleneck, judge
from tests.watching.series import Values, job

CEILING = 2400.0
LADDER = (Rung(9600, "largest", 4000.0), Rung(3000, "small", 1000.0), Rung(4800, "middle", 2000.0))


@pytest.mark.parametrize(
    ("read", "gpu", "fires"),
    [(2160.0, 10.0, True), (2159.9, 10.0, False), (2160.0, 10.1, False), (2400.0, 0.0, True), (0.0, 0.0, False)],
)
def test_it_fires_when_gpus_idle_and_the_file_system_is_at_its_ceiling(read: float, gpu: float, fires: bool) -> None:
    verdict = judge(job([gpu] * 30, [gpu] * 30, reads=[read] * 30), StorageBottleneck(), CEILING, LADDER)
    assert verdict.fired is fires
    assert verdict.evidence["ceiling_mbps"] == CEILING


@pytest.mark.parametrize(("bound", "fires"), [(10, False), (11, True)])
def test_it_fires_above_its_share_of_minutes(bound: int, fires: bool) -> None:
    gpu: Values = [5.0] * bound + [95.0] * (20 - bound)
    verdict = judge(job(gpu, reads=[CEILING] * 20, started=False), StorageBottleneck(), CEILING, LADDER)
    assert verdict.fired is fires


@pytest.mark.parametrize(
    ("gpu_threshold", "gpu", "named", "short"),
    [
        (90, 80.0, "small", False),
        (90, 60.0, "middle", False),
        (90, 25.0, "largest", False),
        (90, 10.0, "largest", True),
    ],
)
def test_it_names_the_smallest_file_system_that_busy_gpus_would_need(
    gpu_threshold: float, gpu: float, named: str, short: bool
) -> None:
    rule = StorageBottleneck(gpu_threshold=gpu_threshold)
    verdict = judge(job([gpu] * 30, reads=[CEILING] * 30), rule, CEILING, LADDER)
    assert f"replace the file system by {named}" in verdict.fix
    assert ("could read more" in verdict.fix) is short


def test_without_a_larger_file_system_it_says_what_else_helps() -> None:
    verdict = judge(job([1.0] * 30, reads=[CEILING] * 30), StorageBottleneck(), CEILING)
    assert verdict.fired
    assert verdict.fix.startswith("no larger file system")


def test_reads_stay_beside_their_minutes_when_patience_is_left_out() -> None:
    reads = [CEILING] * 10 + [0.0] * 20
    verdict = judge(job([1.0] * 30, reads=reads), StorageBottleneck(), CEILING, LADDER)
    assert not verdict.fired
    assert verdict.evidence["bound_percent"] == 0


def test_without_a_ceiling_it_does_not_decide() -> None:
    verdict = judge(job([1.0] * 30, reads=[1.0] * 30), StorageBottleneck(), 0.0)
    assert not verdict.fired


def test_minutes_without_reads_are_left_out_and_counted() -> None:
    reads: Values = [CEILING, None] * 15
    verdict = judge(job([1.0] * 30, reads=reads), StorageBottleneck(), CEILING, LADDER)
    assert verdict.fired
    assert verdict.evidence["read_minutes_missing"] == 15

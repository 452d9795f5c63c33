"""Metrics of made-up jobs."""

from collections.abc import Sequence

from epochwise.watching.metrics import Host, Metrics, Series

Values = Sequence[float | None]


def job(
    *gpu: Values,
    cpu: Sequence[Values] = (),
    memory: Sequence[Values] = (),
    reads: Values = (),
    logs: Sequence[tuple[str, ...]] = (),
    started: bool = True,
    nccl_over_efa: bool = True,
) -> Metrics:
    """Return a job with one node per GPU series."""
    return Metrics(
        tuple(
            Host(
                f"algo-{number}",
                cpu=_series(cpu, number),
                gpu=tuple(values),
                gpu_memory=_series(memory, number),
                log=logs[number - 1] if logs else (),
            )
            for number, values in enumerate(gpu, 1)
        ),
        read_mbps=tuple(reads),
        covers_start=started,
        nccl_over_efa=nccl_over_efa,
    )


def _series(given: Sequence[Values], number: int) -> Series:
    return tuple(given[number - 1]) if given else ()

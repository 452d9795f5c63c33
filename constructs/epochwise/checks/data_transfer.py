"""Remarks about moving data between S3 and a file system from its clients. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.checks.finding import Finding, Level

TRANSFER_STREAMS = range(1, 257)
"""Preloads or releases that may run at once on one client."""
RELEASE_DAYS = range(10_000)
"""Days that the release script takes: up to four digits."""


def transfer_streams_out_of_range(streams: int) -> Iterator[Finding]:
    """Preloads run side by side, and not without bound.

    Source: FSx User Guide, preload-file-contents-hsm-dra, shows 8 at once.
    """
    if streams not in TRANSFER_STREAMS:
        yield Finding(
            "TRANSFER_STREAMS_OUT_OF_RANGE",
            Level.ERROR,
            f"streams must be {TRANSFER_STREAMS[0]} to {TRANSFER_STREAMS[-1]}, got {streams}",
            f"nearest legal: {min(max(streams, TRANSFER_STREAMS[0]), TRANSFER_STREAMS[-1])}",
        )


def release_days_out_of_range(days: int) -> Iterator[Finding]:
    """A file is released after a number of days without access or change; 0 releases it at once."""
    if days not in RELEASE_DAYS:
        yield Finding(
            "RELEASE_DAYS_OUT_OF_RANGE",
            Level.ERROR,
            f"days must be {RELEASE_DAYS[0]} to {RELEASE_DAYS[-1]}, got {days}",
            f"nearest legal: {min(max(days, RELEASE_DAYS[0]), RELEASE_DAYS[-1])}",
        )

"""Boundaries of what is said about moving data between S3 and a file system."""

from functools import partial

from epochwise.checks.data_transfer import release_days_out_of_range, transfer_streams_out_of_range
from tests.checks.boundaries import Row

ROWS = (
    Row("TRANSFER_STREAMS_OUT_OF_RANGE", partial(transfer_streams_out_of_range, 0), "got 0"),
    Row("TRANSFER_STREAMS_OUT_OF_RANGE", partial(transfer_streams_out_of_range, 257), "got 257"),
    Row("TRANSFER_STREAMS_OUT_OF_RANGE", partial(transfer_streams_out_of_range, 1), None),
    Row("TRANSFER_STREAMS_OUT_OF_RANGE", partial(transfer_streams_out_of_range, 256), None),
    Row("RELEASE_DAYS_OUT_OF_RANGE", partial(release_days_out_of_range, -1), "got -1"),
    Row("RELEASE_DAYS_OUT_OF_RANGE", partial(release_days_out_of_range, 10_000), "got 10000"),
    Row("RELEASE_DAYS_OUT_OF_RANGE", partial(release_days_out_of_range, 0), None),
    Row("RELEASE_DAYS_OUT_OF_RANGE", partial(release_days_out_of_range, 9999), None),
)

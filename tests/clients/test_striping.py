import pytest
from hypothesis import given
from hypothesis import strategies as st

from epochwise.clients.striping import (
    LARGEST_CHUNK_MIB,
    MIB,
    default_stripe_command,
    imported_file_chunk_mib,
    stripe_command,
    stripe_count,
)

SIZES = st.floats(min_value=1, max_value=1e15)
TARGETS = st.integers(min_value=1, max_value=512)


@pytest.mark.parametrize(
    ("mib", "stripes"), [(1, 1), (100, 1), (101, 8), (10240, 8), (10241, 16), (102400, 16), (102401, 32)]
)
def test_f68_stripes_follow_the_default_layout_at_its_edges(mib: int, stripes: int) -> None:
    assert stripe_count(mib * MIB) == stripes


def test_f68_no_file_has_more_stripes_than_there_are_targets() -> None:
    assert stripe_command("/fsx/shards", 200 * 2**30, storage_targets=4) == "lfs setstripe -c 4 -S 1M /fsx/shards"


@given(SIZES, SIZES, TARGETS)
def test_f68_a_larger_file_never_has_fewer_stripes(one: float, other: float, targets: int) -> None:
    small, large = sorted((one, other))
    assert 1 <= stripe_count(small, targets) <= stripe_count(large, targets) <= targets


@given(SIZES, TARGETS)
def test_f68_chunks_of_imported_files_are_ones_that_fsx_takes(size: float, targets: int) -> None:
    assert 1 <= imported_file_chunk_mib(size, targets) <= LARGEST_CHUNK_MIB


@pytest.mark.parametrize(("size", "allowed"), [(0, "above 0"), (-1, "above 0"), (float("nan"), "a finite number")])
def test_a_size_that_is_not_above_0_is_refused(size: float, allowed: str) -> None:
    with pytest.raises(ValueError, match=f"file_size_bytes must be {allowed}, got {size}"):
        stripe_command("/fsx/shards", size)
    with pytest.raises(ValueError, match="storage_targets must be above 0"):
        imported_file_chunk_mib(1, 0)


@pytest.mark.parametrize("directory", ["shards", "/", "/fsx/a b", "/fsx/$(reboot)", "/fsx/.."])
def test_a_folder_that_a_shell_would_read_otherwise_is_refused(directory: str) -> None:
    for command in (default_stripe_command, lambda path: stripe_command(path, 1)):
        with pytest.raises(ValueError, match="directory must be absolute"):
            command(directory)

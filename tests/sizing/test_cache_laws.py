"""The laws of the caches against an independent simulation of the caches themselves.

The grid is sparse to be fast: few nodes at many shares, many nodes, whose warm-up is long, at few. Noise comes from the
number of items: with 10 000 of them and ten epochs measured it is up to 0.003, with 4000 up to 0.005.
"""

from functools import cache
from statistics import fmean

import pytest

from epochwise.sizing.cache import lru_hit_share
from epochwise.sizing.page_cache import MAX_EPOCHS, page_cache
from tests.sizing.cache_simulator import HitShares, LruCache, simulate, warm_up_epochs

MEASURED = 10
SERVER_SHARES = (0.1, 0.35, 0.7, 0.95)


def test_the_simulators_cache_forgets_what_was_read_longest_ago() -> None:
    two = LruCache(2)
    assert [two.read(item) for item in (1, 2, 1, 3, 1, 2, 3)] == [False, False, True, False, True, False, False]
    assert not any(LruCache(0).read(1) for _ in range(3))


@pytest.mark.parametrize("share", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2])
def test_the_servers_cache_answers_what_the_law_says(share: float) -> None:
    warm = warm_up_epochs(min(share, 1), 1)
    run = simulate(
        nodes=1, client_share=share, epochs=warm + MEASURED, counted_from=warm, items=10_000 if share < 1 else 2000
    )
    assert lru_hit_share(share) == pytest.approx(run.clients, abs=0.01)


@pytest.mark.parametrize(
    ("nodes", "shares", "items"),
    [
        (2, (0.1, 0.5, 0.9), 10_000),
        (4, (0.3, 0.7), 10_000),
        (16, (0.1, 0.3, 0.7), 6000),
        (64, (0.1, 0.5, 0.8), 4000),
        (2, (1.0, 1.2), 2000),
        (16, (1.0, 1.2), 2000),
        (64, (1.0,), 1000),
    ],
)
def test_a_nodes_page_cache_answers_what_the_law_says(nodes: int, shares: tuple[float, ...], items: int) -> None:
    for share in shares:
        warm = warm_up_epochs(min(share, 1), nodes)
        run = simulate(nodes=nodes, client_share=share, epochs=warm + MEASURED, counted_from=warm, items=items)
        assert lru_hit_share(share, readers=nodes) == pytest.approx(run.clients, abs=0.01), share


@cache
def job(nodes: int, client_share: float, epochs: int) -> HitShares:
    """Return the mean over several jobs with orders of their own, more of them where few reads are counted."""
    seeds = 6 if epochs <= 3 else 3 if epochs <= 10 else 1
    runs = [
        simulate(
            nodes=nodes,
            client_share=client_share,
            server_shares=SERVER_SHARES,
            epochs=epochs,
            items=2500,
            seed=1000 + seed,
        )
        for seed in range(seeds)
    ]
    columns = zip(*(run.servers for run in runs), strict=True)
    return HitShares(fmean(run.clients for run in runs), tuple(fmean(column) for column in columns))


@pytest.mark.parametrize("client_share", [0.1, 0.4, 0.8])
@pytest.mark.parametrize(("nodes", "epochs"), [(1, 10), (2, 3), (4, 10), (4, 40), (16, 40), (64, 60)])
def test_two_levels_of_caches_over_a_job_answer_what_the_model_steps(
    nodes: int, epochs: int, client_share: float
) -> None:
    run, model = job(nodes, client_share, epochs), page_cache(nodes, client_share, epochs)
    assert model.hit_share == pytest.approx(run.clients, abs=0.015)
    for share, answered in zip(SERVER_SHARES, run.servers, strict=True):
        assert model.server_hit_share(share) == pytest.approx(answered, abs=0.015), share


@pytest.mark.parametrize("client_share", [0.1, 0.4, 0.8, 1.0])
@pytest.mark.parametrize("epochs", [1, 2, 5])
@pytest.mark.parametrize("nodes", [1, 2, 4, 16])
def test_a_job_of_few_epochs_is_never_promised_more_than_it_gets(nodes: int, epochs: int, client_share: float) -> None:
    run, model = job(nodes, client_share, epochs), page_cache(nodes, client_share, epochs)
    assert model.hit_share <= run.clients + 0.015
    if client_share == 1.0 and nodes == 1:
        return  # nothing is left for the servers
    for share, answered in zip(SERVER_SHARES, run.servers, strict=True):
        assert model.server_hit_share(share) <= answered + 0.015, share


@pytest.mark.parametrize("nodes", [2, 64])
def test_no_job_is_promised_more_than_a_job_without_end_gets(nodes: int) -> None:
    for epochs in (1, 2, 5, 20):
        assert page_cache(nodes, 0.5, epochs).hit_share <= lru_hit_share(0.5, readers=nodes) + 0.01
    assert page_cache(nodes, 0.5, MAX_EPOCHS) == page_cache(nodes, 0.5, 10 * MAX_EPOCHS)


def test_one_epoch_finds_nothing_in_any_cache() -> None:
    once = page_cache(4, 0.5, 1)
    assert once.hit_share == 0
    assert once.server_hit_share(1.0) == 0

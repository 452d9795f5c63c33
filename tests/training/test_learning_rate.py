"""Linear scaling and gradual warmup against the figures of Goyal et al. 2017."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.training_batch import BATCH_HYPERPARAMETERS, ERROR_PERCENT
from epochwise.training.hyperparameters import hyperparameters
from epochwise.training.learning_rate import LearningRate
from epochwise.workload import Workload

IMAGENET = 1_281_167
PAPER = {
    64: 0.025,
    128: 0.05,
    256: 0.1,
    512: 0.2,
    1024: 0.4,
    2048: 0.8,
    4096: 1.6,
    8192: 3.2,
    16384: 6.4,
    32768: 12.8,
    65536: 25.6,
}
"""Global batch to the paper's learning rate."""


def job(
    per_device: int, nodes: int = 1, instance: str = "ml.p4d.24xlarge", samples: int | None = IMAGENET, **training: Any
) -> DeclaredJob:
    batch = training.pop("batch", {})
    workload = Workload.model_validate(
        {
            "name": "batch",
            "dataset": {"size": "100 GB", "samples": samples},
            "epoch": {"target": "60 s"},
            "cluster": {"instance_type": instance, "nodes": nodes},
            "training": {"image": "image", "batch": {"per_device": per_device} | batch, **training},
        }
    )
    declared = DeclaredJob.of(workload)
    assert declared is not None
    return declared


def rate_of(*arguments: Any, **changes: Any) -> LearningRate:
    found = LearningRate.of(job(*arguments, **changes))
    assert found is not None
    return found


@pytest.mark.parametrize(("batch", "rate"), PAPER.items())
def test_the_rate_of_every_batch_is_the_papers(batch: int, rate: float) -> None:
    found = rate_of(batch // 8)
    assert found.global_batch == batch
    assert found.rate == pytest.approx(rate)


def test_the_global_batch_counts_every_accelerator_of_every_node() -> None:
    assert rate_of(32, nodes=4).global_batch == 32 * 8 * 4
    assert rate_of(32, nodes=4, instance="ml.g5.xlarge").global_batch == 32 * 4
    assert rate_of(32, nodes=4, instance="ml.c5.xlarge").global_batch == 32 * 4
    assert rate_of(32, nodes=2, distribution="mpi", processes_per_host=4).global_batch == 32 * 2 * 4


def test_the_warmup_starts_at_the_base_rate_and_ends_at_the_scaled_rate() -> None:
    found = rate_of(1024)
    assert found.warmup_steps == 5 * 157
    assert found.rate_at(0) == 0.1
    assert found.rate_at(5 * 157) == found.rate_at(10**6) == pytest.approx(3.2)
    quarter = rate_of(1024, samples=8192 * 40)
    assert quarter.warmup_steps == 200
    assert quarter.rate_at(100) == pytest.approx((0.1 + 3.2) / 2)


def test_every_step_of_the_warmup_adds_the_same() -> None:
    found = rate_of(1024, samples=8192 * 10)
    rates = [found.rate_at(step) for step in range(51)]
    steps = [after - before for before, after in pairwise(rates)]
    assert steps == pytest.approx([(3.2 - 0.1) / 50] * 50)


@pytest.mark.parametrize("per_device", [1, 16, 32])
def test_there_is_no_warmup_up_to_the_base_batch(per_device: int) -> None:
    found = rate_of(per_device)
    assert (found.warmup_epochs, found.warmup_steps) == (0, 0)
    assert found.rate_at(0) == found.rate == pytest.approx(0.1 * per_device * 8 / 256)
    assert rate_of(33).warmup_epochs == 5


def test_without_samples_the_steps_are_unknown_and_the_epochs_are_told() -> None:
    found = rate_of(64, samples=None)
    assert (found.steps_per_epoch, found.warmup_steps) == (None, None)
    assert set(found.hyperparameters) == set(BATCH_HYPERPARAMETERS[:-2])
    with pytest.raises(ValueError, match=r"need dataset\.samples"):
        found.rate_at(0)
    with pytest.raises(ValueError, match="step must be 0 or more, got -1"):
        rate_of(64).rate_at(-1)


def test_the_script_is_told_by_hyperparameters_and_the_users_own_win() -> None:
    declared = job(1024, hyperparameters={"learning_rate": 1.5, "lr": 2})
    sent = hyperparameters(declared, job_name="job", region="us-east-1")
    assert {name: json.loads(sent[name]) for name in (*BATCH_HYPERPARAMETERS, "lr")} == {
        "per_device_batch_size": 1024,
        "global_batch_size": 8192,
        "learning_rate": 1.5,
        "warmup_start_learning_rate": 0.1,
        "warmup_epochs": 5,
        "warmup_steps": 785,
        "steps_per_epoch": 157,
        "lr": 2,
    }


def test_the_papers_errors_are_those_of_the_papers_batches() -> None:
    assert set(ERROR_PERCENT) == set(PAPER) - {64}


@given(
    per_device=st.integers(1, 4096),
    nodes=st.integers(1, 64),
    samples=st.integers(1, 10**8),
    base_batch=st.integers(1, 4096),
    base_rate=st.floats(1e-6, 10),
    warmup_epochs=st.integers(0, 20),
)
def test_rates_are_linear_and_never_leave_the_way_from_base_to_scaled(
    per_device: int, nodes: int, samples: int, base_batch: int, base_rate: float, warmup_epochs: int
) -> None:
    batch = {"base_batch": base_batch, "base_rate": base_rate, "warmup_epochs": warmup_epochs}
    found = rate_of(per_device, nodes=nodes, samples=samples, batch=batch)
    double = rate_of(per_device, nodes=2 * nodes, samples=samples, batch=batch)
    assert double.rate == pytest.approx(2 * found.rate)
    assert found.warmup_steps is not None
    assert found.steps_per_epoch is not None
    assert (found.steps_per_epoch - 1) * found.global_batch < samples <= found.steps_per_epoch * found.global_batch
    last = found.warmup_steps
    rates = [found.rate_at(step) for step in sorted({0, last // 3, last // 2, max(last - 1, 0), last, last + 1})]
    assert rates == sorted(rates)
    assert rates[0] == pytest.approx(found.start_rate)
    assert rates[-1] == found.rate

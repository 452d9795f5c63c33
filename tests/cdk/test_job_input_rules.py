"""Conditions that hold an execution's input to what is allowed."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from epochwise.catalog.training_job import MAX_HYPERPARAMETERS
from epochwise.catalog.training_toolkit import is_toolkit_hyperparameter
from epochwise.cdk.job_input_rules import (
    SENTINEL,
    illegal_hyperparameters,
    illegal_suffix,
    is_image,
    reserved_hyperparameters,
)
from epochwise.checks.launch import job_name_invalid
from epochwise.workload.training_section import OWNER_VARIABLE
from tests.cdk.choices import holds

REPOSITORY = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch/training"


@pytest.mark.parametrize("suffix", ["", "1", "a-b", "A1", "-a", "a b", "a_b", "a.b", "a/b", "a@b", "a-"])
def test_a_suffix_is_refused_as_the_launch_refuses_the_name(suffix: str) -> None:
    refused = holds(illegal_suffix("$"), {"$": suffix})
    assert refused is bool(suffix and job_name_invalid(f"guide-{suffix}", "guide"))


@pytest.mark.parametrize(
    ("image", "legal"),
    [
        (f"{REPOSITORY}:2.3.0-gpu_py311", True),
        (f"{REPOSITORY}@sha256:{'a' * 64}", True),
        (f"{REPOSITORY}:2.3.0@sha256:{'a' * 64}", True),
        *((f"{REPOSITORY}{rest}", False) for rest in ["", ":", "@", "@sha256:", "@a", ":a b", ":-a", ":.a", "2:a"]),
        ("other:2.3.0", False),
    ],
)
def test_an_image_is_a_tag_or_digest_of_the_declared_repository(image: str, legal: bool) -> None:
    assert holds(is_image("$", f"{REPOSITORY}:1"), {"$": image}) is legal


@pytest.mark.parametrize("name", ["it's", "a{}b", "a\\b", "a*b", "{0}'\\*"])
@pytest.mark.parametrize("registry", ["", "763104351884.dkr.ecr.us-east-1.amazonaws.com/"])
def test_an_image_is_matched_literally_whatever_its_characters(registry: str, name: str) -> None:
    condition = is_image("$", f"{registry}{name}")
    assert holds(condition, {"$": f"{registry}{name}"})
    assert not holds(condition, {"$": f"{registry}{name.replace('*', 'x')}x:1"})


TEXT = st.text(alphabet='{},":\\ ' + OWNER_VARIABLE[:1], max_size=4)
KEYS = st.sampled_from(["lr", "sagemaker_", "sagemaker_x", OWNER_VARIABLE, f"{OWNER_VARIABLE}2", "my_sagemaker_x"])
VALUES = st.tuples(TEXT, KEYS, TEXT).map("".join)


@given(given=st.dictionaries(KEYS | VALUES, VALUES | KEYS, max_size=4))
@settings(max_examples=300, deadline=None)
def test_a_reserved_name_is_found_among_names_and_never_among_values(given: dict[str, str]) -> None:
    reserved = any(is_toolkit_hyperparameter(key) or key == OWNER_VARIABLE for key in given)
    text = json.dumps(given, separators=(",", ":"))
    assert holds(reserved_hyperparameters("$"), {"$": text}) is reserved


@pytest.mark.parametrize(
    ("values", "illegal"),
    [
        ([], False),
        (["a"], False),
        (["a", 1], True),
        ([None], True),
        ([{}], True),
        (["a"] * MAX_HYPERPARAMETERS, False),
        (["a"] * (MAX_HYPERPARAMETERS + 1), True),
        ([*["a"] * (MAX_HYPERPARAMETERS - 1), 1], True),
    ],
)
def test_hyperparameters_are_texts_and_no_more_than_a_job_takes(values: list[Any], illegal: bool) -> None:
    listed = {f"$[{place}]": value for place, value in enumerate([*SENTINEL.values(), *values])}
    assert holds(illegal_hyperparameters("$"), listed) is illegal

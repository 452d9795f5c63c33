"""Functions that judge their arguments by their own signatures, the pure ones of the library among them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from math import inf, nan
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import epochwise
from epochwise import Level, Workload, create_training_job_request, plan
from epochwise.checks.hint_kinds import Judge
from epochwise.checks.judged_arguments import judged_arguments
from epochwise.clients.striping import (
    default_stripe_command,
    imported_file_chunk_mib,
    stripe_command,
    stripe_count,
)
from epochwise.sizing.scaling import scaling
from epochwise.training.request import JobDeployment

GUIDE = Workload.from_file(Path(__file__).parents[2] / "workloads" / "guide.yaml")
LEGAL: dict[Callable[..., Any], dict[str, Any]] = {
    create_training_job_request: {"workload": GUIDE, "deployment": JobDeployment.placeholders(GUIDE)},
    JobDeployment: {
        **asdict(JobDeployment.placeholders(GUIDE)),
        "role_arn": "arn:aws:iam::111111111111:role/R",
        "file_system_id": "fs-0123456789abcdef0",
    },
    default_stripe_command: {"directory": "/fsx/a"},
    imported_file_chunk_mib: {"file_size_bytes": 1e9, "storage_targets": 6},
    plan: {"workload": GUIDE},
    scaling: {"workload": GUIDE, "nodes": [4]},
    stripe_command: {"directory": "/fsx/a", "file_size_bytes": 1e9},
    stripe_count: {"file_size_bytes": 1e9},
    Workload.from_file: {"path": "guide.yaml"},
}
FURTHER = {plan: ["prices"], scaling: ["against", "prices"], stripe_count: ["storage_targets"]}
CASES = [(called, name) for called, legal in LEGAL.items() for name in [*legal, *FURTHER.get(called, [])]]
JUNK: list[Any] = [
    *[None, True, 0, -1, 2.0, nan, inf, 10**400, "", "x", b"x", object(), [], {}, [0], ["x"], [None], {"a": 1}],
    *[Workload, plan, lambda: None, Level.ERROR],
]


def refusal(called: Callable[..., Any], arguments: dict[str, Any]) -> str:
    """Return what a call is refused with, empty where it is not; anything but a ValueError is the test's failure."""
    try:
        called(**arguments)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("called", "name"), CASES, ids=lambda case: getattr(case, "__qualname__", case))
def test_a_pure_function_takes_any_argument_or_refuses_it_in_words(called: Callable[..., Any], name: str) -> None:
    for value in JUNK:
        told = refusal(called, LEGAL[called] | {name: value})
        assert not told or "got" in told or "cannot be read" in told
        assert " at 0x" not in told


@pytest.mark.parametrize("given", [None, "x", Workload, {"name": "guide"}])
def test_what_is_no_workload_cannot_be_planned(given: Any) -> None:
    with pytest.raises(ValueError, match=r"^workload must be a Workload, got .*; read one with .*\[CONSTRUCT_OF_WRONG"):
        plan(given)


def test_every_public_function_is_among_them() -> None:
    named = {getattr(epochwise, name) for name in epochwise.__all__}
    functions = {each for each in named if not isinstance(each, type) and callable(each)}
    # those of the constructs' room are called by tests/cdk/test_arguments_of_their_kind.py
    assert {each for each in functions if not each.__module__.startswith("epochwise.cdk.")} <= set(LEGAL)


def test_what_a_user_makes_to_call_them_is_among_them() -> None:
    taken = {hint for called in LEGAL for name, hint in get_type_hints(called).items() if name != "return"}
    assert {JobDeployment} <= {hint for hint in taken if is_dataclass(hint)} <= set(LEGAL)


@judged_arguments(level=lambda _: ())
def echo(
    count: int, /, level: Level | None = None, *, names: Sequence[str] = (), tags: Mapping[str, float] | None = None
) -> Any:
    """Return what was taken."""
    return count, level, names, tags


def test_a_judged_function_keeps_its_name_and_passes_on_what_it_is_given() -> None:
    assert (echo.__name__, echo.__doc__) == ("echo", "Return what was taken.")
    text: Any = "error"
    assert echo(1, text, names=["a"], tags={"b": 2}) == (1, Level.ERROR, ["a"], {"b": 2})
    assert isinstance(echo(1, text)[1], Level)


def test_all_wrong_arguments_are_told_at_once_and_rules_that_are_silent_leave_it_to_the_general_words() -> None:
    with pytest.raises(ValueError, match="count must") as caught:
        echo(True, "err", names=[1], tags={"a": nan})  # type: ignore[arg-type, list-item]
    assert [line.partition(",")[0] for line in str(caught.value).splitlines()] == [
        "count must be a whole number up to 2147483647",
        "level must be error or warning or info",
        "names[0] must be text",
        "tags['a'] must be a finite number",
    ]


def test_python_refuses_what_does_not_fit_the_signature() -> None:
    with pytest.raises(TypeError, match=r"echo\(\) missing 1 required positional argument: 'count'"):
        echo()  # type: ignore[call-arg]


def test_what_is_said_in_place_of_the_general_words_is_said() -> None:
    [finding] = Judge().findings("count", "x", int)

    @judged_arguments(count=lambda _: [finding])
    def taking(count: int) -> int:
        return count

    with pytest.raises(ValueError, match="got 'x'"):
        taking("y")  # type: ignore[arg-type]
    assert taking(3) == 3


def test_a_hint_that_nobody_can_judge_is_a_mistake_of_the_signature() -> None:
    hint: Any = st.SearchStrategy[int] | "anything"
    with pytest.raises(TypeError, match="nothing is known of the hint"):
        list(Judge().findings("count", 1, hint))


@given(value=st.integers() | st.floats() | st.booleans() | st.text() | st.none() | st.binary())
@settings(max_examples=300, deadline=None)
def test_a_nearest_legal_value_is_legal(value: Any) -> None:
    for hint, read in ((int, int), (float, float)):
        for finding in Judge().findings("count", value, hint):
            _, nearest, text = finding.fix.partition("nearest legal: ")
            assert not nearest or not list(Judge().findings("count", read(text), hint))

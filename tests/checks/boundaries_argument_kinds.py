"""Boundaries of what is said about the kinds of arguments, and about where a construct is put."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from epochwise.checks import construct_place as place
from epochwise.checks.finding import Level
from epochwise.checks.hint_kinds import LARGEST_NUMBER, Judge
from tests.checks.boundaries import Row

HUGE = 10**5000
SETTINGS: tuple[tuple[Any, Any, str | None], ...] = (
    (int, LARGEST_NUMBER, None),
    (int, LARGEST_NUMBER + 1, "a whole number up to 2147483647, got 2147483648"),
    (int, HUGE, "got a number of "),
    (int, True, "got True"),
    (int, 2.0, "got 2.0"),
    (int, "6000", "got '6000'"),
    (int | None, None, None),
    (int, None, "got None"),
    (float, 2, None),
    (float, 0.5, None),
    (float, False, "a finite number, got False"),
    (float, float("nan"), "got nan"),
    (float, float("-inf"), "got -inf"),
    (float, HUGE, "got a number of "),
    (bool, True, None),
    (bool, 1, "True or False, got 1"),
    (str, "", None),
    (str, b"x", "text, got b'x'"),
    (str, "\ud800", "got '\\ud800'"),
    (Level, "error", None),
    (Level, Level.ERROR, None),
    (Level | str, "err", "error or warning or info, got 'err'"),
    (Sequence[str], ("a", "b"), None),
    (Sequence[str], [], None),
    (Sequence[str], "ab", "a list, each text, got 'ab'"),
    (Sequence[str], ["a", 1], "given[1] must be text, got 1"),
    (tuple[str, ...], ("a", "b"), None),
    (tuple[str, ...], ["a"], "a tuple, each text, got a list"),
    (Mapping[str, str], {}, None),
    (Mapping[str, str], ["a"], "a dict of text to text, got a list"),
    (Mapping[str, str], {"a": 1}, "given['a'] must be text, got 1"),
    (Mapping[str, str], {1: "a"}, "a key of given must be text, got 1"),
    (str | Path, "a", None),
    (str | Path, 1, "text or a path, got 1"),
)
THINGS: tuple[tuple[Any, Any, str | None], ...] = (
    (Path, Path(), None),
    (Path, Path, "a path, got the class Path"),
    (Path, "a", "got 'a'"),
    (Path, object(), "got an object"),
    (Sequence[Path], [Path(), None], "given[1] must be a path, got None"),
)
ROWS = (
    *(
        Row(finding_id, partial(Judge().findings, "given", value, hint), says)
        for finding_id, cases in (("SETTING_OF_WRONG_KIND", SETTINGS), ("CONSTRUCT_OF_WRONG_KIND", THINGS))
        for hint, value, says in cases
    ),
    Row("CONSTRUCT_ID_INVALID", partial(place.construct_id_invalid, "", token=False), "got ''"),
    Row("CONSTRUCT_ID_INVALID", partial(place.construct_id_invalid, "${Token[1]}", token=True), "got '${Token[1]}'"),
    Row("CONSTRUCT_ID_INVALID", partial(place.construct_id_invalid, "A", token=False), None),
    Row("CONSTRUCT_ID_TAKEN", partial(place.construct_id_taken, "A", "test", taken=True), "got 'A' again"),
    Row("CONSTRUCT_ID_TAKEN", partial(place.construct_id_taken, "A", "test", taken=False), None),
    Row("CONSTRUCT_OF_OTHER_APP", partial(place.construct_of_other_app, "vpc", "a/Vpc", same_app=False), "got a/Vpc"),
    Row("CONSTRUCT_OF_OTHER_APP", partial(place.construct_of_other_app, "vpc", "a/Vpc", same_app=True), None),
    Row("SCOPE_WITHOUT_STACK", partial(place.scope_without_stack, "App", in_stack=False), "got App"),
    Row("SCOPE_WITHOUT_STACK", partial(place.scope_without_stack, "test", in_stack=True), None),
)

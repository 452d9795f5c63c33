import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

import pytest

from epochwise.checks.finding import Level
from epochwise.checks.registry import Check, checks_in, every_check, explain
from tests.checks import exceptions
from tests.checks.boundaries import Row, every_row
from tests.checks.call_graph import reached_from, trees

CHECKS = every_check()
IDS = [check.id for check in CHECKS]
ROWS = every_row()


def named(reasons: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the ids of a table of exceptions, in order."""
    return sorted(chain.from_iterable(reasons.values()))


def test_an_id_belongs_to_one_function_and_a_function_to_one_id() -> None:
    assert {finding_id: count for finding_id, count in Counter(IDS).items() if count > 1} == {}
    functions = Counter(f"{check.module}.{check.function}" for check in CHECKS)
    assert {function: count for function, count in functions.items() if count > 1} == {}


@pytest.mark.parametrize("check", CHECKS, ids=IDS)
def test_a_check_is_documented_for_explain(check: Check) -> None:
    assert re.fullmatch(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+", check.id), f"{check.id} is not UPPER_SNAKE"
    assert len(check.levels) == 1, f"{check.function} makes {check.id} with {check.levels}: one rule has one level"
    assert len(check.title.split()) > 2, f"{check.function} needs a docstring that says what is wrong"
    assert "\n" not in check.title
    assert all(chain(check.messages, check.fixes)), f"{check.function} needs a message and a fix"
    assert not [text for text in chain(check.messages, check.fixes) if text.endswith(".")], "no full stop at the end"
    text = explain(check.id)
    assert text.startswith(f"{check.id} ({check.levels[0]})\n{check.title}\n")
    assert text.endswith(f"{check.module}.{check.function}")


def test_a_check_names_the_source_of_its_rule_or_why_it_has_none() -> None:
    unsourced = sorted(check.id for check in CHECKS if not check.source)
    assert unsourced == named(exceptions.UNSOURCED), "write `Source: …` in the docstring, or a reason into UNSOURCED"


def test_an_id_has_a_row_on_each_side_of_its_boundary() -> None:
    fires = {row.id for row in ROWS if row.says is not None}
    silent = {row.id for row in ROWS if row.says is None}
    assert sorted(set(IDS) - fires) == [], "add a row that fires to tests/checks/boundaries_*.py"
    assert sorted(set(IDS) - silent) == named(exceptions.DECIDED_BY_CALLER), "add a row that is silent, likewise"
    assert sorted((fires | silent) - set(IDS)) == [], "these rows are of no check"


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.id}-{row.says or 'silent'}" for row in ROWS])
def test_a_check_speaks_on_one_side_of_its_boundary_and_names_the_value(row: Row) -> None:
    findings = row.findings()
    assert bool(findings) is (row.says is not None)
    level = next(check.levels[0] for check in CHECKS if check.id == row.id)
    for finding in findings:
        assert row.says is not None
        assert row.says in finding.message
        assert finding.level is level
        assert finding.fix
        assert "\n" not in str(finding)


def test_every_check_is_called_on_the_side_of_the_plan_and_on_that_of_the_constructs() -> None:
    planned = reached_from("sizing", "training", "workload")
    built = reached_from("cdk", around=["sizing"])
    one_sided: dict[str, list[str]] = {}
    for check in CHECKS:
        called = [side for side in (planned, built) if (check.module, check.function) in side]
        if len(called) < 2:
            one_sided.setdefault(check.module.rpartition(".")[2], []).append(check.id)
    allowed = named(exceptions.ONE_SIDED)
    missing = {module: ids for module, ids in one_sided.items() if module not in allowed}
    assert missing == {}, "call them on the other side too, or give a reason in ONE_SIDED"
    assert sorted(set(allowed) - set(one_sided)) == [], "called on both sides now: take them out of ONE_SIDED"


def test_a_check_is_called_at_all() -> None:
    judged = ("cdk", "cli", "clients", "following", "live", "policy", "stacks")
    pure = ("report", "sizing", "templates", "training", "workload")
    called = reached_from(*judged, *pure)
    assert [check.id for check in CHECKS if (check.module, check.function) not in called] == []


def test_findings_are_made_in_the_room_of_checks() -> None:
    made = {
        node.args[0].value: module
        for module, tree in trees().items()
        if not module.startswith("epochwise.checks")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding"
        if node.args and isinstance(node.args[0], ast.Constant)
    }
    assert made == {}, "move them to epochwise/checks, where they can be looked up"


def test_what_constructs_and_clients_refuse_is_a_finding_with_its_id() -> None:
    in_words = [
        f"{module}:{node.lineno}"
        for module, tree in trees().items()
        if module.split(".")[1:2] in (["cdk"], ["clients"], ["training"])
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        if any(isinstance(argument, ast.Constant | ast.JoinedStr) for argument in node.exc.args)
    ]
    assert in_words == [], "make each a check, and pass it to refuse_errors"


def test_an_id_is_found_however_it_is_spelled_and_a_near_miss_is_named() -> None:
    assert explain("smddp-image") == explain("SMDDP_IMAGE")
    with pytest.raises(ValueError, match="got 'SMDP_IMAGE'; did you mean SMDDP_IMAGE"):
        explain("SMDP_IMAGE")


@pytest.mark.parametrize(
    ("wanted", "nearest"),
    [("NOPE", "NO_OBJECTS, NO_PRIVATE_SUBNET, "), ("0815", "BATCH_ABOVE_8192;"), ("", "none;"), ("§", "none;")],
)
def test_an_id_that_is_like_no_other_names_the_nearest_and_where_all_are(wanted: str, nearest: str) -> None:
    with pytest.raises(ValueError, match=rf"nearest: {nearest}.*`epochwise explain` lists all {len(set(IDS))}$"):
        explain(wanted)


MODULE = '''
def found(a):
    """Say what.

    Why it is so. Source: a guide,
    its page.

    Args:
        a: a thing.
    """
    yield Finding({id}, {level}, f"got {{a.value}} of {{len(a)}}", "less" if a else LESS)
'''


def test_a_check_is_read_from_its_source() -> None:
    [check] = checks_in(MODULE.format(id='"AN_ID"', level="Level.INFO"), "module")
    assert check == Check(
        id="AN_ID",
        levels=(Level.INFO,),
        title="Say what",
        why="Why it is so.",
        source="a guide, its page",
        messages=("got <value> of <…>",),
        fixes=("less | <less>",),
        module="module",
        function="found",
    )
    assert not list(checks_in("class A:\n    pass", "module"))


@pytest.mark.parametrize(("finding_id", "level"), [("NAME", "Level.INFO"), ('"AN_ID"', "level")])
def test_an_id_or_level_that_cannot_be_read_is_refused(finding_id: str, level: str) -> None:
    with pytest.raises(ValueError, match=r"module\.found: the (id|level) of a finding must be"):
        list(checks_in(MODULE.format(id=finding_id, level=level), "module"))

"""Commands in lines that a shell joins again."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from epochwise.report.shell_lines import shell_lines


@pytest.mark.parametrize(
    "command",
    [
        "aws ec2 describe-vpcs --query 'Vpcs[] --not an option' --output text",
        """aws x y --query "a[?b=='c --d']" --output text""",
        """aws x y --name 'it'"'"'s --not' --output text""",
        """aws x y --key-id "$(aws z w --region r --query 'q --s')" --output text""",
        "aws x y --ids $(aws z w --region r) --output text",
    ],
)
def test_no_line_ends_within_a_value(command: str) -> None:
    lines = shell_lines(command, width=1)
    assert lines[-1] == "  --output text"
    assert all(line.startswith("  --") for line in lines[1:])
    assert " ".join(line.removesuffix(" \\").strip() for line in lines) == command
    assert len(lines) == 3


def test_a_short_command_is_one_line() -> None:
    assert shell_lines("epochwise plan workload.yaml") == ["epochwise plan workload.yaml"]


@given(st.lists(st.text(" -'\"$(){}\\!`ab", max_size=12), max_size=6))
def test_whatever_the_values_a_shell_sees_the_same_words(values: list[str]) -> None:
    command = " ".join(["aws x y", *(f"--option {shlex.quote(value)}" for value in values)])
    joined = "\n".join(shell_lines(command, width=20)).replace(" \\\n ", "")
    assert shlex.split(joined) == shlex.split(command)

"""Every row of the field reports' sections A to G is proven by a test with its number."""

import re
from itertools import chain
from pathlib import Path

import pytest

ROWS = {
    "A": "1 2 3 4 5 6 7 8 10 11 12 13 14 15 16",
    "B": "17 18 20 21 22 23 24 25 26 27 28 30 31 32 33 34a 34b 34c 35",
    "C": "36 39 40 41 42 43 44 45 46 48 49 50 51 52 53 54 56",
    "D": "57 58 58a 59 60 64 65 66 67 68 69 70 70a",
    "E": "71 72 73 75 76 77",
    "F": "78 80 81 83 84 85 86 87 88 89 90",
    "G": "91 92 93 94 96 97 98 100 102 103 104 105 105a",
}
TESTS = Path(__file__).parents[1]


def named() -> set[str]:
    """Return the numbers in the names of tests: `test_f31_...`, `test_f1_f4_...`."""
    names = chain.from_iterable(
        re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8")) for file in TESTS.rglob("test_*.py")
    )
    return {number for name in names for number in re.findall(r"(?<=_)[fg](\d+[a-c]?)(?=_)", name)}


@pytest.mark.parametrize(("section", "rows"), ROWS.items())
def test_a_section_is_proven_row_by_row(section: str, rows: str) -> None:
    assert set(rows.split()) - named() == set(), f"section {section}"


def test_f87_the_rights_that_a_deploy_needs_of_fsx_are_in_the_readme() -> None:
    text = (TESTS.parent / "README.md").read_text(encoding="utf-8")
    deploying = text.partition("## Deploy it")[2].partition("## Launch and watch")[0]
    for right in ("fsx:*", "s3:PutBucketPolicy", "iam:CreateServiceLinkedRole", "iam:PutRolePolicy"):
        assert right in deploying

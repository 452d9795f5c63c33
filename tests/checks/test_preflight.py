"""What a check comes to, given what the rules say, and what all of them mean together."""

import pytest

from epochwise.checks.finding import Finding, Level
from epochwise.checks.preflight import Preflight, PreflightReport, Verdict, judged

ERROR = Finding("AN_ERROR", Level.ERROR, "it is wrong", "mend it")
WARNING = Finding("A_WARNING", Level.WARNING, "it may surprise", "look at it")
INFO = Finding("AN_INFO", Level.INFO, "it is so", "nothing to do")


@pytest.mark.parametrize(
    ("findings", "warnings", "unknown", "verdict", "said"),
    [
        ([], Verdict.PASS, "", Verdict.PASS, "seen"),
        ([INFO], Verdict.FAIL, "", Verdict.PASS, "seen"),
        ([WARNING], Verdict.PASS, "", Verdict.PASS, "seen"),
        ([WARNING], Verdict.SKIP, "", Verdict.SKIP, "it may surprise [A_WARNING]"),
        ([WARNING], Verdict.FAIL, "", Verdict.FAIL, "it may surprise [A_WARNING]"),
        ([WARNING, ERROR], Verdict.SKIP, "", Verdict.FAIL, "it is wrong [AN_ERROR]"),
        ([ERROR, WARNING], Verdict.FAIL, "", Verdict.FAIL, "it is wrong [AN_ERROR]; it may surprise [A_WARNING]"),
        ([], Verdict.PASS, "nobody knows", Verdict.SKIP, "nobody knows"),
        ([ERROR], Verdict.PASS, "nobody knows", Verdict.FAIL, "it is wrong [AN_ERROR]"),
    ],
)
def test_an_error_fails_and_what_a_warning_comes_to_is_the_checks_own(
    findings: list[Finding], warnings: Verdict, unknown: str, verdict: Verdict, said: str
) -> None:
    result = judged("check", "seen", findings, unknown=unknown, warnings=warnings)
    assert (result.verdict, result.said, result.findings) == (verdict, said, tuple(findings))


def test_fixes_are_told_once_and_before_what_else_would_work() -> None:
    assert judged("check", "", [ERROR, ERROR], instead="or this").instead == "mend it; or this"
    assert judged("check", "", [WARNING], instead="or this").instead == "or this"


def report(*checks: Preflight) -> PreflightReport:
    return PreflightReport("small", "us-east-1", "", "a plan", checks)


PASSED, FAILED = Preflight("one", Verdict.PASS, "there"), Preflight("two", Verdict.FAIL, "not there")
SKIPPED = Preflight("three", Verdict.SKIP, "not allowed", permission="ec2:DescribeVpcs")
UNANSWERED = Preflight("four", Verdict.SKIP, "throttled", unanswered=True)


@pytest.mark.parametrize(
    ("checks", "status"),
    [
        ([PASSED], 0),
        ([PASSED, SKIPPED], 0),
        ([PASSED, UNANSWERED], 2),
        ([PASSED, FAILED], 1),
        ([FAILED, UNANSWERED], 1),
    ],
)
def test_a_failure_ends_in_1_and_a_missing_answer_in_2(checks: list[Preflight], status: int) -> None:
    assert report(*checks).exit_status == status


def test_it_is_json_with_every_count() -> None:
    document = report(PASSED, FAILED, SKIPPED).as_dict()
    assert (document["passed"], document["failed"], document["skipped"]) == (1, 1, 1)
    assert document["account"] is None
    assert [each["permission"] for each in document["checks"]] == [None, None, "ec2:DescribeVpcs"]
    assert [each["verdict"] for each in document["checks"]] == ["PASS", "FAIL", "SKIP"]

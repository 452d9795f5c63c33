"""A preflight as it is read: each check with its verdict, what would work, and how to look by hand."""

from collections.abc import Iterator

from epochwise.checks.finding import Level
from epochwise.checks.preflight import Preflight, PreflightReport, Verdict
from epochwise.report.content import Content, Fact, Facts, Remark, Remarks, Tone, content
from epochwise.report.shell_lines import shell_lines

_TONES = {Verdict.PASS: Tone.PASS, Verdict.SKIP: Tone.SKIP, Verdict.FAIL: Tone.FAIL}
_INDENT = 4
"""Spaces before a command."""


def preflight_content(report: PreflightReport) -> Content:
    """Return what a preflight says."""
    failed = report.count(Verdict.FAIL)
    return content(
        report.workload,
        _headline(report),
        Facts(
            (
                Fact("account", f"{report.account or 'unknown'}, {report.region}"),
                Fact("plan", report.plan),
            )
        ),
        Remarks("checks", tuple(map(_check, report.checks))),
        Remarks("remarks", tuple(_remarks(report))),
        Remarks("not looked at, since nobody named it", tuple(Remark("", text) for text in report.not_asked)),
        good=not failed,
    )


def _headline(report: PreflightReport) -> str:
    """Count the checks.

    >>> _headline(PreflightReport("guide", "us-east-1", "", "", (Preflight("zone", Verdict.PASS, "there"),)))
    '1 checks: 1 passed'
    """
    words = {Verdict.PASS: "passed", Verdict.FAIL: "failed", Verdict.SKIP: "skipped"}
    told = ", ".join(f"{report.count(verdict)} {word}" for verdict, word in words.items() if report.count(verdict))
    return f"{len(report.checks)} checks: {told}"


def _check(check: Preflight) -> Remark:
    """Return one check."""
    text = f"{check.said}; {check.instead}" if check.instead else check.said
    script = tuple(line for command in check.by_hand for line in shell_lines(command, indent=_INDENT))
    return Remark(check.id, text, _TONES[check.verdict], script)


def _remarks(report: PreflightReport) -> Iterator[Remark]:
    """Yield what the rules remark about checks that pass all the same."""
    for check in report.checks:
        if check.verdict is Verdict.PASS:
            for finding in check.findings:
                if finding.level is not Level.INFO:
                    yield Remark(finding.id, f"{finding.message}; {finding.fix}", Tone(str(finding.level)))

"""A preflight as it is read."""

from io import StringIO

from epochwise.checks.finding import Finding, Level
from epochwise.checks.preflight import Preflight, PreflightReport, Verdict
from epochwise.report.html_blocks import block_html
from epochwise.report.plain_text import plain_text
from epochwise.report.preflight_text import preflight_content
from epochwise.report.terminal import print_report

LONG = "aws ec2 describe-subnets --region us-east-1 --subnet-ids subnet-0123456789abcdef0 --query Subnets"
REMARK = Finding("A_REMARK", Level.WARNING, "it may surprise", "look at it")
REPORT = PreflightReport(
    workload="small",
    region="us-east-1",
    account="",
    plan="PERSISTENT_2 4800 GiB at 500 MB/s/TiB",
    checks=(
        Preflight("zone", Verdict.PASS, "offered", (LONG,), findings=(REMARK,)),
        Preflight("bucket", Verdict.FAIL, "absent [BUCKET_ABSENT]", instead="make it"),
        Preflight("dns", Verdict.SKIP, "ec2:DescribeVpcAttribute is not allowed"),
    ),
    not_asked=("a file system that exists: --file-system",),
)
EXPECTED = """\
small: 3 checks: 1 passed, 1 failed, 1 skipped

  account     unknown, us-east-1
  plan        PERSISTENT_2 4800 GiB at 500 MB/s/TiB

checks
  PASS zone: offered
    aws ec2 describe-subnets --region us-east-1 \\
      --subnet-ids subnet-0123456789abcdef0 --query Subnets
  FAIL bucket: absent [BUCKET_ABSENT]; make it
  SKIP dns: ec2:DescribeVpcAttribute is not allowed

remarks
  warning A_REMARK: it may surprise; look at it

not looked at, since nobody named it
  a file system that exists: --file-system
"""


def test_each_check_stands_with_its_verdict_what_would_work_and_its_command() -> None:
    content = preflight_content(REPORT)
    assert plain_text(content) == EXPECTED
    assert not content.good


def test_a_terminal_shows_the_same_words() -> None:
    stream = StringIO()
    print_report(preflight_content(REPORT), stream)
    assert stream.getvalue().split() == EXPECTED.split()


def test_a_page_shows_commands_as_they_are_pasted() -> None:
    checks = preflight_content(REPORT).blocks[1]
    page = block_html(checks)
    assert "<pre>aws ec2 describe-subnets --region us-east-1 \\\n  --subnet-ids subnet" in page
    assert page.count("<pre>") == 1
    assert '<li class="FAIL"><span class="level">FAIL</span> <strong>bucket</strong>' in page


def test_a_preflight_in_which_nothing_fails_is_good() -> None:
    assert preflight_content(PreflightReport("small", "us-east-1", "1", "", REPORT.checks[::2])).good

"""What the README shows of `epochwise check` is what it prints, and its table has every check and permission."""

import re
from pathlib import Path

from epochwise.live.preflight import CHECKS
from tests.cli.command_line import GUIDE, ROOT, called
from tests.live.preflight.account import Account
from tests.live.preflight.test_failures import DENIED

README = Path(ROOT, "README.md").read_text(encoding="utf-8")
LEFT_OUT = "…\n"


def test_the_example_is_what_the_command_prints(account: Account) -> None:
    account.bucket()
    [shown] = re.findall(r"^```text\n\$ epochwise check \S+\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    done = called("check", GUIDE)
    assert (done.returncode, done.stderr) == (1, "")
    place = 0
    for part in shown.split(LEFT_OUT):
        place = done.stdout.index(part, place)


def test_the_table_names_every_check_and_every_permission() -> None:
    rows = re.findall(r"^\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|.*\|(.*)\|$", README, flags=re.MULTILINE)
    checks = [name for names, _ in rows for name in re.findall(r"`([a-z-]+)`", names)]
    assert {check.id for check in CHECKS} <= {*checks}
    needed = {permission for _, permissions in rows for permission in re.findall(r"`([a-z0-9]+:\w+)`", permissions)}
    assert {permission for _, _, permission in DENIED} <= needed

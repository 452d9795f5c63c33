"""The README's tuning is what the command prints for that job: a simulated one, since no account is asked here."""

import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from epochwise.declaration.yaml_file import read_yaml_mapping
from epochwise.report.plain_text import plain_text
from epochwise.report.tuning_text import tuning_content
from epochwise.tuning.recommendation import Verdict
from epochwise.tuning.tuned import tune
from tests.docs.test_readme import README, ROOT
from tests.tuning.jobs import PERSISTENT_2, on
from tests.tuning.simulated_job import START, Truth, measured, simulate

COMMAND = "epochwise tune guide-1 --file workloads/guide.yaml"
THE_DAY = date(2026, 10, 9)


def test_the_shown_tuning_is_the_guides_on_half_its_throughput() -> None:
    document = read_yaml_mapping(Path(ROOT / "workloads" / "guide.yaml"))
    truth = document | {"epoch": document["epoch"] | {"compute": "30 s"}}
    job = measured(simulate(Truth(truth, **on(PERSISTENT_2, 4800, 250), epochs=30)))
    tuning = tune(document, replace(job, name="guide-1"), START + timedelta(hours=9))
    [shown] = re.findall(rf"^```text\n\$ {re.escape(COMMAND)}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
    assert shown == plain_text(tuning_content(tuning, THE_DAY))


def test_every_verdict_is_explained() -> None:
    for verdict in Verdict:
        assert re.search(rf"^\| `{verdict}` \|", README, flags=re.MULTILINE), verdict

"""Whatever CloudWatch has or lacks, a job is concluded from or refused in one sentence."""

import json
from dataclasses import replace
from datetime import date, timedelta
from random import Random

import pytest

from epochwise.catalog.fsx_lustre import Family, MetadataMode, automatic_metadata_iops
from epochwise.catalog.intelligent_tiering import TieringFamily
from epochwise.catalog.legality import every_family
from epochwise.report.plain_text import plain_text
from epochwise.report.tuning_text import tuning_content
from epochwise.sizing.candidate import Size
from epochwise.tuning.existing_file_system import ExistingFileSystem
from epochwise.tuning.measured_job import MeasuredJob, StorageMetrics, summed
from epochwise.tuning.recommendation import Verdict
from epochwise.tuning.refusal import NotTunableError
from epochwise.tuning.tuned import Tuning, tune
from epochwise.watching.metrics import Host, Series, series_of
from tests.tuning.jobs import TRAINING, document
from tests.tuning.simulated_job import START


def series(dice: Random, length: int, most: float) -> Series:
    """Draw a series: absent, flat, in bursts or wild, with gaps."""
    kind = dice.choice(["absent", "flat", "bursts", "wild", "nothing"])
    if kind == "absent":
        return ()
    level, gaps = dice.random() * most, dice.choice([0.0, 0.1, 0.7])
    drawn: Series = {
        "flat": (level,) * length,
        "bursts": tuple(level if minute % 4 == 0 else 0.0 for minute in range(length)),
        "wild": tuple(dice.random() * most for _ in range(length)),
        "nothing": (0.0,) * length,
    }[kind]
    return series_of(None if dice.random() < gaps else value for value in drawn)


def file_system(dice: Random) -> ExistingFileSystem:
    """Draw a file system of any kind."""
    family = dice.choice(every_family())
    updated = START + timedelta(hours=dice.randint(-9, 9)) if dice.random() < 0.5 else None
    match family:
        case TieringFamily():
            mode = MetadataMode.USER_PROVISIONED
            size = Size(
                throughput_capacity_mbps=4000 * dice.randint(1, 9),
                read_cache_gib=dice.choice([32, 500, 20_000]),
                metadata_mode=mode,
                metadata_iops=dice.choice([6000, 12_000]),
            )
        case Family():
            capacity = dice.choice(list(family.capacities_gib(100_800)))
            configured = dice.choice([None, MetadataMode.AUTOMATIC]) if family.has_metadata_configuration else None
            size = Size(capacity, metadata_mode=configured, metadata_iops=automatic_metadata_iops(capacity))
    return ExistingFileSystem("fs-1", family, size, updated, updating=dice.random() < 0.2)


def job(dice: Random) -> MeasuredJob:
    """Draw a job."""
    length, nodes = dice.choice([3, 12, 40]), dice.choice([1, 4, 64])
    most = dice.choice([10.0, 5000.0, 2e5])
    disks = [each for each in (series(dice, length, most) for _ in range(3)) if each]
    return MeasuredJob(
        name="job",
        status=dice.choice(["Completed", "Stopped", "Failed", "InProgress"]),
        start=START,
        end=START + timedelta(minutes=length),
        period_s=dice.choice([60, 300]),
        instance_type=dice.choice(["ml.p4d.24xlarge", "ml.p5.48xlarge", "ml.trn1.32xlarge", "ml.c5.18xlarge"]),
        hosts=tuple(
            Host(f"algo-{number}", cpu=series(dice, length, 100), gpu=series(dice, length, 100))
            for number in range(1, nodes + 1)
        ),
        storage=StorageMetrics(
            read_mbps=series(dice, length, most),
            write_mbps=series(dice, length, most),
            disk_read_mbps=summed(disks),
            opens_per_s=series(dice, length, 1e5),
            metadata_per_s=series(dice, length, 1e5),
            connections=series(dice, length, 2 * nodes),
            stored_bytes=series(dice, length, 1e13),
            network_percent=tuple(filter(None, (series(dice, length, 200) for _ in range(2)))),
            disk_percent=tuple(filter(None, (series(dice, length, 200) for _ in range(2)))),
            metadata_cpu_percent=tuple(filter(None, (series(dice, length, 100),))),
            targets=dice.choice([None, 3]),
            targets_seen=len(disks),
        ),
        file_system=file_system(dice),
    )


def declared(dice: Random) -> dict[str, object]:
    """Draw a declaration."""
    sections: dict[str, object] = {
        "dataset": {"size": dice.choice(["1 GB", "100 GB", "20 TB"]), **dice.choice([{}, {"files": 100_000}])},
        "epoch": {"target": dice.choice(["5 s", "300 s"]), "tolerance": dice.choice([0, 0.2])},
        "cluster": {"page_cache": dice.choice([0, "10 GB"]), "price_per_node_hour": 30},
    }
    if dice.random() < 0.3:
        sections["checkpoint"] = {"size": "20 GB", "every": "10 min", "write_within": "1 min"}
    if dice.random() < 0.3:
        sections["training"] = TRAINING | {"preprocessing": "0.01 s"}
        sections["dataset"] = {"size": "100 GB", "samples": 1_000_000}
    if dice.random() < 0.3:
        sections["file_system"] = {"objective": "cheapest-campaign"}
    return document(**sections)


def conclusion(seed: int) -> Tuning | str:
    """Return what is concluded from a drawn job, or why nothing is."""
    dice = Random(seed)
    drawn, workload = job(dice), declared(dice)
    try:
        return tune(workload, drawn, START + timedelta(hours=3))
    except NotTunableError as error:
        return str(error)


@pytest.mark.parametrize("block", range(6))
def test_any_job_ends_in_a_conclusion_or_a_sentence(block: int) -> None:
    ended = {seed: conclusion(seed) for seed in range(block * 40, block * 40 + 40)}
    refused = {seed: why for seed, why in ended.items() if isinstance(why, str)}
    assert [seed for seed, why in refused.items() if "\n" in why or not why.endswith("]")] == []
    concluded = {seed: found for seed, found in ended.items() if not isinstance(found, str)}
    assert len(concluded) >= 5
    for seed, found in concluded.items():
        assert json.loads(json.dumps(found.as_dict(), allow_nan=False))["verdict"] in set(Verdict), seed
        shown = plain_text(tuning_content(found, date(2026, 10, 9)))
        assert max(map(len, shown.splitlines())) <= 80, seed
        assert found.recommendation.chosen in found.recommendation.options, seed
        # what would be written is what was planned for, and is measured again as itself
        written = found.measured.workload.model_dump(mode="json", exclude_defaults=True)
        again, first = tune(written, found.job, START).measured.workload.epoch, found.measured.workload.epoch
        assert again.target == pytest.approx(first.target, rel=0.05), seed


def test_a_job_with_nothing_but_a_name_is_refused() -> None:
    bare = replace(job(Random(1)), storage=StorageMetrics(read_mbps=()), hosts=(Host("algo-1"),))
    with pytest.raises(NotTunableError, match="TUNE_NO_METRICS"):
        tune(document(), bare, START)

"""Architecture and placement groups of instance families against EC2's own description, as moto recorded it."""

import gzip
import json
from pathlib import Path

import moto

from epochwise.catalog.data_file import load
from epochwise.catalog.instance_families import architecture, takes_cluster_placement
from epochwise.catalog.instance_types import instance_type

RECORDED = json.loads(
    gzip.decompress((Path(moto.__file__).parent / "ec2" / "resources" / "instance_types.json.gz").read_bytes())
)


def test_every_recorded_type_starts_where_ec2_says_and_is_of_its_architecture() -> None:
    wrong = []
    for name, record in RECORDED.items():
        known = instance_type(name)
        assert known is not None
        strategies = record.get("PlacementGroupInfo", {}).get("SupportedStrategies", [])
        if takes_cluster_placement(known) is not ("cluster" in strategies):
            wrong.append(f"{name}: {strategies}")
        # of Macs, which start in no cluster placement group, nothing is asked
        built_for = {each for each in record["ProcessorInfo"]["SupportedArchitectures"] if "mac" not in each}
        if built_for and str(architecture(known)) not in built_for:
            wrong.append(f"{name}: {sorted(built_for)}")
    assert wrong == []


def test_burstable_types_start_in_no_cluster_placement_group() -> None:
    burstable = [name for name, record in RECORDED.items() if record.get("BurstablePerformanceSupported")]
    assert burstable
    assert [name for name in burstable if takes_cluster_placement(instance_type(name))] == []  # type: ignore[arg-type]


def test_the_families_that_are_in_no_recording_are_marked_unverified() -> None:
    families = {name.partition(".")[0] for name in load("instance_types")["rows"]}
    recorded = {name.partition(".")[0] for name in RECORDED}
    assert families - recorded == set(load("instance_families")["meta"]["unverified"])

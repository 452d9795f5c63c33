"""EC2's descriptions become the catalog's rows, by one rule for all types."""

import json
from datetime import date
from importlib.resources import files
from typing import Any

import pytest
from moto.ec2.models.instance_types import INSTANCE_TYPES

from epochwise.catalog.data_file import load
from epochwise.catalog.instance_record import instance_row
from epochwise.catalog.instance_types_file import NAME, instance_types_text, refreshed_instance_types

DOCUMENT = load("instance_types")
TRAINING = DOCUMENT["columns"].index("sagemaker_training")
DAY = date(2026, 12, 1)


def test_every_row_of_the_catalog_is_what_ec2_describes() -> None:
    described = set(INSTANCE_TYPES)
    assert described == set(DOCUMENT["rows"]) - set(DOCUMENT["meta"]["unverified"])
    for name, record in INSTANCE_TYPES.items():
        row = DOCUMENT["rows"][name]
        assert instance_row(record, sagemaker_training=row[TRAINING]) == row, name


def test_the_catalogs_file_is_written_as_it_stands() -> None:
    assert instance_types_text(DOCUMENT) == (files("epochwise.catalog") / NAME).read_text(encoding="utf-8")


def test_a_new_type_and_a_change_are_taken_and_the_rest_stays() -> None:
    record = json.loads(json.dumps(INSTANCE_TYPES["p4d.24xlarge"]))
    record["NetworkInfo"]["NetworkCards"] = record["NetworkInfo"]["NetworkCards"][:1]
    record["NetworkInfo"]["EfaSupported"] = False
    renamed = INSTANCE_TYPES["p5.48xlarge"] | {"InstanceType": "p2.xlarge"}
    refreshed = refreshed_instance_types(DOCUMENT, [record, renamed], {"ml.p2.xlarge"}, region="eu-west-1", day=DAY)
    changed = {name for name, row in refreshed["rows"].items() if DOCUMENT["rows"].get(name) != row}
    assert changed == {"p4d.24xlarge", "p2.xlarge"}
    assert refreshed["rows"]["p4d.24xlarge"][6:8] == [0, 0]
    assert refreshed["rows"]["p2.xlarge"][TRAINING] is True
    assert refreshed["rows"]["p4d.24xlarge"][TRAINING] is False
    meta: dict[str, Any] = refreshed["meta"]
    assert meta["date"] == "2026-12-01"
    assert "eu-west-1" in meta["source"]
    assert set(DOCUMENT["meta"]["unverified"]) - set(meta["unverified"]) == {"p2.xlarge"}


def test_where_nothing_differs_the_date_stays() -> None:
    trained = {f"ml.{name}" for name, row in DOCUMENT["rows"].items() if row[TRAINING]}
    records = [*INSTANCE_TYPES.values()]
    assert refreshed_instance_types(DOCUMENT, records, trained, region="us-east-1", day=DAY) is DOCUMENT


@pytest.mark.parametrize("lacking", ["VCpuInfo", "MemoryInfo", "NetworkInfo"])
def test_what_every_type_has_is_not_made_up(lacking: str) -> None:
    record = {name: value for name, value in INSTANCE_TYPES["p4d.24xlarge"].items() if name != lacking}
    with pytest.raises(KeyError, match=lacking):
        instance_row(record, sagemaker_training=False)

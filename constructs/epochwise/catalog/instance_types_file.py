"""The catalog's file of instance types: how it is written, and how it is brought up to date."""

import json
from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

from epochwise.catalog.instance_record import Cell, Record, instance_row

NAME = "data/instance_types.json"
_SOURCE = "EC2 DescribeInstanceTypes of {region}; sagemaker_training from botocore's TrainingInstanceType"


def instance_types_text(document: dict[str, Any]) -> str:
    """Return the file's content: one line a type, so that a difference shows which types differ."""
    head = json.dumps(document["meta"], indent=1, ensure_ascii=False).replace("\n", "\n ")
    cards = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in document["efa_cards"].items()
    )
    columns = json.dumps(document["columns"])
    rows = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(row, separators=(',', ':'))}"
        for name, row in sorted(document["rows"].items())
    )
    return (
        f'{{\n "meta": {head},\n "efa_cards": {{\n{cards}\n }},\n "columns": {columns},\n "rows": {{\n{rows}\n }}\n}}\n'
    )


def refreshed_instance_types(
    document: dict[str, Any], records: Iterable[Record], trained_on: Collection[str], *, region: str, day: date
) -> dict[str, Any]:
    """Return the file's content with what EC2 says of a Region's types; types that the Region lacks stay as they are.

    Where no row differs, nothing does, the date included.

    Args:
        document: the file, parsed; it is not changed.
        records: entries of DescribeInstanceTypes.
        trained_on: types that SageMaker trains on, as ml.<name>.
        region: where it was asked.
        day: when.
    """
    said: dict[str, list[Cell]] = {
        record["InstanceType"]: instance_row(record, sagemaker_training=f"ml.{record['InstanceType']}" in trained_on)
        for record in records
    }
    rows: dict[str, Any] = document["rows"] | said
    if rows == document["rows"]:
        return document
    meta: dict[str, Any] = document["meta"] | {
        "source": _SOURCE.format(region=region),
        "date": day.isoformat(),
        "unverified": [name for name in document["meta"]["unverified"] if name not in said],
    }
    return document | {"meta": meta, "rows": rows}

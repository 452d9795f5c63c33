"""Prices of one's own: every mistake is told, and what is right goes before the catalog."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from epochwise.catalog.prices import catalog_prices
from epochwise.sizing.cost import prices_of
from epochwise.sizing.planner import plan
from epochwise.sizing.price_file import read_price_file
from epochwise.workload import Workload, WorkloadError

ROW: dict[str, Any] = {
    "region": "us-east-1",
    "item": "PERSISTENT_2-SSD-500",
    "usd": 0.2,
    "unit": "GB-month",
    "date": "2026-10-01",
    "source": "a contract",
    "verified": False,
}
GUIDE = Workload.model_validate(
    {
        "name": "guide",
        "dataset": {"size": "100 GB"},
        "epoch": {"target": "30 s"},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
    }
)


def written(folder: Path, content: Any, name: str = "prices.yaml") -> Path:
    """Write a price file."""
    file = folder / name
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


@pytest.mark.parametrize("name", ["prices.yaml", "prices.json"])
def test_rows_go_before_the_catalog_and_the_rest_stays(tmp_path: Path, name: str) -> None:
    table = read_price_file(written(tmp_path, {"rows": [ROW]}, name))
    price = table.price("us-east-1", "PERSISTENT_2-SSD-500")
    assert price is not None
    assert (price.usd, price.date, price.source, price.verified) == (0.2, "2026-10-01", "a contract", False)
    assert table.price("us-east-1", "SCRATCH_2-SSD") == catalog_prices().price("us-east-1", "SCRATCH_2-SSD")


def test_a_plan_is_made_with_them(tmp_path: Path) -> None:
    planned = plan(GUIDE, read_price_file(written(tmp_path, {"rows": [ROW]})))
    assert planned.choice is not None
    assert planned.choice.monthly_usd == 960
    assert planned.prices[0].source == "a contract"


def test_yaml_days_need_no_quotes_and_json_may_be_indented_with_tabs(tmp_path: Path) -> None:
    unquoted = yaml.safe_dump({"rows": [ROW]}).replace("'2026-10-01'", "2026-10-01")
    assert "date: 2026-10-01" in unquoted
    read_price_file(written(tmp_path, unquoted))
    read_price_file(written(tmp_path, json.dumps({"rows": [ROW]}, indent="\t"), "prices.json"))


def test_what_the_workload_declares_goes_before_the_file(tmp_path: Path) -> None:
    table = read_price_file(written(tmp_path, {"rows": [ROW]}))
    declared = GUIDE.model_copy(update={"prices": {"PERSISTENT_2-SSD-500": 0.1}})
    price = prices_of(declared, table).price("us-east-1", "PERSISTENT_2-SSD-500")
    assert price is not None
    assert (price.usd, price.date) == (0.1, "declared")
    assert plan(declared, table).prices[0] == price


@pytest.mark.parametrize("usd", [0, 0.0001, 1_000_000])
def test_a_price_may_be_nothing_and_may_be_high(tmp_path: Path, usd: float) -> None:
    read_price_file(written(tmp_path, {"rows": [ROW | {"usd": usd}]}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"usd": -0.01}, r"rows\.0\.usd: must be greater than or equal to 0, got -0\.01"),
        ({"usd": float("nan")}, r"rows\.0\.usd: must be a (finite|valid) number.*, got .?[nN]a[nN]"),
        ({"usd": float("inf")}, r"rows\.0\.usd: must be a (finite|valid) number.*, got .?[iI]nf"),
        ({"usd": "much"}, r"rows\.0\.usd: must be a valid number.*, got 'much'"),
        ({"item": "SCRATCH_3-SSD"}, r"rows\.0\.item: must be one of .*SCRATCH_2-SSD.*, got 'SCRATCH_3-SSD'"),
        ({"region": "mars-1"}, r"rows\.0\.region: must be a Region .*us-east-1.*, got 'mars-1'"),
        ({"unit": "GB-hour"}, r"rows\.0\.unit: must be GB-month for PERSISTENT_2-SSD-500, got 'GB-hour'"),
        ({"date": "yesterday"}, r"rows\.0\.date: must be a day of the calendar, written YYYY-MM-DD, got 'yesterday'"),
        ({"date": 20261001}, r"rows\.0\.date: must be a day of the calendar, written YYYY-MM-DD, got 20261001"),
        ({"date": "2026-13-01"}, r"rows\.0\.date: must be a day"),
        ({"source": ""}, r"rows\.0\.source: "),
        ({"verified": "yes"}, r"rows\.0\.verified: must be a valid boolean, got 'yes'"),
        ({"curency": "EUR"}, r"rows\.0\.curency: unknown key, allowed here: region, item, usd"),
    ],
)
@pytest.mark.parametrize("name", ["prices.yaml", "prices.json"])
def test_a_mistake_is_told_with_its_place_and_value(
    tmp_path: Path, name: str, change: dict[str, Any], message: str
) -> None:
    rows = {"rows": [ROW | change]}
    file = written(tmp_path, json.dumps(rows) if name.endswith("json") else yaml.safe_dump(rows), name)
    with pytest.raises(WorkloadError, match=message) as error:
        read_price_file(file)
    assert str(error.value).startswith(f"{file}: ")
    assert len(error.value.mistakes) == 1


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    broken = {key: value for key, value in ROW.items() if key != "usd"} | {"item": "x"}
    with pytest.raises(WorkloadError) as error:
        read_price_file(written(tmp_path, {"rows": [ROW, broken], "more": 1}))
    assert len(error.value.mistakes) == 3
    assert "rows.1.usd: is required and missing" in str(error.value)


def test_the_same_price_twice_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, {"rows": [ROW, ROW | {"region": "us-west-2"}, ROW]})
    with pytest.raises(WorkloadError, match=r"rows\.2: prices PERSISTENT_2-SSD-500 in us-east-1 once more"):
        read_price_file(file)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("prices.yaml", "", "is empty; a price file needs rows"),
        ("prices.yaml", "[1]", "must hold a mapping with rows, got a list"),
        ("prices.yaml", "{", "is not YAML in line"),
        ("prices.yaml", "rows: []", "rows: must hold at least one price"),
        ("prices.yaml", "rows: 3", "rows: "),
        ("prices.yaml", "{}", "rows: is required and missing"),
        ("prices.yaml", "#" * 1_000_001, "is larger than 1000000 bytes, which no price file is"),
        ("prices.json", "#" * 1_000_001, "is larger than 1000000 bytes, which no price file is"),
        ("prices.json", "", "is empty; a price file needs rows"),
        ("prices.json", "[]", "must hold a mapping with rows, got a list"),
        ("prices.json", "[" * 200_000, "is nested too deeply for a price file"),
    ],
)
def test_what_is_no_price_file_is_said_in_one_line(tmp_path: Path, name: str, content: str, message: str) -> None:
    with pytest.raises(WorkloadError, match=message) as error:
        read_price_file(written(tmp_path, content, name))
    assert "\n" not in str(error.value)
    assert "workload" not in str(error.value).replace(str(tmp_path), "")


@pytest.mark.parametrize("name", ["absent.yaml", "absent.json"])
def test_a_missing_file_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(WorkloadError, match=r"cannot be read.*No such file"):
        read_price_file(tmp_path / name)

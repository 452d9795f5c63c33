"""`epochwise refresh-prices`: AWS's price list becomes a price file that plans use; nothing is guessed."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from epochwise.catalog.price_list import price_rules
from epochwise.catalog.prices import item_unit, price_items
from epochwise.sizing.price_file import price_file_rows
from tests.cli.command_line import called
from tests.live.fault_proxy import Fault, Faults, at_random, fault_proxy
from tests.live.local_aws import assert_one_sentence, aws_variables, epochwise_live, free_port, local_aws
from tests.live.taught_price_list import TIERS

NOT_READ = [
    "HDD-READ-CACHE",
    "INTELLIGENT_TIERING-READ-CACHE",
    "INTELLIGENT_TIERING-STORAGE",
    "PERSISTENT_1-HDD-12",
    "PERSISTENT_1-HDD-40",
    "SCRATCH_1-SSD",
]
RUNS = 24
FAILURES = [
    (Fault.DENIED, "pricing:GetProducts is not allowed"),
    (Fault.EXPIRED, "the credentials have expired"),
    (Fault.THROTTLED, "AWS throttles pricing:GetProducts"),
    (Fault.FAULT, "AWS failed on pricing:GetProducts"),
    (Fault.CUT_BEFORE, "the connection broke during pricing:GetProducts"),
    (Fault.CUT_AFTER, "the connection broke during pricing:GetProducts"),
    (Fault.CUT_WITHIN, "the connection broke during pricing:GetProducts"),
]


@pytest.fixture(scope="module")
def price_list() -> Iterator[str]:
    """Serve a price list."""
    with local_aws("tests.live.taught_price_list") as address:
        yield address


@pytest.fixture
def variables(price_list: str, tmp_path: Path) -> dict[str, str]:
    """Return the environment of a process that asks it, each call once."""
    return aws_variables(price_list, tmp_path) | {"AWS_MAX_ATTEMPTS": "1"}


def test_prices_are_printed_as_a_dated_file(variables: dict[str, str], tmp_path: Path) -> None:
    done = epochwise_live("refresh-prices", variables=variables)
    assert done.returncode == 0, done.stderr
    file = tmp_path / "prices.yaml"
    file.write_text(done.stdout)
    rows = {price.item: price for price in price_file_rows(file)}
    assert sorted(rows) == sorted(rule.item for rule in price_rules())
    for tier, usd in TIERS.items():
        assert rows[f"PERSISTENT_{1 if tier in {'50', '100', '200'} else 2}-SSD-{tier}"].usd == float(usd)
    scratch = rows["SCRATCH_2-SSD"]
    assert (scratch.usd, scratch.unit, scratch.date, scratch.region) == (0.14, "GB-month", "2026-10-09", "us-east-1")
    assert scratch.source == (
        "AWS Price List API, USE1-Storage, effective 2026-06-01: $0.14 per GB-Mo of USE1-Storage; "
        "that it is this item is unverified"
    )
    assert not scratch.verified


def test_what_was_not_read_is_told_in_one_line_each(variables: dict[str, str]) -> None:
    told = epochwise_live("refresh-prices", variables=variables).stderr.splitlines()
    assert told == [
        "us-east-1: 10 prices read from AWS's price list",
        "ignored, not clearly an item of a plan: USE1-BackupUsage, USE1-Storage.HDD.12",
        f"the catalog's price stays for {', '.join(NOT_READ)}",
    ]


@pytest.mark.parametrize(
    ("region", "lacking"),
    [
        ("eu-west-1", ["SCRATCH_2-SSD"]),
        ("eu-west-2", ["PERSISTENT_1-SSD-50", "PERSISTENT_1-SSD-100", "PERSISTENT_1-SSD-200"]),
    ],
)
def test_a_price_that_is_not_clear_stays_the_catalogs(
    region: str, lacking: list[str], variables: dict[str, str]
) -> None:
    done = epochwise_live("refresh-prices", "--region", region, variables=variables)
    items = {row["item"] for row in yaml.safe_load(done.stdout)["rows"]}
    assert items == {rule.item for rule in price_rules()} - set(lacking)
    assert all(item in done.stderr.splitlines()[-1] for item in lacking)


def test_a_plan_uses_the_file(variables: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    done = epochwise_live("refresh-prices", "--output", file, variables=variables)
    assert (done.returncode, done.stdout) == (0, "")
    planned = called("plan", "workloads/guide.yaml", "--prices", file)
    assert "PERSISTENT_2-SSD-500: 0.34 USD per GB-month, us-east-1, 2026-10-09 (0 days old)" in " ".join(
        planned.stdout.split()
    )
    assert "AWS Price List API, USE1-Storage.SSD.500" in " ".join(planned.stdout.split())


def test_rows_of_other_regions_stay_and_repeating_changes_nothing(variables: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "prices.yaml"
    for region in ("us-east-1", "eu-west-1", "us-east-1"):
        assert (
            epochwise_live("refresh-prices", "--region", region, "--output", file, variables=variables).returncode == 0
        )
    rows = [(price.region, price.item) for price in price_file_rows(file)]
    assert len(rows) == len(set(rows)) == 10 + 9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--region", "eu-west-3"), "eu-west-3: no product of AWS's price list is clearly an item of a plan"),
        (("--region", "mars-1"), "--region must be a Region that has FSx for Lustre, got 'mars-1'"),
        (("--output", "workloads/guide.yaml"), "--output: workloads/guide.yaml: rows: is required and missing"),
        (("--output", "absent/prices.yaml"), "absent/prices.yaml: cannot be written"),
    ],
)
def test_a_call_that_cannot_be_answered_is_refused(
    arguments: tuple[str, ...], said: str, variables: dict[str, str]
) -> None:
    done = epochwise_live("refresh-prices", *arguments, variables=variables)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("fault", "said"), FAILURES)
def test_a_failure_of_aws_ends_in_one_sentence_and_writes_nothing(
    fault: Fault, said: str, variables: dict[str, str], price_list: str, tmp_path: Path
) -> None:
    faults = Faults(lambda _: fault if faults.struck else Fault.NONE)
    with fault_proxy(price_list, faults) as address:
        led = variables | {"AWS_ENDPOINT_URL": address}
        done = epochwise_live("refresh-prices", "--output", tmp_path / "prices.yaml", variables=led)
    assert assert_one_sentence(done).startswith(f"refresh-prices: {said}")
    assert list(tmp_path.iterdir()) == []


def test_absent_credentials_an_absent_region_and_an_absent_service_are_told(variables: dict[str, str]) -> None:
    without = {name: value for name, value in variables.items() if "KEY" not in name}
    assert "sign in first" in assert_one_sentence(epochwise_live("refresh-prices", variables=without))
    nowhere = {name: value for name, value in variables.items() if name != "AWS_DEFAULT_REGION"}
    assert "set AWS_REGION" in assert_one_sentence(epochwise_live("refresh-prices", variables=nowhere))
    nobody = variables | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}"}
    assert "no connection to pricing" in assert_one_sentence(epochwise_live("refresh-prices", variables=nobody))


def test_random_faults_leave_a_whole_file_or_none(
    price_list: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    file, faults, ended = tmp_path / "prices.yaml", Faults(lambda _: Fault.NONE), Counter[int]()
    kinds = (*(fault for fault, _ in FAILURES), Fault.DELAY, Fault.MALFORMED)
    with fault_proxy(price_list, faults) as address:
        for seed in range(RUNS):
            file.unlink(missing_ok=True)
            faults.chosen = at_random(seed, 0.4, kinds)
            done = called("refresh-prices", "--output", file, **aws_variables(address, tmp_path))
            ended[done.returncode] += 1
            assert done.returncode == (0 if file.exists() else 2), seed
            if file.exists():
                assert "Traceback" not in done.stderr
                assert len(price_file_rows(file)) == 10, seed
            else:
                assert_one_sentence(done)
    assert min(ended[0], ended[2]) >= RUNS / 6, ended
    assert Fault.MALFORMED in {fault for _, fault in faults.struck}


def test_help_says_what_it_does(variables: dict[str, str]) -> None:
    done = epochwise_live("refresh-prices", "--help", variables=variables)
    assert done.returncode == 0
    assert "--output" in done.stdout


def test_every_rule_is_of_an_item_that_a_plan_prices_in_its_unit() -> None:
    items = [rule.item for rule in price_rules()]
    assert len(items) == len(set(items))
    for rule in price_rules():
        assert rule.item in price_items()
        assert rule.item_unit == item_unit(rule.item)

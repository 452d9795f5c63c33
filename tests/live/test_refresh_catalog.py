"""`epochwise refresh-catalog`: what EC2 says of instance types, as a diff of the catalog to review."""

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from epochwise.catalog.data_file import load
from epochwise.catalog.instance_types_file import NAME, instance_types_text
from epochwise.live.aws import Aws
from tests.cli.command_line import called
from tests.live.fault_proxy import Fault, Faults, at_random, fault_proxy
from tests.live.local_aws import assert_one_sentence, epochwise_live, free_port

DESCRIBE = "ec2:DescribeInstanceTypeOfferings"


def outdated() -> dict[str, Any]:
    """Return the catalog as it may have been: a type was another, one was not there, one nobody had described."""
    document = json.loads(json.dumps(load("instance_types")))
    document["rows"]["p4d.24xlarge"][1] = 1151
    del document["rows"]["p5.48xlarge"]
    document["meta"]["unverified"].append("p5.48xlarge")
    return document  # type: ignore[no-any-return]  # what JSON holds has no type


def test_the_catalog_is_what_ec2_says(variables: dict[str, str]) -> None:
    done = epochwise_live("refresh-catalog", variables=variables)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("us-east-1: 1375 instance types offered; 27 of the catalog are not offered there")
    assert done.stderr.endswith("stay as they are; no difference\n")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("write", [False, True])
def test_what_differs_is_printed_and_written_only_when_asked(
    write: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = outdated()
    place = tmp_path / NAME
    place.parent.mkdir()
    place.write_text(instance_types_text(document))
    monkeypatch.setattr("epochwise.catalog.data_file.load", lambda _: document)
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    done = called("refresh-catalog", *(["--write"] if write else []))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"--- catalog/{NAME}\n+++ catalog/{NAME} in us-east-1\n")
    changed = [line for line in done.stdout.splitlines()[2:] if line[0] in "+-"]
    rows = load.__wrapped__("instance_types")["rows"]
    assert [line for line in changed if '": [' in line] == [
        f'-  "p4d.24xlarge": {json.dumps(document["rows"]["p4d.24xlarge"], separators=(",", ":"))},',
        *(f'+  "{name}": {json.dumps(rows[name], separators=(",", ":"))},' for name in ("p4d.24xlarge", "p5.48xlarge")),
    ]
    assert '-  "date": "2026-11-30",' in changed
    assert '+  "date": "2026-10-09",' in changed
    assert '-   "p5.48xlarge"' in changed
    written = json.loads(place.read_text())
    assert written["rows"] == (rows if write else document["rows"])
    assert [path.name for path in place.parent.iterdir()] == [place.name]


@pytest.mark.usefixtures("here")
def test_a_record_that_lacks_what_every_type_has_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("epochwise.live.instance_offer.offered_instance_types", lambda _: [{"InstanceType": "x1.odd"}])
    done = called("refresh-catalog")
    assert "EC2 describes an instance type without NetworkInfo; nothing was written" in assert_one_sentence(done)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.DENIED, f"{DESCRIBE} is not allowed"),
        (Fault.EXPIRED, "the credentials have expired"),
        (Fault.THROTTLED, f"AWS throttles {DESCRIBE}"),
        (Fault.FAULT, f"AWS failed on {DESCRIBE}"),
        (Fault.CUT_BEFORE, f"the connection broke during {DESCRIBE}"),
        (Fault.CUT_AFTER, f"the connection broke during {DESCRIBE}"),
        (Fault.CUT_WITHIN, f"the connection broke during {DESCRIBE}"),
    ],
)
def test_a_failure_of_aws_ends_in_one_sentence(
    fault: Fault, said: str, variables: dict[str, str], endpoint: str
) -> None:
    with fault_proxy(endpoint, Faults(lambda _: fault)) as address:
        led = variables | {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": "1"}
        done = epochwise_live("refresh-catalog", "--write", variables=led)
    assert assert_one_sentence(done).startswith(f"refresh-catalog: {said}")
    assert done.stdout == ""


RUNS = 12


@pytest.mark.usefixtures("here")
def test_random_faults_write_the_catalog_whole_or_not_at_all(
    endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = outdated()
    place, old = tmp_path / NAME, instance_types_text(document)
    place.parent.mkdir()
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    monkeypatch.setattr("epochwise.catalog.data_file.load", lambda _: document)
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    ask = Aws.pages
    only = {"Filters": [{"Name": "instance-type", "Values": ["p4d.24xlarge", "p5.48xlarge"]}]}
    # of all types, which take seconds to describe, two are asked for
    monkeypatch.setattr(Aws, "pages", lambda aws, service, method, **asked: ask(aws, service, method, **asked, **only))
    kinds = tuple(fault for fault in Fault if fault not in {Fault.NONE, Fault.LATE})
    faults, ended, wholes = Faults(lambda _: Fault.NONE), Counter[int](), set[str]()
    with fault_proxy(endpoint, faults) as address:
        for seed in range(RUNS):
            place.write_text(old)
            faults.chosen = at_random(seed, 0.4, kinds)
            done = called("refresh-catalog", "--write", AWS_ENDPOINT_URL=address, AWS_MAX_ATTEMPTS="2")
            ended[done.returncode] += 1
            if done.returncode == 0:
                wholes.add(place.read_text())
            else:
                assert_one_sentence(done)
                assert (done.stdout, place.read_text()) == ("", old), seed
            assert [path.name for path in place.parent.iterdir()] == [place.name], seed
    assert min(ended[0], ended[2]) >= 2, ended
    assert len(wholes) == 1
    assert old not in wholes
    assert Fault.MALFORMED in {fault for _, fault in faults.struck}


def test_absent_credentials_an_absent_region_and_an_absent_service_are_told(variables: dict[str, str]) -> None:
    without = {name: value for name, value in variables.items() if "KEY" not in name}
    assert "sign in first" in assert_one_sentence(epochwise_live("refresh-catalog", variables=without))
    nowhere = {name: value for name, value in variables.items() if name != "AWS_DEFAULT_REGION"}
    assert "set AWS_REGION" in assert_one_sentence(epochwise_live("refresh-catalog", variables=nowhere))
    nobody = variables | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", "AWS_MAX_ATTEMPTS": "1"}
    assert "no connection to ec2" in assert_one_sentence(epochwise_live("refresh-catalog", variables=nobody))


def test_help_says_what_it_does(variables: dict[str, str]) -> None:
    done = epochwise_live("refresh-catalog", "--help", variables=variables)
    assert done.returncode == 0
    assert "--write" in done.stdout

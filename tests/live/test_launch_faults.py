"""Whatever breaks on the way, and however often the call is repeated: one execution, one job, no traceback."""

import json
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.cli.command_line import called
from tests.deploy.job_machine import ended
from tests.live.deployed_guide import GUIDE, client_of, executions, guide_aws, owners
from tests.live.fault_proxy import Fault, Faults, at_random, fault_proxy
from tests.live.local_aws import epochwise_live

SEED, RUNS, SHARE, MOST_TRIES = 20261130, 48, 0.35, 12
AS_PROCESSES = 6
"""Every so manieth run is a process of its own."""
BROKEN = tuple(fault for fault in Fault if fault not in {Fault.NONE, Fault.DENIED, Fault.EXPIRED, Fault.LATE})


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with guide_aws() as address:
        yield address


@pytest.mark.usefixtures("here")
def test_random_faults_never_start_a_second_execution(
    endpoint: str, variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=lambda _: None))
    client = client_of(endpoint)
    faults = Faults(at_random(SEED, SHARE, BROKEN))
    statuses: Counter[int] = Counter()
    with fault_proxy(endpoint, faults) as address:
        through = variables | {"AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": "2"}
        for run in range(RUNS):
            call = ["launch", str(GUIDE), "--stack", "guide", "--set", f"training.hyperparameters.run={run}"]
            call += ["--wait"] if run % 4 == 0 else []
            for _ in range(MOST_TRIES):
                done = called(*call, **through) if run % AS_PROCESSES else epochwise_live(*call, variables=through)
                statuses[done.returncode] += 1
                assert "Traceback" not in done.stderr, done.stderr
                assert done.returncode in {0, 2}, done.stdout
                if done.returncode == 0 or "is there already with what is asked for here" in done.stderr:
                    break
                assert len(done.stderr.strip().splitlines()) == 1, done.stderr
            else:
                pytest.fail(f"run {run} never came through: {done.stderr}")
    struck = Counter(fault for _, fault in faults.struck)
    assert all(struck[fault] for fault in BROKEN), struck
    assert any(operation == "StartExecution" and fault is Fault.CUT_AFTER for operation, fault in faults.struck)
    assert statuses[2] > 0, "some calls were to fail"

    started = executions(client, "guide")
    given = Counter(ended(client, arn)["input"] for arn in started)
    assert given == {
        json.dumps({"hyperparameters": {"run": str(run)}}, separators=(",", ":")): 1 for run in range(RUNS)
    }
    assert Counter(owners(client).values()) == dict.fromkeys(started, 1)

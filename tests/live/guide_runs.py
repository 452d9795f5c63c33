"""The guide's runs in tests: launched and watched as processes, and one that goes on with metrics."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.deploy.job_machine import start, until
from tests.live.deployed_guide import ACCOUNT, FILE_SYSTEM, GUIDE, Client, begun, job_of
from tests.live.local_aws import REGION, epochwise_live

HYPER = "training.hyperparameters"
MACHINE = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:guide-job"


def launched(variables: dict[str, str], *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Launch the guide as a process and return it."""
    done = epochwise_live("launch", GUIDE, "--stack", "guide", *arguments, variables=variables)
    assert done.returncode == status, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


def waited(variables: dict[str, str], *arguments: str, **streams: Any) -> subprocess.Popen[str]:
    """Begin to launch the guide and to wait for its end."""
    return begun("launch", GUIDE, "--stack", "guide", "--wait", *arguments, variables=variables, **streams)


def watched(variables: dict[str, str], *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Watch a run as a process."""
    done = epochwise_live("watch", *arguments, variables=variables)
    assert done.returncode == status, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done


@contextmanager
def measured_run(client: Client) -> Iterator[tuple[str, str]]:
    """Start a run that goes on, with a quarter of an hour of metrics; yield its ARN and its job."""
    arn = start(client, MACHINE, {"hyperparameters": {"forever": "1", "finds": "CPUBottleneck"}}, "running")
    [job] = until(lambda: job_of(client, arn))
    measure(client, job)
    until(lambda: "debugger/CpuBottleneck" in str(history(client, arn)))
    yield arn, job
    client("stepfunctions").stop_execution(executionArn=arn)


def history(client: Client, arn: str) -> list[dict[str, Any]]:
    """Return the newest events of an execution."""
    return list(client("stepfunctions").get_execution_history(executionArn=arn, reverseOrder=True)["events"])


def measure(client: Client, job: str) -> None:
    """Put metrics of three of four nodes and of their file system."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)

    def values(metric: str, dimension: str, value: str, number: float) -> list[dict[str, Any]]:
        return [
            {
                "MetricName": metric,
                "Dimensions": [{"Name": dimension, "Value": value}],
                "Timestamp": now - timedelta(minutes=back),
                "Value": number,
            }
            for back in range(-3, 15)
        ]

    nodes = [(f"{job}/algo-{number}", 10.0 * number) for number in (1, 2, 3)]
    data = [each for host, use in nodes for each in values("GPUUtilization", "Host", host, 8 * use)]
    data += [each for host, use in nodes for each in values("CPUUtilization", "Host", host, 96 * use / 2)]
    data += [each for host, _ in nodes for each in values("MemoryUtilization", "Host", host, 33.3)]
    client("cloudwatch").put_metric_data(Namespace="/aws/sagemaker/TrainingJobs", MetricData=data)
    reads = values("DataReadBytes", "FileSystemId", FILE_SYSTEM, 2300 * 60e6)
    client("cloudwatch").put_metric_data(Namespace="AWS/FSx", MetricData=reads)

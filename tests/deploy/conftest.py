"""A local AWS: moto's server as a process of its own, and the CDK CLI pointed at it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from tests.live.local_aws import local_aws

ROOT = Path(__file__).parents[2]
collect_ignore = [
    *("scenario_app.py", "workloads_app.py"),
    *("taught_fsx.py", "taught_jobs.py", "taught_moto.py", "taught_stacks.py"),
]
"""Processes of their own: an app loads node, and the server teaches whatever imports it."""
ACCOUNT, REGION = "123456789012", "us-east-1"

Cdk = Callable[..., subprocess.CompletedProcess[str]]
"""Run the CDK CLI with arguments; fails the test with the CLI's own words."""


@pytest.fixture(scope="module")
def aws_environment() -> Iterator[dict[str, str]]:
    """Start the server on loopback, and return the environment that leads every client to it."""
    with local_aws("tests.deploy.taught_moto") as address:
        # by name: moto tells a bucket of a template's address only where the host is localhost
        endpoint = address.replace("127.0.0.1", "localhost")
        yield {
            "PATH": os.pathsep.join(
                [str(Path(sys.executable).parent), str(ROOT / "node_modules" / ".bin"), os.environ["PATH"]]
            ),
            # the library of this checkout comes first, wherever the environment has installed one from
            "PYTHONPATH": os.pathsep.join(
                [str(ROOT / "constructs"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
            ),
            "HOME": os.environ.get("HOME", str(ROOT)),
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_EC2_METADATA_DISABLED": "true",
            "CDK_VALIDATION": "false",
            "CDK_DISABLE_CLI_TELEMETRY": "true",
            "NO_COLOR": "1",
        }


@pytest.fixture(scope="module")
def cdk(aws_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Cdk:
    """Return how to run the CDK CLI against the local AWS."""
    for tool in ("cdk", "node"):
        if shutil.which(tool, path=aws_environment["PATH"]) is None:
            pytest.fail(f"{tool} is not installed; `make setup` installs it")
    outputs = tmp_path_factory.mktemp("cdk.out")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        # one for each run, since the CLI locks it; not by pytest, whose factory is not for threads
        output = tempfile.mkdtemp(dir=outputs)
        done = subprocess.run(
            ["cdk", *arguments, "--output", output, "--no-notices", "--context", "epochwise:allow-destroy=true"],
            cwd=ROOT,
            env=aws_environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, f"cdk {arguments[0]} failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        return done

    return run


@pytest.fixture(scope="module")
def client(aws_environment: dict[str, str]) -> Iterator[Callable[[str], Any]]:
    """Return boto3's client of a service of the local AWS, where state machines run."""
    from tests.deploy.job_machine import switch_interpreter

    session = boto3.Session("testing", "testing", region_name=REGION)
    switch_interpreter(aws_environment["AWS_ENDPOINT_URL"], on=True)
    yield lambda service: session.client(service, endpoint_url=aws_environment["AWS_ENDPOINT_URL"])
    switch_interpreter(aws_environment["AWS_ENDPOINT_URL"], on=False)


@pytest.fixture(scope="module")
def topic(client: Callable[[str], Any]) -> str:
    """Return the ARN of a topic of findings."""
    return str(client("sns").create_topic(Name="findings")["TopicArn"])


@pytest.fixture
def told(client: Callable[[str], Any], topic: str) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Subscribe a queue; returns how to take what was told since."""
    queue = client("sqs").create_queue(QueueName="told")["QueueUrl"]
    arn = client("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    subscription = client("sns").subscribe(
        TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": "true"}
    )["SubscriptionArn"]

    def take() -> list[dict[str, Any]]:
        received: list[dict[str, Any]] = []
        while messages := client("sqs").receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages"):
            for message in messages:
                client("sqs").delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
                received.append(json.loads(message["Body"]))
        return received

    yield take
    client("sns").unsubscribe(SubscriptionArn=subscription)
    client("sqs").delete_queue(QueueUrl=queue)

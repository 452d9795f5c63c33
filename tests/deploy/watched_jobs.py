"""What a test of findings needs: machines that look for them, and the function that judges CloudWatch's metrics."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

from epochwise import Workload
from epochwise.catalog.instance_types import instance_type
from epochwise.cdk.job_evaluator import CONFIGURATION_VARIABLE, HANDLER, evaluator_files
from epochwise.cdk.job_shapes import job_shapes
from epochwise.cdk.job_state_machine import job_states
from epochwise.cdk.job_watch import WatchedFinding, Watching
from epochwise.training.request import JobDeployment, create_training_job_request
from tests.deploy.conftest import ACCOUNT, ROOT
from tests.deploy.job_machine import Client, create

SHAPE = {"workload", "job", "rule", "level", "message", "evidence", "fix", "source", "time"}
"""The members of every finding."""
Told = Callable[[], list[dict[str, Any]]]
"""Take what was told since the last time."""
Build = Callable[..., str]
"""Create a machine that looks for these findings, by name; returns its ARN."""


def builder(client: Client, topic: str, workload: Workload | None = None) -> Build:
    """Return how to build machines for a workload's job, the guide's by default."""
    declared = workload or Workload.from_file(ROOT / "workloads" / "guide.yaml")
    deployment = JobDeployment.placeholders(declared)
    shapes = job_shapes(
        declared, lambda shaped: create_training_job_request(shaped, deployment), max_nodes=4, instance_types=()
    )

    def build(name: str, *findings: WatchedFinding, evaluator: str | None = None, topic_arn: str = topic) -> str:
        watching = Watching(
            workload_name="guide",
            topic_arn=topic_arn,
            findings=findings,
            evaluator_arn=evaluator,
            evaluator_log_group="/aws/lambda/evaluator",
        )
        return create(client, name, job_states(shapes, watching=watching, partition="aws"))

    return build


def function(client: Client, name: str, rules: dict[str, Any], **broken: str) -> str:
    """Create the evaluator out of the very files that are deployed."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        for path, content in evaluator_files().items():
            opened.writestr(path, content)
    p4d = instance_type("ml.p4d.24xlarge")
    assert p4d is not None
    configuration = {
        "workload": "guide",
        "rules": rules,
        "instance_types": {"ml.p4d.24xlarge": [p4d.vcpu, p4d.accelerators, p4d.nccl_efa_interfaces]},
        "file_system_id": "fs-1",
        "ceiling_mbps": 2400.0,
        "ladder": [[4800.0, "PERSISTENT_2 9600 GiB at 500 MB/s/TiB", 3000.0]],
    }
    client("iam").create_role(RoleName=name, AssumeRolePolicyDocument="{}")
    created = client("lambda").create_function(
        FunctionName=name,
        Runtime="python3.14",
        Role=f"arn:aws:iam::{ACCOUNT}:role/{name}",
        Handler=HANDLER,
        Code={"ZipFile": archive.getvalue()},
        Environment={"Variables": {CONFIGURATION_VARIABLE: json.dumps(configuration)} | broken},
    )
    return str(created["FunctionArn"])

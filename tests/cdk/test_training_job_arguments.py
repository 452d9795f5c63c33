"""What a job is given is judged before anything of it is created."""

from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_s3 as s3

from epochwise import Plan, Workload
from tests.cdk.jobs import changed, file_system_in, job_in, network_in

REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {"file_system_path": "data"}, "FILE_SYSTEM_PATH_INVALID"),
    ({}, {"file_system_path": "/" + "x" * 4087}, "FILE_SYSTEM_PATH_INVALID"),
    ({}, {"stop_on": ["BatchSize"]}, "STOP_ON_NOT_WATCHED"),
    ({}, {"max_nodes": 3}, "MAX_NODES_BELOW_DECLARED"),
    ({}, {"instance_types": ["ml.g5.48xlarge"]}, "INSTANCE_TYPE_NEVER_ALLOWED"),
    ({}, {"nodes": 5}, "LAUNCH_SHAPE_NOT_DEPLOYED"),
    ({}, {"image": "docker.io/library/image:1"}, "LAUNCH_IMAGE_NOT_DEPLOYED"),
    ({"training": {"spot": True}}, {}, "SPOT_NEEDS_MAX_WAIT"),
    ({"watch": {"rules": [{"Overfit": {"actions": ["stop_training"]}}]}}, {}, "RULE_ACTION_CLOSED_VPC"),
]


@pytest.mark.parametrize(("changes", "arguments", "finding"), REFUSED, ids=[row[2] for row in REFUSED])
def test_nothing_of_a_job_that_is_refused_stays_in_the_app(
    stack: Stack, guide: Workload, guide_plan: Plan, changes: dict[str, Any], arguments: dict[str, Any], finding: str
) -> None:
    network = network_in(stack, nat_gateways=0)
    file_system = file_system_in(stack, network)
    before = [each.node.path for each in stack.node.find_all()]
    with pytest.raises(ValueError, match=rf"{finding}\]$"):
        job_in(stack, changed(guide, **changes), network, file_system, plan=guide_plan, **arguments)
    assert [each.node.path for each in stack.node.find_all()] == before


def test_a_bucket_for_code_that_is_not_declared_is_refused(stack: Stack, guide: Workload, guide_plan: Plan) -> None:
    network = network_in(stack)
    file_system = file_system_in(stack, network)
    bucket = s3.Bucket.from_bucket_name(stack, "Code", "ours")
    own_script = changed(guide, training={"source": None, "entry_point": None})
    with pytest.raises(ValueError, match=r"CODE_BUCKET_WITHOUT_SOURCE\]$"):
        job_in(stack, own_script, network, file_system, plan=guide_plan, code_bucket=bucket)

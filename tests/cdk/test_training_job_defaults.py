"""What an execution gets whose input says nothing, and where its code lies, may be the deploy's choice."""

from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk.assertions import Template

from epochwise import Plan, Workload
from epochwise.following.deployed_job import jobs_in
from tests.cdk.jobs import file_system_in, job_in, network_in
from tests.cdk.test_training_job import definition

IMAGE = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.4.0"


def test_image_and_nodes_are_defaults_that_an_executions_input_replaces(
    stack: Stack, guide: Workload, guide_plan: Plan
) -> None:
    network = network_in(stack)
    job_in(stack, guide, network, file_system_in(stack, network), plan=guide_plan, image=IMAGE, nodes=2)
    template = Template.from_stack(stack)
    states = definition(template)["States"]
    defaults = states["DefaultInput"]["Parameters"]["defaults"]
    assert (defaults["image"], defaults["nodes"]) == (IMAGE, 2)
    [job] = jobs_in(template.to_json()).values()
    assert job.given == ("image", "nodes")
    assert job.workload == guide


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"image": "other"}, r"^image is other, .*\[LAUNCH_IMAGE_NOT_DEPLOYED\]$"),
        ({"nodes": 5}, r"^nodes asks for 5 ml.p4d.24xlarge, .* 1 to 4 .*\[LAUNCH_SHAPE_NOT_DEPLOYED\]$"),
    ],
)
def test_a_default_that_no_execution_may_ask_for_is_refused_by_its_own_name(
    stack: Stack, guide: Workload, guide_plan: Plan, given: dict[str, Any], told: str
) -> None:
    network = network_in(stack)
    with pytest.raises(ValueError, match=told):
        job_in(stack, guide, network, file_system_in(stack, network), plan=guide_plan, **given)


def test_code_in_another_bucket_is_read_from_there_alone(stack: Stack, guide: Workload, guide_plan: Plan) -> None:
    network = network_in(stack)
    code = s3.Bucket(stack, "Code", encryption=s3.BucketEncryption.KMS, encryption_key=kms.Key(stack, "CodeKey"))
    job = job_in(stack, guide, network, file_system_in(stack, network), plan=guide_plan, code_bucket=code)
    template = Template.from_stack(stack)
    submitted = definition(template)["States"]["TakeDeclared"]["Result"]["HyperParameters"][
        "sagemaker_submit_directory"
    ]
    assert submitted.endswith('/guide/sourcedir.tar.gz"')
    assert "example-training-code" not in submitted
    policy = [
        statement
        for name, each in template.find_resources("AWS::IAM::Policy").items()
        if name.startswith("JobRole")
        for statement in each["Properties"]["PolicyDocument"]["Statement"]
    ]
    [read] = [each for each in policy if each.get("Sid") == "ReadCode"]
    assert "example-training-code" not in str(read)
    made = code.node.default_child
    assert isinstance(made, s3.CfnBucket)
    assert str(stack.resolve(made.ref)["Ref"]) in str(read)
    assert any("kms:Decrypt" in each["Action"] and "CodeKey" in str(each["Resource"]) for each in policy)
    assert job.shapes.counts == {"ml.p4d.24xlarge": "1 to 4"}

"""What of a training job a pipeline gives, with what is declared as the default."""

import re
from dataclasses import dataclass
from typing import cast

from aws_cdk import CfnParameter, Fn, Stack
from aws_cdk import aws_s3 as s3

from epochwise.cdk.job_shapes import JobShapes
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.training_image import image_repository
from stacks.deploy_rules import allow_when
from stacks.given_bucket import given_bucket


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenJob:
    """Arguments of `TrainingJob`; None is what the workload declares."""

    image: str | None = None
    nodes: int | None = None
    code_bucket: s3.IBucket | None = None


def given_job(stack: Stack, job: DeclaredJob) -> GivenJob:
    """Ask for the image, the number of nodes and the bucket of the code by Parameters of a stack.

    The image is another tag or digest of the declared repository, which the job's role may pull and whose Region the
    workload was judged by.
    """
    training, cluster = job.training, job.workload.cluster
    repository = image_repository(training.image)
    literal = re.escape(repository or training.image).replace("\\-", "-")
    image = CfnParameter(
        stack,
        "Image",
        default=training.image,
        allowed_pattern=f"^{literal}{'[:@].+' if repository else ''}$",
        constraint_description=f"must be {f'a tag or digest of {repository}' if repository else training.image}",
        description="Image that jobs train with whose execution names none",
    )
    nodes = CfnParameter(
        stack,
        "Nodes",
        type="Number",
        default=cluster.nodes,
        description=f"Number of {cluster.instance_type} that a job gets whose execution names none",
    )
    bucket = None if training.source is None else given_bucket(stack, "CodeBucket", training.source, "the code")
    # CDK stands for a number of the deploy by one with a fraction
    return GivenJob(image=image.value_as_string, nodes=cast("int", nodes.value_as_number), code_bucket=bucket)


def allow_planned_nodes(stack: Stack, job: DeclaredJob, shapes: JobShapes) -> None:
    """Refuse a number of nodes that the plan was not made for, or that the job's checks do not allow."""
    cluster = job.workload.cluster
    counts = sorted(
        shape.nodes
        for _, members in shapes.variants
        for shape in members
        if shape.instance_type == cluster.instance_type
    )
    allow_when(
        stack,
        "NodesOfPlan",
        Fn.condition_contains([str(count) for count in counts], Fn.ref("Nodes")),
        f"Nodes must be {shapes.counts[cluster.instance_type]}: network and file system are planned for "
        f"{cluster.nodes}",
    )

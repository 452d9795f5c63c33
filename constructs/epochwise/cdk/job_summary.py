"""What a job's state machine carries in its Metadata, for `epochwise launch` and `watch`."""

from dataclasses import asdict

from aws_cdk import CfnResource
from aws_cdk import aws_stepfunctions as sfn

from epochwise.cdk.file_system_limits import FileSystemLimits, limits_of
from epochwise.cdk.job_input import AS_DECLARED, InputDefaults
from epochwise.cdk.job_shapes import JobShapes
from epochwise.following.deployed_job import METADATA_KEY, DeployedJob
from epochwise.sizing.plan import Plan
from epochwise.sizing.planner import plan as plan_workload
from epochwise.workload import Workload


def job_summary(
    workload: Workload, shapes: JobShapes, plan: Plan | None, defaults: InputDefaults = AS_DECLARED
) -> DeployedJob:
    """Return what is said of a job; without a plan the workload is planned."""
    limits = limits_of(plan or plan_workload(workload), FileSystemLimits())
    given = tuple(name for name, value in asdict(defaults).items() if value is not None)
    return DeployedJob(workload, shapes.counts, limits.demand_mbps, limits.ceiling_mbps, given)


def add_job_summary(machine: sfn.StateMachine, summary: DeployedJob) -> None:
    """Put it into the template beside the state machine."""
    resource = machine.node.default_child
    assert isinstance(resource, CfnResource)  # noqa: S101 - a state machine made here has one
    resource.add_metadata(METADATA_KEY, summary.as_metadata())

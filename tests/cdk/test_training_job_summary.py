"""The template says of a job what it takes to start and to follow it."""

from typing import Any

from aws_cdk import Stack
from aws_cdk.assertions import Template

from epochwise import Plan
from epochwise.cdk.file_system_limits import FileSystemLimits, limits_of
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_job import TrainingJob
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.following.deployed_job import DeployedJob, jobs_in


def deployed(plan: Plan, stack: Stack, **arguments: Any) -> DeployedJob:
    """Build a job and read its summary from the template."""
    network = TrainingNetwork(stack, "Network", nodes=4, instance_type="ml.p4d.24xlarge")
    file_system = TrainingFileSystem(
        stack, "FileSystem", vpc=network.vpc, subnet=network.private_subnet, size=plan.choice
    )
    TrainingJob(stack, "Job", workload=plan.workload, network=network, file_system=file_system, **arguments)
    [job] = jobs_in(Template.from_stack(stack).to_json()).values()
    return job


def test_the_reference_app_says_which_workload_it_deploys(templates: dict[str, Template], guide_plan: Plan) -> None:
    [(logical_id, job)] = jobs_in(templates["training"].to_json()).items()
    machines = templates["training"].find_resources("AWS::StepFunctions::StateMachine")
    assert logical_id in machines
    assert len(machines) == 2, "the stopper is there, and is no job"
    assert job.workload == guide_plan.workload
    assert job.shapes == {"ml.p4d.24xlarge": "1 to 4"}


def test_demand_and_ceiling_are_those_of_the_plan(stack: Stack, guide_plan: Plan) -> None:
    job = deployed(guide_plan, stack)
    limits = limits_of(guide_plan, FileSystemLimits())
    assert (limits.demand_mbps, limits.ceiling_mbps) != (None, None)
    assert job.demand_mbps == round(limits.demand_mbps or 0, 1)
    assert job.ceiling_mbps == round(limits.ceiling_mbps or 0, 1)


def test_the_freedom_of_executions_is_said(stack: Stack, guide_plan: Plan) -> None:
    job = deployed(guide_plan, stack, max_nodes=6, instance_types=["ml.p4de.24xlarge"])
    assert job.shapes == {"ml.p4d.24xlarge": "1 to 6", "ml.p4de.24xlarge": "1 to 6"}

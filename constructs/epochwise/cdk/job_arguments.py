"""What `TrainingJob` is given, judged before anything of it is created."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from constructs import IConstruct

from epochwise.cdk.findings import refuse_errors
from epochwise.cdk.job_definition import definition_findings
from epochwise.cdk.job_evaluator import evaluator_configuration
from epochwise.cdk.job_ladder import Ladder, ladder_of
from epochwise.cdk.job_placement import placement_findings
from epochwise.cdk.job_shapes import JobShapes, Request, job_shapes
from epochwise.cdk.job_telling import telling_findings
from epochwise.cdk.lustre_file_system import LustreFileSystem
from epochwise.cdk.tokens import is_token
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding
from epochwise.checks.job_placement import code_bucket_without_source
from epochwise.checks.launch import launch_image_not_deployed, launch_shape_not_deployed
from epochwise.checks.running_job import evaluator_configuration_too_long, running_job_findings
from epochwise.checks.training import required_job, training_findings
from epochwise.sizing.plan import Plan
from epochwise.sizing.planner import plan as plan_workload
from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.workload import Workload


@dataclass(frozen=True, kw_only=True)
class JobArguments:
    """The arguments of a job that passed the checks, and what was said about them."""

    job: DeclaredJob
    max_nodes: int
    instance_types: tuple[str, ...]
    """Types that an execution may ask for beside the declared one."""
    ladder: Ladder | None
    """For the rule StorageBottleneck; None where it is not declared."""
    remarks: tuple[Finding, ...] = ()

    def shapes(self, deployment: JobDeployment) -> JobShapes:
        """Return the request for every shape that executions may ask for.

        Raises:
            ValueError: a type on which no number of nodes passes the checks.
        """

        def make(shaped: Workload) -> Request:
            return create_training_job_request(shaped, deployment)

        return job_shapes(self.job.workload, make, max_nodes=self.max_nodes, instance_types=self.instance_types)

    def configuration(self, file_system_id: str) -> str:
        """Return the evaluator's configuration, empty without rules for it."""
        if not self.job.cloudwatch_rules:
            return ""
        types = tuple(dict.fromkeys((self.job.workload.cluster.instance_type, *self.instance_types)))
        return evaluator_configuration(
            self.job, instance_types=types, file_system_id=file_system_id, ladder=self.ladder
        )


def judged_arguments(
    scope: IConstruct,
    *,
    workload: Workload,
    network: TrainingNetwork,
    file_system: LustreFileSystem,
    file_system_path: str,
    stop_on: Sequence[str],
    max_nodes: int | None,
    instance_types: Sequence[str],
    image: str | None,
    nodes: int | None,
    code_bucket: s3.IBucket | None,
    plan: Plan | None,
    topic: sns.ITopic | None,
    encryption_key: kms.IKey | None,
) -> JobArguments:
    """Return the arguments of `TrainingJob` with the remarks about them.

    Raises:
        ValueError: with every error that is found.
    """
    job = required_job(workload)
    most = workload.cluster.nodes if max_nodes is None else max_nodes
    planned = None
    if any(rule.name == "StorageBottleneck" for rule in job.cloudwatch_rules):
        planned = plan or plan_workload(workload)
    arguments = JobArguments(
        job=job,
        max_nodes=most,
        instance_types=tuple(instance_types),
        ladder=None if planned is None else ladder_of(planned),
    )
    remarks = refuse_errors(
        [
            *training_findings(workload),
            *running_job_findings(workload, max_nodes=most, instance_types=instance_types, stop_on=stop_on),
            *telling_findings(scope, topic, encryption_key, workload.region),
            *code_bucket_without_source(job.training.source, given=code_bucket is not None),
            *placement_findings(
                scope,
                workload=workload,
                network=network,
                file_system=file_system,
                file_system_path=file_system_path,
                max_nodes=most,
                instance_types=instance_types,
                planned=planned,
            ),
        ]
    )
    # whatever else a request may be refused for
    shapes = arguments.shapes(replace(JobDeployment.placeholders(workload), closed_vpc=network.closed))
    refuse_errors(_default_findings(arguments, shapes, image=image, nodes=nodes))
    refuse_errors(definition_findings(job, shapes, stop_on))
    length = len(arguments.configuration(""))
    refuse_errors(filter(None, [evaluator_configuration_too_long(length, instance_types)]))
    return replace(arguments, remarks=tuple(remarks))


def _default_findings(
    arguments: JobArguments, shapes: JobShapes, *, image: str | None, nodes: int | None
) -> Iterator[Finding]:
    """Yield what speaks against what executions get by default, as far as it is known before the deploy."""
    found = []
    if image is not None and not is_token(image, str):
        found.append(launch_image_not_deployed(image, arguments.job.training.image, asker="image"))
    if nodes is not None and not is_token(nodes, int):
        declared = arguments.job.workload.cluster.instance_type
        found.append(launch_shape_not_deployed(nodes, declared, shapes.counts, asker="nodes"))
    yield from filter(None, found)

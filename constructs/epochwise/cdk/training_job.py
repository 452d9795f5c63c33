"""`TrainingJob`: a state machine that runs the declared training as one SageMaker job, and what the job needs."""

from collections.abc import Sequence

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from epochwise.cdk.acknowledgements import acknowledge_policy
from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.file_system_metrics import period_findings
from epochwise.cdk.findings import annotate, annotate_at_synth, refuse_errors
from epochwise.cdk.job_abort import JobStopper
from epochwise.cdk.job_arguments import judged_arguments
from epochwise.cdk.job_code import code_in
from epochwise.cdk.job_dashboard import findings_widget, utilization_widgets
from epochwise.cdk.job_evaluator import JobEvaluator, evaluator_log_group_name
from epochwise.cdk.job_findings import watched_findings
from epochwise.cdk.job_input import InputDefaults
from epochwise.cdk.job_placement import dataset_findings, let_nodes_in
from epochwise.cdk.job_region import region_of_job
from epochwise.cdk.job_roles import machine_statements, request_statements
from epochwise.cdk.job_shapes import Request
from epochwise.cdk.job_state_machine import job_states
from epochwise.cdk.job_storage import (
    allow_to_tell,
    create_artifacts_bucket,
    create_log_group,
    create_topic,
    job_key,
    machine_log_group_name,
)
from epochwise.cdk.job_summary import add_job_summary, job_summary
from epochwise.cdk.job_watch import Watching
from epochwise.cdk.lustre_file_system import LustreFileSystem
from epochwise.cdk.stack_order import come_after
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.cdk.training_role import ObjectsOfJob, create_training_role
from epochwise.checks.declared_job import DeclaredJob
from epochwise.sizing.plan import Plan
from epochwise.training.request import JOB_NAME_PLACEHOLDER, JobDeployment
from epochwise.workload import Workload


class TrainingJob(Construct):
    """A multi-node training job that reads from a file system; one execution of its state machine is one job.

    CloudFormation's own schemas, as cfn-lint and the CDK ship them, have no training job; a page about
    `AWS::SageMaker::TrainingJob` stands on the documentation site of AWS China, and whether other Regions have the type
    is unverified. So a state machine sends the whole CreateTrainingJob request, looks at the job until it ends, and
    ends as the job did, with the job's own reason. The name of the job follows from the execution, so that a retry
    never creates a second one. An execution that ends before its job, by whatever, has it stopped by a second machine.

    Between two looks the declared rules are evaluated: Debugger's by what DescribeTrainingJob says of them,
    CloudWatch's by a function, which is there only when `watch.using` holds cloudwatch. Each finding is told to a topic
    once, as JSON with workload, job, rule, level, message, evidence, fix, source and time. Debugger's rules that are
    still evaluated when their job has ended are waited for, for twenty minutes at most.

    It belongs into the workload's Region, whose images and prices are meant: a stack of another is refused, and one
    that does not know its Region can be deployed to that one only.

    An execution's input may hold `job_name_suffix`, `image` (of the same repository), `hyperparameters` (strings,
    merged over the declared ones), `nodes` and `instance_type`; what the checks do not allow ends it before there is a
    job.

    | attribute | is |
    |---|---|
    | `state_machine` | what to start; `grant_start` lets others |
    | `topic` | where findings are told |
    | `role` | what the job runs as |
    | `artifacts_bucket` | where models and profiles go, below the workload's name |
    | `shapes` | on how many nodes of which type an execution may run |
    | `evaluator` | the function that judges CloudWatch's metrics, or None |
    """

    @arguments_of_their_kind("nodes")
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        workload: Workload,
        network: TrainingNetwork,
        file_system: LustreFileSystem,
        file_system_path: str = "/",
        artifacts_bucket: s3.IBucket | None = None,
        code_bucket: s3.IBucket | None = None,
        encryption_key: kms.IKey | None = None,
        topic: sns.ITopic | None = None,
        stop_on: Sequence[str] = (),
        max_nodes: int | None = None,
        instance_types: Sequence[str] = (),
        image: str | None = None,
        nodes: int | None = None,
        plan: Plan | None = None,
    ) -> None:
        """Create the state machine, the topic and the roles.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            workload: what is declared, with a training section and nodes in SageMaker.
            network: where the nodes run; its group is made a client of the file system if it is none yet.
            file_system: what the job reads, in the same VPC: one of this app, or an imported one, whose owner must let
                the nodes in.
            file_system_path: folder of the file system that holds the dataset; without the mount name.
            artifacts_bucket: where models and profiles go; by default a bucket of its own, which is retained.
            code_bucket: where the code lies under the key of `training.source`, instead of the bucket declared there.
            encryption_key: key of the logs and of the topic, no alias; by default one of its own, which is retained.
            topic: where findings are told, a standard one of this Region; by default an encrypted one of its own.
            stop_on: rules of `watch.rules` whose finding stops the job; by default none does.
            max_nodes: most nodes that an execution may ask for; the declared number by default. The subnet must hold
                them.
            instance_types: types that an execution may ask for beside the declared one.
            image: what an execution trains with whose input names no image: a tag or digest of the declared image's
                repository; the declared one by default.
            nodes: how many nodes an execution gets whose input names no number; the declared number by default.
            plan: the plan of the file system, for the rule StorageBottleneck; by default the workload is planned.

        Raises:
            ValueError: the workload has no SageMaker training job, or one that cannot work; or network and file system
                are seen to be in VPCs that nothing joins.
        """
        arguments = judged_arguments(
            scope,
            workload=workload,
            network=network,
            file_system=file_system,
            file_system_path=file_system_path,
            stop_on=stop_on,
            max_nodes=max_nodes,
            instance_types=instance_types,
            image=image,
            nodes=nodes,
            code_bucket=code_bucket,
            plan=plan,
            topic=topic,
            encryption_key=encryption_key,
        )
        super().__init__(scope, construct_id)
        come_after(self, file_system.file_system_id, file_system)

        arguments = code_in(code_bucket, arguments)
        job, stack = arguments.job, Stack.of(self)
        evaluated = bool(job.cloudwatch_rules)
        self._workload_name = workload.name
        self.artifacts_bucket = artifacts_bucket or create_artifacts_bucket(self)
        groups = [machine_log_group_name(self), *([evaluator_log_group_name(self)] if evaluated else [])]
        key = job_key(self, encryption_key, groups)
        self.log_group = create_log_group(self, key)
        self.topic: sns.ITopic = topic or create_topic(self, key, workload.name)
        let_nodes_in(file_system, network)
        self.role = self._create_role(job, network, file_system)
        shapes = self.shapes = arguments.shapes(self._deployment(job, network, file_system, file_system_path))
        for statement in self._rights_of_request(shapes.request):
            self.role.add_to_policy(statement)
        if code_bucket is not None and code_bucket.encryption_key is not None:
            code_bucket.encryption_key.grant_decrypt(self.role)
        self.evaluator: JobEvaluator | None = None
        if evaluated:
            self.evaluator = JobEvaluator(
                self,
                "Evaluator",
                workload_name=workload.name,
                configuration=arguments.configuration(file_system.file_system_id),
                encryption_key=key,
                reads_log=job.judges_nccl,
            )
        function = None if self.evaluator is None else self.evaluator.function
        watching = Watching(
            workload_name=workload.name,
            topic_arn=self.topic.topic_arn,
            findings=watched_findings(job, shapes.request, stop_on),
            evaluator_arn=None if function is None else function.function_arn,
            evaluator_log_group=evaluator_log_group_name(self),
        )
        defaults = InputDefaults(image=image, nodes=nodes)
        states = job_states(shapes, watching=watching, partition=stack.partition, defaults=defaults)
        self.state_machine = sfn.StateMachine(
            self,
            "Resource",
            definition_body=sfn.DefinitionBody.from_string(stack.to_json_string(states)),
            tracing_enabled=True,
            logs=sfn.LogOptions(destination=self.log_group, level=sfn.LogLevel.ALL, include_execution_data=True),
        )
        add_job_summary(self.state_machine, job_summary(workload, shapes, plan, defaults))
        self._allow_to_run_job(shapes.request, watching.evaluator_arn)
        if topic is None:
            allow_to_tell(self.state_machine, self.topic, key)
        else:
            topic.grant_publish(self.state_machine)
        self.stopper = JobStopper(
            self,
            "Stopper",
            machine=self.state_machine,
            workload_name=workload.name,
            jobs_arn=self._jobs_arn,
            log_group=self.log_group,
        )
        annotate(self, arguments.remarks)
        annotate_at_synth(self, lambda: dataset_findings(workload, file_system, file_system_path))

    @arguments_of_their_kind()
    def grant_start(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let a principal start the job."""
        return self.state_machine.grant_start_execution(grantee)

    @arguments_of_their_kind()
    def metric_findings(
        self,
        *,
        statistic: str = "Sum",
        period: Duration | None = None,
        label: str | None = None,
        color: str | None = None,
    ) -> cloudwatch.Metric:
        """Return how many findings were told to the topic.

        Args:
            statistic: CloudWatch's statistic.
            period: 5 minutes by default.
            label: name of the line in a graph.
            color: its colour.

        Raises:
            ValueError: CloudWatch keeps no points of such a period.
        """
        refuse_errors(period_findings(period))
        return self.topic.metric_number_of_messages_published(
            statistic=statistic, period=period, label=label, color=color
        )

    def dashboard_widgets(self) -> list[cloudwatch.IWidget]:
        """Return what a dashboard shows of this workload's jobs: use of every node, and the findings."""
        return [*utilization_widgets(self._workload_name), findings_widget(self._workload_name, self.log_group)]

    @property
    def _jobs_arn(self) -> str:
        """The ARN of every job that an execution may create."""
        return Stack.of(self).format_arn(
            service="sagemaker", resource="training-job", resource_name=f"{self._workload_name}-*"
        )

    def _create_role(self, job: DeclaredJob, network: TrainingNetwork, file_system: LustreFileSystem) -> iam.Role:
        """Create what the job runs as."""
        return create_training_role(
            self,
            "Role",
            image=job.training.image,
            objects=ObjectsOfJob(self.artifacts_bucket, job.workload.name, job.training.source),
            subnet=network.private_subnet,
            groups=network.security_groups,
            file_system_id=file_system.file_system_id,
        )

    def _deployment(
        self, job: DeclaredJob, network: TrainingNetwork, file_system: LustreFileSystem, file_system_path: str
    ) -> JobDeployment:
        """Return the values of the request that are known at deployment only; executions name the job."""
        return JobDeployment(
            job_name=JOB_NAME_PLACEHOLDER,
            role_arn=self.role.role_arn,
            subnet_ids=(network.private_subnet.subnet_id,),
            security_group_ids=tuple(group.security_group_id for group in network.security_groups),
            closed_vpc=network.closed,
            file_system_id=file_system.file_system_id,
            mount_name=file_system.mount_name,
            file_system_path=file_system_path,
            output_s3_uri=f"s3://{self.artifacts_bucket.bucket_name}/{job.workload.name}",
            region=region_of_job(self, job.workload.region),
        )

    def _rights_of_request(self, request: Request) -> list[iam.PolicyStatement]:
        """Return what the request asks of the job's role, its wildcards acknowledged."""
        statements, wildcards = request_statements(Stack.of(self), request, jobs=self._jobs_arn)
        acknowledge_policy(self.role.node.find_child("DefaultPolicy"), wildcards)
        return statements

    def _allow_to_run_job(self, request: Request, evaluator_arn: str | None) -> None:
        """Let the state machine run the workload's jobs, hand them their role, and have them judged."""
        for statement in machine_statements(
            Stack.of(self), jobs=self._jobs_arn, role=self.role, request=request, evaluator_arn=evaluator_arn
        ):
            self.state_machine.add_to_role_policy(statement)
        acknowledge_policy(
            self.state_machine.role.node.find_child("DefaultPolicy"),
            {
                self._jobs_arn: "the end of a job's name is a hash of the execution, not known before it starts",
                "*": "Step Functions' log deliveries and X-Ray take no resource",
            },
        )

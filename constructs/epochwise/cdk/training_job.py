"""`TrainingJob`: a state machine that runs the declared training as one SageMaker job, and what the job needs."""

from aws_cdk import ArnFormat, Names, RemovalPolicy, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from epochwise.cdk.acknowledgements import acknowledge_wildcards
from epochwise.cdk.findings import annotate, refuse_errors
from epochwise.cdk.job_state_machine import job_states
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.cdk.training_role import ObjectsOfJob, create_training_role
from epochwise.checks.training import no_job, training_findings
from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.workload import Workload


class TrainingJob(Construct):
    """A multi-node training job that reads from a file system; one execution of its state machine is one job.

    CloudFormation has no training job. The state machine sends the whole CreateTrainingJob request, looks at the job
    until it ends, and ends as the job did, with the job's own reason. The name of the job follows from the execution,
    so that a retry never creates a second one. Stopping an execution does not stop its job.

    | attribute | is |
    |---|---|
    | `state_machine` | what to start; `grant_start` lets others |
    | `role` | what the job runs as |
    | `artifacts_bucket` | where models and profiles go, below the workload's name |
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        workload: Workload,
        network: TrainingNetwork,
        file_system: TrainingFileSystem,
        file_system_path: str = "/",
        artifacts_bucket: s3.IBucket | None = None,
        encryption_key: kms.IKey | None = None,
    ) -> None:
        """Create the state machine and the job's role.

        Args:
            scope: where it belongs.
            construct_id: its id there.
            workload: what is declared, with a training section and nodes in SageMaker.
            network: where the nodes run; its group must be a client of the file system.
            file_system: what the job reads.
            file_system_path: folder of the file system that holds the dataset.
            artifacts_bucket: where models and profiles go; by default a bucket of its own, which is retained.
            encryption_key: key of the state machine's logs; by default a key of its own, which is retained.

        Raises:
            ValueError: the workload has no SageMaker training job, or one that cannot work.
        """
        absent = no_job(workload)
        if absent is not None or workload.training is None:
            raise ValueError(str(absent))
        remarks = refuse_errors(training_findings(workload))
        super().__init__(scope, construct_id)
        training = workload.training

        self.artifacts_bucket = artifacts_bucket or self._create_artifacts_bucket()
        group = network.efa_security_group
        self.role = create_training_role(
            self,
            "Role",
            image=training.image,
            objects=ObjectsOfJob(self.artifacts_bucket, workload.name, training.source),
            subnet=network.private_subnet,
            groups=[group],
        )
        stack = Stack.of(self)
        request = create_training_job_request(
            workload,
            JobDeployment(
                job_name=workload.name,
                role_arn=self.role.role_arn,
                subnet_ids=(network.private_subnet.subnet_id,),
                security_group_ids=(group.security_group_id,),
                file_system_id=file_system.file_system_id,
                mount_name=file_system.mount_name,
                file_system_path=file_system_path,
                output_s3_uri=f"s3://{self.artifacts_bucket.bucket_name}/{workload.name}",
                region=stack.region,
            ),
        )
        states = job_states(request, workload_name=workload.name, partition=stack.partition)
        self.state_machine = sfn.StateMachine(
            self,
            "Resource",
            definition_body=sfn.DefinitionBody.from_string(stack.to_json_string(states)),
            tracing_enabled=True,
            logs=sfn.LogOptions(
                destination=self._create_log_group(encryption_key), level=sfn.LogLevel.ALL, include_execution_data=True
            ),
        )
        self._allow_to_run_job(workload.name)
        annotate(self, remarks)

    def grant_start(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let a principal start the job."""
        return self.state_machine.grant_start_execution(grantee)

    def _create_artifacts_bucket(self) -> s3.Bucket:
        """Create the bucket of models and profiles, and the one of its access logs; both outlive the stack."""
        access_logs = s3.Bucket(
            self,
            "AccessLogs",
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            versioned=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            removal_policy=RemovalPolicy.RETAIN,
        )
        return s3.Bucket(
            self,
            "Artifacts",
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            versioned=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            server_access_logs_bucket=access_logs,
            removal_policy=RemovalPolicy.RETAIN,
        )

    def _create_log_group(self, encryption_key: kms.IKey | None) -> logs.LogGroup:
        """Create the state machine's log group, encrypted with a customer's key."""
        stack = Stack.of(self)
        # logs of this prefix need no resource policy each, whose number and size an account limits
        name = f"/aws/vendedlogs/states/{Names.unique_resource_name(self, max_length=64, separator='-')}"
        key = encryption_key or kms.Key(
            self,
            "LogKey",
            description="Logs of a training job's state machine",
            enable_key_rotation=True,
            removal_policy=RemovalPolicy.RETAIN,
        )
        arn = stack.format_arn(
            service="logs", resource="log-group", resource_name=name, arn_format=ArnFormat.COLON_RESOURCE_NAME
        )
        key.add_to_resource_policy(
            iam.PolicyStatement(
                sid="EncryptLogs",
                principals=[iam.ServicePrincipal("logs.amazonaws.com")],
                actions=["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"],
                resources=["*"],
                conditions={"ArnLike": {"kms:EncryptionContext:aws:logs:arn": arn}},
            )
        )
        return logs.LogGroup(
            self,
            "Logs",
            log_group_name=name,
            encryption_key=key,
            retention=logs.RetentionDays.ONE_YEAR,
            removal_policy=RemovalPolicy.DESTROY,
        )

    def _allow_to_run_job(self, workload_name: str) -> None:
        """Let the state machine create and describe the workload's jobs, and hand them their role."""
        jobs = Stack.of(self).format_arn(
            service="sagemaker", resource="training-job", resource_name=f"{workload_name}-*"
        )
        for statement in [
            iam.PolicyStatement(
                sid="RunJobs",
                actions=["sagemaker:CreateTrainingJob", "sagemaker:DescribeTrainingJob", "sagemaker:AddTags"],
                resources=[jobs],
            ),
            iam.PolicyStatement(
                sid="PassJobRole",
                actions=["iam:PassRole"],
                resources=[self.role.role_arn],
                conditions={"StringEquals": {"iam:PassedToService": "sagemaker.amazonaws.com"}},
            ),
        ]:
            self.state_machine.add_to_role_policy(statement)
        acknowledge_wildcards(
            self.state_machine.role.node.find_child("DefaultPolicy"),
            {
                jobs: "the end of a job's name is a hash of the execution, not known before it starts",
                "*": "Step Functions' log deliveries and X-Ray take no resource",
            },
        )

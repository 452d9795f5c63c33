"""The reference app's resources for the guide, written by hand: what there is to write without epochwise.

`run.py` measures the reference app beside this one. Sizes and the training request are the guide's, worked out by hand;
everything else is aws-cdk-lib as its documentation shows it.
"""

from collections.abc import Iterator
from pathlib import Path

from aws_cdk import App, Aws, CfnOutput, RemovalPolicies, RemovalPolicy, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_fsx as fsx
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

JOB = Path(__file__).with_name("plain_job.asl.json")
STOPPER = Path(__file__).with_name("plain_stopper.asl.json")
IMAGE_ARN = f"arn:{Aws.PARTITION}:ecr:us-east-1:763104351884:repository/pytorch-training"
CODE_BUCKET_ARN = f"arn:{Aws.PARTITION}:s3:::example-training-code"
CODE_KEY = "guide/sourcedir.tar.gz"
HERE = f"{Aws.REGION}:{Aws.ACCOUNT_ID}"
JOBS_ARN = f"arn:{Aws.PARTITION}:sagemaker:{HERE}:training-job/guide-*"
S3_ACTIONS = ["s3:AbortMultipartUpload", "s3:DeleteObject", "s3:GetObject*", "s3:ListBucket*", "s3:PutObject*"]
PUBLIC_BUCKETS = (f"prod-{Aws.REGION}-starport-layer-bucket", f"amazonlinux-2-repos-{Aws.REGION}")
USE_INTERFACES = "CreateNetworkInterfacePermission DeleteNetworkInterface DeleteNetworkInterfacePermission"
DESCRIBE_NETWORK = "DescribeDhcpOptions DescribeNetworkInterfaces DescribeSecurityGroups DescribeSubnets DescribeVpcs"


class Network(Stack):
    """One zone, and the security group of the nodes."""

    def __init__(self, scope: Construct, construct_id: str) -> None:
        """Create the network."""
        super().__init__(scope, construct_id, description="Network of the training")
        self.vpc = ec2.Vpc(
            self,
            "Vpc",
            ip_addresses=ec2.IpAddresses.cidr("10.0.0.0/16"),
            max_azs=1,
            nat_gateways=1,
            restrict_default_security_group=False,
            subnet_configuration=[
                ec2.SubnetConfiguration(name="Training", subnet_type=ec2.SubnetType.PRIVATE_WITH_EGRESS, cidr_mask=18),
                ec2.SubnetConfiguration(
                    name="Nat", subnet_type=ec2.SubnetType.PUBLIC, cidr_mask=28, map_public_ip_on_launch=False
                ),
            ],
        )
        self.subnet = self.vpc.private_subnets[0]
        endpoint = self.vpc.add_gateway_endpoint("S3", service=ec2.GatewayVpcEndpointAwsService.S3)
        own = {"StringEquals": {"aws:PrincipalAccount": Aws.ACCOUNT_ID}}
        public = [f"arn:{Aws.PARTITION}:s3:::{bucket}/*" for bucket in PUBLIC_BUCKETS]
        for actions, resources, conditions in ((S3_ACTIONS, ["*"], own), (["s3:GetObject"], public, None)):
            endpoint.add_to_policy(
                iam.PolicyStatement(
                    principals=[iam.AnyPrincipal()], actions=actions, resources=resources, conditions=conditions
                )
            )
        flow_logs = logs.LogGroup(
            self, "FlowLogs", retention=logs.RetentionDays.ONE_MONTH, removal_policy=RemovalPolicy.DESTROY
        )
        self.vpc.add_flow_log("FlowLog", destination=ec2.FlowLogDestination.to_cloud_watch_logs(flow_logs))
        self.nodes = ec2.SecurityGroup(
            self,
            "Nodes",
            vpc=self.vpc,
            description="Training nodes",
            allow_all_outbound=False,
            disable_inline_rules=True,
        )
        self.nodes.connections.allow_internally(ec2.Port.all_traffic(), "EFA")
        self.nodes.add_egress_rule(ec2.Peer.any_ipv4(), ec2.Port.tcp(443), "S3 and service endpoints")


class Storage(Stack):
    """The file system, linked to the dataset."""

    def __init__(self, scope: Construct, construct_id: str, *, network: Network) -> None:
        """Create the file system; it outlives the stack."""
        super().__init__(scope, construct_id, description="File system of the training")
        servers = ec2.SecurityGroup(
            self,
            "Servers",
            vpc=network.vpc,
            description="FSx for Lustre file servers",
            allow_all_outbound=False,
            disable_inline_rules=True,
        )
        for port in (ec2.Port.tcp(988), ec2.Port.tcp_range(1018, 1023)):
            servers.connections.allow_internally(port, "Lustre among file servers")
            servers.connections.allow_from(network.nodes, port, "Lustre from the nodes")
            servers.connections.allow_to(network.nodes, port, "Lustre to the nodes")
        self.file_system = fsx.CfnFileSystem(
            self,
            "FileSystem",
            file_system_type="LUSTRE",
            file_system_type_version="2.15",
            storage_type="SSD",
            storage_capacity=4800,
            subnet_ids=[network.subnet.subnet_id],
            security_group_ids=[servers.security_group_id],
            lustre_configuration=fsx.CfnFileSystem.LustreConfigurationProperty(
                deployment_type="PERSISTENT_2",
                per_unit_storage_throughput=500,
                metadata_configuration=fsx.CfnFileSystem.MetadataConfigurationProperty(mode="AUTOMATIC"),
            ),
        )
        self.file_system.node.add_dependency(servers)
        fsx.CfnDataRepositoryAssociation(
            self,
            "Dataset",
            file_system_id=self.file_system.ref,
            file_system_path="/",
            data_repository_path="s3://example-training-data/guide/",
            batch_import_meta_data_on_create=True,
            s3=fsx.CfnDataRepositoryAssociation.S3Property(
                auto_import_policy=fsx.CfnDataRepositoryAssociation.AutoImportPolicyProperty(
                    events=["NEW", "CHANGED", "DELETED"]
                )
            ),
        )
        RemovalPolicies.of(self).retain()
        dns_name = f"{self.file_system.ref}.fsx.{Aws.REGION}.{Aws.URL_SUFFIX}"
        CfnOutput(self, "FileSystemId", value=self.file_system.ref)
        CfnOutput(self, "DnsName", value=dns_name)
        CfnOutput(self, "MountName", value=self.file_system.attr_lustre_mount_name)


class Training(Stack):
    """The state machine that runs the job, and what the job needs."""

    def __init__(self, scope: Construct, construct_id: str, *, network: Network, storage: Storage) -> None:
        """Create buckets, roles, logs and the state machine."""
        super().__init__(scope, construct_id, description="Training job")
        access_logs = self._bucket("AccessLogs")
        artifacts = self._bucket("Artifacts", access_logs)
        role = iam.Role(
            self,
            "JobRole",
            assumed_by=iam.ServicePrincipal(
                "sagemaker.amazonaws.com", conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}}
            ),
        )
        for statement in self._job_statements(artifacts, network):
            role.add_to_policy(statement)
        key, destination = self._log_group()
        topic = sns.Topic(self, "Findings", master_key=key, enforce_ssl=True)
        machine = self._machine(
            "StateMachine",
            JOB,
            destination,
            {
                "Artifacts": artifacts.bucket_name,
                "FileSystemId": storage.file_system.ref,
                "GroupId": network.nodes.security_group_id,
                "MountName": storage.file_system.attr_lustre_mount_name,
                "Partition": Aws.PARTITION,
                "Region": Aws.REGION,
                "RoleArn": role.role_arn,
                "SubnetId": network.subnet.subnet_id,
                "TopicArn": topic.topic_arn,
            },
        )
        topic.grant_publish(machine)
        machine.add_to_role_policy(
            iam.PolicyStatement(
                actions=["sagemaker:CreateTrainingJob", "sagemaker:DescribeTrainingJob", "sagemaker:AddTags"],
                resources=[JOBS_ARN],
            )
        )
        role.grant_pass_role(machine.role)
        self._stop_jobs_of_aborted_executions(machine, destination)
        CfnOutput(self, "StateMachineArn", value=machine.state_machine_arn)
        CfnOutput(self, "FindingsTopicArn", value=topic.topic_arn)

    def _machine(
        self, machine_id: str, definition: Path, destination: logs.LogGroup, substitutions: dict[str, str]
    ) -> sfn.StateMachine:
        """Create a state machine from its definition, logged and traced."""
        return sfn.StateMachine(
            self,
            machine_id,
            definition_body=sfn.DefinitionBody.from_string(definition.read_text(encoding="utf-8")),
            definition_substitutions=substitutions,
            tracing_enabled=True,
            logs=sfn.LogOptions(destination=destination, level=sfn.LogLevel.ALL, include_execution_data=True),
        )

    def _stop_jobs_of_aborted_executions(self, machine: sfn.StateMachine, destination: logs.LogGroup) -> None:
        """Stop the training job of an execution that ended before it."""
        stopper = self._machine("Stopper", STOPPER, destination, {"Partition": Aws.PARTITION})
        stopper.add_to_role_policy(
            iam.PolicyStatement(
                actions=["sagemaker:DescribeTrainingJob", "sagemaker:StopTrainingJob"], resources=[JOBS_ARN]
            )
        )
        machine.grant_execution(stopper, "states:DescribeExecution")
        execution = events.EventField.from_path("$.detail.executionArn")
        events.Rule(
            self,
            "EndedEarly",
            event_pattern=events.EventPattern(
                source=["aws.states"],
                detail_type=["Step Functions Execution Status Change"],
                detail={"status": ["ABORTED", "FAILED", "TIMED_OUT"], "stateMachineArn": [machine.state_machine_arn]},
            ),
            targets=[
                targets.SfnStateMachine(stopper, input=events.RuleTargetInput.from_object({"executionArn": execution}))
            ],
        )

    def _bucket(self, bucket_id: str, access_logs: s3.Bucket | None = None) -> s3.Bucket:
        """Create a bucket that outlives the stack."""
        return s3.Bucket(
            self,
            bucket_id,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            versioned=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            server_access_logs_bucket=access_logs,
            removal_policy=RemovalPolicy.RETAIN,
        )

    def _log_group(self) -> tuple[kms.Key, logs.LogGroup]:
        """Create the state machines' log group and the key that encrypts it."""
        name = "/aws/vendedlogs/states/guide-training"
        key = kms.Key(self, "LogKey", enable_key_rotation=True, removal_policy=RemovalPolicy.RETAIN)
        key.add_to_resource_policy(
            iam.PolicyStatement(
                principals=[iam.ServicePrincipal("logs.amazonaws.com")],
                actions=["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"],
                resources=["*"],
                conditions={
                    "ArnLike": {
                        "kms:EncryptionContext:aws:logs:arn": f"arn:{Aws.PARTITION}:logs:{HERE}:log-group:{name}"
                    }
                },
            )
        )
        return key, logs.LogGroup(
            self,
            "Logs",
            log_group_name=name,
            encryption_key=key,
            retention=logs.RetentionDays.ONE_YEAR,
            removal_policy=RemovalPolicy.DESTROY,
        )

    @staticmethod
    def _job_statements(artifacts: s3.Bucket, network: Network) -> Iterator[iam.PolicyStatement]:
        """Allow a job its artifacts, code, image, logs and network interfaces."""
        ec2_arn = f"arn:{Aws.PARTITION}:ec2:{HERE}"
        interfaces = f"{ec2_arn}:network-interface/*"
        subnet = f"{ec2_arn}:subnet/{network.subnet.subnet_id}"
        group = f"{ec2_arn}:security-group/{network.nodes.security_group_id}"
        job_logs = f"arn:{Aws.PARTITION}:logs:{HERE}:log-group:/aws/sagemaker/*"
        own = {"StringLike": {"s3:prefix": ["guide", "guide/*"]}}
        code = {"StringLike": {"s3:prefix": [f"{CODE_KEY}*"]}}
        metrics = {"StringEquals": {"cloudwatch:namespace": "/aws/sagemaker/TrainingJobs"}}
        for service, actions, resources, conditions in (
            ("s3", "GetObject PutObject AbortMultipartUpload", [artifacts.arn_for_objects("guide/*")], None),
            ("s3", "ListBucket", [artifacts.bucket_arn], own),
            ("s3", "GetObject", [f"{CODE_BUCKET_ARN}/{CODE_KEY}"], None),
            ("s3", "ListBucket", [CODE_BUCKET_ARN], code),
            ("ecr", "GetAuthorizationToken", ["*"], None),
            ("ecr", "BatchCheckLayerAvailability GetDownloadUrlForLayer BatchGetImage", [IMAGE_ARN], None),
            ("logs", "CreateLogGroup CreateLogStream DescribeLogStreams PutLogEvents", [job_logs], None),
            ("cloudwatch", "PutMetricData", ["*"], metrics),
            ("ec2", "CreateNetworkInterface", [interfaces, subnet, group], None),
            ("ec2", USE_INTERFACES, [interfaces], None),
            ("ec2", DESCRIBE_NETWORK, ["*"], None),
        ):
            names = [f"{service}:{action}" for action in actions.split()]
            yield iam.PolicyStatement(actions=names, resources=resources, conditions=conditions)


if __name__ == "__main__":
    app = App()
    network = Network(app, "plain-guide-network")
    storage = Storage(app, "plain-guide-storage", network=network)
    Training(app, "plain-guide-training", network=network, storage=storage)
    app.synth()

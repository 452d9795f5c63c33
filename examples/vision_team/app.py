"""The vision team's app: their VPC and bucket, and this library's storage and job between them."""

from aws_cdk import App, Environment, RemovalPolicy, Stack, Validations
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_s3 as s3
from constructs import Construct

from epochwise import (
    EpochwiseChecks,
    Plan,
    TrainingFileSystem,
    TrainingJob,
    TrainingNetwork,
    Workload,
    plan,
)

DECLARED = {
    "name": "vision",
    "region": "eu-west-1",
    "dataset": {"size": "2 TB", "files": 16_000},
    "epoch": {"target": "15 min", "count": 30},
    "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
    "training": {
        "image": "763104351884.dkr.ecr.eu-west-1.amazonaws.com/pytorch-training:2.3.0-gpu-py311",
        "entry_point": "train.py",
        "source": "s3://vision-team-code/train/sourcedir.tar.gz",
        "distribution": "torchrun",
    },
    "watch": {"rules": ["LowGpuUtilization", "StorageBottleneck"], "using": ["cloudwatch"]},
}


class LandingZone(Stack):
    """What the team has had for years: a VPC over two zones, and the bucket with the images."""

    def __init__(self, scope: Construct, construct_id: str, *, env: Environment) -> None:
        """Create it."""
        super().__init__(scope, construct_id, env=env)
        self.vpc = ec2.Vpc(self, "Vpc", availability_zones=["eu-west-1a", "eu-west-1b"], nat_gateways=1)
        self.images = s3.Bucket(
            self,
            "Images",
            encryption=s3.BucketEncryption.KMS,
            enforce_ssl=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            removal_policy=RemovalPolicy.RETAIN,
        )


class Training(Stack):
    """The planned file system, linked to the bucket, and the job that reads from it."""

    def __init__(
        self, scope: Construct, construct_id: str, *, env: Environment, landing_zone: LandingZone, planned: Plan
    ) -> None:
        """Create it."""
        super().__init__(scope, construct_id, env=env)
        workload = planned.workload
        network = TrainingNetwork(
            self,
            "Network",
            nodes=workload.cluster.nodes,
            instance_type=workload.cluster.instance_type,
            vpc=landing_zone.vpc,
            subnet=landing_zone.vpc.private_subnets[0],
        )
        file_system = TrainingFileSystem(
            self,
            "FileSystem",
            vpc=network.vpc,
            subnet=network.private_subnet,
            size=planned.choice,
            client_security_groups=[network.efa_security_group],
        )
        file_system.link_bucket(landing_zone.images, prefix="train", file_system_path="/train", import_events=["NEW"])
        job = TrainingJob(self, "Job", workload=workload, network=network, file_system=file_system, plan=planned)
        self.machine = job.state_machine


def main() -> None:
    """Synthesize."""
    app = App()
    env = Environment(account="111122223333", region="eu-west-1")
    planned = plan(Workload.model_validate(DECLARED))
    landing_zone = LandingZone(app, "landing-zone", env=env)
    Training(app, "vision-training", env=env, landing_zone=landing_zone, planned=planned)
    Validations.of(app).add_plugins(EpochwiseChecks())
    app.synth()


if __name__ == "__main__":
    main()

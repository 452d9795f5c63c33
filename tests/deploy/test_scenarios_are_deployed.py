"""Apps other than the guide's go up, change and come down again, side by side in one account."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import boto3
import pytest

from tests.deploy.account import Account, Client, Rules, look
from tests.deploy.conftest import REGION, Cdk

APP = "python tests/deploy/scenario_app.py"
NEW_VPC = {"scenario": "new-vpc"}
EXISTING_VPC = {"scenario": "existing-vpc", "capacity": "4800"}
GROWN = EXISTING_VPC | {"capacity": "7200"}
FILE_SYSTEM, GROUP, VPC = "AWS::FSx::FileSystem", "AWS::EC2::SecurityGroup", "AWS::EC2::VPC"


class LocalAws:
    """The local AWS as boto3 sees it, and the CLI running several apps at once."""

    def __init__(self, cdk: Cdk, endpoint: str) -> None:
        session = boto3.Session("testing", "testing", region_name=REGION)
        self.client: Client = partial(session.client, endpoint_url=endpoint)
        self._cdk = cdk

    def deploy(self, *apps: dict[str, str]) -> None:
        """Deploy all stacks of apps."""
        more = ("--all", "--require-approval", "never", "--method", "direct", "--concurrency", "3")
        self._run([("deploy", *more, *_of(app)) for app in apps])

    def destroy(self, *stacks_of_apps: tuple[str, dict[str, str]]) -> None:
        """Destroy stacks by name, or `--all`, each with its app."""
        self._run([("destroy", stacks, "--force", *_of(app)) for stacks, app in stacks_of_apps])

    def _run(self, calls: list[tuple[str, ...]]) -> None:
        with ThreadPoolExecutor() as pool:
            for _ in pool.map(lambda call: self._cdk(*call), calls):
                pass

    def look(self) -> Account:
        """Return what is there now."""
        return look(self.client)


def _of(app: dict[str, str]) -> list[str]:
    """Return the CLI's arguments that select an app."""
    return ["--app", APP, *(word for key, value in app.items() for word in ("--context", f"{key}={value}"))]


@pytest.fixture(scope="module")
def local_aws(cdk: Cdk, aws_environment: dict[str, str]) -> LocalAws:
    """Return the local AWS."""
    return LocalAws(cdk, aws_environment["AWS_ENDPOINT_URL"])


@pytest.fixture(scope="module")
def deployed(local_aws: LocalAws) -> Account:
    """Deploy every scenario, all at once."""
    local_aws.deploy(NEW_VPC, EXISTING_VPC)
    return local_aws.look()


@pytest.fixture(scope="module")
def grown(local_aws: LocalAws, deployed: Account) -> Account:
    """Deploy the file system in the existing VPC again, with more storage capacity."""
    local_aws.deploy(GROWN)
    return local_aws.look()


@pytest.fixture(scope="module")
def destroyed(local_aws: LocalAws, grown: Account) -> Account:
    """Destroy one app, and of the existing VPC the storage alone."""
    local_aws.destroy(("--all", NEW_VPC), ("existing-vpc-storage", GROWN))
    return local_aws.look()


@pytest.fixture(scope="module")
def cleared(local_aws: LocalAws, deployed: Account, destroyed: Account) -> Account:
    """Delete by hand what was kept, in the order that AWS accepts, and destroy the rest."""
    kept = deployed.id("existing-vpc-storage", GROUP)
    nodes = deployed.id("existing-vpc-network", GROUP)
    local_aws.client("fsx").delete_file_system(FileSystemId=deployed.id("existing-vpc-storage", FILE_SYSTEM))
    ec2 = local_aws.client("ec2")
    [group] = ec2.describe_security_groups(GroupIds=[nodes])["SecurityGroups"]
    for revoke, listed in (
        (ec2.revoke_security_group_ingress, group["IpPermissions"]),
        (ec2.revoke_security_group_egress, group["IpPermissionsEgress"]),
    ):
        of_kept = [each for each in listed if any(pair["GroupId"] == kept for pair in each["UserIdGroupPairs"])]
        revoke(GroupId=nodes, IpPermissions=of_kept)
    ec2.delete_security_group(GroupId=kept)
    local_aws.destroy(("--all", GROWN))
    return local_aws.look()


def lustre(*peers: str) -> Rules:
    """Return the rules of Lustre's ports with each peer."""
    return {(peer, "tcp", *ports) for peer in peers for ports in ((988, 988), (1018, 1023))}


def everything(peer: str) -> Rules:
    """Return the rule of all traffic with a peer."""
    return {(peer, "-1", None, None)}


HTTPS_OUT: Rules = {("0.0.0.0/0", "tcp", 443, 443)}


def test_a_new_vpc_without_nat_gateway_has_one_private_subnet(deployed: Account) -> None:
    vpc = deployed.id("new-vpc", VPC)
    [subnet] = [each for each in deployed.subnets.values() if each["VpcId"] == vpc]

    assert deployed.vpcs[vpc] == "10.0.0.0/16"
    assert subnet["CidrBlock"] == "10.0.0.0/18"
    assert not deployed.ids("new-vpc", "AWS::EC2::NatGateway")


def test_two_file_systems_of_one_network_have_a_group_each_and_share_the_nodes(deployed: Account) -> None:
    nodes = deployed.id("new-vpc", GROUP, "NetworkEfa")
    scratch, persistent = (deployed.id("new-vpc", GROUP, name) for name in ("Scratch", "Persistent"))
    first, second = (deployed.id("new-vpc", FILE_SYSTEM, name) for name in ("Scratch", "Persistent"))

    for servers in (scratch, persistent):
        assert deployed.groups[servers] == (lustre(servers, nodes), lustre(servers, nodes))
    # FSx does not tell the groups of a file system; its template does
    for name, each in deployed.templates["new-vpc"]["Resources"].items():
        if each["Type"] == FILE_SYSTEM:
            [reference] = each["Properties"]["SecurityGroupIds"]
            [group, _] = reference["Fn::GetAtt"]
            assert deployed.id("new-vpc", GROUP, group) == (scratch if name.startswith("Scratch") else persistent)
    [endpoints] = set(deployed.ids("new-vpc", GROUP)) - {nodes, scratch, persistent}
    allowed = everything(nodes) | lustre(scratch, persistent)
    assert deployed.groups[nodes] == (allowed, allowed | HTTPS_OUT | {(endpoints, "tcp", 443, 443)})
    assert deployed.file_systems[first]["SubnetIds"] == deployed.file_systems[second]["SubnetIds"]
    types = [deployed.file_systems[each]["LustreConfiguration"]["DeploymentType"] for each in (first, second)]
    assert types == ["SCRATCH_2", "PERSISTENT_2"]


def test_a_network_in_an_existing_vpc_adds_a_group_and_nothing_else(deployed: Account) -> None:
    vpc = deployed.id("existing-vpc", VPC)
    types = {each["Type"] for each in deployed.templates["existing-vpc-network"]["Resources"].values()}

    assert deployed.vpcs[vpc] == "172.20.0.0/16"
    assert types - {"AWS::CDK::Metadata"} == {
        GROUP,
        "AWS::EC2::SecurityGroupIngress",
        "AWS::EC2::SecurityGroupEgress",
    }
    assert sorted(each["CidrBlock"] for each in deployed.subnets.values() if each["VpcId"] == vpc) == [
        "172.20.0.0/20",
        "172.20.16.0/20",
    ]


def test_the_file_system_goes_into_the_subnet_that_was_given(deployed: Account) -> None:
    file_system = deployed.file_systems[deployed.id("existing-vpc-storage", FILE_SYSTEM)]
    [subnet] = file_system["SubnetIds"]
    nodes, servers = (deployed.id(f"existing-vpc-{stack}", GROUP) for stack in ("network", "storage"))

    assert deployed.subnets[subnet]["CidrBlock"] == "172.20.16.0/20"
    assert deployed.groups[servers] == (lustre(servers, nodes), lustre(servers, nodes))
    assert deployed.groups[nodes] == (
        everything(nodes) | lustre(servers),
        everything(nodes) | lustre(servers) | HTTPS_OUT,
    )


def test_more_storage_capacity_changes_nothing_but_itself(deployed: Account, grown: Account) -> None:
    before, after = (each.templates["existing-vpc-storage"]["Resources"] for each in (deployed, grown))
    [name] = [name for name, each in before.items() if each["Type"] == FILE_SYSTEM]

    assert before.keys() == after.keys()
    assert [each for each in before if each != "CDKMetadata" and before[each] != after[each]] == [name]
    assert after[name]["Properties"] == before[name]["Properties"] | {"StorageCapacity": 7200}
    file_system = deployed.id("existing-vpc-storage", FILE_SYSTEM)
    assert grown.id("existing-vpc-storage", FILE_SYSTEM) == file_system
    assert deployed.file_systems[file_system]["StorageCapacity"] == 4800
    assert grown.file_systems == deployed.file_systems | {
        file_system: deployed.file_systems[file_system] | {"StorageCapacity": 7200}
    }


def test_destroy_takes_both_file_systems_with_their_network(grown: Account, destroyed: Account) -> None:
    assert "new-vpc" not in destroyed.resources
    assert len(grown.ids("new-vpc", FILE_SYSTEM)) == 2
    assert not destroyed.file_systems.keys() & set(grown.ids("new-vpc", FILE_SYSTEM))
    assert not destroyed.groups.keys() & set(grown.ids("new-vpc", GROUP))
    assert grown.id("new-vpc", VPC) not in destroyed.vpcs


def test_a_kept_file_system_stays_reachable_after_its_stack(grown: Account, destroyed: Account) -> None:
    file_system = grown.id("existing-vpc-storage", FILE_SYSTEM)

    assert "existing-vpc-storage" not in destroyed.resources
    assert destroyed.file_systems[file_system] == grown.file_systems[file_system]
    for group in (grown.id("existing-vpc-storage", GROUP), grown.id("existing-vpc-network", GROUP)):
        assert destroyed.groups[group] == grown.groups[group]
    assert grown.id("existing-vpc", VPC) in destroyed.vpcs


def test_once_the_kept_one_is_deleted_by_hand_the_rest_goes(deployed: Account, cleared: Account) -> None:
    assert not cleared.resources
    assert not cleared.file_systems
    assert deployed.id("existing-vpc", VPC) not in cleared.vpcs
    assert deployed.id("existing-vpc-network", GROUP) not in cleared.groups

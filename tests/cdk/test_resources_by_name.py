"""A resource is what its class says it is, and a token is where only the deploy knows."""

from collections.abc import Callable
from typing import Any

import jsii
import pytest
from aws_cdk import App, Aws, CfnParameter, Duration, Stack, Token
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns
from aws_cdk.assertions import Template
from constructs import Construct, IConstruct

from epochwise import Plan
from epochwise.cdk.arguments_of_their_kind import is_one, shown
from epochwise.cdk.file_system_alarms import FileSystemAlarms
from epochwise.cdk.lustre_client_documents import PreloadDocument, ReleaseDocument
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_systems import PERSISTENT_2, SCRATCH_2, build, imported_vpc, properties_of
from tests.cdk.watched import AnyFileSystem

ARN = "arn:aws:sns:us-east-1:123456789012"


@jsii.implements(ec2.IInterfaceVpcEndpointService)
class OwnService:
    """A service that a user's own Python describes."""

    @property
    def name(self) -> str:
        return "com.amazonaws.us-east-1.example"

    @property
    def port(self) -> int:
        return 443

    @property
    def private_dns_default(self) -> bool:
        return True


class LooksLikeAGroup(Construct):
    """Has all that a group has, but the name."""

    security_group_id = "sg-0123456789abcdef0"
    allow_all_outbound = True


IS: dict[str, tuple[Callable[[Stack], Any], Any]] = {
    "a VPC that is created": (lambda stack: ec2.Vpc(stack, "A"), ec2.IVpc),
    "a VPC that is imported": (imported_vpc, ec2.IVpc),
    "a subnet of a VPC that is imported": (lambda stack: imported_vpc(stack).private_subnets[0], ec2.ISubnet),
    "a private subnet": (lambda stack: ec2.Vpc(stack, "A").private_subnets[0], ec2.ISubnet),
    "a group that is imported": (
        lambda stack: ec2.SecurityGroup.from_security_group_id(stack, "A", "sg-01234567"),
        ec2.ISecurityGroup,
    ),
    "a bucket that is imported": (lambda stack: s3.Bucket.from_bucket_name(stack, "A", "example"), s3.IBucket),
    "a bucket's own key": (
        lambda stack: s3.Bucket(stack, "A", encryption=s3.BucketEncryption.KMS).encryption_key,
        kms.IKey,
    ),
    "a key that is imported": (
        lambda stack: kms.Key.from_key_arn(stack, "A", "arn:aws:kms:us-east-1:123456789012:key/a"),
        kms.IKey,
    ),
    "an alias, which CDK takes for its key": (lambda stack: kms.Alias.from_alias_name(stack, "A", "alias/a"), kms.IKey),
    "a topic that is imported": (lambda stack: sns.Topic.from_topic_arn(stack, "A", f"{ARN}:a"), sns.ITopic),
    "a log group that is imported": (
        lambda stack: logs.LogGroup.from_log_group_name(stack, "A", "/aws/fsx/a"),
        logs.ILogGroup,
    ),
    "a role that is imported": (
        lambda stack: iam.Role.from_role_arn(stack, "A", "arn:aws:iam::123456789012:role/a"),
        iam.IGrantable,
    ),
    "a principal": (lambda _: iam.ServicePrincipal("ec2.amazonaws.com"), iam.IGrantable),
    "a service of AWS": (lambda _: ec2.InterfaceVpcEndpointAwsService.STS, ec2.IInterfaceVpcEndpointService),
    "a service of a user's own class": (lambda _: OwnService(), ec2.IInterfaceVpcEndpointService),
    "a duration": (lambda _: Duration.minutes(1), Duration),
    "a stack": (lambda stack: stack, IConstruct),
}
IS_NOT: dict[str, tuple[Callable[[Stack], Any], Any]] = {
    "a bucket of CloudFormation's level": (lambda stack: s3.CfnBucket(stack, "A"), s3.IBucket),
    "a VPC of CloudFormation's level": (lambda stack: ec2.CfnVPC(stack, "A", cidr_block="10.0.0.0/16"), ec2.IVpc),
    "the class of a VPC": (lambda _: ec2.Vpc, ec2.IVpc),
    "the interface of a VPC": (lambda _: ec2.IVpc, ec2.IVpc),
    "a peer by address": (lambda _: ec2.Peer.any_ipv4(), ec2.ISecurityGroup),
    "another import": (lambda stack: s3.Bucket.from_bucket_name(stack, "A", "example"), ec2.ISecurityGroup),
    "what has the same attributes": (lambda stack: LooksLikeAGroup(stack, "A"), ec2.ISecurityGroup),
    "an import where a construct of a class is wanted": (imported_vpc, Construct),
    "the class of a duration": (lambda _: Duration, Duration),
}


@pytest.mark.parametrize("case", IS)
def test_a_value_is_what_its_class_says(stack: Stack, case: str) -> None:
    make, wanted = IS[case]
    assert is_one(make(stack), wanted)


@pytest.mark.parametrize("case", IS_NOT)
def test_a_value_is_not_what_it_merely_looks_like(stack: Stack, case: str) -> None:
    make, wanted = IS_NOT[case]
    assert not is_one(make(stack), wanted)


def test_an_import_is_called_by_its_interface_in_messages(stack: Stack) -> None:
    assert shown(imported_vpc(stack)) == "an IVpc"
    assert shown(s3.CfnBucket(stack, "Bucket")) == "a CfnBucket"
    assert shown(Token.as_number({"Ref": "N"})) == "a token, which only the deploy knows"


def refusal(call: Callable[[], object]) -> str:
    """Return what a call is refused with."""
    with pytest.raises(ValueError, match=r"\]$") as caught:
        call()
    return str(caught.value)


def test_all_that_is_of_the_wrong_kind_is_told_at_once(stack: Stack) -> None:
    given: dict[str, Any] = {"vpc": ec2.Vpc, "subnets": ec2.Subnet, "nodes": 4.0, "instance_type": None}
    told = refusal(lambda: TrainingNetwork(stack, "Network", flow_logs="yes", **given))  # type: ignore[arg-type]
    assert told.splitlines() == [
        "nodes must be a whole number up to 2147483647, got 4.0; nearest legal: 4 [SETTING_OF_WRONG_KIND]",
        "instance_type must be text, got None; write it in quotes [SETTING_OF_WRONG_KIND]",
        "vpc must be a VPC, got the class Vpc; create or import one and pass it [CONSTRUCT_OF_WRONG_KIND]",
        "subnets must be a list, each a subnet, got the class Subnet; put it into a list [SETTING_OF_WRONG_KIND]",
        "flow_logs must be True or False, got 'yes'; write True or False, without quotes [SETTING_OF_WRONG_KIND]",
    ]
    assert stack.node.children == []


def test_the_class_of_a_choice_is_no_choice(stack: Stack, guide_plan: Plan) -> None:
    told = refusal(lambda: build(stack, size=type(guide_plan.choice)))
    assert "size must be the choice of a plan, got the class Candidate; pass plan(workload).choice" in told


def test_what_python_refuses_by_itself_is_left_to_it(stack: Stack) -> None:
    with pytest.raises(TypeError, match=r"TrainingNetwork.__init__\(\) missing .* 'nodes' and 'instance_type'"):
        TrainingNetwork(stack, "Network")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'node'"):
        TrainingNetwork(stack, "Network", node=4)  # type: ignore[call-arg]


def test_the_text_of_an_enumeration_is_as_good_as_its_member(stack: Stack) -> None:
    assert properties_of(stack, **PERSISTENT_2 | {"deployment_type": "PERSISTENT_2", "storage_type": "SSD"})


@pytest.mark.parametrize(
    "given",
    [
        {"streams": Token.as_number({"Ref": "N"})},
        {"days": Token.as_number({"Ref": "N"})},
        {"days": Aws.REGION},
        {"streams": Token.as_any({"Ref": "A"})},
    ],
)
def test_a_number_that_must_be_known_says_so(stack: Stack, given: dict[str, Any]) -> None:
    told = refusal(lambda: ReleaseDocument(stack, "Release", **given))
    assert "known when the app runs, got a token, which only the deploy knows" in told
    assert stack.node.children == []


def test_a_rate_that_only_the_deploy_knows_is_refused(stack: Stack) -> None:
    rate = CfnParameter(stack, "Rate", type="Number").value_as_number
    watched = AnyFileSystem(stack)
    told = refusal(lambda: FileSystemAlarms(stack, "Alarms", file_system=watched, demand_mbps=rate))
    assert "demand_mbps must be a finite number, known when the app runs, got a token" in told
    assert "; pass a value that is written in the app [" in told


@pytest.mark.parametrize("given", [3, ["RHEL_9"], None])
def test_what_is_no_word_of_a_choice_hears_one_of_them_and_not_of_a_list(stack: Stack, given: Any) -> None:
    told = refusal(lambda: AnyFileSystem(stack).user_data(os=given))
    assert told.endswith("; write one of them, such as AMAZON_LINUX_2023 [SETTING_OF_WRONG_KIND]")


def test_tags_may_be_tokens_and_what_of_them_is_known_is_still_judged(stack: Stack) -> None:
    name = CfnParameter(stack, "Team").value_as_string
    tags = properties_of(stack, **SCRATCH_2, tags={"region": Aws.REGION, name: "vision"})["Tags"]
    assert {"Key": "region", "Value": {"Ref": "AWS::Region"}} in tags
    assert {"Key": {"Ref": "Team"}, "Value": "vision"} in tags
    for wrong in ({"aws:region": Aws.REGION}, {name: "?"}):
        assert "[TAG_INVALID]" in refusal(lambda tags=wrong: build(stack, "Other", **SCRATCH_2, tags=tags))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given", "finding"),
    [
        ({"security_groups": []}, "SECURITY_GROUPS_OUT_OF_RANGE"),
        ({"subnets": []}, "SUBNETS_NOT_ONE"),
        ({"nat_gateways": 0, "interface_endpoints": ()}, "NO_WAY_OUT"),
        ({"subnet_prefix_length": 0}, "SUBNET_PREFIX_OUT_OF_RANGE"),
        ({"availability_zone": ""}, "ZONE_MALFORMED"),
        ({"vpc_cidr": ""}, "VPC_CIDR_ILLEGAL"),
        ({"instance_type": ""}, "INSTANCE_TYPE_UNKNOWN"),
    ],
)
def test_an_argument_that_is_empty_is_given_all_the_same(stack: Stack, given: dict[str, Any], finding: str) -> None:
    legal: dict[str, Any] = {"nodes": 4, "instance_type": "ml.p4d.24xlarge"}
    assert f"[{finding}]" in refusal(lambda: TrainingNetwork(stack, "Network", **legal | given))


def test_an_id_that_is_taken_or_none_is_refused_before_anything_is_made(stack: Stack) -> None:
    PreloadDocument(stack, "Preload")
    assert "[CONSTRUCT_ID_TAKEN]" in refusal(lambda: PreloadDocument(stack, "Preload"))
    assert "[CONSTRUCT_ID_INVALID]" in refusal(lambda: PreloadDocument(stack, ""))
    assert "[CONSTRUCT_ID_INVALID]" in refusal(lambda: PreloadDocument(stack, Aws.REGION))
    assert "scope must be a stack or in one, got App" in refusal(lambda: PreloadDocument(App(), "Preload"))
    Template.from_stack(stack).resource_count_is("AWS::SSM::Document", 1)


def test_a_resource_of_another_app_is_refused(stack: Stack) -> None:
    elsewhere = imported_vpc(Stack(App(), "elsewhere"))
    told = refusal(lambda: TrainingNetwork(stack, "Network", vpc=elsewhere, nodes=4, instance_type="ml.p4d.24xlarge"))
    assert "vpc must be of the same app, got elsewhere/Vpc of another" in told

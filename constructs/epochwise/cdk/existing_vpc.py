"""What an app can see of a VPC, a subnet and routes that it is given, as plain values for the checks."""

from aws_cdk import Token
from aws_cdk import aws_ec2 as ec2

from epochwise.cdk.same_vpc import known_vpc, vpc_of_subnet
from epochwise.checks.given_subnet import SeenSubnet, SubnetKind
from epochwise.checks.same_vpc import are_apart
from epochwise.checks.vpc import SeenVpc


def see_vpc(vpc: ec2.IVpc) -> SeenVpc:
    """Read a VPC: its flags and endpoints where the app creates it, its id where it is imported."""
    resource = vpc.node.default_child
    if not isinstance(resource, ec2.CfnVPC):
        return SeenVpc(name_of_vpc(vpc), visible=False)
    return SeenVpc(
        vpc.node.path,
        visible=True,
        # what EC2 does where nothing is said (EC2 API, ModifyVpcAttribute)
        dns_hostnames=_flag(resource.enable_dns_hostnames, unsaid=False),
        dns_support=_flag(resource.enable_dns_support, unsaid=True),
        s3_endpoint=any(
            isinstance(each, ec2.CfnVPCEndpoint)
            and each.vpc_id == vpc.vpc_id
            and each.vpc_endpoint_type == "Gateway"
            and ".s3" in (each.service_name or "")
            for each in vpc.node.root.node.find_all()
        ),
    )


def see_subnet(subnet: ec2.ISubnet, vpc: ec2.IVpc) -> SeenSubnet:
    """Read a subnet of a VPC: its size and kind, as far as they are known."""
    resource = subnet.node.default_child
    created = isinstance(resource, ec2.CfnSubnet)
    return SeenSubnet(
        subnet.node.path if created else _name(subnet.subnet_id, subnet.node.path),
        visible=created,
        kind=_kind(subnet, vpc),
        prefix_length=_prefix_length(subnet),
        of_other_vpc=are_apart(vpc_of_subnet(subnet), known_vpc(vpc.vpc_id)),
    )


def private_subnets(vpc: ec2.IVpc) -> list[ec2.ISubnet]:
    """Return the private subnets of a VPC, those with a way out before isolated ones."""
    return vpc.private_subnets or vpc.isolated_subnets


def _kind(subnet: ec2.ISubnet, vpc: ec2.IVpc) -> SubnetKind:
    """Return under which kind the VPC lists the subnet."""
    listed = {
        SubnetKind.PUBLIC: vpc.public_subnets,
        SubnetKind.PRIVATE: vpc.private_subnets,
        SubnetKind.ISOLATED: vpc.isolated_subnets,
    }
    kinds = [kind for kind, subnets in listed.items() if any(each.subnet_id == subnet.subnet_id for each in subnets)]
    return kinds[0] if kinds else SubnetKind.UNKNOWN


def _prefix_length(subnet: ec2.ISubnet) -> int | None:
    """Return the size of the subnet, None where its addresses are not given or assigned by a deploy."""
    try:
        cidr = subnet.ipv4_cidr_block
    except RuntimeError:
        # how CDK says that an imported subnet was given no addresses
        return None
    _, _, length = cidr.partition("/")
    return int(length) if length.isdecimal() and not Token.is_unresolved(cidr) else None


def _flag(value: object, *, unsaid: bool) -> bool | None:
    """Return a flag of a resource, None where a deploy decides it."""
    if value is None:
        return unsaid
    return value if isinstance(value, bool) else None


def name_of_vpc(vpc: ec2.IVpc) -> str:
    """Return the id of a VPC that a person can look up, or else its place in the app."""
    return _name(vpc.vpc_id, vpc.node.path)


def _name(physical_id: str, path: str) -> str:
    """Return the id that a person can look up, or else the place in the app."""
    return path if Token.is_unresolved(physical_id) else physical_id

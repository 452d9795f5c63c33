"""Boundaries of what is said about a VPC."""

from epochwise.checks import vpc
from epochwise.checks.vpc import DEFAULT_ENDPOINTS, SeenVpc
from tests.checks.boundaries import Row

ROWS = (
    Row("VPC_CIDR_ILLEGAL", lambda: vpc.vpc_cidr_illegal("10.0.0.0/15"), "got '10.0.0.0/15'"),
    Row("VPC_CIDR_ILLEGAL", lambda: vpc.vpc_cidr_illegal("10.0.0.0/17"), "got '10.0.0.0/17'"),
    Row("VPC_CIDR_ILLEGAL", lambda: vpc.vpc_cidr_illegal("10.0.0.1/16"), "got '10.0.0.1/16'"),
    Row("VPC_CIDR_ILLEGAL", lambda: vpc.vpc_cidr_illegal("240.0.0.0/16"), "got '240.0.0.0/16'"),
    Row("VPC_CIDR_ILLEGAL", lambda: vpc.vpc_cidr_illegal("10.0.0.0/16"), None),
    Row("VPC_CIDR_OF_DOCKER", lambda: vpc.vpc_cidr_of_docker("172.17.0.0/16"), "172.17.0.0/16"),
    Row("VPC_CIDR_OF_DOCKER", lambda: vpc.vpc_cidr_of_docker("172.18.0.0/16"), None),
    Row("NO_WAY_OUT", lambda: vpc.no_way_out(0, []), "nat_gateways is 0"),
    Row("NO_WAY_OUT", lambda: vpc.no_way_out(1, []), None),
    Row("NO_WAY_OUT", lambda: vpc.no_way_out(0, ["sts"]), None),
    Row("ENDPOINTS_LEFT_OUT", lambda: vpc.endpoints_left_out(0, DEFAULT_ENDPOINTS[1:]), "leaves out sagemaker.api"),
    Row("ENDPOINTS_LEFT_OUT", lambda: vpc.endpoints_left_out(0, DEFAULT_ENDPOINTS), None),
    Row("ENDPOINTS_LEFT_OUT", lambda: vpc.endpoints_left_out(1, ["sts"]), None),
    Row(
        "VPC_WITHOUT_DNS",
        lambda: vpc.vpc_without_dns(SeenVpc("App/Vpc", visible=True, dns_hostnames=False, dns_support=True)),
        "got enable_dns_hostnames off",
    ),
    Row(
        "VPC_WITHOUT_DNS",
        lambda: vpc.vpc_without_dns(SeenVpc("App/Vpc", visible=True, dns_hostnames=True, dns_support=True)),
        None,
    ),
    Row("VPC_NOT_VISIBLE", lambda: vpc.vpc_not_visible(SeenVpc("vpc-1", visible=False)), "vpc-1"),
    Row(
        "VPC_NOT_VISIBLE",
        lambda: vpc.vpc_not_visible(SeenVpc("App/Vpc", visible=True, dns_hostnames=True, dns_support=True)),
        None,
    ),
    Row("NEW_VPC_ARGUMENTS", lambda: vpc.new_vpc_arguments(["vpc_cidr"]), "vpc_cidr is for a new VPC"),
    Row("NEW_VPC_ARGUMENTS", lambda: vpc.new_vpc_arguments([]), None),
    Row("DNS_SERVERS_OF_OTHERS", lambda: vpc.dns_servers_of_others("vpc-1", ["10.0.0.3"], ["10.0.0.0/16"]), "10.0.0.3"),
    Row("DNS_SERVERS_OF_OTHERS", lambda: vpc.dns_servers_of_others("vpc-1", ["10.0.0.2"], ["10.0.0.0/16"]), None),
    Row("DNS_SERVERS_OF_OTHERS", lambda: vpc.dns_servers_of_others("vpc-1", ["AmazonProvidedDNS"], []), None),
    Row("DNS_SERVERS_OF_OTHERS", lambda: vpc.dns_servers_of_others("vpc-1", ["169.254.169.253"], []), None),
)

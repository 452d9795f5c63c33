"""The Region of a job, which is the one that its workload declares."""

from aws_cdk import Aws, CfnMapping, Stack, Token
from constructs import Construct


def region_of_job(scope: Construct, declared: str) -> str:
    """Return the Region of a scope's stack, which a check has held to the declared one where it is known.

    Where only the deploy knows it, CloudFormation looks it up among the declared one alone, and so refuses a deploy to
    any other before it creates anything: training image, Debugger's image and prices are those of the declared Region.
    Source: CloudFormation User Guide, Fn::FindInMap.
    """
    region = Stack.of(scope).region
    if not Token.is_unresolved(region):
        return region
    only = CfnMapping(scope, "RegionOfWorkload", mapping={declared: {"Name": declared}})
    return only.find_in_map(Aws.REGION, "Name")

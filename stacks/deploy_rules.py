"""What a template refuses by itself, before it creates anything: Rules of CloudFormation.

Rules see Parameters, and of some kinds of them what EC2 says: the VPC and the zone of a subnet. Source: CloudFormation
Template Reference, intrinsic-function-reference-rules. That `Ref` in a rule takes AWS::Region, as it takes a Parameter,
is unverified against AWS.
"""

from aws_cdk import Aws, CfnRule, CfnRuleAssertion, Fn, ICfnConditionExpression, Stack

from epochwise.workload import Workload


def allow_when(stack: Stack, rule_id: str, condition: ICfnConditionExpression, otherwise: str) -> None:
    """Refuse every deploy of a stack for which a condition does not hold, with the words that say what would."""
    CfnRule(
        stack, rule_id, assertions=[CfnRuleAssertion(assert_=condition, assert_description=otherwise)]
    ).override_logical_id(rule_id)


def allow_region_of(stack: Stack, workload: Workload) -> None:
    """Refuse another Region than the workload's: prices, what FSx offers and the image are that Region's."""
    allow_when(
        stack,
        "RegionOfWorkload",
        Fn.condition_equals(Aws.REGION, workload.region),
        f"deploy to {workload.region}, the Region that the workload {workload.name} declares and is planned for",
    )

"""Whether what is put together is of one Region, account and Stage, as far as an app sees it. One rule, one id each."""

from collections.abc import Iterator
from dataclasses import dataclass

from epochwise.checks.finding import Finding, Level


@dataclass(frozen=True)
class KnownEnvironment:
    """Where something is deployed; None stands for what only the deploy knows."""

    account: str | None = None
    region: str | None = None
    stage: str = ""
    """Path of the Stage in the app, empty for the app itself."""


@dataclass(frozen=True, kw_only=True)
class UsedThing:
    """What a construct is given as an argument, from the construct's point of view."""

    argument: str
    name: str
    """Its place in the app."""
    of: KnownEnvironment
    stack: str = ""
    """Path of its stack."""
    regional: bool = True
    """Whether AWS takes it from the construct's own Region only."""
    in_account: bool = False
    """Whether AWS takes it from the construct's own account only."""
    referred: bool = False
    """Whether the template names it by a reference to another stack, not by a name that the app knows."""
    nameless: bool = False
    """Whether the CDK refuses that reference, since it has no name of its own."""
    awaited: bool = False
    """Whether the construct's stack is deployed after the thing's, by a reference or otherwise."""


def construct_of_other_region(used: UsedThing, home: KnownEnvironment, place: str) -> Iterator[Finding]:
    """What a resource names by its id or key is of the resource's own Region; a bucket may be elsewhere, by its name.

    Source: EC2 User Guide, using-regions-availability-zones; KMS Developer Guide, concepts; FSx API, CreateFileSystem;
    SageMaker API Reference, VpcConfig; Step Functions Developer Guide, supported-services-awssdk: no calls to another
    Region; CDK Developer Guide, resources: a reference to another Region takes a physical name.
    """
    if _differ(used.of.region, home.region) and (used.regional or used.nameless):
        yield Finding(
            "CONSTRUCT_OF_OTHER_REGION",
            Level.ERROR,
            f"{used.argument} must be in {home.region}, where {place} is, got {used.name} in {used.of.region}",
            f"create or import it in {home.region}"
            if used.regional
            else f"create it in {home.region}, or give it a name that the app knows",
        )


def construct_of_other_account(used: UsedThing, home: KnownEnvironment, place: str) -> Iterator[Finding]:
    """A stack takes what its own account has; what is imported by its name may be another's, except FSx's log group.

    The CDK would read what another account's stack creates through a role there, and nothing here sees that the deploy
    may assume it, nor that the thing is shared. Whether FSx takes a key, and a job a topic, of another account is left
    to their policies (unverified); a subnet may be shared. Source: CloudFormation Template Reference,
    Fn::GetStackOutput; FSx API, LustreLogCreateConfiguration; VPC User Guide, vpc-sharing.
    """
    if _differ(used.of.account, home.account) and (used.referred or used.in_account):
        yield Finding(
            "CONSTRUCT_OF_OTHER_ACCOUNT",
            Level.ERROR,
            f"{used.argument} must be in account {home.account}, where {place} is, got {used.name} in "
            f"{used.of.account}",
            f"create it in a stack of account {home.account}"
            + ("" if used.in_account else ", or import it by the id, name or ARN that it has"),
        )


def construct_of_other_stage(used: UsedThing, home: KnownEnvironment, place: str) -> Iterator[Finding]:
    """Stages are deployed each by itself, so that nothing of one refers to, or waits for, what another creates.

    Source: CDK Developer Guide, stages.
    """
    if used.awaited and used.of.stage != home.stage:
        yield Finding(
            "CONSTRUCT_OF_OTHER_STAGE",
            Level.ERROR,
            f"{used.argument} must be of {_stage(home)}, where {place} is, got {used.name} of {_stage(used.of)}",
            "create it in the same Stage, or import it there by the id, name or ARN that it has",
        )


def environment_known_to_one(used: UsedThing, home: KnownEnvironment, place: str) -> Iterator[Finding]:
    """A stack that knows its account and Region does not refer to one that does not.

    Of Regions the other way round does not work either. The CDK refuses both, and for an account that it does not know
    it writes a role of `unknown-account`, which no deploy can assume. What it names instead needs a name in any case.

    Source: CDK Developer Guide, environments and resources; CloudFormation Template Reference, Fn::GetStackOutput.
    """
    apart = _differ(home.account, used.of.account) or _differ(home.region, used.of.region)
    regions = (home.region is None) is not (used.of.region is None)
    account = home.account is not None and used.of.account is None
    if used.referred and not apart and (regions or account or used.nameless):
        yield Finding(
            "ENVIRONMENT_KNOWN_TO_ONE",
            Level.ERROR,
            f"{used.argument} must be in {_told(home)}, as {place} is, got {used.name} in {_told(used.of)}",
            "give both stacks the same env, or neither, or import it by the id, name or ARN that it has",
        )


def construct_of_later_stack(used: UsedThing, stack: str, *, later: bool) -> Iterator[Finding]:
    """A stack does not wait for one that is deployed after it. Source: CDK Developer Guide, stacks: dependencies."""
    if used.awaited and later:
        yield Finding(
            "CONSTRUCT_OF_LATER_STACK",
            Level.ERROR,
            f"{used.argument} must be of a stack that does not wait for {stack}, got {used.name} of {used.stack}, "
            "which depends on it",
            f"create it in {stack} or in a stack before it",
        )


def _differ(one: str | None, other: str | None) -> bool:
    """Tell whether two accounts or Regions are seen to be different ones."""
    return one is not None and other is not None and one != other


def _stage(environment: KnownEnvironment) -> str:
    """Return what a Stage is called."""
    return f"Stage {environment.stage}" if environment.stage else "the app outside of its Stages"


def _told(environment: KnownEnvironment) -> str:
    """Return what is known of an account and a Region."""
    return f"{environment.account or 'an unknown account'} and {environment.region or 'an unknown Region'}"

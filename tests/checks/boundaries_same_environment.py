"""Boundaries of what is said about things of another Region, account or Stage."""

from functools import partial
from typing import Any

from epochwise.checks import same_environment as rules
from epochwise.checks.same_environment import KnownEnvironment, UsedThing
from tests.checks.boundaries import Row

EAST, WEST, PLACE = "us-east-1", "us-west-2", "Storage/FileSystem"
HOME = KnownEnvironment("111122223333", EAST)
OF_ANY_ACCOUNT = KnownEnvironment(None, EAST)
BY_NAME: dict[str, Any] = {"regional": False}
CREATED: dict[str, Any] = {"referred": True, "awaited": True}


def _used(account: str | None = HOME.account, region: str | None = EAST, stage: str = "", **told: bool) -> UsedThing:
    of = KnownEnvironment(account, region, stage)
    return UsedThing(argument="vpc", name="Network/Vpc", of=of, stack="Network", **told)


def _row(rule: Any, says: str | None, home: KnownEnvironment = HOME, **used: Any) -> Row:
    names = {
        rules.construct_of_other_region: "CONSTRUCT_OF_OTHER_REGION",
        rules.construct_of_other_account: "CONSTRUCT_OF_OTHER_ACCOUNT",
        rules.construct_of_other_stage: "CONSTRUCT_OF_OTHER_STAGE",
        rules.environment_known_to_one: "ENVIRONMENT_KNOWN_TO_ONE",
    }
    return Row(names[rule], partial(rule, _used(**used), home, PLACE), says)


_region = partial(_row, rules.construct_of_other_region)
_account = partial(_row, rules.construct_of_other_account)
_stage = partial(_row, rules.construct_of_other_stage)
_known = partial(_row, rules.environment_known_to_one)
_later = partial(rules.construct_of_later_stack, _used(**CREATED), "Storage")

ROWS = (
    _region(f"vpc must be in {EAST}, where {PLACE} is, got Network/Vpc in {WEST}", region=WEST),
    _region(f"got Network/Vpc in {WEST}", region=WEST, **BY_NAME, nameless=True),
    _region(None, region=WEST, **BY_NAME),
    _region(None),
    _region(None, region=None),
    _region(None, home=KnownEnvironment(), region=WEST),
    _account("got Network/Vpc in 999900001111", account="999900001111", **CREATED),
    _account("got Network/Vpc in 999900001111", account="999900001111", in_account=True),
    _account(None, account="999900001111"),
    _account(None, **CREATED),
    _account(None, account=None, **CREATED),
    _stage("must be of the app outside of its Stages, where Storage/FileSystem is, got", stage="Prod", **CREATED),
    _stage("got Network/Vpc of Stage Prod", stage="Prod", awaited=True),
    _stage(None, stage="Prod"),
    _stage(None, **CREATED),
    _known("got Network/Vpc in 111122223333 and an unknown Region", region=None, **CREATED),
    _known(f"got Network/Vpc in an unknown account and {EAST}", account=None, **CREATED),
    _known(f"must be in an unknown account and {EAST}", home=OF_ANY_ACCOUNT, **CREATED, nameless=True),
    _known("must be in an unknown account and an unknown Region", home=KnownEnvironment(), **CREATED),
    _known(None, account=None),
    _known(None, region=None),
    _known(None, **CREATED),
    _known(None, home=OF_ANY_ACCOUNT, **CREATED),
    _known(None, home=KnownEnvironment(), account=None, region=None, **CREATED),
    Row("CONSTRUCT_OF_LATER_STACK", partial(_later, later=True), "got Network/Vpc of Network, which depends on it"),
    Row("CONSTRUCT_OF_LATER_STACK", partial(_later, later=False), None),
)

"""What an update of a property does to a file system, its links and what it refers to, by four sources that disagree.

See `data/replacement.json` for the sources, their dates and how the verdict follows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from epochwise.catalog.data_file import load

FILE_SYSTEM = "AWS::FSx::FileSystem"
BUCKET_LINK = "AWS::FSx::DataRepositoryAssociation"
LUSTRE = "LustreConfiguration"


class Effect(StrEnum):
    """What an update of a property does."""

    REPLACES = "replaces"
    """CloudFormation makes a new resource and removes the old one, unless that is retained."""
    FAILS = "fails"
    """CloudFormation tries an update that the service does not have."""
    IN_PLACE = "in_place"


@dataclass(frozen=True, slots=True)
class UpdateRule:
    """What the sources say about the update of one property, and what is made of it."""

    name: str
    """Property by its path in the resource's properties, with a dot below LustreConfiguration."""
    registry: Effect
    """CloudFormation's resource schema."""
    page: Effect
    """CloudFormation's reference page."""
    cdk: Effect
    """CDK's service spec, which `cdk diff` prints."""
    service: bool
    """Whether FSx has an API that updates it."""
    verdict: Effect
    trust: str
    """agreed, derived or unverified."""
    note: str
    """Limits and costs of the update; empty without any."""
    default: bool | str | None
    """What FSx takes where the property is absent, for those that cannot be updated."""
    locked_h: int
    """Hours until FSx takes the next update of it; 0 where it says nothing of the kind."""

    @property
    def disagreement(self) -> bool:
        """Whether the sources about CloudFormation do not say the same."""
        return len({self.registry, self.page, self.cdk}) > 1


@cache
def update_rules(resource_type: str) -> Mapping[str, UpdateRule]:
    """Return the rules of a resource type by property; empty for a type whose properties are not listed one by one."""
    rows = load("replacement")["properties"].get(resource_type, {})
    return {
        name: UpdateRule(
            name=name,
            registry=Effect(row["registry"]),
            page=Effect(row["page"]),
            cdk=Effect(row["cdk"]),
            service=row["service"],
            verdict=Effect(row["verdict"]),
            trust=row["trust"],
            note=row.get("note", "").replace("{locked_h}", str(row.get("locked_h", 0))),
            default=row.get("default"),
            locked_h=row.get("locked_h", 0),
        )
        for name, row in rows.items()
    }


@cache
def create_only(resource_type: str) -> frozenset[str] | None:
    """Return the properties whose change replaces a resource; None for a type that the catalog does not know."""
    rules = update_rules(resource_type)
    if rules:
        return frozenset(name for name, rule in rules.items() if rule.verdict is Effect.REPLACES)
    known = load("replacement")["create_only"].get(resource_type)
    return None if known is None else frozenset(known)

"""Boundaries of what is said about a zone."""

from epochwise.checks import zone
from epochwise.checks.network import instance_type_without_efa
from tests.checks.boundaries import Row

ROWS = (
    Row("ZONE_MALFORMED", lambda: zone.zone_malformed("us-east-1"), "got 'us-east-1'"),
    Row("ZONE_MALFORMED", lambda: zone.zone_malformed(""), "got ''"),
    Row("ZONE_MALFORMED", lambda: zone.zone_malformed("us-east-1a"), None),
    Row("ZONE_MALFORMED", lambda: zone.zone_malformed("us-west-2-lax-1a"), None),
    Row("ZONE_MALFORMED", lambda: zone.zone_malformed("use1-az4"), None),
    Row("ZONE_MALFORMED", lambda: zone.zone_malformed("usw2-lax1-az1"), None),
    Row("ZONES_NOT_ONE", lambda: zone.zones_not_one(["use1-az1", "use1-az2"]), "got 2"),
    Row("ZONES_NOT_ONE", lambda: zone.zones_not_one("use1-az1"), None),
    Row("ZONE_OF_OTHER_REGION", lambda: zone.zone_of_other_region("eu-west-1a", "us-east-1"), "got eu-west-1a"),
    Row("ZONE_OF_OTHER_REGION", lambda: zone.zone_of_other_region("us-east-1a", "us-east-1"), None),
    Row("ZONE_OF_OTHER_REGION", lambda: zone.zone_of_other_region("eu-west-1a", None), None),
    Row("ZONE_OF_OTHER_REGION", lambda: zone.zone_of_other_region("use1-az4", "eu-west-1"), "got use1-az4"),
    Row("ZONE_OF_OTHER_REGION", lambda: zone.zone_of_other_region("usw2-lax1-az1", "us-west-1"), "got usw2-lax1-az1"),
    Row("ZONE_OF_OTHER_REGION", lambda: zone.zone_of_other_region("usw2-lax1-az1", "us-west-2"), None),
    Row("ZONE_OF_OTHER_REGION", lambda: zone.zone_of_other_region("use1-az4", "us-east-1"), None),
    Row("ZONE_OF_OTHER_REGION", lambda: zone.zone_of_other_region("use1-az4", "moon-east-1"), None),
    Row("ZONE_NOT_IN_ACCOUNT", lambda: zone.zone_not_in_account("us-east-1f", ["us-east-1a"]), "got us-east-1f"),
    Row("ZONE_NOT_IN_ACCOUNT", lambda: zone.zone_not_in_account("us-east-1a", ["us-east-1a"]), None),
    Row("ZONE_NOT_IN_ACCOUNT", lambda: zone.zone_not_in_account("us-east-1f", []), None),
    Row(
        "ZONE_OF_UNKNOWN_ACCOUNT", lambda: zone.zone_of_unknown_account("us-east-1a", account_known=False), "us-east-1a"
    ),
    Row("ZONE_OF_UNKNOWN_ACCOUNT", lambda: zone.zone_of_unknown_account("us-east-1a", account_known=True), None),
    Row("ZONE_OF_UNKNOWN_ACCOUNT", lambda: zone.zone_of_unknown_account("use1-az4", account_known=False), None),
    Row("ZONE_NOT_CHOSEN", lambda: zone.zone_not_chosen(None, "ml.p5.48xlarge"), "p5.48xlarge"),
    Row("ZONE_NOT_CHOSEN", lambda: zone.zone_not_chosen(None, "ml.g5.48xlarge"), None),
    Row("ZONE_NOT_CHOSEN", lambda: zone.zone_not_chosen("use1-az4", "ml.p5.48xlarge"), None),
    Row("ONE_ZONE_BY_DESIGN", lambda: zone.one_zone_by_design(new_vpc=True), "one zone by design"),
    Row("ONE_ZONE_BY_DESIGN", lambda: zone.one_zone_by_design(new_vpc=False), None),
    Row("INSTANCE_TYPE_WITHOUT_EFA", lambda: instance_type_without_efa(2, "ml.g5.xlarge"), "2 nodes of ml.g5.xlarge"),
    Row("INSTANCE_TYPE_WITHOUT_EFA", lambda: instance_type_without_efa(2, "ml.g5.8xlarge"), None),
)

"""Boundaries of what is said about a training plan."""

from dataclasses import replace
from functools import partial

from epochwise.checks.reserved_plan import ReservedPlan, reserved_plan_unusable
from tests.checks.boundaries import Row

TYPE = "ml.p4d.24xlarge"
PLAN = ReservedPlan("mine", "Active", (TYPE,), ("us-east-1a", "use1-az1"), 4, ("training-job",))
JUDGED = partial(reserved_plan_unusable, nodes=4, instance_type=TYPE, zone="us-east-1a")

ROWS = (
    Row("RESERVED_PLAN_UNUSABLE", partial(JUDGED, replace(PLAN, status="Failed")), "status is Failed"),
    Row("RESERVED_PLAN_UNUSABLE", partial(JUDGED, replace(PLAN, nodes=3)), "it has 3 nodes"),
    Row("RESERVED_PLAN_UNUSABLE", partial(JUDGED, replace(PLAN, instance_types=("ml.p5.48xlarge",))), "ml.p5.48xlarge"),
    Row("RESERVED_PLAN_UNUSABLE", partial(JUDGED, replace(PLAN, targets=("endpoint",))), "for endpoint"),
    Row("RESERVED_PLAN_UNUSABLE", partial(JUDGED, replace(PLAN, zones=("us-east-1b",))), "in us-east-1b"),
    Row("RESERVED_PLAN_UNUSABLE", partial(JUDGED, PLAN), None),
    Row("RESERVED_PLAN_UNUSABLE", partial(JUDGED, replace(PLAN, status="Scheduled", targets=(), zones=())), None),
)

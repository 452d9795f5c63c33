"""Boundaries of what CloudFormation takes of one template."""

from functools import partial

from epochwise.checks.template_limits import LIMITS, template_over_limit
from tests.checks.boundaries import Row

ROWS = (
    *(
        Row("TEMPLATE_OVER_LIMIT", partial(template_over_limit, "a.json", {what: most}), None)
        for what, most in LIMITS.items()
    ),
    *(
        Row("TEMPLATE_OVER_LIMIT", partial(template_over_limit, "a.json", {what: most + 1}), f"has {most + 1} {what}")
        for what, most in LIMITS.items()
    ),
)

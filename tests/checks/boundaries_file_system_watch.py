"""Boundaries of what is said about alarms."""

from functools import partial

from epochwise.checks.file_system_watch import (
    alarm_rate_not_positive,
    alarm_share_out_of_range,
    idle_hours_out_of_range,
)
from tests.checks.boundaries import Row

ROWS = (
    *(
        Row("ALARM_SHARE_OUT_OF_RANGE", partial(alarm_share_out_of_range, "full_share", share), says)
        for share, says in [(0, "got 0"), (1.01, "got 1.01"), (float("nan"), "got nan"), (0.01, None), (1, None)]
    ),
    *(
        Row("ALARM_RATE_NOT_POSITIVE", partial(alarm_rate_not_positive, "demand_mbps", rate), says)
        for rate, says in [(0, "got 0"), (float("inf"), "got inf"), (-1, "got -1"), (0.1, None), (None, None)]
    ),
    *(
        Row("IDLE_HOURS_OUT_OF_RANGE", partial(idle_hours_out_of_range, hours), says)
        for hours, says in [(0, "got 0"), (169, "got 169"), (1, None), (168, None)]
    ),
)

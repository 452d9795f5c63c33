"""Boundaries of what is said about alarms."""

from functools import partial

from epochwise.checks.file_system_watch import (
    alarm_rate_not_positive,
    alarm_share_out_of_range,
    dashboard_name_invalid,
    idle_hours_out_of_range,
    metric_color_illegal,
    metric_dimension_unknown,
    metric_name_invalid,
    metric_of_other_dimension,
    metric_period_illegal,
    metric_statistic_illegal,
    monthly_usd_negative,
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
    *(
        Row("MONTHLY_USD_NEGATIVE", partial(monthly_usd_negative, usd), says)
        for usd, says in [(-0.01, "got -0.01"), (0, None), (None, None)]
    ),
    *(
        Row("METRIC_PERIOD_ILLEGAL", partial(metric_period_illegal, seconds), says)
        for seconds, says in [
            (0, "got 0"),
            (0.001, "got 0.001"),
            (7, "got 7"),
            (90, "got 90"),
            (None, "got a token"),
            (1, None),
            (30, None),
            (60, None),
            (300, None),
        ]
    ),
    *(
        Row("METRIC_NAME_INVALID", partial(metric_name_invalid, name), says)
        for name, says in [("", "got ''"), ('a"b', "got 'a\"b'"), ("a" * 256, "got 'aaa"), ("DataReadBytes", None)]
    ),
    *(
        Row("METRIC_STATISTIC_ILLEGAL", partial(metric_statistic_illegal, statistic), f"got {statistic!r}")
        for statistic in ("", "summ", "p101", "p", "p99'", "PR(10:100", "Sum, Average")
    ),
    *(
        Row("METRIC_STATISTIC_ILLEGAL", partial(metric_statistic_illegal, statistic), None)
        for statistic in (
            "Sum",
            "average",
            "p99.9",
            "p100",
            "tm90",
            "IQM",
            "PR(:300)",
            "TM(10%:90%)",
            "TC(0.005:0.030)",
        )
    ),
    *(
        Row("METRIC_COLOR_ILLEGAL", partial(metric_color_illegal, color), says)
        for color, says in [("red", "got 'red'"), ("#fff", "got '#fff'"), ("#FF7f0e", None), (None, None)]
    ),
    *(
        Row("METRIC_OF_OTHER_DIMENSION", partial(metric_of_other_dimension, name, dimension), says)
        for name, dimension, says in [
            ("CPUUtilization", None, "got CPUUtilization, which is by FileServer"),
            ("CPUUtilization", "StorageTargetId", "by StorageTargetId, got CPUUtilization"),
            ("DataReadBytes", "FileServer", "which is by FileSystemId"),
            ("AgeOfOldestQueuedMessage", None, "which is by Publisher"),
            ("DataReadBytes", None, None),
            ("CPUUtilization", "FileServer", None),
            ("DiskReadBytes", "StorageTargetId", None),
            ("OfAnotherYear", None, None),
        ]
    ),
    *(
        Row("METRIC_DIMENSION_UNKNOWN", partial(metric_dimension_unknown, dimension), says)
        for dimension, says in [("Server", "got 'Server'"), ("FileServer", None), ("StorageTargetId", None)]
    ),
    *(
        Row("DASHBOARD_NAME_INVALID", partial(dashboard_name_invalid, name), says)
        for name, says in [("", "got ''"), ("a b", "got 'a b'"), ("a" * 256, "got 'aaa"), ("a-B_1", None), (None, None)]
    ),
)

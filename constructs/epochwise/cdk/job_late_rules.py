"""The states that wait for Debugger's rules which are still evaluated when their job has ended.

Debugger evaluates a rule in a processing job of its own, which may end after the training job. What it finds then would
never be told, so the state machine looks at the job for some more minutes, but not for ever.
"""

from typing import Any

LATE_LOOKS = 20
LATE_WAIT_S = 60
"""Looks after the job's end and seconds between them: how long AWS takes for its last evaluation is assumed."""
ENDED = ("Completed", "Failed", "Stopped")
"""Statuses of a training job after which there is no other."""
_NOT_FINAL = ("InProgress", "Stopping")
"""Statuses of a rule's evaluation after which there is another. Source: botocore 1.44.8, RuleEvaluationStatus."""
STATUSES = {"RuleStatuses.$": "$..RuleEvaluationStatus"}
"""What of DescribeTrainingJob's answer tells how far the rules are, as JSONPath; a deep scan finds an empty list."""
SEEN = {"statuses.$": "States.JsonToString($.look.RuleStatuses)"}
"""The same as text, beside what was told."""


def late_choice() -> dict[str, Any]:
    """Return the choice of an ended job with rules that are not at their end, and looks left."""
    return {
        "And": [
            {"Or": [{"Variable": "$.look.Status", "StringEquals": status} for status in ENDED]},
            {"Or": [{"Variable": "$.seen.statuses", "StringMatches": f'*"{status}"*'} for status in _NOT_FINAL]},
            {"Variable": "$.late.looks", "NumericLessThan": LATE_LOOKS},
        ],
        "Next": "CountLateLook",
    }


def late_states() -> dict[str, Any]:
    """Return the states between an ended job and the next look at it."""
    return {
        "CountLateLook": {
            "Type": "Pass",
            "Parameters": {"looks.$": "States.MathAdd($.late.looks, 1)"},
            "ResultPath": "$.late",
            "Next": "WaitForRules",
        },
        "WaitForRules": {"Type": "Wait", "Seconds": LATE_WAIT_S, "Next": "DescribeTrainingJob"},
    }

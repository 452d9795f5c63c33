"""Calls of AWS's APIs from a state machine."""

from typing import Any


def task(partition: str, action: str, parameters: dict[str, Any], *, then: str) -> dict[str, Any]:
    """Return a state that calls one action of AWS's SDK, such as `sagemaker:stopTrainingJob`.

    Its answer goes to `$.answer` unless the caller says otherwise, not to nowhere: the CDK drops nulls from what it
    writes, and a state without ResultPath loses its input. Throttling and failures of the service are tried again.
    """
    service = action.partition(":")[0]
    # Step Functions names errors by the SDK's class: the service in upper camel case
    name = {"sagemaker": "SageMaker", "sns": "Sns", "sfn": "Sfn", "lambda": "Lambda"}[service]
    return {
        "Type": "Task",
        "Resource": f"arn:{partition}:states:::aws-sdk:{action}",
        "Parameters": parameters,
        "ResultPath": "$.answer",
        "Retry": [
            {
                "ErrorEquals": [f"{name}.ThrottlingException", f"{name}.{name}Exception", f"{name}.SdkClientException"],
                "IntervalSeconds": 5,
                "BackoffRate": 2,
                "MaxAttempts": 6,
                "MaxDelaySeconds": 300,
                "JitterStrategy": "FULL",
            }
        ],
        "Next": then,
    }


def is_object(path: str) -> list[dict[str, Any]]:
    """Return the conditions that together say that a value is an object: none of JSON's other kinds.

    >>> [next(iter(each)) for each in is_object("$.input")]
    ['Not', 'Not', 'Not', 'Not', 'Variable']
    """
    tests = ("IsString", "IsNumeric", "IsBoolean", "IsNull")
    return [
        *({"Not": {"Variable": path, test: True}} for test in tests),
        {"Variable": f"{path}[0]", "IsPresent": False},
    ]

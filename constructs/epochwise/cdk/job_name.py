"""How a training job is named after its execution, by the machine that runs it and by the one that stops it."""

from typing import Any

LONGEST_NAME = 63
"""Characters of a training job's name (SageMaker API, CreateTrainingJob)."""
SUFFIX_KEY = "job_name_suffix"
"""What an execution's input may hold in place of the hash."""
OWNER_VARIABLE = "EPOCHWISE_EXECUTION"
"""Variable in the job's environment that says which execution it belongs to."""


def job_name_expression(workload_name: str, execution_arn: str = "$$.Execution.Id") -> str:
    """Return the name of an execution's job: the same on every retry, so that none is created twice.

    The name is the workload's and 32 digits of hash.

    >>> job_name_expression("guide")
    "States.Format('guide-{}', States.Hash($$.Execution.Id, 'MD5'))"
    """
    return f"States.Format('{workload_name}-{{}}', States.Hash({execution_arn}, 'MD5'))"


def naming_states(workload_name: str, *, suffix: str, execution_arn: str, then: str) -> dict[str, Any]:
    """Return the states that write the job's name to `$.name.job`; the first is NameJob.

    Args:
        workload_name: begins the name.
        suffix: path of the suffix that an execution asked for, empty when it did not.
        execution_arn: path of the execution's ARN.
        then: the state that follows.
    """
    named = {"Type": "Pass", "ResultPath": "$.name", "Next": then}
    return {
        "NameJob": {
            "Type": "Choice",
            "Choices": [{"Variable": suffix, "StringEquals": "", "Next": "NameJobByExecution"}],
            "Default": "NameJobAsAsked",
        },
        "NameJobByExecution": named | {"Parameters": {"job.$": job_name_expression(workload_name, execution_arn)}},
        "NameJobAsAsked": named | {"Parameters": {"job.$": f"States.Format('{workload_name}-{{}}', {suffix})"}},
    }

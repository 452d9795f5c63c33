"""ARNs of executions and of training jobs, as a user gives them."""

import re
from dataclasses import dataclass
from typing import Self

_EXECUTION = re.compile(
    r"arn:(?P<partition>aws[a-z-]*):states:(?P<region>[a-z0-9-]+):(?P<account>\d{12}):execution:"
    r"(?P<machine>[^:\s]{1,80}):(?P<name>[^:\s]{1,80})"
)
_JOB = re.compile(
    r"arn:(?P<partition>aws[a-z-]*):sagemaker:(?P<region>[a-z0-9-]+):(?P<account>\d{12}):training-job/(?P<name>\S{1,63})"
)
_MACHINE = re.compile(
    r"arn:(?P<partition>aws[a-z-]*):states:(?P<region>[a-z0-9-]+):(?P<account>\d{12}):stateMachine:(?P<machine>[^:\s]+)"
)


@dataclass(frozen=True, slots=True)
class ExecutionArn:
    """An execution of a state machine.

    >>> str(ExecutionArn.parse("arn:aws:states:us-east-1:123456789012:execution:machine:one").machine_arn)
    'arn:aws:states:us-east-1:123456789012:stateMachine:machine'
    """

    partition: str
    region: str
    account: str
    machine: str
    name: str

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read an ARN; None when it is no execution's."""
        found = _EXECUTION.fullmatch(text)
        return None if found is None else cls(**found.groupdict())

    @classmethod
    def of(cls, machine_arn: str, name: str) -> Self:
        """Return the ARN of a state machine's execution.

        Raises:
            ValueError: what is given is no state machine's ARN.
        """
        found = _MACHINE.fullmatch(machine_arn)
        if found is None:
            raise ValueError(f"must be the ARN of a state machine, got {machine_arn[:100]!r}")
        return cls(**found.groupdict(), name=name)

    @property
    def machine_arn(self) -> str:
        """The state machine's ARN."""
        return f"arn:{self.partition}:states:{self.region}:{self.account}:stateMachine:{self.machine}"

    def __str__(self) -> str:
        """Write it as AWS does."""
        return f"arn:{self.partition}:states:{self.region}:{self.account}:execution:{self.machine}:{self.name}"


@dataclass(frozen=True, slots=True)
class TrainingJobArn:
    """A SageMaker training job.

    >>> TrainingJobArn.parse("arn:aws:sagemaker:us-east-1:123456789012:training-job/guide-1").name
    'guide-1'
    """

    partition: str
    region: str
    account: str
    name: str

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read an ARN; None when it is no training job's."""
        found = _JOB.fullmatch(text)
        return None if found is None else cls(**found.groupdict())

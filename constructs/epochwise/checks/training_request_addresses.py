"""The rule about addresses in S3 among the fields that are passed through."""

from collections.abc import Iterator, Mapping
from typing import Any

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level
from epochwise.workload.s3_address import is_s3_uri

_ADDRESSES = ("S3Uri", "S3OutputPath")
"""Members of CreateTrainingJob that hold one."""


def request_address_illegal(job: DeclaredJob) -> Finding | None:
    """Refuse what is no address in S3 where one belongs, and runs to compare with likewise.

    The rights of the job's role are made of these. Source: botocore 1.44.8, S3Uri; S3 User Guide, bucketnamingrules.
    """
    wrong = [f"{path} is {text!r:.80}" for path, text in _addresses("", job.training.request) if not is_s3_uri(text)]
    if not wrong:
        return None
    return Finding(
        "REQUEST_ADDRESS_ILLEGAL",
        Level.ERROR,
        f"training.request must hold addresses in S3 where they belong, got {', '.join(wrong)[:400]}",
        "write s3://bucket/prefix, with a bucket's name as S3 takes it",
    )


def _addresses(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the addresses among fields with their paths; what is no text is refused by its shape."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            here = f"{path}.{name}".removeprefix(".")
            if isinstance(inner, str) and (name in _ADDRESSES or (".RuleParameters." in here and is_other_run(name))):
                yield here, inner
            yield from _addresses(here, inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _addresses(f"{path}[{place}]", inner)


def is_other_run(parameter: str) -> bool:
    """Tell the parameters of a rule that each name the tensors of another run. Source: sagemaker 2.257.7.

    >>> is_other_run("other_trial_0"), is_other_run("threshold")
    (True, False)
    """
    return parameter.startswith("other_trial_")

"""What an execution's input must be like, as conditions of a state machine, which knows no regular expressions.

Where few patterns cannot tell, as of a name's length or of rare characters, SageMaker refuses, and the execution ends
with its words.
"""

from typing import Any

from epochwise.catalog.training_job import MAX_HYPERPARAMETERS
from epochwise.catalog.training_toolkit import TOOLKIT_PREFIX
from epochwise.checks.training_image import image_repository
from epochwise.workload.training_section import OWNER_VARIABLE

SENTINEL = {f"{TOOLKIT_PREFIX}1": "", f"{TOOLKIT_PREFIX}2": ""}
"""Keeps the values of hyperparameters from being none or one, which a path would find nothing or no list of."""
_LIKELY = " _.,:;/@"
"""Characters that people put into names of jobs, and that none may have."""
Condition = dict[str, Any]


def is_object_text(path: str) -> Condition:
    """Return the condition that JSON, written as text by States.JsonToString, is an object."""
    return {"Variable": path, "StringMatches": "{*"}


def reserved_hyperparameters(path: str) -> Condition:
    """Return the condition that hyperparameters, written as text, hold one that the request sets.

    Inside a text every quote follows a backslash, so that one after a brace or comma begins a name.
    """
    names = [f"{TOOLKIT_PREFIX}*", f'{OWNER_VARIABLE}":*']
    begins = [f'{before}"{name}' for name in names for before in ("{", "*,")]
    return {"Or": [{"Variable": path, "StringMatches": pattern} for pattern in begins]}


def illegal_hyperparameters(path: str) -> Condition:
    """Return the condition that a list of values, the sentinel's before them, holds another than text, or too many."""
    most = MAX_HYPERPARAMETERS + len(SENTINEL)
    odd = [
        {
            "And": [
                {"Variable": f"{path}[{place}]", "IsPresent": True},
                {"Not": {"Variable": f"{path}[{place}]", "IsString": True}},
            ]
        }
        for place in range(most)
    ]
    return {"Or": [*odd, {"Variable": f"{path}[{most}]", "IsPresent": True}]}


def illegal_suffix(path: str) -> Condition:
    """Return the condition that the end of a job's name is likely to be none. Source: botocore, TrainingJobName."""
    return {
        "Or": [{"Variable": path, "StringMatches": pattern} for pattern in [*(f"*{mark}*" for mark in _LIKELY), "*-"]]
    }


def is_image(path: str, declared: str) -> Condition:
    """Return the condition that an image is the declared one, or a tag or digest of its repository in ECR."""
    same = {"Variable": path, "StringEquals": declared}
    repository = image_repository(declared)
    if repository is None:
        return same
    literal = escaped(repository, "\\*")
    tagged = [f"{literal}:*", f"{literal}@sha256:*"]
    wrong = [f"{literal}:", *(f"{literal}:{mark}*" for mark in "@.-"), f"{literal}@sha256:", f"{literal}* *"]
    any_of = [{"Variable": path, "StringMatches": pattern} for pattern in tagged]
    none_of = [{"Variable": path, "StringMatches": pattern} for pattern in wrong]
    return {"Or": [same, {"And": [{"Or": any_of}, {"Not": {"Or": none_of}}]}]}


def escaped(text: str, special: str) -> str:
    r"""Put a backslash before each of the characters that Step Functions would not take literally.

    >>> escaped("it's {a}", "\\'{}")
    "it\\'s \\{a\\}"
    """
    return "".join(f"\\{character}" if character in special else character for character in text)

"""The states that take an execution's input, hold it to what is allowed, and make a request of it.

| key of the input | may be |
|---|---|
| job_name_suffix | what the job's name ends with, instead of a hash of the execution |
| image | another tag or digest of the declared image's repository |
| hyperparameters | strings, as CreateTrainingJob takes them: merged over the declared ones, none of the toolkit's |
| nodes, instance_type | a pair that passes the library's checks |

Everything else ends the execution before a job is created.
"""

from dataclasses import dataclass
from typing import Any

from epochwise.catalog.training_job import MAX_HYPERPARAMETERS
from epochwise.catalog.training_toolkit import TOOLKIT_PREFIX
from epochwise.cdk.job_input_rules import (
    SENTINEL,
    escaped,
    illegal_hyperparameters,
    illegal_suffix,
    is_image,
    is_object_text,
    reserved_hyperparameters,
)
from epochwise.cdk.job_name import SUFFIX_KEY, named_rules, naming_states
from epochwise.cdk.job_shapes import MERGED, JobShapes
from epochwise.checks.training_image import image_repository
from epochwise.workload.training_section import OWNER_VARIABLE

_KEYS = (SUFFIX_KEY, "image", "hyperparameters", "nodes", "instance_type")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputDefaults:
    """What an execution gets where its input says nothing; tokens of the CDK pass through."""

    image: str | None = None
    """A tag or digest of the declared image's repository; None for the declared image."""
    nodes: int | None = None
    """One of the numbers that are allowed; None for the declared one."""


AS_DECLARED = InputDefaults()
"""An execution without input trains what is declared."""


def input_states(shapes: JobShapes, *, workload_name: str, defaults: InputDefaults = AS_DECLARED) -> dict[str, Any]:
    """Return the states from DefaultInput to PrepareRequest, which CreateTrainingJob follows."""
    image = shapes.request["AlgorithmSpecification"]["TrainingImage"]
    return {
        "DefaultInput": {
            "Type": "Pass",
            "Parameters": {
                "defaults": {
                    SUFFIX_KEY: "",
                    "image": image if defaults.image is None else defaults.image,
                    "hyperparameters": {},
                    "nodes": shapes.declared.nodes if defaults.nodes is None else defaults.nodes,
                    "instance_type": shapes.declared.instance_type,
                },
                "given.$": "$$.Execution.Input",
                "text.$": "States.JsonToString($$.Execution.Input)",
            },
            "Next": "CheckKind",
        },
        "CheckKind": {
            "Type": "Choice",
            "Choices": [is_object_text("$.text") | {"Next": "TakeInput"}],
            "Default": "RefuseKind",
        },
        "TakeInput": {
            "Type": "Pass",
            "Parameters": {"input.$": "States.JsonMerge($.defaults, $.given, false)"},
            "Next": "WriteHyperparameters",
        },
        "WriteHyperparameters": {
            "Type": "Pass",
            "Parameters": {
                "input.$": "$.input",
                "keys.$": "$.input.*",
                "hyperparameters.$": "States.JsonToString($.input.hyperparameters)",
                "sentinel": SENTINEL,
            },
            "Next": "CheckTypes",
        },
        "CheckTypes": {
            "Type": "Choice",
            "Choices": [
                {
                    "And": [
                        {"Variable": f"$.input.{SUFFIX_KEY}", "IsString": True},
                        {"Variable": "$.input.image", "IsString": True},
                        {"Variable": "$.input.nodes", "IsNumeric": True},
                        {"Variable": "$.input.instance_type", "IsString": True},
                        is_object_text("$.hyperparameters"),
                    ],
                    "Next": "MergeInput",
                }
            ],
            "Default": "RefuseTypes",
        },
        "MergeInput": {
            "Type": "Pass",
            "Parameters": {
                "input.$": "$.input",
                "shape.$": "States.Format('{} {}', $.input.nodes, $.input.instance_type)",
                "keys.$": "States.ArrayLength($.keys)",
                "hyperparameters.$": "$.hyperparameters",
                "given.$": "States.JsonMerge($.sentinel, $.input.hyperparameters, false)",
            },
            "Next": "ListInput",
        },
        "ListInput": {
            "Type": "Pass",
            "Parameters": {
                "input.$": "$.input",
                "shape.$": "$.shape",
                "keys.$": "$.keys",
                "hyperparameters.$": "$.hyperparameters",
                "values.$": "$.given.*",
            },
            "Next": "CheckInput",
        },
        "CheckInput": {
            "Type": "Choice",
            "Choices": [
                {"Not": {"Variable": "$.keys", "NumericEquals": len(_KEYS)}, "Next": "RefuseKeys"},
                reserved_hyperparameters("$.hyperparameters") | {"Next": "RefuseHyperparameters"},
                illegal_hyperparameters("$.values") | {"Next": "RefuseValues"},
                illegal_suffix(f"$.input.{SUFFIX_KEY}") | {"Next": "RefuseSuffix"},
                is_image("$.input.image", image) | {"Next": "ChooseShape"},
            ],
            "Default": "RefuseImage",
        },
        **_refusals(image, shapes.allowed),
        **_shape_states(shapes),
        **naming_states(
            workload_name, suffix=f"$.input.{SUFFIX_KEY}", execution_arn="$$.Execution.Id", then="TakeDeclared"
        ),
        # as a result, in which no name of the user's is taken for a path
        "TakeDeclared": {
            "Type": "Pass",
            "Result": {key: dict(part) for key, part in shapes.shared.items()},
            "ResultPath": "$.shared",
            "Next": "PrepareRequest",
        },
        "PrepareRequest": {
            "Type": "Pass",
            "Parameters": {
                "input.$": "$.input",
                "shared.$": "$.shared",
                "variant.$": "$.variant",
                "named": {
                    # as JSON, quotes included, like every hyperparameter
                    "hyperparameters": {"sagemaker_job_name.$": "States.Format('\"{}\"', $.name.job)"},
                    "environment": {OWNER_VARIABLE + ".$": "$$.Execution.Id"},
                    "resources": {"InstanceType.$": "$.input.instance_type", "InstanceCount.$": "$.input.nodes"},
                    "texts": named_rules(shapes.fixed)[1],
                },
                "run": {
                    "job.$": "$.name.job",
                    "execution.$": "$$.Execution.Id",
                    "nodes.$": "$.input.nodes",
                    "instance_type.$": "$.input.instance_type",
                    "told": [],
                    "late": {"looks": 0},
                    "adding": {"lists": [], "stop": ""},
                },
            },
            "Next": "CreateTrainingJob",
        },
    }


def request_parameters(shapes: JobShapes) -> dict[str, Any]:
    """Return the parameters of CreateTrainingJob, after PrepareRequest."""
    specification = {
        key: value for key, value in shapes.fixed["AlgorithmSpecification"].items() if key != "TrainingImage"
    }
    of_all = {key: f"States.JsonMerge($.shared.{key}, $.variant.{key}, false)" for key in MERGED}
    asked = f"States.JsonMerge({of_all['HyperParameters']}, $.input.hyperparameters, false)"
    return {
        "TrainingJobName.$": "$.run.job",
        **shapes.fixed,
        **named_rules(shapes.fixed)[0],
        **{f"{key}.$": f"$.variant.{key}" for key in shapes.varying},
        "AlgorithmSpecification": specification | {"TrainingImage.$": "$.input.image"},
        "HyperParameters.$": f"States.JsonMerge({asked}, $.named.hyperparameters, false)",
        "Environment.$": f"States.JsonMerge({of_all['Environment']}, $.named.environment, false)",
        "ResourceConfig.$": f"States.JsonMerge({of_all['ResourceConfig']}, $.named.resources, false)",
    }


def _shape_states(shapes: JobShapes) -> dict[str, Any]:
    """Return the choice among the allowed shapes, and what each group of them brings."""
    choices = []
    states: dict[str, Any] = {}
    for number, (rest, members) in enumerate(shapes.variants, 1):
        state = f"TakeShapes{number}"
        rules = [{"Variable": "$.shape", "StringEquals": str(shape)} for shape in members]
        choices.append({"Or": rules, "Next": state})
        states[state] = {"Type": "Pass", "Result": dict(rest), "ResultPath": "$.variant", "Next": "NameJob"}
    return {"ChooseShape": {"Type": "Choice", "Choices": choices, "Default": "RefuseShape"}, **states}


def _refusals(image: str, allowed: str) -> dict[str, Any]:
    """Return the ends of executions whose input is not taken."""
    repository = image_repository(image)
    given, hyperparameters = "States.JsonToString($$.Execution.Input)", "$.hyperparameters"
    return {
        "RefuseKind": _refusal(f"input must be an object with any or none of {', '.join(_KEYS)}", given),
        "RefuseTypes": _refusal(
            f"{SUFFIX_KEY}, image and instance_type must be strings, nodes a number, and hyperparameters an object",
            given,
        ),
        "RefuseKeys": _refusal(f"input may hold {', '.join(_KEYS)}", given),
        "RefuseHyperparameters": _refusal(
            f"hyperparameters must not hold what the request sets: {OWNER_VARIABLE} and all that begins with "
            f"{TOOLKIT_PREFIX}",
            hyperparameters,
        ),
        "RefuseValues": _refusal(
            f"hyperparameters must be up to {MAX_HYPERPARAMETERS} strings by their names, numbers in quotes too",
            hyperparameters,
        ),
        "RefuseSuffix": _refusal(
            f"{SUFFIX_KEY} must be letters, digits and hyphens, and not end with a hyphen", f"$.input.{SUFFIX_KEY}"
        ),
        "RefuseImage": _refusal(
            f"image must be {image}" if repository is None else f"image must be a tag or digest of {repository}",
            "$.input.image",
        ),
        "RefuseShape": _refusal(f"nodes and instance_type must be {allowed}", "$.shape"),
    }


def _refusal(text: str, value: str) -> dict[str, Any]:
    """Return a failure whose cause is a text and the value that was given."""
    literal = escaped(text, "\\'{}")
    return {"Type": "Fail", "Error": "InputRefused", "CausePath": f"States.Format('{literal}, got {{}}', {value})"}

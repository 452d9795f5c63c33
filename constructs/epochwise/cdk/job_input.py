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

from epochwise.cdk.job_name import SUFFIX_KEY, named_rules, naming_states
from epochwise.cdk.job_shapes import JobShapes
from epochwise.cdk.job_tasks import is_object
from epochwise.checks.training_image import image_repository
from epochwise.workload.training_section import OWNER_VARIABLE

_KEYS = (SUFFIX_KEY, "image", "hyperparameters", "nodes", "instance_type")
_SENTINEL = {"sagemaker_": "", "sagemaker__": ""}
"""Keeps an object of hyperparameters from being empty, since a path into an empty one finds nothing."""
_TOOLKIT_KEYS = (
    "sagemaker_program",
    "sagemaker_submit_directory",
    "sagemaker_container_log_level",
    "sagemaker_job_name",
    "sagemaker_region",
    "sagemaker_instance_type",
    "sagemaker_distribution_instance_groups",
    "sagemaker_distributed_dataparallel_enabled",
    "sagemaker_distributed_dataparallel_custom_mpi_options",
    "sagemaker_torch_distributed_enabled",
    "sagemaker_mpi_enabled",
    "sagemaker_mpi_num_of_processes_per_host",
    "sagemaker_mpi_custom_mpi_options",
)
"""Hyperparameters that steer the toolkit in the image. Source: sagemaker 2.257.7."""


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
    of_shapes = (key for rest, _ in shapes.variants for key in rest["HyperParameters"] if _is_toolkit(key))
    reserved = dict.fromkeys([*_TOOLKIT_KEYS, OWNER_VARIABLE, *of_shapes], "")
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
                "sentinel": _SENTINEL,
                "reserved": reserved | _SENTINEL,
            },
            "Next": "TakeInput",
        },
        "TakeInput": {
            "Type": "Pass",
            "Parameters": {
                "input.$": "States.JsonMerge($.defaults, $.given, false)",
                "sentinel.$": "$.sentinel",
                "reserved.$": "$.reserved",
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
                        *is_object("$.input.hyperparameters"),
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
                "given.$": "States.JsonMerge($.sentinel, $.input.hyperparameters, false)",
                "all.$": "States.JsonMerge($.reserved, $.input.hyperparameters, false)",
            },
            "Next": "ListInput",
        },
        "ListInput": {
            "Type": "Pass",
            "Parameters": {
                "input.$": "$.input",
                "shape.$": "$.shape",
                "keys.$": "$.input.*",
                "all.$": "$.all.*",
                "given.$": "$.given.*",
            },
            "Next": "CountInput",
        },
        "CountInput": {
            "Type": "Pass",
            "Parameters": {
                "input.$": "$.input",
                "shape.$": "$.shape",
                "keys.$": "States.ArrayLength($.keys)",
                "all.$": "States.ArrayLength($.all)",
                # as many as there are when none of the given ones is reserved; both count the sentinel
                "expected.$": f"States.MathAdd(States.ArrayLength($.given), {len(reserved)})",
            },
            "Next": "CheckInput",
        },
        "CheckInput": {
            "Type": "Choice",
            "Choices": [
                {"Not": {"Variable": "$.keys", "NumericEquals": len(_KEYS)}, "Next": "RefuseKeys"},
                {"Not": {"Variable": "$.all", "NumericEqualsPath": "$.expected"}, "Next": "RefuseHyperparameters"},
                {"Or": _image_rules(image), "Next": "ChooseShape"},
            ],
            "Default": "RefuseImage",
        },
        **_refusals(image, shapes.allowed),
        **_shape_states(shapes),
        **naming_states(
            workload_name, suffix=f"$.input.{SUFFIX_KEY}", execution_arn="$$.Execution.Id", then="PrepareRequest"
        ),
        "PrepareRequest": {
            "Type": "Pass",
            "Parameters": {
                "input.$": "$.input",
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
    hyperparameters = "States.JsonMerge($.variant.HyperParameters, $.input.hyperparameters, false)"
    of_shape = {
        f"{key}.$": f"$.variant.{key}"
        for key in shapes.varying
        if key not in {"HyperParameters", "Environment", "ResourceConfig"}
    }
    return {
        "TrainingJobName.$": "$.run.job",
        **shapes.fixed,
        **named_rules(shapes.fixed)[0],
        **of_shape,
        "AlgorithmSpecification": specification | {"TrainingImage.$": "$.input.image"},
        "HyperParameters.$": f"States.JsonMerge({hyperparameters}, $.named.hyperparameters, false)",
        "Environment.$": "States.JsonMerge($.variant.Environment, $.named.environment, false)",
        "ResourceConfig.$": "States.JsonMerge($.variant.ResourceConfig, $.named.resources, false)",
    }


def _is_toolkit(key: str) -> bool:
    """Tell the toolkit's hyperparameters from the user's."""
    return key.startswith("sagemaker_")


def _image_rules(image: str) -> list[dict[str, Any]]:
    """Return what an image must match: the declared one, or any of its repository in ECR."""
    rules: list[dict[str, Any]] = [{"Variable": "$.input.image", "StringEquals": image}]
    repository = image_repository(image)
    if repository is not None:
        literal = _escaped(repository, "\\*")
        rules += [{"Variable": "$.input.image", "StringMatches": f"{literal}{mark}*"} for mark in ":@"]
    return rules


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
    repository = image_repository(image) or image
    given = "States.JsonToString($$.Execution.Input)"
    taken = ", ".join([*_TOOLKIT_KEYS, OWNER_VARIABLE])
    return {
        "RefuseTypes": _refusal(
            f"{SUFFIX_KEY}, image and instance_type must be strings, nodes a number, and hyperparameters an object",
            given,
        ),
        "RefuseKeys": _refusal(f"input may hold {', '.join(_KEYS)}", given),
        "RefuseHyperparameters": _refusal(
            f"hyperparameters must not hold what the request sets: {taken}",
            "States.JsonToString($.input.hyperparameters)",
        ),
        "RefuseImage": _refusal(f"image must be a tag or digest of {repository}", "$.input.image"),
        "RefuseShape": _refusal(f"nodes and instance_type must be {allowed}", "$.shape"),
    }


def _refusal(text: str, value: str) -> dict[str, Any]:
    """Return a failure whose cause is a text and the value that was given."""
    literal = _escaped(text, "\\'{}")
    return {"Type": "Fail", "Error": "InputRefused", "CausePath": f"States.Format('{literal}, got {{}}', {value})"}


def _escaped(text: str, special: str) -> str:
    r"""Put a backslash before each of the characters that Step Functions would not take literally.

    >>> _escaped("it's {a}", "\\'{}")
    "it\\'s \\{a\\}"
    """
    return "".join(f"\\{character}" if character in special else character for character in text)

"""Every field of CreateTrainingJob is set by an option, can be passed through, or is refused with a reason."""

from functools import cache
from typing import Any

import botocore.session
import pytest
from botocore.model import ListShape, MapShape, Shape, StructureShape

from epochwise.catalog.training_job import APPENDED, EXCLUDED, MEMBERS, PASSED_THROUGH, SHAPES
from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.workload import Workload


@cache
def members() -> set[str]:
    """Return every member of the request and, after a dot, of its structures and of the structures in its lists."""
    model = botocore.session.get_session().get_service_model("sagemaker")
    shape = model.operation_model("CreateTrainingJob").input_shape
    assert isinstance(shape, StructureShape)
    found: set[str] = set()
    for name, member in shape.members.items():
        found.add(name)
        inner: Shape = member
        while isinstance(inner, ListShape):
            inner = inner.member
        if isinstance(inner, StructureShape):
            found |= {f"{name}.{key}" for key in inner.members}
    return found


def requested(raw: dict[str, Any]) -> dict[str, Any]:
    workload = Workload.model_validate(
        {
            "name": "raw",
            "dataset": {"size": "1 GB"},
            "epoch": {"target": "60 s"},
            "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 2},
            "training": {"image": "image", "request": raw},
        }
    )
    return create_training_job_request(workload, JobDeployment.placeholders(workload))


def test_the_table_holds_every_member_and_no_other() -> None:
    assert set(MEMBERS) == members()


def test_every_option_in_the_table_exists() -> None:
    for option in set(MEMBERS.values()):
        if option == PASSED_THROUGH or option.startswith((EXCLUDED, "the deployment's")):
            continue
        section, _, key = option.partition(".")
        model = {"training": "Training", "watch": "Watch", "cluster": "Cluster"}.get(section)
        if model is None or not key:
            assert section in Workload.model_fields
        else:
            from epochwise import workload as declared

            assert key in getattr(declared, model).model_fields, option


def nested(path: str, value: object) -> dict[str, Any]:
    key, _, inner = path.partition(".")
    return {key: {inner: value} if inner else value}


PASSABLE = [
    path for path, option in MEMBERS.items() if option == PASSED_THROUGH and path.partition(".")[0] not in APPENDED
]
NAMED = [
    path
    for path, option in MEMBERS.items()
    if option != PASSED_THROUGH and not option.startswith(EXCLUDED) and path.partition(".")[0] not in APPENDED
]


ADDRESSES = ("S3Uri", "S3OutputPath")
EXAMPLES = {"string": "value", "boolean": True, "integer": 1, "long": 1, "float": 0.5, "double": 0.5}


def example(shape: Any) -> Any:
    """Return the least value of a shape: one entry of each list and map, and what a structure requires."""
    match shape:
        case str():
            return EXAMPLES[shape]
        case [inner]:
            return [example(inner)]
    return {name.removesuffix("!"): valued(name, part) for name, part in shape.items() if name.endswith(("!", "*"))}


def valued(name: str, shape: Any) -> Any:
    """Return an example of a member, which may be an address."""
    return "s3://bucket/prefix" if name.removesuffix("!") in ADDRESSES else example(shape)


def recorded(shape: Shape) -> Any:
    """Write a shape of AWS's SDK as the catalog does."""
    match shape:
        case StructureShape():
            required = shape.required_members
            return {f"{name}!" if name in required else name: recorded(part) for name, part in shape.members.items()}
        case ListShape():
            return [recorded(shape.member)]
        case MapShape():
            return {"*": recorded(shape.value)}
    return shape.type_name


def test_the_shapes_of_what_is_passed_through_are_those_of_the_sdk() -> None:
    model = botocore.session.get_session().get_service_model("sagemaker")
    shape = model.operation_model("CreateTrainingJob").input_shape
    assert isinstance(shape, StructureShape)
    passed = {path for path, option in MEMBERS.items() if option == PASSED_THROUGH}
    wanted: dict[str, Any] = {}
    for key, member in shape.members.items():
        whole = recorded(member)
        if key in APPENDED:
            wanted[key] = whole
        elif any(path.partition(".")[0] == key for path in passed):
            wanted[key] = {name: part for name, part in whole.items() if f"{key}.{name.removesuffix('!')}" in passed}
    assert wanted == SHAPES


@pytest.mark.parametrize("path", PASSABLE)
def test_a_field_without_an_option_is_passed_through(path: str) -> None:
    key, _, inner = path.partition(".")
    shape = {name.removesuffix("!"): part for name, part in SHAPES[key].items()}[inner] if inner else SHAPES[key]
    needed = {name[:-1]: valued(name, part) for name, part in SHAPES[key].items() if name.endswith("!")}
    value = valued(inner or key, shape)
    given = {key: needed | {inner: value}} if inner else {key: value}
    request = requested(given)
    assert (request[key][inner] if inner else request[key]) == value
    assert {"TrainingJobName", "ResourceConfig", "InputDataConfig"} <= set(request)


@pytest.mark.parametrize("path", NAMED)
def test_a_field_with_an_option_is_refused_and_the_option_named(path: str) -> None:
    with pytest.raises(ValueError, match="REQUEST_OVERWRITES") as refused:
        requested(nested(path, "value"))
    assert f"{path} by {MEMBERS[path]}" in str(refused.value)


@pytest.mark.parametrize("path", [path for path, option in MEMBERS.items() if option.startswith(EXCLUDED)])
def test_a_field_that_cannot_go_with_nodes_and_image_is_refused_with_the_reason(path: str) -> None:
    with pytest.raises(ValueError, match="REQUEST_EXCLUDED") as refused:
        requested(nested(path, "value"))
    assert MEMBERS[path].removeprefix(EXCLUDED) in str(refused.value)


def test_entries_of_lists_are_added_after_the_librarys() -> None:
    entry = {"ChannelName": "hub", "DataSource": {"DatasetSource": {"DatasetArn": "arn"}}}
    rule = {"RuleConfigurationName": "Own", "RuleEvaluatorImage": "image", "InstanceType": "ml.t3.medium"}
    request = requested({"InputDataConfig": [entry], "ProfilerRuleConfigurations": [rule]})
    assert [channel["ChannelName"] for channel in request["InputDataConfig"]] == ["train", "hub"]
    assert request["ProfilerRuleConfigurations"] == [rule]
    assert request["ProfilerConfig"]["DisableProfiler"] is False


@pytest.mark.parametrize(
    "raw",
    [
        {"InputDataConfig": [{"ChannelName": "train"}]},
        {"InputDataConfig": [{"ContentType": "a"}]},
        {"InputDataConfig": {"ChannelName": "a"}},
        {"DebugRuleConfigurations": [{"RuleConfigurationName": "A"}, {"RuleConfigurationName": "A"}]},
    ],
)
def test_an_entry_without_a_name_of_its_own_is_refused(raw: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="REQUEST_ENTRY_UNNAMED"):
        requested(raw)


def test_an_unknown_field_is_refused_with_a_near_one() -> None:
    with pytest.raises(ValueError, match=r"TensorBoardOutConfig.*near: TensorBoardOutputConfig.*REQUEST_UNKNOWN_FIELD"):
        requested({"TensorBoardOutConfig": {}})

"""The state machine's definition: within Step Functions' limits, and true to the declaration."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from jsonpath_ng.parser import parse

from epochwise import Workload
from epochwise.catalog.watch_rule_names import CLOUDWATCH_RULE_NAMES, PROFILER_RULE_NAMES, TENSOR_RULE_NAMES
from epochwise.cdk import job_definition
from epochwise.cdk.job_abort import stopper_states
from epochwise.cdk.job_definition import definition_bytes, definition_findings
from epochwise.cdk.job_findings import watched_findings
from epochwise.cdk.job_late_rules import ENDED, LATE_LOOKS, LATE_WAIT_S
from epochwise.cdk.job_name import LONGEST_NAME, OWNERS, job_name_expression
from epochwise.cdk.job_shapes import JobShapes, Shape, job_shapes
from epochwise.cdk.job_state_machine import events_of_a_look, job_states, longest_s, wait_s
from epochwise.cdk.job_watch import Watching
from epochwise.checks import running_job
from epochwise.checks.declared_job import DeclaredJob
from epochwise.training.request import JOB_NAME_PLACEHOLDER, JobDeployment, create_training_job_request
from epochwise.workload.training_section import OWNER_VARIABLE
from tests.cdk.choices import holds

DEFINITION_BYTES = 1_000_000
PAYLOAD_BYTES = 256 * 1024
HISTORY_EVENTS = 25_000
INTRINSIC_CHARACTERS = 10_000
"""Step Functions' quotas."""


def shapes_of(workload: Workload, max_nodes: int = 4, instance_types: Sequence[str] = ()) -> JobShapes:
    deployment = JobDeployment.placeholders(workload)
    return job_shapes(
        workload,
        lambda shaped: create_training_job_request(shaped, deployment),
        max_nodes=max_nodes,
        instance_types=instance_types,
    )


def machine(workload: Workload, shapes: JobShapes, *, evaluated: bool = False, stop_on: Sequence[str] = ()) -> Any:
    job = DeclaredJob.of(workload)
    assert job is not None
    watching = Watching(
        workload_name=workload.name,
        topic_arn="arn:topic",
        findings=watched_findings(job, shapes.request, stop_on),
        evaluator_arn="arn:function" if evaluated else None,
    )
    return job_states(shapes, watching=watching, partition="aws")


def declared(guide: Workload, **changes: Any) -> Workload:
    document = json.loads(guide.model_dump_json(exclude_unset=True))
    training = document["training"] | changes.pop("training", {})
    return Workload.model_validate(document | {"training": training} | changes)


@pytest.fixture(scope="module")
def states(guide: Workload) -> dict[str, Any]:
    return dict(machine(guide, shapes_of(guide))["States"])


def test_the_job_is_named_by_its_execution(states: dict[str, Any]) -> None:
    assert states["NameJobByExecution"]["Parameters"] == {"job.$": job_name_expression("guide")}
    assert states["CreateTrainingJob"]["Parameters"]["TrainingJobName.$"] == "$.run.job"
    named = states["PrepareRequest"]["Parameters"]["named"]["hyperparameters"]
    assert named == {"sagemaker_job_name.$": "States.Format('\"{}\"', $.name.job)"}


def test_the_longest_workload_name_leaves_room_for_the_hash() -> None:
    [limit] = [each.max_length for each in Workload.model_fields["name"].metadata if hasattr(each, "max_length")]
    assert limit + len("-") + 32 <= LONGEST_NAME


def test_every_call_is_of_awss_sdk_and_is_tried_again_when_throttled(states: dict[str, Any]) -> None:
    tasks = [state for state in states.values() if state["Type"] == "Task"]
    assert tasks
    for state in tasks:
        assert state["Resource"].startswith("arn:aws:states:::aws-sdk:")
        [retry] = state["Retry"]
        assert any(name.endswith(".ThrottlingException") for name in retry["ErrorEquals"])
        assert retry["BackoffRate"] > 1
        assert retry["MaxAttempts"] > 1


def test_each_end_of_a_job_is_an_end_of_the_execution(states: dict[str, Any]) -> None:
    ends = {name for name, state in states.items() if state["Type"] in {"Succeed", "Fail"}}
    late, *others = (choice["Next"] for choice in states["HasEnded"]["Choices"])
    assert others == ["Completed", "DescribeFailure", "StoppedByRule", "Stopped", "StopTrainingJob"]
    assert late == "CountLateLook"
    assert states["DescribeFailure"]["Next"] in ends
    assert states["HasEnded"]["Default"] == "Wait"


def test_every_state_that_is_named_is_there_and_reached(states: dict[str, Any]) -> None:
    def named(value: Any) -> set[str]:
        match value:
            case dict():
                here = {value[key] for key in ("Next", "Default") if isinstance(value.get(key), str)}
                return here.union(*(named(each) for each in value.values()))
            case list():
                return set().union(*(named(each) for each in value))
            case _:
                return set()

    assert named(states) | {"DefaultInput"} == set(states)


def test_a_job_without_rules_is_looked_at_with_few_events(guide: Workload) -> None:
    plain = machine(declared(guide, watch={}), shapes_of(declared(guide, watch={})))["States"]
    assert "FindNews" not in plain
    assert events_of_a_look(plain) == 9


def test_only_debuggers_rules_are_waited_for_after_the_end_and_not_for_ever(
    guide: Workload, states: dict[str, Any]
) -> None:
    judged = declared(guide, watch={"rules": ["LoadBalancing"], "using": ["cloudwatch"]})
    assert "WaitForRules" not in machine(judged, shapes_of(judged), evaluated=True)["States"]
    ended, pending, looks_left = states["HasEnded"]["Choices"][0]["And"]
    assert [each["StringEquals"] for each in ended["Or"]] == list(ENDED)
    assert [each["StringMatches"] for each in pending["Or"]] == ['*"InProgress"*', '*"Stopping"*']
    assert looks_left == {"Variable": "$.late.looks", "NumericLessThan": LATE_LOOKS}
    assert states["PrepareRequest"]["Parameters"]["run"]["late"] == {"looks": 0}
    assert states["WaitForRules"]["Seconds"] * LATE_LOOKS == LATE_WAIT_S * LATE_LOOKS == 1200


def test_a_rule_that_stops_the_job_names_one_executions_job_and_no_other(guide: Workload) -> None:
    acting = {"rules": [{"StalledTrainingRule": {"stop_training_on_fire": True, "actions": ["stop_training"]}}]}
    workload = declared(guide, watch=acting)
    shapes = shapes_of(workload)
    definition = machine(workload, shapes)
    created = definition["States"]["CreateTrainingJob"]["Parameters"]
    [rule] = created["DebugRuleConfigurations"]
    assert rule["RuleParameters"]["training_job_name_prefix.$"] == "$.run.job"
    assert (
        rule["RuleParameters"]["action_json.$"]
        == "States.Format('{}{}{}', $.named.texts[0], $.run.job, $.named.texts[1])"
    )
    pieces = definition["States"]["PrepareRequest"]["Parameters"]["named"]["texts"]
    [declared_rule] = shapes.request["DebugRuleConfigurations"]
    assert JOB_NAME_PLACEHOLDER.join(pieces) == declared_rule["RuleParameters"]["action_json"]
    assert JOB_NAME_PLACEHOLDER not in json.dumps(definition)


def test_no_state_needs_a_null_which_the_cdk_would_drop(guide: Workload) -> None:
    workload = declared(guide, watch=EVERYTHING)
    definitions = [
        machine(workload, shapes_of(workload), evaluated=True),
        stopper_states("guide", partition="aws"),
    ]
    for definition in definitions:
        assert "null" not in json.dumps(definition)
        tasks = [state for state in definition["States"].values() if state["Type"] == "Task"]
        assert all(state["ResultPath"].startswith("$.") for state in tasks)


EVERYTHING: dict[str, Any] = {
    "rules": [
        *PROFILER_RULE_NAMES,
        *(name for name in CLOUDWATCH_RULE_NAMES if name not in PROFILER_RULE_NAMES),
        # all but the one that needs another run to compare with; twenty are the most of a job
        *({name: {"actions": ["stop_training"]}} for name in TENSOR_RULE_NAMES if name != "SimilarAcrossRuns"),
    ],
    "using": ["debugger", "cloudwatch"],
}


@pytest.mark.parametrize("runtime_s", [3600, 5 * 86_400, 28 * 86_400])
def test_with_every_rule_on_a_run_fits_into_step_functions_limits(guide: Workload, runtime_s: int) -> None:
    hyperparameters = {f"parameter_{number}": "x" * 200 for number in range(80)}
    training = {"hyperparameters": hyperparameters, "max_runtime": f"{runtime_s} s"}
    workload = declared(guide, watch=EVERYTHING, training=training)
    shapes = shapes_of(workload, max_nodes=64, instance_types=["ml.p4de.24xlarge"])
    definition = machine(workload, shapes, evaluated=True, stop_on=workload.watch.names)
    states = definition["States"]

    assert len(json.dumps(definition)) < DEFINITION_BYTES / 2
    looks = definition["TimeoutSeconds"] / states["Wait"]["Seconds"]
    job = DeclaredJob.of(workload)
    assert job is not None
    assert len(job.tensor_rules) == 20
    rules = len(job.cloudwatch_rules) + len(job.debugger_rules)
    quiet, start, told = looks * events_of_a_look(states), 60, rules * 20
    late = LATE_LOOKS * (events_of_a_look(states) + 4)
    assert quiet + start + told + late < HISTORY_EVENTS
    assert definition["TimeoutSeconds"] >= runtime_s
    # the request is the largest thing that travels: as variant, with the input, and as the parameters
    assert 3 * len(json.dumps(shapes.request)) < PAYLOAD_BYTES
    for text in intrinsics(states):
        assert len(text) < INTRINSIC_CHARACTERS


def intrinsics(value: Any) -> list[str]:
    match value:
        case dict():
            return [text for each in value.values() for text in intrinsics(each)]
        case list():
            return [text for each in value for text in intrinsics(each)]
        case str() if value.startswith("States."):
            return [value]
        case _:
            return []


def test_the_timeout_comes_before_the_history_is_full(guide: Workload) -> None:
    request = shapes_of(guide).request
    for events in (9, 13, 20):
        assert longest_s(request) / wait_s(request, events) * events <= 0.75 * HISTORY_EVENTS


def test_a_wait_for_spot_capacity_is_waited_for() -> None:
    limits = {"MaxRuntimeInSeconds": 3600, "MaxPendingTimeInSeconds": 3600, "MaxWaitTimeInSeconds": 864_000}
    assert longest_s({"StoppingCondition": limits}) > 864_000


def test_shapes_that_differ_in_their_request_are_told_apart(guide: Workload) -> None:
    workload = declared(guide, training={"distribution": "torchrun"}, watch={})
    shapes = shapes_of(workload, instance_types=["ml.p5en.48xlarge"])
    assert shapes.allowed == "1 to 4 ml.p4d.24xlarge, 1 to 4 ml.p5en.48xlarge"
    by_shape = {str(shape): rest for rest, members in shapes.variants for shape in members}
    # what only the shape decides stands with it, and the rest once
    assert by_shape["1 ml.p5en.48xlarge"]["HyperParameters"] == {"sagemaker_instance_type": '"ml.p5en.48xlarge"'}
    assert "sagemaker_program" in shapes.shared["HyperParameters"]
    assert by_shape["2 ml.p5en.48xlarge"]["Environment"]["FI_PROVIDER"] == "efa"
    assert "FI_PROVIDER" not in by_shape["1 ml.p5en.48xlarge"]["Environment"]


def test_what_all_shapes_share_stands_in_the_definition_once(guide: Workload) -> None:
    hyperparameters = {f"parameter_{number}": "x" * 100 for number in range(20)}
    workload = declared(guide, training={"hyperparameters": hyperparameters, "batch": {"per_device": 1}}, watch={})
    shapes = shapes_of(workload, max_nodes=12)
    assert len(shapes.variants) == 12
    text = json.dumps(machine(workload, shapes))
    assert text.count("parameter_7") == 1
    job = DeclaredJob.of(workload)
    assert job is not None
    few, all_of_them = (definition_bytes(job, shapes.up_to(nodes), ()) for nodes in (2, 12))
    assert all_of_them - few < 10 * 1000


def test_a_definition_that_no_template_holds_is_refused_with_the_most_nodes_that_fit(
    guide: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    workload = declared(guide, training={"batch": {"per_device": 1}}, watch={})
    shapes, job = shapes_of(workload, max_nodes=12), DeclaredJob.of(workload)
    assert job is not None
    assert list(definition_findings(job, shapes, ())) == []
    for module in (job_definition, running_job):
        monkeypatch.setattr(module, "MAX_DEFINITION_BYTES", definition_bytes(job, shapes.up_to(9), ()))
    [finding] = definition_findings(job, shapes, ())
    assert (finding.id, finding.fix.partition(",")[0]) == ("DEFINITION_TOO_LARGE", "set max_nodes to 9 or less")
    for module in (job_definition, running_job):
        monkeypatch.setattr(module, "MAX_DEFINITION_BYTES", 10)
    [finding] = definition_findings(job, shapes, ())
    assert finding.fix.startswith("move long hyperparameters")


def test_no_text_of_the_users_becomes_a_path(guide: Workload) -> None:
    def paths(value: Any) -> list[str]:
        match value:
            case {"Result": _, **rest}:
                return paths(rest)
            case dict():
                here = [key for key in value if key.endswith(".$")]
                return here + [path for each in value.values() for path in paths(each)]
            case list():
                return [path for each in value for path in paths(each)]
        return []

    odd = {
        "hyperparameters": {"a.$": "$.b", "States.UUID": "States.UUID()"},
        "tags": {"a.": "$.b".replace("$", "")},
        "metrics": {"a.$": "$.b"},
        "channels": {"a.": {"s3": "s3://bucket/$.b", "content_type": "$.b"}},
    }
    plain, given = (declared(guide, training=training, watch={}) for training in ({}, odd))
    assert paths(machine(given, shapes_of(given))) == paths(machine(plain, shapes_of(plain)))


@pytest.mark.parametrize("name", ["a*b", 'a"b', "a\\b", "x" * 200, "é", "Own"])
def test_a_rule_of_the_users_own_is_told_whatever_its_name(guide: Workload, name: str) -> None:
    rule = {"RuleConfigurationName": name, "RuleEvaluatorImage": "image", "RuleParameters": {}}
    workload = declared(guide, training={"request": {"ProfilerRuleConfigurations": [rule]}}, watch={})
    states = machine(workload, shapes_of(workload))["States"]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,80}", state) for state in states)
    [choice] = states["FindNews"]["Choices"]
    for told, wanted in (("[]", True), (json.dumps([f"debugger/{name}"], ensure_ascii=False), False)):
        seen = {"$.seen.profiler": json.dumps([name], ensure_ascii=False), "$.seen.told": told}
        assert holds({"And": choice["And"]}, seen) is wanted


def test_f102_another_type_brings_the_efa_variables_that_it_needs(guide: Workload) -> None:
    workload = declared(guide, training={"distribution": "torchrun"}, watch={})
    shapes = shapes_of(workload, instance_types=["ml.p5en.48xlarge"])
    [rest] = [rest for rest, members in shapes.variants if Shape(4, "ml.p5en.48xlarge") in members]
    assert rest["Environment"] == {"FI_PROVIDER": "efa", "FI_EFA_USE_DEVICE_RDMA": "1"}


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity", "1e999", "1_000"])
def test_a_text_that_only_python_reads_as_a_number_is_no_evidence(guide: Workload, value: str) -> None:
    workload = declared(guide, watch={"rules": [{"Overfit": {"tensor_regex": value}}]})
    job = DeclaredJob.of(workload)
    assert job is not None
    [finding] = watched_findings(job, shapes_of(workload).request, ())
    assert "tensor_regex" not in (finding.parameters or {})
    json.dumps(machine(workload, shapes_of(workload)), allow_nan=False)


@pytest.mark.parametrize("name", ["it's", "a{}b", "a\\b", "a*b", "{0}'\\*"])
@pytest.mark.parametrize("registry", ["", "763104351884.dkr.ecr.us-east-1.amazonaws.com/"])
def test_an_image_is_named_literally_whatever_its_characters(guide: Workload, registry: str, name: str) -> None:
    workload = declared(guide, training={"image": f"{registry}{name}"}, watch={})
    states = machine(workload, shapes_of(workload))["States"]
    text = states["RefuseImage"]["CausePath"].removeprefix("States.Format('").removesuffix("', $.input.image)")
    wanted = f"a tag or digest of {registry}{name}" if registry else name
    assert re.sub(r"\\(.)", r"\1", text) == f"image must be {wanted}, got {{}}"
    assert not set("'{}\\") & set(re.sub(r"\\.", "", text).removesuffix("{}"))


def test_a_jobs_owner_is_read_from_its_environment_and_nowhere_else() -> None:
    answer = {
        "HyperParameters": {OWNER_VARIABLE: "other"},
        "Environment": {OWNER_VARIABLE: "mine"},
        "InputDataConfig": [{OWNER_VARIABLE: "none"}],
    }
    assert [found.value for found in parse(OWNERS).find(answer)] == ["mine"]
    assert parse(OWNERS).find({"HyperParameters": {OWNER_VARIABLE: "other"}}) == []


def test_an_execution_may_not_name_its_owner_in_a_hyperparameter(states: dict[str, Any]) -> None:
    assert OWNER_VARIABLE in json.dumps(states["CheckInput"])
    assert OWNER_VARIABLE in states["RefuseHyperparameters"]["CausePath"]


def test_a_type_that_no_check_allows_is_refused(guide: Workload) -> None:
    with pytest.raises(ValueError, match=r"INSTANCE_TYPE_NEVER_ALLOWED"):
        shapes_of(guide, instance_types=["ml.g5.48xlarge"])

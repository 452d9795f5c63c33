"""What watches a job in the template: the topic, the evaluator, the stopper; clean by AWS Solutions' rules."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from aws_cdk.assertions import Match, Template

from epochwise import Plan, Workload, plan
from epochwise.catalog.watch_rule_names import CLOUDWATCH_RULE_NAMES, parameters_of
from epochwise.cdk.job_evaluator import evaluator_files
from epochwise.cdk.job_ladder import FACTORS, ladder_of
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_job import TrainingJob
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.watching.evaluate import RULE_NAMES, Configuration
from tests.cdk.jobs import changed
from tests.cdk.nag import nag


@pytest.fixture(scope="module")
def watched(guide: Workload) -> Workload:
    document = json.loads(guide.model_dump_json(exclude_unset=True))
    return Workload.model_validate(document | {"watch": {"rules": list(RULE_NAMES), "using": ["cloudwatch"]}})


def build(stack: Stack, workload: Workload, **arguments: Any) -> TrainingJob:
    network = TrainingNetwork(stack, "Network", nodes=4, instance_type="ml.p4d.24xlarge")
    file_system = TrainingFileSystem(
        stack, "FileSystem", vpc=network.vpc, subnet=network.private_subnet, size=plan(workload).choice
    )
    return TrainingJob(stack, "Job", workload=workload, network=network, file_system=file_system, **arguments)


@pytest.fixture(scope="module")
def template(new_app: Callable[..., App], watched: Workload) -> Template:
    stack = Stack(new_app(), "test")
    build(stack, watched, stop_on=["StorageBottleneck"])
    return Template.from_stack(stack)


def test_without_cloudwatch_there_is_no_function_and_no_asset(
    templates: dict[str, Template], guide_stacks: dict[str, Stack]
) -> None:
    templates["training"].resource_count_is("AWS::Lambda::Function", 0)
    assert "Assets" not in json.dumps(templates["training"].to_json()["Resources"])
    assert guide_stacks["training"].node.try_find_child("Evaluator") is None


def test_the_topic_is_encrypted_with_the_key_of_the_logs_and_for_tls_only(templates: dict[str, Template]) -> None:
    training = templates["training"]
    training.resource_count_is("AWS::KMS::Key", 1)
    [key] = training.find_resources("AWS::KMS::Key")
    training.has_resource_properties(
        "AWS::SNS::Topic", {"KmsMasterKeyId": Match.object_like({"Fn::GetAtt": [key, "Arn"]})}
    )
    training.has_resource_properties(
        "AWS::SNS::TopicPolicy",
        {
            "PolicyDocument": {
                "Statement": Match.array_with(
                    [Match.object_like({"Effect": "Deny", "Condition": {"Bool": {"aws:SecureTransport": "false"}}})]
                )
            }
        },
    )


def test_every_log_group_is_encrypted_and_the_key_allows_each_by_name(template: Template) -> None:
    groups = [
        each for each in template.find_resources("AWS::Logs::LogGroup").values() if "KmsKeyId" in each["Properties"]
    ]
    names = [group["Properties"]["LogGroupName"] for group in groups]
    assert {name.split("/")[2] for name in names} == {"vendedlogs", "lambda"}
    policy = json.dumps(template.find_resources("AWS::KMS::Key"))
    assert all(f":log-group:{name}" in policy for name in names)


def test_the_evaluator_is_small_pinned_and_configured_whole(template: Template) -> None:
    template.has_resource_properties(
        "AWS::Lambda::Function",
        {"Runtime": "python3.14", "Architectures": ["arm64"], "Timeout": 60, "Handler": "watching.handler.handle"},
    )
    [function] = template.find_resources("AWS::Lambda::Function").values()
    text = function["Properties"]["Environment"]["Variables"]["CONFIGURATION"]
    [_, parts] = text["Fn::Join"]
    whole = "".join(part if isinstance(part, str) else "fs-0123456789abcdef0" for part in parts)
    assert len(whole) < 4000
    configuration = Configuration.from_json(json.loads(whole))
    assert tuple(configuration.rules) == RULE_NAMES
    assert tuple(configuration.instance_types["ml.p4d.24xlarge"]) == (96, 8, 4)
    assert configuration.file_system_id == "fs-0123456789abcdef0"
    assert configuration.ceiling_mbps > 0
    assert configuration.ladder


def test_the_evaluators_archive_holds_its_room_and_nothing_else_and_hashes_the_same(
    new_app: Callable[..., App], watched: Workload, tmp_path: Path
) -> None:
    def synthesize(folder: str) -> Path:
        app = new_app(outdir=str(tmp_path / folder))
        build(Stack(app, "test"), watched)
        app.synth()
        [asset] = [each for each in (tmp_path / folder).iterdir() if each.name.startswith("asset.") and each.is_dir()]
        return asset

    first, second = synthesize("one"), synthesize("two")
    held = {str(file.relative_to(first)): file.read_bytes() for file in first.rglob("*") if file.is_file()}
    assert held == evaluator_files()
    assert first.name == second.name


def test_the_evaluators_own_defaults_are_the_catalogs() -> None:
    from epochwise.watching import evaluate

    assert RULE_NAMES == CLOUDWATCH_RULE_NAMES
    for name in RULE_NAMES:
        kind, _ = evaluate._RULES[name]
        known = {key: parameter.default for key, parameter in parameters_of(name).items()}
        known.pop("scan_interval_us", None)
        assert vars(kind()) == known


def test_the_ladder_climbs_from_what_is_delivered_and_names_what_the_planner_chooses(guide_plan: Plan) -> None:
    ladder = ladder_of(guide_plan)
    choice = guide_plan.choice
    assert choice is not None
    assert ladder.ceiling_mbps == pytest.approx(min(choice.ceilings.disk, choice.ceilings.network))
    assert [round(rung.mbps / ladder.ceiling_mbps, 2) for rung in ladder.rungs] == list(FACTORS)
    assert all(choice.monthly_usd <= rung.monthly_usd for rung in ladder.rungs)
    assert [rung.monthly_usd for rung in ladder.rungs] == sorted(rung.monthly_usd for rung in ladder.rungs)


def test_a_topic_of_ones_own_is_used_and_may_be_published_to(stack: Stack, guide: Workload) -> None:
    given = sns.Topic(stack, "Given", master_key=kms.Key(stack, "Key"))
    job = build(stack, guide, topic=given)
    assert job.topic is given
    Template.from_stack(stack).resource_count_is("AWS::SNS::Topic", 1)
    assert "sns:Publish" in json.dumps(Template.from_stack(stack).find_resources("AWS::IAM::Policy"))


def test_g98_a_rule_that_is_to_stop_the_job_does_so_without_debuggers_built_in_actions(template: Template) -> None:
    text = json.dumps(template.find_resources("AWS::StepFunctions::StateMachine"))
    assert "action_json" not in text
    assert " StorageBottleneck" in text


def test_the_dashboard_shows_every_node_of_the_workloads_jobs_and_the_findings(stack: Stack, guide: Workload) -> None:
    job = build(stack, guide)
    widgets = [stack.resolve(widget.to_json()) for widget in job.dashboard_widgets()]
    text = json.dumps(widgets)
    for metric in ("GPUUtilization", "CPUUtilization", "GPUMemoryUtilization"):
        assert metric in text
    assert "SEARCH('{/aws/sagemaker/TrainingJobs,Host}" in text
    assert "TaskScheduled" in text
    assert job.metric_findings().namespace == "AWS/SNS"


ACTING = {"rules": [{"Overfit": {"actions": ["stop_training", {"email": "name@example.com"}]}}], "using": ["debugger"]}


@pytest.fixture(params=["every rule", "acting rules"])
def nagged_workload(request: pytest.FixtureRequest, guide: Workload, watched: Workload) -> Workload:
    return watched if request.param == "every rule" else changed(guide, watch=ACTING)


def test_f113_nag_finds_nothing_in_a_job(
    new_app: Callable[..., App], nagged_workload: Workload, tmp_path: Path
) -> None:
    app = new_app(outdir=str(tmp_path))
    build(Stack(app, "test"), nagged_workload)
    assert {finding for finding in nag(app) if "/Job/" in finding[1]} == set()

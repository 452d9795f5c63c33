import json
import re
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk.assertions import Template

from epochwise import Plan
from epochwise.cdk.training_dashboard import TrainingDashboard
from tests.cdk.jobs import job_in, network_in
from tests.cdk.watched import AnyFileSystem


def body_of(stack: Stack) -> dict[str, Any]:
    """Return the rendered body, with references written as their names."""
    [dashboard] = Template.from_stack(stack).find_resources("AWS::CloudWatch::Dashboard").values()
    parts = dashboard["Properties"]["DashboardBody"]["Fn::Join"][1]
    body: dict[str, Any] = json.loads("".join(part if isinstance(part, str) else "reference" for part in parts))
    return body


def graph(body: dict[str, Any], title: str) -> dict[str, Any]:
    [properties] = [w["properties"] for w in body["widgets"] if w["properties"].get("title") == title]
    return dict(properties)


def misshapen(body: dict[str, Any]) -> list[str]:
    """Return what does not follow the structure of dashboard bodies that the CloudWatch API reference documents."""
    wrong = []
    if len(body["widgets"]) > 500:
        wrong.append("more than 500 widgets")
    for number, widget in enumerate(body["widgets"]):
        if not (1 <= widget["width"] <= 24 and 1 <= widget["height"] <= 1000 and widget["x"] + widget["width"] <= 24):
            wrong.append(f"widget {number} is out of the grid")
        properties = widget["properties"]
        match widget["type"]:
            case "text":
                wrong += [] if properties["markdown"] else [f"widget {number} is empty"]
            case "log":
                absent = [key for key in ("query", "region", "view") if not properties.get(key)]
                wrong += [f"widget {number}: no {key}" for key in absent]
            case "metric":
                wrong += [f"widget {number}: {text}" for text in _misshapen_graph(properties)]
            case other:
                wrong.append(f"widget {number} is of type {other}")
    return wrong


def _misshapen_graph(properties: dict[str, Any]) -> list[str]:
    wrong = [f"no {key}" for key in ("region", "metrics", "view") if not properties.get(key)]
    if properties["view"] not in {"timeSeries", "singleValue", "gauge", "bar", "pie", "table"}:
        wrong.append("unknown view")
    ids, used = set(), set()
    for metric in properties["metrics"]:
        options = metric[-1] if isinstance(metric[-1], dict) else {}
        if len(metric) == 1:
            expression = options["expression"]
            if not expression.startswith("SEARCH("):
                used |= set(re.findall(r"\b[a-z][a-z0-9_]*\b", expression))
            continue
        names = [part for part in metric if isinstance(part, str)]
        if len(names) < 2 or len(names) % 2:
            wrong.append("a metric is not a namespace, a name and pairs of dimensions")
        if "id" in options and not re.fullmatch(r"[a-z][A-Za-z0-9_]*", options["id"]):
            wrong.append("an id does not begin with a lower-case letter")
        ids.add(options.get("id"))
    if used - ids:
        wrong.append(f"{used - ids} are no metrics")
    wrong += ["a line without value" for line in properties.get("annotations", {}).get("horizontal", [])
              if not isinstance(line.get("value"), int | float)]  # fmt: skip
    return wrong


def test_demand_delivered_and_ceiling_are_in_one_graph(stack: Stack, guide_plan: Plan) -> None:
    TrainingDashboard(stack, "Dashboard", file_system=AnyFileSystem(stack), plan=guide_plan)
    choice = guide_plan.choice
    assert choice is not None
    shown = graph(body_of(stack), "Demand, delivered and ceiling")
    lines = {line["label"]: line["value"] for line in shown["annotations"]["horizontal"]}
    ceilings = choice.ceilings
    assert lines == {
        "demand": round(guide_plan.demand.read_mbps, 1),
        "ceiling": round(min(ceilings.disk, ceilings.network, ceilings.client), 1),
    }
    expressions = [metric[0]["expression"] for metric in shown["metrics"] if len(metric) == 1]
    assert len(expressions) == 2
    assert all("/PERIOD(" in expression and expression.endswith("/1000000") for expression in expressions)


@pytest.mark.parametrize("planned", [True, False])
def test_the_body_has_the_structure_that_cloudwatch_documents(stack: Stack, guide_plan: Plan, planned: bool) -> None:
    file_system = AnyFileSystem(stack)
    job = job_in(stack, guide_plan.workload, network_in(stack), file_system) if planned else None
    TrainingDashboard(stack, "Dashboard", file_system=file_system, plan=guide_plan if planned else None, job=job)
    assert misshapen(body_of(stack)) == []


def test_what_the_rules_found_stands_below_the_use_of_every_node(stack: Stack, guide_plan: Plan) -> None:
    file_system = AnyFileSystem(stack)
    job = job_in(stack, guide_plan.workload, network_in(stack), file_system)
    TrainingDashboard(stack, "Dashboard", file_system=file_system, job=job)
    *_, runs, gpu, cpu, memory, findings = body_of(stack)["widgets"]
    assert runs["properties"]["title"] == "Runs of the training job"
    for widget, metric in ((gpu, "GPUUtilization"), (cpu, "CPUUtilization"), (memory, "GPUMemoryUtilization")):
        [[search]] = widget["properties"]["metrics"]
        assert "{/aws/sagemaker/TrainingJobs,Host}" in search["expression"]
        assert f'MetricName="{metric}"' in search["expression"]
        assert widget["y"] == gpu["y"]
    assert findings["type"] == "log"
    assert findings["y"] > gpu["y"]
    assert "publish" in findings["properties"]["query"]


def test_the_check_of_the_structure_finds_what_is_wrong() -> None:
    metrics = [[{"expression": "missing/2"}], ["AWS/FSx", "M", "D"]]
    properties = {"view": "timeSeries", "region": "r", "metrics": metrics}
    widget = {"type": "metric", "x": 20, "width": 8, "height": 1, "properties": properties}
    assert len(misshapen({"widgets": [widget]})) == 3


def test_lines_per_server_are_searched_for_since_their_names_are_not_known(stack: Stack) -> None:
    TrainingDashboard(stack, "Dashboard", file_system=AnyFileSystem(stack))
    expressions = [
        metric[0]["expression"]
        for widget in body_of(stack)["widgets"]
        for metric in widget["properties"].get("metrics", [])
        if "SEARCH" in str(metric)
    ]
    assert (
        'SEARCH(\'{AWS/FSx,FileSystemId,FileServer} MetricName="NetworkThroughputUtilization" '
        "FileSystemId=\"fs-0123456789abcdef0\"', 'Maximum', 60)"
    ) in expressions
    assert any("{AWS/FSx,FileSystemId,StorageTargetId}" in expression for expression in expressions)


def test_it_says_why_the_file_system_has_its_size(stack: Stack, guide_plan: Plan) -> None:
    TrainingDashboard(stack, "Dashboard", file_system=AnyFileSystem(stack), plan=guide_plan)
    choice = guide_plan.choice
    assert choice is not None
    text = body_of(stack)["widgets"][0]["properties"]["markdown"]
    assert choice.label in text
    assert choice.binding in text


def test_without_a_plan_demand_and_ceiling_can_be_given(stack: Stack) -> None:
    dashboard = TrainingDashboard(
        stack, "Dashboard", file_system=AnyFileSystem(stack), demand_mbps=900, ceiling_mbps=1200
    )
    shown = graph(body_of(stack), "Demand, delivered and ceiling")
    assert [line["value"] for line in shown["annotations"]["horizontal"]] == [900, 1200]
    assert dashboard.limits.opens_per_s is None


def test_two_dashboards_live_in_one_stack_and_have_no_name_that_could_collide(stack: Stack) -> None:
    for name in ("One", "Other"):
        TrainingDashboard(stack, f"{name}Dashboard", file_system=AnyFileSystem(stack, name))
    found = Template.from_stack(stack).find_resources("AWS::CloudWatch::Dashboard").values()
    assert [dashboard["Properties"].get("DashboardName") for dashboard in found] == [None, None]


def test_a_rate_that_is_none_is_refused(stack: Stack) -> None:
    with pytest.raises(ValueError, match="ceiling_mbps must be above 0 and finite, got 0"):
        TrainingDashboard(stack, "Dashboard", file_system=AnyFileSystem(stack), ceiling_mbps=0)
    assert stack.node.try_find_child("Dashboard") is None

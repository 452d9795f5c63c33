import json
from typing import Any

import pytest
from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from aws_cdk.assertions import Match, Template
from botocore.session import get_session
from botocore.validate import ParamValidator
from hypothesis import given
from hypothesis import strategies as st

from epochwise import Plan
from epochwise.catalog.fsx_lustre import USABLE_SHARE
from epochwise.cdk.file_system_alarms import FileSystemAlarms
from epochwise.cdk.file_system_limits import FileSystemLimits, limits_of
from tests.cdk.watched import AnyFileSystem

WHOLE = {
    "metric_data_read_bytes": ("DataReadBytes", "Sum"),
    "metric_data_write_bytes": ("DataWriteBytes", "Sum"),
    "metric_data_read_operations": ("DataReadOperations", "Sum"),
    "metric_data_write_operations": ("DataWriteOperations", "Sum"),
    "metric_metadata_operations": ("MetadataOperations", "Sum"),
    "metric_client_connections": ("ClientConnections", "Maximum"),
    "metric_logical_disk_usage": ("LogicalDiskUsage", "Sum"),
    "metric_physical_disk_usage": ("PhysicalDiskUsage", "Sum"),
}
ALL: dict[str, Any] = {
    "demand_mbps": 1000,
    "ceiling_mbps": 2000,
    "opens_per_s": 12000,
    "storage_capacity_gib": 4800,
    "monthly_usd": 1632,
}


def alarms_of(stack: Stack) -> list[dict[str, Any]]:
    found = Template.from_stack(stack).find_resources("AWS::CloudWatch::Alarm").values()
    return [alarm["Properties"] for alarm in found]


@pytest.mark.parametrize("method", WHOLE)
def test_each_metric_of_the_whole_has_the_dimension_of_its_id_alone(stack: Stack, method: str) -> None:
    metric = getattr(AnyFileSystem(stack), method)()
    name, statistic = WHOLE[method]
    assert (metric.namespace, metric.metric_name, metric.statistic) == ("AWS/FSx", name, statistic)
    assert metric.dimensions == {"FileSystemId": "fs-0123456789abcdef0"}
    assert metric.period.to_seconds() == 60


def test_a_metric_can_be_asked_for_by_name_with_another_statistic(stack: Stack) -> None:
    metric = AnyFileSystem(stack).metric("DataReadBytes", statistic="Maximum", period=Duration.minutes(5), label="x")
    assert (metric.statistic, metric.period.to_minutes(), metric.label) == ("Maximum", 5, "x")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"name": ""}, "got ''; .*METRIC_NAME_INVALID"),
        ({"name": 'x" OR "'}, "got 'x.*METRIC_NAME_INVALID"),
        ({"statistic": "summ"}, "got 'summ'; nearest legal: Sum .METRIC_STATISTIC_ILLEGAL"),
        ({"statistic": "Sum', 60) OR ('"}, "METRIC_STATISTIC_ILLEGAL"),
        ({"period": Duration.seconds(7)}, "got 7; .*METRIC_PERIOD_ILLEGAL"),
    ],
)
def test_a_metric_or_search_that_cloudwatch_does_not_take_is_refused(
    stack: Stack, settings: dict[str, Any], says: str
) -> None:
    for ask in (AnyFileSystem(stack, "One").metric, AnyFileSystem(stack, "Other").server_search):
        with pytest.raises(ValueError, match=says):
            ask(**({"name": "DataReadBytes"} | settings))


def test_a_line_has_a_colour_and_a_search_a_dimension_that_there_is(stack: Stack) -> None:
    file_system = AnyFileSystem(stack)
    with pytest.raises(ValueError, match=r"got 'red'; .*METRIC_COLOR_ILLEGAL"):
        file_system.metric("DataReadBytes", color="red")
    with pytest.raises(ValueError, match=r"got 'Server'; nearest legal: FileServer .METRIC_DIMENSION_UNKNOWN"):
        file_system.server_search("CPUUtilization", dimension="Server")


def test_a_metric_of_one_server_is_refused_as_one_of_the_whole_and_the_other_way_round(stack: Stack) -> None:
    file_system = AnyFileSystem(stack)
    with pytest.raises(ValueError, match=r"draw server_search\('CPUUtilization'.* .METRIC_OF_OTHER_DIMENSION"):
        file_system.metric("CPUUtilization")
    with pytest.raises(ValueError, match=r"draw metric\('DataReadBytes'\) .METRIC_OF_OTHER_DIMENSION"):
        file_system.server_search("DataReadBytes")
    assert file_system.metric("OfAnotherYear").metric_name == "OfAnotherYear"


@pytest.mark.parametrize(("rate", "written"), [(1e6, "1000000"), (2.5e-5, "0.000025"), (1234567.5, "1234567.5")])
def test_a_number_in_an_expression_has_no_exponent(stack: Stack, rate: float, written: str) -> None:
    expression = AnyFileSystem(stack).metric_read_mbps_while_connected(otherwise=rate).expression
    assert expression.endswith(f",{written})")


@pytest.mark.parametrize(
    ("method", "name"), [("metric_read_mbps", "DataReadBytes"), ("metric_write_mbps", "DataWriteBytes")]
)
def test_a_rate_is_bytes_over_the_period_in_millions(stack: Stack, method: str, name: str) -> None:
    cloudwatch.Alarm(stack, "Alarm", metric=getattr(AnyFileSystem(stack), method)(), threshold=1, evaluation_periods=1)
    [alarm] = alarms_of(stack)
    expression, metric = alarm["Metrics"]
    assert expression["Expression"] == f"{metric['Id']}/PERIOD({metric['Id']})/1000000"
    assert metric["MetricStat"]["Metric"]["MetricName"] == name
    assert (metric["MetricStat"]["Stat"], metric["MetricStat"]["Period"]) == ("Sum", 60)


def test_two_file_systems_fit_into_one_graph(stack: Stack) -> None:
    one, other = AnyFileSystem(stack, "One"), AnyFileSystem(stack, "Other", file_system_id="fs-1")
    both = [each for fs in (one, other) for each in (fs.metric_read_mbps(), fs.metric_write_mbps())]
    cloudwatch.Dashboard(stack, "Dashboard").add_widgets(cloudwatch.GraphWidget(left=both))
    Template.from_stack(stack).resource_count_is("AWS::CloudWatch::Dashboard", 1)


def test_every_alarm_is_one_that_cloudwatch_takes_and_searches_nothing(stack: Stack) -> None:
    topic = sns.Topic(stack, "Topic", master_key=kms.Key(stack, "Key"))
    alarms = FileSystemAlarms(stack, "Alarms", file_system=AnyFileSystem(stack), topic=topic, **ALL)
    assert len(alarms.alarms) == 5
    shape = get_session().get_service_model("cloudwatch").operation_model("PutMetricAlarm").input_shape
    for alarm in alarms_of(stack):
        request = {key: value for key, value in alarm.items() if key != "AlarmActions"} | {
            "AlarmName": "alarm",
            "Dimensions": alarm.get("Dimensions", []),
        }
        assert not ParamValidator().validate(request, shape).has_errors()
        assert "SEARCH" not in json.dumps(alarm)
        assert "Topic" in alarm["AlarmActions"][0]["Ref"]
        period = max([alarm.get("Period", 0), *(m["MetricStat"]["Period"] for m in alarm.get("Metrics", [])[1:])])
        looks_back = period * alarm["EvaluationPeriods"]
        assert looks_back <= (604_800 if period >= 3600 else 86_400)
        assert alarm["DatapointsToAlarm"] <= alarm["EvaluationPeriods"]


@pytest.mark.parametrize(
    ("lacks", "absent"),
    [
        ("ceiling_mbps", "ceiling_alarm"),
        ("demand_mbps", "demand_alarm"),
        ("storage_capacity_gib", "capacity_alarm"),
        ("opens_per_s", "metadata_alarm"),
    ],
)
def test_an_alarm_without_its_limit_is_left_out(stack: Stack, lacks: str, absent: str) -> None:
    known = {key: value for key, value in ALL.items() if key != lacks}
    alarms = FileSystemAlarms(stack, "Alarms", file_system=AnyFileSystem(stack), **known)
    assert getattr(alarms, absent) is None
    assert len(alarms.alarms) == 4


def test_thresholds_come_from_the_plan(stack: Stack, guide_plan: Plan) -> None:
    choice = guide_plan.choice
    assert choice is not None
    assert choice.storage_capacity_gib is not None
    FileSystemAlarms(stack, "Alarms", file_system=AnyFileSystem(stack), plan=guide_plan)
    ceilings = choice.ceilings
    usable = choice.storage_capacity_gib * 2**30 * USABLE_SHARE
    assert {alarm["AlarmDescription"].partition(":")[0]: alarm["Threshold"] for alarm in alarms_of(stack)}.items() >= {
        "Storage is the bottleneck": round(0.9 * min(ceilings.disk, ceilings.network, ceilings.client), 1),
        "Metadata is the bottleneck": round(0.8 * ceilings.metadata_opens_per_s, 1),
        f"90% of what {choice.storage_capacity_gib} GiB of storage capacity hold is taken; release or add some": round(
            usable * 0.9
        ),
    }.items()
    demand = [alarm for alarm in alarms_of(stack) if "epoch target" in alarm["AlarmDescription"]]
    assert demand[0]["Threshold"] == round(0.8 * guide_plan.demand.read_mbps, 1)


def test_what_is_given_goes_before_the_plan(guide_plan: Plan) -> None:
    limits = limits_of(guide_plan, FileSystemLimits(demand_mbps=7))
    planned = limits_of(guide_plan, FileSystemLimits())
    assert (limits.demand_mbps, limits.ceiling_mbps) == (7, planned.ceiling_mbps)
    assert limits_of(None, FileSystemLimits(demand_mbps=7)) == FileSystemLimits(demand_mbps=7)


def test_f73_an_idle_file_system_rings_and_says_what_it_costs(stack: Stack) -> None:
    FileSystemAlarms(stack, "Alarms", file_system=AnyFileSystem(stack), monthly_usd=1632, idle_hours=24)
    Template.from_stack(stack).has_resource_properties(
        "AWS::CloudWatch::Alarm",
        {
            "MetricName": "ClientConnections",
            "Period": 3600,
            "EvaluationPeriods": 24,
            "Threshold": 0,
            "ComparisonOperator": "LessThanOrEqualToThreshold",
            "TreatMissingData": "breaching",
            "AlarmDescription": Match.string_like_regexp("24 hours; it costs about 1632 USD a month"),
            "AlarmActions": Match.absent(),
        },
    )


def test_the_fill_is_summed_over_one_minute_only_or_targets_would_count_twice(stack: Stack) -> None:
    FileSystemAlarms(stack, "Alarms", file_system=AnyFileSystem(stack), storage_capacity_gib=4800)
    Template.from_stack(stack).has_resource_properties(
        "AWS::CloudWatch::Alarm", {"MetricName": "PhysicalDiskUsage", "Period": 60, "Statistic": "Sum"}
    )


def test_demand_rings_only_while_clients_are_connected(stack: Stack) -> None:
    FileSystemAlarms(stack, "Alarms", file_system=AnyFileSystem(stack), demand_mbps=1000)
    [alarm] = [alarm for alarm in alarms_of(stack) if "Metrics" in alarm]
    by_name = {m["MetricStat"]["Metric"]["MetricName"]: m["Id"] for m in alarm["Metrics"][1:]}
    read, clients = by_name["DataReadBytes"], by_name["ClientConnections"]
    assert alarm["Metrics"][0]["Expression"] == (f"IF(FILL({clients},0)>0,FILL({read},0)/PERIOD({read})/1000000,1000)")
    assert alarm["ComparisonOperator"] == "LessThanThreshold"
    assert alarm["Threshold"] < 1000


@given(st.floats(min_value=1, max_value=1e7), st.floats(min_value=0.01, max_value=0.99))
def test_no_client_never_counts_as_too_little_read(demand: float, share: float) -> None:
    assert float(f"{demand:g}") >= round(demand * share, 1)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"ceiling_share": 0}, "ceiling_share must be above 0 and up to 1, got 0"),
        ({"demand_mbps": -1}, "demand_mbps must be above 0"),
        ({"idle_hours": 0}, "idle_hours must be 1 to 168, got 0; nearest legal: 1"),
    ],
)
def test_what_cannot_ring_is_refused_and_leaves_nothing_behind(
    stack: Stack, settings: dict[str, Any], says: str
) -> None:
    file_system = AnyFileSystem(stack)
    with pytest.raises(ValueError, match=says):
        FileSystemAlarms(stack, "Alarms", file_system=file_system, **settings)
    assert stack.node.try_find_child("Alarms") is None


def test_two_sets_of_alarms_live_in_one_stack(stack: Stack) -> None:
    for name in ("One", "Other"):
        FileSystemAlarms(stack, f"{name}Alarms", file_system=AnyFileSystem(stack, name), **ALL)
    Template.from_stack(stack).resource_count_is("AWS::CloudWatch::Alarm", 10)

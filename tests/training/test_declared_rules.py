"""Rules as a workload declares them."""

from typing import Any

import pytest

from epochwise import Workload, WorkloadError
from epochwise.catalog.watch_rule_names import WATCH_RULE_NAMES, parameters_of
from epochwise.workload import RuleAction


def watched(*rules: Any, **watch: Any) -> Workload:
    return Workload.from_mapping(
        {
            "name": "watched",
            "dataset": {"size": "1 GB"},
            "epoch": {"target": "60 s"},
            "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 2},
            "watch": {"rules": list(rules)} | watch,
        },
        source="file",
    )


def test_a_rule_is_a_name_or_a_name_with_parameters_and_actions() -> None:
    actions = ["stop_training", {"email": "a@b.org"}, {"sms": "+1555"}]
    watch = watched(
        "CpuBottleneck", {"LossNotDecreasing": {"num_steps": 5, "actions": actions}}, {"Overfit": None}
    ).watch
    assert watch.names == ("CpuBottleneck", "LossNotDecreasing", "Overfit")
    assert watch.rules[2] == "Overfit"
    assert watch.declared[1].parameters == {"num_steps": 5}
    assert watch.declared[1].actions == (
        RuleAction("stop_training"),
        RuleAction("email", "a@b.org"),
        RuleAction("sms", "+1555"),
    )


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("CPUBottleneck", ["watch.rules.0", "did you mean CpuBottleneck?"]),
        ({"CpuBottleneck": {"threshold": 101}}, ["threshold", "0 to 100", "101"]),
        ({"CpuBottleneck": {"thresh": 1}}, ["must not give CpuBottleneck a parameter thresh", "gpu_threshold"]),
        ({"ProfilerReport": {"threshold": 1}}, ["ProfilerReport a parameter threshold", "CPUBottleneck_threshold"]),
        ({"LossNotDecreasing": {"diff_percent": 100}}, ["above 0 and below 100"]),
        ({"LossNotDecreasing": {"mode": "ALL"}}, ["EVAL, TRAIN, GLOBAL"]),
        ({"Confusion": {"category_no": 1}}, ["a whole number from 2"]),
        ({"ClassImbalance": {"argmax": 1}}, ["true or false"]),
        ({"DeadRelu": {"tensor_regex": "a\nb"}}, ["a text or a list of texts"]),
        ({"SimilarAcrossRuns": {"other_trials": "bucket"}}, ["s3://"]),
        ("SimilarAcrossRuns", ["must give SimilarAcrossRuns its other_trials"]),
        ({"Overfit": {"actions": "stop_training"}}, ["actions of Overfit must be a list"]),
        ({"Overfit": {"actions": ["stop"]}}, ["stop_training, {email:", "'stop'"]),
        ({"Overfit": {"actions": [{"email": 'a"@b.c'}]}}, ["email"]),
        ({"Overfit": {"actions": [{"sms": "0155"}]}}, ["sms"]),
        ({"Overfit": {}, "DeadRelu": {}}, ["the name of a rule"]),
        (5, ["the name of a rule"]),
    ],
)
def test_another_rule_is_refused_with_what_is_allowed(rule: object, words: list[str]) -> None:
    with pytest.raises(WorkloadError) as caught:
        watched(rule)
    assert [word for word in words if word not in str(caught.value)] == []


def test_a_rule_cannot_stand_there_twice() -> None:
    with pytest.raises(WorkloadError, match="once, twice there: Overfit"):
        watched("Overfit", {"Overfit": {"patience": 2}})


@pytest.mark.parametrize("name", WATCH_RULE_NAMES)
def test_every_default_and_documented_default_lies_in_its_parameters_range(name: str) -> None:
    for parameter in parameters_of(name).values():
        for value in (parameter.default, parameter.documented_default):
            assert value is None or parameter.kind == "numbers" or parameter.accepts(value), parameter


def test_a_hook_saves_declared_collections_too() -> None:
    watch = watched("Overfit", collections={"mine": {"include_regex": "relu", "save_interval": 10}}).watch
    assert watch.collections == {"mine": {"include_regex": "relu", "save_interval": 10}}

import re
from typing import Any

import pytest

from epochwise.catalog.debugger import evaluator_regions
from epochwise.catalog.regions import regions
from epochwise.checks import training
from epochwise.checks.finding import Finding, Level
from epochwise.checks.training import no_job, training_findings
from epochwise.workload import Workload
from tests.checks.test_training_option_findings import OPTION_LEVELS

ECR = "763104351884.dkr.ecr.us-east-1.amazonaws.com"
CODE = {"entry_point": "train.py", "source": "s3://bucket/code.tar.gz"}
P4D = {"instance_type": "ml.p4d.24xlarge", "nodes": 2}
EC2 = {"instance_type": "p4d.24xlarge", "nodes": 2, "platform": "ec2"}
ALL_RULES = ["CpuBottleneck", "LoadBalancing", "LowGpuUtilization"]
DAY_S = 86400

LEVELS = {
    "TRAINING_NOT_SAGEMAKER": Level.WARNING,
    "EC2_HAS_NO_JOB": Level.INFO,
    "NO_TRAINING_DECLARED": Level.INFO,
    "SMDDP_INSTANCE_TYPE": Level.ERROR,
    "SMDDP_ALLREDUCE_ONLY": Level.WARNING,
    "SMDDP_ONE_NODE": Level.WARNING,
    "SMDDP_IMAGE": Level.WARNING,
    "SMDDP_FROZEN": Level.INFO,
    "DISTRIBUTION_NONE_MANY_NODES": Level.WARNING,
    "DISTRIBUTION_NEEDS_ENTRY_POINT": Level.INFO,
    "IMAGE_REGION": Level.WARNING,
    "RUN_TOO_LONG": Level.ERROR,
    "RUN_ABOVE_DEFAULT_QUOTA": Level.WARNING,
    "HYPERPARAMETER_COUNT": Level.ERROR,
    "HYPERPARAMETER_LENGTH": Level.ERROR,
    "CHECKPOINTS_ON_FILE_SYSTEM": Level.INFO,
    "WATCH_WITHOUT_JOB": Level.WARNING,
    "WATCH_NOT_EVALUATED": Level.WARNING,
    "WATCH_NEEDS_GPU": Level.WARNING,
    "LOAD_BALANCING_ONE_GPU": Level.WARNING,
    "DEBUGGER_REGION": Level.ERROR,
    "DEBUGGER_TRAINIUM": Level.ERROR,
    "DEBUGGER_CLOSED": Level.WARNING,
}
"""The ids are part of the interface: users acknowledge them."""


def declared(**changes: Any) -> Workload:
    return Workload.model_validate(
        {
            "name": "checked",
            "dataset": {"size": "1 GB"},
            "epoch": {"target": "60 s"},
            "cluster": P4D,
            "training": {"image": f"{ECR}/pytorch-training:2.3.0-gpu-py311", **CODE},
        }
        | changes
    )


def trained(*, cluster: dict[str, Any] | None = None, **training_changes: Any) -> dict[str, Any]:
    section = {"image": f"{ECR}/pytorch-training:2.3.0-gpu-py311", **CODE} | training_changes
    return {"cluster": cluster or P4D, "training": section}


def smddp(instance: str = "ml.p4d.24xlarge", nodes: int = 2, **changes: Any) -> dict[str, Any]:
    return trained(cluster={"instance_type": instance, "nodes": nodes}, distribution="smddp", **changes)


def tagged(image: str, distribution: str = "smddp") -> dict[str, Any]:
    return trained(image=f"{ECR}/{image}", distribution=distribution)


def watch(instance: str = "ml.p4d.24xlarge", nodes: int = 2, **changes: Any) -> dict[str, Any]:
    return {"cluster": {"instance_type": instance, "nodes": nodes}, "watch": {"rules": ALL_RULES} | changes}


def run(target_s: float, count: int = 1, tolerance: float = 0) -> dict[str, Any]:
    return {"epoch": {"target": target_s, "count": count, "tolerance": tolerance}}


def many(count: int) -> dict[str, Any]:
    return trained(hyperparameters={f"h{index}": index for index in range(count)})


def long_value(length: int) -> dict[str, Any]:
    return trained(hyperparameters={"long": "x" * (length - 2)})


BOUNDARIES: list[tuple[str, dict[str, Any], bool]] = [
    ("TRAINING_NOT_SAGEMAKER", {"cluster": EC2}, True),
    ("TRAINING_NOT_SAGEMAKER", {"cluster": EC2, "training": None}, False),
    ("TRAINING_NOT_SAGEMAKER", {}, False),
    ("EC2_HAS_NO_JOB", {"cluster": EC2, "training": None}, True),
    ("EC2_HAS_NO_JOB", {"training": None}, False),
    ("NO_TRAINING_DECLARED", {"training": None}, True),
    ("NO_TRAINING_DECLARED", {}, False),
    ("SMDDP_INSTANCE_TYPE", smddp("ml.p4d.24xlarge"), False),
    ("SMDDP_INSTANCE_TYPE", smddp("ml.p4de.24xlarge"), False),
    ("SMDDP_INSTANCE_TYPE", smddp("ml.p3dn.24xlarge"), False),
    ("SMDDP_INSTANCE_TYPE", smddp("ml.p3.16xlarge"), True),
    ("SMDDP_INSTANCE_TYPE", smddp("ml.p5.48xlarge"), True),
    ("SMDDP_INSTANCE_TYPE", smddp("ml.p5en.48xlarge"), True),
    ("SMDDP_INSTANCE_TYPE", smddp("ml.g5.48xlarge"), True),
    ("SMDDP_INSTANCE_TYPE", trained(cluster={"instance_type": "ml.p5.48xlarge", "nodes": 2}), False),
    ("SMDDP_ALLREDUCE_ONLY", smddp("ml.p3dn.24xlarge"), True),
    ("SMDDP_ALLREDUCE_ONLY", smddp("ml.p4d.24xlarge"), False),
    ("SMDDP_ALLREDUCE_ONLY", trained(cluster={"instance_type": "ml.p3dn.24xlarge", "nodes": 2}), False),
    ("SMDDP_ONE_NODE", smddp(nodes=1), True),
    ("SMDDP_ONE_NODE", smddp(nodes=2), False),
    ("SMDDP_ONE_NODE", trained(cluster=P4D | {"nodes": 1}), False),
    ("SMDDP_IMAGE", tagged("pytorch-training:2.3.0-gpu-py311-cu121-ubuntu20.04-sagemaker"), False),
    ("SMDDP_IMAGE", tagged("pytorch-training:2.3.1-gpu-py311"), True),
    ("SMDDP_IMAGE", tagged("pytorch-training:2.4.1-gpu-py311"), True),
    ("SMDDP_IMAGE", tagged("pytorch-training:1.11.0-gpu-py38"), False),
    ("SMDDP_IMAGE", tagged("pytorch-training:1.10.2-gpu-py38"), True),
    ("SMDDP_IMAGE", tagged("pytorch-training:2.3-gpu-py311"), False),
    ("SMDDP_IMAGE", tagged("pytorch-training:1.1-gpu-py36"), True),
    ("SMDDP_IMAGE", tagged("pytorch-training:2.3.0-cpu-py311"), True),
    ("SMDDP_IMAGE", tagged("pytorch-training:latest"), False),
    ("SMDDP_IMAGE", tagged("pytorch-training"), False),
    ("SMDDP_IMAGE", tagged("smdistributed-modelparallel:2.4.1-gpu-py311-cu121"), False),
    ("SMDDP_IMAGE", tagged("smdistributed-modelparallel:2.3.0-gpu-py311-cu121"), True),
    ("SMDDP_IMAGE", tagged("team/pytorch:2.4.1"), False),
    ("SMDDP_IMAGE", smddp(image="image:2.4.1"), False),
    ("SMDDP_IMAGE", tagged("pytorch-training:2.4.1-gpu-py311", "torchrun"), False),
    ("SMDDP_FROZEN", smddp(), True),
    ("SMDDP_FROZEN", {}, False),
    ("DISTRIBUTION_NONE_MANY_NODES", trained(distribution="none"), True),
    ("DISTRIBUTION_NONE_MANY_NODES", trained(distribution="none", cluster=P4D | {"nodes": 1}), False),
    ("DISTRIBUTION_NONE_MANY_NODES", trained(distribution="mpi"), False),
    ("DISTRIBUTION_NEEDS_ENTRY_POINT", {"training": {"image": "image"}}, True),
    ("DISTRIBUTION_NEEDS_ENTRY_POINT", {"training": {"image": "image", "distribution": "none"}}, False),
    ("DISTRIBUTION_NEEDS_ENTRY_POINT", {}, False),
    ("IMAGE_REGION", {"region": "us-east-1"}, False),
    ("IMAGE_REGION", {"region": "us-east-2"}, True),
    ("IMAGE_REGION", {"region": "us-east-2", "training": {"image": "registry.example.com/image:1"}}, False),
    ("RUN_TOO_LONG", run(DAY_S, 28), False),
    ("RUN_TOO_LONG", run(28 * DAY_S + 1), True),
    ("RUN_TOO_LONG", run(DAY_S, 28, 0.01), True),
    ("RUN_ABOVE_DEFAULT_QUOTA", run(DAY_S, 5), False),
    ("RUN_ABOVE_DEFAULT_QUOTA", run(5 * DAY_S + 1), True),
    ("RUN_ABOVE_DEFAULT_QUOTA", run(DAY_S, 28), True),
    ("RUN_ABOVE_DEFAULT_QUOTA", run(28 * DAY_S + 1), False),
    ("HYPERPARAMETER_COUNT", many(92), False),
    ("HYPERPARAMETER_COUNT", many(93), True),
    ("HYPERPARAMETER_COUNT", trained(hyperparameters={f"h{n}": n for n in range(86)}, batch={"per_device": 1}), True),
    ("HYPERPARAMETER_LENGTH", long_value(2500), False),
    ("HYPERPARAMETER_LENGTH", long_value(2501), True),
    ("CHECKPOINTS_ON_FILE_SYSTEM", {"checkpoint": {"size": "1 GB", "every": 600, "write_within": 60}}, True),
    ("CHECKPOINTS_ON_FILE_SYSTEM", {}, False),
    ("WATCH_WITHOUT_JOB", watch() | {"training": None}, True),
    ("WATCH_WITHOUT_JOB", watch() | {"cluster": EC2}, True),
    ("WATCH_WITHOUT_JOB", {"training": None}, False),
    ("WATCH_WITHOUT_JOB", watch(), False),
    ("WATCH_NOT_EVALUATED", watch(using=[]), True),
    ("WATCH_NOT_EVALUATED", watch(rules=[], using=[]), False),
    ("WATCH_NOT_EVALUATED", watch(), False),
    ("WATCH_NEEDS_GPU", watch("ml.c5n.18xlarge"), True),
    ("WATCH_NEEDS_GPU", watch("ml.g5.xlarge"), False),
    ("WATCH_NEEDS_GPU", watch("ml.c5n.18xlarge", rules=["OverallSystemUsage"]), False),
    ("WATCH_NEEDS_GPU", watch("ml.c5n.18xlarge", rules=[]), False),
    ("LOAD_BALANCING_ONE_GPU", watch("ml.g5.xlarge", nodes=1), True),
    ("LOAD_BALANCING_ONE_GPU", watch("ml.g5.xlarge", nodes=2), False),
    ("LOAD_BALANCING_ONE_GPU", watch("ml.g5.12xlarge", nodes=1), False),
    ("LOAD_BALANCING_ONE_GPU", watch("ml.g5.xlarge", nodes=1, rules=["CpuBottleneck"]), False),
    ("DEBUGGER_TRAINIUM", watch("ml.trn1.32xlarge"), True),
    ("DEBUGGER_TRAINIUM", watch("ml.p4d.24xlarge"), False),
    ("DEBUGGER_TRAINIUM", watch("ml.trn1.32xlarge", rules=[]), False),
    ("DEBUGGER_CLOSED", watch(), True),
    ("DEBUGGER_CLOSED", watch(rules=[]), False),
    ("DEBUGGER_CLOSED", watch(using=["cloudwatch"]), False),
    ("DEBUGGER_REGION", watch() | {"region": "eu-south-2"}, True),
    ("DEBUGGER_REGION", watch(using=["cloudwatch"]) | {"region": "eu-south-2"}, False),
    ("DEBUGGER_REGION", watch(rules=[]) | {"region": "eu-south-2"}, False),
]


def found(finding_id: str, workload: Workload) -> Finding | None:
    return next((finding for finding in training_findings(workload) if finding.id == finding_id), None)


@pytest.mark.parametrize(("finding_id", "changes", "expected"), BOUNDARIES)
def test_a_rule_speaks_on_one_side_of_its_boundary(finding_id: str, changes: dict[str, Any], expected: bool) -> None:
    assert (found(finding_id, declared(**changes)) is not None) is expected


@pytest.mark.parametrize("region", sorted(regions()))
def test_debugger_is_refused_exactly_where_it_has_no_evaluator(region: str) -> None:
    finding = found("DEBUGGER_REGION", declared(region=region, watch={"rules": ["CpuBottleneck"]}))
    assert (finding is None) is (region in evaluator_regions())


@pytest.mark.parametrize("finding_id", LEVELS)
def test_a_finding_has_its_level_and_reads_as_one_line_without_full_stop(finding_id: str) -> None:
    changes = next(changes for known, changes, expected in BOUNDARIES if known == finding_id and expected)
    finding = found(finding_id, declared(**changes))
    assert finding is not None
    assert finding.level is LEVELS[finding_id]
    assert "\n" not in str(finding)
    assert finding.fix
    assert not finding.message.endswith(".")
    assert not finding.fix.endswith(".")


def test_every_rule_is_wired_and_has_a_boundary_on_both_sides() -> None:
    seen = {finding_id for finding_id, _, expected in BOUNDARIES if expected}
    assert seen == {finding_id for finding_id, _, expected in BOUNDARIES if not expected} == set(LEVELS)
    assert len(training._RULES) + 4 == len(LEVELS) + len(OPTION_LEVELS)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (smddp("ml.p5.48xlarge"), ["SMDDP_INSTANCE_TYPE", "ml.p5.48xlarge", "ml.p3dn.24xlarge", "torchrun"]),
        (tagged("pytorch-training:2.4.1-gpu-py311"), ["SMDDP_IMAGE", "2.4.1", "2.3.0", "torchrun"]),
        (watch() | {"region": "eu-south-2"}, ["DEBUGGER_REGION", "eu-south-2", "us-east-1"]),
        (watch(), ["DEBUGGER_CLOSED", "2026-07-30", "2027-06-30"]),
        (run(3 * DAY_S, 10), ["RUN_TOO_LONG", "30.00 days", "28 days", "set epoch.count to 9"]),
        (run(29 * DAY_S), ["RUN_TOO_LONG", "29.00 days", "lower epoch.target"]),
        (many(93), ["HYPERPARAMETER_COUNT", "93", "92"]),
        (long_value(2501), ["HYPERPARAMETER_LENGTH", "long (2501)", "2500"]),
        ({"region": "us-east-2"}, ["IMAGE_REGION", "us-east-1", "us-east-2"]),
    ],
)
def test_a_message_names_the_value_what_is_allowed_and_the_fix(changes: dict[str, Any], words: list[str]) -> None:
    finding = found(words[0], declared(**changes))
    assert finding is not None
    assert [word for word in words if word not in str(finding)] == []


def test_a_plain_job_gives_no_finding() -> None:
    assert training_findings(declared()) == []
    assert no_job(declared()) is None


@pytest.mark.parametrize("changes", [{"training": None}, {"cluster": EC2}, {"cluster": EC2, "training": None}])
def test_without_a_job_only_the_reason_is_given(changes: dict[str, Any]) -> None:
    workload = declared(**changes)
    assert training_findings(workload) == [no_job(workload)]


def test_ids_are_upper_snake_case() -> None:
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+", finding_id) for finding_id in LEVELS)

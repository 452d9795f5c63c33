"""Every request against the service's own description of CreateTrainingJob."""

import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

import botocore.session
import pytest
from botocore.model import ListShape, MapShape, Shape, StructureShape
from botocore.validate import ParamValidator
from hypothesis import given, settings
from hypothesis import strategies as st

from epochwise.catalog.data_file import load
from epochwise.catalog.watch_rule_names import WATCH_RULE_NAMES
from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Level
from epochwise.checks.training import training_findings
from epochwise.checks.training_size import request_bytes
from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.workload import Workload

DAY_S = 86400
DEPLOYMENT = JobDeployment(
    job_name="job-1",
    role_arn="arn:aws:iam::111111111111:role/R",
    subnet_ids=("subnet-1",),
    security_group_ids=("sg-1",),
    file_system_id="fs-0123456789abcdef0",
    mount_name="abcdefgh",
    output_s3_uri="s3://my-bucket/out",
    region="us-east-1",
)
PLAIN = Workload.model_validate(
    {
        "name": "plain",
        "dataset": {"size": "1 GB"},
        "epoch": {"target": "60 s"},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 2},
        "training": {"image": "image"},
    }
)


@cache
def input_shape() -> StructureShape:
    model = botocore.session.get_session().get_service_model("sagemaker")
    shape = model.operation_model("CreateTrainingJob").input_shape
    assert isinstance(shape, StructureShape)
    return shape


def violations(value: Any, shape: Shape, path: str = "") -> list[str]:
    """Compare with the upper limits, patterns and enums too, which ParamValidator leaves to the service."""
    found = []
    metadata = shape.metadata
    size = len(value) if isinstance(value, str | list | dict) else value
    if "max" in metadata and size > metadata["max"]:
        found.append(f"{path}: {size} > {metadata['max']}")
    if metadata.get("enum") and value not in metadata["enum"]:
        found.append(f"{path}: {value} is not in the enum")
    pattern = metadata.get("pattern", "")
    if pattern and "\\p{" not in pattern and not re.fullmatch(pattern, value):
        found.append(f"{path}: {value!r} does not match {pattern}")
    match shape:
        case StructureShape():
            for key, member in value.items():
                found += violations(member, shape.members[key], f"{path}.{key}")
        case ListShape():
            for index, member in enumerate(value):
                found += violations(member, shape.member, f"{path}[{index}]")
        case MapShape():
            for key, member in value.items():
                found += violations(key, shape.key, f"{path} key")
                found += violations(member, shape.value, f"{path}.{key}")
    return found


def assert_valid(request: dict[str, Any], *, filled_in: bool = True) -> None:
    report = ParamValidator().validate(request, input_shape())
    assert not report.has_errors(), report.generate_report()
    if filled_in:
        assert violations(request, input_shape()) == []


def instance_names() -> list[str]:
    table = load("instance_types")
    column = table["columns"].index("sagemaker_training")
    return sorted(f"ml.{name}" for name, row in table["rows"].items() if row[column])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
hyperparameter_names = st.text("abcdefghijklmnopqrstuvwxyz_-", min_size=1, max_size=20).filter(
    lambda name: not name.startswith("sagemaker_")
)


RULES = [name for name in WATCH_RULE_NAMES if name != "SimilarAcrossRuns"]
LINE = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp", "Cs"]), min_size=1, max_size=40)
SECONDS = st.integers(1800, 21600)
OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "environment": st.dictionaries(st.from_regex(r"[A-Z_][A-Z0-9_]{0,20}", fullmatch=True), LINE, max_size=4),
    "custom_mpi_options": st.just("") | LINE,
    "processes_per_host": st.integers(1, 64),
    "batch": st.fixed_dictionaries({"per_device": st.integers(1, 512)}),
    "channels": st.dictionaries(
        st.from_regex(r"[a-z]{1,8}[0-9]", fullmatch=True),
        st.fixed_dictionaries(
            {"s3": st.just("s3://bucket/channel")},
            optional={
                "mode": st.sampled_from(["File", "FastFile", "Pipe"]),
                "content_type": LINE,
                "compression": st.sampled_from(["None", "Gzip"]),
                "shuffle_seed": st.integers(0, 2**31),
                "sharded": st.booleans(),
                "attributes": st.lists(LINE, max_size=3),
            },
        ),
        max_size=3,
    ),
    "checkpoint_s3": st.just("s3://bucket/checkpoints"),
    "max_runtime": SECONDS,
    "max_wait": st.integers(21600, 10**6),
    "max_pending": SECONDS,
    "max_attempts": st.integers(1, 30),
    "spot": st.booleans(),
    "keep_alive": SECONDS,
    "training_plan": st.just("arn:aws:sagemaker:us-east-1:111111111111:training-plan/plan"),
    "volume_size_gb": st.integers(1, 1000),
    "volume_kms_key": st.just("alias/volume"),
    "output_kms_key": st.just("alias/output"),
    "inter_container_encryption": st.booleans(),
    "network_isolation": st.booleans(),
    "remote_debug": st.booleans(),
    "infra_check": st.booleans(),
    "metrics": st.dictionaries(LINE, LINE, max_size=3),
    "experiment": st.fixed_dictionaries({}, optional={"name": st.just("experiment"), "run": st.just("run-1")}),
    "tags": st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True), st.just("v: a+b"), max_size=3),
    "request": st.fixed_dictionaries(
        {}, optional={"TensorBoardOutputConfig": st.just({"S3OutputPath": "s3://bucket/board"})}
    ),
}


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    code = st.fixed_dictionaries({"entry_point": st.just("train.py"), "source": st.just("s3://bucket/code.tar.gz")})
    training = {
        "image": draw(
            st.sampled_from(["image", "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.2.0-gpu-py310"])
        ),
        "distribution": draw(st.sampled_from(["smddp", "torchrun", "mpi", "none"])),
        "hyperparameters": draw(st.dictionaries(hyperparameter_names, json_values, max_size=5)),
    } | draw(st.just({}) | code)
    training |= draw(st.fixed_dictionaries({}, optional=OPTIONS))
    checkpoint = {"size": "1 GB", "every": "10 min", "write_within": "1 min"}
    return Workload.model_validate(
        {
            "name": draw(st.from_regex(r"[a-z0-9]([a-z0-9-]{0,28}[a-z0-9])?", fullmatch=True)),
            "region": draw(st.sampled_from(sorted(load("regions")["rows"]))),
            "dataset": {"size": "1 GB"},
            "epoch": {
                "target": f"{draw(st.integers(1, 30 * DAY_S))} s",
                "count": draw(st.integers(1, 1000)),
                "tolerance": draw(st.floats(0, 10)),
            },
            "cluster": {
                "instance_type": draw(st.sampled_from(instance_names())),
                "nodes": draw(st.integers(1, 64)),
            },
            "checkpoint": draw(st.sampled_from([None, checkpoint])),
            "training": training,
            "watch": {
                "rules": draw(st.lists(st.sampled_from(RULES), max_size=6, unique=True)),
                "hook": draw(st.booleans()),
                "using": draw(st.lists(st.sampled_from(["debugger", "cloudwatch"]), unique=True)),
            },
        }
    )


@settings(max_examples=200, deadline=None)
@given(workload=workloads())
def test_a_workload_is_either_refused_by_a_finding_or_gives_a_request_that_boto3_accepts(workload: Workload) -> None:
    deployment = replace(DEPLOYMENT, region=workload.region)
    errors = [str(finding) for finding in training_findings(workload) if finding.level is Level.ERROR]
    if errors:
        with pytest.raises(ValueError, match=re.escape(errors[0].removeprefix("error: "))):
            create_training_job_request(workload, deployment)
        return
    request = create_training_job_request(workload, deployment)
    assert_valid(request)
    job = DeclaredJob.of(workload)
    assert job is not None
    assert len(json.dumps(request)) <= request_bytes(job)
    assert_valid(create_training_job_request(workload, JobDeployment.placeholders(workload)), filled_in=False)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("TrainingJobName",), "-job", "TrainingJobName"),
        (("TrainingJobName",), "j" * 64, "TrainingJobName"),
        (("HyperParameters", "long"), "x" * 2501, "HyperParameters.long"),
        (("ResourceConfig", "InstanceType"), "p4d.24xlarge", "ResourceConfig.InstanceType"),
    ],
)
def test_the_comparison_sees_what_boto3_leaves_to_the_service(path: tuple[str, ...], value: str, field: str) -> None:
    request = create_training_job_request(PLAIN, DEPLOYMENT)
    place = request
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not ParamValidator().validate(request, input_shape()).has_errors()
    assert [line for line in violations(request, input_shape()) if field in line]


def test_placeholders_are_obvious_and_pass_boto3s_lengths() -> None:
    request = create_training_job_request(PLAIN, JobDeployment.placeholders(PLAIN))
    assert_valid(request, filled_in=False)
    assert request["TrainingJobName"] == "<TRAINING_JOB_NAME>"
    source = request["InputDataConfig"][0]["DataSource"]["FileSystemDataSource"]
    assert (source["FileSystemId"], source["DirectoryPath"]) == ("<FILE_SYSTEM_ID>", "/<MOUNT_NAME>")


def test_as_many_subnets_and_groups_as_sagemaker_takes_pass() -> None:
    where = replace(DEPLOYMENT, subnet_ids=("subnet-1",) * 16, security_group_ids=("sg-1",) * 5)
    assert_valid(create_training_job_request(PLAIN, where))


def test_a_job_with_as_many_rules_as_fit_is_valid() -> None:
    rules = [rule for rule in RULES if rule not in {"StorageBottleneck", "NcclWithoutEfa"}]
    workload = PLAIN.model_copy(
        update={"watch": type(PLAIN.watch).model_validate({"rules": rules, "using": ["debugger"]})}
    )
    request = create_training_job_request(workload, DEPLOYMENT)
    assert (len(request["ProfilerRuleConfigurations"]), len(request["DebugRuleConfigurations"])) == (8, 20)
    assert len(request["DebugHookConfig"]["CollectionConfigurations"]) == 12
    assert_valid(request)

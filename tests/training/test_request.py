import math
import re
from dataclasses import replace
from typing import Any

import pytest

from epochwise.checks.finding import Level
from epochwise.checks.training import training_findings
from epochwise.training.request import JobDeployment, create_training_job_request
from epochwise.workload import Workload

DAY_S = 86400
TOKEN = "${Token[TOKEN.42]}"  # noqa: S105 - how CDK writes a value that is known at deployment only


def mapping(**changes: Any) -> dict[str, Any]:
    return {
        "name": "job",
        "dataset": {"size": "1 GB"},
        "epoch": {"target": "60 s"},
        "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 2},
        "training": {"image": "image"},
    } | changes


def deployment(**changes: Any) -> JobDeployment:
    values: dict[str, Any] = {
        "job_name": "job-1",
        "role_arn": "arn:aws:iam::111111111111:role/R",
        "subnet_ids": ("subnet-1",),
        "security_group_ids": ("sg-1",),
        "file_system_id": "fs-0123456789abcdef0",
        "mount_name": "abcdefgh",
        "output_s3_uri": "s3://my-bucket/out",
        "region": "us-east-1",
    }
    return JobDeployment(**values | changes)


def requested(where: JobDeployment | None = None, **changes: Any) -> dict[str, Any]:
    workload = Workload.model_validate(mapping(**changes))
    return create_training_job_request(workload, where or deployment(region=workload.region))


def channels(request: dict[str, Any]) -> dict[str, tuple[str, str]]:
    sources = {
        channel["ChannelName"]: channel["DataSource"]["FileSystemDataSource"] for channel in request["InputDataConfig"]
    }
    return {name: (source["DirectoryPath"], source["FileSystemAccessMode"]) for name, source in sources.items()}


@pytest.mark.parametrize(
    ("path", "directory"),
    [
        ("/", "/abcdefgh"),
        ("/data", "/abcdefgh/data"),
        ("/data/", "/abcdefgh/data"),
        ("//data//set//", "/abcdefgh/data/set"),
        (TOKEN, f"/abcdefgh{TOKEN}"),
        (f"/data/{TOKEN}/", f"/abcdefgh/data/{TOKEN}"),
    ],
)
def test_the_dataset_is_found_below_the_mount_name(path: str, directory: str) -> None:
    assert channels(requested(deployment(file_system_path=path))) == {"train": (directory, "ro")}


def test_tokens_pass_through_whole() -> None:
    names = ("job_name", "role_arn", "file_system_id", "mount_name", "region")
    where = deployment(
        **dict.fromkeys(names, TOKEN),
        subnet_ids=(TOKEN,),
        security_group_ids=(TOKEN,),
        output_s3_uri=f"s3://{TOKEN}/out",
    )
    request = requested(where)
    assert request["TrainingJobName"] == request["RoleArn"] == TOKEN
    assert request["VpcConfig"] == {"Subnets": [TOKEN], "SecurityGroupIds": [TOKEN]}
    assert request["HyperParameters"]["sagemaker_job_name"] == f'"{TOKEN}"'
    assert request["HyperParameters"]["sagemaker_region"] == f'"{TOKEN}"'
    assert channels(request) == {"train": (f"/{TOKEN}", "ro")}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"file_system_path": "data"}, "file_system_path must begin with /, * got 'data' *; nearest legal: /data"),
        ({"file_system_path": ""}, "file_system_path must begin with /, * got '' *; nearest legal: / "),
        ({"checkpoint_path": "ckpt"}, "checkpoint_path must begin with /, * got 'ckpt'"),
        ({"output_s3_uri": "s3://bucket/out/"}, "output_s3_uri must not end with /, got 's3://bucket/out/'"),
        ({"subnet_ids": ()}, "subnet_ids must hold 1 to 16, got 0"),
        ({"subnet_ids": ("subnet-1",) * 17}, "subnet_ids must hold 1 to 16, got 17"),
        ({"security_group_ids": ()}, "security_group_ids must hold 1 to 5, got 0"),
        ({"security_group_ids": ("sg-1",) * 6}, "security_group_ids must hold 1 to 5, got 6"),
    ],
)
def test_a_deployment_that_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    pattern = ".*".join(map(re.escape, message.split("*")))
    with pytest.raises(ValueError, match=rf"^{pattern}.*\[[A-Z_]+\]$"):
        deployment(**changes)


def test_a_path_that_only_the_deploy_knows_is_taken_as_it_is() -> None:
    assert deployment(file_system_path="${Token[Path.1]}").file_system_path == "${Token[Path.1]}"


@pytest.mark.parametrize(
    ("target_s", "count", "expected_s"),
    [
        (30, 90, DAY_S),
        (DAY_S // 2, 1, DAY_S),
        (DAY_S // 2 + 1, 1, DAY_S + 2),
        (DAY_S, 2, 4 * DAY_S),
        (DAY_S, 3, 5 * DAY_S),
        (DAY_S, 5, 5 * DAY_S),
        (5 * DAY_S + 1, 1, 10 * DAY_S + 2),
        (DAY_S, 14, 28 * DAY_S),
        (DAY_S, 28, 28 * DAY_S),
    ],
)
def test_a_job_is_stopped_after_twice_the_declared_time_within_limits(
    target_s: int, count: int, expected_s: int
) -> None:
    request = requested(epoch={"target": target_s, "count": count})
    assert request["StoppingCondition"] == {"MaxRuntimeInSeconds": expected_s}


def test_tolerance_counts_towards_the_time_of_a_job() -> None:
    request = requested(epoch={"target": DAY_S, "tolerance": 0.1})
    assert request["StoppingCondition"]["MaxRuntimeInSeconds"] == math.ceil(DAY_S * 1.1 * 2)


def test_checkpoints_get_a_writable_channel_of_their_own() -> None:
    checkpoint = {"size": "1 GB", "every": "10 min", "write_within": "1 min"}
    where = deployment(file_system_path="/data", checkpoint_path="/checkpoints/")
    request = requested(where, checkpoint=checkpoint)
    assert channels(request) == {"train": ("/abcdefgh/data", "ro"), "checkpoints": ("/abcdefgh/checkpoints", "rw")}
    assert "CheckpointConfig" not in request


@pytest.mark.parametrize("watch", [{}, {"rules": ["CpuBottleneck"], "using": []}])
def test_the_profiler_is_off_unless_a_rule_needs_it(watch: dict[str, Any]) -> None:
    request = requested(watch=watch)
    assert request["ProfilerConfig"] == {"DisableProfiler": True}
    assert "ProfilerRuleConfigurations" not in request


def test_rules_are_evaluated_in_the_workloads_region() -> None:
    request = requested(region="eu-west-1", watch={"rules": ["CpuBottleneck", "LoadBalancing"]})
    images = {entry["RuleEvaluatorImage"] for entry in request["ProfilerRuleConfigurations"]}
    assert images == {"929884845733.dkr.ecr.eu-west-1.amazonaws.com/sagemaker-debugger-rules:latest"}
    for entry in request["ProfilerRuleConfigurations"]:
        assert set(entry) == {"RuleConfigurationName", "RuleEvaluatorImage", "RuleParameters"}
        assert all(isinstance(value, str) for value in entry["RuleParameters"].values())


def test_a_request_for_another_region_than_the_workloads_is_refused_unless_only_the_deploy_knows_it() -> None:
    with pytest.raises(ValueError, match=r"it is deployed to us-west-2.*WORKLOAD_OF_OTHER_REGION"):
        requested(deployment(region="us-west-2"))
    assert requested(deployment(region="${Token[AWS.Region.4]}"))["TrainingJobName"] == "job-1"


def test_efa_variables_reach_the_environment() -> None:
    cluster = {"instance_type": "ml.p5en.48xlarge", "nodes": 2}
    assert requested(cluster=cluster)["Environment"] == {"FI_PROVIDER": "efa", "FI_EFA_USE_DEVICE_RDMA": "1"}
    assert requested(cluster=cluster | {"nodes": 1})["Environment"] == {}


def test_the_workload_is_named_in_a_tag() -> None:
    assert requested()["Tags"] == [{"Key": "epochwise:workload", "Value": "job"}]


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({"training": None}, "NO_TRAINING_DECLARED"),
        ({"cluster": {"instance_type": "p4d.24xlarge", "nodes": 2, "platform": "ec2"}}, "TRAINING_NOT_SAGEMAKER"),
        (
            {"cluster": {"instance_type": "p4d.24xlarge", "nodes": 2, "platform": "ec2"}, "training": None},
            "EC2_HAS_NO_JOB",
        ),
        (
            {
                "cluster": {"instance_type": "ml.p5.48xlarge", "nodes": 2},
                "training": {"image": "image", "distribution": "smddp"},
            },
            "SMDDP_INSTANCE_TYPE",
        ),
        ({"region": "eu-south-2", "watch": {"rules": ["CpuBottleneck"]}}, "DEBUGGER_REGION"),
    ],
)
def test_what_is_no_job_is_refused_with_the_findings_words_and_id(changes: dict[str, Any], finding: str) -> None:
    workload = Workload.model_validate(mapping(**changes))
    [found] = [found for found in training_findings(workload) if found.id == finding]
    line = str(replace(found, level=Level.ERROR)).removeprefix("error: ")
    with pytest.raises(ValueError, match=f"^{re.escape(line)}$"):
        requested(**changes)


def test_every_error_is_named_at_once() -> None:
    changes: dict[str, Any] = {
        "region": "eu-south-2",
        "cluster": {"instance_type": "ml.trn1.32xlarge", "nodes": 2},
        "watch": {"rules": ["CpuBottleneck", "StorageBottleneck"], "using": ["debugger"]},
    }
    with pytest.raises(
        ValueError, match=r"\[WATCH_RULE_NEEDS_CLOUDWATCH\]\n.*\[DEBUGGER_REGION\]\n.*\[DEBUGGER_TRAINIUM\]"
    ):
        requested(**changes)

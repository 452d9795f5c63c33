"""What people ran into with jobs, rules and launchers, each row of the field reports by its number."""

from typing import Any

import botocore
import pytest

from epochwise import Workload, WorkloadError
from epochwise.catalog.debugger import evaluator_regions
from epochwise.catalog.regions import regions
from epochwise.catalog.training_job import BOTOCORE
from epochwise.checks.emitted_request import emitted_request_findings
from epochwise.checks.finding import Level
from epochwise.checks.training import training_findings
from epochwise.clients.scripts import Script, script_text
from epochwise.training.request import JobDeployment, create_training_job_request

ECR = "763104351884.dkr.ecr.us-east-1.amazonaws.com"


def declared(instance: str = "ml.p4d.24xlarge", nodes: int = 2, **changes: Any) -> Workload:
    training = {"image": f"{ECR}/pytorch-training:2.3.0-gpu-py311"} | changes.pop("training", {})
    return Workload.from_mapping(
        {
            "name": "field",
            "dataset": {"size": "1 GB"},
            "epoch": {"target": "60 s"},
            "cluster": {"instance_type": instance, "nodes": nodes},
            "training": training,
        }
        | changes,
        source="file",
    )


def ids(workload: Workload, level: Level | None = None) -> set[str]:
    return {finding.id for finding in training_findings(workload) if level in {None, finding.level}}


def requested(workload: Workload, **changes: Any) -> dict[str, Any]:
    where = JobDeployment.placeholders(workload)
    values = {name: getattr(where, name) for name in where.__slots__} | changes
    return create_training_job_request(workload, JobDeployment(**values))


def test_f80_volume_and_output_keys_are_options_and_a_key_that_hardware_refuses_is_refused() -> None:
    keys = {"volume_kms_key": "alias/volume", "output_kms_key": "alias/output"}
    request = requested(declared("ml.c5.9xlarge", training=keys))
    assert request["ResourceConfig"]["VolumeKmsKeyId"] == "alias/volume"
    assert request["OutputDataConfig"]["KmsKeyId"] == "alias/output"
    assert "VOLUME_KEY_ON_LOCAL_NVME" in ids(declared(training=keys), Level.ERROR)


def test_f81_a_job_may_read_from_the_file_system_alone() -> None:
    [channel] = requested(declared())["InputDataConfig"]
    assert set(channel["DataSource"]) == {"FileSystemDataSource"}


def test_f83_the_whole_request_is_emitted_whatever_starts_the_job() -> None:
    assert {"TrainingJobName", "VpcConfig", "ProfilerConfig", "HyperParameters"} <= set(requested(declared()))


def test_f86_without_a_way_out_sdks_in_the_container_ask_for_the_regional_address_of_sts() -> None:
    variable = "AWS_STS_REGIONAL_ENDPOINTS"
    assert requested(declared(), closed_vpc=True)["Environment"][variable] == "regional"
    assert variable not in requested(declared())["Environment"]
    own = declared(training={"environment": {variable: "legacy"}})
    assert requested(own, closed_vpc=True)["Environment"][variable] == "legacy"


def test_f91_debugger_with_checkpoints_in_a_distributed_job_is_refused_and_each_pair_is_not() -> None:
    rules: dict[str, Any] = {"watch": {"rules": ["LossNotDecreasing"]}}
    checkpoint = {"checkpoint_s3": "s3://bucket/checkpoints"}
    assert "DEBUGGER_CHECKPOINT_DISTRIBUTED" in ids(declared(training=checkpoint, **rules), Level.ERROR)
    alone = checkpoint | {"distribution": "none"}
    for workload in (
        declared(training=checkpoint),
        declared(**rules),
        declared(nodes=1, training=alone, **rules),
        declared(training=checkpoint, watch={"rules": ["CpuBottleneck"]}),
    ):
        assert "DEBUGGER_CHECKPOINT_DISTRIBUTED" not in ids(workload)


def test_f92_a_region_without_evaluator_refuses_rules_and_never_drops_them_silently() -> None:
    for region in sorted(set(regions()) - set(evaluator_regions())):
        for rule in ("CpuBottleneck", "LossNotDecreasing"):
            assert "DEBUGGER_REGION" in ids(declared(region=region, watch={"rules": [rule]}), Level.ERROR)


def test_f93_nothing_is_watched_unless_declared() -> None:
    request = requested(declared())
    assert request["ProfilerConfig"] == {"DisableProfiler": True}
    assert not {"ProfilerRuleConfigurations", "DebugRuleConfigurations", "DebugHookConfig"} & set(request)


def test_f94_a_printed_request_notes_the_sdk_that_knows_its_fields() -> None:
    found = [finding for finding in emitted_request_findings(declared()) if finding.id == "REQUEST_NEEDS_RECENT_SDK"]
    [(note, level)] = [(str(finding), finding.level) for finding in found]
    assert level is Level.INFO
    assert f"botocore {BOTOCORE}" in note
    assert "ProfilerConfig.DisableProfiler" in note
    assert requested(declared())["ProfilerConfig"]["DisableProfiler"] is True
    made_for, installed = ([int(part) for part in each.split(".")] for each in (BOTOCORE, botocore.__version__))
    assert made_for <= installed


def test_f96_profiler_rules_bring_no_hook_and_rules_about_tensors_warn_of_theirs() -> None:
    assert "DebugHookConfig" not in requested(declared(watch={"rules": ["CpuBottleneck", "ProfilerReport"]}))
    about_tensors = declared(watch={"rules": ["VanishingGradient"]})
    assert "DEBUGGER_HOOK" in ids(about_tensors, Level.WARNING)
    assert requested(about_tensors)["DebugHookConfig"]["CollectionConfigurations"] == [
        {"CollectionName": "gradients", "CollectionParameters": {"save_interval": "500"}}
    ]


@pytest.mark.parametrize("rule", ["MaxInitializationTime", "OverallFrameworkMetrics", "StepOutlier"])
def test_f97_rules_of_framework_profiling_are_refused_with_the_reason(rule: str) -> None:
    with pytest.raises(WorkloadError, match=rf"must not hold {rule}: .*framework profiling, from PyTorch 2\.0"):
        declared(watch={"rules": [rule]})


def test_f98_built_in_actions_are_refused_where_they_do_nothing() -> None:
    acting: dict[str, Any] = {"watch": {"rules": [{"LossNotDecreasing": {"actions": ["stop_training"]}}]}}
    assert "RULE_ACTION_IN_VPC" in ids(declared(**acting), Level.WARNING)
    assert "RULE_ACTION_UNREACHABLE" in ids(declared(training={"network_isolation": True}, **acting), Level.ERROR)
    assert "RULE_ACTION_UNREACHABLE" in ids(declared(training={"spot": True}, **acting), Level.ERROR)
    with pytest.raises(ValueError, match="RULE_ACTION_CLOSED_VPC"):
        requested(declared(**acting), closed_vpc=True)
    profiler = declared(watch={"rules": [{"CpuBottleneck": {"actions": [{"email": "a@b.org"}]}}]})
    assert "RULE_ACTION_ON_PROFILER" in ids(profiler, Level.ERROR)


def test_f100_smddp_is_refused_on_types_and_remarked_on_images_without_it() -> None:
    smddp = {"distribution": "smddp"}
    assert "SMDDP_INSTANCE_TYPE" in ids(declared("ml.p5.48xlarge", training=smddp), Level.ERROR)
    assert "SMDDP_INSTANCE_TYPE" in ids(declared("ml.p3.16xlarge", training=smddp), Level.ERROR)
    later = smddp | {"image": f"{ECR}/pytorch-training:2.5.1-gpu-py311"}
    assert "SMDDP_IMAGE" in ids(declared(training=later), Level.WARNING)
    assert not {"SMDDP_INSTANCE_TYPE", "SMDDP_IMAGE"} & ids(declared(training=smddp))


@pytest.mark.parametrize(
    ("instance", "expected"),
    [
        ("ml.p5e.48xlarge", {"FI_PROVIDER": "efa", "FI_EFA_USE_DEVICE_RDMA": "1"}),
        ("ml.p5.48xlarge", {"FI_EFA_USE_DEVICE_RDMA": "1"}),
        ("ml.p4d.24xlarge", {}),
    ],
)
def test_f102_efa_is_asked_for_where_the_toolkit_in_older_images_forgets_to(
    instance: str, expected: dict[str, str]
) -> None:
    assert requested(declared(instance))["Environment"] == expected


def test_f103_f105_the_users_own_variables_go_through_and_before_the_librarys() -> None:
    own = {"NCCL_DEBUG": "INFO", "FI_PROVIDER": "tcp"}
    environment = requested(declared("ml.p5e.48xlarge", training={"environment": own}))["Environment"]
    assert environment == own | {"FI_EFA_USE_DEVICE_RDMA": "1"}
    assert "ENVIRONMENT_RDMAV" in ids(declared(training={"environment": {"RDMAV_FORK_SAFE": "1"}}), Level.WARNING)


def test_f103_a_rule_reads_what_nccl_logs_and_has_it_logged() -> None:
    watch = {"rules": ["NcclWithoutEfa"], "using": ["cloudwatch"]}
    assert requested(declared("ml.p5.48xlarge", watch=watch))["Environment"]["NCCL_DEBUG"] == "INFO"
    assert "NCCL_DEBUG" not in requested(declared("ml.p5.48xlarge"))["Environment"]
    assert "NCCL_DEBUG" not in requested(declared("ml.p5.48xlarge", nodes=1, watch=watch))["Environment"]
    assert "NCCL_RULE_WITHOUT_EFA" in ids(declared("ml.g5.xlarge", watch=watch), Level.WARNING)
    quiet = declared(training={"environment": {"NCCL_DEBUG": "WARN"}}, watch=watch)
    assert "NCCL_LOG_HIDDEN" in ids(quiet, Level.WARNING)


def test_f104_f105_scripts_prove_the_network_of_nodes_and_jobs_by_counters_and_logs() -> None:
    """What a real network shows, only a run in an account tells; here the scripts run against pretended ones."""
    assert "send_count" in script_text(Script.EFA_TRAFFIC)
    assert "selected provider is efa" in script_text(Script.NCCL_EFA)
    smoke_test = script_text(Script.ALL_REDUCE)
    assert "processes.all_reduce(values)" in smoke_test
    assert "NCCL_DEBUG_FILE" in smoke_test
    compile(smoke_test, "all_reduce.py", "exec")

from typing import Any

import pytest

from epochwise.catalog.data_file import load
from epochwise.catalog.instance_types import instance_type
from epochwise.checks.declared_job import DeclaredJob
from epochwise.training.distribution import efa_environment
from epochwise.training.hyperparameters import hyperparameters
from epochwise.workload import Workload

BOTH = {"FI_PROVIDER": "efa", "FI_EFA_USE_DEVICE_RDMA": "1"}
PROVIDER = {"FI_PROVIDER": "efa"}
RDMA = {"FI_EFA_USE_DEVICE_RDMA": "1"}


def job(distribution: str, instance: str = "ml.p4d.24xlarge", **training: Any) -> DeclaredJob:
    workload = Workload.model_validate(
        {
            "name": "job",
            "dataset": {"size": "1 GB"},
            "epoch": {"target": "60 s"},
            "cluster": {"instance_type": instance, "nodes": 2},
            "training": {"image": "image", "distribution": distribution, **training},
        }
    )
    declared = DeclaredJob.of(workload)
    assert declared is not None
    return declared


def sent(declared: DeclaredJob) -> dict[str, str]:
    return hyperparameters(declared, job_name="job-1", region="us-east-1")


ALWAYS = {
    "sagemaker_container_log_level": "20",
    "sagemaker_job_name": '"job-1"',
    "sagemaker_region": '"us-east-1"',
}


@pytest.mark.parametrize(
    ("distribution", "instance", "expected"),
    [
        (
            "smddp",
            "ml.p4d.24xlarge",
            {
                "sagemaker_distributed_dataparallel_enabled": "true",
                "sagemaker_instance_type": '"ml.p4d.24xlarge"',
                "sagemaker_distributed_dataparallel_custom_mpi_options": '""',
            },
        ),
        (
            "torchrun",
            "ml.p5.48xlarge",
            {"sagemaker_torch_distributed_enabled": "true", "sagemaker_instance_type": '"ml.p5.48xlarge"'},
        ),
        (
            "mpi",
            "ml.p4d.24xlarge",
            {
                "sagemaker_mpi_enabled": "true",
                "sagemaker_mpi_num_of_processes_per_host": "8",
                "sagemaker_mpi_custom_mpi_options": '""',
            },
        ),
        (
            "mpi",
            "ml.c5n.18xlarge",
            {
                "sagemaker_mpi_enabled": "true",
                "sagemaker_mpi_num_of_processes_per_host": "1",
                "sagemaker_mpi_custom_mpi_options": '""',
            },
        ),
        ("none", "ml.p4d.24xlarge", {}),
    ],
)
def test_each_distribution_sends_its_own_keys_and_no_others(
    distribution: str, instance: str, expected: dict[str, str]
) -> None:
    assert sent(job(distribution, instance)) == ALWAYS | expected


def test_a_script_is_named_with_its_archive() -> None:
    declared = job("none", entry_point="train.py", source="s3://bucket/code.tar.gz")
    assert sent(declared) == ALWAYS | {
        "sagemaker_program": '"train.py"',
        "sagemaker_submit_directory": '"s3://bucket/code.tar.gz"',
    }


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        (0.1, "0.1"),
        (1, "1"),
        ("adam", '"adam"'),
        (True, "true"),
        (None, "null"),
        ([1, "a"], '[1, "a"]'),
        ({"b": 2}, '{"b": 2}'),
        ('say "hi"', '"say \\"hi\\""'),
        ("λ", '"\\u03bb"'),
    ],
)
def test_a_hyperparameter_is_encoded_as_json(value: object, encoded: str) -> None:
    assert sent(job("none", hyperparameters={"given": value}))["given"] == encoded


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("p4d.24xlarge", {}),
        ("p4de.24xlarge", {}),
        ("p3dn.24xlarge", {}),
        ("g5.48xlarge", {}),
        ("g4dn.12xlarge", {}),
        ("trn1.32xlarge", {}),
        ("p5.48xlarge", RDMA),
        ("p5e.48xlarge", BOTH),
        ("p5en.48xlarge", BOTH),
        ("p5.4xlarge", BOTH),
        ("p6-b200.48xlarge", BOTH),
        ("p6-b300.48xlarge", BOTH),
        ("p6e-gb200.36xlarge", BOTH),
        ("trn1n.32xlarge", BOTH),
        ("trn2.48xlarge", BOTH),
        ("g6e.48xlarge", BOTH),
        ("g7e.48xlarge", BOTH),
        ("g7.48xlarge", PROVIDER),
        ("g5.8xlarge", PROVIDER),
        ("g4dn.16xlarge", PROVIDER),
        ("g5.4xlarge", {}),
        ("c5n.18xlarge", {}),
        ("m5.large", {}),
    ],
)
def test_efa_variables_are_set_where_the_toolkit_leaves_them_out(name: str, expected: dict[str, str]) -> None:
    instance = instance_type(name)
    assert instance is not None
    assert efa_environment(instance, 2) == expected
    assert efa_environment(instance, 1) == {}


def test_no_type_without_efa_gets_a_variable_and_none_gets_another() -> None:
    for name in load("instance_types")["rows"]:
        instance = instance_type(name)
        assert instance is not None
        variables = efa_environment(instance, 2)
        assert not variables or instance.efa_interfaces
        assert variables.items() <= BOTH.items()


def test_every_type_in_the_toolkits_lists_exists_with_efa() -> None:
    table = load("training_toolkit")
    for key in ("efa_nccl_instances", "efa_rdma_instances"):
        assert set(table[f"recent_{key}"]) <= set(table[key])
        for name in table[key]:
            instance = instance_type(name)
            assert instance is not None, name
            assert instance.efa_interfaces, name

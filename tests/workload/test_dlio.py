"""A DLIO workload file becomes a workload whose demand is the published one."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from epochwise import Plan, Workload, WorkloadError, plan
from epochwise.catalog.instance_types import instance_type
from epochwise.declaration.yaml_file import MAX_FILE_BYTES
from epochwise.sizing.demand import demand_of
from epochwise.workload.dlio import NODES, dlio_yaml, workload_from_dlio

FILES = Path(__file__).parent / "dlio"
LEGAL = """
model: {name: small}
dataset: {num_files_train: 1000, record_length_bytes: 1000000}
reader: {batch_size: 10}
train: {computation_time: 0.5}
"""


def imported(name: str, nodes: int = 4, **options: Any) -> dict[str, Any]:
    """Import a fixture on nodes with all eight accelerators of its type."""
    accelerator = name.rpartition("_")[2]
    return workload_from_dlio(
        FILES / f"{name}.yaml", accelerator=accelerator, nodes=nodes, accelerators_per_node=8, **options
    )


def planned(document: dict[str, Any]) -> Plan:
    """Plan an imported document."""
    return plan(Workload.from_mapping(document, source="file"))


def written(folder: Path, text: str | bytes) -> Path:
    """Write a DLIO file."""
    file = folder / "dlio.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def told(path: Path, **options: Any) -> list[str]:
    """Return the messages for a file."""
    cluster: dict[str, Any] = {"accelerator": "a100", "nodes": 4, "accelerators_per_node": 8}
    with pytest.raises(WorkloadError) as caught:
        workload_from_dlio(path, **(cluster | options))
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("name", "mbps", "at_au"),
    [
        ("unet3d_a100", 1613, 1452),
        ("unet3d_v100", 431, None),
        ("resnet50_a100", 105.4, 94.9),
        ("resnet50_v100", 37.6, None),
        ("cosmoflow_a100", 513, 359),
        ("cosmoflow_v100", 302, None),
        ("retinanet_b200", 163, 139),
        ("flux_b200", 77, 69.3),
        ("bert_v100", 0.124, None),
    ],
)
@pytest.mark.parametrize("nodes", [1, 3, 16])
def test_every_published_row_comes_out_per_accelerator(name: str, mbps: float, at_au: float | None, nodes: int) -> None:
    workload = Workload.from_mapping(imported(name, nodes), source=name)
    assert demand_of(workload).read_mbps / (8 * nodes) == pytest.approx(mbps, rel=0.005)
    assert workload.epoch.tolerance == 0
    assert workload.epoch.compute == pytest.approx(workload.epoch.target, rel=2e-5)
    if at_au is None:
        assert ": metric.au: " in told(FILES / f"{name}.yaml", at_au=True)[0]
        return
    waiting = Workload.from_mapping(imported(name, nodes, at_au=True), source=name)
    allowed = waiting.dataset.size / 1e6 / waiting.epoch.limit_s
    assert allowed / (8 * nodes) == pytest.approx(at_au, rel=0.005)


def test_unet3d_on_eight_a100_a_node_asks_more_of_ena_than_there_is() -> None:
    result = planned(imported("unet3d_a100"))
    assert result.choice is None
    [finding] = [found for found in result.findings if found.id == "NOTHING_FEASIBLE"]
    assert "client gives 50000 MB/s" in finding.message
    assert "EFA" in finding.fix
    assert {rejected.ceiling for rejected in result.rejected} >= {"client"}


def test_bert_gets_the_smallest_file_system_and_the_advice_to_do_without() -> None:
    result = planned(imported("bert_v100"))
    assert result.choice is not None
    assert result.choice.storage_capacity_gib == 1200
    assert "S3_IS_ENOUGH" in {finding.id for finding in result.findings}


@pytest.mark.parametrize("name", ["cosmoflow_a100", "resnet50_a100", "retinanet_b200", "flux_b200"])
@pytest.mark.parametrize("at_au", [False, True])
def test_four_nodes_of_the_others_get_a_choice_that_never_waits_longer_than_allowed(name: str, at_au: bool) -> None:
    document = imported(name, at_au=at_au)
    choice = planned(document).choice
    assert choice is not None
    assert choice.epoch_s.steady <= document["epoch"]["target"] * (1 + document["epoch"].get("tolerance", 0))


def test_computing_as_long_as_the_target_never_misses_it_by_a_rounding_error(tmp_path: Path) -> None:
    for files in range(1000, 1060):
        file = written(tmp_path, LEGAL.replace("1000,", f"{files},"))
        document = workload_from_dlio(file, accelerator="h100", nodes=2, accelerators_per_node=8)
        assert planned(document).choice is not None, files


def test_every_accelerator_stands_for_a_type_that_trains_in_sagemaker() -> None:
    for accelerator, node in NODES.items():
        row = instance_type(node.instance_type)
        assert row is not None
        assert row.sagemaker_training
        assert row.accelerators == 8
        assert (row.accelerator or "").endswith(accelerator.upper())


@pytest.mark.parametrize("at_au", [False, True])
def test_the_rendered_file_is_the_document_with_a_source_beside_each_value(at_au: bool, tmp_path: Path) -> None:
    document = imported("cosmoflow_a100", at_au=at_au)
    text = dlio_yaml(document, FILES / "cosmoflow_a100.yaml", accelerator="a100", accelerators_per_node=8)
    assert yaml.safe_load(text) == document
    file = written(tmp_path, text)
    assert Workload.from_file(file) == Workload.from_mapping(document, source="file")
    for words in ("513.3 MB/s", "num_files_train", "standard deviation of 71.3 kB", "batch 1", "0.00551 s", "p4de"):
        assert words in text
    assert ("metric.au 0.7" in text) is at_au
    assert "no checkpoint section: the benchmark writes none" in text


@pytest.mark.parametrize(
    ("checkpoint", "every"),
    [
        ("checkpoint: {steps_between_checkpoints: 250}", 125.0),
        ("checkpoint: {epochs_between_checkpoints: 2}", 1000 / (16 * 10) * 0.5 * 2),
        ("", 1000 / (16 * 10) * 0.5),
    ],
)
@pytest.mark.parametrize("key", ["model_size_bytes", "model_size"])
def test_a_checkpoint_of_known_size_is_declared(tmp_path: Path, checkpoint: str, every: float, key: str) -> None:
    text = (
        LEGAL.replace("{name: small}", f"{{name: small, {key}: 5000}}") + "workflow: {checkpoint: true}\n" + checkpoint
    )
    file = written(tmp_path, text)
    document = workload_from_dlio(file, accelerator="h200", nodes=2, accelerators_per_node=8)
    assert document["checkpoint"] == {"size": 80_000, "every": every, "write_within": every}
    rendered = dlio_yaml(document, file, accelerator="h200", accelerators_per_node=8)
    assert "every rank writes its part" in rendered
    assert "no checkpoint section" not in rendered


def test_a_checkpoint_of_unknown_size_is_left_out_with_the_reason(tmp_path: Path) -> None:
    file = written(tmp_path, LEGAL + "workflow: {checkpoint: true}\ncheckpoint: {steps_between_checkpoints: 250}\n")
    document = workload_from_dlio(file, accelerator="v100", nodes=1, accelerators_per_node=1)
    assert "checkpoint" not in document
    assert "model.model_size_bytes" in dlio_yaml(document, file, accelerator="v100", accelerators_per_node=1)


@pytest.mark.parametrize(
    "spelling",
    [
        "0.5",
        "5e-1",
        "{mean: 0.5}",
        "{mean: 0.5, stdev: 0.1, type: normal}",
        "{min: 0.25, max: 0.75, type: uniform}",
        "{shape: 2, scale: 0.25, type: gamma}",
        "{scale: 0.5, type: exponential}",
        "{lam: 0.5, type: poisson}",
    ],
)
def test_a_distribution_of_the_computation_time_counts_with_its_mean(tmp_path: Path, spelling: str) -> None:
    file = written(tmp_path, LEGAL.replace("computation_time: 0.5", f"computation_time: {spelling}"))
    document = workload_from_dlio(file, accelerator="a100", nodes=1, accelerators_per_node=1)
    assert document["epoch"]["compute"] == 50


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("model: U-Net_3D v2", "u-net-3d-v2"),
        ("framework: pytorch", "pytorch"),
        ("model:", "dlio"),
        ("model: {name: '!!!'}", "dlio"),
        (f"model: {'x' * 50}", "x" * 30),
    ],
)
def test_the_name_is_the_models_the_frameworks_or_the_files(tmp_path: Path, model: str, name: str) -> None:
    file = written(tmp_path, LEGAL.replace("model: {name: small}", model))
    assert workload_from_dlio(file, accelerator="a100", nodes=1, accelerators_per_node=1)["name"] == name


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("num_files_train: 1000, ", "", ["dataset.num_files_train", "required"]),
        ("num_files_train: 1000", "num_files_train: 0", ["dataset.num_files_train", "greater than 0", "got 0"]),
        ("num_files_train: 1000", "num_files_train: many", ["dataset.num_files_train", "integer", "'many'"]),
        ("num_files_train: 1000", "num_files_train: 1.5", ["dataset.num_files_train", "integer", "1.5"]),
        ("num_files_train: 1000", "num_files_train: true", ["dataset.num_files_train", "a number", "True"]),
        ("num_files_train: 1000", f"num_files_train: {10**400}", ["dataset.num_files_train"]),
        (", record_length_bytes: 1000000", "", ["dataset.record_length_bytes", "required"]),
        ("record_length_bytes: 1000000", "record_length_bytes: 0", ["dataset.record_length_bytes", "equal to 1"]),
        ("record_length_bytes: 1000000", "record_length: big", ["dataset.record_length", "number", "'big'"]),
        ("record_length_bytes: 1000000", "record_length_bytes: .inf", ["dataset.record_length_bytes", "inf"]),
        ("record_length_bytes: 1000000", "record_length: 1, record_dims: [2, 2]", ["dataset.record_dims", "[2, 2]"]),
        ("{batch_size: 10}", "{}", ["reader.batch_size", "required"]),
        ("batch_size: 10", "batch_size: -4", ["reader.batch_size", "greater than 0", "-4"]),
        ("{batch_size: 10}", "[1, 2]", ["reader", "mapping", "[1, 2]"]),
        ("reader: {batch_size: 10}", "", ["reader", "required"]),
        ("train: {computation_time: 0.5}", "train:", ["train.computation_time", "required"]),
        ("computation_time: 0.5", "computation_time: 0", ["train.computation_time", "greater than", "got 0"]),
        ("computation_time: 0.5", "computation_time: [0.5]", ["train.computation_time", "seconds of one step"]),
        ("computation_time: 0.5", "computation_time: {type: levy, c: 1}", ["train.computation_time", "gamma"]),
        ("computation_time: 0.5", "computation_time: {stdev: 1}", ["train.computation_time", "with mean"]),
        (
            "computation_time: 0.5",
            f"computation_time: {{type: uniform, min: 0, max: {10**400}}}",
            ["train.computation_time", "uniform"],
        ),
        ("computation_time: 0.5", "computation_time: 0.5, epochs: 0", ["train.epochs", "greater than 0"]),
        ("model:", "metric: {au: 90}\nmodel:", ["metric.au", "less than or equal to 1", "90"]),
        ("model:", "workflow: {train: false}\nmodel:", ["workflow.train", "must be true", "False"]),
    ],
)
def test_a_mistake_in_the_file_is_told_with_key_path_value_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, words: list[str]
) -> None:
    assert old in LEGAL
    [line] = told(written(tmp_path, LEGAL.replace(old, new)))
    assert all(word in line for word in words), line


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"accelerator": "a10"}, ["accelerator: ", "v100, a100, h100, h200, b200", "'a10'"]),
        ({"nodes": 10**400}, ["nodes: ", "to 100000"]),
        ({"nodes": 0}, ["nodes: ", "from 1", "got 0"]),
        ({"accelerators_per_node": 9}, ["accelerators_per_node: ", "8 accelerators of a ml.p4d.24xlarge", "got 9"]),
        ({"accelerators_per_node": True}, ["accelerators_per_node: ", "got True"]),
        ({"region": "us-east-9"}, ["region: ", "us-east-1", "'us-east-9'"]),
    ],
)
def test_a_mistake_in_the_cluster_is_told_likewise(tmp_path: Path, options: dict[str, Any], words: list[str]) -> None:
    [line] = told(written(tmp_path, LEGAL), **options)
    assert all(word in line for word in words), line


def test_all_mistakes_of_file_and_cluster_are_told_at_once(tmp_path: Path) -> None:
    lines = told(written(tmp_path, "dataset: {}\ntrain: {computation_time: x}\n"), accelerator="tpu", nodes=-1)
    assert {line.split(": ")[1] for line in lines} == {
        "accelerator",
        "nodes",
        "dataset.num_files_train",
        "dataset.record_length_bytes",
        "reader",
        "train.computation_time",
    }


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty; a DLIO workload file needs dataset, reader and train"),
        (b"- a\n", "must hold a mapping with dataset, reader and train"),
        (b"model: [unclosed\n", "is not YAML in line"),
        (b"\xff\xfe\x00", "is not UTF-8"),
        (b"model: a\nmodel: b\n", "stands here twice"),
        (b"x" * (MAX_FILE_BYTES + 1), "is larger than"),
    ],
)
def test_a_file_that_is_no_dlio_file_is_refused_in_one_line(tmp_path: Path, content: bytes, words: str) -> None:
    [line] = told(written(tmp_path, content))
    assert words in line
    assert told(tmp_path / "absent.yaml")[0].endswith("No such file or directory")


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just({"mean": 1e-9})
KEYS = {
    "model": ["name", "model_size_bytes"],
    "workflow": ["train", "checkpoint"],
    "dataset": ["num_files_train", "num_samples_per_file", "record_length_bytes", "record_dims"],
    "reader": ["batch_size"],
    "train": ["computation_time", "epochs"],
    "metric": ["au"],
    "checkpoint": ["steps_between_checkpoints", "epochs_between_checkpoints"],
}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.fixed_dictionaries(
        {}, optional={name: VALUES | st.dictionaries(st.sampled_from(keys), VALUES) for name, keys in KEYS.items()}
    )
)
def test_no_file_ends_in_anything_but_a_workload_or_its_mistakes(tmp_path: Path, changes: dict[str, Any]) -> None:
    document = yaml.safe_load(LEGAL)
    for name, values in changes.items():
        document[name] = document.get(name, {}) | values if isinstance(values, dict) else values
    file = written(tmp_path, yaml.safe_dump(document))
    with suppress(WorkloadError):
        imported = workload_from_dlio(file, accelerator="a100", nodes=2, accelerators_per_node=8)
        text = dlio_yaml(imported, file, accelerator="a100", accelerators_per_node=8)
        assert Workload.from_mapping(yaml.safe_load(text), source="file")

"""Whatever is wrong in a workload file is told in one message per mistake, all at once."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from epochwise import Workload, WorkloadError
from epochwise.declaration.yaml_file import MAX_FILE_BYTES

LEGAL: dict[str, Any] = {
    "name": "legal",
    "dataset": {"size": "100 GB"},
    "epoch": {"target": "30 s"},
    "cluster": {"instance_type": "ml.p4d.24xlarge", "nodes": 4},
}


def with_value(path: str, value: object) -> dict[str, Any]:
    """Return the legal workload with one key set, or with `...` removed."""
    *sections, key = path.split(".")
    document: dict[str, Any] = {name: dict(part) if isinstance(part, dict) else part for name, part in LEGAL.items()}
    target = document
    for section in sections:
        target = target.setdefault(section, {})
    if value is ...:
        del target[key]
    else:
        target[key] = value
    return document


def told(document: Any) -> list[str]:
    """Return the messages for a document."""
    with pytest.raises(WorkloadError) as caught:
        Workload.from_mapping(document, source="file")
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("name", "Guide", ["name", "'Guide'", "[a-z0-9"]),
        ("name", "x" * 31, ["name", "30"]),
        ("name", ..., ["name", "required"]),
        ("region", "us-east-9", ["region", "'us-east-9'", "us-east-1"]),
        ("dataset.size", "100 XB", ["dataset.size", "'100 XB'", "GB"]),
        ("dataset.size", "100 Gb", ["dataset.size", "bits"]),
        ("dataset.size", "-5 GB", ["dataset.size", "'-5 GB'", "greater than 0"]),
        ("dataset.size", 0, ["dataset.size", "greater than 0"]),
        ("dataset.size", float("inf"), ["dataset.size", "inf"]),
        ("dataset.size", 10**22, ["dataset.size", "1000000000000000000000"]),
        ("epoch.target", 1e-320, ["epoch.target", "0.000000001"]),
        ("cluster.price_per_node_hour", 1e308, ["cluster.price_per_node_hour", "1000000"]),
        ("watch.using", "profiler", ["watch.using", "must be a list", "'profiler'"]),
        ("file_system", {"deployment_types": ["PERSISTENT_2"], "storage_type": "HDD"}, ["storage_type", "got 'HDD'"]),
        ("dataset.size", True, ["dataset.size", "True"]),
        ("dataset.size", ..., ["dataset.size", "required"]),
        ("dataset.sise", "1 GB", ["dataset.sise", "unknown key", "did you mean size"]),
        ("dataset.files", 0, ["dataset.files", "greater than 0"]),
        ("dataset.files", 1.5, ["dataset.files", "1.5", "integer"]),
        ("dataset.source", "bucket/prefix", ["dataset.source", "'bucket/prefix'", "s3://"]),
        ("dataset.measured_on", "yesterday", ["dataset.measured_on", "'yesterday'", "YYYY-MM-DD"]),
        ("dataset.measured_on", 20261009, ["dataset.measured_on", "20261009", "YYYY-MM-DD"]),
        ("dataset.measured_on", datetime(2026, 10, 9), ["dataset.measured_on", "YYYY-MM-DD"]),  # noqa: DTZ001 - as YAML reads it
        ("dataset.compression_ratio", 0.5, ["dataset.compression_ratio", "0.5", "1"]),
        ("epoch.target", "30 parsecs", ["epoch.target", "'30 parsecs'", "30 s"]),
        ("epoch.target", -1, ["epoch.target", "-1", "greater than"]),
        ("epoch.target", float("nan"), ["epoch.target", "nan"]),
        ("epoch.count", 0, ["epoch.count", "greater than 0"]),
        ("epoch.tolerance", -0.1, ["epoch.tolerance", "-0.1"]),
        ("cluster.instance_type", "ml.p4d.24xlarg", ["cluster.instance_type", "near: ml.p4d.24xlarge"]),
        ("cluster.instance_type", "p4d.24xlarge", ["cluster", "SageMaker", "ml.p4d.24xlarge", "ec2"]),
        ("cluster.instance_type", "ml.hpc7a.96xlarge", ["cluster", "SageMaker trains on"]),
        ("cluster.nodes", 0, ["cluster.nodes", "got 0", "greater than 0"]),
        ("cluster.nodes", "four", ["cluster.nodes", "'four'", "integer"]),
        ("cluster.platform", "eks", ["cluster.platform", "'eks'", "'sagemaker' or 'ec2'"]),
        ("cluster.availability_zone", "us-west-2a", ["cluster.availability_zone", "us-east-1a", "'us-west-2a'"]),
        ("cluster.availability_zone", "euw1-az2", ["cluster.availability_zone", "use1-az2", "'euw1-az2'"]),
        ("cluster.availability_zone", "us-east-1", ["cluster.availability_zone", "use1-az4", "'us-east-1'"]),
        ("cluster.availability_zone", 0, ["cluster.availability_zone", "got 0"]),
        ("cluster.page_cache", "-1 GB", ["cluster.page_cache", "'-1 GB'"]),
        ("checkpoint", {"size": "1 GB", "every": "1 min"}, ["checkpoint.write_within", "required"]),
        ("checkpoint", {"size": "1 GB", "every": "1 min", "write_within": "2 min"}, ["checkpoint", "120 s", "60 s"]),
        ("training", {"image": "an image"}, ["training.image"]),
        ("training", {"image": "i", "entry_point": "train.py"}, ["together", "got entry_point train.py alone"]),
        ("training", {"image": "i", "source": "s3://code/a.tar.gz"}, ["got source s3://code/a.tar.gz alone"]),
        ("training", {"image": "i", "hyperparameters": {"sagemaker_program": 1}}, ["sagemaker_program"]),
        ("training", 5, ["training", "mapping", "5"]),
        ("watch.rules", ["Cpu"], ["watch.rules.0", "'Cpu'", "CpuBottleneck"]),
        ("watch.rules", ["LoadBalancing", "LoadBalancing"], ["watch.rules", "twice", "LoadBalancing"]),
        ("file_system.deployment_types", [], ["file_system.deployment_types", "at least one", "PERSISTENT_2"]),
        ("file_system.deployment_types", ["SCRATCH_3"], ["SCRATCH_3", "PERSISTENT_2"]),
        (
            "file_system",
            {"deployment_types": ["PERSISTENT_2"], "storage_capacity_gib": 3600},
            ["file_system.storage_capacity_gib", "3600", "nearest legal: 2400 or 4800"],
        ),
        ("file_system.per_unit_storage_throughput", 333, ["per_unit_storage_throughput", "333", "250 or 500"]),
        ("file_system.storage_quota_gib", 0, ["file_system.storage_quota_gib"]),
    ],
)
def test_a_mistake_is_told_with_key_path_value_and_what_is_allowed(path: str, value: object, words: list[str]) -> None:
    document = with_value(path, value)
    lines = told(document)
    assert len(lines) == 1
    assert all(word in lines[0] for word in words), (lines, words)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"lr": float("nan")}, "lr"),
        ({"lr": [1, float("inf")]}, "lr.1"),
        ({"a": {"b": float("nan")}}, "a.b"),
        ({"list": [float("nan")]}, "list.0"),
        ({"float": {"dict": float("nan")}}, "float.dict"),
    ],
)
def test_the_path_to_a_hyperparameter_is_the_declarations_own(given: dict[str, Any], path: str) -> None:
    [line] = told(with_value("training", {"image": "i", "hyperparameters": given}))
    assert line.startswith(f"file: training.hyperparameters.{path}: must be a finite number, got ")


@pytest.mark.parametrize(
    ("entry_point", "nearest"),
    [
        ("/etc/passwd", "passwd"),
        ("../train.py", "train.py"),
        ("code/", "code"),
        ("a/..", "train.py"),
        ("/", "train.py"),
    ],
)
def test_an_entry_point_outside_the_archive_is_refused(entry_point: str, nearest: str) -> None:
    training = {"image": "i", "source": "s3://code/a.tar.gz"}
    [line] = told(with_value("training", training | {"entry_point": entry_point}))
    assert line.startswith("file: training.entry_point: must be the path of a script inside the archive of source, ")
    assert line.endswith(f"such as {nearest}, got {entry_point!r}")
    inside = with_value("training", training | {"entry_point": "code/..train.py"})
    assert Workload.from_mapping(inside, source="file").training is not None


def test_a_rule_about_several_keys_says_their_values_and_not_the_whole_section() -> None:
    [line] = told(with_value("cluster.instance_type", "p4d.24xlarge"))
    assert line.endswith("or platform must be ec2; instance_type is p4d.24xlarge [INSTANCE_TYPE_NOT_IN_SAGEMAKER]")


def test_all_mistakes_are_told_at_once_also_across_sections() -> None:
    document = with_value("dataset.size", "much")
    document["name"] = "Upper"
    document["cluster"] = {"instance_type": "ml.p4d.24xlarge", "nodes": 0, "availability_zone": "us-east-1a"}
    document["file_system"] = {"deployment_types": ["SCRATCH_2"], "efa_enabled": True}
    lines = told(document)
    assert {line.split(": ")[1] for line in lines} == {
        "name",
        "dataset.size",
        "cluster.nodes",
        "file_system.efa_enabled",
    }


def test_a_pin_that_the_region_does_not_offer_names_the_region() -> None:
    document = with_value("region", "me-south-1")
    document["file_system"] = {"deployment_types": ["PERSISTENT_2"]}
    assert "in me-south-1" in told(document)[0]


def test_a_capacity_above_the_quota_is_refused_with_the_quota() -> None:
    document = with_value("file_system", {"deployment_types": ["PERSISTENT_2"], "storage_capacity_gib": 103_200})
    assert "100800 GiB" in told(document)[0]


def test_validation_from_python_raises_pydantics_own_error() -> None:
    with pytest.raises(ValidationError):
        Workload.model_validate(with_value("cluster.nodes", 0))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"# nothing\n", "is empty"),
        (b"- a\n- b\n", "must hold a mapping"),
        (b"name: [unclosed\n", "is not YAML in line"),
        (b"\xff\xfe\x00", "is not UTF-8"),
        (b"a: 1\x00", "is not YAML"),
        (b"name: a\nname: b\n", "stands here twice"),
        (b"name: !!python/object:os.system {}\n", "is not YAML in line"),
        (
            b"name: 2001-99-99\n",
            "is not YAML in line 1, column 7: '2001-99-99' looks like a day or a number and is none",
        ),
        (b"name: a\nnodes: " + b"9" * 5000, "in line 2, column 8: a whole number of 5000 digits is longer than any"),
        (b"[" * 5000, "nested too deeply"),
        (b"x" * (MAX_FILE_BYTES + 1), "is larger than"),
    ],
)
def test_a_file_that_is_no_workload_is_refused_in_one_line(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "workload.yaml"
    file.write_bytes(content)
    with pytest.raises(WorkloadError) as caught:
        Workload.from_file(file)
    message = str(caught.value)
    assert words in message
    assert str(file) in message
    assert "\n" not in message


def test_a_missing_file_and_a_folder_are_refused_in_one_line(tmp_path: Path) -> None:
    cases: list[tuple[str | Path, str]] = [
        ("", "^'': must name a file, such as workloads/guide.yaml, got nothing$"),
        (tmp_path / "absent.yaml", "No such file"),
        (tmp_path, "Is a directory"),
        ("a\0b", "null"),
    ]
    for path, words in cases:
        with pytest.raises(WorkloadError, match=words):
            Workload.from_file(path)


def test_a_bomb_of_aliases_ends_in_a_short_message(tmp_path: Path) -> None:
    file = tmp_path / "bomb.yaml"
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    file.write_text("\n".join(lines))
    with pytest.raises(WorkloadError) as caught:
        Workload.from_file(file)
    assert len(str(caught.value)) < 20_000


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*LEGAL, "size", "nodes", "x"]), inner)
        ),
        max_leaves=8,
    )
)
def test_no_document_ends_in_anything_but_a_workload_or_its_mistakes(document: Any) -> None:
    if isinstance(document, dict):
        document = LEGAL | document
    with suppress(WorkloadError):
        assert Workload.from_mapping(document, source="file").name

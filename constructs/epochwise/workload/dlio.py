"""Turn a workload file of DLIO, the benchmark behind MLPerf Storage, into a workload of ours.

One accelerator asks for batch × record bytes ÷ computation time. That is declared as the epoch which the accelerators
compute when they never wait: samples ÷ (accelerators × batch) × computation time, both its length and its target.
Source: DLIO's configuration page (docs/source/config.rst of argonne-lcf/dlio_benchmark).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import ValidationError

from epochwise.catalog.instance_types import instance_type
from epochwise.catalog.regions import regions
from epochwise.declaration.mistake import Mistake, mistakes
from epochwise.declaration.quantity_text import size_text
from epochwise.declaration.yaml_file import UnreadableFileError, read_yaml_mapping
from epochwise.workload.dlio_file import DlioFile
from epochwise.workload.model import Workload, WorkloadError


class _Node(NamedTuple):
    """The instance type that stands for an accelerator."""

    instance_type: str
    reason: str


NODES = {
    "v100": _Node("ml.p3dn.24xlarge", "the V100 type with 100 Gbps of network; p3.16xlarge has a quarter of it"),
    "a100": _Node("ml.p4d.24xlarge", "eight A100 of 40 GB; p4de differs in GPU memory alone"),
    "h100": _Node("ml.p5.48xlarge", "eight H100; p5.4xlarge has one"),
    "h200": _Node("ml.p5en.48xlarge", "eight H200 on the newer network card of the two H200 types"),
    "b200": _Node("ml.p6-b200.48xlarge", "the only type with eight B200"),
}
"""By the accelerator's name in DLIO's file names."""

MOST_NODES = 100_000
"""More than any cluster has; a larger number is a slip."""


@dataclass(frozen=True)
class _Cluster:
    """What a DLIO file does not say: where it runs."""

    accelerator: str
    nodes: int
    accelerators_per_node: int
    region: str

    def mistakes(self) -> list[Mistake]:
        """Return what is wrong with it."""
        found = []
        node = NODES.get(self.accelerator)
        if node is None:
            found.append(Mistake("accelerator", f"must be one of {', '.join(NODES)}", self.accelerator))
        limit = _accelerators(node.instance_type) if node else None
        for key in ("nodes", "accelerators_per_node"):
            value = getattr(self, key)
            if type(value) is not int or not 1 <= value <= MOST_NODES:
                found.append(Mistake(key, f"must be a whole number from 1 to {MOST_NODES}", value))
            elif node and limit is not None and key == "accelerators_per_node" and value > limit:
                allowed = f"must not exceed the {limit} accelerators of a {node.instance_type}; use more nodes"
                found.append(Mistake(key, allowed, value))
        if self.region not in regions():
            allowed = f"must be a Region that has FSx for Lustre: {', '.join(sorted(regions()))}"
            found.append(Mistake("region", allowed, self.region))
        return found


def workload_from_dlio(
    path: str | Path,
    *,
    accelerator: str,
    nodes: int,
    accelerators_per_node: int,
    region: str = "us-east-1",
    at_au: bool = False,
) -> dict[str, Any]:
    """Return the workload document of a DLIO file on a cluster, ready for `Workload.from_mapping`.

    Args:
        path: the DLIO workload file, YAML.
        accelerator: v100, a100, h100, h200 or b200; decides the instance type.
        nodes: how many nodes train.
        accelerators_per_node: how many accelerators of each node train, at most what the type has.
        region: where the file system is priced.
        at_au: let the accelerators wait as long as the benchmark passes, at the utilisation in metric.au; without it
            they never wait.

    Raises:
        WorkloadError: with every mistake of the file and of the arguments.
    """
    cluster = _Cluster(accelerator, nodes, accelerators_per_node, region)
    dlio = _read(path, cluster.mistakes(), at_au=at_au)
    accelerators = nodes * accelerators_per_node
    samples = dlio.dataset.num_files_train * dlio.dataset.num_samples_per_file
    epoch_s = _six_digits(samples / (accelerators * dlio.reader.batch_size) * dlio.train.computation_time)
    epoch: dict[str, Any] = {
        "target": epoch_s,
        "count": dlio.train.epochs,
        "compute": epoch_s,
    }
    if at_au and dlio.metric.au is not None:
        epoch["tolerance"] = round(1 / dlio.metric.au - 1, 6)
    document: dict[str, Any] = {
        "name": dlio.workload_name(Path(path).stem),
        "region": region,
        "dataset": {
            "size": round(samples * dlio.dataset.record_bytes),
            "files": dlio.dataset.num_files_train,
            "samples": samples,
        },
        "epoch": epoch,
        "cluster": {"instance_type": NODES[accelerator].instance_type, "nodes": nodes},
    }
    per_rank, every_s = dlio.checkpoint_bytes_per_rank, dlio.checkpoint_every_s(epoch_s)
    if per_rank is not None:
        document["checkpoint"] = {
            "size": round(per_rank * accelerators),
            "every": every_s,
            "write_within": every_s,
        }
    Workload.from_mapping(document, source=str(path))
    return document


def dlio_yaml(document: dict[str, Any], path: str | Path, *, accelerator: str, accelerators_per_node: int) -> str:
    """Render what `workload_from_dlio` returned as a workload file whose comments say where each value comes from.

    Raises:
        WorkloadError: the DLIO file can no longer be read.
    """
    nodes = document["cluster"]["nodes"]
    cluster = _Cluster(accelerator, nodes, accelerators_per_node, document["region"])
    dlio = _read(path, cluster.mistakes(), at_au=False)
    lines = [
        *_comment(
            f"From the DLIO file {Path(path).name}, on {nodes} nodes with {accelerators_per_node} {accelerator}.", ""
        ),
        f"# One accelerator reads {dlio.mbps_per_accelerator:.4g} MB/s: batch × record bytes ÷ computation time.",
    ]
    notes = _notes(document, dlio, accelerator, accelerators_per_node)
    for key, value in document.items():
        if not isinstance(value, dict):
            lines += [*_comment(notes.get(key), ""), f"{key}: {_scalar(value)}"]
            continue
        lines += [*_comment(notes.get(key), ""), f"{key}:"]
        for inner, item in value.items():
            lines += [*_comment(notes.get(f"{key}.{inner}"), "  "), f"  {inner}: {_scalar(item)}"]
    if "checkpoint" not in document:
        lines += _comment(f"no checkpoint section: {dlio.why_no_checkpoint}", "")
    return "\n".join(lines) + "\n"


def _read(path: str | Path, found: list[Mistake], *, at_au: bool) -> DlioFile:
    """Read a DLIO file, or raise all its mistakes after those found already."""
    source = str(path)
    dlio: DlioFile | None = None
    document: dict[str, Any] = {}
    try:
        document = read_yaml_mapping(Path(path), kind="DLIO workload file", holds="dataset, reader and train")
        dlio = DlioFile.model_validate(document)
    except UnreadableFileError as error:
        source, _, reason = str(error).partition(": ")
        found = [*found, Mistake("", reason)]
    except ValidationError as error:
        found = [*found, *mistakes(error, DlioFile, document)]
    if dlio is not None and at_au and dlio.metric.au is None:
        found = [*found, Mistake("metric.au", "is required and missing: without it there is no pass mark to wait for")]
    if found or dlio is None:
        raise WorkloadError(source, found)
    return dlio


def _notes(document: dict[str, Any], dlio: DlioFile, accelerator: str, per_node: int) -> dict[str, str]:
    """Return where each value comes from, by its key path."""
    dataset, reader, train = dlio.dataset, dlio.reader, dlio.train
    node, accelerators = NODES[accelerator], document["cluster"]["nodes"] * per_node
    spread = ""
    if dataset.record_length_bytes_stdev:
        spread = (
            f"; records vary by a standard deviation of {size_text(dataset.record_length_bytes_stdev)}, the mean counts"
        )
    notes = {
        "region": "not in the DLIO file: decides prices and what FSx offers",
        "dataset.size": f"files × samples × {dataset.record_bytes:.10g} bytes a record{spread}",
        "dataset.files": "dataset.num_files_train",
        "dataset.samples": f"num_files_train × num_samples_per_file ({dataset.num_samples_per_file})",
        "epoch.target": "as compute: the accelerators never wait",
        "epoch.count": "train.epochs",
        "epoch.compute": f"samples ÷ ({accelerators} accelerators × batch {reader.batch_size}) × computation_time "
        f"{train.computation_time:g} s",
        "cluster.instance_type": f"stands for {accelerator}: {node.reason}",
        "cluster.nodes": f"not in the DLIO file; {per_node} of {_accelerators(node.instance_type)} accelerators each",
        "checkpoint.size": f"model_size_bytes × {accelerators} accelerators: every rank writes its part",
        "checkpoint.every": dlio.checkpoint_interval_source,
        "checkpoint.write_within": "DLIO allows any time: before the next one is due",
    }
    if "tolerance" in document["epoch"]:
        notes["epoch.tolerance"] = f"1 ÷ metric.au {dlio.metric.au:g} − 1: the benchmark passes at this utilisation"
    return notes


def _accelerators(name: str) -> int:
    """Return how many accelerators a type of the table has."""
    found = instance_type(name)
    assert found is not None  # noqa: S101 - a test holds the table against the catalog
    return found.accelerators


def _six_digits(value: float) -> float:
    """Return a number rounded to six digits.

    >>> _six_digits(90.2759999)
    90.276
    """
    return float(f"{value:.6g}")


def _scalar(value: object) -> str:
    """Render one value as YAML."""
    return str(yaml.safe_dump(value, allow_unicode=True)).removesuffix("...\n").strip()


def _comment(text: str | None, indent: str) -> list[str]:
    """Return a comment line, none without text."""
    return [] if text is None else [f"{indent}# {' '.join(text.split())}"]

"""Random workloads for property tests."""

from typing import Any

from hypothesis import strategies as st

from epochwise import Workload

INSTANCE_TYPES = [
    "ml.p4d.24xlarge",
    "ml.p5.48xlarge",
    "ml.g5.2xlarge",
    "ml.trn1.32xlarge",
    "ml.c5n.18xlarge",
    "ml.m5.large",
]
REGIONS = ["us-east-1", "eu-west-1", "me-south-1", "il-central-1", "ca-west-1", "ap-northeast-1"]


def checkpoints() -> st.SearchStrategy[dict[str, Any] | None]:
    """Checkpoints whose time to write fits between them."""
    return st.none() | st.builds(
        lambda size, every, share, keep: {"size": size, "every": every, "write_within": every * share, "keep": keep},
        st.integers(10**8, 10**13),
        st.floats(10, 7200),
        st.floats(0.01, 1),
        st.integers(1, 10),
    )


def documents() -> st.SearchStrategy[dict[str, Any]]:
    """Workload documents over five orders of magnitude of size, target and nodes, mostly without pins."""
    return st.fixed_dictionaries(
        {
            "name": st.just("random"),
            "region": st.sampled_from(REGIONS),
            "dataset": st.fixed_dictionaries(
                {
                    "size": st.floats(6, 14.3).map(lambda power: int(10**power)),
                    "files": st.none() | st.floats(0, 8).map(lambda power: int(10**power)),
                    "source": st.none() | st.just("s3://bucket/prefix/"),
                    "compression_ratio": st.just(1.0) | st.floats(1, 4),
                }
            ),
            "epoch": st.fixed_dictionaries(
                {
                    "target": st.floats(0.5, 4.5).map(lambda power: 10**power),
                    "tolerance": st.just(0.0) | st.floats(0, 1),
                }
            ),
            "cluster": st.one_of(
                st.fixed_dictionaries({"instance_type": st.sampled_from(INSTANCE_TYPES), "nodes": st.integers(1, 200)}),
                st.fixed_dictionaries(
                    {
                        "instance_type": st.sampled_from(["p5.48xlarge", "trn2.48xlarge", "g6e.48xlarge"]),
                        "nodes": st.integers(1, 200),
                        "platform": st.just("ec2"),
                    }
                ),
            ),
            "checkpoint": checkpoints(),
            "file_system": st.just({})
            | st.just({"storage_quota_gib": 250_000})
            | st.just({"efa_enabled": False})
            | st.sampled_from([["SCRATCH_2"], ["PERSISTENT_2"], ["PERSISTENT_1", "SCRATCH_1"]]).map(
                lambda types: {"deployment_types": types}
            ),
        }
    )


def workloads() -> st.SearchStrategy[Workload]:
    """Valid workloads; pins that a Region does not offer are dropped."""

    def valid(document: dict[str, Any]) -> Workload:
        pins = document["file_system"]
        if pins.get("deployment_types") and document["region"] in {"me-south-1", "ca-west-1"}:
            document = document | {"file_system": {}}
        return Workload.model_validate(document)

    return documents().map(valid)

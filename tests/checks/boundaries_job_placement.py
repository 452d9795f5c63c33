"""Boundaries of what is said about a job beside the network and the file system that it is given."""

from functools import partial
from typing import Any

from epochwise.checks import job_placement as placement
from epochwise.checks.bucket_link import BucketLink
from epochwise.checks.emitted_request import request_needs_recent_sdk
from tests.checks.boundaries import Row
from tests.checks.test_training_option_findings import trained

EAST, WEST = "us-east-1", "us-west-2"
SOURCE = "s3://data/guide/"


def _link(prefix: str = "guide/", path: str = "/", bucket: str = "data") -> BucketLink:
    return BucketLink(bucket, prefix, path, (), ())


def _nodes(declared_type: str = "ml.p4d.24xlarge", declared_nodes: int = 4, network_nodes: int = 4) -> Any:
    return partial(
        placement.network_for_other_nodes,
        declared_type=declared_type,
        declared_nodes=declared_nodes,
        network_type="p4d.24xlarge",
        network_nodes=network_nodes,
    )


def _linked(*links: BucketLink) -> Any:
    return partial(placement.dataset_not_linked, SOURCE, links)


def _elsewhere(path: str, *links: BucketLink) -> Any:
    return partial(placement.dataset_elsewhere, SOURCE, path, links)


ROWS = (
    Row(
        "WORKLOAD_OF_OTHER_REGION",
        partial(placement.workload_of_other_region, EAST, WEST),
        "deployed to us-west-2",
    ),
    Row("WORKLOAD_OF_OTHER_REGION", partial(placement.workload_of_other_region, EAST, EAST), None),
    Row("FILE_SYSTEM_OF_OTHER_VPC", partial(placement.file_system_of_other_vpc, "a", "b", differ=True), "in vpc a"),
    Row("FILE_SYSTEM_OF_OTHER_VPC", partial(placement.file_system_of_other_vpc, "a", "b", differ=False), None),
    Row(
        "FILE_SYSTEM_IN_OTHER_SUBNET", partial(placement.file_system_in_other_subnet, "a", "b", differ=True), "subnet a"
    ),
    Row("FILE_SYSTEM_IN_OTHER_SUBNET", partial(placement.file_system_in_other_subnet, "a", "b", differ=False), None),
    Row("NETWORK_FOR_OTHER_NODES", _nodes(declared_nodes=5), "declares 5 × ml.p4d.24xlarge"),
    Row("NETWORK_FOR_OTHER_NODES", _nodes("ml.p5.48xlarge"), "declares 4 × ml.p5.48xlarge"),
    Row("NETWORK_FOR_OTHER_NODES", _nodes(), None),
    Row("NETWORK_FOR_OTHER_NODES", _nodes(declared_nodes=3), None),
    Row("FILE_SYSTEM_CLIENTS_UNSEEN", partial(placement.file_system_clients_unseen, "a", unseen=True), "file_system a"),
    Row("FILE_SYSTEM_CLIENTS_UNSEEN", partial(placement.file_system_clients_unseen, "a", unseen=False), None),
    Row(
        "PLAN_OF_OTHER_FILE_SYSTEM",
        partial(placement.plan_of_other_file_system, {"storage_capacity_gib": (4800, 1200)}),
        "storage_capacity_gib 4800 planned and 1200 built",
    ),
    Row("PLAN_OF_OTHER_FILE_SYSTEM", partial(placement.plan_of_other_file_system, {}), None),
    Row("STORAGE_CEILING_UNKNOWN", partial(placement.storage_ceiling_unknown, unknown=True), "holds StorageBottleneck"),
    Row("STORAGE_CEILING_UNKNOWN", partial(placement.storage_ceiling_unknown, unknown=False), None),
    Row("DATASET_NOT_LINKED", _linked(), "linked to no bucket"),
    Row("DATASET_NOT_LINKED", _linked(_link("guide/train/")), "linked to s3://data/guide/train/"),
    Row("DATASET_NOT_LINKED", _linked(_link(bucket="other")), "linked to s3://other/guide/"),
    Row("DATASET_NOT_LINKED", _linked(_link(bucket="other"), _link()), None),
    Row("DATASET_NOT_LINKED", _linked(_link("")), None),
    Row("DATASET_ELSEWHERE", _elsewhere("/", _link(path="/data")), "linked to /data of the file system"),
    Row("DATASET_ELSEWHERE", _elsewhere("/database", _link(path="/data")), "mounts /database"),
    Row("DATASET_ELSEWHERE", _elsewhere("/data/other", _link("", "/data")), "linked to /data/guide of"),
    Row("DATASET_ELSEWHERE", _elsewhere("/data", _link("", "/data")), "mounts /data of it"),
    Row("DATASET_ELSEWHERE", _elsewhere("/other", _link("", "/")), "linked to /guide of"),
    Row("DATASET_ELSEWHERE", _elsewhere("/data/guide", _link("", "/data")), None),
    Row("DATASET_ELSEWHERE", _elsewhere("/data/guide/train", _link("", "/data/")), None),
    Row("DATASET_ELSEWHERE", _elsewhere("/data", _link(path="/data")), None),
    Row("DATASET_ELSEWHERE", _elsewhere("/data/train", _link(path="/data")), None),
    Row("DATASET_ELSEWHERE", _elsewhere("/train", _link(path="/")), None),
    Row("DATASET_ELSEWHERE", _elsewhere("/"), None),
    Row(
        "CODE_BUCKET_WITHOUT_SOURCE",
        partial(placement.code_bucket_without_source, None, given=True),
        "training.source, whose key it would hold, is not declared",
    ),
    Row("CODE_BUCKET_WITHOUT_SOURCE", partial(placement.code_bucket_without_source, None, given=False), None),
    Row("CODE_BUCKET_WITHOUT_SOURCE", partial(placement.code_bucket_without_source, SOURCE, given=True), None),
    Row("REQUEST_NEEDS_RECENT_SDK", lambda: request_needs_recent_sdk(trained()), "made for botocore 1."),
)

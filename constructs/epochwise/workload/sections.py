"""The sections about data, nodes and the file system, each validated on its own."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from epochwise.catalog.assumptions import HYDRATION_SECONDS_PER_FILE, PRELOAD_STREAMS_PER_NODE
from epochwise.catalog.fsx_lustre import DeploymentType, DriveCacheType, StorageType
from epochwise.catalog.instance_types import SAGEMAKER_PREFIX, InstanceType, instance_type, similar_instance_types
from epochwise.catalog.legality import Wanted
from epochwise.catalog.units import gib_from_bytes
from epochwise.catalog.zones import ZONE_HELP, ZONE_PATTERN, is_zone
from epochwise.declaration.day import Day
from epochwise.declaration.quantity import DurationS, SizeBytes
from epochwise.workload.s3_address import MAX_S3_URI, S3_URI_PATTERN, in_a_bucket

S3Uri = Annotated[str, Field(pattern=S3_URI_PATTERN, max_length=MAX_S3_URI), AfterValidator(in_a_bucket)]
MAX_BYTES = 10**21
MIN_SECONDS, MAX_SECONDS = 1e-9, 1e10
MAX_USD = 1e6
"""Bounds far beyond what anyone trains on, within which every figure of a plan stays finite."""
Count = Annotated[int, Field(gt=0, le=10**15, strict=True)]
"""A whole number from 1."""


class Section(BaseModel):
    """A part of the declaration: frozen, and no key passes unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class Hydration(Section):
    """How linked S3 data arrives: assumed, since AWS publishes no rate."""

    seconds_per_file: Annotated[DurationS, Field(ge=0, le=MAX_SECONDS)] = HYDRATION_SECONDS_PER_FILE
    """Seconds that one reader waits for one cold file."""
    readers_per_node: Count | None = None
    """Files that a node reads side by side while it trains; one per accelerator by default."""
    preload_streams_per_node: Count = PRELOAD_STREAMS_PER_NODE
    """Files that a node preloads side by side."""
    mbps: Annotated[float, Field(ge=1e-3, le=1e9)] | None = None
    """Most that arrives from S3, MB/s; by default what the disks take."""


class Dataset(Section):
    """What is read once per epoch."""

    size: Annotated[SizeBytes, Field(gt=0, le=MAX_BYTES)]
    """Bytes."""
    files: Count | None = None
    """Number of files; samples default to it. Without it metadata rates are not sized."""
    samples: Count | None = None
    """Number of samples; the number of files by default."""
    source: S3Uri | None = None
    """Where the data lies in S3; it is linked to the file system, import only."""
    measured_on: Day | None = None
    """The day on which size and files were measured, as `epochwise measure --write` notes it."""
    hydration: Hydration = Field(default_factory=Hydration.model_construct)
    compression_ratio: Annotated[float, Field(ge=1, le=100)] = 1.0
    """Uncompressed over compressed size on the file system; LZ4 is switched on above 1."""
    working_set: Annotated[SizeBytes, Field(gt=0, le=MAX_BYTES)] | None = None
    """Bytes whose re-reads share the servers' cache, where measured; the size by default: every sample once an epoch,
    in a fresh random order."""

    @field_validator("source")
    @classmethod
    def _can_be_linked(cls, uri: str | None) -> str | None:
        """Refuse prefixes that FSx links to no folder (FSx API, ArchivePath)."""
        parts = [] if uri is None else uri.removeprefix("s3://").rstrip("/").split("/")
        if any(part in {"", ".", ".."} for part in parts):
            raise ValueError("must hold no empty parts, . or ..")
        return uri

    @property
    def sample_count(self) -> int | None:
        """Samples as declared, else one per file, else unknown."""
        return self.files if self.samples is None else self.samples


class Epoch(Section):
    """How long one pass over the dataset may take."""

    target: Annotated[DurationS, Field(ge=MIN_SECONDS, le=MAX_SECONDS)]
    """Seconds."""
    count: Count = 1
    """Epochs of one training run."""
    compute: Annotated[DurationS, Field(ge=MIN_SECONDS, le=MAX_SECONDS)] | None = None
    """Seconds that an epoch computes on the declared nodes when data is always there."""
    tolerance: Annotated[float, Field(ge=0, le=10)] = 0.0
    """Share by which the steady epoch may miss the target."""

    @property
    def limit_s(self) -> float:
        """Seconds that the steady epoch may take."""
        return self.target * (1 + self.tolerance)


class Cluster(Section):
    """The nodes that train."""

    instance_type: str
    """As the platform spells it: ml.p4d.24xlarge in SageMaker, p4d.24xlarge in EC2."""
    nodes: Count
    """Nodes of that type."""
    platform: Literal["sagemaker", "ec2"] = "sagemaker"
    """Decides who may mount over EFA, and whether there is a SageMaker training job."""
    availability_zone: Annotated[str, Field(json_schema_extra={"pattern": ZONE_PATTERN})] | None = None
    """By name, or by id, which means the same place in every account."""
    page_cache: Annotated[SizeBytes, Field(ge=0, le=MAX_BYTES)] = 0
    """Bytes of RAM per node that may be counted as cache."""
    price_per_node_hour: Annotated[float, Field(ge=0, le=MAX_USD)] | None = None
    """USD of one node for one hour."""
    free_addresses: Count | None = None
    """IP addresses free in the subnet, for nodes and file servers; those of a /17 by default."""

    @field_validator("instance_type")
    @classmethod
    def _exists(cls, name: str) -> str:
        if instance_type(name) is None:
            near = similar_instance_types(name, sagemaker=name.startswith(SAGEMAKER_PREFIX))
            hint = f"; near: {', '.join(near)}" if near else ""
            raise ValueError(
                f"must be an instance type that exists, such as ml.p4d.24xlarge{hint} [INSTANCE_TYPE_UNKNOWN]"
            )
        return name

    @field_validator("availability_zone")
    @classmethod
    def _is_zone(cls, zone: str | None) -> str | None:
        if zone is not None and not is_zone(zone):
            raise ValueError(f"must be {ZONE_HELP}")
        return zone

    @model_validator(mode="after")
    def _fits_platform(self) -> Self:
        if self.platform == "sagemaker" and not (
            self.instance_type.startswith(SAGEMAKER_PREFIX) and self.instance.sagemaker_training
        ):
            near = similar_instance_types(self.instance_type, sagemaker=True)
            raise ValueError(
                "instance_type must be one that SageMaker trains on, "
                f"such as {', '.join(near or ['ml.p4d.24xlarge'])}, "
                f"or platform must be ec2; instance_type is {self.instance_type} [INSTANCE_TYPE_NOT_IN_SAGEMAKER]"
            )
        if gib_from_bytes(self.page_cache) > self.instance.memory_gib:
            raise ValueError(
                f"page_cache must not exceed the {self.instance.memory_gib:g} GiB of a {self.instance_type}, "
                f"got {gib_from_bytes(self.page_cache):.0f} GiB"
            )
        return self

    @property
    def instance(self) -> InstanceType:
        """The catalog's row of the instance type."""
        found = instance_type(self.instance_type)
        assert found is not None  # noqa: S101 - the validator refused unknown names
        return found


class Checkpoint(Section):
    """What training writes."""

    size: Annotated[SizeBytes, Field(gt=0, le=MAX_BYTES)]
    """Bytes of one checkpoint."""
    every: Annotated[DurationS, Field(ge=MIN_SECONDS, le=MAX_SECONDS)]
    """Seconds between checkpoints."""
    write_within: Annotated[DurationS, Field(ge=MIN_SECONDS, le=MAX_SECONDS)]
    """Seconds that writing one may take."""
    keep: Count = 1
    """Checkpoints on the file system at one time."""

    @model_validator(mode="after")
    def _written_before_next(self) -> Self:
        if self.write_within > self.every:
            raise ValueError(
                "write_within must not exceed every, or checkpoints pile up; "
                f"got {self.write_within:g} s and {self.every:g} s"
            )
        return self


class Objective(StrEnum):
    """What a plan looks for."""

    MEET_TARGET = "meet-target"
    """The cheapest file system a month that meets the epoch target."""
    CHEAPEST_CAMPAIGN = "cheapest-campaign"
    """The cheapest run of all epochs, file system and waiting accelerators together; the target is ignored."""


class FileSystem(Section):
    """Pins, each of which narrows the search, and what the search looks for."""

    deployment_types: tuple[DeploymentType, ...] | None = None
    """FSx's deployment types that are considered; scratch types hold no second copy of the data."""
    storage_type: StorageType | None = None
    """HDD is considered only where it is pinned here or by its throughput."""
    storage_capacity_gib: Count | None = None
    """FSx's StorageCapacity; a legal step of a type that is considered."""
    per_unit_storage_throughput: Count | None = None
    """MB/s per TiB of storage capacity."""
    drive_cache_type: DriveCacheType | None = None
    """Whether an HDD file system has an SSD read cache."""
    efa_enabled: Annotated[bool, Field(strict=True)] | None = None
    """Whether clients can mount over EFA; chosen at creation and never changed."""
    throughput_capacity_mbps: Count | None = None
    """MB/s of an Intelligent-Tiering file system."""
    storage_quota_gib: Annotated[int, Field(gt=0, le=10_000_000, strict=True)] | None = None
    """Account's quota of storage capacity in the Region; the default quota otherwise. It bounds the search."""
    objective: Objective = Objective.MEET_TARGET
    """The least money a month that meets the target, or the least for all epochs, whatever the target."""
    lifetime: Annotated[DurationS, Field(ge=MIN_SECONDS, le=MAX_SECONDS)] | None = None
    """Seconds that the file system lives; as long as all epochs take by default."""

    @field_validator("deployment_types")
    @classmethod
    def _at_least_one(cls, types: tuple[DeploymentType, ...] | None) -> tuple[DeploymentType, ...] | None:
        if types is not None and not types:
            raise ValueError(f"must hold at least one of {', '.join(DeploymentType)}, or be left out")
        return types

    @property
    def wanted(self) -> Wanted:
        """The pins as the catalog's rules take them."""
        return Wanted(
            deployment_types=self.deployment_types,
            storage_type=self.storage_type,
            storage_capacity_gib=self.storage_capacity_gib,
            per_unit_storage_throughput=self.per_unit_storage_throughput,
            drive_cache_type=self.drive_cache_type,
            efa_enabled=self.efa_enabled,
            throughput_capacity_mbps=self.throughput_capacity_mbps,
        )

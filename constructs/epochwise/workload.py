"""What a user declares: one workload file, validated whole."""

from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ModelWrapValidatorHandler,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from epochwise.catalog.fsx_lustre import DEFAULT_STORAGE_QUOTA_GIB, DeploymentType, StorageType
from epochwise.catalog.instance_types import SAGEMAKER_PREFIX, InstanceType, instance_type, similar_instance_types
from epochwise.catalog.legality import Wanted, illegal_settings
from epochwise.catalog.regions import Region, regions
from epochwise.declaration.mistake import Mistake, mistakes, valid_sections
from epochwise.declaration.quantity import DurationS, SizeBytes
from epochwise.declaration.yaml_file import UnreadableFileError, read_yaml_mapping


class WorkloadError(ValueError):
    """A workload file that cannot be used; `mistakes` holds every reason, the message one per line."""

    def __init__(self, source: str, found: list[Mistake]) -> None:
        """Keep the mistakes and render them."""
        self.mistakes = found
        super().__init__("\n".join(f"{source}: {mistake}" for mistake in found))


class _Section(BaseModel):
    """A part of the declaration: frozen, and no key passes unknown."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


S3Uri = Annotated[str, Field(pattern=r"^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/\S*)?$", max_length=1024)]


class Dataset(_Section):
    """What is read once per epoch."""

    size: Annotated[SizeBytes, Field(gt=0)]
    """Bytes."""
    files: Annotated[int, Field(gt=0, strict=True)] | None = None
    """Number of files; samples default to it. Without it metadata rates are not sized."""
    source: S3Uri | None = None
    """Where the data lies in S3; it is linked to the file system, import only."""
    compression_ratio: Annotated[float, Field(ge=1, le=100)] = 1.0
    """Uncompressed over compressed size on the file system; LZ4 is switched on above 1."""


class Epoch(_Section):
    """How long one pass over the dataset may take."""

    target: Annotated[DurationS, Field(gt=0)]
    """Seconds."""
    count: Annotated[int, Field(gt=0, strict=True)] = 1
    """Epochs of one training run."""
    tolerance: Annotated[float, Field(ge=0, le=10)] = 0.0
    """Share by which the steady epoch may miss the target."""

    @property
    def limit_s(self) -> float:
        """Seconds that the steady epoch may take."""
        return self.target * (1 + self.tolerance)


class Cluster(_Section):
    """The nodes that train."""

    instance_type: str
    """As the platform spells it: ml.p4d.24xlarge in SageMaker, p4d.24xlarge in EC2."""
    nodes: Annotated[int, Field(gt=0, strict=True)]
    platform: Literal["sagemaker", "ec2"] = "sagemaker"
    """Decides who may mount over EFA, and whether there is a SageMaker training job."""
    availability_zone: Annotated[str, Field(pattern=r"^[a-z]{2}(-[a-z]+)+-\d[a-z]$")] | None = None
    page_cache: Annotated[SizeBytes, Field(ge=0)] = 0
    """Bytes of RAM per node that may be counted as cache."""

    @field_validator("instance_type")
    @classmethod
    def _exists(cls, name: str) -> str:
        if instance_type(name) is None:
            near = similar_instance_types(name, sagemaker=name.startswith(SAGEMAKER_PREFIX))
            hint = f"; near: {', '.join(near)}" if near else ""
            raise ValueError(f"must be an instance type that exists, such as ml.p4d.24xlarge{hint}")
        return name

    @model_validator(mode="after")
    def _fits_platform(self) -> Self:
        if self.platform == "sagemaker" and not (
            self.instance_type.startswith(SAGEMAKER_PREFIX) and self.instance.sagemaker_training
        ):
            near = similar_instance_types(self.instance_type, sagemaker=True)
            raise ValueError(
                "instance_type must be one that SageMaker trains on, "
                f"such as {', '.join(near or ['ml.p4d.24xlarge'])}, "
                f"or platform must be ec2; instance_type is {self.instance_type}"
            )
        return self

    @property
    def instance(self) -> InstanceType:
        """The catalog's row of the instance type."""
        found = instance_type(self.instance_type)
        assert found is not None  # noqa: S101 - the validator refused unknown names
        return found


class Checkpoint(_Section):
    """What training writes."""

    size: Annotated[SizeBytes, Field(gt=0)]
    """Bytes of one checkpoint."""
    every: Annotated[DurationS, Field(gt=0)]
    """Seconds between checkpoints."""
    write_within: Annotated[DurationS, Field(gt=0)]
    """Seconds that writing one may take."""
    keep: Annotated[int, Field(gt=0, strict=True)] = 1
    """Checkpoints on the file system at one time."""

    @model_validator(mode="after")
    def _written_before_next(self) -> Self:
        if self.write_within > self.every:
            raise ValueError(
                "write_within must not exceed every, or checkpoints pile up; "
                f"got {self.write_within:g} s and {self.every:g} s"
            )
        return self


class Training(_Section):
    """The SageMaker training job."""

    image: Annotated[str, Field(min_length=1, max_length=255, pattern=r"^\S+$")]
    """Training image in ECR."""
    entry_point: Annotated[str, Field(min_length=1, max_length=255)] | None = None
    """Script inside the source archive."""
    source: S3Uri | None = None
    """The archive with the training code."""
    distribution: Literal["smddp", "torchrun", "mpi", "none"] = "torchrun"
    hyperparameters: dict[Annotated[str, Field(min_length=1, max_length=256)], JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _code_is_whole(self) -> Self:
        if (self.entry_point is None) != (self.source is None):
            raise ValueError("entry_point and source must be given together, or neither")
        return self

    @field_validator("hyperparameters")
    @classmethod
    def _not_reserved(cls, given: dict[str, JsonValue]) -> dict[str, JsonValue]:
        reserved = sorted(key for key in given if key.startswith("sagemaker_"))
        if reserved:
            raise ValueError(
                f"must not hold keys that begin with sagemaker_, which the request sets: {', '.join(reserved)}"
            )
        return given


WatchRuleName = Literal["CpuBottleneck", "LoadBalancing", "LowGpuUtilization"]


class Watch(_Section):
    """What watches the job."""

    rules: tuple[WatchRuleName, ...] = ()
    using: tuple[Literal["debugger", "cloudwatch"], ...] = ("debugger",)
    """What evaluates the rules. Debugger takes no new customers since 2026-07-30."""

    @field_validator("rules", "using")
    @classmethod
    def _no_twins(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        twins = sorted({name for name in names if names.count(name) > 1})
        if twins:
            raise ValueError(f"must hold each name once, twice there: {', '.join(twins)}")
        return names


class FileSystem(_Section):
    """Pins, each of which narrows the search."""

    deployment_types: tuple[DeploymentType, ...] | None = None
    storage_type: StorageType | None = None
    """HDD is considered only where it is pinned here or by its throughput."""
    storage_capacity_gib: Annotated[int, Field(gt=0, strict=True)] | None = None
    per_unit_storage_throughput: Annotated[int, Field(gt=0, strict=True)] | None = None
    """MB/s per TiB of storage capacity."""
    efa_enabled: Annotated[bool, Field(strict=True)] | None = None
    storage_quota_gib: Annotated[int, Field(gt=0, le=10_000_000, strict=True)] = DEFAULT_STORAGE_QUOTA_GIB
    """Account's quota of storage capacity in the Region; it bounds the search."""

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
            efa_enabled=self.efa_enabled,
        )


class Workload(_Section):
    """A declared training workload.

    | to | call |
    |---|---|
    | read a file | `Workload.from_file("workload.yaml")` |
    | take a mapping | `Workload.model_validate({...})` |
    | size it | `epochwise.plan(workload)` |
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$", max_length=30)]
    """Ends up in resource names."""
    region: str = "us-east-1"
    """Decides prices and what FSx offers; the stacks stay environment-agnostic."""
    dataset: Dataset
    epoch: Epoch
    cluster: Cluster
    checkpoint: Checkpoint | None = None
    training: Training | None = None
    watch: Watch = Watch()
    file_system: FileSystem = FileSystem()

    @field_validator("region")
    @classmethod
    def _region_exists(cls, code: str) -> str:
        if code not in regions():
            raise ValueError(f"must be a Region that has FSx for Lustre: {', '.join(sorted(regions()))}")
        return code

    @model_validator(mode="wrap")
    @classmethod
    def _whole(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Run the rules that look at several sections, also when another section is broken."""
        errors: list[InitErrorDetails] = []
        model: Self | None = None
        try:
            model = handler(data)
            sections = dict(model)
        except ValidationError as error:
            found = error.errors(include_url=False)
            errors = [
                InitErrorDetails(
                    type=PydanticCustomError(detail["type"], "{message}", {"message": detail["msg"]}),
                    loc=detail["loc"],
                    input=detail["input"],
                )
                for detail in found
            ]
            broken = {str(detail["loc"][0]) for detail in found if detail["loc"]}
            sections = valid_sections(cls, data, broken) if isinstance(data, dict) else {}
        for rule in _RULES_ACROSS_SECTIONS:
            names = list(signature(rule).parameters)
            if all(name in sections for name in names):
                errors += [_error(mistake) for mistake in rule(*(sections[name] for name in names))]
        if errors:
            raise ValidationError.from_exception_data(cls.__name__, errors)
        assert model is not None  # noqa: S101 - no error means that the handler returned
        return model

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a workload file.

        Raises:
            WorkloadError: with every mistake of the file.
        """
        return cls.from_mapping(read_workload_mapping(path), source=str(path))

    @classmethod
    def from_mapping(cls, document: dict[str, Any], *, source: str) -> Self:
        """Take what a file held; `source` names it in messages.

        Raises:
            WorkloadError: with every mistake.
        """
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            raise WorkloadError(source, mistakes(error, cls)) from None

    @property
    def region_offer(self) -> Region:
        """The catalog's row of the Region."""
        return regions()[self.region]

    @property
    def runs_in_sagemaker(self) -> bool:
        """Whether the nodes belong to a SageMaker training job."""
        return self.cluster.platform == "sagemaker"

    @property
    def checkpoint_bytes_kept(self) -> int:
        """Bytes of the checkpoints that lie on the file system at one time."""
        return 0 if self.checkpoint is None else self.checkpoint.size * self.checkpoint.keep


def read_workload_mapping(path: str | Path) -> dict[str, Any]:
    """Read a workload file without judging its content.

    Raises:
        WorkloadError: the file cannot be read as a YAML mapping.
    """
    try:
        return read_yaml_mapping(Path(path))
    except UnreadableFileError as error:
        source, _, reason = str(error).partition(": ")
        raise WorkloadError(source, [Mistake("", reason)]) from None


def _error(mistake: Mistake) -> InitErrorDetails:
    """Turn a mistake across sections into one of pydantic's."""
    kind = PydanticCustomError("across_sections", "{message}", {"message": mistake.message})
    return InitErrorDetails(type=kind, loc=tuple(mistake.path.split(".")), input=mistake.value)


def _zone_in_region(region: str, cluster: Cluster) -> Iterator[Mistake]:
    """The Availability Zone is one of the Region's."""
    zone = cluster.availability_zone
    if zone is not None and zone[:-1] != region:
        yield Mistake("cluster.availability_zone", f"must be a zone of {region}, such as {region}a", zone)


def _pins_are_legal(region: str, file_system: FileSystem) -> Iterator[Mistake]:
    """Some legal file system, offered in the Region, has every pinned setting."""
    key = {"deployment_type": "deployment_types"}
    anywhere = illegal_settings(file_system.wanted)
    for illegal in anywhere or illegal_settings(file_system.wanted, regions()[region]):
        yield Mistake(f"file_system.{key.get(illegal.setting, illegal.setting)}", illegal.allowed, illegal.value)


def _pin_within_quota(file_system: FileSystem) -> Iterator[Mistake]:
    """A pinned capacity lies within the account's quota."""
    capacity, quota = file_system.storage_capacity_gib, file_system.storage_quota_gib
    if capacity is not None and capacity > quota:
        yield Mistake(
            "file_system.storage_capacity_gib",
            f"must not exceed the quota of {quota} GiB; once AWS has raised it, "
            "say so in file_system.storage_quota_gib",
            capacity,
        )


_RULES_ACROSS_SECTIONS: tuple[Callable[..., Iterator[Mistake]], ...] = (
    _zone_in_region,
    _pins_are_legal,
    _pin_within_quota,
)

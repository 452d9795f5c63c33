"""The section about the SageMaker training job."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, JsonValue, field_validator, model_validator

from epochwise.catalog.training_job import MAX_KEEP_ALIVE_S, MAX_RUNTIME_S
from epochwise.catalog.training_toolkit import TOOLKIT_PREFIX, is_toolkit_hyperparameter
from epochwise.declaration.quantity import DurationS
from epochwise.workload.sections import MAX_SECONDS, MIN_SECONDS, Count, S3Uri, Section

TRAIN_CHANNEL = "train"
"""The input channel that mounts the dataset."""
CHECKPOINT_CHANNEL = "checkpoints"
"""The input channel that mounts the file system writable."""
OWNER_VARIABLE = "EPOCHWISE_EXECUTION"
"""Variable in a job's environment that says which execution of the state machine it belongs to."""
_RESERVED_CHANNELS = (TRAIN_CHANNEL, CHECKPOINT_CHANNEL)
_MAX_CHANNELS = 20 - len(_RESERVED_CHANNELS)
"""What CreateTrainingJob's 20 leave beside the file system's own. Source: botocore 1.44.8."""

ONE_LINE = "^.+$"
_TAG = r"^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$"
"""Letters, digits, spaces and _.:/=+-@. Source: botocore 1.44.8, TagKey and TagValue."""
Flag = Annotated[bool, Field(strict=True)]
KmsKey = Annotated[str, Field(pattern=r"^[a-zA-Z0-9:/_-]+$", max_length=2048)]
"""A key as CreateTrainingJob takes it: id, ARN, alias or the alias's ARN."""
_BatchSize = Annotated[int, Field(gt=0, le=10**6, strict=True)]
ExperimentName = Annotated[str, Field(pattern=r"^[a-zA-Z0-9](-*[a-zA-Z0-9])*$", max_length=120)]


class Channel(Section):
    """A channel read from S3 beside the dataset on the file system."""

    s3: S3Uri
    """Prefix, or manifest where `type` says so."""
    mode: Literal["File", "FastFile", "Pipe"] = "File"
    """Whether objects are copied before the start, streamed as files, or streamed through a pipe."""
    type: Literal["S3Prefix", "ManifestFile", "AugmentedManifestFile", "Converse"] = "S3Prefix"
    """What `s3` names."""
    sharded: Flag = False
    """Whether each node gets its share of the objects instead of all."""
    content_type: Annotated[str, Field(max_length=256, pattern=ONE_LINE)] | None = None
    """MIME type of the data."""
    compression: Literal["None", "Gzip"] | None = None
    """How the objects are compressed; for Pipe mode alone."""
    record_wrapper: Literal["None", "RecordIO"] | None = None
    """Whether SageMaker wraps each object in a RecordIO record."""
    shuffle_seed: Annotated[int, Field(strict=True)] | None = None
    """Seed of the order in which SageMaker shuffles the objects each epoch."""
    attributes: Annotated[
        tuple[Annotated[str, Field(max_length=256, pattern=ONE_LINE)], ...], Field(max_length=16)
    ] = ()
    """Names of the attributes that are read of an augmented manifest."""


class Batch(Section):
    """The batch of one accelerator, and the reference that the learning rate is scaled from.

    The defaults are those of Goyal et al. 2017, "Accurate, Large Minibatch SGD", for ResNet-50 on ImageNet.
    """

    per_device: _BatchSize
    """Samples that one accelerator takes in a step."""
    base_batch: _BatchSize = 256
    """Global batch for which `base_rate` is right."""
    base_rate: Annotated[float, Field(ge=1e-9, le=1e6)] = 0.1
    """Learning rate at `base_batch`."""
    warmup_epochs: Annotated[int, Field(ge=0, le=10**6, strict=True)] = 5
    """Epochs over which the rate grows from `base_rate` to the scaled one; 0 starts with the scaled one."""


class Experiment(Section):
    """Where SageMaker Experiments files the job."""

    name: ExperimentName | None = None
    """Of the experiment."""
    trial: ExperimentName | None = None
    """Name of the trial within it."""
    display_name: ExperimentName | None = None
    """Name of the trial component that is shown."""
    run: ExperimentName | None = None
    """Name of the run within the experiment."""


class Training(Section):
    """The SageMaker training job."""

    image: Annotated[str, Field(min_length=1, max_length=255, pattern=r"^\S+$")]
    """Training image in ECR."""
    entry_point: Annotated[str, Field(min_length=1, max_length=255)] | None = None
    """Script inside the source archive."""
    source: S3Uri | None = None
    """The archive with the training code."""
    distribution: Literal["smddp", "torchrun", "mpi", "none"] = "torchrun"
    """What starts the processes on all nodes and lets them talk."""
    custom_mpi_options: str = ""
    """Appended to mpirun under smddp and mpi, such as `-verbose -x NCCL_DEBUG=VERSION`."""
    processes_per_host: Count | None = None
    """Processes that mpi starts on each node; one per accelerator by default."""
    preprocessing: Annotated[DurationS, Field(ge=MIN_SECONDS, le=MAX_SECONDS)] | None = None
    """CPU seconds that preprocessing one sample takes."""
    batch: Batch | None = None
    """From which global batch, learning rate and warmup are derived and passed on as hyperparameters."""
    hyperparameters: dict[Annotated[str, Field(min_length=1, max_length=256)], JsonValue] = Field(default_factory=dict)
    """Passed on to the script."""
    environment: dict[
        Annotated[str, Field(max_length=512, pattern=r"^[a-zA-Z_][a-zA-Z0-9_]*$")],
        Annotated[str, Field(max_length=512)],
    ] = Field(default_factory=dict)
    """Variables of the container."""
    channels: Annotated[
        dict[Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z0-9._-]+$")], Channel],
        Field(max_length=_MAX_CHANNELS),
    ] = Field(default_factory=dict)
    """Channels read from S3, beside the dataset on the file system."""
    checkpoint_s3: S3Uri | None = None
    """Where SageMaker copies checkpoints from each node's own disk, instead of a folder on the file system."""
    max_runtime: Annotated[DurationS, Field(ge=1, le=MAX_RUNTIME_S)] | None = None
    """Seconds after which the job is stopped; twice what all epochs may take by default."""
    max_wait: Annotated[DurationS, Field(ge=1, le=MAX_SECONDS)] | None = None
    """Seconds that a spot job may take, waiting for capacity included."""
    max_pending: Annotated[DurationS, Field(ge=1800, le=MAX_RUNTIME_S)] | None = None
    """Seconds that a job may wait for capacity."""
    max_attempts: Annotated[int, Field(ge=1, le=30, strict=True)] | None = None
    """Times that SageMaker tries again after an internal error."""
    spot: Flag = False
    """Whether the nodes are spot instances."""
    keep_alive: Annotated[DurationS, Field(ge=1, le=MAX_KEEP_ALIVE_S)] | None = None
    """Seconds that the nodes wait for a next job in a warm pool, billed."""
    training_plan: (
        Annotated[
            str,
            Field(
                min_length=50,
                max_length=2048,
                pattern=r"^arn:aws[a-z\-]*:sagemaker:[a-z0-9\-]*:[0-9]{12}:training-plan/.*$",
            ),
        ]
        | None
    ) = None
    """ARN of the training plan whose capacity is used."""
    volume_size_gb: Count | None = None
    """Of each node's volume; 30 by default, which types with local NVMe ignore."""
    volume_kms_key: KmsKey | None = None
    """Key that encrypts each node's volume; types with local NVMe encrypt by hardware and take none."""
    output_kms_key: KmsKey | None = None
    """Key that encrypts the model in S3."""
    inter_container_encryption: Flag = False
    """Whether traffic between the nodes is encrypted by SageMaker, which takes time."""
    network_isolation: Flag = False
    """Whether containers reach nothing but each other."""
    remote_debug: Flag | None = None
    """Whether a shell into the containers is allowed through Systems Manager."""
    infra_check: Flag | None = None
    """Whether SageMaker checks the nodes' hardware before it starts."""
    metrics: Annotated[
        dict[
            Annotated[str, Field(max_length=255, pattern=ONE_LINE)],
            Annotated[str, Field(max_length=500, pattern=ONE_LINE)],
        ],
        Field(max_length=40),
    ] = Field(default_factory=dict)
    """Metric to the regular expression that finds it in the log."""
    experiment: Experiment | None = None
    tags: Annotated[
        dict[
            Annotated[str, Field(min_length=1, max_length=128, pattern=_TAG)],
            Annotated[str, Field(max_length=256, pattern=_TAG)],
        ],
        Field(max_length=49),
    ] = Field(default_factory=dict)
    """Beside the one that names the workload."""
    request: dict[str, JsonValue] = Field(default_factory=dict)
    """Fields of CreateTrainingJob that have no option here, in AWS's own words; merged last."""

    @model_validator(mode="after")
    def _code_is_whole(self) -> Self:
        if (self.entry_point is None) != (self.source is None):
            alone = f"source {self.source}" if self.entry_point is None else f"entry_point {self.entry_point}"
            raise ValueError(f"entry_point and source must be given together, or neither, got {alone} alone")
        return self

    @field_validator("entry_point")
    @classmethod
    def _inside_source(cls, given: str | None) -> str | None:
        # the toolkit in the image starts it from the folder that the archive is unpacked into
        if given is not None and (given.startswith("/") or ".." in given.split("/") or given.endswith("/")):
            name = given.rstrip("/").rpartition("/")[2]
            nearest = name if name not in {"", ".", ".."} else "train.py"
            raise ValueError(f"must be the path of a script inside the archive of source, such as {nearest}")
        return given

    @field_validator("hyperparameters")
    @classmethod
    def _not_reserved(cls, given: dict[str, JsonValue]) -> dict[str, JsonValue]:
        reserved = sorted(filter(is_toolkit_hyperparameter, given))
        if reserved:
            raise ValueError(
                f"must not hold keys that begin with {TOOLKIT_PREFIX}, which the request sets: {', '.join(reserved)}"
            )
        return given

    @field_validator("channels")
    @classmethod
    def _channel_is_free(cls, given: dict[str, Channel]) -> dict[str, Channel]:
        taken = [name for name in _RESERVED_CHANNELS if name in given]
        if taken:
            raise ValueError(f"must not be called {' or '.join(taken)}, which mount the file system")
        return given

    @field_validator("tags")
    @classmethod
    def _tag_is_free(cls, given: dict[str, str]) -> dict[str, str]:
        taken = [key for key in given if key.lower().startswith(("aws:", "epochwise:"))]
        if taken:
            raise ValueError(f"must not hold keys that begin with aws: or epochwise:, got {', '.join(taken)}")
        return given

    @field_validator("max_runtime", "max_wait", "max_pending", "keep_alive")
    @classmethod
    def _whole_seconds(cls, seconds: float | None) -> float | None:
        if seconds is not None and seconds != int(seconds):
            raise ValueError(f"must be whole seconds, such as {int(seconds)} or {int(seconds) + 1}")
        return seconds

    @field_validator("request")
    @classmethod
    def _names_are_awss(cls, given: dict[str, Any]) -> dict[str, Any]:
        wrong = [key for key in given if not key[:1].isupper()]
        if wrong:
            raise ValueError(
                f"must hold fields of CreateTrainingJob, such as TensorBoardOutputConfig: {', '.join(wrong)}"
            )
        return given

"""What of a DLIO workload file matters to storage, validated; all other keys are passed over.

Source: DLIO's configuration page and the way its utils/config.py reads the keys (argonne-lcf/dlio_benchmark).
"""

from collections.abc import Callable
from re import sub
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, field_validator

_STEP_HELP = (
    "must be seconds of one step above 0, or a mapping with mean, with min and max (uniform), shape and scale (gamma), "
    "scale (exponential) or lam (poisson)"
)
_MEANS: dict[str, tuple[tuple[str, ...], Callable[..., float]]] = {
    "normal": (("mean",), lambda mean: mean),
    "uniform": (("min", "max"), lambda low, high: (low + high) / 2),
    "gamma": (("shape", "scale"), lambda shape, scale: shape * scale),
    "exponential": (("scale",), lambda scale: scale),
    "poisson": (("lam",), lambda lam: lam),
}
"""DLIO's distributions of a time: which keys they have, and their mean."""


def _no_truth_value(value: object) -> object:
    """Refuse true and false, which Python takes for 1 and 0."""
    if isinstance(value, bool):
        raise ValueError("must be a number")
    return value


def _mean_time(value: object) -> object:
    """Return the mean of a time that is a number or a distribution."""
    if not isinstance(value, dict):
        if isinstance(value, bool | list) or value is None:
            raise ValueError(_STEP_HELP)
        return value
    keys, mean = _MEANS.get(str(value.get("type", "normal")), ((), None))
    numbers = [value.get(key) for key in keys]
    if mean is None or not all(type(number) in {int, float} for number in numbers):
        raise ValueError(_STEP_HELP)
    try:
        return float(mean(*numbers))
    except OverflowError:
        raise ValueError(_STEP_HELP) from None


def _section(value: object) -> object:
    """Take a section that is there but empty as one without keys."""
    return {} if value is None else value


def _named_section(value: object) -> object:
    """Take `model: unet3d`, as older files have it, for a section with a name."""
    return {"name": value} if isinstance(value, str) else _section(value)


Count = Annotated[int, BeforeValidator(_no_truth_value), Field(gt=0, le=10**12)]
Bytes = Annotated[float, BeforeValidator(_no_truth_value), Field(ge=1, le=10**15)]


class _Part(BaseModel):
    """A part of the file: frozen, unknown keys are not ours to judge."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False, protected_namespaces=())


class _Model(_Part):
    name: str | None = None
    bytes_per_rank: Bytes | None = Field(default=None, validation_alias=AliasChoices("model_size_bytes", "model_size"))
    """Bytes of the model that each rank holds."""


class _Workflow(_Part):
    train: bool = True
    checkpoint: bool = False

    @field_validator("train")
    @classmethod
    def _trains(cls, train: bool) -> bool:
        if not train:
            raise ValueError("must be true: without training no dataset is read, so there is nothing to size reads by")
        return train


class _Dataset(_Part):
    num_files_train: Count
    num_samples_per_file: Count = 1
    record_bytes: Bytes = Field(validation_alias=AliasChoices("record_length_bytes", "record_length"))
    record_length_bytes_stdev: Annotated[float, BeforeValidator(_no_truth_value), Field(ge=0)] | None = Field(
        default=None, validation_alias=AliasChoices("record_length_bytes_stdev", "record_length_stdev")
    )
    record_dims: Any = None

    @field_validator("record_dims")
    @classmethod
    def _length_counts(cls, dims: object) -> object:
        if dims:
            raise ValueError(
                "must be left out, since DLIO lets it overrule the record's length: state the bytes instead"
            )
        return dims


class _Reader(_Part):
    batch_size: Count


class _Train(_Part):
    computation_time: Annotated[float, BeforeValidator(_mean_time), Field(ge=1e-9, le=10**6)]
    """Mean seconds of one step."""
    epochs: Count = 1


class _Metric(_Part):
    au: Annotated[float, BeforeValidator(_no_truth_value), Field(ge=0.1, le=1)] | None = None
    """Accelerator utilisation from which the benchmark passes."""


class _Checkpoint(_Part):
    epochs_between_checkpoints: Count = 1
    steps_between_checkpoints: Annotated[int, BeforeValidator(_no_truth_value), Field(le=10**12)] = -1
    """Below 1 the epochs between count."""
    bytes_per_rank: Bytes | None = Field(default=None, validation_alias=AliasChoices("model_size_bytes", "model_size"))
    """Where older files keep the model's bytes."""


class DlioFile(_Part):
    """A DLIO workload file."""

    model: Annotated[_Model, BeforeValidator(_named_section)] = _Model()
    framework: str | None = None
    workflow: Annotated[_Workflow, BeforeValidator(_section)] = _Workflow()
    dataset: Annotated[_Dataset, BeforeValidator(_section)]
    reader: Annotated[_Reader, BeforeValidator(_section)] = Field(
        validation_alias=AliasChoices("reader", "data_reader")
    )
    train: Annotated[_Train, BeforeValidator(_section)]
    metric: Annotated[_Metric, BeforeValidator(_section)] = _Metric()
    checkpoint: Annotated[_Checkpoint, BeforeValidator(_section)] = _Checkpoint()

    @property
    def mbps_per_accelerator(self) -> float:
        """MB/s that one accelerator reads when it never waits."""
        return self.reader.batch_size * self.dataset.record_bytes / self.train.computation_time / 1e6

    @property
    def checkpoint_bytes_per_rank(self) -> float | None:
        """Bytes that one rank writes; None where no checkpoint is written or its size is not given."""
        if not self.workflow.checkpoint:
            return None
        return self.model.bytes_per_rank or self.checkpoint.bytes_per_rank

    @property
    def why_no_checkpoint(self) -> str:
        """Why no checkpoint can be declared."""
        if not self.workflow.checkpoint:
            return "the benchmark writes none (workflow.checkpoint)"
        return "the file does not give its size (model.model_size_bytes)"

    def checkpoint_every_s(self, epoch_s: float) -> float:
        """Return the seconds between checkpoints when accelerators never wait."""
        if self.checkpoint.steps_between_checkpoints > 0:
            return self.checkpoint.steps_between_checkpoints * self.train.computation_time
        return self.checkpoint.epochs_between_checkpoints * epoch_s

    @property
    def checkpoint_interval_source(self) -> str:
        """Where the seconds between checkpoints come from."""
        if self.checkpoint.steps_between_checkpoints > 0:
            return f"steps_between_checkpoints {self.checkpoint.steps_between_checkpoints} × computation_time"
        return f"epochs_between_checkpoints {self.checkpoint.epochs_between_checkpoints} × the epoch"

    def workload_name(self, otherwise: str) -> str:
        """Return a legal workload name: the model's, the framework's, or of the file."""
        for name in (self.model.name, self.framework, otherwise):
            legal = sub(r"[^a-z0-9]+", "-", (name or "").lower())[:30].strip("-")
            if legal:
                return legal
        return "dlio"

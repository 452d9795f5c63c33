"""A declared workload, validated whole."""

from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, ModelWrapValidatorHandler, ValidationError, field_validator, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from epochwise.catalog.regions import Region, regions
from epochwise.declaration.mistake import Mistake, mistakes, valid_sections
from epochwise.declaration.yaml_file import UnreadableFileError, read_yaml_mapping
from epochwise.workload.across import mistakes_across
from epochwise.workload.sections import MAX_USD, Checkpoint, Cluster, Dataset, Epoch, FileSystem, Section
from epochwise.workload.training_section import Training
from epochwise.workload.watch_section import Watch


class WorkloadError(ValueError):
    """A workload file that cannot be used; `mistakes` holds every reason, the message one per line."""

    def __init__(self, source: str, found: list[Mistake]) -> None:
        """Keep the mistakes and render them."""
        self.mistakes = found
        super().__init__("\n".join(f"{source}: {mistake}" for mistake in found))


class Workload(Section):
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
    """Decides prices, what FSx offers, and where the training job can be deployed; the stacks name no Region."""
    dataset: Dataset
    epoch: Epoch
    cluster: Cluster
    checkpoint: Checkpoint | None = None
    training: Training | None = None
    watch: Watch = Field(default_factory=Watch.model_construct)
    file_system: FileSystem = Field(default_factory=FileSystem.model_construct)
    prices: dict[str, Annotated[float, Field(ge=0, le=MAX_USD)]] = Field(default_factory=dict)
    """USD that replace the catalog's, by item."""

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
        errors += [_error(mistake) for mistake in mistakes_across(sections)]
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
            raise WorkloadError(source, mistakes(error, cls, document)) from None

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
    if not isinstance(path, str | Path):
        raise WorkloadError("path", [Mistake("", f"must be that of a workload file, got {type(path).__name__}")])
    if not str(path).strip():
        raise WorkloadError(
            repr(str(path)), [Mistake("", "must name a file, such as workloads/guide.yaml, got nothing")]
        )
    try:
        return read_yaml_mapping(Path(path))
    except UnreadableFileError as error:
        source, _, reason = str(error).partition(": ")
        raise WorkloadError(source, [Mistake("", reason)]) from None


def _error(mistake: Mistake) -> InitErrorDetails:
    """Turn a mistake across sections into one of pydantic's."""
    kind = PydanticCustomError("across_sections", "{message}", {"message": mistake.message})
    return InitErrorDetails(type=kind, loc=tuple(mistake.path.split(".")), input=mistake.value)

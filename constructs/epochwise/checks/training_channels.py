"""Rules about channels that read from S3."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

MANIFEST_TYPES = ("ManifestFile", "AugmentedManifestFile")
"""Types of a channel's source in which one object names the others. Source: botocore 1.44.8, S3DataType."""
_AUGMENTED = "AugmentedManifestFile"
_PIPE = "Pipe"
_NONE = (None, "None")
_NOT_IN = {"CompressionType": ("File", "FastFile"), "RecordWrapperType": ("File",)}
"""Members of a channel that must be left out in some modes; of RecordWrapperType in FastFile nothing is said."""


def manifest_objects_unseen(job: DeclaredJob) -> Finding | None:
    """Warn that a manifest names objects which the role of the job has no right to.

    The role of a `TrainingJob` may read the manifest itself; where the objects lie stands in it alone. Source:
    SageMaker API Reference, S3DataSource.
    """
    named = [f"{source.channel} ({source.uri})" for source in _sources(job) if source.kind in MANIFEST_TYPES]
    if not named:
        return None
    return Finding(
        "MANIFEST_OBJECTS_UNSEEN",
        Level.WARNING,
        f"what the manifests of {', '.join(named)[:300]} name cannot be seen here, and the role of the job may read "
        "the manifests alone",
        "let the role read it, such as by bucket.grant_read(job.role, 'prefix/*')",
    )


def channel_needs_pipe(job: DeclaredJob) -> Finding | None:
    """Refuse what SageMaker does to objects while it streams them where it copies them instead.

    Source: botocore 1.44.8, Channel and S3DataSource.
    """
    wrong = [
        f"{source.channel} has {asked} in mode {source.mode}" for source in _sources(job) for asked in source.for_pipe
    ]
    if not wrong:
        return None
    return Finding(
        "CHANNEL_NEEDS_PIPE",
        Level.ERROR,
        "compression, record wrappers and augmented manifests are for channels of mode Pipe alone; "
        f"{', '.join(wrong)[:300]}",
        "set the channel's mode to Pipe, or leave these out and unpack in the training script",
    )


def channel_attributes_unused(job: DeclaredJob) -> Finding | None:
    """Warn about attributes of a channel that has no augmented manifest, where alone they stand.

    Source: botocore 1.44.8, S3DataSource.
    """
    unused = [
        f"{source.channel} ({source.kind})"
        for source in _sources(job)
        if source.attributes and source.kind != _AUGMENTED
    ]
    if not unused:
        return None
    return Finding(
        "CHANNEL_ATTRIBUTES_UNUSED",
        Level.WARNING,
        "attributes are found in augmented manifests alone, and are declared for channels of another type: "
        f"{', '.join(unused)[:300]}",
        "set the channel's type to AugmentedManifestFile, or remove its attributes",
    )


@dataclass(frozen=True, slots=True)
class _Source:
    """Where a channel reads in S3, and how."""

    channel: str
    uri: str
    kind: str
    mode: str
    for_pipe: tuple[str, ...]
    """What is asked for that it takes a pipe for, in another mode."""
    attributes: bool

    @classmethod
    def of(cls, channel: Mapping[str, Any], source: Mapping[str, Any]) -> Self:
        """Read a channel of the request."""
        kind, mode = str(source.get("S3DataType", "")), str(channel.get("InputMode", "File"))
        asked = {"S3DataType": kind if kind == _AUGMENTED else None}
        asked |= {key: channel.get(key) for key, modes in _NOT_IN.items() if mode in modes}
        return cls(
            channel=str(channel.get("ChannelName")),
            uri=str(source.get("S3Uri", "")),
            kind=kind,
            mode=mode,
            for_pipe=tuple(f"{key} {value}" for key, value in asked.items() if mode != _PIPE and value not in _NONE),
            attributes=bool(source.get("AttributeNames")),
        )


def _sources(job: DeclaredJob) -> Iterator[_Source]:
    """Yield the channels that read from S3, those passed through included."""
    for name, channel in job.training.channels.items():
        yield _Source.of(
            {
                "ChannelName": name,
                "InputMode": channel.mode,
                "CompressionType": channel.compression,
                "RecordWrapperType": channel.record_wrapper,
            },
            {"S3DataType": channel.type, "S3Uri": channel.s3, "AttributeNames": channel.attributes},
        )
    entries = job.training.request.get("InputDataConfig", [])
    for entry in entries if isinstance(entries, list) else []:
        match entry:
            case {"DataSource": {"S3DataSource": {**source}}, **members}:
                yield _Source.of(
                    {str(key): value for key, value in members.items()},
                    {str(key): value for key, value in source.items()},
                )

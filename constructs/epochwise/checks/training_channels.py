"""The rule about what channels read of S3 that their addresses do not say."""

from collections.abc import Iterator, Mapping

from epochwise.checks.declared_job import DeclaredJob
from epochwise.checks.finding import Finding, Level

MANIFEST_TYPES = ("ManifestFile", "AugmentedManifestFile")
"""Types of a channel's source in which one object names the others. Source: botocore 1.44.8, S3DataType."""


def manifest_objects_unseen(job: DeclaredJob) -> Finding | None:
    """Warn that a manifest names objects which the role of the job has no right to.

    The role of a `TrainingJob` may read the manifest itself; where the objects lie stands in it alone. Source:
    SageMaker API Reference, S3DataSource.
    """
    named = [f"{name} ({uri})" for name, uri in _manifests(job)]
    if not named:
        return None
    return Finding(
        "MANIFEST_OBJECTS_UNSEEN",
        Level.WARNING,
        f"what the manifests of {', '.join(named)[:300]} name cannot be seen here, and the role of the job may read "
        "the manifests alone",
        "let the role read it, such as by bucket.grant_read(job.role, 'prefix/*')",
    )


def _manifests(job: DeclaredJob) -> Iterator[tuple[str, str]]:
    """Yield the names of channels that read a manifest, and its address, those passed through included."""
    yield from ((name, channel.s3) for name, channel in job.training.channels.items() if channel.type in MANIFEST_TYPES)
    entries = job.training.request.get("InputDataConfig", [])
    for entry in entries if isinstance(entries, list) else []:
        match entry:
            case {"ChannelName": name, "DataSource": {"S3DataSource": {"S3DataType": kind, **source}}}:
                if kind in MANIFEST_TYPES and isinstance(source, Mapping):
                    yield str(name), str(source.get("S3Uri", ""))

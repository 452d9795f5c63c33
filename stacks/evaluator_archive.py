"""The archive of the function that judges a job's rules, the same to the byte wherever it is made."""

import hashlib
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from aws_cdk import BootstraplessSynthesizer, CfnParameter, FileAssetLocation, FileAssetPackaging, Stack

from epochwise.cdk.job_evaluator import evaluator_files
from stacks.given_bucket import BUCKET_PATTERN

_UNIX = 3
_READABLE_FILE = 0o100644 << 16
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first day that an archive can tell."""


@dataclass(frozen=True, slots=True)
class EvaluatorArchive:
    """An archive, and the name that says what is in it."""

    content: bytes

    @property
    def sha256(self) -> str:
        """Its checksum."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def name(self) -> str:
        """Its file name, another one for other contents, so that a deploy sees that the code has changed."""
        return f"evaluator-{self.sha256}.zip"

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> Self:
        """Put files into an archive: in order, without times, uncompressed, since zlibs differ."""
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
            for name, content in sorted(files.items()):
                entry = zipfile.ZipInfo(name, _EARLIEST)
                entry.create_system, entry.external_attr = _UNIX, _READABLE_FILE
                archive.writestr(entry, content)
        return cls(whole.getvalue())


class EvaluatorByParameters(BootstraplessSynthesizer):
    """Has a stack ask for where the evaluator's archive lies, in place of an asset that the CDK CLI publishes."""

    asking: Stack
    """The stack; CDK tells it to a copy of this object that Python does not see."""
    archive: EvaluatorArchive | None = None
    """What belongs to the template, once the stack has a function."""

    def add_file_asset(
        self,
        *,
        source_hash: str,  # noqa: ARG002 - a stack of a job has one asset
        deploy_time: bool | None = None,  # noqa: ARG002 - likewise
        display_name: str | None = None,  # noqa: ARG002 - likewise
        executable: Sequence[str] | None = None,  # noqa: ARG002 - likewise
        file_name: str | None = None,  # noqa: ARG002 - likewise
        packaging: FileAssetPackaging | None = None,  # noqa: ARG002 - likewise
    ) -> FileAssetLocation:
        """Return the place that two Parameters name."""
        stack = self.asking
        archive = self.archive = EvaluatorArchive.of(evaluator_files())
        bucket = CfnParameter(
            stack,
            "EvaluatorCodeBucket",
            allowed_pattern=BUCKET_PATTERN,
            constraint_description="must be the name of a bucket, without s3://",
            description=f"Bucket of the same Region that {archive.name} was copied to",
        )
        key = CfnParameter(
            stack,
            "EvaluatorCodeKey",
            default=archive.name,
            allowed_pattern=f"^(.*/)?{archive.name.replace('.', '[.]')}$",
            constraint_description=f"must be or end in /{archive.name}, the archive that belongs to this template",
            description="Key of the archive in that bucket",
        )
        return FileAssetLocation(
            bucket_name=bucket.value_as_string,
            object_key=key.value_as_string,
            http_url=f"https://{bucket.value_as_string}.s3.{stack.url_suffix}/{key.value_as_string}",
            s3_object_url=f"s3://{bucket.value_as_string}/{key.value_as_string}",
        )

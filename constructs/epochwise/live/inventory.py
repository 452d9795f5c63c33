"""Count what an S3 Inventory report lists, line by line, without keeping it."""

import gzip
import json
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from hashlib import md5
from io import TextIOWrapper, UnsupportedOperation

from epochwise.live.aws import ATTEMPTS, Aws
from epochwise.live.failure import NotFoundError, UnwellError
from epochwise.sizing.inventory_report import Manifest, ReportFile, UnusableInventoryError, count_rows, manifest_of
from epochwise.sizing.measurement import Measurement, Method
from epochwise.sizing.object_tally import ObjectTally
from epochwise.workload.s3_address import S3Address

_MANIFEST_BYTES = 64 << 20
"""A manifest names each file of its report; one of a billion objects has some thousands."""

Progress = Callable[[int, float], None]


def inventoried(
    address: S3Address, manifest_at: S3Address, region: str | None = None, progress: Progress | None = None
) -> Measurement:
    """Count what a report lists with a prefix. Needs the permission s3:GetObject on the report.

    Raises:
        AwsError: AWS does not answer.
        UnusableInventoryError: it is no report of the bucket, or in a form that is not read.
    """
    aws, tally = Aws(region), ObjectTally()
    manifest = _manifest(aws, address, manifest_at)
    for place, file in enumerate(manifest.files, 1):
        # a file counts when it was read to its end: what broke off is read again from its beginning
        tally.merge(_counted(aws, manifest_at.bucket, file, manifest, address.prefix))
        if progress is not None:
            progress(tally.objects, place / len(manifest.files))
    return tally.measurement(address.uri, Method.INVENTORY, manifest.created_on)


def _manifest(aws: Aws, address: S3Address, manifest_at: S3Address) -> Manifest:
    """Read the manifest and see whether it is of this bucket."""
    content = bytearray()
    for chunk in aws.chunks("s3", "get_object", "Body", Bucket=manifest_at.bucket, Key=manifest_at.prefix):
        content += chunk
        if len(content) > _MANIFEST_BYTES:
            break
    try:
        document = json.loads(bytes(content))
    except (ValueError, RecursionError):
        # not JSON, or nested deeper than any manifest
        document = None
    try:
        manifest = manifest_of(document)
    except UnusableInventoryError as error:
        raise UnusableInventoryError(f"{manifest_at.uri} {error}") from None
    if manifest.source_bucket != address.bucket:
        raise UnusableInventoryError(
            f"{manifest_at.uri} is of the bucket {manifest.source_bucket[:80]}, not of {address.bucket}"
        )
    return manifest


def _counted(aws: Aws, bucket: str, file: ReportFile, manifest: Manifest, prefix: str) -> ObjectTally:
    """Count one file of a report, as often from its beginning as it takes to reach its end."""
    attempt = 0
    while True:
        attempt += 1
        try:
            return _counted_once(aws, bucket, file, manifest, prefix)
        except UnwellError:
            if attempt >= ATTEMPTS:
                raise


def _counted_once(aws: Aws, bucket: str, file: ReportFile, manifest: Manifest, prefix: str) -> ObjectTally:
    """Count one file.

    Raises:
        AwsError: AWS does not answer, or what came is not what was stored.
        UnusableInventoryError: a line is not as the manifest says.
    """
    tally, digest = ObjectTally(), md5(usedforsecurity=False)

    def chunks() -> Iterator[bytes]:
        try:
            for chunk in aws.chunks("s3", "get_object", "Body", Bucket=bucket, Key=file.key):
                digest.update(chunk)
                yield chunk
        except NotFoundError as error:
            raise NotFoundError(f"{name}, which the manifest names, is not there: {error}") from None

    name = f"s3://{bucket}/{file.key}"
    stream, refused = chunks(), None
    try:
        with (
            gzip.GzipFile(fileobj=_Chunks(stream)) as packed,
            TextIOWrapper(packed, encoding="utf-8", newline="") as lines,
        ):
            count_rows(lines, manifest, prefix, tally)
    except UnusableInventoryError as error:
        # the rest tells whether the file is as it was written
        deque(stream, maxlen=0)
        refused = str(error)
    except (gzip.BadGzipFile, EOFError, zlib.error, UnicodeDecodeError):
        raise UnwellError(f"{name} is damaged, or broke off on the way; repeat it") from None
    if file.md5 and digest.hexdigest() != file.md5:
        raise UnwellError(f"{name} is not what the manifest says: its MD5 differs; repeat it")
    if refused is not None:
        raise UnusableInventoryError(f"{name} {refused}")
    return tally


class _Chunks:
    """Chunks as a file to read from."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = b""

    def read(self, size: int = -1) -> bytes:
        """Return what is left of a chunk, or the next one; nothing at the end."""
        chunk = self._left or next(self._chunks, b"")
        size = len(chunk) if size < 0 else size
        self._left = chunk[size:]
        return chunk[:size]

    def seek(self, _place: int) -> None:
        """Refuse: what streams cannot be read twice."""
        raise UnsupportedOperation

"""Rules about the objects of a dataset that is to be linked."""

from collections.abc import Iterator, Mapping

from epochwise.catalog.s3_storage import ARCHIVED_CLASSES
from epochwise.checks.finding import Finding, Level


def objects_archived(where: str, classes: Mapping[str, int], looked_at: str) -> Iterator[Finding]:
    """FSx does not load an object that is archived; it has to be restored first.

    It fails a preflight of the first thousand objects. That a whole measurement counts some is another thing, a remark
    about a figure: ARCHIVED_OBJECTS_COUNTED.

    Source: FSx User Guide, importing-files-dra; Amazon S3 User Guide, archived-objects.

    Args:
        where: bucket and prefix.
        classes: how many objects of each storage class there are.
        looked_at: how many were looked at.
    """
    archived = {name: count for name, count in classes.items() if name in ARCHIVED_CLASSES}
    if archived:
        named = ", ".join(f"{count} in {name}" for name, count in archived.items())
        yield Finding(
            "OBJECTS_ARCHIVED",
            Level.ERROR,
            f"of {looked_at} objects below {where} {named}: they cannot be read before they are restored",
            "restore them: `aws s3api restore-object`, or an S3 Batch Operations job; then preload",
        )


def no_objects(where: str, count: int) -> Iterator[Finding]:
    """A dataset that is linked is there, or its folder is empty. Source: FSx User Guide, importing-files-dra."""
    if not count:
        yield Finding(
            "NO_OBJECTS",
            Level.WARNING,
            f"there is no object below {where}",
            "correct dataset.source, or upload the dataset before the first epoch",
        )

"""Whether a Region has a file system of these settings. One rule, one function, one id."""

from collections.abc import Iterator

from epochwise.catalog.legality import illegal_settings
from epochwise.catalog.regions import regions
from epochwise.checks.file_system import wanted_of
from epochwise.checks.file_system_settings import FileSystemSettings
from epochwise.checks.finding import Finding, Level


def file_system_not_offered(settings: FileSystemSettings, region: str | None) -> Iterator[Finding]:
    """A Region sells some deployment types, throughputs and EFA only; one that the catalog lacks is not judged.

    Source: FSx User Guide, using-fsx-lustre, deployment types by Region.
    """
    offer = None if region is None else regions().get(region)
    wanted = wanted_of(settings)
    if offer is None or illegal_settings(wanted):
        return
    for illegal in illegal_settings(wanted, offer):
        yield Finding(
            "FILE_SYSTEM_NOT_OFFERED", Level.ERROR, str(illegal), "plan the workload for that Region, or move the stack"
        )

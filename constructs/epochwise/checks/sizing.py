"""Remarks about a sizing: what it rests on and what may surprise. One rule, one function, one id."""

from collections.abc import Iterator
from datetime import date

from epochwise.catalog.fsx_lustre import DEFAULT_STORAGE_QUOTA_GIB, DeploymentType
from epochwise.catalog.lustre_clients import efa_mount
from epochwise.catalog.prices import REFERENCE_REGION, catalog_prices
from epochwise.checks.finding import Finding, Level
from epochwise.checks.measurement import age_findings
from epochwise.workload import Workload


def plan_findings(workload: Workload, *, choice_type: DeploymentType | None, today: date | None) -> Iterator[Finding]:
    """Yield every remark about a workload and the deployment type that was chosen for it; ages only where a day is."""
    if today is not None:
        yield from age_findings(workload.dataset, today)
    yield from files_not_declared(workload)
    yield from hydration_assumed(workload)
    yield from scratch_dropped(workload)
    yield from efa_cannot_be_mounted(workload)
    yield from quota_crossed(workload)
    yield from price_of_another_region(workload)
    if choice_type is not None:
        yield from metadata_rate_assumed(choice_type)
        yield from scratch_is_not_replicated(choice_type)


def files_not_declared(workload: Workload) -> Iterator[Finding]:
    """Without a number of files, opens per second are unknown and metadata is not sized."""
    if workload.dataset.files is None:
        yield Finding(
            "FILES_NOT_DECLARED",
            Level.INFO,
            "dataset.files is not declared, so file opens per second are not sized",
            "declare dataset.files; many small files can need more metadata IOPS than a file system includes",
        )


def hydration_assumed(workload: Workload) -> Iterator[Finding]:
    """The first epoch of linked S3 data rests on an assumption: AWS publishes no rate for it."""
    if workload.dataset.source is not None:
        yield Finding(
            "HYDRATION_ASSUMED",
            Level.INFO,
            "the cold epoch is assumed: AWS publishes no rate at which linked S3 data arrives on first read",
            "preload the data before the first epoch, or take the cold epoch as the least it will take",
        )


def scratch_dropped(workload: Workload) -> Iterator[Finding]:
    """SCRATCH_2 is not considered where checkpoints are written to it: a lost server loses them."""
    if workload.checkpoint is not None and workload.file_system.deployment_types is None:
        yield Finding(
            "SCRATCH_NOT_CONSIDERED",
            Level.INFO,
            "SCRATCH_2 was not considered: checkpoints on it are lost with a file server",
            "list it in file_system.deployment_types if checkpoints are copied elsewhere",
        )


def efa_cannot_be_mounted(workload: Workload) -> Iterator[Finding]:
    """A pinned EFA-enabled file system is read over ENA where the nodes cannot mount it over EFA.

    Source: User Guide, efa-file-systems and performance: without EFA one client and one server exchange at most 5 Gbps.
    """
    mount = efa_mount(workload.cluster.instance, sagemaker=workload.runs_in_sagemaker)
    if workload.file_system.efa_enabled and not mount.possible:
        yield Finding(
            "EFA_NOT_MOUNTABLE",
            Level.WARNING,
            f"file_system.efa_enabled is true, but the nodes will read over ENA at 625 MB/s per server: {mount.reason}",
            "leave file_system.efa_enabled out; at small sizes an EFA-enabled file system is slower over ENA",
        )


def quota_crossed(workload: Workload) -> Iterator[Finding]:
    """A raised quota is the account's, and only AWS can raise it.

    Source: User Guide, limits: 100 800 GiB by default.
    """
    default = DEFAULT_STORAGE_QUOTA_GIB
    quota = workload.file_system.storage_quota_gib
    if quota is not None and quota > default:
        yield Finding(
            "QUOTA_RAISED",
            Level.WARNING,
            f"file_system.storage_quota_gib is {quota}, above the default of {default} GiB",
            "make sure that AWS has raised the storage quota of this account and Region before the deploy",
        )


def price_of_another_region(workload: Workload) -> Iterator[Finding]:
    """Prices of a Region that the catalog does not have are those of the reference Region."""
    found = catalog_prices().price(workload.region, "PERSISTENT_2-SSD-500")
    if found is None or found.region != workload.region:
        yield Finding(
            "PRICE_OF_ANOTHER_REGION",
            Level.WARNING,
            f"no price of {workload.region} is known, costs are those of {REFERENCE_REGION}",
            "take the ranking as it is and the amounts as an order of magnitude",
        )


def metadata_rate_assumed(choice_type: DeploymentType) -> Iterator[Finding]:
    """Types without a metadata configuration publish no metadata rate."""
    if choice_type is not DeploymentType.PERSISTENT_2:
        yield Finding(
            "METADATA_RATE_ASSUMED",
            Level.INFO,
            f"{choice_type} publishes no metadata rate; assumed is what PERSISTENT_2 includes at that capacity",
            "measure file opens before relying on it, or use PERSISTENT_2",
        )


def scratch_is_not_replicated(choice_type: DeploymentType) -> Iterator[Finding]:
    """Scratch file systems lose data with a file server.

    Source: User Guide, using-fsx-lustre.
    """
    if choice_type.is_scratch:
        yield Finding(
            "SCRATCH_IS_NOT_REPLICATED",
            Level.WARNING,
            f"{choice_type} does not replicate data and does not replace a failed file server",
            "keep the source of the data elsewhere, and write nothing to it that cannot be lost",
        )

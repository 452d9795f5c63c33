"""From a workload to what `TrainingFileSystem.for_workload` creates: the choice of a plan, and the dataset's link."""

from aws_cdk import aws_s3 as s3
from constructs import Construct

from epochwise.cdk.arguments_of_their_kind import arguments_of_their_kind
from epochwise.cdk.bucket_links import BucketLinking
from epochwise.cdk.findings import refuse_errors
from epochwise.checks.finding import Finding
from epochwise.sizing.plan import Choice
from epochwise.sizing.planner import plan
from epochwise.workload import Workload
from epochwise.workload.sections import Dataset

_BUCKET = "DatasetBucket"


@arguments_of_their_kind()
def choice_of(workload: Workload) -> tuple[Choice, list[Finding]]:
    """Plan a workload, and return the choice and the remarks about it.

    Raises:
        ValueError: with every error of the plan, of which there is one when it has no choice.
    """
    planned = plan(workload)
    remarks = refuse_errors(planned.findings)
    assert planned.choice is not None  # noqa: S101 - a plan without a choice has an error, NOTHING_FEASIBLE
    return planned.choice, remarks


@arguments_of_their_kind()
def link_dataset(file_system: BucketLinking, dataset: Dataset, *, bucket: s3.IBucket | None = None) -> None:
    """Link the bucket of a dataset, where it has one, to the root of a file system, import only.

    Args:
        file_system: what is linked.
        dataset: what is declared; without a source nothing is linked.
        bucket: the bucket that holds the declared prefix, instead of the one that is declared.

    Raises:
        ValueError: the file system takes no such link, or has one.
    """
    if dataset.source is None:
        return
    assert isinstance(file_system, Construct)  # noqa: S101 - what links buckets is a construct
    name, _, prefix = dataset.source.removeprefix("s3://").partition("/")
    if bucket is not None:
        file_system.link_bucket(bucket, prefix=prefix)
        return
    linked = file_system.node.try_find_child(_BUCKET)
    declared = s3.Bucket.from_bucket_name(file_system, _BUCKET, name) if linked is None else linked
    assert isinstance(declared, s3.BucketBase)  # noqa: S101 - what an import by name is
    try:
        file_system.link_bucket(declared, prefix=prefix)
    except ValueError:
        if linked is None:
            file_system.node.try_remove_child(_BUCKET)
        raise

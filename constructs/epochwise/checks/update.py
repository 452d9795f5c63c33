"""Remarks about the update of a file system that is deployed. One rule, one function, one id.

What an update of a property does is known to `epochwise.catalog.replacement` alone, and the rules about legal sizes to
`epochwise.catalog.legality`; here their answer becomes a finding. `place` is a resource's logical id and the property,
such as FileSystem.StorageCapacity.
"""

from epochwise.checks.finding import Finding, Level


def update_loses_data(place: str, *, cause: str, outcome: str, kept: bool) -> Finding:
    """An update that replaces or removes a file system leaves its data behind.

    CloudFormation makes a new, empty file system and deletes the old one; where that is retained it stays with its
    data, outside the stack and at its full price, and nobody mounts it. Source: CloudFormation User Guide,
    UpdateReplacePolicy and DeletionPolicy; which properties replace it: CloudFormation Template Reference,
    AWS::FSx::FileSystem.

    Args:
        place: what changes.
        cause: how it changes.
        outcome: what happens to the file system, such as `is removed`.
        kept: whether both templates retain it.
    """
    fate = "the old one stays, outside the stack, and keeps costing" if kept else "the old one goes with its data"
    return Finding(
        "UPDATE_LOSES_DATA",
        Level.ERROR,
        f"{place}: {cause}, and the file system {outcome}; {fate}",
        "leave it as it is, or export the data to S3 first and let a new file system take its place on purpose"
        if kept
        else "leave it as it is, or set UpdateReplacePolicy and DeletionPolicy to Retain in an update of its own first",
    )


def update_can_only_fail(place: str, *, cause: str, note: str) -> Finding:
    """An update that CloudFormation tries and FSx does not have ends in a rollback.

    Source: FSx API, UpdateFileSystem; how CloudFormation words the failure is unverified.
    """
    return Finding(
        "UPDATE_CAN_ONLY_FAIL",
        Level.ERROR,
        f"{place}: {cause}, which can only fail: {note}",
        "leave it as it is, or create a second file system with the new setting and move over",
    )


def update_shrinks(place: str, *, was: int, becomes: int) -> Finding:
    """Storage capacity, throughput capacity and metadata IOPS only grow.

    Source: FSx User Guide, managing-storage-capacity and managing-metadata-performance; FSx API, UpdateFileSystem.
    """
    return Finding(
        "UPDATE_SHRINKS",
        Level.ERROR,
        f"{place}: {becomes} is less than the {was} it has, and FSx only lets it grow",
        f"nearest legal: {was}; a smaller file system has to be created beside it",
    )


def update_growth_step_illegal(place: str, *, was: int, illegal: str) -> Finding:
    """What a file system grows to must be a legal size of its kind.

    Source: FSx User Guide, managing-storage-capacity; FSx API, UpdateFileSystem StorageCapacity.
    """
    return Finding(
        "UPDATE_GROWTH_STEP_ILLEGAL",
        Level.ERROR,
        f"{place}: cannot grow from {was}: {illegal}",
        "grow to the nearest legal value above",
    )


def update_in_place(place: str, *, cause: str, note: str) -> Finding:
    """An update that keeps the file system and its data, with what it costs meanwhile.

    Source: FSx User Guide, managing-storage-capacity, managing-throughput-capacity, managing-metadata-performance and
    managing-ssd-read-cache; that CloudFormation does it in place is unverified by a deploy.
    """
    return Finding(
        "UPDATE_IN_PLACE",
        Level.INFO,
        f"{place}: {cause}, in place" + (f": {note}" if note else ""),
        "deploy it when a short wait of the clients does not matter",
    )


def update_replaces(place: str, *, cause: str, certain: bool, note: str) -> Finding:
    """An update that replaces something that holds no data: a link, a group, a subnet.

    Source: CloudFormation's resource schemas, createOnlyProperties.
    """
    return Finding(
        "UPDATE_REPLACES",
        Level.INFO,
        f"{place}: {cause}, and it {'is' if certain else 'may be'} replaced" + (f"; {note}" if note else ""),
        "nothing to do where the deploy may take it out for a while",
    )


def update_unknown(place: str, *, cause: str, doubt: str) -> Finding:
    """An update whose effect cannot be seen in the two templates.

    Values that only a deploy knows and properties that the catalog does not list are no reason to stop, but to look.
    Source: CloudFormation User Guide, intrinsic functions are evaluated by the deploy.
    """
    return Finding(
        "UPDATE_UNKNOWN",
        Level.WARNING,
        f"{place}: {cause}, and {doubt}",
        "create a change set and look at what it says about the file system's replacement before executing it",
    )


def update_leaves_file_system(place: str, *, policy: str) -> Finding:
    """A retained file system that is taken out of the template stays and keeps costing.

    Source: CloudFormation User Guide, DeletionPolicy.
    """
    return Finding(
        "UPDATE_LEAVES_FILE_SYSTEM",
        Level.WARNING,
        f"{place}: is taken out of the template and stays with its data (DeletionPolicy {policy}), at its full price",
        "delete it by hand once its data is not needed, or import it into a stack",
    )


def update_unprotects(place: str, *, was: str, becomes: str) -> Finding:
    """Without Retain a later update or removal deletes the file system with its data.

    Source: CloudFormation User Guide, UpdateReplacePolicy and DeletionPolicy: Delete where they are absent.
    """
    return Finding(
        "UPDATE_UNPROTECTS",
        Level.WARNING,
        f"{place}: changes from {was} to {becomes}, so that a later replacement or removal deletes the data",
        "leave it at Retain while the data matters",
    )

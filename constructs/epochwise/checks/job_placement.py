"""Rules about a training job beside the network and the file system that it is given."""

from collections.abc import Iterator, Mapping, Sequence

from epochwise.catalog.instance_types import SAGEMAKER_PREFIX
from epochwise.checks.bucket_link import BucketLink
from epochwise.checks.finding import Finding, Level


def workload_of_other_region(workload_region: str, deployed_region: str) -> Iterator[Finding]:
    """Refuse a job, or its file system, in another Region than the one that is declared.

    Prices, what FSx offers, the training image and the image that evaluates Debugger's rules are those of the declared
    Region. Source: SageMaker API Reference, ContainerDefinition; sagemaker 2.257.7, image_uri_config/debugger.json.
    """
    if workload_region != deployed_region:
        yield Finding(
            "WORKLOAD_OF_OTHER_REGION",
            Level.ERROR,
            f"region of the workload is {workload_region}, and it is deployed to {deployed_region}",
            f"set region to {deployed_region} and see that training.image lies there, or deploy to {workload_region}",
        )


def file_system_of_other_vpc(file_system_vpc: str, network_vpc: str, *, differ: bool) -> Iterator[Finding]:
    """Refuse a file system that the app creates in another VPC, which the nodes do not reach by themselves.

    Source: FSx User Guide, mounting-on-premises: from another VPC it takes peering.
    """
    if differ:
        yield Finding(
            "FILE_SYSTEM_OF_OTHER_VPC",
            Level.ERROR,
            f"file_system is in vpc {file_system_vpc}, and network in vpc {network_vpc}",
            "create the file system with vpc=network.vpc and subnet=network.private_subnet; one of a peered VPC can be "
            "taken with TrainingFileSystem.from_attributes",
        )


def file_system_in_other_subnet(file_system_subnet: str, nodes_subnet: str, *, differ: bool) -> Iterator[Finding]:
    """Warn about a file system in another subnet than the nodes, unless both are seen to be in one zone.

    Between zones traffic costs money and takes longer, and EFA does not go at all. Source: FSx User Guide,
    efa-file-systems; EC2 User Guide, efa.
    """
    if differ:
        yield Finding(
            "FILE_SYSTEM_IN_OTHER_SUBNET",
            Level.WARNING,
            f"file_system is in subnet {file_system_subnet} and the nodes in {nodes_subnet}, which are not seen to be "
            "in one zone",
            "create the file system with subnet=network.private_subnet, or see that both are in one zone",
        )


def network_for_other_nodes(
    *, declared_type: str, declared_nodes: int, network_type: str, network_nodes: int
) -> Iterator[Finding]:
    """Warn about a network that was laid out for other nodes: its zone and addresses were judged for those.

    Source: SageMaker Developer Guide, train-vpc: addresses per training instance.
    """
    other_type = declared_type.removeprefix(SAGEMAKER_PREFIX) != network_type.removeprefix(SAGEMAKER_PREFIX)
    if other_type or declared_nodes > network_nodes:
        yield Finding(
            "NETWORK_FOR_OTHER_NODES",
            Level.WARNING,
            f"network is laid out for {network_nodes} × {network_type}, and the workload declares {declared_nodes} × "
            f"{declared_type}",
            f"create the network with nodes={declared_nodes} and instance_type={declared_type!r}",
        )


def file_system_clients_unseen(name: str, *, unseen: bool) -> Iterator[Finding]:
    """Warn about a file system that others own: whether it lets the nodes in cannot be seen here.

    Source: FSx User Guide, limit-access-security-groups.
    """
    if unseen:
        yield Finding(
            "FILE_SYSTEM_CLIENTS_UNSEEN",
            Level.WARNING,
            f"whether file_system {name}, which is imported, lets the nodes of network in cannot be seen here",
            "call file_system.allow_client(network.efa_security_group), unless its owner has added the rules",
        )


def plan_of_other_file_system(differing: Mapping[str, tuple[object, object]]) -> Iterator[Finding]:
    """Warn about a plan of another file system than the one that is watched for being at its ceiling.

    StorageBottleneck compares what is read with the ceiling of the plan.
    """
    if differing:
        told = ", ".join(f"{name} {planned} planned and {built} built" for name, (planned, built) in differing.items())
        yield Finding(
            "PLAN_OF_OTHER_FILE_SYSTEM",
            Level.WARNING,
            f"watch.rules holds StorageBottleneck, which takes the plan's ceiling for the file system's: {told}",
            "size the file system by the plan, or pass the plan that it was sized by",
        )


def storage_ceiling_unknown(*, unknown: bool) -> Iterator[Finding]:
    """Warn that no plan says what the file system delivers, so that StorageBottleneck has nothing to compare with."""
    if unknown:
        yield Finding(
            "STORAGE_CEILING_UNKNOWN",
            Level.WARNING,
            "watch.rules holds StorageBottleneck, and the plan has no feasible file system whose ceiling it could "
            "take, so it never fires",
            "raise epoch.target until a plan is feasible, pass a plan that is, or remove StorageBottleneck from "
            "watch.rules",
        )


def dataset_not_linked(source: str, links: Sequence[BucketLink]) -> Iterator[Finding]:
    """Warn about a file system that is not linked to the declared dataset, so that the job may find nothing in it.

    Source: FSx User Guide, create-dra-linked-data-repo.
    """
    if not [link for link in links if holds(link, source)]:
        yield Finding(
            "DATASET_NOT_LINKED",
            Level.WARNING,
            f"dataset.source is {source}, and file_system is linked to "
            f"{', '.join(f's3://{link.bucket}/{link.prefix}' for link in links) or 'no bucket'}",
            "link it with file_system.link_bucket, create it with TrainingFileSystem.for_workload, or copy the dataset "
            "onto it before training",
        )


def dataset_elsewhere(source: str, path: str, links: Sequence[BucketLink]) -> Iterator[Finding]:
    """Warn about a job that mounts another folder than the one that the dataset is linked to.

    What of the dataset's prefix lies below the link's is a folder below the link's own.
    Source: SageMaker API Reference, FileSystemDataSource.
    """
    prefix = source.removeprefix("s3://").partition("/")[2].rstrip("/")
    linked = [
        f"{link.file_system_path.rstrip('/')}/{f'{prefix}/'.removeprefix(link.prefix)}".rstrip("/") or "/"
        for link in links
        if holds(link, source)
    ]
    if linked and not [folder for folder in linked if f"{path.rstrip('/')}/".startswith(f"{folder.rstrip('/')}/")]:
        yield Finding(
            "DATASET_ELSEWHERE",
            Level.WARNING,
            f"the dataset is linked to {', '.join(linked)} of the file system, and the job mounts {path} of it",
            f"set file_system_path to {linked[0]}, unless the training script looks for it below {path}",
        )


def holds(link: BucketLink, source: str) -> bool:
    """Tell whether a link has all of a dataset's prefix.

    >>> guide = BucketLink("data", "guide/", "/", (), ())
    >>> [holds(guide, source) for source in ("s3://data/guide", "s3://data/guide/train/", "s3://data/", "s3://b/guide/")]
    [True, True, False, False]
    """
    bucket, _, prefix = source.removeprefix("s3://").partition("/")
    return link.bucket == bucket and f"{prefix.rstrip('/')}/".startswith(link.prefix)


def code_bucket_without_source(source: str | None, *, given: bool) -> Iterator[Finding]:
    """Refuse a bucket for code that is not declared, so that nobody knows its key.

    Source: SageMaker Training Toolkit, sagemaker_submit_directory: the address of an archive.
    """
    if given and source is None:
        yield Finding(
            "CODE_BUCKET_WITHOUT_SOURCE",
            Level.ERROR,
            "code_bucket is given, and training.source, whose key it would hold, is not declared",
            "declare training.source and training.entry_point, or leave code_bucket out",
        )

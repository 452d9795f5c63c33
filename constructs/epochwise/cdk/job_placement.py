"""A training job beside its network and file system: what of them does not fit, and the way from one to the other."""

from collections.abc import Iterator, Sequence

from aws_cdk import Stack
from aws_cdk import aws_ec2 as ec2
from constructs import IConstruct

from epochwise.cdk.existing_vpc import see_subnet
from epochwise.cdk.known_region import workload_region_findings
from epochwise.cdk.lustre_access import LustreClients
from epochwise.cdk.lustre_file_system import LustreFileSystem
from epochwise.cdk.same_vpc import known_vpc
from epochwise.cdk.tokens import is_token
from epochwise.cdk.training_file_system import TrainingFileSystem
from epochwise.cdk.training_network import TrainingNetwork
from epochwise.checks.file_system_path import file_system_path_has_mount_name, file_system_path_invalid
from epochwise.checks.finding import Finding
from epochwise.checks.job_placement import (
    dataset_elsewhere,
    dataset_not_linked,
    file_system_clients_unseen,
    file_system_in_other_subnet,
    file_system_of_other_vpc,
    network_for_other_nodes,
    plan_of_other_file_system,
    storage_ceiling_unknown,
)
from epochwise.checks.same_vpc import are_apart
from epochwise.checks.subnet import AddressBudget, addresses_of_node, given_subnet_too_small
from epochwise.sizing.plan import Plan
from epochwise.workload import Workload

_SIZE = (
    "deployment_type",
    "storage_type",
    "storage_capacity_gib",
    "per_unit_storage_throughput",
    "throughput_capacity_mbps",
    "efa_enabled",
)
"""Settings that decide how much a file system delivers."""


def placement_findings(
    scope: IConstruct,
    *,
    workload: Workload,
    network: TrainingNetwork,
    file_system: LustreFileSystem,
    file_system_path: str,
    max_nodes: int,
    instance_types: Sequence[str],
    planned: Plan | None,
) -> Iterator[Finding]:
    """Yield what is to be said about a job in a scope, before anything of it is created.

    Args:
        scope: where the job will be.
        workload: what is declared.
        network: where its nodes run.
        file_system: what it reads.
        file_system_path: the folder of it that is mounted.
        max_nodes: most nodes that an execution may ask for.
        instance_types: types that it may ask for beside the declared one.
        planned: the plan that the file system is compared with; None where nothing depends on it.
    """
    cluster = workload.cluster
    yield from workload_region_findings(scope, workload.region)
    if not is_token(file_system_path, str):
        yield from file_system_path_invalid("file_system_path", file_system_path)
        if not is_token(file_system.mount_name, str):
            yield from file_system_path_has_mount_name(file_system_path, file_system.mount_name)
    laid_out = network.addresses
    yield from network_for_other_nodes(
        declared_type=cluster.instance_type,
        declared_nodes=cluster.nodes,
        network_type=laid_out.instance_type,
        network_nodes=laid_out.nodes,
    )
    seen = see_subnet(network.private_subnet, network.vpc)
    if seen.prefix_length is not None:
        widest = max((cluster.instance_type, *instance_types), key=addresses_of_node)
        budget = AddressBudget(max_nodes, widest, laid_out.file_system_servers, laid_out.interface_endpoints)
        yield from given_subnet_too_small(budget, seen.name, seen.prefix_length)
    yield from storage_ceiling_unknown(unknown=planned is not None and planned.choice is None)
    if not isinstance(file_system, TrainingFileSystem):
        unseen = not _lets_in(file_system, network)
        yield from file_system_clients_unseen(file_system.node.path, unseen=unseen)
        return
    differ = are_apart(known_vpc(file_system.vpc.vpc_id), known_vpc(network.vpc.vpc_id))
    yield from file_system_of_other_vpc(file_system.vpc.node.path, network.vpc.node.path, differ=differ)
    if not differ:
        yield from file_system_in_other_subnet(
            file_system.subnet.node.path,
            network.private_subnet.node.path,
            differ=_zones_differ(file_system.subnet, network.private_subnet),
        )
    if planned is not None and planned.choice is not None:
        settings = file_system.settings
        pairs = {
            name: (getattr(planned.choice, name), getattr(settings, name))
            for name in _SIZE
            if name not in settings.unknown
        }
        yield from plan_of_other_file_system({name: pair for name, pair in pairs.items() if pair[0] != pair[1]})


def dataset_findings(workload: Workload, file_system: LustreFileSystem, path: str) -> Iterator[Finding]:
    """Yield what is to be said, once the app is whole, about where the declared dataset is on a file system."""
    source = workload.dataset.source
    if source is None or not isinstance(file_system, TrainingFileSystem):
        return
    links = file_system.bucket_links
    legacy = file_system.settings.import_path is not None or "import_path" in file_system.settings.unknown
    if legacy or any(is_token(link.bucket, str) or is_token(link.prefix, str) for link in links):
        return
    yield from dataset_not_linked(source, links)
    if not is_token(path, str):
        yield from dataset_elsewhere(source, path, links)


def let_nodes_in(file_system: LustreFileSystem, network: TrainingNetwork) -> None:
    """Let the nodes of a network mount a file system that the app creates, unless any of their groups may already."""
    if isinstance(file_system, TrainingFileSystem) and not _lets_in(file_system, network):
        file_system.allow_client(network.efa_security_group)


def _zones_differ(one: ec2.ISubnet, other: ec2.ISubnet) -> bool:
    """Tell whether two subnets are different ones that are not seen to be in one zone."""
    if one.node.path == other.node.path or one.subnet_id == other.subnet_id:
        return False
    stack = Stack.of(one)
    try:
        return bool(stack.resolve(one.availability_zone) != stack.resolve(other.availability_zone))
    except RuntimeError:
        # how CDK says that an imported subnet was given no zone
        return True


def _lets_in(file_system: LustreFileSystem, network: TrainingNetwork) -> bool:
    """Tell whether the app lets any group of the nodes into a file system; each node has all of the groups."""
    return isinstance(file_system, LustreClients) and any(map(file_system.lets_in, network.security_groups))

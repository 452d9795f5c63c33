"""What a plan says in sentences: what is asked for, how long epochs take, what a campaign costs."""

from collections.abc import Iterator

from epochwise.declaration.quantity_text import rate_text, seconds_text, size_text
from epochwise.report.content import Fact, Facts
from epochwise.sizing.candidate import Candidate
from epochwise.sizing.plan import Plan
from epochwise.workload import Objective


def plan_facts(plan: Plan) -> Facts:
    """Return the facts of a plan: without a choice only what is asked for."""
    return Facts(tuple(_facts(plan)))


def _facts(plan: Plan) -> Iterator[Fact]:
    """Yield the facts of a plan."""
    choice = plan.choice
    yield Fact("demand", demand_text(plan))
    if choice is None:
        return
    yield Fact("steady", steady_text(choice))
    yield Fact("other", _other_epochs(plan, choice))
    if plan.preload_s is not None:
        yield Fact("preload", f"{seconds_text(plan.preload_s)} for the linked data before the first epoch (assumed)")
    yield Fact("servers", f"{choice.addresses} addresses in the subnet; {_metadata(choice)}{_read_cache(choice)}")
    yield from _campaign(plan, choice)


def demand_text(plan: Plan) -> str:
    """Say what is asked for."""
    workload, demand = plan.workload, plan.demand
    text = (
        f"{rate_text(demand.read_mbps)} MB/s: {size_text(workload.dataset.size)} "
        f"in {seconds_text(workload.epoch.target)} on {workload.cluster.nodes} × {workload.cluster.instance_type}"
    )
    if workload.file_system.objective is Objective.CHEAPEST_CAMPAIGN:
        text += " (a target that cheapest-campaign ignores)"
    elif workload.epoch.tolerance:
        text += f", which may take {workload.epoch.tolerance:.0%} longer"
    if demand.opens_per_s is not None:
        text += f"; {rate_text(demand.opens_per_s)} file opens a second"
    if demand.write_mbps:
        text += f"; {rate_text(demand.write_mbps)} MB/s of checkpoints"
    return f"{text}; at least {demand.capacity_gib:.0f} GiB"


def steady_text(choice: Candidate) -> str:
    """Say how long an epoch takes and what decides it."""
    metadata = choice.binding == "metadata"
    ceilings = choice.ceilings
    limit = ceilings.metadata_opens_per_s if metadata else getattr(ceilings, choice.binding)
    return (
        f"{seconds_text(choice.epoch_s.steady)} an epoch, bound by {choice.binding} "
        f"({rate_text(limit)} {'opens/s' if metadata else 'MB/s'}); "
        f"the servers' RAM answers {choice.prediction.hit_share:.0%} of the reads that reach it"
    )


def _other_epochs(plan: Plan, choice: Candidate) -> str:
    """Say how long epochs take under other assumptions."""
    epoch_s = choice.epoch_s
    assumed = " (assumed)" if plan.workload.dataset.source is not None else ""
    text = f"cold {seconds_text(epoch_s.cold)}{assumed}, without cache {seconds_text(epoch_s.without_cache)}"
    if choice.delivery.bursts:
        text += f", at burst rates {seconds_text(epoch_s.burst)} (not relied on)"
    return text


def _metadata(choice: Candidate) -> str:
    """Say what metadata rate it has."""
    return f"{choice.metadata_iops} metadata IOPS ({choice.metadata_mode or 'assumed'})"


def _read_cache(choice: Candidate) -> str:
    """Say what SSD read cache it has, where that is provisioned."""
    return "" if choice.read_cache_gib is None else f"; {choice.read_cache_gib} GiB of SSD read cache"


def _campaign(plan: Plan, choice: Candidate) -> Iterator[Fact]:
    """Yield what all epochs cost, and what waiting costs where it is known."""
    campaign, epoch = plan.campaign(choice), plan.workload.epoch
    epochs = "1 epoch takes" if epoch.count == 1 else f"{epoch.count} epochs take"
    text = f"{epochs} {hours_text(campaign.hours)}: file system {campaign.file_system_usd:.2f} USD"
    lifetime_s = plan.workload.file_system.lifetime
    if lifetime_s is not None and lifetime_s > campaign.hours * 3600:
        text += f" for the {hours_text(lifetime_s / 3600)} that it lives"
    if campaign.cluster_usd is None:
        text += "; the cluster is not priced: cluster.price_per_node_hour is not declared"
    else:
        text += f", cluster {campaign.cluster_usd:.2f} USD, together {campaign.usd:.2f} USD"
    yield Fact("campaign", text)
    if campaign.waiting_usd is not None:
        yield Fact("waiting", f"{campaign.waiting_usd:.2f} USD of that pay for accelerators that wait for data")


def hours_text(hours: float) -> str:
    """Render hours with three digits, whole from a hundred up.

    >>> hours_text(0.685), hours_text(12.34), hours_text(720)
    ('0.685 h', '12.3 h', '720 h')
    """
    return f"{hours:.0f} h" if hours >= 99.95 else f"{hours:.3g} h"

"""The topic and the key that a job is given are ones that it can tell findings with."""

from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import App, Aws, Environment, Stack
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns

from epochwise import Workload
from tests.cdk.jobs import file_system_in, job_in, network_in, warned

ARN = "arn:aws:sns:{region}:111122223333:{name}"


def topic_of(stack: Stack, name: str = "findings", region: str = "us-east-1") -> sns.ITopic:
    return sns.Topic.from_topic_arn(stack, "Given", ARN.format(region=region, name=name))


REFUSED: dict[str, tuple[str, Callable[[Stack], dict[str, Any]]]] = {
    "fifo topic": ("TOPIC_IS_FIFO", lambda stack: {"topic": sns.Topic(stack, "Given", fifo=True)}),
    "imported fifo topic": ("TOPIC_IS_FIFO", lambda stack: {"topic": topic_of(stack, "findings.fifo")}),
    "topic of another Region": (
        "CONSTRUCT_OF_OTHER_REGION",
        lambda stack: {"topic": topic_of(stack, region="us-west-2")},
    ),
    "imported alias": (
        "ENCRYPTION_KEY_IS_ALIAS",
        lambda stack: {"encryption_key": kms.Alias.from_alias_name(stack, "Alias", "alias/logs")},
    ),
    "alias": (
        "ENCRYPTION_KEY_IS_ALIAS",
        lambda stack: {"encryption_key": kms.Key(stack, "Key").add_alias("alias/logs")},
    ),
}


@pytest.fixture
def eastern(new_app: Callable[..., App]) -> Stack:
    return Stack(new_app(), "test", env=Environment(account="111122223333", region="us-east-1"))


@pytest.mark.parametrize(("finding", "given"), REFUSED.values(), ids=REFUSED)
def test_what_no_finding_could_be_told_with_is_refused(
    eastern: Stack, guide: Workload, finding: str, given: Callable[[Stack], dict[str, Any]]
) -> None:
    network = network_in(eastern)
    file_system = file_system_in(eastern, network)
    arguments = given(eastern)
    with pytest.raises(ValueError, match=rf"{finding}\]$"):
        job_in(eastern, guide, network, file_system, **arguments)


def test_where_only_the_deploy_knows_the_region_it_is_the_workloads(stack: Stack, guide: Workload) -> None:
    network = network_in(stack)
    key = kms.Key.from_key_arn(stack, "Key", "arn:aws:kms:us-west-2:111122223333:key/a")
    wanted = r"topic must be in us-east-1.* in us-west-2.*\n.*encryption_key must be in us-east-1"
    with pytest.raises(ValueError, match=wanted):
        job_in(
            stack,
            guide,
            network,
            file_system_in(stack, network),
            topic=topic_of(stack, region="us-west-2"),
            encryption_key=key,
        )


def test_only_an_imported_topic_is_remarked_on(eastern: Stack, guide: Workload) -> None:
    network = network_in(eastern)
    job_in(eastern, guide, network, file_system_in(eastern, network), topic=topic_of(eastern))
    assert "TOPIC_POLICY_UNSEEN" in warned(eastern)


@pytest.mark.parametrize("with_key", [True, False])
def test_a_topic_and_a_key_of_the_app_pass_in_silence(stack: Stack, guide: Workload, with_key: bool) -> None:
    network = network_in(stack)
    key = kms.Key(stack, "Key") if with_key else None
    topic = sns.Topic(stack, "Given", master_key=key)
    job_in(stack, guide, network, file_system_in(stack, network), topic=topic, encryption_key=key)
    assert not {each for each in warned(stack) if each.startswith(("TOPIC", "ENCRYPTION"))}


def test_a_topic_whose_region_only_the_deploy_knows_is_taken(eastern: Stack, guide: Workload) -> None:
    network = network_in(eastern)
    topic = topic_of(eastern, region=Aws.REGION)
    assert job_in(eastern, guide, network, file_system_in(eastern, network), topic=topic).topic is topic

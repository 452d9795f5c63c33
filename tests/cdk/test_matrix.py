"""Every family of the catalog with all that goes with it: legal ones pass every linter, others name their check."""

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from cfnlint import api
from cfnlint.config import ManualArgs

from epochwise.catalog.fsx_lustre import families
from epochwise.catalog.intelligent_tiering import tiering_families
from epochwise.cdk.acknowledgements import Pack
from epochwise.cdk.training_network import TrainingNetwork
from tests.cdk.file_system_matrix import Configuration, base, every_configuration
from tests.cdk.file_systems import build, imported_vpc
from tests.cdk.nag import nag, reported

EVERY = every_configuration()
LEGAL = [configuration for configuration in EVERY if not configuration.refused_by]
ILLEGAL = [configuration for configuration in EVERY if configuration.refused_by]
PER_STACK = 36
"""Legal file systems of one stack: a template has room for 500 resources."""
CHUNKS = [LEGAL[start : start + PER_STACK] for start in range(0, len(LEGAL), PER_STACK)]
DIMENSIONS: dict[str, Callable[[Configuration], bool]] = {
    "metadata": lambda each: "metadata_iops" in each.settings,
    "S3": lambda each: "link" in each.beside,
    "backups": lambda each: "automatic_backup_retention_days" in each.settings,
    "KMS": lambda each: "key" in each.beside,
    "logs": lambda each: "log_level" in each.settings,
    "new VPC": lambda each: "network" in each.beside,
}
"""What a configuration has or has not, beside its type, tier and EFA."""


def deploy(stack: Stack, number: int, configuration: Configuration) -> None:
    """Put a configuration into a stack, with all that stands beside it."""
    settings: dict[str, Any] = dict(configuration.settings)
    own = Stack.of(stack)
    if "network" in configuration.beside:
        network = own.node.try_find_child("Network")
        if not isinstance(network, TrainingNetwork):
            network = TrainingNetwork(own, "Network", nodes=4, instance_type="ml.p4d.24xlarge")
        settings |= {"vpc": network.vpc, "subnet": network.private_subnet}
        settings |= {"client_security_groups": network.security_groups}
    if "groups" in configuration.beside:
        group = ec2.SecurityGroup.from_security_group_id(own, f"Group{number}", "sg-0123456789abcdef0")
        settings["security_groups"] = [group]
    if "logs" in configuration.beside:
        settings["log_group"] = logs.LogGroup.from_log_group_name(own, f"Logs{number}", "/aws/fsx/shared")
    if "key" in configuration.beside:
        settings["encryption_key"] = kms.Key.from_key_arn(
            own, f"Key{number}", "arn:aws:kms:us-east-1:111122223333:key/01234567-89ab-cdef-0123-456789abcdef"
        )
    file_system = build(own, f"FileSystem{number}", **settings)
    if "link" in configuration.beside:
        bucket = s3.Bucket.from_bucket_name(own, f"Bucket{number}", "example-data")
        file_system.link_bucket(bucket, prefix="train")


@cache
def synthesized(outdir: str, app: App) -> Path:
    """Synthesize every legal configuration in one app under AWS Solutions' rules, and return the assembly."""
    for chunk, configurations in enumerate(CHUNKS):
        stack = Stack(app, f"chunk{chunk}")
        for number, configuration in enumerate(configurations):
            deploy(stack, number, configuration)
    nag(app, Pack.SOLUTIONS)
    return Path(outdir)


@pytest.fixture(scope="module")
def assembly(new_app: Callable[..., App], tmp_path_factory: pytest.TempPathFactory) -> Path:
    outdir = str(tmp_path_factory.mktemp("matrix"))
    return synthesized(outdir, new_app(outdir=outdir))


def test_the_matrix_has_at_least_150_configurations() -> None:
    assert len(EVERY) >= 150
    assert len({configuration.label for configuration in EVERY}) == len(EVERY)


@pytest.mark.parametrize(("one", "other"), list(combinations(DIMENSIONS, 2)))
def test_each_two_dimensions_meet_in_every_way_on_every_type_tier_and_efa(one: str, other: str) -> None:
    def kind(settings: dict[str, Any]) -> tuple[str, ...]:
        shape = ("deployment_type", "storage_type", "per_unit_storage_throughput", "drive_cache_type", "efa_enabled")
        return tuple(str(settings.get(name)) for name in shape)

    met = {(kind(each.settings), DIMENSIONS[one](each), DIMENSIONS[other](each)) for each in EVERY}
    kinds = {kind(base(family)) for family in families()} | {kind(base(family)) for family in tiering_families()}
    assert {(each, *ways) for each in kinds for ways in product([True, False], repeat=2)} <= met


@pytest.mark.parametrize("legal", [LEGAL], ids=[f"{len(LEGAL)}-of-{len(EVERY)}"])
def test_every_legal_configuration_is_built(assembly: Path, legal: list[Configuration]) -> None:
    templates = [json.loads(file.read_text(encoding="utf-8")) for file in assembly.glob("*.template.json")]
    built = [
        resource
        for template in templates
        for resource in template["Resources"].values()
        if resource["Type"] == "AWS::FSx::FileSystem"
    ]
    assert len(built) == len(legal)


@pytest.mark.parametrize("legal", [LEGAL], ids=[f"{len(LEGAL)}-legal"])
def test_nag_finds_nothing_in_any_legal_configuration(assembly: Path, legal: list[Configuration]) -> None:
    found = reported(assembly, Pack.SOLUTIONS)
    assert legal
    assert found == set()


def without_rules_of_others(template: dict[str, Any]) -> dict[str, Any]:
    """Keep the security group rules of the first file system only: they are alike, and take most of a linter's time."""
    dropped = {
        logical_id
        for logical_id, resource in template["Resources"].items()
        if resource["Type"] in {"AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress"}
        and logical_id.startswith("FileSystem")
        and not logical_id.startswith("FileSystem0")
    }
    kept = {
        logical_id: resource | {"DependsOn": [each for each in resource.get("DependsOn", []) if each not in dropped]}
        for logical_id, resource in template["Resources"].items()
        if logical_id not in dropped
    }
    return template | {
        "Resources": {
            logical_id: {key: value for key, value in resource.items() if key != "DependsOn" or value}
            for logical_id, resource in kept.items()
        }
    }


@pytest.mark.parametrize("chunk", range(len(CHUNKS)), ids=[f"{len(chunk)}-legal" for chunk in CHUNKS])
def test_cfn_lint_finds_nothing_in_any_legal_configuration(assembly: Path, chunk: int) -> None:
    template = json.loads((assembly / f"chunk{chunk}.template.json").read_text(encoding="utf-8"))
    matches = api.lint(json.dumps(without_rules_of_others(template)), config=ManualArgs())
    assert [str(match) for match in matches] == []


@pytest.mark.parametrize("illegal", [ILLEGAL], ids=[f"{len(ILLEGAL)}-of-{len(EVERY)}"])
def test_every_illegal_configuration_is_refused_with_the_id_of_its_check(
    new_app: Callable[..., App], illegal: list[Configuration]
) -> None:
    stack = Stack(new_app(), "test")
    imported_vpc(stack)
    wrong: dict[str, str] = {}
    for number, configuration in enumerate(illegal):
        try:
            deploy(stack, number, configuration)
        except ValueError as error:
            if set(re.findall(r"\[([A-Z0-9_]+)\]$", str(error), flags=re.MULTILINE)) != configuration.refused_by:
                wrong[configuration.label] = str(error)
        else:
            wrong[configuration.label] = "was built"
    assert wrong == {}

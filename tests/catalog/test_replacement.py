import gzip
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from botocore.loaders import Loader

from epochwise.catalog.data_file import load
from epochwise.catalog.replacement import BUCKET_LINK, FILE_SYSTEM, LUSTRE, Effect, create_only, update_rules

ROOT = Path(__file__).parents[2]
LISTED = [FILE_SYSTEM, BUCKET_LINK]
BY_CREATE_ONLY = sorted(load("replacement")["create_only"])
OTHER_KINDS = {"WindowsConfiguration", "OntapConfiguration", "OpenZFSConfiguration", LUSTRE}

DISAGREEMENTS = {
    "FileSystemTypeVersion": ("in_place", "in_place", "replaces", Effect.IN_PLACE),
    "LustreConfiguration.CopyTagsToBackups": ("in_place", "replaces", "replaces", Effect.REPLACES),
    "LustreConfiguration.DeploymentType": ("in_place", "replaces", "replaces", Effect.REPLACES),
    "LustreConfiguration.DriveCacheType": ("in_place", "in_place", "replaces", Effect.FAILS),
    "LustreConfiguration.ExportPath": ("in_place", "in_place", "replaces", Effect.FAILS),
    "LustreConfiguration.ImportPath": ("in_place", "in_place", "replaces", Effect.FAILS),
    "LustreConfiguration.ImportedFileChunkSize": ("in_place", "in_place", "replaces", Effect.FAILS),
    "LustreConfiguration.PerUnitStorageThroughput": ("in_place", "in_place", "replaces", Effect.IN_PLACE),
}
"""Where CloudFormation's schema, its page and CDK's service spec differ, and what is made of it."""
NO_UPDATE = {"LustreConfiguration.EfaEnabled", "NetworkType", "StorageType"}
"""Where all three say in place, and FSx has no update for Lustre."""


@cache
def schema(resource_type: str) -> dict[str, Any]:
    """Return the resource schema that cfn-lint ships."""
    schemas = files("cfnlint") / "data" / "schemas"
    index = json.loads((schemas / "providers" / "us-east-1.json").read_text())
    parsed: dict[str, Any] = json.loads((schemas / "resources" / f"{index[resource_type]}.json").read_text())
    return parsed


def listed_names(resource_type: str, properties: set[str], lustre: set[str]) -> set[str]:
    """Return property names as the catalog spells them."""
    if resource_type != FILE_SYSTEM:
        return properties
    return (properties - OTHER_KINDS) | {f"{LUSTRE}.{name}" for name in lustre}


@pytest.mark.parametrize("resource_type", LISTED)
def test_the_registrys_opinion_is_that_of_its_schema(resource_type: str) -> None:
    found, rules = schema(resource_type), update_rules(resource_type)
    read_only = {path.split("/")[2] for path in found["readOnlyProperties"]}
    lustre = set(found["definitions"][LUSTRE]["properties"]) if resource_type == FILE_SYSTEM else set()
    assert set(rules) == listed_names(resource_type, set(found["properties"]) - read_only, lustre)
    replaced = {path.removeprefix("/properties/") for path in found["createOnlyProperties"]}
    assert {name for name, rule in rules.items() if rule.registry is Effect.REPLACES} == replaced


@pytest.mark.parametrize("resource_type", BY_CREATE_ONLY)
def test_what_a_file_system_stands_on_is_replaced_as_its_schema_says(resource_type: str) -> None:
    paths = schema(resource_type).get("createOnlyProperties", [])
    assert create_only(resource_type) == frozenset(path.removeprefix("/properties/") for path in paths)


@cache
def service_spec() -> dict[str, Any]:
    """Return the service spec that the CDK CLI ships."""
    database = ROOT / "node_modules" / "aws-cdk" / "db.json.gz"
    if not database.exists():
        pytest.skip("the CDK CLI is not installed")
    found: dict[str, Any] = json.loads(gzip.decompress(database.read_bytes()))["schema"]
    return found


def test_cdks_opinion_is_that_of_the_service_spec_it_ships() -> None:
    entities = {each["cloudFormationType"]: each for each in service_spec()["resource"]["entities"]}
    types = {each["$id"]: each for each in service_spec()["typeDefinition"]["entities"]}
    for resource_type in LISTED:
        properties = dict(entities[resource_type]["properties"])
        if LUSTRE in properties:
            nested = types[properties.pop(LUSTRE)["type"]["reference"]["$ref"]]["properties"]
            properties |= {f"{LUSTRE}.{name}": value for name, value in nested.items()}
        said = {name for name, value in properties.items() if value.get("causesReplacement") == "yes"}
        rules = update_rules(resource_type)
        assert {name for name, rule in rules.items() if rule.cdk is Effect.REPLACES} == said


def test_fsxs_opinion_is_that_of_its_api() -> None:
    shapes = Loader().load_service_model("fsx", "service-2")["shapes"]
    updates = {
        FILE_SYSTEM: set(shapes["UpdateFileSystemRequest"]["members"])
        | {f"{LUSTRE}.{name}" for name in shapes["UpdateFileSystemLustreConfiguration"]["members"]},
        BUCKET_LINK: set(shapes["UpdateDataRepositoryAssociationRequest"]["members"]),
    }
    for resource_type in LISTED:
        said = {name for name in update_rules(resource_type) if name in updates[resource_type]}
        # two members of the request that are about other kinds of file systems
        said -= {"StorageType", "NetworkType"}
        assert {name for name, rule in update_rules(resource_type).items() if rule.service} == said


def test_the_sources_disagree_exactly_where_it_is_listed() -> None:
    found = {
        name: (rule.registry, rule.page, rule.cdk, rule.verdict)
        for resource_type in LISTED
        for name, rule in update_rules(resource_type).items()
        if rule.disagreement
    }
    assert found == DISAGREEMENTS


def test_a_verdict_follows_from_the_sources() -> None:
    for resource_type in LISTED:
        for name, rule in update_rules(resource_type).items():
            if rule.page is Effect.REPLACES:
                assert rule.verdict is Effect.REPLACES, name
            else:
                updatable = rule.service or name == "Tags"
                assert rule.verdict is (Effect.IN_PLACE if updatable else Effect.FAILS), name
            assert rule.trust in {"agreed", "derived", "unverified"}
            if rule.verdict is Effect.FAILS or rule.page is not rule.registry:
                assert rule.trust == "unverified", name
    fails = {name for name, rule in update_rules(FILE_SYSTEM).items() if rule.verdict is Effect.FAILS}
    assert fails - set(DISAGREEMENTS) == NO_UPDATE


def test_a_type_that_is_not_listed_is_not_known() -> None:
    assert create_only("AWS::SNS::Topic") is None
    assert not update_rules("AWS::SNS::Topic")

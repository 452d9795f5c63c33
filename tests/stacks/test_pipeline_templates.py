"""Templates that a pipeline deploys without the CDK: whole, within limits, guarded, and the same every time."""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from cfnlint import api
from cfnlint.config import ManualArgs

from epochwise.catalog.cloudformation import MAX_INLINE_BYTES, MAX_RESOURCES, MAX_TEMPLATE_BYTES
from epochwise.cdk.job_evaluator import evaluator_files
from epochwise.cdk.plan_summary import METADATA_KEY
from epochwise.following.deployed_job import jobs_in
from stacks.pipeline_templates import FEATURE_FLAGS, PipelineTemplates
from tests.cdk.conftest import CONTEXT
from tests.cdk.test_templates import LINT_ACKNOWLEDGED
from tests.stacks.conftest import ROOT, WORKLOADS
from tests.stacks.last_release import LISTED, VERSION, last_release, listed, lost
from tests.stacks.rule_evaluation import refusals

Made = dict[str, PipelineTemplates]
IMAGE = "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training"
EAST = "us-east-1"
NAMES = [file.stem for file in WORKLOADS]


def document(made: Made, workload: str, name: str) -> dict[str, Any]:
    """Return a template of a workload, or its manifest."""
    return dict(json.loads(made[workload].files[name]))


def templates(made: Made, workload: str) -> dict[str, dict[str, Any]]:
    """Return every template of a workload."""
    return {name: document(made, workload, name) for name in made[workload].files if name.endswith(".template.json")}


@pytest.mark.parametrize("workload", NAMES)
def test_each_workload_has_its_templates_without_a_trace_of_the_cdk(made: Made, workload: str) -> None:
    found = templates(made, workload)
    assert set(found) == {f"{name}.template.json" for name in ("network", "network-in-vpc", "storage", "training")}
    for template in found.values():
        text = json.dumps(template)
        for trace in (
            "AWS::CDK::",
            "BootstrapVersion",
            "cdk-hnb659fds",
            "AssetParameters",
            "aws:asset",
            "ExportsOutput",
        ):
            assert trace not in text
        assert len(template["Resources"]) <= MAX_RESOURCES
        assert "RegionOfWorkload" in template["Rules"]


@pytest.mark.parametrize("workload", NAMES)
def test_the_manifest_holds_every_file_to_its_checksum_and_says_what_needs_s3(made: Made, workload: str) -> None:
    files, manifest = made[workload].files, document(made, workload, "manifest.json")
    assert list(manifest["files"]) == [name for name in files if name != "manifest.json"]
    for name, said in manifest["files"].items():
        assert said["sha256"] == hashlib.sha256(files[name]).hexdigest()
        assert said["bytes"] == len(files[name]) <= MAX_TEMPLATE_BYTES
        if name.endswith(".json"):
            assert said["needs_s3"] is (len(files[name]) > MAX_INLINE_BYTES)


@pytest.mark.parametrize("workload", NAMES)
def test_in_the_manifests_order_each_import_is_exported_before(made: Made, workload: str) -> None:
    manifest = document(made, workload, "manifest.json")
    exported: set[str] = set()
    for step in manifest["deploy"]:
        described = [manifest["files"][name] for name in step["templates"]]
        assert all(set(each["imports"]) <= exported for each in described)
        [exports] = {tuple(each["exports"]) for each in described}
        exported |= set(exports)
    assert exported == {
        f"epochwise-{workload}-{name}"
        for name in ("VpcId", "SubnetId", "NodesSecurityGroupId", "FileSystemId", "MountName")
    }


@pytest.mark.parametrize("workload", NAMES)
def test_a_workload_with_an_evaluator_has_its_archive_and_no_other_asks_for_one(made: Made, workload: str) -> None:
    training = document(made, workload, "training.template.json")
    functions = [each for each in training["Resources"].values() if each["Type"] == "AWS::Lambda::Function"]
    archives = [name for name in made[workload].files if name.endswith(".zip")]
    asked = {name for name in training["Parameters"] if name.startswith("Evaluator")}
    if not functions:
        assert (archives, asked) == ([], set())
        return
    [function], [archive] = functions, archives
    code = function["Properties"]["Code"]
    assert code == {"S3Bucket": {"Ref": "EvaluatorCodeBucket"}, "S3Key": {"Ref": "EvaluatorCodeKey"}}
    content = made[workload].files[archive]
    assert archive == f"evaluator-{hashlib.sha256(content).hexdigest()}.zip"
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == evaluator_files()
        assert {entry.date_time for entry in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    pattern = training["Parameters"]["EvaluatorCodeKey"]["AllowedPattern"]
    assert [bool(re.fullmatch(pattern[1:-1], key)) for key in (archive, f"a/{archive}", "evaluator-0.zip")] == [
        True,
        True,
        False,
    ]


def test_another_run_of_the_command_on_another_day_writes_the_same_bytes(made: Made, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "stacks.templates", "workloads/llm-8b.yaml", "--output", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": "7", "SOURCE_DATE_EPOCH": "1891547200", "CDK_VALIDATION": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path / 'llm-8b'}: 6 files\n"
    [remark] = done.stderr.splitlines()
    assert remark.startswith("workloads/llm-8b.yaml: warning: ")
    assert remark.endswith("[ZONE_NOT_CHOSEN]")
    written = {file.name: file.read_bytes() for file in (tmp_path / "llm-8b").iterdir()}
    assert written == dict(made["llm-8b"].files)


@pytest.mark.parametrize("workload", LISTED)
def test_what_others_hold_of_the_last_release_is_still_there(made: Made, workload: str) -> None:
    last, now = last_release(), listed(document(made, workload, "manifest.json"))
    assert lost(last["workloads"][workload], now) == []
    if last["version"] == VERSION:
        assert last["workloads"][workload] == now


def test_an_id_that_is_gone_or_another_is_told() -> None:
    then = {"storage": {"stateful": {"AWS::FSx::FileSystem": ["FileSystem1"]}, "parameters": {"DatasetBucket": ""}}}
    assert lost(then, then) == []
    renamed = {"storage": {"stateful": {"AWS::FSx::FileSystem": ["FileSystem2"]}, "parameters": {"DatasetBucket": ""}}}
    assert lost(then, renamed) == ["/storage/stateful/AWS::FSx::FileSystem/FileSystem1"]
    assert lost(then, {"storage": {"stateful": {}, "parameters": {"DatasetBucket": "required"}}}) == [
        "/storage/stateful/AWS::FSx::FileSystem",
        "/storage/parameters/DatasetBucket",
    ]


def test_all_workloads_give_what_holds_state_the_same_ids(made: Made) -> None:
    def stateful(workload: str) -> dict[str, Any]:
        return {name: each["stateful"] for name, each in listed(document(made, workload, "manifest.json")).items()}

    assert {workload for workload in NAMES if stateful(workload) != stateful("guide")} == set()


@pytest.mark.parametrize(
    ("workload", "name"),
    [("guide", "network"), ("guide", "network-in-vpc"), ("guide", "storage"), ("llm-8b", "training")],
)
def test_cfn_lint_finds_nothing_on_any_level(made: Made, workload: str, name: str) -> None:
    text = made[workload].files[f"{name}.template.json"].decode()
    matches = api.lint(text, config=ManualArgs(include_checks=["I"]))
    assert [str(match) for match in matches if match.rule.id not in LINT_ACKNOWLEDGED] == []


@pytest.mark.parametrize(
    ("parameters", "region", "told"),
    [
        ({}, EAST, []),
        ({"Nodes": 1}, EAST, []),
        ({"Nodes": 5}, EAST, ["Nodes must be 1 to 4"]),
        ({"Nodes": 0}, EAST, ["Nodes must be 1 to 4"]),
        ({}, "us-west-2", ["deploy to us-east-1"]),
        ({"Nodes": 5}, "us-west-2", ["deploy to us-east-1", "Nodes must be 1 to 4"]),
    ],
)
def test_rules_refuse_another_region_and_nodes_beyond_the_plan(
    made: Made, parameters: dict[str, Any], region: str, told: list[str]
) -> None:
    found = refusals(document(made, "guide", "training.template.json"), parameters, region=region)
    assert len(found) == len(told)
    assert all(text.startswith(begin) for text, begin in zip(found, told, strict=True))


@pytest.mark.parametrize(("vpc", "told"), [("vpc-1", []), ("vpc-2", ["SubnetId must be a subnet of VpcId"])])
def test_rules_refuse_a_subnet_of_another_vpc(made: Made, vpc: str, told: list[str]) -> None:
    template = document(made, "guide", "network-in-vpc.template.json")
    given = {"VpcId": "vpc-1", "SubnetId": "subnet-1"}
    assert refusals(template, given, region=EAST, attributes={("SubnetId", "VpcId"): vpc}) == told


@pytest.mark.parametrize(
    ("image", "taken"),
    [
        (f"{IMAGE}:2.4.0-gpu-py311", True),
        (f"{IMAGE}@sha256:{'0' * 64}", True),
        (IMAGE, False),
        (f"{IMAGE}-arm:2.3.0", False),
        (f"{IMAGE}:2.3.0".replace("us-east-1", "us-west-2"), False),
        (f"{IMAGE}:2.3.0".replace(".", "x", 1), False),
    ],
)
def test_only_images_of_the_declared_repository_are_taken(made: Made, image: str, *, taken: bool) -> None:
    asked = document(made, "guide", "training.template.json")["Parameters"]["Image"]
    assert bool(re.search(asked["AllowedPattern"], image)) is taken


def test_what_a_pipeline_gives_arrives_where_it_is_meant(made: Made) -> None:
    training, storage = (document(made, "guide", f"{name}.template.json") for name in ("training", "storage"))
    [link] = [each for each in storage["Resources"].values() if each["Type"].endswith("DataRepositoryAssociation")]
    assert link["Properties"]["DataRepositoryPath"] == {
        "Fn::Join": ["", ["s3://", {"Ref": "DatasetBucket"}, "/guide/"]]
    }
    definition = training["Resources"]["Job3AAC5AA8"]["Properties"]["DefinitionString"]["Fn::Join"][1]
    given = {"Image": f"{IMAGE}:2.4.0", "Nodes": "2", "CodeBucket": "ours"}
    text = "".join(part if isinstance(part, str) else given.get(part.get("Ref", ""), "x") for part in definition)
    states = json.loads(text)["States"]
    defaults = states["DefaultInput"]["Parameters"]["defaults"]
    assert (defaults["image"], defaults["nodes"]) == (f"{IMAGE}:2.4.0", 2)
    shared = states["TakeDeclared"]["Result"]
    assert json.loads(shared["HyperParameters"]["sagemaker_submit_directory"]) == "s3://ours/guide/sourcedir.tar.gz"
    policy = json.dumps(training["Resources"])
    assert "example-training-code" not in re.sub(r'"workload": ".*?(?<!\\)"', "", policy)


def test_the_plan_and_the_declaration_travel_along(made: Made) -> None:
    assert document(made, "guide", "storage.template.json")["Metadata"][METADATA_KEY]["workload"] == "guide"
    [job] = jobs_in(document(made, "guide", "training.template.json")).values()
    assert job.workload.training is not None
    assert job.workload.training.source == "s3://example-training-code/guide/sourcedir.tar.gz"
    assert job.given == ("image", "nodes")


def test_the_apps_context_has_the_flags_that_templates_depend_on() -> None:
    assert {flag: CONTEXT.get(flag) for flag in FEATURE_FLAGS} == FEATURE_FLAGS


def test_every_parameter_is_in_the_readme(made: Made) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    asked = {
        name for workload in NAMES for each in templates(made, workload).values() for name in each.get("Parameters", {})
    }
    assert {name for name in asked if f"`{name}`" not in readme} == set()
    assert len(asked) == 8

"""Every workload that ships, as a pipeline gets it; synthesized once."""

from pathlib import Path

import pytest

from epochwise import Workload, plan
from stacks.pipeline_templates import PipelineTemplates, pipeline_templates

ROOT = Path(__file__).parents[2]
WORKLOADS = sorted((ROOT / "workloads").glob("*.yaml"))


@pytest.fixture(scope="session")
def made() -> dict[str, PipelineTemplates]:
    """Return the templates of every workload by its name."""
    sets = [pipeline_templates(plan(Workload.from_file(file))) for file in WORKLOADS]
    return {each.workload_name: each for each in sets}

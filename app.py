"""Turn one declared workload into stacks: `cdk synth -c workload=workloads/guide.yaml`."""

import sys
from pathlib import Path

from aws_cdk import App

from epochwise import Workload, WorkloadError, plan
from epochwise.checks.training import no_job
from stacks.deployment import create_stacks, why_not_built

DEFAULT_WORKLOAD = "workloads/guide.yaml"


def main() -> int:
    """Synthesize; return 0, 1 when nothing can be built from the workload, 2 when it cannot be read."""
    app = App()
    path = Path(str(app.node.try_get_context("workload") or DEFAULT_WORKLOAD))
    try:
        workload = Workload.from_file(path)
    except WorkloadError as error:
        return _refuse(2, str(error))
    planned = plan(workload)
    reasons = list(why_not_built(planned))
    if reasons:
        return _refuse(1, "\n".join(f"{path}: {reason}" for reason in reasons))
    without = no_job(workload)
    if without is not None:
        sys.stderr.write(f"{path}: {without}\n")
    try:
        create_stacks(app, planned)
    except ValueError as error:
        return _refuse(1, f"{path}: {error}")
    app.synth()
    return 0


def _refuse(status: int, message: str) -> int:
    """Say why on stderr."""
    sys.stderr.write(f"{message}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())

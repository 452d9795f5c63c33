"""An app of as many training environments as ENVIRONMENTS says: ours, or by hand in aws-cdk-lib where PLAIN is set."""

import os
from pathlib import Path

from aws_cdk import App

from benchmarks import plain_app

GUIDE = Path(__file__).resolve().parents[1] / "workloads" / "guide.yaml"


def plain(app: App, number: int) -> None:
    """Add an environment by hand."""
    network = plain_app.Network(app, f"plain-guide-{number}-network")
    storage = plain_app.Storage(app, f"plain-guide-{number}-storage", network=network)
    plain_app.Training(app, f"plain-guide-{number}-training", network=network, storage=storage)


def main() -> None:
    """Synthesize."""
    app = App()
    environments = range(int(os.environ["ENVIRONMENTS"]))
    if os.environ.get("PLAIN"):
        for number in environments:
            plain(app, number)
    else:
        from epochwise import Workload, plan
        from stacks.deployment import create_stacks

        guide = Workload.from_file(GUIDE)
        for number in environments:
            create_stacks(app, plan(guide.model_copy(update={"name": f"{guide.name}-{number}"})))
    app.synth()


if __name__ == "__main__":
    main()

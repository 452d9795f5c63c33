"""The reference app's stacks of every workload file in a folder, in one app; file systems that persist are kept."""

from pathlib import Path

from aws_cdk import App, CliCredentialsStackSynthesizer

from epochwise import Workload, plan
from epochwise.cdk.file_system_removal import ALLOW_DESTROY
from stacks.deployment import create_stacks, why_not_built

ASSETS = "assets"
"""Bucket that stands in for what `cdk bootstrap` makes."""


if __name__ == "__main__":
    app = App(default_stack_synthesizer=CliCredentialsStackSynthesizer(file_assets_bucket_name=ASSETS, qualifier="e2e"))
    app.node.set_context(ALLOW_DESTROY, "false")
    for file in sorted(Path(app.node.get_context("workloads")).glob("*.yaml")):
        planned = plan(Workload.from_file(file))
        reasons = list(why_not_built(planned))
        if reasons:
            raise SystemExit(f"{file.name}: {reasons}")
        create_stacks(app, planned)
    app.synth()

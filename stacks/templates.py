"""Templates for pipelines without the CDK: `python -m stacks.templates FILE... --output DIR`, or `make templates`."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epochwise.cli.input import Prices, Settings, price_table, read_workload, today_or_refuse
from epochwise.cli.output import complain, refuse
from epochwise.cli.program import EXIT_BAD_DECLARATION, EXIT_NOTHING_FEASIBLE, run

if TYPE_CHECKING:
    from epochwise.sizing.plan import Plan

DEFAULT_OUTPUT = "dist/templates"
program = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@program.command()
def templates(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Workload files.")],
    *,
    output: Annotated[
        str, typer.Option("--output", metavar="DIR", help="Folder that gets one folder per workload.")
    ] = DEFAULT_OUTPUT,
    settings: Settings = None,
    prices: Prices = None,
) -> None:
    """Write templates that a pipeline deploys without the CDK: no assets, no bootstrap, and a manifest."""
    if Path(output).is_file():
        refuse(f"--output must be a folder, got {output}, which is a file; name another")
    plans = _plans(files, settings, prices)
    if shutil.which("node") is None:
        refuse("templates runs the CDK, which needs Node.js 20 or later, and there is no node on PATH; install it")
    from epochwise.report.atomic_file import UnwritableFileError
    from stacks.pipeline_templates import pipeline_templates
    from stacks.template_folder import write_folder

    made = []
    for file, plan in plans.items():
        try:
            made.append((file, pipeline_templates(plan)))
        except ValueError as error:
            complain(f"{file}: {error}")
            raise typer.Exit(EXIT_NOTHING_FEASIBLE) from None
    for file, each in made:
        for remark in each.remarks:
            complain(f"{file}: warning: {remark}")
        folder = Path(output) / each.workload_name
        try:
            write_folder(folder, each.files)
        except UnwritableFileError as error:
            refuse(str(error))
        typer.echo(f"{folder}: {len(each.files)} files")


def _plans(files: list[str], settings: list[str] | None, prices: str | None) -> "dict[str, Plan]":
    """Plan every file; end where one cannot be read, or has no plan."""
    from epochwise.sizing.planner import plan as plan_workload

    day, table = today_or_refuse(), price_table(prices)
    workloads = {file: read_workload(file, settings) for file in files}
    plans, of_name = {}, dict[str, str]()
    for file, workload in workloads.items():
        if workload is None:
            raise typer.Exit(EXIT_BAD_DECLARATION)
        if workload.name in of_name:
            refuse(f"{file} and {of_name[workload.name]} both declare name {workload.name}; name one of them otherwise")
        of_name[workload.name] = file
        plans[file] = plan_workload(workload, table, today=day)
    _refuse_unplanned(plans)
    return plans


def _refuse_unplanned(plans: "dict[str, Plan]") -> None:
    """End with every reason why a plan cannot be built."""
    from stacks.deployment import why_not_built

    refused = [f"{file}: {reason}" for file, plan in plans.items() for reason in why_not_built(plan)]
    if refused:
        complain("\n".join(refused))
        raise typer.Exit(EXIT_NOTHING_FEASIBLE)


if __name__ == "__main__":
    run(program)

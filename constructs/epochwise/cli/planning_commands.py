"""The commands that plan: plan, scale, batch, request, import-dlio."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epochwise.cli.input import NO_JSON, File, Prices, Settings, price_table, read_workload, today_or_refuse
from epochwise.cli.output import complain, print_json, print_report, refuse
from epochwise.cli.program import EXIT_BAD_DECLARATION, EXIT_NOTHING_FEASIBLE, app

if TYPE_CHECKING:
    from datetime import date

    from epochwise.catalog.prices import PriceTable
    from epochwise.sizing.plan import Plan

MAX_NODES = 100_000


@app.command()
def plan(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Workload files.")],
    *,
    settings: Settings = None,
    prices: Prices = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="PICTURE", help="Draw cost against epoch: .svg or .png.")
    ] = None,
    html: Annotated[
        str | None, typer.Option("--html", metavar="PAGE", help="Write one page that holds it all.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=f"Print one JSON object per file and line{NO_JSON}")] = False,
) -> None:
    """Choose the cheapest file system that meets the epoch target, and say why."""
    from epochwise.report.plan_text import plan_content
    from epochwise.sizing.planner import plan as plan_workload

    for output in filter(None, (plot, html)):
        if Path(output).resolve() in {Path(file).resolve() for file in files}:
            refuse(f"{output} is the workload file itself; name another file to write")
    if (plot or html) and len(files) > 1:
        refuse(f"{'--plot' if plot else '--html'} takes one workload file, got {len(files)}")
    day, table = today_or_refuse(), price_table(prices)
    status = 0
    for place, file in enumerate(files):
        workload = read_workload(file, settings)
        if workload is None:
            status = EXIT_BAD_DECLARATION
            continue
        planned = plan_workload(workload, table, today=day)
        if planned.choice is None:
            status = max(status, EXIT_NOTHING_FEASIBLE)
        if plot or html:
            _write_files(planned, table, day, plot=plot, html=html)
        if as_json:
            print_json(planned.as_dict(), indent=None)
        else:
            print_report(plan_content(planned, day), apart=place > 0)
    raise typer.Exit(status)


@app.command()
def scale(
    file: File,
    *,
    nodes: Annotated[str, typer.Option("--nodes", metavar="N,N...", help="Numbers of nodes.")] = "1,2,4,8,16,32",
    against: Annotated[
        str, typer.Option("--against", metavar="TYPE:GIB[:MB/S/TIB]", help="File system to compare with.")
    ] = "SCRATCH_2:1200",
    settings: Settings = None,
    prices: Prices = None,
    as_json: Annotated[bool, typer.Option("--json", help=f"Print one JSON object{NO_JSON}")] = False,
) -> None:
    """Show how the epoch shrinks with more nodes, on what is planned and on a file system that is too small."""
    from epochwise.report.scaling_text import scaling_content
    from epochwise.sizing.scaling import scaling

    counts, table = _node_counts(nodes), price_table(prices)
    workload = read_workload(file, settings)
    if workload is None:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    try:
        scaled = scaling(workload, counts, against, table)
    except ValueError as error:
        refuse(f"--against: {error}")
    if as_json:
        print_json(scaled.as_dict(), indent=None)
    else:
        print_report(scaling_content(scaled))
    raise typer.Exit(EXIT_NOTHING_FEASIBLE if scaled.planned.choice is None else 0)


@app.command()
def batch(
    file: File,
    *,
    settings: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help=f"Print one JSON object{NO_JSON}")] = False,
) -> None:
    """Show the global batch, the scaled learning rate and its warmup, on the declared nodes and on others."""
    from epochwise.report.batch_text import batch_content, batch_dict
    from epochwise.training.batch_plan import batch_plan

    workload = read_workload(file, settings)
    if workload is None:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    try:
        planned = batch_plan(workload)
    except ValueError as error:
        refuse(f"{file}: {error}")
    if as_json:
        print_json(batch_dict(planned), indent=None)
    else:
        print_report(batch_content(planned))
    raise typer.Exit(EXIT_NOTHING_FEASIBLE if planned.refused else 0)


@app.command()
def request(file: File) -> None:
    """Print the CreateTrainingJob request, with placeholders for what only the deployment knows."""
    from epochwise.checks.emitted_request import emitted_request_findings
    from epochwise.training.request import JobDeployment, create_training_job_request

    workload = read_workload(file)
    if workload is None:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    try:
        body = create_training_job_request(workload, JobDeployment.placeholders(workload))
    except ValueError as error:
        refuse(f"{file}: {error}")
    for remark in emitted_request_findings(workload):
        complain(f"{file}: {remark}")
    print_json(body, indent=2)


@app.command("import-dlio")
def import_dlio(
    file: Annotated[str, typer.Argument(metavar="FILE", help="MLPerf Storage or DLIO workload file.")],
    *,
    accelerator: Annotated[str, typer.Option(metavar="NAME", help="What computes, such as a100.")],
    nodes: Annotated[int, typer.Option(metavar="N", help="Number of nodes.")],
    accelerators_per_node: Annotated[int, typer.Option(metavar="N", help="Accelerators in use on each node.")],
    region: Annotated[str, typer.Option(metavar="REGION", help="Where it is priced.")] = "us-east-1",
    at_au: Annotated[
        bool, typer.Option("--at-au", help="Let accelerators wait as long as the benchmark still passes.")
    ] = False,
) -> None:
    """Print the workload file that asks for what an MLPerf Storage or DLIO workload asks for."""
    from epochwise.workload import WorkloadError
    from epochwise.workload.dlio import dlio_yaml, workload_from_dlio

    try:
        document = workload_from_dlio(
            file,
            accelerator=accelerator,
            nodes=nodes,
            accelerators_per_node=accelerators_per_node,
            region=region,
            at_au=at_au,
        )
        text = dlio_yaml(document, file, accelerator=accelerator, accelerators_per_node=accelerators_per_node)
    except WorkloadError as error:
        refuse(str(error))
    sys.stdout.write(text)


def _node_counts(text: str) -> tuple[int, ...]:
    """Read numbers of nodes, separated by commas."""
    parts = [part.strip() for part in text.split(",")]
    whole = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) <= len(str(MAX_NODES))]
    good = len(whole) == len(parts) == len(set(whole)) and all(0 < count <= MAX_NODES for count in whole)
    if not good:
        refuse(f"--nodes must be different whole numbers from 1 to {MAX_NODES}, such as 1,2,4,8, got {text[:60]!r}")
    return tuple(sorted(whole))


def _write_files(
    planned: "Plan", table: "PriceTable | None", day: "date", *, plot: str | None, html: str | None
) -> None:
    """Draw a plan into files."""
    from epochwise.report.plan_files import write_plan_files

    try:
        write_plan_files(planned, table, day, plot=plot, html=html)
    except ValueError as error:
        refuse(str(error))

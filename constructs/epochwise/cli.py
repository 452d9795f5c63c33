"""The command line: parse, call, print. Exit status 0 done, 1 nothing feasible, 2 a bad declaration or call.

Each command loads only the rooms it needs, when it runs; only a terminal waits for rich, only a picture for matplotlib.
"""

import gc
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from datetime import date

    from epochwise.catalog.prices import PriceTable
    from epochwise.report.content import Content
    from epochwise.sizing.plan import Plan
    from epochwise.workload import Workload

app = typer.Typer(
    name="epochwise",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Size FSx for Lustre for a declared training workload, and deploy it.",
)

EXIT_NOTHING_FEASIBLE = 1
EXIT_BAD_DECLARATION = 2
MAX_NODES = 100_000

File = Annotated[str, typer.Argument(metavar="FILE", help="Workload file.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Replace a key of the file, such as epoch.target=60; repeatable."),
]
Prices = Annotated[
    str | None, typer.Option("--prices", metavar="PRICES", help="Prices that go before the catalog's: YAML or JSON.")
]


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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per file and line.")] = False,
) -> None:
    """Choose the cheapest file system that meets the epoch target, and say why."""
    from epochwise.report.plan_text import plan_content
    from epochwise.sizing.planner import plan as plan_workload

    for output in filter(None, (plot, html)):
        if Path(output).resolve() in {Path(file).resolve() for file in files}:
            _refuse(f"{output} is the workload file itself; name another file to write")
    if (plot or html) and len(files) > 1:
        _refuse(f"{'--plot' if plot else '--html'} takes one workload file, got {len(files)}")
    day, table = _today(), _price_table(prices)
    status = 0
    for place, file in enumerate(files):
        workload = _read(file, settings)
        if workload is None:
            status = EXIT_BAD_DECLARATION
            continue
        planned = plan_workload(workload, table)
        if planned.choice is None:
            status = max(status, EXIT_NOTHING_FEASIBLE)
        if plot or html:
            _write_files(planned, table, day, plot=plot, html=html)
        if as_json:
            _print_json(planned.as_dict(), indent=None)
        else:
            _print_report(plan_content(planned, day), apart=place > 0)
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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show how the epoch shrinks with more nodes, on what is planned and on a file system that is too small."""
    from epochwise.report.scaling_text import scaling_content
    from epochwise.sizing.scaling import scaling

    counts, table = _node_counts(nodes), _price_table(prices)
    workload = _read(file, settings)
    if workload is None:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    try:
        scaled = scaling(workload, counts, against, table)
    except ValueError as error:
        _refuse(f"--against: {error}")
    if as_json:
        _print_json(scaled.as_dict(), indent=None)
    else:
        _print_report(scaling_content(scaled))
    raise typer.Exit(EXIT_NOTHING_FEASIBLE if scaled.planned.choice is None else 0)


@app.command()
def batch(
    file: File,
    *,
    settings: Settings = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show the global batch, the scaled learning rate and its warmup, on the declared nodes and on others."""
    from epochwise.report.batch_text import batch_content, batch_dict
    from epochwise.training.batch_plan import batch_plan

    workload = _read(file, settings)
    if workload is None:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    try:
        planned = batch_plan(workload)
    except ValueError as error:
        _refuse(f"{file}: {error}")
    if as_json:
        _print_json(batch_dict(planned), indent=None)
    else:
        _print_report(batch_content(planned))
    raise typer.Exit(EXIT_NOTHING_FEASIBLE if planned.refused else 0)


@app.command()
def request(file: File) -> None:
    """Print the CreateTrainingJob request, with placeholders for what only the deployment knows."""
    from epochwise.checks.emitted_request import emitted_request_findings
    from epochwise.training.request import JobDeployment, create_training_job_request

    workload = _read(file)
    if workload is None:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    try:
        body = create_training_job_request(workload, JobDeployment.placeholders(workload))
    except ValueError as error:
        _refuse(f"{file}: {error}")
    for remark in emitted_request_findings(workload):
        _complain(f"{file}: {remark}")
    _print_json(body, indent=2)


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
        _refuse(str(error))
    sys.stdout.write(text)


@app.command()
def explain(
    finding: Annotated[
        str | None, typer.Argument(metavar="ID", help="Id of a finding; without it, all are listed.")
    ] = None,
) -> None:
    """Say what a finding means: why it is said, from which source, and what to do."""
    from epochwise.checks.registry import every_check
    from epochwise.checks.registry import explain as explained

    if finding is None:
        for check in every_check():
            sys.stdout.write(f"{check.id}: {check.title}\n")
        return
    try:
        sys.stdout.write(explained(finding).rstrip("\n") + "\n")
    except ValueError as error:
        _refuse(str(error))


@app.command()
def diff(
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="Synthesized template: JSON or YAML.")],
    *,
    deployed: Annotated[
        str, typer.Option(metavar="FILE|STACK", help="Template that is deployed, or the name of its stack.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per change and line.")] = False,
) -> None:
    """Say what an update would do to a file system; exit status 1 when it loses data or can only fail."""
    from epochwise.templates.change import exit_status
    from epochwise.templates.diff import diff_templates
    from epochwise.templates.diff_text import diff_text
    from epochwise.templates.template_file import UnreadableTemplateError, read_template

    try:
        new = read_template(template)
        if Path(deployed).exists() or Path(deployed).suffix in {".json", ".yaml", ".yml"}:
            old = read_template(deployed)
        else:
            from epochwise.live.deployed_template import deployed_template

            old = deployed_template(deployed)
    except UnreadableTemplateError as error:
        _refuse(str(error))
    changes = diff_templates(old, new)
    if as_json:
        for change in changes:
            _print_json(change.as_dict(), indent=None)
    else:
        sys.stdout.write(diff_text(changes))
    raise typer.Exit(exit_status(changes))


@app.command()
def schema() -> None:
    """Print the JSON Schema of workload files, for editors."""
    from epochwise.workload import Workload

    _print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **Workload.model_json_schema()}, indent=2)


def _read(file: str, settings: list[str] | None = None) -> "Workload | None":
    """Read a workload file with settings in place; say every mistake on standard error."""
    from epochwise.declaration.setting import with_setting
    from epochwise.workload import Workload, WorkloadError, read_workload_mapping

    try:
        document = read_workload_mapping(file)
        for setting in settings or []:
            try:
                document = with_setting(document, setting)
            except ValueError as error:
                _refuse(f"--set {error}")
        return Workload.from_mapping(document, source=file)
    except WorkloadError as error:
        _complain(str(error))
        return None


def _node_counts(text: str) -> tuple[int, ...]:
    """Read numbers of nodes, separated by commas."""
    parts = [part.strip() for part in text.split(",")]
    whole = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) <= len(str(MAX_NODES))]
    good = len(whole) == len(parts) == len(set(whole)) and all(0 < count <= MAX_NODES for count in whole)
    if not good:
        _refuse(f"--nodes must be different whole numbers from 1 to {MAX_NODES}, such as 1,2,4,8, got {text[:60]!r}")
    return tuple(sorted(whole))


def _price_table(file: str | None) -> "PriceTable | None":
    """Read a price file where one is given."""
    if file is None:
        return None
    from epochwise.sizing.price_file import read_price_file

    try:
        return read_price_file(file)
    except ValueError as error:
        _refuse(str(error))


def _today() -> "date":
    """Return the day by which the age of prices is told."""
    from epochwise.report.today import today

    try:
        return today(os.environ)
    except ValueError as error:
        _refuse(str(error))


def _write_files(
    planned: "Plan", table: "PriceTable | None", day: "date", *, plot: str | None, html: str | None
) -> None:
    """Draw a plan into files."""
    from epochwise.report.plan_files import write_plan_files

    try:
        write_plan_files(planned, table, day, plot=plot, html=html)
    except ValueError as error:
        _refuse(str(error))


def _print_report(report: "Content", *, apart: bool = False) -> None:
    """Print a report: drawn for a terminal, else as plain text."""
    if apart:
        sys.stdout.write("\n")
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from epochwise.report.terminal import print_report

        print_report(report, sys.stdout)
    else:
        from epochwise.report.plain_text import plain_text

        sys.stdout.write(plain_text(report))


def _refuse(text: str) -> NoReturn:
    """Print why the call cannot be done, and end."""
    _complain(text)
    raise typer.Exit(EXIT_BAD_DECLARATION)


def _complain(text: str) -> None:
    """Print to standard error."""
    sys.stderr.write(text + "\n")


def _print_json(document: dict[str, Any], *, indent: int | None) -> None:
    """Print JSON to standard output."""
    import json

    sys.stdout.write(json.dumps(document, indent=indent, ensure_ascii=False) + "\n")


def main() -> None:
    """Run the command line."""
    # a command ends before garbage matters, and collecting while modules load costs a twentieth of its time
    gc.disable()
    # pydantic looks through every installed distribution for plugins, of which this program uses none
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal that lacks a letter shows a question mark
            stream.reconfigure(errors="replace")
    try:
        app(standalone_mode=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        # what is printed has nowhere to go: say so once, and let nothing be flushed at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write(f"cannot print: {error.strerror or error}\n")
        sys.exit(EXIT_BAD_DECLARATION)

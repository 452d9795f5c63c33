"""The command line: parse, call, print. Exit status 0 done, 1 nothing feasible, 2 a bad declaration.

Each command loads only the rooms it needs, when it runs.
"""

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
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


@app.command()
def plan(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Workload files.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per file and line.")] = False,
) -> None:
    """Choose the cheapest file system that meets the epoch target, and say why."""
    from epochwise.report.plan_text import plan_text
    from epochwise.sizing.planner import plan as plan_workload

    status = 0
    for place, file in enumerate(files):
        workload = _read(file)
        if workload is None:
            status = EXIT_BAD_DECLARATION
            continue
        planned = plan_workload(workload)
        if planned.choice is None:
            status = max(status, EXIT_NOTHING_FEASIBLE)
        if as_json:
            _print_json(planned.as_dict(), indent=None)
        else:
            sys.stdout.write(("\n" if place else "") + plan_text(planned))
    raise typer.Exit(status)


@app.command()
def request(file: Annotated[str, typer.Argument(metavar="FILE", help="Workload file.")]) -> None:
    """Print the CreateTrainingJob request, with placeholders for what only the deployment knows."""
    from epochwise.training.request import JobDeployment, create_training_job_request

    workload = _read(file)
    if workload is None:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    try:
        body = create_training_job_request(workload, JobDeployment.placeholders(workload))
    except ValueError as error:
        _complain(f"{file}: {error}")
        raise typer.Exit(EXIT_BAD_DECLARATION) from None
    _print_json(body, indent=2)


@app.command()
def schema() -> None:
    """Print the JSON Schema of workload files, for editors."""
    from epochwise.workload import Workload

    _print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **Workload.model_json_schema()}, indent=2)


def _read(file: str) -> "Workload | None":
    """Read a workload file; say every mistake on standard error."""
    from epochwise.workload import Workload, WorkloadError

    try:
        return Workload.from_file(file)
    except WorkloadError as error:
        _complain(str(error))
        return None


def _complain(text: str) -> None:
    """Print to standard error."""
    sys.stderr.write(text + "\n")


def _print_json(document: dict[str, Any], *, indent: int | None) -> None:
    """Print JSON to standard output."""
    import json

    sys.stdout.write(json.dumps(document, indent=indent, ensure_ascii=False) + "\n")


def main() -> None:
    """Run the command line."""
    # pydantic looks through every installed distribution for plugins, of which this program uses none
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    app()

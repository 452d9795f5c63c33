"""The commands about checks and templates: explain, diff, schema."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from epochwise.cli.input import NO_JSON, Region
from epochwise.cli.output import print_json, refuse
from epochwise.cli.program import app


@app.command()
def explain(
    findings: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Ids of findings; without one, all are listed.")
    ] = None,
) -> None:
    """Say what findings mean: why they are said, from which source, and what to do."""
    from epochwise.checks.registry import every_check
    from epochwise.checks.registry import explain as explained

    if not findings:
        for check in every_check():
            sys.stdout.write(f"{check.id}: {check.title}\n")
        return
    texts: list[str] = []
    mistakes: list[str] = []
    for finding in dict.fromkeys(findings):
        try:
            texts.append(explained(finding).rstrip("\n") + "\n")
        except ValueError as error:
            mistakes.append(str(error))
    if mistakes:
        refuse("\n".join(mistakes))
    sys.stdout.write("\n".join(dict.fromkeys(texts)))


@app.command()
def diff(
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="Synthesized template: JSON or YAML.")],
    *,
    deployed: Annotated[
        str, typer.Option(metavar="FILE|STACK", help="Template that is deployed, or the name of its stack.")
    ],
    region: Region = None,
    as_json: Annotated[bool, typer.Option("--json", help=f"Print one JSON object per change{NO_JSON}")] = False,
) -> None:
    """Say what an update would do to a file system; exit status 1 when it loses data or can only fail."""
    from epochwise.templates.change import exit_status
    from epochwise.templates.diff import diff_templates
    from epochwise.templates.diff_text import diff_text
    from epochwise.templates.template_file import UnreadableTemplateError, read_template

    if not deployed.strip():
        refuse(f"--deployed must be a template's file or the name of a stack, got {deployed!r}")
    try:
        new = read_template(template)
        if Path(deployed).exists() or Path(deployed).suffix in {".json", ".yaml", ".yml"}:
            old = read_template(deployed)
        else:
            from epochwise.live.deployed_template import deployed_template

            old = deployed_template(deployed, region=region)
    except UnreadableTemplateError as error:
        refuse(str(error))
    changes = diff_templates(old, new)
    if as_json:
        for change in changes:
            print_json(change.as_dict(), indent=None)
    else:
        sys.stdout.write(diff_text(changes))
    raise typer.Exit(exit_status(changes))


@app.command()
def schema() -> None:
    """Print the JSON Schema of workload files, for editors."""
    from epochwise.workload import Workload

    print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **Workload.model_json_schema()}, indent=2)

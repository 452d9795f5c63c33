"""watch: show how a run stands, how busy its nodes are and what was found."""

from typing import Annotated

import typer

from epochwise.cli.input import NO_JSON, Region
from epochwise.cli.launch_command import Machine
from epochwise.cli.live_call import asking_aws
from epochwise.cli.names import run_or_refuse, stack_or_refuse
from epochwise.cli.output import refuse
from epochwise.cli.program import app
from epochwise.cli.run_view import follow


@app.command()
def watch(
    run: Annotated[
        str,
        typer.Argument(metavar="EXECUTION|JOB", help="ARN of an execution, or name or ARN of a training job."),
    ],
    *,
    stack: Annotated[
        str | None,
        typer.Option("--stack", metavar="NAME", help="Stack that runs it; an execution may then be given by its name."),
    ] = None,
    machine: Machine = None,
    region: Region = None,
    once: Annotated[bool, typer.Option("--once", help="Show it once, and do not wait for its end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help=f"Print one JSON object per look and line{NO_JSON}")] = False,
) -> None:
    """Show a run until it ends: status, use of every node, what the file system delivers, findings."""
    from epochwise.live.run_target import follower_of
    from epochwise.templates.template_file import UnreadableTemplateError

    stack_or_refuse(stack)
    where = run_or_refuse(run, region, stack=stack)
    with asking_aws(run, interrupted="the run is left as it is"):
        try:
            follower = follower_of(run, stack, machine, where)
        except UnreadableTemplateError as error:
            refuse(str(error))
    raise typer.Exit(follow(follower, once=once, as_json=as_json))

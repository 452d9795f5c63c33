"""watch: show how a run stands, how busy its nodes are and what was found."""

from typing import Annotated

import typer

from epochwise.cli.launch_command import Machine
from epochwise.cli.live_call import asking_aws
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
    once: Annotated[bool, typer.Option("--once", help="Show it once, and do not wait for its end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per look and line.")] = False,
) -> None:
    """Show a run until it ends: status, use of every node, what the file system delivers, findings."""
    from epochwise.live.run_target import follower_of
    from epochwise.templates.template_file import UnreadableTemplateError

    with asking_aws(run, interrupted="the run is left as it is"):
        try:
            follower = follower_of(run, stack, machine)
        except UnreadableTemplateError as error:
            refuse(str(error))
    raise typer.Exit(follow(follower, once=once, as_json=as_json))

"""launch: start the deployed job as a workload file declares it."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from epochwise.cli.input import NO_JSON, File, Region, read_workload
from epochwise.cli.live_call import asking_aws
from epochwise.cli.names import stack_or_refuse
from epochwise.cli.output import complain, print_json, refuse
from epochwise.cli.program import EXIT_BAD_DECLARATION, app
from epochwise.cli.run_view import follow, how_to_go_on

if TYPE_CHECKING:
    from epochwise.following.execution_input import Asked
    from epochwise.live.aws import Aws
    from epochwise.live.execution_start import StartedExecution
    from epochwise.live.job_of_stack import JobOfStack
    from epochwise.workload import Workload

Machine = Annotated[
    str | None,
    typer.Option("--machine", metavar="NAME", help="State machine, where the stack has several: logical id or name."),
]


@app.command()
def launch(
    file: File,
    *,
    stack: Annotated[str, typer.Option("--stack", metavar="NAME", help="Stack of the training job.")],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Replace a key of the file, such as cluster.nodes=8; repeatable."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="EXECUTION", help="Name of the execution; by default of what is asked for."),
    ] = None,
    job_name: Annotated[str | None, typer.Option("--job-name", metavar="JOB", help="Name of the training job.")] = None,
    machine: Machine = None,
    region: Region = None,
    wait: Annotated[bool, typer.Option("--wait", help="Follow it to its end; exit status 1 when it fails.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help=f"Print one JSON object, also per look{NO_JSON}")] = False,
) -> None:
    """Start the deployed training job, once however often it is repeated."""
    from epochwise.checks.launch import execution_name_invalid
    from epochwise.checks.training import no_job

    stack_or_refuse(stack)
    workload = read_workload(file, settings)
    if workload is None:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    for finding in (no_job(workload), None if name is None else execution_name_invalid(name)):
        if finding is not None:
            refuse(f"{file}: {finding}" if finding.id != "EXECUTION_NAME_INVALID" else str(finding))
    aws, job = _found(stack, machine, region, planned_for=workload.region)
    asked = _asked(file, workload, job, job_name)
    unsure = "whether it was started is not known: repeat the same command, which never starts a second one"
    begun: list[StartedExecution] = []
    with asking_aws(f"stack {stack}", interrupted=lambda: how_to_go_on(str(begun[0].arn)) if begun else unsure):
        # what the user is told on Ctrl-C changes in one step with what was done
        begun.append(_started(aws, job, asked, name))
        _print_started(begun[0], job, asked, as_json=as_json)
        if wait:
            raise typer.Exit(_followed(aws, begun[0], job, asked, as_json=as_json))


def _found(stack: str, machine: str | None, region: str | None, *, planned_for: str) -> "tuple[Aws, JobOfStack]":
    """Return the job of the stack, and where it was found."""
    from epochwise.live.aws import Aws
    from epochwise.live.deployed_template import AbsentStackError
    from epochwise.live.job_of_stack import job_of_stack
    from epochwise.templates.template_file import UnreadableTemplateError

    with asking_aws(f"stack {stack}", interrupted="nothing was started"):
        aws = Aws(region)
        try:
            return aws, job_of_stack(aws, stack, machine)
        except AbsentStackError as error:
            elsewhere = f"; {aws.region} was asked, and the file is planned for {planned_for}: --region {planned_for}"
            refuse(f"{error}{'' if planned_for == aws.region else elsewhere}")
        except UnreadableTemplateError as error:
            refuse(str(error))


def _asked(file: str, workload: "Workload", job: "JobOfStack", job_name: str | None) -> "Asked":
    """Return what the execution is given, or say everything that speaks against it."""
    from epochwise.following.execution_input import asked

    found = asked(job.deployed, workload, job_name=job_name)
    for finding in found.findings:
        complain(f"{file}: {finding}")
    if found.findings:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    return found


def _started(aws: "Aws", job: "JobOfStack", asked: "Asked", name: str | None) -> "StartedExecution":
    """Start the execution."""
    from epochwise.following.execution_input import execution_name
    from epochwise.live.execution_start import start_execution

    return start_execution(aws, job, name=name or execution_name(job.deployed, asked), given=asked.text)


def _job_name(started: "StartedExecution", job: "JobOfStack", asked: "Asked") -> str:
    """Return what the training job will be called."""
    from epochwise.following.execution_input import job_name_of

    return job_name_of(job.deployed.workload.name, str(started.arn), asked.input)


def _print_started(started: "StartedExecution", job: "JobOfStack", asked: "Asked", *, as_json: bool) -> None:
    """Print what was started."""
    from epochwise.following.links import links_of
    from epochwise.report.started_text import started_text

    name = _job_name(started, job, asked)
    links = links_of(started.arn, name, job.dashboards)
    if as_json:
        document = {
            "execution_arn": str(started.arn),
            "start": started.start.isoformat(timespec="seconds"),
            "job_name": name,
            "input": dict(asked.input),
            "links": [link._asdict() for link in links],
        }
        print_json(document, indent=None)
    else:
        text = started_text(arn=str(started.arn), job=name, start=started.start, given=asked.input, links=links)
        sys.stdout.write(text)
    sys.stdout.flush()


def _followed(aws: "Aws", started: "StartedExecution", job: "JobOfStack", asked: "Asked", *, as_json: bool) -> int:
    """Follow what was started to its end."""
    from epochwise.live.run_follower import RunFollower

    follower = RunFollower(aws, str(started.arn), _job_name(started, job, asked), job.deployed)
    return follow(follower, as_json=as_json)

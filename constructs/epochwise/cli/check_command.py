"""The command that looks at an account before a deploy: check."""

import re
import shlex
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from epochwise.cli.input import NO_JSON, File, Settings, read_workload
from epochwise.cli.live_call import asking_aws
from epochwise.cli.names import stack_or_refuse
from epochwise.cli.output import complain, print_json, print_report, refuse
from epochwise.cli.program import EXIT_BAD_DECLARATION, app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from epochwise.checks.finding import Finding
    from epochwise.live.preflight_subject import Named

_IDS = {"--vpc": "vpc", "--subnet": "subnet", "--security-group": "sg"}


@app.command()
def check(
    file: File,
    *,
    stack: Annotated[
        str | None, typer.Option("--stack", metavar="NAME", help="Deployed stack that is to be updated.")
    ] = None,
    template: Annotated[
        str | None, typer.Option("--template", metavar="TEMPLATE", help="New template of that stack: JSON or YAML.")
    ] = None,
    vpc: Annotated[str | None, typer.Option("--vpc", metavar="ID", help="VPC that exists and is to be used.")] = None,
    subnet: Annotated[
        list[str] | None, typer.Option("--subnet", metavar="ID", help="Subnet that exists and is to be used.")
    ] = None,
    security_group: Annotated[
        list[str] | None,
        typer.Option("--security-group", metavar="ID", help="Security group of the nodes that exists; repeatable."),
    ] = None,
    file_system: Annotated[
        str | None, typer.Option("--file-system", metavar="ID", help="File system that exists and is to be used.")
    ] = None,
    settings: Settings = None,
    region: Annotated[
        str | None,
        typer.Option("--region", metavar="REGION", help="Region; the file's by default."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=f"Print one JSON object{NO_JSON}")] = False,
) -> None:
    """Look at the account before a deploy: each check passes, fails or cannot be told; nothing is changed.

    Exit status 0 when none fails, 1 when one does, 2 for a bad call or when AWS does not answer.
    """
    from epochwise.live.preflight_subject import Named

    stack_or_refuse(stack)
    settings = settings if region is None else [*(settings or ()), f"region={region}"]
    named = Named(
        vpc=vpc,
        subnet=subnet[0] if subnet else None,
        security_groups=tuple(security_group or ()),
        file_system=file_system,
        stack=stack,
        template=_new_template(stack, template),
        template_file=template or "",
    )
    _refuse_bad_names(named, subnet or [])
    workload = read_workload(file, settings)
    if workload is None:
        raise typer.Exit(EXIT_BAD_DECLARATION)
    from epochwise.live.answers import Answers
    from epochwise.live.aws import Aws
    from epochwise.live.preflight import preflight
    from epochwise.live.preflight_subject import Subject
    from epochwise.report.preflight_text import preflight_content
    from epochwise.sizing.planner import plan

    with asking_aws(file), _progress() as on_done:
        subject = Subject(plan(workload), _plan_command(file, settings), named, Answers(Aws(workload.region)))
        report = preflight(subject, on_done)
    if as_json:
        print_json(report.as_dict(), indent=None)
    else:
        print_report(preflight_content(report))
    if report.unanswered:
        ids = ", ".join(each.id for each in report.unanswered)
        complain(f"{file}: no answer to {ids}: {report.unanswered[0].said}")
    raise typer.Exit(report.exit_status)


def _new_template(stack: str | None, template: str | None) -> "Mapping[str, Any] | None":
    """Read the new template."""
    from epochwise.templates.template_file import UnreadableTemplateError, read_template

    if template is None:
        return None
    if stack is None:
        refuse("--template is compared with a deployed stack; name it with --stack")
    try:
        return read_template(template)
    except UnreadableTemplateError as error:
        refuse(str(error))


def _refuse_bad_names(named: "Named", subnets: list[str]) -> None:
    """Refuse ids that are none, more than one subnet, and too many groups."""
    from epochwise.checks.file_system_access import file_system_id_invalid
    from epochwise.checks.given_subnet import subnets_not_one
    from epochwise.checks.security_group import security_groups_out_of_range

    given: dict[str, Sequence[str]] = {
        "--vpc": [] if named.vpc is None else [named.vpc],
        "--subnet": subnets,
        "--security-group": named.security_groups,
    }
    for option, ids in given.items():
        for each in ids:
            if not re.fullmatch(rf"{_IDS[option]}-[0-9a-f]{{8,17}}", each):
                refuse(f"{option} must be an id such as {_IDS[option]}-0123456789abcdef0, got {each[:60]!r}")
    _refuse_first(subnets_not_one(subnets) if subnets else ())
    _refuse_first(security_groups_out_of_range(len(named.security_groups)) if named.security_groups else ())
    _refuse_first(file_system_id_invalid(named.file_system) if named.file_system is not None else ())


def _refuse_first(findings: "Iterable[Finding]") -> None:
    """Refuse what a rule says, where it says something."""
    for finding in findings:
        refuse(f"{finding.message}; {finding.fix} [{finding.id}]")


def _plan_command(file: str, settings: list[str] | None) -> str:
    """Return how the workload is planned by hand."""
    given = [part for setting in settings or () for part in ("--set", setting)]
    return shlex.join(["epochwise", "plan", file, *given])


@contextmanager
def _progress() -> "Iterator[Callable[[int, int], None] | None]":
    """Show on a terminal how many checks are done; nobody else is told."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("asking AWS") as status:
        yield lambda done, every: status.update(f"asking AWS: {done} of {every} checks")

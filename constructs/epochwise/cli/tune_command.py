"""The command that looks at a job that ran: tune."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from epochwise.cli.input import NO_JSON, Prices, Region, price_table, today_or_refuse
from epochwise.cli.live_call import asking_aws
from epochwise.cli.names import file_system_or_refuse, job_or_refuse
from epochwise.cli.output import complain, print_json, print_report, refuse, writable_or_refuse
from epochwise.cli.program import EXIT_NOTHING_FEASIBLE, app

if TYPE_CHECKING:
    from epochwise.tuning.tuned import Tuning


@app.command()
def tune(
    job: Annotated[str, typer.Argument(metavar="JOB", help="Training job, by its name or ARN.")],
    *,
    file: Annotated[str, typer.Option("--file", metavar="FILE", help="Workload file that the job was declared in.")],
    file_system: Annotated[
        str | None, typer.Option("--file-system", metavar="ID", help="File system, where the job's input names none.")
    ] = None,
    region: Region = None,
    write: Annotated[bool, typer.Option("--write", help="Put what was measured into the workload file.")] = False,
    prices: Prices = None,
    as_json: Annotated[bool, typer.Option("--json", help=f"Print one JSON object{NO_JSON}")] = False,
) -> None:
    """Compare a job with its plan, plan again with what was measured, and say what to do with the file system."""
    from epochwise.report.tuning_text import tuning_content
    from epochwise.tuning.recommendation import Verdict

    where = job_or_refuse(job, region)
    file_system_or_refuse(file_system)
    day = today_or_refuse()
    if write:
        writable_or_refuse(file)
    tuning = _tuned(job, file, file_system, prices, where)
    if as_json:
        print_json(tuning.as_dict(), indent=None)
    else:
        print_report(tuning_content(tuning, day))
    if write:
        _write(tuning, Path(file))
    nothing = tuning.recommendation.verdict is Verdict.NOTHING_FEASIBLE
    raise typer.Exit(EXIT_NOTHING_FEASIBLE if nothing else 0)


def _tuned(job: str, file: str, file_system: str | None, prices: str | None, region: str | None) -> "Tuning":
    """Ask AWS about a job and conclude; say in one sentence why not."""
    from datetime import UTC, datetime

    from epochwise.checks.tuning_refusals import tune_other_region
    from epochwise.tuning.refusal import NotTunableError
    from epochwise.tuning.refusal import refuse as refuse_finding
    from epochwise.tuning.tuned import tune as conclude
    from epochwise.workload import Workload, WorkloadError, read_workload_mapping

    table = price_table(prices)
    try:
        document = read_workload_mapping(file)
        declared = Workload.from_mapping(document, source=file)
        with asking_aws(job), _working(f"asking AWS about {job}"):
            from epochwise.live.aws import Aws
            from epochwise.live.job_observation import observe_job

            now = datetime.now(tz=UTC)
            aws = Aws(region)
            refuse_finding(
                tune_other_region(job.rpartition("training-job/")[2], region=aws.region, declared=declared.region)
            )
            observed = observe_job(aws, job, now, file_system)
        return conclude(document, observed, now, source=file, prices=table)
    except NotTunableError as error:
        refuse(f"{job}: {error}")
    except WorkloadError as error:
        refuse(str(error))


@contextmanager
def _working(what: str) -> Iterator[None]:
    """Show that something is under way, where somebody looks."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def _write(tuning: "Tuning", path: Path) -> None:
    """Put the measured values into the file, whole or not at all."""
    from epochwise.report.atomic_file import UnwritableFileError, write_whole
    from epochwise.workload import WorkloadError
    from epochwise.workload.edited_file import edited_workload

    values = tuning.measured.values
    if not values:
        complain(f"{path}: holds what was measured already, nothing to write")
        return
    try:
        write_whole(path, edited_workload(path, values))
    except (WorkloadError, UnwritableFileError) as error:
        refuse(str(error))
    complain(f"{path}: wrote {', '.join(f'{key}: {value}' for key, value in values.items())}")

"""Follow a run until it ends: what launch --wait and watch have in common."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from epochwise.cli.live_call import asking_aws
from epochwise.cli.output import print_json, print_report

if TYPE_CHECKING:
    from epochwise.following.run import TrainingRun
    from epochwise.live.run_follower import RunFollower

EXIT_RUN_FAILED = 1


def follow(follower: "RunFollower", *, once: bool = False, as_json: bool = False) -> int:
    """Show a run until it ends, or once; return 0 while it runs and when it succeeded, else 1.

    Raises:
        typer.Exit: AWS does not answer any more, or the user stopped looking; the run goes on.
    """
    from epochwise.following.pace import next_wait_s
    from epochwise.following.run import Outcome

    name, on = _name(follower), how_to_go_on(follower.execution_arn, follower.job_name)
    with asking_aws(name, interrupted=on), _telling(on), _shown(once=once, as_json=as_json) as show:
        before, waited_s = None, 0.0
        while True:
            run = follower.look()
            show(run)
            if once or run.ended:
                break
            waited_s = next_wait_s(waited_s, before, run)
            before = run
            time.sleep(waited_s)
    return 0 if run.outcome in {Outcome.RUNNING, Outcome.SUCCEEDED} else EXIT_RUN_FAILED


def how_to_go_on(execution_arn: str | None, job: str | None = None) -> str:
    """Say what becomes of a run that is no longer looked at, how to see it again and how to stop it."""
    from epochwise.report.started_text import stop_command

    target = execution_arn or job or ""
    return (
        f"the run is left as it is; follow it with `epochwise watch {target}`, stop it with "
        f"`{stop_command(execution_arn, job or '')}`"
    )


def _name(follower: "RunFollower") -> str:
    """Return what a run is called."""
    return follower.job_name or (follower.execution_arn or "").rpartition(":")[2]


@contextmanager
def _telling(on: str) -> Iterator[None]:
    """Say with every failure how to go on, unless there is no such run."""
    from epochwise.live.failure import AwsError, NotFoundError

    try:
        yield
    except NotFoundError:
        raise
    except AwsError as error:
        raise AwsError(f"{error}; {on}") from None


@contextmanager
def _shown(*, once: bool, as_json: bool) -> Iterator[Callable[["TrainingRun"], None]]:
    """Yield what shows a look: as JSON, as a view that changes in its place, as lines, or as one report."""
    from epochwise.report.run_text import run_content

    if as_json:
        yield lambda run: _flushed(lambda: print_json(run.as_dict(), indent=None))
    elif once:
        yield lambda run: print_report(run_content(run))
    elif sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        from epochwise.report.live_view import LiveView

        with LiveView(sys.stdout) as view:
            yield lambda run: view.show(run_content(run))
    else:
        from epochwise.report.run_lines import RunLines

        lines = RunLines()
        yield lambda run: _flushed(lambda: sys.stdout.writelines(f"{line}\n" for line in lines.of(run)))


def _flushed(write: Callable[[], None]) -> None:
    """Write, and let whoever reads the pipe see it now."""
    write()
    sys.stdout.flush()

"""How far long work is, on standard error, when that is a terminal."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_shown(subject: str, unit: str) -> Iterator[Callable[[int, float], None] | None]:
    """Yield what draws a bar when it is called with a count and the share that is done; None where nobody looks.

    Args:
        subject: what is worked on.
        unit: what is counted.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(f"{{task.fields[count]}} {unit}"),
        TimeElapsedColumn(),
    )
    console = Console(file=sys.stderr, highlight=False, markup=False, emoji=False)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(subject, total=1.0, count=0)

        def show(count: int, share: float) -> None:
            bar.update(task, completed=share, count=count)

        yield show

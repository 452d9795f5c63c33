"""Show a report that changes in one place of a terminal; loads rich."""

from types import TracebackType
from typing import Self, TextIO

from rich.live import Live
from rich.text import Text

from epochwise.report.content import Content
from epochwise.report.terminal import draw, report_console


class LiveView:
    """A report that is drawn over the one before; what is left at the end is the last one."""

    def __init__(self, stream: TextIO) -> None:
        """Get ready to draw on a terminal."""
        # one draws reports into text, the other puts that text in its place
        self._drawing = report_console(stream)
        self._live = Live(console=report_console(stream), auto_refresh=False, vertical_overflow="visible")

    def __enter__(self) -> Self:
        """Begin to draw."""
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave the terminal as it was, below the last report."""
        self._live.stop()

    def show(self, report: Content) -> None:
        """Draw a report in the place of the one before."""
        with self._drawing.capture() as drawn:
            draw(self._drawing, report)
        self._live.update(Text.from_ansi(drawn.get()), refresh=True)

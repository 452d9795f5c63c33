"""Where the console shows a run."""

from collections.abc import Iterable
from typing import NamedTuple

from epochwise.catalog.console import Page, console_url
from epochwise.following.arns import ExecutionArn

_TITLES: dict[Page, str] = {"execution": "execution", "job": "training job", "dashboard": "dashboard"}


class Link(NamedTuple):
    """One page of the console."""

    title: str
    url: str


def links_of(execution: ExecutionArn, job: str | None, dashboards: Iterable[str] = ()) -> tuple[Link, ...]:
    """Return the pages of an execution, of its job and of dashboards; none where the console is not known."""
    pages: list[tuple[Page, str]] = [("execution", str(execution))]
    if job is not None:
        pages.append(("job", job))
    pages += [("dashboard", name) for name in dashboards]
    found = [
        (_TITLES[page], console_url(page, partition=execution.partition, region=execution.region, name=name))
        for page, name in pages
    ]
    return tuple(Link(title, url) for title, url in found if url is not None)

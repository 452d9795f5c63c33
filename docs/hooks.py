"""What mkdocs calls while it builds the site: written pages get the parts that are made from code.

A page holds marks, each a line of its own: `<!-- made: prices -->` stands for a part that is made from code,
`<!-- run: epochwise plan FILE -->` for what a command prints, `<!-- begins: … -->` for its first line, and
`<!-- readme: A plan -->` for a section of the README. Ids of checks become links. A mark that stands for nothing fails
the build.
"""

import posixpath
import re
from collections.abc import Callable

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from docs.made.catalog_tables import prices_table, updates_table
from docs.made.checks_list import anchor, checks_list
from docs.made.command_help import command_help
from docs.made.command_line import console, first_line
from docs.made.pictures import pictures
from docs.made.public_names import public_names
from docs.made.published_figures import published_figures
from docs.made.readme_section import readme_section
from docs.made.security_tables import acknowledgements_table, groups_table, keys_table, roles_tables
from docs.made.supported_versions import supported_versions
from docs.made.unverified_list import unverified_list
from docs.made.workload_fields import workload_fields
from docs.made.workload_pages import workload_files, workload_page, workloads_table
from epochwise.checks.registry import every_check

CHECKS_PAGE = "reference/checks.md"
PARTS: dict[str, Callable[[], str]] = {
    "acknowledgements": acknowledgements_table,
    "checks": checks_list,
    "commands": command_help,
    "groups": groups_table,
    "keys": keys_table,
    "prices": prices_table,
    "published_figures": published_figures,
    "python": public_names,
    "roles": roles_tables,
    "supported_versions": supported_versions,
    "unverified": unverified_list,
    "updates": updates_table,
    "workload_fields": workload_fields,
    "workloads": workloads_table,
}
"""Parts of written pages, by the name in their mark."""
_MARK = re.compile(r"^<!-- (?P<kind>\w+): (?P<what>.+?) -->$", re.MULTILINE)
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_ID = re.compile(r"(?<![\[`])`(?P<id>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`(?![`\]])")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the page of each workload below the workloads in the navigation."""
    [entry] = [entry["Workloads"] for entry in config.nav or [] if "Workloads" in entry]
    entry += [f"workloads/{file.stem}.md" for file in workload_files()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of each workload, and the pictures."""
    made: dict[str, str | bytes] = {f"workloads/{file.stem}.md": workload_page(file) for file in workload_files()}
    for path, content in (made | pictures()).items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Fill in the marks of a page and link the checks that it names."""
    path = page.file.src_uri
    return linked(_MARK.sub(lambda mark: filled(mark["kind"], mark["what"], path), markdown), path)


def linked(markdown: str, path: str) -> str:
    """Link each id of a check outside blocks of code to its entry."""
    ids = {check.id for check in every_check()}
    target = posixpath.relpath(CHECKS_PAGE, posixpath.dirname(path))

    def link(found: re.Match[str]) -> str:
        name = found["id"]
        return f"[`{name}`]({target}#{anchor(name)})" if name in ids else found[0]

    parts = _FENCED.split(markdown)
    return "".join(part if place % 2 else _ID.sub(link, part) for place, part in enumerate(parts))


def filled(kind: str, what: str, path: str) -> str:
    """Return what stands for a mark.

    Raises:
        PluginError: it is of no kind that is known, or names nothing.
    """
    try:
        match kind:
            case "made":
                return PARTS[what]()
            case "run":
                return console(what)
            case "begins":
                return first_line(what)
            case "readme":
                return readme_section(what)
    except (KeyError, RuntimeError) as error:
        raise PluginError(f"{path}: <!-- {kind}: {what} -->: {error}") from error
    raise PluginError(f"{path}: a mark is made, run, begins or readme, got {kind}")

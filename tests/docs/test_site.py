"""The documentation site: built once, warnings as errors, and whole."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import pytest
from typer.main import get_command

import epochwise
from docs.made.catalog_tables import every_price
from docs.made.checks_list import anchor
from docs.made.command_line import command_names
from docs.made.public_names import home
from docs.made.published_figures import every_figure
from docs.made.workload_fields import field_paths
from epochwise.catalog.replacement import BUCKET_LINK, FILE_SYSTEM, update_rules
from epochwise.checks.registry import every_check
from epochwise.cli.program import app
from tests.cli.command_line import NOON, ROOT, called
from tests.docs.built_site import read_page, spaced, spoken

WORKLOADS = sorted((ROOT / "workloads").glob("*.yaml"))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make docs` does."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "SOURCE_DATE_EPOCH": NOON, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_reached_from_the_navigation(site: Path) -> None:
    start = read_page(site / "index.html")
    pages = {file.relative_to(site).as_posix() for file in site.rglob("*.html")} - {"404.html", "index.html"}
    assert len(pages) >= 20
    assert pages <= {urldefrag(link).url for link in start.links}


def test_every_check_is_shown_as_explain_explains_it(site: Path) -> None:
    page = read_page(site / "reference" / "checks.html")
    for check in every_check():
        assert anchor(check.id) in page.anchors, check.id
        entry = page.text.partition(f" {check.id}¶ ")[2][:4000]
        assert entry.startswith(f"{' or '.join(check.levels)}. {spoken(check.title)}."), check.id
        for said in (check.why, check.source, *check.messages, *check.fixes):
            assert spoken(said) in spoken(entry), check.id
        assert f"{check.module}.{check.function}" in entry


def test_every_command_and_option_is_shown_as_its_help(site: Path) -> None:
    page = read_page(site / "reference" / "cli.html")
    commands = getattr(get_command(app), "commands")  # noqa: B009 - typer's own type has no such attribute
    assert set(command_names()) == set(commands)
    for name, command in commands.items():
        assert name in page.anchors
        section = page.text.partition(f"Usage: epochwise {name} ")[2].partition("Usage:")[0]
        for parameter in command.params:
            for option in [*parameter.opts, *parameter.secondary_opts]:
                shown = parameter.metavar if parameter.param_type_name == "argument" else option
                assert str(shown) in section, f"{name} {option}"
        assert spaced(called(name, "--help", COLUMNS="80").stdout).partition(" ")[2][:60] in page.text


def test_every_public_name_is_documented_from_its_docstring(site: Path) -> None:
    page = read_page(site / "reference" / "python.html")
    for name in epochwise.__all__:
        assert f"{home(name)}.{name}" in page.anchors, name
    for method in ("link_bucket", "allow_client", "for_workload", "from_attributes", "user_data"):
        assert any(each.endswith(f".{method}") for each in page.anchors), method


def test_every_key_of_the_workload_file_is_shown_and_said(site: Path) -> None:
    page = read_page(site / "declare.html")
    assert len(field_paths()) > 80
    for path in field_paths():
        assert path in page.text
    rows = re.findall(r"<tr>(.*?)</tr>", (site / "declare.html").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert [row for row in rows if re.search(r"<td></td>\s*$", row)] == [], "write a docstring below each field"


@pytest.mark.parametrize("file", WORKLOADS, ids=lambda file: file.stem)
def test_every_workload_is_shown_with_its_reason_and_its_plan(site: Path, file: Path) -> None:
    page = read_page(site / "workloads" / f"{file.stem}.html")
    for line in file.read_text(encoding="utf-8").splitlines():
        assert spaced(line.lstrip("# ")) in page.text
    assert spaced(called("plan", f"workloads/{file.name}").stdout) in page.text
    assert file.stem in read_page(site / "workloads" / "index.html").text


def test_what_the_catalog_knows_of_prices_and_updates_is_shown(site: Path) -> None:
    cost, upgrading = read_page(site / "cost.html").text, read_page(site / "upgrading.html").text
    for price in every_price():
        assert f"{price.region} {price.item} {price.usd:g}" in spaced(cost)
    for kind in (FILE_SYSTEM, BUCKET_LINK):
        for rule in update_rules(kind).values():
            assert f"{rule.name} " in upgrading


def test_published_figures_stand_beside_the_models(site: Path) -> None:
    page = read_page(site / "model.html").text
    for figure in every_figure():
        assert figure.setting in page


def test_nothing_loads_from_outside(site: Path) -> None:
    for file in site.rglob("*.html"):
        page = read_page(file)
        assert [url for url in page.loads if urlparse(url).scheme not in {"", "data"} or url.startswith("//")] == []
        assert 'class="mermaid"' not in file.read_text(encoding="utf-8")
    for file in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", file.read_text(encoding="utf-8")), file.name


def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    for file in site.rglob("*.html"):
        page = read_page(file)
        for link in [*page.links, *page.loads]:
            url, fragment = urldefrag(link)
            if urlparse(url).scheme or file.name == "404.html":
                continue
            target = file if not url else (file.parent / unquote(url)).resolve()
            target = target / "index.html" if target.is_dir() else target
            assert target.exists(), f"{file.name}: {link}"
            if fragment and target.suffix == ".html" and not fragment.startswith("__"):
                assert unquote(fragment) in read_page(target).anchors, f"{file.name}: {link}"


@pytest.mark.parametrize("name", ["guide-frontier", "guide-scaling", "stacks"])
def test_each_picture_is_drawn_and_described(site: Path, name: str) -> None:
    picture = (site / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
    assert picture.rstrip().endswith("</svg>")
    shown = [file for file in site.rglob("*.html") if f"pictures/{name}.svg" in read_page(file).loads]
    assert shown
    assert re.search(rf'<img alt="[^"]{{40,}}" src="pictures/{name}\.svg"', shown[0].read_text(encoding="utf-8"))


def test_the_stacks_are_drawn_with_what_they_hold(site: Path) -> None:
    picture = (site / "pictures" / "stacks.svg").read_text(encoding="utf-8")
    for words in ("epochwise-guide-storage", "FSx FileSystem", "StepFunctions StateMachine", "LustreMountName"):
        assert words in picture


def test_security_names_every_role_key_group_and_acknowledgement(site: Path) -> None:
    page = read_page(site / "security.html").text
    for words in ("sagemaker:CreateTrainingJob", "Job/LogKey", "Network/EfaSecurityGroup", "IAMNoInlinePolicy"):
        assert words in page
    assert "EFA requires all traffic, by group id" in page
    assert not re.search(r"[0-9A-F]{8}(?:\.|>|\")", page), "name constructs by path, not by logical id"


def test_what_is_unverified_is_collected(site: Path) -> None:
    page = read_page(site / "unverified.html").text
    for words in ("no response of the Price List API has been recorded", "HYDRATION_ASSUMED", "p6e-gb200.36xlarge"):
        assert words in page

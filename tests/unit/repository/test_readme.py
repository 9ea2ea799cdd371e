# SPDX-License-Identifier: Apache-2.0
"""What the documentation shows is what happens, and what it points to is there."""

import doctest
import re
import shlex
import subprocess
import sys
import tomllib

import click
import pytest
from shared_data import CHECKOUT

from thresher.commands.main import main
from thresher.jobs.extract import main as job
from thresher.running.run import EXIT_ERRORS, EXIT_INCOMPLETE, EXIT_OK, EXIT_STOPPED, EXIT_USAGE
from thresher.schemas.dead_letter import STAGES
from thresher.schemas.skipped import REASONS

PAGES = sorted({path for pattern in ("*.md", "*/README.md", "docs/**/*.md") for path in CHECKOUT.glob(pattern)})
BLOCKS = re.compile(r"^```(?:sh)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS = sorted(
    {
        (path.relative_to(CHECKOUT).as_posix(), line.removeprefix("$ ").partition(" > ")[0])
        for path in PAGES
        for block in BLOCKS.findall(path.read_text("utf-8"))
        for line in re.sub(r"\\\n\s*", " ", block).splitlines()
        if re.match(r"(\$ )?thresher [a-z]", line) and "…" not in line and "[OPTIONS]" not in line
    }
)


def test_the_readmes_python_gives_what_it_shows():
    result = doctest.testfile(str(CHECKOUT / "README.md"), module_relative=False)
    assert result.attempted >= 4
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_links_to_files_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        assert target.startswith(("https://", "http://")) or (page.parent / target).exists(), target


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=lambda text: " ".join(text.split())[:60])
def test_commands_are_such_as_the_command_line_takes(page, line):
    words = shlex.split(line.partition("  #")[0].partition(" | ")[0].partition("   ")[0])[1:]
    command, context = main, click.Context(main)
    while isinstance(command, click.Group):
        command = command.get_command(context, words[0])
        assert command, f"{page}: {line}"
        words = words[1:]
    problem = ""
    try:
        command.make_context("thresher", words, parent=context)
    except click.exceptions.Exit:  # --help
        pass
    except click.UsageError as error:
        problem = error.format_message()
    assert not problem or "does not exist" in problem


def test_the_pages_of_statuses_and_reasons_name_all():
    page, reasons = ((CHECKOUT / "docs" / f"{name}.md").read_text("utf-8") for name in ("statuses", "reasons"))
    statuses = {
        "ok", "empty", "too_deep", "too_many_bytes", "too_many_nodes", "too_many_attributes", "too_many_styles",
        "error", "not_html",
    }  # fmt: skip
    states = {"finished", "running", "interrupted", "damaged", "incomplete"}
    assert {name for name in statuses | states | set(STAGES) if f"`{name}`" not in page} == set()
    assert {name for name in REASONS if f"`{name}`" not in reasons} == set()
    for status in (EXIT_OK, EXIT_USAGE, EXIT_ERRORS, EXIT_INCOMPLETE, EXIT_STOPPED):
        assert f"\n| {status} | " in page


def test_every_page_of_docs_is_in_the_navigation():
    navigation = (CHECKOUT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]
    pages = {path.relative_to(CHECKOUT / "docs").as_posix() for path in CHECKOUT.glob("docs/**/*.md")}
    assert {page for page in pages if page not in navigation} == set()


OF_OTHERS = {"--help", "--text", "--master", "--py-files"}  # click's, Browsertrix's and Spark's


def options_of(command):
    """The names of the options of a command and of those below it."""
    names = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    if isinstance(command, click.Group):
        context = click.Context(command)
        names.update(*(options_of(command.get_command(context, each)) for each in command.list_commands(context)))
    return names


GUIDES = [
    path
    for path in PAGES
    if (path.parent == CHECKOUT or CHECKOUT / "docs" in path.parents)
    and path.name not in ("CHANGELOG.md", "trafilatura.md")  # the latter lists Trafilatura's options
]


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_options_and_settings_in_the_text_exist(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    settings = tomllib.loads((CHECKOUT / "conf" / "default.toml").read_text("utf-8"))
    known = options_of(main) | options_of(job) | OF_OTHERS
    for code in re.findall(r"`([^`\n]*)`", text):
        assert set(re.findall(r"(?<![\w-])--[a-z][\w-]*", code)) <= known, code
        for section, key in re.findall(rf"(?<![\w./])({'|'.join(settings)})\.(\w+)\b(?!\()", code):
            assert key in settings[section], code


# Made by the tests, or read by looking something up.
REFERENCE = ("command-line.md", "configuration.md", "python-api.md", "tables.md", "glossary.md", "trafilatura.md")


@pytest.mark.parametrize("page", sorted(CHECKOUT.glob("docs/**/*.md")), ids=lambda page: page.name)
def test_a_page_of_docs_answers_one_question(page):
    """At most 700 words, not counting code, tables and comments."""
    text = re.sub(r"^```.*?^```|<!--.*?-->|^[|!].*?$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert len(text.split()) <= 700 or page.name in REFERENCE


def test_broken_links_of_the_site_are_found(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "a.html").write_text('<a href="b/#here">b</a> <a href="https://e.org/">e</a> <img src="b/x%20y.png">')
    (tmp_path / "b" / "index.html").write_text('<h1 id="here"><a href="../a.html">a</a></h1>')
    (tmp_path / "b" / "x y.png").touch()
    command = [sys.executable, CHECKOUT / ".ci" / "check_links.py", tmp_path]
    good = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (good.returncode, good.stdout) == (0, "2 pages, 1 links to other sites, 0 broken links\n")
    (tmp_path / "a.html").write_text('<a href="b/#there">b</a> <img src="z.png">')
    bad = subprocess.run(command, capture_output=True, text=True, check=False)
    assert bad.returncode == 1
    assert bad.stderr == "a.html: b/#there has no such anchor\na.html: z.png leads nowhere\n"


def test_the_makefile_explains_every_target():
    makefile = (CHECKOUT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    listing = subprocess.run(["make", "help"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    for target in phony[1].split():
        assert f"make {target} " in listing

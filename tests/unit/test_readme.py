# SPDX-License-Identifier: Apache-2.0
"""What the documentation shows is what happens, and what it points to is there."""

import doctest
import re
import subprocess

import pytest
from shared_data import CHECKOUT

PAGES = sorted(path for pattern in ("*.md", "*/README.md", "docs/*.md") for path in CHECKOUT.glob(pattern))


def test_the_readmes_python_gives_what_it_shows():
    result = doctest.testfile(str(CHECKOUT / "README.md"), module_relative=False)
    assert result.attempted >= 4
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_links_to_files_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        assert target.startswith(("https://", "http://")) or (page.parent / target).exists(), target


def test_the_makefile_explains_every_target():
    makefile = (CHECKOUT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    listing = subprocess.run(["make", "help"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    for target in phony[1].split():
        assert f"make {target} " in listing

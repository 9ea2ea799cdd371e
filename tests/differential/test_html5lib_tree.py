# SPDX-License-Identifier: Apache-2.0
"""Every whole document of the html5lib tree-construction suite, scripting off."""

from pathlib import Path

import pytest
from html5lib_suites import exceptions, tree_cases
from shared_data import files

from thresher.native.parsing.document import Document

FILES = files("html5lib-tests/tree-construction/**/*.dat")


@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: path.stem if path.parent.name != "scripted" else f"scripted-{path.stem}"
)
def test_trees_are_those_of_the_suite(path: Path) -> None:
    document = Document()
    known = exceptions("tree")
    failures: list[str] = []
    for case in tree_cases(path):
        if case.is_fragment or case.needs_scripting:
            continue
        document.parse(case.page)
        passes = document.dump() == case.tree
        if passes == (case.name in known):
            failures.append(
                f"{case.name} is listed as an exception but passes"
                if passes
                else f"{case.name}\n{case.page!r}\nexpected\n{case.tree}\ngot\n{document.dump()}"
            )
    assert not failures, "\n\n".join([f"{len(failures)} cases", *failures])


@pytest.mark.usefixtures("data")
def test_the_suite_is_read_as_a_whole() -> None:
    """Against a reader that quietly skips cases: #data lines and cases are equally many."""
    cases = [case for path in FILES for case in tree_cases(path)]
    assert len(cases) == sum(f"\n{path.read_bytes().decode('utf-8', 'replace')}".count("\n#data\n") for path in FILES)
    whole = [case for case in cases if not case.is_fragment and not case.needs_scripting]
    assert len(whole) > 1300
    assert len(exceptions("tree")) < len(whole) * 0.01

# SPDX-License-Identifier: Apache-2.0
"""The html5lib tokenizer suite, in each of its initial states; parse errors are not reported and not compared."""

from pathlib import Path

import pytest
from html5lib_suites import exceptions, tokenizer_cases
from shared_data import files

from thresher.native.parsing.tokenizer import tokenize

FILES = files("html5lib-tests/tokenizer/*.test")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_tokens_are_those_of_the_suite(path: Path) -> None:
    known = exceptions("tokenizer")
    failures: list[str] = []
    for case in tokenizer_cases(path):
        page = case.page.replace("\r\n", "\n").replace("\r", "\n")
        tokens = tokenize(page.encode("utf-8", "surrogatepass"), case.state, case.last_start_tag)
        passes = tokens == case.tokens
        if passes == (case.name in known):
            failures.append(f"{case.name}: {page!r}\nexpected {case.tokens}\ngot      {tokens}")
    assert not failures, "\n\n".join([f"{len(failures)} cases", *failures])

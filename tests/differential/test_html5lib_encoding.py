# SPDX-License-Identifier: Apache-2.0
"""html5lib's encoding suite: what a page's own bytes declare."""

import re
from pathlib import Path

import pytest
from shared_data import files

from thresher.page.charset import declared_in_page, decode, late_meta
from thresher.page.legacy_encodings import encoding_of

# Why a case cannot hold here; may only shrink.
NOT_APPLICABLE = {
    ("scripted/tests1.dat", 0): "a script writes the meta element, and no script is run",
}


def cases():
    """(file, number, page, encoding) of every case."""
    for path in files("html5lib-tests/encoding/**/*.dat"):
        name = str(path.relative_to(path.parents[1] if path.parent.name == "scripted" else path.parent))
        for number, case in enumerate(re.split(rb"(?:\A|\n)#data\n", path.read_bytes())[1:]):
            page, _, encoding = case.partition(b"\n#encoding\n")
            yield pytest.param(
                (name, number), page, encoding.split(b"\n")[0].strip().decode(), id=f"{Path(name).stem}-{number}"
            )


@pytest.mark.parametrize(("key", "page", "expected"), list(cases()))
def test_encoding(key, page, expected):
    if page.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        found = decode(page).charset
    else:
        # The suite's default where nothing is declared; decode() asks the bytes instead.
        found = declared_in_page(page) or late_meta(page) or "windows-1252"
    if key in NOT_APPLICABLE:
        assert found != encoding_of(expected), f"{key} passes: take it off the list"
    else:
        assert found == encoding_of(expected)

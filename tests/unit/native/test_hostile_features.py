# SPDX-License-Identifier: Apache-2.0
"""Pages written against the learned extractor: class names that collide in the hash table of the features.

Each page is extracted in a process of its own, so that a crash fails the test instead of ending the test run.
"""

import json
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
from shared_data import files

import thresher
from thresher.native.parsing import tags

MASK = (1 << 64) - 1
PROBES = 32
"""Steps that a search in the table takes."""

FORMATS = ("text", "markdown", "html")

EXTRACT = """
import json, sys
sys.path[:0] = json.loads(sys.argv[2])
import thresher
from costs import assert_cheap, ordinary_page
page = sys.stdin.buffer.read()
other = ordinary_page(len(page))
extract = lambda page: thresher.extract(page, extractor="thresher", format=sys.argv[1])
found = extract(page)
assert_cheap(lambda: extract(page), lambda: extract(other), 200)
print(found.status, len(found.blocks))
"""


def extract_elsewhere(page: bytes, format_: str = "text") -> tuple[str, int]:
    """The status of a page and its number of blocks, found by another process, which fails if that costs too much."""
    command = [sys.executable, "-c", EXTRACT, format_, json.dumps(sys.path)]
    done = subprocess.run(command, input=page, capture_output=True, check=False)
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr.decode()[-500:]}"
    status, n_blocks = done.stdout.split()
    return status.decode(), int(n_blocks)


def mix(a: int, b: int) -> int:
    x = (a * 0x9E3779B97F4A7C15 + b) & MASK
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def signature(tag: str, name: str | None = None) -> int:
    """The hash of an element, as the core computes it, for a class name of at most seven bytes."""
    value = 2166136261 ^ int(getattr(tags.Tag, f"TAG_{tag.upper()}"))
    if name is not None:
        hashed = (len(name) ^ int.from_bytes(name.encode(), "little")) * 0x9E3779B97F4A7C15 & MASK
        value = mix(value, hashed) & 0xFFFFFFFF
    return value * 16777619 & 0xFFFFFFFF


def start_in_table(key: int, size: int) -> int:
    """Where the search for a key begins in a table of so many places."""
    return key & (size - 1)


def names_that_start(wanted: set[int], size: int, each: int = 1) -> list[str]:
    """Classes of divs in the body: for each wanted place of the table `each` classes whose search begins there."""
    body, html = signature("body"), signature("html")
    left = dict.fromkeys(wanted, each)
    names = []
    for i in count():
        place = start_in_table(mix(mix(signature("div", f"f{i}"), body), html), size)
        if left.get(place):
            left[place] -= 1
            names.append(f"f{i}")
        if not any(left.values()):
            break
    return names


def returning(times: int) -> bytes:
    """A page whose hash table is full where div.x in div.x in div.x belongs, with many of them inside one, whose own
    text goes on after each.
    """
    size = 64
    while size < 2 * (PROBES + 2 * times):
        size *= 2
    start = start_in_table(mix(mix(signature("div", "x"), signature("div", "x")), signature("div", "x")), size)
    fillers = names_that_start({(start + i) % size for i in range(PROBES)}, size)
    first = "".join(f"<div class={filler}>a</div>" for filler in fillers)
    return f"{first}<div class=x><div class=x><div class=x>{'t<div class=x>t</div>' * times}</div></div></div>".encode()


@pytest.mark.parametrize("times", [50, 1000, 20_000])
def test_a_container_whose_text_goes_on_is_grouped_once(times: int) -> None:
    """Each time it came back it got a new group where the hash table was full: more groups than there was room for."""
    assert extract_elsewhere(returning(times)) == ("ok", PROBES + 2 * times)


def test_class_names_that_all_collide_do_no_harm() -> None:
    names = names_that_start({7}, 1024, each=170)
    page = "".join(f"<div class={name}>text<p>text</p>text</div>" for name in names).encode()
    assert extract_elsewhere(page) == ("ok", 3 * 170)


@pytest.mark.parametrize("path", files("hostile*/*.html"), ids=lambda path: path.name)
@pytest.mark.parametrize("format_", FORMATS)
def test_hostile_files_are_extracted(path: Path, format_: str) -> None:
    page = path.read_bytes()
    status, n_blocks = extract_elsewhere(page, format_)
    assert status in {"ok", "too_deep"}
    assert n_blocks > 0


@pytest.mark.parametrize("format_", FORMATS)
def test_a_class_with_a_reference_outlives_the_note_that_it_marks(format_: str) -> None:
    """The class lies in the side buffer, which grows, and moves, when the note is written."""
    note = b'<p>x<span class="marginnote&#32;math">%s</span>' % (b"y" * 3000)
    for n in (1, 40, 200):
        assert extract_elsewhere(note * n, format_)[0] == "ok"


@pytest.mark.parametrize("n", [1, 5, 40, 200, 1000])
def test_a_label_with_a_reference_outlives_the_listing_that_it_names(n: int) -> None:
    """The label lies in the side buffer, which grows, and moves, when the lines of the listing are written."""
    listing = b"<p>before<pre><div class=toolbar>py&#116;hon</div>" + b"x = 1\ny = 2\n" * 40 + b"</pre>"
    found = thresher.extract(listing * n, extractor="all", format="markdown")
    assert found.text.count("```python\nx = 1") == n


@pytest.mark.parametrize("n", [20_000, 80_000])
def test_a_string_that_goes_on_over_lines_is_read_once(n: int) -> None:
    """Each quotation mark was the beginning of a string whose end was looked for up to the end of the script."""
    page = b'<script>window.__DATA__ = "' + b'\\"\n' * n + b"</script><p>x"
    assert extract_elsewhere(page)[0] == "ok"

# SPDX-License-Identifier: Apache-2.0
"""Fingerprints of blocks: what is one text and what are two, against a model in Python."""

import random
import unicodedata
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.native.measuring.blocks import Blocks
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document
from thresher.native.templates.fingerprints import block_fingerprints, fingerprint, near_duplicate_marks
from thresher.native.workspace import Workspace


def letters(text: str) -> str:
    """What a fingerprint is of, for the basic multilingual plane."""
    found = []
    for character in text:
        category = unicodedata.category(character)
        if category in ("Mn", "Mc"):
            if not "\ufe00" <= character <= "\ufe0f" and character != "\u034f":
                found.append(character)
        elif category[0] == "L":
            folded = [each for each in (character.casefold(), character.lower()) if len(each) == 1 and each <= "\uffff"]
            found.append(folded[0] if folded else character)
    return "".join(found)


def page_fingerprints(html: bytes) -> tuple[list[int], list[str]]:
    workspace = Workspace(Document())
    workspace.parse(html)
    workspace.measure()
    found = array("q", block_fingerprints(workspace.document, workspace.metrics, workspace.blocks))
    return list(found), [workspace.render_block(b).decode() for b in range(len(workspace.blocks))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Page 3 of 17", "page 4, of 20"),
        ("ΣΟΦΊΑ", "σοφία"),
        ("Наверх ↑", "наверх"),
        ("co\u00adoperate", "cooperate"),
        ("❤\ufe0f like", "Like"),
        ("ÉCOLE", "école"),
        ("中文 12", "中文"),
    ],
)
def test_one_text(one, other):
    assert fingerprint(one.encode()) == fingerprint(other.encode()) != 0


@pytest.mark.parametrize(("one", "other"), [("ab", "ba"), ("कि", "की"), ("中文", "文中"), ("a", "aa"), ("เก", "เก่")])
def test_two_texts(one, other):
    assert fingerprint(one.encode()) != fingerprint(other.encode())


@pytest.mark.parametrize("text", ["", "12:30", "1 234,50 €", "→ … 🙂", "\u200d\ufe0f"])
def test_nothing_without_a_letter(text):
    assert fingerprint(text.encode()) == 0


@given(
    st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=("Cs",))),
    st.text(st.characters(max_codepoint=0x24F)),
)
def test_equal_where_the_letters_are_equal_and_nowhere_else(one, other):
    assert (fingerprint(one.encode()) == 0) == (letters(one) == "")
    assert fingerprint(one.encode()) == fingerprint(letters(one).encode())
    assert (fingerprint(one.encode()) == fingerprint(other.encode())) == (letters(one) == letters(other))


@given(st.binary(max_size=200))
def test_any_bytes(text):
    assert fingerprint(text) == fingerprint(b"\xff" + text)
    assert -(1 << 63) <= fingerprint(text) < 1 << 63


def test_of_a_page_they_are_those_of_its_blocks_texts():
    html = (
        b"<body><nav><a>Home</a> <b hidden>secret</b> <a>News</a></nav><p>One <i>piece</i> of\n text.<p>12<p>one PIECE of text"
        b"<script>var x</script><pre> two\nlines </pre>"
    )
    found, texts = page_fingerprints(html)
    assert found == [fingerprint(text.encode()) for text in texts]
    assert found[1] == found[3]
    assert found[2] == 0


def test_metrics_of_another_document_are_refused():
    document, metrics, blocks = Document(), Metrics(), Blocks()
    document.parse(b"<p>a")
    with pytest.raises(RuntimeError, match="another page"):
        block_fingerprints(document, metrics, blocks)


STEP, FIRST, SECOND, MASK = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, (1 << 64) - 1


def mixed(value: int) -> int:
    value = ((value ^ (value >> 30)) * FIRST) & MASK
    value = ((value ^ (value >> 27)) * SECOND) & MASK
    return value ^ (value >> 31)


def marks_of(words: list[str]) -> tuple[list[int], bool]:
    """The marks of words of ASCII letters, and whether neither the first nor the last bin has a shingle."""
    hashes = []
    for word in words:
        value = 0x5EED
        for i in range(0, len(word), 4):
            four = sum(ord(letter) << 16 * k for k, letter in enumerate(word[i : i + 4]))
            value = ((value ^ four) * STEP) & MASK
            value ^= value >> 32
        hashes.append(value)
    bins: dict[int, int] = {}
    for one, two, three, four in zip(hashes, hashes[1:], hashes[2:], hashes[3:], strict=False):
        shingle = mixed((one + two * STEP + three * FIRST + four * SECOND) & MASK)
        place = (shingle >> 32) * 70 >> 32
        bins[place] = min(bins.get(place, MASK), shingle)
    minima = []
    for place in range(70):
        away = next(steps for steps in range(70) if (place + steps) % 70 in bins)
        minima.append(bins[(place + away) % 70] + away)
    marks = []
    for band in range(5):
        mark = band + 1
        for minimum in minima[14 * band : 14 * band + 14]:
            mark = mixed((mark * STEP + minimum) & MASK)
        marks.append(mark - (mark >> 63 << 64))
    return marks, 0 not in bins and 69 not in bins


def test_marks_of_near_copies() -> None:
    numbers = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    wrapped = 0
    for _ in range(300):
        words = ["".join(numbers.choices(letters, k=numbers.randint(1, 9))) for _ in range(numbers.randint(143, 160))]
        marks, around = marks_of(words)
        assert near_duplicate_marks(" ".join(words).encode()) == marks
        wrapped += around
    assert wrapped > 0
    assert near_duplicate_marks(" ".join(words[:142]).encode()) == []

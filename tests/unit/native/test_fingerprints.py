# SPDX-License-Identifier: Apache-2.0
"""Fingerprints of blocks: what is one text and what are two, against a model in Python."""

import unicodedata
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.native.measuring.blocks import Blocks
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document
from thresher.native.templates.fingerprints import block_fingerprints, fingerprint
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

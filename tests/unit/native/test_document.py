# SPDX-License-Identifier: Apache-2.0
"""Document: views of the tree, statuses, limits, reuse."""

import numpy as np
import pytest

from thresher.native.parsing.document import Document

PAGE = b"""<!DOCTYPE html><html lang=de><head><title> A  b </title></head>
<body class="x y"><p ID=one>caf&eacute; <b>bold</b></p><svg viewBox="0 0 1 1"><foreignObject/></svg><x-y>z</x-y>"""


def find(document: Document, tag: str) -> int:
    return next(n for n in range(document.n_nodes) if document.tag(n) == tag)


def parsed(page: bytes, **limits: int) -> Document:
    document = Document(**limits)
    document.parse(page)
    assert document.verify() == ""
    return document


def test_views() -> None:
    document = parsed(PAGE)
    p = find(document, "p")
    assert document.status == "ok"
    assert document.title() == "A b"
    assert document.text(p) == "café bold"
    assert document.attributes(p) == {"id": "one"}
    assert document.tag(document.parent(p)) == "body"
    assert document.end(p) == find(document, "svg svg")
    assert document.attributes(find(document, "svg svg")) == {"viewBox": "0 0 1 1"}
    assert document.text(find(document, "x-y")) == "z"
    assert document.tag(0) == "#document"
    assert document.in_order
    assert not document.quirks


def test_any_buffer_is_a_page() -> None:
    trees = set()
    for page in (PAGE, bytearray(PAGE), memoryview(PAGE), np.frombuffer(PAGE, np.uint8)):
        trees.add(parsed(page).dump())
    assert len(trees) == 1


def test_the_page_is_kept_alive() -> None:
    document = Document()
    document.parse(bytes(bytearray(b"<p>" + b"text " * 1000)))
    assert document.text(0) == "text " * 1000


def test_a_document_forgets_the_page_before() -> None:
    fresh = parsed(PAGE).dump()
    document = Document()
    for other in (
        b"",
        b"<table>a<b>c</table>" * 50,
        b"<a-b><c-d>" * 300,
        b"<p " + b" ".join(b"a%d" % i for i in range(99)),
    ):
        document.parse(other)
        document.parse(PAGE)
        assert document.dump() == fresh


def test_byte_order_mark_and_newlines() -> None:
    assert parsed(b"\xef\xbb\xbf<p>a\r\nb\rc\n").text(0) == "a\nb\nc\n"


@pytest.mark.parametrize("n", [-1, 5, 1 << 40])
def test_no_such_node(n: int) -> None:
    with pytest.raises(IndexError):
        parsed(b"x").tag(n)


@pytest.mark.parametrize("name", ["max_bytes", "max_nodes", "max_depth", "max_attributes"])
@pytest.mark.parametrize("value", [0, -1, 1 << 40])
def test_limits_are_checked(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=name):
        Document(**{name: value})


def test_too_many_bytes_ends_between_characters() -> None:
    document = parsed("<p>ääää".encode(), max_bytes=6)
    assert document.status == "too_many_bytes"
    assert document.text(0) == "ä"


def test_too_many_nodes_keeps_the_beginning() -> None:
    document = parsed(b"".join(b"<p>%d" % i for i in range(1000)), max_nodes=100)
    assert document.status == "too_many_nodes"
    assert 100 <= document.n_nodes < 110
    assert document.text(0).startswith("012345")


def test_too_many_attributes_keeps_the_beginning() -> None:
    document = parsed(b"<p a=1 b=2><p c=3><p d=4>text", max_attributes=3)
    assert document.status == "too_many_attributes"
    assert document.n_attributes == 3
    assert parsed(b"<p a=1 b=2><p c=3>text", max_attributes=3).status == "ok"


def test_a_limit_is_reached_at_the_same_place_whatever_was_parsed_before() -> None:
    """The attributes of a second body were counted once or twice, as the page before happened to end."""
    page = b"'><body a b c><l d e f>"
    document = Document(max_attributes=7)
    document.parse(page)
    first = document.dump()
    document.parse(page)
    assert document.status == "ok"
    assert document.dump() == first
    for before in (b"<p a b c d>", b"text", b"<body a b><body c>"):
        document.parse(before)
        document.parse(page)
        assert document.dump() == first


def depth(document: Document, n: int) -> int:
    found = 0
    while n:
        n = document.parent(n)
        found += 1
    return found


def test_too_deep_is_flattened_and_complete() -> None:
    document = parsed(b"<div>" * 600 + b"innermost" + b"</div>" * 600 + b"<p>after", max_depth=100)
    tags = [document.tag(n) for n in range(document.n_nodes)]
    assert document.status == "too_deep"
    assert tags.count("div") == 600
    assert document.text(0) == "innermostafter"
    assert max(depth(document, n) for n in range(document.n_nodes)) <= 103
    assert document.tag(document.parent(find(document, "p"))) == "body"


def test_same_tree_same_checksum() -> None:
    one, other = parsed(b"<p class=a>x&amp;y"), parsed(b'<p class="a">x&#38;y</p>')
    assert one.checksum() == other.checksum()
    assert one.checksum() != parsed(b"<p class=b>x&amp;y").checksum()


def test_duplicate_attributes_are_dropped_however_many_there_are() -> None:
    names = [b"a%d" % (i % 200) for i in range(2000)]
    document = parsed(b"<p " + b" ".join(name + b"=%d" % i for i, name in enumerate(names)) + b" class=x CLASS=y>")
    attributes = document.attributes(find(document, "p"))
    assert attributes == {f"a{i}": str(i) for i in range(200)} | {"class": "x"}


def test_class_attributes_that_share_an_address_keep_their_values() -> None:
    """More different values than are remembered, short and long, and some that differ in one byte in the middle."""
    values = [f"{i % 7}" * (i % 5) + f" item-{i % 900} " + "wide " * (i % 3) for i in range(3000)]
    values += ["beginnin-a-g-and-the-end", "beginnin-b-g-and-the-end", "", "x", "&amp;x", "x"] * 3
    document = parsed("".join(f'<p class="{value}">' for value in values).encode())
    found = [document.attributes(n)["class"] for n in range(document.n_nodes) if document.tag(n) == "p"]
    assert found == [value.replace("&amp;", "&") for value in values]

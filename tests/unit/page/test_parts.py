# SPDX-License-Identifier: Apache-2.0
"""Pictures, data tables and listings of the main text of a page."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tag_soup import tag_soup

import thresher
from thresher.config import PARTS
from thresher.options import Limits
from thresher.page import parts as module
from thresher.page.page_extractor import PageExtractor
from thresher.page.parts import PageParts, PartsReader

SENTENCE = "The harvest of the northern fields was brought in before the rain came over the hills. "
TEXT = f"<p>{SENTENCE * 3}</p>"


def parts(html: str, url: str | None = "https://e.org/a/b", **options: Any) -> dict[str, list[dict[str, Any]]]:
    extractor = PageExtractor(**options)
    extractor.extract(html.encode("utf-8", "replace"), url)
    return PartsReader(PARTS, extractor.options.limits)(extractor).rows


def pictures(html: str, **options: Any) -> list[dict[str, Any]]:
    return [row for row in parts(html, **options)["images"] if row["modality"] == "image"]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def test_text_and_pictures_are_in_reading_order() -> None:
    html = f"""<nav><img src=logo.png width=200><a href=/>Home</a></nav><article><h1>Wheels</h1>{TEXT}
    <figure><img src=/w.jpg alt="A  wheel" width=640 height="480px">
    <figcaption>The wheel in <b>May</b>. <span class=credit>Photo: Ann Lee</span></figcaption></figure>
    {TEXT}<p>{SENTENCE} And inside <img data-src=late.png src=data:image/gif;base64,R0 width=50%> a paragraph.</p>
    {TEXT}</article>
    <footer><img src=/badge.png><a href=/imprint>Imprint</a></footer>"""
    rows = parts(html, captions="drop")["images"]
    assert [(row["position"], row["modality"]) for row in rows] == [
        (0, "text"),
        (1, "image"),
        (2, "text"),
        (3, "image"),
        (4, "text"),
    ]
    first, second = rows[1], rows[3]
    assert first | {"position": 0} == {
        "modality": "image",
        "image_url": "https://e.org/w.jpg",
        "alt": "A wheel",
        "caption": "The wheel in May.",
        "credit": "Photo: Ann Lee",
        "width": 640,
        "height": 480,
        "cut": None,
        "position": 0,
    }
    assert (second["image_url"], second["width"], second["caption"]) == ("https://e.org/a/late.png", None, None)
    shown = "\n\n".join(row["text_content"] for row in rows if row["modality"] == "text")
    assert shown == thresher.extract(html, url="https://e.org/a/b", captions="drop").text


def test_a_page_without_a_picture_of_its_text_has_no_rows() -> None:
    html = f"<article>{TEXT}<img src=x.gif width=1 height=1></article><footer><img src=badge.png>Imprint</footer>"
    assert parts(html)["images"] == []


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        *((name, 0) for name in ("/img/spacer.gif", "/r_4_ispacer.gif?x", "blank.png", "/a/divider.gif", "/dot.gif")),
        ("a/pixel_1.gif", 0),
        *((name, 1) for name in ("/polkadot.gif", "/blank/wheel.jpg", "/a-clear.jpg")),
    ],
)
def test_spacers_are_no_pictures(address: str, shown: int) -> None:
    assert len(pictures(f"<article><h1>Wheels</h1>{TEXT}<img src='{address}'>{TEXT}</article>")) == shown


@pytest.mark.parametrize(
    ("markup", "caption", "credit"),
    [
        ("<figure>{}<figcaption>Wheel (Photo: A Lee)</figcaption></figure>", "Wheel (Photo: A Lee)", "Photo: A Lee"),
        ("<figure>{}<figcaption>A photo by the river.</figcaption></figure>", "A photo by the river.", None),
        ("<figure>{}<figcaption>A wheel. © Reuters</figcaption></figure>", "A wheel. © Reuters", "© Reuters"),
        ("<div class='wp-caption'>{}<p class='wp-caption-text'>A wheel</p></div>", "A wheel", None),
        ("<div class='image-box'><a href=x>{}</a><span class='photo-credit'>Ann Lee</span></div>", None, "Ann Lee"),
        ("<div class='text'>{}<p class='caption'>Not a picture's</p></div>", None, None),
        ("<figure><p>{}</p><figcaption>A<br>wheel<style>p{{}}</style></figcaption></figure>", "A wheel", None),
    ],
)  # fmt: skip
def test_captions_and_credits(markup: str, caption: str | None, credit: str | None) -> None:
    html = f"<article><h1>Wheels</h1>{TEXT}{markup.format('<img src=w.jpg>')}{TEXT}</article>"
    (row,) = pictures(html)
    assert (row["caption"], row["credit"]) == (caption, credit)


def test_the_header_of_a_table_and_cells_over_several_columns() -> None:
    html = f"""<article><h1>Wheels</h1>{TEXT}<h2>Figures</h2>{TEXT}<table><caption>By year</caption>
    <tr><th rowspan=2>Year<th colspan=2>Wheels<tr><th>old<th>new
    <tr><td>1990<td>12<td>5<tr><td>1991<td colspan=2>none<br>at all<tr><td rowspan=2>1992<td>3<td>4<tr><td>5<td>6
    </table>{TEXT}</article>"""
    (row,) = parts(html)["tables"]
    assert row == {
        "number": 0,
        "heading": "Figures",
        "caption": "By year",
        "header": [["Year", "Wheels", ""], ["", "old", "new"]],
        "cells": [["1990", "12", "5"], ["1991", "none\nat all", ""], ["1992", "3", "4"], ["", "5", "6"]],
        "n_columns": 3,
        "cut": None,
    }


@pytest.mark.parametrize(
    ("first", "is_header"),
    [("<th><th>old<th>new", True), ("<th>Wheels<td><td>", False), ("<td>Year<th>old<th>new", False),
     ("<th>Year<td>old<td>new", False)],
)  # fmt: skip
def test_a_header_may_have_an_empty_corner(first: str, is_header: bool) -> None:  # noqa: FBT001
    html = f"<article><h1>Wheels</h1>{TEXT}<table><tr>{first}<tr><td>1990<td>1<td>2<tr><td>1991<td>3<td>4</table>{TEXT}"
    (row,) = parts(html)["tables"]
    assert len(row["header"]) == is_header
    assert len(row["cells"]) == 3 - is_header


def test_tables_that_are_not_in_the_text_have_no_row() -> None:
    table = "<table><tr><th>Year<th>Wheels<tr><td>1990<td>12<tr><td>1991<td>13</table>"
    html = f"<article><h1>Wheels</h1>{TEXT}{table}{TEXT}</article>"
    assert len(parts(html)["tables"]) == 1
    assert parts(html, tables="drop")["tables"] == []
    for box in ("<tr><th>Prices<tr><td>3 pounds<tr><td>4 pounds", "<tr><td>3 pounds<td>4 pounds"):
        assert parts(html.replace(table, f"<table>{box}</table>"))["tables"] == []
    layout = f"<table><tr><td width=200><a href=/>Home</a><td><h1>Wheels</h1>{TEXT * 4}</table>"
    assert parts(layout)["tables"] == []


def test_listings_have_language_and_heading() -> None:
    html = f"""<article><h1>Wheels</h1>{TEXT}<h2>Turning <i>it</i></h2><p>{SENTENCE}</p>
    <div class="highlight-python"><pre><span>def</span> turn(x):\n    return x &lt; 1\n</pre></div>
    {TEXT}<pre>a poem\n  of two lines</pre>{TEXT}</article>"""
    first, second = parts(html)["code"]
    assert first == {
        "number": 0,
        "heading": "Turning it",
        "language": "python",
        "text": "def turn(x):\n    return x < 1",
        "cut": None,
    }
    assert (second["number"], second["language"], second["text"]) == (1, None, "a poem\n  of two lines")


def test_a_text_of_the_pages_data_has_its_own_parts() -> None:
    table = "<table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table>"
    body = f"<p>{SENTENCE * 9}</p><p><img src='/w.jpg'></p>{table}<p>{SENTENCE}</p>"
    html = f'<p>x</p><script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": "{body}"}}</script>'
    found = parts(html)
    assert [row["image_url"] for row in found["images"] if row["modality"] == "image"] == ["https://e.org/w.jpg"]
    assert found["tables"][0]["cells"] == [["1", "2"], ["3", "4"]]


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MAX_PICTURES", 2), ("MAX_TABLES", 1), ("MAX_ROWS", 3), ("MAX_COLUMNS", 2), ("MAX_CELL", 10),
                        ("MAX_LISTINGS", 1), ("MAX_CODE", 20), ("MAX_NOTE", 30)):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    table = "<table>" + f"<tr><td>{SENTENCE}<td>b<td>c" * 5 + "</table>"
    listing = "<pre>" + "print(1)\n" * 20 + "</pre>"
    image = f"<img src=w.jpg alt='{SENTENCE}'>"
    found = parts(f"<article><h1>Wheels</h1>{TEXT}{(image + table + TEXT + listing + TEXT) * 3}</article>")
    assert [row["cut"] for row in found["images"] if row["modality"] == "image"] == ["alt", "alt"]
    assert found["images"][-1]["cut"] == "1 pictures"
    (row,) = found["tables"]
    assert row["cells"] == [["The harvest"[:10], "b"]] * 3
    assert row["cut"] == "cells, columns, rows, 2 tables"
    (row,) = found["code"]
    assert len(row["text"]) == 20
    assert row["cut"] == "text, 2 listings"


def test_empty_cells_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell over all columns and rows costs a few bytes of the page, and would fill a grid."""
    monkeypatch.setattr(module, "MAX_CELLS", 1000)
    table = "<table><tr><td colspan=999 rowspan=9999>a<td>b" + "<tr><td>c<td>d" * 400 + "</table>"
    found = parts(f"<article><h1>Wheels</h1>{TEXT}{(table + TEXT) * 9}</article>")["tables"]
    assert sum(row["n_columns"] * (len(row["cells"]) + len(row["header"])) for row in found) <= 1000
    assert any("rows" in (row["cut"] or "") for row in found)


def test_main_text_that_is_longer_as_html_than_the_page() -> None:
    limits = Limits(max_bytes=4000)
    rows = "<tr><td>&lt;<td>b" * 60
    found = parts(f"<article>{TEXT}<table>{rows}</table>{TEXT}</article>", limits=limits)["tables"]
    assert len(found[0]["cells"]) == 60


SOUP = tag_soup(
    ["x-é"],
    [" src=a.png", " srcset='b 1x'", " rowspan=3", " colspan=70000", " class='language-c caption'", " width=9"],
    ["word", " ", "\n", "<table><tr><td>a<td>b<tr><th>c<td>d</table>", "<pre>x\n", "<img src=x>", "<figure>",
     "<figcaption>"],
    size=60,
)  # fmt: skip


@given(SOUP)
def test_every_word_is_of_the_main_text(html: str) -> None:
    extractor = PageExtractor("all")
    text = extractor.extract(html.encode(), "https://e.org/").decode()
    found: PageParts = PartsReader(PARTS, extractor.options.limits)(extractor)
    shown = [row["text_content"] for row in found.rows["images"] if row["modality"] == "text"]
    if found.rows["images"]:
        assert [word for each in shown for word in words(each)] == words(text)
    known = set(words(text))
    for row in found.rows["tables"]:
        assert all(len(line) == row["n_columns"] for line in row["header"] + row["cells"])
        cells = [cell for line in row["header"] + row["cells"] for cell in line]
        assert {word for cell in cells for word in words(cell)} <= known
    for row in found.rows["code"]:
        assert set(words(row["text"])) <= known


@given(st.binary(max_size=400))
def test_nothing_raises(data: bytes) -> None:
    extractor = PageExtractor("all")
    extractor.extract(data, "http://[")
    PartsReader(PARTS, extractor.options.limits)(extractor)

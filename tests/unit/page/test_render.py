# SPDX-License-Identifier: Apache-2.0
"""The text of a page: white space, lines, cells."""

import re

import pytest
from costs import assert_linear
from hypothesis import given
from hypothesis import strategies as st

from thresher.options import Options
from thresher.page.page_extractor import PageExtractor


def render(html: str) -> str:
    return PageExtractor("all").extract(f"<!doctype html><body>{html}</body>".encode()).decode()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<h1>a</h1><p>b", "a\n\nb"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        # white space is collapsed across inline elements, and only white space separates words
        ("a  \n\t b", "a b"),
        ("<b>a</b> <i>b</i>", "a b"),
        ("<b>a </b> <i> b</i>", "a b"),
        ("<b>a</b><i>b</i>", "ab"),
        ("in<b>side</b>r", "insider"),
        ("<p> a </p>", "a"),
        ("a&nbsp; b", "a\u00a0 b"),
        ("a<img src=x>b", "ab"),
        ("a<wbr>b", "ab"),
        ("a<!-- c -->b", "ab"),
        # lines
        ("a<br>b", "a\nb"),
        ("a <br> b", "a\nb"),
        ("<b>a<br></b>b", "a\nb"),
        ("a<br><br>b", "a\n\nb"),
        ("<br>a<br>", "a"),
        # lists
        ("<ul><li>a<li>b</ul>", "a\nb"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "a\nb\nc\nd"),
        ("<ul><li>a</ul><ul><li>b</ul>", "a\n\nb"),
        ("<p>x</p><ol><li>a<li>b</ol><p>y</p>", "x\n\na\nb\n\ny"),
        ("<ul><li><p>a</p><p>b</p><li>c</ul>", "a\n\nb\n\nc"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\nb\nc\nd"),
        # tables
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
        ("<table><thead><tr><th>a<th>b<tbody><tr><td>c<td>d</table>", "a\tb\nc\td"),
        ("<table><caption>x</caption><tr><td>a<td>b</table>y", "x\n\na\tb\n\ny"),
        ("<table><tr><td>a<td><td>c</table>", "a\t\tc"),
        ("<table><tr><th><th>x<th>y<tr><th>r<td>1<td>2<tr><th><td>3<td>4</table>", "\tx\ty\nr\t1\t2\n\t3\t4"),
        ("<table><tr><td><p>a</p><p>b</p><td>c</table>", "a\n\nb\n\nc"),
        ("<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>", "a\n\nb\tc\n\nd"),
        ("<table><tr><td>a</table><table><tr><td>b</table>", "a\n\nb"),
        ("<table><tr><td>a <b>b</b><td>c</table>", "a b\tc"),
        # preformatted text
        ("<pre>a  b\n  c\n\n\td</pre>e", "a  b\n  c\n\n\td\n\ne"),
        ("<pre>\n  a</pre>", "  a"),
        ("x<pre>\n\n \n  a\n\n b</pre>", "x\n\n  a\n\n b"),
        ("x<pre>a <b> b</b>\n</pre>y", "x\n\na  b\n\ny"),
        ("<p>a</p><pre>  b</pre>", "a\n\n  b"),
        ("<pre><div>a</div><div>  b\n</div><div> c</div></pre>d", "a\n  b\n c\n\nd"),
        ("<pre>a</pre><pre>b</pre>", "a\n\nb"),
        ("<pre>a<br><br><br>b<br></pre>c<br><br><br>d", "a\n\n\nb\n\nc\n\nd"),
        ("<pre><code><div><span>a</span></div><div>b</div></code></pre>", "a\nb"),
        # controls
        ("<button>a</button><button>b</button>", "a b"),
        ("<label>a</label> <label>b</label>", "a b"),
        ("<label>a</label><br><label>b</label>", "a\nb"),
        ("a<x-y>b</x-y>c", "abc"),
        ("<x-y>a</x-y><x-y>b</x-y>", "a\nb"),
        # a hidden part in the middle
        ("a <span hidden>x</span> b", "a b"),
        ("a<script>x</script>b", "ab"),
        # nothing to see
        ("<p>a</p><p>&nbsp;</p><p>b", "a\n\nb"),
        ("a<p>\u200d \u200b<p>\ue0a1<p>\U000f0142<p>\u3000<p>b", "a\n\nb"),
        ("<h2>&nbsp;</h2>a<br>&nbsp;", "a"),
        ("a<br>&nbsp;<br>b", "a\n\u00a0\nb"),
        ("<p>a<p>&nbsp;b<p>—", "a\n\n\u00a0b\n\n—"),
        ("<table><tr><th>x<th>y<tr><td>&nbsp;<td>1<tr><td>a<td>&nbsp;<tr><td>b<td>2</table>", "x\ty\n\t1\na\nb\t2"),
    ],
)
def test_text(html, expected):
    assert render(html) == expected


def test_what_is_dropped_between_two_items_ends_the_list():
    """Kept blocks with a dropped one between are still items of one list."""
    options = Options(extractors=("linkratio",), parameters={"ratio": 15, "links": 1})
    page_extractor = PageExtractor(options=options)
    html = "<ul><li>a long item of text</li><li><div><a href=x>b</a></div></li><li>c is another item</li></ul>"
    assert page_extractor.extract(html.encode()) == b"a long item of text\nc is another item"


def test_a_row_keeps_its_columns_when_a_cell_is_dropped():
    html = "<table><tr><td>first cell with text</td><td><div><a href=x>b</a></div></td><td>third</td></tr></table>"
    assert PageExtractor("linkratio").extract(html.encode()) == b"first cell with text\t\tthird"


def test_a_long_row_takes_linear_time():
    """Where the cell before is not alone in its paragraph, the cells before it are counted anew."""
    cells = "<td>a<td>b<td><p>c<p>d"
    assert_linear(lambda n: lambda: render("<table><tr>" + "<!---->" * n + cells * n), 30_000)


@given(st.text(st.sampled_from("ab,é中\u3000\v \t\n\f"), max_size=80))
def test_white_space_of_any_text_is_collapsed(text: str) -> None:
    words = [word for word in re.split("[ \t\n\f]+", re.sub("^[ \t\n\f\u3000]*\u3000", "", text)) if word]
    seen = " ".join(words) if set(text) - set(" \t\n\f\u3000") else ""  # a paragraph in which a reader sees nothing
    assert render(f"<p>{text}</p>") == seen

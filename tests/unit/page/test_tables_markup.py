# SPDX-License-Identifier: Apache-2.0
"""Tables: cells that span others, heads, several lines in a cell, and tables that are kept or dropped as a whole."""

import re
from array import array

import pytest
from costs import assert_cheap, ordinary_page

import thresher
from thresher.native.choosing.registry import EXTRACTORS
from thresher.page.page_extractor import PageExtractor


def render(html: str, format: str) -> str:  # noqa: A002
    """A page without images, which is the same with and without asking for them."""
    text = PageExtractor("all", format=format).extract(html.encode())
    assert PageExtractor("all", format=format, images=True).extract(html.encode()) == text
    return text.decode()


@pytest.mark.parametrize(
    ("html", "markdown", "as_html"),
    [
        (
            "<table><tr><th>a<th>b<th>c<tr><td>d<td rowspan=2 colspan=2>e<tr><td>f</table>",
            "| a | b | c |\n| --- | --- | --- |\n| d | e | e |\n| f | e | e |",
            (
                "<table>\n<tr><th>a</th><th>b</th><th>c</th></tr>\n"
                '<tr><td>d</td><td colspan="2" rowspan="2">e</td></tr>\n'
                "<tr><td>f</td></tr></table>"
            ),
        ),
        # an empty cell spans, too, and leaves its place empty
        (
            "<table><tr><th>a<th>b<tr><td rowspan=2><td>c<tr><td>d</table>",
            "| a | b |\n| --- | --- |\n|  | c |\n|  | d |",
            "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td></td><td>c</td></tr>\n<tr><td></td><td>d</td></tr></table>",
        ),
        # an empty row of one cell
        (
            "<table><tr><th>a<th colspan=2>b<tr><td colspan=3><tr><td>c<td>d<td>e</table>",
            "| a | b | b |\n| --- | --- | --- |\n| c | d | e |",
            (
                '<table>\n<tr><th>a</th><th colspan="2">b</th></tr>\n<tr></tr>\n'
                "<tr><td>c</td><td>d</td><td>e</td></tr></table>"
            ),
        ),
        # a row without text of its own is not written in Markdown, and counts in HTML
        (
            "<table><tr><th>a<th>b<tr><td rowspan=3>c<td>d<tr><td><tr><td>e</table>",
            "| a | b |\n| --- | --- |\n| c | d |\n| c | e |",
            (
                '<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td rowspan="3">c</td><td>d</td></tr>\n<tr></tr>\n'
                "<tr><td>e</td></tr></table>"
            ),
        ),
        # the text again is written as it was: with its markup
        (
            "<table><tr><td>d<td>e<tr><td colspan=2><b>a|b</b> c</table>",
            "|  |  |\n| --- | --- |\n| d | e |\n| **a\\|b** c | **a\\|b** c |",
            '<table>\n<tr><td>d</td><td>e</td></tr>\n<tr><td colspan="2"><strong>a|b</strong> c</td></tr></table>',
        ),
    ],
)
def test_cells_that_span_others(html, markdown, as_html):
    assert render(html, "markdown") == markdown
    assert render(html, "html") == as_html


@pytest.mark.parametrize(
    ("first", "second", "headed"),
    [
        ("<th>a<th>b", "<td>c<td>d", True),
        ("<td><b>a</b><td><p><strong>b</strong></p>", "<td>c<td>d", True),
        ("<td><b>a</b><td>b", "<td>c<td>d", False),
        ("<td><b>a</b><td><b>b</b>", "<td><b>c</b><td><b>d</b>", False),
        ("<td><b>a</b><td>", "<td>c<td>d", False),
        ("<th>a<td>b", "<th>c<td>d", False),
    ],
)
def test_head_of_a_table(first, second, headed):
    lines = render(f"<table><tr>{first}<tr>{second}</table>", "markdown").split("\n")
    assert (lines[0] == "|  |  |") is not headed
    assert lines[1] == "| --- | --- |"


def test_lines_and_code_in_a_cell():
    html = (
        "<table><tr><th>a<th>b<tr><td>c<br>d<td><p>e</p><p>f</p>"
        "<tr><td><pre>g |\n  h</pre><td><ul><li>i<li>j</ul></table>"
    )
    assert render(html, "markdown") == "| a | b |\n| --- | --- |\n| c<br>d | e<br>f |\n| `g \\|`<br>`h` | i<br>j |"


def test_a_table_of_other_elements():
    html = (
        "<div role=table><div role=rowgroup><div role=row><span role=columnheader>a</span>"
        "<span role=columnheader>b</span></div>"
        "</div><div role=rowgroup><div role=row><span role=cell>c</span><div role=cell><p>d</p></div></div></div></div>"
    )
    assert render(html, "markdown") == "| a | b |\n| --- | --- |\n| c | d |"
    assert render(html, "html") == "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>c</td><td>d</td></tr></table>"


ROWS = "<tr><th>Planet<th>Moons<tr><td><p>Earth has<td><p>one moon<tr><td><p>Mars has<td><p>two moons</table>"
PROSE = "<p>" + "The planets of the sun have moons, and here they are counted, one by one. " * 3


def kept_texts(html: str, extractor: str = "thresher") -> list[str]:
    page = PageExtractor(extractor)
    page.extract(html.encode())
    return [block.text for block in page.blocks() if block.kept]


@pytest.mark.parametrize("extractor", [name for name in EXTRACTORS if name != "all"])
def test_a_table_is_kept_or_dropped_as_a_whole(extractor):
    html = f"<!doctype html><body><article><h1>Of the sky</h1>{PROSE}<table>{ROWS}{PROSE}</article>"
    cells = ["Planet", "Moons", "Earth has", "one moon", "Mars has", "two moons"]
    found = [text for text in kept_texts(html, extractor) if text in cells]
    assert found in ([], cells)


def test_a_table_and_a_listing_between_kept_blocks_are_kept():
    listing = "<div class=highlight><pre>curl -L x</pre></div>"
    html = f"<!doctype html><body><article><h1>Of the sky</h1>{PROSE}{listing}{PROSE}<table>{ROWS}{PROSE}</article>"
    texts = kept_texts(html)
    assert "curl -L x" in texts
    assert "two moons" in texts


def test_listings_of_tabs_are_kept_together():
    panels = "".join(
        f"<input type=radio id=t{n}><label for=t{n}>{name}</label>"
        f"<div class=panel><div><pre>install {name.lower()}\n</pre></div></div>"
        for n, name in enumerate(("Linux", "Windows", "Solaris"))
    )
    html = f"<!doctype html><body><main><h1>Install</h1>{PROSE}<div class=tabs>{panels}</div>{PROSE}</main>"
    texts = kept_texts(html)
    assert [text for text in texts if text.startswith("install")] == [
        "install linux",
        "install windows",
        "install solaris",
    ]


def kept_against(html: str, *texts: str) -> list[str]:
    """What is kept where evidence speaks against the blocks with these texts."""
    page = PageExtractor("thresher")
    page.extract(html.encode())
    against = [-32000 if block.text in texts else 0 for block in page.blocks()]
    page.classify(evidence=array("h", against).tobytes())
    return [block.text for block in page.blocks() if block.kept]


def test_a_term_is_kept_with_its_description():
    text = PROSE.removeprefix("<p>")
    terms = f"<dl><dt>Oak<dt>Ash<dd>{text}</dl>"
    page = f"<!doctype html><body>{PROSE}<ul><li>{text}<li>{text}</ul>{terms}{PROSE}<p><a href=x>Home</a>"
    texts = kept_against(page, "Oak", "Ash")
    assert "Oak" in texts
    assert "Ash" in texts
    for other in ("<dt><a href=x>Oak</a>", "<dt class=comment-author>Oak", "</dl><dl id=Comments-block><dt>Oak"):
        terms = f"<dl>{other}<dd>{text}</dl>"
        page = f"<!doctype html><body>{PROSE}<ul><li>{text}<li>{text}</ul>{terms}{PROSE}<p><a href=x>Home</a>"
        assert "Oak" not in kept_against(page, "Oak")


def test_a_table_of_links_is_judged_cell_by_cell():
    menu = "<table>" + "<tr><td><a href=x>News of today</a><td><a href=y>Sports and more</a>" * 3 + "</table>"
    html = f"<!doctype html><body><main><h1>Of the sky</h1>{PROSE}</main>{menu}<div>{PROSE}</div>"
    assert "News of today" not in kept_texts(html, "density")


@pytest.mark.parametrize("format", ["markdown", "html"])
@pytest.mark.parametrize(
    ("page", "most"),
    [
        ("<table><tr><td>a<td>b<tr>" + "<td colspan=65535 rowspan=65534>word word" * 1000, 4_000_000),
        ("<table><tr><td rowspan=1000>" + "word " * 1000 + "<td>x" + "<tr><td>y" * 1000, 4_000_000),
        ("<table><tr><td colspan=64>" + "word " * 100_000 + "<tr><td>y", 4_000_000),
        ("<table><tr><td rowspan=2>" * 500 + "a", 100_000),
        ("<table><tr><td>" * 500 + "a<td>b<tr><td>c", 100_000),
        ("<table><tr><td rowspan=60000>a<td>b" + "<tr><td>" * 60_000 + "<tr><td>c", 4_000_000),
    ],
)
def test_hostile_tables_cost_little(page, most, format):  # noqa: A002
    other = ordinary_page(len(page)).decode()
    assert len(render(page, format)) < most
    assert_cheap(lambda: render(page, format), lambda: render(other, format), 200)


SPANS = "<table><tr><th>a<th colspan=2>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f &amp; <b>g</b><td>*h*</table>"


def written(html: str, **options: bool | str) -> str:
    page = f"<!doctype html><body>{html}".encode()
    return PageExtractor("all", format="markdown", tables="html", **options).extract(page, "https://e.org/").decode()


def test_a_table_with_spans_is_html_on_request():
    assert written(f"<p>x</p>{SPANS}<p>y</p>") == (
        'x\n\n<table><tr><th>a</th><th colspan="2">b</th></tr><tr><td rowspan="2">c</td><td>d</td><td>e</td></tr>'
        "<tr><td>f &amp; <strong>g</strong></td><td>*h*</td></tr></table>\n\ny"
    )


def test_a_table_that_markdown_can_hold_stays_markdown():
    html = "<table><tr><th>a<th>b<tr><td>c<br>d<td><p>e</p></table>"
    assert written(html) == "| a | b |\n| --- | --- |\n| c<br>d | e |"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<ul><li>c<li>d</ul>", "<ul><li>c</li><li>d</li></ul>"),
        ("<p>c</p><p>d</p>", "<p>c</p><p>d</p>"),
        ("<pre>c\n\n  d</pre>", "<pre>c&#10;&#10;  d</pre>"),
        ("<blockquote>c</blockquote>d", "<blockquote><p>c</p></blockquote><p>d</p>"),
        ("<h3>c</h3>H<sub>2</sub>", "<h3>c</h3><p>H<sub>2</sub></p>"),
    ],
)
def test_a_table_with_blocks_in_cells_is_html_on_request(cell, expected):
    html = f"<p>x</p><table><tr><th>a<th>b<tr><td>{cell}<td>e</table>*y*"
    table = f"<table><tr><th>a</th><th>b</th></tr><tr><td>{expected}</td><td>e</td></tr></table>"
    assert written(html) == f"x\n\n{table}\n\n\\*y\\*"


def test_a_table_within_other_blocks_is_one_line_of_them():
    table = '<table><tr><td>b</td><td>c</td></tr><tr><td colspan="2">a</td></tr></table>'
    html = "<table><tr><td>b<td>c<tr><td colspan=2>a</table>"
    assert written(f"<ul><li><p>x</p>{html}<p>y</p><li>z</ul>") == f"- x\n\n  {table}\n\n  y\n- z"
    assert written(f"<ul><li>{html}</ul>") == f"- {table}"
    assert written(f"<blockquote>{html}<p>y</p></blockquote>") == f"> {table}\n>\n> y"
    strong = "".join(
        f"<strong>{part}</strong>" if part in "abc" else part for part in re.split("(?<=>)([abc])(?=<)", table)
    )
    assert written(f"<b>x{html}y</b>") == f"**x**\n\n{strong}\n\n**y**"


def test_formulas_links_and_images_in_such_a_table():
    html = (
        '<table><tr><td><a href="/x?a&b">b</a> <img src="i.png" alt="&lt;"><td>'
        '<math display=block alttext="x<y"><mi>x</mi></math><tr><td colspan=2>a</table>'
    )
    assert written(html, links=True, images=True) == (
        '<table><tr><td><a href="https://e.org/x?a&amp;b">b</a>'
        '<p><img src="https://e.org/i.png" alt="&lt;"></p></td><td>'
        '<span class="math display">$$ x&lt; y $$</span></td></tr><tr><td colspan="2">a</td></tr></table>'
    )


def test_a_long_cell_is_not_repeated():
    table = "<table><tr><th>a<th>b<tr><td colspan=2>{}<tr><td>c<td>d</table>"
    assert "| e | e |" in render(table.format("e"), "markdown")
    assert render(table.format("word " * 50), "markdown").count("word") == 50


def test_a_table_whose_rows_hold_one_text_lays_out_the_page():
    post = "<table><tr><td>Posted: Friday<td>&nbsp;<tr><td colspan=2><hr><tr><td colspan=2>I found one.</table>"
    assert render(post, "markdown") == "Posted: Friday\n\nI found one."
    assert render(post.replace("&nbsp;", "✓"), "markdown").startswith("|  |  |\n| --- | --- |\n| Posted: Friday | ✓ |")
    assert render("<table><tr><th>x<tr><td>1</table>", "markdown") == "| x |\n| --- |\n| 1 |"


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        ("<h2>Of <b>clouds</b></h2><div><h2> Of <b>clouds</b></h2></div><h2>Of <b>clouds</b></h2>", ["Of clouds"]),
        ("<h2>Of clouds</h2><h3>Of clouds</h3>", ["Of clouds", "Of clouds"]),
        ("<h2>Of clouds</h2><h2>Of rain</h2>", ["Of clouds", "Of rain"]),
        (f"<h2>Of clouds</h2>{PROSE}<h2>Of clouds</h2>", ["Of clouds", "Of clouds"]),
    ],
)
def test_a_repeated_heading_is_kept_once(headings, expected):
    html = f"<!doctype html><body><nav><a href=/>Home</a></nav><article><h1>Of the sky</h1>{PROSE}{headings}{PROSE}"
    assert [text for text in kept_texts(html) if text in ("Of clouds", "Of rain")] == expected
    assert kept_texts(html, "all").count("Of clouds") == headings.count("clouds</")


PAGER = "<table><tr><td>1</td>{}</tr></table>".format("".join(f"<td><a href=?p={n}>{n}</a></td>" for n in range(2, 9)))


@pytest.mark.parametrize("cell", ["<td colspan=2>", "<td>"])
def test_a_pager_in_a_table_is_no_part_of_it(cell):
    """ASP.NET's GridView writes the links to its pages as a table in its last row."""
    rows = "".join(f"<tr><td>Case {n}</td><td>{'The opinion of the court. ' * 4}</td></tr>" for n in range(4))
    html = f"<table><tr><th>Title<th>Text</tr>{rows}<tr>{cell}{PAGER}</td></tr></table>"
    text = thresher.extract(html, format="markdown").text
    lines = text.split("\n")
    assert lines[:2] == ["| Title | Text |", "| --- | --- |"]
    assert len(lines) == 6
    assert all(line.count("|") == 3 for line in lines)
    assert "<table>" in thresher.extract(html, format="html").text
    assert "5" in thresher.extract(html, extractor="all").text  # which keeps everything


@pytest.mark.parametrize(
    "inner",
    ["<table><tr><td>a<td>b</tr></table>", "<table><tr><td>1<td>2</tr></table>",
     "<table><tr><th><a href=?>1</a></table>", PAGER.replace("1", PAGER),
     PAGER.replace("</tr>", "<td></td>" * 400 + "</tr>")],
)  # fmt: skip
def test_another_table_in_a_cell_makes_it_a_layout(inner):
    html = f"<table><tr><td>c<td>d</tr><tr><td>e<td>{inner}</table>"
    assert "| c | d |" not in thresher.extract(html, extractor="all", format="markdown").text


@pytest.mark.parametrize(
    ("html", "markdown", "as_html"),
    [
        (  # one cell across the first row is the table's caption
            "<table><tr><td colspan=3>Climate<tr><th>a<th>b<th>c<tr><td>1<td>2<td>3</table>",
            "Climate\n\n| a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |",
            (
                "<table>\n<caption>Climate</caption>\n<tr><th>a</th><th>b</th><th>c</th></tr>\n"
                "<tr><td>1</td><td>2</td><td>3</td></tr></table>"
            ),
        ),
        (  # behind a caption it is a row
            "<table><caption>Weather</caption><tr><th colspan=2>Climate<tr><td>a<td>b</table>",
            "Weather\n\n| Climate | Climate |\n| --- | --- |\n| a | b |",
            (
                '<table>\n<caption>Weather</caption>\n<tr><th colspan="2">Climate</th></tr>\n'
                "<tr><td>a</td><td>b</td></tr></table>"
            ),
        ),
        (  # two paragraphs are no caption, and neither is a cell that spans rows
            "<table><tr><td colspan=2><p>x<p>y<tr><th>a<th>b<tr><td>1<td>2</table>",
            "|  |  |\n| --- | --- |\n| x<br>y | x<br>y |\n| a | b |\n| 1 | 2 |",
            None,
        ),
        (
            "<table><tr><td colspan=2 rowspan=2>x<tr><tr><th>a<th>b<tr><td>1<td>2</table>",
            "|  |  |\n| --- | --- |\n| x | x |\n| a | b |\n| 1 | 2 |",
            None,
        ),
    ],
)
def test_a_row_that_is_a_title(html, markdown, as_html):
    assert render(html, "markdown") == markdown
    if as_html is not None:
        assert render(html, "html") == as_html

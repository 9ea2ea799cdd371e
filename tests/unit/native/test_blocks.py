# SPDX-License-Identifier: Apache-2.0
"""Where blocks begin and end, and what they say of themselves."""

import pytest

from thresher.native.choosing.registry import EXTRACTORS
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace


def blocks(html: str) -> list[str]:
    workspace = Workspace(Document())
    workspace.parse(html.encode())
    workspace.measure()
    return [workspace.render_block(i).decode() for i in range(workspace.n_blocks)]


def kinds(html: str) -> list[str]:
    workspace = Workspace(Document())
    workspace.parse(html.encode())
    workspace.measure()
    return [workspace.blocks[i]["kind"] for i in range(workspace.n_blocks)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<p>b", ["a", "b"]),
        ("<div>a<p>b</p>c</div>", ["a", "b", "c"]),
        ("<p>a <b>b</b> <i>c</i>d", ["a b cd"]),
        ("<div><span>a</span><span>b</span></div>", ["ab"]),
        ("<a href=x><div>a</div><div>b</div></a>", ["a", "b"]),
        ("<span>a<div>b</div>c</span>", ["a", "b", "c"]),
        ("a<div></div>b", ["a", "b"]),
        ("a<hr>b", ["a", "b"]),
        ("a<br>b", ["a\nb"]),
        ("a<br><br>b", ["a", "b"]),
        ("a<br> <br>b", ["a", "b"]),
        ("a<br><!-- c --><br>b", ["a", "b"]),
        ("a<br>b<br>c", ["a\nb\nc"]),
        ("<br><br>a", ["a"]),
        # a custom element is inline beside text, in a paragraph and by its style, and a boundary by itself
        ("a<my-part>b</my-part>c", ["abc"]),
        (
            "<p>Prose with a <g-emoji>!</g-emoji> and a <relative-time>3 days ago</relative-time> stamp",
            ["Prose with a ! and a 3 days ago stamp"],
        ),
        ("<p><my-part>a</my-part><my-part>b</my-part></p>", ["ab"]),
        ("<li><b>a</b> <my-part>b</my-part><my-part>c</my-part>", ["a bc"]),
        ("<div><my-part>a</my-part> b</div>", ["a b"]),
        ("<my-part>a</my-part><my-part>b</my-part>", ["a", "b"]),
        ("<my-part>a</my-part><i>b</i>", ["a", "b"]),
        ("a<my-part><div>b</div>c</my-part>d", ["a", "b", "c", "d"]),
        ("a<my-part><i><p hidden>x</p>b</i></my-part>c", ["abc"]),
        ("<p>a<my-part style='color: red; display: block'>b</my-part>c", ["a", "b", "c"]),
        ("<my-part style='display:block;display:inline-flex'>a</my-part><my-part>b</my-part>", ["ab"]),
        ("<my-part style=display:inline>a</my-part><my-part style=display:contents>b</my-part>", ["ab"]),
        ("<pre>a<br><br>b<my-part>c</my-part></pre>", ["a\n\nbc"]),
        ("a<unknown>b</unknown>c", ["abc"]),
        ("a<button>b</button>c", ["a", "b", "c"]),
        ("<label>a</label><label>b</label>", ["a", "b"]),
        ("<table><tr><td>a<td>b<tr><td>c</table>", ["a", "b", "c"]),
        ("<ul><li>a<ul><li>b</ul>c</ul>", ["a", "b", "c"]),
        ("a<script>x</script>b", ["ab"]),
        ("a<svg><text>x</text></svg>b", ["ab"]),
        ("a<p hidden>x</p>b", ["ab"]),
        ("<p> </p><p>\n</p>", []),
        ("", []),
    ],
)
def test_boundaries(html, expected):
    assert blocks(f"<!doctype html><body>{html}</body>") == expected


def test_every_visible_text_lies_in_exactly_one_block():
    html = "<body>a<p>b<b>c</b></p>d<ul><li>e<li><p>f</p>g</ul><table><td>h</table><label>i</label> j <br><br> k"
    workspace = Workspace(Document())
    workspace.parse(html.encode())
    workspace.measure()
    ends = 0
    for i in range(workspace.n_blocks):
        block = workspace.blocks[i]
        assert ends <= block["start"] < block["end"]
        ends = block["end"]
    assert "".join("".join(text.split()) for text in blocks(html)) == "abcdefghijk"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>a</h1><h6>b</h6>", ["heading-1", "heading-6"]),
        ("<h2><span><div>a</div></span></h2>", ["heading-2"]),
        ("<div>a</div>", ["text"]),
        ("<p>a", ["paragraph"]),
        ("<ul><li>a<li><div>b</div><li><p>c</ul>", ["list-item", "list-item", "paragraph"]),
        ("<dl><dt>a<dd>b</dl>", ["term", "description"]),
        ("<table><caption>a</caption><tr><th>b<td>c</table>", ["caption", "table-cell", "table-cell"]),
        ("<pre>a</pre>", ["preformatted"]),
        ("<blockquote>a<p>b</blockquote>", ["quote", "paragraph"]),
        ("<figure><figcaption>a</figcaption></figure>", ["caption"]),
        ("<button>a</button><label>b</label>", ["button", "label"]),
        ("<address>a</address>", ["address"]),
    ],
)
def test_kinds(html, expected):
    assert kinds(f"<!doctype html><body>{html}</body>") == expected


def test_counts_of_a_block():
    workspace = Workspace(Document())
    workspace.parse(b"<body><p>one <a href=x>two three</a> four</p></body>")
    workspace.measure()
    block = workspace.blocks[0]
    # texts are measured one by one, without the white space at their ends
    assert (block["characters"], block["words"]) == (len("one") + len("two three") + len("four"), 4)
    assert (block["link_characters"], block["link_words"]) == (9, 2)
    assert block["tags"] == 1


def test_metrics_of_another_document_are_refused():
    workspace = Workspace(Document())
    workspace.parse(b"<p>a")
    workspace.measure()
    other = Document()
    other.parse(b"<p>a<p>b<p>c")
    with pytest.raises(RuntimeError, match="another page"):
        workspace.blocks.find(other, workspace.metrics)


def test_stages_out_of_order_are_refused():
    workspace = Workspace(Document())
    with pytest.raises(RuntimeError, match="parse"):
        workspace.measure()
    workspace.parse(b"<p>a")
    with pytest.raises(RuntimeError, match="measure"):
        workspace.classify(EXTRACTORS["cetd"])
    workspace.measure()
    with pytest.raises(RuntimeError, match="classify"):
        workspace.render()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<span style='display:block'>b</span>c</p>", ["a", "b", "c"]),
        ("<div>a<a style='color:red; display: flex'>b</a></div>", ["a", "b"]),
        ("<div style='display:inline'>a</div><div style='display: inline'>b</div>", ["ab"]),
        ("<div style='display:inline-block'>a</div><div style='display:inline-block'>b</div>", ["a", "b"]),
        ("<ul><li style='display:inline'>a</li><li style='display:inline'>b</li></ul>", ["a", "b"]),
        ("<p>a<span style='display:block;display:inline'>b</span>c</p>", ["abc"]),
        ("<div style='display:block'>a<b>b</b></div>", ["ab"]),
    ],
)
def test_display_in_a_style_attribute(html, expected):
    assert blocks(f"<!doctype html><body>{html}</body>") == expected

# SPDX-License-Identifier: Apache-2.0
"""Packed pages: what they give is what the page itself gives, for any evidence."""

import random
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.native.templates.packed import PackedPage
from thresher.page.page_extractor import PageExtractor

LOW = -32768  # of all blocks the text

CELLS = [
    "a1", "", "b two", "<ul><li>i<li>j</ul>tail", "<table><tr><td><td>n<tr><td>m<td>o</table>", "x<br>y",
    "<pre>\n  code\n\n</pre>", "<pre class=lineno>1\n2</pre>", "<h3><a class=anchor href=#x>#</a></h3>",
]  # fmt: skip
PIECES = [
    "<p>A paragraph of some words, and more of them.</p>",
    "<h2>Heading</h2>",
    "<ul><li>one<li>two<ol><li>inner<li>more</ol>after<li>three</ul>",
    "<dl><dt>term<dd>its description</dl>",
    "<pre><div>line one</div><div>  line two</div><div>line three </div></pre>",
    "<pre>\n\n   indented\n\n</pre>",
    "text<br>on two lines <button>Press</button> <label>Label</label> goes on",
    "<x-card>custom</x-card> beside it",
    "<div class=comments><p>Nice page, thank you very much.</p><p>Thanks.</p></div>",
    "<figure><img><figcaption>What is to be seen.</figcaption></figure>",
    "<img><p>A paragraph of some words, and more of them. Photo: Ann Miller</p>",
    "<table><tr><td hidden>h<td><td><td>4<td><td>6<tr><td>7<td><tr><th>8</table>",
    "<p hidden>concealed words</p>",
    "<h2>Heading<a class=headerlink href=#h>¶</a></h2>",
    "<h2><a class=anchor href=#h>#</a></h2>",
    "<table><tr><td class=gutter><pre>1\n2</pre><td><pre>one\n  two</pre></table>",
    "<pre><span class=ln>1</span>one\n<span class=ln>2</span>two<button>Copy</button></pre>",
    "<pre><div><span class=ln>1</span></div><div>one</div><div class=ln>2</div><div>two</div></pre>",
    "<pre><table class=hljs-ln><tr><td class=hljs-ln-n>1<td>one<tr><td><td>  two</table></pre>",
    "<ul><li>one<li><h3><a class=anchor href=#h>#</a></h3><li>three</ul>",
    "<div class=comments><p class=byline>Ann</p><p>Nice page.</p></div>",
    "<div class=post-meta>By Ann <figure><figcaption>Ann in 2019</figcaption></figure> in May</div><p>3 May 2019</p>",
    "<aside><p class=byline>Bob</p></aside><time>12:30</time><button class=tag>Tag</button>",
    "<h1>t</h1><p>3 May 2019</p>",
]


HEADS = [
    "",
    *(f'<script type="application/ld+json">{{"@type": "{name}"}}</script>' for name in ("Recipe", "NewsArticle")),
]


def table(chance: random.Random) -> str:
    rows = (
        "".join(f"<td>{chance.choice(CELLS)}" for _ in range(chance.randint(1, 5))) for _ in range(chance.randint(1, 4))
    )
    return "<table>" + "".join(f"<tr>{row}" for row in rows) + "</table>"


def page(seed: int) -> bytes:
    chance = random.Random(seed)
    body = "".join(
        table(chance) if chance.random() < 0.3 else chance.choice(PIECES) for _ in range(chance.randint(1, 25))
    )
    return f"<!doctype html><title>t</title>{chance.choice(HEADS)}<body>{body}".encode()


OUTPUTS = [
    {},
    {"comments": "keep", "tables": "drop"},
    {"comments": "drop"},
    {"datelines": "keep"},
    {"datelines": "drop"},
    {"datelines": "keep", "comments": "drop", "captions": "drop", "titles": "keep"},
    {"datelines": "drop", "comments": "keep", "captions": "keep", "titles": "drop"},
]


@pytest.mark.parametrize("name", ["thresher", "cetd", "all"])
@given(seed=st.integers(0, 1 << 32), output=st.sampled_from(OUTPUTS))
def test_a_packed_page_gives_what_the_page_gives(name: str, seed: int, output: dict[str, object]) -> None:
    extractor, packed, chance = PageExtractor(name, **output), PackedPage(), random.Random(seed)
    text = extractor.extract(page(seed))
    kept, scores = extractor.workspace.kept_bytes(), extractor.workspace.scores()
    data = extractor.pack(LOW)
    assert data is not None
    packed.load(data)
    packed.keep(kept)
    assert packed.render() == text
    if scores is not None:
        evidence = array("h", [chance.choice((0, -4000, 3000, -30000)) for _ in kept]).tobytes()
        extractor.classify(evidence=evidence)
        if extractor.choose_packed(packed, scores, evidence):
            assert packed.confidence == extractor.confidence
        else:
            packed.keep(kept)
    else:
        unwanted = bytes(chance.random() < 0.4 for _ in kept)
        extractor.classify(unwanted=unwanted)
        packed.keep(kept, unwanted)
    assert packed.kept_bytes() == extractor.workspace.kept_bytes()
    if name == "all" or scores is not None:
        assert packed.render() == extractor.render()
    else:  # of a block that was not kept there is no text, and none is asked for
        assert packed.render() in (extractor.render(), None)


def test_any_choice_of_blocks_is_written_as_from_the_tree() -> None:
    extractor, packed, chance = PageExtractor("all"), PackedPage(), random.Random(3)
    for seed in range(300):
        extractor.extract(page(seed))
        n = extractor.workspace.n_blocks
        packed.load(extractor.pack(LOW) or b"")
        for _ in range(5):
            unwanted = bytes(chance.random() < chance.choice((0.1, 0.5, 0.9)) for _ in range(n))
            extractor.classify(unwanted=unwanted)
            packed.keep(b"\1" * n, unwanted)
            assert packed.render() == extractor.render()


def test_a_text_that_was_not_packed_is_not_made_up() -> None:
    extractor, packed = PageExtractor("thresher"), PackedPage()
    extractor.extract(page(1))
    packed.load(extractor.pack(32767) or b"")
    packed.keep(b"\1" * extractor.workspace.n_blocks)
    assert (packed.render() is None) == (0 in extractor.workspace.kept_bytes())


def test_what_is_no_packed_page_is_refused() -> None:
    packed = PackedPage()
    with pytest.raises(RuntimeError, match="load"):
        packed.render()
    extractor = PageExtractor("all")
    extractor.extract(page(2))
    data = extractor.pack(LOW)
    assert data is not None
    for wrong in (b"", data[:10], data[:-1], data + b"x"):
        with pytest.raises(ValueError, match="packed page"):
            packed.load(wrong)
    packed.load(data)
    with pytest.raises(ValueError, match="blocks"):
        packed.keep(b"")
    n = extractor.workspace.n_blocks
    with pytest.raises(ValueError, match="choose"):
        extractor.choose_packed(packed, bytes(2 * n), bytes(2 * n))
    assert PageExtractor("all", format="markdown").pack(LOW) is None


def test_a_row_of_many_cells_is_packed_in_linear_memory() -> None:
    extractor, packed = PageExtractor("all"), PackedPage()
    html = b"<table><tr>" + b"<td>x<td hidden>y<td>" * 30_000 + b"</table>"
    text = extractor.extract(html)
    data = extractor.pack(LOW)
    assert data is not None
    assert len(data) < 100 * len(html)
    packed.load(data)
    packed.keep(extractor.workspace.kept_bytes())
    assert packed.render() == text

# SPDX-License-Identifier: Apache-2.0
"""What workers of the service are made of: the page that is shown, and what explains a score."""

from array import array

import pytest
from running_service import ARTICLE

from thresher.native.parsing.document import Document
from thresher.native.scoring.feature_table import FEATURES
from thresher.options import make_options
from thresher.page.page_extractor import PageExtractor
from thresher.serving.explaining import NAMES, _spread, explainer
from thresher.serving.shown_page import shown_page

HOSTILE = """<html onload="steal()"><head><base href="https://evil.example/">
<meta http-equiv="refresh" content="0;url=//evil"><link rel=stylesheet href="//evil.example/x.css">
<script>steal()</script><style>p{color:red}</style>
<style>@import "//evil.example/y.css";</style></head><body onclick="steal()" background="//evil.example/b.png">
<a href="javascript:steal()" onmouseover=steal() ping="//evil">a link</a><img src="//evil.example/i.png" srcset="x 2x"
onerror=steal() alt="seen"><img src="data:image/svg+xml;base64,PHN2Zz4="><img src="data:image/png;base64,iVBORw0=">
<iframe src="//evil"></iframe><object data="//evil">in object</object><form action="//evil"><input name=q autofocus>
<button formaction="//evil">press</button></form><svg onload=steal()><a xlink:href="javascript:steal()">
<text>in svg</text></a><script>steal()</script></svg><math><mi xlink:href="javascript:x">m</mi></math>
<x-thresher n="99" k="kept">mine</x-thresher><custom-thing data-x="1" style="color:red">custom</custom-thing>
<video src="//evil" poster="//evil">v</video><p title='"><script>steal()</script>'>quoted &lt;b> text</p>
<textarea></textarea><noscript><img src=//evil>none</noscript>
"""

FORBIDDEN = {
    "href", "srcset", "action", "formaction", "ping", "background", "poster", "data", "autofocus", "xlink:href",
}  # fmt: skip


def shown(page: str) -> str:
    page_extractor = PageExtractor(options=make_options(extractor="thresher"))
    page_extractor.extract(page.encode())
    return shown_page(
        page_extractor.workspace.document, [(block.start, block.end) for block in page_extractor.blocks()]
    )


def test_nothing_that_acts_or_fetches_is_left_of_a_hostile_page():
    document = Document()
    document.parse(shown(HOSTILE).encode())
    allowed_sources = {"data:image/png;base64,iVBORw0="}
    for n in range(document.n_nodes):
        tag = document.tag(n)
        assert tag not in {"script", "iframe", "object", "base", "link", "form", "input", "video", "svg svg"}, tag
        for name, value in document.attributes(n).items() if not tag.startswith("#") else ():
            assert not name.startswith("on")
            assert name not in FORBIDDEN
            assert name != "src" or value in allowed_sources
            assert tag != "meta" or value in {"utf-8", "Content-Security-Policy"} or "default-src 'none'" in value
    text = document.text(0)
    assert "a link" in text
    assert "quoted <b> text" in text
    assert "in svg" in text
    assert 'n="99"' not in shown(HOSTILE)


def test_the_marks_of_a_shown_page_are_its_blocks():
    page_extractor = PageExtractor(options=make_options(extractor="thresher"))
    without_formulas = HOSTILE.replace("<math>", "").replace("</math>", "")  # their blocks hold TeX, the page does not
    for page in (ARTICLE, without_formulas, "<table><tr><td>a<p>b</p>c<td><b>d</b> e</table>f<pre> g\n h</pre><br>i"):
        page_extractor.extract(page.encode())
        blocks = page_extractor.blocks()
        document = Document()
        document.parse(
            shown_page(page_extractor.workspace.document, [(block.start, block.end) for block in blocks]).encode()
        )
        marked: dict[int, str] = {}
        for n in range(document.n_nodes):
            if document.tag(n) == "x-thresher":
                number = int(document.attributes(n)["n"])
                marked[number] = marked.get(number, "") + document.text(n)
        wanted = {block.order: "".join(block.text.split()) for block in blocks}
        assert {number: "".join(text.split()) for number, text in marked.items()} == wanted


def test_a_shown_page_of_nothing_is_a_page():
    for page in ("", "text", "<frameset><frame src=x></frameset>", "<plaintext>a <b> c", "\0"):
        assert shown(page).startswith(("<!doctype html>", "<html"))


def test_the_explainer_scores_as_the_core_does(data):
    files = sorted(data.glob("hostile*/*.html"))
    pages = [ARTICLE.encode(), *(file.read_bytes() for file in files)]
    pages += [b"<p>one", b"<ul><li>a<li>b<li><a href=x>c</a></ul>"]
    page_extractor = PageExtractor(options=make_options(extractor="thresher"))
    for page in pages:
        page_extractor.extract(page)
        scores = page_extractor.workspace.scores()
        table = explainer().table(page_extractor.workspace)
        if scores is None or table is None:
            assert page_extractor.workspace.n_blocks == 0
            continue
        assert table.scores == array("h", scores)
        assert len(table.columns) == len(NAMES)


def test_the_effect_of_a_feature_is_what_the_model_says_without_it():
    page_extractor = PageExtractor(options=make_options(extractor="thresher"))
    page_extractor.extract(ARTICLE.encode())
    table = explainer().table(page_extractor.workspace)
    block = next(each.order for each in page_extractor.blocks() if each.text.startswith("Peel"))
    deciding = explainer().deciding(table, block, n=len(NAMES))
    effects = {each["feature"]: each["effect"] for each in deciding}
    assert list(map(abs, effects.values())) == sorted(map(abs, effects.values()), reverse=True)
    # What the whole page has in common decides nothing about one of its blocks.
    assert not any(name.startswith("page_") for name in effects)
    # By hand, for the strongest feature of the first stage: the mean over the other blocks that were looked at.
    name = next(name for name in effects if name in FEATURES)
    feature = NAMES.index(name)
    others = _spread(table.by_score, block)
    falls = []
    for other in others:
        value = table.columns[feature][other]
        with_it, without = explainer()._score(table, block, [(feature, value, 1)])[::-1]
        falls.append((with_it - without) / 2 / 4096)
    assert effects[name] == pytest.approx(sum(falls) / len(falls), abs=1e-3)


def test_a_page_of_one_block_has_nothing_to_compare_it_with():
    page_extractor = PageExtractor(options=make_options(extractor="thresher"))
    page_extractor.extract(b"<p>All that there is.")
    table = explainer().table(page_extractor.workspace)
    assert explainer().deciding(table, 0) == []

# SPDX-License-Identifier: Apache-2.0
"""Markdown of hostile pages, rendered as web sites render it, with raw HTML passed through: nothing in the result comes
from the page but text, emphasis, and the links and images that were asked for.

cmark-gfm is GitHub's renderer, markdown-it that of most editors, mistune reads with regular expressions.
"""

import re
from html.parser import HTMLParser

import cmarkgfm
import mistune
import pytest
from cmarkgfm.cmark import Options
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from thresher.page.page_extractor import PageExtractor

MARKDOWN_IT = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
MARKDOWN_IT.validateLink = lambda _url: True  # type: ignore[method-assign]
COMMON_MARK = MarkdownIt("commonmark", {"html": True})
COMMON_MARK.validateLink = lambda _url: True  # type: ignore[method-assign]
MISTUNE = mistune.create_markdown(
    renderer=mistune.HTMLRenderer(escape=False, allow_harmful_protocols=True), plugins=["table", "strikethrough"]
)
WITH_NOTES = mistune.create_markdown(
    renderer=mistune.HTMLRenderer(escape=False, allow_harmful_protocols=True),
    plugins=["table", "strikethrough", "footnotes", "task_lists"],
)
EXTENDED = (
    MarkdownIt("commonmark", {"html": True})
    .enable(["table", "strikethrough"])
    .use(deflist_plugin)
    .use(footnote_plugin)
    .use(dollarmath_plugin)
    .use(tasklists_plugin)
)
EXTENDED.validateLink = lambda _url: True  # type: ignore[method-assign]
UNSAFE = Options.CMARK_OPT_UNSAFE
RENDERERS = {
    "markdown-it": MARKDOWN_IT.render,
    "commonmark": COMMON_MARK.render,
    "cmark-gfm": lambda text: cmarkgfm.markdown_to_html_with_extensions(
        text, options=UNSAFE, extensions=["table", "strikethrough"]
    ),
    "cmark-gfm with notes": lambda text: cmarkgfm.markdown_to_html_with_extensions(
        text, options=UNSAFE | Options.CMARK_OPT_FOOTNOTES, extensions=["table", "strikethrough", "tasklist"]
    ),
    "mistune": MISTUNE,
    "mistune with notes": WITH_NOTES,
    "markdown-it with notes, definition lists and mathematics": EXTENDED.render,
}

# What Markdown itself can express, and the attributes that renderers write for it.
ALLOWED: dict[str, set[str]] = {
    **{name: set() for name in ("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "blockquote", "pre", "strong", "em")},
    **{name: set() for name in ("table", "thead", "tbody", "tr", "br", "hr", "del", "s")},
    "ol": {"start"},
    "li": set(),
    "code": {"class"},
    "td": {"align", "style"},
    "th": {"align", "style"},
}
# Written for footnotes, task boxes and definition lists by renderers that know them.
OF_NOTES: dict[str, set[str]] = {
    "section": {"class", "data-footnotes"},
    "hr": {"class"},
    "ol": {"class", "start"},
    "ul": {"class"},
    "sup": {"class", "id"},
    "li": {"class", "id"},
    "a": {"class", "href", "id", "data-footnote-ref", "data-footnote-backref", "aria-label", "data-footnote-backref-idx"},
    "input": {"type", "class", "disabled", "checked"},
    "dl": set(),
    "dt": set(),
    "dd": set(),
    "span": {"class"},
    "div": {"class"},
}  # fmt: skip
OF_TABLES: dict[str, set[str]] = {
    **{name: set() for name in ("caption", "dl", "dt", "dd", "sub", "sup")},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "span": {"class"},
}
SAFE = ("http:", "https:", "ftp:", "mailto:", "tel:")


class Checker(HTMLParser):
    """Asserts that all elements and attributes are among those given, and all addresses harmless."""

    def __init__(self, allowed: dict[str, set[str]]) -> None:
        super().__init__()
        self.allowed = allowed

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.allowed, f"<{tag}> {attrs}"
        for name, value in attrs:
            assert name in self.allowed[tag], f"<{tag} {name}={value!r}>"
            if name in ("href", "src"):
                address = re.sub(r"[\x00-\x20]", "", value or "").lower()
                scheme = re.match(r"[a-z][a-z0-9+.-]*:", address)
                assert scheme is None or scheme[0] in SAFE, address

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"a processing instruction: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a section: {data}")


def allowed_in(renderer: str, *, links: bool, tables: bool) -> dict[str, set[str]]:
    kinds = [ALLOWED]
    if "notes" in renderer:
        kinds.append(OF_NOTES)
    if tables:
        kinds.append(OF_TABLES)
    if links:
        kinds.append({"a": {"href"}, "img": {"src", "alt"}})
    allowed: dict[str, set[str]] = {}
    for kind in kinds:
        for tag, attributes in kind.items():
            allowed[tag] = allowed.get(tag, set()) | attributes
    return allowed


def check(page: str, *, links: bool = False, tables: str = "keep", extractor: str = "all") -> None:
    """Renders the page's Markdown with each renderer."""
    options = {"format": "markdown", "links": links, "images": links, "tables": tables}
    markdown = PageExtractor(extractor, **options).extract(page.encode("utf-8", "replace")).decode()
    for name, render in RENDERERS.items():
        checker = Checker(allowed_in(name, links=links, tables=tables == "html"))
        html = render(markdown)
        if "notes" in name:  # the marks of notes are links within the page
            html = re.sub(r' href="#[^"<>]*"', "", html)
            if not links:
                assert not re.search(r' href="[^"]*[:/]', re.sub(r">[^<]*<", "><", html)), (
                    f"{name}:\n{markdown}\n{html}"
                )
        if re.search(r"^[ >-]*\[\^", markdown, re.MULTILINE):  # a note of one harmless word is a link's definition
            html = re.sub(r'<a href="[^":/]*">', "", html)
        try:
            checker.feed(html)
            checker.close()
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}\n{markdown}\n---\n{html}") from None


IMG = "&lt;img src=x onerror=alert(1)>"
# What an attacker writes; as text of a page, so that "<" stands as a reference.
HOSTILE = [
    IMG, "&lt;script>alert(1)&lt;/script>", "&lt;javascript:alert(1)>", "&lt;http://t/>", "&lt;!-- c -->", "&lt;?x?>", "&lt;![CDATA[x]]>",
    "[x](javascript:alert(1))", "![x](http://t/t.png)", "[a]: javascript:alert(1)", "[a]", "[a][a]", "[a", "]: javascript:x", "](javascript:x)",
    "[", "]", "(javascript:x)", ": javascript:x", "!", "!["," [^1]: javascript:x", "[^1]", "[x]", "[ ]", "javascript:x", "`", "``", "```", "~~~", "````", "\\`",
    "\\", "|", "| a | b |", "| - | - |", "|-", "---", "===", "=", "-", "- x", "+ x", "* x", "*", "_", "**", "7. x", "1.", "12)", "&gt; x", "# x", "#",
    "&amp;lt;img src=x onerror=y&amp;gt;", "&amp;#60;img src=x>", "&amp;colon;", "&#9;", "&#11;", "&#12;", "&#13;", "&#x2028;", "&nbsp;", "&#8203;",
    "$", "$$", "\\(", "\\)", "\\[", "\\]", "$`$", "$a$", "<br>", "<br><br>", "\n", "\n\n", "\t", "    ", " ", "word ", "中文", "a", "“", "http://e.org/",
    '"x"', "'x'",
]  # fmt: skip
TEX = [
    "`", "``", "\\`", "[x](javascript:alert(1))", "![y](http://t/t.png)", "[", "]", "(javascript:x)", "&lt;img src=x onerror=y>", "&lt;", "x_1", "\\\\",
    "\\", "\\frac{a}{b}", "\n", "\n\n", "- x", "&amp;", "|", "# x", "[a]: javascript:x", "[^1]", "$", "a", "%", "=", "&lt;!--", "\\text{", "}", " ", "~~~",
]  # fmt: skip
ATTRIBUTES = [
    "x", "a&#10;&#10;b", f"a&#10;&#10;{IMG}", "]", "](javascript:x)", "`", "\\", "&quot;>&lt;b>", "|", "javascript:x", "javascript&amp;colon;alert(1)",
    "&amp;#106;avascript:x", "http://e.org/a?b=1&amp;lt;2&amp;c;", "//e.org/`x`", "/x(y)[z]", "data:text/html,x", " javas&#9;cript:x", "#x", "?a&amp;colon;b",
]  # fmt: skip

hostile = st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=5).map("".join)
tex = st.lists(st.sampled_from(TEX), min_size=1, max_size=6).map("".join)
attribute = st.sampled_from(ATTRIBUTES)

FORMULAS = (
    "<math alttext='{}'><mi>q</mi></math>", "\\({}\\)", "\\[{}\\]", "$${}$$", "<script type=math/tex>{}</script>", "<p>\\[{}\\]</p>",
    "<span class=katex>{}</span>", "<span class='math'>{}</span>", "<img class=tex alt='{}' src=/x>", "<script src='/mathjax.js?config=asciimath'></script>`{}`",
    "<math display=block alttext='{}'><mi>q</mi></math>", "<math><mtext>{}</mtext><msup><mi>x</mi><mi>{}</mi></msup></math>",
)  # fmt: skip
LEAVES = (
    "{}", "{}", "<p>{}</p>", "<pre>{}</pre>", "<pre>{}</pre>", "<pre class=title>{}</pre>", "<code>{}</code>", "<h2>{}</h2>",
    "<h3>a <code>`{}<a class=anchor href=#x>#</a>`{}</code></h3>", "<pre><b>{}</b>{}</pre>",
    "<pre><code class='language-c'>{}</code></pre>", "<b>{}</b>", "<em>{}</em>{}", "<del>{}</del>", "<p class=title>{}</p>", "<hr>", "<sup>{}</sup>",
    "<sup><a href=#n1>1</a></sup>{}", "<sup class=reference><a href=#n1>[1]</a></sup>{}",
    "<li><input type=checkbox>{}", "<span hidden>{}</span>", "<kbd>{}</kbd>", "<samp>{}</samp>{}",
)  # fmt: skip
AROUND = (
    "<div class='admonition note'>{}</div>", "<div class='admonition note'>{}</div>", "<div class='admonition note'><p class=title>Note</p>{}</div>",
    "<blockquote>{}</blockquote>", "<ul>{}</ul>", "<ol>{}</ol>", "<ol start=7>{}</ol>", "<ol start=0>{}</ol>", "<ul><li>{}</li></ul>", "<ul><li>a {}<li>{}</ul>",
    "<ol><li>{}</li></ol>", "<ol start=7><li>{}</li></ol>", "<ol start=99999999><li>{}<li>{}</ol>", "<li>{}", "<dl>{}</dl>", "<dl><dt>{}<dd>{}</dl>",
    "<dl><dt>a<dd>{}{}</dl>", "<dl><dd>{}<dt>{}</dl>", "<table><tr><td>{}<td>b<tr><td>c<td>{}</table>", "<table><caption>{}</caption><tr><th>{}<th>b<tr><td>a<td>{}</table>",
    "<table><tr><td colspan=2>{}<tr><td>b<td>{}</table>", "<table><tr><td><ul><li>{}</ul><td>b<tr><td>c<td>{}</table>",
    "<table><tr><td rowspan=3>{}<td>b<tr><td>{}<tr><td>c</table>", "<table><tr><td>a<td>b<tr><td>{}<td><table><tr><td><p>a<p>b<td>c<tr><td>d<td>{}</table>{}</table>",
    "<div role=table><div role=row><span role=cell>{}</span>{}<span role=cell>c</span></div><div role=row><span role=cell>{}</span></div></div>",
    "<section class=footnotes><ol><li id=n1>{} <a href=#r1>↩</a></ol></section>", "<div>{}</div>{}", "<p>{}</p>{}", "<figure>{}<figcaption>{}</figcaption></figure>",
    "<details><summary>{}</summary>{}</details>", "<sup id=r1><a href=#n1>1</a></sup>{}",
)  # fmt: skip


def filled(shape, values):
    """A shape with the values in its places."""
    first, *rest = shape.split("{}")
    return first + "".join(value + part for value, part in zip(values, rest, strict=True))


def fill(shapes, inside):
    """Strategy: one of the shapes, with something inside in each place."""
    return st.sampled_from(shapes).flatmap(
        lambda shape: st.tuples(*[inside] * shape.count("{}")).map(lambda values: filled(shape, values))
    )


leaves = st.one_of(
    fill(LEAVES, hostile),
    fill(LEAVES, hostile),
    fill(LEAVES, hostile),
    fill(FORMULAS, tex),
    st.builds('<a href="{}">{}</a>'.format, attribute, hostile),
    st.builds('<img src="{}" alt="{}">'.format, attribute, attribute),
)


def around(inside):
    return fill(AROUND, st.lists(inside, max_size=3).map("".join))


pages = st.lists(st.recursive(leaves, around, max_leaves=14), min_size=1, max_size=4).map("".join)


@given(pages, st.booleans(), st.sampled_from(["keep", "html"]), st.booleans())
@example("<script src='/mathjax.js?config=asciimath'></script>$$`$$`$[x](javascript:alert(1))`", False, "keep", False)
@example("<div class='admonition note'><ol start=7><li><pre>" + IMG + "</pre></ol></div>", False, "keep", False)
@example(f"<p>\\(a`b\\) <code>{IMG}</code> `", False, "keep", False)
@example("<dl><dt><table><tr><td><p>a<p>b<td>c<tr><td>d<td>e</table><dd>" + IMG + "</dl>", False, "html", False)
@example("<p>a <math alttext='[x](javascript:alert(1)) + ![y](http://t/t.png)'></math>", False, "keep", False)
@example(
    "<table><tr><td><p>a<p>b<td><img src=/a alt='a&#10;&#10;[x](javascript:x)'><tr><td>d<td>e</table>",
    True,
    "html",
    False,
)
def test_nothing_but_text_comes_from_the_page(page, links, tables, titled):
    check(("<h1>A title</h1>" if titled else "") + page, links=links, tables=tables)


CASES = {
    "a list that does not begin with 1 after a callout's mark": "<div class='admonition note'><ol start=7><li><pre>{}</pre></ol></div>",
    "such a list in a list": "<div class='admonition note'><ul><ol start=7><li><pre>{}</pre></ol></ul></div>",
    "such a list after a callout's title": "<div class='admonition note'><p class=title>Note</p><ul><ol start=7><li><pre>{}</pre></ol></ul></div>",
    "such a list in an item": "<ul><li>a<ul><ol start=7><li><pre>{}</pre></ol></ul></ul>",
    "code as a callout's title": "<div class='admonition note'><pre class=title>a <b>{}</b></pre></div>",
    "a backtick in a formula": "<p>\\(a`b\\) <code>{}</code>",
    "backticks in two formulas": "<p>\\(a`b\\) {} \\(a`b\\)",
    "a link in a formula": "<p>a <math alttext='[x](javascript:alert(1))'></math>",
    "an image in a formula": "<p>a <math alttext='![y](http://t/t.png)'></math>",
    "a label on two lines": "<p>[a<br>b]: javascript:x</p><p>{} [a b]",
    "parentheses after the mark of a note": "<p>a<sup><a href=#n1>1</a></sup>(javascript:x)</p><ol><li id=n1>note</ol>",
    "a note of one word": "<p>a<sup><a href=#n1>1</a></sup> b</p><section class=footnotes><ol><li id=n1>javascript:x</ol></section>",
    "a dollar before code with one": "<p>It costs $5 <code>a$ {}</code>",
    "a dollar before two codes": "<p>It costs $5 <code>a$</code> x <code>{}</code>",
    "a dollar and code in the lines of a cell": "<table><tr><td>a<td>b<tr><td><p>$5<p><code>$ {}</code><td>c</table>",
    "a dollar in a callout's title": "<div class='admonition note'><p class=title>$5<p><code>$ {}</code></div>",
    "a dollar in a term": "<dl><dt>$5<dd><code>$ {}</code></dl>",
    "two dollars before a listing": "<p>$$<p>a<pre>$$\n{}\n$$</pre>",
    "two dollars in two elements before a listing": "<p><b>$</b>$ a<pre>$$\n{}\n$$</pre>",
    "two dollars in a formula": "<p>\\[a$$b\\]<p>\\(a$$b\\)<pre>$$\n{}\n$$</pre>",
    "a note of one word before a cell": "<p>a<sup id=r1><a href=#n1>1</a></sup></p><table><caption><section class=footnotes><ol>"
    "<li id=n1>javascript:x <a href=#r1>↩</a></ol></section></caption><tr><th>a<th>b<tr><td>c<td>d</table>",
    "AsciiMath after code": "<script src='/mathjax.js?config=asciimath'></script><p><code>`a</code>`x` <code>{}` ``</code>",
    "AsciiMath with a blank line": "<script src='/mathjax.js?config=asciimath'></script><p>`x^2<br><br>{}`",
}  # fmt: skip


@pytest.mark.parametrize("page", CASES.values(), ids=CASES)
def test_what_got_through_before(page):
    check(page.replace("{}", IMG))


TABLES = {
    "a description after a table": "<dl><dt><table>{T}</table><dd>{}</dl>",
    "blank lines in an alternative text": "<table>{T}<tr><td><img src=/a alt='a&#10;&#10;[x](javascript:alert(1))'><td>e</table>",
}


@pytest.mark.parametrize("page", TABLES.values(), ids=TABLES)
def test_tables_as_html(page):
    page = page.replace("{T}", "<tr><td><p>a<p>b<td>c<tr><td>d<td>e").replace("{}", IMG)
    check(page, links=True, tables="html")


@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("javascript&amp;colon;alert(1)", "javascript%26colon;alert%281%29"),
        ("&amp;#106;avascript:alert(1)", "%26#106;avascript:alert%281%29"),
        ("/x?y=1&amp;lt;2", "/x?y=1&amp;lt;2"),
        ("x?y=1&z=2", "x?y=1&amp;z=2"),
    ],
)
def test_a_reference_in_an_address_is_not_decoded(address, written):
    page = f'<p>a <a href="{address}">b</a>'
    check(page, links=True)
    markdown = PageExtractor("all", format="markdown", links=True).extract(page.encode()).decode()
    assert f'href="{written}"' in MARKDOWN_IT.render(markdown)


def test_code_keeps_its_fence_when_line_beginnings_run_out():
    lines = "x\n" * 400_000
    page = "<blockquote>" * 24 + f"<pre>{lines}{IMG}</pre><pre>{IMG}</pre>"
    markdown = PageExtractor("all", format="markdown").extract(page.encode()).decode()
    before, code, after = markdown.rpartition("```")[0][-3000:], *markdown.rpartition("```")[1:]
    assert code
    assert f"x {IMG.replace('&lt;', '<')}\n" in before  # the fence that began is ended after this line
    assert IMG.replace("&lt;", "\\<") in after

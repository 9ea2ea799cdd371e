# SPDX-License-Identifier: Apache-2.0
"""Markdown and HTML of a page: structure, escaping, links and images, comments and tables of data."""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from costs import assert_cheap, assert_linear, ordinary_page

import thresher
from thresher.page.page_extractor import PageExtractor

URL = "https://e.org/x/y"


def render(html: str, format: str, **options: bool) -> str:  # noqa: A002
    return (
        PageExtractor("all", format=format, **options)
        .extract(f"<!doctype html><body>{html}</body>".encode(), URL)
        .decode()
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<h1>a</h1><h3>b <b>c</b></h3><p>d", "# a\n\n### b **c**\n\nd"),
        ("a<br>b", "a  \nb"),
        ("<h2>a<br>b</h2>", "## a b"),
        ("<button>a</button><button>b</button>", "a b"),
        # spans
        ("a <b>b</b> <i>c</i> <code>d</code>", "a **b** *c* `d`"),
        ("<b>a </b>b", "**a** b"),
        ("in<b>side</b>r", "in**side**r"),
        ("<b>Note:</b> x", "**Note:** x"),
        ("<b>Note:</b>x", "Note:x"),  # what CommonMark would not take for strong
        ("<b>“a”</b>", "“a”"),
        ("<b>a</b><b>b</b>", "**a**b"),
        ("<b><i>a</i></b> <i><b>b</b></i> <b><i>c</i> d</b>", "***a*** ***b*** **c d**"),
        ("<del>a</del> <s>b</s> c<s>d</s>e ~f~", "~~a~~ ~~b~~ c~~d~~e \\~f\\~"),
        ("<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"),
        ("<code>a`b</code>", "`` a`b ``"),
        ("<code>*a* &lt;b> \\ _c_</code>", "`*a* <b> \\ _c_`"),
        ("x<sub>2</sub>", "x₂"),
        ("2021<sub>5ya</sub> x<sub>5a</sub>", "2021 (5ya) x_5a"),
        ("lost<sup><a href=x>1</a></sup> in 1889<sup><a href=n#4><i>4</i></a></sup>.", "lost¹ in 1889⁴."),
        (
            "10<sup>10<sup>2</sup></sup> e<sup>x<sup>2</sup></sup> x<sub>n<sub>i</sub></sub> 2<sup>n<sub>1</sub></sup>",
            "10^(10²) e^(x²) x_(n_i) 2^(n₁)",
        ),
        (
            "a word<sup>x<sup>2</sup></sup> 2<sup><sup>3</sup></sup> 2<sup>a<sup>b<sup>c</sup></sup></sup>",
            "a wordx² 2³ 2a^(b^c)",
        ),
        (
            "5<sup>" + "1" * 20 + "<sup>23</sup></sup> 5<sup>" + "1" * 20 + "<sup>234</sup></sup>",
            "5^(" + "1" * 20 + "²³) 5" + "1" * 20 + "²³⁴",
        ),
        ("<div><span data-as=p>a</span><span data-as=p>b</span></div><span data-as=b>c</span>", "a\n\nb\n\nc"),
        # nothing to see
        ("<p>a</p><p>&nbsp;</p><ul><li>&nbsp;<li>b</ul><h2>\ue0a1</h2>c<br>&nbsp;", "a\n\n- b\n\nc"),
        ("a<br>&nbsp;<br>b", "a  \n\xa0  \nb"),
        # lists
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "- a\n  - b\n  - c\n- d"),
        ("<ol><li>a<ol><li>b</ol><li>c</ol>", "1. a\n   1. b\n2. c"),
        ("<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\n  b\n- c"),
        # lists directly in lists belong to the item before them
        ("<ol><li>a</li><ol><li>b</li><li>c</li></ol><li>d</ol>", "1. a\n   1. b\n   2. c\n2. d"),
        ("<ul><li>a</li><ul><li>b</li><ul><li>c</li></ul></ul><li>d</ul>", "- a\n  - b\n    - c\n- d"),
        ("<ol start=10><li>a</li><ul><li>b</li></ul></ol>", "10. a\n    - b"),
        ("<ol><li>a</li><ol start=4><li>b</li></ol><li>c</ol>", "1. a\n\n   4. b\n2. c"),
        ("<ul><li><p>a</p><p>b</p></li><ul><li>c</li></ul></ul>", "- a\n\n  b\n\n  - c"),
        ("<ul><ul><li>a</li></ul><li>b</ul>", "- a\n- b"),
        # numbers as the page shows them
        ("<ol reversed><li>a<li>b<li>c</ol>", "3. a\n2. b\n1. c"),
        ("<ol reversed start=10><li>a<li>b</ol>", "10. a\n9. b"),
        ("<ol reversed start=0><li>a<li>b</ol>", "0. a\n0. b"),
        ("<ol><li>a<li value=5>b<li>c</ol>", "1. a\n5. b\n6. c"),
        ("<ol><li value=x>a<li value=-2>b<li value=123456789>c</ol><ul><li value=4>d</ul>", "1. a\n2. b\n3. c\n\n- d"),
        ("<ul><li>a<br>b</ul>", "- a  \n  b"),
        ("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>", "- a\n\n* b\n\n- c"),
        ("<ol><li>a</ol><ol><li>b</ol><ul><li>c</ul>", "1. a\n\n1) b\n\n- c"),
        ("<ul><li>a<ul><li>b</ul><ul><li>c</ul></ul>", "- a\n  - b\n\n  * c"),
        ("<ul>a</ul><ul>b</ul>", "- a\n\n* b"),
        (
            "<ul><li>a</ul><p>b</p><ul><li>c</ul><blockquote><ul><li>d</ul></blockquote><ul><li>e</ul>",
            "- a\n\nb\n\n- c\n\n> - d\n\n- e",
        ),
        ("<ul>a<li>b</ul>", "- a\n- b"),
        ("<li>a<li>b", "a\n\nb"),
        ("<dl><dt>a<dd>b<dd>c<dt>d<dd><p>e<p>f<dd><ul><li>g</ul></dl>", "a\n: b\n: c\n\nd\n: e\n\n  f\n\n- g"),
        ("<dl><dd>a<dt>b<dt>c<dd>- d</dl>", "a\n\nb\n\nc\n: \\- d"),
        ("<dl><div><dt>a</dt><dd>b</dd></div></dl>", "a\n: b"),
        ("<p>x</p><ul><li>a</ul><p>y</p>", "x\n\n- a\n\ny"),
        # quotes
        ("<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc"),
        ("<blockquote><blockquote>a</blockquote></blockquote>", "> > a"),
        ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
        # code
        ("<pre>a\n  b\n\nc\n</pre>d", "```\na\n  b\n\nc\n```\n\nd"),
        ('<pre><code class="hljs language-c++">a</code></pre>', "```c++\na\n```"),
        ('<pre class="lang-py">```\n</pre>', "````py\n```\n````"),
        ("<pre><div>a</div><div>  b</div></pre>", "```\na\n  b\n```"),
        ("<pre><pre>a</pre>```", "```\na\n```\n\n````\n```\n````"),
        ("<listing>```<listing>*", "````\n```\n````\n\n````\n*\n````"),
        ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        ("<pre><br><br>a<br><br>b<br><br></pre>", "```\na\n\nb\n```"),
        ("<blockquote><pre>a\nb</pre></blockquote><blockquote>c</blockquote>", "> ```\n> a\n> b\n> ```\n\n> c"),
        ("<ul><li><pre>a\nb</pre></ul>", "- ```\n  a\n  b\n  ```"),
        ("<pre>" + "`" * 40 + "</pre>", f"{'`' * 41}\n{'`' * 40}\n{'`' * 41}"),
        # tables
        ("<table><tr><th>a<th>b<tr><td>1|2<td>`3", "| a | b |\n| --- | --- |\n| 1\\|2 | \\`3 |"),
        ("<table><caption>x<tr><td>a<td>b<tr><td>c<td>d</table>", "x\n\n|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ("<table><tr><td>a<tr><td>b<td><td>c</table>", "|  |  |  |\n| --- | --- | --- |\n| a |\n| b |  | c |"),
        (
            "<table><tr><td>a<br>b<td><p>c<p>d<tr><td>e<td><ul><li>f<li>g</ul></table>",
            "|  |  |\n| --- | --- |\n| a<br>b | c<br>d |\n| e | f<br>g |",
        ),
        (
            "<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table><td>e</table>",
            "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n\ne",
        ),
        ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "a\n\nb\n\nc\n\nd"),
        # the head of a table
        ("<table><thead><tr><td>a<td>b<tbody><tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td><th>a<tr><th>b<td>c</table>", "|  | a |\n| --- | --- |\n| b | c |"),
        ("<table><tr><th>a<td>b<tr><th>c<td>d</table>", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ("<blockquote><table><tr><td>a<tr><td>b<td>c", "> |  |  |\n> | --- | --- |\n> | a |\n> | b | c |"),
        # a cell that spans columns and rows stands in each of them
        (
            "<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>1<td>2<td>3</table>",
            "| a | b | b |\n| --- | --- | --- |\n| a | c | d |\n| 1 | 2 | 3 |",
        ),
        (
            "<table><tr><th>a<th>b<th>c<tr><td rowspan=2 colspan=2>d<td>e<tr><td>f<tr><td>g<td colspan=x>h<td>i</table>",
            "| a | b | c |\n| --- | --- | --- |\n| d | d | e |\n| d | d | f |\n| g | h | i |",
        ),
        ("<table><tr><th>a<tr><td colspan=2>b<td>c</table>", "| a |  |  |\n| --- | --- | --- |\n| b | b | c |"),
        # what would be markup
        ("1. a", "1\\. a"),
        ("<p>1<b>.</b> a", "1\\. a"),
        ("- a", "\\- a"),
        ("a<br>- b<br>---<br>===", "a  \n\\- b  \n\\---  \n\\==="),
        ("# a #", "\\# a #"),
        ("<h1>a #</h1>", "# a \\#"),
        ("> a", "\\> a"),
        ("*a* _b_ c_d `e`", "\\*a\\* \\_b\\_ c_d \\`e\\`"),
        ("\xa0_b_» é_中_d", "\xa0\\_b\\_» é_中_d"),
        ("[a](b) [c] [d]: e", "[a\\](b) [c] [d\\]: e"),
        ("&lt;b> a &lt; b &amp;amp; A&amp;B &amp;#65;", "\\<b> a < b \\&amp; A&B \\&#65;"),
        ("~~a~~", "\\~\\~a\\~\\~"),
        ("\\*", "\\\\\\*"),
        ("-5 +1 #tag", "-5 +1 #tag"),
        ("[ ] a", "[ ] a"),
        ("<ul><li>[ ] a<li>[x] b<li>[y] c<li>[word] d</ul>", "- \\[ ] a\n- \\[x] b\n- \\[y] c\n- [word] d"),
        ("<p>[^1]: a [^1]<blockquote>[!note] b", "\\[^1]: a [^1]\n\n> \\[!note] b"),
        # what would be markup together with the next text node
        ("[<i>a</i>]<b>(b)</b> [c]<!-- -->(d) [e]<!-- -->[f] [g]<!-- -->: h", "[*a*\\](b) [c\\](d) [e\\][f] [g\\]: h"),
        (
            "a<!-- -->&lt;<!-- -->b> a&lt;<!-- -->1 &amp;<!-- -->amp; &amp;<!-- -->; a!<!-- -->[b]",
            "a\\<b> a<1 \\&amp; &; a\\![b]",
        ),
        ("a|b<br>:<!-- -->-|-", "a|b  \n\\:-|-"),
        ("1<!-- -->2<!-- -->. a", "12\\. a"),
        # and what would not
        (
            "3.2<i>.</i> m<sup>2</sup>. 2024<!-- -->. (n+1<!-- -->) 3 * 4! a: <b>b</b>!",
            "3.2. m². 2024. (n+1) 3 * 4! a: **b**!",
        ),
        ("A&amp;B &lt;5 a<br>: b", "A&B <5 a  \n: b"),
        ("a[k][0] d[k]: v <!-- -->e]<!-- -->: f", "a[k][0] d[k]: v e]: f"),
        ("a[k][^1] a<br>[b]: c", "a[k\\][^1] a  \n[b\\]: c"),
        ("| a | b<br>|-|-|", "\\| a | b  \n\\|-|-|"),
    ],
)
def test_markdown(html, expected):
    assert render(html, "markdown") == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p class=x onclick=y>a &amp; b</p><p>&lt;script>", "<p>a &amp; b</p>\n<p>&lt;script&gt;</p>"),
        ("<h1>a</h1>b", "<h1>a</h1>\n<p>b</p>"),
        (
            "a<br>b <b>c</b><i>d</i><code>e</code><sup>2</sup>",
            "<p>a<br>b <strong>c</strong><em>d</em><code>e</code><sup>2</sup></p>",
        ),
        ("<ul><li>a<ul><li>b</ul></ul>", "<ul>\n<li>a\n<ul>\n<li>b</li></ul></li></ul>"),
        ("<ol start=3><li>a</ol>", '<ol start="3">\n<li>a</li></ol>'),
        ("<ul><li><p>a<p>b</ul>", "<ul>\n<li>\n<p>a</p>\n<p>b</p></li></ul>"),
        ("<dl><dt>a<dd>b</dl>", "<dl>\n<dt>a</dt>\n<dd>b</dd></dl>"),
        ("<blockquote>a</blockquote>", "<blockquote>\n<p>a</p></blockquote>"),
        ("<pre class='language-c'>a\n &lt;b\n</pre>", '<pre><code class="language-c">a\n &lt;b</code></pre>'),
        ("<pre class='language-\"x'>a</pre>", "<pre>a</pre>"),
        (
            "<table><caption>x<tr><th>a<th>b<tr><td><td>c",
            "<table>\n<caption>x</caption>\n<tr><th>a</th><th>b</th></tr>\n<tr><td></td><td>c</td></tr></table>",
        ),
        ("<table><tr><td>a</table>", "<p>a</p>"),
        (
            "<table><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d</table>",
            '<table>\n<tr><th rowspan="2">a</th><th colspan="2">b</th></tr>\n<tr><th>c</th><th>d</th></tr></table>',
        ),
        ("<a href=x>a</a><img src=y>", "<p>a</p>"),
        ("<b><ul><li>a</ul>b</b>", "<ul>\n<li><strong>a</strong></li></ul>\n<p><strong>b</strong></p>"),
        ("<x-y>a</x-y><svg><text>b</text></svg><script>c</script>", "<p>a</p>"),
    ],
)
def test_html(html, expected):
    assert render(html, "html") == expected


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<div class='highlight-python notranslate'><div class=highlight><pre>a</pre></div></div>", "python"),  # Sphinx
        ("<div class='language-c highlighter-rouge'><div class=highlight><pre class=highlight><code>a", "c"),  # Rouge
        ("<div class='language-c vp-adaptive-theme'><pre class='shiki'><code>a</code></pre></div>", "c"),  # VitePress
        ("<div class='language-c theme-code-block'><div><pre tabindex=0><code>a", "c"),  # Docusaurus
        ("<div class=chroma><pre class=chroma><code class=language-go data-lang=go>a", "go"),
        ("<pre><code data-lang=go>a", "go"),
        ("<figure class='highlight cpp'><table><tr><td class=code><pre>a", "cpp"),  # Hexo
        ("<pre data-language=kotlin><code>a", "kotlin"),
        ("<pre class='brush: js; gutter: false'>a", "js"),
        ("<pre class='brush:js'>a", "js"),
        ("<pre><code class='hljs javascript'>a", "javascript"),
        ("<pre class='sourceCode python'><code>a", "python"),
        ("<div class='mw-highlight mw-highlight-lang-lua mw-content-ltr'><pre>a", "lua"),
        ("<div class='highlight highlight-source-shell'><pre>a", "shell"),
        ("<pre lang=python>a", "python"),
        ("<code class='language-c'><table><tr><td><pre>a", "c"),
        # no language
        ("<pre lang=en>a", ""),
        ("<pre lang=en-US>a", ""),
        ("<div class=highlight-default><pre>a", ""),
        ("<div class='highlight notranslate'><pre>a", ""),
        ("<pre><code class='hljs language-'>a", ""),
        ("<pre class='hljs copy wrap'>a", ""),
        ("<div class=lang-en><pre>a", ""),
        ("<section class=language-c><pre>a", ""),
        ("<div class=language-c><pre>a</pre><p>" + "Words about it. " * 10 + "</div>", ""),
        ("<pre data-lang='\"><script>'>a", ""),
    ],
)
def test_language_of_code(html, language):
    assert f"```{language}\na\n```" in render(html, "markdown")
    expected = f'<pre><code class="language-{language}">a</code></pre>' if language else "<pre>a</pre>"
    assert expected in render(html, "html")


@pytest.mark.parametrize(
    "heading",
    [
        'a b<a class="headerlink" href="#x" title="Link to this heading">¶</a>',  # Sphinx
        'a b<a class="headerlink" href="#x" title="Link to this heading">\uf0c1</a>',  # Sphinx, Read the Docs
        'a b<a href="#x" class="hash-link" title="Direct link to a b">\u200b</a>',  # Docusaurus
        'a b <a class="header-anchor" href="#x">#</a>',
        '<a class="anchor" href="#x">#</a> a b',
        'a b<a href="#x">Link to this heading</a>',
        'a <i>b</i><span><a href="find?x" title="Permalink">🔗</a></span>',
    ],
)
def test_marks_of_headings_are_left_out(heading):
    page = f"<p>c<h2>{heading}</h2><p>d"
    plain = heading.startswith("a <i>")
    assert render(page, "markdown") == f"c\n\n## a {'*b*' if plain else 'b'}\n\nd"
    assert render(page, "html") == f"<p>c</p>\n<h2>a {'<em>b</em>' if plain else 'b'}</h2>\n<p>d</p>"
    assert render(page, "text") == "c\n\na b\n\nd"


@pytest.mark.parametrize(
    ("heading", "markdown"),
    [
        ("C#", "## C#"),
        ('<a href="#x">a b</a>', "## a b"),
        ('a<a href="#x">b</a>', "## ab"),
        ('a<a class="anchor" href="#x">#</a>b', "## a\\#b"),
        ('a <a href="/b">§</a>', "## a §"),
        ('a <a href="#x">Link</a>', "## a Link"),
        ('a <a href="#x">#</a>', "## a \\#"),
    ],
)
def test_what_else_stands_in_headings_is_kept(heading, markdown):
    assert render(f"<h2>{heading}</h2>", "markdown") == markdown


PLAIN = (
    "word", "comma,", "end.", "(in", "brackets)", '"quoted"', "it's", "1.", "-", "+", "中文", "“—”", "why?!", "a:b", "%",
)  # fmt: skip
SPECIAL = (
    "a*b", "x_y", "[z]", "a&amp;b", "a&lt;b", "q|r", "\x0b", "t\x01t", "~", "a`b", "c\\d", "#", "=", "}", "^",
    "a&gt;b",
)  # fmt: skip


@pytest.mark.parametrize("format", ["markdown", "html"])
def test_words_are_written_alike_wherever_they_stand(format):  # noqa: A002
    """Runs of plain words are copied at once, 16 bytes at a time; a special character may stand at any byte of them."""
    length = {"markdown": len("xx yy"), "html": len("<p>xx yy</p>")}[format]
    assert len(render("<p>xx yy</p>", format).strip()) == length
    for special in SPECIAL:
        alone = render(f"<p>xx {special} yy</p>", format).strip()
        for n in range(36):
            for blank in (" ", "  ", "\n"):
                before, after = f"{'o' * (n % 18)}n{blank}" * (1 + n // 18), f"{blank}{PLAIN[n % len(PLAIN)]}"
                text = f"<p>xx {before}{special}{after} yy</p>"
                expected = alone.replace("xx ", f"xx {before.replace(blank, ' ')}").replace(
                    " yy", f" {after.strip()} yy"
                )
                assert render(text, format).strip() == expected
    words = " ".join(PLAIN * 3)
    shown = words if format == "markdown" else f"<p>{words}</p>"
    assert render(f"<p>{words}</p>", format).strip() == shown


def test_what_ends_a_run_of_plain_words_is_escaped_when_the_next_text_is_known():
    assert render("<p>one two three!<b></b>[x](y) four", "markdown").strip() == r"one two three\![x\](y) four"
    assert render("<p>one two three!<b></b>x four", "markdown").strip() == "one two three!x four"


def test_a_heading_that_is_only_a_mark_leaves_no_trace():
    page = '<ul><li>a<li><h3><a class="anchor" href="#x">¶</a></h3></li><li>b</ul>'
    assert render(page, "markdown") == "- a\n- b"
    assert render(page, "text") == "a\nb"


@pytest.mark.parametrize(
    "html",
    [
        (
            "<table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre><span>1</span>\n2</pre></div>"
            "<td class=code><pre>a\n  b</pre></table>"
        ),  # Pygments
        (
            "<table class=lntable><tr><td class=lntd><pre><code><span class=lnt>1\n</span><span class=lnt>2</span></code></pre>"
            "<td class=lntd><pre><code>a\n  b</code></pre></table>"
        ),  # Chroma
        (
            "<pre><code><table class=rouge-table><tr><td class='gutter gl'><pre class=lineno>1\n2\n</pre>"
            "<td class=code><pre>a\n  b</pre></table></code></pre>"
        ),
        (
            "<figure class=highlight><table><tr><td class=gutter><pre><span class=line>1</span><br><span class=line>2</span></pre>"
            "<td class=code><pre>a\n  b</pre></table></figure>"
        ),  # Hexo
        "<pre><span class=linenos>1</span>a\n<span class=linenos>2</span>  b</pre>",  # Sphinx
        "<pre><span class=ln><a href=#1>1</a></span>a\n<span class=ln>2</span>  b</pre>",
        (
            "<pre><table class=hljs-ln><tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number=1><td>a"
            "<tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number=2><td>  b</table></pre>"
        ),
        "<pre>a\n  b<div><button>Copy</button></div></pre>",
        "<pre><div class=line-numbers-wrapper>1 2</div>a\n  b</pre>",
    ],
)
def test_line_numbers_and_buttons_of_code_are_left_out(html):
    page = f"<p>c</p>{html}<p>d</p>"
    assert render(page, "markdown") == "c\n\n```\na\n  b\n```\n\nd"
    assert render(page, "html") == "<p>c</p>\n<pre>a\n  b</pre>\n<p>d</p>"
    assert render(page, "text") == "c\n\na\n  b\n\nd"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<pre><span class=ln>x1</span>a</pre>", "```\nx1a\n```"),  # no number
        ("<pre class=line-numbers>1\n2 a</pre>", "```\n1\n2 a\n```"),  # Prism's class for the listing
        ("<pre>1\n2</pre>", "```\n1\n2\n```"),
        ("<p class=lineno>1</p>", "1"),
        ("<pre><span class=ln>1</span>42</pre>", "```\n42\n```"),
    ],
)
def test_what_else_stands_in_code_is_kept(html, markdown):
    assert render(html, "markdown") == markdown


@pytest.mark.parametrize(
    ("html", "markdown", "as_html"),
    [
        ("<a href=z?a=1&b>b <b>c</b></a>", "[b **c**](https://e.org/x/z?a=1&b)", '<p><a href="https://e.org/x/z?a=1&amp;b">b <strong>c</strong></a></p>'),
        ("<a href='javascript:x'>b</a>", "b", "<p>b</p>"),
        ("<a name=x>b</a>", "b", "<p>b</p>"),
        ("<a href=/z><h2>a</h2>b</a>", "## [a](https://e.org/z)\n\n[b](https://e.org/z)",
         '<h2><a href="https://e.org/z">a</a></h2>\n<p><a href="https://e.org/z">b</a></p>'),
        ("<a href='/(a)'>[b] !</a>!<a href=/c>d</a>", "[\\[b\\] !](https://e.org/%28a%29)\\![d](https://e.org/c)",
         '<p><a href="https://e.org/(a)">[b] !</a>!<a href="https://e.org/c">d</a></p>'),
        ("a <img src=i.png alt='b [c] \"'> d", 'a ![b \\[c\\] "](https://e.org/x/i.png) d', '<p>a <img src="https://e.org/x/i.png" alt="b [c] &quot;"> d</p>'),
        ("<p>a <img src=i.png alt=' b  c '> d", "a ![b c](https://e.org/x/i.png) d", '<p>a <img src="https://e.org/x/i.png" alt=" b  c "> d</p>'),
        ("<p>a</p><img src=data:x data-src=/i><p>b</p>", "a\n\n![](https://e.org/i)\n\nb", '<p>a</p>\n<p><img src="https://e.org/i" alt=""></p>\n<p>b</p>'),
        ("<p>a <img src=data:x data-lazy-src=/i><noscript><img src=/i></noscript> b", "a ![](https://e.org/i) b", '<p>a <img src="https://e.org/i" alt=""> b</p>'),
        ("<p>a <img data-srcset='/i 1x, /j 2x'> <img srcset=' /k 300w'> b", "a ![](https://e.org/j) ![](https://e.org/k) b", '<p>a <img src="https://e.org/j" alt=""> <img src="https://e.org/k" alt=""> b</p>'),
        ("<p>a <img src=data:x srcset=', /i,w_1 90w,/j,w_2 800w 5h, /k 100w'> <img srcset='/l,/m, , /n'> b", "a ![](https://e.org/j,w_2) ![](https://e.org/l,/m) b", '<p>a <img src="https://e.org/j,w_2" alt=""> <img src="https://e.org/l,/m" alt=""> b</p>'),
        ("<p>a</p><b><i><img src=/i></i></b><p>b</p>", "a\n\n![](https://e.org/i)\n\nb", '<p>a</p>\n<p><img src="https://e.org/i" alt=""></p>\n<p>b</p>'),
        ("<p>a</p><a href=/c><b><img src=/i></b></a><p>b</p>", "a\n\n[![](https://e.org/i)](https://e.org/c)\n\nb", '<p>a</p>\n<p><a href="https://e.org/c"><img src="https://e.org/i" alt=""></a></p>\n<p>b</p>'),
        ("<p>a</p><code><img src=/i></code><p>b <code>c<img src=/i>d</code><pre>e<img src=/i>f</pre>", "a\n\nb `cd`\n\n```\nef\n```", "<p>a</p>\n<p>b <code>cd</code></p>\n<pre>ef</pre>"),
        ("<pre>a</pre><img src=/i><pre>b</pre>", "```\na\n```\n\n![](https://e.org/i)\n\n```\nb\n```", '<pre>a</pre>\n<p><img src="https://e.org/i" alt=""></p>\n<pre>b</pre>'),
        ("<p>a</p><img src=/i width=1 height=1>", "a", "<p>a</p>"),
        ("<p>a<img src=/i onerror=x>b", "a![](https://e.org/i)b", '<p>a<img src="https://e.org/i" alt="">b</p>'),
        # Markdown sees no link in code: the code ends before it, and goes on behind it.
        ("<code>a <a href=/b>b c</a>&lt;<a href=/d>`d`</a> </code>e", "`` a `` [`b c`](https://e.org/b)`` < ``[`` `d` ``](https://e.org/d) e",
         '<p><code>a <a href="https://e.org/b">b c</a>&lt;<a href="https://e.org/d">`d`</a></code> e</p>'),
        ("<kbd><b><a href=/b>b</a></b> c</kbd>", "**[`b`](https://e.org/b)** `c`", '<p><code><strong><a href="https://e.org/b">b</a></strong> c</code></p>'),
        ("<code>a<a name=x>b</a>c</code>", "`abc`", "<p><code>abc</code></p>"),
        ("<code>a(<a href=/b></a>)<a href=/c> <i> </i></a><a href=/d>d</a></code>", "`a()` [`d`](https://e.org/d)",
         '<p><code>a() <a href="https://e.org/d">d</a></code></p>'),
    ],
)  # fmt: skip
def test_links_and_images(html, markdown, as_html):
    assert render(html, "markdown", links=True, images=True) == markdown
    assert render(html, "html", links=True, images=True) == as_html


def test_addresses_are_relative_to_the_base_element():
    page = b"<head><base target=_top><base href=/other/><base href=/no/></head><p><a href=z>a</a>"
    extractor = PageExtractor("all", format="markdown", links=True)
    assert extractor.extract(page, URL) == b"[a](https://e.org/other/z)"
    assert extractor.extract(page) == b"[a](z)"
    assert extractor.extract(b"<p><a href=z>a</a>", URL) == b"[a](https://e.org/x/z)"


@pytest.mark.parametrize("format_", ["markdown", "html"])
def test_a_long_base_does_not_make_a_page_huge(format_):
    base = f"https://e.org/{'x' * 1900}/"
    link, picture = "<a href=y#%d>w</a> ", "<img src=/%d.png alt=w> "
    extractor = PageExtractor("all", format=format_, links=True, images=True)
    for repeated in (link, picture * 2 + link):
        page = f"<base href={base}><p>{''.join(repeated.replace('%d', str(i)) for i in range(30_000))}".encode()
        written = extractor.extract(page, URL)
        assert len(written) < (1 << 20) + 16 * len(page)
        assert base.encode() in written
        assert written.count(b"w") >= 30_000  # the text of further links stays
    # A base as long as those of real pages costs no address.
    page = b"<base href=https://e.org/" + b"x" * 60 + b"/><p>" + b"<a href=y>w</a> " * 30_000
    assert extractor.extract(page, URL).count(b"/y") == 30_000


def test_an_image_belongs_to_the_text_around_it():
    story = "<p>" + "A long paragraph of the story of the mill, its wheel and its people, told at length. " * 4 + "</p>"
    page = f"<nav><ul><li><a href=/>Home</a><img src=/nav.png></ul></nav><article><h1>Wheel</h1><figure><img src=/wheel.png></figure>{story}{story}</article>"
    found = thresher.extract(page, extractor="thresher", format="markdown", images=True, url=URL).text
    assert "wheel.png" in found
    assert "nav.png" not in found


@pytest.mark.parametrize("format", ["text", "markdown", "html"])  # one page in every format
def test_text_is_the_default_and_blocks_are_as_they_were(format):  # noqa: A002
    page = "<p>a <b>b</b></p><ul><li>c</ul>"
    found = thresher.extract(page, extractor="all", format=format)
    assert (
        found.text
        == {
            "text": "a b\n\nc",
            "markdown": "a **b**\n\n- c",
            "html": "<p>a <strong>b</strong></p>\n<ul>\n<li>c</li></ul>",
        }[format]
    )
    assert [block.text for block in found.blocks] == ["a b", "c"]
    several = thresher.extract(page, extractors=["all", "thresher"], format=format)
    assert several.text == found.text


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"format": "md"}, ValueError, "format must be one of text, markdown, html, source, not 'md'"),
        ({"links": True}, ValueError, "plain text cannot hold links; use the format markdown, html or source"),
        ({"images": True}, ValueError, "plain text cannot hold images"),
        ({"tables": 1}, TypeError, "tables must be one of keep, drop, html, not 1"),
        ({"tables": "tex"}, ValueError, "tables must be one of keep, drop, html, not 'tex'"),
        ({"comments": "no"}, ValueError, "comments must be one of auto, keep, drop, not 'no'"),
    ],
)
def test_options_that_make_no_sense(arguments, error, message):
    with pytest.raises(error, match=message):
        thresher.extract("<p>x", **arguments)


# --- comments and tables of data ---

COMMENTS = """<article><p>The story of the wheel and of the people who brought it back.</p></article>
<section id=comments-area class="x"><h3>2 Comments</h3><div class=comment><p>Well told!</p><a href=#>Reply</a></div></section>"""


def test_comments_in_and_out():
    everything = thresher.extract(COMMENTS, extractor="all")
    assert "Well told!" in everything.text
    without = thresher.extract(COMMENTS, extractor="all", comments="drop")
    assert without.text == "The story of the wheel and of the people who brought it back."
    by_itself = thresher.extract(COMMENTS, extractor="bte")
    kept = thresher.extract(COMMENTS, extractor="bte", comments="keep")
    assert "Well told!" in kept.text
    assert "Reply" not in kept.text.splitlines() or "Reply" in by_itself.text.splitlines()


@pytest.mark.parametrize(
    ("html", "out"),
    [
        ("<body class='comments-open'><p>a</p>", False),
        ("<article class='has-comments'><p>a</p></article>", False),
        ("<div class='post comments-closed'><p>a</p></div>", False),
        ("<div class='commentary'><p>a</p></div>", False),
        ("<div id=disqus_thread><p>a</p></div>", True),
        ("<div class='x Post-Comments'><p>a</p></div>", True),
        ("<ol class=commentlist><li>a</ol>", True),
        ("<div itemscope itemtype='https://schema.org/Comment'><p>a</p></div>", True),
        ("<div class=recommended><p>a</p></div>", False),
    ],
)
def test_what_is_taken_for_comments(html, out):
    assert (thresher.extract(html, extractor="all", comments="drop").text == "") == out


@pytest.mark.parametrize(
    ("html", "out"),
    [
        ("<figure><img src=a.png><figcaption>The mill.</figcaption></figure>", True),
        ("<div class='wp-caption'><img src=a.png><p>The mill.</p></div>", True),
        ("<p class=article-image__credit>Ann Miller</p>", True),
        ("<img src=a.png><p>Photo: Ann Miller/Agency</p>", True),
        ("<img src=a.png><div>(Foto: dpa)</div>", True),
        ("<img src=a.png><p>© Ann Miller</p>", True),
        ("<img src=a.png><p>Crédit : Ann Miller</p>", True),
        ("<img src=a.png><p>The wheel of the mill in spring. Foto: Ann Miller</p>", True),
        ("<img src=a.png><p>The wheel <span>in spring. <i>[Bildrechte: Mill]</i></span></p>", True),
        ("<img src=a.png><p>The wheel in spring. Ann Miller/Getty Images</p>", True),
        ("<img src=a.png><p>図１ 水車　写真：製粉所</p>", True),
        # no picture before it, no credit, or far too long for a caption
        ("<p>Photo: Ann Miller/Agency</p>", False),
        ("<img src=a.png><p>Photography has changed since the mill was built.</p>", False),
        ("<img src=a.png><p>Between</p><p>Source: the river</p>", False),
        ("<img src=a.png><p>The wheel turned for two hundred years (source: the parish).</p>", False),
        # no reader sees it
        ("<img src=a.png><p>A short line <script>photo: x</script>about the wheel.</p>", False),
        ("<img src=a.png><p>A short line <span hidden>photo: x</span> about the wheel.</p>", False),
        (f"<img src=a.png><p>{'The wheel turns. ' * 19} Foto: Ann Miller</p>", True),
        (f"<img src=a.png><p>{'The wheel turns. ' * 20} Foto: Ann Miller</p>", False),
        (f"<div class=caption>{'The wheel turns. ' * 60}</div>", False),
    ],
)
def test_what_is_taken_for_a_caption(html, out):
    page = f"<p>Before it.</p>{html}"
    everything = thresher.extract(page, extractor="all").text
    dropped = thresher.extract(page, extractor="all", captions="drop").text
    assert dropped == ("Before it." if out else everything)
    assert thresher.extract(page, extractor="all", captions="keep").text == everything


def test_captions_are_no_part_of_news():
    story = "The story of the wheel and of the people who brought it back, told by those who were there. " * 5
    caption = "The wheel in spring"
    body = (
        f"<title>The wheel</title><article><h1>The wheel</h1><p>{story}</p>"
        f"<figure><img src=a.png><figcaption>{caption}</figcaption></figure><p>{story}</p></article>"
    )

    def kept(page: str) -> list[bool]:
        return [
            "spring" in thresher.extract(page, captions=captions).text
            for captions in ("auto", "extractor", "keep", "drop")
        ]

    def linked(name: str) -> str:
        return f'<script type="application/ld+json">{{"@type": "{name}", "headline": "The wheel"}}</script>{body}'

    assert kept(body) == kept(linked("BlogPosting")) == [True, True, True, False]
    assert kept(linked("NewsArticle")) == kept(linked("ReportageNewsArticle")) == [False, True, True, False]
    itemtype = body.replace("<article", "<article itemscope itemtype='https://schema.org/NewsArticle'")
    assert kept(itemtype) == [False, True, True, False]
    # Only the learned extractor judges a page.
    assert "spring" in thresher.extract(linked("NewsArticle"), extractor="all").text


def test_captions_are_kept_where_the_extractor_drops_them():
    page = (
        f"<article><p>{'The story of the wheel and of the people who brought it back. ' * 5}</p>"
        "<figure><img src=a.png><figcaption>The wheel in spring.</figcaption></figure>"
        f"<p>{'It turns day and night, and the grain comes by the river. ' * 5}</p></article>"
    )
    assert "spring" not in thresher.extract(page, extractor="bte", captions="drop").text
    assert "spring" in thresher.extract(page, extractor="bte", captions="keep").text
    assert "spring" not in thresher.extract(page, captions="drop", format="markdown").text
    assert "spring" not in thresher.extract(page, captions="drop", format="html").text


@pytest.mark.parametrize(
    ("markup", "readers"),
    [
        ("div class=reviews", True),
        ("div id=customerReviews", True),
        ("section class='product-review-list'", True),
        ("div id=Kundenbewertungen", True),
        ("div class=comments", True),
        ("div class=review", False),  # the article may be one
        ("div class=reviewed", False),
        ("article class=reviews", False),
        ("div class=preview", False),
    ],
)
def test_reviews_of_customers_are_comments(markup, readers):
    said = "<p><a href=/u/ann>Ann Miller</a></p><p>It grinds well, and it is quiet.</p><a href=/r>Reply</a>"
    page = f"<p>A mill for the kitchen.</p><{markup}>{said}</{markup.partition(' ')[0]}>"
    dropped = thresher.extract(page, extractor="all", comments="drop").text
    assert dropped == ("A mill for the kitchen." if readers else thresher.extract(page, extractor="all").text)
    # Kept with their names, and without the links of one word that do something.
    text = "<p>This mill was made in the valley, where mills were made for a hundred years, of oak and iron.</p>" * 4
    kept = thresher.extract(f"{text}{page}", extractor="bte", comments="keep").text
    if readers:
        assert kept.endswith("Ann Miller\n\nIt grinds well, and it is quiet.")


def test_posts_that_are_called_comments_are_the_main_text_of_a_thread():
    said = "The wheel turned again in spring, and most of the village came to hear what the committee had decided. "
    posts = "".join(f"<div class=comment><b>Ann {n}</b><p>{said * 3}</p></div>" for n in range(6))
    thread = f"<title>The wheel</title><h1>The wheel</h1><div id=comments>{posts}</div>"
    assert thresher.extract(thread, comments="drop").text.count("committee") == 18
    assert thresher.extract(thread, comments="drop", extractor="all").text == "The wheel", "it has no scores to go by"
    article = thread.replace("<div id", f"<article><p>{said * 20}</p></article><div id")
    assert thresher.extract(article, comments="drop").text.count("committee") == 20


def test_the_headline_is_kept_or_dropped_whatever_extractor_chooses():
    text = "<p>The story of the wheel and of the people who brought it back, told by those who were there.</p>" * 5
    page = f"<title>The wheel and its people | The Mill</title><h1>The Mill</h1><article><h2>The wheel and its people</h2>{text}<h2>After</h2>{text}"

    headings = ["The Mill", "The wheel and its people", "After"]

    def shown(html: str, extractor: str, titles: Literal["auto", "keep", "drop"]) -> list[str]:
        lines = thresher.extract(html, extractor=extractor, titles=titles).text.split("\n")
        return [line for line in lines if line in headings]

    # The heading with most words of the title, whatever its level; no other heading is touched.
    assert shown(page, "all", "auto") == shown(page, "all", "keep") == headings
    assert shown(page, "all", "drop") == ["The Mill", "After"]
    assert "The wheel and its people" not in shown(page, "thresher", "drop")
    assert "The wheel and its people" in shown(page, "thresher", "keep")
    # Without a title the first h1.
    untitled = page.partition("</title>")[2]
    assert shown(untitled, "all", "drop") == ["The wheel and its people", "After"]
    # A page that has neither has no headline.
    assert shown(untitled.replace("h1", "p"), "all", "drop") == shown(untitled, "all", "auto")
    # An extractor that leaves it out.
    menu = "<ul>" + "<li><a href=/>Home</a>" * 30 + "</ul>"
    apart = f"<title>The wheel and its people</title><h1>The wheel and its people</h1>{menu}<article>{text}</article>"
    assert shown(apart, "bte", "auto") == []
    assert shown(apart, "bte", "keep") == ["The wheel and its people"]


STORY = "The story of the wheel and of the people who brought it back, told by those who were there. "
MANY_TAGS = " ".join(f"tag{n}" for n in range(41))


@pytest.mark.parametrize(
    ("html", "out"),
    [
        ("<time>3 May 2019</time>", True),
        ("<p><time datetime=2019-05-03>Friday</time></p>", True),
        ("<span itemprop='author name'>Ann Miller</span>", True),
        ("<p itemprop=datePublished>Friday</p>", True),
        ("<p itemprop=description>Friday</p>", False),
        ("<a rel='nofollow author' href=/ann>Ann Miller</a>", True),
        ("<p><a rel=tag href=/oak>Oak</a></p>", True),
        ("<a rel=bookmark href=/oak>Oak</a>", False),
        ("<p class=byline>Ann Miller</p>", True),
        ("<p class='left c-card__Author--big'>Ann Miller</p>", True),
        ("<div class=entry-meta><p>Ann Miller</p><p>Friday</p></div>", True),
        ("<p class=post_date>Friday</p>", True),
        ("<p id=userName7 class=userName>Ann Miller</p>", True),
        ("<p class=posted-by-line>Ann Miller</p>", True),
        ("<p class=reading-time>3 minutes</p>", True),
        ("<p class=cat-links>Mills</p>", True),
        ("<p class=candidate>Ann Miller</p>", False),
        ("<p class=recipe-meta>3 minutes</p>", False),
        ("<p class=event-date>Friday</p>", False),
        ("<p class=update>Friday</p>", False),
        ("<p class=--byline>Ann Miller</p>", False),
        ("<section class=byline>Ann Miller</section>", False),
        ("<table><tr><td class=date>Friday<td>Oak<tr><td class=date>Sunday<td>Elm</table>", False),
        (f"<p class=tags>{MANY_TAGS}</p>", False),
        (f"<time>{MANY_TAGS}</time>", False),
        (f"<div class=tags>{'<p>oak</p>' * 13}</div>", False),
        ("<p class=byline hidden>Ann Miller</p>", False),
        # dates next to a dateline
        ("<p class=byline>Ann Miller</p><p>Friday, 3 May 2019</p>", True),
        ("<p>12:30</p><p class=byline>Ann Miller</p>", True),
        ("<p>3 May 2019</p>", False),
        ("<p class=byline></p><p>3 May 2019</p>", False),
    ],
)
def test_what_is_taken_for_a_dateline(html, out):
    page = f"<p>{STORY * 5}</p>{html}"
    everything = thresher.extract(page, extractor="all").text
    dropped = thresher.extract(page, extractor="all", datelines="drop").text
    assert dropped == ((STORY * 5).strip() if out else everything)
    assert thresher.extract(page, extractor="all", datelines="keep").text == everything


def test_the_headline_is_no_dateline_and_a_date_beside_it_is_one():
    page = f"<div class=entry-meta><h1>The wheel</h1></div><p>3 May 2019</p><p>{STORY * 5}</p>"
    assert thresher.extract(page, extractor="all", datelines="drop").text == f"The wheel\n\n{STORY * 5}".strip()
    far = f"<h1>The wheel</h1><p>It was in 2019 that the old wheel came back home.</p><p>{STORY * 5}</p>"
    assert "2019" in thresher.extract(far, extractor="all", datelines="drop").text
    longer = f"<h1>The wheel</h1><p>The 2019 wheel</p><h2>In 2019</h2><p>{STORY * 5}</p>"
    assert thresher.extract(longer, extractor="all", datelines="drop").text.count("2019") == 1, "no heading is dropped"


def test_datelines_are_kept_near_main_text_only():
    menu = "<ul>" + "<li><a href=/>Home</a>" * 30 + "</ul>"
    byline = "<p class=byline>Ann Miller</p>"
    between = "<p><a href=/>More</a></p>"

    def kept(html: str, datelines: Literal["auto", "keep", "drop"] = "keep") -> int:
        return thresher.extract(html, extractor="bte", datelines=datelines).text.count("Ann Miller")

    story = f"<article><p>{STORY * 5}</p></article>"
    assert kept(menu + byline + between * 5 + story, "auto") == 0
    assert kept(menu + byline + between * 5 + story) == 1
    assert kept(menu + byline + between * 6 + story) == 0
    assert kept(story + between * 5 + byline + menu) == 1
    assert kept(story + between * 6 + byline + menu) == 0
    for tag in ("nav", "footer", "aside"):
        assert kept(f"{menu}<{tag}>{byline}</{tag}>{story}") == 0
        assert kept(f"{menu}<{tag} class=entry-meta>Ann Miller</{tag}>{story}") == 1
    assert kept(f"{menu}<button class=author>Ann Miller</button>{story}") == 0
    assert kept(f"{menu}<div style='display: none'>{byline}</div>{story}") == 0
    assert kept(byline) == kept(byline, "auto")


def test_datelines_that_are_the_content_of_a_page_are_not_dropped():
    row = "<li><p class=date>Friday, the third of May, at noon</p><p>The wheel turns.</p>"

    def dropped(n: int, more: str = "") -> bool:
        return "Friday" not in thresher.extract(f"<ul>{row * n}</ul>{more}", extractor="all", datelines="drop").text

    assert dropped(8)  # 56 words
    assert not dropped(9)
    assert dropped(9, f"<p>{STORY * 9}</p>")


def test_datelines_give_way_to_other_rules_and_obey_them():
    page = (
        f"<h1>The wheel</h1><p>{STORY * 5}</p><p class=author>Ann Miller</p>"
        "<div class=comments><p class=author>Bob Smith</p><p>It grinds well, and it is quiet.</p></div>"
    )

    def names(**options: Any) -> list[str]:
        text = thresher.extract(page, extractor="all", **options).text
        return [name for name in ("Ann", "Bob") if name in text]

    assert names(datelines="drop") == []
    assert names(datelines="drop", comments="keep") == ["Bob"]
    assert names(datelines="keep", comments="drop") == ["Ann"]
    assert thresher.extract(page, extractor="all", datelines="drop", format="markdown").text.startswith("# The wheel")


def test_many_datelines_within_one_another_take_linear_time():
    def extraction(n: int) -> Callable[[], object]:
        page = "<div class=byline>" * 200 + "<p class=date>.</p>" * n
        return lambda: thresher.extract(page, extractor="all", datelines="drop")

    assert_linear(extraction, 60_000)


def test_tables_of_data_out():
    page = "<p>a</p><table><tr><th>b<th>c<tr><td>d<td>e</table><table><tr><td><p>f</p><p>g</p><p>h</p></table>"
    assert thresher.extract(page, extractor="all", tables="drop").text == "a\n\nf\n\ng\n\nh"
    assert thresher.extract(page, extractor="all").text == "a\n\nb\tc\nd\te\n\nf\n\ng\n\nh"


# --- hostile pages ---


@pytest.mark.parametrize("format", ["markdown", "html"])
@pytest.mark.parametrize(
    ("page", "most"),
    [
        ("<ul><li>" * 5_000 + "x", 10_000),
        ("<blockquote>" * 5_000 + "<p>x" * 20_000, 2_000_000),
        ("<ol start=99999999><li>" * 30 + "<pre>" + "\n" * 1_000_000 + "x", 40_000_000),
        ("<ol start=99999999><li>" * 30 + "<pre>x" + "\n" * 1_000_000 + "x", 40_000_000),
        ("<b>" * 5_000 + "x" + "<p>y" * 5_000, 1_000_000),
        ("<i>x</i>" * 100_000, 2_000_000),
        ("<table>" * 5_000 + "<tr><td>x", 1_000_000),
        ("<table><tr>" + "<td>" * 50_000 + "x<tr><td>y</table>", 2_000_000),
        ("<table><tr><td>x<td>y</table>" * 20_000, 2_000_000),
        ("<pre>" + "`" * 100_000 + "<h1>x</h1>y" * 5_000, 2_000_000),
        ("<code>" + "`" * 100_000 + "<p>x" * 5_000, 2_000_000),
        ("<base href='https://e.org/" + "a" * 2000 + "/'>" + "<a href=x>y</a> " * 60_000, 80_000_000),
        ("<a href=" + "a" * 2000 + ">" + "<p>x" * 60_000, 80_000_000),
        ("<p><b></b>" + "<b>x</b><span></span>" * 60_000, 3_000_000),
        ("<pre>" + "<h1>x</h1>y" * 30_000, 2_000_000),
        ("<pre>" + "<pre>x</pre>y" * 60_000, 2_000_000),
        ("<div>" * 500 + "<img src=x>" * 30_000, 2_000_000),
        ("<h1>" + "<a class=anchor href=#x>#</a>" * 60_000, 4_000_000),
        ("<h1><a class=anchor href=#x>#</a>" * 30_000, 2_000_000),
        ("<pre>" + "<span class=ln>1" * 60_000, 2_000_000),
        ("<pre>" + "<span class=ln>1</span>" * 60_000 + "x", 2_000_000),
        ("<td class=gutter>" + "<div><pre>1</pre></div>" * 30_000, 2_000_000),
        ("<div class=highlight-c><pre>a</pre></div>" * 30_000, 4_000_000),
        ("<table>" + "<tr><td colspan=99999><td>x" * 30_000, 4_000_000),
        ("<table><tr>" + "<td rowspan=99999>y" * 63 + "<tr><td>x" * 60_000, 4_000_000),
        ("<table><tr><td rowspan=9><td>x<tr><td>y</table>" * 20_000, 4_000_000),
        ("<table><tr><th>a<th>b<tr><td><pre>" + "word word\n" * 30_000 + "</pre><td>c</table>", 2_000_000),
    ],
    ids=range(27),
)
def test_hostile_pages_cost_little(page, most, format):  # noqa: A002
    def classified(page: bytes) -> PageExtractor:
        extractor = PageExtractor("all", format=format, links=True, images=True)
        extractor.parse(page, URL)
        extractor.measure()
        extractor.classify()
        return extractor

    extractor = classified(page.encode())
    assert len(extractor.render()) < most
    assert_cheap(extractor.render, classified(ordinary_page(len(page))).render, 200)


def test_steps_of_a_recipe_are_numbered() -> None:
    steps = "<li>Mix it.</li><li>Bake it.</li></ul>"
    for begin in (
        '<ul class="wprm-recipe-instructions">',
        '<div class="recipe__instructions"><ul>',
        "<ul itemprop=recipeInstructions>",
    ):
        assert render(begin + steps, "markdown") == "1. Mix it.\n2. Bake it."
        assert render(begin + steps, "html") == "<ol>\n<li>Mix it.</li>\n<li>Bake it.</li></ol>"
    assert render('<ul class="recipe-ingredients">' + steps, "markdown") == "- Mix it.\n- Bake it."


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_ideographic_indents_go(format: str) -> None:  # noqa: A002
    page = "<p>　　風車が回る。</p><p> &nbsp;　風<b>　車</b><br>　　回る。</p><p><span>　　</span>川</p><p>&nbsp; a</p>"
    assert (
        render(page, format).replace("**", "").replace("  \n", "\n") == "風車が回る。\n\n風　車\n回る。\n\n川\n\n\xa0 a"
    )


def test_byte_order_marks_in_code_go() -> None:
    assert render("<pre><code>\ufeffa = '\u00ad'</code></pre>", "markdown") == "```\na = '\u00ad'\n```"
    assert render("<pre><p>\ufeff", "text") == ""

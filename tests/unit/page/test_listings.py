# SPDX-License-Identifier: Apache-2.0
"""Listings: whatever the markup that shows one, what is written is its lines, and nothing else."""

import re

import pytest

from thresher.page.page_extractor import PageExtractor

CODE = "if a:\n    b  # &\n\nc"
"""What each of the pages below shows: four lines, one of them indented, one of them blank."""

ESCAPED = CODE.replace("&", "&amp;")


def render(html: str, format: str, extractor: str = "all") -> str:  # noqa: A002
    return PageExtractor(extractor, format=format).extract(html.encode()).decode()


def lines_in(template: str, *, blank: str = "") -> str:
    """The lines, each in a template with its number and text."""
    return "".join(template.format(n=n, text=text or blank) for n, text in enumerate(ESCAPED.split("\n"), 1))


def in_pre(template: str) -> str:
    """A pre element with the lines, each in a template with its number and text."""
    return f"<pre>{lines_in(template + chr(10))}</pre>"


NUMBERS = "1\n2\n3\n4\n"
CHROMA = (
    "white-space:pre;-webkit-user-select:none;user-select:none;margin-right:0.4em;padding:0 0.4em 0 0.4em;color:#777"
)
OLD_CHROMA = "margin-right:0.4em;padding:0 0.4em 0 0.4em;color:#7f7f7f"
SHAPES = {
    "text": f"<pre>{ESCAPED}</pre>",
    "spans": f"<pre><code>{ESCAPED.replace('if', '<span class=k>if</span>')}</code></pre>",
    "no-break spaces": f"<pre>{ESCAPED.replace('    ', '&nbsp; &nbsp; ')}</pre>",
    "Shiki": "<pre class=shiki><code>"
    + "\n".join(f"<span class=line>{line}</span>" for line in ESCAPED.split("\n"))
    + "</code></pre>",
    "Docusaurus": "<pre class=prism-code><code>"
    + lines_in('<span class=token-line><span style="display:inline-block">{text}</span><br></span>')
    + "</code></pre>",
    "a block for each line": f"<pre><code>{lines_in('<div class=line>{text}</div>')}</code></pre>",
    "blocks on lines of the source": f"<pre><code>{lines_in('<div class=line>{text}</div>' + chr(10))}</code></pre>",
    "blocks with a line break": f"<pre><code>{lines_in('<div>{text}<br></div>')}</code></pre>",
    "spans shown as blocks": "<pre><code>"
    + lines_in("<span class=line style='display: flex'>{text}</span>")
    + "</code></pre>",
    "spans side by side": f"<pre><code>{lines_in('<span class=line>{text}</span>')}</code></pre>",
    "Rehype Pretty Code": f"<pre><code>{lines_in('<span data-line>{text}</span>' + chr(10))}</code></pre>",
    "Hexo": "<figure class='highlight c'><table><tr><td class=gutter><pre>"
    + "<br>".join(f"<span class=line>{n}</span>" for n in "1234")
    + "</pre></td><td class=code><pre>"
    + lines_in("<span class=line>{text}</span><br>")
    + "</pre></td></tr></table></figure>",
    "Crayon": "<div class=crayon-syntax><div class=crayon-plain-wrap><textarea wrap=soft class='crayon-plain print-no'>\n"
    f"{ESCAPED}</textarea></div><div class=crayon-main><table class=crayon-table><tr class=crayon-row>"
    "<td class=crayon-nums data-settings=show><div class=crayon-nums-content>"
    + lines_in("<div class=crayon-num>{n}</div>")
    + "</div></td><td class=crayon-code><div class=crayon-pre>"
    + lines_in("<div class=crayon-line>{text}</div>", blank="&nbsp;").replace(
        "    ", "<span>&nbsp;&nbsp;&nbsp;&nbsp;</span>"
    )
    + "</div></td></tr></table></div></div>",
    "Pygments": "<table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre>"
    f"<span class=normal>1</span>\n<span>2</span>\n3\n4</pre></div></td>\n<td class=code><div><pre><span>"
    f"</span><code>{ESCAPED}"
    "\n</code></pre></div></td></tr></table>",
    "Pygments, numbers in the line": f"<pre>{lines_in('<span class=linenos>{n}</span>{text}' + chr(10))}</pre>",
    "Chroma": "<table class=lntable><tr><td class=lntd>\n<pre><code>"
    + "".join(f"<span class=lnt>{n}\n</span>" for n in "1234")
    + "</code></pre></td>\n<td class=lntd>\n<pre><code>"
    + lines_in("<span class=line><span class=cl>{text}\n</span></span>")
    + "</code></pre></td></tr></table>",
    "Rouge": "<figure class=highlight><pre><code><table class=rouge-table><tbody><tr><td class='gutter gl'>"
    "<pre class=lineno>"
    f"{NUMBERS}</pre></td><td class=code><pre>{ESCAPED}\n</pre></td></tr></tbody></table></code></pre></figure>",
    "highlight.js with line numbers": "<pre><code class='hljs'><table class=hljs-ln><tbody>"
    + lines_in(
        "<tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number={n}><div class=hljs-ln-n data-line-number={n}>"
        "</div></td><td class='hljs-ln-line hljs-ln-code' data-line-number={n}>{text}</td></tr>",
        blank=" ",
    )
    + "</tbody></table></code></pre>",
    "GitHub": "<table>"
    + lines_in(
        "<tr><td id=L{n} class='blob-num js-line-number' data-line-number={n}></td>"
        "<td class='blob-code blob-code-inner js-file-line'>{text}</td></tr>\n",
        blank="\n",
    )
    + "</table>",
    "Gitea": "<div class='file-view code-view'><table><tbody>\n"
    + lines_in(
        "<tr>\n  <td class=lines-num><span id=L{n} data-line-number={n}></span></td>\n"
        "  <td rel=L{n} class='lines-code chroma'><code class=code-inner>{text}\n</code></td>\n</tr>\n"
    )
    + "</tbody></table></div>",
    "Gerrit": "<table class=FileContents>"
    + lines_in(
        "<tr class='FileContents-line'><td class='u-lineNum FileContents-lineNum' data-line-number={n}></td>"
        "<td class=FileContents-lineContents>{text}</td></tr>"
    )
    + "</table>",
    "blame": "<table class=Blame>"
    + lines_in(
        "<tr><td class=Blame-author>Ann</td><td class=Blame-time>2015</td><td class=Blame-lineNum>"
        "<a class=u-lineNum>{n}</a></td>"
        "<td class='u-pre Blame-lineContent'>{text}</td></tr>"
    )
    + "</table>",
    "SyntaxHighlighter": "<div class=syntaxhighlighter><table><tbody><tr><td class=gutter>"
    + lines_in("<div class='line number{n}'>{n}</div>")
    + "</td><td class=code><div class=container>"
    + lines_in("<div class='line number{n} index0 alt2'><code class=plain>{text} </code></div>").replace(
        "    ", "&nbsp;&nbsp;&nbsp;&nbsp;"
    )
    + "</div></td></tr></tbody></table></div>",
    "SyntaxHighlighter without numbers": "<div class='syntaxhighlighter nogutter'><table><tr><td class=code>"
    "<div class=container>"
    + lines_in("<div class='line number{n}'><code class=plain>{text}</code></div>", blank="&nbsp;").replace(
        "    ", "&nbsp;&nbsp;&nbsp;&nbsp;"
    )
    + "</div></td></tr></table></div>",
    "Discuz": "<div class=blockcode><div id=code_1><ol>\n"
    + lines_in("<li>{text}<br></li>\n").replace("    ", "&nbsp; &nbsp; ")
    + "</ol></div><em onclick=copycode()>复制代码</em></div>",
    "prettify": f"<pre class=prettyprint><ol class=linenums>{lines_in('<li class=L0>{text}</li>')}</ol></pre>",
    "CodeMirror 5": "<div class=CodeMirror><textarea></textarea><div class=CodeMirror-code>"
    + lines_in(
        "<div style='position: relative'><div class=CodeMirror-gutter-wrapper aria-hidden=true>"
        "<div class='CodeMirror-linenumber CodeMirror-gutter-elt'>{n}</div></div>"
        "<pre class=' CodeMirror-line '><span role=presentation>{text}</span></pre></div>",
        blank="\u200b",
    )
    + "</div></div>",
    "CodeMirror 6": "<div class=cm-editor><div class='cm-content'>"
    + lines_in("<div class=cm-line>{text}</div>", blank="<br>")
    + "</div></div>",
    "Monaco": "<div class=monaco-editor><div class='view-lines'>"
    + lines_in("<div class=view-line><span><span class=mtk1>{text}</span></span></div>").replace("    ", "&nbsp;" * 4)
    + "</div></div>",
    "Expressive Code": "<pre><code>"
    + lines_in(
        "<div class=ec-line><div class=gutter><div class=ln aria-hidden=true>{n}</div></div>"
        "<div class=code>{text}</div></div>",
        blank="\n",
    )
    + "</code></pre>",
    "numbers without a name": "<code><pre class=flex>"
    + lines_in("<div class=row><span class=end>{n}</span><div class=flex-1>{text}</div></div>", blank="<br>")
    + "</pre></code>",
    "Chroma without classes": "<pre style='color:#f8f8f2'><code>"
    + lines_in(f"<span style='display:flex'><span style='{CHROMA}'>{{n}}</span><span>{{text}}\n</span></span>")
    + "</code></pre>",
    "Chroma without classes, a table": "<div style='color:#f8f8f2'><table style='border:0'><tr><td style='border:0'>"
    "<pre style='margin:0'><code>"
    + "".join(f"<span style='{CHROMA}'>{n}\n</span>" for n in "1234")
    + "</code></pre></td>\n<td style='width:100%'>\n<pre style='margin:0'><code>"
    f"{ESCAPED}</code></pre></td></tr></table></div>",
    "old Chroma without classes": "<pre><code>"
    + lines_in(f"<span style='{OLD_CHROMA}'> {{n}}</span>{{text}}\n")
    + "</code></pre>",
    "old Chroma without classes, a table": "<table><tr><td><pre><code>"
    + "".join(f"<span style='{OLD_CHROMA}'>{n}\n</span>" for n in "1234")
    + f"</code></pre></td>\n<td><pre><code>{ESCAPED}</code></pre></td></tr></table>",
    "numbers that cannot be selected": in_pre("<span style=-webkit-user-select:none>{n}</span>{text}"),
    "numbers that cannot be selected, a class": in_pre("<span class=select-none>{n} </span>{text}"),
    "numbers aligned to the right": in_pre("<span style=text-align:right>{n}</span>{text}"),
    "plain numbers in a cell": f"<table><tr><td>1<br>2<br>3<br>4</td><td><pre>{ESCAPED}</pre></td></tr></table>",
    "plain numbers in a pre in a cell": f"<table><tr><td><pre>{NUMBERS}</pre></td><td><div>"
    f"<pre>{ESCAPED}</pre></div></td></tr></table>",
    "a row for each line, unselectable numbers": "<table>"
    + lines_in("<tr><td style='user-select: none'>{n}</td><td><pre>{text}</pre></td></tr>")
    + "</table>",
    "numbers beside a pre": f"<div class=flex><pre>{NUMBERS}</pre><pre>{ESCAPED}</pre></div>",
    "numbers in a box beside a pre": f"<div class=flex><div class=gutter><pre>{NUMBERS}</pre></div>"
    f"<div><pre>{ESCAPED}</pre></div></div>",
    "numbers in code beside code": f"<pre><code style='float:left;padding-right:10px'>{NUMBERS}</code>"
    f"<code>{ESCAPED}</code></pre>",
    "numbers in data": in_pre("<span data-line-number={n}></span>{text}"),
    "numbers in data, shown": in_pre("<span data-line-number={n}>{n}</span>{text}"),
    "numbers in other data": in_pre("<span data-lineno={n}>{n}</span>{text}"),
    "numbers with a point": in_pre("<span class=lineno>{n}.</span>{text}"),
    "numbers with a bar": in_pre("<span style=user-select:none>{n} | </span>{text}"),
    "a column that cannot be selected": "<div style='display:flex'><div style='user-select:none'>1<br>2<br>3<br>4</div>"
    f"<pre>{ESCAPED}</pre></div>",
    "a column of spans": "<figure><div class=line-numbers>"
    "<span>1</span><span>2</span><span>3</span><span>4</span></div>"
    f"<pre>{ESCAPED}</pre></figure>",
    "Vim": in_pre("<span class=LineNr>{n} </span>{text}"),
    "javadoc": in_pre("<span class=source-line-no>00{n}</span><span id=line-{n}>{text}</span>"),
    "style": f"<div><code style='white-space: pre'>\n{ESCAPED}\n</code></div>",
    "line breaks": "<p><code>" + ESCAPED.replace("    ", "&nbsp; &nbsp; ").replace("\n", "<br>") + "</code></p>",
    "textarea": f"<textarea name=code class=py>{ESCAPED}</textarea>",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_listing_is_its_lines(shape):
    page = f"<p>before</p>{SHAPES[shape]}<p>after</p>"
    language = "c" if shape == "Hexo" else ""
    assert render(page, "markdown") == f"before\n\n```{language}\n{CODE}\n```\n\nafter"
    assert render(page, "text") == f"before\n\n{CODE}\n\nafter"
    inner = f'<code class="language-c">{ESCAPED}</code>' if language else ESCAPED
    assert render(page, "html") == f"<p>before</p>\n<pre>{inner}</pre>\n<p>after</p>"


@pytest.mark.parametrize("shape", SHAPES)
def test_a_listing_is_one_block(shape):
    extractor = PageExtractor("all")
    extractor.extract(f"<p>before</p>{SHAPES[shape]}<p>after</p>".encode())
    assert [block.kind for block in extractor.blocks()] == ["paragraph", "preformatted", "paragraph"]


@pytest.mark.parametrize(
    "html",
    [
        "<pre><code>a</code><div class=copy><button>Copy</button></div></pre>",  # highlight.js
        (
            "<div class=code-toolbar><pre><span>a</span></pre><div class=toolbar><div><span>Python</span></div>"
            "<div><button><span>Copy</span></button></div></div></div>"
        ),
        "<div><button class=copy></button><span class=lang>python</span><pre>a</pre></div>",  # VitePress
        "<div class=example><div class=header><span>js</span><button>Copy</button></div><pre>a</pre></div>",  # MDN
        "<pre><code><div class=code__header><span>bash</span><button></button></div><div>a</div></code></pre>",
        "<pre><span class=tooltip>number: a</span><span>a</span></pre>",
        "<div><div><div><pre>a</pre></div></div><div role=button>复制</div></div>",
    ],
)
def test_labels_and_buttons_of_a_listing_are_no_text(html):
    page = f"<p>before</p>{html}<p>after</p>"
    text = render(page, "text")
    assert text == "before\n\na\n\nafter"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div><p>Python</p><pre>a</pre></div>", "Python\n\na"),  # what a paragraph or heading says is text
        ("<div><h3>Python</h3><pre>a</pre></div>", "Python\n\na"),
        ("<div><div class=title>config.py</div><pre>a</pre></div>", "config.py\n\na"),
        (("<div><span>Python is a language in which this is written as follows, and it is read aloud</span>"
            "<pre>a</pre></div>"),
         "Python is a language in which this is written as follows, and it is read aloud\n\na"),
        ("<div><div>Python</div>is<pre>a</pre></div>", "Python\n\nis\n\na"),
        ("<pre><span>copy</span> a b</pre>", "copy a b"),
        ("<pre><p>one</p><p>two</p></pre>", "one\n\ntwo"),  # paragraphs, not lines
        ("<pre>A <b>poem</b>\n  of <i>two</i> lines</pre>", "A poem\n  of two lines"),
        ("<table><tr><td>1<td>a b<tr><td>2<td>c d</table>", "1\ta b\n2\tc d"),
        ("<table><tr><th>n<th>code<tr><td>1<td><code>x</code></table>", "n\tcode\n1\tx"),
        ("<ol><li>one<li>two</ol>", "one\ntwo"),
        ("<p>It is <code>a b</code>, so.", "It is a b, so."),
        ("<table><tr><td>1 2 3<td>a b</table>", "1 2 3\ta b"),
        ("<table><tr><td>1<td><pre>a</pre></table>", "1\ta"),
        ("<textarea>typed\ntext</textarea><p>a", "a"),
        ("<textarea name=code hidden>typed\ntext</textarea><p>a", "a"),
    ],
)  # fmt: skip
def test_what_is_no_part_of_a_listing_is_text(html, text):
    assert render(html, "text") == text


@pytest.mark.parametrize(
    "code",
    [
        "<pre>10 PRINT\n20 GOTO 10</pre>",
        "<pre><span style='color:#ae81ff'>1</span>, <span style='color:#ae81ff'>2</span>\n3, 4</pre>",
        "<pre><span class=mi>1</span><span>,a</span>\n<span class=mi>2</span><span>,b</span></pre>",
        "<pre class='line-numbers language-none'><code>42</code></pre>",
        "<pre><code class=line-numbers>42</code></pre>",
        "<pre>1\n2\n3</pre>",
        "<pre><span data-line-number=1>42</span>\n<span data-line-number=2>43</span></pre>",
        "<pre><span style='user-select:all'>1</span>\n<span style='user-select: auto'>2</span> a</pre>",
        "<pre>x = <span style='margin-right:1em'>1</span>\ny = 2</pre>",
        "<pre><span style='user-select:none'>$ </span>ls -1</pre>",
        "<table><tr><td class=code><pre>1\n2</pre></td></tr></table>",
    ],
)
def test_code_that_is_numbers_keeps_them(code):
    assert render(code, "text") == re.sub("<[^>]*>", "", code)


@pytest.mark.parametrize(
    "page",
    [
        "<div class=flex><pre>1\n2\n3</pre><pre>a\nb</pre></div>",  # other lines
        "<div><pre>1\n2\n3</pre><pre>2\n4\n6</pre></div>",  # nothing says that they are side by side
        "<div class=flex><div><h4>In</h4><pre>1\n2\n3</pre></div><div><h4>Out</h4><pre>2\n4\n6</pre></div></div>",
        "<div class=flex><pre>1\n2\n4</pre><pre>a\nb\nc</pre></div>",  # no counting
    ],
)
def test_numbers_near_a_pre_are_not_always_its_own(page):
    assert "1\n2\n" in render(page, "text")


def test_code_in_a_cell_keeps_its_lines():
    html = "<table><tr><th>a<th>b<tr><td><pre>\nx  y\n\n  z\n</pre><td><pre><code>u|v\nw</code></pre></table>"
    assert render(html, "markdown").endswith("| `x y`<br>`z` | `u\\|v`<br>`w` |")


@pytest.mark.parametrize("length", [1, 3, 31, 32, 300])
def test_a_fence_is_longer_than_all_runs_in_it(length):
    run, fence = "`" * length, "`" * max(3, length + 1)
    assert render(f"<pre>a\n{run}\n  b</pre>", "markdown") == f"{fence}\na\n{run}\n  b\n{fence}"


def test_code_among_text_in_pre_is_several_listings():
    html = "<pre>one<code>a\nb</code>two<div>three<code>c</code></div></pre>"
    assert render(html, "markdown") == "one\n\n```\na\nb\n```\n\ntwo\n\nthree\n\n```\nc\n```"


@pytest.mark.parametrize(
    ("html", "language"),
    [
        (("<table class=lntable><tr><td><pre class=x><code><span class=lnt>1</span></code></pre><td><pre>"
            "<code class=language-go>a</code></pre></table>"), "go"),
        (("<table class=lntable><tr><td><pre class=x><code>" + "".join(f"<span class=lnt>{n}</span>" for n in range(40))
            + "</code></pre><td><pre><code class=language-go>a</code></pre></table>"), "go"),
        (("<figure><pre><code class=language-c data-lang=c><table><tr><td class=gutter><pre>1</pre>"
            "<td class=code><pre>a</pre></table></code></pre></figure>"), "c"),
        ("<code class='hl lean block'><span>a</span></code>", "lean"),  # Verso
        ("<pre><div><div>Rust</div><button>Copy</button></div><div>a</div></pre>", "rust"),  # only a label says it
        (("<div class=language-python><table><tr><td class=linenos>1<td class=code><pre>a</pre></table>"
            "</div>"), "python"),
        ("<pre><div><div>Plain text</div><button>Copy</button></div><div>a</div></pre>", ""),
        ("<pre class='rust rust-example-rendered'><code>a</code></pre>", "rust"),  # rustdoc
        ("<pre class=javascript>a</pre>", "javascript"),  # GeSHi
        ("<pre><code class=python>a</code></pre>", "python"),
        ("<pre class=gatsby-code-jsx><code class=gatsby-code-jsx>a</code></pre>", "jsx"),
        ("<pre class='sp-cm sp-pristine sp-javascript flex'>a</pre>", "javascript"),  # Sandpack
        ("<pre><code class=lang-auto>a</code></pre>", ""),  # Discourse
        ("<pre><code class=language-undefined>a</code></pre>", ""),
        ("<div class=highlight-wrap><pre>a</pre></div>", ""),
        ("<pre class=go>a</pre>", ""),  # two letters: more likely generated
        ("<pre class='python dark-theme x'>a</pre>", ""),
        ("<pre class=fancy>a</pre>", ""),
    ],
)  # fmt: skip
def test_language_of_a_listing(html, language):
    assert render(html, "markdown") == f"```{language}\na\n```"


@pytest.mark.parametrize("extractor", ["all", "thresher"])
def test_a_listing_without_words_is_kept_if_the_extractor_keeps_it(extractor):
    prose = "<p>" + "The arrow below points to what is meant, and says nothing else. " * 3 + "</p>"
    assert render(f"{prose}<pre>---&gt;</pre>{prose}", "text", extractor).count("--->") == 1
    assert render("<pre>---&gt;</pre>", "text") == "--->"


@pytest.mark.parametrize(
    ("listing", "code"),
    [
        ('make <span class="nb">run</span>-docker', "make run-docker"),  # Pygments
        ('df<span class="o">.</span><span class="n">copy</span><span class="p">()</span>', "df.copy()"),
        ('x.<a class=auto href=y><span class="n">copy</span></a>()', "x.copy()"),
        ('<span class="hljs-keyword">docker</span> <span class="hljs-built_in">run</span> x', "docker run x"),
        ('<span class="token function">run</span> x', "run x"),  # Prism
        ('<span style="color:#f00">docker</span><span style="color:#0f0"> run</span>', "docker run"),  # Shiki
        ('<span class="copy-btn">Copy</span>code', "code"),
        ('<span class="btn" style="float:right">Copy</span>code', "code"),
        ("<button class=n>Run</button>code", "code"),
    ],
)
def test_a_word_of_code_is_no_button(listing: str, code: str) -> None:
    assert render(f"<pre>{listing}</pre>", "text") == code

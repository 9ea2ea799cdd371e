# SPDX-License-Identifier: Apache-2.0
"""What a reader clicks on is no text: tabs, edit links, a heading's link to itself; and what becomes of headings."""

import pytest

from thresher.page.page_extractor import PageExtractor


def render(html: str, format: str = "markdown", extractor: str = "all") -> str:  # noqa: A002
    return PageExtractor(extractor, format=format).extract(f"<!doctype html><body>{html}".encode()).decode()


@pytest.mark.parametrize(
    "tabs",
    [
        '<ul role="tablist" class="tabs"><li role="tab">Linux</li><li role="tab">macOS</li></ul>',  # Docusaurus
        '<ul class="nav nav-tabs" role="tablist"><li><a role="tab" href="#l">Linux</a></li></ul>',  # Bootstrap
        '<div class="sphinx-tabs"><div role="tablist"><button role="tab">Linux</button></div></div>',  # Sphinx
        '<div class="tabbed-labels"><label for="t_1">Linux</label><label for="t_2">macOS</label></div>',  # Material
        '<div><input type="radio"><label class="sd-tab-label" for="t">\nLinux</label></div>',  # Sphinx-design
        '<div class="vp-code-group"><div class="tabs"><input><label>Linux</label></div></div>',  # VitePress
    ],
)
@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_the_names_of_tabs_are_left_out(tabs, format):  # noqa: A002
    with_tabs = render(f"<p>a</p>{tabs}<div role=tabpanel><p>b</p></div>", format)
    assert with_tabs == render("<p>a</p><div role=tabpanel><p>b</p></div>", format)


@pytest.mark.parametrize(
    "prompt",
    [
        '<div class="prompt highlight-none"><div><pre><span></span>[1]:\n</pre></div></div>',  # nbsphinx
        '<div class="prompt input_prompt">In&nbsp;[12]:</div>',  # nbconvert
        '<div class="jp-OutputPrompt jp-OutputArea-prompt">Out[ ]:</div>',
        '<div class="jp-InputPrompt">In [*]:</div>',
    ],
)
@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_the_numbers_of_a_notebook_are_left_out(prompt, format):  # noqa: A002
    assert render(f"<p>a</p>{prompt}<pre>b</pre>", format) == render("<p>a</p><pre>b</pre>", format)


@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_the_link_beside_a_heading_is_left_out(format):  # noqa: A002
    link = '<a class="sl-anchor-link" href="#a"><svg></svg><span class="sr-only">Section titled A</span></a>'
    assert render(f"<div><h2 id=a>A</h2>{link}</div><p>b", format) == render("<h2>A</h2><p>b", format)


def test_the_link_of_a_term_or_caption_to_itself_is_left_out():
    link = '<a class="headerlink" href="#a" title="Link to this definition">¶</a>'
    terms = f"<dl><dt id=a><code>--save</code>{link}</dt><dd>Save.</dd></dl><p class=caption>A plan{link}</p>"
    assert render(terms) == "`--save`\n: Save.\n\nA plan"
    assert render(f"<h2 id=a>A{link}</h2>b") == "## A\n\nb"


def test_an_outline_that_a_script_fills_has_no_heading():
    text = (
        "<p>The committee met in the school kitchen, and most of the village came to hear what it had decided.</p>" * 3
    )
    page = "<h1>A town and its mill</h1><nav><h2>In this article</h2>{}</nav>" + text
    for extractor in ("density", "thresher"):
        assert "In this article" not in render(page.format(""), extractor=extractor)
    assert render(page.format("<p>c</p>"), extractor="density").count("In this article") == 1
    assert render(page.format("")).count("In this article") == 1  # all blocks are all blocks


@pytest.mark.parametrize("text", ["In [1]: x", "In", "[x]:", "[1]::", "Input[1]:", "[1", ""])
def test_other_prompts_are_text(text):
    assert render(f"<p>a</p><div class=prompt>{text}</div>", "text") == f"a\n\n{text}".strip()


@pytest.mark.parametrize(
    "html",
    [
        "<div role=tablist><h3 role=tab>Why?</h3><div role=tabpanel><p>Because.</p></div></div>",  # accordions
        "<div role=tablist><div><div role=tab>Why?</div><div role=tabpanel>Because.</div></div></div>",
        "<div role=tablist><div role=tab><h4>Why?</h4></div></div>Because.",
        "<div role=tablist>Why?</div><p>Because.",  # without a tab
        "<ul class=tabs><li>Why?</ul>Because.",
        "<div role=tablist><p role=tab>Why?</p></div>Because.",
        "<div role=tablist>" + "<i role=tab></i>" * 300 + "Why?</div>Because.",
    ],
)
def test_what_only_looks_like_tabs_is_kept(html):
    text = render(html, "text")
    assert "Why?" in text
    assert "Because." in text


EDIT = '<span class="mw-editsection"><span>[</span><a href="/e">edit</a><span>]</span></span>'


@pytest.mark.parametrize(
    "heading",
    [
        f'<h2><span class="mw-headline" id="History">History</span>{EDIT}</h2>',
        f'<div class="mw-heading mw-heading2"><h2 id="History">History</h2>{EDIT}</div>',
        '<h2><span class="editsection">[<a href="/e">bearbeiten</a>]</span> <span>History</span></h2>',
    ],
)
def test_edit_links_are_left_out(heading):
    assert render(f"<p>a</p>{heading}<p>b</p>") == "a\n\n## History\n\nb"
    assert render(f"<p>a</p>{heading}<p>b</p>", "text") == "a\n\nHistory\n\nb"
    assert render(f"<p>a</p>{heading}<p>b</p>", "html") == "<p>a</p>\n<h2>History</h2>\n<p>b</p>"


@pytest.mark.parametrize(
    "heading",
    [
        '<h2>a b <div id="x" class="anchor"></div><span><a href="#x" aria-label="Anchor">#</a></span></h2>',  # Blowfish
        '<h2 id="x">a b <a href="#x">#</a></h2>',
        '<h2 id="x"><a href="#x">§</a> a b</h2>',
        '<section id="x"><h2>a b<a href="#x">¶</a></h2></section>',
        '<h2><a id="x" href="#x">🔗</a> a b</h2>',
    ],
)
def test_a_link_to_the_id_of_its_heading_is_left_out(heading):
    assert render(f"<p>c</p>{heading}<p>d</p>") == "c\n\n## a b\n\nd"
    assert render(f"<p>c</p>{heading}<p>d</p>", "text") == "c\n\na b\n\nd"


def test_a_heading_of_several_blocks_is_one_heading():
    page = "<h2>One<br><br>two<div>three</div></h2><p>x</p>"
    assert render(page) == "## One two three\n\nx"
    assert render(page, "html") == "<h2>One<br>two<br>three</h2>\n<p>x</p>"


def test_two_headings_stay_two_and_an_open_one_is_not_taken_for_all_that_follows():
    assert render("<h2>One</h2><h2>two</h2>") == "## One\n\n## two"
    assert render("<h2>One" + "<div>" + "words " * 20 + "</div>" + "<div>" + "more " * 40).count("## ") == 3


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<div role="heading" aria-level="3">a</div><p>b', "### a\n\nb"),
        ('<p role="heading" aria-level="1">a</p><p>b', "# a\n\nb"),
        ('<div role="heading">a</div><p>b', "a\n\nb"),
        ('<div role="heading" aria-level="7">a</div><p>b', "a\n\nb"),
        ('<div role="heading" aria-level="2"><h3>a</h3></div><p>b', "### a\n\nb"),
        ('x <span role="heading" aria-level="2">a</span> y', "x a y"),
    ],
)
def test_the_role_of_a_heading(html, expected):
    assert render(html) == expected


ARTICLE = "".join(
    f"<h2 id=s{n}>Part {n}</h2><p>{'The wheel turned slowly in the evening wind. ' * 12}</p>" for n in range(4)
)
ENTRIES = "<ul>" + "".join(f"<li><a href=#s{n}>Part {n}</a>" for n in range(4)) + "</ul>"


@pytest.mark.parametrize("label", ["<h2>Contents</h2>", "<div>Auf dieser Seite</div>"])
def test_the_label_of_contents_goes_with_them(label):
    page = f"<article><h1>The wheel</h1>{label}{ENTRIES}{ARTICLE}</article>"
    words = label[label.index(">") + 1 : label.rindex("<")]
    text = render(page, "text", "thresher")
    assert "Part 1\n\nThe wheel turned" in text
    assert (words in text) == ("Part 1\nPart 2" in text)
    assert words in render(page, "text")


def test_a_heading_over_links_and_text_stays():
    """The next heading is of a lower level: the first one heads it too."""
    sub = ARTICLE.replace("h2", "h3")
    page = f"<article><h1>The wheel</h1><h2>Questions</h2>{ENTRIES}{sub}</article>"
    assert "Questions" in render(page, "text", "thresher")

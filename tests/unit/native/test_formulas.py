# SPDX-License-Identifier: Apache-2.0
"""Formulas as TeX, from each way in which pages show them; each comes out once."""

import subprocess
import sys

import pytest

import thresher
from thresher.page.page_extractor import PageExtractor


def render(body: str, format: str = "text", head: str = "", **options: str) -> str:  # noqa: A002
    page = f"<!doctype html><head>{head}</head><body>{body}</body>"
    return PageExtractor("all", format=format, **options).extract(page.encode()).decode()


def math(tokens: str, attributes: str = "") -> str:
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"{attributes}>{tokens}</math>'


def annotated(tex: str, attributes: str = "") -> str:
    return math(
        f'<semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">{tex}</annotation></semantics>',
        attributes,
    )


def katex(tex: str, attributes: str = "") -> str:
    return (
        f'<span class="katex"><span class="katex-mathml">{annotated(tex, attributes)}</span>'
        '<span class="katex-html" aria-hidden="true"><span class="base">twin</span></span></span>'
    )


def table(*rows: str, **attributes: str) -> str:
    """A table of MathML with a letter in each cell."""
    cells = ("".join(f"<mtd><mi>{letter}</mi></mtd>" for letter in row) for row in rows)
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<mtable{given}>" + "".join(f"<mtr>{row}</mtr>" for row in cells) + "</mtable>"


MATHJAX = '<script src="https://cdn.example/mathjax@3/es5/tex-chtml.js"></script>'
ASCIIMATH = '<script src="https://cdn.example/MathJax.js?config=TeX-MML-AM_CHTML"></script>'
WIKIPEDIA = (
    '<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;">'
    + math("<mi>s</mi>", ' alttext="{\\displaystyle \\sigma ^{2}}"')
    + '</span><img class="mwe-math-fallback-image-inline" src="/media/math/render/svg/a" '
    'alt="{\\displaystyle \\sigma ^{2}}"></span>'
)


MATHJAX_2 = (
    '<span class="MathJax_Preview">twin</span><span class="MathJax" id="MathJax-Element-1-Frame">twin</span>'
    '<script type="math/tex" id="MathJax-Element-1">x</script>'
)
MATHJAX_3 = (
    '<mjx-container class="MathJax"><mjx-math aria-hidden="true"><mjx-c class="mjx-c1D438"></mjx-c></mjx-math>'
    f"<mjx-assistive-mml>{math('<mi>E</mi>')}</mjx-assistive-mml></mjx-container>"
)
CODECOGS = '<img src="//latex.codecogs.com/gif.latex?x^2">'


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (katex("E=mc^2"), "$E=mc^2$"),
        (annotated("E=mc^2"), "$E=mc^2$"),
        (math("<mi>E</mi>", ' alttext="E=mc^2"'), "$E=mc^2$"),
        (WIKIPEDIA, "$\\sigma ^{2}$"),
        ('<script type="math/tex">E=mc^2</script>', "$E=mc^2$"),
        (MATHJAX_2, "$x$"),
        ('<span class="math-inline" data-math="x \\to y"><span class="katex-html">t</span></span>', "$x \\to y$"),
        ('<span data-latex="\\frac12">half</span>', "$\\frac12$"),
        ('<img class="latex" src="//s0.wp.com/latex.php?latex=A%2C+B&amp;bg=f" alt="A, B">', "$A, B$"),
        ('<img src="https://latex.codecogs.com/gif.latex?Q_{3}&amp;space;=&amp;space;1">', "$Q_{3} = 1$"),
        ('<img src="https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D" alt="equation">', "$\\frac{a}{b}$"),
        ('<img src="https://chart.apis.google.com/chart?cht=tx&amp;chl=%5Calpha%2B%5Cbeta">', "$\\alpha+\\beta$"),
        ('<img src="https://example.com/cgi-bin/mimetex.cgi?x^2">', "$x^2$"),
        ('<img src="https://example.com/formula/%5Cfrac%7Bm%7D%7Bv%7D">', "$\\frac{m}{v}$"),
        ('<img src="a.gif" alt="\\alpha" class="tex">', "$\\alpha$"),
        ('<img src="a.gif" alt="\\alpha" class="img-fluid latex">', "$\\alpha$"),
        ('<img src="a.png" alt="\\frac{a}{b} = c_1">', "$\\frac{a}{b} = c_1$"),
        ('<img src="a.png" alt="$\\frac{a}{b}$">', "$\\frac{a}{b}$"),
        ('<img src="a.png" alt="$x$">', "$x$"),
        ('<img src="a.png" alt="\\(E = mc^2\\)">', "$E = mc^2$"),
        ('<img src="a.png" alt="\\operatorname{fn}(x,y) = \\exp(x) - \\log(y)">',
            "$\\operatorname{fn}(x,y) = \\exp(x) - \\log(y)$"),
        ('<img src="a.png" alt="speed = \\frac{distance}{time}">', "$speed = \\frac{distance}{time}$"),
        ('<img src="a.png" alt="x = 1 \\text{ if it is so, and } 2 \\text{ otherwise}">',
            "$x = 1 \\text{ if it is so, and } 2 \\text{ otherwise}$"),
        ('<img src="a.png" alt="f:\\mathbb{R} \\to \\mathbb{R}, \\quad \\sin x">',
            "$f:\\mathbb{R} \\to \\mathbb{R}, \\quad \\sin x$"),
        ('<img src="//www.zhihu.com/equation?tex=a%2Bb" alt="[\u516c\u5f0f]">', "$a+b$"),
        ('<img src="https://latex.codecogs.com/png.latex?%5Cinline%20%5Cdpi%7B150%7D%20%5Cfrac12">', "$\\frac12$"),
        ('<img src="a.png" data-tex="\\frac12" alt="one half">', "$\\frac12$"),
        ('<img src="https://latex.codecogs.com/svg.latex?x^2" alt="The area of a square">', "$x^2$"),
        ('<img src="https://s0.wp.com/latex.php?latex=%5Calpha&amp;bg=ffffff" alt="the Greek letter">', "$\\alpha$"),
        (f"{CODECOGS}<noscript>{CODECOGS}</noscript>", "$x^2$"),
        (MATHJAX_3, "$E$"),
        ('<span class="math notranslate">\\(E=mc^2\\)</span>', "$E=mc^2$"),
        ('<span class="arithmatex">\\(E=mc^2\\)</span>', "$E=mc^2$"),
        ('<span class="math">\\frac{a}{b}</span>', "$\\frac{a}{b}$"),
        ('<math-renderer class="js-inline-math">$x$</math-renderer>', "$x$"),
    ],
)  # fmt: skip
def test_a_formula_in_a_sentence(shown, expected):
    for format in ("text", "markdown"):  # noqa: A001
        assert render(f"<p>Here {shown} is one.</p>", format) == f"Here {expected} is one."
    html = render(f"<p>Here {shown} is one.</p>", "html")
    assert html == f'<p>Here <span class="math">{expected}</span> is one.</p>'


@pytest.mark.parametrize(
    "shown",
    [
        f'<p><span class="katex-display">{katex("x_1 &amp; y", " display=block")}</span></p>',
        f"<p>{annotated('x_1 &amp; y', ' display=block')}</p>",
        f"<div>{katex('x_1 &amp; y')}</div>",
        '<script type="math/tex; mode=display">x_1 & y</script>',
        '<div class="math notranslate">\n\\[x_1 &amp; y\\]</div>',
        '<div class="math">x_1 &amp; y</div>',
        "<p>$$x_1 &amp; y$$</p>",
        "</p>\n\\[x_1 &amp; y\\]\n<p>",
    ],
)
def test_a_display_stands_on_lines_of_its_own(shown):
    assert render(f"<p>Before.</p>{shown}<p>After.</p>") == "Before.\n\n$$\nx_1 & y\n$$\n\nAfter."


def test_a_display_within_a_paragraph():
    shown = f'So <span class="katex-display">{katex("a", " display=block")}</span> holds.'
    assert render(f"<p>{shown}") == "So\n$$\na\n$$\nholds."
    assert render(f"<ul><li>{shown}</ul>", "markdown") == "- So\n  $$\n  a\n  $$\n  holds."
    assert render(f"<table><tr><th>a<th>b<tr><td>c<td>{shown}</table>", "markdown").endswith(
        "| c | So $$ a $$ holds. |"
    )
    assert render(f"<table><tr><th>a<th>b<tr><td>c<td>{shown}</table>").endswith("c\tSo $$ a $$ holds.")


def test_a_line_of_a_display_never_begins_a_list_or_a_heading():
    for tex, expected in (("a\n= b\n- c\n&amp; d", "$$\na = b - c\n& d\n$$"), ("- c", "$$- c\n$$")):
        assert render("<p>" + annotated(tex, " display=block"), "markdown") == expected


def test_formulas_are_not_escaped_but_no_tag_comes_out_of_them():
    assert render("<p>It is \\(a_1 * b_2 * c_3\\) *", "markdown") == "It is $a_1 * b_2 * c_3$ \\*"
    assert render("<p>It is \\(x_1&lt;script>\\)", "markdown") == "It is $x_1< script>$"
    assert render("<p>It is \\(a_1|b\\)", "html") == '<p>It is <span class="math">$a_1|b$</span></p>'


def test_a_formula_on_display_says_so_in_html():
    page = '<p>It is</p><math display=block alttext="x"><mi>x</mi></math><p>then.</p>'
    assert '<span class="math display">$$ x $$</span>' in render(page, "html").replace("\n", " ")
    assert "span" not in render("<p>A price of $5 and $10.</p>", "html")


def test_two_formulas_side_by_side_stay_two():
    assert render(f"<p>{katex('a')}{katex('b')}") == "$a$ $b$"
    assert render(f"<p>{katex('a')}{katex('b')}", "markdown") == "$a$ $b$"


def test_an_address_that_is_no_utf_8_holds_no_formula():
    for address in ("https://latex.codecogs.com/gif.latex?x^2%FF", "https://example.com/f?a=x%C3%5Cfrac12"):
        assert render(f'<p>So <img src="{address}"> it is.') == "So it is."
    assert render('<p>So <img src="https://latex.codecogs.com/gif.latex?%C3%A9^2"> it is.') == "So $\u00e9^2$ it is."


def test_comments_and_line_breaks_of_tex():
    for tex, expected in (
        ("a % first\n\n + 5\\%  b", "$a + 5\\% b$"),
        ("20% of x^2", "$20% of x^2$"),  # no line ends, so nothing would be left
        ("a % one\n + b % two", "$a + b % two$"),
        ("a \\\\% one\n b", "$a \\\\ b$"),  # a line break, then a comment
        ("a \\", "$a \\ $"),
    ):
        assert render("<p>So " + annotated(tex) + " it is.") == f"So {expected} it is."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("is \\(x\\), so", "is $x$, so"),
        ("is $x_1$ and $\\alpha$.", "is $x_1$ and $\\alpha$."),
        ("is $$x_1$$ here", "is $x_1$ here"),
        ("is \\[x_1\\] here", "is\n$$\nx_1\n$$\nhere"),
        ("a \\begin{align} x &amp;= 1 \\end{align} b", "a\n$$\n\\begin{align} x &= 1 \\end{align}\n$$\nb"),
        ("a \\begin{quote} x &amp;= 1 \\end{quote} b", "a \\begin{quote} x &= 1 \\end{quote} b"),
        ("the value is \\(x<br>+ y<!-- c -->_1\\) so", "the value is $x + y_1$ so"),
        ("the value is \\(x<b>+ y</b>\\) so", "the value is \\(x+ y\\) so"),
        ("costs $12 and a meal $30", "costs $12 and a meal $30"),
        ("$5 and another of $10", "$5 and another of $10"),
        ("from $5-$10 to US$20 or US$30", "from $5-$10 to US$20 or US$30"),
        ("paid $5 (about 3 euros) or so$", "paid $5 (about 3 euros) or so$"),
        ("the $PATH and the $HOME/user_name variables", "the $PATH and the $HOME/user_name variables"),
        ("\\[citation needed\\] by \\(some one\\)", "\\[citation needed\\] by \\(some one\\)"),
        ("<code>\\(x_1\\) $x_1$</code>", "\\(x_1\\) $x_1$"),
        ("\\\\(x_1\\\\)", "\\\\(x_1\\\\)"),
        ("open \\(x_1 and \\[ and $$ x_1", "open \\(x_1 and \\[ and $$ x_1"),
    ],
)
def test_delimiters_in_the_text(text, expected):
    assert render(f"<p>{text}</p>") == expected


def test_pages_that_load_mathjax_get_the_benefit_of_the_doubt():
    assert render("<p>Let $x$ be $2$ and \\(some one\\).", head=MATHJAX) == "Let $x$ be $2$ and $some one$."
    assert render("<p>Let \\(abcd\\) be.", head=MATHJAX, format="markdown") == "Let $abcd$ be."
    assert render("<p>Let \\(abcd\\) be.", format="markdown") == "Let \\\\(abcd\\\\) be."
    assert render("<p>Let \\(abcd\\) be.</p>" + MATHJAX) == "Let $abcd$ be."
    assert render("<p>costs $12 and a meal $30", head=MATHJAX) == "costs $12 and a meal $30"


def test_asciimath_keeps_its_backticks():
    assert render("<p>So `x^2 * y*` it is.", "markdown", head=ASCIIMATH) == "So `x^2 * y*` it is."
    assert render("<p>So `x^2 * y*` it is.", "markdown", head=MATHJAX) == "So \\`x^2 * y\\*\\` it is."


@pytest.mark.parametrize(
    ("tokens", "tex"),
    [
        ("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", "E=mc^2"),
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>", "\\frac{a}{b+1}"),
        ("<msqrt><mi>x</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt{x}\\sqrt[3]{x}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mrow><mn>2</mn><mi>k</mi></mrow></msubsup>", "x_i^{2k}"),
        ("<msub><mi>α</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub><mi>β</mi><mi>x</mi>", "\\alpha_{ij}\\beta x"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^2"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover>", "\\sum_{i=0}^n"),
        ("<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>x</mi>", "\\lim_{x\\to0}x"),
        ("<mi>sin</mi><mo>\u2061</mo><mi>x</mi>", "\\sin x"),
        ("<mover><mi>v</mi><mo stretchy='false'>→</mo></mover><mover><mi>n</mi><mo>^</mo></mover>", "\\vec{v}\\hat{n}"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", "\\overset{\\text{def}}{=}"),
        ("<munder><mover><mi>x</mi><mo>⏞</mo></mover><mi>n</mi></munder>", "\\overbrace{x}_n"),
        ("<munder><munder><mi>x</mi><mo>⏟</mo></munder><mi>n</mi></munder>", "\\underbrace{x}_n"),
        ("<mi mathvariant='double-struck'>R</mi><mi>ℝ</mi>", "\\mathbb{R}\\mathbb{R}"),
        ("<mi>𝐱</mi><mi mathvariant='normal'>d</mi>", "\\mathbf{x}\\mathrm{d}"),
        ("<mi>rate</mi><mo>≤</mo><mn>1.5</mn><mo>%</mo>", "\\mathrm{rate}\\le1.5\\%"),
        ("<mtext>if&nbsp;a_b</mtext><mspace width='1em'/><mi>x</mi>", "\\text{if a\\_b}\\quad x"),
        ("<mi>x</mi><mspace width='thickmathspace'/><mspace width='negativethinmathspace'/><mi>y</mi>", "x\\;\\!y"),
        (f"<mo>(</mo>{table('ab', 'cd')}<mo>)</mo>", "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}"),
        (f"<mrow><mo>{{</mo>{table('ab', 'cd')}</mrow>", "\\begin{cases} a & b \\\\ c & d \\end{cases}"),
        (table("ab", "cd", columnalign="right left"), "\\begin{aligned} a & b \\\\ c & d \\end{aligned}"),
        (table("ab", "cd"), "\\begin{matrix} a & b \\\\ c & d \\end{matrix}"),
        ("<mtable><mlabeledtr><mtd><mtext>(3)</mtext></mtd><mtd><mi>x</mi></mtd></mlabeledtr></mtable>", "x\\tag{3}"),
        ("<mo>(</mo><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>", "\\binom{n}{k}"),
        ("<mfenced open='[' close=')'><mi>a</mi><mi>b</mi></mfenced>", "\\left[a,b\\right)"),
        ("<mmultiscripts><mi>C</mi><mn>1</mn><none/><mprescripts/><mn>6</mn><mn>9</mn></mmultiscripts>", "{}_6^9C_1"),
        ("<menclose notation='updiagonalstrike'><mi>x</mi></menclose>", "\\cancel{x}"),
        ("<mphantom><mi>y</mi></mphantom>", "\\phantom{y}"),
        ("<maction actiontype='tooltip'><mi>a</mi><mtext>the side</mtext></maction>", "a"),
        ("<mo data-mjx-texclass='OPEN'>(</mo><mi>x</mi><mo data-mjx-texclass='CLOSE'>)</mo>", "\\left(x\\right)"),
        ("<mo>{</mo><mi>x</mi><mo>}</mo><mo>\\</mo><mo>&amp;</mo>", "\\{x\\}\\backslash\\&"),
        ("<mi>π<!-- π --></mi><mo>&lt;</mo><mi>漢</mi>", "\\pi<漢"),
    ],
)  # fmt: skip
def test_mathml_becomes_tex(tokens, tex):
    assert render(f"<p>So {math(tokens)} it is.") == f"So ${tex}$ it is."


def c(*codes: str) -> str:
    return "".join(f'<mjx-c class="mjx-c{code} TEX-I"></mjx-c>' for code in codes)


FRACTION = (
    f"<mjx-mfrac><mjx-frac><mjx-num><mjx-nstrut></mjx-nstrut><mjx-mi>{c('1D44E')}</mjx-mi></mjx-num>"
    f"<mjx-dbox><mjx-dtable><mjx-line></mjx-line><mjx-row><mjx-den><mjx-dstrut></mjx-dstrut><mjx-mi>{c('1D44F')}</mjx-mi>"
    "</mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac>"
)
SCRIPTS = (
    f"<mjx-msubsup><mjx-mi>{c('1D465')}</mjx-mi><mjx-script><mjx-mn>{c('32')}</mjx-mn><mjx-spacer></mjx-spacer>"
    f"<mjx-mi>{c('1D456')}</mjx-mi></mjx-script></mjx-msubsup>"
)
ROOT = (
    f"<mjx-msqrt><mjx-sqrt><mjx-surd><mjx-mo>{c('221A')}</mjx-mo></mjx-surd>"
    f"<mjx-box><mjx-mi>{c('1D465')}</mjx-mi></mjx-box></mjx-sqrt></mjx-msqrt>"
)


@pytest.mark.parametrize(
    ("shown", "tex"),
    [
        (
            f"<mjx-msup><mjx-mi>{c('1D450')}</mjx-mi><mjx-script><mjx-mn>{c('32')}</mjx-mn></mjx-script></mjx-msup>",
            "c^2",
        ),
        (FRACTION, "\\frac{a}{b}"),
        (SCRIPTS, "x_i^2"),
        (ROOT, "\\sqrt{x}"),
        (f"<mjx-mi>{c('73', '69', '6E')}</mjx-mi><mjx-mi>{c('1D465')}</mjx-mi>", "\\sin x"),
    ],
)
def test_what_mathjax_shows_becomes_tex(shown, tex):
    page = f'<mjx-container class="MathJax"><mjx-math aria-hidden="true">{shown}</mjx-math></mjx-container>'
    assert render(f"<p>So {page} it is.") == f"So ${tex}$ it is."


def test_the_svg_of_mathjax_becomes_tex():
    svg = (
        '<svg aria-hidden="true"><g><g data-mml-node="math"><g data-mml-node="msup"><g data-mml-node="mi">'
        '<use data-c="1D450"></use></g><g data-mml-node="mn"><path data-c="32" d="M0"></path></g></g></g></g></svg>'
    )
    assert render(f'<p>So <mjx-container class="MathJax" jax="SVG">{svg}</mjx-container> it is.') == "So $c^2$ it is."


def span(name: str, inside: str = "", style: str = "") -> str:
    return f'<span class="{name}" style="{style}">{inside}</span>'


def boxes(*shown: tuple[float, str]) -> str:
    """A list of KaTeX: what is shown, and how far above the line."""
    strut = span("pstrut", style="height:3em;")
    rows = (f'<span style="top:{-3 - top}em;">{strut}{one}</span>' for top, one in shown)
    return span("vlist-t", span("vlist-r", span("vlist", "".join(rows), "height:1em;")))


def ord_(text: str) -> str:
    return span("mord mathnormal", text)


def small(text: str) -> str:
    return span("sizing reset-size6 size3 mtight", ord_(text))


def matrix(*columns: str) -> str:
    lists = (boxes((1, ord_(column[0])), (-1, ord_(column[1]))) for column in columns)
    return span("mtable", "".join(span("col-align-c", one) for one in lists))


@pytest.mark.parametrize(
    ("shown", "tex"),
    [
        (span("mord", ord_("c") + span("msupsub", boxes((0.4, small("2"))))), "c^2"),
        (span("mord", ord_("x") + span("msupsub", boxes((-0.2, small("i")), (0.4, small("k"))))), "x_i^k"),
        (span("mfrac", boxes((-0.7, ord_("b")), (0.1, span("frac-line")), (0.7, ord_("a")))), "\\frac{a}{b}"),
        (span("mord sqrt", boxes((0, ord_("x")), (0, span("hide-tail")))), "\\sqrt{x}"),
        (span("mord accent", boxes((0, ord_("v")), (0, span("accent-body", "<svg></svg>")))), "\\vec{v}"),
        (span("mop op-limits", boxes((-1, small("i")), (0, span("mop", "∑")), (1, small("n")))), "\\sum_i^n"),
        (span("mop", span("mtight", "s") + "in") + ord_("x") + span("mrel", "="), "\\sin x="),
        (span("mord mathbb", "R") + span("mord text", span("mord", "if")), "\\mathbb{R}\\text{if}"),
        (
            span("minner", span("mopen", "(") + span("mord", matrix("ac", "bd")) + span("mclose", ")")),
            "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}",
        ),
    ],
)
def test_what_katex_shows_becomes_tex(shown, tex):
    page = span("katex", f'<span class="katex-html" aria-hidden="true">{span("base", shown)}</span>')
    assert render(f"<p>So {page} it is.") == f"So ${tex}$ it is."


def test_what_becomes_of_formulas_is_an_option():
    page = f"<p>So {katex('E=mc^2')} and \\(x_1\\) it is."
    assert render(page, formulas="tex") == "So $E=mc^2$ and $x_1$ it is."
    assert render(page, formulas="text") == "So E and \\(x_1\\) it is."
    assert render(page, formulas="drop") == "So and it is."
    assert thresher.extract(page, extractor="all", formulas="drop").text == "So and it is."
    with pytest.raises(ValueError, match="formulas must be one of tex, text, drop"):
        thresher.extract(page, formulas="latex")


def test_a_wrapper_around_several_formulas_is_no_formula():
    for formula, name in ((annotated, "math"), (katex, "katex-page"), (katex, "MathJax")):
        page = f'<div class="{name}"><p>First {formula("a")} then</p><p>{formula("b")} end</p></div>'
        assert render(page) == "First $a$ then\n\n$b$ end"


@pytest.mark.parametrize(
    "page",
    [
        '<span class="math">Mathematics</span>',
        '<a class="math" href=x>A + B</a>',
        '<img src="/chart?cht=bvs" alt="A chart">',
        '<img class="photo" src="/x.php?id=1" alt="\\o/">',
        '<img src="a.png" alt="C:\\Users\\alpha\\beta">',
        '<img src="a.png" alt="images\\alpha.png">',
        '<img src="a.png" alt="How to use \\textbf{bold} and \\alpha in a text">',
        '<img src="a.png" alt="The \\alpha channel">',
        '<img src="a.png" alt="Use \\alpha">',
        '<img src="a.png" alt="\\documentclass{article}">',
        '<img src="a.png" alt="\\d+\\.\\w*">',
        '<img src="a.png" alt="file_name_2.png">',
        '<img src="a.png" alt="x^2">',
        '<img class="latex-gloves" src="a.png" alt="Latex gloves">',
        '<img class="math" src="a.png" alt="Our math teacher">',
        '<img src="a.png" alt="\u516c\u5f0f\u7684\u8bf4\u660e">',
        '<span data-math="true">three</span>',
    ],
)
def test_words_about_mathematics_are_no_formula(page):
    assert "$" not in render(f"<p>See {page} now")


def test_a_title_keeps_its_delimiters():
    assert thresher.extract("<title>On \\(x_1\\) and more</title><p>a").title == "On \\(x_1\\) and more"


def test_the_text_of_a_node_has_a_formula_once():
    page_extractor = PageExtractor("all")
    page_extractor.extract(f"<h1>On {katex('x')}</h1>".encode())
    document = page_extractor.workspace.document
    assert [document.text(n) for n in range(document.n_nodes) if document.tag(n) == "h1"] == ["On $x$"]


def test_a_formula_between_two_kept_paragraphs_is_kept():
    """By itself a short formula in an odd place looks like chaff; it belongs to the sentence before it."""
    prose = "<p>The wheel turned slowly in the evening wind, and nobody came to see it turn.</p>" * 2
    formula = '<footer class="site-footer"><math display="block" alttext="x"><mi>x</mi></math></footer>'
    page = f"<!doctype html><title>t</title><article>{prose}{formula}{prose}</article>"
    assert "\n$$\nx\n$$\n" in (thresher.extract(page.encode(), format="markdown").text or "")


NESTED = (
    b"<msubsup><mi>x</mi><mi>i</mi>",
    b"<msup>",
    b"<mfrac><mn>1</mn>",
    b"<mroot><mi>x</mi>",
    b"<munderover><mo>\xe2\x88\x91</mo><mi>i</mi>",
    b"<mrow><mi>x</mi><mstyle>",
    b"<mtable><mtr><mtd>",
    b"<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd>",
    b"<mfenced><mi>x</mi>",
    b"<mrow><mo>{</mo><mtable><mtr><mtd>",
    b"<menclose notation=box>",
    b"<mphantom>",
    b"<mmultiscripts><mi>x</mi><mprescripts/><mi>a</mi>",
    b"<mjx-munderover><mjx-base><mjx-texatom>",
)

SMALL_STACK = """
import sys, threading
from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace
found = []
threading.stack_size(128 << 10)
workspace = Workspace(Document())
for page in sys.stdin.buffer:
    print(page[:60], flush=True)
    thread = threading.Thread(target=lambda: found.append(workspace.parse(page)))
    thread.start()
    thread.join()
    assert found.pop() is None
"""


def test_nested_formulas_fit_a_stack_of_128_kilobytes() -> None:
    pages = b"\n".join(b"<p>let <math>" + each * 160 + b"<mi>y</mi></math>" for each in NESTED)
    done = subprocess.run([sys.executable, "-c", SMALL_STACK], input=pages, capture_output=True, check=False)
    assert done.returncode == 0, f"exit {done.returncode} at the last of {done.stdout.decode()}{done.stderr.decode()}"
    assert len(done.stdout.splitlines()) == len(NESTED)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<p>We know [tex]a^2[/tex], [itex]b[/itex], [latex]c_1[/latex] and [math]d[/math].",
            "We know $a^2$, $b$, $c_1$ and $d$.",
        ),
        ("<p>[tex]a<br>b[/tex]</p>", "$$\na\nb\n$$"),
        ("<p>A [TEX]x[/TEX] in capitals", "A $x$ in capitals"),
        ("<p>See [1], [/tex] and [tex] and [latex]x[/tex].", "See [1], [/tex] and [tex] and [latex]x[/tex]."),
        ("<p>No [tex][/tex] formula.", "No [tex][/tex] formula."),
        ("<p>Then $latex n+1$ and $latex \\pi$ follow.", "Then $n+1$ and $\\pi$ follow."),
        ("<p>In <code>[tex]a[/tex]</code> as typed.", "In [tex]a[/tex] as typed."),
    ],
)
def test_tags_of_forums(body, text):
    assert render(body) == text


@pytest.mark.parametrize(
    ("math_element", "tex"),
    [
        ("<m:math><m:mi>a</m:mi><m:mo>+</m:mo><m:mi>b</m:mi></m:math>", "$a+b$"),
        ("<mml:math><mml:mfrac><mml:mn>1</mml:mn><mml:mn>2</mml:mn></mml:mfrac></mml:math>", "$\\frac{1}{2}$"),
        # HTML does not close <m:mspace/>: what follows is in it
        ("<m:math><m:mi>a</m:mi><m:mspace width='1em'/><m:mi>b</m:mi></m:math>", "$ab$"),
        ("<m:mathematics>plain</m:mathematics>", "plain"),
    ],
)
def test_math_elements_with_a_prefix(math_element, tex):
    assert render(f"<p>So {math_element} holds.") == f"So {tex} holds."


@pytest.mark.parametrize(
    "definitions",
    [
        r"\newcommand{\vecs}[1]{\overset{\scriptstyle \rightharpoonup}{\mathbf{#1}}}",
        r"\newcommand\R{\mathbb{R}} \renewcommand*{\S}[2][x]{#1\}#2}",
        r"\def\a#1#2{\mathit{#1}} \gdef\b{c}",
        r"\DeclareMathOperator{\Span}{span} \require{cancel}",
    ],
)
def test_definitions_show_nothing(definitions):
    assert render(rf"<p>\({definitions}\)</p><p>\[ {definitions} \]<p>Here \(x\) is.") == "Here $x$ is."
    assert render(f'<script type="math/tex">{definitions}</script><p>Words.') == "Words."
    assert render(f'<p><span class="math">{definitions}</span></p><p>Words.') == "Words."
    kept = rf"{definitions} x^2"
    assert render(rf"<p>\({kept}\)").endswith(" x^2$")


@pytest.mark.parametrize(
    "begun", [r"\newcommand{\a", r"\newcommand", r"\def\a", r"\newcommand{\a}[", r"\def{a}{b}", r"\let\a b"]
)
def test_what_is_no_whole_definition_stays(begun):
    assert "\\" in render(rf"<p>\({begun}\) words")

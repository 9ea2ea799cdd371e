# SPDX-License-Identifier: Apache-2.0
"""What each word by which pages mark a construct does, and that a word beside it does not do it."""

from collections.abc import Iterator
from functools import cache

import pytest
from word_rows import beside, of, rows_of

from thresher.native.constructs import construct_words as words
from thresher.native.constructs import tex_tables
from thresher.page.page_extractor import PageExtractor


@cache
def extractor(form: str) -> PageExtractor:
    return PageExtractor("all", format=form)


def render(body: str, form: str = "markdown") -> str:
    return extractor(form).extract(f"<!doctype html><body>{body}</body>".encode()).decode()


# For each key: a page with a word of its rows, and what shows that the word is understood.
CLASSES = {
    "number": ("<pre><code><span class='{}'>1</span>a\n<span class='{}'>2</span>b</code></pre>", "```\na\nb\n```"),
    "row": ("<div class='{}'><div>1\n2</div><pre>a\nb</pre></div>", "```\na\nb\n```"),
    "line": ("<pre><span class='{}'>a</span><span class='{}'>b</span></pre>", "```\na\nb\n```"),
    "code_cell": ("<table><tr><td class='{}'><div>a</div></table>", "```\na\n```"),
    "editor": ("<div class='{}'><div class=cm-line>a</div><div class=cm-line>b</div></div>", "```\na\nb\n```"),
    "measure": ("<pre class='{}'>x</pre>", ""),
    "numbered_code": ("<ol class='{}'><li>a<li>b</ol>", "```\na\nb\n```"),
    "popup": ("<pre><span>x</span><div class='{}'>tip</div></pre>", "```\nx\n```"),
    "block": ("a <code class='{}'>x</code> b", "a\n\n```\nx\n```\n\nb"),
    "label": ("<pre><code><span class='{}'>python</span>x</code></pre>", "```python\nx\n```"),
    "textarea": ("<textarea class='{}'>a\nb</textarea>", "```\na\nb\n```"),
    "token": ("<pre><code><span class='{}'>run</span> x</code></pre>", "```\nrun x\n```"),
    "edit": ("<p>a<span class='{}'>edit</span>", "a"),
    "tabs": ("<div class='{}'>One</div><p>a", "a"),
    "tab_group": ("<div class='{}'><div class=tabs>One</div><p>a</div>", "a"),
    "prompt": ("<div class='{}'>In [3]:</div><p>a", "a"),
    "anchor": ("<h2>Head <a class='{}' href=#x>¶</a></h2>", "## Head"),
    "callout": ("<div class='note {}'><p>a</div>", "> [!note]\n> a"),
    "callout_title": ("<div class='admonition tip'><p class='{}'>a<p>b</div>", "> [!tip] a\n> b"),
    "note": ("<p>a<span class='{}'>b</span> c", "a^[b] c"),
    "footnote": ("<p>a<input type=checkbox class=margin-toggle><span class='{}'>b</span> c", "a^[b] c"),
    "note_mark": ("<p>a<span class='{}'>b<span class=ltx_note_outer>c</span></span>", "ab"),
    "note_outer": ("<p>a<span class=ltx_role_footnotemark>b<span class='{}'>c</span></span>", "ab"),
    "note_number": ("<p>a<span class=sidenote><span class='{}'>7</span>b</span> c", "a^[b] c"),
    "note_toggle": ("<p>a<input type=checkbox class='{}'><span class=footnote>b</span> c", "a^[b] c"),
}  # fmt: skip
NUMBERED = "<pre><span style='{}'>1</span>a\n<span style='{}'>2</span>b</pre>"
STYLES = {
    "unselectable": (NUMBERED, "```\na\nb\n```"),
    "apart": (NUMBERED, "```\na\nb\n```"),
    "row": ("<div style='{}'><div>1\n2</div><pre>a\nb</pre></div>", "```\na\nb\n```"),
    "spaces": ("<code style='{}'>a\nb</code>", "```\na\nb\n```"),
}  # fmt: skip
MATH = "<math><mi>x</mi></math>"
FORMULA_CLASSES = {
    "part": (f"<p>a <span class='{{}}'>{MATH} twin</span>", "a $x$ twin"),
    "container": (f"<p>a <span class='{{}}'>{MATH} twin</span> b", "a $x$ b"),
    "twin": ("<p>a <span class='{}'>twin</span> <script type=math/tex>x</script>", "a $x$"),
    "math": ("<p>a <span class='{}'>x^2</span> b", "a $x^2$ b"),
}
ROW = "<div role=row><span role=cell>a</span><span role=cell>b</span></div>"
TABLE = "|  |  |\n| --- | --- |\n| a | b |\n| a | b |"
ROLES = {
    "table": (f"<div role={{}}>{ROW}{ROW}</div>", TABLE),
    "row": (f"<div role=table>{ROW}{ROW.replace('row', '{}')}</div>", TABLE),
    "cell": (f"<div role=table>{ROW}{ROW.replace('cell', '{}')}</div>", TABLE),
    "header": (f"<div role=table>{ROW.replace('cell', '{}')}{ROW}</div>", "| a | b |\n| --- | --- |\n| a | b |"),
    "tabs": ("<div role={}><span role=tab>One</span></div><p>a", "a"),
    "tab": ("<div role=tablist><span role={}>One</span></div><p>a", "a"),
    "heading": ("<div role={} aria-level=3>Head</div>", "### Head"),
}  # fmt: skip
# One table with one meaning.
TABLES = {
    "LANGUAGES": ("<pre><code><span class=lang>{}</span>(x)</code></pre>", "\n(x)\n"),
    "BUTTONS": ("<pre><code><span class=bbb>{}</span>(x)</code></pre>", "\n(x)\n"),
    "PERMALINKS": ("<h2>Head <a href=#x>{}</a></h2><p>b", "## Head\n\nb"),
    "HIGHLIGHTERS": ("<pre class='{} zig9'>x</pre>", "```zig9\n"),
    "FIGURE_HIGHLIGHTERS": ("<figure class='{} zig9'><pre>x</pre></figure>", "```zig9\n"),
    "THEMES": ("<pre class='{} rust'>x</pre>", "```rust\n"),
    "NO_LANGUAGES": ("<pre class=language-{}>x</pre>", "```\nx"),
    "LANGUAGE_ATTRIBUTES": ("<pre {}=rust>x</pre>", "```rust\n"),
    "SHORT_LANGUAGES": ("<pre lang={}>x</pre>", "```{}\n"),
    "DISPLAY_CLASSES": (
        f"<p>a <span class=katex><span class='{{}}'>{MATH}</span></span> b", "a\n$$\nx\n$$\nb",
    ),
    "TEX_ATTRIBUTES": ("<p>a <span data-{}='x^2'>half</span>", "a $x^2$"),
    "TEX_SWITCHES": ("<p>a <span data-math={}>half</span>", "a half"),
    "TEX_SCRIPTS": ("<p>a <script type={}>x</script>", "a $x$"),
    "IMAGE_CLASSES": ("<p>a <img class={} src=x.png alt='x^2'>", "x^2"),
    "IMAGE_WORDS": ("<p>a <img class=latex src='/latex.php?latex=x^2' alt='{}'>", "a $x^2$"),
    "IMAGE_PARAMETERS": ("<p>a <img src='/tex.cgi?{}x^2&z=1'>", "a $x^2$"),
    "COMMANDS": ("<p>a <img src=x.png alt='\\{}{{y}}'>", "a $\\{}{{y}}$"),
    "ENVIRONMENTS": ("<p>\\begin{{{0}}}x\\end{{{0}}}", "$$\n\\begin{{{0}}}x\\end{{{0}}}\n$$"),
    "TEX_TAGS": ("<p>a [{0}]x^2[/{0}] b", "a $x^2$ b"),
}  # fmt: skip


def cases() -> Iterator[tuple[str, str, str, str]]:
    """(what it is, a row, a page, what the page's text then has)"""
    for name, table, pages in (
        ("class", words.CLASSES, CLASSES),
        ("style", words.STYLES, STYLES),
        ("formula", words.FORMULA_CLASSES, FORMULA_CLASSES),
        ("role", {key: rows for key, rows in words.ROLES.items() if key in ROLES}, ROLES),
    ):
        assert table.keys() == pages.keys()
        for key, rows in table.items():
            for row in rows_of(rows):
                yield f"{name} {key}", row, *pages[key]
    for name, (page, expected) in TABLES.items():
        for row in rows_of(getattr(words, name)):
            yield name, row, page, expected


@pytest.mark.parametrize("name", dict.fromkeys(name for name, *_ in cases()))
def test_each_word_is_understood_and_no_word_beside_it(name: str) -> None:
    for row, page, expected in (case for of_table, *case in cases() if of_table == name):
        one, other = of(row), beside(row)
        if name == "class textarea":
            one = row.replace("*", "")
        if name == "IMAGE_PARAMETERS":
            other = "zz="
        if name == "formula part":
            other = "katexzz"
        found, else_found = render(page.format(one, one)), render(page.format(other, other))
        if name in TABLES:
            assert expected.format(one) in found
            assert expected.format(one) not in else_found
        else:
            assert found == expected.format(one)
            assert else_found != expected.format(one)


@pytest.mark.parametrize("role", [role for key in ("group", "panel") for role in words.ROLES[key].split()])
def test_roles_within_tables_and_tabs(role: str) -> None:
    rows = "<div role=row><span role=cell>a</span><span role=cell>b</span></div>"
    group = f"<div role=table><div role={role}>{rows}</div>{rows}</div>"
    tabs = f"<div role=tablist><span role=tab>One</span><div role={role}>a</div></div>"
    assert ("tbody" in render(group, "source")) == (role == "rowgroup")
    assert ("One" in render(tabs)) == (role == "tabpanel")
    assert "One" not in render(tabs.replace(role, f"{role}zz"))


@pytest.mark.parametrize(
    ("prefix", "places"),
    [
        *((prefix, {"code", "pre", "div"}) for prefix in words.LANGUAGE_PREFIXES.split()),
        *((prefix, {"code", "pre"}) for prefix in words.CODE_PREFIXES.split()),
    ],
)
def test_prefixes_of_languages(prefix: str, places: set[str]) -> None:
    word = prefix.replace("*", "zig9")
    for place, page in {
        "code": "<pre><code class={}>x</code></pre>",
        "pre": "<pre class={}>x</pre>",
        "div": "<div class={}><pre>x</pre></div>",
    }.items():
        assert ("```zig9\n" in render(page.format(word))) == (place in places)
        assert "```\n" in render(page.format("zz" + word))


@pytest.mark.parametrize("prefix", words.DOUBTFUL_PREFIXES.split())
def test_doubtful_prefixes_are_those_of_known_languages(prefix: str) -> None:
    assert "```rust\n" in render(f"<pre class={prefix.replace('*', 'rust')}>x</pre>")
    assert "```\n" in render(f"<pre class={prefix.replace('*', 'zig9')}>x</pre>")


@pytest.mark.parametrize(
    ("word", "path"), [(word, path) for word, paths in words.IMAGE_SERVICES.items() for path in paths.split()]
)
def test_services_that_draw_formulas(word: str, path: str) -> None:
    def image(path: str, word: str) -> str:
        host, query = ("latex." + word, "") if word.endswith(".com") else ("a.example", word)
        query = query.replace("cht=tx", "cht=tx&chl=")
        return render(f"<p>a <img src='https://{host}/{path.replace('*', '')}?{query}x^2'>")

    assert image(path, word) == "a $x^2$"
    assert image(path + "zz", word) == "a"
    if word:
        assert image(path, "zz=") == "a"


# --- TeX ---


def tex(mathml: str) -> str:
    return render(f"<p>a <math>{mathml}</math>", "text").removeprefix("a ")


def test_symbols() -> None:
    for character, expected in tex_tables.SYMBOLS.items():
        shown = character.replace("&", "&amp;")
        assert tex(f"<mo>{shown}</mo><mn>1</mn>") == f"${expected}1$"
    assert tex("<mo>⌗</mo><mn>1</mn>") == "$⌗1$"


def test_characters_in_text() -> None:
    for character, expected in tex_tables.IN_TEXT.items():
        shown = character.replace("&", "&amp;")
        assert tex(f"<mtext>a{shown}b</mtext>") == f"$\\text{{a{expected}b}}$"
    assert tex("<mtext>a+b</mtext>") == "$\\text{a+b}$"


def lines(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip().splitlines()]


@pytest.mark.parametrize(
    ("character", "commands"), [(each, row[1:]) for row in lines(tex_tables.ACCENTS) for each in row[0]]
)
def test_accents(character: str, commands: list[str]) -> None:
    plain, stretched, wide = commands[0], commands[min(1, len(commands) - 1)], commands[-1]
    assert tex(f"<mover><mi>x</mi><mo stretchy=false>{character}</mo></mover>") == f"$\\{plain}{{x}}$"
    assert tex(f"<mover><mi>x</mi><mo>{character}</mo></mover>") == f"$\\{stretched}{{x}}$"
    assert tex(f"<mover><mrow><mi>x</mi><mi>y</mi></mrow><mo>{character}</mo></mover>") == f"$\\{wide}{{xy}}$"
    assert tex("<mover><mi>x</mi><mo>!</mo></mover>") == "$\\overset{!}{x}$"
    assert katex(f'<span class="mord accent">{stack("<span>x</span>", mark(character))}</span>') == f"$\\{plain}{{x}}$"
    assert katex(f'<span class="mord accent">{stack("<span>x</span>", mark("!"))}</span>') == "$\\vec{x}$"


def stack(*boxes: str) -> str:
    """What KaTeX stacks: boxes in a list, each above the one before."""
    inside = "".join(
        f'<span style="top:{-i - 3}em"><span class="pstrut"></span>{box}</span>' for i, box in enumerate(boxes)
    )
    return f'<span class="vlist-t"><span class="vlist-r"><span class="vlist">{inside}</span></span></span>'


def mark(character: str) -> str:
    return f'<span class="accent-body">{character}</span>'


def katex(spans: str) -> str:
    page = f'<p>a <span class="katex"><span class="katex-html">{spans}</span></span>'
    return render(page, "text").removeprefix("a ")


@pytest.mark.parametrize(("characters", "command"), lines(tex_tables.ACCENTS_BELOW))
def test_accents_below(characters: str, command: str) -> None:
    for character in characters:
        assert tex(f"<munder><mi>x</mi><mo>{character}</mo></munder>") == f"$\\{command}{{x}}$"
    assert tex("<munder><mi>x</mi><mo>!</mo></munder>") == "$\\underset{!}{x}$"


def test_limits() -> None:
    for character in tex_tables.TAKE_LIMITS:
        assert "_n" in tex(f"<munder><mo>{character}</mo><mi>n</mi></munder>")
    assert tex("<munder><mo>⌗</mo><mi>n</mi></munder>") == "$\\underset{n}{⌗}$"


@pytest.mark.parametrize("row", lines(tex_tables.BRACKETS))
def test_brackets_around_matrices(row: list[str]) -> None:
    opening, closing, environment, *pieces = row
    table = "<mtable><mtr><mtd><mi>x</mi></mtd></mtr><mtr><mtd><mi>y</mi></mtd></mtr></mtable>"
    matrix = f"\\begin{{{environment}}} x \\\\ y \\end{{{environment}}}"
    assert tex(f"<mo>{opening}</mo>{table}<mo>{closing}</mo>") == f"${matrix}$"
    assert "\\begin{matrix}" in tex(f"<mo>⌗</mo>{table}<mo>{closing}</mo>")
    columns = (
        f'<span class="mtable"><span class="col-align-c">{stack("<span>x</span>", "<span>y</span>")}</span></span>'
    )
    shown = matrix.replace("Bmatrix", "cases")
    for each in (opening, *"".join(pieces)):
        row_of_spans = f'<span class="mopen">{each}</span>{columns}<span class="mclose">{closing}</span>'
        assert katex(f'<span class="minner">{row_of_spans}</span>') == f"${shown}$"
        other = row_of_spans.replace(f">{each}<", ">⌗<", 1)
        assert "{matrix}" in katex(f'<span class="minner">{other}</span>')


COMMAND = {names[0]: names[1] if len(names) > 1 else "" for names in lines(tex_tables.VARIANTS)}


def styled(letter: str, variant: str) -> str:
    plain = tex_tables.SYMBOLS.get(letter, letter)
    return f"\\{COMMAND[variant]}{{{plain}}}" if COMMAND[variant] else plain


def test_alphabets() -> None:
    """Every letter of every alphabet, against what Unicode says it is compatible with."""
    import unicodedata

    for first, plain, variants in tex_tables.ALPHABETS:
        for row, variant in enumerate(variants.split()):
            for at, letter in enumerate(plain):
                character = chr(ord(first) + row * len(plain) + at)
                assert tex(f"<mi>{character}</mi>") == f"${styled(letter, variant)}$"
                compatible = unicodedata.normalize("NFKC", character)
                if unicodedata.category(character) != "Cn" and letter not in "ijϵϑϰϕϱϖΘ":
                    assert compatible == letter
    assert tex("<mi>𝟊</mi>") == "$𝟊$"  # a digamma, in no row


def test_letters_outside_the_alphabets() -> None:
    table = tex_tables.LETTERS.split()
    for character, letter, variant in zip(table[::3], table[1::3], table[2::3], strict=True):
        assert tex(f"<mi>{character}</mi>") == f"${styled(letter, variant)}$"
    assert tex("<mi>℣</mi>") == "$℣$"


@pytest.mark.parametrize("row", [row for row in lines(tex_tables.VARIANTS) if len(row) > 2])
def test_variants(row: list[str]) -> None:
    variant, command, *values = row
    for value in values:
        expected = "x" if variant == "italic" else f"\\{command}{{x}}"
        assert tex(f'<mi mathvariant="{of(value)}">x</mi>') == f"${expected}$"
        assert tex(f'<mi mathvariant="{beside(value)}">x</mi>') == "$x$"


def test_functions() -> None:
    for name in tex_tables.FUNCTIONS.split():
        assert tex(f"<mi>{name}</mi>") == f"$\\{name}$"
        assert tex(f"<mi>{name}q</mi>") == f"$\\mathrm{{{name}q}}$"
        assert tex(f"<mi>{name.swapcase()}</mi>") == f"$\\mathrm{{{name.swapcase()}}}$"

# SPDX-License-Identifier: Apache-2.0
"""What Markdown keeps: taking Markdown apart, the scores, and the fixtures that the benchmark measures with."""

import importlib.util
import json
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

BENCHMARKS = Path(__file__).resolve().parents[4] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
import markdown_metrics  # noqa: E402 (benchmarks/)
from markdown_metrics import (  # noqa: E402
    METRICS,
    Listing,
    Table,
    compare,
    fragments,
    plain_tex,
    read_markdown,
    similarity,
    table_similarity,
    teds,
)

FIXTURES = BENCHMARKS / "fixtures"
PAGES = sorted((FIXTURES / "pages").glob("*/*.html"))


def scores(extracted: str, gold: str) -> dict[str, float]:
    return compare(read_markdown(extracted), read_markdown(gold))


def test_fences_keep_their_code_and_name_their_language() -> None:
    found = read_markdown("Text\n\n```python title=x\na = 1\n\n    b\n```\n\n~~~\nplain ``` text\n~~~\n\n```js\nlast")
    assert found.listings == [
        Listing("python", "a = 1\n\n    b"),
        Listing("", "plain ``` text"),
        Listing("javascript", "last"),
    ]
    assert found.text == "text"


@pytest.mark.parametrize(
    "markdown",
    [
        "1. One\n\n    ```ini\n    key = value\n      deep\n    ```\n",
        "> ```ini\n> key = value\n>   deep\n> ```\n",
        "- ```ini\n  key = value\n    deep\n  ```\n",
    ],
)
def test_a_fence_inside_a_list_or_a_quotation_loses_the_indentation_around_it(markdown: str) -> None:
    assert read_markdown(markdown).listings == [Listing("ini", "key = value\n  deep")]


def test_indented_code_counts_but_a_lists_paragraph_does_not() -> None:
    assert read_markdown("Text\n\n    a = 1\n\n      b\n\nMore").listings == [Listing("", "a = 1\n\n  b")]
    assert not read_markdown("- item\n\n    its second paragraph\n").listings


def test_formulas_are_found_between_all_delimiters_but_not_in_code_or_prices() -> None:
    markdown = r"$E = mc^2$, \(a+b\), $$\frac{1}{2}$$ and \[\displaystyle x\], `$c=d$`, $5 and $10, costs \$3\$."
    assert not read_markdown(r"Escaped: \\(a\_b\\) and \\[c\\]").formulas
    assert sorted(read_markdown(markdown).formulas) == sorted(["E = mc^2", "a+b", r"\frac{1}{2}", r"\displaystyle x"])


def test_text_between_escaped_brackets_is_no_formula() -> None:
    assert not read_markdown(r"A claim \[citation needed\], \[\[operating_system\]\] and \(at least\) one.").formulas
    for formula in (r"\alpha", "x", "f(x)", "E=m", "x^{group}"):
        assert read_markdown(rf"Where \({formula}\) is, and \[{formula}\]").formulas == [formula, formula]


@pytest.mark.parametrize(
    ("metric", "line"),
    [
        ("item", "- a {} b"),
        ("heading", "## {}"),
        ("footnote", "[^1]: {}"),
        ("teds", "| {} | b |\n|---|---|\n| c | d |"),
    ],
)
def test_formulas_in_lines_and_cells_have_one_spelling(metric: str, line: str) -> None:
    gold = line.format(r"$x^{2} \ge 0$")
    assert scores(line.format(r"$x^2\geq0$"), gold)[metric] == 1
    assert scores(line.format(r"$x^3\geq0$"), gold)[metric] < 1


def test_formulas_are_compared_in_the_order_of_the_text() -> None:
    assert read_markdown("$a+b$\n\n$$c+d$$\n\n\\(e+f\\)\n\n$g$").formulas == ["a+b", "c+d", "e+f", "g"]


def test_formulas_that_mean_the_same_are_the_same_and_others_are_not() -> None:
    assert plain_tex(r"x_{i}^{2} \geq {a}, \, \left( \frac{1}{n} \right)") == plain_tex(r"x_i^2\ge a,(\frac 1 n)")
    assert plain_tex(r"x^{12}") != plain_tex(r"x^1 2")
    assert plain_tex(r"\{a\}") != plain_tex("a")
    assert scores("$x^{2}$", "$x^2$")["formula"] == 1
    assert scores("$x2$", "$x^2$")["formula"] < 1


def test_tables_with_and_without_a_header_and_without_outer_pipes() -> None:
    assert read_markdown("| a | b |\n|---|:-:|\n| *1* | `2` |\n").tables == [Table((("a", "b"), ("1", "2")), 1)]
    assert read_markdown("|  |  |\n|---|---|\n| 1 | x \\| y |\n").tables == [Table((("1", "x | y"),), 0)]
    assert read_markdown("a | b\n---|---\n1 | 2\n").tables == [Table((("a", "b"), ("1", "2")), 1)]
    assert read_markdown("| a | b |\n| c |  |\n").tables == [Table((("a", "b"), ("c", "")), 0)]
    assert not read_markdown("Either | or\n\n---\n").tables


def test_a_cell_is_the_same_with_breaks_and_with_a_list() -> None:
    assert (
        read_markdown("| a<br>b |\n| --- |\n").tables
        == read_markdown("| <ul><li>a</li><li>b</li></ul> |\n| --- |\n").tables
    )


def test_html_tables_have_their_spans_expanded() -> None:
    markup = (
        "<table><tr><th rowspan=2>t</th><th colspan=2>h</th></tr><tr><th>w</th><th>s</th></tr>"
        "<tr><td>o</td><td>1<br>2</td></tr></table>"
    )
    assert read_markdown(markup).tables == [Table((("t", "h", "h"), ("t", "w", "s"), ("o", "1 2")), 2)]


def test_html_tables_follow_each_other_and_a_table_in_a_cell_is_its_text() -> None:
    markup = "<table><tr><td>1 < 2<table><tr><td>in</td></tr></table></td></tr></table>\n\nText\n\n<table><tr><td><b>b</b>, c"
    found = read_markdown(markup + "</td></tr></table>")
    assert found.tables == [Table((("1 < 2 in",),), 0), Table((("b, c",),), 0)]
    assert "text" in found.text


def test_the_smaller_things_are_told_apart() -> None:
    found = read_markdown(
        "# A *b*\n\n- [x] done\n- [ ] open\n1) one\n\nTerm\n: its meaning\n\n"
        "Text[^1] with ~~old~~, **bold** and ***both***.\n\n"
        "> [!NOTE] Mind\n> this\n\n> [!tip]\n> that\n\n[^1]: A note.\n"
    )
    assert found.headings == ["a b"]
    assert found.items == ["done", "open", "one"]
    assert found.tasks == ["x done", "- open"]
    assert found.definitions == ["its meaning"]
    assert found.footnotes == ["a note.", "[^1]"]
    assert found.callouts == ["note: mind", "tip: "]
    assert sorted(found.spans) == ["em: b", "em: both", "strike: old", "strong: bold", "strong: both"]


def test_gold_against_itself_is_perfect_and_nothing_against_it_is_nothing() -> None:
    for page in PAGES:
        gold = page.with_suffix(".md").read_text(encoding="utf-8")
        assert set(scores(gold, gold).values()) == {1.0}, page
        assert set(scores("", gold).values()) == {0.0}, page


def test_each_fault_costs_its_own_metric() -> None:
    gold = "# T\n\nSome text with $x^2$.\n\n```c\nint a;\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n- item\n"
    assert scores(gold.replace("```c", "```"), gold)["language"] == 0
    assert scores(gold.replace("int a;", "1 int a;"), gold)["code"] == pytest.approx(6 / 8)
    assert scores(gold.replace("$", ""), gold)["formula"] == 0
    assert scores(gold.replace("# T", "# T¶"), gold)["heading"] == 0
    assert scores(gold.replace("- item", "item"), gold)["item"] == 0
    assert scores(gold.replace("| 1 | 2 |\n", ""), gold)["teds"] == pytest.approx(
        4 / 7
    )  # a row and two cells of seven nodes
    assert list(scores(gold, gold)) == [name for name in METRICS if name in scores(gold, gold)]


def test_teds_by_hand() -> None:
    table = Table((("a", "b"), ("1", "2")), 1)
    assert teds(table, table) == 1
    assert teds(Table(table.rows, 0), table) == pytest.approx(1 - 2 / 7)  # two header cells turned into data cells
    assert teds(Table((("a", "b"), ("1", "3")), 1), table) == pytest.approx(1 - 1 / 7)
    # two rows run together: a row and its two cells are missing, and two cells are too many
    assert teds(Table((("a", "b", "1", "2"),), 1), table) == pytest.approx(1 - 5 / 7)
    assert teds(Table((("a", "bx"), ("1", "2")), 1), table) == pytest.approx(1 - 0.5 / 7)


def test_tables_are_matched_in_their_order_and_one_too_many_costs() -> None:
    one, other = Table((("a", "b"),), 0), Table((("1", "2"), ("3", "4")), 0)
    assert table_similarity([one, other], [one, other]) == 1
    assert table_similarity([other], [one, other]) == 0.5
    assert table_similarity([one, one, other], [one, other]) == pytest.approx(2 / 3)
    assert table_similarity([], [one]) == 0


def brute_tree_distance(a: tuple[object, ...], b: tuple[object, ...]) -> float:
    """The edit distance of two forests by its definition: nodes are (tag, text, children)."""
    if not a and not b:
        return 0.0
    if not a:
        return 1 + brute_tree_distance((), b[:-1] + b[-1][2])
    if not b:
        return 1 + brute_tree_distance(a[:-1] + a[-1][2], ())
    changed = 1.0 if a[-1][0] != b[-1][0] else 1 - similarity(a[-1][1], b[-1][1])
    return min(
        1 + brute_tree_distance(a[:-1] + a[-1][2], b),
        1 + brute_tree_distance(a, b[:-1] + b[-1][2]),
        changed + brute_tree_distance(a[:-1], b[:-1]) + brute_tree_distance(a[-1][2], b[-1][2]),
    )


def as_tree(table: Table) -> tuple[object, ...]:
    rows = tuple(
        ("tr", "", tuple(("th" if number < table.header else "td", cell, ()) for cell in row))
        for number, row in enumerate(table.rows)
    )
    return (("table", "", rows),)


def random_table(chance: random.Random) -> Table:
    rows = tuple(
        tuple(chance.choice(["a", "b", "ab", ""]) for _ in range(chance.randrange(1, 3)))
        for _ in range(chance.randrange(1, 3))
    )
    return Table(rows, chance.randrange(2))


def test_teds_agrees_with_the_definition_of_the_tree_edit_distance() -> None:
    chance = random.Random(13)
    for _ in range(60):
        a, b = random_table(chance), random_table(chance)
        larger = max(1 + len(table.rows) + sum(map(len, table.rows)) for table in (a, b))
        assert teds(a, b) == pytest.approx(1 - brute_tree_distance(as_tree(a), as_tree(b)) / larger), (a, b)


def test_large_tables_are_compared_by_whole_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)
    gold = Table(tuple((str(i), chance.choice("xyz") * 5) for i in range(30)), 1)
    ours = Table(gold.rows[:10] + gold.rows[11:], 1)
    exact = teds(ours, gold)
    monkeypatch.setattr(markdown_metrics, "_EXACT_TEDS", 0)
    assert teds(ours, gold) == pytest.approx(exact) == pytest.approx(1 - 3 / 91)


def test_fragments_are_found_verbatim_as_mathematics_and_with_their_white_space() -> None:
    markdown = "A formula x+y and $a + b$.\n\n```\nif a:\n    b\n```\n"
    found = fragments(markdown, ["$x+y$", "$$a+b$$", "c"], ["if a:\n  b", "if a:\n    b\n", "other"])
    assert found == (3, 2, 1, 3, 2, 1)


@given(st.text(alphabet="`~>|-#$\\[]()*_ \n\tab1<table></trd!^:.", max_size=200))
def test_any_text_can_be_taken_apart(text: str) -> None:
    found = read_markdown(text)
    values = compare(found, found)
    values.pop("language", None)  # two listings of the same code may name different languages
    assert set(values.values()) <= {1.0}


def test_every_fixture_has_a_gold_of_its_source_and_a_recorded_version() -> None:
    versions = json.loads((FIXTURES / "pages" / "versions.json").read_text())
    rendered = {"codemirror", "highlightjs", "katex", "mathjax", "prism", "shiki", "temml"}
    assert len(PAGES) >= 80
    for page in PAGES:
        generator = page.parent.name
        record = (
            "rendered"
            if generator.split("-")[0] in rendered
            else "pygments"
            if generator.startswith("pygments")
            else generator
        )
        assert versions[record], generator
        gold = page.with_suffix(".md").read_text(encoding="utf-8")
        source = (FIXTURES / "sources" / page.with_suffix(".md").name).read_text(encoding="utf-8")
        assert gold.partition("\n")[0] == source.partition("\n")[0], page
        html = page.read_text(encoding="utf-8")
        assert gold.partition("\n")[0].removeprefix("# ") in html, page
        assert "<html" in html, page
    golds = {page.relative_to(FIXTURES) for page in (FIXTURES / "pages").glob("*/*.md")}
    assert golds == {page.with_suffix(".md").relative_to(FIXTURES) for page in PAGES}


def test_the_golds_are_what_the_builder_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FIXTURES))
    spec = importlib.util.spec_from_file_location("fixtures_build", FIXTURES / "build.py")
    builder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(builder)
    for page in PAGES:
        gold = page.with_suffix(".md").read_text(encoding="utf-8")
        assert gold == builder.gold_of(page.parent.name, page.stem), page


def test_the_fixtures_stay_small() -> None:
    sizes = {path.name: path.stat().st_size for path in FIXTURES.rglob("*") if path.is_file()}
    assert sizes.pop("class_labels.tsv") < 4_000_000, "hashes of the blocks of three thousand pages"
    assert sizes.pop("class_labels_sets.tsv") < 2_000_000, "hashes of the blocks of a thousand pages"
    assert max(sizes.values()) < 500_000
    assert sum(path.stat().st_size for path in FIXTURES.rglob("*") if path.is_file()) < 7_000_000

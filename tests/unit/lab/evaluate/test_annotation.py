# SPDX-License-Identifier: Apache-2.0
"""Pages as text for annotators, samples of pages, answers, and the labels as they are stored."""

import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import thresher
from thresher.lab.evaluate.agreement import Twice, by_class, kappa
from thresher.lab.evaluate.block_classes import MAIN, page_id, read_page_blocks
from thresher.lab.evaluate.pages import EvaluationError, read_pages
from thresher.page.page_extractor import PageExtractor

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))
from annotation import (  # noqa: E402 (benchmarks/)
    MAX_CHARACTERS,
    MAX_LINES,
    AnswerError,
    PageLabels,
    agreed_classes,
    block_hashes,
    concealed_blocks,
    parse_answer,
    parse_line,
    read_answers,
    shown_blocks,
    spread,
)

MENU = "".join(f"<li><a href='/{n}'>Part {n}</a></li>" for n in range(20))
PAGE = f"""<html><head><title>Roses</title></head><body>
<nav><ul id="top-menu">{MENU}</ul></nav>
<main><article class="entry col-md-8"><h1>How to prune roses</h1><div class="byline">By Ann, 3 May</div>
<p>{"Roses want light and air. " * 12}</p><p style="display:none">A hidden hint for gardeners.</p>
<aside class="related"><a href="/x">Another text about tulips and soil</a></aside></article></main>
<footer><p>Imprint</p></footer></body></html>"""


def shown(html: str) -> list[str]:
    document, blocks = read_page_blocks(html.encode())
    return shown_blocks(document, blocks, concealed_blocks(document, blocks))


def numbers_of(line: str) -> range:
    found = re.match(r"(\d+)(?:-(\d+))? ", line)
    assert found, line
    return range(int(found[1]), int(found[2] or found[1]) + 1)


def test_a_page_is_shown_by_containers_kinds_and_words():
    lines = shown(PAGE)
    assert lines[0] == "[nav>ul#top-menu]"
    assert re.fullmatch(r"0-19 li 20 links, 40w: Part 0 \| Part 1 \| .*Part 19", lines[1])
    assert lines[2:5] == ["[main>article.entry]", "20 h1 4w: How to prune roses", "[main>article.entry>.byline]"]
    assert lines[5] == "21 - 4w: By Ann, 3 May"
    assert lines[6] == "[main>article.entry]"
    assert re.fullmatch(r"22 p 60w: Roses want light.{50,100}…", lines[7])
    assert lines[8] == "23 p 5w hidden: A hidden hint for gardeners."
    assert lines[9:11] == ["[main>article.entry>aside.related]", "24 - 6w link: Another text about tulips and soil"]
    assert lines[11:] == ["[footer]", "25 p 1w: Imprint"]


def test_links_of_one_menu_are_one_line_however_they_are_nested():
    part = "<li><a href=/>Part {0}</a><ul class=sub><li><a href=/a>Chapter {0}, which has a few more words</a></ul>"
    menu = "".join(part.format(n) for n in range(9))
    lines = shown(f"<div id=site-menu><ul>{menu}</ul></div><p>Text of the page</p>")
    assert lines[0] == "[#site-menu>ul]"
    assert lines[1].startswith("0-17 li 18 links, 90w: Part 0 | Chapter 0, which has a few more words | Part 1 | ")
    assert lines[2:] == ["[body]", "18 p 4w: Text of the page"]
    # A name that only holds the word is not a menu.
    assert len(shown(f"<div class=content-sidebar-wrap><ul>{menu}</ul></div>")) == 18 + 18


@pytest.mark.parametrize(
    "body",
    [
        "".join(f"<p>{'words of a paragraph ' * 30}{n}</p>" for n in range(400)),
        "".join(f"<p>text {n}</p><h2>Head {n}</h2><table><tr><td>{'漢字' * 40}</td></tr></table>" for n in range(900)),
        "".join(f"<div id='place{'x' * (n % 20)}'><p>{'long ' * (n % 50)}</p></div>" for n in range(3000)),
        "".join(f"<div id='place{'x' * (n % 20)}'><p>{'длинное слово ' * (n % 50)}</p></div>" for n in range(220)),
    ],
)
def test_a_large_page_fits_and_each_of_its_blocks_is_on_one_line(body):
    _, blocks = read_page_blocks(body.encode())
    lines = shown(body)
    assert len(lines) <= MAX_LINES
    assert sum(len(line) + 1 for line in lines) <= MAX_CHARACTERS
    named = [numbers_of(line) for line in lines if not line.startswith("[")]
    assert [number for each in named for number in each] == sorted({number for each in named for number in each})
    assert {block.order for block in blocks if block.words} <= {number for each in named for number in each}
    # Where there is room for a line for each, at least half as many lines as blocks tell them apart.
    assert len(named) >= min(MAX_LINES, len(blocks)) // 2


def items(kinds: dict[str, int]) -> list[tuple[str, str, str, str]]:
    return [
        (f"{kind}{n}", kind, "en" if n % 3 else "fr", f"site{kind}{n // 2}")
        for kind, count in kinds.items()
        for n in range(count)
    ]


def sample(pages, count, seed=1):
    return spread(
        pages,
        count,
        key=lambda page: page[0],
        kind=lambda page: page[1],
        language=lambda page: page[2],
        site=lambda page: page[3],
        seed=seed,
    )


def test_each_beginning_of_a_sample_is_fair():
    pages = items({"article": 600, "forum": 60, "shop": 300})
    found = sample(pages, 360)
    # Of 360 a forum has all its 60, the two others share the rest.
    assert Counter(page[1] for page in found) == {"forum": 60, "article": 150, "shop": 150}
    for count in (36, 120, 240):
        kinds = Counter(page[1] for page in found[:count])
        assert abs(kinds["forum"] - count / 6) <= 1
        assert abs(kinds["article"] - count * 150 / 360) <= 1
        assert abs(sum(page[2] == "fr" for page in found[:count]) - count / 3) <= 4
    assert len({page[3] for page in found if page[1] == "article"}) == 150  # one of each site before a second one
    assert sample(pages[::-1], 360) == found
    assert sample(pages, 360, seed=2) != found
    assert len(sample(pages, 5000)) == len(pages)
    assert sample([], 3) == []


def test_an_answer_gives_each_block_a_class():
    assert parse_answer("main:1-2,4; title:0;", 6) == ["title", "main", "main", "other", "main", "other"]
    assert parse_answer("none", 2) == ["other", "other"]
    assert parse_answer("main:0,0-1;other:2", 3) == ["main", "main", "other"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("main:0-6", "no block 6: the last one is 5"),
        ("main:3-1", "runs backwards"),
        ("main:0-3;title:3", "block 3 is both main and title"),
        ("other:1;main:1", "block 1 is both other and main"),
        ("body:1", "no class 'body'"),
        ("main", "not a class, a colon"),
        ("main:", "not a class, a colon"),
        ("main:one", "neither the number"),
        ("main:1,,2", "neither the number"),
        ("", "nothing is labelled"),
        ("none;main:1", "not a class, a colon"),
    ],
)
def test_an_answer_that_cannot_be_right_is_refused(answer, message):
    with pytest.raises(AnswerError, match=message):
        parse_answer(answer, 6)


def test_errors_of_a_file_of_answers_name_their_lines():
    lines = ["# annotator: ann", "", "aa\tmain:0", "bb main:0", "cc\tmain:0", "aa\tnone", "dd\tmain:9"]
    found, wrong = read_answers(lines, {"aa": 1, "bb": 1, "dd": 3})
    assert found == {"aa": ["main"]}
    assert [line[:6] for line in wrong] == ["line 4", "line 5", "line 6", "line 7"]
    assert "no tab" in wrong[0]
    assert "no page cc" in wrong[1]
    assert "answered before" in wrong[2]
    assert "page dd: there is no block 9" in wrong[3]


def labels_of(texts: list[str], classes: list[str], annotator: str = "ann", number: int = 1) -> PageLabels:
    blocks = {each: name for each, name in zip(block_hashes(texts), classes, strict=True) if name != "other"}
    return PageLabels("set.parquet", "ab12", annotator, number, blocks)


TEXTS = ["Menu", "Bread", "Bake it.", "So good!", "Bake it."]


def test_labels_survive_the_file_and_other_blocks_that_change():
    labels = labels_of(TEXTS, ["other", "title", "main", "comment", "optional"])
    assert parse_line(labels.line() + "\n") == labels
    assert "Bread" not in labels.line()
    assert labels.classes(["New", "Bread", "*Bake* it.", "Bake it."]) == ["other", "title", "main", "optional"]
    empty = labels_of(TEXTS, ["other"] * 5)
    assert empty.line().endswith("\tnone")
    assert parse_line(empty.line()) == empty
    with pytest.raises(EvaluationError, match="2 of 4 labelled blocks have changed; label it again"):
        labels.classes(["Menu", "Bread", "So good!"])
    for line in ("a\tb\tc\t1", "a\tb\tc\tone\tmain:1f", "a\tb\tc\t1\tbody:1f"):
        with pytest.raises(EvaluationError, match="cannot be read"):
            parse_line(line)


def test_most_annotators_decide_then_the_third():
    first = labels_of(TEXTS, ["other", "title", "main", "main", "main"])
    second = labels_of(TEXTS, ["main", "title", "main", "comment", "other"], "ben", 2)
    third = labels_of(TEXTS, ["main", "title", "other", "optional", "other"], "cleo", 3)
    assert agreed_classes([first], TEXTS) == ["other", "title", "main", "main", "main"]
    assert agreed_classes([first, second], TEXTS) == ["other", "title", "main", "main", "main"]
    assert agreed_classes([first, second, third], TEXTS) == ["main", "title", "main", "optional", "other"]


def test_kappa_of_several_classes():
    # 7 of 10 agree; by chance .5 * .4 + .3 * .4 + .2 * .2 = .36.
    pairs = Counter({("a", "a"): 4, ("a", "b"): 1, ("b", "b"): 2, ("b", "c"): 1, ("c", "c"): 1, ("c", "b"): 1})
    assert kappa(pairs) == round((0.7 - (0.5 * 0.4 + 0.3 * 0.4 + 0.2 * 0.2)) / (1 - 0.36), 4)
    assert kappa(Counter({(None, None): 3})) is None


def twice(kind: str, words: list[int], first: str, second: str) -> Twice:
    names = {"m": "main", "t": "title", "c": "comment", "-": "other"}
    return Twice(kind, "en", words, [names[each] for each in first], [names[each] for each in second])


def test_agreement_by_class():
    pages = [twice("article", [10, 50, 20, 20], "tm--", "tmm-"), twice("forum", [30, 70], "mc", "mt")]
    found = {each.name: each for each in by_class(pages)}
    # Main: 80 words both, 20 only the second, 100 neither.
    assert (found["main"].words, found["main"].pages) == (100, 2)
    assert found["main"].differ == pytest.approx(0.2)
    chance = 0.4 * 0.5 + 0.6 * 0.5
    assert found["main"].words_kappa == round((0.9 - chance) / (1 - chance), 4)
    assert found["main"].blocks_kappa == round((5 / 6 - 0.5) / 0.5, 4)
    assert (found["comment"].words, found["comment"].differ) == (70, 1.0)
    assert found["caption"].words == 0
    assert found["all classes"].differ == pytest.approx(90 / 200)
    # Comment and title may both be kept.
    assert found["must, may, not"].differ == pytest.approx(20 / 200)
    assert [by_class([page])[-1].differ for page in pages] == [0.2, 0.0]


# --- the commands ---


@pytest.fixture
def class_labels(monkeypatch, tmp_path):
    """The module benchmarks/class_labels.py, with three pages as its test data."""
    spec = importlib.util.spec_from_file_location("class_labels", BENCHMARKS / "class_labels.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "class_labels", module)
    spec.loader.exec_module(module)
    folder = tmp_path / "data" / "unlabelled"
    folder.mkdir(parents=True)
    rows = [
        {"html": PAGE.encode(), "site": "a.org", "url": "https://a.org/", "lang": "en", "kind": "article"},
        {"html": b"<h1>Threads</h1><p>First post</p>", "site": "b.org", "url": None, "lang": "en", "kind": "forum"},
        {"html": b"<p>\xe9t\xe9</p>", "site": "c.org", "url": None, "lang": "fr", "kind": None},
        {"html": b"<script>nothing</script>", "site": "d.org", "url": None, "lang": None, "kind": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows), folder / "pages.parquet")
    facts = ["unlabelled/pages.parquet", page_id(PAGE.encode()), "ann", "blog", *["-"] * 4]
    (tmp_path / "facts.tsv").write_text("\t".join(facts) + "\n")
    monkeypatch.setattr(module, "FACTS", tmp_path / "facts.tsv")
    monkeypatch.setattr(module, "DATA", tmp_path / "data")
    monkeypatch.setattr(module, "EVERY", 1)
    return module


def test_from_pages_to_batches_to_answers_to_a_labelled_set(class_labels, tmp_path, monkeypatch, capsys):
    work, labels = tmp_path / "work", tmp_path / "labels.tsv"

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["class_labels.py", *arguments])
        class_labels.main()
        return capsys.readouterr().out

    assert run("batches", str(work), "--files", "unlabelled/pages.parquet", "--size", "2").startswith("3 of 3 pages")
    with pytest.raises(SystemExit, match="holds batches already"):
        run("batches", str(work), "--files", "unlabelled/pages.parquet")
    batches = sorted(file.stem for file in (work / "batches").glob("*.txt"))
    assert batches == ["001", "002", "second-001", "second-002"]
    names = {page.site: page.name for page in class_labels.read_list(work).values()}
    assert set(names) == {"a.org", "b.org", "c.org"}
    assert names["a.org"] == page_id(PAGE.encode())[:8]
    answers = {"a.org": "main:22-23;title:20;dateline:21", "b.org": "main:0-1", "c.org": "none"}
    (work / "answers").mkdir()
    for batch in batches:
        asked = class_labels.pages_of_batch(work / "batches" / f"{batch}.txt")
        given = answers | ({"b.org": "title:0;main:1"} if batch.startswith("second") else {})
        lines = [f"{names[site]}\t{answer}" for site, answer in given.items() if names[site] in asked]
        annotator = "ann" if batch.startswith("0") else "ben"
        (work / "answers" / f"{batch}.tsv").write_text("\n".join([f"# annotator: {annotator}", *lines, ""]))
    assert "001: 2 pages; blocks: main" in run("check", str(work), "001")
    run("check", str(work))
    run("store", str(work), "--labels", str(labels))
    assert run("store", str(work), "--labels", str(labels)).startswith("6 pages of answers, 6 lines")
    text = labels.read_text()
    assert Counter(line.split("\t")[2] for line in text.splitlines()) == {"ann": 3, "ben": 3}
    for line in text.splitlines():
        assert re.fullmatch(r"[\w./-]+\t[0-9a-f]{24}\t\w+\t\d\t(none|[a-z]+:[0-9a-f ]+(;[a-z]+:[0-9a-f ]+)*)", line)
    said = run("agreement", "--labels", str(labels))
    assert re.search(r"\| title \| 2 \| 5 \| 0\.\d+ \| 0\.\d+ \| 20\.0% \|", said)
    assert "| forum | 1 | 3 |" in said
    assert run("disputed", str(work)).startswith("1 disputed")  # one word of three is main or title
    assert class_labels.pages_of_batch(work / "batches" / "third-001.txt") == [names["b.org"]]
    assert run("disputed", str(work)).startswith("0 disputed")  # asked already
    run("set", str(tmp_path / "out"), "--labels", str(labels))
    rows = {row["site"]: row for row in pq.read_table(tmp_path / "out" / "classes.parquet").to_pylist()}
    assert rows["a.org"]["gold"].startswith("Roses want light")
    assert rows["a.org"]["optional"] == "How to prune roses\nBy Ann, 3 May"
    assert rows["b.org"]["gold"] == "Threads\nFirst post"
    assert (rows["c.org"]["gold"], rows["c.org"]["optional"], rows["c.org"]["page_type"]) == ("", "", "unknown")
    assert {page.site for page in read_pages(tmp_path / "out" / "classes.parquet")} >= {"a.org", "b.org"}
    kept = {"blog": "Roses want light and air, and nothing else.", "forum": "Threads", "unknown": "été"}
    kept_of = {row["html"]: kept[row["page_type"]] for row in rows.values()}
    monkeypatch.setattr(class_labels, "extract", lambda html: SimpleNamespace(text=kept_of[html]))
    head, _, *worst = run("worst", "--labels", str(labels), "--count", "2").splitlines()
    assert head.endswith("| F1 | P | R | words of main | words kept |")
    assert worst == [
        f"| {page_id(PAGE.encode())} | article | en | 0.164 | 0.750 | 0.092 | 65 | 8 |",
        f"| {rows['b.org']['id']} | forum | en | 0.500 | 1.000 | 0.333 | 3 | 1 |",
    ], "the page without main text is right, with one word kept"
    head, _, *cases = run("cases", "--labels", str(labels)).splitlines()
    assert head == "| case | pages | F1 | pages ≥ .9 | pages < .5 | P | R | right |"
    assert cases == [
        "| fewer than 100 words of it | 2 | 0.332 | 0.000 | 0.500 | 0.875 | 0.213 | 1.000 |",
        "| no main text | 1 | 1.000 | 1.000 | 0.000 | 1.000 | 1.000 | 1.000 |",
        "| all | 3 | 0.555 | 0.333 | 0.333 | 0.917 | 0.475 | 1.000 |",
    ]


def test_words_of_comments_that_the_options_drop_and_keep(class_labels, tmp_path, monkeypatch, capsys):
    comments = "".join(f'<li class="comment"><p>{"A word of thanks from me. " * 6}</p></li>' for _ in range(2))
    html = f'<main><p>{"Roses want light and air. " * 40}</p></main><ol id="comments">{comments}</ol>'
    posts = "".join(f'<div class="comment"><p>{"Prune the roses in spring. " * 20}</p></div>' for _ in range(3))
    thread = f'<h1>Pruning</h1><div id="comments">{posts}</div>'
    rows = [{"html": each.encode(), "kind": kind, "lang": "en"} for each, kind in ((html, "blog"), (thread, "forum"))]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "data" / "unlabelled" / "pages.parquet")
    lines = []
    for row, classes in zip(rows, ([MAIN, "comment", "comment"], ["title", MAIN, MAIN, MAIN]), strict=True):
        _, blocks = read_page_blocks(row["html"])
        hashes = block_hashes([block.text for block in blocks])
        given = dict(zip(hashes, classes, strict=True))
        lines.append(PageLabels("unlabelled/pages.parquet", page_id(row["html"]), "ann", 1, given).line())
    labels = tmp_path / "labels.tsv"
    labels.write_text("".join(f"{line}\n" for line in lines))

    def run(*options: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["c", "comments", "--labels", str(labels), *options])
        class_labels.main()
        return capsys.readouterr().out.splitlines()[2:]

    blog = f"| {page_id(html.encode())[:8]} | blog | 72 | 200 | 0 | 0 | 0 | 0 |"
    assert run()[0] == blog, "the forum has no comments"
    said, _, auto = run()[-1].rpartition(" ")
    assert said == "drop: 1.000 of the words of comments, with main text 1.000; keep: 1.000; auto:"
    kept = sum(block.words for block in thresher.extract(html).blocks if block.kept and "thanks" in block.text)
    assert float(auto) == pytest.approx(kept / 72, abs=0.001), "the model decides"
    assert run(page_id(html.encode())[:6])[0] == blog
    forum = run("--kind", "forum", "--least", "0")
    assert forum[0].startswith(f"| {page_id(thread.encode())[:8]} | forum | 0 |")
    assert forum[-1].startswith("| all | 1 pages |"), "no shares where there is no comment"
    with pytest.raises(SystemExit, match="no such pages"):
        run("ffffffff")


def test_words_of_datelines_that_the_options_drop_and_keep(class_labels, tmp_path, monkeypatch, capsys):
    story = f"<p>{'Roses want light and air. ' * 40}</p>"
    html = f"<h1>Roses</h1><p class=byline>By Ann Miller</p>{story}<p>Written on a Sunday in May</p>".encode()
    pq.write_table(
        pa.table({"html": [html], "kind": ["blog"], "lang": ["en"]}), tmp_path / "data" / "unlabelled" / "pages.parquet"
    )
    hashes = block_hashes([block.text for block in read_page_blocks(html)[1]])
    given = dict(zip(hashes, ["title", "dateline", MAIN, "dateline"], strict=True))
    labels = tmp_path / "labels.tsv"
    labels.write_text(f"{PageLabels('unlabelled/pages.parquet', page_id(html), 'ann', 1, given).line()}\n")
    monkeypatch.setattr(sys, "argv", ["c", "datelines", "--labels", str(labels)])
    class_labels.main()
    head, _, row, _, _, shares = capsys.readouterr().out.splitlines()
    assert head.startswith("| page | kind | datelines | main, kept by auto | drop left |")
    left = 6 * ("Sunday" in PageExtractor().extract(html).decode())  # nothing names it
    assert row.startswith(f"| {page_id(html)[:8]} | blog | 9 | 200 | {left} | 0 |")
    assert shares.startswith(f"drop: {1 - left / 9:.3f} of the words of datelines, ")


def test_check_says_what_is_wrong_and_what_is_missing(class_labels, tmp_path, monkeypatch, capsys):
    work = tmp_path / "work"
    monkeypatch.setattr(sys, "argv", ["c", "batches", str(work), "--files", "unlabelled/pages.parquet"])
    class_labels.main()
    names = [page.name for page in class_labels.read_list(work).values()]
    (work / "answers").mkdir()
    (work / "answers" / "001.tsv").write_text(f"{names[0]}\tmain:0-99\n{names[1]}\tnone\n")
    monkeypatch.setattr(sys, "argv", ["c", "check", str(work), "001", "009"])
    with pytest.raises(SystemExit) as ended:
        class_labels.main()
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert "the first line is not `# annotator: NAME`" in said
    assert f"line 1, page {names[0]}: there is no block 99" in said
    assert f"no answer yet for 2 pages: {names[0]} {names[2]}" in said
    assert "there is no batch 009" in said

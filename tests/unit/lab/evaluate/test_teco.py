# SPDX-License-Identifier: Apache-2.0
"""The TeCo suite: what is read from its form, what the systems see of it, and what they score. The suite in
tests/teco_suite is made up.
"""

import os
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from thresher.commands.evaluate import evaluate
from thresher.lab.evaluate import teco_scores
from thresher.lab.evaluate.pages import EvaluationError
from thresher.lab.evaluate.teco import EVALUATION, Unusable, find_key_pages, read_benchmark, remove_labels
from thresher.lab.evaluate.teco_scores import averages, measure, results_table, teco_systems, with_elements
from thresher.native.parsing.document import Document

SUITE = Path(__file__).parents[3] / "teco_suite"
MILL = "www.mill.example"


def site(tmp_path: Path, key_page: str, name: str = "a.example") -> Path:
    """A suite of one page."""
    (tmp_path / name).mkdir(parents=True)
    (tmp_path / name / "index.html").write_text(key_page)
    return tmp_path


def only(suite: Path):
    (place,) = find_key_pages(suite)
    return read_benchmark(place)


def texts(benchmark, task) -> list[str]:
    return [benchmark.tree.texts[node].strip() for node in sorted(benchmark.gold[task] & benchmark.tree.texts.keys())]


def test_key_pages_are_found_by_their_labels_wherever_categories_are_unpacked() -> None:
    places = find_key_pages(SUITE, frozenset({MILL}))
    assert [(place.id, place.category, place.subset, len(place.pages)) for place in places] == [
        ("shop.flour.example", "Companies", "training", 4),
        (MILL, "Institutions", "evaluation", 5),
        ("blog.baker.example", "Personal", "training", 4),
    ]
    assert places[1].file.as_posix().endswith("www.mill.example/about/history.html")
    assert [place.category for place in find_key_pages(SUITE / "Institutions")] == [None]


def test_the_published_split_has_nine_benchmarks_of_each_category() -> None:
    assert len(EVALUATION) == 45
    assert {"www.jdi.org.za", "news.un.org", "www.shopbookshop.com"} <= EVALUATION


def test_labels_become_subtrees_and_template_is_what_is_left() -> None:
    benchmark = read_benchmark(find_key_pages(SUITE / "Institutions")[0])
    main = texts(benchmark, "main content")
    assert main[0] == "Four centuries of the mill"
    assert main[-1].startswith("Steam ended the trade")
    assert texts(benchmark, "menu") == ["Home", "History", "People", "Visit us", "News"]
    template = texts(benchmark, "template")
    assert "Our partners" in template
    assert "In the archive this week" not in template  # neither template nor main content
    assert "In the archive this week" not in main
    image = next(node for node in benchmark.gold["main content"] - benchmark.tree.texts.keys() if node > 40)
    assert benchmark.tree.counted[image]


def test_numbered_labels_quotes_and_other_encodings() -> None:
    blog = read_benchmark(find_key_pages(SUITE / "Personal")[0])
    assert texts(blog, "menu") == ["Accueil", "Levain", "Seigle", "Fougasse"]  # class=TECO_mainMenu, unquoted
    assert texts(blog, "template")[0] == "Le fournil de Zoé"  # Latin-1
    assert not any("débordé" in text for text in texts(blog, "template"))  # TECO_notTemplate2
    shop = read_benchmark(find_key_pages(SUITE / "Companies")[0])
    assert not any("Others also bought" in text for text in texts(shop, "template"))  # TECO_notTemplate1


@pytest.mark.parametrize(
    ("labelled", "bare"),
    [
        ('<p class="TECO_mainContent">a', "<p >a"),
        ('<p class="lead TECO_mainContent TECO_notTemplate2 big" id=x>a', '<p class="lead big" id=x>a'),
        ("<p class='x TECO_mainMenu'>a", "<p class='x'>a"),
        ("<p CLASS = TECO_mainMenu>a", "<p >a"),
        ("<p class=TECO_mainMenu id=b>a", "<p  id=b>a"),
        ('<p class="xTECO_mainMenu">a', '<p class="xTECO_mainMenu">a'),
        ("<p>What TECO_mainContent means", "<p>What TECO_mainContent means"),
    ],
)
def test_labels_leave_the_source(labelled: str, bare: str) -> None:
    assert remove_labels(labelled.encode()) == bare.encode()


def test_no_system_sees_a_label(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []
    judge_texts = teco_scores.run_pages

    def run_pages(system, pages, **options):
        seen.extend(page.html for page in pages)
        return judge_texts(system, pages, **options)

    class Site(teco_scores.Site):
        def add(self, html: bytes, url: str | None = None) -> int:
            seen.append(html)
            return super().add(html, url)

        def template_around(self, number, html, candidates=None):
            seen.append(html)
            return super().template_around(number, html, candidates)

    monkeypatch.setattr(teco_scores, "run_pages", run_pages)
    monkeypatch.setattr(teco_scores, "Site", Site)
    measure(find_key_pages(SUITE), teco_systems(["temex", "hybex", "conex-site"], ["justext"]))
    assert len(seen) == 2 * (4 + 5 + 4) + 3 + 3  # two methods on all pages; HybEx and the peer on the key pages
    for place in find_key_pages(SUITE):
        benchmark = read_benchmark(place)
        seen += [benchmark.html, *(html for _, html in benchmark.siblings())]
    assert not any(b"TECO_" in html for html in seen)


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("<p class='TECO_mainContents'>a", "unknown labels: TECO_mainContents"),
        ("<p>About TECO_mainContent", "no class of an element"),
        ("<p class='&#84;ECO_mainContent'>a<p class=TECO_mainMenu>b", "cannot be removed from the source"),
        # The fourth of equal formatting elements is forgotten by the parser; with a label it is another one.
        ("<p><b><b><b><b class=TECO_mainContent><b>x</p>y", "without changing the page's tree"),
    ],
)
def test_pages_that_cannot_be_judged_say_why(tmp_path: Path, page: str, reason: str) -> None:
    (place,) = find_key_pages(site(tmp_path, page))
    with pytest.raises(Unusable, match=reason):
        read_benchmark(place)
    found = measure([place], teco_systems(["all"], []))
    assert found.judged == []
    assert [(place.id, reason in said) for place, said in found.unusable] == [("a.example", True)]


def test_a_folder_with_several_key_pages_counts_each_once(tmp_path: Path) -> None:
    site(tmp_path, "<p class=TECO_mainContent>one")
    folder = tmp_path / "a.example"
    shutil.copy(folder / "index.html", folder / "index.1.html")
    (folder / "sub").mkdir()
    (folder / "sub" / "two").write_text("<p class=TECO_mainContent>two")  # wget -E does not always add a suffix
    (folder / "picture.png").write_bytes(b"<p class=TECO_mainContent>")
    (folder / "elsewhere.html").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.html")  # would never end
    assert [place.id for place in find_key_pages(tmp_path)] == ["a.example/index.1.html", "a.example/sub/two"]


def test_a_folder_without_labels_is_no_suite(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="no page in"):
        find_key_pages(site(tmp_path, "<p>a"))


def test_names_that_wget_escapes_in_links_lead_to_the_files(tmp_path: Path) -> None:
    site(tmp_path, "<p class=TECO_mainContent>a <a href='index.html%3Fp=2.html'>2</a>")
    (tmp_path / "a.example" / "aaa.html").write_text("<p>not linked")
    (tmp_path / "a.example" / "index.html?p=2.html").write_text("<p>linked")
    (tmp_path / "a.example" / "list.html").write_text('{"no": "page"}')
    assert [html for _, html in only(tmp_path).siblings()] == [b"<p>linked", b"<p>not linked"]


def test_elements_go_with_their_texts(tmp_path: Path) -> None:
    page = "<div class=TECO_mainContent><p>one<img></p><p>two <b>bold</b></p></div><p hidden>x</p><p>three<br></p>"
    tree = only(site(tmp_path, page)).tree
    document = Document()
    document.parse(remove_labels(page.encode()))

    def names(*wanted: str) -> list[str]:
        nodes = frozenset(node for node, text in tree.texts.items() if text.strip() in wanted)
        return [document.tag(node) for node in sorted(with_elements(tree, nodes))]

    assert names("one", "two", "bold") == ["div", "p", "#text", "img", "p", "#text", "b", "#text"]
    assert names("two") == ["#text"]
    assert names("bold") == ["b", "#text"]
    assert names() == []
    assert names("one", "two", "bold", "three")[0] == "body"


def test_scores_are_those_counted_by_hand(tmp_path: Path) -> None:
    """`all` keeps every text: nine words in eight nodes below the body. Three of these words and two nodes are gold."""
    page = "<body><p>four words stand here</p><p class=TECO_mainContent>three more words</p><p>two last</p>"
    found = measure(find_key_pages(site(tmp_path, page)), teco_systems(["all", "menex"], []))
    (judged,) = found.judged  # no menu is labelled, so none is judged
    assert judged.counts == {"nodes": (2, 7, 2), "words": (3, 9, 3)}
    assert judged.scores["nodes"] == pytest.approx((2 / 7, 1.0, 4 / 9))
    assert judged.scores["words"] == pytest.approx((1 / 3, 1.0, 1 / 2))


def test_averages_are_means_of_the_pages_scores() -> None:
    places = find_key_pages(SUITE, frozenset({MILL}))
    found = measure(places, teco_systems([], []))
    assert found.unusable == []
    rows = {(row.system.name, row.subset): row for row in averages(found.judged)}
    f1 = {each.place.id: each.scores["nodes"].f1 for each in found.judged if each.system.name == "temex"}
    assert rows["temex", "training"].scores["nodes"].f1 == pytest.approx(
        (f1["shop.flour.example"] + f1["blog.baker.example"]) / 2
    )
    assert rows["temex", "all"].n == 3
    assert rows["menex", "all"].scores["links"] == (1, 1, 1)
    assert rows["cetd-dsum", "all"].scores["words"] == (1, 1, 1)
    assert rows["repeated", "evaluation"].scores["words"] == (1, 1, 1)
    table = results_table(found.judged)
    assert table.num_rows == len(found.judged) == 3 * 22
    assert set(table.filter(table["system"].to_numpy() == "temex")["compared"].to_pylist()) == {3}


def test_a_page_that_cannot_be_read_ends_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Path) -> bytes:
        raise OSError(5, "Input/output error", "history.html")

    monkeypatch.setattr("thresher.lab.evaluate.teco.read_file", broken)
    result = run("--teco", str(SUITE))
    assert result.exit_code == 2
    assert "Input/output error" in result.output


def run(*arguments: str):
    return CliRunner().invoke(evaluate, list(arguments))


def test_the_command_prints_a_table_for_each_task(tmp_path: Path) -> None:
    split = tmp_path / "evaluation.txt"
    split.write_text(f"{MILL}\n")
    rows = tmp_path / "rows.parquet"
    bad = tmp_path / "suite"
    shutil.copytree(SUITE, bad)
    site(bad, "<p class=TECO_other>", "broken.example")
    result = run(
        *("--teco", str(bad), "--teco-evaluation", str(split), "--extractors", "conex,temex,menex"),
        *("--markdown", "--parquet", str(rows)),
    )
    assert result.exit_code == 0, result.output
    assert "4 key pages: 2 for training, 1 for evaluation" in result.output
    assert next(line for line in result.output.splitlines() if line.startswith("| menex")).split("|")[2:4] == [
        " training   ",
        "     2 ",
    ]
    assert "left out: broken.example: unknown labels: TECO_other" in result.output
    assert pq.read_table(rows).num_rows == 9


def test_the_command_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    assert "give one of --data, --teco," in run().output
    assert "give one of --data, --teco," in run("--teco", str(SUITE), "--data", str(SUITE)).output
    assert "no system is called 'nothing'" in run("--teco", str(SUITE), "--extractors", "nothing").output
    for option in (("--limit", "3"), ("--facts",), ("--no-per-set",), ("--held-out", str(tmp_path))):
        result = run("--teco", str(SUITE), *option)
        assert result.exit_code == 2
        assert "does not go with --teco" in result.output
    split = tmp_path / "split.txt"
    split.write_bytes(b"\xff\xfe")
    result = run("--teco", str(SUITE), "--teco-evaluation", str(split))
    assert result.exit_code == 2
    assert "split.txt: 'utf-8' codec" in result.output
    result = run("--teco", str(tmp_path))
    assert result.exit_code == 2
    assert "has a class that begins with TECO_" in result.output

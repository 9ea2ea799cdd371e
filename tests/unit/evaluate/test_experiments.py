# SPDX-License-Identifier: Apache-2.0
"""The database of experiments: what goes in, what is refused, what the list and the page say."""

import json
import re
import sqlite3
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from headless_chromium import Chromium

from thresher.commands.main import main
from thresher.evaluate.experiments import (
    MAX_SCORES,
    Added,
    Algorithm,
    Experiment,
    ExperimentError,
    add_experiments,
    groups,
    import_experiments,
    main_metric,
    write_page,
)

SUITE = Path(__file__).parents[2] / "teco_suite"
MINE = Algorithm("mine", "1", "extractor", {"depth": 3})


def document(**changes: Any) -> dict[str, Any]:
    return {
        "algorithm": {"name": "theirs", "version": "0.9", "options": {"lean": True}},
        "dataset": "news",
        "experiments": [
            {"page": "a", "scores": {"word_f1": 0.5}, "milliseconds": 2},
            {"page": "b", "scores": {"word_f1": 1, "length": 812}, "status": "timeout"},
        ],
        **changes,
    }


def test_a_run_is_kept_with_its_algorithm_pages_and_scores(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    rows = [
        Experiment(MINE, "news", "a", {"word_f1": 0.25, "lcs_f1": 0.5}, "ok", 1.0, "d1"),
        Experiment(MINE, "news", "b", {"word_f1": 0.75}, "crash", None, "d2"),
        Experiment(MINE, "blogs", "a", {"word_f1": 1.0}),
    ]
    time = datetime(2026, 11, 22, 10, tzinfo=UTC)
    assert add_experiments(file, rows, note="first", time=time) == Added(1, 3, new=True)
    blogs, news = groups(file)
    assert (blogs.dataset, blogs.pages, blogs.failures, blogs.milliseconds) == ("blogs", 1, 0, None)
    assert (news.time, news.note, news.origin, news.algorithm) == (
        "2026-11-22T10:00:00.000000+00:00", "first", "evaluate", "mine",
    )  # fmt: skip
    assert (news.pages, news.failures, news.milliseconds, json.loads(news.options)) == (2, 1, 1.0, {"depth": 3})
    assert news.means == {"lcs_f1": 0.5, "word_f1": 0.5}


def test_the_entities_of_the_thesis_are_tables_without_duplicates(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    for _ in range(3):
        add_experiments(file, [Experiment(MINE, "news", "a", {"f1": 0.5}, digest="one gold text")])
    add_experiments(file, [Experiment(MINE, "news", "a", {"f1": 0.5}, digest="another gold text")])
    with sqlite3.connect(file) as connection:
        counts = [
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("algorithms", "benchmarks", "experiments", "runs")
        ]
    assert counts == [1, 2, 4, 4]


def test_an_import_that_does_not_say_the_hash_of_a_page_means_the_one_that_is_known(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    import_experiments(file, document())  # before and after the page's hash is known
    add_experiments(file, [Experiment(MINE, "news", "a", {"word_f1": 0.5}, digest="d1")])
    import_experiments(file, document(note="later"))
    add_experiments(file, [Experiment(MINE, "news", "a", {"word_f1": 0.5}, digest="d2")])
    with sqlite3.connect(file) as connection:
        rows = connection.execute(
            "SELECT page, digest, count(*) FROM experiments JOIN benchmarks ON id = benchmark GROUP BY id"
        )
        assert sorted(rows) == [("a", "d1", 3), ("a", "d2", 1), ("b", "", 2)]


def test_a_run_is_added_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    twice = [Experiment(MINE, "news", "a", {"f1": 0.5}), Experiment(MINE, "news", "a", {"f1": 0.6})]
    with pytest.raises(ExperimentError, match="mine 1 appears twice on page a of news"):
        add_experiments(file, twice)
    assert groups(file) == []


def test_names_that_are_no_text_are_kept_as_text(tmp_path: Path) -> None:
    add_experiments(tmp_path / "kept.db", [Experiment(MINE, "set\udcff", "page\ud800", {"f1": 0.5})])
    assert groups(tmp_path / "kept.db")[0].dataset == "set?"


def test_another_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    text, other = tmp_path / "notes.txt", tmp_path / "other.db"
    text.write_text("no database " * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (a)")
    for file in (text, other):
        before = file.read_bytes()
        with pytest.raises(ExperimentError):
            add_experiments(file, [])
        with pytest.raises(ExperimentError):
            groups(file)
        assert file.read_bytes() == before
    with pytest.raises(ExperimentError, match="no such file"):
        groups(tmp_path / "missing.db")
    assert not (tmp_path / "missing.db").exists()


def test_an_import_is_taken_once(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    first = import_experiments(file, document(time="2026-11-01T08:00:00+02:00", note="by hand"))
    assert first == Added(1, 2, new=True)
    assert import_experiments(file, json.dumps(document(time="2026-11-01T08:00:00+02:00", note="by hand"))) == Added(
        1, 2, new=False
    )
    (group,) = groups(file)
    assert (group.algorithm, group.version, group.kind, group.origin, group.thresher) == (
        "theirs", "0.9", "external", "import", "",
    )  # fmt: skip
    assert group.time.startswith("2026-11-01T06:00:00")
    assert group.means == {"length": 812, "word_f1": 0.75}
    assert (group.pages, group.failures, group.milliseconds) == (2, 1, 2.0)
    assert import_experiments(file, document(note="again")).new


def entry(**changes: Any) -> dict[str, Any]:
    return document(experiments=[{"page": "a", "scores": {"f1": 0.5}, **changes}])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([], "document: this must be an object"),
        ("{", "this is no JSON"),
        (b"\xff", "this is no JSON"),
        ("[" * 100_000, "this is no JSON"),
        ({"dataset": "x"}, "document: algorithm, experiments is missing"),
        (document(extra=1), "document: unknown 'extra'"),
        (document(algorithm="mine"), "algorithm: this must be an object"),
        (document(algorithm={"name": "x"}), "algorithm: version is missing"),
        (document(algorithm={"name": " ", "version": "1"}), "algorithm.name: this must be a text"),
        (document(algorithm={"name": "x", "version": 1}), "algorithm.version: this must be a text"),
        (document(algorithm={"name": "x", "version": "1", "options": []}), "algorithm.options: this must be an object"),
        (document(algorithm={"name": "x", "version": "1", "options": {"a": "x" * 30_000}}), "more than 20,000"),
        (document(dataset="x" * 2001), "dataset: this must be a text of at most 2000"),
        (document(time="yesterday"), "time: this must be a time such as"),
        (document(time="0001-01-01T00:00:00+10:00"), "time: this must be a time such as"),
        (document(note=3), "note: this must be a text"),
        (document(experiments=[]), "experiments: this must be a list of 1 to"),
        (document(experiments=[3]), "experiments[0]: this must be an object"),
        (entry(page=None), "experiments[0].page: this must be a text"),
        (entry(scores={}), "experiments[0].scores: this must be an object of 1 to 64"),
        (entry(scores={f"s{i}": 0 for i in range(MAX_SCORES + 1)}), "this must be an object of 1 to 64"),
        (entry(scores={"a b": 1}), "'a b' is no name"),
        (entry(scores={"word_f1": 1.2}), "experiments[0].scores.word_f1: 1.2 is not between 0 and 1"),
        (entry(scores={"length": True}), "experiments[0].scores.length: this must be a number"),
        (entry(scores={"length": "9"}), "experiments[0].scores.length: this must be a number"),
        (entry(scores={"length": 10**400}), "experiments[0].scores.length: this must be a finite number"),
        (entry(milliseconds=-1), "experiments[0].milliseconds: -1.0 is less than 0"),
        (json.dumps(entry(scores={"length": float("nan")})), "a number that is not finite"),
        (document(experiments=[{"page": "a", "scores": {"f1": 1}}] * 2), "theirs 0.9 appears twice on page a"),
    ],
)
def test_a_wrong_document_says_where_and_adds_nothing(tmp_path: Path, wrong: object, said: str) -> None:
    file = tmp_path / "kept.db"
    with pytest.raises(ExperimentError, match=re.escape(said)):
        import_experiments(file, wrong)
    assert not file.exists() or groups(file) == []


def test_a_document_with_odd_letters_is_kept(tmp_path: Path) -> None:
    odd = r"""{"algorithm": {"name": "\ud800", "version": "1", "options": {"\udfff": 1}}, "dataset": "d",
               "experiments": [{"page": "\u0000", "scores": {"f1": 0}}]}"""
    import_experiments(tmp_path / "kept.db", odd)
    assert groups(tmp_path / "kept.db")[0].algorithm == "?"


def test_several_writers_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    errors: list[ExperimentError] = []

    def write(number: int) -> None:
        try:
            for each in range(5):
                import_experiments(file, document(note=f"{number} {each}"))
        except ExperimentError as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(groups(file)) == 20


def test_the_main_metric_is_the_first_that_matters() -> None:
    assert main_metric({"lcs_f1": 0, "word_f1": 0, "word_cjk_f1": 0}) == "word_cjk_f1"
    assert main_metric({"ms": 0, "lcs_f1": 0}) == "lcs_f1"
    assert main_metric({"ms": 0}) == "ms"
    assert main_metric({}) is None
    assert main_metric({"lcs_f1": 0, "word_f1": 0}, "lcs_f1") == "lcs_f1"
    assert main_metric({"word_f1": 0}, "lcs_f1") is None


def data_of(page: str) -> Any:
    return json.loads(re.search(r"^const DATA = (.*);$", page, re.MULTILINE)[1])


def test_the_page_holds_the_scores_and_nothing_that_could_run_or_be_fetched(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    nasty = "</script><script>alert(1)</script><!-- \u2028"
    import_experiments(file, document(algorithm={"name": nasty, "version": "1"}))
    add_experiments(file, [Experiment(MINE, "news", "a", {"lcs_f1": 0.123456}, milliseconds=1.23456)])
    page = write_page(file)
    assert page.count("<script") == 1
    assert page.count("</script") == 1
    assert not re.search(r"(?:src|href)\s*=|@import|url\(", page)
    assert "default-src 'none'" in page
    data = data_of(page)
    assert data["groups"][0]["algorithm"] == nasty
    assert data["groups"][1]["values"] == [0.123]
    assert [data["pages"][at] for at in data["groups"][0]["pages"]] == ["a", "b"]
    only = data_of(write_page(file, "lcs_f1"))
    assert [group["algorithm"] for group in only["groups"]] == ["mine"]


def run(*arguments: str, **options: Any):
    return CliRunner().invoke(main, list(arguments), **options)


def test_evaluations_are_kept_and_listed(tmp_path: Path) -> None:
    file, page = tmp_path / "kept.db", tmp_path / "page.html"
    labelled = tmp_path / "news.parquet"
    rows = [
        {"id": f"p{i}", "html": f"<p>Story number {i} is short.", "gold": f"Story number {i} is short."}
        for i in range(3)
    ]
    pq.write_table(pa.Table.from_pylist(rows), labelled)
    evaluate = ("evaluate", "--data", str(labelled), "--extractors", "all,density", "--cache", str(tmp_path / "cache"))
    for note in ("before", "after"):
        done = run(*evaluate, "--experiments", str(file), "--note", note)
        assert done.exit_code == 0, done.output
    done = run("evaluate", "--teco", str(SUITE), "--extractors", "temex", "--experiments", str(file))
    assert "3 experiments added" in done.output
    found = groups(file)
    assert [(group.algorithm, group.dataset, group.note, group.pages) for group in found] == [
        ("all", "news", "before", 3),
        ("density", "news", "before", 3),
        ("all", "news", "after", 3),
        ("density", "news", "after", 3),
        ("temex", "teco-training", "", 3),
    ]
    assert found[0].means["word_cjk_f1"] == 1.0
    assert "with_share" not in found[0].means  # these pages have no snippets
    assert found[0].milliseconds is not None
    listed = run("experiments", str(file), "--html", str(page), "--metric", "word_f1")
    assert listed.exit_code == 0
    lines = listed.stdout.splitlines()
    assert lines[0].split()[:3] == ["time", "algorithm", "version"]
    assert lines[1].split()[-6:] == ["3", "word_f1", "1.000", *lines[1].split()[-3:-2], "0", "before"]
    assert len(data_of(page.read_text())["groups"]) == 4  # temex has no word_f1
    as_json = run("experiments", str(file), "--json")
    assert [json.loads(line)["pages"] for line in as_json.stdout.splitlines()] == [3] * 5


def test_the_command_imports_and_refuses(tmp_path: Path) -> None:
    file, mine = tmp_path / "kept.db", tmp_path / "mine.json"
    mine.write_text(json.dumps(document()))
    assert "2 experiments added" in run("experiments", str(file), "--import", str(mine)).output
    assert "2 experiments known already" in run("experiments", str(file), "--import", str(mine)).output
    wrong = run("experiments", str(file), "--import", "-", input="{}")
    assert wrong.exit_code == 2
    assert "document: algorithm, dataset, experiments is missing" in wrong.output
    unknown = run("experiments", str(file), "--metric", "nothing")
    assert unknown.exit_code == 2
    assert "no experiment has a score called 'nothing' (there are length, word_f1)" in unknown.output
    assert run("experiments", str(tmp_path / "missing.db")).exit_code == 2


def test_a_file_that_cannot_be_used_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "kept.db").write_text("something else, which is longer than a header of SQLite would be " * 9)
    result = run("evaluate", "--teco", str(SUITE), "--experiments", str(tmp_path / "kept.db"))
    assert result.exit_code == 2
    assert "key pages" not in result.output
    result = run("evaluate", "--data", str(SUITE), "--metadata", "--experiments", str(tmp_path / "new.db"))
    assert result.exit_code == 2
    assert "which --metadata does not have" in result.output


@pytest.mark.browser
@pytest.mark.browser
def test_the_page_compares_experiments_in_a_browser(tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    names = [f"p{i}" for i in range(4)] + ["<img src=x onerror=document.title='owned'>"]
    for day, gains in ((1, [0, 0, 0, 0, 0]), (2, [0.25, 0, -0.5, 0, 0.125])):
        add_experiments(
            file,
            [Experiment(MINE, "news", name, {"word_f1": 0.5 + gain}) for name, gain in zip(names, gains, strict=True)],
            time=datetime(2026, 11, day, tzinfo=UTC),
            note="monday" if day == 1 else "tuesday",
        )
    import_experiments(file, document(dataset="blogs", time="2026-11-03"))
    page = tmp_path / "page.html"
    page.write_text(write_page(file))
    with Chromium(tmp_path / "profile") as browser:
        browser.open(page.as_uri())
        browser.run("document.getElementById('dataset').value = 'news'; showGroups()")
        said = browser.run("document.getElementById('summary').textContent")
        assert "5 pages in both; word_f1 of B − A: -0.0250 on average; B is better on 2, worse on 1." in said
        cell = "(row) => row.cells[0].textContent + row.cells[3].textContent"
        cells = f"[...document.querySelectorAll('#pages tr')].map({cell})"
        assert browser.run(cells)[0] == "p2-0.500"
        browser.run("document.getElementById('order').value = 'better'; showPages()")
        assert browser.run(cells)[0] == "p0+0.250"
        browser.run("document.querySelector('#pages button').click()")
        assert browser.run("document.getElementById('history-title').textContent") == "Over time: p0"
        titles = "[...document.querySelectorAll('#history title')].map((each) => each.textContent)"
        assert [title.split(": ")[-1][:5] for title in browser.run(titles)] == ["0.500", "0.750"]
        browser.run("document.getElementById('find').value = 'Monday mine'; showGroups()")
        assert browser.run("document.querySelectorAll('#groups tr').length") == 1
        assert browser.run("document.title") == "Thresher: experiments"
        assert browser.console == []
        assert browser.requested == [page.as_uri()]

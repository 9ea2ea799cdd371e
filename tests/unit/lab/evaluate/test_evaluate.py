# SPDX-License-Identifier: Apache-2.0
"""The evaluation from labelled file to table and report: pages, workers, cache, failures, command."""

import ast
import hashlib
import inspect
import json
import re
import sys
import tomllib
import zlib
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from thresher.commands import evaluate as command
from thresher.errors import install_command
from thresher.lab.evaluate import peers, summary
from thresher.lab.evaluate.cache import Cache
from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.folds import FOLDS, site_fold
from thresher.lab.evaluate.labelled_pages import LabelledPages
from thresher.lab.evaluate.metrics import METRICS
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError, Page, list_datasets, read_pages
from thresher.lab.evaluate.runner import run_pages, run_system, score_texts
from thresher.lab.evaluate.systems import System, find_systems, held_out_file, shares
from thresher.native.scoring.model import MODEL_FILE

STORY = "A long sentence of the story number {}, which goes on for a while, so that it counts as text."


def made_up_page(i: int) -> dict[str, object]:
    story = STORY.format(i)
    html = (
        f"<title>{i}</title>"
        f"<div id=menu><a href=/>Home</a> <a href=/a>About us</a>{' <a href=/c>More</a>' * (i % 4)}</div>"
        f"<div><h1>Story {i}</h1><p>{story}</p><p>{story}</p></div><div><a href=/b>Imprint</a></div>"
    )
    return {
        "id": f"p{i}",
        "site": f"site{i % 7}.org",
        "lang": "en",
        "html": html.encode(),
        "gold": f"Story {i}\n{story}\n{story}",
        "with": [story],
        "without": ["Imprint"],
    }


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Two made-up sets of twelve pages, and two pages without gold."""
    directory = tmp_path / "labelled"
    directory.mkdir()
    for name in ("first", "second"):
        rows = [made_up_page(i) for i in range(12)] + [
            made_up_page(12) | {"gold": None},
            made_up_page(13) | {"gold": "  "},
        ]
        pq.write_table(pa.Table.from_pylist(rows), directory / f"{name}.parquet")
    return directory


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def test_pages_without_gold_are_left_out_and_samples_do_not_depend_on_order(labelled: Path) -> None:
    file = list_datasets(labelled, ["second"])[0]
    pages = list(read_pages(file))
    assert [page.id for page in pages] == [f"p{i}" for i in range(12)]
    assert pages[0].required == (STORY.format(0),)
    chosen = [page.id for page in read_pages(file, limit=5)]
    assert len(chosen) == 5
    rows = pq.read_table(file).to_pylist()
    pq.write_table(pa.Table.from_pylist(rows[::-1]), file)
    assert [page.id for page in read_pages(file, limit=5)] == chosen[::-1]


def test_what_is_no_labelled_set_is_said(labelled: Path, tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"no such set.*third.*first, second"):
        list_datasets(labelled, ["third"])
    with pytest.raises(EvaluationError, match="neither"):
        list_datasets(tmp_path / "labelled" / "nothing")
    (tmp_path / "broken.parquet").write_bytes(b"no parquet")
    with pytest.raises(EvaluationError, match=r"broken\.parquet"):
        list(read_pages(tmp_path / "broken.parquet"))
    pq.write_table(pa.table({"id": ["a"], "html": [b""]}), tmp_path / "plain.parquet")
    with pytest.raises(EvaluationError, match="gold"):
        list(read_pages(tmp_path / "plain.parquet"))


def test_html_and_gold_are_enough(tmp_path: Path) -> None:
    """No ids, HTML as text, an id twice, HTML that is null: a user's own file."""
    story = STORY.format(1)
    own = {"html": [f"<p>{story}</p>", None, f"<p>Zürich: {story}</p>"], "gold": [story, "lost", f"Zürich: {story}"]}
    pq.write_table(pa.table(own), tmp_path / "own.parquet")
    pq.write_table(
        pa.table({**own, "id": [7, 7, 8], "url": ["http://a.example.org/x", None, "http://["]}),
        tmp_path / "twice.parquet",
    )
    pages = {file.stem: list(read_pages(file)) for file in list_datasets(tmp_path)}
    assert [(page.id, page.site) for page in pages["own"]] == [("0", "0"), ("1", "1"), ("2", "2")]
    assert [(page.id, page.site) for page in pages["twice"]] == [("7", "example.org"), ("7", "7"), ("8", "8")]
    assert pages["own"][2].html.decode().startswith("<p>Zürich")
    assert len(list(read_pages(tmp_path / "own.parquet", limit=2))) == 2
    arguments = ["--data", str(tmp_path), "--extractors", "cetd,all", "--jobs", "1", "--cache", str(tmp_path / "cache")]
    result = CliRunner().invoke(command.evaluate, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert "6 pages with gold text" in result.stdout


def test_a_bad_file_among_good_ones_is_named(labelled: Path) -> None:
    good = (labelled / "first.parquet").read_bytes()
    for content in (
        b"",
        b"PAR1 and nothing that follows",
        good[: len(good) // 2],
        good[:400] + bytes(600) + good[1000:],
    ):
        (labelled / "bad.parquet").write_bytes(content)
        result = CliRunner().invoke(command.evaluate, ["--data", str(labelled), "--extractors", "all"])
        assert result.exit_code == 2
        assert "bad.parquet" in result.output


@pytest.mark.parametrize(
    "html", [b"", b"\xff\xfe\x00", "Zürich".encode("latin-1"), bytes(range(256)) * 3, b"\xed\xa0\x80"]
)
def test_any_bytes_become_utf8(html: bytes) -> None:
    decode_page(html).decode()


def page_of(dataset: str, html: bytes) -> Page:
    return Page(dataset, html.decode(), "a.org", None, None, html, hashlib.sha256(html).digest(), "text")


HOSTILE = """
import os, time

def load():
    def extract(html, language):
        if b"fail" in html: raise KeyError("no")
        if b"hang" in html: time.sleep(600)
        if b"die" in html: os._exit(7)
        if b"number" in html: return 7
        return html.decode()
    return extract
"""


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> System:
    """A system that does what the page says: fails, hangs, dies, or answers. Workers find it as a module."""
    (tmp_path / "hostile_system.py").write_text(HOSTILE)
    monkeypatch.syspath_prepend(tmp_path)
    return System("hostile_system", "module", "1")


@pytest.mark.usefixtures("spawned")
def test_a_page_that_hangs_or_kills_costs_that_page_only(hostile: System) -> None:
    words = (b"one", b"fail", b"hang", b"two", b"die", b"number", b"three")
    found = run_pages(hostile, [page_of("set", word) for word in words], jobs=2, time_limit=5.0)
    outputs = {page.id: output for page, output in found}
    assert {name: output.status for name, output in outputs.items()} == {
        "one": "ok", "fail": "KeyError", "hang": "timeout", "two": "ok", "die": "crash", "number": "returned int",
        "three": "ok",
    }  # fmt: skip
    assert outputs["three"].text == "three"
    assert outputs["hang"].text == outputs["die"].text == outputs["number"].text == ""
    assert outputs["hang"].milliseconds == 5000.0


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import no_such_module_anywhere", "failed to load: ModuleNotFoundError.*no_such_module_anywhere"),
        ("import os; os._exit(1)", "failed to load: its process died"),
    ],
)
def test_a_system_that_does_not_load_is_named_with_the_reason(
    source: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_system.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(EvaluationError, match=f"broken_system {message}"):
        list(run_pages(System("broken_system", "module", "1"), [page_of("set", b"one")], time_limit=1.0))


def test_a_system_that_fails_on_every_page_is_an_error(
    labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "wrong_system.py"
    module.write_text("def load():\n    return lambda html, language: html.replace('<p>', '')\n")
    monkeypatch.syspath_prepend(tmp_path)
    system = System("wrong_system", "module", "1")
    bench = LabelledPages(labelled, [], tmp_path / "cache")
    for _ in range(2):  # with the reason again, so the first outputs were not cached
        with pytest.raises(EvaluationError, match=r"wrong_system failed on all \d+ pages. .* TypeError: a bytes-like"):
            bench.measure(system)
    module.write_text("def load():\n    return lambda html, language: html.decode()\n")
    assert {output.status for output in bench.measure(system).outputs} == {"ok"}


def test_a_module_of_ones_own_gets_bytes(labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_module.py").write_text("def load():\n    return lambda html, language: html.decode().strip()\n")
    monkeypatch.syspath_prepend(tmp_path)
    bench = LabelledPages(labelled, [], tmp_path / "cache")
    measured = bench.measure(System("my_module", "module", "1"))
    assert {output.status for output in measured.outputs} == {"ok"}
    assert summary.summarise(measured.table)[0].f1.value > 0


def test_nothing_runs_twice(hostile: System, cache: Cache) -> None:
    pages = [page_of("set", b"one"), page_of("set", b"fail"), page_of("other", b"one")]
    first = [(page.dataset, page.id, output) for page, output in run_system(hostile, pages, cache, time_limit=5)]
    assert sorted((dataset, name, output.status) for dataset, name, output in first) == [
        ("other", "one", "ok"), ("set", "fail", "KeyError"), ("set", "one", "ok"),
    ]  # fmt: skip
    gone = System("hostile_system", "no such kind of system", "1")
    again = [(page.dataset, page.id, output) for page, output in run_system(gone, pages, cache, time_limit=5)]
    # Same name and version: no worker was started, or it would have failed to load.
    assert sorted(again) == sorted(first)
    newer = System("hostile_system", "no such kind of system", "2")
    with pytest.raises(EvaluationError, match="failed to load"):
        list(run_system(newer, pages, cache, time_limit=5))


def test_outputs_are_cached_by_system_version_and_page(cache: Cache) -> None:
    kept = {
        ("one", "1", b"a"): "text",
        ("one", "2", b"a"): "newer",
        ("two", "1", b"a"): "other",
        ("one", "1", b"b"): "",
    }
    for (name, version, page), text in kept.items():
        cache.store_output(System(name, "module", version), page, Output("ok", 1.5, text + "\ud800"))
    for (name, version, page), text in kept.items():
        found = cache.outputs(System(name, "module", version), [page, b"c"])
        assert found == {page: Output("ok", 1.5, text + "\ud800")}
    cache.forget(System("one", "module", "1"), [b"a", b"c"])
    assert cache.outputs(System("one", "module", "1"), [b"a", b"b"]).keys() == {b"b"}


def test_scores_are_cached_by_content(cache: Cache) -> None:
    page = page_of("set", b"one")
    scores = score_texts([(page, "text"), (page, "other")], cache)
    assert [score["word_f1"] for score in scores] == [1.0, 0.0]
    assert score_texts([(page, "other"), (page, "text")], cache)[1] == pytest.approx(scores[0], nan_ok=True)


@pytest.mark.usefixtures("spawned")
def test_many_texts_are_scored_in_processes_as_in_one(tmp_path: Path) -> None:
    texts = [(page_of("set", b"one"), f"text {i}") for i in range(250)]
    alone, together = score_texts(texts, Cache(tmp_path / "one")), score_texts(texts, Cache(tmp_path / "two"), jobs=2)
    assert json.dumps(together) == json.dumps(alone)


def test_a_cache_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "evaluation").touch()
    (tmp_path / "file").touch()
    for directory in (tmp_path, tmp_path / "file"):
        with pytest.raises(EvaluationError, match=rf"cannot keep results in {directory}/evaluation: .*--cache"):
            Cache(directory)


def test_a_damaged_file_of_the_cache_is_as_good_as_none(cache: Cache) -> None:
    system, output = System("one", "module", "1"), Output("ok", 1.5, "text")
    for damage in (b"", b"x", zlib.compress(b"[1")):
        cache.store_output(system, b"page", output)
        assert cache.outputs(system, [b"page"]) == {b"page": output}
        (file,) = (each for each in cache._directory.rglob("*") if each.is_file())
        file.write_bytes(damage)
        assert cache.outputs(system, [b"page"]) == {}


def test_summary_is_macro_over_sets() -> None:
    system = System("one", "peer", "1")
    pages = [page_of("large", b"%d" % i) for i in range(9)] + [page_of("small", b"x")]
    scores = [dict.fromkeys(METRICS, 1.0)] * 9 + [dict.fromkeys(METRICS, 0.0)]
    outputs = [Output("ok", 2.0, "text")] * 9 + [Output("timeout", 12.0, "")]
    table = summary.results_table(system, zip(pages, outputs, strict=True), scores)
    (row,) = summary.summarise(table)
    assert (row.f1.value, row.median_f1, row.word.value) == (0.5, 0.5, 0.5)  # and not .9: each set counts alike
    assert (row.milliseconds, row.failures, row.empty) == (3.0, 1, 1)
    assert summary.set_means(table, "word_f1") == (["large", "small"], {"one": [1.0, 0.0]})


@pytest.mark.slow
def test_bench_measures_our_extractors(labelled: Path, tmp_path: Path) -> None:
    bench = LabelledPages(labelled, [], tmp_path / "cache")
    assert len(bench.pages) == 24
    members = [bench.measure(system) for system in find_systems(["cetd", "cetd-ds", "all"], [])]
    by_name = {one.system.name: one for one in members}
    assert np.mean(summary.column(by_name["all"].table, "rouge_lsum_recall")) == 1.0
    assert summary.column(by_name["all"].table, "without_share").min() == 1.0
    assert np.mean(summary.column(by_name["cetd"].table, "rouge_lsum_f1")) > 0.8


def test_the_learned_extractor_is_judged_by_models_that_have_not_seen_the_site(labelled: Path, tmp_path: Path) -> None:
    model = json.loads(files("thresher").joinpath(MODEL_FILE).read_text("utf-8"))
    with pytest.raises(EvaluationError, match=r"without-fold-0.*thresher\.lab\.train --held-out"):
        find_systems(["thresher"], [], held_out=tmp_path)
    for fold in range(FOLDS):
        held_out_file(tmp_path, fold).write_text(json.dumps(model | {"version": f"fold {fold}"}))
    (system,) = find_systems(["thresher"], [], held_out=tmp_path)
    bench = LabelledPages(labelled, [], tmp_path / "cache")
    first = bench.measure(system)
    (plain,) = find_systems(["thresher"], [])
    assert [output.text for output in first.outputs] == [output.text for output in bench.measure(plain).outputs]
    fold = site_fold(bench.pages[0].site)
    held_out_file(tmp_path, fold).write_text(json.dumps(model | {"version": "one that does not work", "format": 0}))
    with pytest.raises(EvaluationError, match="thresher failed to load"):
        bench.measure(system)
    assert [one.models for one, _ in shares(system, bench.sites)] == [
        (str(held_out_file(tmp_path, f)),) for f in range(FOLDS)
    ]


@pytest.mark.slow
def test_command_prints_a_table_and_writes_what_was_asked(labelled: Path, tmp_path: Path) -> None:
    arguments = ["--data", str(labelled), "--extractors", "cetd,cetd-ds,all", "--jobs", "1"]
    arguments += [
        "--cache",
        str(tmp_path / "cache"),
        "--parquet",
        str(tmp_path / "r.parquet"),
        "--report",
        str(tmp_path / "r.html"),
    ]
    result = CliRunner().invoke(command.evaluate, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert "24 pages with gold text" in result.stdout
    assert "mean word F1 (Chinese and Japanese by character) on each set" in result.stdout  # a title in one line
    table = pq.read_table(tmp_path / "r.parquet")
    assert table.num_rows == 24 * 3
    assert set(METRICS) | {"dataset", "id", "system", "status", "milliseconds"} <= set(table.column_names)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert not re.search(
        r"""(src|href)\s*=\s*["']?(https?:)?//|@import|url\(\s*["']?[^#)]|<script""", page
    )  # needs no network
    assert "<html" in page[:200]
    assert "p3: F1" in page


def test_command_refuses_what_it_cannot_measure(labelled: Path) -> None:
    for arguments, message in [
        (["--extractors", "none"], "no extractor is called 'none'"),
        (["--extractors", "thresher,trafilatura"], "trafilatura is not an extractor of ours: --peers trafilatura"),
        (["--peers", "none"], "no peer is called 'none'"),
        (["--sets", "none"], "no such set"),
        (["--metric", "none"], "'none' is none of"),
        (["--report", str(labelled / "nowhere" / "report.html")], "cannot write"),
        (["--parquet", str(labelled / "first.parquet" / "scores.parquet")], "cannot write"),
    ]:
        result = CliRunner().invoke(command.evaluate, ["--data", str(labelled), *arguments])
        assert result.exit_code == 2
        assert message in " ".join(result.output.split())


@pytest.mark.parametrize("library", ["rapidfuzz", "jinja2"])
def test_a_missing_library_is_named_before_the_work(
    library: str, labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    arguments = ["--data", str(labelled), "--extractors", "all", "--cache", str(tmp_path / "cache")]
    result = CliRunner().invoke(command.evaluate, [*arguments, "--parquet", str(tmp_path / "scores.parquet")])
    assert result.exit_code == 2
    assert f"evaluation needs {library}. Install with: {install_command('evaluate')}" in result.output
    assert not (tmp_path / "cache").exists()


def test_the_libraries_that_are_checked_are_those_of_the_extra() -> None:
    project = tomllib.loads((Path(__file__).parents[4] / "pyproject.toml").read_text("utf-8"))["project"]
    extra = {re.split(r"[<>=]", requirement)[0] for requirement in project["optional-dependencies"]["evaluate"]}
    assert set(command.LIBRARIES) == extra


def test_a_missing_peer_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers.Peer, "version", lambda _self: None)
    with pytest.raises(
        EvaluationError,
        match=r"not installed: goose3, readability.*pip install 'goose3' 'readability-lxml' 'inscriptis'.*thresher\[peers\]",
    ):
        find_systems([], ["goose3", "readability"])


@pytest.mark.parametrize("name", sorted(peers.PEERS))
def test_every_peer_takes_a_page(name: str) -> None:
    if peers.PEERS[name].version() is None:
        pytest.skip(f"{name} is not installed")
    extract = System(name, "peer", "").load()
    html = "<html><body><article><h1>Überschrift</h1>" + "".join(
        f"<p>{STORY.format(i) * 3} Größe.</p>" for i in range(8)
    )
    assert "sentence of the story number 3" in extract(html.encode(), "en")


def test_edited_adapters_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda _: "1.0")  # the peers need not be installed
    before = peers.PEERS["readability"].version()
    assert peers.PEERS["readability"].version() == before
    monkeypatch.setattr(peers, "_adapters", lambda: "edited")
    assert peers.PEERS["readability"].version() not in {None, before}


def test_another_version_of_a_library_runs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the library only renders what the peer found."""
    monkeypatch.setattr(metadata, "version", lambda _: "1.0")  # the peers need not be installed
    before = peers.PEERS["readability"].version()
    monkeypatch.setattr(metadata, "version", lambda name: "0.0" if name == "inscriptis" else "1.0")
    assert before is not None
    assert peers.PEERS["readability"].version() not in {None, before}


def test_every_peer_names_its_packages_and_the_extra_has_them() -> None:
    root = Path(__file__).parents[4]
    extra = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["peers"]
    listed = {re.split(r"[<>=]", requirement)[0] for requirement in extra} | {"resiliparse"}  # which we need ourselves
    of_facts = {"extruct"}
    assert {package for peer in peers.PEERS.values() for package in peer.packages} | of_facts == listed
    brought_by = metadata.packages_distributions()
    for peer in peers.PEERS.values():
        inside = list(ast.walk(ast.parse(inspect.getsource(peer.load))))
        modules = {alias.name for node in inside if isinstance(node, ast.Import) for alias in node.names}
        modules |= {node.module for node in inside if isinstance(node, ast.ImportFrom) and node.module}
        for module in {module.partition(".")[0] for module in modules} - sys.stdlib_module_names:
            names = {name.lower().replace("_", "-") for name in brought_by.get(module, [])}
            assert not names or names & {package.lower().replace("_", "-") for package in peer.packages}, (peer, module)


def test_differences_are_marked() -> None:
    from thresher.lab.evaluate import report

    gold, extracted = report.differences("the <b> story of old", "the story of new & old")
    assert [(piece.mark, piece.text) for piece in gold] == [("", "the"), ("del", "<b>"), ("", "story of"), ("", "old")]
    assert [(piece.mark, piece.text) for piece in extracted if piece.mark] == [("ins", "new &")]
    alike = " ".join(map(str, range(500)))
    gold, _ = report.differences(alike, alike)
    assert [piece.mark for piece in gold] == ["", "s", ""]
    assert sum(len(piece.text) for piece in gold) < 300
    long_gold, nothing = report.differences("x " * 100_000, "")
    assert sum(len(piece.text) for piece in long_gold) < 10_000
    assert nothing == []


@pytest.mark.slow
def test_the_report_escapes_what_pages_hold(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    rows = [made_up_page(i) | {"id": f"{evil}{i}", "gold": f"{evil} {STORY.format(i)}"} for i in range(6)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "set.parquet")
    arguments = ["--data", str(tmp_path / "set.parquet"), "--extractors", "cetd,bte,all", "--jobs", "1"]
    arguments += ["--cache", str(tmp_path / "cache"), "--report", str(tmp_path / "r.html")]
    assert CliRunner().invoke(command.evaluate, arguments, catch_exceptions=False).exit_code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [("a.jsonl", b"{}", "neither a labelled file nor a directory"), ("a.parquet", b"no Parquet", "a.parquet")],
)
def test_what_is_no_labelled_file_is_said(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    arguments = ["--data", str(tmp_path / name), "--extractors", "all", "--cache", str(tmp_path / "cache")]
    done = CliRunner().invoke(command.evaluate, arguments)
    assert done.exit_code == 2
    assert message in done.output.replace("\n", " ")


def test_a_value_of_another_type_is_named(tmp_path: Path) -> None:
    pq.write_table(pa.table({"html": ["<p>"], "gold": [7]}), tmp_path / "a.parquet")
    with pytest.raises(EvaluationError, match="row 0: gold must be text, not int"):
        list(read_pages(tmp_path / "a.parquet"))

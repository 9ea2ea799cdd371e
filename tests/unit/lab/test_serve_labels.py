# SPDX-License-Identifier: Apache-2.0
"""Labels of the workbench: what is kept, who reads it, and how two annotators compare."""

import gzip
import json
import multiprocessing
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from running_service import ARTICLE, Running, running
from small_archive import page, write_archive

from thresher.commands.main import main
from thresher.lab import labelling
from thresher.lab.evaluate.agreement import kappa
from thresher.lab.evaluate.pages import list_datasets, read_pages
from thresher.lab.labelling import MAX_DISPUTED
from thresher.lab.routes import LabRoutes
from thresher.lab.train.command import labelled_sets
from thresher.lab.train.dataset import Reader
from thresher.serving import sources
from thresher.serving.service import Service
from thresher.serving.settings import Settings

OTHER = ARTICLE.replace("Apple", "Plum").replace("Peel four apples", "Stone twenty plums")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("labels")


@pytest.fixture(scope="module")
def service(folder):
    with running(labels=folder) as found:
        yield found


def labels_for(service, html: str, **named: str) -> list[str | None]:
    """A label for each block: main where the extractor keeps it, menu and template for the rest."""
    blocks = service.post("/blocks", {"html": html, "explain": False}).json["blocks"]
    return [named.get(block["text"], "main" if block["kept"] else "menu") for block in blocks]


def save(service, html: str, annotator: str, labels: list[str | None], *, complete: bool = True):
    body = {"html": html, "url": "https://example.org/cake", "annotator": annotator, "labels": labels}
    return service.post("/labels", {**body, "complete": complete, "seconds": 41})


def test_a_labelled_page_is_read_by_evaluation_and_training(service, folder):
    labels = labels_for(service, ARTICLE)
    labels[-1] = "template"
    answer = save(service, ARTICLE, "anna", labels)
    assert answer.status == 200
    assert answer.json["whole"]
    [found] = read_pages(folder / "anna.parquet")
    assert found.html == ARTICLE.encode()
    assert found.gold.startswith("Apple cake\nPeel four apples")
    assert "Imprint" not in found.gold
    assert found.site == "example.org"
    [example] = Reader().read([folder / "anna.parquet"])
    assert not example.partial
    assert [label > 0.5 for label in example.labels] == [label == "main" for label in labels]
    row = pq.ParquetFile(folder / "anna.parquet").read().to_pylist()[0]
    assert row["labels"] == labels
    assert row["seconds"] == 41


def test_a_page_with_doubts_is_partial_and_moves_when_they_are_gone(service, folder):
    labels = labels_for(service, OTHER)
    doubtful = ["unsure" if label == "main" and place == 3 else label for place, label in enumerate(labels)]
    assert "unsure" in doubtful
    assert not save(service, OTHER, "ben", doubtful).json["whole"]
    [example] = Reader().read([folder / "partial" / "ben.parquet"])
    assert example.partial
    assert folder / "partial" / "ben.parquet" in labelled_sets(folder)
    assert not (folder / "ben.parquet").exists()
    assert save(service, OTHER, "ben", labels).json["whole"]
    assert len(list(read_pages(folder / "ben.parquet"))) == 1
    assert not list(read_pages(folder / "partial" / "ben.parquet"))


def test_open_blocks_of_a_finished_page_are_other(service):
    labels = labels_for(service, ARTICLE)
    answer = save(service, ARTICLE, "cleo", [label if label == "main" else None for label in labels])
    assert answer.json["whole"]
    found = service.get(f"/labels/cleo/{answer.json['id']}").json
    assert found["labels"] == ["other" if label != "main" else label for label in labels]
    part = save(service, OTHER, "cleo", [None] * len(labels), complete=False)
    assert not part.json["whole"]
    assert {each["annotator"]: each["n_pages"] for each in service.get("/labels").json["annotators"]}["cleo"] == 2


def test_halves_of_surrogate_pairs_become_question_marks(service, folder):
    cut = "\ud83c"
    labels = labels_for(service, ARTICLE + cut)
    body = {"annotator": "dora", "html": ARTICLE + cut, "url": f"https://example.org/{cut}", "lang": f"e{cut}"}
    answer = service.post("/labels", {**body, "labels": labels, "complete": True, "seconds": 1})
    assert answer.status == 200, answer.json
    [row] = pq.read_table(folder / "dora.parquet").to_pylist()
    assert (row["url"], row["lang"], row["html"][-1:]) == ("https://example.org/?", "e?", b"?")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"annotator": "../anna"}, "annotator"),
        ({"annotator": ""}, "annotator"),
        ({"annotator": "a/b"}, "annotator"),
        ({"labels": ["main"]}, "one for each block"),
        ({"labels": None}, "one for each block"),
        ({"labels": "yes"}, "must be null or one of"),
        ({"seconds": -1}, "seconds"),
        ({"html": ""}, "html"),
        ({"complet": True}, "unknown key 'complet'; did you mean 'complete'?"),
    ],
)
def test_labels_that_make_no_sense_are_refused_and_change_nothing(service, folder, change, message):
    before = {file: file.read_bytes() for file in folder.rglob("*.parquet")}
    labels = labels_for(service, ARTICLE)
    if change.get("labels") == "yes":
        change = {"labels": ["yes"] * len(labels)}
    body = {"html": ARTICLE, "annotator": "anna", "labels": labels, "complete": True, "seconds": 1, **change}
    answer = service.post("/labels", body)
    assert answer.status == 400
    assert message in answer.json["message"]
    assert {file: file.read_bytes() for file in folder.rglob("*.parquet")} == before


def test_two_annotators_agree_as_far_as_they_do(service):
    labels = labels_for(service, ARTICLE)
    differing = list(labels)
    differing[labels.index("main")] = "not-main"
    save(service, ARTICLE, "dora", labels)
    save(service, ARTICLE, "emil", differing)
    found = service.get("/labels/agreement?one=dora&other=emil").json
    n, n_main = len(labels), labels.count("main")
    observed = (n - 1) / n
    expected = (n_main * (n_main - 1) + (n - n_main) * (n - n_main + 1)) / n**2
    assert found["n_pages"] == 1
    assert found["n_blocks"] == n
    assert found["kappa"] == pytest.approx((observed - expected) / (1 - expected), abs=1e-4)
    assert 0.9 < found["f1"] < 1
    assert {tuple(each["labels"]): each["n_blocks"] for each in found["confusion"]}["main", "not-main"] == 1
    assert service.get("/labels/agreement?one=dora&other=nobody").json["n_pages"] == 0
    assert service.get("/labels/agreement?one=..&other=dora").status == 400
    misspelt = service.get("/labels/agreement?one=dora&ohter=emil")
    assert misspelt.status == 400
    assert "did you mean 'other'?" in misspelt.json["message"]


CLASSED = "<h1>Cake</h1><p>By Ann</p><p>Bake it for an hour.</p><p>So good!</p><p>Imprint</p>"


def test_classes_give_gold_and_what_may_be_kept(tmp_path):
    given = ["title", "dateline", "main", "comment", "menu"]
    assert save_one(tmp_path, "one", CLASSED, given)["whole"]
    [row] = pq.ParquetFile(tmp_path / "one.parquet").read().to_pylist()
    assert (row["gold"], row["optional"]) == ("Bake it for an hour.", "Cake\nBy Ann\nSo good!")
    assert row["labels"] == given


@pytest.mark.parametrize("label", ["not-main", "unsure"])
def test_what_may_be_kept_is_not_known_where_a_block_has_no_class(tmp_path, label):
    save_one(tmp_path, "one", CLASSED, ["main", "main", "main", label, "menu"])
    [file] = tmp_path.rglob("one.parquet")
    [row] = pq.ParquetFile(file).read().to_pylist()
    assert row["optional"] is None
    assert row["gold"] == "Cake\nBy Ann\nBake it for an hour."


def test_labels_from_before_classes_are_read_compared_and_added_to(tmp_path):
    save_one(tmp_path, "one", CLASSED, ["main", "not-main", "main", "not-main", "menu"])
    change_rows(tmp_path / "one.parquet", optional=None)
    save_one(tmp_path, "two", CLASSED, ["title", "dateline", "main", "main", "other"])
    found = compare(tmp_path)
    assert found["n_blocks"] == 5
    classes = {each["name"]: each for each in found["classes"]}
    # Of a block that is only known not to be main, the class is not compared.
    assert {name: each["words"] for name, each in classes.items() if " " not in name} == {
        "main": 6,
        "title": 1,
        "other": 1,
    }
    assert classes["main"]["differ"] == pytest.approx(1 / 6)
    save_one(tmp_path, "one", "<p>third</p>", ["main"])
    [row, new] = pq.ParquetFile(tmp_path / "one.parquet").read().to_pylist()
    assert (row["labels"][1], row["optional"], new["optional"]) == ("not-main", None, "")


def test_kappa_is_cohens():
    assert kappa(Counter({(True, True): 20, (True, False): 5, (False, True): 10, (False, False): 15})) == 0.4
    assert kappa(Counter({(True, True): 3})) is None
    assert kappa(Counter()) is None


def save_one(folder: Path, annotator: str, html: str, labels: list[str | None], url: str | None = None) -> dict:
    """Saves labels without a service."""
    body = {"annotator": annotator, "html": html, "url": url, "labels": labels, "complete": True}
    return json.loads(labelling.save(str(folder), json.dumps(body).encode()))


def change_rows(file: Path, **values) -> None:
    """Writes a file of labels again with other values in its columns; None takes a column away."""
    table = pq.ParquetFile(file).read()
    for name, value in values.items():
        place = table.schema.get_field_index(name)
        if value is None:
            table = table.remove_column(place)
        else:
            column = pa.array([value] * table.num_rows, table.schema.field(name).type)
            table = table.set_column(place, table.schema.field(name), column)
    pq.write_table(table, file)


def compare(folder: Path) -> dict:
    return json.loads(labelling.agreement(str(folder), "one", "two"))


def test_disputed_blocks_are_listed_and_weigh_by_their_words(tmp_path):
    html = "<p>one two three four five six</p><p>seven eight</p><p>nine</p><p>ten</p>"
    save_one(tmp_path, "one", html, ["main", "main", "menu", "unsure"], "https://e.org/")
    save_one(tmp_path, "two", html, ["main", "menu", "main", "main"], "https://e.org/")
    found = compare(tmp_path)
    # Of 9 words 6 are main for both, 2 only for the first, 1 only for the second.
    observed, expected = 6 / 9, (8 * 7 + 1 * 2) / 81
    assert found["word_kappa"] == pytest.approx((observed - expected) / (1 - expected), abs=1e-4)
    assert found["word_share"] == pytest.approx(observed, abs=1e-4)
    assert found["word_kappa"] != found["kappa"]
    assert [(each["order"], each["text"], each["labels"]) for each in found["disputed"]] == [
        (1, "seven eight", ["main", "menu"]),
        (2, "nine", ["menu", "main"]),
    ]
    assert found["n_disputed"] == 2
    assert {each["url"] for each in found["disputed"]} == {"https://e.org/"}
    assert found["left_out"] == []


def test_long_lists_of_disputes_are_cut_and_counted(tmp_path):
    n = MAX_DISPUTED + 7
    html = "".join(f"<p>{'word ' * 99}{number}</p>" for number in range(n))
    save_one(tmp_path, "one", html, ["main"] * n)
    save_one(tmp_path, "two", html, ["not-main"] * n)
    found = compare(tmp_path)
    assert found["n_disputed"] == n
    assert len(found["disputed"]) == MAX_DISPUTED
    assert {len(each["text"]) for each in found["disputed"]} == {labelling.MAX_TEXT}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"texts": ["other", "blocks"]}, "blocks of other texts"),
        ({"labels": ["main"]}, "2 blocks"),
        ({"texts": None, "thresher_version": "0.0.1"}, "texts unknown"),
    ],
)
def test_pages_with_other_blocks_are_left_out_and_named(tmp_path, changes, reason):
    for name in ("one", "two"):
        save_one(tmp_path, name, "<p>first</p><p>second</p>", ["main", "menu"], "https://e.org/")
    assert compare(tmp_path)["n_pages"] == 1
    change_rows(tmp_path / "two.parquet", **changes)
    found = compare(tmp_path)
    assert found["n_pages"] == found["n_blocks"] == 0
    [left] = found["left_out"]
    assert left["url"] == "https://e.org/"
    assert reason in left["reason"]


def test_labels_of_an_earlier_version_are_compared_and_added_to(tmp_path):
    for name in ("one", "two"):
        save_one(tmp_path, name, "<p>first</p><p>second</p>", ["main", "menu"])
        change_rows(tmp_path / f"{name}.parquet", texts=None)
    assert compare(tmp_path)["n_blocks"] == 2
    save_one(tmp_path, "one", "<p>third</p>", ["main"])
    rows = pq.ParquetFile(tmp_path / "one.parquet").read().to_pylist()
    assert [row["texts"] for row in rows] == [None, ["third"]]


def test_words_are_counted_as_the_core_counts_them(tmp_path):
    html = "<p>今天天气很好我们去公园散步</p><p>two words</p><p>left out</p>"
    answer = save_one(tmp_path, "one", html, ["main", "main", "menu"])
    [row] = pq.ParquetFile(tmp_path / "one.parquet").read().to_pylist()
    assert answer["n_words"] == sum(row["words"][:2]) == 13 + 2


@pytest.mark.parametrize(
    ("url", "host", "site"),
    [
        ("www.Example.co.uk/cake/apple", "www.example.co.uk", "example.co.uk"),
        ("example.org", "example.org", "example.org"),
        ("example.org:8080/cake?a=//b", "example.org", "example.org"),
        ("192.168.0.1/cake", "192.168.0.1", "192.168.0.1"),
        ("//example.org/cake", "example.org", "example.org"),
        ("https://example.org/cake", "example.org", "example.org"),
        ("/cake", None, None),
        ("about:blank", None, None),
        ("data:text/html,x", None, None),
        ("mailto:a@example.org", None, None),
        ("http://[", None, None),
        ("", None, None),
    ],
)
def test_an_address_without_a_scheme_has_a_host(tmp_path, url, host, site):
    save_one(tmp_path, "one", "<p>text</p>", ["main"], url)
    [row] = pq.ParquetFile(tmp_path / "one.parquet").read().to_pylist()
    assert (row["host"], row["site"]) == (host, site)


def save_many(folder: Path, first: int, barrier) -> None:
    barrier.wait(300)
    for number in range(first, first + 10):
        save_one(folder, "one", f"<p>page {number}</p>", ["main"])


def test_processes_that_save_at_once_lose_no_labels(tmp_path):
    # Windows has no locks of this kind; the module says so.
    assert sys.platform != "win32"
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    process = context.Process(target=save_many, args=(tmp_path, 10, barrier))
    process.start()
    save_many(tmp_path, 0, barrier)
    process.join(300)
    assert process.exitcode == 0
    assert sorted(page.gold for page in read_pages(tmp_path / "one.parquet")) == sorted(f"page {n}" for n in range(20))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["_lock", "one.parquet"]


def test_a_save_that_dies_half_way_loses_no_labels(tmp_path, monkeypatch):
    html = "<p>first</p><p>second</p>"
    name = save_one(tmp_path, "one", html, ["main", "menu"])["id"]
    replace, calls = labelling.replace_row, []

    def replace_once(*arguments) -> None:
        if calls:
            raise KeyboardInterrupt
        calls.append(arguments)
        replace(*arguments)

    monkeypatch.setattr(labelling, "replace_row", replace_once)
    with pytest.raises(KeyboardInterrupt):
        save_one(tmp_path, "one", html, ["main", "unsure"])
    assert json.loads(labelling.labels_of(str(tmp_path), "one", name))["labels"] == ["main", "unsure"]
    assert json.loads(labelling.describe(str(tmp_path)))["annotators"][0]["n_pages"] == 1
    monkeypatch.undo()
    assert save_one(tmp_path, "one", html, ["main", "menu"])["whole"]
    assert not list(read_pages(tmp_path / "partial" / "one.parquet"))


def test_one_annotator_is_evaluated_and_trained_on_alone(tmp_path):
    for name in ("one", "two"):
        save_one(tmp_path, name, "<p>first</p><p>second</p>", ["main", "menu"])
        save_one(tmp_path, name, "<p>third</p><p>fourth</p>", ["main", "unsure"])
    file = tmp_path / "one.parquet"
    assert labelled_sets(file) == [file, tmp_path / "partial" / "one.parquet"]
    assert [example.partial for example in Reader().read(labelled_sets(file))] == [False, True]
    assert list_datasets(file) == [file]
    assert list_datasets(tmp_path, ["one"]) == [file]


def test_many_who_save_at_once_are_saved_or_turned_away(service, folder):
    labels = labels_for(service, ARTICLE)
    with ThreadPoolExecutor(20) as threads:
        pages = [ARTICLE.replace("Apple", f"Number {n}") for n in range(20)]
        statuses = list(threads.map(lambda html: save(service, html, "hugo", labels).status, pages))
    assert set(statuses) <= {200, 429}
    assert statuses.count(200) >= 8
    assert len(list(read_pages(folder / "hugo.parquet"))) == statuses.count(200)


def test_labelling_is_off_without_a_folder():
    with running(workers=1) as service:
        assert service.get("/labels").status == 403
        assert save(service, ARTICLE, "anna", []).status == 403


def test_pages_are_listed_and_opened(data, tmp_path):
    labelled = data / "labelled" / "cleanportaleval.parquet"
    archive = data / "warc-real" / "jwarc__test-resources__org__netpreserve__jwarc__cc.warc.gz"
    with running(workers=1, labels=tmp_path, labelled=(str(labelled),), archives=(str(archive),)) as service:
        sources = service.get("/sources").json
        assert [each["kind"] for each in sources["sources"]] == ["archive", "labelled"]
        assert "/" not in sources["sources"][0]["name"]
        [listed] = service.get("/sources/0").json["pages"]
        opened = service.get(f"/sources/0/{listed['place']}").json
        assert opened["url"] == listed["url"]
        assert "<html" in opened["html"].lower()
        rows = service.get("/sources/1?start=5").json["pages"]
        assert rows[0]["place"] == "5"
        assert service.get("/sources/1/5").json["gold"]
        assert service.get("/sources/7").status == 404
        assert service.get("/sources/1/99999").status == 400
        assert service.get("/sources/0?start=x").status == 400
        assert service.get("/sources/1?start=5.1").status == 400
        assert service.get("/sources/0/0.99999").status == 400
        assert service.get(f"/sources/0/{'9' * 30}").status == 400


def one_member(tmp_path: Path, n: int) -> Path:
    """An archive whose records are all in one gzip member."""
    plain = write_archive(tmp_path / "plain.warc", {f"https://e.org/{k}": page(k) for k in range(n)}, gzip=False)
    archive = tmp_path / "one.warc.gz"
    archive.write_bytes(gzip.compress(plain.read_bytes()))
    return archive


def test_an_archive_in_one_gzip_member_opens_the_page_that_was_listed(data):
    archive = data / "warc-real" / "pywarc__sample.warc.gz"
    listed = json.loads(sources.list_pages("archive", str(archive), "0", ""))["pages"]
    assert len({each["place"] for each in listed}) == len(listed) > 1
    for each in listed:
        opened = json.loads(sources.read_page("archive", str(archive), each["place"]))
        assert opened["url"] == each["url"]


def test_a_list_of_one_gzip_member_goes_on_where_it_ended(tmp_path, monkeypatch):
    archive = str(one_member(tmp_path, 7))
    monkeypatch.setattr(sources, "LISTED", 3)
    urls, places, start = [], [], "0"
    while start is not None:
        found = json.loads(sources.list_pages("archive", archive, start, ""))
        urls += [each["url"] for each in found["pages"]]
        places += [each["place"] for each in found["pages"]]
        start = found["next"]
    assert urls == [f"https://e.org/{k}" for k in range(7)]
    # Also where no time is left after the start was found again.
    monkeypatch.setattr(sources, "_SECONDS", -1.0)
    found = json.loads(sources.list_pages("archive", archive, places[5], ""))
    assert [each["url"] for each in found["pages"]] == ["https://e.org/5"]
    assert found["next"] == places[6]


def test_rows_of_a_run_over_one_gzip_member_open_their_own_pages(tmp_path):
    archive = one_member(tmp_path, 4)
    out = tmp_path / "out"
    outcome = CliRunner().invoke(main, ["extract", str(archive), "-o", str(out), "--workers", "1"])
    assert outcome.exit_code == 0, outcome.output
    rows = json.loads(sources.list_pages("run", str(out), "0", ""))["pages"]
    assert len(rows) == 4
    for row in rows:
        assert json.loads(sources.read_page("run", str(out), row["place"]))["url"] == row["url"]


def test_rows_of_a_run_are_opened_from_its_archive(tmp_path):
    archive = write_archive(tmp_path / "small.warc.gz", {f"https://example.org/{n}": page(n) for n in range(6)})
    out = tmp_path / "out"
    arguments = ["extract", str(archive), "-o", str(out), "--workers", "1", "--templates", "fused"]
    outcome = CliRunner().invoke(main, arguments)
    assert outcome.exit_code == 0, outcome.output
    with running(workers=1, runs=(str(out),)) as service:
        rows = service.get("/sources/0").json["pages"]
        assert len(rows) > 3
        for row in rows:
            opened = service.get(f"/sources/0/{row['place']}").json
            assert opened["url"] == row["url"]
        # What the run found on the host's pages is what the blocks of this one are said to be.
        body = {"html": opened["html"], "templates": opened["templates"], "explain": False}
        blocks = service.post("/blocks", body).json["blocks"]
        assert {block["template_frequency"] for block in blocks} == {0.0, 1.0}
        assert service.post("/blocks", {**body, "templates": [1]}).status == 400


HOSTILE = (
    *("7" * 5000, "999999999999999999", "-1", "0x0", "%00", "%F0%9F%8C%BE"),
    *("%ff%fe", "%2e%2e%2fetc", "..%2f..", "a%0d%0ab"),
)
QUERY = "&".join(f"{name}=%00%ff{'9' * 300}" for name in ("url", "n", "start", "annotator", "page", "top", "url"))


def routes() -> list[tuple[str, str]]:
    """(method, path) of everything that the service answers."""
    app = Service(Settings(), None, [LabRoutes()]).app()._app
    return [(method, route.path) for route in app.routes for method in sorted(route.methods - {"HEAD"})]


@pytest.mark.parametrize(("method", "path"), routes())
def test_hostile_requests_are_refused_by_every_route(service: Running, method: str, path: str) -> None:
    """Whatever a path, a query or a body holds: never 500, never a dropped connection."""
    paths = [re.sub(r"\{\w+\}", value, path) for value in HOSTILE] if "{" in path else [path]
    bodies = [None] if method == "GET" else [b"", b"{", b"\xff" * 100, b'{"html": 3, "url": [[]]}', b"[" * 5000]
    for each in paths:
        for query in ("", f"?{QUERY}"):
            for body in bodies:
                answer = service.ask(method, each + query, body, {"Content-Type": "application/json"})
                assert answer.status < 500, (each[:60], answer.status, answer.body[:300])
                if answer.status >= 400 and method != "HEAD":
                    assert answer.body, each


def test_every_route_is_tried() -> None:
    found = routes()
    assert ("GET", "/sources/{number}/{place}") in found
    assert ("POST", "/labels") in found
    assert len(found) >= 21

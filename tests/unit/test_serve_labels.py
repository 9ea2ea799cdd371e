# SPDX-License-Identifier: Apache-2.0
"""Labels of the workbench: what is kept, who reads it, and how two annotators compare."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from running_service import ARTICLE, running
from small_archive import page, write_archive

from thresher.commands.main import main
from thresher.evaluate.pages import read_pages
from thresher.native.parsing.document import Document
from thresher.serving.labelling import kappa
from thresher.train.command import labelled_sets
from thresher.train.dataset import Reader

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


def test_open_blocks_of_a_finished_page_are_not_main(service):
    labels = labels_for(service, ARTICLE)
    answer = save(service, ARTICLE, "cleo", [label if label == "main" else None for label in labels])
    assert answer.json["whole"]
    found = service.get(f"/labels/cleo/{answer.json['id']}").json
    assert found["labels"] == ["not-main" if label != "main" else label for label in labels]
    part = save(service, OTHER, "cleo", [None] * len(labels), complete=False)
    assert not part.json["whole"]
    assert {each["annotator"]: each["n_pages"] for each in service.get("/labels").json["annotators"]}["cleo"] == 2


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


def test_kappa_is_cohens():
    assert kappa(Counter({(True, True): 20, (True, False): 5, (False, True): 10, (False, False): 15})) == 0.4
    assert kappa(Counter({(True, True): 3})) is None
    assert kappa(Counter()) is None


def test_export_has_the_classes_of_teco(service):
    labels = labels_for(service, ARTICLE)
    labels[-1] = "template"
    name = save(service, ARTICLE, "fay", labels).json["id"]
    answer = service.get(f"/labels/fay/{name}.teco.html")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-type"] == "application/octet-stream"
    document = Document()
    document.parse(answer.body)
    marked = {}
    for n in range(document.n_nodes):
        for each in document.attributes(n).get("class", "").split() if not document.tag(n).startswith("#") else ():
            marked.setdefault(each, []).append(document.tag(n))
    assert marked == {
        "TECO_mainContent": ["article"],
        "TECO_mainMenu": ["nav"],
        "TECO_notTemplate": ["article"],
    }
    plain = Document()
    plain.parse(ARTICLE.encode())
    assert [plain.tag(n) for n in range(plain.n_nodes)] == [document.tag(n) for n in range(document.n_nodes)]


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


def test_pages_are_listed_opened_and_proposed(data, tmp_path):
    labelled = data / "labelled" / "cleanportaleval.parquet"
    archive = data / "warc-real" / "jwarc__test-resources__org__netpreserve__jwarc__cc.warc.gz"
    with running(labels=tmp_path, labelled=(str(labelled),), archives=(str(archive),)) as service:
        sources = service.get("/sources").json
        assert [each["kind"] for each in sources["sources"]] == ["archive", "labelled"]
        assert "/" not in sources["sources"][0]["name"]
        [listed] = service.get("/sources/0").json["pages"]
        opened = service.get(f"/sources/0/{listed['place']}").json
        assert opened["url"] == listed["url"]
        assert "<html" in opened["html"].lower()
        rows = service.get("/sources/1?start=5").json["pages"]
        assert rows[0]["place"] == 5
        assert service.get("/sources/1/5").json["gold"]
        proposed = service.get("/labels/proposals/1").json["pages"]
        assert len(proposed) > 5
        scores = [each["score"] for each in proposed]
        assert scores == sorted(scores, reverse=True)
        assert service.get("/sources/7").status == 404
        assert service.get("/sources/1/99999").status == 400
        assert service.get("/sources/0?start=x").status == 400


def test_rows_of_a_run_are_opened_from_its_archive(tmp_path):
    archive = write_archive(tmp_path / "small.warc.gz", {f"https://example.org/{n}": page(n) for n in range(6)})
    out = tmp_path / "out"
    arguments = ["extract", str(archive), "-o", str(out), "--workers", "1", "--templates", "fused"]
    outcome = CliRunner().invoke(main, arguments)
    assert outcome.exit_code == 0, outcome.output
    with running(runs=(str(out),)) as service:
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

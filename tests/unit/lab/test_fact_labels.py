# SPDX-License-Identifier: Apache-2.0
"""The candidates for a page's facts as the workbench shows them, and the labels that it takes."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from running_service import ARTICLE, running

from thresher.commands.main import main
from thresher.lab.evaluate.block_classes import page_id
from thresher.lab.evaluate.facts import labelled_pages, read_labels
from thresher.lab.fact_candidates import FACTS, MAX_CANDIDATES, candidates_of, place_of
from thresher.page.page_extractor import PageExtractor

PAGES = Path(__file__).parents[2] / "golden" / "pages"
DATED = (
    "<title>The wheel is back - Lower Mill</title><meta property=og:site_name content='Lower Mill'>"
    "<meta name=author content='Ann Lee'><meta property=article:published_time content=2014-03-05>"
    "<h1>The wheel is back</h1>" + 20 * "<p>It turned for the first time in years, and the miller said so.</p>"
)
FOUND = {
    "type": "news", "title": "The wheel is back", "author": "Ann Lee; Bo Chan", "date": "2014-03u", "site": None,
}  # fmt: skip


def facts_of(html: bytes | str, url: str | None = None) -> dict[str, dict]:
    extractor = PageExtractor()
    extractor.extract(html.encode() if isinstance(html, str) else html, url)
    return {each["fact"]: each for each in candidates_of(extractor, url)}


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.html")), ids=lambda path: path.stem)
def test_what_is_shown_as_taken_is_what_the_result_has(path):
    """Weighed here as the core does: the best candidate, if it has the least score, unless a rule decides."""
    extractor = PageExtractor()
    extractor.extract(path.read_bytes(), "https://example.org/a/page")
    said = extractor.metadata("https://example.org/a/page")
    found = {each["fact"]: each for each in candidates_of(extractor, "https://example.org/a/page")}
    assert tuple(found) == FACTS
    assert found["title"]["value"] == said.title
    assert found["type"]["value"] == said.type
    for each in found.values():
        taken = [row for row in each["candidates"] if row["taken"]]
        scores = [row["score"] for row in each["candidates"]]
        assert scores == sorted(scores, reverse=True)
        assert len(taken) == (each["value"] is not None) or "by a rule" in each["why"]
        assert all(row["place"] for row in each["candidates"])
        if each["least"] is not None and scores:
            assert bool(taken) == (scores[0] >= each["least"]) or "by a rule" in each["why"]
    assert sum(row["score"] for row in found["type"]["candidates"]) == pytest.approx(1, abs=0.01)


def test_places_are_said_in_words():
    found = facts_of(DATED, "https://mill.example/2014/wheel")
    assert [found[fact]["value"] for fact in ("title", "author", "date", "site")] == [
        "The wheel is back", "Ann Lee", "2014-03-05", "Lower Mill",
    ]  # fmt: skip
    [day] = found["date"]["candidates"]
    assert (day["place"], day["taken"]) == ("meta element", True)
    site = found["site"]["candidates"][0]
    assert {"meta og:site_name", "title element: end"} <= set(site["place"].split("; "))
    assert found["author"]["candidates"][0]["place"].startswith("meta author")
    assert "title element: first of two pieces" in found["title"]["candidates"][0]["place"]
    assert place_of("site", {"s:home link later first", "k:title end"}) == "later link to the front page: first piece"


def test_why_there_is_none():
    found = facts_of("<p>Nothing here says who wrote it, or when.")
    assert found["date"]["why"] == "nothing on the page may be it"
    assert found["date"]["candidates"] == []
    many = "".join(f"<h2>Heading number {n} of many</h2><p>A text below it.</p>" for n in range(200))
    assert len(facts_of(many)["title"]["candidates"]) <= MAX_CANDIDATES
    low = facts_of(f"<title>Privacy</title><h1>Privacy</h1>{DATED[DATED.index('<p>') :]}", "https://a.example/x")[
        "site"
    ]
    assert (low["value"], [row["value"] for row in low["candidates"]]) == (None, ["Privacy"])
    assert low["why"].startswith("none: the best candidate has 0.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("labels")


@pytest.fixture(scope="module")
def service(folder):
    with running(labels=folder) as found:
        yield found


def save(service, html: str, annotator: str, **changed: object):
    body = {"annotator": annotator, "html": html, "url": "https://news.example.org/wheel", "seconds": 9}
    return service.post("/labels/facts", {**body, "facts": {**FOUND, **changed}})


def test_the_service_says_what_was_taken(service):
    answer = service.post("/facts", {"html": DATED, "url": "https://mill.example/wheel", "format": "markdown"})
    assert answer.status == 200
    title, author, *_ = answer.json["facts"]
    assert (title["value"], author["candidates"][0]["taken"]) == ("The wheel is back", True)


def test_labels_are_read_by_evaluation_and_training(service, folder):
    assert save(service, DATED, "anna", title="Of another day").status == 200
    assert save(service, ARTICLE, "anna", date="-", title="  Apple\n cake ").status == 200
    answer = save(service, DATED, "anna")
    assert answer.json == {"id": page_id(DATED.encode()), "set": "facts/anna"}
    labels = read_labels(folder / "facts" / "anna.tsv")
    assert labels[page_id(DATED.encode())] == {
        "type": "news", "title": "The wheel is back", "author": "Ann Lee; Bo Chan", "modified": "2014-03", "site": "",
        "group": "article",
    }  # fmt: skip
    assert (labels[page_id(ARTICLE.encode())]["title"], labels[page_id(ARTICLE.encode())]["date"]) == ("Apple cake", "")
    pages = list(labelled_pages(folder / "facts" / "anna.parquet", labels))
    assert {page for page, _, _ in pages} == {DATED.encode(), ARTICLE.encode()}
    assert {row["site"] for _, row, _ in pages} == {"example.org"}
    [row, _] = sorted(pq.read_table(folder / "facts" / "anna.parquet").to_pylist(), key=lambda row: row["title"] < "B")
    assert (row["page_type"], row["site_name"], row["seconds"]) == ("news", None, 9)
    arguments = ["evaluate", "--facts", "--data", str(folder), "--labels", str(folder / "facts" / "anna.tsv")]
    found = CliRunner().invoke(main, [*arguments, "--markdown"])
    assert found.exit_code == 0, found.output
    assert "| thresher | anna |     2 | 1.000 |" in found.output


def test_saved_labels_are_shown_again(service):
    assert save(service, DATED, "ben").status == 200
    assert service.get(f"/labels/facts/ben/{page_id(DATED.encode())}").json == {"facts": {**FOUND}}
    assert service.get("/labels/facts/ben/0").json == {"facts": None}
    assert service.get("/labels/facts/cleo/0").json == {"facts": None}
    assert service.get("/labels/facts/..%2Fanna/0").status in (400, 404)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": None}, "`type` must be one of article"),
        ({"type": "poem"}, "`type` must be one of article"),
        ({"date": "5 March 2014"}, "`date` must be YYYY-MM-DD"),
        ({"title": 7}, "`facts` needs `title`"),
        ({"title": "x" * 1001}, "more than 1,000 characters"),
        ({"headline": "x"}, "headline"),
    ],
)
def test_labels_that_cannot_be_are_refused(service, folder, change, message):
    answer = save(service, DATED, "dora", **change)
    assert answer.status == 400
    assert message in answer.json["message"]
    assert not (folder / "facts" / "dora.parquet").exists()


def test_facts_must_be_whole(service):
    body = {"annotator": "dora", "html": DATED, "facts": {"title": "x"}}
    assert "`facts` needs `type`" in service.post("/labels/facts", body).json["message"]
    assert "must be an object" in service.post("/labels/facts", {**body, "facts": None}).json["message"]


def test_without_a_folder_candidates_are_shown_and_no_label_is_taken():
    with running(workers=1) as service:
        assert service.post("/facts", {"html": DATED}).status == 200
        answer = save(service, DATED, "anna")
        assert (answer.status, answer.json["error"]) == (403, "not_allowed")

# SPDX-License-Identifier: Apache-2.0
"""The column `outlinks`: the addresses that the main text links to."""

import csv
import json
import random
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from commanding import run
from hypothesis import example, given
from small_archive import SENTENCE, write_archive
from tag_soup import tag_soup

import thresher
from thresher.after.answers import merge_answers
from thresher.page import outlinks
from thresher.page.outlinks import addresses_in
from thresher.page.page_extractor import PageExtractor

URL = "https://mill.example/news/wheel.html?a=1&b=2"


def read(html: str, url: str | None = URL, extractor: str = "all", **options: Any) -> list[str]:
    page_extractor = PageExtractor(extractor, **options)
    page_extractor.extract(html.encode(), url)
    return addresses_in(page_extractor.render_html(links=True), url)


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("/a", "https://mill.example/a"),
        ("../b?x=1&amp;copy=2#part", "https://mill.example/b?x=1&copy=2"),
        ("//other.example/", "https://other.example/"),
        ("HTTP://other.example/x", "HTTP://other.example/x"),
        (" c\nd ", "https://mill.example/news/cd"),
        ("a b", "https://mill.example/news/a%20b"),
        ('"', "https://mill.example/news/%22"),
        ("ä", "https://mill.example/news/ä"),
        ("#part", None),
        ("wheel.html?a=1&amp;b=2#part", None),
        ("", None),
        ("mailto:a@b.example", None),
        ("ftp://a.example/", None),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("x" * 3000, None),
    ],
)
def test_addresses_are_absolute_and_lead_to_other_pages(href: str, address: str | None) -> None:
    assert read(f"<p>One <a href='{href}'>two</a> three") == ([address] if address else [])


def test_each_stands_once_in_reading_order() -> None:
    links = "".join(f"<p>Word <a href={name}>{name}</a> word" for name in ("/b", "/a", "/b#x", "/c", "/a"))
    assert read(links) == [f"https://mill.example/{name}" for name in "bac"]
    assert read(f"<base href=https://base.example/x/>{links.replace('=/', '=')}") == [
        f"https://base.example/x/{name}" for name in "bac"
    ]
    assert read(links, None) == []
    assert read('&lt;a href="https://no.example/"&gt; <pre>&lt;a href="https://no.example/"&gt;</pre>') == []


def test_no_page_has_more_than_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlinks, "MAX_OUTLINKS", 3)
    assert read("".join(f"<p>x <a href=/{n // 2}>y</a>" for n in range(20))) == [
        f"https://mill.example/{n}" for n in range(3)
    ]


class Links(HTMLParser):
    """The links of a page in order, as a general parser finds them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            address = (value or "").partition("#")[0]
            scheme, _, rest = address.partition("://")
            if (tag, name) == ("a", "href") and scheme.lower() in ("http", "https") and rest and address != URL:
                self.found[address] = None


SOUP = tag_soup(
    ["x"],
    [" href=/a", " href='b?c&amp;copy=1#d'", " href='https://e.example/é'", " href='http:'", " href='//'"],
    ["word", " ", "<a href=/f>", "</a>", "<base href=https://g.example/h/>", "<p>", "&lt;a href=&quot;http://x&quot;>"],
    size=60,
)


@given(SOUP)
@example("<a href='//'>word")
def test_they_are_the_links_of_the_text_as_html(html: str) -> None:
    parser = Links()
    parser.feed(thresher.extract(html, url=URL, extractor="all", format="html", links=True).text)
    assert read(html) == list(parser.found)[: outlinks.MAX_OUTLINKS]
    assert read(html, format="markdown") == read(html)


MENU = "".join(f"<li><a href=/menu/{k}>Item {k}</a></li>" for k in range(8))
REPEATED = f"<p>Read <a href=/letter>the letter</a> of the village. {SENTENCE}</p>" * 2


def page(number: int) -> bytes:
    chosen = random.Random(number)  # so that pages are no copies of each other
    words = [" ".join("".join(chosen.choices("abcdefghij", k=5)) for _ in range(40)) for _ in range(6)]
    article = "".join(
        f"<p>{words[k]} <a href='/{number}/{k}?x&amp;y#z'>more</a> {SENTENCE} ({number}.{k})</p>" for k in range(6)
    )
    return (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>Page {number}</title></head>"
        f"<body><nav><ul>{MENU}</ul></nav>"
        f"<div><h1>Page {number}</h1>{article}{REPEATED}</div><div><a href=/imprint>Imprint</a></div></body></html>"
    ).encode()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = {f"https://www.site{n % 3}.co.uk/{n}.html": page(n) for n in range(30)}
    pages["http://a.example/"] = b"<p>nothing linked"
    return write_archive(tmp_path_factory.mktemp("links") / "a.warc.gz", pages)


def links_of(folder: Path) -> dict[str, list[str]]:
    rows = ds.dataset(sorted(folder.glob("pages/0*.parquet"))).to_table(["url", "outlinks"]).to_pylist()
    return {row["url"]: row["outlinks"] for row in rows}


def test_rows_have_them_whatever_the_format_and_the_way(archive: Path, tmp_path: Path) -> None:
    extract = ("extract", archive, "--columns", "+outlinks")
    run(*extract, "-o", tmp_path / "out", "--blocks")
    found = links_of(tmp_path / "out")
    assert found["http://a.example/"] == []
    own = [f"https://www.site1.co.uk/4/{k}?x&y" for k in range(6)]
    assert found["https://www.site1.co.uk/4.html"][:6] == own
    assert not any("/menu/" in link for links in found.values() for link in links)
    run(*extract, "-o", tmp_path / "two", "--format", "markdown", "--workers", 2, "--set", "read.split_bytes=3000")
    assert links_of(tmp_path / "two") == found
    run("render", tmp_path / "out", "-o", tmp_path / "again", "--columns", "+outlinks")
    assert links_of(tmp_path / "again") == found
    run(*extract, "-o", tmp_path / "jsonl", "--to", "jsonl", "--output-compression", "none")
    lines = [json.loads(line) for path in tmp_path.glob("jsonl/pages/0*") for line in path.read_text().splitlines()]
    assert {line["url"]: line["outlinks"] for line in lines} == found
    run(*extract, "-o", tmp_path / "csv", "--to", "csv", "--output-compression", "none")
    (path,) = tmp_path.glob("csv/pages/0*")
    with path.open(newline="", encoding="utf-8-sig") as file:
        assert {row["url"]: json.loads(row["outlinks"]) for row in csv.DictReader(file)} == found
    (batch,) = thresher.page_batches(str(archive), columns=["url", "outlinks"])
    assert {row["url"]: row["outlinks"] for row in batch.to_pylist()} == found


def test_a_second_pass_drops_links_with_their_text(archive: Path, tmp_path: Path) -> None:
    options = ("extract", archive, "--extractors", "all", "--templates", "fused", "--workers", 1)
    run(*options, "-o", tmp_path / "fused", "--columns", "+outlinks")
    run(*options, "-o", tmp_path / "without")
    texts = [
        ds.dataset(sorted((tmp_path / name).glob("pages/0*.parquet"))).to_table(["url", "text"]).to_pylist()
        for name in ("fused", "without")
    ]
    assert texts[0] == texts[1]
    found = links_of(tmp_path / "fused")
    assert found["https://www.site1.co.uk/4.html"] == [f"https://www.site1.co.uk/4/{k}?x&y" for k in range(6)]


def test_an_answer_of_a_larger_model_has_none(archive: Path, tmp_path: Path) -> None:
    run("extract", archive, "-o", tmp_path / "out", "--columns", "+outlinks")
    (row, *_) = ds.dataset(sorted(tmp_path.glob("out/pages/0*.parquet"))).to_table().to_pylist()
    answer = {"id": f"{row['warc_filename']}#{row['warc_record_offset']}", "text": "Another text."}
    (tmp_path / "answers.jsonl").write_text(json.dumps(answer) + "\n")
    merge_answers(str(tmp_path / "out"), str(tmp_path / "answers.jsonl"), "larger")
    found = links_of(tmp_path / "out")
    assert found.pop(row["url"]) is None
    assert all(links is not None for links in found.values())


def test_they_are_no_condition_and_of_no_python_extractor(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text("def text(page: bytes) -> str:\n    return 'all of it'\n")
    monkeypatch.syspath_prepend(tmp_path)
    extract = ("extract", archive, "-o", tmp_path / "out", "--columns", "+outlinks")
    assert "outlinks" in run(*extract, "--where", "outlinks = 'x'", status=2)
    assert "chooses no blocks" in run(*extract, "--extractor", "mine:text", status=2)
    (batch,) = thresher.page_batches(str(archive), extractor="mine:text", columns=["outlinks"])
    assert set(batch["outlinks"].to_pylist()) == {None}


def test_pages_without_the_column_import_nothing(archive: Path) -> None:
    code = (
        "import sys, thresher\n"
        "(batch,) = thresher.page_batches(sys.argv[1], columns=sys.argv[2:])\n"
        "assert 'outlinks' in sys.argv[2:] or 'outlinks' not in batch.schema.names\n"
        "print('thresher.page.outlinks' in sys.modules)"
    )
    for columns, imported in (([], "False"), (["outlinks"], "True")):
        command = [sys.executable, "-c", code, str(archive), *columns]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert done.stdout.strip() == imported

# SPDX-License-Identifier: Apache-2.0
"""The queries of the pages of docs/ that have recipes, on the output of a run."""

import random
import re
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from shared_data import CHECKOUT
from small_archive import page, write_archive, write_archives

from thresher.commands.main import main

PAGES = sorted(CHECKOUT.glob("docs/**/*.md"))
QUERIES = [
    query
    for path in PAGES
    for query in re.findall(r"^```sql\n(.*?)```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
]
FILTERS = re.findall(r'--where "(.*)"$', (CHECKOUT / "docs" / "rights.md").read_text(), re.MULTILINE)
NEAR_COPIES = re.findall(r"```python\n(.*?)```", (CHECKOUT / "docs" / "copies.md").read_text(), re.DOTALL)

# What made-up pages and this run do not have: a crawler's note, revisits, partitions that failed.
NOT_MADE_UP = ("content_languages", "'revisit'", "stage = 'worker'")

LICENCE = '<link rel=license href="https://creativecommons.org/licenses/{}/4.0/">'


def parts(number: int) -> bytes:
    """A page with a picture, a table, a listing, a recipe in its data, a licence, and links."""
    data = '<script type="application/ld+json">{"@type": "Recipe", "name": "Cake"}</script>'
    data += "".join(f"<link rel=alternate hreflang=l{k} href=/{k}>" for k in range(3))
    data += LICENCE.format("by-sa" if number else "by")
    image = f"<figure><img src=/{number}.jpg width=640 height=480><figcaption>Wheel {number}</figcaption></figure>"
    table = "<table><tr><th>Year<th>Wheels" + "".join(f"<tr><td>{1990 + k}<td>{number}" for k in range(4)) + "</table>"
    listing = f"<pre><code class=language-python>print({number})</code></pre>"
    link = "<p>The miller told <a href=https://news.example/1>the newspaper</a> how the wheel came back in spring.</p>"
    html = page(number).replace(b"</p><p>", f"</p>{image}{table}{listing}{link}<p>".encode(), 1)
    return html.replace(b"</title>", f"</title>{data}".encode(), 1)


def thread() -> bytes:
    """A thread of four posts by two people."""
    said = "The miller told the newspaper how the wheel came back in spring, and who had carried the beams. "
    posts = "".join(
        f"<div class=post id=post-{n}><p class=author>{('Ann', 'Ben')[n % 2]}</p><time datetime=2024-05-0{n + 1}>"
        f"</time><div class=body><p>{said * 3} ({n})</p></div></div>"
        for n in range(4)
    )
    return f"<!DOCTYPE html><meta charset=utf-8><title>The wheel</title><h1>The wheel</h1>{posts}".encode()


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recipes")
    archives = [str(path) for path in write_archives(folder / "archives", archives=2, pages=60)]
    made = {f"https://p.example/{k}": parts(k) for k in range(3)} | {"https://p.example/thread": thread()}
    archives.append(str(write_archive(folder / "archives" / "parts.warc.gz", made)))
    robots = folder / "robots.warc.gz"
    write_archive(robots, {"https://p.example/robots.txt": b"User-agent: *\nAllow: /"}, date="2020-01-01T00:00:00Z")
    refused = {
        f"https://{host}/robots.txt": b"User-agent: GPTBot\nDisallow: /" for host in ("www.site1.co.uk", "p.example")
    }
    write_archive(folder / "robots-2.warc.gz", refused)
    (folder / "archives" / "broken.warc").write_bytes(
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 10\r\n\r\nHTTP"
    )
    options = (
        f"-o {folder / 'out'} --workers 1 --templates fused --blocks --also images,tables,code,posts "
        f"--columns +structure,+rights,+outlinks,+n_text_words --robots {robots},{folder / 'robots-2.warc.gz'} "
        "--skipped list --max-error-ratio 1"
    ).split()
    scores = {"system": ["thresher"], "dataset": ["mine"], "word_cjk_f1": [0.9]}  # of `thresher evaluate --parquet`
    (folder / "scores").mkdir()
    pq.write_table(pa.table(scores), folder / "scores" / "2026-11-21-after.parquet")
    done = CliRunner().invoke(main, ["extract", *archives, str(folder / "archives" / "broken.warc"), *options])
    assert done.exit_code == 0, done.output
    return folder


def test_there_are_queries() -> None:
    assert len(QUERIES) >= 20
    assert len(FILTERS) == 2


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: " ".join(query.split())[:40])
def test_a_query_runs(query: str, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out)
    rows = duckdb.sql(query)
    if rows is not None and not any(each in query for each in NOT_MADE_UP):
        assert rows.fetchall()


@pytest.mark.parametrize("where", FILTERS)
def test_a_filter_keeps_some_pages_and_leaves_out_others(where: str, out: Path, tmp_path: Path) -> None:
    names = [str(path) for path in sorted((out / "archives").glob("*.warc.gz"))]
    command = ["extract", *names, "-o", str(tmp_path / "out"), "--workers", "1", "--columns", "+rights"]
    command += ["--robots", str(out / "robots-2.warc.gz"), "--where", where]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    (kept,) = duckdb.sql(f"select count(*) from '{tmp_path}/out/pages/*.parquet'").fetchall()[0]
    (all_pages,) = duckdb.sql(f"select count(*) from '{out}/out/pages/*.parquet'").fetchall()[0]
    assert 0 < kept < all_pages


def article(seed: int, *changed: int, words: int = 400) -> bytes:
    """A page with made-up words, some of them changed."""
    chosen = random.Random(seed)
    text = ["".join(chosen.choices("abcdefghij", k=6)) for _ in range(words)]
    for place in changed:
        text[place] = "other"
    paragraphs = "".join(f"<p>{' '.join(text[n : n + 50])}." for n in range(0, words, 50))
    return f"<!DOCTYPE html><meta charset=utf-8><title>{seed}</title><body>{paragraphs}".encode()


def test_near_copies_across_hosts_are_found_and_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {
        "https://a.example/1": article(1),
        "https://a.example/1-again": article(1, 7),  # a copy on its own host
        "https://b.example/x": article(1, 200),  # a near copy
        "https://b.example/2": article(2),
        "https://c.example/half": article(1, *range(0, 400, 5)),  # every fifth word is another
        "https://c.example/short": article(3, words=100),
        "https://d.example/short": article(3, words=100),
        "https://d.example/x": article(1),
    }
    archive = write_archive(tmp_path / "crawl.warc.gz", pages)
    command = ["extract", str(archive), "-o", str(tmp_path / "out"), "--workers", "1", "--extractor", "all"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    monkeypatch.chdir(tmp_path)
    assert len(NEAR_COPIES) == 1
    exec("".join(NEAR_COPIES), {})
    places = "concat(warc_filename, '#', warc_record_offset)"
    urls = dict(duckdb.sql(f"select {places}, url from 'out/pages/*.parquet'").fetchall())
    found = duckdb.sql("select page, host, near_copy_of, first_host, shared from 'near_copies.parquet'").fetchall()
    assert {(urls[page], host, urls[first], first_host) for page, host, first, first_host, _ in found} == {
        ("https://b.example/x", "b.example", "https://a.example/1", "a.example"),
        ("https://d.example/x", "d.example", "https://a.example/1", "a.example"),
    }
    assert {urls[page]: shared for page, _, _, _, shared in found}["https://d.example/x"] == 5
    kept = {url for (url,) in duckdb.sql("select url from 'distinct.parquet'").fetchall()}
    assert kept == pages.keys() - {"https://b.example/x", "https://d.example/x"}

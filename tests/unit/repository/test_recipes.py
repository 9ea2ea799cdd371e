# SPDX-License-Identifier: Apache-2.0
"""The queries of the pages of docs/ that have recipes, on the output of a run."""

import re
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner
from shared_data import CHECKOUT
from small_archive import page, write_archive, write_archives

from thresher.commands.main import main

QUERIES = [
    query
    for name in ("recipes.md", "after-a-run.md", "parts.md", "rights.md", "structured-data.md")
    for query in re.findall(r"```sql\n(.*?)```", (CHECKOUT / "docs" / name).read_text(), re.DOTALL)
]


FILTERS = re.findall(r'--where "(.*)"$', (CHECKOUT / "docs" / "rights.md").read_text(), re.MULTILINE)

LICENCE = '<link rel=license href="https://creativecommons.org/licenses/{}/4.0/">'


def parts(number: int) -> bytes:
    """A page with a picture, a table, a listing, a recipe in its data, a licence, and links to the other pages."""
    data = '<script type="application/ld+json">{"@type": "Recipe", "name": "Cake"}</script>'
    data += "".join(f"<link rel=alternate hreflang=l{k} href=/{k}>" for k in range(3))
    data += LICENCE.format("by-sa" if number else "by")
    image = f"<figure><img src=/{number}.jpg width=640 height=480><figcaption>Wheel {number}</figcaption></figure>"
    table = "<table><tr><th>Year<th>Wheels" + "".join(f"<tr><td>{1990 + k}<td>{number}" for k in range(4)) + "</table>"
    listing = f"<pre><code class=language-python>print({number})</code></pre>"
    html = page(number).replace(b"</p><p>", f"</p>{image}{table}{listing}<p>".encode(), 1)
    return html.replace(b"</title>", f"</title>{data}".encode(), 1)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recipes")
    archives = [str(path) for path in write_archives(folder / "archives", archives=2, pages=60)]
    archives.append(
        str(
            write_archive(folder / "archives" / "parts.warc.gz", {f"https://p.example/{k}": parts(k) for k in range(3)})
        )
    )
    robots = folder / "robots.warc.gz"
    write_archive(robots, {"https://p.example/robots.txt": b"User-agent: *\nAllow: /"}, date="2020-01-01T00:00:00Z")
    refused = {
        f"https://{host}/robots.txt": b"User-agent: GPTBot\nDisallow: /" for host in ("www.site1.co.uk", "p.example")
    }
    write_archive(folder / "robots-2.warc.gz", refused)
    (folder / "archives" / "broken.warc").write_bytes(
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 10\r\n\r\nHTTP"
    )
    options = [
        "-o",
        str(folder / "out"),
        "--workers",
        "1",
        "--templates",
        "fused",
        "--blocks",
        "--also",
        "images,tables,code",
        "--columns",
        "+structure,+rights",
        "--robots",
        f"{robots},{folder / 'robots-2.warc.gz'}",
        "--max-error-ratio",
        "1",
    ]
    done = CliRunner().invoke(main, ["extract", *archives, str(folder / "archives" / "broken.warc"), *options])
    assert done.exit_code == 0, done.output
    return folder


def test_there_are_queries() -> None:
    assert len(QUERIES) == 18
    assert len(FILTERS) == 2


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: " ".join(query.split())[:40])
def test_a_query_runs(query: str, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(out)
    rows = duckdb.sql(query)
    if rows is not None and "content_languages" not in query:  # made-up pages have no crawler's note
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

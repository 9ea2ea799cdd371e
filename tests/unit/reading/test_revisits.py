# SPDX-License-Identifier: Apache-2.0
"""What a run says of revisits, and that each meets its original by the query of docs/inputs.md."""

import base64
import hashlib
import io
import re
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner
from small_archive import page
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import thresher
from thresher.commands.main import main

CHECKOUT = Path(__file__).parents[3]
FIRST, THEN = "2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z"


def write(path: Path, records: list[tuple[str, str, bytes, dict[str, str]]]) -> None:
    """An archive of records, each given as type, URL, content and WARC headers."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for kind, url, content, headers in records:
            http = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(
                    url, kind, payload=io.BytesIO(content), http_headers=http, warc_headers_dict=headers
                )
            )


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Originals in the second archive, their revisits in the first, and one revisit of what is in neither."""
    folder = tmp_path_factory.mktemp("revisits") / "in"
    folder.mkdir()
    digest = "sha1:" + base64.b32encode(hashlib.sha1(page(2)).digest()).decode()
    ids = [f"<urn:uuid:00000000-0000-0000-0000-{k:012}>" for k in range(3)]
    write(
        folder / "1.warc.gz",
        [
            ("revisit", "https://a.example/id", b"", {"WARC-Refers-To": ids[0], "WARC-Date": THEN}),
            (
                "revisit",
                "https://a.example/time",
                b"",
                {
                    "WARC-Refers-To-Target-URI": "https://a.example/1",
                    "WARC-Refers-To-Date": FIRST,
                    "WARC-Payload-Digest": "sha1:NOWHERE",
                    "WARC-Date": THEN,
                },
            ),
            ("revisit", "https://a.example/digest", b"", {"WARC-Payload-Digest": digest, "WARC-Date": THEN}),
            ("revisit", "https://a.example/lost", b"", {"WARC-Payload-Digest": "sha1:LOST", "WARC-Date": THEN}),
        ],
    )
    write(
        folder / "2.warc.gz",
        [
            ("response", f"https://a.example/{k}", page(k), {"WARC-Record-ID": ids[k], "WARC-Date": FIRST})
            for k in range(3)
        ],
    )
    return folder


def test_each_revisit_meets_its_original(archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (archives / "3.warc.gz").write_bytes((archives / "2.warc.gz").read_bytes())  # each original is there twice
    result = CliRunner().invoke(main, ["extract", str(archives), "-o", "out", "--skipped", "list"])
    assert result.exit_code == 0, result.output
    skipped = {row["url"]: row for row in ds.dataset("out/skipped").to_table().to_pylist()}
    then, first = datetime(2026, 6, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    assert {row["fetch_time"] for row in skipped.values()} == {then}
    names = ("content_digest", "refers_to_id", "refers_to_url", "refers_to_time")
    assert [skipped[f"https://a.example/{name}"][column] for name in ("id", "time") for column in names] == [
        *(None, "urn:uuid:00000000-0000-0000-0000-000000000000", None, None),
        *("NOWHERE", None, "https://a.example/1", first),
    ]
    section = (CHECKOUT / "docs" / "inputs.md").read_text("utf-8").partition("## Revisits")[2]
    found = re.search(r"```sql\n(.*?)```", section, re.DOTALL)
    assert found
    rows = duckdb.sql(found[1]).fetchall()
    assert len(rows) == len(skipped)
    texts = {url: text for url, _, text in rows}
    expected = {name: thresher.extract(page(k)).text for k, name in enumerate(("id", "time", "digest"))}
    assert texts == {f"https://a.example/{name}": text for name, text in (expected | {"lost": None}).items()}

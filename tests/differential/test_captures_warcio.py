# SPDX-License-Identifier: Apache-2.0
"""Captures of real archive files against warcio's reading of them, and an account of every record in them.

`pytest -s` prints the account as a table.
"""

from collections import defaultdict

import pytest
from shared_data import files
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from thresher.file_kinds import binary_kind
from thresher.options import CaptureOptions
from thresher.reading.captures import WarcReading
from thresher.reading.payload import is_html_type, media_type

ARCHIVES = files("warc-real/*")

# Files of which warcio and this reader give different pages, and why. May only shrink.
NOT_RECORD_BY_RECORD = "several records in one gzip member: warcio refuses, we read them"
DISAGREEMENTS = {
    "aut__arc__badexample.arc.gz": NOT_RECORD_BY_RECORD,
    "pywarc__sample.warc.gz": "WARC/0.18 whose Content-Length is wrong: warcio stops at the second record, we find the next",
    "pywb__sample_archive__warcs__example-bad.warc.gz.bad": NOT_RECORD_BY_RECORD,
    "pywb__sample_archive__warcs__example-extra.warc": "status line HTTPX/1.1: a dead letter here, a status for warcio",
    "resiliparse__tests__data__block-sized-records.warc.lz4": "warcio reads no lz4",
    "resiliparse__tests__data__clipped.warc.gz": "the file ends inside its record: a dead letter here, half a page for warcio",
    "resiliparse__tests__data__warcfile.warc.lz4": "warcio reads no lz4",
    "resilipipe__tests__data__sample.warc.gz": "one gzip member that ends inside a record: warcio refuses, a dead letter here",
    "ukwa-discovery__warc-indexer__IAH-20080430204825-00000-blackbook-truncated.arc": "wrong length in the first record: "
    "warcio stops there, we find the next",
    "ukwa-discovery__warc-indexer__compression__transfer_compression_brotli.warc": "Brotli: warcio 1.8 raises "
    "with brotli 1.2, and leaves the body coded without it",
    "ukwa-discovery__warc-indexer__compression__transfer_compression_brotli.warc.gz": "Brotli, as above",
    "warcio__test__data__example-bad-non-chunked.warc.gz": NOT_RECORD_BY_RECORD,
    "warcio__test__data__example-space-in-url.arc": "the file ends twelve bytes inside its last record: a dead letter here",
    "warcio__test__data__example-wrong-chunks.warc.gz": "a wrong chunk length: we keep the rest of the body, warcio loses it "
    "and its place in the file",
    "wdps3__CommonCrawl-sample.warc": "line ends were converted, so the file ends inside its last record: a dead letter here",
    "wdps3__CommonCrawl-sample.warc.gz": NOT_RECORD_BY_RECORD,
    "web_data_vu__sample.warc.gz": NOT_RECORD_BY_RECORD,
    "whirlwind__CC-MAIN-2024-22.warc.paths.gz": "a list of paths, no archive: warcio raises, a dead letter here",
}


def pages_of_warcio(path):
    """URL -> HTML bodies that warcio reads, and whether it read the whole file."""
    pages = defaultdict(list)
    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, arc2warc=True):
                if record.rec_type not in {"response", "resource"}:
                    continue
                identified = media_type(record.rec_headers.get_header("WARC-Identified-Payload-Type") or "")
                headers = record.http_headers or record.rec_headers
                kind = identified or media_type(headers.get_header("Content-Type") or "")
                body = record.content_stream().read()
                if is_html_type(kind) and body.strip() and not binary_kind(body):
                    pages[record.rec_headers.get_header("WARC-Target-URI")].append(body)
    except (ArchiveLoadFailed, AttributeError):  # AttributeError: Brotli, see DISAGREEMENTS
        return pages, False
    return pages, True


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.name)
def test_pages_are_those_that_warcio_reads(path):
    expected, whole = pages_of_warcio(path)
    ours = defaultdict(list)
    for capture in WarcReading(path, CaptureOptions(statuses=None, plain_text=False)):
        if capture.mime_source != "sniffed":  # warcio does not look at the content
            ours[capture.url].append(capture.payload)
    if path.name in DISAGREEMENTS:
        assert ours != expected or not whole, f"{path.name} agrees now: take it off the list"
    else:
        assert whole
        assert ours == expected


def test_every_listed_file_exists():
    if ARCHIVES:
        assert DISAGREEMENTS.keys() <= {path.name for path in ARCHIVES}


def test_every_record_is_accounted_for(data):
    lines, totals = [], [0, 0, 0, 0]
    for path in sorted((data / "warc-real").iterdir()):
        reading = WarcReading(path)
        captures = list(reading)
        skipped = sum(reading.skipped.values())
        row = [reading.n_records, len(captures), len(reading.dead_letters), skipped]
        assert row[0] == sum(row[1:]), path.name
        for capture in captures:
            assert (
                0
                <= capture.warc_record_offset
                < capture.warc_record_offset + capture.warc_record_length
                <= path.stat().st_size
            )
        totals = [total + n for total, n in zip(totals, row, strict=True)]
        reasons = ", ".join(f"{reason} {n}" for reason, n in sorted(reading.skipped.items()))
        lines.append(f"{path.name[-64:]:64} {row[0]:5} {row[1]:5} {row[2]:5}   {reasons}")
        lines.extend(f"    {letter.offset:>9} {letter.stage}: {letter.message}" for letter in reading.dead_letters)
    print(f"\n{'file':64} {'read':>5} {'pages':>5} {'dead':>5}   skipped", *lines, sep="\n")
    print(f"{'all':64} {totals[0]:5} {totals[1]:5} {totals[2]:5}   {totals[3]}")
    assert totals[0] > 2000
    assert totals[1] > 250

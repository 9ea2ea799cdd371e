# SPDX-License-Identifier: Apache-2.0
"""Captures from small WARCs written here: filters, the order of evidence for HTML, what a record's headers become."""

import gzip
import io
import random
import subprocess
import sys
import zlib

import pytest
from archive_forms import PAGES, write_form
from fastwarc.stream_io import ZstdWriter

import thresher
from thresher.options import CaptureOptions
from thresher.reading.captures import WarcReading, clean_url, parse_date
from thresher.reading.streams import MAX_PADDING

HTML_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html"
PLAIN_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8"
PAGE = b"<!DOCTYPE html><title>Mill</title><p>Grain and chaff."


def record(kind: str, block: bytes, **headers: str) -> bytes:
    """One WARC record; header names are given with underscores."""
    fields = {
        "WARC_Type": kind,
        "WARC_Date": "2026-11-21T03:04:05Z",
        "WARC_Target_URI": "https://mill.example/",
        **headers,
    }
    fields.setdefault("WARC_Record_ID", "<urn:uuid:1>")
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items() if value)
    return f"WARC/1.1\r\n{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def response(body: bytes = PAGE, head: str = "HTTP/1.1 200 OK\r\nContent-Type: text/html", **headers: str) -> bytes:
    return record(
        "response", head.encode() + b"\r\n\r\n" + body, Content_Type="application/http; msgtype=response", **headers
    )


def read(tmp_path, *records: bytes, **options):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(map(gzip.compress, records)))
    reading = WarcReading(path, CaptureOptions(**options))
    found = list(reading)
    assert reading.n_records == len(found) + len(reading.dead_letters) + sum(reading.skipped.values())
    return found, reading


@pytest.mark.parametrize("behind", [b"", b"another record"])
@pytest.mark.parametrize(("n", "damaged"), [(512, 0), (MAX_PADDING, 0), (MAX_PADDING + 1, 1), (1 << 20, 1)])
def test_zeros_pad_an_archive_but_a_hole_is_damage(tmp_path, n, damaged, behind):
    """Where a disk lost power or a download was cut off, a file has its size, and zeros in place of records."""
    records = [gzip.compress(response()) for _ in range(3)]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(records) + bytes(n) + (records[0] if behind else b""))
    reading = WarcReading(path, CaptureOptions())
    assert len(list(reading)) == 3 + bool(behind)
    assert [(each.offset, each.error_class) for each in reading.dead_letters] == damaged * [
        (sum(map(len, records)), "DamagedFile")
    ]


def test_a_capture_carries_place_date_status_digest_and_truncation(tmp_path):
    first = record("warcinfo", b"software: test\r\n", WARC_Target_URI="")
    page = response(WARC_Payload_Digest="sha1:ABC", WARC_Truncated="length", WARC_Date="2014-01-02T03:04:05.678Z")
    (capture,), reading = read(tmp_path, first, page)
    assert capture.url == "https://mill.example/"
    assert capture.payload == PAGE
    assert capture.warc_record_id == "urn:uuid:1"
    assert (capture.warc_record_offset, capture.warc_record_length) == (
        len(gzip.compress(first)),
        len(gzip.compress(page)),
    )
    assert capture.fetch_time.isoformat() == "2014-01-02T03:04:05.678000+00:00"
    assert (capture.fetch_status, capture.content_digest, capture.content_truncated) == (200, "ABC", "length")
    assert (capture.content_mime_type, capture.mime_source) == ("text/html", "http")
    assert reading.skipped == {"not_response": 1}
    assert reading.first_offset == 0


def test_the_text_that_browsertrix_writes_beside_a_page_is_no_page(tmp_path):
    texts = [
        record(
            "resource", b"Grain and chaff.", Content_Type="text/plain", WARC_Target_URI=f"urn:{kind}:https://m.example/"
        )
        for kind in ("text", "textFinal", "textual")
    ]
    other = record("resource", b"Grain.", Content_Type="text/plain", WARC_Target_URI="urn:texts")
    (page, plain), reading = read(tmp_path, response(), *texts, other)
    assert (page.url, plain.url) == ("https://mill.example/", "urn:texts")
    assert reading.skipped == {"conversion": 3}


def test_the_logs_of_crawlers_are_no_pages(tmp_path):
    logs = [
        record("resource", b"A log.", Content_Type="text/plain", WARC_Target_URI=url)
        for url in ("metadata://gnu.org/software/wget/warc/MANIFEST.txt", "urn:X-wpull:log")
    ]
    other = record("resource", b"Grain.", Content_Type="text/plain", WARC_Target_URI="https://m.example/metadata://a")
    (page, plain), reading = read(tmp_path, response(), *logs, other)
    assert (page.url, plain.url) == ("https://mill.example/", "https://m.example/metadata://a")
    assert reading.skipped == {"crawler": 2}


def test_plain_text_is_a_page_too(tmp_path):
    text = b"Of mills <and> men\n\n  and so on"
    made = [
        response(text, head=PLAIN_HEAD),
        response(PAGE, head=PLAIN_HEAD),
        response(text, WARC_Identified_Payload_Type="text/plain"),
        record("resource", text, Content_Type="text/plain"),
    ]
    captures, _ = read(tmp_path, *made)
    assert [(capture.payload, capture.plain_text) for capture in captures] == [
        (text, True), (PAGE, False), (text, False), (text, True),
    ]  # fmt: skip
    assert [capture.content_mime_detected for capture in captures] == [None, "text/html", "text/plain", None]
    assert captures[0].http_charset == "utf-8"
    captures, reading = read(tmp_path, *made, plain_text=False)
    assert len(captures) == 1
    assert reading.skipped == {"not_html": 3}


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (response(head="HTTP/1.1 404 Not Found\r\nContent-Type: text/html"), "status"),
        (response(head="HTTP/1.1 200 OK\r\nContent-Type: image/png"), "not_html"),
        (response(WARC_Identified_Payload_Type="application/pdf"), "not_html"),
        (response(b"%PDF-1.7 ..."), "not_html"),
        (response(b"just words", head="HTTP/1.1 200 OK"), "not_html"),
        (response(b"PK\x03\x04" + bytes(60)), "not_html"),
        (response(bytes(range(256)) * 4), "not_html"),
        (response(zlib.compress(b"\xff\xd8\xff\xe0"), head=HTML_HEAD + "\r\nContent-Encoding: deflate"), "not_html"),
        (response(gzip.compress(b"\x89PNG\r\n\x1a\n")), "not_html"),
        (response(head=PLAIN_HEAD, WARC_Target_URI="https://mill.example/robots.txt"), "not_html"),
        (response(b"%PDF-1.7", head=PLAIN_HEAD), "not_html"),
        (response(b'\xef\xbb\xbf<?xml version="1.0"?><playlist>', head=PLAIN_HEAD), "not_html"),
        (response(b" \r\n"), "empty"),
        (record("revisit", b""), "revisit"),
        (record("request", b"GET / HTTP/1.1\r\n\r\n"), "not_response"),
        (record("response", b"1.2.3.4", Content_Type="text/dns", WARC_Target_URI="dns:mill.example"), "not_http"),
    ],
)
def test_records_that_are_no_pages_are_counted_by_reason(tmp_path, made, reason):
    found, reading = read(tmp_path, made)
    assert not found
    assert reading.skipped == {reason: 1}


def test_a_listed_record_says_what_it_has(tmp_path):
    """Which of an archive's statuses, media types and kinds of records are left out is what archivists ask for."""
    path = tmp_path / "a.warc.gz"
    records = (
        response(head="HTTP/1.1 404 Not Found\r\nContent-Type: text/html"),
        response(head="HTTP/1.1 200 OK\r\nContent-Type: Image/PNG; q=1"),
        response(b"%PDF-1.7 ..."),
        response(gzip.compress(b"%PDF-1.7 ...")),
        response(b"just words", head="HTTP/1.1 200 OK"),
        record("warcinfo", b"software: x"),
        record("revisit", b""),
    )
    path.write_bytes(b"".join(map(gzip.compress, records)))
    left_out = []
    assert not list(WarcReading(path, on_skipped=left_out.append))
    assert [(each.reason, each.value) for each in left_out] == [
        ("status", "404"),
        ("not_html", "image/png"),
        ("not_html", "a PDF document"),
        ("not_html", "a PDF document"),
        ("not_html", None),
        ("not_response", "warcinfo"),
        ("revisit", None),
    ]


@pytest.mark.parametrize(
    ("made", "source"),
    [
        (response(head="HTTP/1.1 200 OK\r\nContent-Type: image/png", WARC_Identified_Payload_Type="text/html"), "warc"),
        (response(head="HTTP/1.1 200 OK\r\nContent-Type: application/xhtml+xml; charset=utf-8"), "http"),
        (response(head="HTTP/1.1 200 OK"), "sniffed"),
        (response(head="HTTP/1.1 200\nServer: x\nContent-Type:\n  text/html"), "http"),
        (record("resource", PAGE, Content_Type="text/html"), "warc"),
    ],
)
def test_the_kind_is_taken_from_warc_then_http_then_sniffing(tmp_path, made, source):
    (capture,), _ = read(tmp_path, made)
    assert capture.mime_source == source
    assert capture.payload.endswith(PAGE)


def test_statuses_are_configurable(tmp_path):
    page = response(head="HTTP/1.1 404 Not Found\r\nContent-Type: text/html")
    assert [c.fetch_status for c in read(tmp_path, page, statuses=frozenset({404}))[0]] == [404]
    assert [c.fetch_status for c in read(tmp_path, page, statuses=None)[0]] == [404]


def test_a_payload_is_cut_at_the_limit(tmp_path):
    (capture,), _ = read(tmp_path, response(PAGE * 100), max_payload_bytes=1000)
    assert capture.payload == (PAGE * 100)[:1000]
    assert capture.content_truncated == "limit"


def test_a_page_in_segments_is_its_first_one_and_says_so(tmp_path):
    rest = record("continuation", PAGE, WARC_Segment_Number="2", WARC_Segment_Origin_ID="<urn:uuid:1>")
    mistyped = response(WARC_Segment_Number="12", WARC_Segment_Origin_ID="<urn:uuid:1>")
    (capture,), reading = read(tmp_path, response(WARC_Segment_Number="1"), rest, mistyped)
    assert (capture.payload, capture.content_truncated) == (PAGE, "segment")
    assert reading.skipped == {"segment": 2}


@pytest.mark.parametrize(
    ("made", "stage", "error"),
    [
        (response(WARC_Target_URI=""), "record", "MissingUrl"),
        (response(head="HTTPX/1.1 200 OK"), "http", "BadHttpHead"),
        (response(head="HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: " + "x" * 70_000), "http", "BadHttpHead"),
        (record("response", b"", Content_Type="application/http"), "http", "EmptyBlock"),
        (response(b"\x1f\x8b\x08broken", head="HTTP/1.1 200 OK\r\nContent-Type: text/html"), "decode", "PayloadError"),
    ],
)
def test_a_bad_record_is_a_dead_letter_and_the_next_is_read(tmp_path, made, stage, error):
    (capture,), reading = read(tmp_path, made, response(WARC_Target_URI="https://mill.example/next"))
    (letter,) = reading.dead_letters
    assert (letter.stage, letter.error_class, letter.offset, letter.length) == (
        stage,
        error,
        0,
        len(gzip.compress(made)),
    )
    assert capture.url.endswith("/next")


def test_the_public_function_reads_what_list_inputs_finds(tmp_path):
    (tmp_path / "a.warc").write_bytes(response() * 2)
    assert [capture.warc_record_offset for capture in thresher.read_captures(tmp_path)] == [0, len(response())]


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("<http://a.example/>", "http://a.example/"),
        (" http://a.example/b c\t", "http://a.example/b%20c"),
        ("http://a.example/\x01é", "http://a.example/%01é"),
        ("<>", None),
        ("", None),
        (None, None),
    ],
)
def test_clean_url(value, url):
    assert clean_url(value) == url


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2014", "2014-01-01T00:00:00+00:00"),
        ("2014-05", "2014-05-01T00:00:00+00:00"),
        ("2014-05-06T07:08:09.123456789Z", "2014-05-06T07:08:09.123456+00:00"),
        ("20140506070809", "2014-05-06T07:08:09+00:00"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59+00:00"),
        ("2014-13-01", None),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_parse_date(value, date):
    parsed = parse_date(value)
    assert (parsed and parsed.isoformat()) == date


def in_zstd(*records: bytes) -> bytes:
    """Records in a zstd frame each, as WARC/Zstandard files have them."""
    frames = []
    for made in records:
        file = io.BytesIO()
        writer = ZstdWriter(file)
        writer.write(made)
        writer.close()
        frames.append(file.getvalue())
    return b"".join(frames)


def test_zstd_is_read_whole_by_the_first_split_and_its_broken_end_is_said(tmp_path):
    path = tmp_path / "a.warc.zst"
    data = in_zstd(record("warcinfo", b"x"), response(), response(PAGE * 1000))
    path.write_bytes(data)
    assert [len(capture.payload) for capture in WarcReading(path, end=10)] == [len(PAGE), len(PAGE) * 1000]
    assert list(WarcReading(path, start=10)) == []
    path.write_bytes(data[:-20])
    reading = WarcReading(path)
    assert [capture.payload for capture in reading] == [PAGE]
    assert len(reading.dead_letters) == 1
    assert reading.n_records == 3


@pytest.mark.parametrize("form", ["plain.warc", "each.warc.gz", "plain.arc", "threes.arc.gz", "one.arc.gz"])
def test_the_letter_of_a_record_that_is_cut_off_has_its_url(tmp_path, form):
    path = write_form(tmp_path, form)
    path.write_bytes(path.read_bytes()[:-10])
    reading = WarcReading(path)
    assert len(list(reading)) >= 9
    (letter,) = reading.dead_letters
    assert letter.url == list(PAGES)[-1]


def test_the_letter_of_a_record_that_reaches_into_the_next_has_its_url(tmp_path):
    wrong = response(WARC_Target_URI="http://mill.example/long").replace(b"\r\n\r\n", b"1\r\n\r\n", 1)
    found, reading = read(tmp_path, b"".join((response(), wrong, response(PAGE * 30), response())))
    assert len(found) == 3
    (letter,) = reading.dead_letters
    assert (letter.url, letter.message) == (
        "http://mill.example/long",
        "Content-Length reaches into the next record",
    )
    assert letter.number == 1  # of the records of one member: the second, which it takes the place of


def test_what_stands_in_place_of_a_status_line_is_quoted_only_where_it_is_of_http(tmp_path):
    _, reading = read(
        tmp_path,
        *(
            record("response", block, Content_Type="application/http")
            for block in (b"HTTPX/1.1 200\r\n\r\n", b"secret word")
        ),
    )
    assert [letter.message.partition(": ")[2] for letter in reading.dead_letters] == ["b'HTTPX/1.1 200'", "b'secr'"]


def test_a_line_of_a_header_may_go_on_in_the_next(tmp_path):
    (capture,), _ = read(tmp_path, response(WARC_Payload_Digest="sha1:A \r\n\tB\r\n  C"))
    assert capture.content_digest == "A B C"


def test_of_a_header_that_is_there_twice_the_first_counts(tmp_path):
    """By whichever reader: the careful one reads the first records and the last."""
    made = [response(WARC_target_uri=f"https://other.example/{n}") for n in range(8)]
    found, _ = read(tmp_path, *made)
    assert [capture.url for capture in found] == ["https://mill.example/"] * 8


def test_records_that_share_a_gzip_member_have_its_place(tmp_path):
    path = tmp_path / "a.warc.gz"
    first, second = gzip.compress(response() + response()), gzip.compress(response())
    path.write_bytes(first + second)
    places = [(capture.warc_record_offset, capture.warc_record_length) for capture in WarcReading(path)]
    assert places == [(0, len(first)), (0, len(first)), (len(first), len(second))]
    assert (
        list(WarcReading(path, start=1)) == list(WarcReading(path))[2:]
    )  # a guess that the first split will not confirm
    first_split = WarcReading(path, end=1)
    assert len(list(first_split)) == 3
    assert first_split.next_offset is None


def test_content_lengths_that_are_off_by_two_cost_no_record(tmp_path):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    made = [
        response().replace(b"Content-Length: %d" % len(head + PAGE), b"Content-Length: %d" % (len(head + PAGE) + by))
        for by in (-2, 2, 0) * 20
    ]
    found, reading = read(tmp_path, *made)
    assert len(found) == 60
    assert not reading.dead_letters


def test_a_content_length_beyond_the_gzip_member_leaves_offset_and_length_right(tmp_path):
    short = response()
    long = response(PAGE + random.Random(1).randbytes(70_000).hex().encode())
    wrong = short.replace(b"\r\n\r\n", b"1\r\n\r\n", 1)  # 119 becomes 1191: far into the next member
    members = [len(gzip.compress(made)) for made in (long, wrong, long)]
    found, reading = read(tmp_path, long, wrong, long)
    assert [capture.warc_record_length for capture in found] == members
    assert [capture.warc_record_offset for capture in found] == [0, members[0], members[0] + members[1]]
    assert [capture.content_truncated for capture in found] == [None, "record", None]
    assert not reading.dead_letters


ARC_BODY = b"HTTP/1.0 200 OK\nContent-type: text/html\n\n" + PAGE
ARC_VERSION = b"1 0 Mill\nURL IP-address Archive-date Content-type Archive-length\n"
ARC_RECORDS = [
    b"filedesc://a.arc 0.0.0.0 20080430204825 text/plain %d\n%b\n" % (len(ARC_VERSION), ARC_VERSION),
    b"http://mill.example/a b 10.0.0.1 20080430204826 text/html %d\n%b\n" % (len(ARC_BODY), ARC_BODY),
    b"dns:mill.example 10.0.0.1 20080430204826 text/dns 4\nmill\n",
]


@pytest.mark.parametrize("damage", [b"", b"\0\0\0\0\0"])
@pytest.mark.parametrize("form", ["plain", "members", "whole"])
def test_arc_records_are_captures_and_damage_of_the_first_bytes_costs_one_record(tmp_path, form, damage):
    data = b"".join(map(gzip.compress, ARC_RECORDS) if form == "members" else ARC_RECORDS)
    data = damage + data[len(damage) :]
    if form == "whole":
        data = gzip.compress(data)
    path = tmp_path / "a.arc"
    path.write_bytes(data)
    reading = WarcReading(path)
    (capture,) = reading
    assert capture.url == "http://mill.example/a%20b"
    assert capture.payload == PAGE
    assert capture.fetch_time.isoformat() == "2008-04-30T20:48:26+00:00"
    assert reading.skipped == {"not_http": 1} if damage else {"not_response": 1, "not_http": 1}
    assert [letter.offset for letter in reading.dead_letters] == [0] * bool(damage)
    assert list(WarcReading(path, start=1)) == []  # the first part of an ARC reads all of it


MEASURE = """
import resource, sys
from thresher.reading.captures import CaptureOptions, WarcReading
reading = WarcReading(sys.argv[1], CaptureOptions(max_payload_bytes=1 << 20))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
n = sum(1 for _ in reading)
print(n, len(reading.dead_letters), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 >> 20)
"""


@pytest.mark.parametrize("giant", ["record", "header", "line"])
def test_memory_does_not_grow_with_what_a_gzip_member_holds(tmp_path, giant):
    size = 128 << 20
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"
    head = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http\r\n"
    )
    start = {
        "record": head + b"Content-Length: %d\r\n\r\n" % (len(page) + size) + page,
        "header": head + b"X: ",
        "line": head + b"Content-Length: %d\r\n\r\n" % len(page) + page + b"\r\n\r\n",
    }[giant]
    compressor = zlib.compressobj(1, wbits=31)
    member = compressor.compress(start)
    for _ in range(size >> 20):
        member += compressor.compress(b"x" * (1 << 20))
    member += compressor.flush()
    small = [gzip.compress(response())] * 3
    path = tmp_path / "giant.warc.gz"
    path.write_bytes(b"".join([*small, member, *small]))
    found = subprocess.run([sys.executable, "-c", MEASURE, path], capture_output=True, text=True, check=True)
    n_captures, n_letters, grown = map(int, found.stdout.split())
    assert (n_captures, n_letters) == ((7, 0) if giant == "record" else (6 + (giant == "line"), 1))
    assert grown < 40  # MiB; the member holds 128


def note(languages: str, page_id: str = "<urn:uuid:1>", **headers: str) -> bytes:
    block = f"fetchTimeMs: 120\r\nlanguages-cld2: {languages}\r\n".encode()
    return record("metadata", block, **{"WARC_Record_ID": "<urn:uuid:2>", "WARC_Concurrent_To": page_id} | headers)


ENGLISH_AND_FRENCH = (
    '{"reliable":true,"text-bytes":83,"languages":[{"code":"en","code-iso-639-3":"eng","text-covered":0.9,"score":1672.0,'
    '"name":"ENGLISH"},{"code":"fr","code-iso-639-3":"fra","text-covered":0.1,"score":70.0,"name":"FRENCH"}]}'
)


@pytest.mark.parametrize(
    ("made", "languages"),
    [
        (note(ENGLISH_AND_FRENCH), "eng,fra"),
        (note(ENGLISH_AND_FRENCH, WARC_Concurrent_To="", WARC_Refers_To="<urn:uuid:1>"), "eng,fra"),
        (note(ENGLISH_AND_FRENCH, "<urn:uuid:of another page>"), None),
        (note('{"reliable":false,"languages":[]}'), None),
        (note('{"languages":[{"code-iso-639-3":7},{"code-iso-639-3":"a,b"},{"code-iso-639-3":"deu"}]}'), "deu"),
        (note('{"languages":"eng"}'), None),
        (note('{"languages":{"x":1}}'), None),
        (note("{not JSON}"), None),
        (note('{"languages":' + "[" * 3000 + "]" * 3000 + "}"), None),
        (note("{" + " " * 9000 + "}"), None),
        (record("metadata", b"", WARC_Concurrent_To="<urn:uuid:1>"), None),
        (record("request", b"GET / HTTP/1.1\r\n\r\n", WARC_Concurrent_To="<urn:uuid:1>"), None),
    ],
)
def test_languages_that_the_crawler_noted(tmp_path, made, languages):
    (capture, other), reading = read(tmp_path, response(), made, response(WARC_Record_ID="<urn:uuid:3>"))
    assert (capture.content_languages, other.content_languages) == (languages, None)
    assert reading.skipped == {"not_response": 1}


@pytest.mark.parametrize("compress", [gzip.compress, bytes], ids=["gzip", "plain"])
def test_a_note_behind_the_split_is_read_with_its_page(tmp_path, compress):
    """However the file is cut, each page comes once and with its languages, each record is counted once."""
    codes = ["eng", "deu", "ell", "pol"]
    parts = [
        compress(made)
        for number, code in enumerate(codes)
        for made in (
            response(WARC_Record_ID=f"<urn:uuid:{number}>"),
            note(f'{{"languages":[{{"code-iso-639-3":"{code}"}}]}}', f"<urn:uuid:{number}>"),
        )
    ]
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(parts))
    ends = [sum(map(len, parts[: n + 1])) for n in range(len(parts))]
    for cut in ends[:-1]:
        readings = [WarcReading(path, start=0, end=cut), WarcReading(path, start=cut)]
        assert [capture.content_languages for reading in readings for capture in reading] == codes
        assert sum(reading.n_records for reading in readings) == len(parts)
        assert readings[0].next_offset == readings[1].first_offset == cut

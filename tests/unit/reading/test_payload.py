# SPDX-License-Identifier: Apache-2.0
"""HTTP heads and bodies as archives hold them: codings, broken ones, bombs, and what kind of content a body is."""

import gzip
import io
import zlib
from collections.abc import Callable

import brotli
import pytest
from costs import assert_cheap, assert_linear
from fastwarc.stream_io import ZstdWriter
from hypothesis import given
from hypothesis import strategies as st

from thresher.reading.payload import PayloadError, charset_parameter, decode_body, media_type, parse_head, sniff_html

PAGE = b"<!DOCTYPE html><title>Mill</title>" + b"<p>Grain and chaff, " * 200
LIMIT = 1 << 20


def chunked(body: bytes, size: int = 100, end: bytes = b"0\r\n\r\n") -> bytes:
    pieces = [body[i : i + size] for i in range(0, len(body), size)]
    return b"".join(b"%x;name=value\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + end


def zstd(body: bytes) -> bytes:
    file = io.BytesIO()
    writer = ZstdWriter(file)
    writer.write(body)
    writer.close()
    return file.getvalue()


def raw_deflate(body: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(body) + compressor.flush()


@pytest.mark.parametrize(
    ("body", "transfer", "content"),
    [
        (PAGE, "", ""),
        (PAGE, "identity", "none"),
        (chunked(PAGE), "chunked", ""),
        (chunked(gzip.compress(PAGE)), "Chunked", "GZIP"),
        (gzip.compress(PAGE[:500]) + gzip.compress(PAGE[500:]) + b"\0\0", "", "x-gzip"),
        (gzip.compress(PAGE), "", ""),
        (gzip.compress(PAGE), "", "deflate"),
        (gzip.compress(PAGE), "gzip, chunked", ""),
        (zlib.compress(PAGE), "", "deflate"),
        (raw_deflate(PAGE), "", "deflate"),
        (brotli.compress(PAGE), "", "br"),
        (zstd(PAGE), "", "zstd"),
        (gzip.compress(brotli.compress(PAGE)), "", "br, gzip"),
        (PAGE, "chunked", "gzip"),  # stored decoded, header kept
        (PAGE, "", "br"),
        (PAGE, "", "deflate"),
        (PAGE, "", "zstd"),
    ],
)
def test_codings_are_undone(body, transfer, content):
    assert decode_body(body, transfer, content, LIMIT) == (PAGE, "")


@pytest.mark.parametrize(
    ("body", "transfer", "content", "kept"),
    [
        (chunked(PAGE)[:-50], "chunked", "", 3900),
        (chunked(PAGE, end=b""), "chunked", "", len(PAGE)),
        (b"ffff\r\n" + PAGE, "chunked", "", len(PAGE)),
        (gzip.compress(PAGE * 50)[:-200], "", "gzip", 10_000),
        (gzip.compress(PAGE)[:-3], "", "gzip", len(PAGE)),
        (gzip.compress(PAGE)[:-8] + b"\0" * 8, "", "gzip", 1),
        (brotli.compress(PAGE + bytes(range(256)) * 40)[:-30], "", "br", 1000),
    ],
)
def test_broken_codings_keep_what_came_before_the_damage(body, transfer, content, kept):
    decoded, problem = decode_body(body, transfer, content, LIMIT)
    assert problem == "encoding"
    assert len(decoded) >= kept
    assert decoded.startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("body", "content"),
    [
        (b"\x1f\x8b\x08junk", "gzip"),
        (b"\xff" * 50, "br"),
        (b"\x07\x08", "deflate"),
        (b"\x28\xb5\x2f\xfd\xff\xff", "zstd"),
        (PAGE, "compress"),
    ],
)
def test_what_cannot_be_decoded_is_said(body, content):
    with pytest.raises(PayloadError, match=r"broken|cannot be decoded"):
        decode_body(body, "", content, LIMIT)


@pytest.mark.parametrize("compress", [gzip.compress, zlib.compress, brotli.compress, zstd])
def test_a_decompression_bomb_is_cut_at_the_limit_at_once(compress):
    bomb, small = (compress(b"\0" * size) for size in (64 << 20, 1 << 20))
    names = {gzip.compress: "gzip", zlib.compress: "deflate", brotli.compress: "br", zstd: "zstd"}
    decoded, problem = decode_body(bomb, "", names[compress], 10_000)
    assert (len(decoded), problem) == (10_000, "limit")
    assert_cheap(
        lambda: decode_body(bomb, "", names[compress], 10_000),
        lambda: decode_body(small, "", names[compress], 10_000),
        8,
    )


def test_a_million_chunks_take_linear_time():
    def decoding(n: int) -> Callable[[], object]:
        body = b"1\r\nx\r\n" * n
        assert len(decode_body(body, "chunked", "", LIMIT)[0]) == n
        return lambda: decode_body(body, "chunked", "", LIMIT)

    assert_linear(decoding, 200_000)


CODINGS = st.sampled_from(["", "gzip", "deflate", "br", "zstd", "chunked", "gzip, br", "bogus"])


@given(
    body=st.binary(max_size=300),
    transfer=CODINGS,
    content=CODINGS,
    prefix=st.sampled_from([b"", b"\x1f\x8b\x08\0", b"5\r\n"]),
)
def test_any_body_decodes_or_is_refused(body, transfer, content, prefix):
    try:
        decoded, problem = decode_body(prefix + body, transfer, content, 100)
    except PayloadError:
        return
    assert len(decoded) <= 100
    assert problem in {"", "limit", "encoding"}


@pytest.mark.parametrize(
    ("head", "status", "content_type"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html", 200, "text/html"),
        (b"HTTP/2 404\nCONTENT-TYPE :text/html ; charset=x", 404, "text/html ; charset=x"),
        (b"\r\nHTTP/1.0 200\r\nX-Content-Type: a\r\nContent-Type:\r\n\ttext/html", 200, "text/html"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Type: image/png", 200, "text/html"),
        (b"HTTP/1.1 200 OK", 200, ""),
    ],
)
def test_heads(head, status, content_type):
    parsed = parse_head(head)
    assert (parsed.status, parsed.content_type) == (status, content_type)


@pytest.mark.parametrize("head", [b"", b"<html>", b"HTTP/1.1 OK", b"HTTP/1.1 2000 OK", b"ICY 200 OK"])
def test_what_is_no_head(head):
    assert parse_head(head) is None


def test_media_types_and_charsets():
    assert [media_type(value) for value in ("Text/HTML; charset=x", " text/html,text/html", "'text/html'", "html", "", ";")] == [
        "text/html", "text/html", "text/html", "", "", "",
    ]  # fmt: skip
    values = [
        "text/html; charset=UTF-8",
        'x; Charset = "utf-8" ; y',
        "x; charset='a b'",
        "x;charset=",
        "x",
        "x; charset=utf-8;q",
    ]
    assert [charset_parameter(value) for value in values] == ["UTF-8", "utf-8", "a b", None, None, "utf-8"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\xef\xbb\xbf \n<!DOCTYPE HTML>", "text/html"),
        (b"<body>", "text/html"),
        (b"<!-- x --><p>", "text/html"),
        (b"<?xml version='1.0'?><!-- c --><html xmlns='x'>", "application/xhtml+xml"),
        (b"<?xml version='1.0'?><rss>", ""),
        (b"<bogus>", ""),
        ("<html>".encode("utf-16"), "text/html"),
        (b"plain words", ""),
        (b"", ""),
        (b"<?xml" + b"<!---->" * 500, ""),
    ],
)
def test_sniffing(body, kind):
    assert sniff_html(body) == kind

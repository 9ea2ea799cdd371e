# SPDX-License-Identifier: Apache-2.0
"""Small made-up archives for tests of the pipeline: request, response and metadata for each page, one gzip member a
record.
"""

import io
from collections.abc import Iterable
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DATE = "2026-11-20T00:00:00Z"
SENTENCE = "The harvest of the northern fields was brought in before the rain came over the hills. "
GREEK = "Η συγκομιδή στα βόρεια χωράφια τελείωσε πριν φτάσει η βροχή πάνω από τους λόφους του νησιού. "


def page(number: int, *, paragraphs: int = 6) -> bytes:
    """A page with a menu, a footer and an article, in English, every third in Greek."""
    sentence = GREEK if number % 3 == 0 else SENTENCE
    article = "".join(f"<p>{sentence * 4} ({number}.{k})</p>" for k in range(paragraphs))
    menu = "".join(f'<li><a href="/{k}">Item {k}</a></li>' for k in range(8))
    return (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>Page {number}</title></head><body><ul>{menu}</ul>"
        f"<div><h1>Page {number}</h1>{article}</div><div><a href=/imprint>Imprint</a></div></body></html>"
    ).encode()


def write_archive(path: Path, pages: dict[str, bytes], *, gzip: bool = True, date: str = DATE) -> Path:
    """A WARC with a request, response and metadata record for each {URL: page}."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=gzip)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "tests"}))
        for url, html in pages.items():
            headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(html)))]
            response = writer.create_warc_record(
                url,
                "response",
                payload=io.BytesIO(html),
                length=len(html),
                http_headers=StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1"),
                warc_headers_dict={"WARC-Date": date},
            )
            request = writer.create_warc_record(
                url,
                "request",
                http_headers=StatusAndHeaders("GET / HTTP/1.1", [("Host", "made.up")], is_http_request=True),
                warc_headers_dict={"WARC-Date": date},
            )
            writer.write_request_response_pair(request, response)
            note = b"fetchTimeMs: 120\r\n"
            writer.write_record(
                writer.create_warc_record(
                    url,
                    "metadata",
                    payload=io.BytesIO(note),
                    length=len(note),
                    warc_content_type="application/warc-fields",
                    warc_headers_dict={"WARC-Date": date},
                )
            )
    return path


def write_responses(
    path: Path, records: Iterable[tuple[str, bytes, list[tuple[str, str]], str]], status: str = "200 OK"
) -> Path:
    """A WARC of responses alone, each a URL, a body, headers and a date."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, body, headers, date in records:
            response = writer.create_warc_record(
                url,
                "response",
                payload=io.BytesIO(body),
                length=len(body),
                http_headers=StatusAndHeaders(status, headers, protocol="HTTP/1.1"),
                warc_headers_dict={"WARC-Date": date},
            )
            writer.write_record(response)
    return path


def write_archives(folder: Path, *, archives: int = 3, pages: int = 40) -> list[Path]:
    """Several archives of `pages` pages each, over a few hosts."""
    folder.mkdir(exist_ok=True)
    return [
        write_archive(
            folder / f"crawl-{a}.warc.gz",
            {f"https://www.site{(a + p) % 5}.co.uk/{a}/{p}": page(a * pages + p) for p in range(pages)},
        )
        for a in range(archives)
    ]

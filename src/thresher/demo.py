# SPDX-License-Identifier: Apache-2.0
"""A small WARC of made-up sites, to try Thresher on and to test it with.

    python -m thresher.demo OUT.warc.gz

The texts stand in demo.toml beside this file. Every host has a template of its own (menu, side column, advertisement,
footer) around them, a language, a charset, and its own way of declaring it. To them come pages as a crawl finds them
too: broken, empty, mislabelled, hostile; an image, a redirect, an error page, a revisit; and at the end a record that
was cut off, as a crawler leaves it that was killed. The archive is the same, byte for byte, each time it is made.
"""

import argparse
import base64
import gzip
import hashlib
import sys
import tomllib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any, BinaryIO

DATE = "2026-01-01T06:00:00Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One HTTP response, and what is to be found in it."""

    url: str
    body: bytes
    status: str = "200 OK"
    content_type: str = "text/html"
    more_headers: str = ""  # further HTTP header lines, each ending in CRLF
    record_type: str = "response"
    # For tests, where the page is one of demo.toml's:
    language: str | None = None  # ISO 639-3
    charset: str | None = None  # what body is encoded in, by Python's name
    text: tuple[str, ...] = ()  # the lines of its main text
    boilerplate: tuple[str, ...] = ()  # what its site repeats


def pages() -> Iterator[Page]:
    """Every page of the archive, in its order: first the sites of demo.toml, then the odd ones."""
    sites = tomllib.loads(files("thresher").joinpath("demo.toml").read_text("utf-8"))["site"]
    for site in sites:
        for page in site["page"]:
            yield render(site, page)
    yield from odd_pages()


def render(site: dict[str, Any], page: dict[str, Any]) -> Page:
    """A page of demo.toml in the template of its site."""
    place, _, label = site["declared"].partition(" ")
    meta = f'<meta charset="{label}">' if place == "meta" else ""
    lines = [line.strip("#->| ").replace(" | ", "\n") for line in page["text"].splitlines()]
    return Page(
        url=f"https://{site['host']}{page['path']}",
        body=LAYOUTS[site["layout"]](site, page, meta).encode(site["charset"]),
        content_type=f"text/html; charset={label}" if place == "http" else "text/html",
        language=site["language"],
        charset=site["charset"],
        text=tuple(cell for line in lines for cell in line.split("\n") if cell),
        boilerplate=(*site["menu"], *site["aside"], site["advert"], *site["footer"]),
    )


def main_text(text: str) -> str:
    """HTML of a main text as demo.toml writes it."""
    html = []
    for block in text.strip().split("\n\n"):
        lines = block.split("\n")
        if lines[0].startswith("## "):
            html.append(f"<h2>{escape(lines[0][3:])}</h2>")
        elif lines[0].startswith("- "):
            html.append("<ul>" + "".join(f"<li>{escape(line[2:])}" for line in lines) + "</ul>")
        elif lines[0].startswith("| "):
            rows = ("".join(f"<td>{escape(cell)}</td>" for cell in line.strip("| ").split(" | ")) for line in lines)
            html.append("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
        elif lines[0].startswith("    "):
            html.append("<pre>" + escape("\n".join(line[4:] for line in lines)) + "</pre>")
        else:
            html.append(f"<p>{escape(block)}</p>")
    return "\n".join(html)


def links(names: list[str]) -> str:
    return "".join(f'<li><a href="/{number}">{escape(name)}</a></li>' for number, name in enumerate(names))


def columns(site: dict[str, Any], page: dict[str, Any], meta: str) -> str:
    """A page of today: semantic elements, a side column, scripts and styles."""
    return f"""<!DOCTYPE html>
<html><head>{meta}<title>{escape(page["title"])} | {escape(site["name"])}</title>
<style>body {{ margin: 0 }} aside {{ float: right }}</style><script>window.stats = ["<p>not text</p>"];</script></head>
<body><header><a href="/">{escape(site["name"])}</a><nav><ul>{links(site["menu"])}</ul></nav></header>
<aside class="sidebar"><ul>{links(site["aside"])}</ul>\
<div class="ad"><a href="/ad">{escape(site["advert"])}</a></div></aside>
<main><article><h1>{escape(page["title"])}</h1>
{main_text(page["text"])}
</article></main>
<footer><ul>{links(site["footer"])}</ul></footer></body></html>
"""


def plain(site: dict[str, Any], page: dict[str, Any], meta: str) -> str:
    """A page of the year 2000: tables for layout, upper-case tags, few end tags."""
    menu = " | ".join(f"<A HREF=/{number}.html>{escape(name)}</A>" for number, name in enumerate(site["menu"]))
    aside = "".join(f"<LI><A HREF=/side/{number}.html>{escape(name)}</A>" for number, name in enumerate(site["aside"]))
    text = main_text(page["text"]).replace("</p>", "").replace("<p>", "<P>")
    return f"""<HTML><HEAD>{meta}<TITLE>{escape(page["title"])}</TITLE></HEAD><BODY BGCOLOR=white>
<CENTER><B>{escape(site["name"])}</B><BR>{menu}</CENTER>
<TABLE WIDTH="100%"><TR><TD WIDTH=20%><UL>{aside}</UL><A HREF=/ad><FONT COLOR=red>{escape(site["advert"])}</FONT></A>
<TD><H1>{escape(page["title"])}</H1>
{text}
</TABLE><HR><CENTER><SMALL>{" - ".join(f"<A HREF=/f/>{escape(name)}</A>" for name in site["footer"])}</SMALL></CENTER>
"""


def forum(site: dict[str, Any], page: dict[str, Any], meta: str) -> str:
    """A thread: each paragraph of the text is a post of its own, with what a forum puts around one."""
    posts = "".join(
        f"""<div class="post" id="p{number}"><div class="author"><a href="/u/{number}">baker{number}</a></div>
<div class="body"><p>{escape(text)}</p></div>\
<ul class="tools"><li><a href="#p{number}">Quote</a><li><a href="#r">Report</a></ul></div>
"""
        for number, text in enumerate(page["text"].strip().split("\n\n"), start=1)
    )
    return f"""<!doctype html><html><head>{meta}<title>{escape(page["title"])} - {escape(site["name"])}</title></head>
<body><div id="top"><ul>{links(site["menu"])}</ul></div><h1>{escape(page["title"])}</h1>
<div id="posts">{posts}</div>
<div id="right"><ul>{links(site["aside"])}</ul><a href="/ad">{escape(site["advert"])}</a></div>
<div id="bottom"><ul>{links(site["footer"])}</ul></div></body></html>
"""


def shop(site: dict[str, Any], page: dict[str, Any], meta: str) -> str:
    """A product among its likes."""
    tiles = "".join(
        f'<div class="tile"><a href="/p/{n}"><img src="/i/{n}.jpg" alt="">Sieve no. {n}</a><span>{n}.00</span></div>'
        for n in range(11, 19)
    )
    return f"""<!doctype html><html><head>{meta}<title>{escape(page["title"])}</title></head><body>
<div class="bar"><ul>{links(site["menu"])}</ul></div><div class="filter"><ul>{links(site["aside"])}</ul></div>
<div itemscope class="product"><h1>{escape(page["title"])}</h1><button>Add to basket</button>
<div class="description">{main_text(page["text"])}</div></div>
<section><h2>Others bought</h2>{tiles}</section><p class="ad"><a href="/ad">{escape(site["advert"])}</a></p>
<div class="bottom"><ul>{links(site["footer"])}</ul></div></body></html>
"""


LAYOUTS = {"columns": columns, "forum": forum, "plain": plain, "shop": shop}

ODD_HOST = "https://odds-and-ends.example"
SENTENCE = "The page around this sentence is broken on purpose, and the sentence should come out of it all the same. "


def odd_pages() -> Iterator[Page]:
    """What no one writes on purpose and every crawl finds."""

    def page(path: str, body: bytes, **more: Any) -> Page:  # noqa: ANN401 (the fields of Page)
        return Page(url=f"{ODD_HOST}/{path}", body=body, **more)

    paragraph = f"<p>{SENTENCE * 3}</p>".encode()
    yield page("nothing", b"")
    yield page(
        "no-text",
        b"<!doctype html><html><head><title>Loading</title></head><body><div id=app></div><script>start()</script>",
    )
    yield page("bytes-that-are-no-text", b"<!doctype html><meta charset=utf-8><p>\xff\xfe\x80 \xc3" + paragraph)
    yield page(
        "wrong-charset",
        "<!doctype html><p>Mühle, мельница, μύλος: ".encode() + paragraph,
        content_type="text/html; charset=iso-8859-1",
    )
    yield page(
        "never-closed", b"<table><tr><td><b><i><a href=x><p><font><ul><li>" + paragraph + b"<table><td><select><option"
    )
    yield page("deep", b"<!doctype html>" + b"<div>" * 20_000 + paragraph)
    yield page(
        "attributes", b"<!doctype html><body " + b" ".join(b"a%d=1" % n for n in range(5_000)) + b">" + paragraph
    )
    yield page(
        "frames",
        b"<html><frameset cols='20%,80%'><frame src=menu.html><noframes>" + paragraph + b"</noframes></frameset>",
    )
    yield page("picture-called-html", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 4)
    yield page("html-called-nothing", b"<!doctype html><title>No type</title>" + paragraph, content_type="")
    yield page(
        "compressed",
        gzip.compress(b"<!doctype html><title>Packed</title>" + paragraph, mtime=0),
        more_headers="Content-Encoding: gzip\r\n",
    )
    yield page("picture.png", b"\x89PNG\r\n\x1a\n", content_type="image/png")
    yield page("moved", b"<p>Elsewhere</p>", status="301 Moved Permanently", more_headers="Location: /there\r\n")
    yield page(
        "gone", b"<!doctype html><h1>Not found</h1><p>Perhaps it is on another page.</p>", status="404 Not Found"
    )
    yield page("seen-before", b"", record_type="revisit")


def _sha1(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def _record(kind: str, name: str, content_type: str, block: bytes, **more: str) -> bytes:
    """A WARC record, named after a URL."""
    headers = {
        "WARC-Type": kind,
        "WARC-Date": DATE,
        "WARC-Record-ID": f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}>",
        "Content-Type": content_type,
        "WARC-Block-Digest": _sha1(block),
        "Content-Length": str(len(block)),
    } | {name.replace("_", "-"): value for name, value in more.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"WARC/1.1\r\n{lines}\r\n".encode() + block + b"\r\n\r\n"


def record(page: Page) -> bytes:
    """The WARC record of a page."""
    head = f"HTTP/1.1 {page.status}\r\nServer: demo\r\n"
    if page.content_type:
        head += f"Content-Type: {page.content_type}\r\n"
    head += f"{page.more_headers}Content-Length: {len(page.body)}\r\n\r\n"
    return _record(
        page.record_type,
        page.url,
        "application/http; msgtype=response",
        head.encode() + page.body,
        WARC_Target_URI=page.url,
        WARC_Payload_Digest=_sha1(page.body),
    )


def write(out: BinaryIO) -> int:
    """Writes the archive, a gzip member a record; how many records, the last of them cut off in the middle."""
    info = b"software: thresher.demo\r\nformat: WARC File Format 1.1\r\n"
    cut_off = Page(url=f"{ODD_HOST}/cut-off", body=b"<!doctype html>" + SENTENCE.encode() * 40)
    records = [
        _record("warcinfo", ODD_HOST, "application/warc-fields", info),
        *map(record, pages()),
        record(cut_off),
    ]
    for number, made in enumerate(records, start=1):
        compressed = gzip.compress(made, mtime=0)
        out.write(compressed if number < len(records) else compressed[:-60])
    return len(records)


def write_archive(path: str) -> int:
    """Writes the archive into a file; how many records it has."""
    with open(path, "wb") as out:
        return write(out)


def main(argv: list[str] | None = None) -> int:
    """Exit status of `python -m thresher.demo`."""
    parser = argparse.ArgumentParser(prog="python -m thresher.demo", description="Write a small WARC of made-up sites.")
    parser.add_argument("out", help="the file to write, as in demo.warc.gz")
    path = parser.parse_args(argv).out
    n = write_archive(path)
    print(f"{path}: {n} records, the last one cut off")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Feeds as pages."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_archive import write_responses

import thresher
from thresher.options import CaptureOptions
from thresher.reading.captures import WarcReading
from thresher.reading.feeds import feed_page

TEXT = (
    "The little ferry crossed the estuary for sixty years before the bridge was built, and most people learned to swim."
)
RSS = f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Harbour Notes</title><link>https://h.example/</link><description>All about boats</description>
<language>en</language><image><title>Another title</title></image>
<item><title>The ferry &amp; the bridge</title><link>https://h.example/1</link><dc:creator>Anton Chord</dc:creator>
<pubDate>Mon, 4 May 2020 10:00:00 GMT</pubDate><description>A short form of it.</description>
<content:encoded><![CDATA[<p>{TEXT}</p><table><tr><td>cut]]></content:encoded></item>
<item><title>Tar &lt;b&gt;and&lt;/b&gt; feathers</title><description>&lt;p&gt;{TEXT} &lt;!-- open</description></item>
</channel></rss>"""
ATOM = f"""<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Harbour Atoms</title>
<author><name>The Editor</name></author><entry><title type="html">One &lt;i&gt;boat&lt;/i&gt;</title>
<link rel="edit" href="/edit"/><link href="https://a.example/1"/><author><name>Mia Tide</name><uri>https://mia</uri></author>
<updated>2021-01-02T00:00:00Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>{TEXT} &amp; more
</p></div></content></entry><entry><title>Two boats</title><summary>{TEXT}</summary></entry></feed>"""
RDF = f"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel><title>Harbour Triples</title></channel><item><title>A boat</title><description>{TEXT}</description></item></rdf:RDF>"""


def text_of(feed: str | bytes) -> str:
    page, _ = feed_page(feed if isinstance(feed, bytes) else feed.encode()) or (b"", "")
    return thresher.extract(page, extractor="all").text


def test_rss_is_its_title_and_its_entries() -> None:
    assert text_of(RSS).split("\n\n") == [
        "Harbour Notes", "All about boats", "The ferry & the bridge", "Anton Chord", "Mon, 4 May 2020 10:00:00 GMT", TEXT,
        "cut", "Tar and feathers", TEXT,
    ]  # fmt: skip


def test_atom_and_rdf() -> None:
    assert text_of(ATOM).split("\n\n") == [
        "Harbour Atoms", "One boat", "Mia Tide", "2021-01-02T00:00:00Z", f"{TEXT} & more", "Two boats", TEXT,
    ]  # fmt: skip
    assert text_of(RDF).split("\n\n") == ["Harbour Triples", "A boat", TEXT]
    page, _ = feed_page(ATOM.encode()) or (b"", "")
    assert b'<h2><a href="https://a.example/1">One boat</a></h2>' in page
    assert b'<html lang="en">' in page


@pytest.mark.parametrize(
    "content",
    [
        "<table><tr><td>x", "<template><p>x", "<!-- x", "<script>x", "<svg><g>x", "<select><option>x", "<plaintext>x",
        "<b><a>x", "<title>x", "</article></main>x", "<![CDATA[x",
    ],
)  # fmt: skip
def test_an_entry_does_not_swallow_the_next(content: str) -> None:
    item = f"<item><title>One</title><description><![CDATA[{content.replace(']]>', '')}]]></description></item>"
    found = text_of(
        f"<rss><channel><title>F</title>{item}<item><title>Two</title><description>{TEXT}</description></item></channel></rss>"
    )
    assert found.endswith(f"Two\n\n{TEXT}")
    page, _ = feed_page(f"<rss><channel><title>F</title>{item}{item}</channel></rss>".encode()) or (b"", "")
    assert len(thresher.extract(page, extractor="all").text.split("One")) == 3


@pytest.mark.parametrize(
    "unseen",
    [
        "<!--more-->",
        "<style>.x{}</style>",
        "<SCRIPT src='a'>if (a < b) x()</script >",
        "<iframe src=//video.example></iframe>",
        "<noembed>a</noembed>",
        "<?php x ?>",
    ],
)
def test_what_is_not_seen_of_an_entry_is_no_text(unseen: str) -> None:
    content = f"<p>One</p>{unseen}<p>Two</p>"
    item = f"<item><title>Item</title><description><![CDATA[{content}]]></description></item>"
    assert text_of(f"<rss><channel><title>F</title>{item}</channel></rss>").endswith("One\n\nTwo")


def test_a_damaged_feed_is_kept_up_to_the_damage() -> None:
    cut = RSS[: RSS.index("Tar")]
    page, problem = feed_page(cut.encode()) or (b"", "")
    assert (problem, TEXT.encode() in page) == ("markup", True)
    assert (feed_page(RSS.encode()) or ("", "?"))[1] == ""


@pytest.mark.parametrize(
    "body",
    [
        b"", b"<html><p>The feed", b"<rss><channel><title>No entry</title></channel></rss>", b"<rss><item></item></rss>",
        b'<?xml version="1.0" encoding="klingon"?><rss><item><title>x</title></item></rss>', b"<?xml version='1.0'?><svg/>",
    ],
)  # fmt: skip
def test_what_is_no_feed(body: bytes) -> None:
    assert feed_page(body) is None


def test_encodings_of_xml_count_and_entities_are_not_declared() -> None:
    text = RSS.replace("UTF-8", "ISO-8859-2").replace("Harbour", "Zażółć")
    assert text_of(text.encode("iso-8859-2")).startswith("Zażółć Notes")
    laughs = '<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>' + RSS.partition("?>")[2].replace(
        "Harbour", "&b;"
    )
    assert feed_page(laughs.encode()) is None


def test_time_is_linear() -> None:
    from costs import assert_linear

    item = "<item><title>One</title><description>&lt;table>&lt;b> x &amp;lt;</description></item>"
    assert_linear(lambda n: lambda: feed_page(b"<rss><channel>" + item.encode() * n), 16_000)


@given(body=st.binary(max_size=300), at=st.integers(0, len(RSS)))
@example(body=b"\0", at=40)
def test_any_bytes_are_survived(body: bytes, at: int) -> None:
    data = RSS.encode()
    feed_page(b"<rss>" + body)
    feed_page(data[:at] + body + data[at:])


@pytest.mark.parametrize(
    "kind", ["application/rss+xml", "application/atom+xml", "text/xml; charset=utf-8", "text/html", "text/plain", ""]
)
def test_feeds_of_an_archive_are_pages_where_it_is_asked_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.warc.gz"
    headers, date = ([("Content-Type", kind)] if kind else []), "2026-11-20T00:00:00Z"
    other = "http://h.example/map", b"<?xml version='1.0'?><urlset/>", [("Content-Type", "text/xml")], date
    write_responses(path, [("http://h.example/feed", RSS.encode(), headers, date), other])
    reading = WarcReading(path, CaptureOptions(feeds=True))
    (capture,) = reading
    assert capture.payload == (feed_page(RSS.encode()) or (b"",))[0]
    assert (capture.http_charset, capture.content_mime_type) == ("utf-8", kind.partition(";")[0] or None)
    assert (reading.n_records, reading.skipped["not_html"]) == (2, 1)
    without = WarcReading(path)
    n = len(list(without))
    assert without.n_records == n + without.skipped.total() == 2
    assert n == (kind == "text/html")

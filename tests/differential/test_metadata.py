# SPDX-License-Identifier: Apache-2.0
"""What the core reads of a page's metadata, compared with the same rules in plain Python."""

from datetime import date

import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from metadata_oracle import authors as plain_authors
from metadata_oracle import dates as plain_dates
from metadata_oracle import metadata as plain
from shared_data import files
from tag_soup import tag_soup

import thresher
from thresher.lab.evaluate.decoding import decode_page
from thresher.native.facts.authors import read_names
from thresher.native.facts.dates import find_dates, order_of, parse_date
from thresher.native.facts.describe import find_values
from thresher.native.facts.page_address import date_in_address
from thresher.page.metadata import read_metadata

LATEST = date(2026, 1, 1)


def assert_same(html: bytes, url: str | None) -> None:
    document = thresher.parse(html)
    assert find_values(document, url) == tuple(plain.find_values(document, url))
    assert read_metadata(document, url, not_after=LATEST) == plain.read_metadata(document, url, not_after=LATEST)


@pytest.mark.parametrize(
    "step", [40, pytest.param(3, marks=pytest.mark.nightly)], ids=["some pages", "every third page"]
)
@pytest.mark.parametrize("path", files("labelled*/*.parquet"), ids=lambda path: path.name)
def test_labelled_pages(path, step):
    table = pq.ParquetFile(path)
    names = [name for name in ("html", "url") if name in table.schema_arrow.names]
    for batch in table.iter_batches(batch_size=100, columns=names):
        for row in batch.to_pylist()[::step]:
            assert_same(decode_page(row["html"]), row.get("url"))


# What the rules look for, and what stands between.
PARTS = st.sampled_from(
    ["5", "14", "2014", "03", "3", "20140305", "1392", "2557", "-", "/", ".", ". ", " ", "  ", ":", ", ", " | ", "·",
     " - ", "–", "年", "月", "日", "년 ", "월 ", "平成26年", "民國103年", "۱۴", "۱۳۹۲", "اسفند", "March", "mars",
     "März", "Mar", "5th", "of", "de", "tháng", "năm", "thg", "gennaio", "ledna", "T10:00", "10:11:12 CET ", "Wed ",
     "by ", "Published", "Updated: ", "By ", "von ", "Ann Lee", "Bob Ray", "王璐", "and", ";", "(AP)", "Reuters",
     "Staff Writer", "Example", "ann", "example1", "user_", "admin", "9", "_",
     "Example News", "The ", "www.a.example", "a@b.example", "{", "©", "until ", "\n", "\u3000", "１２", "²"]
)  # fmt: skip
TEXTS = st.lists(PARTS, max_size=12).map("".join)
URLS = st.sampled_from(
    [None, "", "https://news.example.co.uk/", "https://www.example.com/2014/03/05/the-old-wheel-2.html",
     "http://archive.example/web/20140305101112/http://example.com/2014/03/a", "https://example.com/20140305/x?y=1",
     "https://example.gov/05-03-2014-a", "//example.com/Ann%20Lee", "https://[::1]/2014/3/5/", "mailto:a@b"]
)  # fmt: skip


@given(TEXTS, st.sampled_from(["", "de", "fa", "ja", "hr", "th"]), st.sampled_from([None, True, False]))
@example("1.1.14 " * 20, "", True)
def test_dates(text, language, day_first):
    assert find_dates(text, language=language, day_first=day_first) == plain_dates.find_dates(
        text, language=language, day_first=day_first
    )
    assert parse_date(text) == plain.parse_date(text)


@given(st.lists(TEXTS, max_size=4), st.sampled_from([None, "", "en-US", "de", "ES-us"]))
def test_order_of_day_and_month(texts, language):
    for host in ("a.example", "a.gov", "a.de", "a.us", ""):
        assert tuple(order_of(texts, language, host)) == (
            plain_dates.order_of(texts, language, host).language,
            plain_dates.order_of(texts, language, host).day_first,
        )


@given(st.lists(TEXTS, max_size=4))
def test_names(texts):
    assert read_names(texts) == plain_authors.read_names(texts)


@given(st.text(max_size=60) | TEXTS)
def test_any_text(text):
    assert find_dates(text) == plain_dates.find_dates(text)
    assert read_names([text]) == plain_authors.read_names([text])
    assert date_in_address(f"https://a.example/{text}") == plain.date_in_address(f"https://a.example/{text}")


@given(
    st.lists(TEXTS, min_size=6, max_size=6),
    URLS,
    st.sampled_from(
        ["og:title", "article:published_time", "date", "author", "twitter:label1", "og:site_name", "pubdate"]
    ),
    st.sampled_from(["time", "p class=date", "div class=byline", "h1", "p", "time class=updated", "a rel=author"]),
)
def test_made_up_pages(texts, url, name, tag):
    texts = [text.replace("&", "").replace("<", "").replace('"', "") for text in texts]
    data = '{"@type":"NewsArticle","headline":"%s","datePublished":"%s","author":{"@type":"Person","name":"%s"}}'
    html = f"""<html lang={name[:2]}><title>{texts[0]} - {texts[1]}</title><meta property="{name}" content="{texts[2]}">
    <meta name="twitter:data1" content="{texts[1]}"><script type="application/ld+json">
    {data % (texts[0], texts[3], texts[4]) if len(texts[5]) % 2 else ""}</script>
    <script>x={{"publishedAt":"{texts[3]}"}}</script><h1>{texts[0]}</h1><{tag}>{texts[3]}</{tag.split()[0]}><p>{texts[4]}</p><{tag}>{texts[5]}"""
    assert_same(html.encode("utf-8", "replace"), url)


ATTRIBUTES = [
    ' itemprop="datePublished" content="2014-03-05"', ' class="author byline"', ' class="published date"',
    " rel=author", ' href="/author/ann"', ' type="application/ld+json"', ' property="og:title" content="A | B"',
    ' datetime="2014-03-05"', ' name=author content="Ann Lee"', " id=comments", " href=/", " href=//news.example.co.uk",
]  # fmt: skip
PIECES = [
    "5 March 2014",
    "By Ann Lee",
    "The Old Wheel - Example",
    "Example",
    "Wheel | News - a.org",
    '{"@type":"Article","author":[{"name":"Bob"}]}',
]


@given(tag_soup(["meta", "time", "h1", "title", "script", "article", "a"], ATTRIBUTES, PIECES, size=20), URLS)
def test_any_markup(html, url):
    assert_same(html.encode("utf-8", "replace"), url)

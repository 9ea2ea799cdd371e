# SPDX-License-Identifier: Apache-2.0
"""Where a page writes its site's name without saying that it is one."""

import pytest

import thresher
from thresher.native.facts.site_names import find_site_names
from thresher.page.metadata import read_candidates, read_metadata
from thresher.page.page_extractor import PageExtractor

LABELS = ("lowermill",)


def names(html, labels=LABELS, suffix=".example", texts=()):
    return find_site_names(thresher.parse(html), labels, suffix, list(texts))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Read the Lower Mill every day", ["Lower Mill"]),
        ("LowerMill", ["LowerMill"]),
        ("The Lower-Mill’s wheel", ["Lower-Mill"]),
        ("Lower &amp; Mill", ["Lower & Mill"]),
        # the domain as it is written, but no other address
        ("LowerMill.example turns", ["LowerMill.example"]),
        ("LowerMill.test", None),
        ("www.LowerMill.example", None),
        ("x@LowerMill.example", None),
        ("#LowerMill", None),
        # no part of a word, and nothing in small letters
        ("Flower Mill", None),
        ("éLower Mill", None),
        ("Lower Mills", None),
        ("lowermill", None),
        ("Lower the Mill", None),
        # the most frequent first
        ("LOWER MILL <p>Lower Mill<p>Lower Mill", ["Lower Mill", "LOWER MILL"]),
    ],
)
def test_the_words_of_the_host(text, expected):
    assert names(f"<p>{text}").get("host words") == expected


def test_the_words_of_the_host_are_looked_for_in_other_texts_first():
    assert names("<p>LOWER MILL", texts=["Lower Mill, the paper"]) == {"host words": ["Lower Mill"]}
    assert names("<script>LowerMill</script><style>LowerMill</style>") == {}
    assert names("<p>Lower Mill", labels=()) == {}
    assert names("<p>Mühle 24", labels=("mühle", "24")) == {}


def test_a_host_of_three_letters_is_one_word():
    assert names("<p>A B C and ABC", labels=("abc",)) == {"host words": ["ABC"]}


def test_only_the_beginning_and_the_end_of_a_page_are_read():
    many = "<p>x" * 1000
    assert names(f"{many}<p>Lower Mill{many}") == {}
    assert names(f"{many}<p>Lower Mill") == names(f"<p>Lower Mill{many}") == {"host words": ["Lower Mill"]}


def test_titles_of_feeds_and_of_the_search():
    feed = '<link rel=alternate type="application/{}+xml" title="{}">'
    assert names(feed.format("rss", "Mill &amp; Co » Feed"))["feed"] == ["Mill & Co » Feed"]
    assert names(feed.format("rss", "") + feed.format("rss", "Mill Times"))["feed"] == ["Mill Times"]
    assert names(feed.format("atom", "Mill"))["feed"] == ["Mill"]
    assert names('<link rel=search title="Mill">')["feed"] == ["Mill"]
    assert names('<link rel=stylesheet title="Mill"><link rel=alternate type=application/rss+xml>') == {}


def test_alternative_texts_of_logos():
    for image in ("alt='Mill logo'", "alt=Mill class=site-logo", "alt=Mill id=Logo", "alt=Mill src=/logo.png"):
        assert names(f"<img {image}>")["logo"][0].startswith("Mill")
    assert names("<img alt=Mill src=wheel.png><img src=logo.png><img alt='' class=logo>") == {}


def candidates(html, url):
    extractor = PageExtractor()
    extractor.extract(html.encode(), url)
    return dict(read_candidates(extractor.workspace, url)["site"])


def test_what_is_found_is_a_candidate():
    html = """<title>The old wheel turns at Mill Times (free)</title><link rel=alternate type=application/rss+xml
        title="Mill Weekly » Feed"><meta name=citation_journal_title content="Mill Letters"><img class=logo alt="Mills logo">
        <h1>The old wheel</h1><p>Lower Mill has a wheel. It turns again."""
    found = candidates(html, "https://www.lowermill.example/a")
    sources = {text: {name for name in names if name.startswith("s:")} for text, names in found.items()}
    assert sources["Lower Mill"] == {"s:host words"}
    assert sources["Mill Weekly"] == {"s:feed first", "s:feed cut"}
    assert sources["Mill Letters"] == {"s:journal"}
    assert sources["Mills"] == {"s:logo cut"}
    assert sources["Mill Times (free)"] == {"s:title at"}
    assert sources["The old wheel turns at Mill Times"] == {"s:title end cut"}
    assert all("page feed first" in names and "page title whole" in names for names in found.values())


def test_the_host_that_a_page_names_counts_where_its_address_is_not_known():
    page = "<link rel=canonical href=https://lowermill.example/a><title>The wheel - Lower Mill</title><p>x"
    assert "host" in candidates(page, None)["Lower Mill"]
    assert "host" not in candidates(page.replace("lower", "upper"), None)["Lower Mill"]
    assert (
        "whole host"
        in candidates("<title>LowerMill.example</title><p>x", "https://lowermill.example/a")["LowerMill.example"]
    )


@pytest.mark.parametrize("name", ["The Mill", "Mill", "TheMill"])
def test_a_name_and_its_host_may_begin_with_the(name):
    found = candidates(f"<title>The wheel - {name}</title><p>x", "https://www.themill.example/a")
    assert "host" in found[name]
    found = candidates(f"<title>The wheel - {name}.example</title><p>x", "https://www.themill.example/a")
    assert "whole host" in found[f"{name}.example"]


_REPLAYED = "<title>The old wheel turns</title><h1>The old wheel turns</h1><p>Lower Mill is a paper."


@pytest.mark.parametrize(
    "prefix",
    [
        "web.archive.org/web/20140305101112/", "web.archive.org/web/20140305101112id_/", "web.archive.org/web/2014/",
        "web.archive.org/web/2/", "web.archive.org/web/", "wayback.archive-it.org/1234/20140305101112/",
        "arquivo.pt/wayback/20140305101112mp_/", "webarchive.nationalarchives.gov.uk/20140305/",
        "copies.example/all/20140305101112/", "copies.example:8080/web/2014/",
    ],
)  # fmt: skip
@pytest.mark.parametrize("url", ["http://www.lowermill.example/wheel", "https:/lowermill.example/wheel"])
def test_a_page_that_an_archive_replays_has_the_site_of_the_original(prefix, url):
    found = read_metadata(thresher.parse(_REPLAYED), f"https://{prefix}{url}")
    assert (found.site_name, found.date) == ("Lower Mill", None)


def test_a_replayed_page_has_the_address_and_type_of_the_original():
    address = "https://web.archive.org/web/20140305101112/http://lowermill.example/forum/viewtopic.php?t=5"
    original = "http://lowermill.example/forum/viewtopic.php?t=5"
    for canonical in (address, original, "/forum/viewtopic.php?t=5"):
        page = thresher.parse(f"<link rel=canonical href='{canonical}'>{_REPLAYED}")
        assert read_metadata(page, address) == read_metadata(page, original)
        assert read_metadata(page, address).canonical_url == original


def test_only_an_archive_replays_pages():
    page = "<title>Lower Mill</title><p>x"
    assert (
        "host" in candidates(page, "https://web.archive.org/web/20140305101112/lowermill.example/wheel")["Lower Mill"]
    )
    for path in (
        "web/2014/http.html", "web/20140305101112/wheel-turns.html", "contact/http://photos.example/a",
        "share?url=/20140305/http://photos.example/a",
    ):  # fmt: skip
        assert "host" in candidates(page, f"https://lowermill.example/{path}")["Lower Mill"]


def test_the_site_of_a_page_that_declares_none():
    html = "<title>The old wheel turns</title><h1>The old wheel turns</h1><p>Lower Mill is a paper."
    assert read_metadata(thresher.parse(html), "https://lowermill.example/wheel").site_name == "Lower Mill"

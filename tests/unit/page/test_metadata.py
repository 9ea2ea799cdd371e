# SPDX-License-Identifier: Apache-2.0
"""What a page says about itself: titles without the site's name, dates, authors, addresses, languages."""

import json
import re
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.native.facts.candidates import Ranker
from thresher.native.facts.dates import parse_date
from thresher.native.facts.letters import key_of, letters_in
from thresher.native.facts.metadata import find_metadata
from thresher.native.facts.shown_lines import find_shown_lines
from thresher.native.facts.site_names import find_home_names
from thresher.page.metadata import TITLE_WEIGHTS, WEIGHTS, Metadata, name_weights, read_candidates, read_metadata
from thresher.page.page_extractor import PageExtractor

URL = "https://www.lowermill.example/news/wheel.html"


def metadata(html: str | bytes, url: str | None = URL, **options: date) -> Metadata:
    return read_metadata(thresher.parse(html), url, **options)


def meta(**names: str) -> str:
    return "".join(f'<meta name="{name.replace("__", ":")}" content="{value}">' for name, value in names.items())


def linked(*objects: object) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(each)}</script>' for each in objects)


# --- titles ---


@pytest.mark.parametrize(
    ("title", "rest", "expected"),
    [
        # the site's name is known from OpenGraph
        ("Story - The Daily", meta(og__site_name="The Daily"), "Story"),
        ("Story | The Daily", meta(og__site_name="Daily"), "Story"),
        ("The Daily: Story", meta(og__site_name="The Daily"), "Story"),
        ("The Daily » News » Story", meta(og__site_name="The Daily"), "News » Story"),
        ("Story | Daily Mirror | The Daily", meta(og__site_name="The Daily"), "Story | Daily Mirror"),
        ("Story · The Daily", linked({"@type": "WebSite", "name": "The Daily"}), "Story"),
        ("Story · The Daily", linked({"publisher": {"@type": "Organization", "name": "The Daily"}}), "Story"),
        # … or from the host
        ("The wheel is back - Lower Mill", "", "The wheel is back"),
        ("The wheel is back | LowerMill.example", "", "The wheel is back"),
        # a heading or og:title says which part is the title
        ("The wheel is back - News - Somewhere", "<h1>The wheel is back</h1>", "The wheel is back"),
        ("The wheel is back – Somewhere", "<h1>The wheel is back <b>★</b> <b>★</b><b>☆</b></h1>", "The wheel is back"),
        (
            "The wheel - and the mill - Somewhere",
            meta(og__title="The wheel - and the mill"),
            "The wheel - and the mill",
        ),
        ("水车回来了_新闻_磨坊网", "<h1>水车回来了</h1>", "水车回来了"),
        ("水车回来了-新闻-磨坊网", "<h1>水车回来了</h1>", "水车回来了"),
        # … or from its place at the end
        ("Story - The Daily", "", "Story"),
        ("A well-known man", meta(og__site_name="known man"), "A well-known man"),
        # a heading that is the site's name is no title
        ("The wheel - Lower Mill", "<h1>Lower Mill</h1>", "The wheel"),
        # never nothing
        ("Lower Mill", "", "Lower Mill"),
        ("Lower Mill | Lower Mill", "", "Lower Mill"),
        ("The Daily - ", meta(og__site_name="The Daily"), "The Daily -"),
        ("Story - The Daily -", meta(og__site_name="The Daily"), "Story"),
        ("Inside the Mill: Task: List", "<h1>Inside the Mill</h1>", "Inside the Mill"),
        ("Wheel | Mill | Mill", meta(og__title="Wheel | Mill", og__site_name="Mill"), "Wheel"),
        (" | ", "", None),
        ("The", meta(og__site_name="The"), "The"),
    ],
)
def test_title(title, rest, expected):
    assert metadata(f"<title>{title}</title>{rest}").title == expected


@pytest.mark.parametrize(
    ("title", "heading", "expected"),
    [
        # the title element and its copy in og:title are one witness
        ("Menu for Christmas 2014 in Paris", "Christmas menu 2014", "Christmas menu 2014"),
        ("Christmas menu", "The mill", "Christmas menu"),
        # the only heading is the greater part of the title
        ("Fresh pasta salad recipe | Kitchen", "Fresh pasta salad", "Fresh pasta salad"),
    ],
)
def test_the_heading_beside_a_title_that_og_title_copies(title, heading, expected):
    html = f"<title>{title}</title>{meta(og__title=title)}<h1>{heading}</h1>"
    assert metadata(html, "https://a.example/b").title == expected


HOME = '<a href="/"><img src=x alt="The Gazette"></a>'


@pytest.mark.parametrize(
    ("title", "rest", "expected"),
    [
        # a link to the front page is called like the end of the title
        ("Story - Gazette", HOME, "Story"),
        ("水车回来了-磨坊网", "<a href=/>磨坊网</a>", "水车回来了"),
        ("Story - Gazette", "<a href=https://LowerMill.example>Gazette</a>", "Story"),
        ("Story - Gazette", "<a href=' //www.lowermill.example/ ' title=Gazette></a>", "Story"),
        # what a heading has may belong to the headline
        ("Mills - Gazette", HOME + "<h1>Mills of the Gazette</h1>", "Mills of the Gazette"),
        ("Wheel back at last - Gazette", HOME + "<h1>Gazette</h1>", "Wheel back at last"),
        # the end is written as a domain
        ("Story - Gazette.com", "", "Story"),
        ("Story | gazette.co.uk", "", "Story"),
        ("Story - at gazette.com", "", "Story"),
        # a declared name may have separators
        (
            "Terms | Gazette: All the news",
            meta(og__site_name="Gazette: All the news") + "<h1>Gazette: All the news – Terms</h1>",
            "Gazette: All the news – Terms",
        ),
    ],
)
def test_the_name_of_the_site_at_the_end_of_a_title(title, rest, expected):
    assert metadata(f"<title>{title}</title>{rest}").title == expected


@pytest.mark.parametrize("text", ["a" * 4094, "水" * 1364 + "xx"])
def test_a_value_that_is_cut_within_a_character_has_no_space_at_its_end(text):
    assert metadata(f'<meta name=description content="{text} 水车">').description == text


def test_links_to_the_front_page_are_few_and_short():
    document = thresher.parse("".join(f"<a href=/>{'x' * 9000}{i}</a>" for i in range(100)))
    assert [len(name) for name in find_home_names(document, "")] == [4096]
    document = thresher.parse("".join(f"<a href=/>{i}</a>" for i in range(100)))
    assert find_home_names(document, "") == [str(i) for i in range(8)]
    assert find_home_names(thresher.parse(f"<a href='http://{'a' * 200}/'>x</a>"), "a" * 200) == []
    document = thresher.parse("<a href>x</a><a href=http:>x</a><a href=//>x</a><a href=' '>x</a>")
    assert find_home_names(document, "") == []


def test_two_headings_that_are_parts_of_the_title_do_not_replace_it():
    html = "<title>Fresh pasta salad recipe</title><h1>Fresh pasta salad</h1><h1>More</h1>"
    assert metadata(html, "https://a.example/b").title == "Fresh pasta salad recipe"


@pytest.mark.parametrize(
    ("address", "html", "expected"),
    [
        ("our-team/", "<title>Our Team – Gearup</title>", "Our Team"),
        ("our-team-2.html?a=/b#c", "<title>Gearup | Our Team | Hello</title>", "Our Team"),
        ("lien-he", "<title>Montop – Liên Hệ</title>", "Liên Hệ"),
        ("li%C3%AAn-he", "<title>Montop – Liên Hệ</title>", "Liên Hệ"),
        ("team", "<title>Our Team – Gearup</title>", "Our Team"),
        ("gearup-our-team", "<title>Gearup – Our Team</title>", "Gearup – Our Team"),
        # a heading, a headline or og:title that the address names outvotes all others
        (
            "stoves",
            "<title>Stoves: best tents</title>" + meta(og__title="Stoves: best tents") + "<h1>Stoves</h1>",
            "Stoves",
        ),
        ("about-us", "<title>Printing in Paris</title>" + meta(og__title="About us") + "<h1>Welcome</h1>", "About us"),
        ("a-b", "<title>A</title><h1>A</h1>" + linked({"@type": "Article", "headline": "A, b"}), "A"),
        ("a-b", "<title>A</title><h1>C</h1>" + linked({"@type": "Article", "headline": "A, b"}), "A, b"),
    ],
)
def test_the_name_in_the_address_tells_the_title(address, html, expected):
    assert metadata(html, f"https://a.example/x/{address}").title == expected


def test_a_title_of_very_many_pieces_is_not_compared_with_the_address():
    pieces = " | ".join(["a", "b"] * 9)
    assert metadata(f"<title>{pieces}</title>", "https://m.example/x/a").title == pieces


def test_the_title_element_and_the_heading_outvote_og_title():
    html = "<title>Bist du Student?</title>" + meta(og__title="Neue Talente")
    assert metadata(html, "https://a.example/bist-du-student").title == "Bist du Student?"
    assert metadata(html + "<h1>Bist du Student!</h1>").title == "Bist du Student!"
    assert metadata("<title>Bist du Student?</title>" + meta(og__title="-")).title == "Bist du Student?"


def test_a_page_without_a_title_element():
    assert metadata(meta(og__title="One") + "<h1>Two</h1>").title == "Two"
    assert metadata("<h1>Two<br>lines</h1>").title == "Two lines"
    assert metadata("<p>x").title is None
    assert metadata("<svg><title>drawing</title></svg>").title is None


# --- dates ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2014-03-05", (2014, 3, 5)),
        ("2014-03-05T23:59:59+09:00", (2014, 3, 5)),
        ("2014-3-5 12:00", (2014, 3, 5)),
        ("20140305", (2014, 3, 5)),
        ("20140305T101112Z", (2014, 3, 5)),
        ("2014/03/05", (2014, 3, 5)),
        ("2014.03.05.", (2014, 3, 5)),
        ("2014年3月5日 08:00", (2014, 3, 5)),
        ("5.3.2014", (2014, 3, 5)),
        ("25/03/2014", (2014, 3, 25)),
        ("03/25/2014", (2014, 3, 25)),
        ("03/03/2014", (2014, 3, 3)),
        ("Wed, 05 Mar 2014 10:11:12 GMT", (2014, 3, 5)),
        ("March 5, 2014", (2014, 3, 5)),
        ("Mar. 5th 2014", (2014, 3, 5)),
        ("Wednesday, March 5, 2014 at 9pm", (2014, 3, 5)),
        ("5-Mar-2014", (2014, 3, 5)),
        ("03/05/2014", None),  # March or May?
        ("2014-13-05", None),
        ("2014-02-30", None),
        ("1970-01-01T00:00:00Z", None),
        ("0001-01-01", None),
        ("2014", None),
        ("201403", None),
        ("1394000000", None),
        ("2014-03-051", None),
        ("5 Marz 2014", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_parse_date(text, expected):
    assert parse_date(text) == (date(*expected) if expected else None)


@pytest.mark.parametrize(
    "html",
    [
        '<meta property="article:published_time" content="2014-03-05T10:00:00Z">',
        '<meta itemprop="datePublished" content="2014-03-05">',
        meta(DC__Date="x") + '<meta name="DC.date.issued" content="2014-03-05">',
        meta(date="gestern") + linked({"@type": "NewsArticle", "datePublished": "2014-03-05T01:02:03"}),
        linked(
            [
                {
                    "@graph": [
                        {"@type": "WebPage", "datePublished": "2020-01-01"},
                        {"@type": "Article", "datePublished": "2014-03-05"},
                    ]
                }
            ]
        ),
        linked({"@type": "WebPage", "mainEntity": {"@type": "Article", "datePublished": "2014-03-05"}}),
        "<script type='application/ld+json'>not json</script><time>March 5, 2014</time>",
        '<script type=\'application/ld+json\'>/* <![CDATA[ */ {"datePublished": "2014-03-05", "x": "a\nb"}; /* ]]> */</script>',
        "<nav><time datetime=2020-01-01></time></nav><article><p>x<time datetime=2014-03-05T10:00>then</time><time>2021-01-01</time></article>",
        "<time datetime=2020-01-01>a</time><time class='entry-date published' datetime=2014-03-05>b</time>",
        "<article><time class=updated datetime=2020-01-01>a</time><time datetime=2014-03-05>b</time></article>",
        "<time datetime=2014-03-05>a</time><p><time>5 March 2014</time>",
    ],
)
def test_date(html):
    assert metadata(html).date == date(2014, 3, 5)


@pytest.mark.parametrize(
    "name",
    ["published_at", "prism.publicationDate", "dcterms:created", "mill:published_time", "mill:uploaded", "a.b.pubdate"],
)
def test_names_of_dates(name):
    assert metadata(f'<meta property="{name}" content="2014-03-05">').date == date(2014, 3, 5)
    assert metadata(f'<meta property="{name}x" content="2014-03-05">').date is None
    assert metadata(f'<meta property="x{name}" content="2014-03-05">').date == (
        date(2014, 3, 5) if name not in {"published_at", "dcterms:created"} else None
    )


def test_a_mark_that_cannot_be_read_does_not_hide_what_the_page_shows():
    html = "<h1>Wheel</h1><abbr class=published title=06-05-2014T14:12>x</abbr><p>Veröffentlicht am: 6. Mai 2014</p>"
    assert metadata(html).date == date(2014, 5, 6)


def test_weak_marks_come_after_what_stands_near_the_headline():
    weak = meta(date="2014-03-09", DCTERMS__date="2014-03-09")
    assert metadata(weak).date == date(2014, 3, 9)
    assert metadata(weak + "<h1>Wheel</h1><p class=date>5 March 2014</p>").date == date(2014, 3, 5)
    assert metadata(weak + "<h1>Wheel</h1><time datetime=2014-03-05></time>").date == date(2014, 3, 5)
    far = f"<h1>Wheel</h1><p>{'It turned. ' * 99}</p><p itemprop=datePublished>Posted on 5 March 2014</p>"
    assert metadata(weak + far).date == date(2014, 3, 9)
    assert metadata(far).date == date(2014, 3, 5)


def test_several_times_outside_an_article_are_no_date():
    assert metadata("<time datetime=2014-03-05>a</time><time datetime=2014-03-06>b</time>").date is None


def test_date_in_the_address():
    assert metadata("<p>x", "https://example.org/2014/03/05/wheel").date == date(2014, 3, 5)
    assert metadata("<p>x", "https://example.org/a/20140305/wheel.html").date == date(2014, 3, 5)
    assert metadata("<p>x", "https://example.org/2014/13/05/wheel").date is None
    assert metadata("<p>x", "https://example.org/p/2014-03-05-wheel").date == date(2014, 3, 5)


def test_a_date_after_the_capture_is_a_mistake():
    html = meta(date="2031-01-01") + "<time datetime=2014-03-05>x</time>"
    assert metadata(html, not_after=date(2026, 1, 1)).date == date(2014, 3, 5)
    assert metadata(html.replace("2031", "2999")).date == date(2014, 3, 5)


# --- the rest ---


@pytest.mark.parametrize(
    ("html", "author"),
    [
        (meta(author="A. Miller"), "A. Miller"),
        (meta(author="By A. Miller"), "A. Miller"),
        (
            '<meta name="twitter:label1" content="Verfasst von"><meta name="twitter:data1" content="A. Miller">',
            "A. Miller",
        ),
        ('<meta name="twitter:label1" content="Price"><meta name="twitter:data1" content="A. Miller">', None),
        (meta(author="Byron Miller"), "Byron Miller"),
        (meta(citation_author="Miller, A.") + meta(citation_author="Baker, B."), "A. Miller; B. Baker"),
        (
            meta(article__author="https://facebook.example/miller") + linked({"author": {"name": "A. Miller"}}),
            "A. Miller",
        ),
        (
            linked({"@type": "Article", "author": [{"name": "A. Miller"}, "B. Baker", {"name": "A. Miller"}]}),
            "A. Miller; B. Baker",
        ),
        (
            linked({"@graph": [{"@type": "Article", "author": {"@id": "#a"}}, {"@id": "#a", "name": "A. Miller"}]}),
            "A. Miller",
        ),
        ('<a rel="nofollow author" href=/m>A. <b>Miller</b></a>', "A. Miller"),
        ('<a rel="coauthor" href=/m>A. Miller</a>', None),
        # accounts of nobody in particular
        (meta(author="user1234"), None),
        (meta(author="Admin_2"), None),
        (meta(author="wordpressadmin"), None),
        (meta(author="webmaster@lowermill.example"), None),
        (linked({"author": {"@type": "Person", "name": "q_admin"}}) + meta(author="A. Miller"), "A. Miller"),
        (meta(author="lowermill1"), None),
        (meta(author="Ann Admin"), "Ann Admin"),
        # an account counts if nobody else is named
        (meta(author="amiller24"), "amiller24"),
        (meta(author="amiller24") + "<a rel=author href=/m>A. Miller</a>", "A. Miller"),
        (meta(author="a_miller") + "<h1>Wheel</h1><p class=byline>By Ann Miller</p>", "Ann Miller"),
        (meta(author="   "), None),
        (meta(author="x" * 500), None),
        (linked({"author": {"@id": "#nobody"}}), None),
        (linked({"author": 3}), None),
    ],
)
def test_author(html, author):
    assert metadata(html).author == author


def test_description_site_and_address():
    html = "<base href='/news/'><link rel='shortlink canonical' href='wheel'>" + meta(
        Description="How  the\nwheel came back &amp; turned", og__site_name="Lower Mill"
    )
    found = metadata(html)
    assert found.description == "How the wheel came back & turned"
    assert found.site_name == "Lower Mill"
    assert found.canonical_url == "https://www.lowermill.example/news/wheel"
    assert metadata("<link rel=canonical href=/x>", None).canonical_url is None
    assert metadata("<link rel=canonical href='javascript:alert(1)'>").canonical_url is None
    assert (
        metadata("<link rel=canonical href='http://[bad'>" + meta(og__url="https://a.example/b")).canonical_url
        is not None
    )
    assert metadata("<link rel=stylesheet href=/canonical>").canonical_url is None


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=en>", "en"),
        ("<html lang=PT_br>", "pt-BR"),
        ("<html lang=zh-hant-tw>", "zh-Hant-TW"),
        ("<html lang='{{lang}}'>" + '<meta http-equiv="Content-Language" content="de, en">', "de"),
        (meta(og__locale="el_GR"), "el-GR"),
        ("<html xml:lang=fr>", "fr"),
        ("<html lang=''>", None),
        ("<html lang=english>", None),
        (meta(language="UTF-8"), None),
    ],
)
def test_declared_language(html, language):
    assert metadata(html).language == language


def test_what_is_inside_a_template_is_not_said_by_the_page():
    said = metadata("<template>" + meta(author="A. Miller") + "<h1>x</h1></template><p>y")
    assert replace(said, type=None, type_score=None, type_group=None) == Metadata()


def test_extract_returns_it():
    page = (
        "<html lang=en-GB><title>The wheel is back - Lower Mill</title>"
        + meta(author="A. Miller", description="It turns.", og__site_name="The Lower Mill")
        + "<link rel=canonical href=/wheel><time datetime=2014-03-05></time><p>text"
    )
    found = thresher.extract(page, url=URL)
    assert (found.title, found.author, found.date) == ("The wheel is back", "A. Miller", date(2014, 3, 5))
    assert (found.description, found.site_name) == ("It turns.", "The Lower Mill")
    assert (found.canonical_url, found.language_declared) == ("https://www.lowermill.example/wheel", "en-GB")
    assert thresher.extract("<p>x").author is None


def test_values_are_few_and_short():
    document = thresher.parse(
        "<meta name=author content='" + "ü" * 10_000 + "'>" + "<meta name=author content=x>" * 1000
    )
    values, _ = find_metadata(document, {b"author": "author"})
    assert list(map(len, values.values())) == [256]
    assert len(values["author"][0]) == 2048


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.sampled_from(["2014-03-05", "Article", "#a"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["@id", "@type", "@graph", "author", "publisher", "name", "datePublished", "mainEntity", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(json_values)
def test_any_json_is_survived(value):
    text = json.dumps(value).replace("</", "<\\/")
    found = metadata(f"<script type=application/ld+json>{text}</script>")
    for part in (found.author, found.site_name):
        assert part is None or (isinstance(part, str) and part.strip())


@given(st.text(max_size=40))
def test_any_text_is_a_date_or_not(text):
    found = parse_date(text)
    assert found is None or 1990 <= found.year <= 2100


@given(
    st.lists(st.sampled_from(["Story", "The Daily", " - ", " | ", ": ", "_", " ", "磨坊", "-"]), max_size=8).map(
        "".join
    )
)
def test_a_title_is_cut_at_its_ends_only(title):
    whole = " ".join(title.split())
    found = metadata(f"<title>{title}</title>" + meta(og__site_name="The Daily") + "<p>x").title
    assert found
    assert found in whole or found == "The Daily"


def test_metadata_of_a_page_outlives_its_tree() -> None:
    found = thresher.extract("<title>The wheel</title><meta name=author content='A. Miller'><p>It turned.", url=URL)
    thresher.extract("<title>Another</title><p>It stood still.")
    assert (found.title, found.author) == ("The wheel", "A. Miller")


@pytest.mark.parametrize("when", ["at once", "after another page", "in another thread", "after options changed"])
def test_metadata_are_the_same_whenever_they_are_asked_for(when: str) -> None:
    formula = "<p>With <math><mi>x</mi></math> it turned on 5 March 2014.</p>"
    page = f"<title>The wheel | Mill</title><meta property=og:site_name content=Mill><h1>The wheel</h1>{formula * 9}"
    expected = {"title": "The wheel", "site_name": "Mill", "date": date(2014, 3, 5)}
    found = thresher.extract(page, url=URL)
    if when != "at once":
        thresher.extract("<title>Another</title><p>It stood still.", format="markdown", formulas="drop")
    if when == "after options changed":
        thresher.extract(page, limits=thresher.Limits(max_nodes=5))
    if when == "in another thread":
        with ThreadPoolExecutor(1) as threads:
            says = threads.submit(lambda: {name: getattr(found, name) for name in expected}).result()
    else:
        says = {name: getattr(found, name) for name in expected}
    assert says == expected


def test_binary_data_and_pages_over_a_limit_have_metadata_of_what_was_parsed() -> None:
    assert thresher.extract(b"%PDF-1.7 title").title is None
    assert thresher.extract("<p>word").title is None
    page = "<title>The wheel</title>" + "<p>It turned." * 99
    cut = thresher.extract(page, limits=thresher.Limits(max_nodes=50))
    thresher.extract("<title>Another</title>")
    assert (cut.status, cut.title) == ("too_many_nodes", "The wheel")


@pytest.mark.parametrize(
    "text",
    ["", "The Wheel's 2nd Turn_2", "STRASSE Straße İ ı", "中文, 第２页²", "「한국」のABC①—Ａ", "x-" * 2000, "é" * 513],
)
def test_key_of_a_text(text):
    assert key_of(text) == re.sub(r"[\W_]+", "", text.casefold())


def test_letters_of_every_character_are_those_of_python():
    for first in range(0, sys.maxunicode + 1, 64):
        text = "".join(map(chr, range(first, first + 64)))
        plain = unicodedata.normalize("NFKD", text).replace("\u0345", "")
        assert letters_in(text, plain=False) == "".join(filter(str.isalnum, text.casefold()))
        assert letters_in(text, plain=True) == "".join(filter(str.isalnum, plain.casefold()))


def test_the_name_and_the_title_taken_have_the_greatest_sums_of_all():
    fitted = json.loads(WEIGHTS.read_text("utf-8")) | {"title": json.loads(TITLE_WEIGHTS.read_text("utf-8"))}
    site, title = (Ranker(fitted[fact]["trees"], fitted[fact]["least"]) for fact in ("site", "title"))
    extractor = PageExtractor()
    head = "<title>Mills | The old wheel - Lower Mill Ltd</title>" + meta(og__site_name="Lower Mill")
    extractor.parse(f"{head}<h1>Ann Lee</h1><h2>The old wheel</h2>{'<p>It turned again. ' * 40}".encode())
    extractor.measure()
    extractor.classify()
    candidates, taken = read_candidates(extractor.workspace, URL, site, name_weights(), title), extractor.metadata(URL)
    for ranker, fact, value in ((site, "site", taken.site_name), (title, "title", taken.title)):
        sums = ranker.scored([names for _, names in candidates[fact]])
        assert len(set(sums)) > 3
        assert candidates[fact][sums.index(max(sums))][0] == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a  b", "a b"), (" a b ", "a b"), ("a\tb", "a b"), ("a\x1fb", "a b"), ("a\u00a0b", "a b"), ("  ", None), ("", None),
        ("é  è\u3000", "é è"), ("x" * 5000, "x" * 4096), ("x" * 4095 + "é", "x" * 4095), ("a\x7fb", "a\x7fb"),
    ],
)  # fmt: skip
def test_white_space_of_values_is_collapsed(value, expected):
    document = thresher.parse(f'<meta name=author content="{value}">')
    values, _ = find_metadata(document, {b"author": "author"})
    assert values.get("author") == ([expected] if expected else None)


def test_paragraphs_links_and_articles_are_counted_outside_templates():
    page = "<p>a<p>b<a href=/>c</a><article>d</article><template><p>e<a>f</a></template><svg><a>g</a></svg>"
    assert find_metadata(thresher.parse(page), {})[1] == (1, 2, 1)


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<pre><span class=lang>python</span><code><b class=date>5 March 2014</b>\nx = 1</code></pre>", "5 March 2014 x = 1"),
        ("<div class=highlight><div class=toolbar>python</div><pre><b>5 March 2014</b>\nx = 1</pre></div>",
         "5 March 2014 x = 1"),
        ("<pre><b>5 March 2014</b>\n" + "x = 1\n" * 9 + "<code class=language-python>y</code></pre>", None),
    ],
)  # fmt: skip
def test_what_a_construct_replaces_is_not_read(html, line):
    """The original nodes of a listing lie below its text, which has the address of its language where elements have
    attributes: marks were looked for there.
    """
    extractor = PageExtractor()
    for _ in range(3):
        extractor.parse(f"<h1>Title of this</h1>{html}{'<p class=date>Text.' * 300}".encode())
        lines = find_shown_lines(extractor.workspace.document, True, True)
        assert sum("5 March 2014" in text for _, _, text, _ in lines) <= 1
        assert line is None or line in [text for _, _, text, _ in lines]
        assert extractor.metadata().date is None or extractor.metadata().date == date(2014, 3, 5)

# SPDX-License-Identifier: Apache-2.0
"""Where a fact stands and what its line says: each kind with pages that have it and pages that only look so."""

import re
from datetime import date

import pytest

import thresher
from thresher.native.facts.authors import read_names
from thresher.native.facts.shown_lines import find_shown_lines
from thresher.native.facts.site_names import find_rights
from thresher.page.metadata import Metadata, read_metadata
from thresher.page.page_extractor import PageExtractor

PROSE = (
    "<p>The little ferry crossed the estuary for sixty years before the bridge was built, and most people swam.</p>" * 4
)
URL = "https://www.harbournotes.example/ferry"
DAY = date(2021, 8, 15)


def article(
    inside: str, *, before: str = "", behind: str = "", title: str = "The ferry that came back | Harbour Notes"
) -> str:
    return f"<title>{title}</title>{before}<main><article>{inside}{PROSE}</article></main>{behind}"


def read(html: str, url: str | None = URL) -> Metadata:
    extractor = PageExtractor()
    extractor.extract(html.encode(), url)
    return extractor.metadata(url, not_after=date(2026, 1, 1))


HEADLINE = "<h1>The ferry that came back</h1>"
OTHER = 'By <a rel="author" href="/authors/dean">Jeremy Dean</a>'


@pytest.mark.parametrize(
    "elsewhere",
    [
        f"<aside>{OTHER}</aside>",
        f"<footer>Site {OTHER}</footer>",
        f"<section class=related><h4>Kelp</h4>{OTHER}</section>",
        f"<ul class=latest><li>{OTHER}</ul>",
        f"<div id=comments><article class=comment><footer>{OTHER}</footer><p>Fine.</p></article></div>",
    ],
)
@pytest.mark.parametrize(
    ("byline", "expected"),
    [
        ("<p class=byline>By Mark Hart</p>", "Mark Hart"),
        ('<p class=byline>By <a href="/authors/hart">Mark Hart</a></p>', "Mark Hart"),
        ('<p>By <a rel="author" href="/authors/hart">Mark Hart</a></p>', "Mark Hart"),
        ("", None),
    ],
)
def test_a_link_to_an_author_elsewhere_is_not_the_pages(byline, elsewhere, expected):
    assert read(article(HEADLINE + byline, behind=elsewhere)).author == expected


@pytest.mark.parametrize(
    "link",
    [
        '<footer><a rel="author" href="/hart">Mark Hart</a></footer>',
        '<div class="elementor-widget"><a rel="author" href="/hart">Mark Hart</a></div>',
        '<header class="teaser-head"><h1>The ferry</h1><a rel="author" href="/hart">Mark Hart</a></header>',
    ],
)
def test_a_link_to_the_author_in_the_article_is_the_pages(link):
    assert read(article(HEADLINE + link)).author == "Mark Hart"


@pytest.mark.parametrize(
    "line",
    [
        '<span class="date">15 August 2021</span> <a class="author" href="/authors/1/">Anton Chord</a>',
        "15 August 2021 by Anton Chord",
        "Posted on 15 August 2021 by Anton Chord",
        "Posted on August 15, 2021 at 10:14 by Anton Chord",
        "By Anton Chord, 15 August 2021",
        "By Anton Chord 15 August 2021",
        "By ANTON CHORD | 15 August 2021",
        "15 August 2021 | By Anton Chord",
        "Posted by Anton Chord | Leave a comment",
        "15. August 2021 von Anton Chord",
        "Publié le 15 août 2021 par Anton Chord",
        "Publicado el 15 de agosto de 2021 por Anton Chord",
        "Pubblicato il 15 agosto 2021 da Anton Chord",
        "Müellif: Anton Chord",
        "Yazar: Anton Chord",
        "Interview: Anton Chord",
        "Автор: Anton Chord",
        "Autor: Anton Chord",
    ],
)
@pytest.mark.parametrize("kind", ["info", "meta", "post-meta", "entry-meta"])
def test_a_name_beside_a_date(line, kind):
    found = read(article(f"{HEADLINE}<p class={kind}>{line}</p>")).author
    assert found is not None
    assert found.title() == "Anton Chord"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("作者：王小明 2021-08-15", "王小明"),
        ("記者 王小明", "王小明"),
        ("撰文：王小明", "王小明"),
        # no name, or not the author's
        ("15 August 2021 by the harbour", None),
        ("15 August 2021 | Leave a comment", None),
        ("View all posts", None),
        ("Tags: Three", None),
        ("By the river it turned, said Anton Chord.", None),
    ],
)
def test_what_a_line_under_the_headline_names(line, expected):
    assert read(article(f"{HEADLINE}<p class=post-meta>{line}</p>")).author == expected


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["det/dpa"], ["det/dpa"]),
        (["Ann Lee / Bob Ray"], ["Ann Lee", "Bob Ray"]),
        (["Instituto de Investigación y Desarrollo Pesquero"], ["Instituto de Investigación y Desarrollo Pesquero"]),
        (["Ann Lee y Bob Ray"], ["Ann Lee", "Bob Ray"]),
        (["View Profile"], []),
        (["View my complete profile"], []),
        (["Edith Viewpoint"], ["Edith Viewpoint"]),
        (["Football"], []),
        (["rizospastis.gr"], []),
        (["CNN.com"], []),
        (["Posts by Ann Lee"], []),
        (["Antonio Cuerda."], ["Antonio Cuerda"]),
        (["Martin Luther King Jr."], ["Martin Luther King Jr."]),
        (["Anton Chord / 3 Comments"], ["Anton Chord"]),
        (["Ann Lee in Leith"], ["Ann Lee"]),
        (["Partners in Health"], ["Partners in Health"]),
        (["medellín"], []),
        (["Björn"], ["Björn"]),
        (
            ["Instituto Nacional para la Investigación y el Desarrollo"],
            ["Instituto Nacional para la Investigación y el Desarrollo"],
        ),
    ],
)
def test_what_is_a_name(texts, names):
    assert read_names(texts) == names


@pytest.mark.parametrize(
    "html",
    [
        "<meta name=author content='Harbour Notes'>",
        "<meta property=og:site_name content='The Daily'><meta name=author content='The Daily'>",
        "<meta name=author content='Acme Ltd'>",
        "<meta name=author content='Kelp Webdesign'>",
        "<meta name=author content='Werbeagentur Kelp'>",
        "<meta name=author content='Harbour Notes, Hull, England'>",
        "<title>港口新闻</title><meta property=og:site_name content=港口新闻><meta name=author content=港口>",
        '<script type="application/ld+json">{"author": {"name": "SPIEGEL"}, "publisher": {"name": "SPIEGEL"}}</script>',
    ],
)
def test_neither_the_site_nor_a_company_is_its_author(html):
    assert read(html + article(HEADLINE)).author is None


def test_an_organisation_that_signs_is_an_author():
    byline = "<p class=byline>By The Editorial Board</p>"
    assert read(article(HEADLINE + byline)).author == "The Editorial Board"


@pytest.mark.parametrize(
    "inside",
    [
        "<table class='infobox vcard'><tr><td>March 24, 2005 <span class='bday published'>2005-03-24</span></table>",
        "<table><tr><th>Launched<td>March 24, 2005</table>",
        "<p>Born: March 24, 2005</p>",
        "<p>The ferry was launched 24 March 2005 in the yard.</p>",
        "<p>Founded on 24 March 2005</p>",
        "<p>Marlene (born 24 March 2005) is a pilot.</p>",
        "<p>gegründet 24. März 2005</p>",
        "<p>Marlene, née le 24 mars 2005, est pilote.</p>",
        "<p>Date of birth: 24 March 2005</p>",
        "<p>Start <br> 24 March 2005</p>",
        "<p>出生日期：2005年3月24日</p>",
        "<p>Today: 24 March 2005</p>",
        "<p>Heute ist Donnerstag, der 24. März 2005</p>",
        "<p class=when><time datetime=2005-03-24>Thursday, 24 March 2005</time></p>",
        "<aside><time datetime=2005-03-24>24 March</time></aside>",
        "<div class=countdown><time datetime=2005-03-24>24 March</time></div>",
    ],
)
def test_a_day_of_the_subject_is_not_the_pages(inside):
    assert read(article(HEADLINE + inside)).date is None


@pytest.mark.parametrize(
    "inside",
    [
        "<p>Published: 15 August 2021</p>",
        "<p>Born in Hull, published 15 August 2021</p>",
        "<p>15 August 2021</p><table class=infobox><tr><th>Launched<td>March 24, 2005</table>",
        "<time datetime=2021-08-15>15 August</time><aside><time datetime=2005-03-24>24 March</time></aside>",
        "<aside><abbr class=published title=2005-03-24>24 March</abbr></aside><p>Published: 15 August 2021</p>",
    ],
)
def test_the_day_of_the_page_beside_another(inside):
    assert read(article(HEADLINE + inside)).date == DAY


def test_the_day_of_a_review_is_not_marked_as_the_pages():
    day = "<meta itemprop=datePublished content=2005-03-24>"
    assert [line[2] for line in find_shown_lines(thresher.parse(f"<div>{day}</div>"), True, False)] == ["2005-03-24"]
    for around in ("review", "comment"):
        assert find_shown_lines(thresher.parse(f"<div itemprop={around}><p>{day}</div>"), True, False) == []


CHANGE = date(2024, 3, 3)


@pytest.mark.parametrize(
    ("line", "day", "change"),
    [
        ("Updated 3 March 2024, published 15 August 2021", DAY, CHANGE),
        ("Last modified: 3 March 2024 | First published: 15 August 2021", DAY, CHANGE),
        ("Published 15 August 2021, updated 3 March 2024", DAY, CHANGE),
        ("Dernière mise à jour : 3 mars 2024 – Publié le 15 août 2021", DAY, CHANGE),
        ("Обновлено 3 марта 2024, опубликовано 15 августа 2021", DAY, CHANGE),
        ("Son güncelleme: 3 Mart 2024 | Yayınlanma: 15 Ağustos 2021", DAY, CHANGE),
        ("更新时间：2024-03-03 发布时间：2021-08-15", DAY, CHANGE),
        ("수정 2024.03.03 10:20 | 입력 2021.08.15 09:00", DAY, CHANGE),
        ("Última actualización: 3 de marzo de 2024", None, CHANGE),
        ("Stand: 3. März 2024", CHANGE, None),
        ("Zuletzt geändert am 3. März 2024, veröffentlicht am 15. August 2021", DAY, CHANGE),
        ("Last updated on March 3, 2024", None, CHANGE),
        # read, not changed
        ("Accessed 3 March 2024. First published 15 August 2021.", DAY, None),
        ("Printed on 3 March 2024", None, None),
        ("15 August 2021", DAY, None),
    ],
)
def test_the_day_of_publication_and_that_of_a_change_in_one_line(line, day, change):
    found = read(article(f"{HEADLINE}<p>{line}</p>"))
    assert (found.date, found.date_modified) == (day, change)


def test_a_change_is_named_below_the_text_and_in_a_cell_of_its_own_but_not_twice():
    foot = "<footer><p>This page was last modified on 3 March 2024, at 10:20.</p></footer>"
    assert read(article(HEADLINE, behind=foot)).date_modified == CHANGE
    cells = "<table><tr><th>Last updated<td>3 March 2024</table>"
    assert read(article(HEADLINE, behind=cells)).date_modified == CHANGE
    several = "<p>Updated 3 March 2024</p><p>Updated 4 March 2024</p>"
    assert read(article(HEADLINE, behind=several)).date_modified is None
    declared = '<meta property="article:modified_time" content="2023-01-02">'
    assert read(declared + article(HEADLINE, behind=foot)).date_modified == date(2023, 1, 2)


def test_a_name_of_two_parts():
    author = '{"@type": "Person", "givenName": "Ann", "familyName": "Lee"}'
    other = '{"@type": "Person", "name": "Bob Ray", "givenName": "Robert", "familyName": "Ray"}'
    data = '<script type="application/ld+json">{"@type": "NewsArticle", "author": [%s]}</script>'
    assert read(data % f"{author}, {other}" + article(HEADLINE)).author == "Ann Lee; Bob Ray"


def test_a_front_page_has_no_day_or_author_of_what_it_links_to():
    day = "<time datetime=2021-08-15>15 August 2021</time>"
    teaser = f"<article><h2>Kelp</h2><p class=byline>By Mark Hart</p>{day}</article>"
    html = f"<title>Harbour Notes</title><main><h1>Harbour Notes</h1>{teaser}</main>"
    assert (
        read(html, "https://www.harbournotes.example/").date,
        read(html, "https://www.harbournotes.example/").author,
    ) == (None, None)
    assert read(html).date == DAY


@pytest.mark.parametrize(
    "heading",
    [
        "<h1><div>Long read</div><div>The ferry that came back</div></h1>",
        "<h1><p>Long read</p><p>The ferry that came back</p></h1>",
        "<h1><ul><li>Long read<li>The ferry that came back</ul></h1>",
        "<h1><span style='display:block'>Long read</span><span>The ferry that came back</span></h1>",
        "<h1><small>Long read</small><span>The ferry that came back</span></h1>",
        "<h1><time>Monday</time><span>The ferry that came back</span></h1>",
        f"<h1>The ferry that came back<div class=body>{PROSE}</div>",
        f"<h1>The ferry that came back{PROSE}",
    ],
)
@pytest.mark.parametrize("title", ["The ferry that came back | Harbour Notes", "The ferry that came back"])
def test_a_heading_in_pieces(heading, title):
    assert read(article(heading, title=title)).title == "The ferry that came back"


def test_pieces_of_a_heading_without_a_title_are_apart():
    pieces = thresher.parse("<h1><div>Long read</div><div>The ferry</div></h1>")
    assert read_metadata(pieces).title == "Long read The ferry"
    assert read(f"<h1>The ferry that came back<div>{PROSE}</div>", None).title == "The ferry that came back"
    assert read("<h1>The <em>ferry</em> that came back</h1>", None).title == "The ferry that came back"


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Thread: The ferry", "The ferry"),
        ("Category Archives : The ferry", "The ferry"),
        ("主题：渡轮", "渡轮"),
        ("The ferry (Page 1 of 79)", "The ferry"),
        ("The ferry - Seite 3", "The ferry"),
        ("Boats :: View topic - The ferry", "The ferry"),
        ("The ferry (Read 1234 times)", "The ferry"),
        ("Die Fähre  (Gelesen 12 mal)", "Die Fähre"),
        ("渡轮（阅读1234次）", "渡轮"),
        ("\\xd0\\x9f\\xd0\\xb0\\xd1\\x80\\xd0\\xbe\\xd0\\xbc", "Паром"),
        ("Der Mühlbach (Gelesen: 2.014 mal)", "Der Mühlbach"),
        ("The mill [1,234 views]", "The mill"),
        # which are titles
        ("Threads: a history", "Threads: a history"),
        ("Topic:", "Topic:"),
        ("The page 3 girl", "The page 3 girl"),
        ("C:\\new", "C:\\new"),
        ("What does \\x41 mean in C?", "What does \\x41 mean in C?"),
        ("Difference between \\r\\n\\t in C and Java", "Difference between \\r\\n\\t in C and Java"),
        ("Catch 22", "Catch 22"),
    ],
)
def test_what_is_no_part_of_a_title(title, expected):
    assert read(f"<title>{title}</title><p>x", None).title == expected


@pytest.mark.parametrize("head", ["<title>{0}</title>", "<meta property=og:title content='{0}'>", "<h1>{0}</h1>"])
def test_a_very_long_title_is_one(head):
    title = "The wheel turns again " * 15
    assert read(head.format(title) + PROSE, None).title == title.strip()
    assert read_metadata(thresher.parse(head.format(title) + PROSE)).title == title.strip()


SITE = "<meta property=og:site_name content='Harbour Notes'>"


@pytest.mark.parametrize(
    "title",
    [
        "{} [Harbour Notes]", "{} (Harbour Notes)", "{}（Harbour Notes）", "[Harbour Notes] {}", "{} @ Harbour Notes",
        "{} - Harbour Notes", "{} :: Harbour Notes", "Harbour Notes » {}",
    ],
)  # fmt: skip
def test_the_name_of_the_site_beside_a_headline(title):
    text = title.format("The ferry that came back")
    assert read(SITE + article("", title=text)).title == "The ferry that came back"
    assert read(SITE + article(f"<h1>{text}</h1>", title=text)).title == "The ferry that came back"


@pytest.mark.parametrize(
    "title",
    [
        "The ferry (a history)", "Old ferries (Luxembourg 2014)", "Ferries: a history",
        "Anzac Day service (lest we forget 2015)", "My favourite books (read in 2014)", "My favourite books (read 2014)",
        "Ferries (2014 views)", "Led Zeppelin IV - Side 2",
    ],
)  # fmt: skip
def test_what_stands_beside_a_headline_and_is_not_the_site(title):
    assert read(SITE + article(f"<h1>{title}</h1>", title=title)).title == title


@pytest.mark.parametrize(
    "title",
    [
        "Untitled Document",
        "New Page 1",
        "Unbenanntes Dokument",
        "Página nueva 2",
        "Документ без названия",
        "無題ドキュメント",
    ],
)
def test_what_a_program_calls_a_page_is_no_title(title):
    assert read(article("<h2>The ferry that came back</h2>", title=title)).title == "The ferry that came back"
    assert read_metadata(thresher.parse(f"<title>{title}</title>")).title is None


@pytest.mark.parametrize(
    "kicker",
    ["<span>Opinion</span>", "<a href=/x>Kommentar</a>", "<span class=kicker>From the quay</span>", "<em>Мнение:</em>"],
)
def test_what_kind_of_text_follows_is_no_part_of_a_headline(kicker):
    title = f"{re.sub('<[^>]*>', '', kicker)} The ferry that came back | Harbour Notes"
    for headline in ("The ferry that came back", "<div>The ferry</div><div>that came back</div>"):
        assert read(article(f"<h1>{kicker} {headline}</h1>", title=title)).title == "The ferry that came back"


def test_the_first_word_of_a_headline_is_a_part_of_it():
    heading = "<h1><em>Titanic</em> and the ferry that came back</h1>"
    found = read(article(heading, title="Titanic and the ferry that came back | Harbour Notes"))
    assert found.title == "Titanic and the ferry that came back"


@pytest.mark.parametrize("word", ["Home", "Menu", "Accueil", "Startseite", "首页"])
def test_a_word_of_the_menu_is_no_title(word):
    html = f"<title>The ferry | Harbour Notes</title><h1>{word}</h1><h2>The ferry</h2>"
    assert read(html).title == "The ferry"
    assert read(f"<title>{word}</title><h1>{word}</h1><a href=/>Harbour Notes</a>").title == "Harbour Notes"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<title>The ferry | Harbour Notes</title><h1>The ferry</h1>", "Harbour Notes"),
        ("<title>Contact a pilot | Hull Club</title><h1>Contact a pilot</h1>", "Hull Club"),
        ("<title>The ferry - Kelp</title><a href=/><img alt=Kelp></a>", "Kelp"),
        (
            "<title>The ferry</title><a href=/>Kelp</a><footer>© 2014 Kelp Ltd. All rights reserved.</footer>",
            "Kelp",
        ),
        (
            "<title>The ferry - Kelp Group</title><footer>Copyright 2009-2014 <a href=/x>Kelp Group</a> | Terms</footer>",
            "Kelp Group",
        ),
        ("<title>The ferry</title><h1>The ferry</h1>", None),
        ("<title>The ferry - a history</title><h1>The boats</h1>", None),
        ("<title>The ferry</title><footer>All rights reserved</footer>", None),
        ("<title>The ferry</title><a href=/>Home</a>", None),
    ],
)
def test_how_a_page_calls_its_site(html, expected):
    assert read(html, "https://hn.example/ferry").site_name == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<script type="application/ld+json">{"@type": "WebSite", "name": "Harbour Notes"}</script>', "Harbour Notes"),
        (
            '<script type="application/ld+json">{"@type": "Article", "publisher": {"name": "Hafen"}}</script>',
            "Hafen",
        ),
        ("<meta name=application-name content='Harbour Notes'>", "Harbour Notes"),
        ("<a href=/>Harbour Notes</a>", "Harbour Notes"),
        ("<a href=/><img alt='Harbour Notes'></a>", "Harbour Notes"),
        # which are as often other things
        ("<a href=/>Back</a>", None),
        ("<footer>© 2014 Harbour Notes</footer>", None),
    ],
)
def test_one_name_of_the_site_where_the_host_is_called_otherwise(html, expected):
    page = html + article(HEADLINE, title="The ferry that came back")
    assert read(page, "https://www.xqz.example/ferry").site_name == expected


@pytest.mark.parametrize(
    ("line", "holder"),
    [
        ("© 2014 Acme", "Acme"),
        ("(c) Acme Inc.", "Acme Inc"),
        ("Copyright © 2009 - 2014 Acme. Tous droits réservés", "Acme"),
        ("© Acme 2014", "Acme"),
        ("© 2014", None),
        ("Copyright notice", None),
        ("caf© 2014 x", None),
        ("Propriété intellectuelle © 2014 Acme", "Acme"),
        ("© 2014 The Guardian", "The Guardian"),
        ("© 2014 Information Week. All rights reserved.", "Information Week"),
        ("© 2014 All Saints Church", "All Saints Church"),
        ("© 2014 St. Mary's College", "St. Mary's College"),
        ("© 2014 J. R. Tolkien Estate", "J. R. Tolkien Estate"),
        ("© 2014 Mill News 24", "Mill News 24"),
        ("© 2014 Acme Inc. Terms of use", "Acme Inc"),
        ("© 2014 Acme B.V. Terms of use", "Acme B.V"),
        ("© 2014 BBC. The BBC is not responsible for other sites", "BBC"),
        ("© 2014 The respective owners", None),
        ("© 2014 Information on this site", None),
        ("© 2014. All rights reserved", None),
    ],
)
def test_who_holds_the_rights(line, holder):
    assert (
        find_rights(thresher.parse(f"<p>Text</p><footer><p>{line}</p></footer><script>© 2011 Script Inc</script>"))
        == holder
    )


def test_the_first_poster_of_a_thread_is_its_author():
    body = "<body class='forum phpbb viewtopic'>"
    post = "<div class=post><p class=author>by {} » Wed Mar 05, 2014 10:00</p><p>The ferry is back.</p></div>"
    html = f"<title>View topic - The ferry</title>{body}<h2>The ferry</h2>{post.format('mickyd')}{post.format('Bob7')}"
    found = read(html, "https://forum.example/viewtopic.php?t=5")
    assert (found.type, found.author) == ("forum", "mickyd")

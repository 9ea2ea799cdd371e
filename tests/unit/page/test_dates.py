# SPDX-License-Identifier: Apache-2.0
"""Dates in text, and the date of a page among all that it names and shows."""

import re
from contextlib import suppress
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import thresher
from thresher.native.facts.calendars import persian_day
from thresher.native.facts.dates import find_dates
from thresher.native.facts.labels import DATE_FILLERS
from thresher.native.facts.months import _NAMES, MONTHS_OF
from thresher.native.facts.script_dates import dates_in_scripts
from thresher.native.facts.shown_dates import order_of
from thresher.page.metadata import read_metadata

DAY = date(2014, 3, 5)


def days(text, **options):
    return [found.day for found in find_dates(text, **options)]


def of_page(html, url=None, not_after=None):
    return read_metadata(thresher.parse(html), url, not_after=not_after).date


@pytest.mark.parametrize(
    "text",
    [
        "2014-03-05T10:00:00+09:00", "20140305T101112Z", "2014/3/5", "2014.03.05.", "2014年3月5日", "2014년 3월 5일",
        "05.03.2014", "5.3.14", "05 | 03 | 2014", "5 March 2014", "March 5th, 2014", "5-Mar-2014", "5. März 2014",
        "mercredi 5 mars 2014", "5 de marzo de 2014", "5 de março de 2014", "5 marzo 2014", "5 maart 2014",
        "5 marca 2014", "5. března 2014", "2014. március 5.", "5 марта 2014 г.", "5 березня 2014",
        "5 Mart 2014 Çarşamba",
        "5 Μαρτίου 2014", "5 maaliskuuta 2014", "5. mars 2014", "2014 m. kovo 5 d.", "2014. gada 5. martā",
        "5 tháng 3, 2014", "ngày 5 tháng 3 năm 2014", "5 มีนาคม 2557", "5 مارس 2014", "٥ مارس ٢٠١٤", "5 آذار 2014",
        "5 آذار / مارس 2014", "5th of March 2014", "den 5:e mars 2014", "2014-Wed Mar 5", "March 5 of 2014",
        "2014 metų kovo 5",
        "5 במרץ 2014", "५ मार्च २०१४", "5 Maret 2014", "Veröffentlicht am 5. März 2014 um 10 Uhr", "Mär 05 2014",
        "Wed Mar 05 10:11:12 CET 2014", "Wed Mar  5 10:11:12 2014", "৫ মার্চ ২০১৪", "૫ માર્ચ ૨૦૧૪", "౫ మార్చి ౨౦౧౪",
        "೫ ಮಾರ್ಚ್ ೨೦೧೪", "5 മാർച്ച് 2014", "៥ មីនា ២០១៤", "۱۴ اسفند ۱۳۹۲", "14 اسفند 1392 - 12:09", "۱۳۹۲/۱۲/۱۴",
        "۱۴/۱۲/۱۳۹۲", "平成26年3月5日", "中華民國103年3月5日",
    ],
)  # fmt: skip
def test_dates_in_many_languages(text):
    assert days(text) == [DAY]


@pytest.mark.parametrize(
    "text",
    ["03/05/2014", "2014", "© 2014", "March 2014", "5.3.1989", "2014-02-30", "12:30 2014", "1.2.3.2014", "5 of 2014",
     "tel. 05/03/2014-77", "Version 5.3.14.2", "5 xyzmar 2014", "Top 10 of March 2014", "Top 10 de marzo de 2014", "Windows 10 in May 2019", "Issue #24, March 2014",
     "Nº 24, marzo de 2014", "AG No. 17 (2013", "Mac & i Heft 6/2014"],
)  # fmt: skip
def test_what_is_no_date(text):
    assert days(text) == []


def test_persian_days():
    assert days("2 تير 1399") == [date(2020, 6, 22)]  # with the Arabic yeh
    assert days("1399/04/02", language="fa") == [date(2020, 6, 22)]
    assert days("1399/04/02") == [], "nothing says that the year is a Persian one"
    assert days("30 اسفند 1399") == [date(2021, 3, 20)], "a leap year"
    assert days("30 اسفند 1400") == [] == days("31 مهر 1400") == days("1 مهر 1360")
    new_years = [persian_day(year, 1, 1) for year in (1369, 1375, 1400, 1404, 1420, 1479)]
    assert new_years == [
        date(1990, 3, 21), date(1996, 3, 20), date(2021, 3, 21), date(2025, 3, 21), date(2041, 3, 20),
        date(2100, 3, 21),
    ]  # fmt: skip
    assert persian_day(1404, 13, 1) is None


def test_years_of_eras():
    assert days("令和2年6月24日") == [date(2020, 6, 24)]
    assert days("令和元年6月24日") == [date(2019, 6, 24)]
    assert days("民國一年6月24日") == []


def test_the_order_of_day_and_month():
    assert days("03/05/2014", day_first=True) == [date(2014, 5, 3)]
    assert days("03/05/2014", day_first=False) == [DAY]
    assert days("14/03/05", language="ko", day_first=True) == [DAY]
    assert order_of(["25/03/2014"], "en-US", "a.example").day_first is True
    assert order_of(["3/25/14"], "de", "a.example").day_first is False
    assert order_of([], "en-US", "a.example").day_first is False
    assert order_of([], "fr-CA", "a.example").day_first is True
    assert order_of([], "en", "paper.co.uk").day_first is True
    assert order_of([], "en", "a.example").day_first is None
    assert order_of([], "en", "a.com").day_first is False
    assert order_of([], "", "a.com").day_first is None
    assert order_of(["The wheel of the mill", "Read in full"], "", "a.com").day_first is False
    assert order_of(["The wheel of the mill", "Read in full"], "", "a.example").day_first is None
    assert order_of(["La rueda del molino"], "", "a.com").day_first is None
    assert order_of(["Колесо мельницы"], "", "a.com").day_first is True
    assert order_of(["水車 The"], "", "a.com").day_first is None


@pytest.mark.parametrize("time", [" 2:00:06 AM", ", 10:01 a.m.", " - 23:51 EDT", " 2:05 p.m. PST"])
def test_a_time_of_day_that_is_written_as_in_the_united_states(time):
    assert days(f"3/5/2014{time}") == [date(2014, 3, 5)]
    assert days(f"3/5/2014{time}", day_first=True) == [date(2014, 5, 3)]


@pytest.mark.parametrize("time", [" 10:00", " at 10 AM", " 10:00 MESS"])
def test_other_times_of_day_say_nothing_of_the_order(time):
    assert days(f"3/5/2014{time}") == []


@pytest.mark.parametrize(
    "html",
    [
        "<meta name=_pubtime content='2014-3-5 09:04:37'>", "<meta name=date-creation-yyyymmdd content=20140305>",
        "<meta itemprop=datePosted content='3/5/2014 12:23:20 PM'>",
        "<h1>Wheel</h1><time itemprop=dateCreated datetime=2014-03-05T22:00>8 days ago</time>",
        "<h1>Wheel</h1><span itemprop=dateCreated content=2014-03-05>Wednesday</span>",
    ],
)  # fmt: skip
def test_days_of_creation_are_those_of_publication(html):
    assert of_page(html) == DAY


def test_a_month_that_differs_between_languages():
    assert days("5 listopada 2014", language="pl") == [date(2014, 11, 5)]
    assert days("5. listopada 2014.", language="hr") == [date(2014, 10, 5)]
    assert days("Set 12, 2014", language="it") == [date(2014, 9, 12)]
    assert days("Lego set 12, 2014", language="en") == days("4th Gen (2020-2026)", language="en") == []


def test_every_language_has_twelve_months_and_no_other_word_is_ambiguous():
    assert all(len(names.split("|")) == 12 for names in _NAMES.values())
    numbers: dict[str, set[int]] = {}
    for names in _NAMES.values():
        for number, group in enumerate(names.split("|"), start=1):
            for word in group.split():
                numbers.setdefault(word, set()).add(number)
    ambiguous = {word for word, found in numbers.items() if len(found) > 1}
    two_words = {"كانون", "تشرين", "الثاني", "الأول", "fómhair"}
    assert ambiguous - two_words == {"listopad", "listopada"}
    assert MONTHS_OF[""]["märz"] == 3


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/2014/03/05/wheel", DAY),
        ("https://a.example/news/2014-03-05-wheel", DAY),
        ("https://a.example/wheel_20140305.html", DAY),
        ("https://a.example/05-03-2014-wheel", DAY),
        ("https://web.archive.org/web/20160218174457/http://a.example/wheel", None),
        ("https://a.example/2014/03/wheel", None),
        ("https://a.example/wheel?next=/2014/03/05/", None),
        ("https://a.example/wheel#/2014/03/05/", None),
        ("https://a.example/id/1201403051234", None),
        ("https://a.example/wheel?on=2014-03-05", None),
        ("https://20140305.example/", None),
    ],
)
def test_date_in_an_address(url, expected):
    page = thresher.parse("<h1>The wheel</h1><p>It turned.")
    assert read_metadata(page, url).date == expected


_FAR = "<p>It turned and turned.</p>" * 100


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Wheel</h1><p class=meta>5 March 2014</p><p>It turned.",
        "<h1>Wheel</h1><p>By A. Miller, March 5, 2014</p><p>It turned.",
        "<p class=date>5. März 2014</p><h1>Wheel</h1><p>Es dreht sich.",
        "<h1>Wheel</h1><p><span>März</span><b>05</b><i>2014</i></p>",
        "<h2 class=date-header>mercredi 5 mars 2014</h2><h3>Roue</h3>",
        "<h1>Wheel</h1><span itemprop=datePublished content=2014-03-05>yesterday</span>",
        "<h1>Wheel</h1><abbr class=published title=2014-03-05T10:00>5:11 AM</abbr>",
        # not the neighbours' dates, nor that of a comment
        "<h1>Wheel</h1><p class=date>5 March 2014</p><div class=related><p class=date>6 March 2014</p></div>",
        "<div class=comment><p class=date>6 March 2014</p></div><h1>Wheel</h1><p class=date>5 March 2014</p>",
        # the day where it was written, not in Greenwich
        (
            "<meta property=article:published_time content=2014-03-06T01:00:00Z>"
            "<time class=published datetime=2014-03-05T20:00:00-05:00></time>"
        ),
        # what stands beside the headline belongs to it, in a column at the side, too
        "<aside><div class=meta>A. Miller / 5 March 2014 / 09:30</div><h1>Wheel</h1></aside><p>It turned.</p>",
        # the day that the reader sees beside the headline, if nothing names a day in local time
        (
            "<meta property=article:published_time content=2014-03-06T01:00:00Z>"
            "<h1>Wheel</h1><p class=date>5 March 2014</p>"
        ),
        # the headline is no heading, but repeats the title
        (
            "<title>The wheel was invented | Mill</title><h2>Menu</h2>" + _FAR + "<h4>The wheel was invented</h4>"
            "<div class=info>5 March 2014</div><h2>Latest</h2>"
        ),
        # the headline is a part of the title
        (
            "<title>Mill news » The wheel was invented</title><h1>Mill news</h1>"
            + _FAR
            + "<h2>The wheel was invented</h2><div>5 March 2014</div>"
        ),
        # far from the headline, with a label of its own
        "<h1>Wheel</h1>" + _FAR + "<p>Posted on 5 March 2014</p>",
        "<h1>Wheel</h1>" + _FAR + "<dl><dt>Veröffentlicht am</dt><dd>5. März 2014</dd></dl>",
        "<h1>Wheel</h1>" + _FAR + "<table><tr><th>日期</th><td>2014年3月5日</td></tr></table>",
        "<h1>Wheel</h1>" + _FAR + "<p>Опубликовано: 5 марта 2014</p>",
        "<h1>Wheel</h1>" + _FAR + "<p>The wheel was posted on 5 March 2014</p>",
        # the label follows
        "<h1>Wheel</h1>" + _FAR + "<h2>About</h2><p>Am 5. März 2014 gepostet</p>",
        # an article listed as another's neighbour does not speak for the page
        (
            '<script type=application/ld+json>{"@type": "ItemList", "itemListElement": [{"datePublished":'
            ' "2020-01-01"}]}</script><h1>Wheel</h1><p class=date>5 March 2014</p>'
        ),
    ],
)
def test_the_date_that_a_page_shows(html):
    assert of_page(f"<html lang=en>{html}") == DAY


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Wheel</h1><p>It turned.</p><footer>© 5 March 2014</footer>",
        "<h1>Wheel</h1><p>© 2014 The Mill, all rights reserved since 5 March 2014</p>",
        "<h1>Wheel</h1><p>Last updated: 5 March 2014</p>",
        "<h1>Wheel</h1><p>Open 3 March 2014 – 5 March 2014</p>",
        "<h1>Wheel</h1><p class=date>5 March 2999</p>",
        "<h1>Wheel</h1>" + "<p>It turned and turned.</p>" * 100 + "<p>On 5 March 2014 the committee met again.</p>",
        "<ul><li class=teaser><span class=date>5 March 2014</span></ul>",
        "<h1>Wheel</h1>" + _FAR + "<p>5 March 2014</p>",
        "<h1>Wheel</h1>" + _FAR + "<p>Updated on 5 March 2014</p>",
        "<h1>Wheel</h1>" + _FAR + "<p>An update of 5 March 2014</p>",  # "date" inside a word is no label
        "<h1>Wheel</h1>" + _FAR + "<p>Date</p><p>of nothing</p><p>5 March 2014</p>",
    ],
)
def test_a_date_of_something_else_is_none(html):
    assert of_page(f"<html lang=en>{html}") is None


def test_a_day_in_world_time_that_the_page_shows_too_is_kept():
    html = (
        "<meta property=article:published_time content=2014-03-05T17:08:00Z><h1>Wheel</h1><p>Wed 5 March 2014</p>"
        "<p>First published on 4 March 2014</p>"
    )
    assert of_page(f"<html lang=en>{html}") == DAY


def test_a_day_beside_the_headline_comes_before_the_day_before_in_the_address():
    html = "<h1>Wheel</h1><p class=date>5 March 2014</p>"
    assert of_page(html, "https://a.example/2014/03/04/wheel") == DAY
    assert of_page(html, "https://a.example/2014/03/03/wheel") == date(2014, 3, 3)


def test_dates_in_the_digits_of_other_scripts_are_found_on_a_page():
    for text in ("৫ মার্চ ২০১৪", "౫ మార్చి ౨౦౧౪", "៥ មីនា ២០១៤", "۱۴ اسفند ۱۳۹۲", "民國103年3月5日"):
        assert of_page(f"<h1>Wheel</h1><p class=date>{text}</p>") == DAY


def test_published_and_modified_are_told_apart():
    html = (
        '<script type="application/ld+json">{"@type": "Article", "dateModified": "2014-03-07",'
        ' "datePublished": "2014-03-05"}</script>'
    )
    found = read_metadata(thresher.parse(html), None)
    assert (found.date, found.date_modified) == (DAY, date(2014, 3, 7))
    found = read_metadata(thresher.parse("<meta property=article:modified_time content=2014-03-07>"), None)
    assert (found.date, found.date_modified) == (None, date(2014, 3, 7))
    found = thresher.extract("<time class=updated datetime=2014-03-07></time><p>x")
    assert (found.date, found.date_modified) == (None, date(2014, 3, 7))


@given(st.text(max_size=200) | st.text(alphabet="0123456789./-: مارسMarch年", max_size=200))
def test_any_text_has_dates_in_order_or_none(text):
    found = find_dates(text, day_first=True)
    assert [each.start for each in found] == sorted(each.start for each in found)
    assert all(1990 <= each.day.year <= 2100 and 0 <= each.start < each.end <= len(text) for each in found)


def test_the_best_shown_date_is_taken():
    """A date of a change, or one after the capture, does not stand for the day of publication; nor does a later line
    that is no better.
    """
    change = "<h1>Wheel</h1><p class='date details'>Updated 7 May 2014</p>"
    others = "<p class=date>5 May 2014</p><p class=date>6 May 2014</p><p class='date details'>9 May 2034</p>"
    assert of_page(change + others, not_after=date(2014, 6, 1)) == date(2014, 5, 5)
    assert of_page(change, not_after=date(2014, 6, 1)) is None
    assert of_page("<h1>Wheel</h1>") is None


def test_the_one_day_of_lines_that_have_nothing_else_is_taken_where_no_other_is():
    page = f"<h1>Wheel</h1><p>{'Much text. ' * 300}</p><h2>More</h2>"
    assert of_page(f"{page}<p>Wed, 5 March 2014</p><p>Born on 1 May 2001</p>") == DAY
    assert of_page(f"{page}<p>Wed, 5 March 2014</p><p>Thu, 6 March 2014</p>") is None
    assert of_page(f"{page}<p class=sidebar>Wed, 5 March 2014</p>") is None


def test_a_label_of_publication_counts_though_its_element_is_called_updated():
    lines = f"<p class=modified>First Published: 2011-04-22</p><p>{'Text. ' * 80}</p><p class=modified>Updated: 2013-04-05</p>"
    assert of_page(lines) == date(2011, 4, 22)


def test_a_row_of_days_speaks_for_its_newest_alone():
    """Days of other pages stand in lists. Where the newest comes first, it is the list's own."""

    def best(*texts: str, gap: int = 100, more: str = "") -> date | None:
        rows = "".join(f"<p class=date>{text}</p><p>{'x' * gap}</p>" for text in texts)
        page = (
            f"<h1>Wheel</h1><p>{'Much text. ' * 100}</p>{rows}<p>{'Much text. ' * 300}</p><h2>{more}</h2><p>{more}</p>"
        )
        return of_page(page, not_after=date(2014, 6, 1))

    assert best("5 May 2014", "4 May 2014", "3 May 2014") == date(2014, 5, 5)
    assert best("3 May 2014", "4 May 2014", "5 May 2014") == date(2014, 5, 5)
    assert best("5 May 2014", "4 June 2014", "3 July 2014") is None  # what is still to come
    assert best("3 May 2014", "4 May 2014") == date(2014, 5, 3)
    assert best("3 May 2014", "4 May 2014", "5 May 2014", gap=500) == date(2014, 5, 3)
    assert best("3 May 2014", "4 May 2014", "4 May 2014") == date(2014, 5, 3)
    assert best("3 May 2014", "4 May 2014", "5 May 2034", more="2 May 2014") is None
    assert best("3 May 2014", "May 2014", "5 May 2034") == date(2014, 5, 3)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<dl><dt>Datum</dt><dd>5.3.2014</dd></dl>", DAY),
        ("<p>Erschienen am: 5.3.2014</p>", DAY),
        ("<p>Publié le 5.3.2014</p>", DAY),
        ("<p>Effective Date: March 5, 2014</p>", DAY),
        ("<p>Καταχωρήθηκε 5.3.2014-14:16</p>", DAY),
        ("<p>Gespeichert von Ann am 5. März 2014 - 18:55</p>", DAY),
        ("<p>Erschienen am: 5.3.2014</p><p>Erschienen am: 5.4.2014</p>", None),
        ("<p>Erschienen am: 5.3.2014 und 6.3.2014</p>", None),
        ("<p>Erschienen am: 5.3.2999</p>", None),
        ("<p>Date：5.3.2014</p>", DAY),
        ("<p>Dates 5.3.2014</p>", None),
        ("<p>Daté 5.3.2014</p>", None),
        ("<p>Data : 5.3.2014</p>", DAY),
        ("<p>Data di pubblicazione 5.3.2014</p>", DAY),
        ("<p>Data sheet 5.3.2014</p>", None),
        ("<p>Database 5.3.2014</p>", None),
        ("<p>Date of birth: 5.3.2014</p>", None),
        ("<p>Open Data am 5.3.2014</p>", None),
        ("<p>5.3.2014</p>", None),
    ],
)
def test_the_only_labelled_date_in_another_part_of_the_page(html, expected):
    page = f"<html lang=de><h1>Das Rad</h1><p>{'Es drehte sich. ' * 99}</p><footer>{html}</footer>"
    assert of_page(page) == expected


@pytest.mark.parametrize(
    "name",
    ["George Osborne", "Jane Morton", "Ann Beginner", "Startup Weekly", "Kickstarter", "Ann Trevis", "Revista Sol"],
)
def test_a_label_inside_a_name_says_nothing_of_the_day(name):
    page = f"<html lang=en><h1>The wheel turns</h1><p class=byline>{{}}, 5 March 2014</p><p>{'It turned. ' * 60}</p>"
    assert of_page(page.format(f"By {name}")) == DAY
    assert of_page(page.format(f"{name} was born on")) is None


def test_labels_and_periods():
    def near(text: str, language: str = "de") -> date | None:
        return of_page(
            f"<html lang={language}><h1>Das Rad</h1><p>{'Es drehte sich. ' * 60}</p><h2>Mehr</h2><p>{text}</p>"
        )

    assert near("Data: 5.3.2014", "pl") == DAY
    assert near("Open Data meetup am 5.3.2014 um vier im Museum") is None
    for time in ("5.3.2014 - 12:30", "5.3.2014 – 9:05 Uhr", "12:30 - 5.3.2014"):
        page = f"<html lang=de><h1>Das Rad</h1><p>{'Es drehte sich. ' * 18}</p><p>{{}}</p><p>Mehr.</p>"
        assert of_page(page.format(f"Ann Lee | {time}")) == DAY
        assert of_page(page.format("Ann Lee | 5.3.2014 - 12.3.2014")) is None
    for until in ("bis", "to", "until", "till", "bis zum"):
        period = f"<p class=date>Gesperrt von Mai {until} 5.3.2014</p>"
        assert of_page(f"<html lang=de><h2>Das Rad</h2><p>{'Es drehte sich. ' * 60}</p>{period}") is None


def test_a_headline_behind_many_headings_of_the_second_level():
    menu = "".join(f"<h2>Section {i}</h2><p>{'x' * 300}</p>" for i in range(15))
    page = f"{menu}<h1>The wheel</h1><p>{'It turned. ' * 12}</p><p>5 March 2014</p>"
    assert of_page(page) == DAY


@pytest.mark.parametrize(
    "script",
    [
        '{"published_at":"2014-03-05T06:22:28+01:00","published_at":"2014-03-05T06:22:28"}',
        "dataLayer = [{'publishDate': '2014-03-05'}]",
        '"{\\"publicationDate\\":\\"2014-03-05\\"}"',
        "page.pubDate = 1394013600000;",
        'pub_date: "2014-03-05", publisherId: 1, publisher: "2015-01-01", lastPublished: "2015-01-02"',
        "var pub-date = 1394013600",
    ],
)
def test_the_only_day_of_publication_in_scripts(script):
    assert of_page(f"<h1>Wheel</h1><script>{script}</script>") == DAY


@pytest.mark.parametrize(
    "script",
    [
        '[{"publishDate":"2014-03-05"},{"publishDate":"2014-03-06"}]',  # a list of pages
        '{"publishDate":"2999-03-05"}',
        '{"publishDate":null,"x":"2014-03-05"}',
        '{"publishDate":{"y":"2014-03-05"}}',
        '{"unpublishDate":"2014-03-05"}',
        '{"republished":"2014-03-05"}',
        '{"publisher":"2014-03-05"}',
        "publishDate == 2014",
        "pubdate",
        "ubdate:1",
    ],
)
def test_what_scripts_say_of_something_else(script):
    assert of_page(f"<h1>Wheel</h1><script>{script}</script>") is None


def test_dates_in_scripts_are_bounded():
    one = b'{"publishDate":"2014-03-05"}'
    many = thresher.parse(b"<script>" + one * 100 + b"</script>")
    assert len(dates_in_scripts(many)) == 16
    assert all(text.startswith("2014-03-05") and len(text) <= 40 for text in dates_in_scripts(many))
    behind = thresher.parse(b"<script>" + b" " * (600 << 10) + one + b"</script>")
    assert dates_in_scripts(behind) == []
    assert dates_in_scripts(thresher.parse(b"<script type=application/ld+json>" + one + b"</script>")) == []
    assert dates_in_scripts(thresher.parse(b"<script>u<script>ub</script><script></script>")) == []


@given(st.text(alphabet='publishcatedate_-UBD:="\\ 0123456789', max_size=80))
def test_any_script_has_dates_or_none(script):
    for text in dates_in_scripts(thresher.parse(f"<script>{script}</script>")):
        assert text[0].isdecimal()
        assert text in script


DAY_MONTH_YEAR = {"dmy", "mdy", "ymd", "ydm"}


def named_dates_by_patterns(text):
    """The dates with the name of a month, as documented, with patterns."""
    years = [match.span() for match in re.finditer(r"(?<!\d)\d{4}(?!\d)", text)]
    if not years:
        return []
    token = re.compile(r"\d+|[^\s\d,;:|()<>/\[\]\"“”«»…·•–—-]+")
    tokens = list(token.finditer(text, max(0, years[0][0] - 40), years[-1][1] + 40))
    parts = []
    for i, match in enumerate(tokens):
        word, (start, end) = match[0], match.span()
        if parts and parts[-1][3] > start:
            continue  # the second word of a name
        if word.isdecimal():
            kind = "y" if len(word) == 4 else "d" if len(word) < 3 and 1 <= int(word) <= 31 else "?"
            parts.append((kind, int(word), start, end))
            continue
        key = word.strip(".'’").casefold()
        number = MONTHS.get(key)
        if key == "كانون" and i + 1 < len(tokens):
            number = MONTHS.get(f"{key} {tokens[i + 1][0].casefold()}")
            end = tokens[i + 1].end() if number else end
        is_filler = key in DATE_FILLERS or not re.search(r"[^\W\d_]", key)
        if number is None and not is_filler:
            parts.append(("?", 0, start, end))
        elif number is not None and not (parts and parts[-1][:2] == ("m", number)):
            parts.append(("m", number, start, end))
    found, i = [], 0
    while i + 2 < len(parts):
        three = parts[i : i + 3]
        kinds = "".join(part[0] for part in three)
        near = all(later[2] - earlier[3] <= 12 for earlier, later in pairwise(three))
        if kinds in DAY_MONTH_YEAR and near:
            value = {part[0]: part[1] for part in three}
            with suppress(ValueError):
                found.append((date(value["y"], value["m"], value["d"]), three[0][2], three[2][3]))
        i += 3 if kinds in DAY_MONTH_YEAR and near else 1
    return [each for each in found if 1990 <= each[0].year <= 2100]


MONTHS = MONTHS_OF[""]
WORDS = ["5", "31", "32", "2014", "20145", "٢٠١٤", "٥", "March", "MAR", "Ma.r", "mar.", "'mar", "of", "about",
         "STRASSE",
         "كانون", "الثاني", " ", ", ", "-", "\u00a0", "\u2003", "—", ".", "\n", "x" * 30]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join) | st.lists(st.sampled_from(WORDS)).map("".join))
def test_dates_with_the_name_of_a_month_are_read_as_documented(text):
    assume(not re.search(r"\d\s?[.-]\s?\d", text))  # which may be dates in numbers
    assert find_dates(text[:200]) == tuple(named_dates_by_patterns(text[:200]))


def test_very_many_words_and_numbers_are_not_all_looked_at():
    assert find_dates("about 2014 " * 1000 + "5 March 2014") == ()
    assert find_dates("of 2014 " * 127 + "5 March 2014") == ()
    assert len(find_dates("5 March 2014 " * 42)) == 15

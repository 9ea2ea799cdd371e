# SPDX-License-Identifier: Apache-2.0
"""Furniture between paragraphs that says what it is, and text beside it that must stay."""

import pytest

from thresher.native.measuring.furniture_words import ADVERTISEMENT, ALSO, NOTICE, RELATED
from thresher.page.page_extractor import PageExtractor

PARAGRAPHS = [
    f"<p>The ferry sailed again on the {day} of the month, and {count} people stood on the pier to see it leave the old"
    f" harbour, where nobody had waited for a ship in the {count} years since the bridge was opened.</p>"
    for day, count in (("third", 40), ("fourth", 60), ("fifth", 75), ("sixth", 90), ("seventh", 120), ("eighth", 200))
]


def text_with(put_in: str) -> str:
    """The text of an article with something between its third and fourth paragraph."""
    body = "".join([*PARAGRAPHS[:3], put_in, *PARAGRAPHS[3:]])
    page = f"<title>The ferry</title><h1>The ferry</h1><article>{body}</article>"
    text = PageExtractor("thresher").extract(page.encode()).decode()
    assert text.count("The ferry sailed again") == len(PARAGRAPHS)
    return text


@pytest.mark.parametrize(
    "label",
    ["Advertisement", "- ANZEIGE -", "Publicité", "РЕКЛАМА", "[ Publicidad ]", "広告", "إعلان", "Sponsored\n content:"],
)
def test_a_label_of_an_advertisement_is_left_out(label: str) -> None:
    for element in ("p", "div", "h3"):
        words = "".join(text_with(f"<{element}>{label}</{element}>").split())
        assert "".join(label.split()) not in words, element


@pytest.mark.parametrize(
    "sentence",
    [
        "Advertisement paid for the first bridge.",
        "Related work began in March.",
        "Read also what the captain wrote.",
        "This content is what the museum has to show.",
        "Anzeige erstattete niemand.",
    ],
)
def test_a_sentence_that_begins_so_stays(sentence: str) -> None:
    assert sentence in text_with(f"<p>{sentence}</p>")


@pytest.mark.parametrize(
    "headline", ["You may also like", "Lesen Sie auch:", "À lire aussi", "Читайте также", "関連記事"]
)
def test_a_list_of_other_pages_goes_with_its_headline(headline: str) -> None:
    links = "".join(f"<li><a href=/{n}>The harbour of {n} towns in one long day</a>" for n in range(3))
    text = text_with(f"<h3>{headline}</h3><ul>{links}</ul>")
    assert headline.rstrip(":") not in text
    assert "The harbour of" not in text


def test_links_behind_text_below_such_a_headline_stay() -> None:
    text = text_with(
        "<h3>Related</h3><p>What the ferry carried is told in the books of the town, which the mayor has kept for sixty"
        " years.</p><p><a href=/b>The books of the ferry, read by the mayor of the town</a></p>"
    )
    assert "What the ferry carried" in text


@pytest.mark.parametrize("before", ["Read also:", "Lire aussi :", "Leia também:", "Czytaj też:", "Baca juga:"])
def test_a_link_behind_read_also_is_left_out(before: str) -> None:
    title = "What became of the bridge that nobody wanted to pay for"
    assert title not in text_with(f"<p>{before} <a href=/b>{title}</a></p>")
    told = f"{before} the captain's own account, which the museum printed last year, is in the <a href=/b>shop</a>."
    assert "own account" in text_with(f"<p>{told}</p>")


@pytest.mark.parametrize(
    "notice",
    [
        "Article continues after advertisement",
        "To view this content, allow functional cookies.",
        "Your browser does not support the audio element.",
        "Продолжение после рекламы",
    ],
)
def test_a_notice_in_place_of_content_is_left_out(notice: str) -> None:
    assert notice not in text_with(f"<div>{notice}</div>")


def test_a_page_about_one_keeps_its_headline() -> None:
    body = "".join(PARAGRAPHS)
    page = f"<title>Advertisement</title><article><h1>Advertisement</h1>{body}</article>"
    assert PageExtractor("thresher").extract(page.encode()).decode().startswith("Advertisement")


def test_text_that_is_hidden_within_a_label_does_not_save_it() -> None:
    text = text_with("<p>Advertisement<span hidden>1 of 4, which nobody sees</span></p>")
    assert "Advertisement" not in text


def test_a_long_block_is_read_in_part() -> None:
    """Work for a block is limited: a megabyte of white space and one word."""
    assert "Advertisement" in text_with(f"<p>Advertisement{' x' * 400}</p>")


def test_no_row_is_in_two_tables() -> None:
    assert not {*ADVERTISEMENT} & {*RELATED}
    assert not {*ALSO} & {*NOTICE}
    for rows in (ADVERTISEMENT, RELATED, ALSO, NOTICE):
        assert len(rows) == len({*rows})

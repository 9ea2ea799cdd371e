# SPDX-License-Identifier: Apache-2.0
"""Furniture between paragraphs that says what it is, and text beside it that must stay."""

import pytest

from thresher import extract
from thresher.native.measuring import furniture_words as words
from thresher.page.page_extractor import PageExtractor

PARAGRAPHS = [
    f"<p>The ferry sailed again on the {day} of the month, and {count} people stood on the pier to see it leave the old"
    f" harbour, where nobody had waited for a ship in the {count} years since the bridge was opened.</p>"
    for day, count in (("third", 40), ("fourth", 60), ("fifth", 75), ("sixth", 90), ("seventh", 120), ("eighth", 200))
]


def text_with(put_in: str, *, behind: str = "") -> str:
    """The text of an article with something between its third and fourth paragraph, or behind it."""
    body = "".join([*PARAGRAPHS[:3], put_in, *PARAGRAPHS[3:]])
    page = f"<title>The ferry</title><h1>The ferry</h1><article>{body}</article>{behind}"
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


TEASERS = [
    ("Bakers of the lower town", "The ovens are warm again, and the queue reaches to the church on most mornings."),
    ("A bell for the school", "It rang on a boat for forty years and now calls two hundred children from the yard."),
    ("The bridge is closed", "Drivers take the long way round while engineers replace twelve hundred bolts in it."),
]
CARDS = "".join(
    f"<div><h4><a href=/{n}>{title}</a></h4><p>{blurb}</p></div>" for n, (title, blurb) in enumerate(TEASERS)
)


def n_teasers(text: str) -> int:
    """How many of the teasers are in a text, in part at least."""
    return sum(title in text or blurb in text for title, blurb in TEASERS)


@pytest.mark.parametrize(
    "headline", ["Related articles", "More stories", "Weitere Artikel", "Другие новости", "最新文章"]
)
def test_teasers_behind_an_article_go_with_their_headline(headline: str) -> None:
    items = CARDS.replace("div>", "li>")
    for teasers in (
        f"<section><h2>{headline}</h2>{CARDS}</section>",
        f"<h2>{headline}</h2><ul>{items}</ul>",
        f"<div><p>{headline}</p><div>{CARDS}</div></div>",
    ):
        text = text_with("", behind=teasers)
        assert n_teasers(text) == 0, teasers
        assert headline not in text


def test_text_behind_teasers_stays() -> None:
    last = "Nobody on the pier had expected to see her again, and the mayor said that she would be looked after now."
    for heading in ("h2", "h3"):
        text = text_with(f"<h3>More stories</h3><div>{CARDS}</div><{heading}>What comes next</{heading}><p>{last}</p>")
        assert last in text
        assert "What comes next" in text
        assert n_teasers(text) == 0


def test_a_vague_headline_needs_a_list_and_an_article_before_it() -> None:
    told = "The other stories of the ferry are told in the books of the town, which the mayor has kept for sixty years."
    text = text_with(f"<h3>Other stories</h3><p>{told}</p>")
    assert "Other stories" in text
    assert told in text
    body = f"<h1>The harbour</h1><h2>Latest news</h2>{CARDS}{''.join(PARAGRAPHS)}"
    text = PageExtractor("thresher").extract(f"<title>The harbour</title><main>{body}</main>".encode()).decode()
    assert n_teasers(text) > 0


@pytest.mark.parametrize(
    "call",
    [
        "Sign up for our newsletter: the harbour in your inbox every Friday.",
        "Follow us on Instagram and TikTok",
        "Support our journalism. Every gift counts.",
        "Melden Sie sich für unseren Newsletter an.",
        "Partager sur Facebook",
        "Síguenos en Google News",
        "Подписывайтесь на наш Telegram-канал",
        "Siga nosso canal no WhatsApp",
    ],
)
def test_a_call_to_sign_up_follow_share_or_give_is_left_out(call: str) -> None:
    for element in ("p", "div", "h3"):
        assert call not in text_with(f"<{element}>{call}</{element}>"), element


@pytest.mark.parametrize(
    "sentence",
    ["Sign up sheets hung on the door of the school.", "Share prices fell.", "Support our team had from all the town."],
)
def test_a_sentence_that_begins_almost_so_stays(sentence: str) -> None:
    assert sentence in text_with(f"<p>{sentence}</p>")


SIGN_UP = (
    "<div{}><h3>The Harbour Letter</h3><p>The best of the coast, once in a week.</p><form><input type=email>{}"
    "<button>Go</button></form><p>Leave at any time.</p></div>"
)


@pytest.mark.parametrize("name", ["", " class=box", " class=newsletter", " class=row"])
def test_a_box_that_asks_for_an_address_is_left_out(name: str) -> None:
    text = text_with(SIGN_UP.format(name, ""))
    assert not any(part in text for part in ("Harbour Letter", "best of the coast", "Leave at any time"))


def test_a_form_for_a_message_is_no_sign_up() -> None:
    for field in ("<textarea name=message></textarea>", "<input type=password>", "<input name=a><input name=b><input>"):
        assert text_with(SIGN_UP.format("", field)) == text_with(SIGN_UP.format("", field).replace("email", "text"))


def test_a_page_that_is_a_sign_up_keeps_its_words() -> None:
    page = f"<title>The Harbour Letter</title><main>{SIGN_UP.format('', '')}</main>"
    text = PageExtractor("thresher").extract(page.encode()).decode()
    assert text == PageExtractor("thresher").extract(page.replace("=email", "=text").encode()).decode()


NOTICES = [
    "<p>Subscribe to continue reading. It is £1 a week.</p>",
    "<div><p>To read the full story, subscribe or log in.</p></div>",
    "<p><a href=/login>Continue reading</a></p>",
    "<p>Weiterlesen mit Plus: jetzt vier Wochen testen und alles lesen.</p>",
    "<p>Cet article est réservé aux abonnés.</p>",
    "<div>Este contenido es exclusivo para suscriptores.</div>",
    "<p>この記事は会員限定です。</p>",
]


@pytest.mark.parametrize("notice", NOTICES)
def test_what_is_behind_a_wall_is_left_out(notice: str) -> None:
    page = (
        f"<title>The ferry</title><main><article><h1>The ferry</h1>{''.join(PARAGRAPHS[:2])}{notice}</article>"
        f"<section>{CARDS}</section></main><footer><p>All rights reserved.</p></footer>"
    )
    text = PageExtractor("thresher").extract(page.encode()).decode()
    assert text.count("The ferry sailed again") == 2
    assert n_teasers(text) == 0
    assert text.rstrip().endswith("was opened.")


NOT_FREE = (
    '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script>',
    '<script type=application/ld+json>{"hasPart": {"isAccessibleForFree" : "False"}}</script>',
    "<meta property=article:content_tier content=metered>",
    "<meta itemprop=isAccessibleForFree content=false>",
)


def partial(paragraphs: list[str], *, head: str = "", notice: str = "") -> tuple[str | None, str]:
    """What an extraction says of the part that a page shows, and its text."""
    article = f"<article><h1>The ferry</h1>{''.join(paragraphs)}{notice}</article>"
    page = f"<title>The ferry</title>{head}<main>{article}<section>{CARDS}</section></main>"
    found = extract(page)
    assert found.to_dict()["text_partial"] == found.text_partial
    assert found.text.count("The ferry sailed again") == len(paragraphs)
    return found.text_partial, found.text


@pytest.mark.parametrize("head", NOT_FREE)
def test_a_page_that_is_not_free_and_shows_little_is_partial(head: str) -> None:
    value, text = partial(PARAGRAPHS[:2], head=head)
    assert value == "declared"
    assert n_teasers(text) == 0
    assert partial(PARAGRAPHS, head=head)[0] is None
    assert partial(PARAGRAPHS[:2], head=head.replace("alse", "rue").replace("metered", "free"))[0] is None


@pytest.mark.parametrize("notice", NOTICES)
def test_the_notice_of_a_wall_is_a_fact_of_the_page(notice: str) -> None:
    assert partial(PARAGRAPHS[:2], notice=notice)[0] == "wall"
    page = f"<title>The ferry</title><article>{''.join(PARAGRAPHS[:3])}{notice}{''.join(PARAGRAPHS[3:])}</article>"
    assert extract(page).text_partial is None


def test_a_login_is_a_wall_only_where_something_else_says_so_and_little_is_shown() -> None:
    login = "<div class={}><p>Already a subscriber? Log in</p></div>"
    assert partial(PARAGRAPHS[:2], notice=login.format("box"))[0] is None
    assert partial(PARAGRAPHS[:2], notice=login.format("paywall-overlay"))[0] == "wall"
    assert partial(PARAGRAPHS[:2], notice=login.format("box"), head=NOT_FREE[0])[0] == "wall"
    assert partial(PARAGRAPHS, notice=login.format("paywall-overlay"), head=NOT_FREE[0])[0] is None


@pytest.mark.parametrize("notice", NOTICES)
def test_a_notice_amid_an_article_ends_nothing(notice: str) -> None:
    assert text_with(notice).rstrip().endswith("was opened.")


def test_a_link_to_more_of_the_text_is_no_wall() -> None:
    last = "The shipyard paints her white and blue, as she was in the year of the flood and had been ever since."
    behind = f"<section><p>{last}</p><p>Nobody had asked for it, and yet there she lay at the same stone.</p></section>"
    link = "<p><a href={}>Continue reading</a></p>"
    for before, stays in (("", True), (link.format("/part-2"), True), (link.format("/login?next=/ferry"), False)):
        assert (last in text_with("", behind=before + behind)) == stays


def test_no_row_is_in_two_tables() -> None:
    labels = (words.ADVERTISEMENT, words.RELATED, words.MORE)
    beginnings = (words.NOTICE, words.CALL, words.WALL, words.LOGIN, words.CONTINUE)
    for tables in (labels, beginnings):
        rows = [row for table in tables for row in table]
        assert len(rows) == len({*rows}), sorted(row for row in {*rows} if rows.count(row) > 1)

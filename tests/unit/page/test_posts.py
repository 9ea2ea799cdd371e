# SPDX-License-Identifier: Apache-2.0
"""The posts of threads, and pages that have none."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tag_soup import tag_soup

from thresher.page import parts as module
from thresher.page.page_extractor import PageExtractor
from thresher.page.parts import PartsReader
from thresher.page.posts import kept_blocks

TEXTS = [
    "The wheel of the lower mill came back in spring, and nobody in the village knows who brought it there.",
    "I saw two men with a cart on the bridge that night, and they asked me the way to the old quarry.",
    "My grandfather built that wheel, so I would know it anywhere. It has a notch in its third spoke.",
    "Somebody should ask the miller before we begin to tell stories about it. He has kept all the letters.",
    "The miller says that he paid for it in full and that the rest is none of our business. I believe him.",
]
NAMES = ["ann_lee", "Tom Brook", "miller77", "ann_lee", "Old Hand"]
DAYS = [date(2014, 3, day) for day in (5, 5, 6, 9, 12)]
SHOWN = [f"{day.day} March 2014, 10:{day.day:02}" for day in DAYS]
TITLE = "<title>Who brought the wheel back? - Village forum</title><h1>Who brought the wheel back?</h1>"
NAV = "<nav><a href=/>Home</a> <a href=/boards>Boards</a> <a href=/search>Search</a></nav>"
FOOT = "<footer><a href=/imprint>Imprint</a> <a href=/rules>Rules of this site</a></footer>"


def posts(html: str, url: str | None = "https://e.org/t/17", **options: Any) -> list[dict[str, Any]]:
    extractor = PageExtractor(**options)
    extractor.extract(html.encode("utf-8", "replace"), url)
    return PartsReader(("posts",), extractor.options.limits)(extractor).rows["posts"]


def thread(post: Callable[[int], str], before: str = "", after: str = "", n: int = 5) -> str:
    return f"<html lang=en>{TITLE}{NAV}{before}{''.join(map(post, range(n)))}{after}{FOOT}"


def in_list(k: int) -> str:
    """Classes alternate, and the profile shows when the member joined."""
    return (
        f"<div class='post bg{k % 2 + 1} {'even' if k % 2 else 'odd'}' id=p{k + 31}><dl class=profile><dt>"
        f"<a class=username href=/member/{k}>{NAMES[k]}</a></dt><dd>Posts: {k}12</dd><dd>Joined: 3 May 2009</dd></dl>"
        f"<p class=when>Posted {SHOWN[k]}</p><div class=content>{TEXTS[k]}<br><br>{TEXTS[k - 1]} {TEXTS[k - 2]}"
        "</div></div>"
    )


def in_rows(k: int) -> str:
    """A row with a cell for the name."""
    return (
        f"<tr><td width=150><span class=name><b>{NAMES[k]}</b></span><br><small>Joined: 02 May 2009</small></td>"
        f"<td class=row{k % 2 + 1}><small>Posted: {SHOWN[k]}</small><hr><span class=postbody>{TEXTS[k]}</span></td>"
        "</tr>"
    )


def in_two_rows(k: int) -> str:
    """The name above the text, in a row of its own."""
    return (
        f"<tr><th><span class=author>{NAMES[k]}</span> wrote on {SHOWN[k]}</th></tr>"
        f"<tr><td class=post-text><p>{TEXTS[k]}</p><p>{TEXTS[k - 1]}</p></td></tr>"
    )


def answered(k: int) -> str:
    """A question and its answers, whose containers differ; the name stands below the text."""
    kind = "answer" if k else "question"
    return (
        f"<div id={kind}s{'' if k == 0 else k}><div class={kind}><div class=layout><div class='prose js-post'>"
        f"<p>{TEXTS[k]}<p>{TEXTS[k - 1]}</div><div class=usercard>{'answered' if k else 'asked'} "
        f"<span title='{DAYS[k]} 10:05:00Z'>Mar {DAYS[k].day}, 2014</span> <a href=/users/{k}/x>{NAMES[k]}</a></div>"
        "</div></div></div>"
    )


def with_microdata(k: int) -> str:
    return (
        "<section itemscope itemtype='https://schema.org/Comment' itemprop=comment><span itemprop=author itemscope "
        f"itemtype='https://schema.org/Person'><meta itemprop=name content='{NAMES[k]}'></span>"
        f"<time itemprop=datePublished datetime={DAYS[k]}T10:05:00Z>Wednesday</time>"
        f"<div itemprop=text><p>{TEXTS[k]}</p><p>{TEXTS[k - 1]}</p></div></section>"
    )


FORMS = {
    "list": thread(in_list),
    "rows": thread(in_rows, "<table width='100%'>", "</table>"),
    "two rows": thread(in_two_rows, "<table class=thread>", "</table>"),
    "answers": thread(answered),
    "microdata": thread(
        with_microdata, "<div itemscope itemtype='https://schema.org/DiscussionForumPosting'>", "</div>"
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_posts_with_author_and_date(form: str) -> None:
    found = posts(FORMS[form])
    assert [row["number"] for row in found] == [1, 2, 3, 4, 5]
    assert [row["author"] for row in found] == NAMES
    assert [row["date"] for row in found] == DAYS
    for row, text in zip(found, TEXTS, strict=True):
        assert row["text"].startswith(text)
        assert row["cut"] is None
        assert "Joined" not in row["text"]


def test_replies_in_replies() -> None:
    def reply(k: int) -> str:
        inner = reply(k + 1) if k < 4 else ""
        return (
            f"<li class=comment><div class=comment-head><a href=/u/{k}>{NAMES[k]}</a> <time datetime={DAYS[k]}>then"
            f"</time></div><div class=comment-text><p>{TEXTS[k]}</p></div><ol>{inner}</ol></li>"
        )

    found = posts(f"{TITLE}{NAV}<ol>{reply(0)}</ol>{FOOT}")
    assert [(row["author"], row["date"], row["text"]) for row in found] == list(zip(NAMES, DAYS, TEXTS, strict=True))


@pytest.mark.parametrize(("name", "begin"), [("text", ""), ("markdown", ""), ("html", "<p>"), ("source", "<")])
def test_the_text_has_the_format_of_the_run(name: str, begin: str) -> None:
    def post(k: int) -> str:
        return in_list(k).replace(
            "<div class=content>", "<div class=content><p>It is <b>here</b>: <a href=/x>x</a>.</p>"
        )

    found = posts(thread(post), format=name)
    assert len(found) == 5
    assert all(row["text"].startswith(begin) for row in found)
    assert ("**here**" in found[0]["text"]) is (name == "markdown")
    assert "img" not in posts(thread(lambda k: post(k) + "<img src=/a.png>"), format="html", images=True)[0]["text"]
    if name != "text":
        assert "https://e.org/x" in posts(thread(post), format=name, links=True)[2]["text"]


def test_lists_and_tables_around_posts_do_not_show() -> None:
    def post(k: int) -> str:
        inner = f"<ul><li>first, {TEXTS[k]}<li>second, {TEXTS[k - 1]}</ul>"
        return f"<li>{in_list(k).replace('</div></div>', f'{inner}</div></div>')}</li>"

    found = posts(thread(post, "<ol>", "</ol>"), format="markdown")
    assert len(found) == 5
    assert found[1]["text"].startswith(TEXTS[1])
    assert "\n- first" in found[1]["text"]


def test_dates_of_other_things_are_not_the_posts() -> None:
    def post(k: int) -> str:
        return in_list(k).replace("</div></div>", f"</div><p class=edit>Last edited 2 June 2019, 9:0{k}</p></div>")

    assert [row["date"] for row in posts(thread(post))] == DAYS
    edited = "<div>{} <span title='2019-06-0{} 09:00:00Z'>Jun 2</span></div><div>asked"

    def question(k: int) -> str:
        return answered(k).replace("answered", "asked").replace("asked", edited.format("edited", k + 1), 1)

    assert [row["date"] for row in posts(thread(question))] == DAYS
    last = "Last post by <a class=username href=/member/9>Ghost</a>&nbsp; <time datetime=2019-06-02>2 June</time>"
    dated = [in_list(k).replace(SHOWN[k], f"<time datetime={DAYS[k]}>then</time>") for k in range(5)]
    dated[0] = dated[0].replace("<p class=when>", f"<p>{last}</p><p class=when>")
    assert [row["date"] for row in posts(thread(dated.__getitem__))] == DAYS
    ago = [in_list(k).replace(SHOWN[k], f"{k + 2} days ago") for k in range(5)]
    assert [row["date"] for row in posts(thread(ago.__getitem__))] == [None] * 5
    assert [row["author"] for row in posts(thread(ago.__getitem__))] == NAMES


def test_quotes_name_no_author() -> None:
    def post(k: int) -> str:
        quote = "<blockquote><a class=username href=/member/9>Ghost</a> on 1 March 2014, 9:00 said: "
        quote += f"{TEXTS[k - 2]}</blockquote>"
        return in_list(k).replace("<div class=content>", f"<div class=content>{quote}").replace("username", "", k % 2)

    found = posts(thread(post))
    assert [row["author"] for row in found] == NAMES
    assert [row["date"] for row in found] == DAYS


def test_names_that_no_class_names() -> None:
    def post(k: int) -> str:
        head = f"<div><b>{NAMES[k]}</b></div><div>{SHOWN[k]}</div>"
        return f"<div class=message>{head}<div class=body><p>{TEXTS[k]}</p></div></div>"

    assert [row["author"] for row in posts(thread(post), "https://forum.e.org/threads/17")] == NAMES


def test_a_question_that_its_answers_do_not_look_like() -> None:
    lead = (
        f"<div class=ask><p>By <a href=/member/8>Asker</a>, <time datetime=2014-03-01>1 March</time></p>"
        f"<p>{TEXTS[3]}<p>{TEXTS[4]}<p>{TEXTS[2]}</div>"
    )
    declared = "<body itemscope itemtype='https://schema.org/QAPage'>"
    found = posts(thread(in_list, declared + lead, n=4))
    assert [row["author"] for row in found] == ["Asker", *NAMES[:4]]
    assert found[0]["date"] == date(2014, 3, 1)
    assert (
        posts(thread(in_list, lead, n=4).replace("forum", "news"), "https://e.org/wheel") == []
    )  # an article with comments, as far as the page says


def test_a_thread_of_one_post_is_one_only_if_the_page_says_so() -> None:
    one = thread(in_list, n=1).replace("forum", "news")
    assert posts(one, "https://e.org/wheel") == []
    declared = one.replace("class='post", "itemscope itemtype='https://schema.org/DiscussionForumPosting' class='post")
    (row,) = posts(declared)
    assert (row["number"], row["author"], row["date"]) == (1, "ann_lee", DAYS[0])


def test_a_first_post_that_is_shown_twice_is_one() -> None:
    found = posts(thread(lambda k: in_list(max(k - 1, 0)).replace("2014, 10:05", "2014, 10:04", k == 0)))
    assert [row["number"] for row in found] == [1, 2, 3, 4]
    assert [row["author"] for row in found] == NAMES[:4]


ARTICLE = "".join(f"<p>{text} {TEXTS[0]}</p>" for text in TEXTS)
COMMENT = (
    "<div class=comment id=comment-{0}><cite class=author>{1}</cite> <time datetime={2}>then</time><p>{3}</p></div>"
)
COMMENTS = "".join(COMMENT.format(k, NAMES[k], DAYS[k], TEXTS[k]) for k in range(5))
NO_THREADS = {
    "article": f"<article class=post><h1>The wheel</h1><p>By <a rel=author href=/author/ann>Ann Lee</a>, "
    f"<time datetime=2014-03-05>5 March 2014</time></p>{ARTICLE}</article>",
    "article in sections": "<h1>The wheel</h1>"
    + "".join(
        f"<section class=part><h2>Part {k}</h2><p>{TEXTS[k]}</p><p>{TEXTS[k - 1]}</p></section>" for k in range(5)
    ),
    "article with comments": f"<article><h1>The wheel</h1>{ARTICLE}</article><div id=comments>{COMMENTS}</div>",
    "articles": "<h1>News</h1>"
    + "".join(
        f"<article class=post><h2><a href=/news/{k}>The wheel, part {k}</a></h2><p>By "
        f"<a href=/author/{k}>{NAMES[k]}</a>, <time datetime={DAYS[k]}>{SHOWN[k]}</time></p>"
        f"<p>{TEXTS[k]} {TEXTS[k - 1]}</p></article>"
        for k in range(5)
    ),
    "products": "<h1>Wheels</h1>"
    + "".join(
        f"<li class=product itemscope itemtype='https://schema.org/Product'><h3>Wheel {k}</h3><span itemprop=price>12"
        f"</span><p>{TEXTS[k]}</p><p>Since {SHOWN[k]}, sold by <a class=member href=/user/{k}>{NAMES[k]}</a></p></li>"
        for k in range(5)
    ),
    "reviews": "<h1>Reviews of the wheel</h1>"
    + "".join(
        f"<div class=comment itemscope itemtype='https://schema.org/Review'><span class=author>{NAMES[k]}</span> <time "
        f"datetime={DAYS[k]}>then</time><meta itemprop=ratingValue content=4><p>{TEXTS[k]} {TEXTS[k - 1]}</p></div>"
        for k in range(5)
    ),
    "topics": "<h1>All topics</h1>"
    + "".join(
        f"<div class=topic><a href=/t/{k}>{TEXTS[k]}</a> <a class=username href=/u/{k}>{NAMES[k]}</a> {SHOWN[k]}</div>"
        for k in range(5)
    ),
    "documentation": "<h1>Turning</h1>"
    + "".join(f"<dl class=method><dt>turn{k}(wheel)<dd><p>{TEXTS[k]}</p><p>Since 1.{k}</p></dl>" for k in range(5)),
}


@pytest.mark.parametrize("page", NO_THREADS)
@pytest.mark.parametrize("extractor", ["thresher", "all"])
def test_other_pages_have_no_posts(page: str, extractor: str) -> None:
    html = f"<html lang=en><title>The wheel</title>{NO_THREADS[page]}"
    assert posts(html, "https://e.org/wheel", extractor=extractor) == []
    assert posts(html, "https://e.org/wheel", extractor=extractor, comments="keep") == []


def test_pages_without_a_word_and_pages_of_data_have_none() -> None:
    assert posts("") == []
    body = " ".join(TEXTS) * 3
    assert posts(f'<p>x</p><script type="application/ld+json">{{"articleBody": "{body}"}}</script>') == []


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_POSTS", 3)
    monkeypatch.setattr(module, "MAX_POST", 50)
    found = posts(FORMS["list"])
    assert [len(row["text"]) for row in found] == [50, 50, 50]
    assert [row["cut"] for row in found] == ["text", "text", "text, 2 posts"]


def test_passages_are_written_by_themselves() -> None:
    extractor = PageExtractor("all", format="html", links=True)
    page = "<base href=https://b.org/x/><ul><li>one <a href=a>a</a><li><p>two<p>three <a href=b>b</a></ul>"
    page += "<table><tr><td>4<td>5"
    extractor.extract(page.encode(), "https://e.org/")
    kept = kept_blocks(extractor.main)
    document = extractor.workspace.document
    items = [n for n in range(document.n_nodes) if document.tag(n) in ("li", "tr")]
    inside = [[block.number for block in kept if n < block.start < document.end(n)] for n in items]
    assert [text.decode() for text in extractor.render_passages(list(zip(items, inside, strict=True)))] == [
        '<p>one <a href="https://b.org/x/a">a</a></p>',
        '<p>two</p>\n<p>three <a href="https://b.org/x/b">b</a></p>',
        "<p>4</p>\n<p>5</p>",
    ]
    assert extractor.render_passages([(items[1], inside[1][1:])]) == [b'<p>three <a href="https://b.org/x/b">b</a></p>']
    assert extractor.render_passages([(items[0], [])]) == [b""]
    for node, blocks in ((10_000, []), (items[0], inside[1]), (items[0], [10_000])):
        with pytest.raises(IndexError):
            extractor.render_passages([(node, blocks)])


SOUP = tag_soup(
    ["x-é"],
    [" class='post author'", " id=p7", " itemtype='http://schema.org/Comment'", " datetime=2014-03-05", " href=/user/1",
     " title='3 May 2014 10:05'", " itemprop=author", " rel=author"],
    ["word", " ", "\n", "<div class=post><b class=username>ann</b> 3 May 2014 words of a post</div>",
     "<tr><td class=name>tom<td>more words, 4 May 2014", "<blockquote>", "<h2><a href=x>y</a></h2>"],
    size=60,
)  # fmt: skip


@given(SOUP, st.sampled_from(["text", "markdown", "html", "source"]))
def test_every_word_is_of_the_main_text(html: str, name: str) -> None:
    extractor = PageExtractor("all", format=name)
    known = extractor.extract(html.encode(), "https://e.org/").decode()
    found = PartsReader(("posts",), extractor.options.limits)(extractor).rows["posts"]
    assert [row["number"] for row in found] == list(range(1, len(found) + 1))
    for row in found:
        assert set(re.findall(r"\w+", row["text"])) <= set(re.findall(r"\w+", known))


@given(
    tag_soup(
        ["x-é"],
        [" href=a", " rowspan=3", " class=post"],
        ["word", " ", "\n", "<pre>x\n", "<li>y", "<tr><td>z"],
        size=60,
    )
)
def test_any_element_is_a_passage(html: str) -> None:
    for name in ("text", "markdown", "html", "source"):
        extractor = PageExtractor("all", format=name, links=name != "text")
        known = extractor.extract(html.encode(), "https://e.org/").decode()
        kept, document = kept_blocks(extractor.main), extractor.workspace.document
        inside = [
            (n, [block.number for block in kept if n < block.start < document.end(n)]) for n in range(document.n_nodes)
        ]
        passages = extractor.render_passages([each for each in inside if each[1]])
        for text in passages:
            shown = re.sub("<[^>]*>", " ", text.decode()) if name in ("html", "source") else text.decode()
            # A word of the text may be of two links, of which the passage is one.
            words = re.findall(r"[^\W\d]+", known)
            assert all(any(part in word for word in words) for part in re.findall(r"[^\W\d]+", shown))
        assert extractor.render() == known.encode()


@given(st.binary(max_size=400))
def test_nothing_raises(data: bytes) -> None:
    extractor = PageExtractor("all")
    extractor.extract(data, "http://[")
    PartsReader(("posts",), extractor.options.limits)(extractor)

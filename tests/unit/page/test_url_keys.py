# SPDX-License-Identifier: Apache-2.0
"""URL keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.page.url_keys import default_rules, read_rules, url_key


def key(url: str, title: str | None = None) -> str:
    return str(url_key(url, title))


def test_the_papers_example():
    url = "http://abcnews.go.com/kabc/story?section=news/local/los_angeles&id=8691010"
    assert key(url, "Whatever") == "abcnews.go.com/kabc/story?id=8691010"


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://www.fitchratings.com/a/b/detail.cfm?pr_id=3&x=1", "pr_id=3"),
        ("http://bbs.chinadaily.com.cn/viewthread.php?tid=9&extra=page", "tid=9"),
        ("http://www.hurriyetdailynews.com/n.php?n=storm&s=1", "n=storm"),
        ("http://globeandmail.golfcanada.ca/x?articleId=7&q=0", "articleId=7"),
        ("http://podcast.ft.com/index.php?pid=12&sid=3", "pid=12"),
    ],
)
def test_rules_of_table_1(url, kept):
    assert key(url, "t").endswith(f"?{kept}")
    assert "_cid_" not in key(url, "t")


@pytest.mark.parametrize(
    "url",
    [
        "http://www.aljazeera.com/",
        "http://www.dailymail.co.uk/home/index.html",
        "http://www.foxnews.com/on-air/a/index.html",
    ],
)
def test_rules_of_table_1_that_ask_for_the_title(url):
    assert key(url, "One") != key(url, "Two")
    assert key(url, "One") == key(url, " One\n")


def test_where_no_rule_applies_the_query_goes():
    assert key("http://a.example/x.html", "title") == "a.example/x.html"
    assert str(url_key("http://a.example/x?id=1", "title", rules=())) == "a.example/x"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/x#top", "https://a.example/x"),
        ("http://A.example:80/x", "http://a.example/x"),
        ("http://a.example", "http://a.example/"),
        ("http://a.example/%7Eme/%c3%a9", "http://a.example/~me/é"),
        ("http://a.example/s?id=3&session=77", "http://a.example/s?utm_source=x&id=3"),
    ],
)
def test_one_document_under_two_urls(one, other):
    assert key(one, "t") == key(other, "t")


def test_two_documents():
    assert key("http://a.example/s?x=1", "One") != key("http://a.example/s?x=2", "Two")
    assert key("http://a.example/s?id=1") != key("http://a.example/s?id=2")
    assert key("http://a.example:8080/") != key("http://a.example/")


@pytest.mark.parametrize("url", ["", "http://", "http://[", "mailto:x", "http://a:99999999/", "not a url"])
def test_urls_without_a_host(url):
    assert url_key(url, "t") is None


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_url(rest, title):
    assert str(url_key(f"http://a.example/{rest}", title)).startswith("a.example")


def test_a_wrong_rule_is_named():
    with pytest.raises(ValueError, match="rule 1"):
        read_rules('[[rule]]\nurl = "("\nretain = []')
    with pytest.raises(ValueError, match="rule 2"):
        read_rules('[[rule]]\nurl = "a"\nretain = []\n[[rule]]\nurl = "a"')
    assert default_rules()

# SPDX-License-Identifier: Apache-2.0
"""URL keys, nodes, and the URL tree with its four heuristics."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import ConfigError
from thresher.lab.url_tree import DAY, Bounds, Heuristic, UrlTree, heuristic
from thresher.page.url_keys import UrlKey, default_rules, read_rules, url_key


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


def test_nodes_from_the_domain_to_the_leaf():
    found = url_key("http://news.bbc.co.uk/2/hi/europe/1.stm?id=2", None)
    assert found is not None
    assert found.nodes() == [
        "*.bbc.co.uk", "news.bbc.co.uk", "news.bbc.co.uk/2", "news.bbc.co.uk/2/hi", "news.bbc.co.uk/2/hi/europe",
        "=news.bbc.co.uk/2/hi/europe/1.stm?id=2",
    ]  # fmt: skip


@pytest.mark.parametrize("url", ["", "http://", "http://[", "mailto:x", "http://a:99999999/", "not a url"])
def test_urls_without_a_host(url):
    assert url_key(url, "t") is None


def test_hosts_that_are_ipv6_addresses():
    first, second = (url_key(f"http://[{host}]:8080/a", None) for host in ("2001:db8::1", "2001:470::5"))
    assert str(first) == "[2001:db8::1]:8080/a"
    assert first.domain != second.domain


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_url(rest, title):
    found = url_key(f"http://a.example/{rest}", title)
    assert found is None or len(found.nodes()) <= 11


def test_a_wrong_rule_is_named():
    with pytest.raises(ValueError, match="rule 1"):
        read_rules('[[rule]]\nurl = "("\nretain = []')
    with pytest.raises(ValueError, match="rule 2"):
        read_rules('[[rule]]\nurl = "a"\nretain = []\n[[rule]]\nurl = "a"')
    with pytest.raises(ConfigError, match="unknown key of the URL rules: 'rules'; did you mean 'rule'"):
        read_rules('[[rules]]\nurl = "a"\nretain = []')
    with pytest.raises(ConfigError, match="unknown key in URL rule 1: 'retian'; did you mean 'retain'"):
        read_rules('[[rule]]\nurl = "a"\nretian = []')
    assert default_rules()


def test_heuristics_and_their_parameters():
    assert heuristic("strict") == Heuristic("strict", 5, 1)
    assert heuristic("strict-support-100").n_min == 101
    assert heuristic("strict-at-domain").at_domain
    relaxed = heuristic("relaxed-at-domain-500")
    assert (relaxed.at_domain, relaxed.relaxed_above) == (True, 500)
    with pytest.raises(ValueError, match="did you mean 'strict-at-domain'"):
        heuristic("strict-at-domian")


def test_the_deepest_node_with_support_is_chosen():
    assert heuristic("strict").choose([90, 40, 5, 4, 1]) == (2, 1)
    assert heuristic("strict").choose([3, 2, 1]) == (0, 1)
    assert heuristic("strict-support-39").choose([90, 40, 5]) == (1, 1)
    assert heuristic("strict-support-40").choose([90, 40, 5]) == (0, 1)
    assert heuristic("strict-at-domain").choose([90, 40, 5]) == (0, 1)
    assert heuristic("relaxed-at-domain-500").choose([500, 40]) == (0, 1)
    assert heuristic("relaxed-at-domain-500").choose([501, 40]) == (0, 2)


def page(number: int, folder: str = "a") -> UrlKey:
    return UrlKey("x.example", "www.x.example", f"/{folder}/{number}.html", "")


def test_a_block_of_the_second_page_is_boilerplate_and_of_the_first_not_yet():
    tree = UrlTree(heuristic("strict"))
    first = tree.judge(page(1), 0, [7, 8])
    assert first.boilerplate == [False, False]
    second = tree.judge(page(2), 1, [7, 9])
    assert second.boilerplate == [True, False]
    assert (second.node, second.support, second.counts) == ("*.x.example", 2, [2, 1])


def test_a_block_that_is_twice_on_one_page_counts_once():
    tree = UrlTree(heuristic("strict"))
    assert tree.judge(page(1), 0, [7, 7]).counts == [1, 1]


def test_a_folder_of_its_own_judges_its_pages():
    tree = UrlTree(heuristic("strict"))
    for number in range(5):
        tree.judge(page(number, "a"), number, [1, 100 + number])
    for number in range(5):
        tree.judge(page(number, "b"), number, [2, 200 + number])
    # On the whole domain block 1 stands on six pages; in folder b on this one alone.
    found = tree.judge(page(9, "b"), 9, [1, 2])
    assert (found.node, found.boilerplate) == ("www.x.example/b", [False, True])


def test_the_same_key_twice_counts_once():
    tree = UrlTree(heuristic("strict"))
    tree.judge(page(1), 0, [7])
    again = tree.judge(page(1), 1, [7])
    assert (again.duplicate, again.boilerplate, again.support) == (True, [False], 1)


def test_old_pages_are_dropped_but_not_the_last_hundred():
    tree = UrlTree(heuristic("strict"), Bounds(max_pages=10_000, max_age=14 * DAY, min_pages=100))
    for number in range(150):
        tree.judge(page(number), number, [7])
    assert tree.judge(page(1000), 20 * DAY, [7]).counts == [100]
    assert tree.pages("x.example") == 100


def test_what_leaves_is_counted_down():
    tree = UrlTree(heuristic("strict"), Bounds(max_pages=3, min_pages=1))
    for number in range(10):
        tree.judge(page(number), number, [7, 100 + number])
    assert tree.pages("x.example") == 3
    domain = tree._domains["x.example"]
    assert set(domain.nodes["*.x.example"].counts) == {7, 107, 108, 109}
    assert domain.nodes["*.x.example"].counts[7] == 3
    assert len(domain.nodes) == 3 + 3
    # A key that left may come again.
    assert not tree.judge(page(0), 11, [7]).duplicate


def test_domains_are_bounded():
    tree = UrlTree(heuristic("strict"), max_domains=2)
    for number in range(5):
        tree.judge(UrlKey(f"d{number}.example", "h", "/", ""), number, [1])
    assert list(tree._domains) == ["d3.example", "d4.example"]


def test_the_parameters_that_stay_are_sorted():
    rules = read_rules('rule = [{url = "a", retain = ["p", "q"]}]')
    for query in ("p=1&q=2", "q=2&x=3&p=1"):
        assert str(url_key(f"http://a.example/x?{query}", None, rules=rules)) == "a.example/x?p=1&q=2"

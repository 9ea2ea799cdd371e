# SPDX-License-Identifier: Apache-2.0
"""Authors' names, read out of what a page names or shows."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.native.facts.author_names import _TAIL
from thresher.native.facts.authors import read_names
from thresher.native.facts.candidates import Ranker
from thresher.native.facts.labels import TAILS, TAILS_ELSEWHERE
from thresher.native.workspace import Workspace
from thresher.page.extraction import PageExtractor
from thresher.page.metadata import name_weights, read_candidates, read_metadata
from thresher.page_types import UNSIGNED


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By A. Miller", ["A. Miller"]),
        ("Von Eva Müller und Jan Maier, dpa", ["Eva Müller", "Jan Maier", "dpa"]),
        ("Ann Lee, Bo Chan and Cy Dahl", ["Ann Lee", "Bo Chan", "Cy Dahl"]),
        ("Ann Lee,Bo Chan", ["Ann Lee", "Bo Chan"]),
        ("Miller, Ann", ["Ann Miller"]),
        ("Robert E. Moffit, Ph.D.", ["Robert E. Moffit, Ph.D."]),
        ("Laura Manning, RDN, LD", ["Laura Manning, RDN, LD"]),
        ("Daniel Tanner; Sponsored", ["Daniel Tanner"]),
        ("Elena Oberholzer (obe)", ["Elena Oberholzer"]),
        ("Ann Lee The Associated Press", ["Ann Lee"]),
        ("Ann Lee, Staff Writer", ["Ann Lee"]),
        ("Ann Lee Senior Correspondent", ["Ann Lee"]),
        ("신현주 기자", ["신현주"]),
        ("本报记者 刘志强", ["刘志强"]),
        ("记者 王璐 北京报道", ["王璐"]),
        ("The Associated Press", ["The Associated Press"]),
        ("Ann Lee USA TODAY NETWORK", ["Ann Lee"]),
        ("Ann Lee, Contributing Opinion Writer", ["Ann Lee"]),
        ("Last updated", []),
        ("Ann Lee | ann@paper.example", ["Ann Lee"]),
        ("https://facebook.example/ann", []),
        ("dpa", ["dpa"]),
        ("March 5, 2014", []),
        ("admin", []),
        ("By", []),
        ("x" * 300, []),
        ("Byron Miller", ["Byron Miller"]),
        ("Ann and Ann", ["Ann"]),
        # what stands between a name and a date
        ("Ann Lee on October 12, 2012", ["Ann Lee"]),
        ("Asha Kraken Ven 13 janvier 2012", ["Asha Kraken"]),
        ("Tim Sun Bear, 12 October 2012", ["Tim Sun Bear"]),
        # roles, buttons and marks beside a name
        ("Scott Faber, Executive Director", ["Scott Faber"]),
        ("Ann Lee, President of the Mill", ["Ann Lee"]),
        ("Ann Lee Last Updated", ["Ann Lee"]),
        ("●江天德", ["江天德"]),
        ("Ann\\n Lee", []),
        ("All Rights Reserved", []),
        ("Viewpoint Lee", ["Viewpoint Lee"]),
        # brackets are a part of a name if they hold one, a stroke if it stands before an agency
        ("Епископ Эмилиан (Кутузис)", ["Епископ Эмилиан (Кутузис)"]),
        ("Ann Lee (Maria St. Miller)", ["Ann Lee (Maria St. Miller)"]),
        ("Ann Lee (Example)", ["Ann Lee"]),
        ("Ann Lee (AP)", ["Ann Lee"]),
        ("福島夏子（編集部）", ["福島夏子"]),
        ("Ann Lee/AFP", ["Ann Lee/AFP"]),
        ("SAPO Desporto c/Lusa", ["SAPO Desporto c/Lusa"]),
        ("Ann Lee/Bob Ray", ["Ann Lee", "Bob Ray"]),
        # what a person is stands behind a name with nothing between
        ("Michel Blanc Professeur du Collège", ["Michel Blanc"]),
        ("Ann Lee Co-Founder and CEO", ["Ann Lee"]),
        ("Ann Professor", ["Ann Professor"]),
        ("김준우 인천대 명예교수", ["김준우"]),
        ("정진태기자", ["정진태"]),
        ("孤阳依岭 发表于", ["孤阳依岭"]),
        ("ann.wagner", ["ann.wagner"]),
        ("paper.com", []),
        ("د. رمزي بن دبكة", ["رمزي بن دبكة"]),
        ("لندن ـ سليم كرم", ["لندن", "سليم كرم"]),
        # names of Chinese reporters stand apart, the two parts of a Japanese name do not
        ("孙桂芹 胡泱 张海洋", ["孙桂芹", "胡泱", "张海洋"]),
        ("山田 太郎", ["山田 太郎"]),
        ("Institute of Wind and Water", ["Institute of Wind and Water"]),
        ("Ann Lee – Bo Chan", ["Ann Lee", "Bo Chan"]),
        ("Ann-Lee Chan", ["Ann-Lee Chan"]),
        # "and" in capitals divides names in capitals, and an initial does not
        ("JOHN SMITH AND MARY JONES", ["JOHN SMITH", "MARY JONES"]),
        ("VON EVA MÜLLER UND JAN MAIER", ["EVA MÜLLER", "JAN MAIER"]),
        ("AYŞE KAYA VE BORA CAN", ["AYŞE KAYA", "BORA CAN"]),
        ("MARY ANN E SMITH", ["MARY ANN E SMITH"]),
        ("JOHN DAN LEE", ["JOHN DAN LEE"]),
        ("THE MIT PRESS", ["THE MIT PRESS"]),
        ("INSTITUTE OF WIND AND WATER", ["INSTITUTE OF WIND AND WATER"]),
        ("Ann Lee at The Post", ["Ann Lee"]),
        ("Ann Lee asked 6 years ago", ["Ann Lee"]),
        ("小诺抓 10月前", ["小诺抓"]),
        ("Ann Lee @annlee", ["Ann Lee"]),
        ("M. Jean Lee", ["Jean Lee"]),
        ("Jean Lee avec AFP", ["Jean Lee", "AFP"]),
        ("（船津稔）", ["船津稔"]),
        ("남인숙 작가", ["남인숙"]),
        ("METRO REPORTER", ["METRO REPORTER"]),
        ("Sep 15", []),
        ("Friday", []),
        ("佚名", []),
        # words before names that are first names as well; an initial is no domain
        ("By Per Olsson", ["Per Olsson"]),
        ("Von Von Miller", ["Von Miller"]),
        ("Pan Wei", ["Pan Wei"]),
        ("Pan Jan Kowalski", ["Jan Kowalski"]),
        ("K.Lee", ["K.Lee"]),
        # "y" divides names, not the two surnames of one
        ("José Ortega y Gasset", ["José Ortega y Gasset"]),
        ("JOSÉ ORTEGA Y GASSET", ["JOSÉ ORTEGA Y GASSET"]),
        ("ANA RUIZ Y JUAN PAZ", ["ANA RUIZ", "JUAN PAZ"]),
        ("JOHN PAUL A MILLER", ["JOHN PAUL A MILLER"]),
        ("Antoni Gaudí i Cornet, Ann Lee", ["Antoni Gaudí i Cornet", "Ann Lee"]),
        ("Ana López y Bob Ray", ["Ana López", "Bob Ray"]),
        ("Ana López y EFE", ["Ana López", "EFE"]),
        ("Ana López y Reuters", ["Ana López", "Reuters"]),
        ("Ana López, Bob y Carlos", ["Ana López", "Bob", "Carlos"]),
        ("Ana y Bob", ["Ana", "Bob"]),
        # last names with initials behind them
        ("Lee, A., Day, B.", ["A. Lee", "B. Day"]),
        ("De Bruin, J.-P., Day, B. C., & Cole, D.", ["J.-P. De Bruin", "B. C. Day", "D. Cole"]),
        ("Ann Lee, Ph.D., Bo Ray, M.D.", ["Ann Lee, Ph.D.", "Bo Ray, M.D."]),
    ],
)
def test_names(text, names):
    assert read_names([text]) == names


URL = "https://www.lowermill.example/wheel"


def author(html, url=URL):
    return read_metadata(thresher.parse(html), url).author


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>Wheel</h1><p class=byline>By Ann Lee</p><p>It turned.", "Ann Lee"),
        ("<h1>Wheel</h1><p>By <a href=/ann>Ann Lee</a> | March 5, 2014</p><p>It turned.", "Ann Lee"),
        ("<h1>Wheel</h1><p>By the river the wheel turned.", None),
        (
            f"<h1>Wheel</h1><p>{'It turned. ' * 99}</p><div class=comment><p class=author>Ann Lee</p><p>Fine</p></div>",
            None,
        ),
        ("<h1>Wheel</h1><div class=author-bio>Ann Lee writes about mills</div>", None),
        # a link to the author's page
        ("<h1>Wheel</h1><p><a href=https://lowermill.example/author/lee/>Ann Lee</a> - March 5, 2014</p>", "Ann Lee"),
        ("<h1>Wheel</h1><p><a href=/authors/lee>Ann Lee</a></p>", "Ann Lee"),
        ("<h1>Wheel</h1><p><a href=/authoring/lee>Ann Lee</a></p>", None),
        ("<h1>Wheel</h1><p><a href=/author/>Ann Lee</a></p>", None),
        # a person comes before the site and its staff
        ("<meta name=author content='Lower Mill'><meta name=byl content='By Ann Lee'>", "Ann Lee"),
        ("<meta name=author content='Lower Mill'>", None),
        ("<meta name=author content='Lower Mill'><h1>Wheel</h1><p class=byline>By Ann Lee</p>", "Ann Lee"),
        (
            '<script type="application/ld+json">{"author": {"name": "Mill News"}}</script><h1>Wheel</h1>By Ann Lee',
            "Ann Lee",
        ),
        # one that refers to nobody names nobody
        (
            '<script type="application/ld+json">{"@type": "WebPage", "author": {"@id": "#lee"}}</script><h1>Wheel</h1>By Ann Lee',
            "Ann Lee",
        ),
        # a name in front of a date
        ("<h1>Wheel</h1><p class=meta>By Ann Lee | 5.3.2014 - 16:20</p>", "Ann Lee"),
        ("<h1>Wheel</h1><p>The wheel turned, said Ann Lee on 5.3.2014</p>", None),
        # right behind the headline a byline is the page's, whatever part of the page it stands in
        ("<h1>Wheel</h1><aside><p>By Ann Lee</p></aside>", "Ann Lee"),
        (f"<h1>Wheel</h1><p>{'It turned. ' * 20}</p><aside><p>By Ann Lee</p></aside>", None),
        (f"<h1>Wheel</h1><p class=byline>By Ann Lee{' ' * 100}<b>-</b></p>", "Ann Lee"),
        # the site's name behind an author's
        ("<meta property=og:site_name content='Mill News'><meta name=author content='Ann Lee Mill News'>", "Ann Lee"),
        ("<meta property=og:site_name content='Lee'><meta name=author content='Ann Lee'>", "Ann Lee"),
        # a byline far below the headline is another text's
        (f"<h1>Wheel</h1><p>{'It turned. ' * 700}</p><h2>More</h2><p class=byline>By Ann Lee</p>", None),
    ],
)
def test_the_author_that_a_page_shows(html, expected):
    assert author(html) == expected


NAMED = [
    ("Per Olsson", "Per Olsson"),
    ("By Per Olsson", "Per Olsson"),
    ("Nga Nguyen", "Nga Nguyen"),
    ("Di Stefano", "Di Stefano"),
    ("Von Miller", "Von Miller"),
    ("Von Eva Miller", "Eva Miller"),
    ("Pan Wei", "Pan Wei"),
    ("M. Night Shyamalan", "M. Night Shyamalan"),
    ("See Lee", "See Lee"),
    ("See all posts", None),
    ("Alle Jansen", "Alle Jansen"),
    ("K.Lee", "K.Lee"),
    ("By Ann", "Ann"),
]


@pytest.mark.parametrize(("declared", "name"), NAMED)
def test_a_declared_name_keeps_a_first_name_that_is_also_a_word_before_names(declared, name):
    linked = (
        '<script type="application/ld+json">{"@type": "Article", "author": {"@type": "Person", "name": "%s"}}</script>'
    )
    for head in (f"<meta name=author content='{declared}'>", linked % declared):
        assert author(head) == name
        if name is not None:
            assert author(f"{head}<h1>Wheel</h1><p class=byline>{declared}</p><p>It turned.") == name


@given(st.lists(st.text(max_size=60) | st.sampled_from(["By ", "Ann Lee, ", " and ", "by by ", "(", ","]), max_size=8))
def test_any_texts_give_clean_names(texts):
    for name in read_names(["".join(texts), *texts]):
        assert name == name.strip()
        assert any(map(str.isalpha, name))
        assert len(name) <= 200


ENDS = ["Ann", "Lee", "for", "the", "Associated", "Press", "AP", "Bloomberg", "News", "Getty", "Images", "USA", "Today",
        "Network", "Staff", "Writer", "REPORTER", "editor", "Redakteurin", "journaliste", "기자", "记者", "王报道", "さん", "Last", "Updated", "Follow",
        *TAILS]  # fmt: skip


@given(st.lists(st.sampled_from(ENDS), min_size=1, max_size=6), st.sampled_from([" ", "\t", "\u00a0"]))
def test_what_is_cut_off_behind_a_name_ends_with_a_known_word(words, space):
    """So the pattern is asked about no other names."""
    name = space.join(words)
    last = name.split()[-1].lower() if name.split() else ""
    assert not re.search(_TAIL, name) or last in TAILS or last.endswith(TAILS_ELSEWHERE)


def test_what_is_cut_off_behind_a_name():
    names = ["Ann Lee REPORTER", "Bob Ray for Reuters", "王璐 记者", "Eve Low\tStaff Writer", "Al Redakteurin"]
    assert read_names(names) == ["Ann Lee", "Bob Ray", "王璐", "Eve Low", "Al"]


ARTICLE = " ".join(["The wheel turned for years and the miller who kept it wrote down what the river did to it."] * 8)


def evidence(head, body, names=None):
    extractor = PageExtractor()
    extractor.extract(f"<title>Wheel</title>{head}<body>{body}".encode(), "https://lowermill.example/wheel")
    return dict(read_candidates(extractor.workspace, "https://lowermill.example/wheel", Ranker([], 1), names)["author"])


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (f"<h1>Wheel</h1><p>{ARTICLE}", {"not shown"}),
        (f"<h1>Wheel</h1><p>Annabel Leeds</p><p>{ARTICLE}", {"not shown"}),
        (f"<h1>Wheel</h1><p>{ARTICLE} So said Ann Lee of it all.", {"shown kept", "shown top"}),
        (f"<h1>Wheel</h1><p>{ARTICLE}<script>'Ann Lee'</script>", {"not shown"}),
    ],
)
def test_where_the_page_shows_a_declared_name(body, shown):
    found = evidence("<meta name=author content='Ann Lee'>", body)["Ann Lee"]
    assert {name for name in found if name.startswith(("shown", "not shown"))} == shown


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("<p>This is a guest post by Ann Lee of The Mill.</p>", "by"),
        ("<p>Propos recueillis par Ann Lee, journaliste scientifique.</p>", "by"),
        ("<div>By Ann Lee<script>document.write('it turned')</script></div>", "by"),
        ("<div>Ann Lee, 5 March 2014</div>", "plain"),
        ("<div>К.Гундерсон</div>", "plain"),
        ("<span itemprop=author>Ann Lee</span>", "m:author"),
        ("<div class=author>Lee Design Studio</div>", "m:author"),
    ],
)
def test_what_stands_above_the_text_may_name_its_author(before, said):
    found = evidence("", f"<h1>Wheel</h1>{before}<p>{ARTICLE}")
    name = next(name for name in ("Ann Lee", "К.Гундерсон", "Lee Design Studio") if name in found)
    assert said in found[name]


def test_an_agency_in_the_dateline_may_be_the_author():
    assert "source" in evidence("", f"<h1>Wheel</h1><p>BOSTON (AP) — {ARTICLE}")["AP"]
    assert "AP" not in evidence("", f"<h1>Wheel</h1><p>{ARTICLE} (AP) — it turned.")


def test_a_candidate_knows_what_the_others_have():
    found = evidence(
        "<meta name=author content='Ann Lee'>", f"<h1>Wheel</h1><p>By Bo Chan, staff writer</p><p>{ARTICLE}"
    )
    assert "other author" in found["Bo Chan"]
    assert "other author" not in found["Ann Lee"]
    assert "role beside" in found["Bo Chan"]
    assert f"candidates:{len(found)}" in found["Ann Lee"]


def test_a_name_by_itself_is_told_from_one_in_prose():
    found = evidence(
        "<meta name=author content='Ann Lee'>", f"<h1>Wheel</h1><p><a href=/ann>Ann Lee</a></p><p>{ARTICLE}"
    )["Ann Lee"]
    assert {"shown short", "shown alone", "shown linked"} <= found


def test_a_byline_counts_though_its_link_stands_in_another_part_of_the_page():
    aside = "<aside class=widget><a rel=author href=/ann>Ann Lee</a></aside>"
    found = evidence("", f"<h1>Wheel</h1><p>Posted by Ann Lee on 5 March 2014</p><p>{ARTICLE}</p>{aside}")
    assert {"line", "rel author elsewhere"} <= found["Ann Lee"]


def test_a_name_alone_is_a_candidate_and_looks_like_one():
    body = f"<h1>Wheel</h1><p>Anna Schmidt</p><p>{ARTICLE}</p><p>Terms Of Service</p>"
    found = evidence("", body, name_weights())
    like = {text: sum(name.startswith("like a name") for name in names) for text, names in found.items()}
    assert "plain" in found["Anna Schmidt"] & found["Terms Of Service"]
    assert like["Anna Schmidt"] > like["Terms Of Service"] + 2


def test_who_signs_is_looked_for_where_no_declared_name_is_shown():
    body = f"<h1>Wheel</h1><p>{ARTICLE}</p><p>Written by Bo Chan</p>"
    assert "Bo Chan" in evidence("<meta name=author content='Ann Lee'>", body)
    shown = f"<h1>Wheel</h1><p>Ann Lee</p><p>{ARTICLE}</p><p>{ARTICLE}</p><p>Written by Bo Chan</p>"
    found = evidence("<meta name=author content='Ann Lee'>", shown)
    assert "Ann Lee" in found
    assert "edge" not in found.get("Bo Chan", set())


def test_a_byline_that_is_no_part_of_the_main_text_is_a_candidate():
    found = evidence("", f"<h1>Wheel</h1><div class=x>Posted by Bo Chan on 12 October 2012</div><p>{ARTICLE}</p>")
    assert "Bo Chan" in found


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("发布时间：2006-11-15 来源：政法司 作者：陈小平 字体：大", "陈小平"),
        ("作者: ecooz 来源: 贵州网 浏览:", "ecooz"),
        ("2018-06-10 17:57:51 来源: 券商中国", "券商中国"),
        ("Posted by: ann1979 Last updated: March 5, 2014", "ann1979"),
        ("Source: BBC Last updated: March 5, 2014", "BBC"),
        ("기자명 김유근 기자 입력 2014.03.05", "김유근"),
        ("د. رمزي بن دبكة", "رمزي بن دبكة"),
    ],
)
def test_a_line_of_labels_names_a_candidate(line, name):
    assert name in evidence("", f"<h1>Wheel</h1><div class=info>{line}</div><p>{ARTICLE}")


def test_a_chinese_line_under_the_headline_names_a_candidate():
    line = "发布者：刘长龙 发布时间：2021-09-23 浏览次数：339"
    assert {"by", "by near"} <= evidence("", f"<h1>Wheel</h1><p class=post-meta>{line}</p><p>{ARTICLE}</p>")["刘长龙"]


@pytest.mark.parametrize("name", ["Kelp Tours Ltd", "Kelp Tours Ltd.", "Kelp Tours d.o.o.", "Kelp Tours S.r.l."])
def test_a_company_is_no_candidate(name):
    assert name.rstrip(".") not in {text.rstrip(".") for text in evidence(f"<meta name=author content='{name}'>", "")}


def test_parts_of_the_sites_name_are_told_from_people():
    found = evidence("<meta name=author content='Lowermill Archive'>", f"<h1>Wheel</h1><p>{ARTICLE}")
    assert "like site" in found["Lowermill Archive"]


@pytest.mark.parametrize(
    ("name", "text", "holds"),
    [
        ("Ann Lee", "by Ann Lee.", True), ("Ann Lee", "Ann Leeds", False), ("Ann Lee", "Joann Lee", False),
        ("Юлия", "пишет Юлия о", True), ("李佳", "文/李佳", True), ("Ann Lee", "Ann  Lee", False),
    ],
)  # fmt: skip
def test_places_of_names(name, text, holds):
    found = evidence(f"<meta name=author content='{name}'>", f"<h1>Wheel</h1><p>{text}</p><p>{ARTICLE}")
    assert ("not shown" not in found[name]) == holds


_SERVICE = (
    "<html lang=en><title>Delta Plumbing - boilers, bathrooms and repairs in Leeds</title>{head}"
    "<meta property=og:type content=website><link rel=canonical href=https://plumbing.example/services>"
    "<body class='home page'><nav><a href=/>Home</a> <a href=/services>Services</a> <a href=/contact>Contact</a></nav>"
    "<main><h1>Plumbers in Leeds since 1998</h1><p class=byline>By Ann Lee, 5 March 2024</p><p>We install and repair "
    "boilers, bathrooms and radiators all over Leeds and the country around it, every day of the week.</p>"
    "<h2>Our services</h2><ul><li><a href=/boilers>Boilers</a> We fit every make.</li><li><a href=/bathrooms>Bathrooms"
    "</a> From the plan to the last tile.</li></ul><h2>Contact us</h2><p>Call 0113 555 0101 for a free quote, or write to "
    "us.</p><a href=/contact>Get a quote</a></main><footer>© 2024 Delta Plumbing. All rights reserved.</footer>"
)


@pytest.mark.parametrize(("head", "author"), [("", None), ("<meta name=author content='Ann Lee'>", "Ann Lee")])
def test_of_what_nobody_signs_only_an_author_whom_elements_name(head, author):
    page = thresher.extract(_SERVICE.format(head=head), url="https://plumbing.example/services")
    assert page.type in UNSIGNED
    assert page.author == author


def test_a_workspace_without_a_main_text_says_what_its_document_says():
    page = thresher.parse(
        "<title>Wheel</title><meta name=author content='Lower Mill'><h1>Wheel</h1><p>Ann Lee, 5 March 2014</p><p>It turned."
    )
    workspace = Workspace(page)
    assert read_metadata(workspace, URL) == read_metadata(page, URL)
    found = dict(read_candidates(workspace, URL)["author"])
    assert {"shown left", "shown top", "shown short"} <= found["Ann Lee"]

# SPDX-License-Identifier: Apache-2.0
"""What a page says of itself in data, compared with extruct where it reads the same."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import extruct
import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner
from costs import assert_cheap, ordinary_page
from hypothesis import given
from hypothesis import strategies as st
from small_archive import write_archive
from tag_soup import tag_soup

import thresher
from thresher.commands.main import main
from thresher.page import structured_data as module
from thresher.page.structured_data import COLUMNS, StructuredData, read_structured_data
from thresher.schemas.pages import STRUCTURE

URL = "https://mill.example/news/wheel?page=2"
RECIPE = """<div itemscope itemtype="https://schema.org/Recipe" itemref="more none">
<h1 itemprop="name"> My  cake <b>x</b></h1>
<img itemprop="image" src="/a.jpg"><div itemprop="author creator" itemscope itemtype="https://schema.org/Person">
<span itemprop="name">Bo</span></div><time itemprop="made" datetime="2014">x</time><meta itemprop="m" content="7">
<a itemprop="url" href="x">y</a><span itemprop="price" content="3.50">x</span>
<p itemprop="step">a</p><p itemprop="step">b</p>
<data itemprop="d" value="v">w</data><object itemprop="o" data="/o"></object></div>
<div id=more><i itemprop="extra">E</i><p itemprop="nutrition" itemscope><b itemprop="fat">1</b></p></div>
<b itemprop="lost">x</b>"""
SCHEMA = """<body vocab="https://schema.org/"><div typeof="Product"><h1 property="name">W <b>v</b></h1>
<div property="offers" typeof="Offer"><span property="price" content="3">x</span></div><a property="url" href="/u">l</a>
<img property="image" src="/i.png"></div></body>"""
CRUMBS = """<div xmlns:v="http://rdf.data-vocabulary.org/#"><span typeof="v:Breadcrumb">
<a href="/q" rel="v:url" property="v:title">Q</a>
<span rel="v:child"><span typeof="v:Breadcrumb"><a href="/r" rel="v:url" property="v:title">R</a></span></span>
</span></div>"""
PREFIXED = """<html prefix="s: https://schema.org/ og: http://ogp.me/ns#"><p typeof="s:Person" about="#me">
<b property="s:name">Bo</b>
<i property="unknown">x</i><i property="mw:File">y</i><i property="foaf:nick">b</i></p></html>"""


def data(html: str, url: str | None = URL, **options: Any) -> StructuredData:
    return read_structured_data(thresher.parse(html), url, page=html.encode("utf-8", "replace"), **options)


def microdata(html: str) -> list[dict[str, Any]]:
    return json.loads(data(html).microdata or "[]")


def flat(items: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Typed items of RDFa, nested ones too: type and properties, a nested item by its type."""
    found, waiting = [], list(items)
    while waiting:
        item = waiting.pop()
        properties = []
        for name, value in item["properties"].items():
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, dict):
                    waiting.append(each)
                properties.append((name, "item" if isinstance(each, dict) else " ".join(each.split())))
        types = item.get("type", [])
        found.append((tuple(sorted([types] if isinstance(types, str) else types)), tuple(sorted(properties))))
    return sorted(found)


def oracle_of_rdfa(html: str) -> list[tuple[Any, ...]]:
    found = []
    for item in extruct.extract(html, base_url=URL, syntaxes=["rdfa"])["rdfa"]:
        if "@type" in item:
            properties = [
                (
                    name,
                    "item"
                    if str(each.get("@id", "")).startswith("_:")
                    else " ".join((each.get("@value") or each["@id"]).split()),
                )
                for name, values in item.items()
                if name[0] != "@"
                for each in values
            ]
            found.append((tuple(sorted(item["@type"])), tuple(sorted(properties))))
    return sorted(found)


def test_the_columns_are_those_of_the_schema() -> None:
    assert COLUMNS == STRUCTURE


def test_a_page_that_says_nothing() -> None:
    assert data("<p>x<a rel=next href=x>y</a><meta name=twitter:card><link rel=alternate href=x>") == StructuredData()


def test_microdata_as_extruct_finds_it() -> None:
    bare = '<div itemscope itemtype="https://schema.org/Thing">A <b>thing</b></div>'
    orphan = (
        '<div itemprop="mainEntity" itemscope itemtype="https://schema.org/Question"><b itemprop="name">Q</b></div>'
    )
    for html in (RECIPE, bare, RECIPE + bare, orphan, orphan + bare):
        assert microdata(html) == extruct.extract(html, base_url=URL, syntaxes=["microdata"])["microdata"]
    assert len(microdata(RECIPE)[0]["properties"]) == 13


@pytest.mark.parametrize("html", [SCHEMA, CRUMBS, PREFIXED])
def test_rdfa_as_extruct_finds_it(html: str) -> None:
    expected = oracle_of_rdfa(html)
    assert expected
    assert flat(json.loads(data(html).rdfa or "[]")) == expected


def test_items_that_are_properties_are_inside_their_item() -> None:
    (item,) = json.loads(data(SCHEMA).rdfa or "")
    assert item["type"] == "https://schema.org/Product"
    assert item["properties"]["https://schema.org/offers"] == {
        "type": "https://schema.org/Offer",
        "properties": {"https://schema.org/price": "3"},
    }
    (crumb,) = json.loads(data(CRUMBS).rdfa or "")
    assert (
        crumb["properties"]["http://rdf.data-vocabulary.org/#child"]["type"]
        == "http://rdf.data-vocabulary.org/#Breadcrumb"
    )


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('{"@type": "A", "x": [1, {"y": null}]}', [{"@type": "A", "x": [1, {"y": None}]}]),
        ('[{"@type": "A"}, {"@graph": []}, 3]', [{"@type": "A"}, {"@graph": []}]),
        ('<!-- {"a": 1} -->', [{"a": 1}]),
        ('//<![CDATA[\n{"a": "http://x/*y*/"}\n//]]>', [{"a": "http://x/*y*/"}]),
        ('/* c */ {"a": [1, 2,], // d\n "b": ",}",}', [{"a": [1, 2], "b": ",}"}]),
        ('{"a": "line\nend\ttab"};', [{"a": "line\nend\ttab"}]),
        ('{"a": NaN}', [{"a": None}]),
        ('{"a": "\\ud800"}', [{"a": "?"}]),
    ],
)
def test_json_ld(script: str, expected: list[Any]) -> None:
    found = data(f'<script type="Application/LD+JSON; charset=utf-8">{script}</script>')
    assert json.loads(found.jsonld or "") == expected
    assert found.structure_status is None


def test_json_ld_that_is_broken_is_said() -> None:
    for script in ("{", "{'a': 1}", '{"a": ' + "[" * 100_000, '{"a": ' + "9" * 5000 + "}"):
        found = data(
            f'<script type="application/ld+json">{script}</script><script type="application/ld+json">{{"b":1}}</script>'
        )
        assert (found.jsonld, found.structure_status) == ('[{"b":1}]', "jsonld broken")


def test_types_choose_items_wherever_they_are() -> None:
    graph = {
        "@graph": [
            {"@type": "WebPage", "main": {"@type": ["Recipe", "X"], "of": {"@type": "Recipe"}}},
            {"@type": "Person"},
        ]
    }
    html = f"<script type='application/ld+json'>{json.dumps(graph)}</script>{RECIPE}{SCHEMA}"
    found = data(html, types=("http://schema.org/recipe", "Offer"))
    assert json.loads(found.jsonld or "") == [{"@type": ["Recipe", "X"], "of": {"@type": "Recipe"}}]
    assert [item["type"] for item in json.loads(found.microdata or "")] == ["https://schema.org/Recipe"]
    assert [item["type"] for item in json.loads(found.rdfa or "")] == ["https://schema.org/Offer"]
    assert data(html, types=("Movie",)).jsonld is None


def test_values_of_meta_and_link_elements() -> None:
    found = data(
        "<base href=/b/><meta property=og:title content='T &amp; U'><meta name=OG:image content=1>"
        "<meta property=og:image content=2>"
        "<meta property=article:tag content=x><meta name=twitter:card content=summary><meta name=author content=Bo>"
        "<link rel='alternate' hreflang=DE href=de><link rel=alternate hreflang=x-default href=/>"
        "<link rel=alternate hreflang=fr>"
        "<link rel='prev foo' href='?p=1'><link rel=NEXT href='?p=3'><link rel=next href=other>"
        "<link rel=amphtml href=//amp.example>"
    )
    assert json.loads(found.opengraph or "") == {"og:title": "T & U", "og:image": ["1", "2"], "article:tag": "x"}
    assert json.loads(found.twitter or "") == {"twitter:card": "summary"}
    assert json.loads(found.hreflang or "") == {"de": "https://mill.example/b/de", "x-default": "https://mill.example/"}
    assert found.link_prev == "https://mill.example/b/?p=1"
    assert found.link_next == "https://mill.example/b/?p=3"
    assert found.link_amphtml == "https://amp.example"


def test_only_what_is_wanted_is_read() -> None:
    html = f"<meta property=og:title content=T><link rel=next href=x>{RECIPE}"
    assert data(html, wanted=("link_next",)) == StructuredData(link_next="https://mill.example/news/x")
    assert data(html, wanted=("microdata",)) == StructuredData(microdata=data(html).microdata)


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TEXT", 300)
    monkeypatch.setattr(module, "MAX_VALUE", 40)
    html = "<meta property=og:title content='" + "x" * 50 + "'>" + "".join(
        f"<meta name=twitter:{k} content=0123456789><link rel=alternate hreflang={k} href=/{k}>"
        f'<script type=application/ld+json>{{"@type": "T{k}"}}</script>'
        f"<div itemscope><b itemprop=name>{'word ' * 20}</b></div><div typeof=s:{k} prefix='s: http://s/'></div>"
        for k in range(30)
    )  # fmt: skip
    found = data(html)
    for name in ("jsonld", "opengraph", "twitter", "microdata", "rdfa", "hreflang"):
        value = getattr(found, name)
        assert json.loads(value)
        assert len(value) < 500
    assert found.structure_status == "hreflang cut, jsonld cut, microdata cut, opengraph cut, rdfa cut, twitter cut"


ROUNDS = 3000
HOSTILE = {
    "items in items": "<div itemscope itemprop=a>" * ROUNDS,
    "texts in texts": "<div itemscope>" + "<p itemprop=a>" * 400 + "<i></i>" * 20 * ROUNDS,
    "references in circles": "".join(
        f"<div itemscope id=a{k} itemref='a{k} a{k + 1} a0'><i itemprop=x></i>" for k in range(300)
    )
    + "<i></i>" * 20 * ROUNDS,
    "prefixes": "".join(f"<p prefix='p{k}: http://x/ q{k}: y' typeof=p{k}:x>" for k in range(ROUNDS)),
    "typed in typed": "<div vocab=x typeof=y property=z rel=w>" * ROUNDS,
    "comments": "<script type=application/ld+json>" + "/*" * 50 * ROUNDS + "</script>",
    "spaces": "<script type=application/ld+json>{" + " " * 100 * ROUNDS + ";</script>",
    "quotes": "<script type=application/ld+json>" + '"\\' * 50 * ROUNDS + "</script>",
    "commas": "<script type=application/ld+json>[" + ",  " * 50 * ROUNDS + "</script>",
    "scripts": "<script type=application/ld+json>[[[[" + "[" * 900 + "</script>" * 100,
    "metas": "<meta property=og:title content=x>" * ROUNDS,
    "words": " typeof" * 20 * ROUNDS + "<p itemscope itemprop='" + "a " * ROUNDS + "'>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_take_little_time_and_room(name: str) -> None:
    page = HOSTILE[name].encode()
    other = ordinary_page(len(page))
    document, other_document = thresher.parse(page), thresher.parse(other)
    found = read_structured_data(document, URL, page=page)
    assert_cheap(
        lambda: read_structured_data(document, URL, page=page),
        lambda: read_structured_data(other_document, URL, page=other),
        200,
    )
    assert found.n_bytes < 400_000


SOUP = tag_soup(
    ["x-é"],
    [" itemscope", " itemprop='a b'", " itemref='i j'", " id=i", " typeof='s:A B'", " property='s:p q'", " rel='s:r'",
     " vocab='http://v/'", " prefix='s: http://s/'", " about=x", " href='http://['", " content=é", " resource='[x]'"],
    ["word", " ", "<meta property=og:x content=y>", "<script type=application/ld+json>{", "</script>",
     "<link rel=next href=x>"],
    size=60,
)  # fmt: skip


@given(SOUP)
def test_any_page_gives_json(html: str) -> None:
    found = data(html)
    for name in ("jsonld", "opengraph", "twitter", "microdata", "rdfa", "hreflang"):
        value = getattr(found, name)
        assert value is None or json.loads(value)
    bare = read_structured_data(thresher.parse(html), None)
    assert (bare.microdata is None, bare.rdfa is None) == (found.microdata is None, found.rdfa is None)


@given(st.binary(max_size=300))
def test_any_script_gives_json_or_a_status(script: bytes) -> None:
    found = data(f"<script type=application/ld+json>{script.decode('latin-1')}</script>")
    assert found.jsonld is None or json.loads(found.jsonld)


def test_rows_have_the_columns_and_runs_without_import_nothing(tmp_path: Path) -> None:
    html = (
        f'<script type=application/ld+json>{{"@type": "Recipe"}}</script>{RECIPE}<p>{"A cake with apples. " * 30}</p>'
    )
    archive = write_archive(tmp_path / "a.warc.gz", {"http://a.example/": html.encode(), "http://b.example/": b"<p>x"})
    for name, options in (
        ("all", ["--columns", "+structure"]),
        ("some", ["--columns", "+jsonld,+microdata", "--structure-types", "Person"]),
    ):
        done = CliRunner().invoke(main, ["extract", str(archive), "-o", str(tmp_path / name), *options])
        assert done.exit_code == 0, done.output
    table = ds.dataset(sorted(tmp_path.glob("all/pages/0*.parquet"))).to_table()
    assert set(STRUCTURE) <= set(table.column_names)
    first, second = table.to_pylist()
    assert first["jsonld"] == '[{"@type":"Recipe"}]'
    assert json.loads(first["microdata"]) == json.loads(data(html, "http://a.example/").microdata or "")
    assert all(second[name] is None for name in STRUCTURE)
    some = ds.dataset(sorted(tmp_path.glob("some/pages/0*.parquet"))).to_table().to_pylist()[0]
    assert "opengraph" not in some
    assert some["jsonld"] is None
    code = (
        "import sys; from thresher.commands.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "assert 'thresher.page.structured_data' not in sys.modules"
    )
    command = [sys.executable, "-c", code, "extract", archive, "-o", tmp_path / "off", "--workers", "1"]
    subprocess.run([*map(str, command)], check=True, capture_output=True)


def own(html: str, *wanted: str) -> StructuredData:
    return read_structured_data(thresher.parse(html.encode()), URL, wanted=wanted or ("image", "tags"))


IMAGES = [
    '<meta property="og:image" content="/og.jpg">',
    (
        '<script type="application/ld+json">{"@graph": [{"@type": "Organization", "image": "/logo.png"}, '
        '{"@type": "NewsArticle", "image": [{"@type": "ImageObject", "url": "/ld.jpg"}]}]}</script>'
    ),
    '<meta name="twitter:image" content="/twitter.jpg">',
    '<link rel="image_src" href="/link.jpg">',
]


def test_the_main_picture_comes_from_the_first_place_that_has_one() -> None:
    for n, name in enumerate(("og", "ld", "twitter", "link")):
        assert own("".join(reversed(IMAGES[n:]))).image == f"https://mill.example/{name}.jpg"
    assert own("<img src=/a.jpg>").image is None
    assert own('<meta property="og:image" content="data:image/png;base64,x">' + IMAGES[3]).image.endswith("/link.jpg")
    assert own('<meta property="og:image" content=" ">').image is None


TAGS = [
    (
        '<meta property="article:tag" content="Mills"><meta property="article:tag" content="mills"><meta '
        'property="article:tag" content="Rivers">'
    ),
    '<script type="application/ld+json">{"@type": "Article", "keywords": ["a", {"name": "b"}, "c, d"]}</script>',
    '<meta name="news_keywords" content="n1; n2">',
    '<meta name="keywords" content=" k1 ,, k2 ,K1">',
]


def test_tags_come_from_the_first_place_that_has_any() -> None:
    for n, tags in enumerate((["Mills", "Rivers"], ["a", "b", "c", "d"], ["n1", "n2"], ["k1", "k2"])):
        assert json.loads(own("".join(reversed(TAGS[n:]))).tags or "") == tags
    assert own('<meta name="keywords" content=" , ">').tags is None
    assert own(f'<meta name="keywords" content="{"x" * 201}, y">').tags == '["y"]'


def test_pictures_and_tags_do_not_fill_other_columns() -> None:
    found = own("".join(IMAGES + TAGS))
    assert (found.jsonld, found.opengraph, found.twitter) == (None, None, None)
    without = own("".join(IMAGES + TAGS), "jsonld")
    assert (without.image, without.tags) == (None, None)
    broken = own('<script type="application/ld+json">{"a</script>', "image", "structure_status")
    assert broken.structure_status is None

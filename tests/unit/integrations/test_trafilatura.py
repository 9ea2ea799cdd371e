# SPDX-License-Identifier: Apache-2.0
"""Trafilatura's interface over Thresher, each row of docs/integrations/trafilatura.md against Trafilatura itself."""

import argparse
import csv
import gzip
import importlib
import inspect
import io
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from lxml import etree
from lxml import html as lxml_html
from shared_data import CHECKOUT
from small_archive import page

import thresher
from thresher.compat.trafilatura import core
from thresher.compat.trafilatura.core import OPTIONS, _seen, _seen_too_often
from thresher.compat.trafilatura.formats import written
from thresher.compat.trafilatura.pages import Document

URL = "https://www.example.org/news/story.html"
WORDS = "Paragraph {} of this article says what the {} did in the town, and why all of them came back afterwards."
ANIMALS = ("wolf", "heron", "otter", "badger")
TITLE = "Wolves: “back” # in town"
HEAD = f"""<title>{TITLE} | The Site</title><meta property="og:title" content="{TITLE}">
<meta property="og:type" content="article"><meta property="og:image" content="https://www.example.org/i.png">
<meta property="og:site_name" content="The Site"><meta name="author" content="Jane Doe">
<meta name="description" content="What the: animals did"><meta property="article:published_time" content="2024-03-05">
<meta property="article:tag" content="wolves"><meta name="keywords" content="town, animals">
<meta property="article:section" content="News"><link rel="canonical" href="{URL}">
"""
TEXT = "".join(f"<p>{WORDS.format(number, animal)}</p>" for number, animal in enumerate(ANIMALS))
BODY = f"""<nav><a href="/">Home</a></nav><article><h1>{TITLE}</h1>{TEXT}
<p>There is <b>bold</b> text beside <a href="https://www.example.org/x">a link</a> in this one, and more of it.</p>
<table><tr><th>name<th>size<tr><td>cell words<td>12</table><p><img src="https://www.example.org/pic.png" alt="pic"></p>
<ul><li>first item of the list</li><li>second item of the list</li></ul><p>So it ends: with <code>a_b</code>.</p></article>
<footer><p>Licensed <a rel="license" href="https://creativecommons.org/licenses/by-sa/4.0/">CC</a></p></footer>"""


def html(head: str = HEAD, body: str = BODY) -> str:
    return f'<html lang="en"><head>{head}</head><body>{body}</body></html>'


PAGE = html()


def loaded(package: str) -> SimpleNamespace:
    """The functions of a package, and its modules for settings and the command line."""
    whole = importlib.import_module(package)
    modules = {name: importlib.import_module(f"{package}.{name}") for name in ("settings", "cli")}
    return SimpleNamespace(**{name: getattr(whole, name) for name in (*FUNCTIONS, *OTHERS)}, **modules)


FUNCTIONS = ("extract", "bare_extraction")
OTHERS = ("extract_metadata", "baseline", "html2txt")
THEIRS = loaded("trafilatura")
OURS = loaded("thresher.compat.trafilatura")


def fresh_memory() -> None:
    """Forgets the texts that were seen."""
    _seen.clear()
    importlib.import_module("trafilatura.meta").reset_caches()


@pytest.fixture(autouse=True)
def fresh():
    """Forgets the texts that were seen, and Trafilatura's warnings of arguments that it will drop."""
    fresh_memory()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


# --- names ---


def test_a_name_that_is_not_there_is_one_clear_error() -> None:
    package = importlib.import_module("thresher.compat.trafilatura")
    for name in ("fetch_url", "extract_with_metadata", "feeds", "no_such_name"):
        with pytest.raises(AttributeError, match=f"has no {name}; it has bare_extraction, .*thresher extract"):
            getattr(package, name)
        assert not hasattr(package, name)
    with pytest.raises(ImportError, match="fetch_url"):
        from thresher.compat.trafilatura import fetch_url  # noqa: F401
    for function in FUNCTIONS:
        with pytest.raises(TypeError, match="no option 'favour_recall'; did you mean 'favor_recall'"):
            getattr(OURS, function)(PAGE, favour_recall=True)
        with pytest.raises(TypeError, match=r"no option 'qqqqqq'\.$"):
            getattr(OURS, function)(PAGE, qqqqqq=True)


@pytest.mark.parametrize("name", OTHERS)
def test_arguments_have_the_same_names_places_and_defaults(name: str) -> None:
    ours, theirs = (inspect.signature(getattr(module, name)).parameters for module in (OURS, THEIRS))
    assert [(each.name, each.default, each.kind) for each in ours.values()] == [
        (each.name, each.default, each.kind) for each in theirs.values()
    ]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_options_have_the_same_names_and_defaults(name: str) -> None:
    theirs = inspect.signature(getattr(THEIRS, name)).parameters
    ours = inspect.signature(getattr(OURS, name)).parameters
    for each, parameter in theirs.items():
        if each not in ("config", "options", "tei_validation"):
            default = ours[each].default if each in ours else OPTIONS[each]
            assert default == (inspect.Parameter.empty if each == "filecontent" else parameter.default), each


# --- tables of the documentation ---


def tables() -> dict[str, dict[str, str]]:
    """The rows of each section of the documentation: what it says of each option."""
    found: dict[str, dict[str, str]] = {}
    for line in (CHECKOUT / "docs/integrations/trafilatura.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            section = found.setdefault(line[3:], {})
        elif row := re.match(r"\| (`.+?) \| (same|differs|ignored|refused) \|", line):
            names = row[1].replace("`", "").split(", ")
            assert section.keys().isdisjoint(names)
            section.update(dict.fromkeys(names, row[2]))
    return found


TABLES = tables()
EXTRACTION = TABLES["extract, bare_extraction"]


def test_the_tables_have_every_option() -> None:
    parameters = {each for name in FUNCTIONS for each in inspect.signature(getattr(THEIRS, name)).parameters}
    assert set(EXTRACTION) == parameters | {"with_metadata of bare_extraction"}
    expected = {f"{each} of {name}" for name in OTHERS for each in inspect.signature(getattr(THEIRS, name)).parameters}
    assert set(TABLES["The other functions"]) == expected
    assert set(TABLES["JSON"]) == set(json.loads(THEIRS.extract(PAGE, output_format="json", with_metadata=True)))
    assert set(TABLES["Settings"]) < {name.upper() for name in THEIRS.settings.DEFAULT_CONFIG.defaults()}
    actions = THEIRS.cli.add_args(argparse.ArgumentParser())._actions
    assert set(TABLES["The command line"]) == {action.option_strings[-1] for action in actions}


COMMENTS = html(
    "<title>T</title>",
    f'<article><h1>Title</h1>{TEXT}</article><div id="comments" class="comments">'
    '<div class="comment"><p>First comment by a reader, who liked the article a lot.</p></div></div>',
)
GREEK = html(
    "", "".join(f"<p>Αυτή είναι η παράγραφος {k} ενός κειμένου που μιλάει για τα ζώα της πόλης.</p>" for k in range(9))
)
UNDATED = html("<title>T</title>", f"<h1>T</h1>{TEXT}")
HIDDEN = html("", f"<p hidden>secret words</p>{TEXT}<script>code_in_script()</script>")
CHANGED = PAGE.replace("<title>", '<meta property="article:modified_time" content="2024-04-06"><title>')


def pages_with_a_paragraph(shared: str) -> list[str]:
    """Five pages that have a paragraph in common."""
    return [
        html(f"<title>{k}</title>", f"<h1>Page {k}</h1>" + TEXT.replace("Paragraph", f"Part {k}") + f"<p>{shared}</p>")
        for k in range(5)
    ]


def settings_file(folder: Path, **values: object) -> str:
    (folder / "settings.cfg").write_text("[DEFAULT]\n" + "".join(f"{name} = {each}\n" for name, each in values.items()))
    return str(folder / "settings.cfg")


def fields(text: str) -> dict:
    """The front matter of a text."""
    return yaml.safe_load(text.partition("\n---\n")[0])


def facts_of(form: str, text: str) -> object:
    """What every extractor must agree on in a text of this format."""
    if form == "json":
        return set(json.loads(text))
    if form == "csv":
        (row,) = csv.reader(io.StringIO(text), delimiter="\t")
        return len(row), [each for number, each in enumerate(row) if number not in (2, 7)]
    if form in ("xml", "html"):
        root = etree.fromstring(text, etree.HTMLParser() if form == "html" else None)
        names = [str(element.tag).split("}")[-1] for element in root.iter() if isinstance(element.tag, str)]
        return (
            root.tag,
            [each.get("name") for each in root.iter("meta")][:2],
            set(names) & {"head", "p", "main", "item"},
        )
    return all(WORDS.format(number, animal) in text for number, animal in enumerate(ANIMALS))


def marks(module: SimpleNamespace, mark: str, **options: object) -> list[bool]:
    """In which formats a mark stands."""
    forms = ("txt", "markdown", "json", "csv", "html", "xml")
    return [mark in module.extract(PAGE, URL, output_format=form, **options) for form in forms]


def error_of(call) -> type:
    try:
        call()
    except Exception as error:  # noqa: BLE001 (any)
        return type(error)
    return type(None)


def metadata_of(module: SimpleNamespace, **options: object) -> dict:
    return module.bare_extraction(PAGE, URL, with_metadata=True, **options).as_dict()


PROBES = {
    "filecontent": lambda m, _: [
        bool(m.extract(each))
        for each in (
            PAGE, PAGE.encode(), lxml_html.fromstring(PAGE), SimpleNamespace(data=PAGE.encode()),
            gzip.compress(PAGE.encode()), None, "", b"", 5,
        )
    ],
    "url": lambda m, _: [
        metadata_of(m)["url"],
        m.bare_extraction(UNDATED, URL, with_metadata=True).url,
        "(https://www.example.org/y)" in m.extract(html(body=f"<p>He wrote <a href=/y>more words</a> about the river than anybody.</p>{TEXT}"),
                                                        URL, include_links=True, output_format="markdown"),
    ],
    "record_id": lambda m, _: json.loads(m.extract(PAGE, record_id="7", output_format="json", with_metadata=True))["id"],
    "favor_precision": lambda m, _: m.extract(page(3).decode(), favor_precision=True),
    "favor_recall": lambda m, _: m.extract(page(3).decode(), favor_recall=True),
    "include_comments": lambda m, _: [
        bool(json.loads(m.extract(COMMENTS, include_comments=each, output_format="json"))["comments"])
        for each in (True, False)
    ],
    "output_format": lambda m, _: [
        *(facts_of(form, m.extract(PAGE, URL, output_format=form, with_metadata=True))
          for form in ("txt", "markdown", "json", "csv", "xml", "html")),
        error_of(lambda: m.extract(PAGE, output_format="pdf")),
        error_of(lambda: m.extract(PAGE, output_format="xmltei")),
        error_of(lambda: m.extract(PAGE, output_format="python")),
        type(m.bare_extraction(PAGE, output_format="python")).__name__,
    ],
    "target_language": lambda m, _: [bool(m.extract(each, target_language=code)) for each in (PAGE, GREEK)
                                     for code in ("en", "el", None)],
    "include_tables": lambda m, _: [marks(m, "cell words", include_tables=each) for each in (True, False)],
    "include_images": lambda m, _: [marks(m, "https://www.example.org/pic.png", include_images=each)
                                    for each in (True, False)],
    "include_formatting": lambda m, _: [
        *(marks(m, "**bold**", include_formatting=each)[:4] for each in (True, False, None)),
        *("bold</hi>" in m.extract(PAGE, output_format="xml", include_formatting=each) for each in (True, False, None)),
        *("<strong>bold</strong>" in m.extract(PAGE, output_format="html", include_formatting=each)
          for each in (True, False, None)),
    ],
    "include_links": lambda m, _: [marks(m, "https://www.example.org/x", include_links=each) for each in (True, False)],
    "deduplicate": lambda m, _: [
        [bool(m.extract(PAGE, deduplicate=True)) for _ in range(5)],
        ["shared by all" in m.extract(each, deduplicate=True)
         for each in pages_with_a_paragraph("This paragraph is shared by all of the pages of this site. " * 3)],
    ],
    "date_extraction_params": lambda m, _: metadata_of(m, date_extraction_params={"extensive_search": False, "url": URL}),
    "with_metadata": lambda m, _: [
        sorted(fields(m.extract(PAGE, with_metadata=True)).keys() ^ {"license"} - {"license"}),
        {name: value for name, value in fields(m.extract(PAGE, with_metadata=True)).items()
         if name not in ("fingerprint", "license")},
        m.extract(PAGE).startswith("---"),
        set(json.loads(m.extract(PAGE, output_format="json"))),
    ],
    "with_metadata of bare_extraction": lambda m, _: [m.bare_extraction(PAGE, with_metadata=each).title
                                                      for each in (True, False)],
    "only_with_metadata": lambda m, _: [bool(m.extract(each, only_with_metadata=True)) for each in (PAGE, UNDATED)],
    "max_tree_size": lambda m, _: error_of(lambda: m.extract(PAGE, max_tree_size=5)),
    "url_blacklist": lambda m, _: [bool(m.extract(PAGE, url_blacklist={each})) for each in (URL, "https://x.example/")],
    "author_blacklist": lambda m, _: [metadata_of(m, author_blacklist={each})["author"] for each in ("jane doe", "x")],
    "as_dict": lambda m, _: set(m.bare_extraction(PAGE, as_dict=True)),
    "settingsfile": lambda m, path: [
        bool(m.extract(PAGE, settingsfile=settings_file(path, MIN_OUTPUT_SIZE=size))) for size in (10, 10**6)
    ] + [error_of(lambda: m.extract(PAGE, settingsfile="/missing"))],
    "prune_xpath": lambda m, _: [
        [mark in m.extract(PAGE, prune_xpath=each) for mark in ("wolf did", "cell words", "first item")]
        for each in ("//table", ["//table", "//ul"])
    ],
    "config": lambda m, path: [
        bool(m.extract(PAGE, config=m.settings.use_config(settings_file(path, MIN_OUTPUT_SIZE=size))))
        for size in (10, 10**6)
    ],
}  # fmt: skip
# What the arguments of an option that is ignored are.
IGNORED = {"fast": {"fast": True}, "no_fallback": {"no_fallback": True}}


@pytest.mark.parametrize("option", EXTRACTION)
def test_what_the_documentation_says_of_an_option_is_so(option: str, tmp_path: Path) -> None:
    claim = EXTRACTION[option]
    if claim == "refused":
        with pytest.raises(TypeError, match=f"no option '{option}'"):
            OURS.extract(PAGE, **{option: None})
        return
    if claim == "ignored":
        assert THEIRS.extract(PAGE, **IGNORED[option])
        with pytest.warns(UserWarning, match=f"ignores {option}") as caught:
            assert OURS.extract(PAGE, **IGNORED[option]) == OURS.extract(PAGE)
        assert [each.filename for each in caught] == [__file__]
        with pytest.warns(UserWarning, match=f"ignores {option}") as caught:
            OURS.bare_extraction(PAGE, **IGNORED[option])
        assert [each.filename for each in caught] == [__file__]
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        ours, theirs = PROBES[option](OURS, tmp_path), PROBES[option](THEIRS, tmp_path)
    assert claim == ("same" if ours == theirs else "differs"), (ours, theirs)


def test_modes_are_thresher_s() -> None:
    for name in ("precision", "recall"):
        assert OURS.extract(PAGE, **{f"favor_{name}": True}) == thresher.extract(PAGE, mode=name).text
    said = "<p>I saw it at the river in May, and it looked at me for a long time before it went away into the wood."
    thread = html("", f"<div class=post><b>Ann</b>{TEXT}</div>" + f"<div class=comment><b>Ben</b>{said}</div>" * 4)
    kept, dropped = (thresher.extract(thread, comments=each).text for each in ("auto", "drop"))
    assert kept != dropped
    assert [OURS.extract(thread, include_comments=each) for each in (True, False)] == [kept, dropped]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"original_date": True, "outputformat": "%d/%m/%Y"}, "05/03/2024"),
        ({"original_date": True, "max_date": "2023-01-01"}, None),
        ({"original_date": True, "min_date": "2025-01-01"}, None),
        ({"original_date": True, "min_date": "2024-01-01"}, "2024-03-05"),
        ({"original_date": False}, "2024-04-06"),
        ({"outputformat": "%Y"}, "2024"),
    ],
)
def test_parameters_of_dates(parameters: dict, expected: str | None) -> None:
    ours = OURS.bare_extraction(CHANGED, with_metadata=True, date_extraction_params=parameters).date
    assert ours == expected
    if parameters != {"original_date": False}:  # htmldate finds the day of the change only in some elements
        assert THEIRS.bare_extraction(CHANGED, with_metadata=True, date_extraction_params=parameters).date == expected


def test_parameters_of_dates_that_are_not_used_are_named() -> None:
    with pytest.warns(UserWarning, match="ignores extensive_search") as caught:
        OURS.extract(PAGE, date_extraction_params={"extensive_search": False})
    assert [each.filename for each in caught] == [__file__]
    with pytest.raises(TypeError, match="unexpected parameter 'max_dat'"):
        OURS.extract(PAGE, date_extraction_params={"max_dat": "2024-01-01"})


OTHER_PROBES = {
    "filecontent of extract_metadata": lambda m: [
        *({name: getattr(m.extract_metadata(each), name) for name in ("title", "author", "date", "url", "tags")}
          for each in (PAGE, PAGE.encode(), lxml_html.fromstring(PAGE))),
        m.extract_metadata("").title,
        error_of(lambda: m.extract_metadata(5)),
    ],
    "default_url of extract_metadata": lambda m: [m.extract_metadata(each, default_url="https://www.example.com/z").url
                                                  for each in (PAGE, UNDATED)],
    "date_config of extract_metadata": lambda m: error_of(
        lambda: m.extract_metadata(PAGE, date_config={"max_date": "no date"})
    ),
    "author_blacklist of extract_metadata": lambda m: m.extract_metadata(PAGE, author_blacklist={"Jane Doe"}).author,
    "filecontent of baseline": lambda m: [child.tag for child in m.baseline(COMMENTS + "<p>x</p>" * 3)[0]],
    "content of html2txt": lambda m: "secret words" in m.html2txt(HIDDEN),
    "clean of html2txt": lambda m: "code_in_script" in m.html2txt(HIDDEN, clean=False),
}  # fmt: skip


@pytest.mark.parametrize("row", TABLES["The other functions"])
def test_what_the_documentation_says_of_another_function_is_so(row: str) -> None:
    claim = TABLES["The other functions"][row]
    if claim == "ignored":
        with pytest.warns(UserWarning, match="ignores extensive"):
            found = OURS.extract_metadata(PAGE, extensive=False)
        assert found.date == OURS.extract_metadata(PAGE).date == "2024-03-05"
    else:
        ours, theirs = OTHER_PROBES[row](OURS), OTHER_PROBES[row](THEIRS)
        assert claim == ("same" if ours == theirs else "differs"), (ours, theirs)


def test_rough_functions_return_what_theirs_do() -> None:
    for module in (OURS, THEIRS):
        body, text, length = module.baseline(COMMENTS)
        assert body.tag == "body"
        assert len(text) == length
        assert all(WORDS.format(number, animal) in text for number, animal in enumerate(ANIMALS))
        assert module.baseline("")[1:] == ("", 0)
        assert module.html2txt("") == ""
        assert WORDS.format(0, "wolf") in module.html2txt(lxml_html.fromstring(HIDDEN))
        assert error_of(lambda m=module: m.html2txt(5)) is error_of(lambda m=module: m.baseline(None)) is TypeError
    assert "secret words" in OURS.html2txt(HIDDEN, clean=False)


@pytest.mark.parametrize("key", TABLES["JSON"])
def test_what_the_documentation_says_of_a_key_is_so(key: str) -> None:
    licensed = PAGE.replace('rel="license" href="https://creativecommons.org/licenses/by-sa/4.0/"', "")
    licensed = licensed.replace(
        "<title>", '<link rel="license" href="https://www.apache.org/licenses/LICENSE-2.0"><title>'
    )
    pages = {
        "hostname": [html(HEAD.replace(URL, "https://www2.foo.de/a"))],
        "license": [PAGE, licensed],
        "comments": [COMMENTS],
        "pagetype": [
            html(
                HEAD.replace("og:type", "og:typ"),
                BODY + '<script type="application/ld+json">{"@type":"Recipe"}</script>',
            )
        ],
    }
    ours, theirs = (
        [
            json.loads(module.extract(each, output_format="json", with_metadata=True))[key]
            for each in pages.get(key, [PAGE])
        ]
        for module in (OURS, THEIRS)
    )
    assert TABLES["JSON"][key] == ("same" if ours == theirs else "differs"), (ours, theirs)
    if key == "license":
        assert ours == ["CC BY-SA 4.0", "Apache-2.0"]
        assert theirs[0] == ours[0]
    if key == "language":
        assert ours == ["en"]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        (URL, "example.org"), ("https://blog.example.org/", "example.org"), ("https://www.bbc.co.uk/x", "bbc.co.uk"),
        ("https://www.sueddeutsche.de:8080/a", "sueddeutsche.de"), ("http://192.168.0.1/x", "192.168.0.1"),
    ],
)  # fmt: skip
def test_names_of_hosts_are_theirs(url: str, host: str) -> None:
    assert [module.extract_metadata(UNDATED, url).hostname for module in (OURS, THEIRS)] == [host, host]


SETTINGS = {"MIN_OUTPUT_SIZE": 10**6, "MAX_TREE_SIZE": 3, "MIN_DUPLCHECK_SIZE": 10**6, "MAX_REPETITIONS": 10}


@pytest.mark.parametrize("name", TABLES["Settings"])
def test_what_the_documentation_says_of_a_setting_is_so(name: str, tmp_path: Path) -> None:
    assert OURS.settings.use_config().get("DEFAULT", name) == THEIRS.settings.use_config().get("DEFAULT", name)
    value = SETTINGS.get(name, 1)
    seen = []
    for module in (OURS, THEIRS):
        config = module.settings.use_config(settings_file(tmp_path, **{name: value}))
        fresh_memory()
        seen.append([bool(module.extract(PAGE, config=config, deduplicate=True)) for _ in range(5)])
    fresh_memory()
    usual = [bool(OURS.extract(PAGE, deduplicate=True)) for _ in range(5)]
    assert usual == [True] * 3 + [False] * 2
    assert seen[0] == seen[1] != usual


def test_of_more_texts_than_are_remembered_the_last_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "_MOST_SEEN", 1)
    texts = ["a" * 200, *["b" * 200] * 4]
    assert [_seen_too_often(text, core.DEFAULT_CONFIG) for text in texts] == [False] * 4 + [True]


# --- values ---


@pytest.mark.parametrize(
    "title",
    [
        "Wolves: back", "# no comment", "yes", "null", "- item", "'quoted'", '"quoted"', "a #b", "{a: b}", "[x]", "1.5",
        "2024-03-05", "back\\slash", "trailing:", "@x", "%x", "&a *b", "|", "> x", "tab\there", "é: ü", "Page 1", "x\x7fy",
        "a\x85b", "line\u2028break", "😀: smile", "https://x.example/", "~", "=", "<<", "!tag", "`x`", "No", "e1: x", "a, b",
    ],
)  # fmt: skip
def test_front_matter_is_yaml_whatever_a_title_holds(title: str) -> None:
    document = Document(title=title, tags=[title, "other"], text="text")
    assert fields(written(document, "txt", "", with_metadata=True)) == {"title": title, "tags": [title, "other"]}


def test_fingerprints_are_equal_where_title_and_words_are() -> None:
    one, same, other = (
        json.loads(OURS.extract(each, output_format="json", with_metadata=True))
        for each in (PAGE, PAGE.replace("</p><p>", "</p> \n<p>"), PAGE.replace("wolf", "fox"))
    )
    assert one["fingerprint"] == same["fingerprint"] != other["fingerprint"]


def test_xml_has_the_elements_that_theirs_has() -> None:
    options = {"output_format": "xml", "include_links": True, "include_images": True, "include_formatting": True}
    trees = [etree.fromstring(module.extract(PAGE, URL, **options)) for module in (OURS, THEIRS)]
    for path in ("main/table/row/cell[@role='head']", "main/list[@rend='ul']/item", ".//ref[@target]", ".//p/code",
                 ".//hi[@rend='#b']", ".//graphic[@src][@alt]", "main/head[@rend='h1']", "comments"):  # fmt: skip
        ours, theirs = ([" ".join(each.itertext()) for each in tree.findall(path)] for tree in trees)
        assert ours == theirs != [], path


def test_the_standard_library_writes_the_same_xml_where_lxml_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    forms = ("xml", "json", "csv", "html", "markdown", "txt")
    options = {"include_links": True, "include_images": True, "with_metadata": True}
    expected = [OURS.extract(PAGE, URL, output_format=form, **options) for form in forms]
    for name in [name for name in sys.modules if name.partition(".")[0] == "lxml"]:
        monkeypatch.setitem(sys.modules, name, None)
    found = [OURS.extract(PAGE, URL, output_format=form, **options) for form in forms]
    for ours, before, form in zip(found, expected, forms, strict=True):
        assert ours.replace(" />", "/>") == before, form
    assert type(OURS.bare_extraction(PAGE).body).__module__ == "xml.etree.ElementTree"
    assert OURS.extract(OURS.bare_extraction(PAGE).body) is not None
    with pytest.raises(NotImplementedError, match="pip install lxml"):
        OURS.extract(PAGE, prune_xpath="//p")


HOSTILE = {
    "control characters": f"{TEXT}<p title='\x01'>a\x00b\x01c\x0b ]]> &#1;&#x1f;\ufffe <a href='\x02x'>d\x03</a></p>",
    "surrogates": f"{TEXT}<p>a\ud800b</p>",
    "nested lists": "<ul><li>x " * 2000 + TEXT,
    "nested quotations": "<blockquote>" * 2000 + TEXT,
    "nested emphasis": f"{TEXT}<p>" + "<b><i>" * 1000 + "deep",
    "nested tables": TEXT + "<table><tr><td>a " * 300,
    "loose parts": f"<li>a<td>b<dd>c<tr>d<caption>e</caption><option>f{TEXT}<ul>x<b>y</b><ol>z",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_give_well_formed_output_of_every_format(name: str) -> None:
    head = "<title>a\x01b: \x0b</title><meta name=keywords content='\x02 x'><meta name=author content='A\x1fB C'>"
    options = {"include_links": True, "include_images": True, "include_formatting": True, "with_metadata": True}
    found = {
        form: OURS.extract(html(head, HOSTILE[name]), URL, output_format=form, **options)
        for form in ("txt", "markdown", "html", "json", "csv", "xml")
    }
    assert all("otter" in text for text in found.values())
    assert etree.fromstring(found["xml"], etree.XMLParser(huge_tree=True)).tag == "doc"
    assert json.loads(found["json"])["source"] == URL
    assert fields(found["txt"])["url"] == URL
    assert len(next(csv.reader(io.StringIO(found["csv"]), delimiter="\t"))) == 11


def test_trees_stay_as_they_are() -> None:
    tree = lxml_html.fromstring(PAGE)
    before = etree.tostring(tree)
    assert OURS.extract(tree, prune_xpath="//p[1]") != OURS.extract(tree) == OURS.extract(PAGE)
    OURS.baseline(tree)
    assert etree.tostring(tree) == before


# --- the command line ---


def run(module: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, capsys, *arguments: str, page: str = PAGE):
    """(exit status, output) of a command line that reads a page."""
    monkeypatch.setattr(sys, "argv", ["trafilatura", *map(str, arguments)])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(page.encode())))
    status = 0
    try:
        module.cli.main()
    except SystemExit as end:
        status = end.code or 0
    return status, capsys.readouterr()


def files_in(folder: Path) -> list[tuple[str, bool]]:
    """The ending of each file below a folder, and whether it has the text."""
    return sorted((path.suffix, "wolf did" in path.read_text("utf-8")) for path in folder.rglob("*") if path.is_file())


FORMATS = ("csv", "html", "json", "markdown", "xml")
COMMANDS = {
    "--formatting": (["--formatting"], lambda out: "**bold**" in out),
    "--links": (["--links"], lambda out: "(https://www.example.org/x)" in out),
    "--images": (["--images"], lambda out: "https://www.example.org/pic.png" in out),
    "--no-comments": (["--no-comments"], lambda out: ("wolf did" in out, "comment by" in out)),
    "--no-tables": (["--no-tables"], lambda out: ("wolf did" in out, "cell words" in out)),
    "--only-with-metadata": (["--only-with-metadata"], lambda out: fields(out)["title"]),
    "--with-metadata": (["--with-metadata"], lambda out: fields(out)["title"]),
    "--target-language": (["--target-language", "el"], lambda out: out),
    "--output-format": (["--output-format", "json"], lambda out: facts_of("json", out)),
    "--verbose": (["-vv"], lambda out: "wolf did" in out),
    "--help": (["--help"], lambda out: "--with-metadata" in out),
    "--version": (["--version"], lambda out: out),
    "--precision": (["--precision"], lambda out: out),
    "--recall": (["--recall"], lambda out: out),
} | {f"--{form}": ([f"--{form}"], lambda out, form=form: facts_of(form, out.strip())) for form in FORMATS}


@pytest.mark.parametrize("option", TABLES["The command line"])
def test_what_the_documentation_says_of_the_command_line_is_so(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    claim = TABLES["The command line"][option]
    if claim == "refused":
        status, captured = run(OURS, monkeypatch, capsys, option)
        assert (status, captured.out) == (2, "")
        why = "TEI is not written; use --xml" if "tei" in option else "pages are neither looked for nor fetched here"
        assert f"{option}: {why}" in captured.err
        return
    if claim == "ignored":
        arguments = [option, "2"] if option == "--parallel" else [option]
        assert run(OURS, monkeypatch, capsys, *arguments) == run(OURS, monkeypatch, capsys)
        assert run(THEIRS, monkeypatch, capsys, *arguments)[0] == 0
        return
    seen = []
    for module in (OURS, THEIRS):
        folder = tmp_path / module.cli.__name__
        folder.mkdir()
        monkeypatch.chdir(folder)
        (folder / "in" / "sub").mkdir(parents=True)
        for name in ("a.html", "sub/b.html"):
            other = {
                "a.html": PAGE,
                "sub/b.html": html(body=f"<h1>Other</h1>{TEXT}<p>Elephants swam through rivers.</p>"),
            }
            (folder / "in" / name).write_text(other[name], "utf-8")
        if option in ("--input-dir", "--output-dir", "--keep-dirs", "--deduplicate"):
            more = {"--keep-dirs": ["--keep-dirs"], "--deduplicate": ["--deduplicate", "--parallel", "1"]}.get(
                option, []
            )
            if option == "--deduplicate":
                shared = "This paragraph is shared by all of the pages of this site. " * 3
                for k, text in enumerate(pages_with_a_paragraph(shared)):
                    (folder / "in" / f"{k}.html").write_text(text.replace("Part", ANIMALS[k % 4] * (k + 1)), "utf-8")
            status, _ = run(module, monkeypatch, capsys, "--input-dir", "in", "-o", "out", *more)
            out = files_in(folder / "out")
            if option == "--keep-dirs":
                out += [str(path.relative_to(folder / "out")) for path in sorted((folder / "out").rglob("*.txt"))]
            if option == "--deduplicate":
                out = sum("shared by all" in path.read_text("utf-8") for path in (folder / "out").rglob("*.txt"))
            seen.append((status, out))
        elif option == "--config-file":
            config = settings_file(tmp_path, MIN_OUTPUT_SIZE=10**6)
            seen.append([run(module, monkeypatch, capsys, *each)[1].out != "" for each in ([], [option, config])])
        else:
            arguments, look = COMMANDS[option]
            text = COMMENTS if option == "--no-comments" else PAGE
            status, captured = run(module, monkeypatch, capsys, *arguments, page=text)
            seen.append((status, look(captured.out)))
    assert claim == ("same" if seen[0] == seen[1] else "differs"), seen
    capsys.readouterr()


def test_a_reader_that_has_had_enough_ends_the_command_line_without_a_word(tmp_path: Path) -> None:
    for number in range(50):
        (tmp_path / f"{number}.html").write_text(PAGE.replace("wolf", "wolf " * 1000))
    command = [sys.executable, "-m", "thresher.compat.trafilatura.cli", "--input-dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141  # as SIGPIPE would end it


def test_the_command_line_runs_as_a_module() -> None:

    command = [sys.executable, "-m", "thresher.compat.trafilatura.cli", "--json"]
    done = subprocess.run(command, input=PAGE.encode(), capture_output=True, check=True)
    assert "wolf did" in json.loads(done.stdout)["text"]
    done = subprocess.run([*command, "--keep-dirs"], input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert b"--keep-dirs needs" in done.stderr

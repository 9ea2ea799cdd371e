# SPDX-License-Identifier: Apache-2.0
"""The other systems that we compare with: small adapters for text, for facts, and for text as WebMainBench has it.

To add a peer, write its adapter here under `@_peer(...)` and list its packages in the extra `peers` of pyproject.toml.
Nothing else has to change.

An adapter gets the decoded page and its labelled language (ISO 639-1 or None). Every system runs with its own defaults
for body text. What gold texts leave out by convention (comments, alternative texts of images, bullets, links) is
switched off where the system has a switch for it. Nothing is tuned to a set. `settings` states what differs from the
defaults.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Literal

Extract = Callable[[str, str | None], str]
"""From a page and its language to its text."""
Convert = Callable[[str], str]
ReadFacts = Callable[[bytes, str | None], Mapping[str, str]]
"""From a page in UTF-8 and its address to its facts, by the names of facts.FIELDS."""

Mode = Literal["Html+MD", "MD", "TEXT"]
MODES: Final[tuple[Mode, ...]] = ("Html+MD", "MD", "TEXT")
"""How a system's output becomes text in WebMainBench: its HTML through html2text, its own Markdown, its plain text."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another system: what to install, how it is set, and how to load it."""

    name: str  # on the command line
    packages: tuple[str, ...]  # distributions that the adapter calls, the system's own first
    settings: str  # for the report
    load: Callable[[], Extract]  # imports the system and returns the function that extracts

    def version(self) -> str | None:
        """The installed version and a hash, or None if a package is missing; cached results are found by it.

        The hash covers the versions of all packages and this file, so edited adapters run again.
        """
        try:
            versions = [metadata.version(package) for package in self.packages]
        except metadata.PackageNotFoundError:
            return None
        digest = hashlib.sha256("\0".join([*versions, _adapters()]).encode()).hexdigest()
        return f"{versions[0]}+{digest[:8]}"


@cache
def _adapters() -> str:
    return Path(__file__).read_text(encoding="utf-8")


PEERS: dict[str, Peer] = {}
"""Every peer by its name, in the order of the command line's help."""


def _peer(name: str, *packages: str, settings: str) -> Callable[[Callable[[], Extract]], Callable[[], Extract]]:
    """Registers the decorated loader; without `packages` the distribution has the peer's name."""

    def register(load: Callable[[], Extract]) -> Callable[[], Extract]:
        PEERS[name] = Peer(name, packages or (name,), settings, load)
        return load

    return register


@_peer("resiliparse", settings="main_content; alt texts, list bullets, links and comments off")
def _resiliparse() -> Extract:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    return lambda html, _language: str(
        extract_plain_text(
            HTMLTree.parse(html), main_content=True, alt_texts=False, list_bullets=False, links=False, comments=False
        )
    )


@_peer("trafilatura", settings="comments off, plain text; fallbacks on, as by default")
def _trafilatura() -> Extract:
    import trafilatura

    return lambda html, _language: trafilatura.extract(html, include_comments=False, include_formatting=False) or ""


@_peer("readability", "readability-lxml", "inscriptis", settings="summary() rendered as text by inscriptis")
def _readability() -> Extract:
    import readability
    from inscriptis import get_text

    return lambda html, _language: str(get_text(readability.Document(html).summary(html_partial=True)))


# jusText's stop lists by ISO 639-1 code. A page of unknown language gets English. A language without a list gets the
# language-independent mode of jusText's documentation: no stop words, both thresholds 0.
_JUSTEXT_LISTS = {
    None: "English",
    "ar": "Arabic",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ko": "Korean",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
}


@_peer("justext", settings="stop list of the labelled language; English if unknown, none if jusText has no list")
def _justext() -> Extract:
    import justext

    stop_lists = {language: justext.get_stoplist(name) for language, name in _JUSTEXT_LISTS.items()}

    def extract(html: str, language: str | None) -> str:
        stop_list = stop_lists.get(language)
        page = html.encode("utf-8", "replace")
        if stop_list is None:
            paragraphs = justext.justext(page, frozenset(), encoding="utf-8", stopwords_low=0.0, stopwords_high=0.0)
        else:
            paragraphs = justext.justext(page, stop_list, encoding="utf-8")
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return extract


@_peer("boilerpy3", settings="ArticleExtractor; html and body tags added where the page has none")
def _boilerpy3() -> Extract:
    import re

    from boilerpy3 import extractors

    extractor = extractors.ArticleExtractor()
    body = re.compile(r"<body[\s>/]", re.IGNORECASE)

    # This port only collects text inside a body tag. The Java original implies the tag where a page lacks it.
    return lambda html, _language: str(
        extractor.get_content(html if body.search(html) else f"<html><body>{html}</body></html>")
    )


@_peer("goose3", settings="defaults, no images")
def _goose3() -> Extract:
    from goose3 import Goose

    goose = Goose({"enable_image_fetching": False})

    return lambda html, _language: str(goose.extract(raw_html=html).cleaned_text or "")


@_peer("newspaper4k", settings="defaults, no images")
def _newspaper4k() -> Extract:
    from newspaper import Article

    def extract(html: str, _language: str | None) -> str:
        article = Article("http://localhost/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return str(article.text or "")

    return extract


@_peer("turbohtml", settings="main_text() of the parsed page: main_content() as text, one block per line")
def _turbohtml() -> Extract:
    import turbohtml

    return lambda html, _language: str(turbohtml.parse(html).main_text())


# --- text as WebMainBench measures it: systems are called as its baselines call them ---


def html_to_markdown(html: str, url: str = "") -> str:
    """Markdown of HTML by html2text, with the benchmark's settings; `url` is the base of relative addresses."""
    from html2text import HTML2Text

    converter = HTML2Text(bodywidth=0, baseurl=url)
    converter.ignore_links = True
    converter.ignore_images = True
    return str(converter.handle(html))


def _trafilatura_as(form: str) -> Callable[[], Convert]:
    def load() -> Convert:
        from trafilatura import extract
        from trafilatura.settings import Extractor

        options = Extractor(output_format=form)

        def convert(html: str) -> str:
            found = extract(html, options=options) or ""
            return html_to_markdown(found) if form == "html" else found

        return convert

    return load


def _readability_as_html() -> Convert:
    from readability import Document

    return lambda html: html_to_markdown(str(Document(html).summary()))


def _resiliparse_as_text() -> Convert:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html: str(extract_plain_text(html, main_content=True, alt_texts=False, links=False, comments=False))


CONVERTED_PEERS: Final[dict[str, tuple[str, dict[Mode, Callable[[], Convert]]]]] = {
    "trafilatura": (
        "trafilatura",
        {"Html+MD": _trafilatura_as("html"), "MD": _trafilatura_as("markdown"), "TEXT": _trafilatura_as("txt")},
    ),
    "readability": ("readability-lxml", {"Html+MD": _readability_as_html}),
    "resiliparse": ("resiliparse", {"TEXT": _resiliparse_as_text}),
    "fullpage": ("html2text", {"Html+MD": lambda: html_to_markdown}),
}
"""Other systems by their names: distribution, and a loader for each mode. `fullpage` extracts nothing."""


# --- facts ---


def _trafilatura_facts() -> ReadFacts:
    from trafilatura.metadata import extract_metadata

    def read(page: bytes, url: str | None) -> Mapping[str, str]:
        said = extract_metadata(page.decode(), default_url=url)
        return _known(title=said.title, author=said.author, date=said.date, site=said.sitename)

    return read


def _htmldate() -> ReadFacts:
    from htmldate import find_date

    def read(page: bytes, url: str | None) -> Mapping[str, str]:
        return _known(date=find_date(page.decode(), url=url))

    return read


def _newspaper_facts() -> ReadFacts:
    from newspaper import Article

    def read(page: bytes, url: str | None) -> Mapping[str, str]:
        article = Article(url or "https://page.example/", fetch_images=False)
        article.download(input_html=page.decode())
        article.parse()
        day = article.publish_date
        return _known(
            title=article.title, author="; ".join(article.authors), date=day and day.date().isoformat(),
            site=article.meta_site_name,
        )  # fmt: skip

    return read


def _extruct() -> ReadFacts:
    """What data and OpenGraph say, as extruct parses them: it reads nothing else, and chooses nothing."""
    from extruct import extract

    def read(page: bytes, url: str | None) -> Mapping[str, str]:
        syntaxes = ["json-ld", "microdata", "opengraph"]
        said = extract(page.decode(), base_url=url, syntaxes=syntaxes, uniform=True, errors="ignore")
        things = [thing for syntax in syntaxes for thing in _things(said.get(syntax))]

        def first(*names: str) -> str | None:
            return next((text for name in names for thing in things if (text := _text(thing.get(name)))), None)

        day = first("datePublished", "article:published_time")
        return _known(
            title=first("headline", "og:title"), author=first("author"), date=day and day[:10],
            site=first("og:site_name", "publisher"),
        )  # fmt: skip

    return read


def _things(found: Any) -> list[dict[str, Any]]:  # noqa: ANN401 (JSON)
    """The objects of a list, and the members of their graphs."""
    if isinstance(found, list):
        return [thing for each in found for thing in _things(each)]
    return [found, *_things(found.get("@graph"))] if isinstance(found, dict) else []


def _text(value: Any) -> str:  # noqa: ANN401 (JSON)
    """A value that is a text, or the name of an object; several, apart by semicolons."""
    if isinstance(value, list):
        return "; ".join(filter(None, map(_text, value)))
    return _text(value.get("name")) if isinstance(value, dict) else value.strip() if isinstance(value, str) else ""


def _known(**values: str | None) -> Mapping[str, str]:
    return {name: value for name, value in values.items() if value}


FACT_READERS: Final[dict[str, Callable[[], ReadFacts]]] = {
    "trafilatura": _trafilatura_facts,
    "htmldate": _htmldate,
    "newspaper": _newspaper_facts,
    "extruct": _extruct,
}

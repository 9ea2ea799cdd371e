# SPDX-License-Identifier: Apache-2.0
"""Other systems, one small adapter each, with the settings under which they are compared.

Every adapter is given the decoded page and its labelled language (ISO 639-1 or None). The rule for settings: the system's own defaults for body text, with
what the gold texts leave out by convention switched off where there is a switch for it (comments, alternative texts of images,
bullets, links), and nothing tuned to a set. `settings` says what was changed.
"""

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import Any

Extract = Callable[[str, str | None], str]


@dataclass(frozen=True, slots=True)
class Peer:
    """Another system. `package` is what pip installs, `load` imports it and gives the function that extracts."""

    kind: str  # "peer" or "baseline"
    package: str
    settings: str
    load: Callable[[], Extract]

    def version(self) -> str | None:
        """The installed version with a hash of the adapter (so that new settings are not served old results); None if not installed."""
        try:
            installed = metadata.version(self.package)
        except metadata.PackageNotFoundError:
            return None
        return f"{installed}+{hashlib.sha256(inspect.getsource(self.load).encode()).hexdigest()[:8]}"


def _resiliparse() -> Extract:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    def extract(html: str, _language: str | None) -> str:
        return str(
            extract_plain_text(
                HTMLTree.parse(html),
                main_content=True,
                alt_texts=False,
                list_bullets=False,
                links=False,
                comments=False,
            )
        )

    return extract


def _trafilatura() -> Extract:
    import trafilatura

    def extract(html: str, _language: str | None) -> str:
        return trafilatura.extract(html, include_comments=False, include_formatting=False) or ""

    return extract


def _readability() -> Extract:
    import readability
    from inscriptis import get_text

    def extract(html: str, _language: str | None) -> str:
        return str(get_text(readability.Document(html).summary(html_partial=True)))

    return extract


# ISO 639-1 codes of the labelled pages -> jusText's stop lists. A page of unknown language gets English, one whose language has no list
# the language-independent mode of jusText's documentation: no stop words, both thresholds 0.
_JUSTEXT_LISTS = {
    None: "English",
    "en": "English",
    "el": "Greek",
    "ru": "Russian",
    "pl": "Polish",
    "fr": "French",
    "es": "Spanish",
}
_JUSTEXT_LISTS |= {"ar": "Arabic", "ko": "Korean", "de": "German", "it": "Italian", "pt": "Portuguese"}


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


def _boilerpy3() -> Extract:
    import re

    from boilerpy3 import extractors

    extractor = extractors.ArticleExtractor()
    body = re.compile(r"<body[\s>/]", re.IGNORECASE)

    def extract(html: str, _language: str | None) -> str:
        # The port collects text below a body tag only; the parser of the Java original implies the tag where a page lacks it.
        return str(extractor.get_content(html if body.search(html) else f"<html><body>{html}</body></html>"))

    return extract


def _goose3() -> Extract:
    from goose3 import Goose

    goose = Goose({"enable_image_fetching": False})

    def extract(html: str, _language: str | None) -> str:
        return str(goose.extract(raw_html=html).cleaned_text or "")

    return extract


def _newspaper4k() -> Extract:
    from newspaper import Article

    def extract(html: str, _language: str | None) -> str:
        article = Article("http://localhost/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return str(article.text or "")

    return extract


def _turbohtml() -> Extract:
    import turbohtml

    def extract(html: str, _language: str | None) -> str:
        return str(turbohtml.parse(html).main_text())

    return extract


def _bs4() -> Extract:
    from bs4 import BeautifulSoup

    def extract(html: str, _language: str | None) -> str:
        soup = BeautifulSoup(html, "lxml")
        for element in soup(["script", "style", "noscript"]):
            element.decompose()
        return str(soup.get_text("\n"))

    return extract


def _lxml_parse(html: str) -> Any:  # noqa: ANN401 - lxml has no types
    from lxml import html as lxml_html

    # Bytes with a declared parser encoding: lxml refuses text that carries an XML declaration.
    parser = lxml_html.HTMLParser(encoding="utf-8", huge_tree=True)
    return lxml_html.document_fromstring(html.encode("utf-8", "replace") or b"<html></html>", parser=parser)


def _lxml_cleaner() -> Extract:
    from lxml_html_clean import Cleaner

    boilerplate = (
        "aside",
        "embed",
        "footer",
        "head",
        "header",
        "iframe",
        "menu",
        "nav",
        "object",
        "button",
        "input",
        "noscript",
        "select",
    )
    cleaner = Cleaner(
        scripts=True, javascript=True, comments=True, style=True, links=True, meta=True, forms=True, page_structure=False,
        processing_instructions=True, embedded=True, frames=True, annoying_tags=True, kill_tags=boilerplate,
        remove_unknown_tags=False, safe_attrs_only=False,
    )  # fmt: skip

    def extract(html: str, _language: str | None) -> str:
        tree = _lxml_parse(html)
        cleaner(tree)
        return "\n".join(tree.itertext())

    return extract


def _xpath_text() -> Extract:
    def extract(html: str, _language: str | None) -> str:
        found = _lxml_parse(html).xpath('//body[1]//*[not(name() = "script") and not(name() = "style")]/text()')
        return "\n".join(found)

    return extract


def _html_text() -> Extract:
    import html_text

    def extract(html: str, _language: str | None) -> str:
        return str(html_text.extract_text(_lxml_parse(html)))

    return extract


def _inscriptis() -> Extract:
    from inscriptis import get_text

    def extract(html: str, _language: str | None) -> str:
        return str(get_text(html))

    return extract


PEERS: dict[str, Peer] = {
    "resiliparse": Peer(
        "peer", "resiliparse", "main_content; alt texts, list bullets, links and comments off", _resiliparse
    ),
    "trafilatura": Peer("peer", "trafilatura", "comments off, plain text; fallbacks on, as by default", _trafilatura),
    "readability": Peer("peer", "readability-lxml", "summary() rendered as text by inscriptis", _readability),
    "justext": Peer(
        "peer", "justext", "stop list of the labelled language, English if unknown, none where there is none", _justext
    ),
    "boilerpy3": Peer(
        "peer", "boilerpy3", "ArticleExtractor; html and body tags added where there are none", _boilerpy3
    ),
    "goose3": Peer("peer", "goose3", "defaults, no images", _goose3),
    "newspaper4k": Peer("peer", "newspaper4k", "defaults, no images", _newspaper4k),
    "turbohtml": Peer(
        "peer",
        "turbohtml",
        "main_text() of the parsed page: its main_content() as text with the blocks on lines of their own",
        _turbohtml,
    ),
    "bs4": Peer("baseline", "beautifulsoup4", "all text nodes but script, style and noscript; lxml parser", _bs4),
    "lxml-cleaner": Peer(
        "baseline", "lxml_html_clean", "its own cleaning, and semantic boilerplate elements killed", _lxml_cleaner
    ),
    "xpath-text": Peer("baseline", "lxml", "text nodes below body but script and style", _xpath_text),
    "html-text": Peer("baseline", "html-text", "defaults", _html_text),
    "inscriptis": Peer("baseline", "inscriptis", "defaults", _inscriptis),
}
"""Every peer by its name on the command line, in the order of its documentation."""

# SPDX-License-Identifier: Apache-2.0
"""Systems as WebMainBench measures them: main HTML through html2text, a system's own Markdown, or its plain text.

The settings of html2text are those of the benchmark's baselines: no line wrapping, links and images ignored. The other
systems are called as its baselines call them, so their figures can be compared with its table.
"""

from collections.abc import Callable
from typing import Any, Final, Literal

Mode = Literal["Html+MD", "MD", "TEXT"]
MODES: Final[tuple[Mode, ...]] = ("Html+MD", "MD", "TEXT")
"""How a system's output becomes text: its HTML through html2text, its own Markdown, its plain text."""

OUR_MODES: Final[dict[Mode, dict[str, Any]]] = {
    "Html+MD": {"format": "source", "formulas": "text"},  # the gold has the formulas as the page wrote them
    "MD": {"format": "markdown"},
}
"""The options of our extractors in each mode that they have."""


def html_to_markdown(html: str, url: str = "") -> str:
    """Markdown of HTML by html2text, with the benchmark's settings; `url` is the base of relative addresses."""
    from html2text import HTML2Text

    converter = HTML2Text(bodywidth=0, baseurl=url)
    converter.ignore_links = True
    converter.ignore_images = True
    return str(converter.handle(html))


def load_converted(name: str, *models: str) -> Callable[[bytes, str | None], str]:
    """The function of the system NAME/MODE: UTF-8 page and language to the text that is compared."""
    system, _, mode = name.partition("/")
    chosen = next(each for each in MODES if each == mode)
    if system in CONVERTED_PEERS:
        peer = CONVERTED_PEERS[system][1][chosen]()
        return lambda html, _language: peer(html.decode())
    from thresher.native.scoring.model import Model
    from thresher.page.page_extractor import PageExtractor

    extractor = PageExtractor(system, model=Model.read(models[0]) if models else None, **OUR_MODES[chosen])

    def extract(html: bytes, _language: str | None) -> str:
        text = bytes(extractor.extract(html)).decode()
        return html_to_markdown(text) if chosen == "Html+MD" else text

    return extract


def _trafilatura(form: str) -> Callable[[], Callable[[str], str]]:
    def load() -> Callable[[str], str]:
        from trafilatura import extract
        from trafilatura.settings import Extractor

        options = Extractor(output_format=form)

        def convert(html: str) -> str:
            found = extract(html, options=options) or ""
            return html_to_markdown(found) if form == "html" else found

        return convert

    return load


def _readability() -> Callable[[str], str]:
    from readability import Document

    return lambda html: html_to_markdown(str(Document(html).summary()))


def _resiliparse() -> Callable[[str], str]:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html: str(extract_plain_text(html, main_content=True, alt_texts=False, links=False, comments=False))


def _full_page() -> Callable[[str], str]:
    return html_to_markdown


CONVERTED_PEERS: Final[dict[str, tuple[str, dict[Mode, Callable[[], Callable[[str], str]]]]]] = {
    "trafilatura": (
        "trafilatura",
        {"Html+MD": _trafilatura("html"), "MD": _trafilatura("markdown"), "TEXT": _trafilatura("txt")},
    ),
    "readability": ("readability-lxml", {"Html+MD": _readability}),
    "resiliparse": ("resiliparse", {"TEXT": _resiliparse}),
    "fullpage": ("html2text", {"Html+MD": _full_page}),
}
"""Other systems by their names: distribution, and a loader for each mode. `fullpage` extracts nothing."""

# SPDX-License-Identifier: Apache-2.0
"""Pages written from bytes: each byte or two is an instruction, so that a mutation of the bytes is a change of structure.

Mutations of HTML itself seldom give a page whose containers repeat, whose tables are large or whose formatting elements
are many. Here a count is one byte.
"""

from collections.abc import Callable
from typing import Final

LARGEST: Final = 20_000  # characters of a page
MOST_OPEN: Final = 200  # containers that are closed by name; the parser closes the others

CONTAINERS: Final = (
    "div", "section", "article", "main", "aside", "nav", "header", "footer", "ul", "ol", "li", "dl", "dt", "dd", "table",
    "tbody", "tr", "td", "th", "caption", "colgroup", "form", "fieldset", "blockquote", "figure", "figcaption", "details",
    "summary", "p", "h1", "h2", "h6", "pre", "address", "center", "button", "select", "option", "optgroup", "template",
    "svg", "math", "foreignObject", "title", "desc", "mi", "annotation-xml", "noscript", "iframe", "object", "marquee",
    "ruby", "rt", "rb", "label", "my-element", "frameset", "body", "html", "head", "dialog", "search",
)  # fmt: skip
FORMATTING: Final = (
    "a",
    "b",
    "i",
    "em",
    "strong",
    "code",
    "font",
    "nobr",
    "span",
    "sub",
    "sup",
    "small",
    "s",
    "u",
    "tt",
)
VOID: Final = (
    "br",
    "hr",
    "img src=/i.png alt='a picture'",
    "input",
    "wbr",
    "col",
    "meta charset=utf-8",
    "link",
    "area",
)
RAW: Final = ("script", "style", "textarea", "title", "xmp", "noframes", "noembed", "plaintext")
CLASSES: Final = (
    "", "post", "comment", "comments", "comment-body", "post post", "nav menu", "sidebar", "a b c d e f g h", "entry",
    "related", "ad", "footer", "Post", "c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 ca cb cc cd ce cf",
)  # fmt: skip
ATTRIBUTES: Final = (
    " hidden", " style='display:none'", " aria-hidden=true", " role=main", " role=presentation", " rowspan=1000",
    " colspan=1000", " start=7", " href=x", " href='javascript:a'", " src=/i", " rel=nofollow", " itemprop=articleBody",
    " datetime=2024-01-02", " encoding=text/html", " type=hidden", " dir=rtl", " id=x", " id=comments", " lang=el",
)  # fmt: skip
WORDS: Final = (
    "word ", "the ", "of ", "Sentence one. ", "1,234 ", "中文", "ไทย", "ελλάδα ", "слово ", "\N{NO-BREAK SPACE}", "\n", "  ",
    "&amp;", "&lt;", "&nbsp", "&#0;", "&NotEqualTilde;", "&ac;", "\0", "\r\n", "*", "_", "|", "`", "#", "- ", "1. ", "> ",
    "\\", "[a](b)", "©", "e\N{COMBINING ACUTE ACCENT}", "\N{SOFT HYPHEN}", "🎉", "\N{RIGHT-TO-LEFT OVERRIDE}", ".", "?", "Copyright 2024 ",
    "Posted by ", "Reply ", "Share ", "http://e.org/ ", "\N{ZERO WIDTH SPACE}", "x" * 40, "\ufffd",
)  # fmt: skip


class Writer:
    """Reads bytes as instructions and writes a page."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.pieces: list[str] = []
        self.length = 0
        self.open: list[str] = []
        self.steps: tuple[Callable[[], str], ...] = (
            self.container, self.container, self.close, self.close, self.text, self.text, self.formatting, self.repeat,
            self.table, self.items, self.link, self.void, self.raw, self.numbered, self.comment, self.misnested,
        )  # fmt: skip

    def byte(self) -> int:
        """The next byte; 0 at the end."""
        at, self.at = self.at, self.at + 1
        return self.data[at] if at < len(self.data) else 0

    def page(self) -> bytes:
        """The page that the bytes describe."""
        while self.at < len(self.data) and self.length < LARGEST:
            piece = self.steps[self.byte() % len(self.steps)]()
            self.pieces.append(piece)
            self.length += len(piece)
        return "".join(self.pieces)[:LARGEST].encode()

    def one_of(self, choices: tuple[str, ...]) -> str:
        return choices[self.byte() % len(choices)]

    def tag(self, name: str) -> str:
        """A start tag; the byte says which attributes it has."""
        given = self.byte()
        classes = f' class="{CLASSES[given % 16 % len(CLASSES)]}"' if given % 16 else ""
        return f"<{name}{classes}{ATTRIBUTES[given % len(ATTRIBUTES)] if given >= 128 else ''}>"

    def container(self) -> str:
        name = self.one_of(CONTAINERS)
        if len(self.open) < MOST_OPEN:
            self.open.append(name)
        return self.tag(name)

    def close(self) -> str:
        return f"</{self.open.pop()}>" if self.open else ""

    def misnested(self) -> str:
        """An end tag that need not fit."""
        return f"</{self.one_of(CONTAINERS + FORMATTING)}>"

    def text(self) -> str:
        count = 1 + self.byte() % 64
        return self.one_of(WORDS) * count + self.one_of(WORDS)

    def formatting(self) -> str:
        """Formatting elements, as many as a byte says, left open unless that is odd."""
        count, name = self.byte(), self.one_of(FORMATTING)
        numbered = "".join(f"<{name} x={number}>" for number in range(count % 24))
        return numbered + self.tag(name) + self.one_of(WORDS) + (f"</{name}>" if count % 2 else "")

    def repeat(self) -> str:
        """The last few pieces again and again."""
        part = "".join(self.pieces[-1 - self.byte() % 12 :])
        count = 1 + self.byte()
        return part * min(count, max(1, (LARGEST - self.length) // max(1, len(part))))

    def table(self) -> str:
        rows, cells, cell = 1 + self.byte() % 16, 1 + self.byte() % 32, self.tag("td")
        return (
            self.tag("table")
            + ("<tr>" + (cell + self.one_of(WORDS)) * cells) * rows
            + ("</table>" if cells % 2 else "")
        )

    def items(self) -> str:
        """A list, with links in every other one."""
        count, item, word = 1 + self.byte() % 64, self.tag("li"), self.one_of(WORDS)
        inner = f"<a href=/{count}>{word}</a>" if count % 2 else word
        return self.tag("ul") + (item + inner) * count + "</ul>"

    def link(self) -> str:
        return (
            f'<a href="{self.one_of(("/a", "http://e.org/b?c=d&e", "//[::1", "mailto:a@b", "#x", "../" * 40, ""))}">'
            + self.text()
        )

    def void(self) -> str:
        return f"<{self.one_of(VOID)}>" * (1 + self.byte() % 32)

    def raw(self) -> str:
        name = self.one_of(RAW)
        return f"<{name}>" + self.text() + ("" if self.byte() % 4 == 0 else f"</{name}>")

    def numbered(self) -> str:
        """Containers with a class each of its own, and a text before and after what they hold."""
        count, name = 1 + self.byte(), self.one_of(CONTAINERS)
        return "".join(f"<{name} class=c{number}>t<p>x</p>u" for number in range(count)) + f"</{name}>" * (
            self.byte() % 8
        )

    def comment(self) -> str:
        """A comment, CDATA, a processing instruction, a DOCTYPE, or bytes of the input as they stand."""
        kind, length = self.byte() % 5, self.byte() % 64
        taken = self.data[self.at : self.at + length].decode("utf-8", "replace")
        self.at += length
        return (f"<!--{taken}-->", f"<![CDATA[{taken}]]>", f"<?{taken}>", f"<!DOCTYPE {taken}>", taken)[kind]


def written_page(data: bytes) -> bytes:
    """The page that these bytes describe, UTF-8."""
    return Writer(data).page()

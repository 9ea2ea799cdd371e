# SPDX-License-Identifier: Apache-2.0
"""Our tree written out as lexbor writes out its own (through Resiliparse), so that trees can be compared as strings."""

from thresher.native.parsing.document import Document

VOID = frozenset(
    [
        "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
        "meta", "param", "source", "track", "wbr",
    ]
)  # fmt: skip
RAW = frozenset(["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"])


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(name: str, value: str) -> str:
    value = value.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace('"', "&quot;")
    return f' {name}="{value.replace("<", "&lt;").replace(">", "&gt;")}"'


def serialise(document: Document) -> str:
    """The HTML of a document, as the standard's serialisation algorithm has it."""
    parts: list[str] = []
    ends: list[tuple[int, str]] = []
    raw_until = 0
    for n in range(1, document.n_nodes):
        while ends and ends[-1][0] <= n:
            parts.append(ends.pop()[1])
        tag = document.tag(n)
        if tag == "#text":
            parts.append(document.text(n) if n < raw_until else _escape(document.text(n)))
        elif tag == "#comment":
            parts.append(f"<!--{document.text(n)}-->")
        elif tag == "#doctype":
            parts.append(f"<!DOCTYPE {document.text(n)}>")
        elif tag != "#content":
            name = tag.rpartition(" ")[2]
            attributes = "".join(_attribute(*item) for item in document.attributes(n).items())
            parts.append(f"<{name}{attributes}>")
            if tag not in VOID:
                ends.append((document.end(n), f"</{name}>"))
            if tag in RAW:
                raw_until = document.end(n)
    parts += [end for _, end in reversed(ends)]
    return "".join(parts)

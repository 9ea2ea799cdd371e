# SPDX-License-Identifier: Apache-2.0
"""The content of a page's template elements, which scripts show later, as markup."""

import html

from libc.stdint cimport uint32_t

from thresher.native.parsing.document cimport Document, Hold
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_NODES = 20000       # nodes of a template element that are written

cdef dict WRITTEN = {
    TAG_P: "p", TAG_DIV: "div", TAG_BR: "br", TAG_H1: "h1", TAG_H2: "h2", TAG_H3: "h3", TAG_H4: "h4", TAG_H5: "h5",
    TAG_H6: "h6", TAG_UL: "ul", TAG_OL: "ol", TAG_LI: "li", TAG_DL: "dl", TAG_DT: "dt", TAG_DD: "dd", TAG_PRE: "pre",
    TAG_CODE: "code", TAG_BLOCKQUOTE: "blockquote", TAG_TABLE: "table", TAG_TR: "tr", TAG_TD: "td", TAG_TH: "th",
    TAG_EM: "em", TAG_STRONG: "strong", TAG_B: "b", TAG_I: "i", TAG_A: "a", TAG_SECTION: "section",
    TAG_ARTICLE: "article", TAG_MAIN: "main", TAG_NAV: "nav", TAG_HEADER: "header", TAG_FOOTER: "footer",
    TAG_ASIDE: "aside", TAG_FIGURE: "figure", TAG_FIGCAPTION: "figcaption", TAG_SUB: "sub", TAG_SUP: "sup",
}
cdef frozenset UNREAD = frozenset((TAG_SCRIPT, TAG_STYLE, TAG_SVG, TAG_IFRAME, TAG_OBJECT, TAG_SELECT, TAG_BUTTON, TAG_FORM))


cdef int write_content(const Tree* tree, uint32_t root, list parts) except -1:
    """Write the markup of an element's content."""
    cdef uint32_t n = root + 1
    cdef Slice text
    cdef list open = []     # of (where an element ends, its end tag)
    cdef str tag
    while n < min(tree.nodes[root].end, root + MAX_NODES):
        while open and n >= <uint32_t> open[len(open) - 1][0]:
            parts.append(open.pop()[1])
        if tree.nodes[n].kind == KIND_TEXT:
            text = text_of(tree, n)
            parts.append(html.escape(text.data[:text.length].decode("utf-8", "replace"), quote=False))
        elif tree.nodes[n].kind == KIND_ELEMENT:
            if tree.nodes[n].tag in UNREAD:
                n = tree.nodes[n].end
                continue
            tag = WRITTEN.get(tree.nodes[n].tag)
            if tag is not None:
                parts.append(f"<{tag}>")
                if tag != "br":
                    open.append((tree.nodes[n].end, f"</{tag}>"))
        n += 1
    parts += [end_tag for _, end_tag in reversed(open)]
    return 0


def markup_in_templates(Document document not None) -> str:
    """The content of a page's template elements as plain markup without attributes."""
    cdef const Tree* tree = &document.tree
    cdef uint32_t n = 0, written = 0
    cdef list parts = []
    cdef Hold held = Hold(document)
    while written < MAX_NODES:
        n = next_html(tree, n, TAG_TEMPLATE)
        if n == tree.n_nodes:
            break
        written += tree.nodes[n].end - n
        write_content(tree, n, parts)
        n = tree.nodes[n].end
    return "".join(parts)

# SPDX-License-Identifier: Apache-2.0
"""Markup: the kept blocks of a page as Markdown (CommonMark with GitHub's tables) or as minimal HTML.

One walk over the nodes keeps two short stacks: *containers* (quote, list, item, data table, row, cell, …) and *spans*
(strong, emphasis, code, link, sub, sup). A container or span is written only when text in it is written, so elements
without kept text leave no trace. A *leaf* holds the text of one block: a paragraph, a heading, code, or the bare text
of a list item or cell.

The text is that of plain.pxd, with white space collapsed in the same places. Special characters of the format are
escaped, so that a parser returns the text. HTML output uses only the elements p, h1 to h6, ul, ol, li, dl, dt, dd,
blockquote, pre, code, table, caption, tr, td, th, strong, em, sub, sup, br, and on request a and img. Its only
attributes are href, src, alt, start, reversed, value, colspan, rowspan and class (language-… of code). Depth is
bounded: containers beyond 24 levels and spans beyond 8 are omitted, but their text is kept.
"""

from thresher.native.writing.output cimport Writer


cdef const Writer* markup_writer() noexcept nogil

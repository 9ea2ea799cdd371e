# SPDX-License-Identifier: Apache-2.0
"""Listings as one text.

A listing is a pre element, a table with line numbers beside the lines, the lines of an editor, a list whose items are
lines, a code element shown as a block, or a textarea that shows code. It becomes a pre element with one text node that
holds its lines. Line numbers, buttons and labels are removed, no-break spaces become spaces, and each element that is
displayed as a line becomes a line. The node keeps the language that an element inside it names (`Node.attributes`).

A pre element that holds only text and formatting is left alone. So is one that holds paragraphs, headings or lists:
that is text of the page, or an unclosed pre that swallowed the page.
"""

from thresher.native.constructs.construct cimport *


cdef bint rewrite_listing(Rewriting* page, uint32_t n) noexcept nogil

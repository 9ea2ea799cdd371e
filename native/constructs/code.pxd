# SPDX-License-Identifier: Apache-2.0
"""Listings as one text.

A listing is a pre element, a table of line numbers beside lines, the lines of an editor, a list whose items are lines,
a code element that is shown as a block, or a textarea that shows code. It becomes a pre element with one text node that
holds its lines: without line numbers, buttons and labels, with no-break spaces as spaces, and with a line for each
element that is shown as one. Its node keeps the language that an element inside it names (`Node.attributes`).

A pre element stays as it is where it holds nothing but text and formatting, or paragraphs, headings, lists and the like:
then it is text of the page, or an unclosed pre that swallowed the page.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef bint rewrite_listing(Rewriting* page, uint32_t n) noexcept nogil

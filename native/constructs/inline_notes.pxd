# SPDX-License-Identifier: Apache-2.0
"""Notes in the middle of the text they belong to: `^[The note.]`, as Pandoc and Obsidian write them.

LaTeXML puts each footnote after its mark and displays it beside the page. Tufte's style and its descendants do the same
with `sidenote` and `marginnote`. Others call the note `footnote`: that counts if the note stands behind the checkbox
that shows it, or fills a span with its number. Left alone, the words of the note would run into the sentence.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef void rewrite_inline_note(Rewriting* page, uint32_t n, uint32_t said) noexcept nogil

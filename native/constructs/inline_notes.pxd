# SPDX-License-Identifier: Apache-2.0
"""Notes that stand in the middle of the text they belong to: `^[The note.]`, as Pandoc and Obsidian write them.

LaTeXML puts each footnote behind its mark and shows it beside the page; Tufte's style and its descendants do so with
`sidenote` and `marginnote`. Left as they are, the words of a note run into those of the sentence.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting, Slice


cdef void rewrite_inline_note(Rewriting* page, uint32_t n, Slice value) noexcept nogil

# SPDX-License-Identifier: Apache-2.0
"""Text that a browser displays differently from its characters: readings, quotation marks, notes, invisible characters.
- The reading of a ruby annotation is put in parentheses: 漢字(かんじ).
- A q element gets quotation marks.
- The quoted text behind a cite element that begins a blockquote gets a space before it.
- A note in the middle of the text it belongs to becomes `^[The note.]`, as Pandoc and Obsidian write them; left alone,
  its words would run into the sentence. LaTeXML puts each footnote after its mark and displays it beside the page.
  Tufte's style and its descendants do the same with `sidenote` and `marginnote`. Others call the note `footnote`: that
  counts if the note stands behind the checkbox that shows it, or fills a span with its number.
- Outside code, soft hyphens, word joiners, byte order marks and zero-width spaces are dropped. Those that separate
  words of Thai, Lao, Khmer or Burmese stay.
"""

from thresher.native.constructs.construct cimport *


cdef void rewrite_reading(Rewriting* page, uint32_t n) noexcept nogil
cdef void rewrite_quotation(Rewriting* page, uint32_t n) noexcept nogil
cdef void rewrite_attribution(Rewriting* page, uint32_t n) noexcept nogil
cdef void rewrite_inline_note(Rewriting* page, uint32_t n, uint32_t said) noexcept nogil
cdef void drop_invisible(Rewriting* page, uint32_t n) noexcept nogil

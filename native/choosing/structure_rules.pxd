# SPDX-License-Identifier: Apache-2.0
"""What becomes of the structures of a page (measuring/structures.pxd) once its blocks are chosen: a table or listing is
kept or dropped as a whole, a title is kept with the text below it, a note with the block that refers to it.

- A table is kept whole, header cells included, if a good part of its words is kept. Otherwise it is dropped. A table of
  links is mostly a menu, so its cells are judged one by one.
- A pager in a table, which is a small table of links and numbers, is dropped.
- A table or listing between two kept blocks of its section is kept.
- Display formulas, which stand in the middle or at the end of a sentence, are decided like a table.
- A listing is also kept beside one kept block of its section. A row of listings, as in tabs, therefore stays together.
- The only h1 of a page is kept if the first kept block follows closely and a heading below it is kept, or if the page
  has little else and all of that is kept. Labelled pages disagree: without a kept heading, which news articles mostly
  lack, half of them do not count the title as main text.
- A footnote with a link back is kept if the block that refers to it is.
- A term without a link is kept if its description is, except in readers' comments.
- A heading below the first level that is no link, has twenty words at most and no date is kept if what follows it is:
  text, or a heading of a lower level. Only the learned extractor keeps it so; the published methods decide themselves.
- The heading or label of a table of contents is dropped if all entries are.
- Of consecutive headings with the same text, the first is kept if any is, unless all blocks of the page are. Pages
  write a heading twice for wide and narrow screens.

Short blocks beside a table or listing, such as tab names, count as its neighbours only if they are kept.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.measuring.structures cimport Structure


cdef void decide_structures(
    const Structure* structures, uint32_t n_structures, const uint32_t* words, uint32_t n_blocks, bint learned,
    uint8_t* keep
) noexcept nogil

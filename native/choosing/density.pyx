# SPDX-License-Identifier: Apache-2.0
"""`density`: each block by the number of its words and its link density, and by those of its neighbours.

Kohlschütter, Fankhauser and Nejdl, Boilerplate Detection using Shallow Text Features, WSDM 2010: the decision tree that
they found to do nearly as well as all features together, a handful of comparisons a block. The paper's text was not at
hand; tree and limits are as they are commonly cited. It is the plain baseline among the extractors of main content, and
the only one that decides block by block.

Parameters: `words`, `next_words` (the limits of 16 and 15 words in the branch that decides of most text). A character
of Chinese is a word (metrics.pxd).
"""

from libc.stdint cimport uint32_t

from thresher.native.measuring.blocks cimport Block
from thresher.native.choosing.interface cimport KEPT_BLOCKS, Page


cdef bint linked(const Block* block, double share) noexcept nogil:
    """True if more than this share of the words is in links."""
    return block.link_words > share * block.words


cdef int density(const Page* page) noexcept nogil:
    """Keeps the blocks that the tree calls content; before the first and after the last block there are no words."""
    cdef:
        const DensityOptions* options = <const DensityOptions*> page.options
        const Block* blocks = page.blocks.blocks
        uint32_t i, count = page.blocks.n_blocks, previous, following
        double many = options.words, many_next = options.next_words
    for i in range(count):
        if linked(blocks + i, 0.333333):
            continue
        previous = blocks[i - 1].words if i else 0
        following = blocks[i + 1].words if i + 1 < count else 0
        if i and linked(blocks + i - 1, 0.555556):
            page.keep[i] = blocks[i].words > 40 or following > 17
        else:
            page.keep[i] = blocks[i].words > many or following > many_next or previous > 4
    return KEPT_BLOCKS

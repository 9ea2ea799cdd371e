# SPDX-License-Identifier: Apache-2.0
"""`all`: every block of visible text, the recall baseline."""

from libc.string cimport memset

from thresher.native.choosing.interface cimport KEPT_BLOCKS, Page


cdef int everything(const Page* page) noexcept nogil:
    """Keeps every block."""
    memset(page.keep, 1, page.blocks.n_blocks)
    return KEPT_BLOCKS

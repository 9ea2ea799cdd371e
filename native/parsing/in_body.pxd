# SPDX-License-Identifier: Apache-2.0
"""The insertion modes "in body" and "text"."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.arena cimport bytes_at
from thresher.native.parsing.construction cimport TreeBuilder
from thresher.native.parsing.formatting cimport reconstruct_formatting
from thresher.native.parsing.insertion cimport insert_text
from thresher.native.base.scan cimport skip_space


cdef bint in_body(TreeBuilder* b) noexcept nogil
cdef bint text_mode(TreeBuilder* b) noexcept nogil


cdef inline void in_body_text(TreeBuilder* b, uint32_t start, uint32_t length) noexcept nogil:
    """Characters "in body"."""
    cdef const uint8_t* p
    reconstruct_formatting(b)
    insert_text(b, start, length)
    if b.frameset_ok:
        p = bytes_at(b.arena, start, length)
        if skip_space(p, p + length) != p + length:
            b.frameset_ok = False

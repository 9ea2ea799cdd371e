# SPDX-License-Identifier: Apache-2.0
"""Callouts: boxes beside the text that a generator of documentation marks as note, tip, warning and so on.

A class says that an element is one, together with a class that names its kind: `admonition warning`, `custom-block
tip`, `markdown-alert markdown-alert-note`. Of a blockquote the kind alone is enough.
"""

from libc.stdint cimport uint32_t

from thresher.native.measuring.blocks cimport Block
from thresher.native.parsing.document cimport Slice, Tree


cdef Slice callout_kind(const Tree* tree, uint32_t node) noexcept nogil
cdef bint is_callout_title(const Tree* tree, uint32_t callout, const Block* block) noexcept nogil

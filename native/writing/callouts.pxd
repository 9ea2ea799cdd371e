# SPDX-License-Identifier: Apache-2.0
"""Callouts: boxes that documentation generators mark as note, tip, warning and so on.

A callout has one class that makes it a callout and one that names its kind: `admonition warning`, `custom-block tip`,
`markdown-alert markdown-alert-note`. For a blockquote the kind alone is enough, and for a div if its first paragraph
repeats it.
"""

from thresher.native.writing.output cimport *


cdef Slice callout_kind(const Tree* tree, uint32_t node) noexcept nogil
cdef bint is_callout_title(const Tree* tree, uint32_t callout, const Block* block) noexcept nogil

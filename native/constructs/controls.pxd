# SPDX-License-Identifier: Apache-2.0
"""Controls that are not text of the page: names of tabs, links that edit a section, the numbers of a notebook's cells.

A list of tabs is removed if it holds nothing else: an element with the role `tablist` that has no panels or headings in
it, or what documentation generators put above or between panels (MkDocs Material, Sphinx-design, VitePress). Accordion
headings, which can have the role `tab`, stay.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.constructs.construct cimport Rewriting, Slice


cdef bint is_edit_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_own_link(const Rewriting* page, uint32_t n) noexcept nogil
cdef bint rewrite_control(Rewriting* page, uint32_t n, Slice value) noexcept nogil
cdef bint rewrite_tab_list(Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_tab_list_role(Slice role) noexcept nogil
cdef bint rewrite_heading_role(Rewriting* page, uint32_t n) noexcept nogil

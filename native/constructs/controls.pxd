# SPDX-License-Identifier: Apache-2.0
"""What a reader clicks on and no text of the page: the names of tabs, and the links that edit a section.

A list of tabs goes where it holds nothing but them: an element with the role `tablist` without panels and headings in
it, or what generators of documentation put above or between the panels (MkDocs Material, Sphinx-design, VitePress).
Headings of an accordion, which can have the role `tab`, stay.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.constructs.construct cimport Rewriting, Slice


cdef bint is_edit_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint rewrite_control(Rewriting* page, uint32_t n, Slice value) noexcept nogil
cdef bint rewrite_tab_list(Rewriting* page, uint32_t n) noexcept nogil
cdef bint is_tab_list_role(Slice role) noexcept nogil
cdef bint rewrite_heading_role(Rewriting* page, uint32_t n) noexcept nogil

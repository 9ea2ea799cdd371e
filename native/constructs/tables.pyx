# SPDX-License-Identifier: Apache-2.0
"""Tables built from other elements; see tables.pxd."""

from libc.stdint cimport uint32_t

from thresher.native.base.characters cimport equals_ascii
from thresher.native.constructs.construct cimport (
    KIND_ELEMENT, NS_HTML, Attribute, Rewriting, Slice, become_element, find_attribute, slice_at,
)
from thresher.native.parsing.tags cimport *


cdef bint is_table_role(Slice role) noexcept nogil:
    """True for the role of a table."""
    return equals_ascii(role.data, role.length, b"table", 5) or equals_ascii(role.data, role.length, b"grid", 4)


cdef uint32_t tag_of_role(Slice role) noexcept nogil:
    """The HTML element that a role within a table stands for; TAG_UNKNOWN if there is none."""
    if is_table_role(role):
        return TAG_TABLE
    if equals_ascii(role.data, role.length, b"row", 3):
        return TAG_TR
    if equals_ascii(role.data, role.length, b"cell", 4) or equals_ascii(role.data, role.length, b"gridcell", 8):
        return TAG_TD
    if (
        equals_ascii(role.data, role.length, b"columnheader", 12)
        or equals_ascii(role.data, role.length, b"rowheader", 9)
    ):
        return TAG_TH
    if equals_ascii(role.data, role.length, b"rowgroup", 8):
        return TAG_TBODY
    return TAG_UNKNOWN


cdef void rewrite_role_table(Rewriting* page, uint32_t n) noexcept nogil:
    """Turn a div with the role of a table, and the div and span elements in it that have roles, into the corresponding
    table elements.
    """
    cdef const Attribute* attribute
    cdef uint32_t end = page.tree.nodes[n].end, i, tag
    for i in range(n, end):
        if page.tree.nodes[i].kind != KIND_ELEMENT or page.tree.nodes[i].namespace != NS_HTML:
            continue
        if page.tree.nodes[i].tag != TAG_DIV and page.tree.nodes[i].tag != TAG_SPAN:
            continue
        attribute = find_attribute(page.tree, i, ATTR_ROLE)
        if attribute == NULL:
            continue
        tag = tag_of_role(slice_at(page.tree, attribute.value_start, attribute.value_length))
        if tag != TAG_UNKNOWN:
            become_element(page, i, tag)

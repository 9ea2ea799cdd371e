# SPDX-License-Identifier: Apache-2.0
"""The insertion modes of tables: in table, in table text, in caption, in column group, in table body, in row, in cell.
"""

from thresher.native.parsing.construction cimport TreeBuilder


cdef bint in_table(TreeBuilder* b) noexcept nogil
cdef bint in_table_text(TreeBuilder* b) noexcept nogil
cdef bint in_caption(TreeBuilder* b) noexcept nogil
cdef bint in_column_group(TreeBuilder* b) noexcept nogil
cdef bint in_table_body(TreeBuilder* b) noexcept nogil
cdef bint in_row(TreeBuilder* b) noexcept nogil
cdef bint in_cell(TreeBuilder* b) noexcept nogil

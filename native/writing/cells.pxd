# SPDX-License-Identifier: Apache-2.0
"""Cells of data tables: which columns they occupy when others span rows and columns, and what a table of Markdown can
hold.
"""

from thresher.native.writing.output cimport *


cdef bint read_number(
    const Tree* tree, uint32_t node, uint32_t name, bint whole, uint32_t* number
) noexcept nogil
cdef void take_cell(Output* output, OutputContainer* row, uint32_t node, OutputContainer* cell) noexcept nogil
cdef void end_row(uint16_t* hanging) noexcept nogil
cdef uint32_t count_columns(const Output* output, uint32_t table, uint32_t least) noexcept nogil
cdef bint exceeds_markdown(const Output* output, uint32_t table) noexcept nogil
cdef bint is_title_row(Output* output, uint32_t row, uint32_t next_block) noexcept nogil

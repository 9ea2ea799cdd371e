# SPDX-License-Identifier: Apache-2.0
"""Names around code: class words that tell the parts of a listing apart, and labels that stand beside a listing."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.tree cimport Slice, Tree


ctypedef bint (*WordTest)(const uint8_t* word, uint32_t length) noexcept nogil


cdef bint words_have(Slice value, WordTest test) noexcept nogil
cdef bint class_has(const Tree* tree, uint32_t node, WordTest test) noexcept nogil
cdef bint is_number_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_row_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_line_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_code_cell_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_editor_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_measure_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_numbered_code_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_popup_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_block_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_label_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_textarea_class(const uint8_t* word, uint32_t length) noexcept nogil
cdef bint is_language_name(const uint8_t* text, uint32_t length) noexcept nogil
cdef bint is_button_label(const uint8_t* text, uint32_t length) noexcept nogil

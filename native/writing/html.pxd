# SPDX-License-Identifier: Apache-2.0
"""Markup as minimal HTML."""

from thresher.native.writing.output cimport *


cdef const OutputFormat* html_format() noexcept nogil
cdef void put_escaped(TextBuffer* text, const uint8_t* data, uint32_t length, bint in_attribute) noexcept nogil
cdef void put_end_tag(TextBuffer* text, const char* name) noexcept nogil
cdef void put_url(Output* output, const char* name) noexcept nogil
cdef void begin_formula(TextBuffer* text, bint display) noexcept nogil
cdef bint begin_code(Output* output, uint32_t pre) noexcept nogil

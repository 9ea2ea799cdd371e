# SPDX-License-Identifier: Apache-2.0
"""Markup as minimal HTML."""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.base.text_buffer cimport TextBuffer
from thresher.native.writing.output cimport OutputFormat


cdef const OutputFormat* html_format() noexcept nogil
cdef void put_escaped(TextBuffer* text, const uint8_t* data, uint32_t length, bint in_attribute) noexcept nogil

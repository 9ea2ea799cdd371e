# SPDX-License-Identifier: Apache-2.0
"""Markup as Markdown: CommonMark with GitHub's tables."""

from thresher.native.writing.output cimport *


cdef const OutputFormat* markdown_format() noexcept nogil
cdef void begin_containers(Output* output, Leaf leaf, uint32_t end) noexcept nogil

# SPDX-License-Identifier: Apache-2.0
"""Markup as Markdown: CommonMark with GitHub's tables."""

from libc.stdint cimport uint32_t

from thresher.native.writing.output cimport Leaf, Output, OutputFormat


cdef const OutputFormat* markdown_format() noexcept nogil
cdef void begin_containers(Output* output, Leaf leaf, uint32_t end) noexcept nogil

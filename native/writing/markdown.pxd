# SPDX-License-Identifier: Apache-2.0
"""Markup as Markdown: CommonMark with GitHub's tables."""

from thresher.native.writing.output cimport OutputFormat


cdef const OutputFormat* markdown_format() noexcept nogil

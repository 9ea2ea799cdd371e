# SPDX-License-Identifier: Apache-2.0
"""Markup as minimal HTML."""

from thresher.native.writing.output cimport OutputFormat


cdef const OutputFormat* html_format() noexcept nogil

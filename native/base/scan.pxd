# SPDX-License-Identifier: Apache-2.0
"""Declarations of scan.h, which explains them."""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef extern from "base/scan.h" nogil:
    ctypedef struct NameWords:
        uint64_t head
        uint64_t middle
        uint64_t tail
        uint32_t upper

    const uint8_t* scan_text(const uint8_t* p, const uint8_t* end) noexcept
    const uint8_t* scan_value(const uint8_t* p, const uint8_t* end, uint8_t quote) noexcept
    const uint8_t* scan_name(const uint8_t* p, const uint8_t* end) noexcept
    const uint8_t* scan_escaped_script(const uint8_t* p, const uint8_t* end) noexcept
    const uint8_t* scan_byte(const uint8_t* p, const uint8_t* end, uint8_t byte) noexcept
    const uint8_t* skip_space(const uint8_t* p, const uint8_t* end) noexcept
    NameWords name_words(const uint8_t* p, size_t length, const uint8_t* end) noexcept
    uint64_t short_name(const uint8_t* p, const uint8_t* end, uint8_t one, uint8_t other, uint32_t* length) noexcept
    uint32_t hash_words(NameWords words) noexcept
    uint32_t hash_bytes(const uint8_t* p, size_t length) noexcept

# SPDX-License-Identifier: Apache-2.0
"""URL references resolved against a base, for the links and images that the output keeps.

Follows RFC 3986, section 5, with the extensions of browsers: white space around a reference and line breaks in it are
ignored, and a backslash is a slash. Only http, https, ftp, mailto and tel are allowed. javascript, data and other
schemes that do more than lead somewhere are refused.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.document cimport Slice


cdef enum:
    MAX_URL = 2048


ctypedef struct Url:
    uint8_t[MAX_URL] data
    uint32_t length


cdef bint resolve(Url* url, Slice base, Slice reference, bint for_markdown) noexcept nogil

# SPDX-License-Identifier: Apache-2.0
"""URL references resolved against a base, for links and images that are kept in the output.

RFC 3986, section 5, as browsers do it: white space around a reference and line breaks in it do not count, a backslash
is a slash. Only http, https, ftp, mailto and tel come out: never javascript, data or anything else that does more than
lead somewhere.
"""

from libc.stdint cimport uint8_t, uint32_t

from thresher.native.parsing.document cimport Slice


cdef enum:
    MAX_URL = 2048


ctypedef struct Url:
    uint8_t[MAX_URL] data
    uint32_t length


cdef bint resolve(Url* url, Slice base, Slice reference, bint for_markdown) noexcept nogil

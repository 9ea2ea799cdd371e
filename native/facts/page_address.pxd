# SPDX-License-Identifier: Apache-2.0
"""What a page's address says, and the keys by which names are compared."""

from thresher.native.facts.dates cimport Day


cdef str without_the(str letters)
cdef str name_key(str text)
cdef str plain_letters(str text)
cdef Day day_in_address(str url) except -1
cdef str month_in_address(str url)
cdef str name_in_address(str url)
cdef str host_of(str url)
cdef frozenset names_of_site(str url)

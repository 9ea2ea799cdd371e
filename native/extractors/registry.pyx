# SPDX-License-Identifier: Apache-2.0
"""The table of extractors: name, function, parameters with defaults."""

from thresher.native.extractors.cetd cimport cetd
from thresher.native.extractors.everything cimport everything
from thresher.native.extractors.interface cimport Extractor


cdef enum:
    N_ROWS = 3

cdef Extractor[N_ROWS] FUNCTIONS
PARAMETERS = {}


def _fill_table() -> None:
    """One row per extractor: its function, its name, its parameters in the order in which the function reads them."""
    FUNCTIONS[0] = cetd
    PARAMETERS["cetd"] = {"composite": 1.0}
    FUNCTIONS[1] = cetd
    PARAMETERS["cetd-ds"] = {"composite": 0.0}
    FUNCTIONS[2] = everything
    PARAMETERS["all"] = {}
    if len(PARAMETERS) != N_ROWS:
        raise RuntimeError("a row of the table of extractors is missing or given twice")


_fill_table()

NAMES = tuple(PARAMETERS)


cdef Extractor extractor_function(int index) noexcept nogil:
    """The function of row `index` of the table."""
    return FUNCTIONS[index]

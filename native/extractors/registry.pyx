# SPDX-License-Identifier: Apache-2.0
"""The table of extractors: name, function, parameters with defaults."""

from thresher.native.extractors.bte cimport bte
from thresher.native.extractors.ccb cimport ccb
from thresher.native.extractors.cetd cimport cetd
from thresher.native.extractors.cetd_smoothed cimport cetd_smoothed
from thresher.native.extractors.cetr cimport cetr
from thresher.native.extractors.conex cimport conex
from thresher.native.extractors.everything cimport everything
from thresher.native.extractors.interface cimport Extractor
from thresher.native.extractors.learned cimport learned
from thresher.native.extractors.linkratio cimport linkratio
from thresher.native.extractors.menex cimport menex
from thresher.native.extractors.wlr cimport wlr

from thresher.native.extractors.learned import load


cdef enum:
    MAX_ROWS = 32

cdef Extractor[MAX_ROWS] FUNCTIONS
PARAMETERS = {}


cdef int add(str name, Extractor function, dict parameters) except -1:
    """Adds a row: name, function, parameters with defaults in the order in which the function reads them."""
    if name in PARAMETERS or len(PARAMETERS) == MAX_ROWS or len(parameters) > MAX_OPTIONS:
        raise RuntimeError(f"the row of extractor {name} does not fit into the table")
    FUNCTIONS[<int> len(PARAMETERS)] = function
    PARAMETERS[name] = parameters
    return 0


add("cetd", cetd, {"composite": 1.0})
add("cetd-ds", cetd, {"composite": 0.0})
add("cetd-s", cetd_smoothed, {"composite": 1.0, "threshold": 1.0})
add("bte", bte, {})
add("ccb", ccb, {"range": 40.0, "threshold": 0.75, "anchors": 1.0})
add("wlr", wlr, {"size": 1.5})
add("cetr", cetr, {"clusters": 3.0, "window": 3.0})
add("conex", conex, {"candidates": 3.0, "link_words": 3.0})
add("linkratio", linkratio, {"ratio": 15.0, "links": 1.0})
add("menex", menex, {"candidate": 0.85, "root": 0.90, "menu": 0.85})
add("all", everything, {})
add("thresher", learned, {"lean": 0.0})

NAMES = tuple(PARAMETERS)

READS_CONCEALED = frozenset({"thresher"})
"""Extractors that see concealed text (metrics.pxd)."""

PREPARATIONS = {NAMES.index("thresher"): load}
"""What has to be called before the first use of a row; Workspace takes it out when it has been."""


cdef Extractor extractor_function(int index) noexcept nogil:
    """The function of row `index` of the table."""
    return FUNCTIONS[index]

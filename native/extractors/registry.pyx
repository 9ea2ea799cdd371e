# SPDX-License-Identifier: Apache-2.0
"""The table of extractors: name, function, parameters with defaults."""

from thresher.native.extractors.bte cimport bte
from thresher.native.extractors.ccb cimport ccb
from thresher.native.extractors.cetd cimport cetd
from thresher.native.extractors.cetd_smoothed cimport cetd_smoothed
from thresher.native.extractors.cetr cimport cetr
from thresher.native.extractors.conex cimport conex
from thresher.native.extractors.density cimport density
from thresher.native.extractors.ensembles cimport Member, add_member, majority, majority_best, majority_weighted, threshold
from thresher.native.extractors.everything cimport everything
from thresher.native.extractors.interface cimport MAX_OPTIONS, Extractor
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


add("cetd", cetd, {"composite": 1.0, "descend": 1.0})
add("cetd-ds", cetd, {"composite": 0.0, "descend": 1.0})
add("cetd-dsum", cetd, {"composite": 1.0, "descend": 0.0})
add("cetd-s", cetd_smoothed, {"composite": 1.0, "threshold": 1.0})
add("bte", bte, {})
add("ccb", ccb, {"range": 40.0, "threshold": 0.75, "anchors": 1.0})
add("wlr", wlr, {"size": 1.5})
add("cetr", cetr, {"clusters": 3.0, "window": 3.0})
add("conex", conex, {"candidates": 3.0, "link_words": 3.0})
add("linkratio", linkratio, {"ratio": 15.0, "links": 1.0})
add("density", density, {"words": 16.0, "next_words": 15.0})
add("menex", menex, {"candidate": 0.85, "root": 0.90, "menu": 0.85})
add("all", everything, {})
add("thresher", learned, {"lean": 0.0})
add("majority", majority, {"share": 2.0 / 3.0})
add("majority-best", majority_best, {"share": 2.0 / 3.0})
add("majority-weighted", majority_weighted, {"share": 2.0 / 3.0})
add("threshold", threshold, {"x": 3.0, "y": 5.0})

NAMES = tuple(PARAMETERS)

READS_CONCEALED = frozenset({"thresher"})
"""Extractors that see concealed text (metrics.pxd)."""

PREPARATIONS = {NAMES.index("thresher"): load}
"""What has to be called before the first use of a row; prepare() takes it out when it has been."""

MEMBERS = {
    "density": (1, 2),
    "cetr": (1, 1),
    "cetd-dsum": (1, 2),
    "conex": (0, 0),
    "ccb": (1, 1),
    "cetd": (1, 2),
    "bte": (0, 0),
    "wlr": (0, 0),
    "cetd-ds": (1, 1),
    "cetd-s": (1, 1),
    "linkratio": (0, 0),
}
"""Who votes in the ensembles, in the order of the threshold's first y, with the votes in majority-best and in majority-weighted.

The order is one extractor of each idea, then the rest, by mean F1. Best are the upper two thirds (nine of fourteen, as in the paper) by mean
less standard deviation of word F1 over the labelled sets; two votes have the two first by that and the one of the highest
median precision. Chosen on four fifths of the sites, six of the seven are the same each time, and conex twice takes the place of cetd-dsum.
"""


cdef int add_members() except -1:
    """Hands the members to ensembles.pyx, with the defaults of their parameters."""
    cdef Member member
    cdef int i
    for name, (best, weighted) in MEMBERS.items():
        member.function = FUNCTIONS[<int> NAMES.index(name)]
        for i, value in enumerate(PARAMETERS[name].values()):
            member.options[i] = value
        member.best = best
        member.weighted = weighted
        add_member(&member)
    return 0


add_members()


def prepare(int index) -> None:
    """Makes row `index` of the table ready for use."""
    if index in PREPARATIONS:
        PREPARATIONS.pop(index)()


cdef Extractor extractor_function(int index) noexcept nogil:
    """The function of row `index` of the table."""
    return FUNCTIONS[index]

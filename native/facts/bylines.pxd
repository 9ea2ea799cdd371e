# SPDX-License-Identifier: Apache-2.0
"""Who may have written the page, and what speaks for each; see candidates.pyx."""

from thresher.native.facts.candidates cimport Candidates, Evidence
from thresher.native.facts.names cimport NameWeights
from thresher.native.facts.shown_dates cimport ShownLines
from thresher.native.facts.page_url cimport PageUrl


cdef enum Shown:            # what MainText.places_of() says of the blocks that have a name, as a sum
    SHOWN_KEPT = 1          # a kept block has it,
    SHOWN_LEFT = 2          # one that is left out,
    SHOWN_TOP = 4           # one before the first kept one, that one or one of the three behind it,
    SHOWN_WITHIN = 8        # one from there to the last kept one,
    SHOWN_BEHIND = 16       # one behind the last kept one,
    SHOWN_SHORT = 32        # a short one,
    SHOWN_ALONE = 64        # one that has little else,
    SHOWN_LINKED = 128      # one that is a link;
    SHOWN_OFTEN = 256       # or more than two blocks


cdef enum Edge:             # where a block of MainText.edges() stands, seen from the kept ones
    EDGE_BEFORE = -2        # left out right before the first: to -1
    EDGE_FIRST = 0          # kept, by its number from the first on: to 5
    EDGE_BETWEEN = 6        # left out not far behind the first
    EDGE_LAST = 10          # kept, by its number from the last on: to 13
    EDGE_BEHIND = 20        # left out right behind the last: to 22
    EDGE_OTHER = 30         # kept elsewhere
    EDGE_LEFT = 31          # left out elsewhere


cdef str declared_person(Candidates candidates)
cdef Candidates author_candidates(
    dict values, list linked, ShownLines lines, Py_ssize_t headline, object main_text, set sites, str site_name,
    str title, PageUrl where, NameWeights likeness, Evidence of_page
)

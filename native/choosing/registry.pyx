# SPDX-License-Identifier: Apache-2.0
"""The table of extractors. Each is declared once: name, function, options with defaults, and properties."""

from types import MappingProxyType

cimport cython

from thresher.native.choosing.bte cimport bte
from thresher.native.choosing.ccb cimport CcbOptions, ccb
from thresher.native.choosing.cetd cimport CetdOptions, cetd
from thresher.native.choosing.cetd_smoothed cimport SmoothedOptions, cetd_smoothed
from thresher.native.choosing.cetr cimport CetrOptions, cetr
from thresher.native.choosing.conex cimport ConexOptions, conex
from thresher.native.choosing.density cimport DensityOptions, density
from thresher.native.choosing.ensembles cimport (
    MajorityOptions, Member, ThresholdOptions, add_member, majority, majority_best, majority_weighted, threshold
)
from thresher.native.choosing.everything cimport everything
from thresher.native.choosing.learned cimport LearnedOptions, learned
from thresher.native.choosing.linkratio cimport LinkratioOptions, linkratio
from thresher.native.choosing.menex cimport MenexOptions, menex
from thresher.native.choosing.wlr cimport WlrOptions, wlr


@cython.final
cdef class Extractor:
    """An extractor with the values of its options. EXTRACTORS has each of them with its defaults."""

    def with_options(self, **options) -> Extractor:
        """This extractor with other values for some of its options.

        Raises TypeError for an unknown option, or a value that is not a number.
        """
        for name, value in options.items():
            if name not in self.options:
                known = ', '.join(self.options) or 'none'
                raise TypeError(f"extractor {self.name!r} has no option {name!r}. Known: {known}")
            if not isinstance(value, (int, float)):
                raise TypeError(f"option {name!r} must be a number, not {type(value).__name__}")
        return _make(self.name, self.function, {**self.options, **options}, self)

    def with_hidden(self, str policy not None) -> Extractor:
        """This extractor with another treatment of concealed text. "auto" is its own, "drop" hides the text from
        it, and "keep" makes it count as visible. Raises ValueError for any other value.
        """
        cdef Extractor made = _make(self.name, self.function, dict(self.options), self)
        if policy not in HIDDEN_POLICIES:
            raise ValueError(f"hidden must be one of {', '.join(HIDDEN_POLICIES)}, not {policy!r}")
        if policy != "auto":
            made.reads_concealed = made.takes_as_shown = policy == "keep"
        return made

    def __repr__(self) -> str:
        return f"<Extractor {self.name} {dict(self.options)}>"


HIDDEN_POLICIES = ("auto", "keep", "drop")


cdef Extractor _make(str name, ExtractorFunction function, dict options, Extractor base):
    """An extractor that otherwise equals `base`."""
    cdef Extractor made = Extractor.__new__(Extractor)
    cdef int i
    if len(options) > MAX_OPTIONS:
        raise RuntimeError(f"extractor {name} has more than {MAX_OPTIONS} options")
    made.name = name
    made.function = function
    made.options = MappingProxyType({key: float(value) for key, value in options.items()})
    for i, value in enumerate(made.options.values()):
        made.values[i] = value
    if base is not None:
        made.reads_concealed = base.reads_concealed
        made.takes_as_shown = base.takes_as_shown
        made.uses_model = base.uses_model
    return made


_EXTRACTORS = {}
_VOTES = {}


cdef int add(
    str name, ExtractorFunction function, dict options, tuple votes=None, bint reads_concealed=False,
    bint uses_model=False
) except -1:
    """Adds a row. `votes`, for an extractor that votes in the ensembles: its rank among them, and its votes in
    majority-best and majority-weighted.
    """
    cdef Extractor row = _make(name, function, options, None)
    row.reads_concealed = reads_concealed
    row.uses_model = uses_model
    if name in _EXTRACTORS:
        raise RuntimeError(f"extractor {name} is declared twice")
    _EXTRACTORS[name] = row
    if votes is not None:
        _VOTES[name] = votes
    return 0


# Members have an order, and `threshold` takes the first y: one extractor for each idea, then the rest, by mean F1. The
# best are the upper two thirds (nine of fourteen, as in the paper) by mean minus standard deviation of word F1 over the
# labelled sets. The first two of these, and the one with the highest median precision, have two votes. If the choice is
# made on four fifths of the sites, six of the seven are always the same, and conex replaces cetd-dsum twice.
add("cetd", cetd, CetdOptions(composite=1.0, descend=1.0), votes=(6, 1, 2))
add("cetd-ds", cetd, CetdOptions(composite=0.0, descend=1.0), votes=(9, 1, 1))
add("cetd-dsum", cetd, CetdOptions(composite=1.0, descend=0.0), votes=(3, 1, 2))
add("cetd-s", cetd_smoothed, SmoothedOptions(composite=1.0, threshold=1.0), votes=(10, 1, 1))
add("bte", bte, {}, votes=(7, 0, 0))
add("ccb", ccb, CcbOptions(range=40.0, threshold=0.75, anchors=1.0), votes=(5, 1, 1))
add("wlr", wlr, WlrOptions(size=1.5), votes=(8, 0, 0))
add("cetr", cetr, CetrOptions(clusters=3.0, window=3.0), votes=(2, 1, 1))
add("conex", conex, ConexOptions(candidates=3.0, link_words=3.0), votes=(4, 0, 0))
add("linkratio", linkratio, LinkratioOptions(ratio=15.0, links=1.0), votes=(11, 0, 0))
add("density", density, DensityOptions(words=16.0, next_words=15.0), votes=(1, 1, 2))
add("menex", menex, MenexOptions(candidate=0.85, root=0.90, menu=0.85))
add("all", everything, {})
add("thresher", learned, LearnedOptions(lean=0.0), votes=None, reads_concealed=True, uses_model=True)
add("majority", majority, MajorityOptions(share=2.0 / 3.0))
add("majority-best", majority_best, MajorityOptions(share=2.0 / 3.0))
add("majority-weighted", majority_weighted, MajorityOptions(share=2.0 / 3.0))
add("threshold", threshold, ThresholdOptions(x=3.0, y=5.0))

EXTRACTORS = MappingProxyType(_EXTRACTORS)
"""Every extractor by its name, with the defaults of its options."""

NAMES = tuple(EXTRACTORS)

MEMBERS = MappingProxyType({name: _VOTES[name][1:] for name in sorted(_VOTES, key=_VOTES.get)})
"""The voting members in order, with their votes in majority-best and in majority-weighted."""


cdef int _add_members() except -1:
    """Passes the members to ensembles.pyx, with the defaults of their options."""
    cdef Member member
    cdef Extractor row
    for name, (best, weighted) in MEMBERS.items():
        row = EXTRACTORS[name]
        member.function = row.function
        member.options = row.values
        member.best = best
        member.weighted = weighted
        add_member(&member)
    return 0


_add_members()

# SPDX-License-Identifier: Apache-2.0
"""Values that may be a page's fact, each with what speaks for and against it, and the choice among them.

A candidate is a value and its evidence: where the page says it, how it is written, who else says the same. Each piece of
evidence is a bit and has a name; those of one kind, as the sources, are a run of bits. Small trees over the evidence of
each fact (models/facts-1.json) are fitted to pages that were labelled by hand (`python -m thresher.lab.train.facts`).
The candidate with the greatest sum is taken, and none below a fitted least sum: that a page has no such fact is a
candidate too.

headlines.pyx, sites.pyx and bylines.pyx find the candidates for the title, the site and the author.
"""

from libc.limits cimport LONG_MAX
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport make_room, new_array
from thresher.native.base.decision_trees cimport BitTrees
from thresher.native.facts.labels import GROUP_OF_TYPE, UNSIGNED
from thresher.native.facts.letters cimport PyUnicode_IS_ASCII, pairs_of
from thresher.native.facts.page_url cimport holds_year
from thresher.native.facts.titles cimport may_divide


cdef dict NUMBERS = {}          # of evidence by its name
cdef int n_numbers = 0          # numbers that are given, or left out at the end of a word
cdef bint all_are_known = False


cdef int number_of(str name) except -1:
    """The number of a piece of evidence; a new one for a new name, as long as modules that name evidence are imported."""
    global n_numbers
    if name not in NUMBERS:
        if all_are_known:
            raise ValueError(f"no evidence is called {name!r}")
        if n_numbers == MOST_EVIDENCE:
            raise RuntimeError(f"no room for the evidence {name}, the {MOST_EVIDENCE + 1}th")
        NUMBERS[name] = n_numbers
        n_numbers += 1
    return NUMBERS[name]


cdef void end_numbers() noexcept:
    """Take every other name from now on for a misspelt one."""
    global all_are_known
    all_are_known = True


cdef int run_of(str prefix, object names) except -1:
    """The first number of a run of new pieces of evidence, in the order of their names: all in one word of Evidence.bits,
    or, if they are more than 64, in words that they share with no others.
    """
    global n_numbers
    cdef int n = len(names), first = n_numbers
    if first % 64 + n > 64:
        first = (first + 63) & ~63
    n_numbers = first
    for name in names:
        number_of(f"{prefix}{name}")
    if n_numbers != first + n:
        raise RuntimeError(f"some of the evidence is known already: {prefix}, {names}")
    if n > 64:
        n_numbers = (n_numbers + 63) & ~63
    return first


cdef const Grade* grades_of(str name, list limits) except NULL:
    """Evidence named after the greatest number of each grade; the last one has all that are greater."""
    return named_grades([(f"{name}:{limit}", limit) for limit in limits])


cdef const Grade* named_grades(list rows) except NULL:
    """Evidence by its name, with the greatest number of each grade; the last one has all that are greater."""
    cdef Grade* grades = <Grade*> new_array(len(rows), sizeof(Grade))      # kept for the life of the process
    cdef Py_ssize_t i
    if grades == NULL:
        raise MemoryError("no memory for grades of evidence")
    for i, (name, most) in enumerate(rows):
        grades[i].number, grades[i].most = number_of(name), most if i + 1 < len(rows) else LONG_MAX
    return grades


cdef enum:                  # what a character is
    IS_SPACE = 1
    IS_DIGIT = 2
    IS_UPPER = 4
    IS_LOWER = 8
    IS_DIVIDING = 16        # or may be

cdef uint8_t[128] LOOKS
for _n in range(128):
    _text = chr(_n)
    LOOKS[_n] = (
        IS_SPACE * _text.isspace() | IS_DIGIT * _text.isdecimal() | IS_UPPER * _text.isupper() | IS_LOWER * _text.islower()
        | IS_DIVIDING * may_divide(_text)
    )


cdef Look look_at(str text) noexcept:
    """How a text is written."""
    cdef Look found
    cdef Py_UCS4 character
    cdef uint8_t look, before = IS_SPACE, seen = 0
    memset(&found, 0, sizeof(found))
    for character in text:
        if character < 0x80:
            look = LOOKS[<uint32_t> character]
        elif 0x3040 <= character < 0xA000 or 0xAC00 <= character < 0xD7A4:      # East Asia has no case
            look = IS_DIVIDING
        elif character.isspace():
            look = IS_SPACE | IS_DIVIDING
        else:
            look = IS_DIVIDING | (IS_DIGIT if not seen & IS_DIGIT and character.isdecimal() else 0)
            if not seen & IS_LOWER:
                look |= IS_UPPER if character.isupper() else IS_LOWER * (character.islower() or character.istitle())
        found.words += before & ~look & IS_SPACE
        seen |= look
        before = look
    found.is_ascii = PyUnicode_IS_ASCII(text)
    found.has_digit = (seen & IS_DIGIT) != 0
    found.is_upper = seen & (IS_UPPER | IS_LOWER) == IS_UPPER
    found.may_divide = (seen & IS_DIVIDING) != 0
    found.has_year = found.has_digit and holds_year(text)
    return found


cdef class Candidates:
    """Values, each with its evidence."""

    def __cinit__(self) -> None:
        """None yet."""
        self.texts, self.keys = [], []

    def __dealloc__(self) -> None:
        free(self.rows)

    cdef Evidence* add(self, str text, str key) except NULL:
        """Add a value; returns its evidence, none yet, which stays there until the next is added."""
        cdef size_t n = len(self.texts)
        if make_room(&self.rows, &self.capacity, n + 1) < 0:
            raise MemoryError("no memory for candidates")
        self.texts.append(text)
        self.keys.append(key)
        memset(self.rows + n, 0, sizeof(Evidence))
        self.rows[n].pairs = pairs_of(key) if key is not None else 0
        return self.rows + n

    cdef int take(self, Candidates other, Py_ssize_t i) except -1:
        """Add a value of others with its evidence."""
        self.add(other.texts[i], None)[0] = other.rows[i]
        return 0

    cdef int put_holding(
        self, Py_ssize_t i, uint64_t pairs, Py_ssize_t least, const Grade* within, const Grade* holding
    ) except -1:
        """Add how many other keys hold a candidate's, which has these pairs of letters and more than two of them, and how
        many that have more than `least` it holds.
        """
        cdef str key = self.keys[i], other
        cdef Py_ssize_t k, n = len(key), n_within = 0, n_holding = 0
        for k in range(len(self.keys)):
            if self.rows[k].pairs and (not pairs & ~self.rows[k].pairs or not self.rows[k].pairs & ~pairs):
                other = self.keys[k]
                if len(other) > n:
                    n_within += n > 2 and key in other
                elif least < len(other) < n:
                    n_holding += other in key
        put_grade(self.rows + i, within, n_within)
        put_grade(self.rows + i, holding, n_holding)
        return 0

    cdef void put_all(self, const Evidence* of_page) noexcept:
        """Add evidence to every value."""
        cdef Py_ssize_t i
        cdef int k
        for i in range(len(self.texts)):
            for k in range(EVIDENCE_WORDS):
                self.rows[i].bits[k] |= of_page.bits[k]

    cdef list named(self):
        """The values with the names of their evidence; "" is evidence of every one."""
        cdef Py_ssize_t i
        return [
            (self.texts[i], {"", *[name for name, number in NUMBERS.items() if has(self.rows + i, number)]})
            for i in range(len(self.texts))
        ]


cdef class Ranker:
    """How much the evidence of a candidate for one fact speaks for it: boosted trees, whose nodes ask for one piece."""

    def __init__(self, list trees not None, int least) -> None:
        """Trees, each as nodes and leaves, and the least sum of a candidate that is taken. A node has the name of its
        evidence and what follows without it and with it: the number of a node, a later one, or the complement (~) of a
        leaf's. Leaves are whole numbers; a tree without a node has one.
        """
        self.least = least
        self.trees = BitTrees(
            [([(number_of(name), absent, present) for name, absent, present in nodes], leaves) for nodes, leaves in trees],
            EVIDENCE_WORDS,
        )

    cdef str best(self, Candidates candidates):
        """The likeliest value; None if its sum is below the least."""
        cdef int score = 0
        cdef Py_ssize_t i = self.likeliest(candidates, &score)
        return candidates.texts[i] if i >= 0 and score >= self.least else None

    cdef Py_ssize_t likeliest(self, Candidates candidates, int* score):
        """The number and the sum of the first of the values with the greatest sum; -1 of no value."""
        cdef Py_ssize_t i, found = -1
        cdef int this
        for i in range(len(candidates.texts)):
            this = self.trees.sum_of(candidates.rows[i].bits)
            if found < 0 or this > score[0]:
                found, score[0] = i, this
        return found

    def scored(self, list candidates not None) -> list[int]:
        """The sums of candidates that are given by the names of their evidence, as named() does."""
        cdef Evidence evidence
        cdef list found = []
        for names in candidates:
            memset(&evidence, 0, sizeof(evidence))
            for name in names:
                if name in NUMBERS:
                    put(&evidence, NUMBERS[name])
            found.append(self.trees.sum_of(evidence.bits))
        return found


cdef class FactWeights:
    """All that was fitted for the facts of a page."""

    def __init__(
        self, TypeWeights type_weights not None, Ranker site not None, Ranker author not None, Ranker date not None,
        Ranker title not None, NameWeights names not None, double likely,
    ) -> None:
        """`likely` is the probability of a type from which on it says whether a page has a day or an author."""
        cdef int k
        if len(GROUP_OF_TYPE) != N_TYPES:
            raise ValueError(f"{len(GROUP_OF_TYPE)} types instead of {N_TYPES}")
        self.type_weights, self.site, self.author, self.date, self.title = type_weights, site, author, date, title
        self.names, self.likely = names, likely
        for k, (name, group) in enumerate(GROUP_OF_TYPE.items()):
            self.type_numbers[k] = number_of(f"type:{name}")
            self.group_numbers[k] = number_of(f"group:{group}")
            self.unsigned[k] = name in UNSIGNED

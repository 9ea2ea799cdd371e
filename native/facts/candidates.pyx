# SPDX-License-Identifier: Apache-2.0
"""Values that may be a page's fact, each with what speaks for and against it, and the choice among them.

A candidate is a value and its evidence: where the page says it, how it is written, who else says the same. Each piece of
evidence is a bit and has a name. Small trees over the evidence of each fact (models/facts-1.json) are fitted to pages
that were labelled by hand (`python -m thresher.lab.train.facts`). The candidate with the greatest sum is taken, and none
below a fitted least sum: that a page has no such fact is a candidate too.
"""

import re

from cpython.unicode cimport PyUnicode_1BYTE_DATA
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.limits cimport INT_MIN, LONG_MAX
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.arrays cimport make_room, new_array
from thresher.native.facts.letters cimport PyUnicode_IS_ASCII, is_in, key_of, pairs_of
from thresher.native.facts.authors cimport (
    SAYS_BY, SAYS_PLAIN, is_answer, is_company, is_organisation, may_be_names, names_in, names_of_line, names_role,
    signature_in
)
from thresher.native.facts.shown_dates cimport ShownLines
from thresher.native.facts.labels import (
    AUTHOR_ELEMENTS, COMPANIES, MEDIA_ENDS, PARTICLES, PICTURES, RESERVED, SECOND_LEVELS, SITE_ELEMENTS
)
from thresher.native.facts.linked_data cimport TYPE_ARTICLE, TYPE_FORUM, TYPE_ORGANIZATION, TYPE_RECIPE, TYPE_REVIEW, TYPE_SITE
from thresher.native.facts.marks import MARKS
from thresher.native.facts.page_url cimport (
    PageUrl, Words, count_words, holds_year, name_key, plain_letters, without_the
)
from thresher.native.facts.page_data cimport by_identifier, clean_text, named
from thresher.native.facts.titles cimport Pieces, has_separators, is_home_name, may_divide

cdef enum:
    MAX_SITE = 120          # characters of a site's name
    MAX_COMPANY = 14        # of its last word that says what kind of company it is
    MAX_VALUES = 3          # of one source
    MAX_LINE = 160          # characters of a line with an author's name
    MAX_TEXT = 80           # of the part of it that is read
    BEFORE = 250            # bytes before the headline, and
    BEHIND = 1500           # behind it, within which a line without a mark may name the author
    NEAR = 200              # bytes from it to a line that has nothing but a date and names
    MIN_BESIDE = 4          # characters beside a name, of words that say something of it
    MIN_ALIKE = 4           # letters of a name that is compared with the site's and the title
    MAX_PLACED = 24         # candidates that are looked for in the text
    MANY = 4                # names in a line that is no byline
    MAX_EDGE = 120          # characters of a part of a block that may be names
    MAX_HOLDER = 50         # of a site's name or a headline that may be a person's name
    FIRST_HEADING = 2       # kinds of blocks (measuring/blocks.pxd)
    LAST_HEADING = 7

cdef object COMPANY_PLACE = re.compile(
    r"^(?:株式会社|有限会社)\s*|\s*(?:株式会社|有限会社|(?:股份|责任|科技)*有限(?:责任)?公司|官网|官方网站|公式サイト)$"
).sub
cdef tuple NO_NAME_ENDS = RESERVED
cdef frozenset FIRST_OF_ENDS = frozenset([text[0] for text in RESERVED])
cdef frozenset LAST_OF_ENDS = frozenset([text[len(text) - 1] for text in RESERVED])
cdef object DOMAIN = re.compile(r"\.[a-z]{2,4}$", re.IGNORECASE).search
cdef frozenset AT = frozenset("on at by from auf bei von sur chez en em su op na на".split())
cdef Words COMPANY_WORDS = Words(COMPANIES)
cdef frozenset SECONDS = SECOND_LEVELS, OF_MEDIA = MEDIA_ENDS
cdef tuple DECLARED_SITES = SITE_ELEMENTS, DECLARED_AUTHORS = AUTHOR_ELEMENTS
cdef int ARTICLES = TYPE_ARTICLE | TYPE_FORUM | TYPE_REVIEW | TYPE_RECIPE
cdef int NAME_MARK = MARKS["name"], AUTHOR_MARK = MARKS["author"]
cdef int HEADINGS = MARKS["heading_1"] | MARKS["heading_2"] | MARKS["title"]


# --- evidence ---

cdef dict NUMBERS = {}          # of evidence by its name


cdef int number_of(str name) except -1:
    """The number of a piece of evidence; a new one for a new name."""
    cdef object found = NUMBERS.get(name)
    if found is None:
        if len(NUMBERS) == MOST_EVIDENCE:
            raise RuntimeError(f"no room for the evidence {name}, the {MOST_EVIDENCE + 1}th")
        found = NUMBERS[name] = len(NUMBERS)
    return found


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
    cdef const uint8_t* data
    cdef Py_ssize_t i
    cdef uint8_t look, before = IS_SPACE, seen = 0
    memset(&found, 0, sizeof(found))
    found.is_ascii = PyUnicode_IS_ASCII(text)
    if found.is_ascii:
        data = <const uint8_t*> PyUnicode_1BYTE_DATA(text)
        for i in range(len(text)):
            look = LOOKS[data[i]]
            found.words += before & ~look & IS_SPACE
            seen |= look
            before = look
    else:
        seen = IS_DIVIDING
        for character in text:
            if character < 0x80:
                look = LOOKS[<uint32_t> character]
            elif 0x3040 <= character < 0xA000 or 0xAC00 <= character < 0xD7A4:      # East Asia has no case
                look = 0
            elif character.isspace():
                look = IS_SPACE
            else:
                look = IS_DIGIT if not seen & IS_DIGIT and character.isdecimal() else 0
                if not seen & IS_LOWER:
                    look |= IS_UPPER if character.isupper() else IS_LOWER * (character.islower() or character.istitle())
            found.words += before & ~look & IS_SPACE
            seen |= look
            before = look
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
                    n_within += n > 2 and is_in(key, other)
                elif least < len(other) < n:
                    n_holding += is_in(other, key)
        put_grade(self.rows + i, within, n_within)
        put_grade(self.rows + i, holding, n_holding)
        return 0

    cdef list named(self):
        """The values with the names of their evidence; "" is evidence of every one."""
        cdef list names = list(NUMBERS)
        cdef Py_ssize_t i
        cdef int k
        return [
            (self.texts[i], {"", *[names[k] for k in range(len(names)) if has(self.rows + i, k)]})
            for i in range(len(self.texts))
        ]


cdef class Ranker:
    """How much the evidence of a candidate for one fact speaks for it: boosted trees, whose nodes ask for one piece."""

    def __init__(self, list trees not None, int least) -> None:
        """Trees, each as nodes and leaves, and the least sum of a candidate that is taken. A node has the name of its
        evidence and what follows without it and with it: the number of a node, a later one, or the complement (~) of a
        leaf's. Leaves are whole numbers; a tree without a node has one.
        """
        cdef Py_ssize_t n_nodes = 0, n_leaves = 0, t
        cdef int number
        self.least = least
        self.nodes = <TreeNode*> new_array(sum([len(nodes) for nodes, _ in trees]) + 1, sizeof(TreeNode))
        self.leaves = <int32_t*> new_array(sum([len(leaves) for _, leaves in trees]) + 1, sizeof(int32_t))
        self.trees = <RankerTree*> new_array(len(trees) + 1, sizeof(RankerTree))
        if self.nodes == NULL or self.leaves == NULL or self.trees == NULL:
            raise MemoryError("no memory for the trees of facts")
        for t, (nodes, leaves) in enumerate(trees):
            if not nodes:
                self.base += <int> leaves[0]
                continue
            self.trees[self.n_trees].root = <int32_t> n_nodes
            self.trees[self.n_trees].most = max(leaves, default=0)
            self.n_trees += 1
            for i, (name, absent, present) in enumerate(nodes):
                number = number_of(name)
                self.nodes[n_nodes + i].word, self.nodes[n_nodes + i].shift = number >> 6, number & 63
                for side, child in enumerate((absent, present)):
                    if not (i < child < len(nodes) if child >= 0 else ~child < len(leaves)):
                        raise ValueError(f"node {i} of tree {t} leads to {child}")
                    self.nodes[n_nodes + i].next[<int> side] = child + n_nodes if child >= 0 else child - n_leaves
            for value in leaves:
                self.leaves[n_leaves] = value
                n_leaves += 1
            n_nodes += len(nodes)
        for t in range(self.n_trees - 2, -1, -1):
            self.trees[t].most += self.trees[t + 1].most

    def __dealloc__(self) -> None:
        free(self.nodes)
        free(self.leaves)
        free(self.trees)

    cdef str best(self, Candidates candidates):
        """The first of the values with the greatest sum; None if all are below the least."""
        cdef Py_ssize_t i, found = -1
        cdef int score, most = self.least - 1
        for i in range(len(candidates.texts)):
            score = self.score(candidates.rows + i, most)
            if score > most:
                found, most = i, score
        return candidates.texts[found] if found >= 0 else None

    cdef int score(self, const Evidence* evidence, int beaten) noexcept nogil:
        """The sum of the leaves that a candidate reaches; `beaten` if the trees that are left cannot raise it above that."""
        cdef Py_ssize_t t
        cdef int32_t n, score = self.base
        cdef const TreeNode* node
        for t in range(self.n_trees):
            if score + self.trees[t].most <= beaten:
                return beaten
            n = self.trees[t].root
            while n >= 0:
                node = self.nodes + n
                n = node.next[evidence.bits[node.word] >> node.shift & 1]
            score += self.leaves[~n]
        return score

    def scored(self, list candidates not None) -> list[int]:
        """The sums of candidates that are given by the names of their evidence, as named() does."""
        cdef Evidence evidence
        cdef list found = []
        for names in candidates:
            memset(&evidence, 0, sizeof(evidence))
            for name in names:
                if name in NUMBERS:
                    put(&evidence, NUMBERS[name])
            found.append(self.score(&evidence, INT_MIN))
        return found


cdef class FactWeights:
    """All that was fitted for the facts of a page."""

    def __init__(
        self, TypeWeights type_weights not None, Ranker site not None, Ranker author not None, Ranker date not None,
        Ranker title not None, NameWeights names not None, double likely, tuple types not None,
        frozenset unsigned not None,
    ) -> None:
        """`likely` is the probability of a type from which on it says whether a page has a day or an author, `types` has
        the name and group of each type, `unsigned` the types whose pages nobody signs.
        """
        cdef int k
        if len(types) != N_TYPES:
            raise ValueError(f"{len(types)} types instead of {N_TYPES}")
        self.type_weights, self.site, self.author, self.date, self.title = type_weights, site, author, date, title
        self.names, self.likely = names, likely
        for k in range(N_TYPES):
            self.type_numbers[k] = number_of(f"type:{types[k][0]}")
            self.group_numbers[k] = number_of(f"group:{types[k][1]}")
            self.unsigned[k] = types[k][0] in unsigned


# --- the site ---

cdef bint ends_as_company(str text) except -1:
    """True if a name ends with "Ltd" and the like."""
    cdef Py_ssize_t at = len(text) - 1, start, end = len(text)
    while at >= 0 and text[at] != u" ":
        at -= 1
    start = at + 1
    while end > start and text[end - 1] in u".,":
        end -= 1
    while start < end and text[start] in u".,":
        start += 1
    if at < 0 or len(text) - at > MAX_COMPANY or not COMPANY_WORDS.may_be(text, start, end):
        return False
    return text[at:].strip(" .,").replace(".", "").lower() in COMPANY_WORDS.words


cdef str without_company(str text):
    """A name without "Ltd" and the like behind it."""
    cdef Py_ssize_t at
    if text and (text[0] in u"株有" or text[len(text) - 1] in u"社司网站ト"):
        text = COMPANY_PLACE("", text)
    while ends_as_company(text):
        at = text.rfind(" ")
        text = text[:at].rstrip(" ,&")
    return text


cdef str without_ends(str text):
    """A name without what lines of rights and links to the front page say around it."""
    cdef str small = text.lower()
    if len(small) != len(text):
        return text
    if small[:1] in FIRST_OF_ENDS:
        for each in NO_NAME_ENDS:
            if small.startswith(each):
                text, small = text[len(each):], small[len(each):]
                break
    if small[len(small) - 1:] in LAST_OF_ENDS:
        for each in NO_NAME_ENDS:
            if small.endswith(each):
                text = text[:len(text) - len(each)]
                break
    return text.strip(" :.,،·-–")


cdef str without_brackets(str text):
    """A name without what stands in brackets behind it."""
    cdef Py_ssize_t i
    for i in range(1, len(text)):
        if text[i] in u"(（【[":
            return text[:i].rstrip()
    return text


cdef tuple labels_of(str host):
    """The labels of a host without its suffix, as letters and digits, the registered one last."""
    cdef list labels = [key_of(label) for label in host.lower().removeprefix("www.").split(".") if label]
    if len(labels) < 2:
        return ()
    labels.pop()
    if len(labels) > 1 and labels[len(labels) - 1] in SECONDS:
        labels.pop()
    return tuple(labels)


cdef bint is_within(str part, str whole) except -1:
    """True if the letters of one text occur in another in their order: bbc in British Broadcasting Corporation."""
    cdef Py_ssize_t at = 0
    for letter in part:
        at = whole.find(letter, at) + 1
        if at == 0:
            return False
    return True


cdef str initials_of(str text):
    return "".join([word[0] for word in text.casefold().split() if word[0].isalnum()])


# Where a name of the site may come from. Of most sources also the first and the last piece, and each without "Ltd".
cdef tuple PARTED = (
    *DECLARED_SITES, "ld site", "ld organization", "ld publisher", "home link", "home link later", "rights", "feed", "logo",
    "host words", "journal",
)
cdef enum:
    LD_SITE = 6             # numbers of PARTED
    LD_ORGANIZATION = 7
    LD_PUBLISHER = 8
    HOME_LINK = 9
    HOME_LINK_LATER = 10
    RIGHTS = 11
    FEED = 12
    LOGO = 13
    HOST_WORDS = 14
    JOURNAL = 15
    WHOLE = 0               # numbers of PARTS
    FIRST = 1
    LAST = 2
    CUT = 3
    N_PARTS = 4
    TITLE = 64              # the number of the first source that is a piece of the title element,
    OG_TITLE = 74           # of og:title,
    HEADING = 84            # and of a heading
    SITE_SOURCES = 128      # room for them, so that two words of Evidence have a bit for each
cdef tuple OTHER_SITES = (
    ("feed", FEED), ("logo", LOGO), ("host words", HOST_WORDS), ("citation_journal_title", JOURNAL)
)
cdef tuple PARTS = ("", " first", " last", " cut")
cdef enum:
    TITLE_WHOLE = 0         # numbers of PIECES
    TITLE_END = 1
    TITLE_BUT_END = 2
    TITLE_BEGIN = 3
    TITLE_BUT_BEGIN = 4
    TITLE_TWO = 5
    TITLE_BEFORE_END = 6
    TITLE_END_CUT = 7
    TITLE_BESIDE = 8
    TITLE_AT = 9
cdef tuple PIECES = (
    " whole", " end", " but end", " begin", " but begin", " two", " before end", " end cut", " beside heading", " at",
)


cdef list _sources():
    """The names of the sources of a site's name, by number."""
    if len(PARTED) * N_PARTS != TITLE or len(PIECES) != OG_TITLE - TITLE:
        raise RuntimeError("the numbers of sources of a site's name are not those of their names")
    cdef list found = [f"{source}{part}" for source in PARTED for part in PARTS]
    found += [f"{source}{piece}" for source in ("title", "og:title") for piece in PIECES]
    return [*found, "h1"]


cdef enum:
    SOURCE = 0              # the numbers of evidence: the value has this source,
    FRONT = 128             # and the page is a front page,
    ALIKE = 256             # or a value with the same letters has it,
    OF_PAGE = 384           # or any value of the page
for _prefix in ("s:", "front ", "k:", "page "):
    _texts = _sources()
    for _n in range(SITE_SOURCES):
        number_of(f"{_prefix}{_texts[_n]}" if _n < len(_texts) else f"{_prefix}free {_n}")
cdef int FAMILIES_2 = number_of("families:2"), FAMILIES_3 = number_of("families:3"), FAMILIES_4 = number_of("families:4")
cdef int NO_HOST = number_of("no host"), HOST = number_of("host"), HOST_WITHIN = number_of("host within")
cdef int WITHIN_HOST = number_of("within host"), INITIALS = number_of("initials"), SCATTERED = number_of("host scattered")
cdef int NO_HOST_ALIKE = number_of("no host alike"), BEGINS_AS_HOST = number_of("begins as host")
cdef int SUBDOMAIN = number_of("subdomain"), IS_DOMAIN = number_of("domain"), IS_ADDRESS = number_of("address")
cdef int DIVIDED = number_of("divided"), HOME_NAME = number_of("home name"), IS_HEADING = number_of("heading")
cdef int SMALL_LETTER = number_of("small letter"), DIGIT = number_of("digit"), NOT_ASCII = number_of("not ASCII")
cdef int CAPITALS = number_of("capitals"), COMPANY = number_of("company"), WHOLE_HOST = number_of("whole host")


cdef Grade[4] GRADES_WITHIN
cdef Grade[4] GRADES_HOLDS
cdef Grade[7] GRADES_WORDS
cdef Grade[7] GRADES_LONG


cdef int fill_grades(Grade* grades, str name, list limits) except -1:
    """Name evidence after the greatest number of each grade; the last one has all that are greater."""
    cdef Py_ssize_t i
    for i in range(len(limits)):
        grades[i].most = limits[i] if i + 1 < len(limits) else LONG_MAX
        grades[i].number = number_of(f"{name}:{limits[i]}")
    return 0


fill_grades(GRADES_WITHIN, "within", [0, 1, 3, 4])
fill_grades(GRADES_HOLDS, "holds", [0, 1, 3, 4])
fill_grades(GRADES_WORDS, "words", [1, 2, 3, 4, 6, 9, 10])
fill_grades(GRADES_LONG, "long", [3, 8, 15, 25, 40, 60, 61])


cdef class Found:
    """Names that the site may have, with their sources."""
    cdef Candidates names
    cdef dict rows          # the number of each text

    def __cinit__(self) -> None:
        """None yet."""
        self.names, self.rows = Candidates(), {}

    cdef int add(self, str text, int source, int other=0) except -1:
        """Add a text as it stands, unless it has no letters or is too long; with another source as well, if one is given
        by what is added to the number of the first.
        """
        cdef object row
        cdef str key
        text = text.strip(" -–|·:»«.,•\"'")
        if not text or len(text) > MAX_SITE:
            return 0
        row = self.rows.get(text)
        if row is None:
            key = name_key(text)
            if not key:
                return 0
            self.rows[text] = row = len(self.rows)
            self.names.add(text, key)
        put(self.names.rows + <Py_ssize_t> row, source)
        put(self.names.rows + <Py_ssize_t> row, source + other)
        return 0

    cdef int add_parts(self, str text, int source, bint has_ends=False) except -1:
        """Add a text, its first and last piece, and each of them as the name of a company alone. `source` is that of
        PARTED.
        """
        cdef Pieces pieces
        cdef str cut, part
        cdef list parts
        if not text or len(text) > 2 * MAX_SITE:
            return 0
        source *= N_PARTS
        parts = [text]
        self.add(text, source + WHOLE)
        if has_separators(text, 1):
            pieces = Pieces(text)
            parts += [pieces.texts[0].strip(), pieces.texts[len(pieces.texts) - 1].strip()]
            self.add(parts[1], source + FIRST)
            self.add(parts[2], source + LAST)
        for each in parts:
            part = each
            cut = without_company(without_ends(part) if has_ends else part)
            if cut and cut != part:
                self.add(cut, source + CUT)
        return 0


cdef int add_title(Found found, str text, int source, int other, set headings) except -1:
    """Add the pieces of a title that may be the site's name; `headings` are keys of headings, which one may be beside.
    `other` is what is added to a source for another title that is the same.
    """
    cdef Pieces pieces = Pieces(text)
    cdef Py_ssize_t n = len(pieces.texts), i
    cdef str last = pieces.between(n - 1, n), cut
    cdef list words = last.split(" ")
    found.add(pieces.title, source + TITLE_WHOLE, other)
    for i in range(len(words) - 2, 0, -1):
        if words[i] in AT:
            found.add(" ".join(words[i + 1:]), source + TITLE_AT, other)
            break
    cut = without_company(without_brackets(last))
    if n > 1 or cut != last:
        found.add(cut, source + TITLE_END_CUT, other)
    if n < 2:
        return 0
    found.add(pieces.between(n - 1, n), source + TITLE_END, other)
    found.add(pieces.between(0, n - 1), source + TITLE_BUT_END, other)
    found.add(pieces.between(0, 1), source + TITLE_BEGIN, other)
    found.add(pieces.between(1, n), source + TITLE_BUT_BEGIN, other)
    if n > 2:
        found.add(pieces.between(n - 2, n), source + TITLE_TWO, other)
        found.add(pieces.between(n - 2, n - 1), source + TITLE_BEFORE_END, other)
    for i in range(1, n if headings else 0):
        if name_key(pieces.between(0, i)) in headings:
            found.add(pieces.between(i, n), source + TITLE_BESIDE, other)
        if name_key(pieces.between(i, n)) in headings:
            found.add(pieces.between(0, i), source + TITLE_BESIDE, other)
    return 0


cdef list names_of(dict thing):
    """The names of an object of JSON-LD that are texts."""
    return [clean_text(name) for name in (<list> thing.get("name", []))[:MAX_VALUES] if isinstance(name, str)]


cdef Candidates site_candidates(dict values, list linked, PageUrl where, str host, tuple labels):
    """What the site may be called: declared names, the publisher of JSON-LD, pieces of titles, links to the front page,
    the line of rights, feeds, logos, the words of the host, headings; and parts of these. `host` is that of the page,
    also where only the page names it, and `labels` are labels_of() it.
    """
    cdef Found found = Found()
    cdef Py_ssize_t i
    cdef dict thing
    cdef int types
    cdef bint same = False
    cdef list h1 = values.get("h1", [])
    cdef set headings = {name_key(each) for each in h1}
    for i in range(len(DECLARED_SITES)):
        if DECLARED_SITES[i] in values:
            for text in (<list> values[DECLARED_SITES[i]])[:MAX_VALUES]:
                found.add_parts(text, <int> i)
    for each in linked:
        thing = each
        types = thing["@type"]
        if types & (TYPE_SITE | TYPE_ORGANIZATION):
            for text in names_of(thing):
                found.add_parts(text, LD_SITE if types & TYPE_SITE else LD_ORGANIZATION)
        if "publisher" in thing:
            for publisher in (<list> thing["publisher"])[:MAX_VALUES]:
                for text in [clean_text(publisher)] if isinstance(publisher, str) else names_of(publisher):
                    found.add_parts(text, LD_PUBLISHER)
    if "title" in values:
        same = "og:title" in values and (<list> values["og:title"])[0] == (<list> values["title"])[0]
        add_title(found, (<list> values["title"])[0], TITLE, OG_TITLE - TITLE if same else 0, headings)
    if "og:title" in values and not same:
        add_title(found, (<list> values["og:title"])[0], OG_TITLE, 0, headings)
    if "home link" in values:
        for i, text in enumerate((<list> values["home link"])[:MAX_VALUES]):
            found.add_parts(text, HOME_LINK if i == 0 else HOME_LINK_LATER, True)
    if "rights" in values:
        found.add_parts((<list> values["rights"])[0], RIGHTS, True)
    for name, source in OTHER_SITES:
        for text in (<list> values.get(name, []))[:MAX_VALUES]:
            found.add_parts(text, source, True)
    for text in h1[:MAX_VALUES]:
        found.add(text, HEADING)
    rate_sites(found, headings, host, labels, where.is_front_page)
    return found.names


cdef bint has_digit(str text) noexcept:
    cdef Py_UCS4 character
    for character in text:
        if u"0" <= character <= u"9" or (character > 0x7F and character.isdecimal()):
            return True
    return False


cdef bint holds_numbers(str text) noexcept:
    """True if a text has four digits, or two numbers with a colon, slash or stop between them, as dates and times do."""
    cdef Py_ssize_t i, digits = 0, n = len(text)
    for i in range(n):
        if u"0" <= text[i] <= u"9" or (text[i] > 0x7F and text[i].isdecimal()):
            digits += 1
            if digits == 4:
                return True
        else:
            if digits and text[i] in u":/." and i + 1 < n and (text[i + 1].isdecimal()):
                return True
            digits = 0
    return False


cdef inline bint are_in(const uint64_t* bits, int first, int behind) noexcept:
    """True if one of some sources is among these."""
    cdef int n
    for n in range(first, behind):
        if bits[n >> 6] >> (n & 63) & 1:
            return True
    return False


cdef int count_families(const uint64_t* bits) noexcept:
    """From how many statements of the page sources come: title elements, JSON-LD, links to the front page, the line of
    rights, feeds, logos, and each element that declares a name.
    """
    cdef int n, found = 0
    for n in range(LD_SITE):
        found += are_in(bits, n * N_PARTS, (n + 1) * N_PARTS)
    for n in range(RIGHTS, HOST_WORDS):
        found += are_in(bits, n * N_PARTS, (n + 1) * N_PARTS)
    return (
        found + are_in(bits, LD_SITE * N_PARTS, HOME_LINK * N_PARTS) + are_in(bits, HOME_LINK * N_PARTS, RIGHTS * N_PARTS)
        + are_in(bits, JOURNAL * N_PARTS, TITLE) + are_in(bits, TITLE, HEADING)
    )


cdef int rate_sites(Found found, set headings, str host, tuple labels, bint is_front) except -1:
    """Add all evidence but the sources."""
    cdef dict first_of = {}     # the first row with each key, whose bits ALIKE are those of all with the key
    cdef str registered = labels[len(labels) - 1] if labels else "", key, letters, text
    cdef str own = key_of(host.removeprefix("www."))
    cdef uint64_t[2] of_page = [0, 0]
    cdef Evidence* evidence
    cdef Evidence* shared
    cdef Look look
    cdef Py_ssize_t i, k, n
    for i in range(len(found.rows)):
        k = first_of.setdefault(found.names.keys[i], i)
        if k != i:
            found.names.rows[i].pairs = 0
        for n in range(2):
            found.names.rows[k].bits[(ALIKE >> 6) + n] |= found.names.rows[i].bits[n]
            of_page[n] |= found.names.rows[i].bits[n]
    for i in range(len(found.rows)):
        text, key, evidence = found.names.texts[i], found.names.keys[i], found.names.rows + i
        shared = found.names.rows + <Py_ssize_t> first_of[key]
        for n in range(2):
            evidence.bits[(ALIKE >> 6) + n] = shared.bits[(ALIKE >> 6) + n]
            evidence.bits[(OF_PAGE >> 6) + n] = of_page[n]
            if is_front:
                evidence.bits[(FRONT >> 6) + n] = evidence.bits[n]
        n = count_families(evidence.bits + (ALIKE >> 6))
        if n > 1:
            put(evidence, FAMILIES_2)
        if n > 2:
            put(evidence, FAMILIES_3)
        if n > 3:
            put(evidence, FAMILIES_4)
        letters = key if key.isascii() else plain_letters(text, key)
        if letters is not key:
            letters = without_the(letters)
        if not registered:
            put(evidence, NO_HOST)
        elif letters == registered or key == registered:
            put(evidence, HOST)
        else:
            put(
                evidence,
                HOST_WITHIN if is_in(registered, letters) else WITHIN_HOST if len(letters) > 2 and is_in(letters, registered)
                else INITIALS if 2 < len(registered) <= count_words(text) and initials_of(text) == registered
                else SCATTERED if len(registered) > 3 and is_within(registered, letters) else NO_HOST_ALIKE
            )
            if len(registered) > 3 and letters.startswith(registered):
                put(evidence, BEGINS_AS_HOST)
            if letters in labels:
                put(evidence, SUBDOMAIN)
        if key == own:
            put(evidence, WHOLE_HOST)
        found.names.put_holding(i, shared.pairs, 2, GRADES_WITHIN, GRADES_HOLDS)
        look = look_at(text)
        put_grade(evidence, GRADES_WORDS, look.words)
        put_grade(evidence, GRADES_LONG, len(text))
        if "." in text and DOMAIN(text) is not None:
            put(evidence, IS_DOMAIN)
        if "://" in text or (<str> text[:4]).lower() == "www.":
            put(evidence, IS_ADDRESS)
        if look.may_divide and has_separators(text, 1):
            put(evidence, DIVIDED)
        if is_home_name(text):
            put(evidence, HOME_NAME)
        if key in headings:
            put(evidence, IS_HEADING)
        if text[0].islower():
            put(evidence, SMALL_LETTER)
        if look.has_digit:
            put(evidence, DIGIT)
        if not look.is_ascii:
            put(evidence, NOT_ASCII)
        if look.is_upper:
            put(evidence, CAPITALS)
        if ends_as_company(text):
            put(evidence, COMPANY)
    return 0


# --- the author ---

cdef enum:
    LD_ARTICLE = 0          # numbers of AUTHOR_SOURCES
    LD_OTHER = 1
    META_AUTHOR = 2
    ARTICLE_AUTHOR = 3
    META_OTHER = 4
    WRITTEN_BY = 5
    REL_AUTHOR = 6
    REL_AUTHOR_ELSEWHERE = 7
    LINE = 8
    EDGE = 9                # a block at the beginning or end of the kept text
    HOLDER = 10             # who has the rights
    SITE_ITSELF = 11
    HEADLINE = 12
    N_AUTHOR_SOURCES = 13
    NO_CASE = 0             # numbers of SHAPES: how names are written
    SMALL = 1
    ALL_CAPITALS = 2
    MIXED = 3
    CAPITALISED = 4
    N_SHAPES = 5
cdef tuple AUTHOR_SOURCES = (
    "ld article", "ld", "author", "article:author", "meta", "written by", "rel author", "rel author elsewhere", "line",
    "edge", "rights", "site itself", "headline",
)
cdef tuple SHAPES = ("no case", "small", "all capitals", "mixed", "capitalised")
cdef int[N_AUTHOR_SOURCES] SOURCE_NUMBERS
cdef int[N_SHAPES] SHAPE_NUMBERS
cdef int[N_AUTHOR_SOURCES][N_SHAPES] JOINED_NUMBERS
for _n in range(N_SHAPES):
    SHAPE_NUMBERS[_n] = number_of(SHAPES[_n])
for _k in range(N_AUTHOR_SOURCES):
    SOURCE_NUMBERS[_k] = number_of(AUTHOR_SOURCES[_k])
    for _n in range(N_SHAPES):
        JOINED_NUMBERS[_k][_n] = number_of(f"{AUTHOR_SOURCES[_k]} {SHAPES[_n]}")
cdef Grade[4] GRADES_NAME_WORDS
cdef Grade[3] GRADES_NAMES
cdef Grade[4] GRADES_NAMED
fill_grades(GRADES_NAME_WORDS, "words", [1, 2, 3, 4])
fill_grades(GRADES_NAMES, "names", [1, 2, 3])
fill_grades(GRADES_NAMED, "named", [1, 3, 8, 9])
cdef int SHORT_NAME = number_of("short"), LONGER_NAME = number_of("longer"), ORGANISATION = number_of("organisation")
cdef int OF_SITE = number_of("site"), OF_PERSON = number_of("declared person")
cdef int OF_INSTITUTION = number_of("declared institution")
cdef int LIKE_SITE = number_of("like site"), IN_TITLE = number_of("in title"), OF_PICTURE = number_of("picture")
cdef enum:
    N_SHOWN = 9
    SHOWN_LEFT = 1          # numbers of the bits for a block that is left out,
    SHOWN_TOP = 2           # one of the first,
    SHOWN_SHORT = 5         # and a short one
cdef int[N_SHOWN] SHOWN_NUMBERS     # by the bits of Workspace.places_of()
for _n, _name in enumerate(("kept", "left", "top", "within", "behind", "short", "alone", "linked", "often")):
    SHOWN_NUMBERS[_n] = number_of(f"shown {_name}")
cdef int NOT_SHOWN = number_of("not shown")
cdef int FRONT_PAGE = number_of("front page"), NO_HEADLINE = number_of("no headline")
cdef int AUTHOR_NEAR = number_of("author near"), AUTHOR_FAR = number_of("author far")
cdef int BY_NEAR = number_of("by near"), BY_FAR = number_of("by far")
cdef int DECLARED_TOO = number_of("declared too"), LINKED_TOO = number_of("linked too")
cdef int DATE_IN_LINE = number_of("date in line"), LONG_LINE = number_of("long line")
cdef int DATE_BEHIND = number_of("date behind"), DATE_BEFORE = number_of("date before")
cdef int FIRST_NAMED = number_of("first named")
cdef int ROLE_BESIDE = number_of("role beside"), ANSWERS = number_of("answers")
cdef enum:
    N_LIKELY = 8
cdef int[N_LIKELY] LIKELY_NUMBERS       # sums of NameWeights above these: -4 to 4 in log-odds
cdef int[N_LIKELY] LIKELY_SUMS = [-64, -40, -24, -8, 8, 24, 40, 64]
for _n in range(N_LIKELY):
    LIKELY_NUMBERS[_n] = number_of(f"like a name:{LIKELY_SUMS[_n]}")
cdef enum:
    N_SAYINGS = 8
cdef tuple SAYINGS = (     # by the bit of Saying
    "by", "by inside", "role", "signed", "brackets", "stroke", "source", "plain",
)
cdef int[N_SAYINGS] SAYING_NUMBERS
for _n in range(N_SAYINGS):
    SAYING_NUMBERS[_n] = number_of(SAYINGS[_n])
cdef tuple EDGES = (-2, -1, 0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 20, 21, 22, 30, 31)
cdef enum:
    FIRST_EDGE = 2          # what is added to a place for its number
    N_EDGES = 34
cdef int[N_EDGES] EDGE_NUMBERS
cdef int[N_EDGES][N_SAYINGS] EDGE_SAYINGS   # how a block there says it
for _place in EDGES:
    EDGE_NUMBERS[_place + FIRST_EDGE] = number_of(f"e:{_place}")
    _name = "before" if _place < 0 else "between" if _place == 6 else "first" if _place < 10 else "last" if _place < 20 else "behind" if _place < 30 else "other" if _place == 30 else "left"
    for _n in range(N_SAYINGS):
        EDGE_SAYINGS[_place + FIRST_EDGE][_n] = number_of(f"{_name} {SAYINGS[_n]}")
cdef int LINKED_BLOCK = number_of("linked block"), HEADING_BLOCK = number_of("heading block")
cdef int DATED_BLOCK = number_of("dated block"), ALONE = number_of("alone"), LONG_BLOCK = number_of("long block")
cdef int AGREED_2 = number_of("agreed:2"), AGREED_3 = number_of("agreed:3"), OF_COMPANY = number_of("of company")
cdef int[8] DISTANCES
cdef int[9] DISTANCE_NUMBERS    # one more than the distances: "d:before" is nearer than the first
DISTANCES[:] = [-250, -60, 0, 60, 200, 600, 1500, 4000]
DISTANCE_NUMBERS[0] = number_of("d:before")
for _n in range(8):
    DISTANCE_NUMBERS[_n + 1] = number_of(f"d:{DISTANCES[_n]}")
cdef enum:
    N_MARKS = 12
cdef int[N_MARKS] MARK_BITS
cdef int[N_MARKS] MARK_NUMBERS
if len(MARKS) != N_MARKS:
    raise RuntimeError(f"{len(MARKS)} marks, not {N_MARKS}")
for _n, (_name, _bit) in enumerate(MARKS.items()):
    MARK_BITS[_n], MARK_NUMBERS[_n] = _bit, number_of(f"m:{_name}")
cdef int MARK_ELSEWHERE = number_of("m:elsewhere"), MARK_AUTHOR = number_of("m:author")
cdef tuple ASKED_OF_OTHERS = (
    *AUTHOR_SOURCES, "by near", "by far", "author near", "author far", "first by", "last by", "between by", "signed", "plain",
    "shown kept", "shown top", "d:0", "like a name:8", "declared too", "site", "m:name", "last signed", "first signed",
    "first plain", "last plain", "declared person", "role beside",
)
cdef enum:
    N_ASKED = 35
    MOST_OTHERS = 6
cdef int[N_ASKED] ASKED_NUMBERS, OTHERS_NUMBERS     # evidence, and that another candidate has it
if len(ASKED_OF_OTHERS) != N_ASKED:
    raise RuntimeError(f"{len(ASKED_OF_OTHERS)} pieces of evidence are asked of others, not {N_ASKED}")
for _n in range(N_ASKED):
    ASKED_NUMBERS[_n], OTHERS_NUMBERS[_n] = number_of(ASKED_OF_OTHERS[_n]), number_of(f"other {ASKED_OF_OTHERS[_n]}")
cdef Grade[MOST_OTHERS] GRADES_OTHERS
fill_grades(GRADES_OTHERS, "candidates", list(range(1, MOST_OTHERS + 1)))


cdef int shape_of(str name) except -1:
    """How names are written: capitals, mixed, small, or in a script that has none; a number of SHAPES."""
    cdef str small = name.lower(), large = name.upper()
    if large == small:
        return NO_CASE
    if name == small:
        return SMALL
    if name == large:
        return ALL_CAPITALS
    for word in name.replace(";", " ").split():
        if (<str> word)[0].islower() and (<str> word).lower() not in SMALL_WORDS:
            return MIXED
    return CAPITALISED


cdef Words PICTURE_WORDS = Words(PICTURES)
cdef tuple ARTICLES_BEFORE = ("the ", "a ", "an ", "der ", "die ", "das ", "le ", "la ", "les ", "los ", "las ", "el ", "il ",
                            "in ", "on ", "at ", "for ", "to ", "with ")
cdef frozenset SMALL_WORDS = PARTICLES


cdef class Byline:
    """What the candidates of a page share."""
    cdef set sites
    cdef set declared       # keys of names that elements or JSON-LD declare
    cdef set linked         # of names in links with rel=author
    cdef set headings
    cdef str title          # its letters
    cdef Candidates rated
    cdef dict rows          # the numbers of candidates by their names in lower case
    cdef NameWeights likeness
    cdef Evidence of_page   # evidence of every candidate

    cdef bint is_imprint(self, list names) except -1:
        """True for the site's name with places behind it, words alone: Der Spiegel, Hamburg, Germany."""
        if name_key(names[0]) not in self.sites:
            return False
        for each in names[1:]:
            if " " in <str> each or (<str> each).lower() == (<str> each).upper():
                return False
        return True

    cdef bint is_sites(self, str key) except -1:
        """True for the site's name, and for that of a medium that has the site: 网易 of 网易新闻."""
        if key in self.sites:
            return True
        if len(key) > 1 and key[0] >= 0x3000:
            for each in self.sites:
                if (<str> each).startswith(key) and (<str> each)[len(key):] in OF_MEDIA:
                    return True
        return False

    cdef Evidence* add(self, list names, int source) except NULL:
        """Add names as one candidate, or more evidence of one that has the same. Of several names the site's are left
        out.
        """
        cdef str joined, name, key, site
        cdef Evidence* evidence
        cdef Py_ssize_t words
        cdef int shape, k, likeness
        cdef object row
        if len(names) > 1:
            names = names[:1] if self.is_imprint(names) else [
                each for each in names if name_key(each) not in self.sites and not is_company(each)
            ] or names
        joined = "; ".join(names)
        shape = shape_of(joined)
        row = self.rows.setdefault(joined.casefold(), len(self.rows))
        if row < len(self.rated.texts):
            evidence = self.rated.rows + <Py_ssize_t> row
            put(evidence, SOURCE_NUMBERS[source])
            put(evidence, JOINED_NUMBERS[source][shape])
            return evidence
        evidence = self.rated.add(joined, None)
        evidence[0] = self.of_page
        words = max([count_words(each) for each in names])
        put_grade(evidence, GRADES_NAME_WORDS, words)
        put_grade(evidence, GRADES_NAMES, len(names))
        put(evidence, SHAPE_NUMBERS[shape])
        if shape == NO_CASE:
            put(evidence, SHORT_NAME if len(joined) <= 4 else LONGER_NAME)
        if has_digit(joined):
            put(evidence, DIGIT)
        for each in names:
            name = each
            if is_organisation(name):
                put(evidence, ORGANISATION)
            if is_company(name):
                put(evidence, OF_COMPANY)
        likeness = self.likeness.score(names[0])
        for k in range(N_LIKELY):
            if likeness > LIKELY_SUMS[k]:
                put(evidence, LIKELY_NUMBERS[k])
        key = name_key(names[0])
        if len(key) >= MIN_ALIKE:
            for each in self.sites:
                site = each
                if len(site) >= MIN_ALIKE and len(site) != len(key) and (key in site or site in key):
                    put(evidence, LIKE_SITE)
                    break
            if key in self.title:
                put(evidence, IN_TITLE)
        for each in names if len(names) > 1 else ():
            if name_key(each) in self.sites:
                put(evidence, OF_SITE)
        if self.is_sites(key):
            put(evidence, OF_SITE)
        if key in self.headings:
            put(evidence, IS_HEADING)
        put(evidence, SOURCE_NUMBERS[source])
        put(evidence, JOINED_NUMBERS[source][shape])
        return evidence


cdef list declared_authors(dict values, list linked):
    """The authors that elements and JSON-LD name, as (source, texts, kind), kind 1 for a person's object and 2 for that
    of an institution.
    """
    cdef list found = []
    cdef dict thing, known = by_identifier(linked) if linked else {}
    for each in linked:
        thing = each
        for source in ("author", "creator"):
            if source in thing:
                texts, are_people = [], True
                for text, is_person in named(known, thing[source]):
                    texts.append(text)
                    are_people = are_people and is_person
                found.append((
                    LD_ARTICLE if <int> thing["@type"] & ARTICLES else LD_OTHER, texts,
                    OF_PERSON if are_people else OF_INSTITUTION,
                ))
    for i, source in enumerate(DECLARED_AUTHORS):
        if source in values:
            found.append((META_AUTHOR if i == 0 else ARTICLE_AUTHOR if i == 1 else META_OTHER, values[source], 0))
    if "written by" in values:
        found.append((WRITTEN_BY, values["written by"], 0))
    if "rel author" in values:
        found.append((REL_AUTHOR, values["rel author"], 0))
    if "rel author elsewhere" in values:
        found.append((REL_AUTHOR_ELSEWHERE, (<list> values["rel author elsewhere"])[:1], 0))
    return found


cdef Candidates author_candidates(
    dict values, list linked, ShownLines lines, Py_ssize_t headline, object workspace, set sites, str site_name,
    str title, PageUrl where, FactWeights weights, int page_type
):
    """Who may have written the page: declared names, and lines and elements near the headline that may be names, and
    blocks where the kept text begins and ends (Workspace.edges(), where `workspace` is not None). `page_type` is
    the number of the page's type, or -1.
    """
    cdef Byline byline = Byline.__new__(Byline)
    cdef list found = declared_authors(values, linked), names
    cdef Evidence* evidence
    cdef Py_ssize_t placed
    byline.sites, byline.rated, byline.rows, byline.likeness = sites, Candidates(), {}, weights.names
    byline.title = key_of(title) if title is not None else ""
    byline.headings = {name_key(each) for each in values.get("h1", [])}
    memset(&byline.of_page, 0, sizeof(Evidence))
    if page_type >= 0:
        put(&byline.of_page, weights.type_numbers[page_type])
        put(&byline.of_page, weights.group_numbers[page_type])
    if where.is_front_page:
        put(&byline.of_page, FRONT_PAGE)
    byline.declared, byline.linked = set(), set()
    for source, texts, _ in found:
        for each in texts:
            (byline.linked if source == REL_AUTHOR else byline.declared).add(name_key(each))
    for source, texts, what in found:
        names = names_in(texts, sites)
        if names:
            evidence = byline.add(names, source)
            if what:
                put(evidence, what)
    if lines is not None:
        add_lines(byline, lines, headline)
    if workspace is not None:
        add_places(byline.rated, 0, workspace)
        if not any_is_shown(byline.rated):
            placed = len(byline.rated.texts)
            add_edges(byline, workspace.edges())
            add_places(byline.rated, placed, workspace)
    else:
        show_lines(byline.rated)
    for what, source in (
        ((<list> values["rights"])[0] if "rights" in values else None, HOLDER), (site_name, SITE_ITSELF), (title, HEADLINE),
    ):
        if what is not None and len(<str> what) <= MAX_HOLDER:
            names = names_in([what], None)
            if names and len(names) <= MANY and may_be_names(names, what):
                byline.add(names, source)
    add_agreement(byline.rated)
    return without_others(byline.rated)


cdef Candidates without_others(Candidates rated):
    """The candidates but companies that nothing marks as authors, and links to an author in another part of the page
    that nothing else confirms than lines which stand there too; each with what the others have.
    """
    cdef Candidates found = Candidates()
    cdef Py_ssize_t i
    cdef int n
    cdef bint others
    cdef const Evidence* evidence
    for i in range(len(rated.texts)):
        evidence = rated.rows + i
        others = not has(evidence, SOURCE_NUMBERS[REL_AUTHOR_ELSEWHERE]) or (
            has(evidence, SOURCE_NUMBERS[LINE]) and not has(evidence, MARK_ELSEWHERE)
        )
        for n in range(N_AUTHOR_SOURCES):
            others = others or (n not in (REL_AUTHOR_ELSEWHERE, LINE, EDGE) and has(evidence, SOURCE_NUMBERS[n]))
        if others and (not has(evidence, OF_COMPANY) or has(evidence, MARK_AUTHOR)):
            found.add(rated.texts[i], None)[0] = evidence[0]
    add_others(found)
    return found


cdef int add_others(Candidates found) noexcept:
    """Add what other candidates of the page have, and how many there are."""
    cdef int[N_ASKED] counts
    cdef Py_ssize_t i, n_found = len(found.texts)
    cdef int n
    memset(counts, 0, sizeof(counts))
    for i in range(n_found):
        for n in range(N_ASKED):
            counts[n] += has(found.rows + i, ASKED_NUMBERS[n])
    for i in range(n_found):
        put_grade(found.rows + i, GRADES_OTHERS, n_found)
        for n in range(N_ASKED):
            if counts[n] > <int> has(found.rows + i, ASKED_NUMBERS[n]):
                put(found.rows + i, OTHERS_NUMBERS[n])
    return 0


cdef str declared_person(Candidates candidates):
    """The first candidate that elements or JSON-LD declare and that looks like neither the site, an account nor an
    organisation, else an account; None if there is none. What to take of a page without a main text, where the trees,
    which learned from articles and the like, take nothing.
    """
    cdef Py_ssize_t i
    cdef int n
    cdef str account = None
    cdef const Evidence* evidence
    for i in range(len(candidates.texts)):
        evidence = candidates.rows + i
        if has(evidence, OF_SITE) or has(evidence, ORGANISATION):
            continue
        for n in range(REL_AUTHOR_ELSEWHERE):
            if has(evidence, SOURCE_NUMBERS[n]):
                if not has(evidence, DIGIT):
                    return candidates.texts[i]
                account = account or candidates.texts[i]
    return account


cdef list without_single_words(list names):
    """The names of a line without single words beside longer ones: Leave, of "Ann Lee | Leave a comment"; and without
    what begins with an article: the harbour.
    """
    cdef list kept = [name for name in names if not (<str> name).startswith(ARTICLES_BEFORE)]
    cdef list longer = [name for name in kept if " " in <str> name or not PyUnicode_IS_ASCII(name)]
    return longer or kept


cdef int add_lines(Byline byline, ShownLines lines, Py_ssize_t headline) except -1:
    """Add the lines that name somebody."""
    cdef list names
    cdef Evidence* evidence
    cdef Py_ssize_t i, distance, n_named = 0
    cdef bint is_first = True
    cdef int marks, n, how
    cdef str text, part, key
    for i in range(lines.n):
        n_named += (lines.lines[i].marks & NAME_MARK) != 0
    for i in range(lines.n):
        text, marks = lines.texts[i], lines.lines[i].marks
        distance = lines.lines[i].place - headline
        if len(text) > MAX_LINE or 0 < marks <= HEADINGS or (
            headline >= 0 and not marks & AUTHOR_MARK and not -BEFORE <= distance < BEHIND
        ):
            continue
        part, how = names_of_line(lines, i)
        if not (how or marks & AUTHOR_MARK) or len(part) > MAX_TEXT:
            continue
        if marks & AUTHOR_MARK:
            how &= ~SAYS_PLAIN
        elif how == SAYS_PLAIN and headline >= 0 and not -NEAR <= distance < NEAR:
            continue
        names = without_single_words(names_in([part], byline.sites))
        if not names or len(names) > MANY or (how == SAYS_PLAIN and not may_be_names(names, text)):
            continue
        evidence = byline.add(names, LINE)
        add_words(evidence, text, names[0])
        for n in range(N_MARKS):
            if marks & MARK_BITS[n]:
                put(evidence, MARK_NUMBERS[n])
        for n in range(N_SAYINGS):
            if how >> n & 1:
                put(evidence, SAYING_NUMBERS[n])
        if headline < 0:
            put(evidence, NO_HEADLINE)
        else:
            n = 0
            while n < 8 and distance >= DISTANCES[n]:
                n += 1
            put(evidence, DISTANCE_NUMBERS[n])
            if marks & AUTHOR_MARK:
                put(evidence, AUTHOR_NEAR if 0 <= distance < 600 else AUTHOR_FAR)
            if how & SAYS_BY:
                put(evidence, BY_NEAR if -60 <= distance < 200 else BY_FAR)
        key = name_key(names[0])
        if key in byline.declared:
            put(evidence, DECLARED_TOO)
        if key in byline.linked:
            put(evidence, LINKED_TOO)
        if holds_numbers(text):
            put(evidence, DATE_IN_LINE)
        if PICTURE_WORDS.are_in(text):
            put(evidence, OF_PICTURE)
        if len(text) > len(part) + 25:
            put(evidence, LONG_LINE)
        if i + 1 < lines.n and holds_year(lines.texts[i + 1]):
            put(evidence, DATE_BEHIND)
        if i and holds_year(lines.texts[i - 1]):
            put(evidence, DATE_BEFORE)
        if marks & NAME_MARK:
            put_grade(evidence, GRADES_NAMED, n_named)
            if is_first:
                put(evidence, FIRST_NAMED)
                is_first = False
    return 0


cdef int add_words(Evidence* evidence, str text, str name) except -1:
    """Add what the words of a line say beside a name."""
    if len(text) < len(name) + MIN_BESIDE:
        return 0
    if names_role(text):
        put(evidence, ROLE_BESIDE)
    if is_answer(text):
        put(evidence, ANSWERS)
    return 0


cdef int add_edges(Byline byline, list edges) except -1:
    """Add the blocks of Workspace.edges() that name somebody, or could."""
    cdef str text, part, key
    cdef int place, kind, linked, how, n
    cdef list names
    cdef Evidence* evidence
    for place, kind, linked, each in edges:
        text = each
        signature = signature_in(text, place < 10)
        if signature is None:
            continue
        part, how = signature
        if len(part) > MAX_EDGE:
            continue
        names = names_in([part], byline.sites)
        names = without_single_words(names)
        if not names or len(names) > MANY or (how == SAYS_PLAIN and not may_be_names(names, text)):
            continue
        evidence = byline.add(names, EDGE)
        add_words(evidence, text, names[0])
        put(evidence, EDGE_NUMBERS[place + FIRST_EDGE])
        for n in range(N_SAYINGS):
            if how >> n & 1:
                put(evidence, SAYING_NUMBERS[n])
                put(evidence, EDGE_SAYINGS[place + FIRST_EDGE][n])
        if linked >= 50:
            put(evidence, LINKED_BLOCK)
        if FIRST_HEADING <= kind <= LAST_HEADING:
            put(evidence, HEADING_BLOCK)
        if holds_numbers(text):
            put(evidence, DATED_BLOCK)
        if PICTURE_WORDS.are_in(text):
            put(evidence, OF_PICTURE)
        if len(text) <= len(names[0]) + 2:
            put(evidence, ALONE)
        if len(text) > MAX_TEXT:
            put(evidence, LONG_BLOCK)
        key = name_key(names[0])
        if key in byline.declared:
            put(evidence, DECLARED_TOO)
        if key in byline.linked:
            put(evidence, LINKED_TOO)
    return 0


cdef int add_places(Candidates rated, Py_ssize_t start, object workspace) except -1:
    """Add where the page shows the first names of candidates, from a number on."""
    cdef list names = [
        (<str> text).partition(";")[0].encode("utf-8", "ignore") for text in rated.texts[start:start + MAX_PLACED]
    ]
    cdef Py_ssize_t i
    cdef int n, found
    if not names:
        return 0
    for i, places in enumerate(workspace.places_of(names)):
        found = places
        if found == 0:
            put(rated.rows + start + i, NOT_SHOWN)
        for n in range(N_SHOWN):
            if found >> n & 1:
                put(rated.rows + start + i, SHOWN_NUMBERS[n])
    return 0


cdef int show_lines(Candidates rated) except -1:
    """Add that lines are shown, where no main text was chosen that tells more."""
    cdef Py_ssize_t i
    for i in range(len(rated.texts)):
        if has(rated.rows + i, SOURCE_NUMBERS[LINE]):
            for n in (SHOWN_LEFT, SHOWN_TOP, SHOWN_SHORT):
                put(rated.rows + i, SHOWN_NUMBERS[<int> n])
    return 0


cdef bint any_is_shown(Candidates rated) noexcept:
    """True if one of the candidates is declared, neither the site nor an organisation, and shown by itself: no other is
    looked for then.
    """
    cdef Py_ssize_t i
    cdef int n
    cdef const Evidence* evidence
    for i in range(len(rated.texts)):
        evidence = rated.rows + i
        if has(evidence, SHOWN_NUMBERS[SHOWN_SHORT]) and not (
            has(evidence, OF_SITE) or has(evidence, LIKE_SITE) or has(evidence, ORGANISATION)
        ):
            for n in range(LINE):
                if has(evidence, SOURCE_NUMBERS[n]):
                    return True
    return False


cdef int add_agreement(Candidates rated) except -1:
    """Add from how many of the sources a candidate's first name comes."""
    cdef dict sources = {}
    cdef list keys = [name_key((<str> text).partition(";")[0]) for text in rated.texts]
    cdef Py_ssize_t i
    cdef int n, found
    for i in range(len(keys)):
        found = 0
        for n in range(N_AUTHOR_SOURCES):
            if has(rated.rows + i, SOURCE_NUMBERS[n]):
                found |= 1 << n
        sources[keys[i]] = <int> sources.get(keys[i], 0) | found
    for i in range(len(keys)):
        found = sources[keys[i]]
        found &= found - 1      # without one of them
        if found:
            put(rated.rows + i, AGREED_2)
            if found & (found - 1):
                put(rated.rows + i, AGREED_3)
    return 0

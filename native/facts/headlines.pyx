# SPDX-License-Identifier: Apache-2.0
"""What may be the headline of a page whose main text is known, and what speaks for each; see candidates.pyx.

Candidates are what the head of the page says (title element, OpenGraph, JSON-LD) with every run of pieces that begins or
ends it, headings, the first blocks of the main text, those right before it, and the site's name. Texts with the same
letters are one candidate.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from thresher.native.facts.letters cimport (
    SEVERAL, Letters, bit_of_pair, holds, key_of, letter_of, letters_in, letters_of, name_key, pairs_of, plain_letters,
    without_the
)
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.base.bits cimport count_bits
from thresher.native.facts.candidates cimport (
    Candidates, Evidence, Grade, Look, bits_of, grades_of, has, look_at, number_of, put, put_bits, put_grade, put_if,
    run_of
)
from thresher.native.facts.labels import HEADLINE_ELEMENTS, HEADLINE_WORDS, TITLE_ELEMENTS, TITLE_SIGNS
from thresher.native.facts.metadata cimport text_between
from thresher.native.facts.page_url cimport PageUrl
from thresher.native.facts.page_data cimport clean_text, headlines
from thresher.native.facts.titles cimport (
    MAX_PIECES, MIN_PART, Pieces, count_separators, is_domain, is_home_name, joined, title_without_site, unescaped,
    without_beside, without_labels
)
from thresher.native.facts.words cimport is_of_word
from thresher.native.parsing.reading cimport KIND_ELEMENT, Attribute, Slice, Tree, first_bytes, next_letters, value_of
from thresher.native.parsing.known_values cimport KnownValue, is_known, place_of_value
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tags import TAG_NAMES

cdef enum:
    MAX_TEXT = 300          # characters of a block, or of a text of a heading, that is a candidate
    MAX_PARTS = 8           # texts of a heading that are candidates
    MIN_REST = 10           # characters of a heading without the site's name
    MAX_THINGS = 8          # objects of JSON-LD whose names are
    MAX_BYTES = 256         # of a class, id or itemprop that are read
    MIN_HOLDING = 4         # letters of a text that is looked for in others
    NEAR = 3                # elements around a block whose classes are read,
    FAR = 5                 # and whose names are
    PLAIN = 12              # letters with which texts begin alike
    MAX_WORDS = 160         # of a text that are compared

cdef tuple METAS = TITLE_ELEMENTS[2:]     # beside those of STATEMENTS


# --- evidence ---

cdef tuple SOURCES = ("title", "og", "twitter", "linked", "meta", "h1", "h1 part", "block")
cdef enum:                  # numbers of SOURCES
    TITLE_ELEMENT, OPEN_GRAPH, TWITTER, LINKED, META, FIRST_HEADING, HEADING_PART, BLOCK, N_SOURCES
    NO_SOURCE = N_SOURCES
    N_STATEMENTS = 4        # the first sources, whose pieces are candidates
cdef tuple SPANS = (
    "whole", "begin", "but end", "but two", "begin of two", "begins", "end", "but begin", "end of two", "ends", "middle",
    "colon", "rest is site", "beside site", "beside home link", "beside host", "greater part",
)
cdef enum:                  # numbers of SPANS
    WHOLE, BEGIN, BUT_END, BUT_TWO, BEGIN_OF_TWO, OTHER_BEGIN, END, BUT_BEGIN, END_OF_TWO, OTHER_END, MIDDLE,
    BY_COLON, REST_IS_SITE, BESIDE_SITE, BESIDE_HOME, BESIDE_HOST, GREATER_PART, N_SPANS    # how it stands to the rest
cdef int SOURCE = run_of("t: by ", SOURCES)
cdef int[N_SPANS] SPAN = [run_of("t: ", [f"{source} {span}" for source in SOURCES[:N_STATEMENTS]]) for span in SPANS]
cdef const Grade* GRADES_SOURCES = grades_of("t: sources", [1, 2, 3, 4])
cdef const Grade* GRADES_FAMILIES = grades_of("t: families", [0, 1, 2, 3])
cdef const Grade* GRADES_IN_TITLE = grades_of("t: tenths of title", [1, 3, 5, 7, 9, 10])
cdef const Grade* GRADES_SHARED = grades_of("t: quarters in title", [0, 1, 2, 3, 4])
cdef const Grade* GRADES_OF_TITLE = grades_of("t: quarters of title", [0, 1, 2, 3, 4])
cdef const Grade* GRADES_IN_NAME = grades_of("t: quarters in address", [0, 1, 2, 3, 4])
cdef const Grade* GRADES_LENGTH = grades_of("t: long", [3, 8, 15, 25, 40, 60, 90, 140, 141])
cdef const Grade* GRADES_WORDS = grades_of("t: words", [1, 2, 3, 5, 8, 12, 20, 21])
cdef const Grade* GRADES_WITHIN = grades_of("t: within", [0, 1, 3, 6, 7])
cdef const Grade* GRADES_HOLDING = grades_of("t: holds", [0, 1, 3, 6, 7])
cdef const Grade* GRADES_HEADINGS = grades_of("t: h1s", [0, 1, 2, 3])
cdef const Grade* GRADES_PIECES = grades_of("t: pieces", [1, 2, 3, 4])
cdef const Grade* GRADES_NTH = grades_of("t: of its level", [0, 1, 2, 3])
cdef const Grade* GRADES_ALIKE = grades_of("t: headings of the level", [1, 2, 4, 10, 11])
cdef const Grade* GRADES_PLACE = grades_of("t: place", [-1, 0, 1, 2, 3, 4])
cdef const Grade* GRADES_ORDER = grades_of("t: order", [2, 5, 15, 30, 60, 61])
cdef const Grade* GRADES_FROM_FIRST = grades_of("t: from kept", [-21, -9, -4, -3, -2, -1, 0, 1, 2, 3, 8, 20, 21])
cdef const Grade* GRADES_FROM_TEXT = grades_of("t: from text", [-21, -9, -5, -4, -3, -2, -1, 0, 8, 20, 21])
cdef const Grade* GRADES_NEXT = grades_of("t: next words", [2, 6, 12, 25, 26])

cdef enum:
    N_KINDS = 18            # of blocks (measuring/blocks.pxd);
    FIRST_LEVEL = 2         # that of a heading of the first level
cdef int KIND = run_of("t: kind ", range(N_KINDS))
cdef int FLAGS = run_of("t: ", (        # Head.flags
    "kept", "left", "highest", "highest yet", "linked", "repeated", "after heading", "before heading", "after kept",
    "before kept", "after link", "no text",
))
cdef int NEAREST = run_of("t: in ", HEADLINE_WORDS), CLASSES = run_of("t: around ", HEADLINE_WORDS)
cdef int TAGS = run_of("t: tag ", HEADLINE_ELEMENTS)
cdef int ONLY_HEADING = number_of("t: only h1"), LATER_HEADING = number_of("t: later h1"), OF_THING = number_of("t: thing")
cdef int OF_SITE = number_of("t: site"), SITE_KEY = number_of("t: is site"), HOLDS_SITE = number_of("t: holds site")
cdef int WITHIN_SITE = number_of("t: within site"), HOME_LINK = number_of("t: is home link")
cdef int IS_HOST = number_of("t: is host"), HOLDS_HOST = number_of("t: holds host"), IS_DOMAIN = number_of("t: domain")
cdef int HOME_NAME = number_of("t: home name"), HOLDS_TITLE = number_of("t: holds title")
cdef int BEGINS_ALIKE = number_of("t: begins as title"), IN_SHARED = number_of("t: in og"), HOLDS_SHARED = number_of("t: holds og")
cdef int IN_HEADING = number_of("t: in h1"), HOLDS_HEADING = number_of("t: holds h1")
cdef int IN_LINKED = number_of("t: in linked"), HOLDS_LINKED = number_of("t: holds linked")
cdef int IS_NAME = number_of("t: is address"), HOLDS_NAME = number_of("t: holds address"), IN_NAME = number_of("t: in address")
cdef int IN_DESCRIPTION = number_of("t: in description"), ENDS_SENTENCE = number_of("t: ends as sentence")
cdef int ENDS_DOTS = number_of("t: ends with dots"), ENDS_MARK = number_of("t: ends with mark"), ENDS_COLON = number_of("t: ends with colon")
cdef int DIGIT = number_of("t: digit"), YEAR = number_of("t: year"), NO_LETTER = number_of("t: no letter")
cdef int CAPITALS = number_of("t: capitals"), NOT_ASCII = number_of("t: not ASCII"), SMALL_LETTER = number_of("t: small letter")
cdef int DIVIDED = number_of("t: divided"), IS_TRAIL = number_of("t: trail"), IS_ADDRESS = number_of("t: address")
cdef int FRONT_PAGE = number_of("t: front page"), NO_ADDRESS = number_of("t: no address")
cdef int NO_TITLE = number_of("t: no title"), SHARED = number_of("t: page og"), SAME_SHARED = number_of("t: page og is title")
cdef int MANY_PARTS = number_of("t: page articles")
cdef uint64_t HTTP = pairs_of("http")
cdef tuple OG_TYPES = ("article", "website", "product")
cdef int OG_TYPE = run_of("t: page ", OG_TYPES)


# --- elements around a block ---

cdef WordTable NAMES
fill_words(&NAMES, {1 << n: words for n, words in enumerate(HEADLINE_WORDS.values())})
cdef uint32_t[TAG_COUNT] TAG_BITS
memset(TAG_BITS, 0, sizeof(TAG_BITS))
for _n, _name in enumerate(HEADLINE_ELEMENTS):
    TAG_BITS[<int> TAG_NAMES.index(_name)] = 1 << _n


cdef uint32_t words_in(Slice value) noexcept nogil:
    """What the runs of letters of a class, id or itemprop say."""
    cdef Slice word
    cdef uint32_t said = 0
    value = first_bytes(value, MAX_BYTES)
    while next_letters(&value, &word):
        if word.length > 1:
            said |= value_of_word(&NAMES, word.data, word.length)
    return said


cdef Around read_around(const Tree* tree, uint32_t node, KnownValue* known) noexcept nogil:
    """What the elements around a node are called. `known` remembers what classes, ids and itemprops say."""
    cdef Around found
    cdef const Attribute* attribute
    cdef KnownValue* entry
    cdef uint32_t said, i
    cdef int steps
    memset(&found, 0, sizeof(found))
    for steps in range(FAR):
        node = tree.nodes[node].parent
        if node == 0:
            break
        if tree.nodes[node].kind != KIND_ELEMENT:
            continue
        if tree.nodes[node].tag < TAG_COUNT:
            found.tags |= TAG_BITS[tree.nodes[node].tag]
        if steps >= NEAR:
            continue
        said = 0
        attribute = tree.attributes + tree.nodes[node].attributes
        for i in range(tree.nodes[node].n_attributes):
            if attribute[i].name == ATTR_CLASS or attribute[i].name == ATTR_ID or attribute[i].name == ATTR_ITEMPROP:
                entry = known + place_of_value(attribute + i)
                if not is_known(entry, attribute + i):
                    entry.said = words_in(value_of(tree, attribute + i))
                said |= entry.said
        found.classes |= said
        if steps == 0:
            found.near = said
    return found


# --- candidates ---

ctypedef struct TextWords:      # the different words of a text: runs of letters, digits and underscores
    Py_ssize_t n
    uint32_t[MAX_WORDS] hashes      # of each, the same in upper and lower case
    uint64_t[MAX_WORDS] pairs       # which pairs of letters of ASCII each has, as pairs_of() of letters.pyx
    Py_ssize_t[MAX_WORDS] starts    # where each begins in the text, and ends
    Py_ssize_t[MAX_WORDS] ends


cdef int read_words(TextWords* words, str text) except -1:
    """Find the words of a text."""
    cdef Py_ssize_t start = 0, i = 0, n = 0
    cdef uint32_t hash = 0
    cdef uint64_t pairs = 0
    cdef uint16_t letter, before = 0
    cdef Py_UCS4 character
    for character in text + " ":
        i += 1
        letter = letter_of(character, False)
        if SEVERAL < letter < 0x80 and SEVERAL < before < 0x80:
            pairs |= bit_of_pair(before, letter)
        before = letter
        if is_of_word(character):
            hash = hash * 31 + (letter if letter > SEVERAL else <uint32_t> character)
            continue
        if i - 1 > start and n < MAX_WORDS:
            words.hashes[n], words.pairs[n], words.starts[n], words.ends[n] = hash, pairs, start, i - 1
            n += not is_one_of(hash, words.hashes, n)
        start, hash, pairs = i, 0, 0
    words.n = n
    return 0


cdef inline bint is_one_of(uint32_t hash, const uint32_t* hashes, Py_ssize_t n) noexcept:
    cdef Py_ssize_t i
    for i in range(n):
        if hashes[i] == hash:
            return True
    return False


cdef Py_ssize_t count_shared(const TextWords* words, const TextWords* others) noexcept:
    """How many of the words another text has too."""
    cdef Py_ssize_t i, found = 0
    for i in range(words.n):
        found += is_one_of(words.hashes[i], others.hashes, others.n)
    return found


cdef Py_ssize_t count_named(const TextWords* words, str text, Letters name) except -1:
    """How many of a text's words the page's name in its address holds, without their accents."""
    cdef Py_ssize_t i, found = 0
    for i in range(words.n):
        if not words.pairs[i] & ~name.pairs:
            found += letters_in(text[words.starts[i]:words.ends[i]], True) in name.key
    return found


cdef class Titles:
    """Texts that may be the headline, each spelling of the same letters once, and what they are compared with."""
    cdef Candidates rated
    cdef dict rows          # numbers by key
    cdef list ranks         # of the spelling that was taken: the lowest
    cdef set sites          # keys of what the site is called
    cdef set homes          # and of what links to the front page are called
    cdef tuple labels       # of the host
    cdef bint is_front      # the page is a front page
    cdef str site_name      # None on a front page too
    cdef dict headings      # of those that begin with what kind of text follows: the rest by the letters of the whole
    cdef str title          # the title element, "" for none,
    cdef str plain_title    # the first of its letters without accents
    cdef TextWords title_words, words       # of the title element, and of the candidate that is rated
    cdef Letters title_key, name, site, shared, described       # name: of the page in its address
    cdef list said          # Letters of headings and of the headline of JSON-LD, with the evidence for both relations

    cdef Evidence* add(self, str text, int source, int rank) except? NULL:
        """Add a text, or a source of one that is known; returns its evidence, which stays there until the next is added.
        NULL if it has no letters.
        """
        cdef str key
        cdef Py_ssize_t row
        cdef Evidence* evidence
        text = text.strip(TITLE_SIGNS)
        key = key_of(text)
        if not key:
            return NULL
        if key in self.headings:
            text = self.headings[key]
            key = key_of(text)
        row = self.rows.setdefault(key, len(self.ranks))
        if row == len(self.ranks):
            evidence = self.rated.add(text, key)
            self.ranks.append(rank)
        else:
            evidence = self.rated.rows + row
            if rank < <int> self.ranks[row]:
                self.rated.texts[row], self.ranks[row] = text, rank
        if source < N_SOURCES:
            put(evidence, SOURCE + source)
        return evidence

    cdef int add_with(self, str text, int source, int rank, int number) except -1:
        """Add a text, with one more piece of evidence."""
        cdef Evidence* evidence = self.add(text, source, rank)
        if evidence != NULL:
            put(evidence, number)
        return 0

    cdef int add_statement(self, str text, uint32_t sources, int rank) except -1:
        """Add a title and its pieces, with who says it: bits of SOURCES."""
        cdef Pieces pieces
        cdef Py_ssize_t n, i, k
        cdef int span
        self.add_span(text, sources, WHOLE, rank)
        if not count_separators(text, 1):
            return 0
        pieces = Pieces(text)
        n = len(pieces.texts)
        if n > MAX_PIECES:
            return 0
        pieces.read_letters()
        for i in range(n):
            for k in range(i + 1, n + 1):
                if i == 0 and k < n:
                    span = (
                        BEGIN_OF_TWO if n == 2 else BUT_END if k == n - 1 else BEGIN if k == 1
                        else BUT_TWO if k == n - 2 else OTHER_BEGIN
                    )
                elif i and k == n:
                    span = END_OF_TWO if n == 2 else END if i == n - 1 else BUT_BEGIN if i == 1 else OTHER_END
                elif i and k == i + 1:
                    span = MIDDLE
                else:
                    continue
                self.add_piece(pieces, i, k, sources, span, rank)
        return 0

    cdef Evidence* add_span(self, str text, uint32_t sources, int span, int rank) except? NULL:
        cdef Evidence* evidence = self.add(text, NO_SOURCE, rank)
        if evidence != NULL:
            put_bits(evidence, SOURCE, sources)
            put_bits(evidence, SPAN[span], sources)
        return evidence

    cdef int add_piece(
        self, Pieces pieces, Py_ssize_t first, Py_ssize_t last, uint32_t sources, int span, int rank
    ) except -1:
        """Add the pieces of a title from one to before another, with what stands beside them."""
        cdef Evidence* evidence = self.add_span(pieces.between(first, last), sources, span, rank)
        cdef Py_ssize_t n = len(pieces.texts), at
        cdef str rest, left, right
        if evidence == NULL:
            return 0
        rest = without_the(joined(pieces.letters, 0, first) + joined(pieces.letters, last, n))
        left = without_the(pieces.letters[first - 1]) if first else rest
        right = without_the(pieces.letters[last]) if last < n else rest
        if rest in self.sites:
            put_bits(evidence, SPAN[REST_IS_SITE], sources)
        elif left in self.sites or right in self.sites:
            put_bits(evidence, SPAN[BESIDE_SITE], sources)
        if rest in self.homes or left in self.homes or right in self.homes:
            put_bits(evidence, SPAN[BESIDE_HOME], sources)
        if (rest and rest in self.labels) or (left and left in self.labels) or (right and right in self.labels):
            put_bits(evidence, SPAN[BESIDE_HOST], sources)
        at = pieces.ends[last - 1] if first == 0 else pieces.ends[first - 1]
        if pieces.title[at] == u":":
            put_bits(evidence, SPAN[BY_COLON], sources)
        if len(joined(pieces.letters, first, last)) >= len(rest):
            put_bits(evidence, SPAN[GREATER_PART], sources)
        return 0

    cdef str cleaned(self, str text):
        """A title without labels, and the site's name in brackets."""
        text = without_labels(unescaped(text))
        return text if self.is_front else without_beside(text, self.sites)

    cdef str heading(self, str text):
        """A heading without labels and, unless little is left, the site's name."""
        cdef str rest
        text = self.cleaned(text)
        if self.site_name is None or not text or not (
            text[len(text) - 1] == self.site_name[len(self.site_name) - 1]
            or text[0] == self.site_name[0] and u" » " in text
        ):
            return text
        rest = title_without_site(text, {without_the(name_key(self.site_name))})
        if not MIN_REST <= len(rest) < len(text):
            return text
        return rest if text.endswith(rest) or text[len(rest)] in u" |｜_" else text

    cdef int add_block(self, const Tree* tree, const Head* head) except -1:
        """Add a block."""
        cdef str text
        cdef Evidence* evidence
        if not head.alike and not head.words:
            return 0            # nothing follows it
        text = text_between(tree, head.start, head.end)
        if text is None:
            return 0
        text = self.heading(text)
        if len(text) > MAX_TEXT:
            return 0            # a paragraph
        evidence = self.add(text, NO_SOURCE, 0 if head.kind == FIRST_LEVEL else 1)
        if evidence == NULL or has(evidence, SOURCE + BLOCK):
            return 0
        put(evidence, SOURCE + BLOCK)
        put(evidence, KIND + head.kind)
        put_bits(evidence, FLAGS, head.flags)
        if head.alike:
            put_grade(evidence, GRADES_NTH, head.nth)
            put_grade(evidence, GRADES_ALIKE, head.alike)
        put_grade(evidence, GRADES_PLACE, head.place)
        put_grade(evidence, GRADES_FROM_FIRST, head.from_first)
        put_grade(evidence, GRADES_FROM_TEXT, head.from_text)
        put_grade(evidence, GRADES_ORDER, head.order)
        put_grade(evidence, GRADES_NEXT, head.words)
        put_bits(evidence, NEAREST, head.around.near)
        put_bits(evidence, CLASSES, head.around.classes)
        put_bits(evidence, TAGS, head.around.tags)
        return 0

    cdef int rate_sources(self, Evidence* evidence) noexcept:
        """Add how many sources a candidate has, and how many kinds of them."""
        cdef uint32_t sources = bits_of(evidence, SOURCE, N_SOURCES)
        put_grade(evidence, GRADES_SOURCES, count_bits(sources))
        put_grade(
            evidence, GRADES_FAMILIES,
            (sources & 1 << TITLE_ELEMENT != 0) + (sources & (1 << OPEN_GRAPH | 1 << TWITTER) != 0)
            + (sources & (1 << LINKED | 1 << META) != 0) + (sources >> FIRST_HEADING != 0)
        )
        return 0

    cdef bint rate_title(self, Evidence* evidence, str key, str plain) except -1:
        """Add how a candidate stands to the title element; True if neither holds the other."""
        cdef str title = self.title_key.key
        if not title or key == title:
            return False
        if holds(title, self.title_key.pairs, key, evidence.pairs):
            put_grade(evidence, GRADES_IN_TITLE, 10 * len(key) // len(title))
            return False
        if holds(key, evidence.pairs, title, self.title_key.pairs):
            put(evidence, HOLDS_TITLE)
            return False
        if plain == self.plain_title or (len(self.plain_title) == PLAIN and plain.startswith(self.plain_title)):
            put(evidence, BEGINS_ALIKE)
        return True

    cdef int rate_site(self, Evidence* evidence, str key, str plain) except -1:
        """Add how a candidate stands to the site's name and its host."""
        cdef str letters = without_the(key), host = self.labels[len(self.labels) - 1] if self.labels else ""
        if letters in self.sites:
            put(evidence, SITE_KEY)
        elif len(self.site.key) >= MIN_HOLDING:
            if holds(letters, evidence.pairs, self.site.key, self.site.pairs):
                put(evidence, HOLDS_SITE)
            elif holds(self.site.key, self.site.pairs, letters, evidence.pairs if letters is key else 0):
                put(evidence, WITHIN_SITE)
        put_if(evidence, HOME_LINK, letters in self.homes)
        if self.labels:
            if without_the(plain) in self.labels or key in self.labels:
                put(evidence, IS_HOST)
            elif len(host) >= MIN_HOLDING and host in plain:
                put(evidence, HOLDS_HOST)
        return 0

    cdef bint rate_address(self, Evidence* evidence, str key, str plain) except -1:
        """Add how a candidate stands to the page's name in its address; True if neither holds the other."""
        cdef bint is_plain = plain == key
        if not self.name.key:
            return False
        if plain == self.name.key:
            put(evidence, IS_NAME)
            return False
        if len(self.name.key) > 5 and holds(
            plain, evidence.pairs if is_plain else ~<uint64_t> 0, self.name.key, self.name.pairs
        ):
            put(evidence, HOLDS_NAME)
            return False
        if len(plain) >= MIN_HOLDING and holds(self.name.key, self.name.pairs, plain, evidence.pairs if is_plain else 0):
            put(evidence, IN_NAME)
            return False
        return True

    cdef int rate_words(self, Evidence* evidence, str text, bint in_title, bint in_name) except -1:
        """Add how many words of a candidate are in the title element and in the page's name in its address, if wanted."""
        cdef Py_ssize_t common, n
        read_words(&self.words, text)
        n = self.words.n
        if n and in_title and self.title_words.n:
            common = count_shared(&self.words, &self.title_words)
            put_grade(evidence, GRADES_SHARED, 4 * common // n)
            put_grade(evidence, GRADES_OF_TITLE, 4 * common // self.title_words.n)
        if n and in_name:
            put_grade(evidence, GRADES_IN_NAME, 4 * count_named(&self.words, text, self.name) // n)
        return 0

    cdef int rate(self, Evidence* evidence, str text, str key) except -1:
        """Add how a candidate stands to what the page says, and how it is written."""
        cdef Look look = look_at(text)
        cdef str plain = key if look.is_ascii else plain_letters(text, key)
        cdef bint in_title = self.rate_title(evidence, key, plain), in_name = self.rate_address(evidence, key, plain)
        if in_title or in_name:
            self.rate_words(evidence, text, in_title, in_name)
        self.rate_sources(evidence)
        put_relation(evidence, key, self.shared, IN_SHARED, HOLDS_SHARED)
        for each, is_part, is_whole in self.said:
            put_relation(evidence, key, each, is_part, is_whole)
        self.rate_site(evidence, key, plain)
        put_if(evidence, IN_DESCRIPTION, len(key) > 5 and holds(
            self.described.key, self.described.pairs, key, evidence.pairs
        ))
        put_grade(evidence, GRADES_LENGTH, len(text))
        put_grade(evidence, GRADES_WORDS, look.words)
        put_end(evidence, text)
        put_if(evidence, HOME_NAME, is_home_name(text))
        put_if(evidence, IS_DOMAIN, look.words == 1 and "." in text and is_domain(text))
        put_if(evidence, DIGIT, look.has_digit)
        put_if(evidence, YEAR, look.has_year)
        put_if(evidence, NO_LETTER, look.has_digit and key.isdigit())
        put_if(evidence, CAPITALS, look.is_upper)
        put_if(evidence, NOT_ASCII, not look.is_ascii)
        put_if(evidence, SMALL_LETTER, text[0].islower())
        if look.may_divide and count_separators(text, 1):
            put(evidence, DIVIDED)
            put_if(evidence, IS_TRAIL, is_trail(text))
        put_if(evidence, IS_ADDRESS, holds(text, evidence.pairs, "http", HTTP) or u"@" in text)
        return 0


cdef int put_end(Evidence* evidence, str text) except -1:
    """Add how a text ends."""
    cdef Py_UCS4 last = text[len(text) - 1]
    if last == u"…" or text.endswith("..."):
        put(evidence, ENDS_DOTS)
    elif last in u".。":
        put(evidence, ENDS_SENTENCE)
    elif last in u"!?！？":
        put(evidence, ENDS_MARK)
    elif last in u":：":
        put(evidence, ENDS_COLON)
    return 0


cdef bint is_trail(str text) noexcept:
    """True if an arrow between spaces divides a text, as the names of pages above it."""
    cdef Py_ssize_t i
    for i in range(1, len(text) - 1):
        if text[i] in u">›»" and text[i - 1].isspace() and text[i + 1].isspace():
            return True
    return False


cdef int put_relation(Evidence* evidence, str key, Letters other, int is_part, int is_whole) except -1:
    """Add that a text is a part of another, or the other a part of it, unless they are the same."""
    if len(other.key) < MIN_HOLDING:
        return 0
    if holds(other.key, other.pairs, key, evidence.pairs):
        put_if(evidence, is_part, len(key) < len(other.key))
    elif holds(key, evidence.pairs, other.key, other.pairs):
        put(evidence, is_whole)
    return 0


cdef Candidates title_candidates(
    dict values, list linked, const Tree* tree, const Head* heads, uint32_t n_heads, str site_name, set sites, tuple labels,
    PageUrl where, bint many_articles
):
    """What the headline may be. `sites` are keys of what the site is called, `labels` those of its host."""
    cdef Titles found = Titles.__new__(Titles)
    cdef Evidence of_page
    cdef list h1, said
    cdef Py_ssize_t i
    found.rated, found.rows, found.ranks = Candidates(), {}, []
    found.sites, found.labels, found.is_front = sites - {""}, labels, where.is_front_page
    found.site_name, found.headings = site_name if not where.is_front_page else None, {}
    h1 = [found.heading(text) for text in values.get("h1", [])]
    found.headings = {
        key_of(found.heading(whole)): text for whole in values.get("h1 kicker", []) for text in h1 if whole.endswith(text)
    }
    found.homes = {name_key(text) for text in values.get("home link", [])}
    said = headlines(linked)[:1] if linked else []
    add_titles(found, values, said)
    for each in linked[:MAX_THINGS]:
        for name in (<list> (<dict> each).get("name", []))[:1]:
            found.add_with(clean_text(name), NO_SOURCE, 4, OF_THING)
    for i, text in enumerate(h1):
        if i or len(h1) == 1:
            found.add_with(text, FIRST_HEADING, 0, LATER_HEADING if i else ONLY_HEADING)
        else:
            found.add(text, FIRST_HEADING, 0)
    for text in (<list> values.get("h1 part", []))[:MAX_PARTS]:
        if len(<str> text) <= MAX_TEXT:
            found.add(text, HEADING_PART, 1)
    if site_name is not None:
        found.add_with(site_name, NO_SOURCE, 4, OF_SITE)
    for i in range(n_heads):
        found.add_block(tree, heads + i)
    found.name = letters_of(where.name())
    found.site = letters_of(name_key(site_name) if site_name is not None else "")
    found.said = [(letters_of(key_of(text)), IN_HEADING, HOLDS_HEADING) for text in h1]
    found.said += [(letters_of(key_of(text)), IN_LINKED, HOLDS_LINKED) for text in said]
    rate_titles(found)
    of_page = evidence_of_page(found, values, where, len(h1), many_articles)
    found.rated.put_all(&of_page)
    return without_kickers(found)


cdef int add_titles(Titles found, dict values, list said) except -1:
    """Add what the head of the page and its JSON-LD say that the title is, and keep what candidates are compared with."""
    cdef dict statements = {}
    cdef str title
    found.title, found.shared, found.described = "", letters_of(""), letters_of("")
    for statement, name in ((OPEN_GRAPH, "og:title"), (TWITTER, "twitter:title"), (TITLE_ELEMENT, "title")):
        if name in values:
            title = found.cleaned((<list> values[name])[0])
            statements[title] = <int> statements.get(title, 0) | 1 << <int> statement
            if statement == TITLE_ELEMENT:
                found.title = title
            elif statement == OPEN_GRAPH:
                found.shared = letters_of(key_of(title))
    for text in said:
        title = found.cleaned(text)
        statements[title] = <int> statements.get(title, 0) | 1 << LINKED
    for text, sources in statements.items():
        found.add_statement(text, sources, 3 if <int> sources == 1 << TITLE_ELEMENT else 2)
    for name in METAS:
        if name in values:
            found.add((<list> values[name])[0], META, 2)
    for name in ("description", "og:description"):
        if name in values and not found.described.key:
            found.described = letters_of(key_of((<list> values[name])[0]))
    found.title_key = letters_of(key_of(found.title))
    read_words(&found.title_words, found.title)
    found.plain_title = plain_letters(found.title, found.title_key.key)[:PLAIN]
    return 0


cdef Evidence evidence_of_page(Titles found, dict values, PageUrl where, Py_ssize_t n_headings, bint many_articles) except *:
    """What speaks for or against every candidate of a page."""
    cdef Evidence of_page
    memset(&of_page, 0, sizeof(of_page))
    put_grade(&of_page, GRADES_HEADINGS, n_headings)
    if found.title:
        put_grade(&of_page, GRADES_PIECES, 1 + count_separators(found.title, 3))
    else:
        put(&of_page, NO_TITLE)
    if found.shared.key:
        put(&of_page, SAME_SHARED if found.shared.key == found.title_key.key else SHARED)
    put_if(&of_page, FRONT_PAGE, where.is_front_page)
    put_if(&of_page, NO_ADDRESS, not where.host)
    put_if(&of_page, MANY_PARTS, many_articles)
    for i, name in enumerate(OG_TYPES):
        put_if(&of_page, OG_TYPE + <int> i, values.get("og:type", [""])[0] == name)
    return of_page


cdef int rate_titles(Titles found) except -1:
    """Add how the candidates stand to each other and to what the page says, and how they are written."""
    cdef Py_ssize_t i
    cdef Evidence* evidence
    for i in range(len(found.ranks)):
        evidence = found.rated.rows + i
        found.rate(evidence, found.rated.texts[i], found.rated.keys[i])
        found.rated.put_holding(i, evidence.pairs, MIN_HOLDING, GRADES_WITHIN, GRADES_HOLDING)
    return 0


cdef Candidates without_kickers(Titles found):
    """The candidates but headings that hold a text which titles have without the rest, and the rest: a kicker or a day is
    glued to it.
    """
    cdef Candidates kept = Candidates()
    cdef const Evidence* evidence
    cdef list parts = []
    cdef Py_ssize_t i
    cdef str key
    cdef uint32_t sources, titles = 1 << TITLE_ELEMENT | 1 << OPEN_GRAPH | 1 << LINKED
    cdef bint glued
    for i in range(len(found.ranks)):
        evidence, sources = found.rated.rows + i, bits_of(found.rated.rows + i, SOURCE, N_SOURCES)
        if sources & 1 << HEADING_PART and sources & titles and not has(evidence, SITE_KEY):
            if len(<str> found.rated.keys[i]) >= MIN_PART:
                parts.append(found.rated.keys[i])
    if not parts:
        return found.rated
    for i in range(len(found.ranks)):
        key, sources = found.rated.keys[i], bits_of(found.rated.rows + i, SOURCE, N_SOURCES)
        glued = sources & 1 << HEADING_PART
        if sources & 1 << FIRST_HEADING:
            for each in parts:
                glued = glued or each in key
        if sources & titles or not glued:
            kept.take(found.rated, i)
    return kept

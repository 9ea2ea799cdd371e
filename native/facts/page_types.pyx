# SPDX-License-Identifier: Apache-2.0
"""The type of a page: what speaks for it, the sums of its weights, and trees over numbers of the page and these sums.

A piece of evidence has a name such as "og:article" or "path:forum". Names are put together from slices and looked up
in the table of known names; a name becomes a Python string only for find_evidence(), which the training reads.
"""

import re
from math import fsum

cimport cython
from libc.math cimport exp
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memset, strlen

from thresher.native.base.arrays cimport new_array
from thresher.native.base.bits cimport count_trailing_zeros
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.decision_trees cimport NumberTrees
from thresher.native.base.fetch cimport fetch
from thresher.native.facts.linked_data import TYPE_NAMES
from thresher.native.facts.page_url cimport PageUrl
from thresher.native.parsing.reading cimport Slice, next_letters


cdef extern from "facts/sums.h" nogil:
    void add_rows(uint16_t* sums, const uint8_t* table, const uint16_t* rows, size_t n)


cdef enum:
    N_HASHED = 2 << 14      # tokens and terms (scoring/tokens.pxd)
    WORDS_AT_ONCE = 256     # of 32 tokens or terms, whose weights are asked for together
    BIAS = 128              # added to weights of tokens and terms, so that they are bytes without a sign
    ROWS_AT_ONCE = 256      # of add_rows()
    HASHED_UNITS = 4        # of which a weight of evidence has one: hashed ones are smaller
    MAX_WORDS = 60          # that are looked at in an address or a class
    MAX_CHARACTERS = 1000   # in which these words stand
    MAX_OG_TYPE = 20        # characters
    MAX_TITLE_WORDS = 40
    MAX_SITE_WORDS = 8
    MAX_QUERY_WORDS = 20
    MAX_HEADINGS = 2        # whose words are looked at
    MAX_NUMBER = 1 << 30
    GRAM = 4                # letters of a piece of a host's name, and one more
    LONG = 5                # words of an article's name in an address
    SHORT = 3               # words of a section's name


ctypedef struct WordReader: # a text in lower case that is read word by word
    const uint8_t* p        # what is to be read
    const uint8_t* end
    const uint8_t* word     # the word that was read
    size_t length
    bint in_pair            # the letter at p was the second of a pair


cdef object FOLDER_OF_MONTH = re.compile(r"/(?:19|20)[0-9]{2}/[0-9]{1,2}/").search

cdef list TYPE_EVIDENCE = [(bit, f"ld:{name}".encode()) for bit, name in TYPE_NAMES.items()]     # by the bit of a JSON-LD type


cdef inline uint32_t hash_more(uint32_t hashed, const uint8_t* text, size_t length) noexcept nogil:
    """FNV-1a, continued. No secret: a page cannot choose what is in the table."""
    cdef size_t i
    for i in range(length):
        hashed = (hashed ^ text[i]) * <uint32_t> 16777619
    return hashed


cdef inline uint32_t hash_of(const char* prefix, size_t prefix_length, const uint8_t* text, size_t length) noexcept nogil:
    return hash_more(hash_more(<uint32_t> 2166136261, <const uint8_t*> prefix, prefix_length), text, length)


@cython.final
cdef class TypeEvidence:
    """What speaks for the type of a page: the names of its pieces, or the sums of their weights."""
    cdef set names              # None where weights are added up:
    cdef TypeWeights known
    cdef uint64_t* counted      # a bit for each of its rows: evidence counts once
    cdef int64_t[N_TYPES] sums

    def __cinit__(self, TypeWeights known) -> None:
        """None yet. Without weights, names are gathered."""
        cdef uint32_t k
        self.known = known
        if known is None:
            self.names = set()
            return
        self.counted = <uint64_t*> calloc(known.n_rows // 64 + 1, sizeof(uint64_t))
        if self.counted == NULL:
            raise MemoryError("no memory for the evidence of a page")
        for k in range(N_TYPES):
            self.sums[k] = known.basis[k]

    def __dealloc__(self) -> None:
        free(self.counted)


cdef int add(TypeEvidence evidence, const char* prefix, const uint8_t* text, size_t length) except -1:
    """Count the piece of evidence whose name is the prefix and the text."""
    cdef TypeWeights known = evidence.known
    cdef const TypeRow* row
    cdef size_t before = strlen(prefix)
    cdef uint32_t at, k, total = <uint32_t> (before + length), n
    if known is None:
        evidence.names.add((<bytes> prefix + <bytes> (<const char*> text)[:length]).decode("utf-8", "surrogatepass"))
        return 0
    if total > known.longest:
        return 0
    at = hash_of(prefix, before, text, length) & known.mask
    while known.slots[at]:
        n = known.slots[at] - 1
        row = known.rows + n
        if (
            row.length == total and memcmp(known.text + row.start, prefix, before) == 0
            and (length == 0 or memcmp(known.text + row.start + before, text, length) == 0)
        ):
            if not evidence.counted[n >> 6] >> (n & 63) & 1:
                evidence.counted[n >> 6] |= <uint64_t> 1 << (n & 63)
                for k in range(N_TYPES):
                    evidence.sums[k] += row.weights[k]
            return 0
        at = (at + 1) & known.mask
    return 0


cdef inline int add_bytes(TypeEvidence evidence, const char* prefix, bytes text) except -1:
    return add(evidence, prefix, <const uint8_t*> <const char*> text, len(text))


# Numbers of a page, and ascending limits: that one is above a limit is evidence. Behind the first four, those of the kept
# text.
cdef list GRADED = [
    [(float(limit), f"{name}:{str(limit).removeprefix('0')}".encode()) for limit in limits] for name, limits in (
        ("links", (1, 3, 10, 30)),              # for a paragraph
        ("paragraphs", (3, 10, 30)),
        ("articles", (1, 4, 10)),
        ("all links", (50, 150, 400)),
        ("text", (50, 100, 200, 400, 800, 1600)),
        ("kept", (.1, .3, .5, .7, .9)),         # share of the words,
        ("linked", (.05, .1, .2, .4, .6)),      # in links
        ("blocks", (5, 10, 20, 50, 100)),
        ("block words", (5, 10, 15, 25, 40, 60)),
        ("long", (.05, .1, .2, .4, .6)),        # share of the blocks
        ("short", (.1, .2, .4, .6, .8)),
        ("headings", (.05, .1, .2)),
        ("items", (.1, .3, .5, .8)),
    )
]


cdef inline double share_of(double part, double whole) noexcept nogil:
    return part / whole if whole > 0 else 0.0


cdef int add_grades(TypeEvidence evidence, tuple counts, tuple shape) except -1:
    """Add what is known of how many articles, paragraphs and links a page has, and of what the kept text is made of, by
    the first numbers of Workspace.shape(); None where no text was chosen.
    """
    cdef double articles, paragraphs, links, words, kept, linked, blocks, long_blocks, short_blocks, headings, items
    cdef double number, limit
    cdef list numbers
    cdef Py_ssize_t i
    articles, paragraphs, links = counts
    numbers = [links / (paragraphs + 1), paragraphs, articles, links]
    if shape is None:
        add(evidence, b"no text chosen", NULL, 0)
    else:
        words, kept, linked, blocks, long_blocks, short_blocks, headings, items = shape[:SHAPE_BLOCKS]
        numbers += [
            kept, share_of(kept, words), share_of(linked, kept), blocks, share_of(kept, blocks),
            share_of(long_blocks, blocks), share_of(short_blocks, blocks), share_of(headings, blocks),
            share_of(items, blocks),
        ]
    for i in range(len(numbers)):
        number = numbers[i]
        for limit, name in <list> GRADED[i]:
            if number <= limit:
                break
            add(evidence, <bytes> name, NULL, 0)
    return 0


cdef void add_hashed(int32_t* sums, const uint32_t* found, const uint8_t* weights) noexcept nogil:
    """Add the weights of the tokens and terms that the page has; they are BIAS greater in the table. The table is not in
    the cache: some hundreds of its rows are asked for before the first is read.
    """
    cdef uint16_t[WORDS_AT_ONCE * 32] rows
    cdef uint16_t[TYPE_LANES] part_sums
    cdef uint32_t part, word, bits, n, i, k, some
    for part in range(N_HASHED // 32 // WORDS_AT_ONCE):
        n = 0
        for word in range(part * WORDS_AT_ONCE, (part + 1) * WORDS_AT_ONCE):
            bits = found[word]
            while bits:
                rows[n] = <uint16_t> (word * 32 + count_trailing_zeros(bits))
                fetch(weights + <size_t> rows[n] * TYPE_LANES, 1)
                n += 1
                bits &= bits - 1
        i = 0
        while i < n:
            some = min(n - i, <uint32_t> ROWS_AT_ONCE)
            add_rows(part_sums, weights, rows + i, some)
            for k in range(TYPE_LANES):
                sums[k] += part_sums[k] - BIAS * <int32_t> some
            i += some


cdef uint32_t add_words(TypeEvidence evidence, const char* prefix, bytes text, uint32_t most) except? 0:
    """Add the runs of letters a to z of a text, at most `most` of them; returns how many there are."""
    cdef Slice rest = Slice(data=<const uint8_t*> <const char*> text, length=<uint32_t> len(text)), word
    cdef uint32_t n = 0
    while n < most and next_letters(&rest, &word):
        add(evidence, prefix, word.data, word.length)
        n += 1
    return n


cdef enum Letter:           # what begins at a byte of a text in lower case
    NO_LETTER
    LETTER                  # of a script that separates words
    PAIRED_LETTER           # Chinese, Japanese or Korean: pairs of them stand for words


cdef inline size_t read_letter(const uint8_t* p, Letter* kind) noexcept nogil:
    """The bytes of the character at p. Punctuation outside ASCII counts as letters where it is rare."""
    kind[0] = LETTER
    if p[0] < 0x80:
        if not c"a" <= p[0] <= c"z":
            kind[0] = NO_LETTER
        return 1
    if p[0] < 0xE0:
        if p[0] < 0xC3:
            kind[0] = NO_LETTER
        return 2
    if p[0] >= 0xF0:
        return 4
    if p[0] == 0xE2 and p[1] < 0xB0 or p[0] == 0xE3 and p[1] == 0x80 or p[0] == 0xEF and p[1] >= 0xBC:
        kind[0] = NO_LETTER
    elif 0xE3 <= p[0] <= 0xEC or p[0] == 0xED and p[1] < 0xA0:
        kind[0] = PAIRED_LETTER
    return 3


cdef bint next_word(WordReader* words) noexcept nogil:
    """Go on to the next word, or pair of letters; False after the last one."""
    cdef Letter kind, next_kind = NO_LETTER
    cdef const uint8_t* start
    cdef size_t n
    while words.p < words.end:
        start = words.p
        words.p += read_letter(start, &kind)
        if kind == LETTER:
            while words.p < words.end:
                n = read_letter(words.p, &kind)
                if kind != LETTER:
                    break
                words.p += n
        elif kind == PAIRED_LETTER:
            if words.p < words.end:
                n = read_letter(words.p, &next_kind)
            if words.p < words.end and next_kind == PAIRED_LETTER:
                words.word, words.length = start, 3 + n
                words.in_pair = True
                return True
            if words.in_pair:       # the last one was the second of a pair
                words.in_pair = False
                continue
        else:
            words.in_pair = False
            continue
        words.in_pair = False
        words.word, words.length = start, words.p - start
        return True
    return False


cdef int add_line(
    TypeEvidence evidence, str line, uint32_t most, const char* prefix, const char* first, const char* last,
    const char* only
) except -1:
    """Add the words of a title or heading, at most `most`; also the first one, the last one of them and the only one by
    itself. NULL for what is not to be added.
    """
    cdef bytes text = beginning(line)
    cdef WordReader words
    cdef uint32_t n = 0
    words.p = <const uint8_t*> <const char*> text
    words.end = words.p + len(text)
    words.in_pair = False
    while n < most and next_word(&words):
        add(evidence, prefix, words.word, words.length)
        if n == 0 and first != NULL:
            add(evidence, first, words.word, words.length)
        n += 1
    if n > 0 and last != NULL:
        add(evidence, last, words.word, words.length)
    if n == 1 and only != NULL:
        add(evidence, only, words.word, words.length)
    return 0


cdef int add_host(TypeEvidence evidence, const uint8_t* host, size_t length) except -1:
    """Add the words of a host's name, their pieces of GRAM and GRAM + 1 letters, and its top-level domain."""
    cdef size_t i = 0, start, dot, end = 0
    while end < length and host[end] != c":":
        end += 1
    dot = end
    while dot > 0 and host[dot - 1] != c".":
        dot -= 1
    if dot < end:
        add(evidence, b"tld:", host + dot, end - dot)
    while i < dot:
        start = i
        while i < dot and c"a" <= host[i] <= c"z":
            i += 1
        if i == start:
            i += 1
            continue
        add(evidence, b"host word:", host + start, i - start)
        while start + GRAM <= i:
            add(evidence, b"in host:", host + start, GRAM)
            if start + GRAM < i:
                add(evidence, b"in host:", host + start, GRAM + 1)
            start += 1
    return 0


cdef int add_address(TypeEvidence evidence, tuple parts) except -1:
    """Add what the parts of an address say (PageUrl)."""
    cdef bytes host, name
    cdef str folders, last
    cdef uint32_t words
    host = lowered(parts[1])
    folders, _, last = (<str> parts[2]).rstrip("/").rpartition("/")
    name = beginning(last)
    add_bytes(evidence, b"host:", host.partition(b".")[0])
    add_host(evidence, <const uint8_t*> <const char*> host, len(host))
    if not name:
        add(evidence, b"front page", NULL, 0)
    add_words(evidence, b"path:", beginning(folders), MAX_WORDS)
    words = add_words(evidence, b"name:", name, MAX_WORDS)
    if words <= SHORT:
        add_words(evidence, b"last:", name, MAX_WORDS)
    elif words >= LONG:
        add(evidence, b"long name", NULL, 0)
    add_words(evidence, b"query:", beginning(parts[3]), MAX_QUERY_WORDS)
    if FOLDER_OF_MONTH(parts[2]) is not None:
        add(evidence, b"date in path", NULL, 0)
    return 0


cdef bytes lowered(str text):
    """A text in lower case as UTF-8. An address may have lone surrogates."""
    return text.lower().encode("utf-8", "surrogatepass")


cdef bytes beginning(str text):
    """What is read of a text, in lower case as UTF-8."""
    return lowered(text[:MAX_CHARACTERS] if len(text) > MAX_CHARACTERS else text)


cdef tuple address_of(dict values, PageUrl where):
    """The parts of the address of a page: where it came from, or else what it says itself; None if that has no host."""
    return where.parts if where.url else PageUrl(values.get("og:url", values.get("canonical", [""]))[0]).parts


OF_HEAD = ("description", "og:description", "og:type", "og:url", "og:site_name", "canonical")
"""What the head of a page says of it, beside its title, if it says anything."""


cdef bint any_of(dict values, tuple names) except -1:
    """True if the page gives a value of one of these names."""
    cdef str name
    for name in names:
        if name in values:
            return True
    return False


cdef int add_all(TypeEvidence evidence, dict values, tuple counts, list linked, tuple address, tuple shape) except -1:
    """Add whatever speaks for the type of a page."""
    cdef uint32_t types = 0
    cdef Py_ssize_t headings
    cdef dict each
    cdef str value
    for each in linked:
        types |= <uint32_t> each["@type"]
        if "datePublished" in each:
            add(evidence, b"ld dated", NULL, 0)
        if "headline" in each:
            add(evidence, b"ld headline", NULL, 0)
    for bit, name in TYPE_EVIDENCE if types else ():
        if types & <uint32_t> bit:
            add(evidence, <bytes> name, NULL, 0)
    if "og:type" in values:
        value = values["og:type"][0]
        add_bytes(evidence, b"og:", value.lower()[:MAX_OG_TYPE].encode("utf-8", "surrogatepass"))
    if not linked and not any_of(values, OF_HEAD):
        add(evidence, b"bare head", NULL, 0)
    if "generator" in values:
        add_words(evidence, b"gen:", beginning(values["generator"][0]), 1)
    if "body class" in values:
        add_words(evidence, b"class:", beginning(values["body class"][0]), MAX_WORDS)
    if "article:published_time" in values or "datepublished" in values or "article:modified_time" in values:
        add(evidence, b"dated", NULL, 0)
    if (
        "time published" in values or "time in article" in values
        or "time published elsewhere" in values or "time in article elsewhere" in values
    ):
        add(evidence, b"time", NULL, 0)
    if "author" in values:
        add(evidence, b"author", NULL, 0)
    if "rel author" in values or "rel author elsewhere" in values:
        add(evidence, b"rel author", NULL, 0)
    if "title" in values:
        add_line(evidence, values["title"][0], MAX_TITLE_WORDS, b"title:", b"first:", b"end:", NULL)
    for value in values.get("h1", [])[:MAX_HEADINGS]:
        add_line(evidence, value, MAX_TITLE_WORDS, b"h1:", b"h1 first:", NULL, b"only:")
    if "og:site_name" in values:
        add_line(evidence, values["og:site_name"][0], MAX_SITE_WORDS, b"site:", NULL, NULL, NULL)
    headings = len(values["h1"]) if "h1" in values else 0
    if headings == 0:
        add(evidence, b"no h1", NULL, 0)
    elif headings > 1:
        add(evidence, b"h1s", NULL, 0)
    add_grades(evidence, counts, shape)
    return add_address(evidence, address) if address is not None else 0


def find_evidence(
    dict values not None, tuple counts not None, list linked not None, str url, tuple shape = None
) -> set[str]:
    """The names of all that speaks for the type of a page, known or not, from what find_metadata() found and from the
    shape of its kept text (Workspace.shape()).
    """
    cdef TypeEvidence evidence = TypeEvidence(None)
    add_all(evidence, values, counts, linked, address_of(values, PageUrl(url)), shape)
    return evidence.names


NUMBERS = (
    "kept headings", "blocks", "first kept", "last kept", "span", "largest", "words of paragraphs", "words of headings",
    "links", "items", "plain", "headings", "unsure", "highest", "sentences", "dates", "digits", "capitals", "all links",
    "title", "heading", "description", "path", "last", "digits in path",
    *[f"sum {n}" for n in range(N_TYPES)],
)
"""What the trees may ask for: counts, or shares in thousandths of the words, the kept words or the blocks. "sum 3" is how
far the sum of weights of the fourth type is below the greatest one.
"""
if len(NUMBERS) != N_NUMBERS:
    raise RuntimeError(f"{len(NUMBERS)} names of numbers, and N_NUMBERS is {N_NUMBERS}")


cdef inline void put_number(int32_t** to, int64_t number) noexcept nogil:
    to[0][0] = <int32_t> min(number, <int64_t> MAX_NUMBER)
    to[0] += 1


cdef inline void put_share(int32_t** to, int64_t part, int64_t whole) noexcept nogil:
    """Put a part in thousandths of a whole."""
    put_number(to, 1000 * part // whole if whole > 0 else 0)


cdef bint find_page_numbers(int32_t* found, dict values, tuple counts, tuple address, tuple shape) except -1:
    """Set all numbers but the sums; False if the page has fewer than LEAST_WORDS words."""
    cdef int64_t[N_SHAPE] given
    cdef bytes path = lowered(address[2]) if address is not None else b"", whole_path = path.rstrip(b"/")
    cdef int64_t whole, words, kept, blocks
    cdef size_t i
    cdef int32_t* to = found
    for i in range(N_SHAPE):
        given[i] = shape[i]
    if given[SHAPE_WORDS] < LEAST_WORDS:
        return False
    words, kept, blocks, whole = given[SHAPE_WORDS], given[KEPT_WORDS], given[KEPT_BLOCKS], given[SHAPE_BLOCKS]
    put_share(&to, given[KEPT_HEADINGS], blocks)
    put_number(&to, whole)
    put_share(&to, given[SHAPE_FIRST], whole)
    put_share(&to, given[SHAPE_LAST], whole)
    put_share(&to, max(given[SHAPE_LAST] - given[SHAPE_FIRST], 0), blocks)
    put_number(&to, given[KEPT_LARGEST])
    put_share(&to, given[KEPT_PARAGRAPH_WORDS], kept)
    put_share(&to, given[KEPT_HEADING_WORDS], kept)
    put_share(&to, given[SHAPE_LINK_WORDS], words)
    put_share(&to, given[SHAPE_ITEMS], whole)
    put_share(&to, given[SHAPE_PLAIN], whole)
    put_share(&to, given[SHAPE_HEADINGS], whole)
    put_share(&to, given[SHAPE_UNSURE], words)
    put_number(&to, given[SHAPE_HIGHEST])
    put_share(&to, given[KEPT_SENTENCES], blocks)
    put_share(&to, given[KEPT_DATES], blocks)
    put_share(&to, given[KEPT_DIGITS], blocks)
    put_share(&to, given[KEPT_CAPITALS], blocks)
    put_number(&to, <int64_t> counts[2])
    put_number(&to, length_of(values, "title"))
    put_number(&to, length_of(values, "h1"))
    put_number(&to, length_of(values, "description"))
    put_number(&to, len(whole_path))
    put_number(&to, len(whole_path.rpartition(b"/")[2]))
    put_number(&to, len(path) - len(path.translate(None, b"0123456789")))
    THRESHER_CHECK(to == found + N_PAGE_NUMBERS)
    return True


cdef int32_t length_of(dict values, str name) except -2:
    """The characters of the first value of a name; -1 if there is none."""
    return <int32_t> min(len(<str> (<list> values[name])[0]), MAX_NUMBER) if name in values else -1


def find_numbers(
    dict values not None, tuple counts not None, str url, tuple shape not None
) -> list[int]:
    """The numbers of a page that trees ask for, as NUMBERS names them, without the sums; none of a page of fewer than
    LEAST_WORDS words, about which trees are not asked.
    """
    cdef int32_t[N_NUMBERS] found
    if len(shape) != N_SHAPE:
        raise ValueError(f"{len(shape)} numbers of a shape instead of {N_SHAPE}")
    if not find_page_numbers(found, values, counts, address_of(values, PageUrl(url)), shape):
        return []
    return [found[i] for i in range(N_PAGE_NUMBERS)]


cdef int64_t greatest_of(const int64_t* sums) noexcept nogil:
    cdef int64_t greatest = sums[0]
    cdef uint32_t k
    for k in range(1, N_TYPES):
        greatest = max(greatest, sums[k])
    return greatest


cdef class TypeWeights:
    """The weights of known pieces of evidence, and of tokens and terms."""

    def __init__(
        self, list rows not None, bytes hashed not None = b"", *, tuple groups not None = (), list trees not None = [],
        int scale = 100,
    ):
        """Take rows of a name and its weight for each type, as whole numbers; "" has those of every page. `hashed` has
        those of each token, and then of each term: TYPE_LANES signed bytes, the last ones zero, four to a unit of the other
        weights.

        `groups` names the group of each type; the likeliest type is that of the likeliest group. Without groups, each
        type is one by itself. `trees` is a list of lists, for one type after another and again: the nodes of a tree as
        (name of a number, limit, node or ~leaf up to the limit, the same above it), and its leaves, four to a unit of
        the other weights. `scale` is what the sums of weights are multiplied with before leaves are added, in
        hundredths.
        """
        cdef uint32_t n = 0, at, size = 4, k, start = 0
        cdef TypeRow* row
        if self.rows != NULL:
            raise ValueError("the weights are there already")
        if hashed and len(hashed) != N_HASHED * TYPE_LANES:
            raise ValueError(f"{len(hashed)} weights of tokens and terms, not {N_HASHED * TYPE_LANES}")
        self.hashed = hashed.translate(bytes([(each + BIAS) & 0xFF for each in range(256)]))
        if hashed:
            self.hashed_rows = <const uint8_t*> <const char*> self.hashed
        self.names = b"".join([name.encode() for name, _ in rows])
        while size < 2 * len(rows):
            size *= 2
        self.rows = <TypeRow*> new_array(len(rows) + 1, sizeof(TypeRow))
        self.slots = <uint32_t*> new_array(size, sizeof(uint32_t))
        if self.rows == NULL or self.slots == NULL:
            raise MemoryError("no memory for the weights of types")
        memset(self.rows, 0, (len(rows) + 1) * sizeof(TypeRow))
        memset(self.slots, 0, size * sizeof(uint32_t))
        memset(self.basis, 0, sizeof(self.basis))
        self.mask, self.n_rows = size - 1, <uint32_t> len(rows)
        self.text = <const uint8_t*> <const char*> self.names
        for name, weights in rows:
            if len(weights) != N_TYPES:
                raise ValueError(f"{name} has {len(weights)} weights instead of {N_TYPES}")
            if not name:
                for k in range(N_TYPES):
                    self.basis[k] = weights[k]
                continue
            row = self.rows + n
            row.start, row.length = start, len(name.encode())
            start += row.length
            self.longest = max(self.longest, row.length)
            for k in range(N_TYPES):
                row.weights[k] = weights[k]
            at = hash_of(b"", 0, self.text + row.start, row.length) & self.mask
            while self.slots[at]:
                at = (at + 1) & self.mask
            n += 1
            self.slots[at] = n
        for k in range(N_TYPES):
            self.groups[k] = groups.index(groups[k]) if groups else k
        self.scale = scale
        self.trees = NumberTrees(
            [
                ([(NUMBERS.index(name), limit, below, above) for name, limit, below, above in nodes], leaves)
                for nodes, leaves in trees
            ],
            N_NUMBERS,
        )

    cdef void add_trees(self, int64_t* sums, int32_t* numbers) noexcept nogil:
        """Add what the trees say to the sums, in the units of hashed words."""
        cdef int64_t greatest = greatest_of(sums)
        cdef Py_ssize_t tree
        cdef uint32_t k
        for k in range(N_TYPES):
            numbers[N_PAGE_NUMBERS + k] = <int32_t> max(sums[k] - greatest, <int64_t> -MAX_NUMBER)
            sums[k] = sums[k] * self.scale
        for tree in range(self.trees.n):
            sums[tree % N_TYPES] += 100 * <int64_t> self.trees.leaf(tree, numbers)

    def __dealloc__(self):
        free(self.rows)
        free(self.slots)

    def likeliest(
        self, dict values not None, tuple counts not None, list linked not None, str url, tuple shape = None,
        bytes vocabulary = None,
    ) -> tuple[int, float]:
        """The number of the likeliest type in the likeliest group and its probability, from what find_metadata() found,
        from the shape of the page (Workspace.shape()), and from its tokens and terms (Workspace.vocabulary()); the first
        of types that are as likely. The trees are asked if both are there, about a page of
        LEAST_WORDS and more.
        """
        cdef int32_t[TYPE_LANES] hashed
        if vocabulary is not None and len(vocabulary) != N_HASHED // 8:
            raise ValueError(f"{len(vocabulary)} bytes of tokens and terms, not {N_HASHED // 8}")
        if not vocabulary:
            return self.judge(values, counts, linked, PageUrl(url), shape, NULL, None)
        self.add_hashed(hashed, <const uint32_t*> <const char*> vocabulary)
        return self.judge(values, counts, linked, PageUrl(url), shape, hashed, None)

    cdef void add_hashed(self, int32_t* sums, const uint32_t* found) noexcept nogil:
        """Set the sums of the weights of tokens and terms, of each of which `found` has a bit."""
        memset(sums, 0, TYPE_LANES * sizeof(int32_t))
        if self.hashed_rows != NULL:
            add_hashed(sums, found, self.hashed_rows)

    cdef tuple judge(
        self, dict values, tuple counts, list linked, PageUrl where, tuple shape, const int32_t* hashed, dict into
    ):
        """What likeliest() returns. `hashed` has the sums of add_hashed(), or is NULL. With `into`, also sets the
        probabilities of all types there, as "type".
        """
        cdef TypeEvidence evidence
        cdef tuple address = address_of(values, where)
        cdef double[N_TYPES] shares, of_groups
        cdef int32_t[N_NUMBERS] numbers
        cdef int64_t[N_TYPES] sums
        cdef int64_t unit = HASHED_UNITS * 100, greatest
        cdef uint32_t k, best = 0, group = 0
        cdef double total
        if self.rows == NULL:
            raise ValueError("there are no weights")
        evidence = TypeEvidence(self)
        add_all(evidence, values, counts, linked, address, shape)
        for k in range(N_TYPES):
            sums[k] = HASHED_UNITS * evidence.sums[k] + (hashed[k] if hashed != NULL else 0)
        if (
            self.trees.n > 0 and hashed != NULL and shape is not None
            and find_page_numbers(numbers, values, counts, address, shape)
        ):
            self.add_trees(sums, numbers)
            unit *= 100
        greatest = greatest_of(sums)
        for k in range(N_TYPES):
            shares[k] = exp(<double> (sums[k] - greatest) / <double> unit)
            of_groups[k] = 0
        for k in range(N_TYPES):
            of_groups[self.groups[k]] += shares[k]
        for k in range(N_TYPES):
            if of_groups[k] > of_groups[group]:
                group = k
        best = group
        for k in range(N_TYPES):
            if self.groups[k] == group and shares[k] > shares[best]:
                best = k
        # fsum: the sum does not depend on the order of types, as any other of floating-point numbers
        total = fsum([shares[k] for k in range(N_TYPES)])
        if into is not None:
            into["type"] = [shares[k] / total for k in range(N_TYPES)]
        return best, shares[best] / total

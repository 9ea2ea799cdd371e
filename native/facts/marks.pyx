# SPDX-License-Identifier: Apache-2.0
"""What elements say about the text inside them, by their names, classes, ids and itemprops."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from thresher.native.base.characters cimport begins_ascii
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.parsing.document cimport KIND_ELEMENT, KIND_TEXT, Attribute, Slice, Tree, slice_at
from thresher.native.parsing.known_values cimport KnownValue, is_known, place_of_value
from thresher.native.parsing.tags cimport *

cdef extern from "facts/digits.h" nogil:
    bint may_name(const uint8_t* value, size_t length)


cdef enum:
    MAX_CLASS = 256             # bytes of a class that are searched
    NO_NAMES = 1 << 30          # of a class that was only asked for CLUE_BYLINE and CLUE_USER, and has neither
    MAX_PARENTS = 64            # elements around another that are asked where it stands


MARKS = {
    "heading_1": CLUE_HEADING_1, "heading_2": CLUE_HEADING_2, "title": CLUE_TITLE, "published": CLUE_PUBLISHED,
    "date": CLUE_DATE, "details": CLUE_DETAILS, "modified": CLUE_MODIFIED, "author": CLUE_AUTHOR,
    "elsewhere": CLUE_ELSEWHERE, "biography": CLUE_BIOGRAPHY,
    "subject": CLUE_SUBJECT, "name": CLUE_NAME,
}
# Parts of classes, ids and itemprops, and what they say about the text in their element. A longer word comes before a
# word that it begins with. A word without marks is only skipped.
_WORDS = [
    (b"datepublished", CLUE_PUBLISHED | CLUE_DATE), (b"daten", 0), (b"date", CLUE_DATE), (b"datum", CLUE_DATE),
    (b"dato", CLUE_DATE), (b"datetime", CLUE_DATE), (b"data-", 0), (b"detail", CLUE_DETAILS),
    (b"dachzeile", CLUE_DETAILS),
    (b"fecha", CLUE_DATE), (b"tarih", CLUE_DATE), (b"timer", 0), (b"timeline", CLUE_ELSEWHERE), (b"time", CLUE_DATE),
    (b"publis", CLUE_DATE), (b"public", CLUE_DATE), (b"posted", CLUE_DATE), (b"stamp", CLUE_DATE),
    (b"created", CLUE_DATE), (b"erstell", CLUE_DATE), (b"updated", CLUE_MODIFIED | CLUE_DATE),
    (b"lastupdate", CLUE_MODIFIED | CLUE_DATE), (b"last-update", CLUE_MODIFIED | CLUE_DATE),
    (b"modified", CLUE_MODIFIED), (b"byline", CLUE_AUTHOR | CLUE_BYLINE | CLUE_DETAILS), (b"authored", CLUE_DATE),
    (b"author", CLUE_AUTHOR | CLUE_BYLINE | CLUE_DETAILS),
    (b"autor", CLUE_AUTHOR | CLUE_BYLINE | CLUE_DETAILS), (b"auteur", CLUE_AUTHOR),
    (b"writer", CLUE_AUTHOR), (b"verfasser", CLUE_AUTHOR), (b"redakt", CLUE_AUTHOR), (b"reporter", CLUE_AUTHOR),
    (b"signature", CLUE_AUTHOR), (b"contributor", CLUE_AUTHOR), (b"meta", CLUE_DETAILS), (b"info", CLUE_DETAILS),
    (b"entry-", CLUE_DETAILS), (b"article", CLUE_DETAILS), (b"news", CLUE_DETAILS), (b"subline", CLUE_DETAILS),
    (b"kicker", CLUE_DETAILS), (b"topline", CLUE_DETAILS), (b"head", CLUE_DETAILS),
    (b"commentary", 0), (b"comment", CLUE_ELSEWHERE), (b"footer", CLUE_ELSEWHERE), (b"post-footer", 0), (b"sidebar", CLUE_ELSEWHERE),
    (b"related", CLUE_ELSEWHERE), (b"teaser", CLUE_ELSEWHERE), (b"widget", CLUE_ELSEWHERE), (b"event", CLUE_ELSEWHERE),
    (b"menu", CLUE_ELSEWHERE), (b"copyright", CLUE_ELSEWHERE), (b"archiv", CLUE_ELSEWHERE),
    (b"calendar", CLUE_ELSEWHERE), (b"recent", CLUE_ELSEWHERE), (b"popular", CLUE_ELSEWHERE),
    (b"latest", CLUE_ELSEWHERE), (b"aside", CLUE_ELSEWHERE), (b"listing", CLUE_ELSEWHERE),
    (b"carousel", CLUE_ELSEWHERE), (b"slider", CLUE_ELSEWHERE), (b"promo", CLUE_ELSEWHERE),
    (b"trending", CLUE_ELSEWHERE), (b"preview", 0), (b"review", CLUE_ELSEWHERE), (b"rating", CLUE_ELSEWHERE),
    (b"tooltip", CLUE_ELSEWHERE), (b"modal", CLUE_ELSEWHERE), (b"cookie", CLUE_ELSEWHERE),
    (b"upcoming", CLUE_ELSEWHERE), (b"ticker", CLUE_ELSEWHERE), (b"sponsor", CLUE_ELSEWHERE),
    (b"termin", CLUE_ELSEWHERE), (b"recommend", CLUE_ELSEWHERE), (b"more-", CLUE_ELSEWHERE),
    (b"newest", CLUE_ELSEWHERE), (b"similar", CLUE_ELSEWHERE), (b"next", CLUE_ELSEWHERE), (b"prev", CLUE_ELSEWHERE),
    (b"nav", CLUE_ELSEWHERE), (b"biograph", CLUE_BIOGRAPHY), (b"bio", CLUE_BIOGRAPHY), (b"about", CLUE_BIOGRAPHY),
    (b"avatar", CLUE_BIOGRAPHY), (b"image", CLUE_BIOGRAPHY), (b"caption", CLUE_BIOGRAPHY), (b"credit", CLUE_BIOGRAPHY),
    (b"photo", CLUE_BIOGRAPHY), (b"infobox", CLUE_SUBJECT), (b"bday", CLUE_SUBJECT), (b"birth", CLUE_SUBJECT),
    (b"dtstart", CLUE_SUBJECT), (b"dtend", CLUE_SUBJECT), (b"when", CLUE_SUBJECT), (b"clock", CLUE_SUBJECT), (b"countdown", CLUE_SUBJECT),
    (b"today", CLUE_SUBJECT), (b"weather", CLUE_SUBJECT), (b"elementor-widget", 0),
    (b"username", CLUE_AUTHOR | CLUE_USER), (b"user-name", CLUE_AUTHOR | CLUE_USER), (b"user_name", CLUE_AUTHOR | CLUE_USER), (b"vcard", CLUE_AUTHOR | CLUE_USER),
    (b"startdate", CLUE_SUBJECT), (b"start-date", CLUE_SUBJECT), (b"enddate", CLUE_SUBJECT), (b"site-info", CLUE_ELSEWHERE),
]
_WORDS.sort(key=lambda item: (item[0][:2], -len(item[0]), item[0]))
cdef Word[128] WORDS            # one without text ends them
cdef uint8_t[26 * 26] FIRST_WORD    # for the two letters that a word begins with: one more than their first in WORDS
if len(_WORDS) > 127:
    raise RuntimeError(f"{len(_WORDS)} words, and there is room for 127")


cdef void _fill_words() except *:
    cdef int i
    memset(FIRST_WORD, 0, sizeof(FIRST_WORD))
    memset(WORDS, 0, sizeof(WORDS))
    for i in reversed(range(len(_WORDS))):
        FIRST_WORD[(_WORDS[i][0][0] - 97) * 26 + _WORDS[i][0][1] - 97] = i + 1
        WORDS[i].text = <const char*> _WORDS[i][0]
        WORDS[i].length = len(_WORDS[i][0])
        WORDS[i].marks = _WORDS[i][1]


_fill_words()


cdef uint32_t marks_in(const uint8_t* value, uint32_t length) noexcept nogil:
    """The marks that a class, id or itemprop gives."""
    cdef uint32_t i = 0, marks = 0
    cdef uint8_t letter, second
    cdef const Word* word
    length = min(length, <uint32_t> MAX_CLASS)
    if length == 0:
        return 0
    second = (value[0] | 0x20) - c"a"
    while i + 1 < length:
        letter = second
        i += 1
        second = (value[i] | 0x20) - c"a"
        if letter >= 26 or second >= 26 or FIRST_WORD[letter * 26 + second] == 0:
            continue
        word = WORDS + FIRST_WORD[letter * 26 + second] - 1
        while word.length and word.text[0] == letter + c"a" and word.text[1] == second + c"a":
            if begins_ascii(value + i + 1, length - i - 1, word.text + 2, word.length - 2):
                marks |= word.marks
                i += word.length - 1
                if i < length:
                    second = (value[i] | 0x20) - c"a"
                break
            word += 1
    return marks


cdef uint32_t said_of(const Tree* tree, const Attribute* attribute, KnownValue* classes) noexcept nogil:
    """marks_in() of an attribute; `classes` remembers it."""
    cdef KnownValue* known = classes + place_of_value(attribute)
    cdef Slice value
    if not is_known(known, attribute) or known.said == NO_NAMES:
        value = slice_at(tree, attribute.value_start, attribute.value_length)
        known.said = marks_in(value.data, value.length)
    return known.said


cdef uint32_t names_said(const Tree* tree, const Attribute* attribute, KnownValue* classes) noexcept nogil:
    """Of marks_in() of an attribute CLUE_BYLINE and CLUE_USER."""
    cdef KnownValue* known = classes + place_of_value(attribute)
    cdef Slice value
    if not is_known(known, attribute):
        value = slice_at(tree, attribute.value_start, attribute.value_length)
        known.said = marks_in(value.data, value.length) if may_name(
            value.data, min(value.length, <uint32_t> MAX_CLASS)
        ) else NO_NAMES
    return known.said & (CLUE_BYLINE | CLUE_USER)


cdef uint32_t own_marks(const Tree* tree, uint32_t n, KnownValue* classes) noexcept nogil:
    """The marks that an element gives by its class, id and itemprop alone. `classes` remembers those of class attributes.
    """
    cdef const Attribute* attribute = tree.attributes + tree.nodes[n].attributes
    cdef uint32_t i, found = 0
    cdef bint is_great = tree.nodes[n].tag != TAG_TABLE and (tree.nodes[n].end - n) * 3 > tree.n_nodes
    for i in range(tree.nodes[n].n_attributes if tree.nodes[n].kind == KIND_ELEMENT else 0):
        if attribute[i].name == ATTR_CLASS or attribute[i].name == ATTR_ITEMPROP or attribute[i].name == ATTR_ID:
            found |= said_of(tree, attribute + i, classes)
    return found & ~<uint32_t> CLUE_SUBJECT if is_great else found      # the article itself is no infobox


cdef uint32_t marks_of(const Tree* tree, uint32_t n, KnownValue* classes) noexcept nogil:
    """The marks that an element gives by its name, class, id and itemprop."""
    cdef uint32_t tag = tree.nodes[n].tag, found = own_marks(tree, n, classes)
    THRESHER_CHECK(tree.nodes[n].kind != KIND_TEXT)     # which may have no attributes, but other things there
    if tag == TAG_TIME:
        found |= CLUE_DATE
    elif tag == TAG_ARTICLE or tag == TAG_HEADER:
        found |= CLUE_DETAILS
    elif tag == TAG_FOOTER or tag == TAG_ASIDE or tag == TAG_NAV:
        found |= CLUE_ELSEWHERE
    return found


cdef bint holds_heading(const Tree* tree, uint32_t n) noexcept nogil:
    """True if an element holds a heading of the first level: then it is no teaser."""
    cdef uint32_t at
    for at in range(n + 1, tree.nodes[n].end):
        if tree.nodes[at].tag == TAG_H1 and tree.nodes[at].kind == KIND_ELEMENT:
            return True
    return False


cdef bint is_elsewhere(const Tree* tree, uint32_t n, KnownValue* classes) noexcept nogil:
    """True if an element belongs to another part of the page than what it was written for: it is in an aside, in
    navigation or in a footer that is no article's, or a class around it says comments, teasers, an event or facts of a
    subject. A class of an element that holds half of the page says nothing.
    """
    cdef uint32_t at = n, steps = 0, tag
    cdef bint in_footer = False
    while at != 0 and steps < MAX_PARENTS:
        tag = tree.nodes[at].tag
        if tag == TAG_ASIDE or tag == TAG_NAV:
            return True
        if tag == TAG_BODY:
            break
        if tag == TAG_FOOTER:
            in_footer = True
        elif tag == TAG_ARTICLE:
            in_footer = False
        if (tree.nodes[at].end - at) * 2 < tree.n_nodes and own_marks(tree, at, classes) & (CLUE_ELSEWHERE | CLUE_SUBJECT):
            if tag != TAG_FOOTER and not holds_heading(tree, at):
                return True
        at = tree.nodes[at].parent
        steps += 1
    return in_footer

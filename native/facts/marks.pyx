# SPDX-License-Identifier: Apache-2.0
"""What elements say about the text inside them, by their names, classes, ids and itemprops."""

from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.prefix_table cimport Prefix, PrefixTable, fill_prefixes, first_prefix
from thresher.native.parsing.known_values cimport KnownValue, is_known, place_of_value
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef enum:
    MAX_CLASS = 256             # bytes of a class that are searched
    MAX_PARENTS = 64            # elements around another that are asked where it stands


MARKS = {
    "heading_1": CLUE_HEADING_1, "heading_2": CLUE_HEADING_2, "title": CLUE_TITLE, "published": CLUE_PUBLISHED,
    "date": CLUE_DATE, "details": CLUE_DETAILS, "modified": CLUE_MODIFIED, "author": CLUE_AUTHOR,
    "elsewhere": CLUE_ELSEWHERE, "biography": CLUE_BIOGRAPHY,
    "subject": CLUE_SUBJECT, "name": CLUE_NAME,
}
# Parts of classes, ids and itemprops, and what they say about the text in their element.
WORDS = {
    CLUE_ELSEWHERE: "timeline comment footer sidebar related teaser widget event menu copyright archiv calendar "
        "recent popular latest aside listing carousel slider promo trending review rating tooltip modal cookie "
        "upcoming ticker sponsor termin recommend more- newest similar next prev nav site-info",
    CLUE_DATE: "date datum dato datetime fecha tarih time publis public posted stamp created erstell authored",
    CLUE_SUBJECT: "infobox bday birth dtstart dtend when clock countdown today weather startdate start-date enddate",
    CLUE_DETAILS: "detail dachzeile meta info entry- article news subline kicker topline head",
    CLUE_BIOGRAPHY: "biograph bio about avatar image caption credit photo",
    CLUE_AUTHOR: "auteur writer verfasser redakt reporter signature contributor",
    CLUE_MODIFIED: "modified",
    CLUE_AUTHOR | CLUE_USER: "username user-name user_name vcard",
    CLUE_MODIFIED | CLUE_DATE: "updated lastupdate last-update",
    CLUE_AUTHOR | CLUE_BYLINE | CLUE_DETAILS: "byline author autor",
    CLUE_PUBLISHED | CLUE_DATE: "datepublished",
    0: "daten data- timer commentary post-footer preview elementor-widget",       # which are only skipped
}
cdef PrefixTable TABLE
fill_prefixes(&TABLE, WORDS)


cdef uint32_t marks_in(Slice value) noexcept nogil:
    """The marks that a class, id or itemprop gives."""
    cdef const uint8_t* at = value.data
    cdef const uint8_t* end = at + min(value.length, <uint32_t> MAX_CLASS)
    cdef const Prefix* word
    cdef uint32_t marks = 0
    while at < end:
        word = first_prefix(&TABLE, at, <uint32_t> (end - at))
        if word == NULL:
            at += 1
        else:
            marks |= word.value
            at += word.length
    return marks


cdef uint32_t said_of(const Tree* tree, const Attribute* attribute, KnownValue* classes) noexcept nogil:
    """marks_in() of an attribute; `classes` remembers it."""
    cdef KnownValue* known = classes + place_of_value(attribute)
    if not is_known(known, attribute):
        known.said = marks_in(value_of(tree, attribute))
    return known.said


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


cdef bint holds_heading(const Tree* tree, uint32_t n, const uint32_t* headings, size_t n_headings) noexcept nogil:
    """True if an element holds one of these headings of the first level, which are in order: then it is no teaser."""
    cdef size_t low = 0, high = n_headings, middle
    while low < high:
        middle = (low + high) // 2
        if headings[middle] <= n:
            low = middle + 1
        else:
            high = middle
    return low < n_headings and headings[low] < tree.nodes[n].end


cdef bint is_elsewhere(
    const Tree* tree, uint32_t n, const uint32_t* headings, size_t n_headings, KnownValue* classes
) noexcept nogil:
    """True if an element belongs to another part of the page than what it was written for: it is in an aside, in
    navigation or in a footer that is no article's, or a class around it says comments, teasers, an event or facts of a
    subject. A class of an element that holds half of the page says nothing. `headings` are all of the first level. Classes
    are not asked if `classes` is NULL.
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
        if classes != NULL and (tree.nodes[at].end - at) * 2 < tree.n_nodes and (
            own_marks(tree, at, classes) & (CLUE_ELSEWHERE | CLUE_SUBJECT)
        ):
            if tag != TAG_FOOTER and not holds_heading(tree, at, headings, n_headings):
                return True
        at = tree.nodes[at].parent
        steps += 1
    return in_footer

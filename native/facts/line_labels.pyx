# SPDX-License-Identifier: Apache-2.0
"""What the words before a day or a name say of it, in a line as written and in one in lower case."""

from thresher.native.base.prefix_table cimport Prefix, PrefixTable, fill_prefixes, first_prefix, next_prefix
from thresher.native.facts.labels import BYLINES, CHANGED, PUBLISHED, READ, SUBJECTS, all_of
from thresher.native.facts.words cimport is_of_word
from thresher.native.parsing.reading cimport is_ascii_letter


cdef enum:
    MAX_LABEL = 60          # bytes before a date that are searched for a label
    OTHER_SCRIPTS = 0xD6    # the first byte of letters behind the Cyrillic ones: Hebrew, Arabic, Indian, East Asian

cdef dict LABELS_OF = {
    SAYS_PUBLISHED: ["publis", "public", *"filed issued added eingestellt 公開 작성".split(), *all_of(PUBLISHED)],
    SAYS_MAYBE: "publi pubbli gepubli opubliko zveřej veröff fech date data опубл публ התפרסם".split(),
    SAYS_CHANGED: all_of(CHANGED), SAYS_READ: all_of(READ), SAYS_SUBJECT: all_of(SUBJECTS), SAYS_WRITER: all_of(BYLINES),
    SAYS_ALONE: ["date", "vom", "stand"], SAYS_DATA: ["data"],
}
# Letters outside ASCII are compared as written: words that begin with one count with a capital too.
cdef PrefixTable LABELS
fill_prefixes(&LABELS, {
    said: [*words, *[word.capitalize() for word in words if not word[0].isascii()]] for said, words in LABELS_OF.items()
})


cdef uint32_t label_at(const uint8_t* text, uint32_t length, uint32_t wanted) noexcept nogil:
    """The length of the label that a text begins with and that says one of the wanted things, as a whole word unless it
    is one of a page's day; 0 if there is none.
    """
    cdef const Prefix* label = first_prefix(&LABELS, text, length)
    cdef uint8_t after
    while label != NULL:
        after = text[label.length] if label.length < length else <uint8_t> c" "
        if label.value & wanted and (label.value & SAYS_DAY & wanted or not (
            is_ascii_letter(after) or (after >= 0x80 and <uint8_t> label.text[0] < 0xE0)
        )):
            return label.length
        label = next_prefix(label + 1, text, length)
    return 0


cdef bint holds_label(Slice text, uint32_t wanted) noexcept nogil:
    """True if a word before the first digit of a line is a label that says one of the wanted things."""
    cdef uint32_t i
    cdef uint8_t byte
    cdef bint begins = True
    for i in range(min(text.length, <uint32_t> MAX_LABEL)):
        byte = text.data[i]
        if c"0" <= byte <= c"9":
            return False
        # a script without spaces begins a word anywhere, but not inside a character
        if (begins or byte >= 0xE0) and label_at(text.data + i, text.length - i, wanted):
            return True
        begins = not (byte >= 0x80 or is_ascii_letter(byte) or byte == c"-")
    return False


cdef bint begins_by(Slice text) noexcept nogil:
    """True if a line begins like a byline in one of many languages, and goes on."""
    return 0 < label_at(text.data, text.length, SAYS_WRITER) < text.length


cdef bint goes_on(bytes text, Py_ssize_t end, uint32_t value) except -1:
    """True if what follows a word of SAYS_ALONE or SAYS_DATA, which ends there, makes it one of publication."""
    cdef str rest = text[end:].decode("utf-8", "surrogatepass"), behind = rest.lstrip()
    if value & SAYS_ALONE:
        return not (rest and is_of_word(rest[0]))
    return not behind or behind[0] == u":" or (
        len(behind) < len(rest) and behind.startswith(("da", "de", "di", "pu"))
    )


cdef uint32_t said_of(const Prefix* word, bytes text, Py_ssize_t at) except? 0:
    """What a label says that stands at this place of a text. One of a change or a subject counts only where a word
    begins, one of a subject only where it ends too. Scripts that may write other words beside a word without a space
    are excepted.
    """
    cdef uint32_t said = word.value
    cdef str before, behind
    if not said & (SAYS_CHANGE | SAYS_SUBJECT) or <uint8_t> word.text[0] >= OTHER_SCRIPTS:
        return said
    before = text[:at].decode("utf-8", "surrogatepass")
    if before and is_of_word(before[len(before) - 1]):
        return said & ~<uint32_t> (SAYS_CHANGE | SAYS_SUBJECT)
    behind = text[at + word.length:].decode("utf-8", "surrogatepass") if said & SAYS_SUBJECT else ""
    return said & ~<uint32_t> SAYS_SUBJECT if behind and behind[0].isalpha() else said


cdef uint32_t said_in(str lower) except? 0:
    """What the words of a text in lower case say, as a sum of Label. A word of publication may be a part of another."""
    cdef bytes text = lower.encode("utf-8", "surrogatepass")
    cdef const uint8_t* beginning = <const uint8_t*> <const char*> text
    cdef uint32_t at, length = <uint32_t> len(text), after_subject = length, said = 0, value
    cdef const Prefix* word
    for at in range(length):
        word = first_prefix(&LABELS, beginning + at, length - at)
        while word != NULL:
            value = said_of(word, text, at)
            if value & (SAYS_ALONE | SAYS_DATA) and goes_on(text, at + word.length, value):
                value |= SAYS_PUBLISHED
            if value & SAYS_PUBLISHED:
                value |= PUBLISHED_FIRST if at == 0 else PUBLISHED_LAST if at >= after_subject else 0
            if value & SAYS_SUBJECT and not said & SAYS_SUBJECT:
                after_subject = at + word.length
            said |= value
            word = next_prefix(word + 1, beginning + at, length - at)
    return said

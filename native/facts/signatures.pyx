# SPDX-License-Identifier: Apache-2.0
"""How lines of a page, and beginnings and ends of its text, say who wrote it: which part of them is names, and why."""

import re

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memmove

from thresher.native.base.characters cimport is_ascii_letter
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.facts.author_names cimport MAX_WORDS, end_of_by, is_by, without_weekday
from thresher.native.facts.authors cimport is_all_han, is_no_plain_name
from thresher.native.facts.dates cimport FoundDays
from thresher.native.facts.labels import (
    BYS_ELSEWHERE, BYS_INSIDE, BYS_UNSPACED, NOT_SIGNED, PARTICLES, ROLES_BEHIND, SIGNING, SOURCES, WRITTEN
)
from thresher.native.facts.letters cimport PyUnicode_IS_ASCII, has_letter, has_one_of, is_decimal
from thresher.native.facts.metadata cimport collapsed, next_read
from thresher.native.facts.shown_dates cimport ShownLine, ShownLines
from thresher.native.facts.words cimport Words, end_of_word, is_of_word, start_of_last
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport TAG_BR

cdef enum:
    LONG = 160              # characters of a block, beyond which it is prose
    MAX_PLAIN = 60          # of one that has nothing but names,
    MAX_PLAIN_WORDS = 10    # and its words,
    MAX_CASELESS = 24       # and of one in a script without capitals,
    MAX_SPACED = 40         # which is longer where spaces divide its words
    MAX_LABEL = 24          # characters before a colon
    MAX_NAMED = 5           # words of a name in a sentence
    EDGE = 200              # bytes at the edge of a block
    MAX_SHORT = 40          # of a block that is a name alone

# Patterns that most texts are spared are compiled when the first text needs one.
_BYS = "|".join([*sorted(BYS_INSIDE - {"cura"}), "a cura di", *BYS_ELSEWHERE, *BYS_UNSPACED])
cdef str BY_INSIDE = (
    rf"(?i)(?:^|[\s\d|,:·•–—-])(?:{_BYS})(?:\s*[:：]\s*|\s+)"
    r"([^\d|·•,(»]{2,60}?)(?=$|[\d|·•,(»]|\s[-–—]\s"
    r"|\s+(?:in|on|at|em|dans|le|am|um|leave|no comments|发布时间|發布時間|来源|時間|时间)\b|发布|發布)"
)
"""An author's name behind or before a date."""
cdef str WRITTEN_BY = rf"(?i)(?<!\w)(?:{'|'.join(WRITTEN)})\s+(?:{'|'.join(BYS_INSIDE | BYS_ELSEWHERE)}) "
_HAN = "[\u4e00-\u9fff]"
cdef str SIGNED = (
    r"(?:记者|記者|通讯员|通訊員|撰文|撰稿|(?:作者|取材・文|執筆|编译|編譯|文字|文|ライター|著者)\s*[:：/／・丨|])\s*[:：/／丨|｜]?\s*"
    rf"((?:{_HAN}{{2,4}}?|[\u3040-\u30ff\u4e00-\u9fff]{{2,8}}|[A-Z][\w.]+(?:\s[A-Z][\w.]+)+)(?:[、，\s\u3000]+{_HAN}{{2,4}}?)*)"
    r"(?=采访|採訪|报道|报导|報導|報道|综合|綜合|摄影|攝影|整理|编译|編譯|发自|發自|台北|臺北|高雄|台中|新北|[电電讯訊摄攝]"
    rf"|(?!{_HAN}))"
    r"|([가-힣]{2,4})\s*(?:선임|전문|수습|객원|인턴)?\s*(?:기자|특파원|논설위원)"
    r"|^\s*【(?:本[报報]?)?(?:记者|記者|通讯员|通訊員|特派員|特派员)?\s*([^】／/]{2,20})[／/][^】]*】"
)
"""Names in a dateline or signature of Chinese, Japanese and Korean papers."""
cdef object BETWEEN_SIGNED = re.compile("[、，;\\s\u3000]+").split
cdef object BEFORE_LABEL = re.compile(r"([^:：]+)\s[^\s:：]*+[:：]").match
# What follows a colon, up to a mark or a number that is no part of a name, as 1979 of ann1979 and 24 of "France 24"; and
# the next colon.
cdef object BEHIND_COLON = re.compile(
    r"( *(?:(?!(?<!\w)(?:[0-9]{4}|[0-9]+[^0-9]))[^|·•,，(»;:：（]){0,59})([:：]?)", re.DOTALL
).match
cdef object LAST_BRACKETS = re.compile(r"[(（]([^()（）]{2,30})[)）][\s.。]*$").search
cdef object BEHIND_STROKE = re.compile(r"[.!?。»”\"]\s*[/—–]\s*([^\s/—–][^/—–.]{1,30})$").search
cdef object AGENCY = re.compile(
    r"[^()（）]{0,36}[(（](AP|AFP|UPI|CNN|CBS|dpa|EFE|ANSA|PTI|Reuters|Bloomberg|Xinhua)[)）]\s*[-–—]"
).match
cdef WordTable BYS_IN_BYTES
fill_words(&BYS_IN_BYTES, {1: BYS_INSIDE})
cdef Words BYS = Words(BYS_INSIDE | BYS_ELSEWHERE)


cdef bint holds_by(str text) except -1:
    """True if BY_INSIDE may find a name in a text."""
    return BYS.are_in(text) or (not PyUnicode_IS_ASCII(text) and has_one_of(text, BYS_UNSPACED))


cdef bint is_byline(str text) except -1:
    """True if a text begins with "by" and the like and is no sentence."""
    return not (text.endswith(".") and len(text) > MAX_PLAIN // 2) and end_of_by(text) > 0


cdef bint ends_with_role(str text) except -1:
    """True if a text ends with what Chinese, Japanese or Korean papers call who writes."""
    return not PyUnicode_IS_ASCII(text) and text.rstrip().endswith(ROLES_BEHIND)


# --- datelines and labels ---

cdef str signed_names(str text):
    """The names of a dateline or signature of a Chinese, Japanese or Korean paper, those of Chinese reporters apart; None
    if a text has none.
    """
    cdef list parts, kept
    cdef str names
    if PyUnicode_IS_ASCII(text) or not has_one_of(text, SIGNING):
        return None
    parts = re.findall(SIGNED, text)
    if not parts:
        return None
    names = ";".join([name for each in parts for name in <tuple> each if name])
    if not is_all_han(names):
        return names
    parts = [name for name in BETWEEN_SIGNED(names) if name]
    kept = [name for name in parts if name not in NOT_SIGNED]
    return names if len(kept) == len(parts) and not has_one_of(text, ("记者", "記者", "通讯员", "通訊員")) else ";".join(kept)


cdef list labels_before(str text, Py_ssize_t colon):
    """What may be the label that a colon ends, in lower case: its last words, and in scripts without spaces characters."""
    cdef str before = text[max(0, colon - MAX_LABEL):colon].rstrip().lower()
    cdef list words = before.split(), found = []
    cdef Py_ssize_t k
    for k in range(1, 4):
        if k <= len(words):
            found.append(" ".join(words[len(words) - k:]).strip("|,·•–—-("))
        if not PyUnicode_IS_ASCII(before) and k < len(before):
            found.append(before[len(before) - k - 1:])
    return found


cdef str part_behind(str text, Py_ssize_t colon):
    """What follows a colon, up to the next mark, number or label."""
    cdef object match = BEHIND_COLON(text, colon + 1)
    cdef str part = match[1]
    if not match[2]:
        return part
    part = part[:start_of_last(part, len(part))]        # the next label is no part of a name
    return part[:len(part) - 5] if part.lower().endswith(" last ") else part        # updated


cdef tuple labelled_part(str text):
    """What follows a label of names and a colon, else of sources, and the flag of Saying; None if no such label is there.
    """
    cdef Py_ssize_t i
    cdef tuple source = None
    cdef str part
    if u":" not in text and u"：" not in text:
        return None
    for i in range(2, len(text) - 2):
        if text[i] not in u":：" or is_decimal(text[i - 1]):     # no colon, or a time
            continue
        for label in labels_before(text, i):
            if is_by(label) or (source is None and label in SOURCES):
                part = part_behind(text, i)
                if len(part) > 1 and is_by(label):
                    return part, SAYS_BY | SAYS_BY_INSIDE
                if len(part) > 1:
                    source = (part, SAYS_SOURCE)
    return source


cdef str without_next_label(str text):
    """A text without a label that it ends with: Ann Lee Source:"""
    cdef object match = BEFORE_LABEL(text)
    return match[1] if match is not None else text


# --- sentences, and names alone ---

cdef str name_from(str text, Py_ssize_t start):
    """The words with capitals, and small ones of names between them, that stand at a place of a text."""
    cdef Py_ssize_t i = start, k, end = start, words = 0
    while i < len(text) and words < MAX_NAMED:
        k = i
        while k < len(text) and (is_of_word(text[k]) or text[k] in u".'’-"):
            k += 1
        if k == i:
            break
        if text[i].isupper():
            end = k
            words += 1
        elif text[i:k] not in PARTICLES or words == 0:
            break
        if k == len(text) or text[k] != u" " or (text[k - 1] == u"." and k - i > 4):
            break
        i = k + 1
    return text[start:end].rstrip(".")


cdef str named_in_sentence(str text):
    """Who wrote it, in a sentence that says so: a guest post from Ann Lee of The Post; None if it says nothing."""
    cdef object match
    cdef str name
    cdef Py_ssize_t start = end_of_by(text), end
    if start == 0:
        match = re.search(WRITTEN_BY, text)
        if match is None:
            return None
        start = match.end()
        for _ in range(2):      # legal intern
            end = end_of_word(text, start)
            if start < end < len(text) and text[start].islower() and text[end] == u" ":
                start = end + 1
    name = name_from(text, start)
    return name if " " in name else None


cdef bint may_be_plain(str text) noexcept:
    """False for a text that is none of a name and a date alone: it is long, has one word in a script with capitals, or
    many words without one.
    """
    cdef Py_UCS4 character, before = u" "
    cdef int small = 0, large = 0, words = 0
    if len(text) > MAX_PLAIN:
        return False
    for character in text:
        if before.isspace() and not character.isspace():
            words += 1
            small += <bint> character.islower()
            large += <bint> character.isupper()
        elif before == u"." and character.isupper():        # K.Lee
            large += 1
        before = character
    if words > MAX_PLAIN_WORDS:
        return False
    if large == small == 0:
        return len(text) <= (MAX_SPACED if 1 < words <= MAX_WORDS and before < 0x3000 else MAX_CASELESS)
    return large > 1 and small <= 3


# --- lines and blocks ---

cdef tuple names_of_line(ShownLines lines, ShownLine line):
    """The part of a line that may be names, and how the line says so: the sum of its flags of Saying."""
    cdef str text = line.text, rest
    cdef Py_ssize_t start, end
    cdef int k, how = SAYS_BY if is_byline(text) else 0
    cdef tuple labelled
    cdef const FoundDays* found
    if holds_by(text) and lines.days_of(line).n:
        match = re.search(BY_INSIDE, text)
        if match is not None:
            start, end = match.span(1)
            found = lines.days_of(line)
            for k in range(found.n):        # a month is no part of a name
                if found.days[k].start >= start:
                    end = min(end, found.days[k].start)
            return without_next_label(without_weekday(text[start:end])), SAYS_BY if how else SAYS_BY | SAYS_BY_INSIDE
    if ends_with_role(text):
        how |= SAYS_ROLE
    labelled = labelled_part(text) if len(text) <= LONG else None
    if labelled is not None and (how == 0 or labelled[1] != SAYS_SOURCE):
        return labelled
    if how == 0 and len(text) <= MAX_PLAIN:
        found = lines.days_of(line)
        if found.n:
            rest = f"{without_weekday(text[:found.days[0].start])};{text[found.days[found.n - 1].end:]}"
            if may_be_plain(rest):
                return rest, SAYS_PLAIN
    return text, how


cdef tuple signature_in(str text, bint is_first):
    """The part of a block's text that may be names, and how it says so, as in names_of_line(); None if there is none.
    `is_first` is true for the beginning of a text, false for its end.
    """
    cdef object match
    cdef tuple labelled
    cdef str name
    cdef bint has_by
    name = signed_names(text)
    if name is not None:
        return name, SAYS_SIGNED
    if len(text) <= LONG:
        labelled = labelled_part(text)
        if is_byline(text) and (labelled is None or labelled[1] == SAYS_SOURCE):
            return text, SAYS_BY
        if labelled is not None:
            return labelled
        has_by = holds_by(text)
        name = named_in_sentence(text) if text.endswith(".") and (has_by or end_of_by(text)) else None
        if name is None and has_by:
            match = re.search(BY_INSIDE, text) if len(text) <= MAX_PLAIN or is_no_plain_name(text) else None
            if match is not None:
                return without_next_label(without_weekday(match[1])), SAYS_BY | SAYS_BY_INSIDE
            name = named_in_sentence(text)
        if name is not None:
            return name, SAYS_BY
    if is_first and ("(" in text or "（" in text):
        match = AGENCY(text)
        if match is not None:
            return match[1], SAYS_SOURCE
    elif not is_first:
        match = LAST_BRACKETS(text) if text.rstrip(" .。").endswith((")", "）")) else None
        if match is not None:
            return match[1], SAYS_BRACKETS
        match = BEHIND_STROKE(text) if "/" in text or "—" in text or "–" in text else None
        if match is not None:
            return match[1], SAYS_STROKE
    if len(text) <= LONG and ends_with_role(text):
        return text, SAYS_ROLE
    return (text, SAYS_PLAIN) if may_be_plain(text) and has_letter(text) else None


# --- a first look, at bytes ---

cdef bint has_by_word(Slice text) noexcept nogil:
    """True if one of BYS_INSIDE is a word of a text."""
    cdef Slice word
    while next_letters(&text, &word):
        if value_of_word(&BYS_IN_BYTES, word.data, word.length):
            return True
    return False


cdef bint may_be_signed(Slice text, bint is_first, bint is_prose) noexcept nogil:
    """False for the beginning or end of a block that nobody signs there, as signature_in() reads it: it has no letter of
    East Asia, and no bracket or stroke at its end; what is no prose has neither a "by", nor a colon, a digit or a letter
    outside ASCII, nor could it be a name alone.
    """
    cdef uint32_t i
    cdef uint8_t found = 0, foreign = 0xE2 if is_prose else 0x80
    for i in range(text.length):    # no early exit, so that the compiler can vectorise the loop
        found |= (text.data[i] >= foreign) | (not is_first) & (text.data[i] == c"/")
        found |= (not is_prose) & ((text.data[i] == c":") | (<uint8_t> (text.data[i] - c"0") < 10))
    if found or not is_first and text.length > 2 and (ends(text, b")") or text.data[text.length - 2] == c")"):
        return True
    return not is_prose and (has_by_word(text) or is_short_name(text))


cdef bint is_short_name(Slice text) noexcept nogil:
    """True for a text of two to five words of ASCII without marks, of which two or more begin with a capital."""
    cdef uint32_t i, words = 1, capitals = 0
    if text.length > MAX_SHORT:
        return False
    for i in range(text.length):
        if is_space(text.data[i]):
            words += 1
        elif c"A" <= text.data[i] <= c"Z":
            capitals += i == 0 or is_space(text.data[i - 1])
        elif not (is_ascii_letter(text.data[i]) or text.data[i] in b".,'&-"):
            return False
    return 2 <= words <= 5 and capitals >= 2


cdef str text_at_edge(const Tree* tree, uint32_t start, uint32_t behind, bint is_first, bint is_prose, bint begins_by):
    """The first or last EDGE bytes of the text of some nodes, white space collapsed; None if there is none, or if nobody
    signs there. `begins_by` is true if they begin with "by" and the like.
    """
    cdef uint8_t[2 * EDGE] text
    cdef uint32_t n = start, length = 0, take
    cdef Slice slice
    while n < behind and (length < EDGE or not is_first):
        if tree.nodes[n].kind == KIND_TEXT:
            slice = text_of(tree, n)
            take = min(slice.length, <uint32_t> EDGE)
            if length + take > 2 * EDGE:        # only where the end is wanted
                memmove(text, text + length - EDGE, EDGE)
                length = EDGE
            memcpy(text + length, slice.data if is_first else slice.data + slice.length - take, take)
            length += take
        elif tree.nodes[n].tag == TAG_BR and length < 2 * EDGE:
            text[length] = c"\n"
            length += 1
        n = next_read(tree, n)
    while length and is_space(text[length - 1]):
        length -= 1
    take = min(length, <uint32_t> EDGE)
    slice = Slice(data=&text[0 if is_first else length - take], length=take)
    if not begins_by and not may_be_signed(slice, is_first, is_prose):
        return None
    return collapsed(slice.data, slice.length) or None

# SPDX-License-Identifier: Apache-2.0
"""Authors: the names in texts that hold one or several, told apart."""

import re
from collections.abc import Iterable

from thresher.native.facts.author_names cimport (
    clean_name, is_account_of_site, is_no_person, is_role, names_institute, without_by, without_site, without_weekday
)
from thresher.native.facts.dates cimport FoundDays, find_days
from thresher.native.facts.labels import JOINERS, JOINERS_INSIDE
from thresher.native.facts.letters cimport PyUnicode_IS_ASCII, has_no_case, is_decimal, name_key
from thresher.native.facts.words cimport count_words, end_of_blank, end_of_word, start_of_last, start_of_word

cdef enum:
    MAX_TEXT = 200          # characters of a text that has other things than names
    MAX_LIST = 900          # of a list of names; names behind are not read
    MAX_AUTHORS = 20
    MAX_ACRONYM = 8         # letters of an agency's name in capitals
    MAX_JOINER = 5          # of a space and "and"
    MAX_DEGREE = 6          # characters of "Ph. D."

cdef frozenset DASHES = frozenset("–—-ـ")
cdef object BRACKETS = re.compile(r"\s*[(\[（][^)\]）]{0,80}[)\]）]").sub
cdef object IN_BRACKETS = re.compile(r"[(\[（]([^()\[\]（）]{3,})[)\]）]").fullmatch
cdef object NAME_IN_BRACKETS = re.compile(r"([^(（\[,;/|:：@\d]{2,})[(（]\s*((?:[^\W\d_]|[ .'’-]){3,24}?)\s*[)）]\s*").fullmatch
cdef object INITIALS = re.compile(r"[a-zäöüß]{2,5}(?:/[a-zäöüß]{2,5})+").fullmatch
cdef object FIRST_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.[ -]?){1,3}").fullmatch      # B. C.
cdef object ADDRESS = re.compile(r"\S+@\S+|https?://\S+|www\.\S+|(?<=\S )@\w+").sub
cdef object DEGREES = re.compile(
    r"^(?:ph\.?\s?d\.?|m\.?d\.?|jr\.?|sr\.?|ii|iii|esq\.?|mba|msc|dr\.?|m\.?s\.?|bsc|mph|rdn?|ldn?|rn|dds|dvm|lcsw|cpt)$",
    re.IGNORECASE,
).fullmatch
cdef object ALL_HAN = re.compile("[\u4e00-\u9fff \u3000、，;]*").fullmatch


# --- lists of names ---

cdef bint is_acronym(str text, Py_ssize_t start, Py_ssize_t end) noexcept:
    """True for two to MAX_ACRONYM capitals."""
    cdef Py_ssize_t i
    for i in range(start, end):
        if not text[i].isupper():
            return False
    return 2 <= end - start <= MAX_ACRONYM


cdef bint is_within_name(str text, Py_ssize_t i) except -1:
    """True for a stroke between a name and its agency, as in Ann Lee/AFP, and one behind a single letter: c/Lusa."""
    cdef Py_ssize_t start = start_of_word(text, i), end = end_of_word(text, i + 1)
    if start == i or (start > 0 and not text[start - 1].isspace()):
        return False
    if start + 1 == i and start > 0:
        return True
    return end > i + 1 and (is_acronym(text, start, i) or is_acronym(text, i + 1, end))


cdef bint is_joiner(str word, str before) except -1:
    """True for "and" in several languages; in capitals only behind a name of two words in capitals: "JOHN DAN LEE" and
    "THE MIT PRESS" are one name. A single capital other than Y is an initial.
    """
    if word in JOINERS:
        return True
    return (
        (len(word) > 1 or word == "Y") and word.isupper() and before.isupper() and count_words(before) > 1
        and word.lower() in JOINERS
    )


cdef bint is_second_surname(str text, Py_ssize_t i, str before) except -1:
    """True if one word that is no agency is all that stands in a list behind "y", and two words or more before it: José
    Ortega y Gasset.
    """
    cdef Py_ssize_t start = end_of_blank(text, i), end = start
    while end < len(text) and text[end] not in u",;/|｜•·、(" and not text[end].isspace():
        end += 1
    if (
        end == start or not text[start].isupper() or (is_acronym(text, start, end) and not before.isupper())
        or is_no_person(text[start:end]) or count_words(before[before.rfind(",") + 1:]) < 2
    ):
        return False
    end = end_of_blank(text, end)
    return end == len(text) or text[end] in u",;/|｜•·、("


cdef Py_ssize_t end_of_joiner(str text, Py_ssize_t start, Py_ssize_t i) except -1:
    """Where what stands between spaces at i ends, with the second space, if it divides the name that begins at `start`
    from the next: a dash, or "and" in several languages unless the text names an institute. 0 if it does not.
    """
    cdef Py_ssize_t end = i + 1
    cdef str word, before
    while end < len(text) and end - i <= MAX_JOINER and not text[end].isspace():
        end += 1
    if end == i + 1 or end - i > MAX_JOINER or end == len(text):
        return 0
    word, before = text[i + 1:end], text[start:i]
    if word not in DASHES and (
        not is_joiner(word, before) or names_institute(text)
        or (word.lower() in JOINERS_INSIDE and is_second_surname(text, end, before))
    ):
        return 0
    return end + 1


cdef list parts_of(str text):
    """A list of names cut at semicolons and other marks, at dashes between spaces, and at "and"."""
    cdef Py_ssize_t i = 0, start = 0, end
    cdef list parts = []
    cdef Py_UCS4 character
    while i < len(text):
        character, end = text[i], 0
        if character in u";/|｜•·、" and not (character == u"/" and is_within_name(text, i)):
            end = i + 1
        elif character.isspace():
            end = end_of_joiner(text, start, i)
        if end:
            parts.append(text[start:i])
            start = end
        i = max(i + 1, end)
    parts.append(text[start:])
    return parts


cdef bint is_all_han(str text) except -1:
    """True if a text has nothing but Chinese characters, and what stands between names."""
    return ALL_HAN(text) is not None


cdef bint are_three(str text) except -1:
    """True if a text is several names of three Chinese characters, or three and more of two to four: a Japanese name has
    two parts.
    """
    cdef list lengths = [len(part) for part in text.split()]
    if len(lengths) < 2 or min(lengths) < 2 or max(lengths) > 4:
        return False
    return len(lengths) > 2 or lengths == [3, 3]


cdef bint is_inverted(str last, str first) except -1:
    """True if two parts are one name, the last name first: Miller, A. or You, Xiaoying."""
    return (
        len(last.split()) == 1 and len(first.split()) <= 2 and DEGREES(first) is None and first[:1].isupper()
    )


cdef bint are_inverted(list pieces) except -1:
    """True if parts are two names or more, each the last name and initials: Lee, A., Day, B. C."""
    cdef Py_ssize_t k, n = len(pieces)
    if n > 3 and not pieces[n - 1]:
        n -= 1
    if n < 4 or n % 2:
        return False
    for k in range(0, n, 2):
        if FIRST_INITIALS(pieces[k + 1]) is None or FIRST_INITIALS(pieces[k]) is not None:
            return False
        if not 1 <= count_words(pieces[k]) <= 2:
            return False
    return True


cdef list split(str text):
    """The names of a list: apart by "and" in several languages, by semicolons, by commas unless in "Miller, A." and in
    "Miller, A., Lee, B.".
    """
    cdef list names = [], pieces
    cdef str piece
    for part in parts_of(text):
        if " " in <str> part and not PyUnicode_IS_ASCII(part) and is_all_han(part) and are_three(part):
            names += (<str> part).split()
            continue
        pieces = [each.strip() for each in (<str> part).split(",")] if "," in <str> part else [(<str> part).strip()]
        if (len(pieces) == 2 and is_inverted(pieces[0], pieces[1])) or are_inverted(pieces):
            names += [f"{pieces[k + 1]} {pieces[k]}" for k in range(0, len(pieces) - 1, 2)]
            continue
        for each in pieces:
            piece = each
            if names and len(piece) <= MAX_DEGREE and DEGREES(piece) is not None:
                names[len(names) - 1] += f", {piece}"
            elif piece and not (names and is_role(piece)):
                names.append(piece)
    return names


cdef str without_last_name(str text):
    """A list of names up to the last mark between them within MAX_LIST, so that no name is cut."""
    cdef Py_ssize_t end = MAX_LIST
    if len(text) <= MAX_LIST:
        return text
    while end and text[end - 1] not in u",;|、":
        end -= 1
    return text[:end]


# --- names in texts ---

cdef bint is_no_plain_name(str text) noexcept:
    """True if a text has a digit, a bracket, an @ or a slash."""
    cdef Py_UCS4 character
    for character in text:
        if character in u"([（@/" or is_decimal(character):
            return True
    return False


cdef str without_dates(str text):
    """A text with a semicolon in place of each date."""
    cdef FoundDays found
    cdef int k = find_days(text, "", -1, &found)
    while k > 0:
        k -= 1
        text = f"{without_weekday(text[:found.days[k].start])};{text[found.days[k].end:]}"
    return text


cdef bint ends_with_name(str text, set sites) except -1:
    """True if a text is a name of two words or more, or one in a script without capitals, and what stands in brackets
    at its end is one as well: Ann Lee (Maria Miller), and not (photos), (AP) or (Post).
    """
    cdef object match = NAME_IN_BRACKETS(text)
    cdef str inside
    if match is None:
        return False
    inside = match[2]
    return (
        count_words(inside) <= 3 and count_words(match[1]) <= 4
        and (" " in inside or not PyUnicode_IS_ASCII(inside))       # no paper, no place
        and (inside[0].isupper() or has_no_case(inside)) and not is_acronym(inside, 0, len(inside))
        and inside[len(inside) - 1] not in u"部局社班者員员著編编譯译訳文課课"
        and not is_no_person(inside) and not (sites is not None and name_key(inside) in sites)
    )


cdef list names_in(list texts, set sites=None, bint are_declared=False):
    """The names that read_names() describes, in texts that hold authors. With `sites`, keys of names of the site, these
    are cut off behind a name, and accounts that are called so are left out. `are_declared` is true for texts that are
    said to be names: their first words are rather first names.
    """
    cdef list found = []
    cdef str text, cleaned
    for each in texts:
        text = each
        if "{" in text or len(found) == MAX_AUTHORS:
            continue
        if len(text) > MAX_TEXT:
            text = without_last_name(text)
            if not may_be_names(split(text), text):
                continue
        if "/" in text and INITIALS(text.strip()) is not None:      # det/dpa: one signature
            if text.strip() not in found:
                found.append(text.strip())
            continue
        if is_no_plain_name(text) or "www." in text:
            match = IN_BRACKETS(text)       # all of it
            text = without_dates(match[1] if match is not None else text)
            if ("(" in text or "[" in text or "（" in text) and not ends_with_name(text, sites):
                text = BRACKETS("", text)
            if "@" in text or "://" in text or "www." in text:
                text = ADDRESS(" ", text)
        for name in split(without_by(text, are_declared)):
            cleaned = clean_name(name, are_declared)
            if cleaned is not None and sites is not None:
                cleaned = without_site(cleaned, sites)
                if is_account_of_site(cleaned, sites):
                    continue
            if cleaned is not None and len(found) < MAX_AUTHORS and cleaned not in found:
                found.append(cleaned)
    return found


def read_names(texts: Iterable[str]) -> list[str]:
    """The names in texts that hold authors, each once: roles, agencies behind a name, addresses, dates, "By" and what
    is too long for a name are left out; several names in one text are told apart.
    """
    return names_in(list(texts))


cdef bint may_be_names(list names, str text) except -1:
    """True if names could be those of people though nothing says so: little else stands in their text, each has a few
    words with capitals, or is short in a script without them.
    """
    cdef str name
    cdef Py_ssize_t letters = 0, words
    for each in names:
        name = each
        letters += len(name)
        words = count_words(name)
        if words > 5:
            return False
        if has_no_case(name):
            if len(name) > 12 and not (1 < words <= 5 and len(name) <= 30 and name[0] < 0x3000):
                return False
        elif words == 1 and len(names) > 1:
            return False
        elif not (name[0].isupper() and name[start_of_last(name, len(name))].isupper()) and (words > 1 or len(name) > 24):
            return False
    return len(text) <= 40 or 2 * letters > len(text)

# SPDX-License-Identifier: Apache-2.0
"""One name of an author: what is glued to it, and whether it is rather that of an organisation, an account or a button."""

import re

from thresher.native.facts.labels import (
    BEFORE_AGO, BEFORE_BY, BEFORE_WORK, BEHIND_NAMES, BYLINES, COMPANIES, COUNTED, FIRST_NAMES_TOO, HONORIFICS, INSTITUTES,
    MAKERS, NOBODY, NO_NAME_BEGINNINGS, OFFICES, ORGANISATIONS, ROLES, SECTIONS, TAILS, TAILS_ELSEWHERE, WEEKDAYS, WRITERS,
    all_of
)
from thresher.native.facts.letters cimport PyUnicode_IS_ASCII, has_digit, has_letter, is_decimal, key_of, name_key
from thresher.native.facts.months import MONTHS_OF
from thresher.native.facts.words cimport (
    Words, count_words, end_of_blank, end_of_word, is_of_word, start_of_last, start_of_word
)

cdef enum:
    MAX_NAME = 200          # characters of a name
    MAX_HANGUL = 4          # syllables of a Korean name
    MAX_WEEKDAY = 12        # letters of the name of a day of the week
    MIN_LAST = 5            # characters of a last word that is no abbreviation, with its full stop: Jr. and Bros. are

# Patterns that most texts are spared are compiled when the first text needs one.
_TAIL = (
    r"(?i)(?<!^the)(?<!^last)\s+(?:for\s+)?(?:(?:the\s+)?associated press|ap|reuters|afp|dpa|upi|bloomberg(?: news)?"
    r"|getty images|usa today(?: network)?|(?:sports |news |staff |senior |chief |contributing |political |tech |science )*"
    rf"(?:{WRITERS}|redactor|redacteur)|rss feed|(?:last )?updated|follow(?:ing)?|(?:view |visit )?(?:user )?profile"
    rf"|{'|'.join(TAILS_ELSEWHERE)}|(?:선임|전문|인턴)기자|\S{{0,3}}(?:报道|報道))\s*$"
)
"""What stands behind a name. It ends with one of TAILS or TAILS_ELSEWHERE."""
cdef str ROLE = (
    r"(?i)^(?:(?:contributing|staff|senior|chief|managing|deputy|associate|executive|news|sports|political|opinion|crimson"
    rf"|special)\s)*(?:{WRITERS}|opinion|editor[- ]in[- ]chief|chefredakteur|chefredakteurin|to .+)s?$"
    rf"|(?:[\w&'’.-]+\s){{0,5}}(?:{OFFICES})(?:\s(?:of|at|for|de|du|des|y)\s.+)?$|deputy\s.+"
)
cdef Words ROLE_WORDS = Words(frozenset([       # of which ROLE has one
    "to", "deputy", *OFFICES.split("|"),
    *[word + end for word in f"{WRITERS}|opinion|chefredakteur|chefredakteurin".split("|") for end in ("", "s")],
]))
cdef str AGO = (
    r"(?i)\d+\s*(?:(?:second|minute|min|hour|hr|day|week|month|year)s?\s+ago"
    r"|(?:秒|分钟|分鐘|分|小时|小時|時間|天|日|周|週|个月|個月|月|年)前|(?<=\s\d)[smhdwy]$|(?<=\s\d\d)[smhdwy]$)"
)
cdef object BEFORE_AT = re.compile(rf"\S++\s++\S++(?:\s++\S++)*?(?=\s+(?:{'|'.join(sorted(BEFORE_WORK))})\s)").match
cdef object DOMAIN = re.compile(
    r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,3}|info|mobi|asia|blog|news|site|shop|online)", re.IGNORECASE
).fullmatch
cdef object INITIAL_AND_NAME = re.compile(r"(?:[A-Z]\.)+[A-Z][A-Za-z-]+").fullmatch      # K.Lee is no domain
cdef Words BY_WORDS = Words(frozenset([*all_of(BYLINES), "from", "журналист"])), BEFORE_BY_WORDS = Words(BEFORE_BY)
cdef Words HONORIFIC_WORDS = Words(HONORIFICS), ORGANISATION_WORDS = Words(ORGANISATIONS), TAIL_WORDS = Words(TAILS)
cdef Words NOBODYS = Words(NOBODY), NO_OTHER_NAMES = Words(NOBODY | SECTIONS)
cdef Words NO_NAME_WORDS = Words(NO_NAME_BEGINNINGS), COUNTED_WORDS = Words(COUNTED)
cdef Words INSTITUTE_WORDS = Words(INSTITUTES), MAKER_WORDS = Words(MAKERS)
cdef Words COMPANY_WORDS = Words(COMPANIES | {".".join(word) for word in COMPANIES})
cdef Words KINDS_OF_PEOPLE = Words(frozenset(all_of(ROLES)))
cdef frozenset CALENDAR = WEEKDAYS | frozenset(MONTHS_OF[""])
cdef tuple KOREAN_ROLES = tuple(ROLES["ko"].split("|"))
cdef tuple ENDS_BEHIND = tuple(sorted(all_of(BEHIND_NAMES), key=len, reverse=True))


# --- what is no part of a name: before it ---

cdef bint is_by(str label) except -1:
    """True for "by" and the like, in lower case: written by."""
    return label in BY_WORDS.words


cdef Py_ssize_t end_of_by(str text) except -1:
    """Where the "by" and the like ends that a text begins with, with what belongs to it; 0 if it begins with none."""
    cdef Py_ssize_t start = 0, end, n = len(text)
    while start < n and (text[start] in u"|,:·•–—-" or text[start].isspace()):
        start += 1
    end = BEFORE_BY_WORDS.end_at(text, start)
    if end > 0 and text[end].isspace():     # written by
        end = BY_WORDS.end_at(text, end_of_blank(text, end))
    else:
        end = -1
    if end < 0:
        end = BY_WORDS.end_at(text, start)
    if end < 0:
        return 0
    end = end_of_blank(text, end)
    return end_of_blank(text, end + 1) if end < n and text[end] in u":：／" else end


cdef str without_by(str text, bint is_name):
    """A text without "by" and the like in front. What is a name loses a word that may be its first name, or a part of
    it, only if two words remain: Per Olsson.
    """
    cdef Py_ssize_t end = end_of_by(text)
    if is_name and end and text[:end].strip().lower() in FIRST_NAMES_TOO and count_words(text[end:]) < 2:
        return text
    return text[end:] if end else text


cdef str without_honorific(str name, bint is_declared):
    """A name without "Mr" before it. A word that may be a first name stays before one word, and in a declared name: Pan
    Wei, M. Night Shyamalan.
    """
    cdef Py_ssize_t end = name.find(" "), last
    if end <= 0:
        return name
    last = end - (name[end - 1] == u".")
    if not HONORIFIC_WORDS.has(name, 0, last):
        return name
    if name[:last].lower() in FIRST_NAMES_TOO and (is_declared or count_words(name) < 3):
        return name
    return name[end:].lstrip()


# --- and behind it ---

cdef str without_weekday(str text):
    """What stands before a date, without "on", and the name of a day of the week, at its end."""
    cdef Py_ssize_t start = len(text), end
    while True:
        end = start
        while end and not is_of_word(text[end - 1]):
            end -= 1
        start = start_of_word(text, end)
        if start == 0 or not 1 < end - start <= MAX_WEEKDAY or text[start:end].lower() not in WEEKDAYS:
            return text
        text = text[:start]


cdef str without_ago(str name):
    """A name without how long ago something was."""
    cdef object match = None
    cdef Py_ssize_t n = len(name)
    cdef bint is_short = n > 1 and name[n - 1] in u"smhdwy" and is_decimal(name[n - 2])     # 5h
    if is_short or (("ago" in name or "前" in name) and has_digit(name)):
        match = re.search(AGO, name)
    if match is not None:
        name = name[:match.start()].rstrip(" ·|(-")
        for each in BEFORE_AGO:
            name = name.removesuffix(each)
    return name


cdef str without_work(str name):
    """A name without where the person works: Ann Lee at The Post."""
    cdef object match = BEFORE_AT(name)
    return match[0] if match is not None and not names_institute(name) else name


cdef bint is_hangul(str text, Py_ssize_t start, Py_ssize_t end) noexcept:
    """True for two to MAX_HANGUL Korean syllables."""
    cdef Py_ssize_t i
    for i in range(start, end):
        if not 0xAC00 <= text[i] <= 0xD7A3:
            return False
    return 2 <= end - start <= MAX_HANGUL


cdef str without_role(str name):
    """A name without what the person is, or what follows a name, behind it: Ann Lee Professor of Law."""
    cdef Py_ssize_t i = 0, k, words = 0, n = len(name)
    if not PyUnicode_IS_ASCII(name):
        for each in ENDS_BEHIND:
            if name.endswith(<str> each) and n > len(<str> each) + 1 and name[n - len(<str> each) - 1].isspace():
                return name[:n - len(<str> each)].rstrip()
        k = name.find(" ")
        if k < 0:
            return name[:n - 2] if name.endswith("기자") and is_hangul(name, 0, n - 2) else name
        if is_hangul(name, 0, k):
            return name[:k] if name.lower().endswith(KOREAN_ROLES) else name
    while i < n:
        k = i
        while k < n and not (name[k].isspace() or name[k] in u".,"):
            k += 1
        if words > 1 and k > i and KINDS_OF_PEOPLE.has(name, i, k):
            return name[:i].rstrip()
        words += 1
        while k < n and (name[k].isspace() or name[k] in u".,"):
            k += 1
        i = k
    return name


cdef str without_tail(str name):
    """A name without the role, agency or button behind it that ends with one of TAILS or TAILS_ELSEWHERE."""
    cdef Py_ssize_t end = len(name), start
    cdef str short
    while end and name[end - 1].isspace():
        end -= 1
    start = start_of_last(name, end)
    if not TAIL_WORDS.has(name, start, end) and (
        PyUnicode_IS_ASCII(name) or not name[start:end].lower().endswith(TAILS_ELSEWHERE)
    ):
        return name
    short = re.sub(_TAIL, "", name) or name
    return short if " " in short.strip() or not (PyUnicode_IS_ASCII(name) and name.isupper()) else name    # METRO REPORTER


cdef str without_stop(str name):
    """A name without the full stop of a sentence behind it."""
    cdef Py_ssize_t n = len(name), start
    if n < 2 or name[n - 1] != u".":
        return name
    start = start_of_last(name, n)
    return name[:n - 1] if n - start > MIN_LAST and u"." not in name[start:n - 1] and name[start:n - 1].isalpha() else name


cdef str without_site(str name, set sites):
    """A person's name of two words or more without the site's name behind it."""
    cdef list words
    cdef Py_ssize_t place
    if count_words(name) < 3:
        return name
    words = name.split()
    for place in range(2, len(words)):
        if key_of("".join(words[place:])) in sites:
            return " ".join(words[:place])
    return name


cdef str without_echo(str name):
    """A name that is written twice, once."""
    cdef Py_ssize_t half = len(name) // 2
    return name[:half] if half > 2 and 2 * half + 1 == len(name) and name[half] == u" " and name[:half] == name[half + 1:] else name


cdef inline bint is_mark(Py_UCS4 character) noexcept:
    """True for white space and what stands beside names."""
    return character.isspace() or character in u",;:|·•-–—*@/\"'“”„□■●◆▲※○◎☆★+"


cdef str stripped(str name):
    """A text without white space and marks at its ends."""
    cdef Py_ssize_t start = 0, end = len(name)
    while start < end and is_mark(name[start]):
        start += 1
    while start < end and (
        is_mark(name[end - 1]) or name[end - 1] == u"»" or (name[end - 1] == u"_" and end > 1 and name[end - 2] == u" ")
    ):
        end -= 1
    return name[start:end]


# --- what is the name of something else ---

cdef bint names_role(str text) except -1:
    """True if a text has the role of somebody who writes, as "Staff Writer" behind a name."""
    return ROLE_WORDS.are_in(text)


cdef bint is_role(str text) except -1:
    """True for the role of somebody who writes, alone: Staff Writer."""
    return names_role(text) and re.fullmatch(ROLE, text) is not None


cdef bint names_institute(str text) except -1:
    """True if a text has a word of institutes, whose names are long and have "and" inside."""
    return INSTITUTE_WORDS.are_in(text)


cdef bint is_organisation(str name) except -1:
    """True if a name is rather that of an editorial staff than of a person."""
    return ORGANISATION_WORDS.are_in(name)


cdef bint is_no_person(str text) except -1:
    """True if a text has a word of organisations, institutes, agencies or what people are, or is nobody's name."""
    return (
        is_organisation(text) or names_role(text) or names_institute(text) or TAIL_WORDS.are_in(text)
        or KINDS_OF_PEOPLE.are_in(text) or NO_OTHER_NAMES.has(text, 0, len(text))
    )


cdef Py_ssize_t start_of_company(str name) except -1:
    """Where "Ltd", "d.o.o." and the like begin that a name of several words ends with; 0 if it ends with none."""
    cdef Py_ssize_t end = len(name), start
    while end and name[end - 1] in u" .,":
        end -= 1
    start = start_of_last(name, end)
    return start if start > 0 and COMPANY_WORDS.has(name, start, end) else 0


cdef bint is_company(str name) except -1:
    """True for the name of a company or of a maker of sites: Acme Ltd."""
    return " " in name and (start_of_company(name) or MAKER_WORDS.are_in(name))


cdef bint is_staff_account(str name) except -1:
    """True for the name, one word, of an account that is nobody's in particular: user1234, wordpressadmin, q_admin."""
    cdef str plain
    if not PyUnicode_IS_ASCII(name):
        return False
    plain = name.lower().rstrip("0123456789_-.")
    return plain in NOBODYS.words or plain.endswith(("admin", "webmaster"))


cdef bint is_account_of_site(str name, set sites) except -1:
    """True if a name is one word, the site's name and a number."""
    cdef str plain
    if not (name and u"0" <= name[len(name) - 1] <= u"9") or " " in name:
        return False
    plain = name.rstrip("0123456789")
    return name_key(name) not in sites and name_key(plain) in sites


cdef bint is_too_long(str name) except -1:
    """True for more words than a name has; that of an institute may have twice as many."""
    cdef Py_ssize_t words = count_words(name)
    return words > 2 * MAX_WORDS or (words > MAX_WORDS and not names_institute(name))


cdef bint begins_no_name(str name, bint is_declared) except -1:
    """True if a text begins with one or two words that names do not begin with: view, log in. A declared name may be
    See Lee.
    """
    cdef Py_ssize_t end = end_of_word(name, 0)
    if end == 0:
        return name[0] == u"©"
    if NO_NAME_WORDS.has(name, 0, end):
        return not (
            is_declared and name[0].isupper() and name[:end].lower() in FIRST_NAMES_TOO and count_words(name) == 2
            and end + 1 < len(name) and name[end + 1].isupper()
        )
    return end < len(name) and name[end] == u" " and NO_NAME_WORDS.has(name, 0, end_of_word(name, end + 1))


cdef bint begins_count(str name) except -1:
    """True for a number of answers, readers or minutes: 3 Comments, 4 min read."""
    cdef Py_ssize_t i = name.find(" ")
    return i > 0 and not name[:i].strip("0123456789.,") and COUNTED_WORDS.has(name, i + 1, end_of_word(name, i + 1))


cdef bint is_of_calendar(str name) except -1:
    """True for the name of a day or a month, or a day of a month: Sep 15."""
    cdef str small = name.lower()
    return len(small) <= MAX_WEEKDAY and (small in CALENDAR or small.strip(" .,0123456789") in CALENDAR)


cdef bint is_no_word_of_name(str name) except -1:
    """True for one word in small letters of which one is outside ASCII: a place or a section, as accounts are in ASCII."""
    return not PyUnicode_IS_ASCII(name) and u" " not in name and name.islower() and name != name.upper() and name[0] < 0x250


cdef bint is_domain(str name) except -1:
    """True for the name of a domain, also where it could be a file's (news.pl), and not of a person whose initial stands
    before it: K.Lee.
    """
    return DOMAIN(name) is not None and INITIAL_AND_NAME(name) is None


# --- a name ---

cdef str clean_name(str name, bint is_declared):
    """One name without what is glued to it; None if it is none."""
    cdef str previous = None
    while previous != name:
        previous = name
        name = without_stop(without_echo(stripped(without_tail(without_by(name, True)))))
    name = stripped(without_work(without_ago(without_honorific(name, is_declared))))
    name = stripped(without_role(name))
    if not 2 <= len(name) <= MAX_NAME or not has_letter(name) or ":" in name or "：" in name or "\\" in name:
        return None
    if (
        NO_OTHER_NAMES.has(name, 0, len(name)) or is_too_long(name) or is_of_calendar(name) or is_no_word_of_name(name)
        or begins_count(name) or (" " not in name and is_staff_account(name)) or begins_no_name(name, is_declared)
        or ("." in name and is_domain(name))
    ):
        return None
    return name

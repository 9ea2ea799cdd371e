# SPDX-License-Identifier: Apache-2.0
"""Authors' names: read out of what a page names or shows."""

import re
from collections.abc import Iterable

from thresher.native.facts.letters cimport PyUnicode_IS_ASCII, has_digit, has_one_of, is_decimal, key_of, name_key
from thresher.native.facts.dates cimport FoundDays, find_days
from thresher.native.facts.labels import (
    BEFORE_AGO, BEFORE_BY, BEFORE_WORK, BEHIND_NAMES, BYLINES, BYS_ELSEWHERE, BYS_INSIDE, BYS_UNSPACED, COMPANIES,
    COUNTED, FIRST_NAMES_TOO, HONORIFICS, INSTITUTES, JOINERS, JOINERS_INSIDE, MAKERS, NOBODY, NOT_SIGNED,
    NO_NAME_BEGINNINGS, OFFICES, ORGANISATIONS, PARTICLES, ROLES, ROLES_BEHIND, SECTIONS, SIGNING, SOURCES, TAILS,
    TAILS_ELSEWHERE, WEEKDAYS, WRITERS, WRITTEN, all_of
)
from thresher.native.facts.months import MONTHS_OF
from thresher.native.facts.words cimport Words, count_words, is_of_word

cdef enum:
    MAX_NAME = 200          # characters of a name, and of a text that has other things than names
    MAX_LIST = 900          # of a list of names; names behind are not read
    MAX_AUTHORS = 20
    MAX_WORDS = 6           # of one name
    LONG = 160              # characters of a block, beyond which it is prose
    MAX_PLAIN = 60          # of one that has nothing but names,
    MAX_PLAIN_WORDS = 10    # and its words,
    MAX_CASELESS = 24       # and of one in a script without capitals,
    MAX_SPACED = 40         # which is longer where spaces divide its words
    MAX_ACRONYM = 8         # letters of an agency's name in capitals
    MAX_HANGUL = 4          # syllables of a Korean name
    MAX_JOINER = 5          # of a space and "and"
    MAX_WEEKDAY = 12        # letters of the name of a day of the week
    MAX_LABEL = 24          # characters before a colon
    MAX_DEGREE = 6          # characters of "Ph. D."
    MIN_LAST = 5            # characters of a last word that is no abbreviation, with its full stop: Jr. and Bros. are
    MAX_NAMED = 5           # words of a name in a sentence

# Patterns that most texts are spared are compiled when the first text needs one.
_BYS = "|".join([*sorted(BYS_INSIDE - {"cura"}), "a cura di", *BYS_ELSEWHERE, *BYS_UNSPACED])
cdef str BY_INSIDE = (
    rf"(?i)(?:^|[\s\d|,:·•–—-])(?:{_BYS})(?:\s*[:：]\s*|\s+)"
    r"([^\d|·•,(»]{2,60}?)(?=$|[\d|·•,(»]|\s[-–—]\s"
    r"|\s+(?:in|on|at|em|dans|le|am|um|leave|no comments|发布时间|發布時間|来源|時間|时间)\b|发布|發布)"
)
"""An author's name behind or before a date."""
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
cdef object BRACKETS = re.compile(r"\s*[(\[（][^)\]）]{0,80}[)\]）]").sub
cdef object ALL_HAN = re.compile(rf"(?:{_HAN}|[ \u3000、，;])*").fullmatch
cdef object BEFORE_LABEL = re.compile(r"([^:：]+)\s[^\s:：]*+[:：]").match
# What follows a colon, up to a mark or a number that is no part of a name, as 1979 of ann1979 and 24 of "France 24"; and
# the next colon.
cdef object BEHIND_COLON = re.compile(
    r"( *(?:(?!(?<!\w)(?:[0-9]{4}|[0-9]+[^0-9]))[^|·•,，(»;:：（]){0,59})([:：]?)", re.DOTALL
).match
cdef object BEFORE_AT = re.compile(rf"\S++\s++\S++(?:\s++\S++)*?(?=\s+(?:{'|'.join(sorted(BEFORE_WORK))})\s)").match
cdef object IN_BRACKETS = re.compile(r"[(\[（]([^()\[\]（）]{3,})[)\]）]").fullmatch
cdef object NAME_IN_BRACKETS = re.compile(r"([^(（\[,;/|:：@\d]{2,})[(（]\s*((?:[^\W\d_]|[ .'’-]){3,24}?)\s*[)）]\s*").fullmatch
cdef object LAST_BRACKETS = re.compile(r"[(（]([^()（）]{2,30})[)）][\s.。]*$").search
cdef object BEHIND_STROKE = re.compile(r"[.!?。»”\"]\s*[/—–]\s*([^\s/—–][^/—–.]{1,30})$").search
cdef object INITIALS = re.compile(r"[a-zäöüß]{2,5}(?:/[a-zäöüß]{2,5})+").fullmatch
cdef object FIRST_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.[ -]?){1,3}").fullmatch      # B. C.
cdef object DOMAIN = re.compile(
    r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,3}|info|mobi|asia|blog|news|site|shop|online)", re.IGNORECASE
).fullmatch
cdef object INITIAL_AND_NAME = re.compile(r"(?:[A-Z]\.)+[A-Z][A-Za-z-]+").fullmatch      # K.Lee is no domain
cdef object ADDRESS = re.compile(r"\S+@\S+|https?://\S+|www\.\S+|(?<=\S )@\w+").sub
cdef object DEGREES = re.compile(
    r"^(?:ph\.?\s?d\.?|m\.?d\.?|jr\.?|sr\.?|ii|iii|esq\.?|mba|msc|dr\.?|m\.?s\.?|bsc|mph|rdn?|ldn?|rn|dds|dvm|lcsw|cpt)$",
    re.IGNORECASE,
).fullmatch
cdef object AGENCY = re.compile(
    r"[^()（）]{0,36}[(（](AP|AFP|UPI|CNN|CBS|dpa|EFE|ANSA|PTI|Reuters|Bloomberg|Xinhua)[)）]\s*[-–—]"
).match
cdef Words BYS = Words(BYS_INSIDE | BYS_ELSEWHERE), BY_WORDS = Words(frozenset([*all_of(BYLINES), "from", "журналист"]))
cdef Words BEFORE_BY_WORDS = Words(BEFORE_BY), WRITTEN_WORDS = Words(WRITTEN), HONORIFIC_WORDS = Words(HONORIFICS)
cdef Words ORGANISATION_WORDS = Words(ORGANISATIONS), TAIL_WORDS = Words(TAILS)
cdef Words NOBODYS = Words(NOBODY), NO_OTHER_NAMES = Words(NOBODY | SECTIONS)
cdef Words NO_NAME_WORDS = Words(NO_NAME_BEGINNINGS), COUNTED_WORDS = Words(COUNTED)
cdef Words INSTITUTE_WORDS = Words(INSTITUTES), COMPANY_WORDS = Words(COMPANIES), MAKER_WORDS = Words(MAKERS)
cdef Words KINDS_OF_PEOPLE = Words(frozenset(all_of(ROLES))), CALENDAR = Words(WEEKDAYS | frozenset(MONTHS_OF[""]))
cdef tuple KOREAN_ROLES = tuple(ROLES["ko"].split("|"))
cdef tuple ENDS_BEHIND = tuple(sorted(all_of(BEHIND_NAMES), key=len, reverse=True))


cdef bint holds_by(str text) except -1:
    """True if BY_INSIDE may find a name in a text."""
    return BYS.are_in(text) or (not PyUnicode_IS_ASCII(text) and has_one_of(text, BYS_UNSPACED))


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
    if ALL_HAN(names) is None:
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
            if label in BY_WORDS.words or (source is None and label in SOURCES):
                part = part_behind(text, i)
                if len(part) > 1 and label in BY_WORDS.words:
                    return part, SAYS_BY | SAYS_BY_INSIDE
                if len(part) > 1:
                    source = (part, SAYS_SOURCE)
    return source


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
    cdef str name
    cdef Py_ssize_t start = end_of_by(text), end, before = 0, n = len(text)
    cdef bint writes = False
    end = 0
    while start == 0 and end < n:
        before = end_of_blank(text, end)
        end = end_of_word(text, before)
        if end == before:
            end += 1
            writes = False
        elif writes and end < n and text[end] == u" " and BYS.has(text, before, end):
            start = end + 1
        else:
            writes = WRITTEN_WORDS.has(text, before, end)
    if start == 0:
        return None
    for before in range(2 if writes else 0):        # legal intern
        end = end_of_word(text, start)
        if start < end < n and text[start].islower() and text[end] == u" ":
            start = end + 1
    name = name_from(text, start)
    return name if " " in name else None


cdef str without_next_label(str text):
    """A text without a label that it ends with: Ann Lee Source:"""
    cdef object match = BEFORE_LABEL(text)
    return match[1] if match is not None else text


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
    if not PyUnicode_IS_ASCII(text) and len(text) <= LONG and text.rstrip().endswith(ROLES_BEHIND):
        return text, SAYS_ROLE
    return (text, SAYS_PLAIN) if may_be_plain(text) and has_letter(text) else None


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
        if len(text) > MAX_NAME:
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


cdef str without_last_name(str text):
    """A list of names up to the last mark between them within MAX_LIST, so that no name is cut."""
    cdef Py_ssize_t end = MAX_LIST
    if len(text) <= MAX_LIST:
        return text
    while end and text[end - 1] not in u",;|、":
        end -= 1
    return text[:end]


def read_names(texts: Iterable[str]) -> list[str]:
    """The names in texts that hold authors, each once: roles, agencies behind a name, addresses, dates, "By" and what
    is too long for a name are left out; several names in one text are told apart.
    """
    return names_in(list(texts))


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
        and not (
            ORGANISATION_WORDS.are_in(inside) or ROLE_WORDS.are_in(inside) or INSTITUTE_WORDS.are_in(inside)
            or TAIL_WORDS.are_in(inside) or NO_OTHER_NAMES.has(inside, 0, len(inside)) or KINDS_OF_PEOPLE.are_in(inside)
            or (sites is not None and name_key(inside) in sites)
        )
    )


cdef bint is_no_plain_name(str text) noexcept:
    """True if a text has a digit, a bracket, an @ or a slash."""
    cdef Py_UCS4 character
    for character in text:
        if character in u"([（@/" or is_decimal(character):
            return True
    return False


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


cdef Py_ssize_t end_of_blank(str text, Py_ssize_t i) noexcept:
    while i < len(text) and text[i].isspace():
        i += 1
    return i


cdef bint is_byline(str text) except -1:
    """True if a text begins with "by" and the like and is no sentence."""
    return not (text.endswith(".") and len(text) > MAX_PLAIN // 2) and end_of_by(text) > 0


cdef str without_by(str text, bint is_name):
    """A text without "by" and the like in front. What is a name loses a word that may be its first name, or a part of
    it, only if two words remain: Per Olsson.
    """
    cdef Py_ssize_t end = end_of_by(text)
    if is_name and end and text[:end].strip().lower() in FIRST_NAMES_TOO and count_words(text[end:]) < 2:
        return text
    return text[end:] if end else text


cdef str without_dates(str text):
    """A text with a semicolon in place of each date."""
    cdef FoundDays found
    cdef int k = find_days(text, "", -1, &found)
    while k > 0:
        k -= 1
        text = f"{without_weekday(text[:found.days[k].start])};{text[found.days[k].end:]}"
    return text


cdef str without_weekday(str text):
    """What stands before a date, without "on", and the name of a day of the week, at its end."""
    cdef Py_ssize_t end = len(text), start
    while True:
        while end and not is_of_word(text[end - 1]):
            end -= 1
        start = end
        while start and is_of_word(text[start - 1]):
            start -= 1
        if start == 0 or not 1 < end - start <= MAX_WEEKDAY or text[start:end].lower() not in WEEKDAYS:
            return text
        end, text = start, text[:start]


cdef bint is_within_name(str text, Py_ssize_t i) noexcept:
    """True for a stroke between a name and its agency, as in Ann Lee/AFP, and one behind a single letter: c/Lusa."""
    cdef Py_ssize_t start = i, end = i + 1, n = len(text)
    while start > 0 and is_of_word(text[start - 1]):
        start -= 1
    while end < n and is_of_word(text[end]):
        end += 1
    if start == i or (start > 0 and not text[start - 1].isspace()):
        return False
    if start + 1 == i and start > 0:
        return True
    return end > i + 1 and (is_acronym(text, start, i) or is_acronym(text, i + 1, end))


cdef bint is_acronym(str text, Py_ssize_t start, Py_ssize_t end) noexcept:
    """True for two to MAX_ACRONYM capitals."""
    cdef Py_ssize_t i
    for i in range(start, end):
        if not text[i].isupper():
            return False
    return 2 <= end - start <= MAX_ACRONYM


cdef bint is_joiner(str word, str before) except -1:
    """True for "and" in several languages; in capitals only behind a name of two words in capitals: "JOHN DAN LEE" and
    "THE MIT PRESS" are one name. A single capital is an initial.
    """
    if word in JOINERS:
        return True
    return len(word) > 1 and word.isupper() and before.isupper() and count_words(before) > 1 and word.lower() in JOINERS


cdef bint is_second_surname(str text, Py_ssize_t i, str before) except -1:
    """True if one word that is no agency is all that stands in a list behind "y", and two words or more before it: José
    Ortega y Gasset.
    """
    cdef Py_ssize_t start = end_of_blank(text, i), end = start
    while end < len(text) and text[end] not in u",;/|｜•·、(" and not text[end].isspace():
        end += 1
    if (
        end == start or not text[start].isupper() or is_acronym(text, start, end) or TAIL_WORDS.has(text, start, end)
        or ORGANISATION_WORDS.has(text, start, end) or count_words(before[before.rfind(",") + 1:]) < 2
    ):
        return False
    end = end_of_blank(text, end)
    return end == len(text) or text[end] in u",;/|｜•·、("


cdef list parts_of(str text):
    """A list of names cut at semicolons and other marks, at dashes between spaces, and at "and" in several languages, the
    last unless the text names an institute.
    """
    cdef Py_ssize_t i = 0, start = 0, end, n = len(text)
    cdef int divides = -1       # whether "and" does; -1 if it is not known
    cdef list parts = []
    cdef Py_UCS4 character
    while i < n:
        character = text[i]
        if character in u";/|｜•·、" and not (character == u"/" and is_within_name(text, i)):
            parts.append(text[start:i])
            start = i + 1
        elif character.isspace():
            end = i + 1
            while end < n and end - i <= MAX_JOINER and not text[end].isspace():
                end += 1
            if i + 1 < end < n and end - i <= MAX_JOINER and text[end].isspace():
                if end > i + 2 or text[i + 1] not in u"–—-ـ":
                    if not is_joiner(text[i + 1:end], text[start:i]):
                        end = 0
                    elif divides < 0:
                        divides = not INSTITUTE_WORDS.are_in(text)
                    if not divides or (
                        text[i + 1:end] in JOINERS_INSIDE and is_second_surname(text, end, text[start:i])
                    ):
                        end = 0
                if end:
                    parts.append(text[start:i])
                    start = i = end
        i += 1
    if start == 0:
        return [text]
    parts.append(text[start:])
    return parts


cdef bint are_three(str text) except -1:
    """True if a text is several names of three Chinese characters, or three and more of two to four: a Japanese name has
    two parts.
    """
    cdef list lengths = [len(part) for part in text.split()]
    if len(lengths) < 2 or min(lengths) < 2 or max(lengths) > 4:
        return False
    return len(lengths) > 2 or lengths == [3, 3]


cdef list split(str text):
    """The names of a list: apart by "and" in several languages, by semicolons, by commas unless in "Miller, A." and in
    "Miller, A., Lee, B.".
    """
    cdef list names = [], pieces
    cdef str piece
    for part in parts_of(text):
        if " " in <str> part and not PyUnicode_IS_ASCII(part) and ALL_HAN(part) is not None and are_three(part):
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
            elif piece and not (names and ROLE_WORDS.are_in(piece) and re.fullmatch(ROLE, piece) is not None):
                names.append(piece)
    return names


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


cdef bint has_letter(str text) noexcept:
    cdef Py_UCS4 character
    for character in text:
        if character.isalpha():
            return True
    return False


cdef bint has_no_case(str text) except -1:
    """True if a text is the same in capitals and in small letters."""
    return text.lower() == text.upper()


cdef Py_ssize_t start_of_last(str text, Py_ssize_t end) noexcept:
    """Where the last word begins of a text up to `end`, where one ends."""
    while end and not text[end - 1].isspace():
        end -= 1
    return end


cdef Py_ssize_t end_of_word(str text, Py_ssize_t i) noexcept:
    """Where the letters, digits and underscores end that begin at i."""
    while i < len(text) and is_of_word(text[i]):
        i += 1
    return i


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
    return words > 2 * MAX_WORDS or (words > MAX_WORDS and not INSTITUTE_WORDS.are_in(name))


cdef str without_echo(str name):
    """A name that is written twice, once."""
    cdef Py_ssize_t half = len(name) // 2
    return name[:half] if half > 2 and 2 * half + 1 == len(name) and name[half] == u" " and name[:half] == name[half + 1:] else name


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
    return match[0] if match is not None and not INSTITUTE_WORDS.are_in(name) else name


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


cdef str without_stop(str name):
    """A name without the full stop of a sentence behind it."""
    cdef Py_ssize_t n = len(name), start
    if n < 2 or name[n - 1] != u".":
        return name
    start = start_of_last(name, n)
    return name[:n - 1] if n - start > MIN_LAST and u"." not in name[start:n - 1] and name[start:n - 1].isalpha() else name


cdef bint is_no_word_of_name(str name) except -1:
    """True for one word in small letters of which one is outside ASCII: a place or a section, as accounts are in ASCII."""
    return not PyUnicode_IS_ASCII(name) and u" " not in name and name.islower() and name != name.upper() and name[0] < 0x250


cdef str clean_name(str name, bint is_declared):
    """One name without what is glued to it; None if it is none."""
    cdef str previous = None, short
    cdef Py_ssize_t start, end
    cdef bint has_blank
    while previous is None or previous != name:
        previous = name
        name = without_by(name, True)
        end = len(name)
        while end and name[end - 1].isspace():
            end -= 1
        start = start_of_last(name, end)
        if TAIL_WORDS.has(name, start, end) or (
            not PyUnicode_IS_ASCII(name) and name[start:end].lower().endswith(TAILS_ELSEWHERE)
        ):
            short = re.sub(_TAIL, "", name) or name
            if " " in short.strip() or not (PyUnicode_IS_ASCII(name) and name.isupper()):      # METRO REPORTER
                name = short
        name = without_stop(without_echo(stripped(name)))
    short = without_work(without_ago(without_honorific(name, is_declared)))
    if short is not name:
        name = stripped(short)
    if not PyUnicode_IS_ASCII(name) or count_words(name) > 2:
        short = without_role(name)
        if short is not name:
            name = stripped(short)
    if not 2 <= len(name) <= MAX_NAME or not has_letter(name) or ":" in name or "：" in name or "\\" in name:
        return None
    has_blank = " " in name
    if (
        NO_OTHER_NAMES.has(name, 0, len(name)) or is_too_long(name) or is_of_calendar(name) or is_no_word_of_name(name)
        or (has_blank and begins_count(name))
        or (not has_blank and is_staff_account(name))
        or begins_no_name(name, is_declared) or (not has_blank and "." in name and is_domain(name))
    ):
        return None
    return name


cdef bint is_domain(str name) except -1:
    """True for the name of a domain, and not of a person whose initial stands before it: K.Lee."""
    return DOMAIN(name) is not None and INITIAL_AND_NAME(name) is None


cdef bint begins_count(str name) except -1:
    """True for a number of answers, readers or minutes: 3 Comments, 4 min read."""
    cdef Py_ssize_t i = name.find(" ")
    return i > 0 and not name[:i].strip("0123456789.,") and COUNTED_WORDS.has(name, i + 1, end_of_word(name, i + 1))


cdef bint is_of_calendar(str name) except -1:
    """True for the name of a day or a month, or a day of a month: Sep 15."""
    cdef str small, rest
    if len(name) > MAX_WEEKDAY or not (has_digit(name) or CALENDAR.may_be(name, 0, len(name))):
        return False
    small = name.lower()
    rest = small.strip(" .,0123456789")
    return small in CALENDAR.words or (rest != small and rest in CALENDAR.words)


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
    if not PyUnicode_IS_ASCII(text) and text.rstrip().endswith(ROLES_BEHIND):
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


cdef bint names_role(str text) except -1:
    """True if a text has the role of somebody who writes, as "Staff Writer" behind a name."""
    return ROLE_WORDS.are_in(text)


cdef Py_ssize_t start_of_company(str name) except -1:
    """Where "Ltd", "d.o.o." and the like begin that a name of several words ends with; 0 if it ends with none."""
    cdef Py_ssize_t end = len(name), start
    while end and name[end - 1] in u" .,":
        end -= 1
    start = start_of_last(name, end)
    if start == 0 or not COMPANY_WORDS.may_be(name, start, end):
        return 0
    return start if name[start:end].replace(".", "").lower() in COMPANIES else 0


cdef bint is_company(str name) except -1:
    """True for the name of a company or of a maker of sites: Acme Ltd."""
    return " " in name and (start_of_company(name) or MAKER_WORDS.are_in(name))


cdef bint is_organisation(str name) except -1:
    """True if a name is rather that of an editorial staff than of a person."""
    return ORGANISATION_WORDS.are_in(name)

# SPDX-License-Identifier: Apache-2.0
"""Authors' names: read out of what a page names or shows."""

import re
from collections.abc import Iterable

from thresher.native.base.characters cimport key_of
from thresher.native.facts.dates cimport MAX_DAYS, FoundDay, ShownLines, find_days
from thresher.native.facts.labels import (
    BYLINES, COMPANIES, INSTITUTES, NO_NAME_BEGINNINGS, SECTIONS, all_of
)
from thresher.native.facts.page_address cimport name_key
from thresher.native.facts.marks import MARKS

cdef enum:
    MAX_NAME = 200          # characters of a text with names; a longer one is none
    MAX_AUTHORS = 20
    MAX_WORDS = 6           # of one name
    MAX_FIRST = 16          # letters of the first word of a label
    BESIDE = 120            # bytes after the headline within which a byline is the page's, whatever surrounds it
    NEAR = 600              # bytes of visible text after the headline
    BEFORE = 250            # before it
    SHORT = 80              # characters of a line with names alone
    LONG = 160              # of one with a date beside them

cdef double ENOUGH = 2.0

_BY_WORDS = sorted({*all_of(BYLINES), "from", "foto", "журналист"}, key=len, reverse=True)
_BY = re.compile(
    r"^[\s|,:·•–—-]*(?:(?:written|story|words|text|report|reporting|posted|published|posté|publié|"
    r"geschrieben|ein artikel|artikel|article|eingestellt|veröffentlicht|escrito|publicado|scritto|a cura)\s+)?"
    rf"(?:{'|'.join(map(re.escape, _BY_WORDS))})(?:\s*[:：／]\s*|\s+)",
    re.IGNORECASE,
)
_BY_INSIDE = re.compile(
    rf"(?:^|[\s\d|,:·•–—-])(?:by|von|par|por|di|da|a cura di|door|av|af|przez|автор|yazan|oleh|bởi|作者|发布者|發布者|撰文)(?:\s*[:：]\s*|\s+)"
    r"([^\d|·•,(»]{2,60}?)(?=$|[\d|·•,(»]|\s[-–—]\s|\s+(?:in|on|at|em|dans|le|am|um|leave|no comments|发布时间|發布時間|来源|時間|时间)\b|发布|發布)",
    re.IGNORECASE,
)
"""An author's name behind or before a date."""
_BRACKETS = re.compile(r"\s*[(\[（][^)\]）]{0,80}[)\]）]")
_JOINING = "and|und|et|y|e|en|og|och|i|a|и|та|ja|ve|dan|và|&|with|mit"
_JOINERS = frozenset(_JOINING.split("|"))
_AND = re.compile(rf"\s+(?:{_JOINING})\s+|\s*[;/|｜•·]\s*|\s+[–—]\s+|\s*、\s*")
_MARKS_ONLY = re.compile(r"\s*[;/|｜•·]\s*|\s+[–—]\s+|\s*、\s*")
_INITIALS = re.compile(r"[a-zäöüß]{2,5}(?:/[a-zäöüß]{2,5})+")
_NO_NAME = re.compile(rf"(?:{'|'.join(re.escape(word.strip()) for word in NO_NAME_BEGINNINGS)})(?!\w)", re.IGNORECASE)
_DOMAIN = re.compile(r"(?:https?://)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,6}/?", re.IGNORECASE)
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+|www\.\S+")
_TAIL = re.compile(
    r"(?<!^the)\s+(?:for\s+)?(?:(?:the\s+)?associated press|ap|reuters|afp|dpa|upi|bloomberg(?: news)?|getty images"
    r"|usa today(?: network)?|(?:sports |news |staff |senior |chief |contributing |political |tech |science )*(?:"
    r"writer|reporter|editor|correspondent|columnist|contributor|journalist|photographer|producer|analyst|critic|redakteur(?:in)?|journaliste|periodista|"
    r"giornalista|redactor|redacteur)|기자|특파원|선임기자|記者|记者|编辑|編集委員|\S{0,3}(?:报道|報道))\s*$",
    re.IGNORECASE,
)
_LAST_WORDS = frozenset((
    "", "press", "ap", "reuters", "afp", "dpa", "upi", "bloomberg", "news", "images", "today", "network", "writer",
    "reporter", "editor", "correspondent", "columnist", "contributor", "journalist", "photographer", "producer",
    "analyst", "critic", "redakteur", "redakteurin", "journaliste", "periodista", "giornalista", "redactor",
    "redacteur",
))  # fmt: skip
"""What _TAIL ends with, in ASCII."""
_ROLE = re.compile(
    r"^(?:(?:contributing|staff|senior|chief|managing|deputy|associate|executive|news|sports|political|opinion|crimson|special)\s)*"
    r"(?:writer|reporter|editor|correspondent|columnist|contributor|opinion|journalist|photographer|producer|analyst|"
    r"critic|editor[- ]in[- ]chief|redakteur(?:in)?|chefredakteur(?:in)?|journaliste|periodista|giornalista|to .+)s?$",
    re.IGNORECASE,
)
_ORGANISATIONS = frozenset((
    "staff", "daily", "news", "newsroom", "times", "reporter", "reporters", "editor", "editors", "editorial",
    "team", "press", "agency", "media", "magazine", "desk", "board", "developer", "admin", "redaktion", "redacción",
    "redazione", "rédaction", "correspondent", "service", "group", "inc", "llc", "ltd", "gmbh", "network", "online",
))  # fmt: skip
_DEGREES = re.compile(
    r"^(?:ph\.?\s?d\.?|m\.?d\.?|jr\.?|sr\.?|ii|iii|esq\.?|mba|msc|dr\.?|m\.?s\.?|bsc|mph|rdn?|ldn?|rn|dds|dvm|lcsw|cpt)$",
    re.IGNORECASE,
)
_NO_NAMES = frozenset((
    "admin", "administrator", "webmaster", "editor", "editors", "staff", "author", "user", "guest", "root",
    "anonymous", "unknown", "null", "none", "n/a", "na", "undefined", "wordpress", "redaktion", "redaction",
    "redacción", "redazione", "rédaction", "by", "von", "share", "follow", "updated", "published", "posted",
    "comment", "comments", "facebook", "twitter", "email", "e-mail", "print", "advertisement", "read more",
    "last updated", "no comments", "sponsored", "size",
))  # fmt: skip
_WORD = re.compile(r"\w+")

cdef object BY_INSIDE = _BY_INSIDE.search, AND_MARKS = _MARKS_ONLY.split, INITIALS = _INITIALS.fullmatch
cdef object NO_NAME = _NO_NAME.match, DOMAIN = _DOMAIN.fullmatch
cdef frozenset INSTITUTE_WORDS = INSTITUTES, SECTION_NAMES = SECTIONS, COMPANY_WORDS = COMPANIES
cdef frozenset FIRST_OF_BY = frozenset(re.findall("[a-z]+", " ".join(
    [re.match("[a-z]*", word)[0] for word in _BY_WORDS]
    + "written story words text report reporting posted published ein artikel article eingestellt escrito publicado".split()
    + ["geschrieben", "scritto", "a", "post", "ver"]
)))
cdef frozenset NO_NAME_LETTERS = frozenset([word[0] for word in NO_NAME_BEGINNINGS])
cdef object BY = _BY.match, BRACKETS = _BRACKETS.sub, AND = _AND.split, ADDRESS = _ADDRESS.sub, TAIL = _TAIL.sub
cdef object ROLE = _ROLE.fullmatch, DEGREES = _DEGREES.fullmatch, WORDS = _WORD.findall
cdef frozenset JOINERS = _JOINERS, LAST_WORDS = _LAST_WORDS, ORGANISATIONS = _ORGANISATIONS, NO_NAMES = _NO_NAMES
cdef object BEFORE_A_DATE = re.compile(r"[^\W\d_][^\d|·•]{3,40}[|·•]\s*\d").match
cdef tuple ROLES_BEHIND = ("기자", "특파원", "記者", "记者", "撰文", "編輯", "编辑")
cdef int HEADINGS = MARKS["heading_1"] | MARKS["heading_2"] | MARKS["title"]
cdef int AUTHOR_MARK = MARKS["author"], BIOGRAPHY_MARK = MARKS["biography"]
cdef int OF_OTHERS = MARKS["elsewhere"] | BIOGRAPHY_MARK


cdef list names_in(list texts):
    """The names that read_names() describes, in texts that hold authors."""
    cdef dict found = {}
    cdef str text, cleaned
    for each in texts:
        text = each
        if len(text) > MAX_NAME or "{" in text:
            continue
        if INITIALS(text.strip()) is not None:      # det/dpa: one signature
            found[text.strip()] = None
            continue
        if is_no_plain_name(text) or "www." in text:
            text = ADDRESS(" ", BRACKETS("", without_dates(text)))
        for name in split(without_by(text)):
            cleaned = clean_name(name)
            if cleaned is not None and len(found) < MAX_AUTHORS:
                found[cleaned] = None
    return list(found)


def read_names(texts: Iterable[str]) -> list[str]:
    """The names in texts that hold authors, each once: roles, agencies behind a name, addresses, dates, "By" and what
    is too long for a name are left out; several names in one text are told apart.
    """
    return names_in(list(texts))


cdef bint is_no_plain_name(str text) noexcept:
    """True if a text has a digit, a bracket, an @ or a slash."""
    cdef Py_UCS4 character
    for character in text:
        if character in u"([（@/" or (character.isdecimal() if character >= 0x80 else u"0" <= character <= u"9"):
            return True
    return False


cdef bint may_begin_by(str text) except -1:
    """False if no "by" of BY can begin this text: its first word is none that one of these begins with."""
    cdef Py_UCS4 character
    cdef Py_ssize_t start = 0, end, n = len(text)
    while start < n and (text[start].isspace() or text[start] in u"|,:·•–—-"):
        start += 1
    end = start
    while end < n and end - start < MAX_FIRST:
        character = text[end]
        if character >= 0x80:
            return True
        if not (u"a" <= character <= u"z" or u"A" <= character <= u"Z"):
            break
        end += 1
    return end > start and text[start:end].lower() in FIRST_OF_BY


cdef str without_by(str text):
    """A text without "by" and the like in front."""
    cdef object match
    if not may_begin_by(text):
        return text
    match = BY(text)
    return text[match.end():] if match is not None else text


cdef str without_dates(str text):
    """A text with a semicolon in place of each date."""
    cdef FoundDay[MAX_DAYS] found
    cdef int k = find_days(text, "", -1, found, MAX_DAYS)
    while k > 0:
        k -= 1
        text = f"{text[:found[k].start]};{text[found[k].end:]}"
    return text


cdef bint is_divided(str text) except -1:
    """True if a text may hold several names."""
    cdef Py_UCS4 character
    for character in text:
        if character in u";/|｜•·–—、":
            return True
    for word in text.split():
        if word in JOINERS:
            return True
    return False


cdef bint names_institute(str text) except -1:
    """True if a text has a word of an institute's name, which "and" does not divide."""
    for word in WORDS(text.lower()):
        if word in INSTITUTE_WORDS:
            return True
    return False


cdef list split(str text):
    """The names of a list: apart by "and" in several languages, by semicolons, by commas unless in "Miller, A."."""
    cdef list names = [], pieces
    cdef str piece
    for part in ((AND_MARKS(text) if names_institute(text) else AND(text)) if is_divided(text) else [text]):
        pieces = [each.strip() for each in (<str> part).split(",")]
        if len(pieces) == 2 and is_inverted(pieces[0], pieces[1]):
            names.append(f"{pieces[1]} {pieces[0]}")
            continue
        for each in pieces:
            piece = each
            if names and DEGREES(piece) is not None:
                names[len(names) - 1] += f", {piece}"
            elif piece and not (names and ROLE(piece) is not None):
                names.append(piece)
    return names


cdef bint is_inverted(str last, str first) except -1:
    """True if two parts are one name, the last name first: Miller, A. or You, Xiaoying."""
    return (
        len(last.split()) == 1 and len(first.split()) <= 2 and DEGREES(first) is None and first[:1].isupper()
    )


cdef bint has_letter(str text) noexcept:
    cdef Py_UCS4 character
    for character in text:
        if character.isalpha():
            return True
    return False


cdef bint is_staff_account(str name) except -1:
    """True for the name of an account that is nobody's in particular: user1234, admin_2, wordpressadmin, q_admin."""
    cdef str plain
    if not name.isascii() or " " in name:
        return False
    plain = name.lower().rstrip("0123456789_-.")
    return plain in NO_NAMES or plain.endswith(("admin", "webmaster"))


cdef bint is_account(str name) noexcept:
    """True if a name looks like that of an account: one word of small letters in ASCII that begins with a letter and
    has a digit or underscore, but no dot.
    """
    cdef Py_UCS4 character
    cdef bint found = False
    if not name or not u"a" <= name[0] <= u"z":
        return False
    for character in name:
        if u"0" <= character <= u"9" or character == u"_":
            found = True
        elif not (u"a" <= character <= u"z" or character == u"-"):
            return False
    return found


cdef bint is_account_of_site(str name, set sites) except -1:
    """True if a name is one word, the site's name and a number."""
    cdef str plain = name.rstrip("0123456789")
    return plain != name and " " not in name and name_key(name) not in sites and name_key(plain) in sites


cdef str clean_name(str name):
    """One name without what is glued to it; None if it is none."""
    cdef str previous = None, last
    cdef list words
    while previous != name:
        previous = name
        name = without_by(name)
        words = name.rsplit(None, 1)
        last = (<str> words[len(words) - 1]).lower() if words else ""
        if last in LAST_WORDS or not last.isascii():
            name = TAIL("", name) or name
        name = name.strip().strip(" \t,;:|·•-–—*@/\"'“”„")
    if (
        len(name) < 2 or not has_letter(name) or "：" in name or name.lower() in NO_NAMES or name.lower() in SECTION_NAMES or ":" in name
        or len(name.split()) > (MAX_WORDS if not names_institute(name) else 2 * MAX_WORDS)
        or is_staff_account(name) or (name[0].lower() in NO_NAME_LETTERS and NO_NAME(name) is not None) or (" " not in name and DOMAIN(name) is not None)
    ):
        return None
    return name


cdef str without_site(str name, set sites):
    """A person's name of two words or more without the site's name behind it."""
    cdef list words = name.split()
    cdef Py_ssize_t place
    for place in range(2, len(words)):
        if key_of("".join(words[place:])) in sites:
            return " ".join(words[:place])
    return name


cdef list shown_authors(ShownLines lines, Py_ssize_t headline, bint is_thread):
    """The authors' names that a line near the headline shows; empty if there is none. `headline` is the place where it
    ends; -1 if it is not known. The first post of a thread may be signed with any one word.
    """
    cdef double score, best_score = 0
    cdef list best = [], names
    cdef Py_ssize_t i, distance, start, end
    cdef int marks, others, k
    cdef bint begins_by, has_label
    cdef str text
    for i in range(lines.n):
        distance = lines.lines[i].place - headline if headline >= 0 else <Py_ssize_t> NEAR
        text = lines.texts[i]
        marks = lines.lines[i].marks
        if not -BEFORE <= distance <= NEAR or len(text) > LONG or 0 < marks <= HEADINGS:
            continue
        begins_by = may_begin_by(text) and BY(text) is not None
        has_label = begins_by
        if lines.days_of(i):
            match = BY_INSIDE(text)
            if match is not None:
                start, end = match.span(1)
                for k in range(lines.lines[i].n_days):      # a month is no part of a name
                    if lines.lines[i].days[k].start >= start:
                        end = min(end, lines.lines[i].days[k].start)
                text, has_label = text[start:end], True
        if len(text) > SHORT:
            continue
        score = 2.0 * ((marks & AUTHOR_MARK) != 0) + 2.0 * has_label
        if "|" in text or "·" in text or "•" in text:
            score += 2.0 * (BEFORE_A_DATE(text) is not None)
        if score == 0:
            continue
        others = BIOGRAPHY_MARK if has_label and 0 <= distance <= BESIDE else OF_OTHERS
        score += 1.0 - <double> abs(distance) / NEAR - 3.0 * ((marks & others) != 0)
        if score < ENOUGH or (best and score <= best_score):
            continue
        names = names_in([text])
        if len(names) != 1 or not (has_label and is_one_word_name(names[0]) or is_thread and " " not in names[0]):
            names = [name for name in names if looks_like_name(name)]
        if names:
            best, best_score = names, score
    return best


cdef tuple names_of_line(ShownLines lines, Py_ssize_t i):
    """The part of a line that may be names, and how the line says so: "by" in front or inside, a role behind."""
    cdef str text = lines.texts[i]
    cdef set how = set()
    cdef Py_ssize_t start, end
    cdef int k
    cdef bint begins_by = may_begin_by(text) and BY(text) is not None
    if begins_by:
        how.add("by")
    if lines.days_of(i):
        match = BY_INSIDE(text)
        if match is not None:
            start, end = match.span(1)
            for k in range(lines.days_of(i)):       # a month is no part of a name
                if lines.lines[i].days[k].start >= start:
                    end = min(end, lines.lines[i].days[k].start)
            how.add("by")
            if not begins_by:
                how.add("by inside")
            return text[start:end], how
    if not text.isascii() and text.rstrip().endswith(ROLES_BEHIND):
        how.add("role")
    return text, how


cdef bint is_one_word_name(str name) except -1:
    """True for a first name or a user's name behind a label: one word of letters, the first of them a capital."""
    return " " not in name and 2 < len(name) <= 24 and name[0].isupper() and name.isalnum() and not is_organisation(name)


cdef bint is_company(str name) except -1:
    """True for the name of a company or of a maker of sites: Acme Ltd."""
    return " " in name and (<str> name.rsplit(None, 1)[1]).strip(".,").lower() in COMPANY_WORDS


cdef bint is_organisation(str name) except -1:
    """True if a name is rather that of an editorial staff than of a person."""
    for word in WORDS(name.lower()):
        if word in ORGANISATIONS:
            return True
    return False


cdef bint looks_like_name(str name) except -1:
    """True if a text could be a person's name: two words or more with capitals, or a script without them."""
    cdef list words = name.split()
    cdef Py_UCS4 character
    for character in name:
        if character.isdigit():
            return False
    if name.casefold() == name and name.upper() == name:    # no script with capitals
        return True
    return len(words) > 1 and words[0][:1].isupper() and words[len(words) - 1][:1].isupper()

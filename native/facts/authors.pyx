# SPDX-License-Identifier: Apache-2.0
"""Authors' names: read out of what a page names or shows."""

import re
from collections.abc import Iterable

from thresher.native.base.characters cimport key_of
from thresher.native.facts.dates cimport MAX_DAYS, FoundDay, ShownLines, find_days
from thresher.native.facts.labels import (
    BYLINES, COMPANIES, INSTITUTES, NO_NAME_BEGINNINGS, SECTIONS, SOURCES, all_of
)
from thresher.native.facts.page_address cimport holds_word, name_key

cdef enum:
    MAX_NAME = 200          # characters of a text with names; a longer one is none
    MAX_AUTHORS = 20
    MAX_WORDS = 6           # of one name
    LONG = 160              # characters of a block, beyond which it is prose
    MAX_PLAIN = 60          # of one that has nothing but names,
    MAX_PLAIN_WORDS = 10    # and its words,
    MAX_CASELESS = 16       # and of one in a script without capitals
    MAX_LABEL = 24          # characters before a colon
    MAX_LABELLED = 60       # behind it
    MAX_FIRST = 16          # letters of the first word of a label

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
_AND = re.compile(rf"\s+(?:{_JOINING})\s+|\s*[;/|｜•·]\s*|\s+[–—-]\s+|\s*、\s*")
_MARKS_ONLY = re.compile(r"\s*[;/|｜•·]\s*|\s+[–—-]\s+|\s*、\s*")
_INITIALS = re.compile(r"[a-zäöüß]{2,5}(?:/[a-zäöüß]{2,5})+")
_NO_NAME = re.compile(rf"(?:{'|'.join(re.escape(word.strip()) for word in NO_NAME_BEGINNINGS)})(?!\w)", re.IGNORECASE)
_DOMAIN = re.compile(r"(?:https?://)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,6}/?", re.IGNORECASE)
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+|www\.\S+")
_TAIL = re.compile(
    r"(?<!^the)\s+(?:for\s+)?(?:(?:the\s+)?associated press|ap|reuters|afp|dpa|upi|bloomberg(?: news)?|getty images"
    r"|usa today(?: network)?|(?:sports |news |staff |senior |chief |contributing |political |tech |science )*(?:"
    r"writer|reporter|editor|correspondent|columnist|contributor|journalist|photographer|producer|analyst|critic|redakteur(?:in)?|journaliste|periodista|"
    r"giornalista|redactor|redacteur)|rss feed|(?:view |visit )?(?:user )?profile|tarafından|기자|특파원|선임기자|記者|记者|编辑|編集委員|\S{0,3}(?:报道|報道))\s*$",
    re.IGNORECASE,
)
_LAST_WORDS = frozenset((
    "", "press", "ap", "reuters", "afp", "dpa", "upi", "bloomberg", "news", "images", "today", "network", "writer",
    "reporter", "editor", "correspondent", "columnist", "contributor", "journalist", "photographer", "producer",
    "analyst", "critic", "redakteur", "redakteurin", "journaliste", "periodista", "giornalista", "redactor",
    "redacteur", "feed", "profile",
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
    "last updated", "no comments", "sponsored", "size", "sponsor", "contributor", "contributors", "correspondent",
    "guest user", "in chief", "guest author", "prensa", "nome", "name", "youtube", "google+", "login", "log in",
))  # fmt: skip

cdef frozenset BYS_INSIDE = frozenset("by von par por di da cura door av af przez yazan oleh".split())   # of _BY_INSIDE, in ASCII
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
cdef object ROLE = _ROLE.fullmatch, DEGREES = _DEGREES.fullmatch
cdef frozenset JOINERS = _JOINERS, LAST_WORDS = _LAST_WORDS, ORGANISATIONS = _ORGANISATIONS, NO_NAMES = _NO_NAMES
cdef tuple ROLES_BEHIND = ("기자", "특파원", "記者", "记者", "撰文", "編輯", "编辑")


_HAN = "[\u4e00-\u9fff]"
_SIGNED = re.compile(
    rf"(?:记者|記者|通讯员|通訊員|撰文|撰稿|(?:作者|取材・文|執筆|编译|編譯|文字|文|ライター|著者)\s*[:：/／・丨|])\s*[:：/／]?\s*"
    rf"((?:{_HAN}{{2,4}}|[\u3040-\u30ff\u4e00-\u9fff]{{2,8}}|[A-Z][\w.]+(?:\s[A-Z][\w.]+)+)(?:[、，\s\u3000]+{_HAN}{{2,4}})*)(?!{_HAN})"
    r"|([가-힣]{2,4})\s*(?:선임|전문|수습|객원|인턴)?\s*(?:기자|특파원|논설위원)"
    r"|^\s*【([^】／/]{2,20})[／/][^】]*】"
)
"""Names in a dateline or signature of Chinese, Japanese and Korean papers."""
_LAST_BRACKETS = re.compile(r"[(（]([^()（）]{2,30})[)）][\s.。]*$")
_BEHIND_STROKE = re.compile(r"[.!?。»”\"]\s*[/—–]\s*([^\s/—–][^/—–.]{1,30})$")
cdef object SIGNED = _SIGNED.findall, LAST_BRACKETS = _LAST_BRACKETS.search
cdef object BEHIND_STROKE = _BEHIND_STROKE.search


cdef frozenset LABELS_OF_NAMES = frozenset(_BY_WORDS), LABELS_OF_SOURCES = SOURCES
cdef tuple SIGNING = ("记者", "記者", "通讯员", "通訊員", "撰文", "撰稿", "作者", "文", "執筆", "编译", "編譯", "ライター", "著者", "기자", "특파원", "논설위원", "【")
"""Without which _SIGNED finds nothing."""


cdef bint may_be_signed(str text) except -1:
    """True if _SIGNED may find a name in a text."""
    cdef Py_UCS4 character
    for character in text:
        if character >= 0x3000:
            for each in SIGNING:
                if <str> each in text:
                    return True
            return False
    return False


cdef tuple labelled_part(str text):
    """What follows a label of names or of sources and a colon, up to the next mark, and the flag of Saying; None if no
    such label is there.
    """
    cdef Py_ssize_t i, k, end, n = len(text)
    cdef str before, label
    cdef list words
    for i in range(2, n - 2):
        if text[i] != u":" and text[i] != u"：":
            continue
        before = text[max(0, i - MAX_LABEL):i].rstrip().lower()
        words = before.split()
        end = i + 1
        while end < n and text[end] == u" ":
            end += 1
        while end < n and end - i < MAX_LABELLED and not (
            text[end] in u"|·•,(»;:：（" or u"0" <= text[end] <= u"9"
        ):
            end += 1
        if end - i < 3:
            continue
        for k in range(1, 4):
            if k <= len(words):
                label = " ".join(words[len(words) - k:]).strip("|,·•–—-(")
                if label in LABELS_OF_NAMES:
                    return text[i + 1:end], SAYS_BY | SAYS_BY_INSIDE
                if label in LABELS_OF_SOURCES:
                    return text[i + 1:end], SAYS_SOURCE
            if not before.isascii() and k < len(before):        # scripts without spaces
                label = before[len(before) - k - 1:]
                if label in LABELS_OF_NAMES:
                    return text[i + 1:end], SAYS_BY | SAYS_BY_INSIDE
                if label in LABELS_OF_SOURCES:
                    return text[i + 1:end], SAYS_SOURCE
    return None


cdef bint may_be_plain(str text) except -1:
    """False for a text that is none of names without a label: it is long, has one word in a script with capitals, or
    many words without one.
    """
    cdef list words
    cdef str word
    cdef int small = 0, large = 0
    if len(text) > MAX_PLAIN:
        return False
    words = text.split()
    if len(words) > MAX_PLAIN_WORDS:
        return False
    for each in words:
        word = each
        small += word[0].islower()
        large += word[0].isupper()
    return large > 1 and small <= 3 or large == small == 0 and len(text) <= MAX_CASELESS


cdef tuple signature_in(str text, bint is_first):
    """The part of a block's text that may be names, and how it says so, as in names_of_line(); None if there is none.
    `is_first` is true for the beginning of a text, false for its end.
    """
    cdef list found
    cdef object match = None
    cdef tuple labelled
    cdef Py_UCS4 last
    if not text.isascii() and may_be_signed(text):
        found = SIGNED(text)
        if found:
            return ";".join([name for each in found for name in <tuple> each if name]), SAYS_SIGNED
    if len(text) <= LONG:
        if may_begin_by(text) and BY(text) is not None and not (text.endswith(".") and len(text) > MAX_PLAIN // 2):
            return text, SAYS_BY
        labelled = labelled_part(text)
        if labelled is not None:
            return labelled
        if (len(text) <= MAX_PLAIN or is_no_plain_name(text)) and (
            not text.isascii() or holds_word(text.lower(), BYS_INSIDE)
        ):
            match = BY_INSIDE(text)
        if match is not None:
            return match[1], SAYS_BY | SAYS_BY_INSIDE
    if not is_first:
        last = text[len(text) - 1]
        if last == u")" or last == u"）" or last in u".。" and len(text) > 1 and text[len(text) - 2] in u")）":
            match = LAST_BRACKETS(text)
            if match is not None:
                return match[1], SAYS_BRACKETS
        elif "/" in text or "—" in text or "–" in text:
            match = BEHIND_STROKE(text)
            if match is not None:
                return match[1], SAYS_STROKE
    if not text.isascii() and len(text) <= LONG and text.rstrip().endswith(ROLES_BEHIND):
        return text, SAYS_ROLE
    return (text, SAYS_PLAIN) if may_be_plain(text) else None


cdef bint may_be_names(list names, str text) except -1:
    """True if names could be those of people though nothing says so: little else stands in their text, each has a few
    words with capitals, or is short in a script without them.
    """
    cdef str name, small
    cdef Py_ssize_t letters = 0
    cdef list words
    for each in names:
        name = each
        letters += len(name)
        words = name.split()
        if len(words) > 5:
            return False
        small = name.lower()
        if small == name.upper():
            if len(name) > 12:
                return False
        elif len(words) == 1 and len(names) > 1:
            return False
        elif not ((<str> words[0])[0].isupper() and (<str> words[len(words) - 1])[0].isupper()) and (
            len(words) > 1 or len(name) > 24
        ):
            return False
    return len(text) <= 40 or 2 * letters > len(text)


cdef list names_in(list texts, set sites=None):
    """The names that read_names() describes, in texts that hold authors. With `sites`, keys of names of the site, these
    are cut off behind a name, and accounts that are called so are left out.
    """
    cdef dict found = {}
    cdef str text, cleaned
    for each in texts:
        text = each
        if len(text) > MAX_NAME or "{" in text:
            continue
        if "/" in text and INITIALS(text.strip()) is not None:      # det/dpa: one signature
            found[text.strip()] = None
            continue
        if is_no_plain_name(text) or "www." in text:
            text = ADDRESS(" ", BRACKETS("", without_dates(text)))
        for name in split(without_by(text)):
            cleaned = clean_name(name)
            if cleaned is not None and sites is not None:
                cleaned = without_site(cleaned, sites)
                if is_account_of_site(cleaned, sites):
                    continue
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
        if character in u";/|｜•·–—-、":
            return True
    for word in text.split():
        if word in JOINERS:
            return True
    return False


cdef bint names_institute(str text) except -1:
    """True if a text has a word of an institute's name, which "and" does not divide."""
    return holds_word(text.lower(), INSTITUTE_WORDS)


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


cdef bint is_account_of_site(str name, set sites) except -1:
    """True if a name is one word, the site's name and a number."""
    cdef str plain = name.rstrip("0123456789")
    return plain != name and " " not in name and name_key(name) not in sites and name_key(plain) in sites


cdef bint is_too_long(str name) except -1:
    """True for more words than a name has; that of an institute may have twice as many."""
    cdef Py_ssize_t words = len(name.split())
    return words > 2 * MAX_WORDS or (words > MAX_WORDS and not names_institute(name))


cdef str without_echo(str name):
    """A name that is written twice, once."""
    cdef Py_ssize_t half = len(name) // 2
    return name[:half] if half > 2 and 2 * half + 1 == len(name) and name[half] == u" " and name[:half] == name[half + 1:] else name


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
        name = without_echo(name.strip().strip(" \t,;:|·•-–—*@/\"'“”„"))
    if (
        len(name) < 2 or not has_letter(name) or "：" in name or name.lower() in NO_NAMES or name.lower() in SECTION_NAMES or ":" in name
        or is_too_long(name)
        or is_staff_account(name) or (name[0].lower() in NO_NAME_LETTERS and NO_NAME(name) is not None) or (" " not in name and "." in name and DOMAIN(name) is not None)
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


cdef tuple names_of_line(ShownLines lines, Py_ssize_t i):
    """The part of a line that may be names, and how the line says so: the sum of its flags of Saying."""
    cdef str text = lines.texts[i]
    cdef Py_ssize_t start, end
    cdef int k, how = SAYS_BY if may_begin_by(text) and BY(text) is not None else 0
    if (not text.isascii() or holds_word(text.lower(), BYS_INSIDE)) and lines.days_of(i):
        match = BY_INSIDE(text)
        if match is not None:
            start, end = match.span(1)
            for k in range(lines.days_of(i)):       # a month is no part of a name
                if lines.lines[i].days[k].start >= start:
                    end = min(end, lines.lines[i].days[k].start)
            return text[start:end], SAYS_BY if how else SAYS_BY | SAYS_BY_INSIDE
    if not text.isascii() and text.rstrip().endswith(ROLES_BEHIND):
        how |= SAYS_ROLE
    return text, how


cdef bint is_company(str name) except -1:
    """True for the name of a company or of a maker of sites: Acme Ltd."""
    return " " in name and (<str> name.rsplit(None, 1)[1]).strip(".,").lower() in COMPANY_WORDS


cdef bint is_organisation(str name) except -1:
    """True if a name is rather that of an editorial staff than of a person."""
    return holds_word(name.lower(), ORGANISATIONS)

# SPDX-License-Identifier: Apache-2.0
"""Authors' names: read out of what a page names or shows."""

import re
from collections.abc import Iterable

from thresher.native.facts.letters cimport PyUnicode_IS_ASCII, key_of
from thresher.native.facts.dates cimport FoundDays, find_days
from thresher.native.facts.labels import (
    BEHIND_NAMES, BYLINES, BYS_INSIDE, COMPANIES, COUNTED, INSTITUTES, MAKERS, NO_NAME_BEGINNINGS, PARTICLES, ROLES,
    SECTIONS, SOURCES, WEEKDAYS, all_of
)
from thresher.native.facts.months import month_numbers
from thresher.native.facts.page_url cimport Words, count_words, is_of_word, name_key

cdef enum:
    MAX_NAME = 200          # characters of a text with names; a longer one is none
    MAX_AUTHORS = 20
    MAX_WORDS = 6           # of one name
    LONG = 160              # characters of a block, beyond which it is prose
    MAX_PLAIN = 60          # of one that has nothing but names,
    MAX_PLAIN_WORDS = 10    # and its words,
    MAX_CASELESS = 24       # and of one in a script without capitals,
    MAX_SPACED = 40         # which is longer where spaces divide its words
    MAX_ACRONYM = 8         # letters of an agency's name in capitals
    MAX_BRACKETS = 24       # characters in brackets that may be a part of a name
    MAX_HANGUL = 4          # syllables of a Korean name
    MAX_JOINER = 5          # of a space and "and"
    MAX_WEEKDAY = 12        # letters of the name of a day of the week
    MAX_LABEL = 24          # characters before a colon
    MAX_LABELLED = 60       # behind it
    MAX_DEGREE = 6          # characters of "Ph. D."
    MAX_AT = 4              # of "at" and "for",
    MAX_HONORIFIC = 5       # and of "Mr."
    MIN_LAST = 5            # characters of a last word that is no abbreviation, with its full stop: Jr. and Bros. are
    MAX_NAMED = 5           # words of a name in a sentence
    MAX_PLACE = 40          # characters of a place before an agency

_BY_WORDS = {*all_of(BYLINES), "from", "журналист"}
_BEFORE_BY = (
    "written", "story", "words", "text", "report", "reporting", "posted", "published", "posté", "publié", "geschrieben",
    "ein artikel", "artikel", "article", "eingestellt", "veröffentlicht", "escrito", "publicado", "scritto", "a cura",
)
_BY_INSIDE = re.compile(
    rf"(?:^|[\s\d|,:·•–—-])(?:by|von|par|por|di|da|a cura di|door|av|af|przez|автор|yazan|oleh|bởi|作者|发布者|發布者|撰文)(?:\s*[:：]\s*|\s+)"
    r"([^\d|·•,(»]{2,60}?)(?=$|[\d|·•,(»]|\s[-–—]\s|\s+(?:in|on|at|em|dans|le|am|um|leave|no comments|发布时间|發布時間|来源|時間|时间)\b|发布|發布)",
    re.IGNORECASE,
)
"""An author's name behind or before a date."""
_BRACKETS = re.compile(r"\s*[(\[（][^)\]）]{0,80}[)\]）]")
_JOINERS = frozenset("avec|and|und|et|y|e|en|og|och|i|a|и|та|ja|ve|dan|và|&|with|mit".split("|"))
_INITIALS = re.compile(r"[a-zäöüß]{2,5}(?:/[a-zäöüß]{2,5})+")
_DOMAIN = re.compile(
    r"(?:https?://)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:[a-z]{2,3}|info|mobi|asia|blog|news|site|shop|online)/?",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+|www\.\S+|(?<=\S )@\w+")
_TAIL = re.compile(
    r"(?<!^the)(?<!^last)\s+(?:for\s+)?(?:(?:the\s+)?associated press|ap|reuters|afp|dpa|upi|bloomberg(?: news)?|getty images"
    r"|usa today(?: network)?|(?:sports |news |staff |senior |chief |contributing |political |tech |science )*(?:"
    r"writer|reporter|editor|correspondent|columnist|contributor|journalist|photographer|producer|analyst|critic|redakteur(?:in)?|journaliste|periodista|"
    r"giornalista|redactor|redacteur)|rss feed|(?:last )?updated|follow(?:ing)?|さん|(?:view |visit )?(?:user )?profile|tarafından|기자|특파원|선임기자|전문기자|인턴기자|작가|교수|칼럼니스트|논설위원|세무사|변호사|평론가|편집장|에디터|記者|记者|编辑|編集委員|\S{0,3}(?:报道|報道))\s*$",
    re.IGNORECASE,
)
_LAST_WORDS = frozenset((
    "press", "ap", "reuters", "afp", "dpa", "upi", "bloomberg", "news", "images", "today", "network", "writer",
    "reporter", "editor", "correspondent", "columnist", "contributor", "journalist", "photographer", "producer",
    "analyst", "critic", "redakteur", "redakteurin", "journaliste", "periodista", "giornalista", "redactor",
    "redacteur", "feed", "profile", "updated", "follow", "following",
))  # fmt: skip
"""What _TAIL ends with, in ASCII; and the rest."""
_LAST_ELSEWHERE = (
    "tarafından", "기자", "특파원", "작가", "교수", "칼럼니스트", "논설위원", "세무사", "변호사", "평론가", "편집장", "에디터",
    "記者", "记者", "编辑", "編集委員", "报道", "報道", "さん",
)
_ROLE = re.compile(
    r"^(?:(?:contributing|staff|senior|chief|managing|deputy|associate|executive|news|sports|political|opinion|crimson|special)\s)*"
    r"(?:writer|reporter|editor|correspondent|columnist|contributor|opinion|journalist|photographer|producer|analyst|"
    r"critic|editor[- ]in[- ]chief|redakteur(?:in)?|chefredakteur(?:in)?|journaliste|periodista|giornalista|to .+)s?$"
    r"|(?:[\w&'’.-]+\s){0,5}(?:director|president|ceo|cto|founder|manager|professor|coordinator|officer|strategist|"
    r"consultant|specialist|intern|chair|chairman|secretary|directeur|directrice|président|directora?|profesora?)"
    r"(?:\s(?:of|at|for|de|du|des|y)\s.+)?$|deputy\s.+",
    re.IGNORECASE,
)
_ROLE_WORDS = frozenset((
    *(word + end for word in (
        "writer", "reporter", "editor", "correspondent", "columnist", "contributor", "opinion", "journalist",
        "photographer", "producer", "analyst", "critic", "redakteur", "redakteurin", "chefredakteur", "chefredakteurin",
        "journaliste", "periodista", "giornalista",
    ) for end in ("", "s")),
    "to", "director", "president", "ceo", "cto", "founder", "manager", "professor", "coordinator", "officer",
    "strategist", "consultant", "specialist", "intern", "chair", "chairman", "secretary", "directeur", "directrice",
    "président", "directora", "profesor", "profesora", "deputy",
))  # fmt: skip
"""One of which is in all that _ROLE finds."""
_ORGANISATIONS = frozenset((
    "staff", "daily", "news", "newsroom", "times", "reporter", "reporters", "editor", "editors", "editorial",
    "team", "équipe", "press", "agency", "media", "magazine", "desk", "board", "developer", "admin", "redaktion", "redacción",
    "redazione", "rédaction", "редакция", "correspondent", "service", "group", "inc", "llc", "ltd", "gmbh", "network", "online",
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
    "offline", "online", "username", "user name", "full name", "profile", "profil", "super admin", "superadmin",
    "superuser", "super user", "moderator", "member", "membre", "mitglied", "nom", "overview", "donate", "date", "著者",
    "イラスト", "作者", "楼主", "記者", "记者", "本报记者", "posté le", "publié le", "person in charge", "all rights reserved",
    "佚名", "匿名", "发表于", "发表时间", "发布时间", "只看该作者", "倒序浏览", "登录", "注册", "网络", "互联网", "原创", "本站", "プロフィール",
    "総合", "投稿日", "회원가입", "로그인", "войти", "регистрация", "зарегистрироваться", "related articles", "related posts", "par",
    "takip et", "your name", "تسجيل الدخول", "评论数", "评论", "主页",
))  # fmt: skip

cdef Words BYS = Words(BYS_INSIDE)      # what _BY_INSIDE finds in ASCII, and the rest
cdef tuple BYS_ELSEWHERE = ("автор", "bởi", "作者", "发布者", "發布者", "撰文")
cdef object AGO = re.compile(
    r"\d+\s*(?:(?:second|minute|min|hour|hr|day|week|month|year)s?\s+ago|"
    r"(?:秒|分钟|分鐘|分|小时|小時|時間|天|日|周|週|个月|個月|月|年)前|(?<=\s\d)[smhdwy]$|(?<=\s\d\d)[smhdwy]$)",
    re.IGNORECASE,
).search
cdef tuple BEFORE_AGO = (" about", " asked", " answered", " posted", " replied", " updated")
cdef Words HONORIFICS = Words(frozenset("mr mrs ms herr frau mme mlle m sr sra sr pan pani د أ أ.د ا.د م".split()))
cdef Words AT_WORK = Words(frozenset("at for para für pour in à aus".split()))
cdef frozenset CALENDAR = WEEKDAYS | frozenset(month_numbers(""))
cdef Words CALENDAR_WORDS = Words(CALENDAR)
cdef object BY_INSIDE = _BY_INSIDE.search, INITIALS = _INITIALS.fullmatch, DOMAIN = _DOMAIN.fullmatch
cdef Words NO_NAME_WORDS = Words(frozenset([word.strip() for word in NO_NAME_BEGINNINGS]))
cdef Words INSTITUTE_WORDS = Words(INSTITUTES), ORGANISATIONS = Words(_ORGANISATIONS)
cdef Words COMPANY_WORDS = Words(COMPANIES), MAKER_WORDS = Words(MAKERS), COUNTED_WORDS = Words(COUNTED)
cdef Words BY_WORDS = Words(frozenset(_BY_WORDS)), BEFORE_BY = Words(frozenset(_BEFORE_BY))
cdef object BRACKETS = _BRACKETS.sub, ADDRESS = _ADDRESS.sub, TAIL = _TAIL.sub
cdef object ROLE = _ROLE.fullmatch, DEGREES = _DEGREES.fullmatch
cdef frozenset WEEKDAY_NAMES = WEEKDAYS
cdef tuple LAST_ELSEWHERE = _LAST_ELSEWHERE
cdef frozenset JOINERS = _JOINERS
cdef Words ANSWERING = Words(frozenset(
    "said says reply replied replies comment comments commented wrote dit répondre schrieb sagt dijo responder".split()
))
cdef Words LAST_WORDS = Words(_LAST_WORDS), NO_NAMES = Words(_NO_NAMES), NO_OTHER_NAMES = Words(_NO_NAMES | SECTIONS)
cdef Words ROLE_WORDS = Words(_ROLE_WORDS), KINDS_OF_PEOPLE = Words(frozenset(all_of(ROLES)))
cdef tuple KOREAN_ROLES = tuple(ROLES["ko"].split("|"))
cdef tuple ENDS_BEHIND = tuple(sorted(all_of(BEHIND_NAMES), key=len, reverse=True))
cdef tuple ROLES_BEHIND = ("기자", "특파원", "記者", "记者", "撰文", "編輯", "编辑")


_HAN = "[\u4e00-\u9fff]"
_SIGNED = re.compile(
    rf"(?:记者|記者|通讯员|通訊員|撰文|撰稿|(?:作者|取材・文|執筆|编译|編譯|文字|文|ライター|著者)\s*[:：/／・丨|])\s*[:：/／丨|｜]?\s*"
    rf"((?:{_HAN}{{2,4}}?|[\u3040-\u30ff\u4e00-\u9fff]{{2,8}}|[A-Z][\w.]+(?:\s[A-Z][\w.]+)+)(?:[、，\s\u3000]+{_HAN}{{2,4}}?)*)"
    rf"(?=采访|採訪|报道|报导|報導|報道|综合|綜合|摄影|攝影|整理|编译|編譯|发自|發自|台北|臺北|高雄|台中|新北|[电電讯訊摄攝]|(?!{_HAN}))"
    r"|([가-힣]{2,4})\s*(?:선임|전문|수습|객원|인턴)?\s*(?:기자|특파원|논설위원)"
    r"|^\s*【(?:本[报報]?)?(?:记者|記者|通讯员|通訊員|特派員|特派员)?\s*([^】／/]{2,20})[／/][^】]*】"
)
"""Names in a dateline or signature of Chinese, Japanese and Korean papers."""
_LAST_BRACKETS = re.compile(r"[(（]([^()（）]{2,30})[)）][\s.。]*$")
_BEHIND_STROKE = re.compile(r"[.!?。»”\"]\s*[/—–]\s*([^\s/—–][^/—–.]{1,30})$")
cdef object AGENCY = re.compile(
    r"[^()（）]{0,36}[(（](AP|AFP|UPI|CNN|CBS|dpa|EFE|ANSA|PTI|Reuters|Bloomberg|Xinhua)[)）]\s*[-–—]"
).match
cdef Words WRITTEN = Words(frozenset(
    "written post article blog column essay story review text rédigé rédigée écrit écrite recueillis escrito escrita scritto "
    "scritta geschrieben verfasst".split()
))
"""What stands before "by" in a sentence that says who wrote something."""
cdef frozenset SMALL_WORDS = PARTICLES
cdef object SIGNED = _SIGNED.findall, LAST_BRACKETS = _LAST_BRACKETS.search
cdef object BEHIND_STROKE = _BEHIND_STROKE.search


cdef frozenset LABELS_OF_NAMES = frozenset(_BY_WORDS), LABELS_OF_SOURCES = SOURCES
cdef object BETWEEN_SIGNED = re.compile("[、，;\\s\u3000]+").split
cdef frozenset NOT_SIGNED = frozenset("字体 来源 日期 时间 图集 编辑 获悉 获取 了解到 发表时间 表示 采访 报道 看到 注意到 发布 浏览 来源于 字號 來源 編輯 發布 责任编辑 校对 通讯员 记者".split())
cdef tuple SIGNING = ("记者", "記者", "通讯员", "通訊員", "撰文", "撰稿", "作者", "文", "執筆", "编译", "編譯", "ライター", "著者", "기자", "특파원", "논설위원", "【")
"""Without which _SIGNED finds nothing."""


cdef bint holds_by(str text) except -1:
    """True if _BY_INSIDE may find a name in a text."""
    cdef str small
    if BYS.are_in(text):
        return True
    if not text.isascii():
        small = text.lower()
        for each in BYS_ELSEWHERE:
            if <str> each in small:
                return True
    return False


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


cdef str signed_names(str names, str text):
    """Names that SIGNED has found in a text, those of Chinese reporters apart."""
    cdef list parts, kept
    if not all_han(names):
        return names
    parts = [name for name in BETWEEN_SIGNED(names) if name]
    kept = [name for name in parts if name not in NOT_SIGNED]
    if len(kept) == len(parts) and "记者" not in text and "記者" not in text and "通讯员" not in text and "通訊員" not in text:
        return names
    return ";".join(kept)


cdef bint all_han(str text) noexcept:
    """True if a text has Chinese characters, white space and marks between them alone."""
    cdef Py_UCS4 character
    for character in text:
        if not (0x4E00 <= character <= 0x9FFF or character in u" \u3000、，;"):
            return False
    return True


cdef bint begins_number(str text, Py_ssize_t i) noexcept:
    """True if a number begins at a place of a text that is no part of a name, as 1979 of ann1979 and 24 of "France 24"."""
    cdef Py_ssize_t end = i
    if not u"0" <= text[i] <= u"9" or (i > 0 and is_of_word(text[i - 1])):
        return False
    while end < len(text) and u"0" <= text[end] <= u"9":
        end += 1
    return end - i > 3 or end < len(text)


cdef tuple labelled_part(str text):
    """What follows a label of names and a colon, else of sources, up to the next mark or label, and the flag of Saying;
    None if no such label is there.
    """
    cdef Py_ssize_t i, k, end, n = len(text)
    cdef tuple source = None
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
        while end < n and end - i < MAX_LABELLED and not (text[end] in u"|·•,，(»;:：（" or begins_number(text, end)):
            end += 1
        if end < n and text[end] in u":：":     # the next label is no part of a name
            while end > i and not text[end].isspace():
                end -= 1
            if text[i + 1:end].lower().endswith(" last"):      # updated
                end -= 5
        if end - i < 3:
            continue
        for k in range(1, 4):
            if k <= len(words):
                label = " ".join(words[len(words) - k:]).strip("|,·•–—-(")
                if label in LABELS_OF_NAMES:
                    return text[i + 1:end], SAYS_BY | SAYS_BY_INSIDE
                if source is None and label in LABELS_OF_SOURCES:
                    source = (text[i + 1:end], SAYS_SOURCE)
            if not before.isascii() and k < len(before):        # scripts without spaces
                label = before[len(before) - k - 1:]
                if label in LABELS_OF_NAMES:
                    return text[i + 1:end], SAYS_BY | SAYS_BY_INSIDE
                if source is None and label in LABELS_OF_SOURCES:
                    source = (text[i + 1:end], SAYS_SOURCE)
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
        elif text[i:k] not in SMALL_WORDS or words == 0:
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
            writes = WRITTEN.has(text, before, end)
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
    cdef Py_ssize_t i
    for i in range(len(text)):
        if text[i] == u":" or text[i] == u"：":
            while i > 0 and not text[i].isspace():
                i -= 1
            return text[:i] if i > 0 else text
    return text


cdef tuple signature_in(str text, bint is_first):
    """The part of a block's text that may be names, and how it says so, as in names_of_line(); None if there is none.
    `is_first` is true for the beginning of a text, false for its end.
    """
    cdef list found
    cdef object match = None
    cdef tuple labelled
    cdef str name
    cdef bint has_by
    cdef Py_UCS4 last
    if not text.isascii() and may_be_signed(text):
        found = SIGNED(text)
        if found:
            return signed_names(";".join([name for each in found for name in <tuple> each if name]), text), SAYS_SIGNED
    if len(text) <= LONG:
        labelled = labelled_part(text)
        if is_byline(text) and (labelled is None or labelled[1] == SAYS_SOURCE):
            return text, SAYS_BY
        if labelled is not None:
            return labelled
        has_by = holds_by(text)
        name = named_in_sentence(text) if text.endswith(".") and (has_by or end_of_by(text)) else None
        if name is not None:
            return name, SAYS_BY
        if has_by and (len(text) <= MAX_PLAIN or is_no_plain_name(text)):
            match = BY_INSIDE(text)
        if match is not None:
            return without_next_label(without_weekday(match[1])), SAYS_BY | SAYS_BY_INSIDE
        name = named_in_sentence(text) if has_by and not text.endswith(".") else None
        if name is not None:
            return name, SAYS_BY
    if is_first and ("(" in text[:MAX_PLACE] or "（" in text[:MAX_PLACE]):
        match = AGENCY(text)
        if match is not None:
            return match[1], SAYS_SOURCE
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
            text = without_dates(unwrapped(text))
            if ("(" in text or "[" in text or "（" in text) and not ends_with_name(text, sites):
                text = BRACKETS("", text)
            if "@" in text or "://" in text or "www." in text:
                text = ADDRESS(" ", text)
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


cdef bint ends_with_name(str text, set sites) except -1:
    """True if a text is a name of two words or more, or one in a script without capitals, and what stands in brackets
    at its end is one as well: Ann Lee (Maria Miller), and not (photos), (AP) or (Post).
    """
    cdef Py_ssize_t start, end, n
    cdef str inside
    cdef Py_UCS4 character
    text = text.rstrip()
    n = len(text)
    if n == 0 or text[n - 1] not in u")）" or text.count("(") + text.count("（") != 1 or "[" in text:
        return False
    start = text.find("(") if "(" in text else text.find("（")
    inside = text[start + 1:n - 1].strip()
    if start < 2 or not 2 < len(inside) <= MAX_BRACKETS or count_words(inside) > 3 or count_words(text[:start]) > 4:
        return False
    if " " not in inside and PyUnicode_IS_ASCII(inside):        # a paper, a place
        return False
    if not (inside[0].isupper() or has_no_case(inside)) or is_acronym(inside, 0, len(inside)):
        return False
    for character in inside:
        if not (character.isalpha() or character in u" .'’-"):
            return False
    if inside[len(inside) - 1] in u"部局社班者員员著編编譯译訳文課课":
        return False
    for character in text[:start]:
        if character in u",;/|:：@" or character.isdecimal():
            return False
    return not (
        ORGANISATIONS.are_in(inside) or ROLE_WORDS.are_in(inside) or INSTITUTE_WORDS.are_in(inside)
        or LAST_WORDS.are_in(inside) or NO_OTHER_NAMES.has(inside, 0, len(inside)) or KINDS_OF_PEOPLE.are_in(inside)
        or (sites is not None and name_key(inside) in sites)
    )


cdef str unwrapped(str text):
    """What stands in brackets, if that is all of a text."""
    cdef Py_ssize_t n = len(text)
    if n > 4 and text[0] in u"([（" and text[n - 1] in u")]）":
        for character in text[1:n - 1]:
            if character in "()[]（）":
                return text
        return text[1:n - 1]
    return text


cdef bint is_no_plain_name(str text) noexcept:
    """True if a text has a digit, a bracket, an @ or a slash."""
    cdef Py_UCS4 character
    for character in text:
        if character in u"([（@/" or (character.isdecimal() if character >= 0x80 else u"0" <= character <= u"9"):
            return True
    return False


cdef Py_ssize_t end_of_by(str text) except -1:
    """Where the "by" and the like ends that a text begins with, with what belongs to it; 0 if it begins with none."""
    cdef Py_ssize_t start = 0, end, n = len(text)
    while start < n and (text[start] in u"|,:·•–—-" or text[start].isspace()):
        start += 1
    end = BEFORE_BY.end_at(text, start)
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


cdef str without_by(str text):
    """A text without "by" and the like in front."""
    cdef Py_ssize_t end = end_of_by(text)
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
        if start == 0 or not 1 < end - start <= MAX_WEEKDAY or text[start:end].lower() not in WEEKDAY_NAMES:
            return text
        end, text = start, text[:start]


cdef bint names_institute(str text) except -1:
    """True if a text has a word of an institute's name, which "and" does not divide."""
    return INSTITUTE_WORDS.are_in(text)


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


cdef list parts_of(str text):
    """A list of names cut at semicolons and other marks, at dashes between spaces, and at "and" in several languages, the
    last unless the text names an institute.
    """
    cdef Py_ssize_t i = 0, start = 0, end, n = len(text)
    cdef int divides = -1       # whether "and" does; -1 if it is not known
    cdef list parts = []
    while i < n:
        if text[i] in u";/|｜•·、" and not (text[i] == u"/" and is_within_name(text, i)):
            parts.append(text[start:i])
            start = i + 1
        elif text[i] == u" " or text[i].isspace():
            end = i + 1
            while end < n and end - i <= MAX_JOINER and not text[end].isspace():
                end += 1
            if i + 1 < end < n and end - i <= MAX_JOINER and text[end].isspace():
                if end > i + 2 or text[i + 1] not in u"–—-ـ":
                    if text[i + 1:end] not in JOINERS:
                        end = 0
                    elif divides < 0:
                        divides = not names_institute(text)
                    if not divides:
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
    cdef list parts = text.split()
    cdef bint same = True
    for part in parts:
        if not 2 <= len(<str> part) <= 4:
            return False
        same = same and len(<str> part) == 3
    return len(parts) > 2 or (same and len(parts) > 1)


cdef list split(str text):
    """The names of a list: apart by "and" in several languages, by semicolons, by commas unless in "Miller, A."."""
    cdef list names = [], pieces
    cdef str piece
    for part in parts_of(text):
        if " " in <str> part and all_han(part) and are_three(part):
            names += (<str> part).split()
            continue
        pieces = [each.strip() for each in (<str> part).split(",")] if "," in <str> part else [(<str> part).strip()]
        if len(pieces) == 2 and is_inverted(pieces[0], pieces[1]):
            names.append(f"{pieces[1]} {pieces[0]}")
            continue
        for each in pieces:
            piece = each
            if names and len(piece) <= MAX_DEGREE and DEGREES(piece) is not None:
                names[len(names) - 1] += f", {piece}"
            elif piece and not (names and ROLE_WORDS.are_in(piece) and ROLE(piece) is not None):
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


cdef bint has_no_case(str text) except -1:
    """True if a text is the same in capitals and in small letters."""
    cdef Py_UCS4 character
    if not PyUnicode_IS_ASCII(text):
        return text.lower() == text.upper()
    for character in text:
        if u"a" <= character <= u"z" or u"A" <= character <= u"Z":
            return False
    return True


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
    return plain in NO_NAMES.words or plain.endswith(("admin", "webmaster"))


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


cdef str without_echo(str name):
    """A name that is written twice, once."""
    cdef Py_ssize_t half = len(name) // 2
    return name[:half] if half > 2 and 2 * half + 1 == len(name) and name[half] == u" " and name[:half] == name[half + 1:] else name


cdef bint begins_no_name(str name) except -1:
    """True if a text begins with one or two words that names do not begin with: view, log in."""
    cdef Py_ssize_t end = end_of_word(name, 0)
    if end == 0:
        return name[0] == u"©"
    if NO_NAME_WORDS.has(name, 0, end):
        return True
    return end < len(name) and name[end] == u" " and NO_NAME_WORDS.has(name, 0, end_of_word(name, end + 1))


cdef str stripped(str name):
    """A text without white space, and then marks, at its ends."""
    cdef Py_ssize_t start = 0, end = len(name)
    while start < end and name[start].isspace():
        start += 1
    while end > start and name[end - 1].isspace():
        end -= 1
    while start < end and name[start] in u" \t,;:|·•-–—*@/\"'“”„□■●◆▲※○◎☆★+":
        start += 1
    while end > start and (
        name[end - 1] in u" \t,;:|·•-–—*@/\"'“”„□■●◆▲※○◎☆★+»" or name[end - 1] == u"_" and end > start + 1 and name[end - 2] == u" "
    ):
        end -= 1
    return name if end - start == len(name) else name[start:end]


cdef str without_rest(str name):
    """A name without "Mr" before it, how long ago something was, and where the person works: Ann Lee at The Post."""
    cdef Py_ssize_t start = 0, i, k, words = 0
    cdef object match
    while start <= MAX_HONORIFIC and start < len(name) and not name[start].isspace():
        start += 1
    if start < len(name) and start <= MAX_HONORIFIC and HONORIFICS.has(name, 0, start - (name[start - 1] == u".")):
        name = name[end_of_blank(name, start):]
    if has_digit(name) and ("ago" in name or "前" in name or name[len(name) - 1] in u"smhdwy"):
        match = AGO(name)
        if match is not None:
            name = name[:match.start()].rstrip(" ·|(-")
            for each in BEFORE_AGO:
                name = name.removesuffix(each)
    i = 0
    while i < len(name):
        k = i
        while k < len(name) and not name[k].isspace():
            k += 1
        if words > 1 and k - i <= MAX_AT and name[i].islower() and AT_WORK.has(name, i, k) and k + 1 < len(name):
            return name if names_institute(name) else name[:i].rstrip()
        words += 1
        i = end_of_blank(name, k)
    return name


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


cdef str clean_name(str name):
    """One name without what is glued to it; None if it is none."""
    cdef str previous = None, short
    cdef Py_ssize_t start, end
    cdef bint has_blank
    while previous is None or previous != name:
        previous = name
        name = without_by(name)
        end = len(name)
        while end and name[end - 1].isspace():
            end -= 1
        start = start_of_last(name, end)
        if LAST_WORDS.has(name, start, end) or (
            not PyUnicode_IS_ASCII(name) and name[start:end].lower().endswith(LAST_ELSEWHERE)
        ):
            short = TAIL("", name) or name
            if " " in short.strip() or not (PyUnicode_IS_ASCII(name) and name.isupper()):      # METRO REPORTER
                name = short
        name = without_stop(without_echo(stripped(name)))
    short = without_rest(name)
    if short is not name:
        name = stripped(short)
    if not PyUnicode_IS_ASCII(name) or count_words(name) > 2:
        short = without_role(name)
        if short is not name:
            name = stripped(short)
    if len(name) < 2 or not has_letter(name) or ":" in name or "：" in name or "\\" in name:
        return None
    has_blank = " " in name
    if (
        NO_OTHER_NAMES.has(name, 0, len(name)) or is_too_long(name) or is_of_calendar(name) or is_no_word_of_name(name)
        or (has_blank and begins_count(name))
        or (not has_blank and is_staff_account(name))
        or begins_no_name(name) or (not has_blank and "." in name and DOMAIN(name) is not None)
    ):
        return None
    return name


cdef bint begins_count(str name) except -1:
    """True for a number of answers, readers or minutes: 3 Comments, 4 min read."""
    cdef Py_ssize_t i = 0
    while i < len(name) and (u"0" <= name[i] <= u"9" or name[i] in u".,"):
        i += 1
    return 0 < i < len(name) and name[i] == u" " and COUNTED_WORDS.has(name, i + 1, end_of_word(name, i + 1))


cdef bint is_of_calendar(str name) except -1:
    """True for the name of a day or a month, or a day of a month: Sep 15."""
    cdef str small, rest
    if len(name) > MAX_WEEKDAY or not (has_digit(name) or CALENDAR_WORDS.may_be(name, 0, len(name))):
        return False
    small = name.lower()
    rest = small.strip(" .,0123456789")
    return small in CALENDAR or (rest != small and rest in CALENDAR)


cdef bint has_digit(str text) noexcept:
    cdef Py_UCS4 character
    for character in text:
        if u"0" <= character <= u"9":
            return True
    return False


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


cdef tuple names_of_line(ShownLines lines, Py_ssize_t i):
    """The part of a line that may be names, and how the line says so: the sum of its flags of Saying."""
    cdef str text = lines.texts[i], rest
    cdef Py_ssize_t start, end
    cdef int k, how = SAYS_BY if is_byline(text) else 0
    cdef tuple labelled
    cdef const FoundDays* found
    if holds_by(text) and lines.days_of(i).n:
        match = BY_INSIDE(text)
        if match is not None:
            start, end = match.span(1)
            found = lines.days_of(i)
            for k in range(found.n):        # a month is no part of a name
                if found.days[k].start >= start:
                    end = min(end, found.days[k].start)
            return without_next_label(without_weekday(text[start:end])), SAYS_BY if how else SAYS_BY | SAYS_BY_INSIDE
    if not text.isascii() and text.rstrip().endswith(ROLES_BEHIND):
        how |= SAYS_ROLE
    labelled = labelled_part(text) if len(text) <= LONG else None
    if labelled is not None and (how == 0 or labelled[1] != SAYS_SOURCE):
        return labelled
    if how == 0 and len(text) <= MAX_PLAIN:
        found = lines.days_of(i)
        if found.n:
            rest = f"{without_weekday(text[:found.days[0].start])};{text[found.days[found.n - 1].end:]}"
            if may_be_plain(rest):
                return rest, SAYS_PLAIN
    return text, how


cdef bint names_role(str text) except -1:
    """True if a text has the role of somebody who writes, as "Staff Writer" behind a name."""
    return ROLE_WORDS.are_in(text)


cdef bint is_answer(str text) except -1:
    """True if a text has a word of those who comment: Ann Lee said."""
    return ANSWERING.are_in(text)


cdef bint is_company(str name) except -1:
    """True for the name of a company or of a maker of sites: Acme Ltd."""
    cdef Py_ssize_t start, end = len(name)
    while end and name[end - 1].isspace():
        end -= 1
    start = start_of_last(name, end)
    while end > start and name[end - 1] in u".,":
        end -= 1
    while start < end and name[start] in u".,":
        start += 1
    return " " in name and (COMPANY_WORDS.has(name, start, end) or MAKER_WORDS.are_in(name))


cdef bint is_organisation(str name) except -1:
    """True if a name is rather that of an editorial staff than of a person."""
    return ORGANISATIONS.are_in(name)

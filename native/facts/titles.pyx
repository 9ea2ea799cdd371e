# SPDX-License-Identifier: Apache-2.0
"""The headline of a page: what its heading, JSON-LD, OpenGraph and title element agree on, without the site's name."""

import re

from libc.stdint cimport uint32_t

from thresher.native.facts.letters cimport has_one_of, key_of
from thresher.native.facts.labels import HOMES, PAGES, READ_COUNTS, THREADS, TITLE_ELEMENTS, UNTITLED, VIEWS
from thresher.native.facts.page_url cimport PageUrl, TextWords, Words, name_key, plain_letters, without_the
from thresher.native.facts.page_data cimport headlines, thing

cdef enum:
    MAX_PIECES = 8          # of a title that is compared with a name in an address
    MAX_HOME = 24           # characters of what a front page is called,
    MAX_UNTITLED = 40       # and of what one that nobody named is
    MIN_PART = 6            # letters of a part of a heading that a title names
    MAX_TITLE = 1000        # characters of a title in which separators are looked for

cdef object DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*\.([a-z]{2}|com|net|org|info|edu|gov)", re.IGNORECASE).fullmatch
cdef frozenset SUFFIXES = frozenset((   # of files and software, though domains end in them too
    "cc", "cs", "db", "go", "gz", "js", "md", "ml", "pl", "ps", "py", "rb", "rs", "sh", "so", "vb",
))
cdef frozenset THREAD_LABELS = frozenset(THREADS.split("|"))
# Patterns that most titles are spared are compiled when the first title needs one.
cdef str VIEW = rf"(?i)(?:^|\s(?:::?|-|–|\||•|·|»)\s)(?:{VIEWS})\s*[-–:]\s*(?=\S)"
cdef str PAGE = (
    rf"(?i)\s*(?:[-–|,(\[]\s*(?:{PAGES})\s*\d+(?:\s*(?:of|von|sur|de|di|van|из|/)\s*\d+)?\s*[)\]]?"
    rf"|\s(?:{PAGES})\s*\d+\s*(?:of|von|sur|de|di|van|из|/)\s*\d+)\s*$"
)
_READ = f"(?<![^\\W\\d_])(?:{READ_COUNTS})(?![^\\W\\d_])"
cdef str READ_COUNT = (
    rf"(?i)[(\[（][^()\[\]（）]{{0,20}}?(?:{_READ}\D{{0,20}}\d[\d.,\s]*|\d[\d.,\s]*{_READ})\D{{0,12}}[)\]）]\s*$"
)
cdef dict BRACKETS = {")": "(", "]": "[", "）": "（", "】": "【", "］": "［", "」": "「"}
cdef Words UNTITLED_NAMES = Words(UNTITLED)
cdef Words VIEWING = Words(frozenset([view.split()[0] for view in VIEWS.split("|")]))
cdef tuple PAGE_WORDS = tuple(PAGES.split("|"))
cdef object ESCAPED = re.compile(r"(?:\\x[0-9a-fA-F]{2})+").sub
cdef Words HOME_NAMES = Words(HOMES)
cdef str ANCHORS = " ¶#§\u200b\uf0c1"       # signs of a link to a heading, at its end
cdef tuple NAMING = (*TITLE_ELEMENTS, "h1", "h1 part")      # what may name a part of the title element


# --- separators ---

cdef inline bint is_dash(Py_UCS4 character) noexcept:
    return character in u"-–—"


cdef inline bint is_bar(Py_UCS4 character) noexcept:
    return character in u"|｜_¦"


cdef inline bint is_mark(Py_UCS4 character) noexcept:
    """True for what divides a title between spaces: a dash, bar, dot or arrow."""
    return character in u"-–—―|·•‧:~/»«›‹→>"


cdef Py_ssize_t end_of_separator(str title, Py_ssize_t i, Py_ssize_t n) noexcept:
    """Where the separator ends that begins at i; 0 if none does.

    One is a run of dashes, bars, dots or arrows between spaces, a bar or underscore anywhere (Chinese sites), a colon
    before a space, a dash between two characters that are not ASCII.
    """
    cdef Py_UCS4 character = title[i]
    cdef Py_ssize_t end
    if is_mark(character) and title[i - 1].isspace():
        end = i + 1
        while end < n and is_mark(title[end]):
            end += 1
        if end < n and title[end].isspace():
            return end
    if is_bar(character):
        end = i + 1
        while end < n and is_bar(title[end]):
            end += 1
        return end
    if character == u":":
        return i + 1 if i + 1 < n and title[i + 1].isspace() else 0
    if is_dash(character) and title[i - 1] > 0x7F:
        end = i + 1
        while end < n and is_dash(title[end]):
            end += 1
        while end > i:
            if end < n and title[end] > 0x7F:
                return end
            end -= 1
    return 0


cdef bint may_divide(Py_UCS4 character) noexcept:
    """True for what a separator may begin with."""
    return is_mark(character) or is_bar(character) or is_dash(character)


cdef bint[128] NO_SEPARATOR         # true for what begins none
for _byte in range(128):
    NO_SEPARATOR[_byte] = not may_divide(<Py_UCS4> <int> _byte)


cdef bint next_separator(str title, Py_ssize_t* start, Py_ssize_t* end, Py_ssize_t stop) noexcept:
    """Set start and end of the next separator from `end` on and before `stop`; False if there is none. None begins a
    title.
    """
    cdef Py_ssize_t i = max(end[0], 1), found, n = min(stop, len(title))
    cdef Py_UCS4 character
    while i < n:
        character = title[i]
        if character < 0x80 and NO_SEPARATOR[<uint32_t> character] or 0xBF < character < 0x2000 or 0x2E7F < character < 0xFF00:
            i += 1              # most characters
            continue
        found = end_of_separator(title, i, n)
        if found:
            start[0], end[0] = i, found
            return True
        i += 1
    return False


cdef bint has_separators(str title, int least) except -1:
    """True if a title has at least so many separators."""
    cdef Py_ssize_t start = 0, end = 0
    while least and next_separator(title, &start, &end, MAX_TITLE):
        least -= 1
    return least == 0


cdef list titles_behind(str text, int most):
    """What stands behind the first separators of a title's first half."""
    cdef Py_ssize_t start = 0, end = 0
    cdef list found = []
    while len(found) < most and next_separator(text, &start, &end, len(text) // 2):
        found.append(text[end:].strip())
    return found


cdef class Pieces:
    """A title cut at its separators."""

    def __cinit__(self, str title not None) -> None:
        """Cuts the title."""
        cdef Py_ssize_t start = 0, end = 0, begin = 0
        self.title = title
        self.texts, self.starts, self.ends = [], [], []
        while next_separator(title, &start, &end, MAX_TITLE):
            self.texts.append(title[begin:start])
            self.starts.append(begin)
            self.ends.append(start)
            begin = end
        self.texts.append(title[begin:])
        self.starts.append(begin)
        self.ends.append(len(title))

    cdef str between(self, Py_ssize_t first, Py_ssize_t last):
        """The title from one piece to before another."""
        cdef Py_ssize_t start = self.starts[first], end = self.ends[last - 1]
        return self.title[start:end].strip()

    cdef int read_letters(self) except -1:
        if self.letters is None:
            self.letters = [key_of(text) for text in self.texts]
        return 0


cdef str joined(list letters, Py_ssize_t first, Py_ssize_t last):
    return letters[first] if last - first == 1 else "".join(letters[first:last])


# --- what is no part of a title ---

def _bytes_of(match) -> str:
    return bytes.fromhex(match[0].replace("\\x", "")).decode("utf-8", "replace")


cdef str unescaped(str text):
    """A text in which a program wrote bytes as their numbers (\\xd0\\x9f) and breaks as \\n, as it was meant."""
    if text is None or "\\" not in text or not ("\\x" in text or "\\n\\" in text or "\\t\\" in text):
        return text
    return " ".join(ESCAPED(_bytes_of, text).replace("\\n", " ").replace("\\t", " ").replace("\\r", " ").split()) or text


cdef bint is_home_name(str text) except -1:
    """True for what front pages and menus are called: Home, Startseite, Menu."""
    if len(text) > MAX_HOME:
        return False
    text = text.strip(" .!")
    return HOME_NAMES.has(text, 0, len(text))


cdef bint is_untitled(str text) except -1:
    """True for what a program calls a page that nobody named: Untitled Document, New Page 1."""
    if len(text) > MAX_UNTITLED:
        return False
    text = text.rstrip(" -_.()#0123456789")
    return UNTITLED_NAMES.has(text, 0, len(text))


cdef str without_beside(str title, set sites):
    """A title without the site's name in brackets at one of its ends, or behind an @."""
    cdef Py_ssize_t n = len(title), i
    cdef bint closes, opens
    if n < 2:
        return title
    closes, opens = title[n - 1] in u")]）】］」", title[0] in u"([（【［「"
    if not closes and not opens and u"@" not in title:
        return title
    if closes:
        i = title.rfind(<str> BRACKETS[title[n - 1]])
        if i > 0 and name_key(title[i + 1:n - 1]) in sites and is_text(title[:i]):
            return title[:i].rstrip(" -–—|:")
    if opens:
        for closing, opening in BRACKETS.items():
            i = title.find(<str> closing)
            if title[0] == <str> opening and i > 0 and name_key(title[1:i]) in sites and is_text(title[i + 1:]):
                return title[i + 1:].lstrip(" -–—|:")
    i = title.rfind(" @ ")
    if i > 0 and name_key(title[i + 3:]) in sites:
        return title[:i].rstrip()
    return title


cdef str without_labels(str title):
    """A title without "Thread:" or "Forum - View topic -" in front and "Page 2 of 5" or "(Read 12 times)" behind."""
    cdef object match
    cdef str label, rest
    if VIEWING.are_in(title):
        match = re.search(VIEW, title)
        if match is not None:
            title = title[match.end():]
    for colon in ":：":
        if colon in title:
            label, _, rest = title.partition(colon)
            rest = rest.lstrip()
            if rest and label.rstrip().lower() in THREAD_LABELS:
                title = rest
                break
    if title and title[len(title) - 1] in u")]）":
        match = re.search(READ_COUNT, title)
        if match is not None and is_text(title[:match.start()]):
            title = title[:match.start()].rstrip()
    if title and (title[len(title) - 1] in u")]" or title[len(title) - 1].isdigit()) and has_one_of(title.lower(), PAGE_WORDS):
        match = re.search(PAGE, title)
        if match is not None:
            rest = title[:match.start()].strip(" -–|,")
            return rest if is_text(rest) else title
    return title


cdef str shown_part(str title, list texts):
    """The part of a title that one of these texts is; None if none is. A colon divides no title here."""
    cdef Pieces pieces = Pieces(title)
    cdef Py_ssize_t n = len(pieces.texts), i
    cdef list keys
    if n < 2 or n > MAX_PIECES:
        return None
    pieces.read_letters()
    keys = [key_of(text) for text in texts]
    for i in range(n - 1, 0, -1):
        if title[<Py_ssize_t> pieces.ends[i - 1]] == u":":
            continue
        for part, letters in (
            (pieces.between(0, i), joined(pieces.letters, 0, i)), (pieces.between(i, n), joined(pieces.letters, i, n))
        ):
            if len(letters) >= MIN_PART and letters in keys:
                return part
    return None


# --- the title element ---

cdef bint find_part_in_address(Pieces pieces, PageUrl where, Py_ssize_t* first, Py_ssize_t* last) except -1:
    """Set the pieces of a title that the page's address names; False if it names all of them or none."""
    cdef list letters = pieces.letters
    cdef Py_ssize_t n = len(letters), i, k
    cdef str name
    if n > MAX_PIECES:
        return False
    name = where.name()
    if not name:
        return False
    if not pieces.title.isascii():
        letters = [plain_letters(text, key) for text, key in zip(pieces.texts, letters)]
    if name not in "".join(letters):
        return False
    for i in range(n):
        for k in range(i + 1, n + 1):
            if k - i < n and joined(letters, i, k) == name:
                first[0], last[0] = i, k
                return True
    return False


cdef bint find_chapter(Pieces pieces, list headings, Py_ssize_t* first, Py_ssize_t* last) except -1:
    """Set the part of a title that names the page where the title is that of a chapter and a book, and both are
    headings of the first level: the later heading. False if the title is no such one.
    """
    cdef Py_ssize_t n = len(pieces.letters), cut
    cdef list keys
    cdef str left, right
    if len(headings) < 2 or n > MAX_PIECES:
        return False
    keys = [key_of(text) for text in headings]
    for cut in range(1, n):
        left, right = joined(pieces.letters, 0, cut), joined(pieces.letters, cut, n)
        if left in keys and right in keys:
            if keys.index(left) > keys.index(right):
                first[0], last[0] = 0, cut
            else:
                first[0], last[0] = cut, n
            return True
    return False


cdef bint leaves_site(
    Pieces pieces, Py_ssize_t first, Py_ssize_t last, set named, set sites
) except -1:
    """True if a part of a title is what the page is called elsewhere.

    Nothing in the rest may be longer, and it must not follow a colon, unless it is the site's name: a heading that is
    shorter than what stands beside it, or is followed by a colon, may itself be the site's name.
    """
    cdef str part = without_the(joined(pieces.letters, first, last)), title = pieces.title
    cdef list rest
    cdef Py_ssize_t end
    if part not in named:
        return False
    rest = pieces.letters[:first] + pieces.letters[last:]
    if without_the("".join(rest)) in sites:
        return True
    if len(part) < max([len(text) for text in rest]):
        return False
    end = pieces.ends[last - 1]
    return not (first == 0 and title[end:end + 1] == ":" and not title[end - 1].isspace())


cdef int find_part_by_name(
    Pieces pieces, set named, set sites, Py_ssize_t* first, Py_ssize_t* last
) except -1:
    """Set the longest part of a title that the page names elsewhere; all of it where it names none."""
    cdef Py_ssize_t n = len(pieces.letters), i
    first[0], last[0] = 0, n
    if not named:
        return 0
    for i in range(n - 1, 0, -1):
        if leaves_site(pieces, 0, i, named, sites):
            last[0] = i
            return 0
    for i in range(1, n):
        if leaves_site(pieces, i, n, named, sites):
            first[0] = i
            return 0
    return 0


cdef int drop_site(Pieces pieces, set sites, Py_ssize_t* first, Py_ssize_t* last) except -1:
    """Leave the site's name out at the end of a part of a title, or else at its beginning; nothing where nothing would
    be left.
    """
    cdef Py_ssize_t left = first[0], right = last[0]
    while right > first[0] and without_the(pieces.letters[right - 1]) in sites:
        right -= 1
    while right == last[0] and left < right and without_the(pieces.letters[left]) in sites:
        left += 1
    if left < right:
        first[0], last[0] = left, right
    return 0


cdef str title_of(dict values, str site_name, set sites, PageUrl where):
    """The title element without the site's name; None if the page has none."""
    cdef str title, head
    cdef Pieces pieces
    cdef Py_ssize_t first = 0, last = 0, n, end
    cdef set named = set()
    if "title" not in values:
        return None
    title = without_beside((<list> values["title"])[0], sites)
    pieces = Pieces(title)
    n = len(pieces.texts)
    if n == 1:
        return title
    if site_name and n == 2:
        end = pieces.ends[0]
        head = title[:end].strip()
        if head and title[end:].lstrip(" |-–—·") == site_name:
            return head         # what a third of all titles are
    pieces.read_letters()
    if (
        find_part_in_address(pieces, where, &first, &last)
        or find_chapter(pieces, values.get("h1", []), &first, &last)
    ):
        return pieces.between(first, last)
    # OpenGraph and the like often repeat the whole title, which tells nothing.
    for key in NAMING:
        if key in values and not (key == "h1 part" and where.is_front_page):
            for text in <list> values[key]:
                if text != title:
                    named.add(name_key(text))
    if named:
        named -= sites
        named -= {"", without_the("".join(pieces.letters))}
    find_part_by_name(pieces, named, sites, &first, &last)
    # What a site's front page is called is the site's name and what it says of itself.
    if (first, last) != (0, n) or not where.is_front_page:
        drop_site(pieces, sites, &first, &last)
    return pieces.between(first, last) or title


cdef bint is_domain(str text) except -1:
    """True if a text is written as the name of a domain, as in Example.com, and is not rather that of a file."""
    cdef object match = DOMAIN(text.strip())
    return match is not None and (<str> match[1]).lower() not in SUFFIXES


cdef int add_site_at_end(dict values, bint is_declared, set sites) except -1:
    """Add the keys of the pieces behind the last separators of the title element that are the site's name.

    They are if `sites` has them together, if they are written as a domain, or if a link to the front page is called so;
    the last two only where the page declares no name of the site. No piece is added if a heading of the first level has
    them: they may belong to the headline.
    """
    cdef Pieces pieces
    cdef set homes
    cdef str key
    cdef Py_ssize_t i, n
    pieces = Pieces((<list> values["title"])[0])
    n = len(pieces.texts)
    pieces.read_letters()
    homes = set() if is_declared else {name_key(text) for text in values.get("home link", [])}
    for i in range(max(1, n - MAX_PIECES), n):
        key = without_the(joined(pieces.letters, i, n))
        if key and (
            key in homes or (i < n - 1 and key in sites)
            or (not is_declared and i == n - 1 and is_domain(pieces.texts[i]))
        ):
            for heading in values.get("h1", []):
                if key in key_of(heading):
                    return 0
            sites.update([without_the(letters) for letters in pieces.letters[i:]])
            return 0
    return 0


cdef str title_without_site(str text, set sites):
    """A title without the site's name at one of its ends."""
    text = without_beside(text, sites)
    cdef Pieces pieces = Pieces(text)
    cdef Py_ssize_t first = 0, last = len(pieces.texts)
    if last == 1:
        return text
    pieces.read_letters()
    drop_site(pieces, sites, &first, &last)
    return pieces.between(first, last) or text


# --- the headline ---

cdef bint is_text(str text) noexcept:
    """True if a text has a letter or digit."""
    cdef Py_UCS4 character
    for character in text:
        if character.isalnum():
            return True
    return False


cdef bint follows_label(str heading, str text) except -1:
    """True if a heading is a word and a colon in front of a text, as in "Collection: Wheels"."""
    cdef str label = heading.removesuffix(text).rstrip()
    return label != heading and label.endswith(":") and " " not in label


cdef bint begins_title(str title, str heading) except -1:
    """True if a title goes on after the heading with a separator that is no colon: what follows is the site then."""
    cdef str letters = key_of(heading)
    cdef Py_ssize_t start = 0, end = 0
    while next_separator(title, &start, &end, MAX_TITLE):
        if title[start] != u":" and key_of(title[:start]) == letters:
            return True
    return False


cdef bint is_greater_part(str text, str title) except -1:
    """True if a text has half of a title's letters, and does not stand before a colon, as a site's name may."""
    cdef str rest = title.removeprefix(text).lstrip()
    return 2 * len(key_of(text)) >= len(key_of(title)) and not rest.startswith(":")


cdef bint overlap(str text, str other) except -1:
    """True if the shorter of two texts shares half of its words with the other."""
    cdef TextWords words = TextWords(), others = TextWords()
    words.read(text)
    others.read(other)
    return words.n and others.n and words.shared(others) * 2 >= min(words.n, others.n)


cdef str witnessed(list headings, str linked_title, str shared, str title, list linked, PageUrl where):
    """The first heading or other title that the page's address or its only recipe or product names; None if there is
    none. The last one, the title element, needs no heading beside it to be named by the address.
    """
    cdef list texts = [text for text in (*headings, linked_title, shared, title) if text is not None]
    cdef str name = where.name()
    if name:
        for text in texts:
            if plain_letters(text, key_of(text)) == name and not (headings and text is title):
                return text
    if linked:
        name = thing(linked)
        if name is not None:
            name = key_of(name)
            for text in texts:
                if key_of(text) == name:
                    return text
    return None


cdef str headline_of(dict values, list linked, str title, set sites, PageUrl where):
    """The headline that the page's heading, JSON-LD, OpenGraph and title element agree on; `title` is title_of().

    Any two of them outvote the rest. Without agreement a heading of the first level counts if it shares half of its
    words with another of them and is no part of the title, which title_of() has looked at; the only one may be its
    greater part. Else the title counts. A front page is called what its title says.
    """
    cdef list headings = [], others, keys, candidates
    cdef str linked_title = None, shared = None, heading = None, found, copied, letters, text
    cdef Py_ssize_t i, k
    if title is not None and where.is_front_page:
        return title
    for each in values.get("h1", []):
        text = each
        if is_text(text) and name_key(text) not in sites and not is_home_name(text):
            headings.append(text.strip(ANCHORS))
    if headings and title is not None and key_of(headings[0]) == key_of(title):
        return headings[0]
    if linked:
        for each in headlines(linked):
            linked_title = title_without_site(each, sites)
            break
    for name in ("og:title", "twitter:title"):
        if name in values and not is_home_name((<list> values[name])[0]):
            shared = (<list> values[name])[0]
            break
    if "h1 part" in values:
        keys = [key_of(each) for each in (title, linked_title, shared) if each is not None]
        for each in values["h1 part"]:
            letters = key_of(each)
            if len(letters) >= MIN_PART and letters in keys and not (headings and key_of(headings[0]) in keys):
                return each
    if not headings and linked_title is None and shared is None:
        return title
    if shared is not None:
        shared = title_without_site(shared, sites)
    found = witnessed(headings, linked_title, shared, title, linked, where)
    if found is not None:
        return found
    if headings and shared and follows_label(headings[0], shared):
        return shared
    if title is not None and (headings or shared) and name_key(title) in where.site_names():
        title = None            # the site's name says nothing of the page
    others = [each for each in (linked_title, shared, title) if each is not None and is_text(each)]
    keys = [key_of(each) for each in others]
    for each in headings:
        if key_of(each) in keys:
            heading = each
            break
    if heading is None:
        for each in headings:
            text = each
            if (
                not title or begins_title(title, text) or key_of(text) not in key_of(title)
                or (len(headings) == 1 and is_greater_part(text, title))
            ):
                for other in others:
                    if overlap(text, other):
                        heading = text
                        break
            if heading is not None:
                break
    if heading is not None and linked_title is None and title is not None and shared is not None:
        copied = key_of(title)  # if og:title is a copy of the title element, it is no second witness
        if key_of(shared) == copied and copied not in key_of(heading):
            return heading
    candidates = ([heading] if heading is not None else []) + others
    for i in range(len(candidates)):
        letters = key_of(candidates[i])
        for k in range(i + 1, len(candidates)):
            if letters == key_of(candidates[k]):
                return heading if heading is not None and begins_title(candidates[i], heading) else candidates[i]
    if not headings and shared is not None and is_text(shared):
        return shared
    return heading or title or shared or (headings[0] if headings else None)

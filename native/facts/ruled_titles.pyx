# SPDX-License-Identifier: Apache-2.0
"""The headline of a page by rules, where its main text is not known: what its heading, JSON-LD, OpenGraph and title element
agree on, without the site's name. headlines.pyx weighs what may be that of other pages.
"""

from thresher.native.facts.letters cimport key_of
from thresher.native.facts.labels import ANCHORS, TITLE_ELEMENTS
from thresher.native.facts.page_data cimport headlines, thing
from thresher.native.facts.page_url cimport PageUrl, TextWords, name_key, plain_letters, without_the
from thresher.native.facts.titles cimport (
    MAX_PIECES, MAX_TITLE, MIN_PART, Pieces, is_home_name, is_text, joined, next_separator, title_without_site,
    without_beside, without_site
)

cdef tuple NAMING = (*TITLE_ELEMENTS, "h1", "h1 part")      # what may name a part of the title element


# --- the title element ---

cdef tuple part_in_address(Pieces pieces, str name):
    """The part of a title that the page's name in its address is; None if that is all of it or no part."""
    cdef list letters = pieces.letters
    cdef Py_ssize_t n = len(letters), i, k
    if not name or n > MAX_PIECES:
        return None
    if not pieces.title.isascii():
        letters = [plain_letters(text, key) for text, key in zip(pieces.texts, letters)]
    if name not in "".join(letters):
        return None
    for i in range(n):
        for k in range(i + 1, n + 1):
            if k - i < n and joined(letters, i, k) == name:
                return i, k
    return None


cdef tuple chapter_in(Pieces pieces, list headings):
    """The part of a title that names the page where the title is that of a chapter and a book, and both are headings of
    the first level: the later heading. None if the title is no such one.
    """
    cdef Py_ssize_t n = len(pieces.letters), i
    cdef list keys = [key_of(text) for text in headings] if len(headings) > 1 and n <= MAX_PIECES else []
    cdef str left, right
    for i in range(1, n if keys else 0):
        left, right = joined(pieces.letters, 0, i), joined(pieces.letters, i, n)
        if left in keys and right in keys:
            if keys.index(left) > keys.index(right):
                return 0, i
            return i, n
    return None


cdef bint leaves_site(Pieces pieces, Py_ssize_t first, Py_ssize_t last, set named, set sites) except -1:
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


cdef tuple named_part(Pieces pieces, set named, set sites):
    """The longest part of a title that the page names elsewhere; all of it where it names none."""
    cdef Py_ssize_t n = len(pieces.letters), i
    for i in range(n - 1, 0, -1):
        if leaves_site(pieces, 0, i, named, sites):
            return 0, i
    for i in range(1, n):
        if leaves_site(pieces, i, n, named, sites):
            return i, n
    return 0, n


cdef str title_of(dict values, str site_name, set sites, PageUrl where):
    """The title element without the site's name; None if the page has none."""
    cdef str title, head
    cdef Pieces pieces
    cdef Py_ssize_t n
    cdef set named
    cdef tuple part
    if "title" not in values:
        return None
    title = without_beside((<list> values["title"])[0], sites)
    pieces = Pieces(title)
    n = len(pieces.texts)
    if n == 1:
        return title
    if site_name and n == 2:
        head = pieces.between(0, 1)
        if head and title[<Py_ssize_t> pieces.ends[0]:].lstrip(" |-–—·") == site_name:
            return head         # what a third of all titles are
    pieces.read_letters()
    part = part_in_address(pieces, where.name()) or chapter_in(pieces, values.get("h1", []))
    if part is None:
        # OpenGraph and the like often repeat the whole title, which tells nothing.
        named = {
            name_key(text) for name in NAMING if not (name == "h1 part" and where.is_front_page)
            for text in values.get(name, ()) if text != title
        } - sites - {"", without_the("".join(pieces.letters))}
        part = named_part(pieces, named, sites)
        # What a site's front page is called is the site's name and what it says of itself.
        if part != (0, n) or not where.is_front_page:
            part = without_site(pieces, part, sites)
    return pieces.between(part[0], part[1]) or title


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


# --- the headline ---

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


cdef str glued_heading(dict values, list headings, list titles):
    """The part of a heading that one of the titles is, if the first heading is none; None if there is no such part."""
    cdef set keys = {key_of(each) for each in titles if each is not None}
    cdef str letters
    if headings and key_of(headings[0]) in keys:
        return None
    for each in values.get("h1 part", []):
        letters = key_of(each)
        if len(letters) >= MIN_PART and letters in keys:
            return each
    return None


cdef str supported_heading(list headings, list others, str title):
    """The first heading that has the letters of another title, else the first that shares half of its words with one and
    is no part of the title element, or its greater part if there is no other heading; None if there is none.
    """
    cdef set keys = {key_of(each) for each in others}
    cdef str text
    for each in headings:
        if key_of(each) in keys:
            return each
    for each in headings:
        text = each
        if (
            not title or begins_title(title, text) or key_of(text) not in key_of(title)
            or (len(headings) == 1 and is_greater_part(text, title))
        ):
            for other in others:
                if overlap(text, other):
                    return text
    return None


cdef str agreed(list texts):
    """The first text whose letters a later one has; None if there is none."""
    cdef list keys = [key_of(each) for each in texts]
    cdef Py_ssize_t i
    for i in range(len(keys)):
        if keys[i] in keys[i + 1:]:
            return texts[i]
    return None


cdef str headline_of(dict values, list linked, str title, set sites, PageUrl where):
    """The headline that the page's heading, JSON-LD, OpenGraph and title element agree on; `title` is title_of().

    Any two of them outvote the rest. Without agreement a heading of the first level counts if it shares half of its
    words with another of them and is no part of the title, which title_of() has looked at; the only one may be its
    greater part. Else the title counts. A front page is called what its title says.
    """
    cdef list headings, others
    cdef str linked_title = None, shared = None, heading, found, copied
    if title is not None and where.is_front_page:
        return title
    headings = [
        (<str> text).strip(ANCHORS) for text in values.get("h1", [])
        if is_text(text) and name_key(text) not in sites and not is_home_name(text)
    ]
    if headings and title is not None and key_of(headings[0]) == key_of(title):
        return headings[0]
    for text in headlines(linked)[:1] if linked else ():
        linked_title = title_without_site(text, sites)
    for name in ("og:title", "twitter:title"):
        if shared is None and name in values and not is_home_name((<list> values[name])[0]):
            shared = (<list> values[name])[0]
    found = glued_heading(values, headings, [title, linked_title, shared])
    if found is not None:
        return found
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
    heading = supported_heading(headings, others, title)
    if heading is not None and linked_title is None and title is not None and shared is not None:
        copied = key_of(title)  # if og:title is a copy of the title element, it is no second witness
        if key_of(shared) == copied and copied not in key_of(heading):
            return heading
    found = agreed([heading, *others] if heading is not None else others)
    if found is not None:
        return heading if heading is not None and begins_title(found, heading) else found
    if not headings and shared is not None and is_text(shared):
        return shared
    return heading or title or shared or (headings[0] if headings else None)

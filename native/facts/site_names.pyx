# SPDX-License-Identifier: Apache-2.0
"""Where a page writes its site's name without saying that it is one: the links to its front page, the line of rights, the
titles of its feeds and of its search, the alternative texts of logos, and the words of its host, as in "Lower Mill" on
lowermill.example.
"""

import re

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr

from thresher.native.base.characters cimport equals_ascii, is_ascii_letter_or_digit
from thresher.native.facts.labels import NO_HOLDERS
from thresher.native.facts.metadata cimport NAMES_LOGO, REL_SEARCH, TYPE_FEED, attribute_says, clean, text_below, text_in
from thresher.native.parsing.document cimport Document, Hold
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *

cdef enum:
    FIRST = 200         # nodes at the beginning of the page and
    LAST = 250          # at its end that are looked at: mastheads and imprints
    MAX_TEXT = 2000     # bytes of a text that are searched
    MAX_VALUES = 2      # of each kind
    MAX_IMAGES = 6      # that are asked whether they are logos
    MAX_GAP = 3         # bytes between two words of a host: " & "
    MIN_LABEL = 3       # letters of a host's label; one of so few is looked for as one word
    MAX_LABEL = 40
    MAX_LABELS = 2
    MAX_HOMES = 8       # links to the front page
    MAX_HREF = 128      # bytes of an address of one; nodes of such a link, or of what holds a line of rights
    MAX_BEHIND = 600    # nodes at the end of the page that are searched for that line
    MAX_RIGHTS = 200    # bytes of it
    MAX_HOLDER = 50     # characters of a holder's name

_BEHIND_NAME = (
    r"版权所有|版權所有|保留|無断|\b(?:all rights|alle rechte|tous droits|todos los|todos os|tutti i|wszelkie|všechna|все права|"
    r"some rights|tüm hakları|reserved|powered|design|website by|site by)"
)
# No full stop ends a name behind an initial or an abbreviation (J., St., Mrs.) that is not a company's (Inc., B.V.).
_STOP = (
    r"(?:(?<=\b(?:inc|ltd|llc|plc|pty|srl|spa|kft|sdn|bhd))|(?<=\b(?:co|oy|ag|sa|ab|as|bv|kg|sp))|(?<=[^\W\d_]\.[^\W\d_])"
    r"|(?<!\b[^\W\d_])(?<!\b(?-i:[A-Z][a-z]))(?<!\b(?-i:[A-Z][a-z]{2})))\."
)
cdef object RIGHTS = re.compile(
    r"(?:©|\(c\)|copyright)[\s©®]*+(?:copyright)?[\s\d©,/–-]*+(?:(?:by|bei|por|par|von)\s+)?"
    rf"([^\d©|•·\n<>]{{2,60}}?(?:\s\d{{1,3}}(?=\s*(?:$|[|•·©]|\.(?:\s|$)|{_BEHIND_NAME})))?)"
    rf"(?=\s*(?:$|[|•·©(\d]|(?:{_STOP}|[,;:])(?:\s|$)|\s[-–—]\s|{_BEHIND_NAME}))",
    re.IGNORECASE,
).match
cdef object NO_HOLDER = re.compile(rf"(?:{NO_HOLDERS}|\W*(?:\s.*)?|(?:[^\W\d_]\.)+[^\W\d_])", re.IGNORECASE).fullmatch


# --- links to the front page, lines of rights ---

cdef bint is_home(Slice href, Slice host) noexcept nogil:
    """True if an address is "/", or that of the front page of a host (empty for none): a path of "/", nothing behind it.
    """
    href = without_space(href)
    if href.length == 1:
        return href.data[0] == c"/"
    if host.length == 0:
        return False
    if not take_prefix(&href, b"http:"):
        take_prefix(&href, b"https:")
    if not take_prefix(&href, b"//"):
        return False
    take_prefix(&href, b"www.")
    if href.length == host.length + 1 and ends(href, b"/"):
        href.length -= 1
    return equals_ascii(href.data, href.length, <const char*> host.data, host.length)


cdef uint32_t next_link(const Tree* tree, uint32_t n) noexcept nogil:
    """The first link from node n on, outside templates; tree.n_nodes if there is none."""
    cdef const Node* node = tree.nodes + n
    cdef const Node* end = tree.nodes + tree.n_nodes
    while node < end and not is_html(node, TAG_A):
        node = tree.nodes + node.end if is_html(node, TAG_TEMPLATE) else node + 1
    return <uint32_t> (node - tree.nodes)


cdef str name_of_link(const Tree* tree, uint32_t node):
    """The text of a link, otherwise the alternative text of its first image, otherwise its title; None if none has
    one.
    """
    cdef uint32_t n, end = min(tree.nodes[node].end, node + <uint32_t> MAX_HREF)
    cdef str text = text_below(tree, node)
    if text is not None:
        return text
    for n in range(node + 1, end):
        if tree.nodes[n].kind == KIND_ELEMENT and tree.nodes[n].tag == TAG_IMG:
            text = text_in(tree, n, ATTR_ALT)
            break
    return text or text_in(tree, node, ATTR_TITLE)


def find_home_names(Document document not None, str host not None) -> list[str]:
    """What the first links to the front page are called: text, otherwise the image's alternative text, otherwise title.

    A front page is "/" or that of `host`, in lower case and without "www."; without a host ("") only "/".
    """
    cdef const Tree* tree = &document.tree
    cdef uint32_t n = 0
    cdef int homes = 0
    cdef bytes written = host.encode("utf-8", "ignore")
    cdef Slice own = slice_of(written), href
    cdef list found = []
    cdef str text
    cdef Hold held = Hold(document)
    while homes < MAX_HOMES:
        n = next_link(tree, n)
        if n == tree.n_nodes:
            break
        href = value_in(tree, n, ATTR_HREF)
        if 0 < href.length <= MAX_HREF and is_home(href, own):
            homes += 1
            text = name_of_link(tree, n)
            if text is not None and text not in found:
                found.append(text)
        n += 1
    return found


cdef bint holds_rights(Slice text) noexcept nogil:
    """True if a text has a sign of copyright, or begins with the word."""
    cdef const uint8_t* sign = text.data
    cdef const uint8_t* end = text.data + min(text.length, <uint32_t> MAX_RIGHTS)
    if begins_word(text, b"copyright") or begins_word(text, b"(c)"):
        return True
    while sign + 1 < end:
        sign = <const uint8_t*> memchr(sign + 1, 0xA9, end - sign - 1)
        if sign == NULL:
            return False
        if (sign - 1)[0] == 0xC2:       # not the second byte of another letter
            return True
    return False


cdef object holder_in(str text):
    """Where a text says who holds the rights, as a match; None if it does not."""
    cdef Py_ssize_t i, behind = 0
    cdef object match
    for i in range(len(text)):
        if i >= behind and text[i] in u"©(cC":
            match = RIGHTS(text, i)
            if match is not None:
                return match
            behind = i + 1
            while behind < len(text) and (text[behind] in u"©®,/–-" or text[behind].isspace() or text[behind].isdecimal()):
                behind += 1     # from no other sign of these the outcome is another
    return None


def find_rights(Document document not None) -> str | None:
    """Who holds the rights by the last line of the page that says so, as in "© 2014 Acme Ltd. All rights reserved."; None
    if no line does. The last 600 nodes are looked at.
    """
    cdef const Tree* tree = &document.tree
    cdef uint32_t n = tree.n_nodes, last = tree.n_nodes - min(tree.n_nodes, <uint32_t> MAX_BEHIND), at, i
    cdef Slice slice
    cdef str text
    cdef object match
    cdef Hold held = Hold(document)
    while n > last:
        n -= 1
        if tree.nodes[n].kind != KIND_TEXT or tree.nodes[tree.nodes[n].parent].tag in (TAG_SCRIPT, TAG_STYLE):
            continue
        slice = without_space(text_of(tree, n))
        if slice.length < 2 or not holds_rights(slice):
            continue
        at = tree.nodes[n].parent
        for i in range(2):      # the name may stand in a link beside the sign
            if tree.nodes[at].tag < TAG_COUNT and TAG_LAYOUT[tree.nodes[at].tag] & LAYOUT_NO_BREAK:
                at = tree.nodes[at].parent
        text = text_below(tree, at) if tree.nodes[at].end - at <= MAX_HREF else clean(slice.data, slice.length)
        match = holder_in(text) if text else None
        if match is not None:
            text = match[1].strip(" .,-–—|·•:®™\"'")
            if 2 < len(text) <= MAX_HOLDER and not NO_HOLDER(text):
                return text
    return None


# --- feeds, logos, words of the host ---

cdef uint32_t end_of_words(Slice text, uint32_t i, Slice label) noexcept nogil:
    """Where the words end that begin at i, if their letters are those of a label; otherwise 0."""
    cdef uint32_t k = 0, gap = 0
    while i < text.length and k < label.length:
        if is_ascii_letter_or_digit(text.data[i]):
            if text.data[i] | 0x20 != label.data[k]:
                return 0
            k += 1
            gap = 0
        elif text.data[i] in b" -&.'_\n" and gap < MAX_GAP and label.length > MIN_LABEL:
            gap += 1
        else:
            return 0
        i += 1
    return i if k == label.length and (i == text.length or not is_ascii_letter_or_digit(text.data[i])) else 0


cdef int add_spellings(dict found, Slice text, Slice label, bytes suffix) except -1:
    """Count how a text, not shorter than a label, writes it; with its suffix, if that follows. Not in small letters, nor
    in addresses with a path or "www.".
    """
    cdef const uint8_t* data = text.data
    cdef uint32_t i, end, n_suffix = <uint32_t> len(suffix)
    cdef str words
    text = first_bytes(text, MAX_TEXT)
    for i in range(text.length - label.length + 1):
        if data[i] | 0x20 != label.data[0]:     # a digit stays what it is
            continue
        if i and (is_ascii_letter_or_digit(data[i - 1]) or data[i - 1] >= 0x80 or data[i - 1] in b"@/.-_#"):
            continue
        end = end_of_words(text, i, label)
        if not end:
            continue
        if n_suffix and end + n_suffix <= text.length and (<bytes> data[end:end + n_suffix]).lower() == suffix:
            end += n_suffix
        if end + 1 < text.length and data[end] in b"./@" and is_ascii_letter_or_digit(data[end + 1]):
            continue
        words = clean(data + i, end - i)
        if words.islower():
            continue
        found[words] = found.get(words, 0) + 1
    return 0


cdef bint is_logo(const Tree* tree, uint32_t node) noexcept nogil:
    """True for an image whose text, class, id or address says that it is a logo."""
    return (
        attribute_says(tree, node, ATTR_ALT, NAMES_LOGO) or attribute_says(tree, node, ATTR_CLASS, NAMES_LOGO)
        or attribute_says(tree, node, ATTR_ID, NAMES_LOGO) or attribute_says(tree, node, ATTR_SRC, NAMES_LOGO)
    )


cdef bint is_feed(const Tree* tree, uint32_t node) noexcept nogil:
    """True for a link element to a feed or to the description of the site's search."""
    return attribute_says(tree, node, ATTR_TYPE, TYPE_FEED) or attribute_says(tree, node, ATTR_REL, REL_SEARCH)


cdef inline bint is_read(uint32_t tag) noexcept nogil:
    """True for an element whose text is shown."""
    return tag >= TAG_COUNT or not TAG_LAYOUT[tag] & LAYOUT_SKIPPED


cdef inline Slice slice_of(bytes text) noexcept:
    return Slice(data=<const uint8_t*> <const char*> text, length=<uint32_t> len(text))


def find_site_names(Document document not None, tuple labels not None, str suffix not None, list texts not None) -> (
    dict[str, list[str]]
):
    """Values by what they are: "feed" (titles of feeds and of the search), "logo" (alternative texts), "host words" (how
    the page writes one of `labels`, parts of its host as letters and digits, the most frequent first). Of the page its
    beginning and its end are read; for the words of the host only if none of `texts` has them. `suffix` is what follows
    the label in the host, as in ".co.uk".
    """
    cdef const Tree* tree = &document.tree
    cdef uint32_t n = 0, images = 0
    cdef dict feeds = {}, logos = {}, words = {}, found = {}
    cdef list written, names = [own.encode() for own in labels if own.isascii() and MIN_LABEL <= len(own) <= MAX_LABEL]
    cdef bytes label, behind = suffix.encode("utf-8", "ignore").lower(), text
    cdef Slice[MAX_LABELS] sought
    cdef uint32_t k, n_labels = 0
    cdef Hold held = Hold(document)
    written = [(<str> each).encode("utf-8", "ignore") for each in texts] if names else []
    for label in names[:MAX_LABELS]:
        sought[n_labels] = slice_of(label)
        for text in written:
            if len(text) >= len(label):
                add_spellings(words, slice_of(text), sought[n_labels], behind)
        n_labels += 1
    if words:
        n_labels = 0
    while n < tree.n_nodes:
        if n == FIRST and tree.n_nodes > FIRST + LAST:
            n = tree.n_nodes - LAST
        if tree.nodes[n].kind == KIND_TEXT:
            for k in range(n_labels):
                if tree.nodes[n].length >= sought[k].length and is_read(tree.nodes[tree.nodes[n].parent].tag):
                    add_spellings(words, text_of(tree, n), sought[k], behind)
        elif tree.nodes[n].tag == TAG_LINK:
            if not feeds and value_in(tree, n, ATTR_TITLE).length and is_feed(tree, n):
                feeds[text_in(tree, n, ATTR_TITLE)] = None
        elif tree.nodes[n].tag == TAG_IMG and images < MAX_IMAGES and len(logos) < MAX_VALUES:
            if value_in(tree, n, ATTR_ALT).length:
                images += 1
                if is_logo(tree, n):
                    logos[text_in(tree, n, ATTR_ALT)] = None
        n += 1
    for name, values in (
        ("feed", feeds), ("logo", logos), ("host words", sorted(words, key=words.get, reverse=True)[:MAX_VALUES])
    ):
        kept = [value for value in values if value is not None]
        if kept:
            found[name] = kept
    return found

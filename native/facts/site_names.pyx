# SPDX-License-Identifier: Apache-2.0
"""Where a page writes its site's name without saying that it is one: the titles of its feeds and of its search, the
alternative texts of logos, and the words of its host, as in "Lower Mill" on lowermill.example.
"""

from libc.stdint cimport uint32_t

from thresher.native.base.characters cimport is_ascii_letter_or_digit
from thresher.native.facts.metadata cimport NAMES_LOGO, REL_SEARCH, TYPE_FEED, attribute_says, clean, text_in
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

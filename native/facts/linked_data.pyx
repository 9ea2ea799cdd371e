# SPDX-License-Identifier: Apache-2.0
"""Scans a page's JSON-LD, and gives its strings, its objects and its prose."""

import json

cimport cython
from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memchr, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY, make_room
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.word_table cimport WordTable, fill_words, value_of_word
from thresher.native.parsing.document cimport Document, Hold
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *


cdef object JSON = json.JSONDecoder(strict=False)

cdef enum:
    MAX_DEPTH = 64              # nested brackets; deeper ones are left out
    MAX_FACT = 4096             # bytes of a name or a date; a longer one is none
    READ_FACT = 1000            # bytes of it that are read
    MAX_OF_KEY = 20             # strings or objects of one property of an object that become facts
    KEPT_STRINGS = 4096         # room for strings that is kept for the next page
    MIN_PROSE = 60              # shortest string of an unknown property that is kept, in bytes
    MAX_PARENTS = 8             # enclosing objects that are searched for a string's group


KEYS = {    # the spellings of each property, the first for its name
    KEY_TYPE: "@type", KEY_ID: "@id", KEY_GRAPH: "@graph", KEY_MAIN: "mainEntity mainEntityOfPage",
    KEY_HEADLINE: "headline", KEY_NAME: "name", KEY_GIVEN: "givenName", KEY_FAMILY: "familyName",
    KEY_PUBLISHED: "datePublished", KEY_MODIFIED: "dateModified", KEY_CREATED: "dateCreated", KEY_UPLOADED: "uploadDate",
    KEY_AUTHOR: "author authors", KEY_CREATOR: "creator", KEY_PUBLISHER: "publisher",
    KEY_ARTICLE_BODY: "articleBody", KEY_TEXT: "text", KEY_DESCRIPTION: "description",
    KEY_INGREDIENT: "recipeIngredient ingredients", KEY_INSTRUCTIONS: "recipeInstructions instructions",
    KEY_ANSWER: "acceptedAnswer suggestedAnswer", KEY_COMMENT: "comment comments", KEY_REVIEW: "review reviews",
    KEY_REVIEW_BODY: "reviewBody",
}
KEY_NAMES = {key: spellings.split()[0] for key, spellings in KEYS.items()}
GROUP_NAMES = ("article", "recipe", "talk", "product", "other", "fact")
TYPE_NAMES = {
    TYPE_ARTICLE: "article", TYPE_RECIPE: "recipe", TYPE_PRODUCT: "product", TYPE_FORUM: "forum",
    TYPE_QUESTION: "question", TYPE_ANSWER: "answer", TYPE_COMMENT: "comment", TYPE_REVIEW: "review", TYPE_FAQ: "faq",
    TYPE_LIST: "list", TYPE_DOCUMENTATION: "documentation", TYPE_STEP: "step", TYPE_PAGE: "page", TYPE_SITE: "site",
    TYPE_ORGANIZATION: "organization", TYPE_VIDEO: "video", TYPE_EVENT: "event", TYPE_JOB: "job",
}
TYPES = {   # the names of types, without an address in front; of patterns the first that matches counts
    TYPE_ARTICLE | TYPE_NEWS: "*NewsArticle",
    TYPE_ARTICLE | TYPE_DOCUMENTATION: "TechArticle",
    TYPE_ARTICLE: "Report *Article *Posting",
    TYPE_FORUM: "DiscussionForumPosting SocialMediaPosting QAPage",
    TYPE_JOB: "JobPosting",
    TYPE_RECIPE: "Recipe",
    TYPE_PRODUCT: "IndividualProduct Vehicle Product* product* PRODUCT*",
    TYPE_QUESTION: "Question",
    TYPE_ANSWER: "Answer",
    TYPE_COMMENT: "Comment",
    TYPE_REVIEW: "*Review",
    TYPE_FAQ: "FAQPage",
    TYPE_LIST: "ItemList CollectionPage SearchResultsPage OfferCatalog ProductCollection",
    TYPE_DOCUMENTATION: "APIReference",
    TYPE_STEP: "HowToStep HowToSection",
    TYPE_SITE: "WebSite",
    TYPE_PAGE: "*Page",
    TYPE_ORGANIZATION: "Corporation *Organization",
    TYPE_VIDEO: "VideoObject",
    TYPE_EVENT: "*Event",
}

cdef WordTable KEY_TABLE
cdef WordTable TYPE_TABLE
fill_words(&KEY_TABLE, KEYS, exact=True)
fill_words(&TYPE_TABLE, TYPES, exact=True)


cdef uint32_t type_of(Slice name) noexcept nogil:
    """The LinkedType bits for a type name, with or without an address in front; 0 for all others."""
    cdef uint32_t i = name.length
    while i > 0 and name.data[i - 1] != c"/" and name.data[i - 1] != c"#" and name.data[i - 1] != c":":
        i -= 1
    return value_of_word(&TYPE_TABLE, name.data + i, name.length - i)


cdef uint32_t end_of_string(const uint8_t* data, uint32_t start, uint32_t end, bint is_strict) noexcept nogil:
    """The closing quotation mark of the string that begins at `start`; `end` if it has none before that.

    Unless `is_strict`, there may be unescaped ones in it, recognised by what follows: the closing one is followed by a
    comma, a colon, a bracket, another string or the end.
    """
    cdef uint32_t at = start, i
    cdef const uint8_t* quote
    while at < end:
        quote = <const uint8_t*> memchr(data + at, c'"', end - at)
        if quote == NULL:
            return end
        at = <uint32_t> (quote - data)
        i = at
        while i > start and data[i - 1] == c"\\":
            i -= 1
        if (at - i) & 1 == 0:
            i = at + 1
            while not is_strict and i < end and is_space(data[i]):
                i += 1
            if is_strict or i == end or data[i] in b',:}]";/':
                return at
        at += 1
    return end


ctypedef struct Frame:
    uint8_t is_object
    uint8_t key             # of the next value in an object; of all values in a list
    uint8_t expects_key
    uint16_t object         # the object that the values belong to


cdef bint is_known(uint8_t key) noexcept nogil:
    """True if a property's strings are kept even if short."""
    return key >= KEY_HEADLINE or key == KEY_ID


cdef bint is_fact(uint8_t key) noexcept nogil:
    return key == KEY_ID or KEY_HEADLINE <= key <= KEY_PUBLISHER


cdef void start_linked_data(LinkedData* linked) noexcept nogil:
    """Begin a page. The memory is kept from page to page, unless a huge page needed it."""
    if linked.strings_capacity > KEPT_STRINGS:
        free_linked_data(linked)
    linked.n_objects = linked.n_strings = linked.types = 0
    linked.failed = False


cdef void free_linked_data(LinkedData* linked) noexcept nogil:
    """Free the memory."""
    free(linked.objects)
    free(linked.strings)
    memset(linked, 0, sizeof(LinkedData))


cdef size_t linked_data_bytes(const LinkedData* linked) noexcept nogil:
    """Bytes of memory held."""
    return linked.objects_capacity * sizeof(LinkedObject) + linked.strings_capacity * sizeof(LinkedString)


cdef int read_linked_data(LinkedData* linked, const Tree* tree) noexcept nogil:
    """Read all scripts of the page; 0, or OUT_OF_MEMORY."""
    cdef uint32_t n = 0
    cdef const Node* node
    start_linked_data(linked)
    while n < tree.n_nodes:
        node = tree.nodes + n
        if node.kind == KIND_CONTENT:
            n = node.end
            continue
        if is_html(node, TAG_SCRIPT) and is_linked_data(tree, n):
            add_linked_script(linked, tree, n)
        n += 1
    return finish_linked_data(linked)


cdef void add_linked_script(LinkedData* linked, const Tree* tree, uint32_t node) noexcept nogil:
    """Read one more script. finish_linked_data() follows the last one."""
    cdef Slice text
    cdef uint32_t n
    for n in range(node + 1, tree.nodes[node].end):
        if tree.nodes[n].kind == KIND_TEXT:
            text = text_of(tree, n)
            scan_script(linked, text.data, text.length, tree.nodes[n].start)
            return


cdef uint16_t add_object(LinkedData* linked, uint16_t parent, uint8_t key) noexcept nogil:
    """The index of a new object; NO_OBJECT if there are too many, or no memory."""
    cdef LinkedObject* found
    if linked.n_objects == NO_OBJECT:
        return NO_OBJECT
    if make_room(&linked.objects, &linked.objects_capacity, <size_t> linked.n_objects + 1) < 0:
        linked.failed = True
        return NO_OBJECT
    found = linked.objects + linked.n_objects
    found.types = 0
    found.parent = parent
    found.key = key
    found.of_page = parent == NO_OBJECT or (
        (key == KEY_GRAPH or key == KEY_MAIN) and linked.objects[parent].of_page != 0
    )
    linked.n_objects += 1
    return <uint16_t> (linked.n_objects - 1)


cdef void add_string(
    LinkedData* linked, const uint8_t* data, uint32_t start, uint32_t end, uint32_t address, uint8_t key,
    uint16_t object
) noexcept nogil:
    cdef LinkedString* found
    cdef uint32_t length = end - start
    if key == KEY_TYPE:
        if object != NO_OBJECT:
            linked.objects[object].types |= type_of(Slice(data=data + start, length=length))
        return
    if length == 0:
        return
    if is_fact(key):
        if length > MAX_FACT:
            return
    elif not is_known(key) and (length < MIN_PROSE or memchr(data + start, c" ", length) == NULL):
        return
    if make_room(&linked.strings, &linked.strings_capacity, <size_t> linked.n_strings + 1) < 0:
        linked.failed = True
        return
    found = linked.strings + linked.n_strings
    found.start = address + start
    found.length = length
    found.object = object
    found.key = key
    found.group = GROUP_OTHER
    linked.n_strings += 1


cdef void scan_script(LinkedData* linked, const uint8_t* data, uint32_t length, uint32_t address) noexcept nogil:
    cdef Frame[MAX_DEPTH] frames
    cdef Frame* top = NULL
    cdef uint32_t i = 0, end, depth = 0, too_deep = 0, strings_before = 0, key_start = 0, key_length = 0
    cdef uint16_t around
    cdef uint8_t byte, key
    cdef bint after_string = False
    while i < length:
        byte = data[i]
        if byte == c'"':
            end = end_of_string(data, i + 1, length, False)
            strings_before = linked.n_strings
            if depth and not too_deep:
                if top.is_object and top.expects_key:
                    top.key = KEY_NONE
                elif end < length:
                    add_string(linked, data, i + 1, end, address, top.key, top.object)
                key_start, key_length = i + 1, end - i - 1
                after_string = True
            i = end + 1
            continue
        i += 1
        if byte == c":":
            while depth > 1 and not too_deep and after_string and not top.is_object:
                depth -= 1              # a list was not closed: its last string is a property of the surrounding object
                top = frames + depth - 1
            if depth and not too_deep and top.is_object and after_string:
                if not top.expects_key:
                    linked.n_strings = strings_before     # a comma was missing: it was not a value
                top.key = <uint8_t> value_of_word(&KEY_TABLE, data + key_start, key_length)
                top.expects_key = False
            after_string = False
        elif byte == c",":
            after_string = False
            if depth and not too_deep and top.is_object:
                top.expects_key = True
        elif byte == c"{" or byte == c"[":
            after_string = False
            if depth == MAX_DEPTH:
                too_deep += 1
                continue
            key = top.key if depth else <uint8_t> KEY_NONE
            around = top.object if depth else <uint16_t> NO_OBJECT
            top = frames + depth
            depth += 1
            top.is_object = byte == c"{"
            top.expects_key = top.is_object
            top.key = KEY_NONE if top.is_object else key
            top.object = add_object(linked, around, key) if top.is_object else around
        elif byte == c"}" or byte == c"]":
            after_string = False
            if too_deep:
                too_deep -= 1
            elif depth:
                # A bracket of the other kind is missing: this one closes the surrounding value too.
                if depth > 1 and top.is_object != (byte == c"}") and frames[depth - 2].is_object == (byte == c"}"):
                    depth -= 1
                depth -= 1
                top = frames + depth - 1 if depth else NULL


cdef int finish_linked_data(LinkedData* linked) noexcept nogil:
    """Find the group of each string, now that the types of all objects are known; 0, or OUT_OF_MEMORY."""
    cdef uint32_t i
    linked.types = 0
    for i in range(linked.n_objects):
        if linked.objects[i].of_page:
            linked.types |= linked.objects[i].types
    for i in range(linked.n_strings):
        linked.strings[i].group = group_of(linked, linked.strings + i)
    return OUT_OF_MEMORY if linked.failed else 0


cdef uint8_t group_of(const LinkedData* linked, const LinkedString* string) noexcept nogil:
    cdef uint16_t at = string.object
    cdef const LinkedObject* object
    cdef uint32_t steps = 0, types = 0
    if string.key == KEY_INGREDIENT or string.key == KEY_INSTRUCTIONS:
        return GROUP_RECIPE
    if is_fact(string.key) and string.key != KEY_NAME and string.key != KEY_HEADLINE:
        return GROUP_FACT
    while at != NO_OBJECT and steps < MAX_PARENTS:
        THRESHER_CHECK(at < linked.n_objects)
        object = linked.objects + at
        if steps == 0:
            types = object.types
        if object.types & TYPE_STEP or object.key == KEY_INSTRUCTIONS:
            return GROUP_RECIPE
        if (
            object.types & (TYPE_QUESTION | TYPE_ANSWER | TYPE_COMMENT | TYPE_REVIEW)
            or object.key == KEY_ANSWER or object.key == KEY_COMMENT or object.key == KEY_REVIEW
        ):
            # names of people are not part of the talk
            return GROUP_TALK if string.key != KEY_NAME or types & TYPE_QUESTION else GROUP_FACT
        at = object.parent
        steps += 1
    if string.key == KEY_REVIEW_BODY:
        return GROUP_TALK
    if string.key == KEY_ARTICLE_BODY or string.key == KEY_TEXT:
        return GROUP_TALK if types & TYPE_FORUM else GROUP_ARTICLE
    if string.key == KEY_NAME or string.key == KEY_HEADLINE:
        return GROUP_FACT
    if string.key == KEY_DESCRIPTION and types & TYPE_PRODUCT:
        return GROUP_PRODUCT
    return GROUP_OTHER


cdef bint is_linked_data(const Tree* tree, uint32_t node) noexcept nogil:
    """True for a script of type application/ld+json, with or without parameters."""
    cdef Slice kind = without_leading_space(value_in(tree, node, ATTR_TYPE))
    return take_prefix(&kind, b"application/ld+json") and (kind.length == 0 or is_space(kind.data[0]) or kind.data[0] == c";")


cdef str json_text(Slice written):
    """A string of JSON with its escapes resolved. Quotation marks in it may be escaped or not."""
    cdef bytes copied = written.data[:written.length]
    cdef str text
    if b"\\" not in copied:
        return copied.decode("utf-8", "replace")
    try:
        text = JSON.decode(
            (b'"' + copied.replace(b'\\"', b"\\u0022").replace(b'"', b"\\u0022") + b'"').decode("utf-8", "surrogatepass")
        )
    except ValueError:
        text = copied.decode("utf-8", "replace").replace("\\n", "\n").replace("\\/", "/").replace('\\"', '"')
    return text.encode("utf-8", "replace").decode("utf-8")    # a lone surrogate becomes "?"


cdef str string_text(const Tree* tree, const LinkedString* string, uint32_t longest=<uint32_t> -1):
    """A string with its escapes resolved. About `longest` bytes of it are read at most."""
    return json_text(first_bytes(slice_at(tree, string.start, string.length), longest))


@cython.final
cdef class PageData:
    """The data of a page, and the memory that it is in."""
    cdef Document document
    cdef Hold held                  # of the document
    cdef LinkedData data            # zero at first

    def __init__(self, Document document not None) -> None:
        """Read the page. Raises MemoryError."""
        self.document, self.held = document, Hold(document)
        if read_linked_data(&self.data, &document.tree) != 0:
            raise MemoryError("no memory for the page's data")

    def __dealloc__(self) -> None:
        free_linked_data(&self.data)

    cdef list texts(self, uint8_t group):
        """The strings of a group."""
        return [
            string_text(&self.document.tree, self.data.strings + i)
            for i in range(self.data.n_strings) if self.data.strings[i].group == group
        ]


def prose_of(Document document not None) -> str | None:
    """The text about the page's subject that its data holds: the longest articleBody or text of an article, otherwise
    the ingredients and instructions of a recipe, otherwise questions and answers; None if there is none. Objects
    that only refer to other pages are left out. It may contain markup.
    """
    cdef PageData page = PageData(document)
    cdef const LinkedData* data = &page.data
    cdef const LinkedString* longest = NULL
    cdef const LinkedString* string
    cdef uint32_t i
    for i in range(data.n_strings):
        string = data.strings + i
        if string.group == GROUP_ARTICLE and string.object != NO_OBJECT and data.objects[string.object].of_page:
            if longest == NULL or string.length > longest.length:
                longest = string
    if longest != NULL:
        return string_text(&document.tree, longest)
    if data.types & TYPE_RECIPE:
        parts = page.texts(GROUP_RECIPE)
        if parts:
            return "\n".join(parts)
    if data.types & (TYPE_FORUM | TYPE_QUESTION | TYPE_FAQ):
        return "\n".join(page.texts(GROUP_TALK)) or None
    return None


def linked_strings(Document document not None) -> dict[str, list]:
    """The result of the scan, for tests and inspection: "types" of the page's objects, and "strings" as (group,
    property, text), in order.
    """
    cdef PageData page = PageData(document)
    cdef const LinkedString* string
    cdef uint32_t i
    cdef list found = []
    for i in range(page.data.n_strings):
        string = page.data.strings + i
        found.append((GROUP_NAMES[string.group], KEY_NAMES.get(string.key, ""), string_text(&document.tree, string)))
    return {"types": [name for bit, name in TYPE_NAMES.items() if page.data.types & bit], "strings": found}


cdef int add_value(dict object, str key, object value) except -1:
    """Add a value of a property."""
    cdef list values = object.get(key)
    if values is None:
        object[key] = [value]
    elif len(values) < MAX_OF_KEY:
        values.append(value)
    return 0


cdef list linked_objects(Document document):
    """objects_of() a page whose data was not read yet."""
    cdef PageData page = PageData(document)
    return objects_of(&document.tree, &page.data)


cdef list objects_of(const Tree* tree, const LinkedData* data):
    """The objects that describe the page. Each has its types under "@type" (bits of LinkedType), and lists of strings
    and objects under the names of the properties used for metadata. A name in two parts is one under "name" too.
    """
    cdef const LinkedString* string
    cdef const LinkedObject* object
    cdef uint32_t i
    cdef list made = [None] * data.n_objects
    cdef dict each
    for i in range(data.n_objects):
        object = data.objects + i
        if object.of_page or (
            KEY_AUTHOR <= object.key <= KEY_PUBLISHER and object.parent != NO_OBJECT and made[object.parent] is not None
        ):
            each = {"@type": object.types}
            made[i] = each
            if not object.of_page:
                add_value(made[object.parent], KEY_NAMES[object.key], each)
    for i in range(data.n_strings):
        string = data.strings + i
        if string.object != NO_OBJECT and is_fact(string.key) and made[string.object] is not None:
            each = made[string.object]
            if len(each.get(KEY_NAMES[string.key], ())) < MAX_OF_KEY:
                add_value(each, KEY_NAMES[string.key], string_text(tree, string, READ_FACT))
    for i in range(data.n_objects):
        if made[i] is not None:
            each = made[i]
            if "familyName" in each and not any(each.get("name", ())):
                each["name"] = [" ".join((*each.get("givenName", ())[:1], *each["familyName"][:1]))]
    return [made[i] for i in range(data.n_objects) if data.objects[i].of_page]

# SPDX-License-Identifier: Apache-2.0
"""Document: parse a page, read its tree."""

from cpython.pythread cimport PyThread_get_thread_ident
from cython cimport final, no_gc
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from thresher.native.base.arrays cimport make_room
from thresher.native.base.check cimport THRESHER_CHECK
from thresher.native.base.hash_table cimport HashEntry
from thresher.native.parsing.arena cimport *
from thresher.native.base.scan cimport hash_bytes, scan_byte
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tags cimport *
from thresher.native.parsing.tokenizer cimport free_tokenizer, start_tokenizer
from thresher.native.parsing.sealing cimport seal
from thresher.native.parsing.tree_builder cimport build_tree

from thresher.native.parsing.tags import SVG_TAG_NAMES, TAG_NAMES

# Index: Status.
_STATUSES = ("ok", "too_deep", "too_many_bytes", "too_many_nodes", "too_many_attributes", "error")

cdef enum:
    LARGEST_PAGE = 1 << 27      # keeps addresses in the side buffer within 31 bits
    KEPT_BYTES = 1 << 26        # memory above this is freed before the next page


cdef uint64_t SERIAL = 0    # of the most recent tree in any document
BUSY = "another thread is at work on this page: give each thread its own Document or PageExtractor"


cdef uint32_t _normalise_newlines(
    const uint8_t* page, const uint8_t* end, const uint8_t* cr, uint8_t* out
) noexcept nogil:
    """Copy a page with CR LF and lone CR as LF and return the length. `cr` is the first CR."""
    cdef uint8_t* to = out
    while True:
        THRESHER_CHECK(page <= cr and cr <= end)
        memcpy(to, page, <size_t>(cr - page))
        to += cr - page
        if cr == end:
            return <uint32_t>(to - out)
        to[0] = c'\n'
        to += 1
        page = cr + 1
        if page < end and page[0] == c'\n':
            page += 1
        cr = scan_byte(page, end, c'\r')


cdef uint32_t _limit(str name, value, largest) except? 0:
    if not 1 <= value <= largest:
        raise ValueError(f"{name} must be from 1 to {largest}, not {value}")
    return value


@final
cdef class Document:
    """A parser and the tree of the page it parsed last. Its memory is reused from page to page.

    Pages are UTF-8, with or without byte order mark; any other bytes are safe. Limits: `max_bytes` of a page (the rest
    is not read), `max_nodes` (parsing stops at the first token that begins beyond it), `max_depth` of open elements
    (deeper ones become siblings, nothing is lost), `max_attributes` of the whole page (parsing stops).

    One thread at a time: while one works on the page, whatever another asks for raises RuntimeError.
    """

    def __cinit__(self) -> None:
        memset(&self.arena, 0, sizeof(Arena))
        memset(&self.tokenizer, 0, sizeof(Tokenizer))
        memset(&self.builder, 0, sizeof(TreeBuilder))
        memset(&self.tree, 0, sizeof(Tree))

    def __init__(
        self, *, max_bytes: int = 1 << 24, max_nodes: int = 1_000_000, max_depth: int = 512,
        max_attributes: int = 4_000_000
    ) -> None:
        # The defaults equal those of conf/default.toml, which this layer does not read. A test checks this.
        self.max_bytes = _limit("max_bytes", max_bytes, LARGEST_PAGE)
        self.max_nodes = _limit("max_nodes", max_nodes, 1 << 28)
        self.max_depth = _limit("max_depth", max_depth, 1 << 28)
        self.max_attributes = _limit("max_attributes", max_attributes, 1 << 28)
        self.parse(b"")

    def __repr__(self) -> str:
        """Status and number of nodes."""
        return f"<Document {self.status}: {self.n_nodes:,} nodes>"

    def __dealloc__(self) -> None:
        self._free()

    cdef void _free(self) noexcept:
        free_arena(&self.arena)
        free_tokenizer(&self.tokenizer)
        free(self.builder.stack)
        self.builder.stack = NULL
        self.builder.stack_capacity = 0
        free(self.normalised)
        self.normalised = NULL
        self.normalised_capacity = 0

    cdef int begin(self) except -1:
        """Reserve the page for work without the GIL, until done(). Raises RuntimeError if it is reserved or held."""
        if not take_flag(&self.busy):
            raise RuntimeError(BUSY)
        return 0

    cdef void done(self) noexcept:
        give_flag(&self.busy)

    cdef int require_idle(self) except -1:
        """Raise RuntimeError if another thread is at work on the page."""
        if is_taken(&self.busy) and self.holder != PyThread_get_thread_ident():
            raise RuntimeError(BUSY)
        return 0

    def parse(self, const unsigned char[::1] page not None) -> None:
        """Parse a page, replacing the previous tree. No page raises; `status` tells how parsing ended."""
        self.begin()
        try:
            self.take_page(page)
            with nogil:
                self.parse_page()
        finally:
            self.done()

    cdef int take_page(self, const unsigned char[::1] page) except -1:
        self.tree.serial = next_number(&SERIAL)
        if self.nbytes > KEPT_BYTES:
            self._free()
        self.page = page
        return 0

    cdef void parse_page(self) noexcept nogil:
        cdef const uint8_t* data = &self.page[0] if self.page.shape[0] else <const uint8_t*>b""
        cdef const uint8_t* end
        cdef const uint8_t* cr
        cdef uint64_t length = self.page.shape[0]
        cdef bint cut = length > self.max_bytes
        if cut:
            length = self.max_bytes
            while length > 0 and self.max_bytes - length < 3 and data[length] & 0xC0 == 0x80:
                length -= 1     # do not cut a character
        if length >= 3 and data[0] == 0xEF and data[1] == 0xBB and data[2] == 0xBF:
            data += 3       # the byte order mark
            length -= 3
        end = data + length
        start_arena(&self.arena, name_tables())
        cr = scan_byte(data, end, c'\r')
        if cr != end:
            if make_room(&self.normalised, &self.normalised_capacity, length) < 0:
                self.arena.status = STATUS_ERROR
                length = 0
            else:
                length = _normalise_newlines(data, end, cr, self.normalised)
                data = self.normalised
        if cut and self.arena.status == STATUS_OK:
            self.arena.status = STATUS_TOO_MANY_BYTES
        self.arena.page = data
        self.arena.page_length = <uint32_t>length
        self.arena.max_attributes = self.max_attributes
        self.builder.max_nodes = self.max_nodes
        self.builder.max_depth = self.max_depth
        start_tokenizer(&self.tokenizer, &self.arena, data, <uint32_t>length)
        build_tree(&self.builder, &self.tokenizer, &self.arena)
        seal(&self.builder)
        self.tree.nodes = self.arena.nodes
        self.tree.n_nodes = self.arena.n_nodes
        self.tree.attributes = self.arena.attributes
        self.tree.n_attributes = self.arena.n_attributes
        self.tree.page = data
        self.tree.page_length = self.arena.page_length
        self.tree.side = self.arena.side
        self.tree.side_length = self.arena.side_length

    @property
    def serial(self) -> int:
        """The number of the last parse: no two pages that a process parses have the same."""
        return self.tree.serial

    @property
    def status(self) -> str:
        """How the last parse ended: ok, too_deep (flattened, complete), or the reason it stopped: too_many_bytes, …,
        error.
        """
        return _STATUSES[<int>self.arena.status]

    @property
    def n_nodes(self) -> int:
        """The number of nodes of the tree, the document included."""
        return self.tree.n_nodes

    @property
    def n_attributes(self) -> int:
        """The number of attributes of all elements."""
        return self.tree.n_attributes

    @property
    def nbytes(self) -> int:
        """Bytes of memory held, without the page itself."""
        return (
            arena_bytes(&self.arena)
            + self.builder.stack_capacity * sizeof(self.builder.stack[0])
            + self.tokenizer.unknown_names.capacity * sizeof(HashEntry)
            + self.normalised_capacity
        )

    @property
    def in_order(self) -> bool:
        """True if the page's nodes were created in document order, so that sealing did not have to move them."""
        return self.builder.in_order

    @property
    def quirks(self) -> bool:
        """True if the doctype, or its absence, sets quirks mode."""
        return self.builder.quirks

    cdef str slice(self, uint32_t start, uint32_t length):
        cdef Slice found = slice_at(&self.tree, start, length)
        return found.data[:found.length].decode("utf-8", "replace")

    cdef str name_of(self, uint32_t n):
        cdef Node* node = self.tree.nodes + n
        if node.tag >= TAG_COUNT:
            return self.slice(node.start, node.length)
        return SVG_TAG_NAMES[node.tag] if node.namespace == NS_SVG else TAG_NAMES[node.tag]

    cdef uint32_t _check(self, n) except? 0xFFFFFFFF:
        self.require_idle()
        if not 0 <= n < self.tree.n_nodes:
            raise IndexError(f"node {n} of {self.tree.n_nodes}")
        return n

    def tag(self, n: int) -> str:
        """Return an element's name, prefixed by "svg " or "math " for foreign elements; #text, #comment and so on for
        other nodes.
        """
        cdef Node* node = self.tree.nodes + self._check(n)
        if node.kind == KIND_ELEMENT:
            return ("", "svg ", "math ")[node.namespace] + self.name_of(n)
        return ("#document", "", "#text", "#comment", "#doctype", "#content")[node.kind]

    def text(self, n: int) -> str:
        """Return the text of a text node or comment. For any other node, return all text below it, as the DOM's
        textContent.
        """
        cdef uint32_t i = self._check(n)
        cdef Node* node = self.tree.nodes + i
        if node.kind == KIND_TEXT or node.kind == KIND_COMMENT or node.kind == KIND_DOCTYPE:
            return self.slice(node.start, node.length)
        cdef uint32_t end = node.end
        cdef list found = []
        while i < end:
            if self.tree.nodes[i].kind == KIND_TEXT:
                found.append(self.slice(self.tree.nodes[i].start, self.tree.nodes[i].length))
            # the original nodes of a construct are below it
            i = self.tree.nodes[i].end if self.tree.nodes[i].kind in (KIND_TEXT, KIND_COMMENT) else i + 1
        return "".join(found)

    def attributes(self, n: int) -> dict[str, str]:
        """Return a node's attributes, in the order of the page."""
        cdef Node* node = self.tree.nodes + self._check(n)
        cdef Attribute* attribute
        cdef uint32_t i
        cdef dict found = {}
        if node.kind == KIND_ELEMENT:
            for i in range(node.attributes, node.attributes + node.n_attributes):
                attribute = self.tree.attributes + i
                found[self.slice(attribute.name_start, attribute.name_length)] = self.slice(
                    attribute.value_start, attribute.value_length
                )
        return found

    def parent(self, n: int) -> int:
        """Return the parent of node n; 0 for the document."""
        return self.tree.nodes[self._check(n)].parent

    def end(self, n: int) -> int:
        """Return one past the last node below n."""
        return self.tree.nodes[self._check(n)].end

    def title(self) -> str:
        """Return the text of the first title element with white space collapsed; "" if there is none."""
        cdef uint32_t n
        self.require_idle()
        for n in range(self.tree.n_nodes):
            if self.tree.nodes[n].tag == TAG_TITLE and self.tree.nodes[n].kind == KIND_ELEMENT:
                if self.tree.nodes[n].namespace == NS_HTML:
                    return " ".join(self.text(n).split())
        return ""

    def checksum(self) -> int:
        """Return a 32-bit checksum of the tree: kinds, tags, shape, all text, and the attributes class, id, role, rel,
        href, lang.

        Equal trees have equal checksums in every process. The parsing benchmark uses it to read the whole tree.
        """
        cdef uint64_t sum = 0
        cdef uint32_t n, i
        cdef uint32_t[6] names = [ATTR_CLASS, ATTR_ID, ATTR_ROLE, ATTR_REL, ATTR_HREF, ATTR_LANG]
        cdef const Attribute* attribute
        cdef Node* node
        cdef Slice found
        self.begin()
        with nogil:
            for n in range(self.tree.n_nodes):
                node = self.tree.nodes + n
                sum = (sum ^ node.tag ^ <uint64_t>node.end << 32 ^ <uint64_t>node.kind << 24) * 0x9E3779B97F4A7C15u
                if node.kind == KIND_TEXT:
                    found = slice_at(&self.tree, node.start, node.length)
                    sum ^= hash_bytes(found.data, found.length)
                elif node.n_attributes != 0:
                    for i in range(6):
                        attribute = find_attribute(&self.tree, n, names[i])
                        if attribute != NULL:
                            found = value_of(&self.tree, attribute)
                            sum = (sum ^ names[i]) * 0x9E3779B97F4A7C15u ^ hash_bytes(found.data, found.length)
        self.done()
        return <uint32_t>(sum >> 32)

    def verify(self) -> str:
        """Return the first promise of tree.pxd that the tree breaks, "" if it keeps all. For tests and fuzzing."""
        cdef Node* node
        cdef Node* parent
        cdef Attribute* attribute
        cdef uint32_t n, i
        self.require_idle()
        if self.tree.n_nodes == 0 or self.tree.nodes[0].kind != KIND_DOCUMENT:
            return "node 0 is not the document"
        for n in range(self.tree.n_nodes):
            node = self.tree.nodes + n
            if not n < node.end <= self.tree.n_nodes:
                return f"node {n} ends at {node.end} of {self.tree.n_nodes}"
            if n:
                parent = self.tree.nodes + node.parent
                if node.parent >= n or node.end > parent.end:
                    return f"node {n} to {node.end} lies outside its parent, {node.parent} to {parent.end}"
                if parent.kind != KIND_DOCUMENT and parent.kind != KIND_ELEMENT and parent.kind != KIND_CONTENT:
                    return f"node {n} lies in {node.parent}, which cannot have children"
            if node.kind == KIND_TEXT and (node.length == 0 or node.attributes or node.n_attributes or node.tag):
                return f"text {n} is empty or not joined"
            if not self._holds(node.start, node.length):
                return f"node {n} has a slice that is nowhere"
            if <uint64_t>node.attributes + node.n_attributes > self.tree.n_attributes and node.n_attributes:
                return f"node {n} has attributes that do not exist"
            for i in range(node.attributes, node.attributes + node.n_attributes):
                attribute = self.tree.attributes + i
                if not self._holds(attribute.name_start, attribute.name_length):
                    return f"attribute {i} of node {n} has a name that is nowhere"
                if not self._holds(attribute.value_start, attribute.value_length):
                    return f"attribute {i} of node {n} has a value that is nowhere"
        return ""

    cdef bint _holds(self, uint32_t start, uint32_t length) noexcept:
        if start & <uint32_t>SIDE:
            return <uint64_t>(start & ~<uint32_t>SIDE) + length <= self.arena.side_length
        return <uint64_t>start + length <= self.arena.page_length

    def dump(self) -> str:
        """Return the tree in the format of the html5lib tree-construction tests, without the line "#document"."""
        cdef uint32_t n, i
        cdef Node* node
        cdef Attribute* attribute
        cdef list lines = []
        cdef list open_ends = []        # where the subtrees around the current node end
        cdef list attributes
        self.require_idle()
        for n in range(1, self.tree.n_nodes):
            node = self.tree.nodes + n
            while open_ends and open_ends[len(open_ends) - 1] <= n:
                open_ends.pop()
            indent = "| " + "  " * len(open_ends)
            open_ends.append(node.end)
            if node.kind == KIND_TEXT:
                lines.append(f'{indent}"{self.text(n)}"')
            elif node.kind == KIND_COMMENT:
                lines.append(f"{indent}<!-- {self.text(n)} -->")
            elif node.kind == KIND_CONTENT:
                lines.append(f"{indent}content")
            elif node.kind == KIND_DOCTYPE:
                identifiers = [
                    self.slice(self.tree.attributes[i].value_start, self.tree.attributes[i].value_length)
                    for i in range(node.attributes, node.attributes + node.n_attributes)
                ]
                lines.append(f"{indent}<!DOCTYPE {self.text(n)}" + "".join(f' "{text}"' for text in identifiers) + ">")
            else:
                lines.append(f"{indent}<{self.tag(n)}>")
                attributes = []
                for i in range(node.attributes, node.attributes + node.n_attributes):
                    attribute = self.tree.attributes + i
                    name = self.slice(attribute.name_start, attribute.name_length)
                    if node.namespace != NS_HTML and (
                        ATTR_XLINK_ACTUATE <= attribute.name <= ATTR_XML_SPACE or attribute.name == ATTR_XMLNS_XLINK
                    ):
                        name = name.replace(":", " ")
                    value = self.slice(attribute.value_start, attribute.value_length)
                    attributes.append((name.encode("utf-16-be"), name, value))
                lines.extend(f'{indent}  {name}="{value}"' for _, name, value in sorted(attributes))
        return "\n".join(lines)


@final
@no_gc
cdef class Hold:
    def __cinit__(self, Document document not None) -> None:
        cdef unsigned long thread = PyThread_get_thread_ident()
        if document.holder != thread:
            document.begin()
            document.holder = thread
        document.holds += 1
        self.document = document

    def __dealloc__(self) -> None:
        if self.document is None:
            return
        self.document.holds -= 1
        if self.document.holds == 0:
            self.document.holder = 0
            self.document.done()

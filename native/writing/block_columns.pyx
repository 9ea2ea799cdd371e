# SPDX-License-Identifier: Apache-2.0
"""The blocks of a page, column by column: the contents of the table `blocks`, as buffers for Arrow."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from thresher.native.base.text_buffer cimport TextBuffer, put, put_byte, put_string, start_text
from thresher.native.measuring.blocks cimport Block, BlockArray, Blocks, require_blocks_of
from thresher.native.measuring.metrics cimport Metrics
from thresher.native.parsing.document cimport Document
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.tag_table cimport spelling_of
from thresher.native.parsing.tags cimport ATTR_ID, TAG_BODY, TAG_COUNT, TAG_HTML
from thresher.native.writing.render cimport render_text

from thresher.native.measuring.blocks import KINDS as KIND_NAMES


KINDS = KIND_NAMES


cdef enum:
    PATH_ELEMENTS = 16          # innermost elements that a path names
    NAME_BYTES = 24             # bytes of an element's name, id or class that a path shows
    PATHS_BYTES = 1 << 24       # bytes of all paths of a page; later paths name one element only
    MOST_BYTES = 0x7FFFFFFF     # bytes of a string column, whose offsets are signed


cdef void put_name(TextBuffer* path, uint8_t mark, Slice name) noexcept nogil:
    """Append a mark, unless it is 0, and a name up to its first white space or slash. Append nothing if the name is
    empty.
    """
    cdef uint32_t length = 0
    while length < name.length and not is_space(name.data[length]) and name.data[length] != c"/":
        length += 1
        if length > NAME_BYTES:
            length = NAME_BYTES
            while length > 0 and name.data[length] & 0xC0 == 0x80:      # do not cut a character
                length -= 1
            break
    if length == 0:
        return
    if mark:
        put_byte(path, mark)
    put(path, name.data, length)


cdef void put_element(TextBuffer* path, const Tree* tree, uint32_t n) noexcept nogil:
    """Append an element's name with its id, or without an id its first class."""
    cdef Slice text = text_of(tree, n), name = value_in(tree, n, ATTR_ID)
    if tree.nodes[n].tag < TAG_COUNT and spelling_of(tree.nodes[n].tag)[0]:
        put_string(path, spelling_of(tree.nodes[n].tag))
    else:
        put_name(path, 0, text)
    put_name(path, c"#" if name.length else c".", without_space(name if name.length else class_of(tree, n)))


cdef void put_path(TextBuffer* path, const Tree* tree, uint32_t element) noexcept nogil:
    """Append the path of an element: its ancestors below the body, then the element."""
    cdef uint32_t[PATH_ELEMENTS] inner      # the element and its ancestors, innermost first
    cdef uint32_t n = element, count = 0, i
    cdef uint32_t most = PATH_ELEMENTS if path.length < PATHS_BYTES else 1
    while n != 0 and count < most:
        if tree.nodes[n].kind == KIND_ELEMENT:
            if tree.nodes[n].tag == TAG_BODY or tree.nodes[n].tag == TAG_HTML:
                break
            inner[count] = n
            count += 1
        n = tree.nodes[n].parent
    for i in range(count):
        if i:
            put_byte(path, c"/")
        put_element(path, tree, inner[count - 1 - i])
    if count == 0:
        put_string(path, "body")


cdef bytes as_bytes(const TextBuffer* text):
    return PyBytes_FromStringAndSize(<const char*> text.data, <Py_ssize_t> text.length) if text.length else b""


def block_columns(Document document not None, Metrics metrics not None, Blocks blocks not None) -> tuple:
    """The blocks of a page, column by column: (kind, words, text density, link density, offsets of paths, paths,
    offsets of texts, texts).

    Kinds are bytes that index KINDS, words and offsets are 32-bit integers, densities are 32-bit floats. There is one
    offset more than there are blocks. Text density is characters per element of the block. Raises MemoryError for texts
    of more than 2 GiB.
    """
    cdef:
        const Tree* tree = &document.tree
        uint32_t n = blocks.array.n_blocks, b
        const Block* block
        BlockArray one
        TextBuffer text, texts, paths
        uint8_t yes = 1
        int outcome = 0
        bytes kinds = PyBytes_FromStringAndSize(NULL, n)
        bytes words = PyBytes_FromStringAndSize(NULL, n * sizeof(int32_t))
        bytes text_densities = PyBytes_FromStringAndSize(NULL, n * sizeof(float))
        bytes link_densities = PyBytes_FromStringAndSize(NULL, n * sizeof(float))
        bytes path_offsets = PyBytes_FromStringAndSize(NULL, (<size_t> n + 1) * sizeof(int32_t))
        bytes text_offsets = PyBytes_FromStringAndSize(NULL, (<size_t> n + 1) * sizeof(int32_t))
        uint8_t* kind = <uint8_t*> PyBytes_AS_STRING(kinds)
        int32_t* n_words = <int32_t*> PyBytes_AS_STRING(words)
        float* text_density = <float*> PyBytes_AS_STRING(text_densities)
        float* link_density = <float*> PyBytes_AS_STRING(link_densities)
        int32_t* path_offset = <int32_t*> PyBytes_AS_STRING(path_offsets)
        int32_t* text_offset = <int32_t*> PyBytes_AS_STRING(text_offsets)
    require_blocks_of(document, &metrics.array, &blocks.array)
    memset(&text, 0, sizeof(TextBuffer))
    memset(&texts, 0, sizeof(TextBuffer))
    memset(&paths, 0, sizeof(TextBuffer))
    start_text(&texts)
    start_text(&paths)
    one.n_blocks = 1
    try:
        path_offset[0] = text_offset[0] = 0
        for b in range(n):
            block = blocks.array.blocks + b
            kind[b] = block.kind
            n_words[b] = <int32_t> min(block.words, <uint32_t> MOST_BYTES)
            text_density[b] = <float> (<double> block.characters / (block.tags if block.tags else 1))
            link_density[b] = <float> (
                <double> block.link_characters / block.characters if block.characters else 0.0
            )
            one.blocks = blocks.array.blocks + b
            outcome = render_text(&text, tree, &metrics.array, &one, &yes)
            put(&texts, text.data, text.length)
            put_path(&paths, tree, block.element)
            if (
                outcome != 0 or texts.failed or paths.failed or texts.length > MOST_BYTES
                or paths.length > MOST_BYTES
            ):
                outcome = -1
                break
            path_offset[b + 1] = <int32_t> paths.length
            text_offset[b + 1] = <int32_t> texts.length
        if outcome != 0:
            raise MemoryError(f"no memory for the columns of {n} blocks")
        return (
            kinds, words, text_densities, link_densities,
            path_offsets, as_bytes(&paths), text_offsets, as_bytes(&texts),
        )
    finally:
        free(text.data)
        free(texts.data)
        free(paths.data)

# SPDX-License-Identifier: Apache-2.0
"""Starts the output of a page, and finds what stands before and behind a piece of text."""

from libc.string cimport memcpy, memset

from thresher.native.base.characters cimport TextMeasure, measure_text
from thresher.native.base.scratch cimport SLOT_URL, SLOT_WORD_SUMS, take
from thresher.native.writing.omissions cimport is_left_out
from thresher.native.writing.urls cimport resolve


cdef enum:
    MAX_PRE = 16            # ancestors of a line of code that are searched for the pre element


cdef void find_base(Output* output) noexcept nogil:
    """Set the base for relative addresses: that of the page's base element, otherwise the page's own address."""
    cdef uint32_t n
    cdef Slice address
    cdef uint8_t* kept
    output.base = output.options.url
    for n in range(output.tree.n_nodes):
        address = value_in(output.tree, n, ATTR_HREF) if is_html(output.tree.nodes + n, TAG_BASE) else no_text()
        if address.data == NULL:
            continue
        if resolve(output.url, output.base, address, False):
            kept = <uint8_t*> (output.url + 1)      # two slots are reserved; the base keeps this one
            memcpy(kept, output.url.data, output.url.length)
            output.base = Slice(data=kept, length=output.url.length)
        return


cdef void add_up(uint32_t* sums, const BlockArray* blocks, const uint8_t* keep) noexcept nogil:
    """Running totals of the characters of all blocks, then of kept blocks; n_blocks + 1 numbers each."""
    cdef uint32_t* kept = sums + blocks.n_blocks + 1
    cdef uint32_t i
    sums[0] = kept[0] = 0
    for i in range(blocks.n_blocks):
        sums[i + 1] = sums[i] + blocks.blocks[i].characters
        kept[i + 1] = kept[i] + (blocks.blocks[i].characters if keep[i] else 0)


cdef int start_output(
    Output* output, TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const uint8_t* keep, Scratch* scratch, const MarkupOptions* options, const Passage* passage
) noexcept nogil:
    """Prepare for writing a page, or a passage of it. `scratch` is needed for links and images alone."""
    cdef uint32_t* sums
    memset(output, 0, <size_t> (<char*> &output.plain - <char*> output))
    output.text, output.tree, output.metrics, output.blocks, output.keep = text, tree, metrics, blocks, keep
    output.options = options
    output.block = blocks.n_blocks
    output.open_end = <uint32_t> NOTHING_OPEN
    start_text(text)
    if options.images:
        sums = <uint32_t*> take(scratch, SLOT_WORD_SUMS, 2 * (<size_t> blocks.n_blocks + 1), sizeof(uint32_t))
        if sums == NULL:
            return OUT_OF_MEMORY
        add_up(sums, blocks, keep)
        output.sums = sums
    if options.links or options.images:
        output.url = <Url*> take(scratch, SLOT_URL, 2, sizeof(Url))
        if output.url == NULL:
            return OUT_OF_MEMORY
        if passage == NULL or not passage.begun:
            find_base(output)
    if passage != NULL and passage.begun:
        output.base, output.addresses = passage.base, passage.addresses
        output.repeated, output.covered = passage.repeated, passage.covered
    return 0


cdef void put_parts(Output* output, uint32_t n, uint32_t block, Slice text) noexcept nogil:
    """Let the writer write a text with formulas in it, part by part."""
    cdef const Node* node = output.tree.nodes + n
    cdef Part part
    cdef uint32_t i, at = 0, count = part_of(output.tree, node, 0, &part)
    for i in range(count):
        part_of(output.tree, node, i, &part)
        THRESHER_CHECK(at <= part.start)
        output.writer.words(output, block, text.data + at, text.data + part.start)
        output.writer.formula(
            output, block, Slice(data=text.data + part.start, length=part.length), part.construct == CONSTRUCT_DISPLAY
        )
        at = part.start + part.length
    output.writer.words(output, block, text.data + at, text.data + text.length)


cdef uint32_t pre_of(const Tree* tree, uint32_t node) noexcept nogil:
    """The pre or similar element that a node is or is inside of; 0 if there is none nearby."""
    cdef int step
    for step in range(MAX_PRE):
        if node == 0 or tree.nodes[node].tag in (TAG_PRE, TAG_LISTING, TAG_XMP, TAG_PLAINTEXT):
            return node
        node = tree.nodes[node].parent
    return 0


cdef bint is_word_character(const uint8_t* data, uint32_t length) noexcept nogil:
    """True if one character, given as its bytes, is a letter, digit or ideograph."""
    cdef TextMeasure measure
    if length == 0:
        return False
    if data[0] < 0x80:
        return is_ascii_letter_or_digit(data[0])
    measure = measure_text(data, length, data + length)
    return measure.words == 1


cdef Edge edge_of(const uint8_t* data, uint32_t length) noexcept nogil:
    """The Edge kind of one character, given as its bytes."""
    if length == 0:
        return EDGE_OTHER
    if is_ascii_punctuation(data[0]):
        return EDGE_PUNCTUATION
    return EDGE_WORD if is_word_character(data, length) else EDGE_OTHER


cdef bint put_address(Output* output, uint32_t node, uint32_t name) noexcept nogil:
    """Put the address in an attribute into output.url; False if it leads nowhere."""
    cdef Slice value = value_in(output.tree, node, name)
    return value.length > 0 and has_room_for_address(output) and resolve(
        output.url, output.base, value, output.format.escapes_addresses
    )


cdef uint32_t next_kept(const Output* output, uint32_t index) noexcept nogil:
    """The first block from `index` on that is written; n_blocks if there is none."""
    while index < output.blocks.n_blocks and (
        not output.keep[index] or is_left_out(output.tree, output.metrics, output.blocks.blocks + index)
    ):
        index += 1
    return index

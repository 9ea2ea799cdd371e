# SPDX-License-Identifier: Apache-2.0
"""Walks over a page once, and tells a writer of each node that is written."""

from thresher.native.base.scratch cimport SLOT_OPEN, take
from thresher.native.measuring.structures cimport first_block_from
from thresher.native.writing.html cimport html_format
from thresher.native.writing.images cimport may_hold_image, pictures_writer
from thresher.native.writing.markdown cimport markdown_format
from thresher.native.writing.markup cimport markup_writer
from thresher.native.writing.omissions cimport is_omitted
from thresher.native.writing.output cimport *
from thresher.native.writing.plain cimport plain_writer
from thresher.native.writing.source cimport source_writer


cdef MarkupOptions PLAIN        # all 0


cdef const Writer* writer_of(Format format) noexcept nogil:
    if format == FORMAT_TEXT:
        return plain_writer()
    if format == FORMAT_SOURCE:
        return source_writer()
    return pictures_writer() if format == FORMAT_PICTURES else markup_writer()


cdef inline bint is_mark(uint32_t tag) noexcept nogil:
    """True for elements without content that a writer wants to know of."""
    return tag == TAG_BR or tag == TAG_IMG or tag == TAG_HR or tag == TAG_WBR


cdef inline bint holds_nothing(const Output* output, uint32_t n) noexcept nogil:
    """True for an element outside the written blocks in which nothing is written."""
    cdef uint32_t end = output.tree.nodes[n].end
    if output.next < output.blocks.n_blocks and output.blocks.blocks[output.next].start < end:
        return False
    return not output.options.images or not may_hold_image(output, n)


cdef void walk(Output* output, uint32_t first, uint32_t end) noexcept nogil:
    """Tell the writer of the nodes from `first` to `end`, which are whole elements."""
    cdef:
        const Node* nodes = output.tree.nodes
        const Node* node
        const NodeMetrics* rows = output.metrics.nodes
        const Block* blocks = output.blocks.blocks
        const Writer* writer = output.writer
        uint32_t n_blocks = output.blocks.n_blocks, n = first, block_end = first
        bint beyond = output.options.images     # there may be more to write behind the last block
        bint omits = False                      # part of the block may be left out
        bint inside
    output.following = next_kept(output, first_block_from(output.blocks, first))
    while n < end:
        while n >= block_end:
            output.next = output.following
            if output.next == n_blocks:
                block_end = output.tree.n_nodes
                omits = False
                break
            output.following = next_kept(output, output.next + 1)
            block_end = blocks[output.next].end
            omits = is_heading(blocks + output.next)
            if writer.begin_block != NULL:
                n = writer.begin_block(output, output.next)
        if n >= output.open_end:
            writer.leave(output, n)
        if output.next == n_blocks and not beyond and (writer.goes_on == NULL or not writer.goes_on(output)):
            break
        node = nodes + n
        if rows[n].flags & FLAG_HIDDEN or node.kind == KIND_CONTENT:
            n = node.end
        elif node.kind == KIND_TEXT:
            if in_block(output, n, output.next) and writer.text != NULL:
                writer.text(output, n, output.next)
            n += 1
        elif node.kind != KIND_ELEMENT or node.namespace != NS_HTML:
            n += 1
        elif omits and is_omitted(output.tree, output.metrics, blocks + output.next, n):
            n = node.end
        elif is_mark(node.tag):
            writer.mark(output, n, output.next)
            n += 1
        elif not in_block(output, n, output.next) and holds_nothing(output, n):
            if writer.pass_over != NULL:
                writer.pass_over(output, n)
            n = node.end
        else:
            n = writer.enter(output, n, output.next) if writer.enter != NULL else n + 1
    if output.open_end != NOTHING_OPEN:
        writer.leave(output, output.tree.n_nodes)
    if writer.end != NULL:
        writer.end(output)


cdef int render(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep,
    Scratch* scratch, const MarkupOptions* options, Passage* passage, Pictures* pictures
) noexcept nogil:
    """Write the kept blocks of the page, or of a passage, or list the pictures among them; 0, or OUT_OF_MEMORY."""
    cdef Output output
    cdef BlockArray inside = blocks[0]
    if passage != NULL:
        inside.n_blocks = first_block_from(blocks, passage.end)
    if start_output(&output, text, tree, metrics, &inside, keep, scratch, options, passage) != 0:
        return OUT_OF_MEMORY
    output.writer = writer_of(options.format)
    output.format = markdown_format() if options.format == FORMAT_MARKDOWN else html_format()
    output.pictures = pictures
    if options.format == FORMAT_SOURCE:
        output.source.open = <uint32_t*> take(scratch, SLOT_OPEN, tree.n_nodes, sizeof(uint32_t))
        if output.source.open == NULL:
            return OUT_OF_MEMORY
    if passage == NULL:
        walk(&output, 1, tree.n_nodes)
    else:
        output.source.root = passage.first - 1
        walk(&output, passage.first, passage.end)
        # What the next passage goes on with. The base lies in memory that it takes again.
        passage.begun = True
        passage.base, passage.addresses = output.base, output.addresses
        passage.repeated, passage.covered = output.repeated, output.covered
    return OUT_OF_MEMORY if text.failed else 0


cdef int render_text(
    TextBuffer* text, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks, const uint8_t* keep
) noexcept nogil:
    """Write the kept blocks of the page as plain text; 0, or OUT_OF_MEMORY."""
    return render(text, tree, metrics, blocks, keep, NULL, &PLAIN, NULL, NULL)

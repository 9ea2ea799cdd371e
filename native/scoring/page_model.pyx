# SPDX-License-Identifier: Apache-2.0
"""Reads the boxes and blocks of a page into containers, groups and sums.

There are three passes, none of them recursive: over the boxes (their attributes), over the blocks (their texts, and sums
before each block, so that the sum over any range of blocks is one difference), and over the containers.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from thresher.native.base.arrays cimport OUT_OF_MEMORY
from thresher.native.base.characters cimport count_marks, is_space
from thresher.native.base.fetch cimport fetch
from thresher.native.base.hash_table cimport *
from thresher.native.measuring.blocks cimport Block, BlockArray, Box
from thresher.native.measuring.metrics cimport FLAG_BLANK, FLAG_CONCEALED, MetricsArray, next_visible
from thresher.native.measuring.regions cimport is_type_of_comments, names_comments
from thresher.native.parsing.reading cimport *
from thresher.native.parsing.known_values cimport KNOWN_VALUES, KnownValue, is_known, place_of_value
from thresher.native.parsing.tags cimport *
from thresher.native.scoring.headline cimport NO_BLOCK, find_headline
from thresher.native.scoring.declared cimport Declared, covered_shares
from thresher.native.scoring.rounding cimport thousandths
from thresher.native.scoring.tokens cimport *
from thresher.native.scoring.texts cimport *
from thresher.native.base.scratch cimport SLOT_GROUPS, SLOT_ROWS, Scratch, take

from thresher.native.parsing import tags


cdef enum:
    TOKENS_AT_ONCE = 16     # tokens that are hashed before the first weight is read
    FEWEST_BITS = 8         # logarithm of the smallest part of a hash table that is used
    NO_CONTAINER = 0xFFFFFFFF


ctypedef struct Groups:         # groups of one kind, under construction
    Group* groups
    uint32_t n_groups           # at most `capacity`
    uint32_t capacity           # room for this many groups, at least 1
    HashTable* numbers          # maps each key to the number of its group
    bint out_of_memory          # the table could not grow



cdef uint8_t[TAG_COUNT] TAG_CODES
cdef uint16_t[TAG_COUNT] TAG_MEANINGS
cdef uint8_t[TAG_COUNT] LEAF_TEXT
cdef uint8_t[256] ENDS                  # ASCII characters that end a sentence

CODED_TAGS = (
    "button", "label", "option", "nav", "footer", "form", "aside", "legend", "summary", "details", "header", "hr",
    "address", "ul", "ol", "li", "dl",
    "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption", "center", "custom", "div", "body",
    "section", "main", "article",
    "figure", "figcaption", "h6", "h5", "h4", "h3", "h2", "h1", "blockquote", "pre", "p",
)
"""Tags in the order of their codes, from 1: roughly from boilerplate to text, so that one threshold separates them.

Other tags have code 0.
"""


def _fill_tables() -> None:
    """Fill the tables of tags and of characters."""
    cdef int code
    names = {name[4:].lower(): int(value) for name, value in tags.Tag.__members__.items()}
    memset(TAG_CODES, 0, sizeof(TAG_CODES))
    memset(TAG_MEANINGS, 0, sizeof(TAG_MEANINGS))
    memset(LEAF_TEXT, 0, sizeof(LEAF_TEXT))
    memset(ENDS, 0, sizeof(ENDS))
    for code, name in enumerate(CODED_TAGS):
        if name != "custom":
            TAG_CODES[<int> names[name]] = code + 1
    for name, meaning in (
        ("main", MEANS_MAIN), ("article", MEANS_ARTICLE), ("nav", MEANS_NAVIGATION), ("aside", MEANS_ASIDE),
        ("footer", MEANS_FOOTER), ("header", MEANS_HEADER), ("form", MEANS_FORM), ("dialog", MEANS_DIALOG),
        ("table", MEANS_TABLE), ("figure", MEANS_FIGURE), ("blockquote", MEANS_QUOTE), ("pre", MEANS_QUOTE),
        ("ul", MEANS_LIST), ("ol", MEANS_LIST), ("dl", MEANS_LIST),
    ):
        TAG_MEANINGS[<int> names[name]] = meaning
    for name in ("p", "pre", "li", "blockquote", "h2", "h3", "h4", "dd", "dt", "td"):
        LEAF_TEXT[<int> names[name]] = 1
    for character in b".!?\"":
        ENDS[character] = 1


_fill_tables()
cdef uint8_t CUSTOM_CODE = CODED_TAGS.index("custom") + 1


cdef inline uint64_t mix(uint64_t a, uint64_t b) noexcept nogil:
    """A hash of two numbers (the finaliser of SplitMix64)."""
    cdef uint64_t x = a * <uint64_t> 0x9E3779B97F4A7C15 + b
    x = (x ^ (x >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t> 0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline uint64_t hash_of(const uint8_t* data, uint32_t length) noexcept nogil:
    """A hash of bytes, eight at a time. Class attributes are long: one multiplication per byte took a fifth of the time
    of all features.
    """
    cdef uint64_t value = length, word
    while length >= 8:
        memcpy(&word, data, 8)
        value = (value ^ word) * <uint64_t> 0x9E3779B97F4A7C15
        value ^= value >> 32
        data += 8
        length -= 8
    word = 0
    memcpy(&word, data, length)
    return (value ^ word) * <uint64_t> 0x9E3779B97F4A7C15


cdef uint16_t meaning_of_role(Slice role) noexcept nogil:
    """The Meaning of a role attribute; 0 if it tells nothing useful."""
    if is_word(role, b"main"):
        return MEANS_MAIN
    if is_word(role, b"article"):
        return MEANS_ARTICLE
    if (
        is_word(role, b"navigation") or is_word(role, b"menu") or is_word(role, b"menubar") or is_word(role, b"menuitem")
        or is_word(role, b"tablist")
    ):
        return MEANS_NAVIGATION
    if is_word(role, b"complementary"):
        return MEANS_ASIDE
    if is_word(role, b"contentinfo"):
        return MEANS_FOOTER
    if is_word(role, b"banner"):
        return MEANS_HEADER
    if is_word(role, b"search") or is_word(role, b"form"):
        return MEANS_FORM
    if is_word(role, b"dialog") or is_word(role, b"alertdialog") or is_word(role, b"alert") or is_word(role, b"tooltip"):
        return MEANS_DIALOG
    return 0


ctypedef struct ClassValue:     # a class attribute and what its tokens said
    KnownValue known            # `said` is unused
    int64_t total               # sum of its tokens' weights; an attribute can have millions
    uint64_t hash
    uint8_t any_token           # whether it has any token
    uint8_t names_comments      # whether one of them does


cdef bint add_tokens(
    int64_t* total, Slice value, const uint8_t* readable, uint32_t start, Vocabulary* words
) noexcept nogil:
    """Add the weights of the tokens of an attribute; False if it has none."""
    cdef uint32_t[TOKENS_AT_ONCE] tokens
    cdef uint32_t n, i
    cdef bint any_token = False
    while True:
        n = read_tokens(&value, readable, start, tokens, TOKENS_AT_ONCE)
        for i in range(n):
            total[0] += words.weights[tokens[i]]
            mark_found(words, tokens[i])
        any_token = any_token or n > 0
        if n < TOKENS_AT_ONCE:
            return any_token


cdef void read_class(ClassValue* known, Slice value, const uint8_t* readable, Vocabulary* words) noexcept nogil:
    """Read a class attribute of an element inside the body into an entry."""
    known.hash = hash_of(value.data, min(value.length, <uint32_t> 200))
    known.total = 0
    known.any_token = False
    known.names_comments = names_comments(value)
    if words.weights != NULL:
        known.any_token = add_tokens(&known.total, value, readable, <uint32_t> HASH_START, words)


cdef void read_attributes(
    Container* container, const Tree* tree, const Node* node, Vocabulary* words, ClassValue* seen
) noexcept nogil:
    """Set meaning, signature and token weights of a container from its element's tag and attributes.

    Most class attributes occur many times on a page. `seen` caches KNOWN_VALUES of them, so that the tokens of each are
    read once.
    """
    cdef:
        const Attribute* attribute = tree.attributes + node.attributes
        ClassValue* known
        Slice value
        uint32_t i, token, start, signature = <uint32_t> HASH_START ^ node.tag
        uint32_t tag = node.tag if node.tag < TAG_COUNT else TAG_UNKNOWN
        int64_t total = 0
        bint any_token = False, in_comments = False
    container.meaning |= TAG_MEANINGS[tag]
    token = token_of_tag(tag)
    if token < N_TOKENS and words.weights != NULL:
        total += words.weights[token]
        mark_found(words, token)
        any_token = True
    for i in range(node.n_attributes):
        start = start_of_token(attribute[i].name, tag)
        if attribute[i].value_length == 0 or start == 0 and attribute[i].name != ATTR_ITEMTYPE:
            continue
        value = value_of(tree, attribute + i)
        if start == 0:
            in_comments |= is_type_of_comments(value)
            continue
        if attribute[i].name == ATTR_CLASS:
            known = seen + place_of_value(attribute + i)
            if not is_known(&known.known, attribute + i):
                read_class(known, value, readable_end(tree, attribute[i].value_start), words)
            signature = <uint32_t> mix(signature, known.hash)
            in_comments |= known.names_comments != 0
            if start == <uint32_t> HASH_START:
                total += known.total
                any_token = any_token or known.any_token
                continue
        elif attribute[i].name == ATTR_ID:
            in_comments |= names_comments(value)
        elif attribute[i].name == ATTR_ROLE:
            container.meaning |= meaning_of_role(value)
        elif attribute[i].name == ATTR_ITEMPROP and is_word(value, b"articlebody"):
            container.meaning |= MEANS_BODY_TEXT
        if words.weights != NULL:
            any_token |= add_tokens(&total, value, readable_end(tree, attribute[i].value_start), start, words)
    container.signature = signature * <uint32_t> HASH_STEP
    # The class of these elements describes the page.
    if (
        in_comments and tag != TAG_HTML and tag != TAG_BODY and tag != TAG_MAIN and tag != TAG_ARTICLE
        and tag != TAG_FORM
    ):
        container.meaning |= MEANS_COMMENTS
    if any_token:
        container.tokens_sum = <int32_t> min(max(container.tokens_sum + total, -30000), 30000)
        total = min(max(total, -30000), 30000)
        container.tokens_lowest = <int16_t> min(<int64_t> container.tokens_lowest, total)
        container.tokens_highest = <int16_t> max(<int64_t> container.tokens_highest, total)


cdef void clear_groups(Groups* groups, Group* memory, uint32_t capacity) noexcept nogil:
    """Start with no groups and room for `capacity` of them."""
    cdef int bits = FEWEST_BITS
    groups.groups = memory
    groups.n_groups = 0
    groups.capacity = capacity
    empty_table(groups.numbers)
    while <uint64_t> 1 << bits < 2 * <uint64_t> capacity:
        bits += 1
    use_part(groups.numbers, bits)
    fetch(groups.numbers.entries, groups.numbers.capacity * sizeof(HashEntry))


cdef uint32_t group_of(Groups* groups, uint64_t key) noexcept nogil:
    """Return the number of the group of a key, always below `capacity`. A new key gets a new, empty group.

    Each block or container asks once, so there is room for one group each. If the table runs out of memory, all keys
    share the first group.
    """
    cdef uint32_t number = 0
    cdef int known
    cdef Group* group
    if groups.n_groups == groups.capacity:
        number = find_key(groups.numbers, key)
        THRESHER_CHECK(number != <uint32_t> NOT_FOUND)
        return number if number < groups.capacity else 0
    known = enter_key(groups.numbers, key, groups.n_groups, &number)
    if known == NEW_KEY:
        group = groups.groups + number
        memset(group, 0, sizeof(Group))
        groups.n_groups += 1
    elif known < 0:
        groups.out_of_memory = True
        number = 0
        if groups.n_groups == 0:
            memset(groups.groups, 0, sizeof(Group))
            groups.n_groups = 1
    return number


cdef inline uint32_t size_of(uint32_t characters, uint32_t words) noexcept nogil:
    """The size of a text: its characters, at least three per word."""
    cdef uint64_t least = 3 * <uint64_t> words
    return characters if characters > least else <uint32_t> min(least, <uint64_t> 0xFFFFFFFF)


cdef void read_text(Row* row, TextPass* read, Slice text, const uint8_t* readable) noexcept nogil:
    """Add a text node to its block. The memory may be read up to `readable`."""
    cdef:
        const uint8_t* p = text.data
        const uint8_t* end = p + text.length
        const uint8_t* rest = read_on(read, p, end, readable)
    if rest != end:         # nothing more is asked for but marks
        count_marks(rest, end, readable, &read.marks, &read.commas)
    while end > p and is_space((end - 1)[0]):
        end -= 1
    while p < end and is_space(p[0]):
        p += 1
    if p == end:
        return
    add_start(read, p, end, readable)
    row.ends_sentence = ENDS[(end - 1)[0]]
    if (end - 1)[0] >= 0x80:
        read_wide_punctuation(row, text.data, end)


cdef void read_wide_punctuation(Row* row, const uint8_t* text, const uint8_t* end) noexcept nogil:
    """Count the punctuation marks of Chinese and Japanese, for a text that ends in a non-ASCII character."""
    cdef const uint8_t* p = text
    cdef uint32_t marks = 0, commas = 0
    cdef uint8_t last = 0
    while p + 2 < end:
        last = 0
        if p[0] == 0xE3 and p[1] == 0x80 and (p[2] == 0x81 or p[2] == 0x82):    # ideographic comma, full stop
            last = p[2]
            commas += p[2] == 0x81
            marks += 1
        elif p[0] == 0xEF and p[1] == 0xBC and (
            p[2] == 0x8C or p[2] == 0x9B or p[2] == 0x9A or p[2] == 0x81 or p[2] == 0x9F
        ):
            last = p[2]                                                         # full-width , ; : ! ?
            commas += p[2] == 0x8C or p[2] == 0x9B
            marks += 1
        elif p[0] == 0xE2 and p[1] == 0x80 and (p[2] == 0xA6 or p[2] == 0x9D):    # ellipsis, closing quote
            last = p[2]
            marks += p[2] == 0xA6
        p += 1
    row.punctuation += marks
    row.commas += commas
    row.ends_sentence = (
        last != 0 and last != 0x8C and last != 0x9B and last != 0x9A and (last != 0x81 or (end - 3)[0] == 0xEF))


cdef void read_boxes(
    Container* containers, const Tree* tree, const BlockArray* blocks, Vocabulary* words
) noexcept nogil:
    """Read the attributes of the boxes; each inherits from the box around it."""
    cdef:
        const Box* box
        const Container* parent
        Container* container
        uint32_t i, tag
        ClassValue[KNOWN_VALUES] seen
    memset(seen, 0, sizeof(seen))
    for i in range(blocks.n_boxes):
        box = blocks.boxes + i
        container = containers + i
        # In two parts, which the compiler turns into vectors, and not all at once into a slower instruction.
        memset(container, 0, sizeof(Container) // 2)
        memset(<char*> container + sizeof(Container) // 2, 0, sizeof(Container) - sizeof(Container) // 2)
        container.node = box.node
        container.parent = box.parent
        container.first_block = box.first_block
        container.end_block = box.end_block
        container.images = box.images
        container.inputs = box.inputs
        container.pattern = NO_GROUP
        container.tags = max(box.tags, <uint32_t> 1)
        if i == 0:
            continue
        parent = containers + box.parent
        container.depth = parent.depth + (parent.depth < 65535)
        container.meaning = parent.meaning
        container.tokens_sum = parent.tokens_sum
        container.tokens_lowest = parent.tokens_lowest
        container.tokens_highest = parent.tokens_highest
        tag = tree.nodes[box.node].tag
        if tag < TAG_COUNT and tag != TAG_UNKNOWN:
            container.tag = TAG_CODES[tag]
            container.is_leaf_text = LEAF_TEXT[tag]
        else:
            container.tag = CUSTOM_CODE
        read_attributes(container, tree, tree.nodes + box.node, words, seen)


cdef void read_texts(
    Row* row, const Block* block, const Tree* tree, const MetricsArray* metrics, const Declared* declared,
    Vocabulary* words
) noexcept nogil:
    """Read the texts of a block, once for all that is asked of them."""
    cdef:
        const Node* node
        TextPass read
        uint32_t n = block.start, i
    start_pass(
        &read, MAX_OPENING, MAX_TERMS if words.weights != NULL else 0, MAX_COVER if declared.pairs.n_entries else 0
    )
    while n < block.end:
        node = tree.nodes + n
        if node.kind == KIND_TEXT and not metrics.nodes[n].flags & FLAG_BLANK:
            read_text(row, &read, slice_at(tree, node.start, node.length), readable_end(tree, node.start))
        n = next_visible(tree, metrics, n + 1, block.end)
    row.text = hash_of_starts(&read)
    row.punctuation += read.marks
    row.commas += read.commas
    row.terms.n_terms = read.n_terms
    for i in range(read.n_terms):       # all at once: the reads of memory overlap
        row.terms.as_text += words.weights[N_TOKENS + read.terms[i]]
        row.terms.as_heading += words.weights[2 * N_TOKENS + read.terms[i]]
        mark_found(words, N_TOKENS + read.terms[i])
    end_number(&read.opening)
    row.digits = thousandths(read.opening.digits, read.opening.characters)
    row.capitals = thousandths(read.opening.capitals, read.opening.characters)
    row.date = read.opening.date
    if read.n_words:
        covered_shares(declared, &read, row.declared)


cdef void read_blocks(
    Row* rows, const Container* containers, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const Declared* declared, Vocabulary* words, Groups* groups
) noexcept nogil:
    """Read the texts of blocks, compute sizes and copies, and the sums before each block. The row after the last one
    holds the sums over all.
    """
    cdef:
        const Block* block
        Row* row
        Row* after
        Group* group
        uint32_t b
        uint8_t paragraph = TAG_CODES[<int> TAG_P], item = TAG_CODES[<int> TAG_LI]
    memset(rows, 0, (<size_t> blocks.n_blocks + 1) * sizeof(Row))
    for b in range(blocks.n_blocks):
        block = blocks.blocks + b
        row = rows + b
        row.container = block.box
        row.concealed = metrics.nodes[block.start].flags & FLAG_CONCEALED != 0 and not metrics.concealed_as_shown
        read_texts(row, block, tree, metrics, declared, words)
        row.size = size_of(block.characters, block.words)
        row.link_size = size_of(block.link_characters, block.link_words)
        if row.link_size > row.size:
            row.link_size = row.size
        row.good = row.size > GOOD_SIZE and 10 * <uint64_t> row.link_size < 3 * <uint64_t> row.size
        row.tag = containers[row.container].tag
        row.copies = group_of(groups, mix(row.text, block.characters))
        group = groups.groups + row.copies
        row.seen = group.count > 0
        group.count += 1
        after = row + 1
        after.size_before = row.size_before + row.size
        after.link_size_before = row.link_size_before + row.link_size
        after.punctuation_before = row.punctuation_before + row.punctuation
        after.good_before = row.good_before + (row.size if row.good else 0)
        after.good_blocks_before = row.good_blocks_before + row.good
        after.paragraphs_before = row.paragraphs_before + (row.tag == paragraph)
        after.items_before = row.items_before + (row.tag == item)


cdef void read_containers(Container* containers, uint32_t n_containers, const Row* rows, Groups* groups) noexcept nogil:
    """Compute densities, find the wider container of each container, and group similar siblings."""
    cdef:
        Container* c
        Container* parent
        Group* group
        double size
        uint32_t i
        uint8_t body = TAG_CODES[<int> TAG_BODY]
    for i in range(n_containers):
        c = containers + i
        parent = containers + c.parent
        c.candidate = 0.0
        c.density_sum = 0.0
        if i == 0:
            c.density = 0.0
            c.lowest_density = 1e9
            c.wider = 0
            c.alike = group_of(groups, 0)
            c.repeated = 0
            continue
        if n_blocks_of(c) == 0:     # one container in five; no block asks for its values
            continue
        size = range_size(rows, c)
        c.wider = c.parent if n_blocks_of(parent) > n_blocks_of(c) else parent.wider
        c.density = (size - range_links(rows, c)) / c.tags
        parent.density_sum += c.density
        c.lowest_density = parent.lowest_density
        if parent.tag == 0 or c.tag == body or c.density < parent.lowest_density:
            c.lowest_density = c.density
        # The previous sibling is similar more often than not. Its number is kept where mark_common() writes later.
        if parent.candidate_common and containers[parent.candidate_common].signature == c.signature:
            c.alike = containers[parent.candidate_common].alike
        else:
            c.alike = group_of(groups, mix(<uint64_t> c.parent << 32 | c.signature, 1))
        parent.candidate_common = i
        group = groups.groups + c.alike
        group.count += 1
        group.size += <uint32_t> size
        group.link_size += <uint32_t> range_links(rows, c)
    # All groups are complete now. Find, from each container up, the one with the most similar siblings, except
    # paragraphs and headings.
    for i in range(1, n_containers):
        c = containers + i
        if n_blocks_of(c) == 0:
            continue
        c.repeated = containers[c.parent].repeated
        if (not (c.tag == TAG_CODES[<int> TAG_P] or TAG_CODES[<int> TAG_H3] <= c.tag <= TAG_CODES[<int> TAG_H1])
                and groups.groups[c.alike].count > groups.groups[containers[c.repeated].alike].count):
            c.repeated = i


cdef uint32_t find_candidate(
    Container* containers, uint32_t n_containers, const Row* rows, uint32_t n_blocks
) noexcept nogil:
    """Find the container with the most points of text-like blocks, following readability.js (Mozilla, _grabArticle).

    Each block of size 25 or more with less than half of it in links gives points to the container around it: one, plus
    one for each comma, plus up to three for its size. The next container gets half as many. A container's points are
    scaled by its share of plain text.
    """
    cdef:
        const Row* row
        Container* c
        double points, size
        uint32_t b, i, best = 0
    for b in range(n_blocks):
        row = rows + b
        if row.size < 25 or 2 * <uint64_t> row.link_size >= row.size:
            continue
        points = (1.0 + row.commas + min(row.size / 100.0, 3.0)) * (1.0 - <double> row.link_size / row.size)
        c = containers + row.container
        if c.is_leaf_text:
            c = containers + c.parent
        c.candidate += points
        containers[c.parent].candidate += points / 2
    for i in range(n_containers):
        c = containers + i
        if c.candidate == 0.0:      # most have no points
            continue
        size = range_size(rows, c)
        if size > 0:
            c.candidate *= 1.0 - range_links(rows, c) / size
        if c.candidate > containers[best].candidate:
            best = i
    return best


cdef void mark_common(Container* containers, uint32_t n_containers, uint32_t target, bint headline) noexcept nogil:
    """Record for each container the first one from it up that is the target or contains it, as headline_common or
    candidate_common.
    """
    cdef uint32_t i, at = target, above
    for i in range(n_containers):
        set_common(containers + i, headline, NO_CONTAINER)
    set_common(containers, headline, 0)
    while at != 0:
        set_common(containers + at, headline, at)
        at = containers[at].parent
    for i in range(1, n_containers):
        if common_of(containers + i, headline) == <uint32_t> NO_CONTAINER:
            above = common_of(containers + containers[i].parent, headline)
            set_common(containers + i, headline, above)


cdef inline uint32_t common_of(const Container* c, bint headline) noexcept nogil:
    """The number that mark_common() recorded."""
    return c.headline_common if headline else c.candidate_common


cdef inline void set_common(Container* c, bint headline, uint32_t number) noexcept nogil:
    """Record a number for mark_common()."""
    if headline:
        c.headline_common = number
    else:
        c.candidate_common = number


cdef int model_page(
    PageModel* model, Container* containers, const Tree* tree, const MetricsArray* metrics, const BlockArray* blocks,
    const Declared* declared, Vocabulary* words, Scratch* scratch,
) noexcept nogil:
    """Build the model of a page with at least one block; 0, or OUT_OF_MEMORY.

    `containers` has room for all boxes.
    """
    cdef:
        uint32_t n_blocks = blocks.n_blocks, n_containers = blocks.n_boxes, b, i
        Container* c
        Row* rows
        Group* memory
        Group* group
        Groups groups
    rows = <Row*> take(scratch, SLOT_ROWS, <size_t> n_blocks + 1, sizeof(Row))
    if rows == NULL:
        return OUT_OF_MEMORY
    if words.weights != NULL:
        fetch(words.weights, N_WEIGHTS)
    read_boxes(containers, tree, blocks, words)
    # One hash table serves the three kinds of groups in turn. Each kind has its part of the array of groups.
    memory = <Group*> take(scratch, SLOT_GROUPS, 2 * <size_t> n_containers + n_blocks, sizeof(Group))
    if memory == NULL:
        return OUT_OF_MEMORY
    groups.numbers = &scratch.numbers
    groups.out_of_memory = False
    model.containers = containers
    model.rows = rows
    model.n_containers = n_containers
    model.n_blocks = n_blocks
    model.copies = memory
    model.alike = memory + n_blocks
    model.patterns = model.alike + n_containers
    clear_groups(&groups, model.copies, n_blocks)
    read_blocks(rows, containers, tree, metrics, blocks, declared, words, &groups)
    clear_groups(&groups, model.alike, n_containers)
    read_containers(containers, n_containers, rows, &groups)
    model.candidate = find_candidate(containers, n_containers, rows, n_blocks)
    model.densest = 0
    for i in range(n_containers):
        if containers[i].density_sum > containers[model.densest].density_sum:
            model.densest = i
    model.headline = find_headline(tree, metrics, blocks)
    mark_common(containers, n_containers, model.candidate, False)
    mark_common(
        containers, n_containers, rows[model.headline].container if model.headline != <uint32_t> NO_BLOCK else 0, True
    )
    clear_groups(&groups, model.patterns, n_containers)
    for b in range(n_blocks):
        THRESHER_CHECK(rows[b].container < n_containers)
        c = containers + rows[b].container
        # A container is grouped at its first block, even if its text continues after another container's.
        if c.pattern == <uint32_t> NO_GROUP:
            # Similar siblings have one pattern, which their group stores, plus one.
            group = model.alike + c.alike
            if group.first:
                c.pattern = group.first - 1
            else:
                c.pattern = group_of(
                    &groups, mix(mix(c.signature, containers[c.parent].signature),
                    containers[containers[c.parent].parent].signature)
                )
                group.first = c.pattern + 1
        THRESHER_CHECK(c.pattern < groups.n_groups)
        group = model.patterns + c.pattern
        if group.count == 0:
            group.first = b
        group.last = b
        group.count += 1
        group.size += rows[b].size
        group.link_size += rows[b].link_size
        group.punctuation += rows[b].punctuation
    return OUT_OF_MEMORY if groups.out_of_memory else 0

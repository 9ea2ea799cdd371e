# SPDX-License-Identifier: Apache-2.0
"""The tables behind tags.pxd, filled at import: spellings, hash tables of names, and the standard's lists of elements.
"""

from thresher.native.base.scan cimport NameWords, hash_words, name_words

_PUNCTUATION = {
    "TAG_ANNOTATION_XML": "annotation-xml",
    "ATTR_HTTP_EQUIV": "http-equiv",
    "ATTR_DATA_SRC": "data-src",
}

# "Adjust SVG attributes" and the SVG tag names, as the standard capitalises them.
_SVG_TAGS = """
    altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix
    feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
    feFlood
    feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight
    feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient radialGradient textPath
""".split()
_SVG_ATTRIBUTES = """
    attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode filterUnits
    glyphRef
    gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust
    limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength
    patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio
    primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures specularConstant specularExponent
    spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength
    viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
""".split()

_ELEMENTS = {
    FLAG_SPECIAL: """
        address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd
        details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header
        hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript
        object ol p param plaintext pre script search section select source style summary table tbody td template
        textarea tfoot th thead title tr track ul wbr xmp""",
    FLAG_FORMATTING: "a b big code em font i nobr s small strike strong tt u",
    FLAG_SCOPE: "applet caption html table td th marquee object select template",
    FLAG_LIST_SCOPE: "ol ul",
    FLAG_BUTTON_SCOPE: "button",
    FLAG_TABLE_SCOPE: "html table template",
    FLAG_IMPLIED_END: "dd dt li optgroup option p rb rp rt rtc",
    FLAG_THOROUGH_END: "caption colgroup dd dt li optgroup option p rb rp rt rtc tbody td tfoot th thead tr",
    FLAG_HEADING: "h1 h2 h3 h4 h5 h6",
    FLAG_BREAKOUT: """
        b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta
        nobr ol p pre ruby s small span strong strike sub sup table tt u ul var""",
    FLAG_TABLE_PART: "table tbody tfoot thead tr",
}
_SVG_ELEMENTS = {FLAG_SPECIAL | FLAG_SCOPE | FLAG_HTML_INTEGRATION: "foreignobject desc title"}
_MATHML_ELEMENTS = {
    FLAG_SPECIAL | FLAG_SCOPE | FLAG_MATHML_TEXT: "mi mo mn ms mtext",
    FLAG_SPECIAL | FLAG_SCOPE: "annotation-xml",
}


# How elements stand in a page. The lists differ where their purposes do: a td ends a block, a tr holds none.
_LAYOUTS = {
    LAYOUT_BLOCK: """
        address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset
        figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu
        nav ol optgroup option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp marquee""",
    LAYOUT_OWN_LINES: """
        address article aside blockquote body center dd div dt figcaption figure h1 h2 h3 h4 h5 h6 li main p pre section
        table td th caption""",
    LAYOUT_DISPLAY: "article blockquote body center dd div figure main p section",
    LAYOUT_IN_LINE: """
        span a b strong i em cite small sup sub code kbd samp tt u s del ins mark font abbr q var time bdi bdo dfn big
        strike label input img wbr""",
    LAYOUT_UNREAD: "script style template noscript svg textarea select iframe object",
    LAYOUT_NO_BREAK: """
        a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strong
        sub sup time tt u var wbr img""",
    LAYOUT_SKIPPED: "script style noscript template select textarea iframe head object",
}


def _spelling(constant: str) -> str:
    """Return the name behind a TAG_ or ATTR_ constant."""
    if constant in _PUNCTUATION:
        return _PUNCTUATION[constant]
    prefix, _, rest = constant.lower().partition("_")
    if prefix == "attr" and rest.startswith(("xlink_", "xml_", "xmlns_")):
        return rest.replace("_", ":")
    return rest.replace("_", "-")


def _names(enum: str, count: int) -> tuple[str, ...]:
    """Return the spelling of every name in an enum of tags.pxd; index: its number."""
    # the Python face of a cpdef enum, which Cython code sees as the C type only
    members = globals()[enum].__members__
    return ("",) + tuple(_spelling(name) for name, number in members.items() if 0 < number < count)


# Index: Tag or AttributeName. The first entry, the unknown name, is empty.
TAG_NAMES = _names("Tag", TAG_COUNT)
ATTRIBUTE_NAMES = _names("AttributeName", ATTR_COUNT)
_SVG = {name.lower(): name for name in _SVG_TAGS}
SVG_TAG_NAMES = tuple(_SVG.get(name, name) for name in TAG_NAMES)
_SVG = {name.lower(): name for name in _SVG_ATTRIBUTES}
SVG_ATTRIBUTE_NAMES = tuple(_SVG.get(name, name) for name in ATTRIBUTE_NAMES)
MATHML_DEFINITION_URL = "definitionURL"
_SPELLING = "".join(ATTRIBUTE_NAMES + SVG_ATTRIBUTE_NAMES).encode() + MATHML_DEFINITION_URL.encode()

cdef NameTables _tables


cdef const NameTables* name_tables() noexcept nogil:
    return &_tables


cdef int _fill(NameSlot* slots, ShortNameSlot* short_slots, tuple names) except -1:
    """Enter the names into a hash table with linear probing, and the short ones into a second one."""
    cdef bytes raw
    cdef const unsigned char* data
    cdef NameWords words
    cdef uint64_t key
    cdef uint32_t i
    for number, name in enumerate(names):
        if not name:
            continue
        raw = name.encode()
        if len(raw) > 24:
            raise ValueError(f"NameWords hold 24 bytes, {name} is longer")
        data = raw
        words = name_words(data, len(raw), data + len(raw))
        i = hash_words(words) & <uint32_t>(NAME_SLOTS - 1)
        while slots[i].length != 0:
            i = (i + 1) & <uint32_t>(NAME_SLOTS - 1)
        slots[i] = NameSlot(head=words.head, middle=words.middle, tail=words.tail, length=len(raw), number=number)
        if len(raw) < 8:
            key = short_key(words.head, len(raw))
            i = short_place(key)
            while short_slots[i].name != 0:
                i = (i + 1) & <uint32_t>(SHORT_SLOTS - 1)
            short_slots[i] = ShortNameSlot(name=key, number=number)
    return 0


def _build() -> None:
    number_of = {name: number for number, name in enumerate(TAG_NAMES)}
    _fill(_tables.tags, _tables.short_tags, TAG_NAMES)
    _fill(_tables.attributes, _tables.short_attributes, ATTRIBUTE_NAMES)
    for flag, names in _ELEMENTS.items():
        for name in names.split():
            _tables.flags[<uint32_t>number_of[name]] |= <uint32_t>flag
    for flag, names in _LAYOUTS.items():
        for name in names.split():
            TAG_LAYOUT[<uint32_t>number_of[name]] |= <uint8_t>flag
    for tag in range(<uint32_t>TAG_COUNT):
        _tables.foreign_flags[0][tag] = FLAG_FOREIGN
        _tables.foreign_flags[1][tag] = FLAG_FOREIGN
    for flag, names in _SVG_ELEMENTS.items():
        for name in names.split():
            _tables.foreign_flags[0][<uint32_t>number_of[name]] |= <uint32_t>flag
    for flag, names in _MATHML_ELEMENTS.items():
        for name in names.split():
            _tables.foreign_flags[1][<uint32_t>number_of[name]] |= <uint32_t>flag
    at = 0
    for number, name in enumerate(ATTRIBUTE_NAMES):
        _tables.lower_start[<uint32_t>number] = at
        _tables.name_length[<uint32_t>number] = len(name)
        at += len(name)
    for number, name in enumerate(SVG_ATTRIBUTE_NAMES):
        _tables.svg_start[<uint32_t>number] = at
        at += len(name)
    _tables.svg_start[0] = at     # where definitionURL stands: the unknown attribute has no SVG name
    _tables.spelling = <const unsigned char*><bytes>_SPELLING
    _tables.spelling_length = len(_SPELLING)


_build()

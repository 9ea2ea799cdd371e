# SPDX-License-Identifier: Apache-2.0
"""Elements and attributes whose names have a number.

A constant is TAG_ or ATTR_ plus the name in upper case, with "-" and ":" as "_". tags.pyx derives the spelling of every
name from these lists, so a name is added here alone. TAG_UNKNOWN and ATTR_UNKNOWN are never the number of a listed
element or attribute. Unlisted elements get numbers from TAG_COUNT up, per page.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from thresher.native.base.scan cimport NameWords, hash_words


cdef enum Layout:               # how an element stands in a page; flags of TAG_LAYOUT
    LAYOUT_BLOCK = 1            # a block of text ends before and after it
    LAYOUT_OWN_LINES = 2        # formulas and their neighbours: its text stands on lines of its own
    LAYOUT_DISPLAY = 4          # a formula by itself in it is a display formula
    LAYOUT_IN_LINE = 8          # constructs: it stands in a line of text
    LAYOUT_UNREAD = 16          # constructs: its text is hidden
    LAYOUT_NO_BREAK = 32        # dates and authors: no line ends before or after it
    LAYOUT_SKIPPED = 64         # dates and authors: its text is not read


cpdef enum Tag:
    TAG_UNKNOWN = 0
    # HTML, current and obsolete
    TAG_A, TAG_ABBR, TAG_ACRONYM, TAG_ADDRESS, TAG_APPLET, TAG_AREA, TAG_ARTICLE, TAG_ASIDE, TAG_AUDIO, TAG_B
    TAG_BASE, TAG_BASEFONT, TAG_BDI, TAG_BDO, TAG_BGSOUND, TAG_BIG, TAG_BLINK, TAG_BLOCKQUOTE, TAG_BODY, TAG_BR
    TAG_BUTTON, TAG_CANVAS, TAG_CAPTION, TAG_CENTER, TAG_CITE, TAG_CODE, TAG_COL, TAG_COLGROUP, TAG_COMMAND
    TAG_CONTENT, TAG_DATA, TAG_DATALIST, TAG_DD, TAG_DEL, TAG_DETAILS, TAG_DFN, TAG_DIALOG, TAG_DIR, TAG_DIV
    TAG_DL, TAG_DT, TAG_ELEMENT, TAG_EM, TAG_EMBED, TAG_FENCEDFRAME, TAG_FIELDSET, TAG_FIGCAPTION, TAG_FIGURE
    TAG_FONT, TAG_FOOTER, TAG_FORM, TAG_FRAME, TAG_FRAMESET, TAG_H1, TAG_H2, TAG_H3, TAG_H4, TAG_H5, TAG_H6
    TAG_HEAD, TAG_HEADER, TAG_HGROUP, TAG_HR, TAG_HTML, TAG_I, TAG_IFRAME, TAG_IMAGE, TAG_IMG, TAG_INPUT, TAG_INS
    TAG_ISINDEX, TAG_KBD, TAG_KEYGEN, TAG_LABEL, TAG_LEGEND, TAG_LI, TAG_LINK, TAG_LISTING, TAG_MAIN, TAG_MAP
    TAG_MARK, TAG_MARQUEE, TAG_MENU, TAG_MENUITEM, TAG_META, TAG_METER, TAG_MULTICOL, TAG_NAV, TAG_NEXTID, TAG_NOBR
    TAG_NOEMBED, TAG_NOFRAMES, TAG_NOSCRIPT, TAG_OBJECT, TAG_OL, TAG_OPTGROUP, TAG_OPTION, TAG_OUTPUT, TAG_P
    TAG_PARAM, TAG_PICTURE, TAG_PLAINTEXT, TAG_PORTAL, TAG_PRE, TAG_PROGRESS, TAG_Q, TAG_RB, TAG_RBC, TAG_RP
    TAG_RT, TAG_RTC, TAG_RUBY, TAG_S, TAG_SAMP, TAG_SCRIPT, TAG_SEARCH, TAG_SECTION, TAG_SELECT
    TAG_SELECTEDCONTENT, TAG_SHADOW, TAG_SLOT, TAG_SMALL, TAG_SOURCE, TAG_SPACER, TAG_SPAN, TAG_STRIKE, TAG_STRONG
    TAG_STYLE, TAG_SUB, TAG_SUMMARY, TAG_SUP, TAG_TABLE, TAG_TBODY, TAG_TD, TAG_TEMPLATE, TAG_TEXTAREA, TAG_TFOOT
    TAG_TH, TAG_THEAD, TAG_TIME, TAG_TITLE, TAG_TR, TAG_TRACK, TAG_TT, TAG_U, TAG_UL, TAG_VAR, TAG_VIDEO, TAG_WBR
    TAG_XMP
    # MathML
    TAG_ANNOTATION_XML, TAG_MALIGNMARK, TAG_MATH, TAG_MFRAC, TAG_MGLYPH, TAG_MI, TAG_MN, TAG_MO, TAG_MROW, TAG_MS
    TAG_MSUB, TAG_MSUP, TAG_MTEXT
    # SVG; the tokenizer lower-cases names, the tree builder restores altGlyph and similar
    TAG_ALTGLYPH, TAG_ALTGLYPHDEF, TAG_ALTGLYPHITEM, TAG_ANIMATECOLOR, TAG_ANIMATEMOTION, TAG_ANIMATETRANSFORM
    TAG_CIRCLE, TAG_CLIPPATH, TAG_DEFS, TAG_DESC, TAG_ELLIPSE, TAG_FEBLEND, TAG_FECOLORMATRIX
    TAG_FECOMPONENTTRANSFER, TAG_FECOMPOSITE, TAG_FECONVOLVEMATRIX, TAG_FEDIFFUSELIGHTING, TAG_FEDISPLACEMENTMAP
    TAG_FEDISTANTLIGHT, TAG_FEDROPSHADOW, TAG_FEFLOOD, TAG_FEFUNCA, TAG_FEFUNCB, TAG_FEFUNCG, TAG_FEFUNCR
    TAG_FEGAUSSIANBLUR, TAG_FEIMAGE, TAG_FEMERGE, TAG_FEMERGENODE, TAG_FEMORPHOLOGY, TAG_FEOFFSET, TAG_FEPOINTLIGHT
    TAG_FESPECULARLIGHTING, TAG_FESPOTLIGHT, TAG_FETILE, TAG_FETURBULENCE, TAG_FILTER, TAG_FOREIGNOBJECT, TAG_G
    TAG_GLYPHREF, TAG_LINE, TAG_LINEARGRADIENT, TAG_MASK, TAG_PATH, TAG_PATTERN, TAG_POLYGON, TAG_POLYLINE
    TAG_RADIALGRADIENT, TAG_RECT, TAG_STOP, TAG_SVG, TAG_SYMBOL, TAG_TEXT, TAG_TEXTPATH, TAG_TSPAN, TAG_USE
    TAG_COUNT


cdef uint8_t[TAG_COUNT] TAG_LAYOUT      # Layout flags of each listed element


cpdef enum AttributeName:
    ATTR_UNKNOWN = 0
    ATTR_ACCESSKEY, ATTR_ACTION, ATTR_ALIGN, ATTR_ALT, ATTR_ARIA_DESCRIBEDBY, ATTR_ARIA_EXPANDED
    ATTR_ARIA_HASPOPUP, ATTR_ARIA_HIDDEN, ATTR_ARIA_LABEL, ATTR_ARIA_LABELLEDBY, ATTR_ASYNC, ATTR_BGCOLOR
    ATTR_BORDER, ATTR_CELLPADDING, ATTR_CELLSPACING, ATTR_CHARSET, ATTR_CITE, ATTR_CLASS, ATTR_COLOR, ATTR_COLSPAN
    ATTR_CONTENT, ATTR_CROSSORIGIN, ATTR_D, ATTR_DATA_SRC, ATTR_DATETIME, ATTR_DECODING, ATTR_DEFER
    ATTR_DEFINITIONURL, ATTR_DIR, ATTR_DISABLED, ATTR_ENCODING, ATTR_FACE, ATTR_FILL, ATTR_FOR, ATTR_HEADERS
    ATTR_HEIGHT, ATTR_HIDDEN, ATTR_HREF, ATTR_HREFLANG, ATTR_HTTP_EQUIV, ATTR_ID, ATTR_ITEMPROP, ATTR_ITEMSCOPE
    ATTR_ITEMTYPE, ATTR_LABEL, ATTR_LANG, ATTR_LOADING, ATTR_MEDIA, ATTR_METHOD, ATTR_MULTIPLE, ATTR_NAME
    ATTR_NONCE, ATTR_ONCLICK, ATTR_OPEN, ATTR_PLACEHOLDER, ATTR_PROPERTY, ATTR_REL, ATTR_ROLE, ATTR_ROWSPAN
    ATTR_SCOPE, ATTR_SELECTED, ATTR_SHADOWROOTMODE, ATTR_SIZE, ATTR_SIZES, ATTR_SLOT, ATTR_SRC, ATTR_SRCSET
    ATTR_START, ATTR_STROKE, ATTR_STYLE, ATTR_TABINDEX, ATTR_TARGET, ATTR_TITLE, ATTR_TRANSFORM, ATTR_TYPE
    ATTR_VALIGN, ATTR_VALUE, ATTR_WIDTH
    # names that foreign content prints with a prefix ("adjust foreign attributes")
    ATTR_XLINK_ACTUATE, ATTR_XLINK_ARCROLE, ATTR_XLINK_HREF, ATTR_XLINK_ROLE, ATTR_XLINK_SHOW, ATTR_XLINK_TITLE
    ATTR_XLINK_TYPE, ATTR_XML_LANG, ATTR_XML_SPACE, ATTR_XMLNS, ATTR_XMLNS_XLINK
    # SVG names with capitals ("adjust SVG attributes")
    ATTR_ATTRIBUTENAME, ATTR_ATTRIBUTETYPE, ATTR_BASEFREQUENCY, ATTR_BASEPROFILE, ATTR_CALCMODE, ATTR_CLIPPATHUNITS
    ATTR_DIFFUSECONSTANT, ATTR_EDGEMODE, ATTR_FILTERUNITS, ATTR_GLYPHREF, ATTR_GRADIENTTRANSFORM
    ATTR_GRADIENTUNITS, ATTR_KERNELMATRIX, ATTR_KERNELUNITLENGTH, ATTR_KEYPOINTS, ATTR_KEYSPLINES, ATTR_KEYTIMES
    ATTR_LENGTHADJUST, ATTR_LIMITINGCONEANGLE, ATTR_MARKERHEIGHT, ATTR_MARKERUNITS, ATTR_MARKERWIDTH
    ATTR_MASKCONTENTUNITS, ATTR_MASKUNITS, ATTR_NUMOCTAVES, ATTR_PATHLENGTH, ATTR_PATTERNCONTENTUNITS
    ATTR_PATTERNTRANSFORM, ATTR_PATTERNUNITS, ATTR_POINTSATX, ATTR_POINTSATY, ATTR_POINTSATZ, ATTR_PRESERVEALPHA
    ATTR_PRESERVEASPECTRATIO, ATTR_PRIMITIVEUNITS, ATTR_REFX, ATTR_REFY, ATTR_REPEATCOUNT, ATTR_REPEATDUR
    ATTR_REQUIREDEXTENSIONS, ATTR_REQUIREDFEATURES, ATTR_SPECULARCONSTANT, ATTR_SPECULAREXPONENT, ATTR_SPREADMETHOD
    ATTR_STARTOFFSET, ATTR_STDDEVIATION, ATTR_STITCHTILES, ATTR_SURFACESCALE, ATTR_SYSTEMLANGUAGE, ATTR_TABLEVALUES
    ATTR_TARGETX, ATTR_TARGETY, ATTR_TEXTLENGTH, ATTR_VIEWBOX, ATTR_VIEWTARGET, ATTR_XCHANNELSELECTOR
    ATTR_YCHANNELSELECTOR, ATTR_ZOOMANDPAN
    ATTR_COUNT


cdef enum TagFlag:
    """The standard's lists that an element is on, one bit per list."""
    FLAG_SPECIAL = 1            # "special"
    FLAG_FORMATTING = 2         # "formatting"
    FLAG_SCOPE = 4              # ends "has an element in scope"
    FLAG_LIST_SCOPE = 8         # ends "in list item scope" as well: ol, ul
    FLAG_BUTTON_SCOPE = 16      # ends "in button scope" as well: button
    FLAG_TABLE_SCOPE = 32       # ends "in table scope": html, table, template
    FLAG_IMPLIED_END = 64       # "generate implied end tags"
    FLAG_THOROUGH_END = 128     # "generate all implied end tags thoroughly"
    FLAG_HEADING = 256          # h1 to h6
    FLAG_BREAKOUT = 512         # a start tag that ends foreign content
    FLAG_TABLE_PART = 1024      # table, tbody, tfoot, thead, tr: where text is foster-parented
    # of open elements in foreign content, set when they are pushed
    FLAG_FOREIGN = 2048             # SVG or MathML
    FLAG_MATHML_TEXT = 4096         # "MathML text integration point"
    FLAG_HTML_INTEGRATION = 8192    # "HTML integration point"


cdef enum:
    NAME_SLOTS = 1024   # a power of two, at least twice the longest list
    SHORT_BITS = 9      # logarithm of SHORT_SLOTS
    SHORT_SLOTS = 1 << 9    # at least twice the short names of either list


ctypedef struct NameSlot:
    uint64_t head       # the name as scan.h's NameWords
    uint64_t middle
    uint64_t tail
    uint32_t length     # 0 if the slot is free
    uint32_t number     # Tag or AttributeName


ctypedef struct ShortNameSlot:  # a name of up to seven bytes; its table is small and stays in the processor's cache
    uint64_t name       # the name as short_name() returns it, and its length in the highest byte; 0 if the slot is free
    uint64_t number     # Tag or AttributeName


ctypedef struct NameTables:
    NameSlot tags[NAME_SLOTS]
    NameSlot attributes[NAME_SLOTS]
    uint32_t flags[<int>TAG_COUNT]              # TagFlag bits of an HTML element
    uint32_t foreign_flags[2][<int>TAG_COUNT]   # the same for SVG and MathML elements (index: namespace - 1)
    uint32_t lower_start[<int>ATTR_COUNT]       # start of an attribute's name in `spelling`
    uint32_t svg_start[<int>ATTR_COUNT]         # start of its SVG name there, such as viewBox for ATTR_VIEWBOX
    uint16_t name_length[<int>ATTR_COUNT]
    const uint8_t* spelling                     # all attribute names, concatenated
    uint32_t spelling_length
    ShortNameSlot short_tags[SHORT_SLOTS]
    ShortNameSlot short_attributes[SHORT_SLOTS]


cdef const NameTables* name_tables() noexcept nogil


cdef inline uint32_t find_name(const NameSlot* slots, NameWords words, uint32_t length) noexcept nogil:
    """Return the number of a name given as words; 0 (TAG_UNKNOWN, ATTR_UNKNOWN) if it is not in the table."""
    cdef uint32_t i = hash_words(words) & <uint32_t>(NAME_SLOTS - 1)
    while slots[i].length != 0:
        if slots[i].head == words.head and slots[i].tail == words.tail and slots[i].length == length:
            if slots[i].middle == words.middle:
                return slots[i].number
        i = (i + 1) & <uint32_t>(NAME_SLOTS - 1)
    return 0


cdef inline uint64_t short_key(uint64_t word, uint32_t length) noexcept nogil:
    """A lower-case name of up to seven bytes with its length, as in ShortNameSlot."""
    return word | <uint64_t> length << 56


cdef inline uint32_t short_place(uint64_t key) noexcept nogil:
    """The first slot where a short name can be."""
    return <uint32_t> (key * <uint64_t> 0xD6E8FEB86659FD93 >> (64 - SHORT_BITS))


cdef inline uint32_t find_short_name(const ShortNameSlot* slots, uint64_t word, uint32_t length) noexcept nogil:
    """Return the number of a lower-case name of up to seven bytes, given as by short_name(); 0 if it is not in the
    table or empty.
    """
    cdef uint64_t key = short_key(word, length)
    cdef uint32_t i = short_place(key)
    while slots[i].name != 0:
        if slots[i].name == key:
            return <uint32_t> slots[i].number
        i = (i + 1) & <uint32_t>(SHORT_SLOTS - 1)
    return 0

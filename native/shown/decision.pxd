# SPDX-License-Identifier: Apache-2.0
"""What a page shows: one decision for each node, taken once, before anything is measured.

Shown is what a reader sees with scripts on. A node is *not text* if its kind of element never holds text to read: the
head; script, style, template, iframe, svg, select, textarea, audio, video, canvas, object and similar. It is *concealed*
for a reason, `Why`:

| reason | which elements |
|---|---|
| faint | `hidden="until-found"`, an inline style `content-visibility: hidden`, `opacity: 0` or `font-size: 0` |
| sheet | a rule of the page's own style sheets: `display: none` or `visibility: hidden` (sheets.pxd) |
| clipped | laid out where nobody sees it by an inline style or the page's sheets, as text for screen readers is |
| readers | a class that libraries use for text for screen readers |
| tooltip | a class of text that appears under the pointer |
| attribute | `hidden`, except `hidden="until-found"`; `aria-hidden="true"` with any other reason |
| display | an inline style `display: none` |
| visibility | an inline style `visibility: hidden` or `collapse` |
| dialog | a dialog that is not open, as an element or as a role that the page's sheets hide |
| noscript | noscript |
| aria | `aria-hidden="true"` |
| icon | the name of an icon that a font shows as a picture: `open_in_new` |

The first five are *mild*. They conceal a whole block only by strict rules, because blocks are as often the article as not:
of the words that the sheets of 3,383 labelled pages hide in blocks, 29 % are main text, such as folds, tabs and articles
behind a wall.

A *run* is a concealed element within a line of shown text: a screen reader's "(opens in a new window)", a tooltip. It is
never part of the text around it, whatever the reason. An element that is only `aria-hidden` is seen if it stands within a
line beside a copy for screen readers, and by strict rules in any line, unless it repeats a text beside it that is seen.

A sheet that displays an element with `hidden`, as browsers do unless another one says otherwise, does not count: of 4,203
pages four have one, and what it would show are folded parts and controls.

html and body are never concealed. What becomes of concealed text is decided in metrics.pxd.
"""

from libc.stddef cimport size_t
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from thresher.native.parsing.tree cimport Tree
from thresher.native.shown.sheets cimport Sheets


cdef enum Why:
    WHY_SHOWN
    WHY_FAINT
    WHY_SHEET
    WHY_CLIPPED
    WHY_READERS
    WHY_TOOLTIP         # the last mild one
    WHY_ATTRIBUTE
    WHY_DISPLAY
    WHY_VISIBILITY
    WHY_DIALOG
    WHY_NOSCRIPT
    WHY_ARIA
    WHY_ICON


cdef enum How:
    HOW_BLOCK = 1           # an inline style displays it on lines of its own,
    HOW_INLINE = 2          # within the line; with both, as a box within the line
    HOW_NO_SIZE = 4         # its text has font-size 0,
    HOW_SIZE = 8            # or another size
    HOW_NOT_TEXT = 16
    HOW_RUN = 32
    HOW_SEEN = 64           # only aria-hidden, and seen,
    HOW_PAIRED = 128        # beside a copy for screen readers
    HOW_LINE = HOW_BLOCK | HOW_INLINE


ctypedef struct Decision:   # of a node; that of a text is never set
    uint8_t why             # Why
    uint8_t how             # How


ctypedef struct ShownArray:
    Decision* nodes         # one per node of the tree
    size_t capacity
    uint32_t* inlines       # concealed elements that may be within a line
    uint32_t n_inlines
    size_t inlines_capacity
    uint32_t* unread        # the elements of HTML whose kind never holds text to read (script, meta, …), in their order
    uint32_t n_unread
    size_t unread_capacity
    Sheets sheets
    uint64_t serial         # of the tree that was decided; 0 if there is none


cdef inline bint is_concealed(Decision decision, bint strict) noexcept nogil:
    """True for an element whose text is not shown; by strict rules also for the mild reasons."""
    if decision.why <= WHY_TOOLTIP and not strict:
        return decision.how & HOW_RUN != 0
    return decision.why != WHY_SHOWN and not decision.how & (HOW_SEEN if strict else HOW_PAIRED)


cdef int decide(ShownArray* shown, const Tree* tree) noexcept nogil
cdef size_t shown_memory(ShownArray* shown, bint freed) noexcept nogil

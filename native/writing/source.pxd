# SPDX-License-Identifier: Apache-2.0
"""Main HTML: the kept text of a page in the page's own elements, with their attributes, safe to show.

An element is written if kept text is inside it, so the elements around the main text are there, and those without kept
text leave no trace. Exceptions: line breaks, rules and, on request, images between kept texts; and cells of a row with
kept text, which keep its columns in their places.

Safe means that a page which shows this HTML runs nothing of it and looks as it did around it. The tree is written
anew, never copied, and only from two lists:

- **Elements**: those of `ELEMENTS` in source.pyx, in the HTML namespace. Of any other element (forms, custom elements,
  MathML, unknown names) the kept text is written without its tags. Nothing whose content a parser reads differently
  (script, style, textarea, SVG) is ever written, so the HTML means the same wherever it is parsed.
- **Attributes**: those of `ATTRIBUTES`. No event handler, style, id or name: an id can stand for a variable of a
  script. Addresses are href of links and src of images, both only on request and resolved by urls.pxd, which refuses
  javascript and data.

Sizes are bounded: each element is written once at most, attributes and addresses together take at most 1 MiB and four
times the page. Formulas, listings and marks of footnotes are text by now (native/constructs) and written as that.
"""

from thresher.native.writing.output cimport Writer


cdef const Writer* source_writer() noexcept nogil

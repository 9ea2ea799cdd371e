# SPDX-License-Identifier: Apache-2.0
r"""TeX between delimiters in the text of a page: `\(…\)`, `\[…\]`, `$…$`, `$$…$$`, `\begin{align}…\end{align}`, the
tags of forums (`[tex]…[/tex]`, `[itex]`, `[latex]`, `[math]`), `$latex …$` of WordPress, and AsciiMath between
backticks.

MathJax and KaTeX search for these when the page is displayed. They are written like every other formula, between
dollars; AsciiMath keeps its backticks. Like MathJax, the search joins texts that are separated only by <br>, <wbr> or a
comment, and skips code.

Text between delimiters counts as a formula only if it looks like one: `$5 and another of $10` are amounts, and
`\[citation needed\]` is an escaped bracket. On pages that load MathJax or KaTeX, weaker evidence is enough. What only
defines commands (`\newcommand`) is a formula that shows nothing, and is written as nothing.
"""

from thresher.native.constructs.construct cimport *


cdef enum Belief:           # how likely a text is TeX
    BELIEF_NONE = 0         # prose, or an amount of money
    BELIEF_WEAK = 1         # possibly a formula
    BELIEF_STRONG = 2       # a command, a group, a script


cdef Belief belief_in(Slice tex) noexcept nogil
cdef void note_maths(Rewriting* page, uint32_t n) noexcept nogil
cdef bint has_tex_tag(Slice text) noexcept nogil
cdef uint32_t rewrite_text(Rewriting* page, uint32_t n) noexcept nogil

# SPDX-License-Identifier: Apache-2.0
r"""TeX between delimiters in the text of a page: `\(…\)`, `\[…\]`, `$…$`, `$$…$$`, `\begin{align}…\end{align}`, and
AsciiMath between backticks.

MathJax and KaTeX look for these in the text when the page is shown. They come out as every other formula does, between
dollars; AsciiMath keeps its backticks. Like MathJax, the search joins texts that only <br>, <wbr> or a comment
separates, and looks at no code.

What is between delimiters is taken for a formula only if it looks like one: `$5 and another of $10` are amounts, and
`\[citation needed\]` is an escaped bracket. Pages that load MathJax or KaTeX get the benefit of the doubt.
"""

from libc.stdint cimport uint32_t

from thresher.native.constructs.construct cimport Rewriting


cdef void note_maths(Rewriting* page, uint32_t n) noexcept nogil
cdef uint32_t rewrite_text(Rewriting* page, uint32_t n) noexcept nogil

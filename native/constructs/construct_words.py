# SPDX-License-Identifier: Apache-2.0
"""Words by which pages mark constructs: in classes, roles and attributes, on labels and in addresses.

A row is a word or a pattern (base/word_table.pxd): `line*` begins with, `*line` ends with, `*line*` contains. Rows are
separated by white space, in the lists of labels by vertical bars. tests/unit/native/test_construct_words.py shows what
each row does, and that a word beside it does not do it.
"""

from __future__ import annotations

from typing import Final


def _bars(text: str) -> list[str]:
    return "".join(text.splitlines()).split("|")


# --- listings ---

# What a word of a class says, whichever element it is on; in the order of Say in class_words.pxd. Spelled as on pages:
# rewrite.pyx takes the first letters.
CLASSES: Final = {
    "number": """
        ln lnt lnlinks lineno linenos linenodiv gutter line-number line-numbers line-numbers-rows line-numbers-wrapper
        line_number line_numbers linenumber linenumbers lines-num blob-num hljs-ln-numbers hljs-ln-n rouge-gutter
        react-syntax-highlighter-line-number filecontents-linenum blame-linenum u-linenum crayon-nums line-num linenum
        lnum line-no line_no linenr code-line-number react-code-line-number source-line-no sourcelineno
        select-none user-select-none noselect no-select CodeMirror-gutter* CodeMirror-linenumber
    """,
    "row": "flex d-flex grid",  # sets what it holds side by side
    "line": "line codeline *-line *_line de1 de2",  # the last two: GeSHi
    "code_cell": "*code* *linecontent*",
    "editor": "CodeMirror-code cm-content view-lines ace_text-layer",  # around its lines; the last two: Monaco, Ace
    "measure": "CodeMirror-line-like",  # lines by which an editor measures its font
    "numbered_code": "dp-* blockcode linenums",  # SyntaxHighlighter 1, Discuz, prettify
    "popup": "hover-info tooltip twoslash-popup-container",  # appears only under the pointer
    "block": "block",  # shows a code element as a block
    "label": "*header* *toolbar* *copy* *lang* *label* *button* btn",
    "textarea": "language-* brush:* prettyprint* highlight* code",  # shows code
    "token": "token hljs-* pl-* cm-* mtk* ace_* tok-*",  # a word of code
    # --- controls ---
    "edit": "mw-editsection editsection",
    "tabs": "tabbed-labels sd-tab-label",  # MkDocs Material, Sphinx-design
    "tab_group": "vp-code-group",  # around tab names and panels: VitePress
    "prompt": "prompt jp-InputPrompt jp-OutputPrompt",  # the number of a notebook's cell
    # --- notes in the text ---
    "note": "ltx_role_footnote sidenote marginnote",
    "footnote": "footnote*",  # an inline note may have it, but so may much else
    "note_mark": "ltx_role_footnotemark",  # only repeats another note's mark
    "note_outer": "ltx_note_outer",  # the part that LaTeXML displays beside the page
    "note_number": "ltx_note_mark ltx_note_type ltx_tag_note sidenote-number",
    "note_toggle": "margin-toggle",  # the checkbox that shows and hides a note
    # --- headings ---
    "anchor": """
        headerlink hash-link header-anchor header-link heading-anchor heading-link headline-hash anchor anchor-link
        anchorjs-link permalink td-heading-self-link
    """,  # a heading's link to itself
    # --- callouts ---
    "callout": """
        admonition theme-admonition admonitionblock custom-block markdown-alert callout bd-callout notecard hint
    """,
    "callout_title": """
        admonition-title admonition-heading admonitionheading custom-block-title markdown-alert-title callout-title
        callout-header callout-heading title admonition-title_* admonition-heading_* admonitionheading_*
        custom-block-title_* markdown-alert-title_* callout-title_* callout-header_* callout-heading_* title_*
    """,  # CSS modules put a hash behind a low line
}

# What a declaration of a style says: the property, and the first word of its value; in the order of StyleSay.
STYLES: Final = {
    "unselectable": "*user-select:none",  # of a line number
    "apart": "margin-right:* padding-right:* text-align:right",  # of a line number at the beginning of its line
    "row": "display:flex display:grid",
    "spaces": "white-space:pre*",
}

# Texts of a heading's link to itself.
PERMALINKS: Final = _bars("""
link to this *|permalink*|permanent link*|direct link to *|anchor link*|copy link*
""")

# Kinds of callouts: a word of the class, or what follows its last hyphen.
CALLOUT_KINDS: Final = """
    note tip warning important caution danger info hint success error attention example question bug todo seealso
    abstract failure
"""

# What labels and tab names call a language.
LANGUAGES: Final = _bars("""
apache|applescript|asm|assembly|awk|bash|bat|batch|c|c#|c++|clojure|cmake|cmd|console|coq|cpp|cs|
csharp|css|csv|dart|diff|docker|dockerfile|elixir|elm|erlang|f#|fish|fsharp|gherkin|go|golang|gradle|
graphql|groovy|haskell|hcl|html|http|ini|java|javascript|js|json|json5|jsonc|jsx|julia|kotlin|latex|
lean|less|lisp|log|lua|makefile|markdown|matlab|md|mermaid|mysql|nginx|nim|nix|objc|objective-c|ocaml|
pascal|perl|php|plain text|plaintext|postgresql|powershell|properties|protobuf|ps1|py|python|r|rb|ruby|
rust|sass|scala|scheme|scss|sh|shell|solidity|sql|svelte|swift|terraform|toml|ts|tsx|txt|typescript|vue|
xml|yaml|zig
""")

# Texts on the buttons of a listing.
BUTTONS: Final = _bars("""
copy|copied|copied!|copy code|code copied|copy to clipboard|copy snippet|copy link|copy text|copy page|
edit|run|run code|try it|try it yourself|wrap|toggle wrap|expand|collapse|view raw|raw|play|download|
复制|复制代码|コピー|kopieren|copier|copiar
""")

# Words of a class before the name of a language: everywhere; on pre and code alone, where `lang-en` does not describe
# the page; there, if a language is known by that name (most classes of Sandpack name something else).
LANGUAGE_PREFIXES: Final = "language-* highlight-source-* highlight-text-* highlight-* mw-highlight-lang-*"
CODE_PREFIXES: Final = "lang-* gatsby-code-*"
DOUBTFUL_PREFIXES: Final = "sp-*"
# Beside these, one other word of the class is a language: on pre and code, on a figure.
HIGHLIGHTERS: Final = "hljs sourceCode hl"
FIGURE_HIGHLIGHTERS: Final = "highlight"
# Other words beside a language.
THEMES: Final = "*-* *_* hljs highlight sourceCode numberLines nohighlight notranslate code"
# Words that stand where a language would and name none.
NO_LANGUAGES: Final = """
default none wrapper container toolbar block dark light auto null wrap copy fallback undefined unknown
"""
LANGUAGE_ATTRIBUTES: Final = "data-lang data-language data-code-lang"
# Values of `lang` with two letters that are no natural languages.
SHORT_LANGUAGES: Final = "js py rb rs go"

# --- formulas ---

# The first word of a class.
FORMULA_CLASSES: Final = {
    "part": "katex-html*",
    "container": "katex* MJX* mwe-math* mjx-* mjpage* temml*",
    "twin": "MathJax*",
    "math": "math math-* math_* arithmatex* latex* tex tex2*",
}
DISPLAY_CLASSES: Final = _bars("""
katex-display*|MathJax_Display*|MathJax_SVG_Display*|MJXc-display*|mwe-math-fallback-image-display*|
mwe-math-mathml-display*|math-display*|math-block*|math display*
""")
# Attributes that hold TeX, after data-, and values that are options instead.
TEX_ATTRIBUTES: Final = "math tex latex katex formula equation entry"
TEX_SWITCHES: Final = "true false inline display block null undefined"
TEX_SCRIPTS: Final = "math/tex* math/latex*"

# Images whose alternative text is TeX.
IMAGE_CLASSES: Final = """
mwe-math-fallback* latex* tex math
ql-img-inline-formula ql-img-inline-equation ql-img-displayed-formula ql-img-displayed-equation
"""
# Alternative text that only says that there is a formula. The last one is Zhihu's.
IMAGE_WORDS: Final = r"equation formula latex math image tex \[image\] [公式]"
# Services that render TeX as an image: what the address must hold, the path.
IMAGE_SERVICES: Final = {
    "": "*latex.php *.latex *tex.cgi */render/math *math.now.sh",
    "tex=": "*/equation",
    "cht=tx": "*/chart",
    "codecogs.com": "*.image *.download",
}
# Parameters that hold the TeX, in the order in which they are asked.
IMAGE_PARAMETERS: Final = "tex= math= chl= from="
# Commands that tell a formula. Others may be segments of a path.
COMMANDS: Final = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma
tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega frac dfrac tfrac cfrac
binom sqrt sum prod int iint oint lim partial nabla infty hbar ell cdot times div pm mp ast circ le ge ne leq geq neq ll
gg approx equiv sim simeq cong propto to mapsto rightarrow leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow
implies iff in notin subset subseteq cup cap setminus emptyset forall exists neg land lor wedge vee oplus otimes mid
parallel perp angle prime dots ldots cdots vdots ddots quad qquad left right big Big bigg Bigg langle rangle lfloor
rfloor lceil rceil begin end mathbb mathrm mathbf mathcal mathit mathsf mathfrak boldsymbol text operatorname
displaystyle textstyle limits vec hat bar tilde dot ddot overline underline overbrace underbrace stackrel overset
underset sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp max min sup inf det dim ker gcd arg deg
mod bmod pmod
"""
# Environments that MathJax renders without other delimiters, with or without an asterisk.
ENVIRONMENTS: Final = """
align equation gather multline eqnarray alignat flalign displaymath math array cases aligned gathered split matrix
bmatrix pmatrix vmatrix
"""
# Tags of forums: [tex]…[/tex]
TEX_TAGS: Final = "tex itex math latex"

# --- roles ---

ROLES: Final = {
    "table": "table grid",
    "row": "row",
    "cell": "cell gridcell",
    "header": "columnheader rowheader",
    "group": "rowgroup",
    "tabs": "tablist",
    "tab": "tab",
    "panel": "tabpanel",
    "heading": "heading",
}

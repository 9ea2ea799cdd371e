# SPDX-License-Identifier: Apache-2.0
"""How characters of formulas are written in TeX, and what else is known of them (math_tokens.pxd)."""

from __future__ import annotations

from typing import Final

# A character, the name of its command.
_COMMANDS = r"""
α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa ϰ varkappa
λ lambda
μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ∆ Delta ϝ digamma
∞ infty ∂ partial ∇ nabla ∀ forall ∃ exists ∄ nexists ∅ emptyset ℏ hbar ħ hbar ℓ ell ℑ Im ℜ Re ℘ wp ℵ aleph ℶ beth
ℷ gimel
∠ angle ∡ measuredangle ⊤ top ⊥ perp △ triangle ▽ triangledown □ square ■ blacksquare ◻ square ◼ blacksquare ◊ lozenge
⋄ diamond ⋆ star ★ bigstar ♠ spadesuit ♡ heartsuit ♢ diamondsuit ♣ clubsuit ♭ flat ♮ natural ♯ sharp ∁ complement
ð eth
± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∘ circ • bullet ∙ bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot ⊞ boxplus
⊟ boxminus ⊠ boxtimes ⊡ boxdot † dagger ‡ ddagger ⨿ amalg ≀ wr ⊓ sqcap ⊔ sqcup ∩ cap ∪ cup ⊎ uplus ∧ wedge ∨ vee
∖ setminus ⧵ setminus ⋉ ltimes ⋊ rtimes ⋈ bowtie ∔ dotplus ⊼ barwedge ⊻ veebar
≤ le ≥ ge ≠ ne ≡ equiv ≢ not\equiv ≈ approx ≉ not\approx ≃ simeq ≅ cong ≆ ncong ∼ sim ≁ nsim ∝ propto ≍ asymp
≐ doteq ≪ ll ≫ gg
⋘ lll ⋙ ggg ≺ prec ≻ succ ≼ preceq ≽ succeq ⪯ preceq ⪰ succeq ⩽ leqslant ⩾ geqslant ≦ leqq ≧ geqq ≲ lesssim ≳ gtrsim
≶ lessgtr ≷ gtrless ≮ nless ≯ ngtr ≰ nleq ≱ ngeq ≜ triangleq ≝ overset{\text{def}}{=} ≔ coloneqq ≕ eqqcolon
∈ in ∉ notin ∋ ni ∌ not\ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊄ not\subset ⊅ not\supset ⊈ nsubseteq
⊉ nsupseteq ⊊ subsetneq
⊋ supsetneq ⊏ sqsubset ⊐ sqsupset ⊑ sqsubseteq ⊒ sqsupseteq ∣ mid ∤ nmid ∥ parallel ∦ nparallel ⊢ vdash ⊣ dashv
⊨ models
⊩ Vdash ⊬ nvdash ⊭ nvDash ⌢ frown ⌣ smile ⊲ lhd ⊳ rhd ⊴ unlhd ⊵ unrhd ◁ triangleleft ▷ triangleright ∴ therefore
∵ because ¬ neg
→ to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⟶ longrightarrow ⟵ longleftarrow
⟷ longleftrightarrow ⟹ Longrightarrow ⟸ Longleftarrow ⟺ iff ↦ mapsto ⟼ longmapsto ↪ hookrightarrow ↩ hookleftarrow
↑ uparrow ↓ downarrow ↕ updownarrow ⇑ Uparrow ⇓ Downarrow ⇕ Updownarrow ↗ nearrow ↘ searrow ↙ swarrow ↖ nwarrow
⇀ rightharpoonup ⇁ rightharpoondown ↼ leftharpoonup ↽ leftharpoondown ⇌ rightleftharpoons ⇋ leftrightharpoons
↠ twoheadrightarrow ↣ rightarrowtail ↝ leadsto ⇝ rightsquigarrow ⇉ rightrightarrows ⇄ rightleftarrows ↛ nrightarrow
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes
⨀ bigodot ⨄ biguplus ⨆ bigsqcup
⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ | ⦃ lBrace ⦄ rBrace ⟦ llbracket
⟧ rrbracket
… ldots ⋯ cdots ⋮ vdots ⋱ ddots √ surd \ backslash ~ sim ^ wedge { { } } % % # # & & _ _ $ $
"""

# A character, the character or characters of TeX that mean it.
_SIGNS = "− - ‐ - ‑ - – - ∗ * ∶ : ∕ / ⁄ / ′ ' ″ '' ‴ '''"


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


# As a symbol of a formula, with all that TeX needs before and around it.
SYMBOLS: Final = {
    **{character: "\\" + command for character, command in _pairs(_COMMANDS).items()},
    **_pairs(_SIGNS),
    "°": "{}^\\circ",
    "\xa0": "\\ ",
}

# In \text{}: what would not be itself there.
IN_TEXT: Final = {
    "\\": "\\textbackslash ",
    "^": "\\^{}",
    "~": "\\~{}",
    "\xa0": " ",
    **{character: "\\" + character for character in "{}%#&_$"},
}

# Accents that look alike, the command for each above one letter, and, if it differs, where it stretches: above one
# letter, above more.
ACCENTS: Final = """
^ˆ\u0302 hat hat widehat
~˜\u0303∼ tilde tilde widetilde
¯‾―\u0305\u0304_–ˉ bar overline overline
→\u20d7⇀ vec vec overrightarrow
←\u20d6 overleftarrow
↔ overleftrightarrow
˙\u0307 dot
¨\u0308 ddot
\u20db dddot
ˇ\u030c check
˘\u0306 breve
´ˊ\u0301 acute
`ˋ\u0300 grave
˚\u030a mathring
⏞︷ overbrace
"""

# Below a letter.
ACCENTS_BELOW: Final = """
⏟︸ underbrace
_\u0332―‾¯– underline
→ underrightarrow
"""

# What TeX sets its limits above and below: sums, integrals, large operators.
TAKE_LIMITS: Final = "∏∐∑∫∬∭∮∯∰∱∲∳⋀⋁⋂⋃⨀⨁⨂⨃⨄⨅⨆"

# An opening bracket and its closing one, the environment of a matrix between them, and the pieces that a tall one is
# drawn of.
BRACKETS: Final = """
( ) pmatrix ⎛⎜⎝
[ ] bmatrix ⎡⎢⎣
{ } Bmatrix ⎧⎨⎩
| | vmatrix
∣ ∣ vmatrix
‖ ‖ Vmatrix
∥ ∥ Vmatrix
"""

# Letters with styles of their own: the first character, the plain ones behind each row of them, and the rows' variants.
_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΘΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ"
ALPHABETS: Final = (
    ("𝐀", _LATIN, "bold plain bold-italic script script fraktur double-struck fraktur sans sans sans sans monospace"),
    ("𝚤", "ij", "plain"),
    ("𝚨", _GREEK, "bold-italic plain bold-italic bold-italic bold-italic"),
    ("𝟎", "0123456789", "bold double-struck sans sans monospace"),
)

# Letters that had a character before those alphabets: the character, the plain letter, its variant.
LETTERS: Final = """
ℂ C double-struck ℍ H double-struck ℕ N double-struck ℙ P double-struck ℚ Q double-struck ℝ R double-struck
ℤ Z double-struck
ℬ B script ℰ E script ℱ F script ℋ H script ℐ I script ℒ L script ℳ M script ℛ R script ℯ e script ℊ g script
ℴ o script
ℭ C fraktur ℌ H fraktur ℨ Z fraktur
ℎ h plain
"""

# The command for a variant, and the values of mathvariant that ask for it.
VARIANTS: Final = """
plain
upright mathrm normal
bold mathbf bold
italic mathit italic
bold-italic boldsymbol bold-italic
double-struck mathbb double-struck
script mathcal script* bold-script*
calligraphic mathcal -tex-calligraphic*
fraktur mathfrak fraktur* bold-fraktur*
sans mathsf sans-serif*
monospace mathtt monospace
"""

# Words of the notation of menclose, the command for an element that has them all; the first row counts.
NOTATIONS: Final = (
    ("box", "boxed"),
    ("circle", "boxed"),
    ("updiagonalstrike downdiagonalstrike", "xcancel"),
    ("updiagonalstrike", "cancel"),
    ("downdiagonalstrike", "bcancel"),
    ("top", "overline"),
    ("bottom", "underline"),
    ("radical", "sqrt"),
)

# Functions that have a command of their own.
FUNCTIONS: Final = """
ln lg sin cos tan log lim max min exp det dim gcd sup inf arg cot sec csc ker deg hom sinh cosh tanh coth
arcsin arccos arctan Pr
"""

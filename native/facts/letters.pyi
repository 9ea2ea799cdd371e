# SPDX-License-Identifier: Apache-2.0
def key_of(text: str) -> str:
    """The letters and digits of a text in lower case, for comparing two spellings of a name."""

def letters_in(text: str, plain: bool) -> str:
    """The letters and digits of a text in lower case; without accents if plain, as addresses have them."""

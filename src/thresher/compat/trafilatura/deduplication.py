# SPDX-License-Identifier: Apache-2.0
"""Fingerprints of texts and the memory of those seen: Trafilatura's values for the same text."""

from __future__ import annotations

import unicodedata
from collections import OrderedDict
from difflib import SequenceMatcher
from functools import lru_cache
from hashlib import blake2b
from string import punctuation
from threading import Lock
from typing import Any, Final

from thresher.compat.trafilatura._names import names_of

__getattr__ = names_of(__name__)

LRU_SIZE: Final = 4096
_HEX: Final = 16
_DIGEST: Final = 64  # bits of a word's digest
_COUNTER: Final = 32  # bits that count them


class LRUCache:
    """How often each of the last `maxsize` texts was seen."""

    def __init__(self, maxsize: int = 128) -> None:
        if maxsize < 1:
            raise ValueError("maxsize must be at least 1")
        self.maxsize = maxsize
        self.cache: OrderedDict[str, int] = OrderedDict()
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {"maxsize": self.maxsize, "cache": OrderedDict(self.cache)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=Lock())

    def __bool__(self) -> bool:
        """True, also while it is empty: `deduplicate=LRUCache()` asks for deduplication."""
        return True

    def get(self, key: str) -> int:
        """What is stored for a text; -1 for one that is not known."""
        with self._lock:
            return self._get(key)

    def put(self, key: str, value: int) -> None:
        """Stores a number for a text, and forgets the text that was used longest ago if there are too many."""
        with self._lock:
            self._put(key, value)

    def increment(self, key: str) -> int:
        """What was stored for a text, -1 for one that was not known; stores one more."""
        with self._lock:
            before = self._get(key)
            self._put(key, max(before, 0) + 1)
            return before

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self.cache.clear()

    def _get(self, key: str) -> int:
        if key not in self.cache:
            return -1
        self.cache.move_to_end(key)
        return self.cache[key]

    def _put(self, key: str, value: int) -> None:
        self.cache[key] = value
        self.cache.move_to_end(key)
        while len(self.cache) > self.maxsize:
            self.cache.popitem(last=False)


LRU_TEST: Final = LRUCache(LRU_SIZE)
"""The texts that `deduplicate=True` has seen."""


def seen_too_often(text: str, options: Any) -> bool:
    """Whether a text that is long enough came more often than the options (an Extractor) allow. Counts it."""
    cache = options.dedup if isinstance(options.dedup, LRUCache) else LRU_TEST
    before = cache.increment(text)
    return bool(len(text) > options.min_duplcheck_size and before > options.max_repetitions)


def duplicate_test(element: Any, options: Any) -> bool:
    """Whether the text of an element came more often than the options allow. Counts it."""
    return seen_too_often(" ".join(" ".join(element.itertext()).split()), options)


def is_similar_domain(reference: str, new_string: str, threshold: float = 0.5) -> bool:
    """Whether two names of hosts are alike, their last label aside."""
    first, second = (_without_suffix(name) for name in (reference, new_string))
    return SequenceMatcher(None, first, second).ratio() >= threshold


def _without_suffix(name: str) -> str:
    head, dot, last = name.rpartition(".")
    return head if dot and 2 <= len(last) <= 63 and not set(last) & set("/?#") else name


def sample_tokens(inputstring: str, length: int = 64) -> list[str]:
    """The words of a text that its fingerprint is made of: the longer ones, if there are enough of them."""
    words = [word for each in inputstring.split() if (word := each.strip(punctuation)).isalnum()]
    if not words:
        spaced = "".join(" " if unicodedata.category(letter)[0] == "P" else letter for letter in inputstring)
        words = [word for word in spaced.split() if word.isalnum()]
    for least in (5, 4, 3, 2):
        longer = [word for word in words if len(word) >= least]
        if 2 * len(longer) >= length:
            return longer
    return words


def generate_bow_hash(inputstring: str, length: int = 24) -> bytes:
    """A digest of `length` bytes of a text's words."""
    return blake2b(" ".join(sample_tokens(inputstring)).encode(), digest_size=length).digest()


@lru_cache(maxsize=1 << 14)
def _counters(word: str) -> int:
    """The bits of a word's digest, each in a number of its own of 32 bits, so that one addition counts all of them."""
    digest = int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    return sum((digest >> place & 1) << _COUNTER * place for place in range(_DIGEST))


class Simhash:
    """Charikar's fingerprint of a text ("Similarity estimation techniques from rounding algorithms", STOC 2002,
    section 3): texts with many words in common differ in few bits.
    """

    def __init__(self, inputstring: str = "", length: int = 64, existing_hash: int | str | None = None) -> None:
        self.length = length
        self.hash = self.validate(existing_hash) or self.create_hash(inputstring)

    def create_hash(self, inputstring: str) -> int:
        """The fingerprint of a text as a number."""
        words = sample_tokens(inputstring, self.length)
        total = sum(map(_counters, words))
        most = (1 << _COUNTER) - 1
        return sum(1 << place for place in range(self.length) if 2 * (total >> _COUNTER * place & most) >= len(words))

    def to_hex(self) -> str:
        """The fingerprint in hexadecimal digits."""
        return format(self.hash, "x")

    def validate(self, inputhash: int | str | None) -> int | None:
        """A fingerprint, a number or its digits, as a number; None if it is none."""
        if isinstance(inputhash, str):
            decimal = inputhash.isdecimal() and 18 <= len(inputhash) <= 22
            try:
                inputhash = int(inputhash, 10 if decimal else _HEX)
            except ValueError:
                return None
        is_number = isinstance(inputhash, int) and not isinstance(inputhash, bool)
        return inputhash if is_number and inputhash is not None and 0 <= inputhash < 1 << self.length else None

    def similarity(self, other_hash: Simhash) -> float:
        """The share of bits that two fingerprints have in common."""
        return 1 - (self.hash ^ other_hash.hash).bit_count() / self.length


def content_fingerprint(content: str) -> str:
    """The fingerprint of a text in hexadecimal digits."""
    return Simhash(content).to_hex()

# SPDX-License-Identifier: Apache-2.0
"""The result of extracting one page, and the clock that times its stages."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from thresher.page.metadata import Metadata

if TYPE_CHECKING:
    from thresher.page.rights import Rights
    from thresher.page.structured_data import StructuredData

UNDETERMINED = "und"
"""The code for an unknown language."""
NO_METADATA: Final = Metadata()
"""The metadata of a page before they are read. All pages share it: a frozen object with ten fields takes 2 us."""


class Clock:
    """Times the named stages of one page, one after the other.

    `stage(name)` ends the stage that is running and starts the next. When a page fails, `running` names the stage that
    failed; only finished stages have a time.
    """

    __slots__ = ("_since", "nanoseconds", "running")

    def __init__(self, stage: str) -> None:
        """Starts with this stage."""
        self.running: str = stage
        self.nanoseconds: dict[str, int] = {}
        self._since = perf_counter_ns()

    def stage(self, name: str) -> None:
        """Ends the running stage and starts the one with this name."""
        now = perf_counter_ns()
        self.nanoseconds[self.running] = now - self._since
        self.running = name
        self._since = now

    def stop(self) -> None:
        """Ends the running stage."""
        self.nanoseconds[self.running] = perf_counter_ns() - self._since


@dataclass(slots=True)
class PageResult:
    """What extraction found on one page. A page that failed has the status `error` and nothing else: see `failed()`."""

    status: str
    """`ok`, `empty`, the limit that the page exceeded, or `error`."""
    text: bytes | None = None
    """The main text, UTF-8; None if the page failed."""
    plain: bytes | None = None
    """The main text as plain text, if `text` is markup and rules for quality ask for it."""
    further: dict[str, bytes] = field(default_factory=dict)
    """The texts of further extractors, by name."""
    metadata: Metadata = NO_METADATA
    charset: str | None = None
    """The encoding that the page was decoded from."""
    charset_source: str | None = None
    """What named the encoding."""
    n_bytes: int = 0
    """Bytes of the page in UTF-8."""
    n_nodes: int | None = None
    n_words: int | None = None
    text_density: float | None = None
    link_density: float | None = None
    hidden_share: float | None = None
    """Share of the characters of `text` that the page hides."""
    text_partial: str | None = None
    """Why `text` is a part: `wall` or `declared`; None if nothing says so."""
    confidence: float | None = None
    """The expected word F1 of `text`, 0 to 1; None if the extractor does not estimate it."""
    text_source: str | None = None
    """Where `text` comes from: `dom`, the page's elements, or `json_ld`, `script` or `template`; None if the page
    failed."""
    html: bytes | None = None
    """The page as it was parsed, UTF-8; only if it is to be kept."""
    outlinks: list[str] | None = None
    """Addresses that the main text links to; only in a run that asks for them."""
    text_rendered: str | None = None
    """What the crawler's browser showed; only in a run that asks for it."""
    rights: Rights | None = None
    """What is said of the use of the page; only in a run that asks for it."""
    structured_data: StructuredData | None = None
    """What the page says of itself in data; only in a run that asks for it."""
    letters: str = ""
    """The beginning of the text, letters only: what its language is identified from."""
    language: str = UNDETERMINED
    """ISO 639-3 code, set when the language is identified."""
    language_score: float | None = None
    nanoseconds: dict[str, int] = field(default_factory=dict)
    """Time of each finished stage."""

    @classmethod
    def failed(cls, clock: Clock | None = None) -> PageResult:
        """The result of a page that failed, with the times of the stages that it finished."""
        return cls("error", nanoseconds=clock.nanoseconds if clock else {})

    @property
    def n_text_bytes(self) -> int:
        """Bytes of all its texts."""
        return len(self.text or b"") + sum(map(len, self.further.values()))

    @property
    def n_row_bytes(self) -> int:
        """About the bytes of its texts, links and data, and of the page, if that is kept."""
        data = self.structured_data.n_bytes if self.structured_data is not None else 0
        links = sum(map(len, self.outlinks or ()))
        return (
            self.n_text_bytes
            + len(self.html or b"")
            + len(self.plain or b"")
            + data
            + links
            + len(self.text_rendered or "")
        )


NOT_EXTRACTED = PageResult.failed()
"""Stands for the result of a page before it is extracted. Never changed."""

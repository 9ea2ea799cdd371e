# SPDX-License-Identifier: Apache-2.0
"""Answers for a few pages of a host decide its other pages: once a host, not once a page.

A block of an answered page is main text if the answer has it. What was main text at each place of a host's answered
pages (thresher.templates.places) is evidence for the blocks of its other pages, which the learned extractor weighs
beside its own scores. The new texts are written as answers, which merge_answers() takes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from thresher.after.answers import pages_of, read_answers
from thresher.after.kept_pages import KeptPages
from thresher.config import load_configuration
from thresher.errors import InputError
from thresher.page.hosts import host_and_domain
from thresher.page.page_extractor import PageExtractor
from thresher.running.outcome import whole_run
from thresher.schemas.pages import HTML
from thresher.templates.places import MainTextByPlace, places_of

__all__ = ["Spread", "learn", "spread"]

_LONG: Final = 24  # letters of a block that is looked for anywhere in an answer; a shorter one is a line or cell of it
_PIECES: Final = re.compile(r"[\n\t|]")  # lines of an answer, and cells of its tables
_EXTRACTED: Final = ("ok", "empty", "too_many_styles")


@dataclass(slots=True)
class Spread:
    """What spread() did."""

    answers: int = 0
    """Answers about pages of the run."""
    unknown: int = 0
    """Answers about pages that the run does not have."""
    pages: int = 0
    """Other pages of these hosts that were decided."""
    unlike: int = 0
    """Other pages of these hosts that have no place in common with the answered ones."""
    inputs_left: int = 0
    """Inputs of the run that are not finished, whose pages are not there yet."""
    hosts: set[str] = field(default_factory=set)


def spread(output: str, answers: str, target: BinaryIO, tell: Callable[[Spread], None] = lambda _: None) -> Spread:
    """Writes an answer for every page of the run in `output` whose host has pages in the file `answers`, and that has
    none itself, as lines of JSON with `id` and `text`. `tell` is called after each page.

    Raises InputError if the run's text is of an extractor that weighs no evidence, or if a page cannot be read again,
    OutputError if files of the run are missing.
    """
    folder, known, done = whole_run(output), read_answers(answers), Spread()
    configuration = load_configuration(None, folder.settings())
    extractor = PageExtractor(options=configuration.extract)
    if (name := extractor.options.extractors[0]) != "thresher":
        raise InputError(f"{output}: its extractor is {name}; only thresher weighs what other pages say")
    done.inputs_left = int(folder.rows().get("inputs", 0)) - len(folder.ledger.finished())
    known_of_hosts: dict[str, MainTextByPlace] = {}
    with KeptPages(folder, configuration) as pages:
        for identity, row in pages_of(folder, None, ("url", "status", HTML)):
            host = host_and_domain(row["url"])[0]
            if identity not in known:
                continue
            done.answers += 1
            if host and row.get("status", "ok") in _EXTRACTED:
                extractor.extract(pages.html_of(row), row["url"])
                learn(known_of_hosts.setdefault(host, MainTextByPlace()), extractor, known[identity])
        done.unknown, done.hosts = len(known) - done.answers, set(known_of_hosts)
    with KeptPages(folder, configuration) as pages:
        for identity, row in pages_of(folder, None, ("url", "status", HTML)):
            of_host = known_of_hosts.get(host_and_domain(row["url"])[0] or "")
            if of_host is None or identity in known or row.get("status", "ok") not in _EXTRACTED:
                continue
            extractor.parse(pages.html_of(row), row["url"])
            extractor.measure()
            evidence = of_host.evidence(places_of(extractor))
            if evidence is None:
                done.unlike += 1
                continue
            extractor.classify(evidence=evidence)
            text = extractor.render().decode("utf-8", "replace")
            target.write(json.dumps({"id": identity, "text": text}, ensure_ascii=False).encode() + b"\n")
            done.pages += 1
            tell(done)
    return done


def learn(host: MainTextByPlace, extractor: PageExtractor, answer: str) -> None:
    """Adds the page that was extracted, whose main text is the answer."""
    whole = _letters(answer)
    pieces = {_letters(piece) for piece in _PIECES.split(answer)}
    places, main, words = [], [], []
    for block, of_block in zip(extractor.blocks(), places_of(extractor), strict=True):
        letters = _letters(block.text)
        if letters:
            places.append(of_block)
            main.append(float(letters in (whole if len(letters) >= _LONG else pieces)))
            words.append(block.words)
    host.add(places, main, words)


def _letters(text: str) -> str:
    """Letters and digits alone, so that an answer may be Markdown."""
    return "".join(filter(str.isalnum, text.casefold()))

# SPDX-License-Identifier: Apache-2.0
"""WebMainBench: its rows, its marks, and its measure (Liu et al. 2025, arXiv 2511.23119, and its repository).

A row is a JSON object with `track_id`, `url`, `html`, `convert_main_content` (the gold as Markdown), `main_html` (the
gold as HTML), and `meta` with `language`, `style` and `level`.

The page of a row carries the annotators' marks, which are the gold. `without_marks` takes all of them away before a
system sees the page.

- **ROUGE-N** compares a text with `convert_main_content`: F1 over 5-grams of the tokens of jieba, white space and
  punctuation included.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from thresher.lab.evaluate.metrics import Score, score
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError, Page, site_of
from thresher.lab.evaluate.peers import CONVERTED_PEERS, Mode, html_to_markdown
from thresher.lab.evaluate.runner import run_pages
from thresher.lab.evaluate.systems import OUR_MODES, System, find_systems, shares

N: Final = 5
"""Tokens of an n-gram."""
LEVELS: Final = ("simple", "mid", "hard")

_MARK: Final = re.compile(
    r"""(?:[\s/]|(?<=["']))(?:cc-select|data-anno-uid)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?""", re.IGNORECASE
)
_MARK_TAG: Final = re.compile(r"</?marked-(?:tail|text|inline)\b[^>]*>", re.IGNORECASE)
_ONLY_CLASS: Final = re.compile(r"""\sclass\s*=\s*(["']?)\s*mark-selected\s*\1(?=[\s/>])""", re.IGNORECASE)
_TRACE: Final = re.compile(r"\s?\b(?:cc-select|data-anno-uid|mark-selected)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """One page of the benchmark, without its marks, and its gold."""

    page: Page
    level: str | None
    style: str | None
    gold_differs: bool
    """Whether html2text makes something else of `main_html` here, as another version of it would."""


@dataclass(frozen=True, slots=True)
class Judged:
    row: Row
    output: Output
    rouge: Score


def without_marks(html: str) -> str:
    """The page as it was before it was annotated."""
    if not _TRACE.search(html) and not _MARK_TAG.search(html):
        return html
    html = _ONLY_CLASS.sub("", _MARK.sub("", _MARK_TAG.sub("", html)))
    return _TRACE.sub("", html)


def read_rows(file: Path, *, limit: int | None = None) -> list[Row]:
    """The pages of a file of the benchmark, plain or compressed, in its order; with `limit` a sample by their ids.

    EvaluationError if a row has no id, page or gold, or the file is no JSON Lines.
    """
    rows = [_row(file, number, values) for number, values in _objects(file)]
    if not rows:
        raise EvaluationError(f"{file} has no rows")
    if limit is not None:
        chosen = sorted(rows, key=lambda row: hashlib.sha256(row.page.id.encode()).digest())[:limit]
        kept = {id(row) for row in chosen}
        rows = [row for row in rows if id(row) in kept]
    return rows


def _objects(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON Lines, plain or compressed, with the numbers of their lines."""
    with pa.input_stream(str(file), compression="detect") as stream:
        for number, line in enumerate(stream.read().split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise EvaluationError(f"{file}, line {number}: this is no JSON: {error}") from error
            if not isinstance(row, dict):
                raise EvaluationError(f"{file}, line {number}: this is no JSON object")
            yield number, row


def _row(file: Path, number: int, values: Mapping[str, Any]) -> Row:
    def text(name: str) -> str | None:
        value = values.get(name)
        if value is not None and not isinstance(value, str):
            raise EvaluationError(f"{file}, row {number}: {name} must be text, not {type(value).__name__}")
        return value and value.encode("utf-8", "replace").decode()  # halves of surrogate pairs are no text

    html, url, gold, main_html = text("html"), text("url"), text("convert_main_content"), text("main_html")
    if not html or (gold is None and main_html is None):
        raise EvaluationError(
            f"{file}, row {number}: a row needs html, and convert_main_content or main_html: is this WebMainBench?"
        )
    converted = html_to_markdown(main_html, url or "") if main_html is not None else None
    if gold is None:
        assert converted is not None
        gold = converted
    meta = values.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    said = {
        name: value if isinstance(value := meta.get(name), str) else None for name in ("language", "style", "level")
    }
    page = without_marks(html).encode("utf-8", "replace")
    id_ = text("track_id") or str(number)
    return Row(
        Page(
            dataset="webmainbench",
            id=id_,
            site=site_of(url) or id_,
            language=said["language"],
            page_type=said["style"],
            html=page,
            key=hashlib.sha256(page).digest(),
            gold=gold,
            url=url,
        ),
        level=said["level"],
        style=said["style"],
        gold_differs=converted is not None and converted.strip() != gold.strip(),
    )


# --- ROUGE-N ---


@lru_cache(maxsize=2)
def _ngrams(text: str) -> Counter[tuple[str, ...]]:
    import jieba

    jieba.setLogLevel("ERROR")
    tokens = jieba.lcut(text)
    return Counter(tuple(tokens[i : i + N]) for i in range(len(tokens) - N + 1))


def rouge_n(extracted: str, gold: str) -> Score:
    """Precision, recall and F1 over 5-grams. 1 if both texts are blank; 0 if a text has fewer than five tokens."""
    if not extracted.strip() and not gold.strip():
        return Score(1.0, 1.0, 1.0)
    found, wanted = _ngrams(extracted), _ngrams(gold)
    return score((found & wanted).total(), max(found.total(), 1), wanted.total())


# --- a run ---


def converted_systems(
    extractors: Iterable[str], peers: Iterable[str], *, held_out: Path | None = None
) -> list[tuple[System, str, Mode]]:
    """Systems with the names and modes of their lines in the table.

    Each of our extractors stands there with its HTML and its Markdown. `peers` are keys of `CONVERTED_PEERS`, each with
    all modes that it has. EvaluationError for an unknown name or a library that is not installed.
    """
    found: list[tuple[System, str, Mode]] = []
    for system in find_systems(extractors, [], held_out=held_out):
        found += [
            (System(f"{system.name}/{mode}", "converted", system.version, system.models), system.name, mode)
            for mode in OUR_MODES
        ]
    for name in dict.fromkeys(peers):
        peer = CONVERTED_PEERS.get(name)
        if peer is None:
            raise EvaluationError(f"no peer is called {name!r} here (there are {', '.join(CONVERTED_PEERS)})")
        package, adapters = peer
        try:
            version = metadata.version(package)
        except metadata.PackageNotFoundError:
            raise EvaluationError(f"not installed: {name}. Install with: pip install '{package}'") from None
        found += [(System(f"{name}/{mode}", "converted", version), name, mode) for mode in adapters]
    return found


def judge(rows: Sequence[Row], system: System, *, jobs: int = 1, time_limit: float = 30.0) -> Iterator[Judged]:
    """The scores of a system for each page, as they are done. Held-out models see the pages of their sites only."""
    for one, numbers in shares(system, [row.page.site for row in rows]):
        share = [rows[number] for number in numbers]
        by_id = {id(row.page): row for row in share}
        for page, output in run_pages(one, [row.page for row in share], jobs=jobs, time_limit=time_limit):
            yield score_output(by_id[id(page)], output)


def score_output(row: Row, output: Output) -> Judged:
    """The scores of a text. A failure of the system is an empty text."""
    return Judged(row, output, rouge_n(output.text, row.page.gold))


def mean_rouge(judged: Iterable[Judged]) -> float | None:
    """The mean F1 over 5-grams; None without pages."""
    values = [each.rouge.f1 for each in judged]
    return sum(values) / len(values) if values else None


def file_hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def results(judged: Sequence[tuple[str, Mode, Sequence[Judged]]]) -> list[dict[str, Any]]:
    """A row for each page and system, for --parquet."""
    return [
        {
            "system": name,
            "mode": mode,
            "id": each.row.page.id,
            "url": each.row.page.url,
            "language": each.row.page.language,
            "style": each.row.style,
            "level": each.row.level,
            "status": each.output.status,
            "milliseconds": each.output.milliseconds,
            "rouge_precision": each.rouge.precision,
            "rouge_recall": each.rouge.recall,
            "rouge_f1": each.rouge.f1,
        }
        for name, mode, pages in judged
        for each in pages
    ]

# SPDX-License-Identifier: Apache-2.0
"""Two leaderboards by their own rules: WCXB (Foley 2026) and Trafilatura's evaluation.

**WCXB.** A folder of a split, with `ground-truth/ID.json` and `html/ID.html.gz`. Precision, recall and F1 are over
multisets of lower-case words, mean over pages. Snippets that must appear (`with`) or must not (`without`) are searched
for in lower case; a page without snippets has a share of 1 for both.

**Trafilatura.** `evaldata.json` maps URLs to a `file` and to chunks that must appear (`with`) or must not (`without`);
pages lie in `cache/` and `eval/` beside it. Every chunk counts once over the whole corpus, white space collapsed: found
ones as true or false positives, others as false or true negatives.
"""

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.metrics import Score, overlap, score
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError, Page, site_of
from thresher.lab.evaluate.tokens import words

WCXB_TYPES: Final = ("article", "forum", "product", "collection", "listing", "documentation", "service")
_MAX_PAGE: Final = 64 << 20  # bytes of an unpacked page


def read_wcxb(folder: Path) -> list[Page]:
    """The pages of a split of WCXB, by their ids. EvaluationError if the folder is no split or a file is damaged."""
    files = sorted((folder / "ground-truth").glob("*.json"))
    if not files:
        raise EvaluationError(f"{folder} holds no ground-truth/*.json: name the folder of a split, dev or test")
    return [_wcxb_page(folder, file) for file in files]


def _wcxb_page(folder: Path, file: Path) -> Page:
    stored = folder / "html" / f"{file.stem}.html.gz"
    try:
        values = json.loads(file.read_bytes())
        truth = values["ground_truth"]
        with gzip.open(stored) as stream:
            html = decode_page(stream.read(_MAX_PAGE))
        kind = (values.get("_internal") or {}).get("page_type") or "article"
        kind = kind.get("primary", "article") if isinstance(kind, dict) else kind
        return _page(
            "wcxb", file.stem, values.get("url"), html, truth.get("main_content") or "", truth,
            "collection" if kind == "category" else kind,
        )  # fmt: skip
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EvaluationError(f"{file} or {stored}: {type(error).__name__}: {error}") from error


def read_evaldata(file: Path) -> list[Page]:
    """The pages of Trafilatura's evaluation, in the order of the file. EvaluationError for a missing page or a wrong
    entry.
    """
    try:
        entries = json.loads(file.read_bytes())
        return [_evaldata_page(file.parent, url, entry) for url, entry in entries.items()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EvaluationError(f"{file}: {type(error).__name__}: {error}") from error


def _evaldata_page(folder: Path, url: str, entry: Mapping[str, Any]) -> Page:
    name = Path(entry["file"]).name
    for place in (folder / "cache" / name, folder / "eval" / name):
        if place.is_file():
            return _page("trafilatura", url, url, decode_page(place.read_bytes()), "", entry, None)
    raise EvaluationError(f"{folder} has no page cache/{name} or eval/{name}")


def _page(
    dataset: str, id_: str, url: str | None, html: bytes, gold: str, snippets: Mapping[str, Any], kind: str | None
) -> Page:
    lists = [snippets.get(name) or [] for name in ("with", "without")]
    if not all(isinstance(chunk, str) for chunks in lists for chunk in chunks):
        raise EvaluationError(f"{id_}: with and without must be lists of text")
    return Page(
        dataset=dataset,
        id=id_,
        site=site_of(url) or id_,
        language=None,
        page_type=kind,
        html=html,
        key=hashlib.sha256(html).digest(),
        gold=gold,
        required=tuple(lists[0]),
        forbidden=tuple(lists[1]),
        url=url,
    )


@dataclass(frozen=True, slots=True)
class WcxbScore:
    page: Page
    words: Score
    with_share: float
    without_share: float


def wcxb_score(page: Page, text: str) -> WcxbScore:
    found, wanted = list(words(text.lower())), list(words(page.gold.lower()))
    lower = text.lower()

    def share(snippets: Sequence[str]) -> float:
        return sum(snippet.lower() in lower for snippet in snippets) / len(snippets) if snippets else 1.0

    return WcxbScore(page, overlap(found, wanted), share(page.required), share(page.forbidden))


def wcxb_means(scores: Sequence[WcxbScore]) -> tuple[float, float, float, float, float]:
    """Means over pages: F1, precision, recall, share of required and of forbidden snippets."""
    n = len(scores)
    columns = [(s.words.f1, s.words.precision, s.words.recall, s.with_share, s.without_share) for s in scores]
    f1, precision, recall, required, forbidden = (sum(column) / n for column in zip(*columns, strict=True))
    return f1, precision, recall, required, forbidden


@dataclass(frozen=True, slots=True)
class Chunks:
    """Counts of chunks over a corpus, and what the other lines of Trafilatura's table need."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int
    milliseconds: float
    skipped: int
    errors: int

    @property
    def words(self) -> Score:
        found = self.true_positives + self.false_positives
        return score(self.true_positives, found, self.true_positives + self.false_negatives)

    @property
    def accuracy(self) -> float:
        right = self.true_positives + self.true_negatives
        total = right + self.false_positives + self.false_negatives
        return right / total if total else 0.0


def count_chunks(outputs: Iterable[tuple[Page, Output]]) -> Chunks:
    """The counts of a system over the corpus. An empty text is skipped; a failure is an error and has no text."""
    counts: Counter[str] = Counter()
    milliseconds = 0.0
    for page, output in outputs:
        text = " ".join(output.text.split())
        found = sum(" ".join(chunk.split()) in text for chunk in page.required)
        wrong = sum(" ".join(chunk.split()) in text for chunk in page.forbidden)
        counts.update(
            tp=found,
            fn=len(page.required) - found,
            fp=wrong,
            tn=len(page.forbidden) - wrong,
            skipped=not output.text,
            errors=output.status != "ok",
        )
        milliseconds += output.milliseconds
    return Chunks(
        counts["tp"], counts["fp"], counts["fn"], counts["tn"], milliseconds, counts["skipped"], counts["errors"]
    )

# SPDX-License-Identifier: Apache-2.0
"""WebMainBench: its rows, its marks, and its two protocols (Liu et al. 2025, arXiv 2511.23119, and its repository).

A row is a JSON object with `track_id`, `url`, `html`, `convert_main_content` (the gold as Markdown), `main_html` (the
gold as HTML), on 545 pages `groundtruth_content` (corrected by hand), and `meta` with `language`, `style` and `level`.

The page of a row carries the annotators' marks, which are the gold. `without_marks` takes all of them away before a
system sees the page.

- **ROUGE-N** compares a text with `convert_main_content`: F1 over 5-grams of the tokens of jieba, white space and
  punctuation included.
- **Fine-grained scores** compare a text with `groundtruth_content`: edit similarity of the whole text, of code, of
  formulas and of the first table, and `table_TEDS`. As in the toolkit without a language model, formulas are those
  that regular expressions find. A score for which neither side has anything is left out of the mean.

`table_TEDS` is what the toolkit's code computes, so that figures can be compared with its table. It gives the library
APTED a string, which APTED takes for a tree of one node. So the distance of two tables is at most the cost of renaming
that node, however different they are. `benchmarks/markdown_metrics.py` has a tree edit distance.
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
from rapidfuzz.distance import Levenshtein

from thresher.lab.evaluate.main_html import CONVERTED_PEERS, OUR_MODES, Mode, html_to_markdown
from thresher.lab.evaluate.metrics import Score
from thresher.lab.evaluate.output import Output
from thresher.lab.evaluate.pages import EvaluationError, Page, site_of
from thresher.lab.evaluate.runner import run_pages
from thresher.lab.evaluate.systems import System, find_systems, shares

N: Final = 5
"""Tokens of an n-gram."""
FINE_GRAINED: Final = ("text_edit", "code_edit", "formula_edit", "table_edit", "table_TEDS")
"""The scores against `groundtruth_content`, in the order of the benchmark's table; `overall` is their mean."""
LEVELS: Final = ("simple", "mid", "hard")

_MARK: Final = re.compile(
    r"""(?:[\s/]|(?<=["']))(?:cc-select|data-anno-uid)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?""", re.IGNORECASE
)
_MARK_TAG: Final = re.compile(r"</?marked-(?:tail|text|inline)\b[^>]*>", re.IGNORECASE)
_ONLY_CLASS: Final = re.compile(r"""\sclass\s*=\s*(["']?)\s*mark-selected\s*\1(?=[\s/>])""", re.IGNORECASE)
_TRACE: Final = re.compile(r"\s?\b(?:cc-select|data-anno-uid|mark-selected)\b", re.IGNORECASE)

_FENCED: Final = re.compile(r"```[\s\S]*?```")
_INDENTED: Final = re.compile(r"(?:\n\s*\n)((?:(?: {4,}|\t+)[^\n]*(?:\n|$)){2,})(?=\n\s*\n|$)", re.MULTILINE)
_PROSE: Final = re.compile(r"^[-•*]\s|^\d+\.\s|\$[\d,]|\b(?i:million|billion|thousand)\b")
_INLINE_CODE: Final = re.compile(r"`[^`]*`")
_FORMULAS: Final = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"(?<!\\)\$\$(.*?)(?<!\\)\$\$",
        r"(?<!\\)\\\[(.*?)(?<!\\)\\\]",
        r"(?<!\\)\$(.*?)(?<!\\)\$",
        r"(?<!\\)\\\((.*?)(?<!\\)\\\)",
    )
)
_RULE_CELL: Final = re.compile(r"^:?-{3,}:?$")
_RULE_LINE: Final = re.compile(r"^[\s|\-:]+$")
_GROUPS: Final = frozenset({"tbody", "thead", "tfoot"})


@dataclass(frozen=True, slots=True)
class Row:
    """One page of the benchmark, without its marks, and its gold."""

    page: Page
    level: str | None
    style: str | None
    corrected: str | None
    """`groundtruth_content`: Markdown corrected by hand; None where the row has none."""
    gold_differs: bool
    """Whether html2text makes something else of `main_html` here, as another version of it would."""


@dataclass(frozen=True, slots=True)
class Judged:
    row: Row
    output: Output
    rouge: Score
    fine: Mapping[str, float]


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
        corrected=text("groundtruth_content") or None,
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
    correct = (found & wanted).total()
    precision, recall = correct / max(found.total(), 1), correct / max(wanted.total(), 1)
    return Score(precision, recall, 2 * precision * recall / (precision + recall) if correct else 0.0)


# --- fine-grained scores ---


def fine_grained(extracted: str, gold: str) -> dict[str, float]:
    """The scores of `FINE_GRAINED` for which one of the two texts has something."""
    scores: dict[str, float] = {}
    for name, part in (("text_edit", str), ("code_edit", _code), ("formula_edit", _formulas)):
        if (similarity := _similarity(part(extracted), part(gold))) is not None:
            scores[name] = similarity
    ours, theirs = (_first_table(_tables(side)) for side in (extracted, gold))
    if (similarity := _similarity(_table_text(ours), _table_text(theirs))) is not None:
        scores["table_edit"] = similarity
        scores["table_TEDS"] = _toolkit_teds(ours, theirs)
    return scores


def _similarity(extracted: str, gold: str) -> float | None:
    if not extracted and not gold:
        return None
    return 1 - Levenshtein.distance(extracted, gold) / max(len(extracted), len(gold))


def _code(text: str) -> str:
    """All code of a text: blocks in fences, then blocks of indented lines that do not look like prose."""
    parts = ["\n".join(match[0].split("\n")[1:-1]) for match in _FENCED.finditer(text)]
    for match in _INDENTED.finditer(text):
        lines = [line for line in match[1].split("\n") if line.strip()]
        if len(lines) < 2 or any(_PROSE.search(line.strip()) for line in lines):
            continue
        parts.append("\n".join(line[4:] if line.startswith("    ") else line.removeprefix("\t") for line in lines))
    return "\n".join(part for part in parts if part.strip())


def _formulas(text: str) -> str:
    """All formulas outside code, those on display first."""
    text = _INLINE_CODE.sub("", _FENCED.sub("", text))
    found = [match[1].strip() for pattern in _FORMULAS for match in pattern.finditer(text)]
    return "\n".join(filter(None, found))


def _tables(text: str) -> str:
    """The sources of all tables: outermost HTML tables, then tables between pipes."""
    from bs4 import BeautifulSoup

    parts: list[str] = []
    if "<table" in text.lower():
        soup = BeautifulSoup(text, "html.parser")
        parts = [
            str(table) for table in soup.find_all("table") if not table.find_parent(["td", "tr", "tbody", "table"])
        ]
    lines: list[str] = []
    for line in (*text.split("\n"), ""):
        if "|" in line:
            lines.append(line)
            continue
        if len(lines) > 1 and all(not cell.strip() or _RULE_CELL.match(cell.strip()) for cell in lines[1].split("|")):
            parts.append("\n".join(lines))
        lines = []
    return "\n".join(parts)


def _first_table(source: str) -> Any:  # noqa: ANN401 - bs4 has no types for what find() returns
    """The first table as an element; None if there is none. Tables between pipes are one, their first row its head."""
    from bs4 import BeautifulSoup

    if not source.strip():
        return None
    if "<table" not in source.lower():
        rows = [line.strip() for line in source.split("\n") if "|" in line and not _RULE_LINE.match(line.strip())]
        cells = [[cell.strip() for cell in row.split("|") if cell.strip()] for row in rows]
        source = "".join(
            "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in row) + "</tr>"
            for row, tag in zip(cells, ("th", *("td",) * len(cells)), strict=False)
            if row
        )
        source = f"<table>{source}</table>"
    return BeautifulSoup(source, "html.parser").find("table")


def _table_text(table: Any) -> str:  # noqa: ANN401
    """The text of a table, a line for each row, a space between cells."""
    if table is None:
        return ""
    rows = (" ".join(cell.get_text(strip=True) for cell in row.find_all(["th", "td"])) for row in table.find_all("tr"))
    return "\n".join(filter(None, rows))


def _toolkit_teds(extracted: Any, gold: Any) -> float:  # noqa: ANN401
    """`table_TEDS` as the toolkit computes it; see the top of this module."""
    if extracted is None or gold is None:
        return 1.0 if extracted is gold else 0.0
    (ours, n_ours), (theirs, n_theirs) = _bracketed(extracted), _bracketed(gold)
    tag, _, text = ours.partition(":")
    gold_tag, _, gold_text = theirs.partition(":")
    if tag != gold_tag:
        cost = 1.0
    elif not text or not gold_text:
        cost = float(max(len(text), len(gold_text)))
    else:
        cost = Levenshtein.distance(text, gold_text) / max(len(text), len(gold_text))
    return max(0.0, 1 - min(cost, 2.0) / max(n_ours, n_theirs))  # 2: the node deleted and another inserted


def _bracketed(element: Any) -> tuple[str, int]:  # noqa: ANN401
    """An element in the toolkit's notation of brackets, and its number of nodes. Of a group of rows, the children are
    the cells.
    """
    label, nodes, children = _labels(element)
    return (f"{label}({','.join(children)})" if children else label), nodes


def _labels(element: Any) -> tuple[str, int, list[str]]:  # noqa: ANN401
    text = element.get_text(strip=True).replace("(", "[").replace(")", "]").replace(",", ";")
    label = f"{element.name}:{text}" if text else element.name
    nodes, children = 1, []
    for child in element.children:
        if not getattr(child, "name", None):
            continue
        if element.name in _GROUPS:
            _, below, cells = _labels(child)
            nodes += below - 1
            children += cells
        else:
            source, below = _bracketed(child)
            nodes += below
            children.append(source)
    return label, nodes, children


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
    fine = fine_grained(output.text, row.corrected) if row.corrected is not None else {}
    return Judged(row, output, rouge_n(output.text, row.page.gold), fine)


def mean_rouge(judged: Iterable[Judged]) -> float | None:
    """The mean F1 over 5-grams; None without pages."""
    values = [each.rouge.f1 for each in judged]
    return sum(values) / len(values) if values else None


def mean_fine(judged: Iterable[Judged]) -> dict[str, float] | None:
    """`overall` and the mean of each fine-grained score over the pages that have it; None without such pages."""
    fine = [each.fine for each in judged if each.row.corrected is not None]
    if not fine:
        return None
    means = {}
    for name in FINE_GRAINED:
        values = [scores[name] for scores in fine if name in scores]
        means[name] = sum(values) / len(values) if values else 0.0
    return {"overall": sum(means.values()) / len(FINE_GRAINED)} | means


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
            **{fine: each.fine.get(fine) for fine in FINE_GRAINED},
        }
        for name, mode, pages in judged
        for each in pages
    ]

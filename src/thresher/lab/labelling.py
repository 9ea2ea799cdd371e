# SPDX-License-Identifier: Apache-2.0
"""Labels that people gave to blocks, stored as labelled sets for evaluation and training.

The folder holds one Parquet file for each annotator with the pages that are labelled whole, and one in `partial/` with
the others: pages with blocks that the annotator was unsure of or left open. Their gold text is right but not whole, and
training takes sets in a folder of that name so. Each page saved rewrites a file under a temporary name, with the folder
locked, so services that share a folder lose none of each other's labels.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from thresher._version import __version__
from thresher.errors import Refused
from thresher.lab.evaluate.agreement import Twice, by_class, kappa
from thresher.lab.evaluate.block_classes import (
    CLASSES,
    KINDS_OF_OTHER,
    MAIN,
    NOT_MAIN,
    OPTIONAL,
    OTHER,
    class_of,
    page_id,
    read_page_blocks,
)
from thresher.lab.evaluate.metrics import word_cjk_score
from thresher.page.hosts import host_and_domain
from thresher.page.page_extractor import Block
from thresher.serving.asking import check_keys, read_object
from thresher.serving.tasks import to_json

UNSURE: Final = "unsure"
LABELS: Final = (*CLASSES, *KINDS_OF_OTHER, UNSURE, NOT_MAIN)
ANNOTATOR: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
PARTIAL: Final = "partial"
LOCK: Final = "_lock"
MAX_DISPUTED: Final = 300
"""Disputed blocks in an answer, those of most words first."""
MAX_TEXT: Final = 120
"""Characters of a disputed block's text."""
KEYS_OF_PAGE: Final = ("annotator", "html", "url", "seconds", "lang")
"""Keys of a JSON body that page_columns() reads."""
_HOST: Final = re.compile(r"([\w.-]+|\[[0-9A-Fa-f:.]+\])(:\d+)?")
_MAX_SECONDS: Final = 86_400.0
# The types are those that Parquet returns, so that rows read from a file can be joined to a new one.
_COLUMNS: Final[dict[str, pa.DataType]] = {
    "id": pa.string(),  # hash of the page
    "dataset": pa.string(),
    "url": pa.string(),
    "host": pa.string(),
    "site": pa.string(),
    "lang": pa.string(),
    "page_type": pa.string(),
    "license": pa.string(),
    "html": pa.binary(),  # UTF-8
    "gold": pa.string(),  # text of the blocks labelled main
    "optional": pa.string(),  # of those that may be kept besides; null where that is not known
    "annotator": pa.string(),
    "labels": pa.list_(pa.field("element", pa.string())),  # of each block; null if it has none
    "words": pa.list_(pa.field("element", pa.int32())),  # of each block
    "texts": pa.list_(pa.field("element", pa.string())),  # of each block; null in files of earlier versions
    "complete": pa.bool_(),  # whether the annotator said that the page is finished
    "seconds": pa.float64(),  # that the annotator took
    "labelled_at": pa.timestamp("ms", tz="UTC"),
    "thresher_version": pa.string(),  # that formed the blocks
}
SCHEMA: Final = pa.schema(_COLUMNS)


def save(folder: str, body: bytes) -> bytes:
    """Store the labels in a JSON body: `annotator`, `html`, `url`, `labels` (one for each block, or null), `complete`
    and `seconds`. They replace earlier labels of the same annotator for the same page.

    Raises Refused for an invalid body.
    """
    asked = read_object(body)
    row = _row(asked)
    name = row["annotator"]
    whole = row["complete"] and "unsure" not in row["labels"]
    right, wrong = ("", PARTIAL) if whole else (PARTIAL, "")
    with locked(Path(folder)):
        # In this order: a process that dies in between leaves the page twice, of which readers take the later one.
        replace_row(Path(folder, right, f"{name}.parquet"), row["id"], row)
        replace_row(Path(folder, wrong, f"{name}.parquet"), row["id"], None)
    n_words = sum(words for words, label in zip(row["words"], row["labels"], strict=True) if label == "main")
    return to_json({"id": row["id"], "set": name, "whole": whole, "n_words": n_words})


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the folder's lock, after waiting for it. The system frees it when its holder dies.

    Raises Refused where the file system has no locks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError as error:
            raise Refused(f"the folder of labels cannot be locked: {error.strerror}") from None
        yield
    finally:
        os.close(lock)


def _row(asked: dict[str, Any]) -> dict[str, Any]:
    check_keys(asked, (*KEYS_OF_PAGE, "labels", "complete"))
    of_page = page_columns(asked)
    _, blocks = read_page_blocks(of_page["html"])
    labels = asked.get("labels")
    if not isinstance(labels, list) or len(labels) != len(blocks):
        raise Refused(f"`labels` must be a list of {len(blocks)} labels, one for each block of the page")
    if not all(label is None or label in LABELS for label in labels):
        raise Refused(f"a label must be null or one of {', '.join(LABELS)}")
    complete = asked.get("complete") is True
    if complete:
        labels = [label or OTHER for label in labels]
    return {
        **of_page,
        "page_type": None,
        "license": None,
        "gold": _text(blocks, labels, (MAIN,)),
        "optional": _text(blocks, labels, OPTIONAL) if None not in map(class_of, labels) else None,
        "labels": labels,
        "words": [block.words for block in blocks],
        "texts": [block.text for block in blocks],
        "complete": complete,
    }


def page_columns(asked: dict[str, Any]) -> dict[str, Any]:
    """The columns that say which page was labelled, by whom, how long it took and when, from the KEYS_OF_PAGE of a
    JSON body. Raises Refused for an invalid one.
    """
    annotator, html, url = asked.get("annotator"), asked.get("html"), asked.get("url")
    if not isinstance(annotator, str) or not ANNOTATOR.fullmatch(annotator):
        raise Refused("`annotator` must be a short name of small letters, digits and hyphens")
    if not isinstance(html, str) or not html:
        raise Refused("`html` is missing or not a string")
    if url is not None and not isinstance(url, str):
        raise Refused("`url` must be a string")
    seconds = asked.get("seconds", 0)
    if not isinstance(seconds, int | float) or not 0 <= seconds <= _MAX_SECONDS:
        raise Refused("`seconds` must be a number of seconds")
    page = html.encode("utf-8", "replace")
    url = without_surrogates(url)
    host, site = _host_and_site(url or "")
    language = asked.get("lang")
    return {
        "id": page_id(page),
        "dataset": annotator,
        "url": url,
        "host": host,
        "site": site or host,
        "lang": without_surrogates(language) if isinstance(language, str) else None,
        "html": page,
        "annotator": annotator,
        "seconds": float(seconds),
        "labelled_at": datetime.now(UTC).replace(microsecond=0),
        "thresher_version": __version__,
    }


def without_surrogates(text: str | None) -> str | None:
    """A text as files hold it: halves of surrogate pairs, which JSON can escape, become question marks."""
    return None if text is None else text.encode("utf-8", "replace").decode()


def _text(blocks: Sequence[Block], labels: Sequence[str | None], wanted: Sequence[str]) -> str:
    """The text of the blocks that have one of these labels."""
    return "\n".join(block.text for block, label in zip(blocks, labels, strict=True) if label in wanted)


def _host_and_site(url: str) -> tuple[str | None, str | None]:
    """The host and the registered domain of an address; without a scheme, of what stands before its first slash."""
    found = host_and_domain(url)
    start = re.split(r"[/?#]", url.strip(), maxsplit=1)[0]
    return found if found[0] or not _HOST.fullmatch(start) else host_and_domain(f"//{start}")


def replace_row(file: Path, name: str, row: dict[str, Any] | None, schema: pa.Schema = SCHEMA) -> None:
    """Remove the page of this name from a file, and add `row` if there is one. Call it with the folder locked."""
    before = read_table(file)
    parts = [] if before is None else [before.filter(pc.field("id") != name)]
    if row is None and (before is None or parts[0].num_rows == before.num_rows):
        return
    if row is not None:
        parts.append(pa.Table.from_pylist([row], schema=schema))
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f".{file.name}.new")
    with temporary.open("wb") as stream:
        table = pa.concat_tables(parts, promote_options="default")  # a file of an earlier version has fewer columns
        pq.write_table(table, stream, compression="zstd", row_group_size=64)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(file)


def read_table(file: Path, columns: Sequence[str] | None = None) -> pa.Table | None:
    """The rows of a file; None if there is none. Raises Refused for one that cannot be read."""
    if not file.exists():
        return None
    try:
        return pq.ParquetFile(file).read(columns=None if columns is None else list(columns))
    except (OSError, pa.ArrowException) as error:
        raise Refused(f"{file.name} cannot be read: {error}") from None


def check_annotator(name: str) -> None:
    """Raises Refused for what is no name of an annotator."""
    if not ANNOTATOR.fullmatch(name):
        raise Refused("an annotator has a short name of small letters, digits and hyphens")


def annotators(folder: str) -> list[str]:
    files = [*Path(folder).glob("*.parquet"), *Path(folder, PARTIAL).glob("*.parquet")]
    return sorted({file.stem for file in files if ANNOTATOR.fullmatch(file.stem)})


def describe(folder: str) -> bytes:
    """For each annotator the number of pages, the time spent, and the pages."""
    found = []
    for name in annotators(folder):
        pages = list(_pages_of(folder, name, ["id", "url", "complete", "seconds", "labelled_at"]).values())
        seconds = sorted(page["seconds"] for page in pages)
        found.append(
            {
                "annotator": name,
                "n_pages": len(pages),
                "n_whole": sum(page["complete"] for page in pages),
                "median_seconds": seconds[len(seconds) // 2] if seconds else None,
                "pages": [{**page, "labelled_at": page["labelled_at"].isoformat()} for page in pages],
            }
        )
    return to_json({"labels": LABELS, "annotators": found})


def labels_of(folder: str, annotator: str, name: str) -> bytes:
    """The labels that an annotator gave to the page of this name. Raises Refused if there are none."""
    row = _pages_of(folder, annotator, ["id", "labels", "complete", "seconds", "labelled_at"]).get(name)
    if row is None:
        raise Refused(f"{annotator} has not labelled this page")
    return to_json({key: row[key] for key in ("id", "labels", "complete", "seconds")})


def _pages_of(folder: str, annotator: str, columns: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The pages that an annotator labelled, by name; of a page in both files the later one."""
    check_annotator(annotator)
    tables = (read_table(Path(folder, part, f"{annotator}.parquet"), columns) for part in ("", PARTIAL))
    found: dict[str, dict[str, Any]] = {}
    for row in (row for table in tables if table is not None for row in table.to_pylist()):
        if row["id"] not in found or found[row["id"]]["labelled_at"] <= row["labelled_at"]:
            found[row["id"]] = row
    return found


# --- agreement ---


def agreement(folder: str, one: str, other: str) -> bytes:
    """How far two annotators agree on the pages that both labelled.

    `kappa` is Cohen's, over the blocks that both called main or something else; `unsure` and open blocks do not count.
    `word_kappa` is the same with each block counted by its words, and `word_share` the share of these words on which
    they agree. `classes` has the same by class (thresher.lab.evaluate.agreement), over the blocks whose class both say.
    `f1` is the mean word F1 of one gold text against the other. `disputed` lists the blocks that one called main and
    the other did not, those of most words first and at most MAX_DISPUTED of `n_disputed`. `left_out` lists the pages
    that were not compared, because different versions formed different blocks of them.
    """
    columns = ["id", "url", "labels", "words", "texts", "gold", "thresher_version", "labelled_at"]
    rows = [_pages_of(folder, name, columns) for name in (one, other)]
    pairs: Counter[tuple[bool, bool]] = Counter()
    word_pairs: Counter[tuple[bool, bool]] = Counter()
    confusion: Counter[tuple[str, str]] = Counter()
    pages, by_classes, disputed, left_out = [], [], [], []
    for name in sorted(rows[0].keys() & rows[1].keys()):
        first, second = rows[0][name], rows[1][name]
        page = {"id": name, "url": first["url"]}
        if why := _not_comparable(first, second):
            left_out.append({**page, "reason": why})
            continue
        by_classes.append(_twice(first, second))
        pages.append({**page, "f1": round(word_cjk_score(first["gold"], second["gold"]).f1, 4)})
        texts = first.get("texts") or second.get("texts") or [""] * len(first["labels"])
        blocks = zip(first["words"], texts, first["labels"], second["labels"], strict=True)
        for order, (words, text, *labels) in enumerate(blocks):
            if None in labels:
                continue
            confusion[labels[0], labels[1]] += 1
            if UNSURE in labels:
                continue
            is_main = labels[0] == MAIN, labels[1] == MAIN
            pairs[is_main] += 1
            word_pairs[is_main] += words
            if is_main[0] != is_main[1]:
                disputed.append({**page, "order": order, "text": text[:MAX_TEXT], "words": words, "labels": labels})
    disputed.sort(key=lambda block: (-block["words"], block["id"], block["order"]))
    same_words, all_words = word_pairs[True, True] + word_pairs[False, False], word_pairs.total()
    return to_json(
        {
            "annotators": [one, other],
            "n_pages": len(pages),
            "n_blocks": pairs.total(),
            "kappa": kappa(pairs),
            "word_kappa": kappa(word_pairs),
            "word_share": round(same_words / all_words, 4) if all_words else None,
            "f1": round(sum(page["f1"] for page in pages) / len(pages), 4) if pages else None,
            "classes": [asdict(each) for each in by_class(by_classes) if each.words],
            "confusion": [{"labels": labels, "n_blocks": n} for labels, n in sorted(confusion.items())],
            "pages": pages,
            "n_disputed": len(disputed),
            "disputed": disputed[:MAX_DISPUTED],
            "left_out": left_out,
        }
    )


def _twice(first: dict[str, Any], second: dict[str, Any]) -> Twice:
    """The blocks of a page of which both annotators say what class they have."""
    rows = zip(first["words"], map(class_of, first["labels"]), map(class_of, second["labels"]), strict=True)
    known = [(words, a, b) for words, a, b in rows if a is not None and b is not None]
    return Twice("", "", [words for words, _, _ in known], [a for _, a, _ in known], [b for _, _, b in known])


def _not_comparable(first: dict[str, Any], second: dict[str, Any]) -> str | None:
    """Why two annotators' labels of a page cannot be compared; None where they are of the same blocks."""
    versions = [first["thresher_version"], second["thresher_version"]]
    if len(first["labels"]) != len(second["labels"]):
        return f"{len(first['labels'])} blocks (thresher {versions[0]}) and {len(second['labels'])} ({versions[1]})"
    texts = [first.get("texts"), second.get("texts")]
    if None not in texts:
        return None if texts[0] == texts[1] else f"blocks of other texts (thresher {versions[0]} and {versions[1]})"
    # Files of earlier versions do not have the texts. One version forms the same blocks of the same page.
    return None if versions[0] == versions[1] else f"blocks of thresher {versions[0]} and {versions[1]}, texts unknown"

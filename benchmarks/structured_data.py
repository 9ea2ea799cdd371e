# SPDX-License-Identifier: Apache-2.0
"""Structured data of labelled pages beside what extruct finds, with the time of both.

    PYTHONPATH=src python benchmarks/structured_data.py FOLDER [--oracle 500] [--pages 2000] [--archives FOLDER]

FOLDER has Parquet files with the columns `html` and `url`. Prints Markdown: how many pages say anything for each
column, what each group costs, and the share of extruct's items that are found.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import thresher
from thresher.page.page_extractor import PageExtractor
from thresher.page.rights import COLUMNS as RIGHTS
from thresher.page.rights import read_rights
from thresher.page.structured_data import COLUMNS, read_structured_data

Page = tuple[bytes, str]
SYNTAXES = ("json-ld", "opengraph", "microdata", "rdfa")


def labelled_pages(folder: Path, most: int) -> list[Page]:
    """Pages of all files in turn, each file's in an order that is always the same."""
    files: list[Iterator[Page]] = []
    for path in sorted(folder.glob("*.parquet")):
        table = pq.read_table(path)
        if {"html", "url"} <= set(table.column_names):
            rows = table.select(["html", "url"]).to_pylist()
            random.Random(path.name).shuffle(rows)
            files.append(iter([(_bytes(row["html"]), row["url"] or "http://page.example/") for row in rows]))
    found: list[Page] = []
    while files and len(found) < most:
        for each in list(files):
            page = next(each, None)
            if page is None:
                files.remove(each)
            elif len(found) < most:
                found.append(page)
    return found


def archived_pages(folder: Path) -> list[Page]:
    """The pages of the archives in a folder."""
    return [(capture.payload, capture.url) for capture in thresher.read_captures(str(folder))]


def _bytes(html: str | bytes) -> bytes:
    return html if isinstance(html, bytes) else html.encode("utf-8", "replace")


def signals(pages: list[Page]) -> tuple[Counter[str], dict[str, float]]:
    """How many pages have a value in each column; milliseconds a page of the text and of each group."""
    found: Counter[str] = Counter()
    seconds: dict[str, float] = defaultdict(float)
    extractor = PageExtractor()
    groups = {"head": frozenset(COLUMNS) - {"microdata", "rdfa"}, "microdata": {"microdata"}, "rdfa": {"rdfa"}}
    for html, url in pages:
        started = time.perf_counter()
        extractor.extract(html, url)
        seconds["text"] += time.perf_counter() - started
        started = time.perf_counter()
        data = read_structured_data(extractor.workspace.document, url, page=html)
        seconds["all of structure"] += time.perf_counter() - started
        for name, wanted in groups.items():
            started = time.perf_counter()
            read_structured_data(extractor.workspace.document, url, wanted=wanted, page=html)
            seconds[f"structure: {name}"] += time.perf_counter() - started
        started = time.perf_counter()
        rights = read_rights(extractor.workspace.document, url)
        seconds["all of rights"] += time.perf_counter() - started
        found.update(name for name in COLUMNS if getattr(data, name) is not None)
        found.update(name for name in RIGHTS if getattr(rights, name) is not None)
    return found, {name: 1000 * value / max(len(pages), 1) for name, value in seconds.items()}


def plain(value: Any) -> Any:
    """A value of JSON to compare: a list of one value is that value; of a text the first 1,000 characters without white
    space, since extruct puts spaces around inline elements.
    """
    if isinstance(value, dict):
        return {key: plain(each) for key, each in sorted(value.items())}
    if isinstance(value, list):
        return plain(value[0]) if len(value) == 1 else [plain(each) for each in value]
    return "".join(value.split())[:1000] if isinstance(value, str) else value


def key(value: Any) -> str:
    """A value to compare by."""
    return json.dumps(plain(value), sort_keys=True, ensure_ascii=False)


def shape(item: dict[str, Any]) -> str:
    """An item of microdata by its type and the names of its properties."""
    return json.dumps([plain(item.get("type")), sorted(item.get("properties", {"": ""}))])


def typed(items: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Items of RDFa as this project writes them, nested ones too: types with names of properties, and with values."""
    waiting: list[dict[str, Any]] = list(items)
    while waiting:
        item = waiting.pop()
        values = []
        for name, found in item["properties"].items():
            for each in found if isinstance(found, list) else [found]:
                if isinstance(each, dict):
                    waiting.append(each)
                values.append((name, "" if isinstance(each, dict) else plain(each)))
        types = item.get("type", [])
        yield from _typed([types] if isinstance(types, str) else types, values)


def typed_by_oracle(items: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Items of RDFa as extruct writes them."""
    nodes = {item.get("@id") for item in items if "@type" in item}
    for item in items:
        if "@type" in item:
            values = []
            for name, found in item.items():
                for each in found if name[0] != "@" else ():
                    target = each.get("@id")
                    text = str(each.get("@value", target))
                    values.append((name, "" if target in nodes else plain(text)))
            yield from _typed(item["@type"], values)


def _typed(types: list[str], values: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    yield (
        json.dumps([sorted(types), sorted({name for name, _ in values})]),
        json.dumps([sorted(types), sorted(set(values))]),
    )


def compared(pages: list[Page]) -> tuple[dict[str, Counter[str]], dict[str, float]]:
    """For each syntax extruct's items, those found, and those found with equal values; milliseconds a page."""
    import extruct

    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    counts = {syntax: Counter[str]() for syntax in SYNTAXES}
    seconds: dict[str, float] = defaultdict(float)
    for html, url in pages:
        text = html.decode("utf-8", "replace")
        started = time.perf_counter()
        document = thresher.parse(text)
        ours = read_structured_data(document, url, page=html)
        seconds["thresher, with parsing"] += time.perf_counter() - started
        started = time.perf_counter()
        theirs = extruct.extract(text, base_url=url, syntaxes=list(SYNTAXES), errors="ignore")
        seconds["extruct"] += time.perf_counter() - started
        for syntax in SYNTAXES:
            count(counts[syntax], syntax, ours, theirs.get(syntax) or [])
    return counts, {name: 1000 * value / max(len(pages), 1) for name, value in seconds.items()}


def count(counts: Counter[str], syntax: str, ours: Any, theirs: list[Any]) -> None:
    """Adds what is found of one page's items of a syntax."""
    name = {"json-ld": "jsonld"}.get(syntax, syntax)
    items = json.loads(getattr(ours, name) or "[]")
    cut = f"{name} cut" in (ours.structure_status or "")
    pairs: list[tuple[str, str]]
    if syntax == "opengraph":
        pairs = [(k.lower(), key([k.lower(), v.strip()])) for block in theirs for k, v in block["properties"]]
        values = [(k, each) for k, v in (items or {}).items() for each in (v if isinstance(v, list) else [v])]
        mine = [(k, key([k, each])) for k, each in values]
    elif syntax == "microdata":
        pairs, mine = [(shape(item), key(item)) for item in theirs], [(shape(item), key(item)) for item in items]
    elif syntax == "rdfa":
        pairs, mine = list(typed_by_oracle(theirs)), list(typed(items))
    else:
        pairs, mine = [(key(each), key(each)) for each in theirs], [(key(each), key(each)) for each in items]
    found, equal = Counter(each for each, _ in mine), Counter(each for _, each in mine)
    counts["pages"] += bool(pairs)
    counts["items"] += len(pairs)
    counts["found"] += (Counter(each for each, _ in pairs) & found).total()
    counts["equal"] += (Counter(each for _, each in pairs) & equal).total()
    counts["only ours"] += max(len(mine) - len(pairs), 0)
    counts["pages cut"] += cut and bool(pairs)


def main() -> None:
    """Prints the tables."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--oracle", type=int, default=500)
    arguments.add_argument("--pages", type=int, default=2000)
    arguments.add_argument("--archives", type=Path)
    given = arguments.parse_args()
    pages = labelled_pages(given.folder, given.pages)
    sets = {f"{len(pages):,} labelled pages": pages}
    if given.archives:
        archived = archived_pages(given.archives)
        sets[f"{len(archived):,} pages of {given.archives.name}"] = archived
    found = {name: signals(each) for name, each in sets.items()}
    print("## Pages that say something\n\n| column |", " | ".join(found), "|\n|---|" + "---|" * len(found))
    for column in (*COLUMNS, *RIGHTS):
        print(f"| `{column}` |", " | ".join(f"{counts[column]:,}" for counts, _ in found.values()), "|")
    print("\n## Milliseconds a page\n\n| |", " | ".join(found), "|\n|---|" + "---|" * len(found))
    for name in next(iter(found.values()))[1]:
        print(f"| {name} |", " | ".join(f"{times[name]:.3f}" for _, times in found.values()), "|")
    counts, times = compared(pages[: given.oracle])
    print(f"\n## Items of extruct, {min(given.oracle, len(pages)):,} labelled pages\n")
    print("| syntax | pages with some | items | found | share | with equal values | share | only here | pages cut |")
    print("|---|" + "---|" * 8)
    for syntax, each in counts.items():
        n = max(each["items"], 1)
        print(
            f"| {syntax} | {each['pages']:,} | {each['items']:,} | {each['found']:,} | {each['found'] / n:.1%} | "
            f"{each['equal']:,} | {each['equal'] / n:.1%} | {each['only ours']:,} | {each['pages cut']:,} |"
        )
    print("\n| | ms a page |\n|---|---|")
    for name, value in times.items():
        print(f"| {name} | {value:.2f} |")


if __name__ == "__main__":
    main()

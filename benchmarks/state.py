# SPDX-License-Identifier: Apache-2.0
"""Text that stands in a page's state and not in its elements: how much of it is found, and what that costs other pages.

    python benchmarks/state.py choose     writes fixtures/state_pages.tsv: pages whose gold stands in their scripts, too
    python benchmarks/state.py emptied    word F1 on these pages, their text taken out of the elements
    python benchmarks/state.py real       labelled and unlabelled pages that have another text because of their state

A page whose elements show the beginning of a text, or nothing of it, is rare in labelled sets, since their gold was
mostly taken from elements. So such pages are made: of a labelled page whose scripts hold at least seven tenths of the
gold text, the texts of elements that are gold are left out, all of them or all but the first 400 characters. The script
and all its neighbours are the page's own.

"Before" is Thresher without state beyond pages that show no text (thresher.page.script_text.continued_in_scripts).
"""

import argparse
import html as html_escapes
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from unittest.mock import patch

import pyarrow.parquet as pq
from measure import DATA, HERE

import thresher.page.page_extractor as of_page
from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.metrics import overlap
from thresher.lab.evaluate.tokens import words_cjk
from thresher.native.unseen.script_strings import strings_in_scripts

FIXTURE = HERE / "fixtures" / "state_pages.tsv"
LEAST_WORDS = 120
LEAST_SHARE = 0.7  # of gold in scripts
SHOWN = 0.6  # share of a text's triples of words that are gold, from which it is taken out
TEASERS = (0, 400)  # characters that stay
_TAG = re.compile(r"<[^<>]*>")
_UNTOUCHED = re.compile(r"(<(script|style|noscript|head)\b.*?</\2\s*>)", re.DOTALL | re.IGNORECASE)
_BODY = re.compile(r'"articleBody"\s*:\s*"(?:[^"\\]|\\.)*"')  # in JSON-LD, a source of its own
_TEXT = re.compile(r">([^<]+)(?=<)")


def words(text: str) -> list[str]:
    """The words of a text or markup."""
    return words_cjk(html_escapes.unescape(_TAG.sub(" ", text) if "<" in text else text).casefold())


def triples(text: str) -> set[tuple[str, str, str]]:
    """Each three words that follow each other."""
    found = words(text)
    return set(zip(found, found[1:], found[2:], strict=False))


def pages(*folders: str) -> Iterator[tuple[str, int, bytes, str | None, str | None]]:
    """(set, number, UTF-8, URL, gold) of every page."""
    for folder in folders:
        for file in sorted((DATA / folder).glob("*.parquet")):
            parquet, number = pq.ParquetFile(file), -1
            columns = [name for name in ("html", "url", "gold") if name in parquet.schema_arrow.names]
            for batch in parquet.iter_batches(64, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{folder}/{file.stem}", number, decode_page(row["html"]), row["url"], row.get("gold")


def choose() -> None:
    """Writes the fixture."""
    extractor = of_page.PageExtractor()
    with FIXTURE.open("w", encoding="utf-8") as out:
        for name, number, page, url, gold in pages("labelled", "labelled_new"):
            if not gold or len(words(gold)) < LEAST_WORDS or b"<script" not in page.lower():
                continue
            extractor.parse(page, url)
            strings = strings_in_scripts(extractor.workspace.document)
            wanted = triples(gold)
            if len(wanted & triples("\n".join(string for _, string in strings))) >= LEAST_SHARE * len(wanted):
                out.write(f"{name}\t{number}\n")


def emptied_page(page: bytes, gold: str, teaser: int) -> bytes:
    """The page without its gold text in elements, but for the first so many characters."""
    wanted, left = triples(gold), teaser

    def without(found: re.Match[str]) -> str:
        nonlocal left
        have = triples(found[1])
        if not have or len(have & wanted) < SHOWN * len(have):
            return found[0]
        if left > 0 and len(found[1].strip()) > 60:
            left -= len(found[1])
            return found[0]
        return ">"

    parts = []
    end = 0
    text = page.decode("utf-8", "replace")
    for found in _UNTOUCHED.finditer(text):
        parts += [_TEXT.sub(without, text[end : found.start()]), _BODY.sub('"articleBody":""', found[1])]
        end = found.end()
    return "".join([*parts, _TEXT.sub(without, text[end:])]).encode("utf-8", "replace")


def emptied() -> None:
    """Prints F1 before and after, and how many pages are worse."""
    listed = {tuple(line.split("\t")) for line in FIXTURE.read_text("utf-8").splitlines()}
    extractor = of_page.PageExtractor()
    rows: dict[int, list[tuple[float, float]]] = {teaser: [] for teaser in TEASERS}
    sources: Counter[tuple[int, str]] = Counter()
    for name, number, page, url, gold in pages("labelled", "labelled_new"):
        if (name, str(number)) not in listed or gold is None:
            continue
        for teaser in TEASERS:
            changed = emptied_page(page, gold, teaser)
            scores = [overlap(words(text), words(gold)).f1 for text, _ in before_and_after(extractor, changed, url)]
            rows[teaser].append((scores[0], scores[1]))
            sources[teaser, extractor.text_source] += 1
    print("| elements show | pages | before | after | worse | text from |\n|---|---|---|---|---|---|")
    for teaser, found in rows.items():
        before, after = (sum(column) / len(found) for column in zip(*found, strict=True))
        worse = sum(after < before - 0.005 for before, after in found)
        shown = f"{teaser} characters" if teaser else "nothing"
        of = ", ".join(f"{source} {n}" for (which, source), n in sorted(sources.items()) if which == teaser)
        print(f"| {shown} | {len(found)} | {before:.3f} | {after:.3f} | {worse} | {of} |")


def before_and_after(extractor: of_page.PageExtractor, page: bytes, url: str | None) -> list[tuple[str, str]]:
    """(text, source) of a page without and with its state."""
    found = []
    for replaced in (True, False):
        with patch.object(of_page, "continued_in_scripts", lambda *_: None) if replaced else nullcontext():
            found.append((extractor.extract(page, url).decode("utf-8", "replace"), extractor.text_source))
    return found


def real() -> None:
    """Prints the pages that change, and the F1 of those that have a gold text."""
    extractor = of_page.PageExtractor()
    n = 0
    for name, number, page, url, gold in pages("labelled", "labelled_new", "unlabelled"):
        n += 1
        before, after = before_and_after(extractor, page, url)
        if before != after:
            scores = [f"{overlap(words(text), words(gold)).f1:.3f}" for text, _ in (before, after)] if gold else []
            print(name, number, f"{len(before[0])} to {len(after[0])} characters", *scores, repr(after[0][:60]))
    print(n, "pages")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = {"choose": choose, "emptied": emptied, "real": real}
    parser.add_argument("command", choices=commands)
    commands[parser.parse_args().command]()


if __name__ == "__main__":
    main()

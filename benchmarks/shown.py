# SPDX-License-Identifier: Apache-2.0
"""What Thresher takes for shown text, compared with what Chromium shows.

    python benchmarks/shown.py [--scripts] ask WORK [FILE...]                 Chromium's texts into WORK, once
    python benchmarks/shown.py compare WORK [--hidden drop] [--worst 10]      precision and recall of the words

The text of Chromium is `document.body.innerText` without noscript elements and options of drop-downs, every `details`
open, nothing skipped because it is not yet on the screen (`content-visibility: auto`), with scripts off (on with
`--scripts`), and nothing loaded from elsewhere. That of Thresher is what the extractor `all` keeps. Pages are those of
unlabelled/pages.parquet, every n-th, or all `.html` files given.

`seen` is Chromium's text without what it lays out where nobody sees it: clipped to a pixel, left of or above the page,
transparent, without a size; and without elements that have a class for screen readers, whose styles are mostly in files
that are not loaded. innerText has all of these.

For each reason why Thresher conceals text (native/shown/decision.pxd), the words of these elements, and how
many of them Chromium's text, `shown` or `seen`, does not have beyond what Thresher keeps: the precision of the reason.
For each page below LOW, the reasons for which Thresher conceals what it lacks.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
from measure import DATA, HERE

sys.path.insert(0, str(HERE.parent / "tests"))
from headless_chromium import Chromium

import thresher
from thresher.lab.evaluate.decoding import decode_page
from thresher.lab.evaluate.metrics import overlap
from thresher.lab.evaluate.tokens import words_cjk
from thresher.native.workspace import Workspace
from thresher.options import Hidden, default_options
from thresher.page.page_extractor import new_document

FILE = "unlabelled/pages.parquet"
LIMIT = 4 << 20  # bytes of a page
LOW = 0.9
NOT_TEXT = frozenset(("script", "style", "template", "select", "textarea", "iframe"))
REFRESH = re.compile(rb"<meta[^>]{0,40}http-equiv=[\"']?refresh", re.IGNORECASE)
ASK = """(() => {
  for (const each of document.querySelectorAll('noscript, select, datalist, textarea')) each.remove();
  for (const each of document.querySelectorAll('details')) each.open = true;
  for (const each of document.querySelectorAll('*'))
    if (getComputedStyle(each).contentVisibility === 'auto') each.style.contentVisibility = 'visible';
  const shown = document.body ? document.body.innerText : '';
  const unseen = [...document.querySelectorAll(
    '[class~=sr-only], [class*=visually-hidden], [class*=visuallyhidden], [class*=screen-reader-]'
  )];
  for (const each of document.body ? document.body.querySelectorAll('*') : []) {
    const style = getComputedStyle(each);
    const box = each.getBoundingClientRect();
    const out = style.position === 'absolute' || style.position === 'fixed';
    const clipped = /^rect\\((0|1)px,? (0|1)px,? (0|1)px,? (0|1)px\\)/.test(style.clip);
    if ((out && (clipped || box.right < -100 || box.bottom < -100))
        || /inset\\((50|100)%\\)/.test(style.clipPath)
        || (out && style.overflow !== 'visible' && box.width <= 1 && box.height <= 1)
        || parseFloat(style.textIndent) < -400 || style.opacity === '0' || style.fontSize === '0px')
      unseen.push(each);
  }
  for (const each of unseen) each.remove();
  return [shown, document.body ? document.body.innerText : ''];
})()"""


def pages(n: int, files: list[Path]) -> Iterator[tuple[str, bytes]]:
    """(name, UTF-8) of the pages."""
    if files:
        yield from ((file.stem, file.read_bytes()) for file in files)
        return
    parquet = pq.ParquetFile(DATA / FILE)
    every = max(1, parquet.metadata.num_rows // n)
    number = 0
    for batch in parquet.iter_batches(32, columns=["id", "html"]):
        for row in batch.to_pylist():
            html = row["html"] or b""
            html = html.encode() if isinstance(html, str) else html
            if number % every == 0 and 0 < len(html) < LIMIT:
                yield row["id"], decode_page(html)
            number += 1


def ask(work: Path, n: int, files: list[Path], *, scripts: bool) -> None:
    """Writes WORK/pages.jsonl: for each page its name, HTML, and Chromium's texts."""
    work.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Chromium(Path(folder) / "profile") as browser,
        (work / "pages.jsonl").open("w", encoding="utf-8") as out,
    ):
        browser.size(1280, 800)
        browser.call("Network.setBlockedURLs", urls=["http://*", "https://*", "ws://*", "wss://*"])
        browser.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        file = Path(folder) / "page.html"
        for name, html in pages(n, files):
            stays = REFRESH.sub(b"<meta ", html.removeprefix(b"\xef\xbb\xbf"))
            file.write_bytes(b"\xef\xbb\xbf" + stays)
            try:
                browser.open(file.as_uri())
                shown, seen = browser.run(ASK)
            except (AssertionError, TimeoutError, TypeError) as error:
                print(f"{name}: {error}", file=sys.stderr)
                continue
            out.write(json.dumps([name, html.decode("utf-8", "replace"), shown, seen]) + "\n")


def concealed_words(html: bytes) -> Iterator[tuple[str, list[str]]]:
    """(reason, words) of each concealed element, and of each run in a line."""
    workspace = Workspace(new_document(default_options().limits))
    workspace.parse(html, "text")
    workspace.measure()
    document = workspace.document
    for node, reason, run in workspace.concealed():
        texts = []
        n = node
        while n < document.end(node):
            if document.tag(n) == "#text":
                texts.append(document.text(n))
            leave = document.tag(n) in NOT_TEXT or document.tag(n).startswith("svg")
            n = document.end(n) if leave else n + 1
        yield f"{reason}, in a line" if run else reason, words_cjk(" ".join(texts).casefold())


def compare(work: Path, hidden: Hidden, worst: int) -> None:
    """Prints means over the pages, the precision of each reason, and the pages that differ most."""
    rows = []
    concealed: dict[str, defaultdict[str, list[str]]] = {}
    reasons: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])  # pages, words, not shown, not seen
    for line in (work / "pages.jsonl").read_text("utf-8").splitlines():
        name, html, shown, seen = json.loads(line)
        ours = words_cjk(thresher.extract(html, extractor="all", hidden=hidden, formulas="text").text.casefold())
        texts = [words_cjk(shown.casefold()), words_cjk(seen.casefold())]
        if not texts[0]:
            continue
        rows.append((name, ours, texts, [overlap(ours, text) for text in texts]))
        left = [Counter(text) - Counter(ours) for text in texts]
        of_page = concealed[name] = defaultdict(list)
        for reason, words in concealed_words(html.encode("utf-8", "replace")):
            of_page[reason] += words
        for reason, words in of_page.items():
            count = Counter(words)
            sums = (1, len(words), *(len(words) - (count & more).total() for more in left))
            reasons[reason] = [a + b for a, b in zip(reasons[reason], sums, strict=True)]
    for i, label in enumerate(("shown", "seen")):
        scores = [row[3][i] for row in rows]
        means = [sum(column) / len(scores) for column in zip(*scores, strict=True)]
        low = [sum(score[k] < LOW for score in scores) for k in (0, 1)]
        print(
            f"{label}: precision {means[0]:.4f}, recall {means[1]:.4f} over {len(rows)} pages; "
            f"below {LOW}: {low[0]} and {low[1]}"
        )
    print("\n| reason | pages | words | not shown | not seen |\n|---|---|---|---|---|")
    for reason, (n, total, *right) in sorted(reasons.items(), key=lambda item: -item[1][1]):
        if total:
            print(f"| {reason} | {n} | {total:,} | {right[0] / total:.3f} | {right[1] / total:.3f} |")
    print()
    for name, ours, texts, scores in rows:
        if min(scores[0][:2]) < LOW:
            lost = Counter(texts[0]) - Counter(ours)
            why = {reason: (Counter(words) & lost).total() for reason, words in concealed[name].items()}
            of = ", ".join(f"{reason} {n}" for reason, n in sorted(why.items(), key=lambda item: -item[1]) if n)
            print(f"{name}: precision {scores[0][0]:.3f}, recall {scores[0][1]:.3f}; of {lost.total()} words: {of}")
    print()
    for name, ours, texts, scores in sorted(rows, key=lambda row: min(row[3][1][:2]))[:worst]:
        mine, theirs = Counter(ours), Counter(texts[1])
        more, less = (mine - theirs).most_common(8), (theirs - mine).most_common(8)
        print(f"{name}: precision {scores[1][0]:.3f}, recall {scores[1][1]:.3f}; more {more}; less {less}")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("ask", "compare"))
    parser.add_argument("work", type=Path)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--scripts", action="store_true")
    parser.add_argument("--hidden", choices=("auto", "keep", "drop"), default="drop")
    parser.add_argument("--worst", type=int, default=10)
    chosen = parser.parse_args()
    if chosen.command == "ask":
        ask(chosen.work, chosen.pages, chosen.files, scripts=chosen.scripts)
    else:
        compare(chosen.work, chosen.hidden, chosen.worst)


if __name__ == "__main__":
    main()

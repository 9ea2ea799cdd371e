# SPDX-License-Identifier: Apache-2.0
"""Templates learned on one crawl and applied to the next, beside templates fused in one run.

    python benchmarks/next_crawl.py [--extractor NAME ...] [SET ...]

The pages of each labelled site with at least ten pages are halved by a hash of their names: one half is the first
crawl, the other the next. Everything goes through the command line. Prints the mean word F1 of the second half's pages
without templates, with those of the first half (learn, apply), with those of its own (fused), and with those of both
halves in one run, which is what fused could know at most. The learned extractor is the shipped one, which has seen the
pages, so that templates have less to add than on the open web.
"""

import argparse
import io
import subprocess
import sys
import tempfile
import zlib
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from measure import labelled_file
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from thresher.lab.evaluate.metrics import word_cjk_score
from thresher.lab.evaluate.pages import Page, read_pages

SETS = ("wwwxmu_cn", "daniel", "dragnet", "cleanportaleval")
EXTRACTORS = ("thresher", "cetd", "all")
MIN_PAGES = 10


def write(path: Path, pages: dict[str, Page]) -> Path:
    """An archive of pages by URL."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, page in pages.items():
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            payload = io.BytesIO(page.html)
            writer.write_record(
                writer.create_warc_record(url, "response", payload=payload, length=len(page.html), http_headers=headers)
            )
    return path


def texts(output: Path) -> dict[str, str]:
    """The text of each page of a run, by URL."""
    rows = pq.read_table(output / "pages", columns=["url", "text"]).to_pylist()
    return {row["url"]: row["text"] or "" for row in rows}


def extract(archives: list[Path], output: Path, *options: object) -> Path:
    """Runs `thresher extract`."""
    command = [sys.executable, "-m", "thresher.commands.main", "extract", *archives, "-o", output, *options]
    subprocess.run([*map(str, command)], check=True, capture_output=True)
    return output


def measure(name: str, extractor: str, folder: Path) -> None:
    """Prints the line of a set."""
    sites: dict[str, list[Page]] = defaultdict(list)
    for page in read_pages(labelled_file(name)):
        sites[page.site].append(page)
    halves: list[dict[str, Page]] = [{}, {}]
    for site, pages in sites.items():
        if len(pages) >= MIN_PAGES:
            for number, page in enumerate(sorted(pages, key=lambda page: zlib.crc32(page.id.encode()))):
                halves[number % 2][f"https://{site}/{number}"] = page
    first, second = (write(folder / f"{k}.warc.gz", half) for k, half in enumerate(halves))
    chosen = ["--extractor", extractor, "--workers", 1]
    learned = extract([first], folder / "learned", *chosen, "--templates", "learn")
    found = [
        texts(extract([second], folder / "off", *chosen)),
        texts(extract([second], folder / "apply", *chosen, "--templates", "apply", "--templates-from", learned)),
        texts(extract([second], folder / "fused", *chosen, "--templates", "fused")),
        texts(extract([first, second], folder / "both", *chosen, "--templates", "fused")),
    ]
    means = [np.mean([word_cjk_score(each[url], page.gold).f1 for url, page in halves[1].items()]) for each in found]
    cells = " | ".join(f"{mean:.4f}" for mean in means)
    print(f"| {name}, {len(halves[1])} pages | `{extractor}` | {cells} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--extractor", action="append", choices=EXTRACTORS)
    arguments = parser.parse_args()
    print("| set | extractor | off | apply | fused | fused with both halves |\n|---|---|---|---|---|---|", flush=True)
    for name in arguments.sets:
        for extractor in arguments.extractor or EXTRACTORS:
            with tempfile.TemporaryDirectory(prefix="thresher-next-") as folder:
                measure(name, extractor, Path(folder))


if __name__ == "__main__":
    main()

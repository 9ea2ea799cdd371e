# SPDX-License-Identifier: Apache-2.0
"""Makes archives in which hosts have many pages.

Each host is one real page whose long texts are replaced for each of its pages.

    python benchmarks/host_load.py OUT [--pages 10000] [--hosts 250] [--large .3] [--archives 8] [--max-bytes N]

The first host has the share --large of all pages. Menus, footers and other short texts stay as they are; long texts are
mixed from the words of the page. --max-bytes leaves larger pages out. The same arguments and data give the same bytes.
"""

import argparse
import io
import random
import re
from pathlib import Path

from measure import labelled_file
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from thresher.lab.evaluate.pages import read_pages

LONG_TEXT = re.compile(r"(?<=>)[^<>]{80,}(?=<)")
SETS = ("daniel", "dragnet")


def mixed(html: str, words: list[str], seed: int) -> bytes:
    """The page with its long texts replaced."""
    chance = random.Random(seed)
    return LONG_TEXT.sub(lambda found: " ".join(chance.choices(words, k=len(found[0]) // 6)), html).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--hosts", type=int, default=250)
    parser.add_argument("--large", type=float, default=0.3)
    parser.add_argument("--archives", type=int, default=8)
    parser.add_argument("--max-bytes", type=int, default=1 << 30)
    arguments = parser.parse_args()
    pages = [
        page.html.decode()
        for name in SETS
        for page in read_pages(labelled_file(name))
        if len(page.html) <= arguments.max_bytes
    ]
    chance = random.Random(1)
    chance.shuffle(pages)
    bases = [
        (html, sorted(set(html.split(">")[-1].split() + re.findall(r"\w{3,}", html))))
        for html in pages[: arguments.hosts]
    ]
    of_host = [
        0 if chance.random() < arguments.large else chance.randrange(1, arguments.hosts) for _ in range(arguments.pages)
    ]
    arguments.out.mkdir(parents=True, exist_ok=True)
    n_bytes = 0
    for archive in range(arguments.archives):
        with (arguments.out / f"load-{archive:03d}.warc.gz").open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            for number in range(archive, arguments.pages, arguments.archives):
                host = of_host[number]
                html = mixed(*bases[host % len(bases)], number)
                n_bytes += len(html)
                headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(html)))]
                record = writer.create_warc_record(
                    f"http://www.host{host}.example/{number % 7}/{number}.html",
                    "response",
                    payload=io.BytesIO(html),
                    length=len(html),
                    http_headers=StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1"),
                    warc_headers_dict={"WARC-Date": "2026-11-20T00:00:00Z"},
                )
                writer.write_record(record)
    print(f"{arguments.pages:,} pages of {arguments.hosts:,} hosts, {n_bytes:,} bytes of HTML")


if __name__ == "__main__":
    main()

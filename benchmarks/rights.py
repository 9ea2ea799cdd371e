# SPDX-License-Identifier: Apache-2.0
"""How many pages say anything of their use, by signal, and pages with licence marks to be read by eye.

    python benchmarks/rights.py [--pages 2000] [--marks 50]

Pages are those of the archives in warc-real, with HTTP heads and robots.txt, and those of the labelled sets, in turn
from each set that keeps URLs, which have neither. Prints Markdown. With --marks, prints pages that name a licence
instead, one a host: what the columns say, and the HTML around each mark.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

from measure import DATA
from structured_data import Page, labelled_pages

import thresher
from thresher.page.hosts import host_and_domain
from thresher.page.rights import COLUMNS, Rights, read_rights

AROUND: Final = 220  # characters of HTML shown on each side of a mark
MOST: Final = 3  # marks shown of a page
MARK: Final = re.compile(
    r"creativecommons\.org/(?:licen|publicdomain)|\brel=[\"']?license|gnu\.org/[a-z/-]*(?:fdl|gpl)|opendatacommons\.org"
    r"|open-government-licence|licence-ouverte|opensource\.org/licen|apache\.org/licenses|[\"']licen[cs]e[\"']"
    r"|dc(?:terms)?\.rights|\bCC[ -](?:BY|0)\b",
    re.IGNORECASE,
)
SIGNALS: Final = (
    "robots_meta", "x_robots_tag", "tdm_reservation", "tdm_policy", "content_signal", "robots_txt",
    "use_search", "use_ai_input", "use_ai_train", "licence", "licences_cited",
)  # fmt: skip

Row = dict[str, Any]


def archived(folder: Path) -> list[Row]:
    """The columns of rights of the pages in archives, with their hosts' robots.txt."""
    options = thresher.CaptureOptions(robots=(str(folder),))
    batches = thresher.page_batches(folder, columns=["url", "+rights"], capture_options=options)
    return [row for batch in batches for row in batch.to_pylist()]


def labelled(most: int) -> list[Page]:
    """Pages of the labelled sets, in turn from each."""
    old, new = (labelled_pages(DATA / name, most) for name in ("labelled", "labelled_new"))
    n_new = min(len(new), most * 7 // 17)  # seven sets beside ten
    return old[: most - n_new] + new[:n_new]


def as_row(rights: Rights) -> Row:
    """Rights as a row of `pages` has them."""
    return {name: getattr(rights, name) for name in COLUMNS}


def counts(rows: list[Row]) -> Counter[str]:
    """How many pages have each signal, each answer, each licence and each place."""
    found: Counter[str] = Counter()
    for row in rows:
        found.update(f"`{name}`" for name in SIGNALS if row[name] not in (None, ""))
        found.update(f"`{name}` is {row[name]}" for name in SIGNALS if name.startswith("use_") and row[name])
        if row["licence"]:
            found[f"licence in {row['licence_where']}"] += 1
            found[f"licence {family(row['licence'])}"] += 1
            found["licence, and others that disagree"] += bool(row["licence_others"])
        elif row["licences_cited"]:
            found["only cited licences"] += 1
        found["anything but robots meta"] += any(row[name] for name in SIGNALS[1:])
    return found


def family(licence: str) -> str:
    """A licence without its version."""
    return re.sub(r"-\d\.\d$", "", licence)


def marks(pages: list[Page], most: int) -> None:
    """Prints pages that name a licence, one a host, with the HTML around each mark."""
    hosts: set[str | None] = set()
    for html, url in pages:
        host = host_and_domain(url)[0]
        if host in hosts or not MARK.search(text := html.decode("utf-8", "replace")):
            continue
        rights = read_rights(thresher.parse(html), url)
        if not rights.licence and not rights.licences_cited:
            continue
        hosts.add(host)
        print(f"\n### {len(hosts)}. {url}\n")
        print(f"{rights.licence} in {rights.licence_where}, {rights.licence_others} others; {rights.licence_url}")
        print(f"cited: {(rights.licences_cited or '-').replace(chr(10), ', ')}")
        last = -AROUND
        for mark in list(MARK.finditer(text))[: 4 * MOST]:
            if mark.start() - last >= AROUND:
                last = mark.start()
                around = text[max(0, mark.start() - AROUND) : mark.end() + AROUND]
                print(f"\n    {' '.join(around.split())}")
        if len(hosts) == most:
            break


def main() -> None:
    """Prints the tables, or the pages to read."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pages", type=int, default=2000)
    arguments.add_argument("--marks", type=int, default=0)
    given = arguments.parse_args()
    if given.marks:
        marks(labelled(100_000) + labelled_pages(DATA / "unlabelled", 100_000), given.marks)
        return
    pages = labelled(given.pages)
    rows = [as_row(read_rights(thresher.parse(html), url)) for html, url in pages]
    sets = {"warc-real": archived(DATA / "warc-real"), "labelled": rows}
    found = {name: counts(each) for name, each in sets.items()}
    print("| pages that have |", " | ".join(f"{len(each):,} of {name}" for name, each in sets.items()), "|")
    print("|---|---|---|")
    for what in sorted(set().union(*found.values()), key=lambda each: (not each.startswith("`"), each)):
        print(f"| {what} |", " | ".join(f"{each[what]:,}" for each in found.values()), "|")


if __name__ == "__main__":
    main()

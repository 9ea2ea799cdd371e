# SPDX-License-Identifier: Apache-2.0
"""Trafilatura's command line over Thresher: `python -m thresher.compat.trafilatura.cli < page.html`.

It reads a page from standard input or the files of a folder. For many pages `thresher extract` is quicker: it works on
all processors and goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from thresher._version import __version__
from thresher.compat.trafilatura.core import extract
from thresher.compat.trafilatura.formats import FORMATS

_REFUSED: Final = {
    "input-file": "-i", "URL": "-u", "blacklist": "-b", "list": "", "backup-dir": "", "feed": "", "sitemap": "",
    "crawl": "", "explore": "", "probe": "", "archived": "", "url-filter": "", "xmltei": "", "validate-tei": "",
}  # fmt: skip
"""Options for fetching pages and looking for them, and for TEI, and their short forms."""
_INSTEAD: Final = (
    "pages are neither looked for nor fetched here. Pass a page on standard input (curl -sL URL | python -m "
    "thresher.compat.trafilatura.cli), or let a crawler write WARC and run `thresher extract`"
)
_OPTIONS: Final = {
    "formatting": ("include_formatting", True, "keep headings, emphasis and the like"),
    "links": ("include_links", True, "keep links with their addresses"),
    "images": ("include_images", True, "keep images with their addresses"),
    "no-comments": ("include_comments", False, "drop readers' comments"),
    "no-tables": ("include_tables", False, "drop tables"),
    "only-with-metadata": ("only_with_metadata", True, "only pages with title, address and date"),
    "with-metadata": ("with_metadata", True, "write metadata too"),
    "deduplicate": ("deduplicate", True, "leave out texts that come more than three times"),
    "precision": ("favor_precision", True, "less text, with less that does not belong to it"),
    "recall": ("favor_recall", True, "more text, with more that does not belong to it"),
}
"""Switches: the option of extract() that each sets, to what, and help."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="thresher.compat.trafilatura.cli", description=__doc__, argument_default=argparse.SUPPRESS
    )
    parser.add_argument("--input-dir", help="a folder of pages")
    parser.add_argument("-o", "--output-dir", help="a folder for the texts, one file for each page")
    parser.add_argument("--keep-dirs", action="store_true", help="names and folders are those of the pages")
    for name, (option, value, about) in _OPTIONS.items():
        parser.add_argument(f"--{name}", dest=option, action="store_const", const=value, help=about)
    parser.add_argument("--target-language", help="only pages in this language (ISO 639)")
    parser.add_argument("--config-file", dest="settingsfile", help="a settings file")
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--output-format", choices=FORMATS)
    for name in FORMATS:
        if name != "txt":
            formats.add_argument(f"--{name}", action="store_const", const=name, dest="output_format")
    parser.add_argument("-f", "--fast", action="store_true", help="ignored: there is one way, a fast one")
    parser.add_argument("--parallel", type=int, help="ignored: pages are read one by one")
    parser.add_argument("-v", "--verbose", action="count", help="write more to the log (-v, -vv)")
    parser.add_argument("--version", action="version", version=f"Thresher {__version__}")
    for name, short in _REFUSED.items():
        parser.add_argument(*filter(None, (short, f"--{name}")), nargs="*", help=argparse.SUPPRESS)
    return parser


def _run(arguments: list[str]) -> None:
    """Extracts what the options name. What is wrong with them is printed, and ends the process with status 2."""
    parser = _parser()
    given: dict[str, Any] = vars(parser.parse_args(arguments))
    for name in _REFUSED:
        if name.replace("-", "_") in given:
            parser.error(f"--{name}: {'TEI is not written; use --xml' if 'tei' in name else _INSTEAD}")
    folder, out = given.pop("input_dir", None), given.pop("output_dir", None)
    keeps = given.pop("keep_dirs", False)
    if keeps and not out:
        parser.error("--keep-dirs needs a folder for the texts: -o")
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(given.pop("verbose", 0), 2)]
    logging.basicConfig(stream=sys.stderr, level=level)
    for name in ("fast", "parallel"):
        given.pop(name, None)
    paths = sorted(path for path in Path(folder).rglob("*") if path.is_file()) if folder else [None]
    for path in paths:
        text = extract(path.read_bytes() if path else sys.stdin.buffer.read(), **given)
        if text is None:
            continue
        if not out:
            print(text)
            continue
        page = path.relative_to(folder) if path else None
        digest = blake2b(f"{page} {text}".encode(), digest_size=8).hexdigest()
        kept = page.with_suffix("") if page and keeps else Path(digest)
        form = given.get("output_format", "txt")
        file = Path(out) / kept.parent / f"{kept.name}.{'md' if form == 'markdown' else form}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def main() -> None:
    """Runs the command. A reader that has had enough (`| head`) ends it without a word, as SIGPIPE would."""
    try:
        _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes again as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)


if __name__ == "__main__":
    main()

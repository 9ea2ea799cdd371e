# SPDX-License-Identifier: Apache-2.0
"""Trafilatura's command line over Thresher: `python -m thresher.compat.trafilatura.cli < page.html`.

It reads a page from standard input or the files of a folder. Options for fetching pages are errors that say what to use
instead. For many pages `thresher extract` is quicker: it works on all processors and goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import logging
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Final

from thresher._version import __version__
from thresher.compat.trafilatura._names import names_of
from thresher.compat.trafilatura.core import extract
from thresher.compat.trafilatura.settings import PARALLEL_CORES, SUPPORTED_FMT_CLI, args_to_extractor

__getattr__ = names_of(__name__)

_ENDINGS: Final = {"xmltei": "xml", "markdown": "md"}
REFUSED: Final = {
    "input_file": "pages are not fetched here. Fetch them first, and name their folder with --input-dir",
    "URL": "pages are not fetched here. Try `curl -sL URL | python -m thresher.compat.trafilatura.cli`",
    "blacklist": "pages are not fetched here. `thresher extract --url-pattern` chooses pages of archives",
    "list": "nothing is looked for in the web here",
    "backup_dir": "pages are not fetched here",
    "feed": "feeds are not read here",
    "sitemap": "sitemaps are not read here",
    "crawl": "Thresher does not crawl. Let a crawler write WARC, and run `thresher extract`",
    "explore": "Thresher does not crawl. Let a crawler write WARC, and run `thresher extract`",
    "probe": "pages are not fetched here",
    "archived": "pages are not fetched here. For the Wayback Machine's, pass their bytes on standard input",
    "url_filter": "pages are not fetched here. `thresher extract --url-pattern` chooses pages of archives",
}
"""Options that are errors, and what to do instead."""


def add_args(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Adds the options to a parser."""
    group = parser.add_argument_group("input")
    group.add_argument("--input-dir", help="a folder of pages")
    group.add_argument("--parallel", type=int, default=PARALLEL_CORES, help="ignored: pages are read one by one")
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--output-dir", help="a folder for the texts, one file for each page")
    group.add_argument("--keep-dirs", action="store_true", help="names and folders are those of the pages")
    group = parser.add_argument_group("extraction")
    group.add_argument("-f", "--fast", action="store_true", help="ignored: there is one way, a fast one")
    group.add_argument("--formatting", action="store_true", default=None, help="keep headings, emphasis and the like")
    group.add_argument("--links", action="store_true", help="keep links with their addresses")
    group.add_argument("--images", action="store_true", help="keep images with their addresses")
    group.add_argument("--no-comments", dest="comments", action="store_false", help="drop readers' comments")
    group.add_argument("--no-tables", dest="tables", action="store_false", help="drop tables")
    group.add_argument("--only-with-metadata", action="store_true", help="only pages with title, address and date")
    group.add_argument("--with-metadata", action="store_true", help="write metadata too")
    group.add_argument("--target-language", help="only pages in this language (ISO 639)")
    group.add_argument("--deduplicate", action="store_true", help="leave out texts that come more than three times")
    group.add_argument("--config-file", help="a settings file")
    group.add_argument("--precision", action="store_true", help="less text, with less that does not belong to it")
    group.add_argument("--recall", action="store_true", help="more text, with more that does not belong to it")
    group = parser.add_argument_group("format")
    formats = group.add_mutually_exclusive_group()
    formats.add_argument("--output-format", choices=SUPPORTED_FMT_CLI, default="txt")
    for name in SUPPORTED_FMT_CLI:
        if name != "txt":
            formats.add_argument(f"--{name}", action="store_const", const=name, dest="output_format")
    group.add_argument("--validate-tei", action="store_true", help="check TEI, and write to the log what is wrong")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="write more to the log (-v, -vv)")
    parser.add_argument("--version", action="version", version=f"Thresher {__version__}")
    for name in REFUSED:
        flag = f"--{name.replace('_', '-')}"
        short = {"input_file": ["-i"], "URL": ["-u"], "blacklist": ["-b"]}.get(name, [])
        parser.add_argument(*short, flag, nargs="*", default=None, help=argparse.SUPPRESS)
    return parser


def parse_args(args: list[str]) -> argparse.Namespace:
    """The options of a command line. What is wrong with them is printed, and ends the process with status 2."""
    parser = add_args(argparse.ArgumentParser(prog="thresher.compat.trafilatura.cli", description=__doc__))
    found = parser.parse_args(args)
    for name, reason in REFUSED.items():
        if getattr(found, name) is not None:
            parser.error(f"--{name.replace('_', '-')}: {reason}")
    if found.keep_dirs and not found.output_dir:
        parser.error("--keep-dirs needs a folder for the texts: -o")
    return found


def map_args(args: argparse.Namespace) -> argparse.Namespace:
    """The options as they are: the short names of formats are already the format."""
    return args


def process_args(args: argparse.Namespace) -> None:
    """Extracts what the options name."""
    levels = (logging.WARNING, logging.INFO, logging.DEBUG)
    logging.basicConfig(stream=sys.stderr, level=levels[min(args.verbose, 2)])
    args.fast = False  # it would be a warning for each page
    options = args_to_extractor(args)
    if not args.input_dir:
        _write(extract(sys.stdin.buffer.read(), options=options), args, None)
        return
    folder = Path(args.input_dir)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        _write(extract(path.read_bytes(), options=options), args, path.relative_to(folder))


def _write(text: str | None, args: argparse.Namespace, page: Path | None) -> None:
    """Writes a text where the options say."""
    if text is None:
        return
    if not args.output_dir:
        print(text)
        return
    digest = blake2b(f"{page} {text}".encode(), digest_size=8).hexdigest()
    name = page.with_suffix("") if page and args.keep_dirs else Path(digest)
    ending = _ENDINGS.get(args.output_format, args.output_format)
    out = Path(args.output_dir) / name.parent / f"{name.name}.{ending}"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, "utf-8")


def main() -> None:
    """Runs the command."""
    process_args(parse_args(sys.argv[1:]))


if __name__ == "__main__":
    main()

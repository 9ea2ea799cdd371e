# SPDX-License-Identifier: Apache-2.0
"""What the name of an input says: its scheme, its path, and by its suffix what it holds. Nothing is opened here."""

from __future__ import annotations

import os
import re
import urllib.parse
from typing import Final

WARC_SUFFIXES: Final = tuple(
    f".{kind}{compression}" for kind in ("warc", "arc") for compression in ("", ".gz", ".zst", ".lz4")
)
JSON_SUFFIXES: Final = tuple(
    f".{kind}{compression}" for kind in ("jsonl", "ndjson") for compression in ("", ".gz", ".zst", ".bz2")
)
PARQUET_SUFFIX: Final = ".parquet"
HTML_SUFFIXES: Final = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
WET_SUFFIXES: Final = (".wet", ".wet.gz", ".wet.zst")
WAT_SUFFIXES: Final = (".wat", ".wat.gz", ".wat.zst")
WACZ_SUFFIX: Final = ".wacz"
WACZ_MEMBER: Final = re.compile(r"(.*?\.wacz)!(.+)", re.IGNORECASE | re.DOTALL)
"""The name of a WARC in a WACZ: the WACZ, and the name in it."""
STDIN: Final = "-"
UNQUOTED: Final = "%/:?#[]@!$&'()*+,;=~"  # what may stand in a URL; the rest, spaces first of all, is percent-encoded
RUN_FILE: Final = "_run.json"  # in the output folder of a run
RANGES_SUFFIX: Final = ".ranges.parquet"
MAX_PATHS: Final = 1 << 20  # that one name may stand for: the lines of a manifest, the files of a folder in a store


def scheme_of(name: str) -> str:
    """The URL scheme of an input, "" for a local path. "C:\\x" and "file:///x" are local paths."""
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", name)
    return match[1].lower() if match and match[1].lower() != "file" else ""


def local_path(name: str) -> str:
    """The path of a local input; file:// URLs are unquoted."""
    return urllib.parse.unquote(urllib.parse.urlsplit(name).path) if name.lower().startswith("file://") else name


def absolute(name: str) -> str:
    """The name of an input or output folder that means the same in any working folder; URLs as they are."""
    return name if not name or scheme_of(name) or name.lower().startswith("file:") else os.path.join(os.getcwd(), name)


def below(name: str, base: str | None) -> str:
    """The name of an input as rows have it: from its base folder or URL, or whole where it lies elsewhere. A byte of a
    file name that is no UTF-8 is written as an escape, so that names that differ by it stay different.
    """
    folder = base.rstrip("/") + "/" if base else ""
    inner = name[len(folder) :].lstrip("/") if folder and name.startswith(folder) else name
    return re.sub("[\udc80-\udcff]", lambda half: f"\\x{ord(half[0]) - 0xDC00:02x}", inner)


def identity(name: str) -> str:
    """What the names of one local input have in common, however its folder is spelled. Other names as they are. A link
    to a file is a name of its own: it may lead elsewhere tomorrow.
    """
    if scheme_of(name) or is_stdin(name):
        return name
    member = WACZ_MEMBER.fullmatch(name)
    folder, file = os.path.split(os.path.abspath(local_path(member[1] if member else name)))
    try:
        path = os.path.join(os.path.realpath(folder), file)
    except ValueError:  # NUL: no file has such a name
        return name
    return f"{path}!{member[2]}" if member else path


def is_stdin(name: str) -> bool:
    """Whether the name of an input in a run is that of standard input, or of an archive in it."""
    return name == STDIN or name.startswith(f"{STDIN}!")


def path_of(name: str) -> str:
    """The path in the name of an input: what is left of a URL without its host and query."""
    return urllib.parse.urlsplit(name).path if scheme_of(name) else name


def is_wacz_name(name: str) -> bool:
    """Whether a path or URL names a WACZ, and not a WARC in one."""
    return path_of(name).lower().endswith(WACZ_SUFFIX) and not WACZ_MEMBER.fullmatch(name)


def join(base: str, path: str) -> str:
    """`path` under a base URL or folder."""
    return f"{base.rstrip('/')}/{path.lstrip('/')}" if scheme_of(base) else os.path.join(base, path)

# SPDX-License-Identifier: Apache-2.0
"""What the name of an input says: its scheme, its path, and by its suffix what it holds. Nothing is opened here."""

from __future__ import annotations

import os
import re
import urllib.parse
from typing import Final

from thresher.errors import InputError
from thresher.terminal import one_line

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
S3_SCHEMES: Final = frozenset({"s3", "s3a", "s3n"})
STDIN: Final = "-"
UNQUOTED: Final = "%/:?#[]@!$&'()*+,;=~"  # what may stand in a URL; the rest, spaces first of all, is percent-encoded
_ESCAPE: Final = re.compile("%[0-9A-Fa-f]{2}")
_PORTS: Final = {"http": 80, "https": 443}
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
    """What the names of one input have in common, however its folder or URL is spelled. A link to a file is a name of
    its own: it may lead elsewhere tomorrow.
    """
    if scheme_of(name):
        return _identity_of_url(name)
    if is_stdin(name):
        return name
    member = WACZ_MEMBER.fullmatch(name)
    folder, file = os.path.split(os.path.abspath(local_path(member[1] if member else name)))
    try:
        path = os.path.join(os.path.realpath(folder), file)
    except ValueError:  # NUL: no file has such a name
        return name
    return f"{path}!{member[2]}" if member else path


def _identity_of_url(url: str) -> str:
    """A URL as RFC 3986, section 6.2, compares it: of the web without its fragment, of S3 as bucket and key."""
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError:
        return url
    query = f"?{parts.query}" if parts.query else ""
    if parts.scheme in S3_SCHEMES:
        return f"s3://{parts.netloc}{urllib.parse.unquote(parts.path)}{query}"
    if parts.scheme not in _PORTS:
        return url
    user, at, _ = parts.netloc.rpartition("@")
    host = f"{user}{at}{parts.hostname or ''}:{port or _PORTS[parts.scheme]}"
    path = re.sub(r"/\.(?=/|$)", "", parts.path) or "/"
    return _ESCAPE.sub(_normal_escape, urllib.parse.quote(f"{parts.scheme}://{host}{path}{query}", safe=UNQUOTED))


def _normal_escape(escape: re.Match[str]) -> str:
    return urllib.parse.quote(urllib.parse.unquote_to_bytes(escape[0]), safe="")


def is_stdin(name: str) -> bool:
    """Whether the name of an input in a run is that of standard input, or of an archive in it."""
    return name == STDIN or name.startswith(f"{STDIN}!")


def path_of(name: str) -> str:
    """The path in the name of an input: what is left of a URL without its host and query."""
    return parts_of(name).path if scheme_of(name) else name


def parts_of(url: str) -> urllib.parse.SplitResult:
    """The parts of the URL of an input or output. Raises InputError if it is none."""
    try:
        return urllib.parse.urlsplit(url)
    except ValueError as error:
        raise InputError(f"{one_line(url)}: no URL ({error})") from None


def is_wacz_name(name: str) -> bool:
    """Whether a path or URL names a WACZ, and not a WARC in one."""
    return path_of(name).lower().endswith(WACZ_SUFFIX) and not WACZ_MEMBER.fullmatch(name)


def join(base: str, path: str) -> str:
    """`path` under a base URL or folder."""
    return f"{base.rstrip('/')}/{path.lstrip('/')}" if scheme_of(base) else os.path.join(base, path)

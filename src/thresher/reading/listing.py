# SPDX-License-Identifier: Apache-2.0
"""Lists the inputs that a user names: files, folders, globs, manifests, what a WACZ holds."""

from __future__ import annotations

import glob
import gzip
import io
import os
import re
import urllib.parse
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from thresher.errors import InputError
from thresher.reading.kinds import LIST, kind_of
from thresher.reading.names import MAX_PATHS, WARC_SUFFIXES, is_wacz_name, join, local_path, read_by_name, scheme_of
from thresher.reading.opening import open_input
from thresher.terminal import one_line

__all__ = ["check_listed", "list_inputs"]

MANIFEST_SUFFIXES: Final = (".paths", ".paths.gz", ".txt", ".txt.gz", ".list", ".lst")
MAX_MANIFEST_BYTES: Final = 256 << 20  # a whole crawl of 90,000 paths is 13 MB


def list_inputs(
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], *, base_url: str | None = None
) -> list[str]:
    """The archives and other files that `inputs` name, as paths and URLs in a stable order, each once.

    An input is a WARC, a WACZ, JSON Lines or Parquet with a column of HTML, an HTML file, a folder (searched
    recursively for archives, else for JSON Lines and Parquet, else for HTML files), a glob, a manifest, or the URL of
    any of these; folders and globs may be on S3 too. A local file is known by its content where its name does not tell.
    A manifest is a text file with one path or URL per line, compressed or not, named *.paths, *.paths.gz, *.txt or
    *.list. Its relative paths are relative to `base_url` ("s3://commoncrawl/", "https://data.commoncrawl.org/", or a
    folder), or by default to the manifest's own folder. A relative input that does not exist locally is looked for
    under `base_url` too.

    A manifest from a network may name http://, https:// and s3:// URLs, URLs of its own scheme, and relative paths
    without "..". It may not name a local file, since its author could then make this machine read any file.

    Raises InputError for an input that is missing, holds no pages, or is not a list of paths.
    """
    names = [inputs] if isinstance(inputs, str | os.PathLike) else list(inputs)
    if not names:
        raise InputError("no input given: name a WARC, a folder, a glob or a list of paths")
    found: dict[str, None] = {}
    for name in names:
        for each in expand(os.fspath(name), base_url):
            found.update(dict.fromkeys(members_of(each)))
    return list(found)


def members_of(name: str) -> list[str]:
    """The WARCs in a WACZ; of another input its name."""
    if not is_wacz_name(name):
        return [name]
    from thresher.reading.wacz import wacz_members

    return wacz_members(name, open_input(name))


def expand(name: str, base_url: str | None) -> list[str]:
    """The files that one input names."""
    if not name.strip():
        raise InputError("empty input name: name a WARC, a folder, a glob or a list of paths")
    if scheme_of(name):
        return expand_url(name, base_url)
    path = os.path.expanduser(local_path(name))
    if os.path.isdir(path):
        return files_in(path, name)
    if os.path.exists(path):
        if path.lower().endswith(MANIFEST_SUFFIXES):
            return read_manifest(path, base_url)
        if not os.path.isfile(path):
            raise InputError(f"{name}: neither a file nor a folder")
        return read_manifest(path, base_url) if kind_of(path) == LIST else [path]
    if glob.has_magic(path):
        found = sorted(file for file in glob.glob(path, recursive=True) if os.path.isfile(file))
        if not found:
            raise InputError(f"{name}: no file matches this pattern")
        return [warc for file in found for warc in expand(file, base_url)]
    if base_url and not os.path.isabs(path):
        return expand(join(base_url, path), None)
    raise InputError(f"{name}: no such file or folder")


def expand_url(name: str, base_url: str | None) -> list[str]:
    """The files that the URL of a file, a list of paths, a folder or a glob names."""
    scheme, path = scheme_of(name), urllib.parse.urlsplit(name).path
    if path.lower().endswith(MANIFEST_SUFFIXES):
        return read_manifest(name, base_url)
    if scheme in ("http", "https") or not (path.endswith("/") or "*" in path or "[" in path):
        return [name]
    from thresher.reading.buckets import list_bucket

    return list_bucket(name)


def files_in(path: str, name: str) -> list[str]:
    """The files of a folder that are read: archives, or else JSON Lines and Parquet, or else its HTML files."""
    files = sorted(str(file) for file in Path(path).rglob("*") if file.is_file())
    if found := read_by_name(files):
        return found
    from thresher.reading.pages import html_files

    html_files.cache_clear()  # the folder may have changed since it was listed
    if html_files(path):
        return [path]
    raise InputError(
        f"{name}: no WARC in this folder (names end in {', '.join(WARC_SUFFIXES)}), and no .wacz, .jsonl, .parquet or "
        ".html file"
    )


def read_manifest(name: str, base_url: str | None) -> list[str]:
    """The paths that a manifest lists, without blank lines and lines that begin with #."""
    file = open_input(name)
    try:
        pieces, total = [], 0
        while piece := file.read(1 << 20):
            pieces.append(piece)
            total += len(piece)
            if total > MAX_MANIFEST_BYTES:
                raise InputError(f"{name}: too large for a list of paths (over {MAX_MANIFEST_BYTES >> 20} MiB)")
    finally:
        file.close()
    data = b"".join(pieces)
    if data[:2] == b"\x1f\x8b":
        try:
            data = gunzip(data)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{name}: broken gzip file ({error})") from None
        if len(data) > MAX_MANIFEST_BYTES:
            raise InputError(f"{name}: too large for a list of paths (over {MAX_MANIFEST_BYTES >> 20} MiB)")
    if data[:5] == b"WARC/" or b"\0" in data[:4096]:
        raise InputError(f"{name}: not a list of paths; WARC names end in {', '.join(WARC_SUFFIXES)}")
    try:
        lines = io.StringIO(data.decode("utf-8-sig"), newline=None)
    except UnicodeDecodeError:
        raise InputError(f"{name}: not a list of paths (not UTF-8 text)") from None
    base = base_url or name.rpartition("/")[0]
    paths: list[str] = []
    for line in map(str.strip, lines):
        if not line or line.startswith("#"):
            continue
        if len(paths) == MAX_PATHS:
            raise InputError(f"{name}: lists more than {MAX_PATHS:,} paths; split it")
        if scheme_of(name):
            check_listed(line, name, base)
        paths.append(line if scheme_of(line) or os.path.isabs(line) or not base else join(base, line))
    if not paths:
        raise InputError(f"{name}: lists no paths")
    return paths


def check_listed(path: str, manifest: str, base: str) -> None:
    """Raises InputError for a path that a manifest from a network may not name."""
    scheme = scheme_of(path)
    if scheme:
        allowed = scheme in ("http", "https", "s3", scheme_of(manifest), scheme_of(base))
        what = f"a {scheme}:// URL"
    else:
        local = os.path.isabs(path) or path.lower().startswith("file:")
        allowed = not local and ".." not in re.split(r"[/\\]", path)
        what = "a local path" if local else 'a path with ".."'
    if not allowed:
        raise InputError(
            f"{manifest}: lists {one_line(path, 100)}, {what}, which a list of paths from a network may not name. "
            "To read it, save the list as a local file."
        )


def gunzip(data: bytes) -> bytes:
    """The first MAX_MANIFEST_BYTES + 1 bytes of a gzip file's content."""
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        return file.read(MAX_MANIFEST_BYTES + 1)

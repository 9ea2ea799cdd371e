# SPDX-License-Identifier: Apache-2.0
"""Folders and globs in stores: s3://bucket/prefix/, s3://bucket/2026-*/warc/*.warc.gz, hdfs:// and others."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterable

from thresher.errors import InputError, TransferError
from thresher.reading.limits import ask
from thresher.reading.names import MAX_PATHS, scheme_of
from thresher.reading.opening import ARROW_SCHEMES, HADOOP_SCHEMES, arrow_file_system


def list_bucket(name: str) -> list[str]:
    """The URLs of the files that a folder (its URL ends in a slash) or a glob in an object store names, in order.

    In a glob * stands for any text within a name and ** for folders too. Raises InputError if there are none.
    """
    scheme, _, rest = name.partition("://")
    path, mark, query = rest.partition("?")
    # A path in S3 begins with its bucket, one in HDFS with the slash after the name node.
    host = path.partition("/")[0] if scheme_of(name) in HADOOP_SCHEMES else ""
    magic = re.search(r"[*\[]", path)
    base = path[: path.rfind("/", 0, magic.start()) + 1] if magic else path
    found = sorted(_files(f"{scheme}://{base}{mark}{query}"))
    if len(found) > MAX_PATHS:
        raise InputError(f"{name}: more than {MAX_PATHS:,} files; name a smaller folder")
    if magic:
        try:
            matches = re.compile(_expression(urllib.parse.unquote(path.removeprefix(host)))).fullmatch
        except re.error as error:
            raise InputError(f"{name}: no pattern: {error.msg}") from None
        found = [each for each in found if matches(each)]
        if not found:
            raise InputError(f"{name}: no file matches this pattern")
    elif not found:
        raise InputError(f"{name}: no WARC, WACZ, JSON Lines or Parquet in this folder")
    return [f"{scheme}://{host}{urllib.parse.quote(each)}{mark}{query}" for each in found]


def _expression(pattern: str) -> str:
    """A glob as a regular expression: * does not match a slash, ** does; [!a-c] is any character but these."""
    parts = []
    for part in re.split(r"(\*\*/?|\*|\[[^\]]+\])", pattern):
        if part.startswith("**"):
            parts.append("(?>(?:[^/]*/)*)" if part.endswith("/") else ".*")
        elif part == "*":
            parts.append("[^/]*")
        elif part.startswith("["):
            others = part.startswith("[!") and part != "[!]"
            members = re.sub(r"[\\\[^&~|]", r"\\\g<0>", part[1 + others : -1])
            parts.append(f"[{'^' * others}{members}]")
        else:
            parts.append(re.escape(part))
    return "".join(parts)


def _files(url: str) -> Iterable[str]:
    """The paths in their store of all files below a folder."""
    from pyarrow import ArrowException, fs

    scheme = scheme_of(url)
    try:
        if scheme not in ARROW_SCHEMES:
            import fsspec

            store, path = fsspec.core.url_to_fs(url)
            names: list[str] = ask(url, lambda: store.find(path))
            return names
        filesystem, path = arrow_file_system(url)
        selector = fs.FileSelector(path.rstrip("/"), recursive=True)
        infos = ask(url, lambda: filesystem.get_file_info(selector))
    except (InputError, TransferError):
        raise
    except (OSError, ArrowException, ValueError, ImportError) as error:
        raise InputError(f"{url}: cannot list this folder ({error})") from None
    return [info.path for info in infos if info.type == fs.FileType.File]

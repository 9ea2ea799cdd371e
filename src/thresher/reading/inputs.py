# SPDX-License-Identifier: Apache-2.0
"""Lists the WARCs that a user names, and opens them, local or remote.

Inputs may be local paths, http:// and https:// URLs (one streamed range request, resumed where it broke), s3:// and
hdfs:// (through pyarrow.fs), and anything else that fsspec has a file system for (gs://, abfs://, memory:// ...).
hdfs:// shares its code with s3://, but was never tested against a real name node.

Failures raise InputError or TransferError, see transfers.py.
"""

from __future__ import annotations

import glob
import gzip
import io
import os
import re
import urllib.parse
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from thresher.errors import ThresherError
from thresher.reading.limits import limiter_of
from thresher.reading.transfers import TIMEOUT, InputError, TransferError, persistently
from thresher.terminal import one_line

__all__ = ["InputError", "InputFile", "TransferError", "list_inputs", "open_input"]

WARC_SUFFIXES: Final = tuple(
    f".{kind}{compression}" for kind in ("warc", "arc") for compression in ("", ".gz", ".zst", ".lz4")
)
JSON_SUFFIXES: Final = tuple(
    f".{kind}{compression}" for kind in ("jsonl", "ndjson") for compression in ("", ".gz", ".zst", ".bz2")
)
PARQUET_SUFFIX: Final = ".parquet"
HTML_SUFFIXES: Final = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
WACZ_SUFFIX: Final = ".wacz"
WACZ_MEMBER: Final = re.compile(r"(.*?\.wacz)!(.+)", re.IGNORECASE | re.DOTALL)
"""The name of a WARC in a WACZ: the WACZ, and the name in it."""
MANIFEST_SUFFIXES: Final = (".paths", ".paths.gz", ".txt", ".txt.gz", ".list", ".lst")
MAX_MANIFEST_BYTES: Final = 256 << 20  # a whole crawl of 90,000 paths is 13 MB
MAX_PATHS: Final = 1 << 20  # in a manifest
S3_ATTEMPTS: Final = 3  # by the AWS client; persistently() retries each of its calls
KEPT_HEAD: Final = 64 << 10  # bytes of a web server's file that are kept from its beginning
KEPT_LAST: Final = 2 << 20  # bytes that are kept of what was read last: the last two records of a split
READ_OVER: Final = 256 << 10  # bytes that are read over rather than asked for anew
REMOTE_BLOCK: Final = 4 << 20  # bytes per request to an object store: 250 requests for a WARC of 1 GB


class InputFile(Protocol):
    """An input opened for reading: bytes in order, and seeking to an absolute position."""

    @property
    def size(self) -> int | None:
        """Bytes of the input, or None if the server does not say."""

    def read(self, n: int = -1, /) -> bytes: ...
    def seek(self, position: int, /) -> int: ...
    def tell(self) -> int: ...
    def close(self) -> None: ...


def scheme_of(name: str) -> str:
    """The URL scheme of an input, "" for a local path. "C:\\x" and "file:///x" are local paths."""
    match = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", name)
    return match[1].lower() if match and match[1].lower() != "file" else ""


def local_path(name: str) -> str:
    """The path of a local input; file:// URLs are unquoted."""
    return urllib.parse.unquote(urllib.parse.urlsplit(name).path) if name.lower().startswith("file://") else name


# ---------------------------------------------------------------------------------------------------------------------
# Opening
# ---------------------------------------------------------------------------------------------------------------------


def open_input(name: str) -> InputFile:
    """An open `InputFile` for a local path or URL.

    Raises InputError if it does not exist or access is denied, TransferError if its server does not answer.
    """
    if WACZ_MEMBER.fullmatch(name):
        from thresher.reading.wacz import open_member

        return open_member(name)
    scheme = scheme_of(name)
    if not scheme:
        return LocalFile(local_path(name))
    if scheme in ("http", "https"):
        from thresher.reading.http_input import HttpFile

        return Remembering(HttpFile(name))
    if scheme in ("s3", "s3a", "s3n", "hdfs", "viewfs"):
        return arrow_file(name, scheme)
    return fsspec_file(name, scheme)


class LocalFile:
    """A file on a local disk."""

    def __init__(self, path: str) -> None:
        try:
            self._file = open(path, "rb", buffering=0)  # noqa: SIM115  (closed by close())
            self.size: int | None = os.fstat(self._file.fileno()).st_size
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        except ValueError as error:  # NUL, or half a surrogate pair
            raise InputError(f"{one_line(path, 100)}: {error}") from None

    def read(self, n: int = -1, /) -> bytes:
        return self._file.read(n) or b""

    def seek(self, position: int, /) -> int:
        return self._file.seek(position)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()


class Remembering:
    """An input that keeps its first bytes and the last ones that were read, so that short seeks cost no request.

    A reader of a split looks at the beginning of the file, goes to its split, and reads the last records twice. On a
    web server each of these seeks would be a request, of which the server sends more than is read.
    """

    def __init__(self, file: InputFile) -> None:
        self.close = file.close
        self._file = file
        self._head = b""  # the beginning of the file, as far as it was read in order
        self._last: deque[tuple[int, bytes]] = deque()  # (position, bytes) of the last reads, without gaps
        self._kept = 0  # bytes of these
        self._position = 0

    @property
    def size(self) -> int | None:
        """Bytes of the file, None if its server does not say."""
        return self._file.size

    def read(self, n: int = -1, /) -> bytes:
        """Up to n bytes, b"" only at the end of the file."""
        piece = self._head[self._position : self._position + n if n >= 0 else None]
        if not piece:
            piece = next((self._part_of(start, held, n) for start, held in self._last if self._holds(start, held)), b"")
        if not piece:
            piece = self._fetch(n)
        self._position += len(piece)
        return piece

    def _holds(self, start: int, held: bytes) -> bool:
        return start <= self._position < start + len(held)

    def _part_of(self, start: int, held: bytes, n: int) -> bytes:
        begin = self._position - start
        return held[begin : begin + n if n >= 0 else None]

    def _fetch(self, n: int) -> bytes:
        here = self._file.tell()
        if here != self._position:
            # A short stretch is read over: the bytes are on their way anyhow.
            while here < self._position <= here + READ_OVER and (over := self._file.read(self._position - here)):
                self._keep(here, over)
                here += len(over)
            if here != self._position:
                self._file.seek(self._position)
                self._last.clear()
                self._kept = 0
        piece = self._file.read(n)
        self._keep(self._position, piece)
        return piece

    def _keep(self, position: int, piece: bytes) -> None:
        if position == len(self._head) < KEPT_HEAD:
            self._head += piece[: KEPT_HEAD - position]
        if piece:
            self._last.append((position, piece))
            self._kept += len(piece)
        while len(self._last) > 1 and self._kept - len(self._last[0][1]) >= KEPT_LAST:
            self._kept -= len(self._last.popleft()[1])

    def seek(self, position: int, /) -> int:
        """Moves to a position."""
        self._position = position
        return position

    def tell(self) -> int:
        """The position."""
        return self._position


class BlockFile:
    """A remote object read in blocks of `REMOTE_BLOCK` bytes; one block is kept, so short seeks cost nothing.

    `fetch(start, n)` returns up to n bytes from `start`, b"" only at the end, and raises OSError where an attempt
    failed.
    """

    def __init__(self, name: str, size: int, fetch: Callable[[int, int], bytes], close: Callable[[], None]) -> None:
        self.size: int | None = size
        self._name = name
        self._size = size
        self._fetch = fetch
        self._close = close
        self._position = 0
        self._block = b""
        self._block_start = 0

    def read(self, n: int = -1, /) -> bytes:
        if n < 0:
            n = self._size - self._position
        inside = self._position - self._block_start
        if not 0 <= inside < len(self._block):
            wanted = min(REMOTE_BLOCK, self._size - self._position)
            if wanted <= 0:
                return b""
            self._block = self._ask(self._position, wanted)
            self._block_start = self._position
            inside = 0
        piece = self._block[inside : inside + n]
        self._position += len(piece)
        return piece

    def read_at(self, start: int, n: int) -> bytes:
        """The n bytes from `start` on, fewer only at the end, and no more than these are fetched."""
        pieces: list[bytes] = []
        n = min(n, self._size - start)
        while n > 0:
            pieces.append(self._ask(start, n))
            start, n = start + len(pieces[-1]), n - len(pieces[-1])
        return b"".join(pieces)

    def _ask(self, start: int, n: int) -> bytes:
        """Up to n bytes from `start`, at least one."""
        limiter = limiter_of(self._name)
        try:
            found = persistently(self._name, lambda: self._fetch(start, n), watch=limiter)
        except ThresherError:
            raise
        except OSError as error:  # must not be mistaken for damage in the file
            raise TransferError(f"{self._name}: {error}") from error
        if not found:
            raise TransferError(f"{self._name}: no bytes at {start:,} of {self._size:,}")
        limiter.received(len(found))
        return found

    def seek(self, position: int, /) -> int:
        self._position = position
        return position

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        self._block = b""
        self._close()


def arrow_file(name: str, scheme: str) -> InputFile:
    """An object of S3 or HDFS, through pyarrow.fs.

    Credentials, region and endpoint of S3 come from where every AWS tool looks (environment, profile, instance role;
    AWS_REGION, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL), or from the URL's query in pyarrow's spelling
    (`s3://bucket/key?region=eu-west-1&endpoint_override=host:port&scheme=http&anonymous=true`).
    """
    from pyarrow import ArrowException, fs

    try:
        filesystem: Any
        if scheme.startswith("s3"):
            filesystem, path = s3_file_system(name)
        else:
            filesystem, path = fs.FileSystem.from_uri(name)
        try:
            handle = persistently(name, lambda: filesystem.open_input_file(path), watch=limiter_of(name))
        except TransferError:
            raise
        except OSError:  # only now: each question is a request
            info = persistently(name, lambda: filesystem.get_file_info(path), watch=limiter_of(name))
            if info.type == fs.FileType.NotFound:
                raise InputError(f"{name}: does not exist") from None
            if info.type != fs.FileType.File:
                raise InputError(f"{name}: is a folder, not a file") from None
            raise
        size = handle.size()
    except ThresherError:
        raise
    except (OSError, ArrowException, ValueError) as error:
        raise InputError(f"{name}: {error}") from None
    return BlockFile(name, size, lambda start, n: bytes(handle.read_at(n, start)), handle.close)


def s3_file_system(name: str) -> tuple[Any, str]:
    """The pyarrow S3 file system for an s3:// URL, and the object's path in it."""
    from pyarrow import fs

    url = urllib.parse.urlsplit(name)
    options = dict(urllib.parse.parse_qsl(url.query))
    endpoint = options.pop("endpoint_override", None) or next(
        (os.environ[key] for key in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") if os.environ.get(key)), None
    )
    scheme = options.pop("scheme", None)
    if endpoint and "://" in endpoint:
        scheme, _, endpoint = endpoint.partition("://")
    arguments: dict[str, Any] = {
        "region": options.pop("region", None)
        or os.environ.get("AWS_REGION")
        or os.environ.get("AWS_DEFAULT_REGION")
        or "us-east-1",
        "anonymous": options.pop("anonymous", "").lower() in ("1", "true", "yes"),
        "request_timeout": TIMEOUT,
        "connect_timeout": TIMEOUT,
        "retry_strategy": fs.AwsStandardS3RetryStrategy(max_attempts=S3_ATTEMPTS),
    }
    if endpoint:
        arguments["endpoint_override"] = endpoint.rstrip("/")
    if scheme:
        arguments["scheme"] = scheme
    if options:
        raise InputError(f"{name}: unknown option {min(options)!r} in the query of the URL")
    return fs.S3FileSystem(**arguments), url.netloc + urllib.parse.unquote(url.path)


def fsspec_file(name: str, scheme: str) -> InputFile:
    """An object of any other store that fsspec knows, read in blocks."""
    import fsspec

    try:
        filesystem, path = fsspec.core.url_to_fs(name)
        size = persistently(name, lambda: filesystem.size(path), watch=limiter_of(name))
    except ThresherError:
        raise
    except (ValueError, ImportError) as error:  # unknown protocol, or its package is not installed
        raise InputError(f"{name}: cannot read {scheme}:// ({error})") from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error or type(error).__name__}") from None
    if size is None:
        raise InputError(f"{name}: its size is not known")
    return BlockFile(
        name, size, lambda start, n: bytes(filesystem.cat_file(path, start=start, end=start + n)), lambda: None
    )


# ---------------------------------------------------------------------------------------------------------------------
# Listing
# ---------------------------------------------------------------------------------------------------------------------


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

    return wacz_members(name)


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
        from thresher.reading.sources import LIST, kind_of

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


def read_by_name(files: Sequence[str]) -> list[str]:
    """The archives among some files, or else JSON Lines and Parquet."""
    archives = [file for file in files if file.lower().endswith((*WARC_SUFFIXES, WACZ_SUFFIX))]
    return archives or [file for file in files if file.lower().endswith((*JSON_SUFFIXES, PARQUET_SUFFIX))]


def is_warc_name(name: str) -> bool:
    """Whether a file name has a suffix of WARCs or ARCs."""
    return name.lower().endswith(WARC_SUFFIXES)


def is_wacz_name(name: str) -> bool:
    """Whether a path or URL names a WACZ, and not a WARC in one."""
    path = urllib.parse.urlsplit(name).path if scheme_of(name) else name
    return path.lower().endswith(WACZ_SUFFIX) and not WACZ_MEMBER.fullmatch(name)


def join(base: str, path: str) -> str:
    """`path` under a base URL or folder."""
    return f"{base.rstrip('/')}/{path.lstrip('/')}" if scheme_of(base) else os.path.join(base, path)


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

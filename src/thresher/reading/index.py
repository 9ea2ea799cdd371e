# SPDX-License-Identifier: Apache-2.0
"""Indexes of archives: which records they name, in the order of archive and offset.

Three kinds are read: tables in Parquet with the columns of Common Crawl's columnar index (the table `pages` of an
earlier run is one), CDXJ files, and ZipNum clusters (`cluster.idx` with its shards). A CDXJ line is a row with the
columns of the columnar index, so one condition in SQL works on all of them. DuckDB evaluates it and sorts.

Hosts, registered domains and URL patterns are looked up by key where an index is sorted by key: of a ZipNum cluster
only the blocks that may hold them are read.
"""

from __future__ import annotations

import glob
import json
import os
import re
import tempfile
import urllib.parse
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from thresher.errors import ConfigError, InputError, ThresherError, TransferError, install_command
from thresher.reading.fetching import RangeFetcher
from thresher.reading.files import Seekable
from thresher.reading.listing import check_listed, target_of
from thresher.reading.names import (
    PARQUET_SUFFIX,
    RUN_FILE,
    S3_SCHEMES,
    is_stdin,
    join,
    local_path,
    path_of,
    scheme_of,
)
from thresher.reading.opening import arrow_file_system, open_input, s3_path
from thresher.reading.ranges import COLUMNS, MAX_LENGTH, NO_NAME
from thresher.reading.text_files import lines_of
from thresher.terminal import one_line

if TYPE_CHECKING:
    import pyarrow as pa

CDXJ_SUFFIXES: Final = (".cdxj", ".cdxj.gz", ".cdx.gz")
CLUSTER_SUFFIX: Final = ".idx"
NEEDED: Final = ("warc_filename", "warc_record_offset", "warc_record_length")
MAX_LINE: Final = 1 << 20  # bytes of a line of CDXJ
MAX_SHARD_BLOCK: Final = 64 << 20  # bytes of a ZipNum block
_BATCH: Final = 1 << 16  # rows
_MEMORY: Final = "1GB"  # DuckDB's; it sorts more than that on disk
# The columns that a line of CDXJ gives, in the names of the columnar index, and its key for each.
_CDXJ: Final = {
    "url": "url",
    "fetch_status": "status",
    "content_mime_type": "mime",
    "content_mime_detected": "mime-detected",
    "content_digest": "digest",
    "content_charset": "charset",
    "content_languages": "languages",
    "content_truncated": "truncated",
    "warc_filename": "filename",
    "warc_record_offset": "offset",
    "warc_record_length": "length",
}
# A record is known by its archive, offset and number; without a number by URL, time and digest, as several may begin at
# an offset. What one index has with a number, and another without, is one record.
_RECORDS: Final = """
CREATE TABLE records AS
SELECT source, min(warc_filename) AS warc_filename, record_offset, max(record_length) AS record_length,
    min(url) AS url, min(content_languages) AS content_languages, record_number, min(fetched) AS fetched,
    min(content_digest) AS content_digest
FROM (
    SELECT *, CASE WHEN record_number IS NULL THEN url END AS by_url,
        CASE WHEN record_number IS NULL THEN fetched END AS by_time,
        CASE WHEN record_number IS NULL THEN content_digest END AS by_digest
    FROM found JOIN archives USING (base, remote, name)
)
GROUP BY source, record_offset, record_number, by_url, by_time, by_digest
"""
_TWICE: Final = """
DELETE FROM records WHERE record_number IS NULL AND (source, record_offset, url) IN (
    SELECT (source, record_offset, url) FROM records WHERE record_number IS NOT NULL
)
"""
_NUMBERS: Final = frozenset({"fetch_status", "warc_record_offset", "warc_record_length"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """Pages that are looked up by key where an index allows it; all of them where nothing is named."""

    hosts: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()  # patterns; * stands for any text


@dataclass(frozen=True, slots=True)
class Index:
    """Which records of which archives a run reads."""

    paths: tuple[str, ...]  # files, folders, globs or URLs
    where: str = ""  # a condition in SQL on the columns of the index
    wanted: Wanted = field(default_factory=Wanted)


@dataclass(frozen=True, slots=True)
class IndexAnswer:
    n_bytes: int  # of all records
    batches: Iterator[pa.RecordBatch]
    """The records: the columns of a file of ranges without their places; in the order of warc_filename and address,
    each once. Offset and length are null where the index has no number.
    """


@contextmanager
def ask_index(index: Index, *, base_url: str | None) -> Iterator[IndexAnswer]:
    """Asks an index; its answer can be read in the `with` block.

    Raises InputError for an index that cannot be read or names no record, ConfigError for a condition that DuckDB does
    not understand.
    """
    duckdb = _duckdb()
    with tempfile.TemporaryDirectory(prefix="thresher-") as folder:
        settings = {"temp_directory": folder, "memory_limit": _MEMORY, "preserve_insertion_order": False}
        with duckdb.connect(config=settings) as connection:
            connection.execute("SET enable_external_access = false; SET enable_progress_bar = false")
            connection.execute(
                "CREATE TABLE found (base VARCHAR, remote BOOLEAN, name VARCHAR, record_offset BIGINT, "
                "record_number BIGINT, record_length BIGINT, url VARCHAR, content_languages VARCHAR, "
                "content_digest VARCHAR, fetched BIGINT)"
            )
            for path in index.paths:
                failures: list[ThresherError] = []
                for name, table in _tables(path, index.wanted, failures):
                    try:
                        _select(duckdb, connection, index, name, table, base_url)
                    except InputError:
                        # What DuckDB says of an error in our reader holds a traceback.
                        if failures:
                            raise failures[0] from None
                        raise
            archives = connection.execute("SELECT DISTINCT base, remote, name FROM found ORDER BY ALL").fetchall()
            if any(is_stdin(name) for _, _, name in archives):
                raise InputError(
                    f"{', '.join(index.paths)}: the index names records of standard input, which is not there any more;"
                    " --index-where \"warc_filename NOT LIKE '-%'\" leaves them out"
                )
            if archives:
                connection.register("archives", _sources(archives))
                connection.execute(_RECORDS)
                connection.execute(_TWICE)
            else:
                connection.execute("CREATE TABLE records (source VARCHAR, record_offset BIGINT, record_length BIGINT)")
            n, n_bytes = connection.execute(
                "SELECT sum(n), sum(longest) FROM (SELECT count(*) AS n, "
                f"max(record_length) FILTER (record_length BETWEEN 1 AND {MAX_LENGTH}) AS longest "
                "FROM records GROUP BY source, record_offset)"
            ).fetchall()[0]
            if not n:
                condition = f" for which {index.where}" if index.where else ""
                raise InputError(f"{', '.join(index.paths)}: the index names no record{condition}")
            connection.execute(
                "SELECT source, warc_filename, record_offset, record_length, url, content_languages, record_number, "
                "fetched FROM records ORDER BY warc_filename, source, record_offset NULLS FIRST, record_number, "
                "fetched, url, content_digest"
            )
            yield IndexAnswer(int(n_bytes or 0), map(_batch, iter(lambda: connection.fetchmany(_BATCH), [])))


def _duckdb() -> Any:  # noqa: ANN401 (a module)
    try:
        import duckdb
    except ImportError:
        raise InputError(f"--index reads indexes with DuckDB: {install_command('index')}") from None
    return duckdb


def _select(
    duckdb: Any,  # noqa: ANN401 (a module)
    connection: Any,  # noqa: ANN401
    index: Index,
    name: str,
    table: Any,  # noqa: ANN401 (a dataset or reader)
    base_url: str | None,
) -> None:
    """Adds the rows of a table that are wanted to `found`."""
    names = {each.lower() for each in table.schema.names}
    if missing := [each for each in NEEDED if each not in names]:
        raise InputError(f"{name}: no index of archives: it has no column {', '.join(missing)}")
    conditions = [f"({index.where})"] if index.where else []
    conditions += [f"{column} IN ({', '.join(map(_quoted, values))})" for column, values in (
        ("url_host_name", index.wanted.hosts), ("url_host_registered_domain", index.wanted.domains)
    ) if values and column in names]  # fmt: skip
    texts = [
        f"TRY_CAST({each} AS VARCHAR)" if each in names else "NULL"
        for each in ("url", "content_languages", "content_digest")
    ]
    number = "TRY_CAST(warc_record_number AS BIGINT)" if "warc_record_number" in names else "NULL"
    kinds = {each.name.lower(): str(each.type) for each in table.schema}
    fetched = "NULL"
    if kinds.get("fetch_time", "").startswith("timestamp"):
        fetched = "CAST(floor(epoch(fetch_time)) AS BIGINT)"
    connection.register("an_index", table)
    try:
        connection.execute(
            f"INSERT INTO found SELECT ?, ?, coalesce(warc_filename, '{NO_NAME}'), "
            "CASE WHEN warc_filename IS NOT NULL THEN TRY_CAST(warc_record_offset AS BIGINT) END, "
            f"{number}, TRY_CAST(warc_record_length AS BIGINT), {', '.join(texts)}, {fetched} FROM an_index"
            + (f" WHERE {' AND '.join(conditions)}" if conditions else ""),
            [base_url or ("" if _ends(name, (PARQUET_SUFFIX,)) else _folder_of(name)), bool(scheme_of(name))],
        )
    except duckdb.Error as error:
        message = str(error).strip().split("\n\n", maxsplit=1)[0].replace("\n", " ").partition(" Detail: Python")[0]
        if isinstance(error, duckdb.ParserException | duckdb.BinderException | duckdb.CatalogException):
            raise ConfigError(f"--index-where: {message}") from None
        raise InputError(f"{name}: {message}") from None
    finally:
        connection.unregister("an_index")


def _quoted(text: str) -> str:
    return "'" + text.lower().replace("'", "''") + "'"


def _batch(rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    """Rows of `records` as what a file of ranges holds of them."""
    import pyarrow as pa

    names = [name for name in COLUMNS if name != "place"]
    schema = pa.schema([pa.field(name, COLUMNS[name]) for name in names])
    return pa.RecordBatch.from_arrays(
        [pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), schema, strict=True)],
        schema=schema,
    )


def _sources(archives: list[tuple[str, bool, str]]) -> pa.Table:
    """Where archives lie, by what an index has of them, and what rows call them: their name, or where several archives
    have one name the path or URL. An archive under several spellings is one.
    """
    import pyarrow as pa

    spelled: dict[str, str] = {}  # by what an archive is known by
    found = []
    for archive in archives:
        source = _source(*archive)
        found.append((*archive, source and spelled.setdefault(target_of(source), source)))
    known: dict[str, set[str]] = {}
    for _, _, name, source in found:
        known.setdefault(name, set()).add(source)
    called: dict[str, str] = {}
    for _, _, name, source in sorted(found):
        called.setdefault(source, name if len(known[name]) == 1 else source)
    rows = [(*each, called[each[3]] or each[2]) if each[3] else (*each, each[2]) for each in found]
    return pa.table(
        dict(zip(("base", "remote", "name", "source", "warc_filename"), zip(*rows, strict=True), strict=True))
    )


def _source(base: str, remote: bool, name: str) -> str:  # noqa: FBT001 (columns of a row)
    """Where an archive lies that an index names; "" for a name that no archive can have."""
    if remote:
        check_listed(name, "the index, which lies on a network,", base)
        if not (scheme_of(name) or base):
            raise InputError(f"the index names {one_line(name, 100)}; say where that lies with --warc-prefix")
    try:
        path = local_path(name)
        source = path if scheme_of(path) or os.path.isabs(path) or not base else join(base, path)
        urllib.parse.urlsplit(source).port  # noqa: B018 (raises)
    except ValueError:
        return ""
    if not name or "\0" in name:
        return ""
    return source if scheme_of(source) else os.path.abspath(local_path(source))


def _folder_of(name: str) -> str:
    """The folder of a file of an index, which relative names in it are relative to."""
    return (name.partition("?")[0] if scheme_of(name) else name).rpartition("/")[0] or "."


# ---------------------------------------------------------------------------------------------------------------------
# Kinds of indexes
# ---------------------------------------------------------------------------------------------------------------------


def _tables(path: str, wanted: Wanted, failures: list[ThresherError]) -> Iterator[tuple[str, Any]]:
    """The tables that a path names, as what DuckDB reads: (name, dataset or reader). A reader adds to `failures` what
    ends it.
    """
    files = _expand(path)
    parquet = [name for name in files if _ends(name, (PARQUET_SUFFIX,))]
    for name in files:
        if _ends(name, (CLUSTER_SUFFIX,)):
            yield name, _reader(_cluster_lines(name, wanted), failures)
        elif _ends(name, CDXJ_SUFFIXES):
            yield name, _reader(_lines(name, wanted), failures)
        elif name not in parquet:
            raise InputError(f"{name}: no index of archives; name Parquet, CDXJ (.cdxj, .cdx.gz) or a cluster.idx")
    if parquet:
        yield parquet[0], _dataset(path, parquet)


def _ends(name: str, suffixes: tuple[str, ...]) -> bool:
    return path_of(name).lower().endswith(suffixes)


def _expand(path: str) -> list[str]:
    """The files that a path names, in order."""
    local, is_folder = os.path.expanduser(local_path(path)), False
    if scheme_of(path):
        from thresher.reading.buckets import list_bucket

        is_pattern = "*" in path or "[" in path
        is_folder = not is_pattern and path.partition("?")[0].endswith("/")
        found = list_bucket(path) if is_pattern or is_folder else [path]
    elif os.path.isdir(local):
        is_folder = True
        found = sorted(str(each) for each in Path(local).rglob("*") if each.is_file())
    else:
        found = [local] if os.path.exists(local) else sorted(filter(os.path.isfile, glob.glob(local, recursive=True)))
    if is_folder:
        if run := next((name for name in found if path_of(name).rpartition("/")[2] == RUN_FILE), None):
            pages = path_of(run).removesuffix(RUN_FILE) + "pages"
            raise InputError(f"{path}: the output of a run; the index is the table of its pages, --index {pages}")
        found = [name for name in found if _ends(name, (PARQUET_SUFFIX, *CDXJ_SUFFIXES))]
    if not found:
        raise InputError(f"{path}: {'no index in this folder' if is_folder else 'no such index'}")
    return found


def _dataset(path: str, files: Sequence[str]) -> Any:  # noqa: ANN401 (pyarrow's)
    """A table in Parquet files. Folders named key=value are columns, as in Common Crawl's index."""
    import pyarrow as pa
    from pyarrow import dataset, fs

    filesystem: Any = None
    scheme = scheme_of(files[0])
    names = list(files)
    try:
        if scheme in S3_SCHEMES:
            filesystem, _ = arrow_file_system(files[0])
            names = [s3_path(name) for name in files]
        elif scheme:
            handler: Any = fs.FSSpecHandler
            filesystem = fs.PyFileSystem(handler(_Inputs()))
        return dataset.dataset(names, format="parquet", filesystem=filesystem, partitioning="hive")
    except (InputError, TransferError):
        raise
    except (OSError, pa.ArrowException, ValueError) as error:
        raise InputError(f"{path}: {str(error).splitlines()[0]}") from None


class _Inputs:
    """Remote files by URL, as much of an fsspec file system as reading a dataset takes."""

    protocol = "thresher"

    def info(self, path: str) -> dict[str, Any]:
        with closing(open_input(path)) as file:
            return {"name": path, "size": file.size, "type": "file", "mtime": None}

    def open(self, path: str, mode: str = "rb") -> Any:  # noqa: ANN401, ARG002 (fsspec's)
        file = open_input(path)
        return Seekable(file, file.close)


# -- CDXJ -------------------------------------------------------------------------------------------------------------


def _reader(lines: Iterable[bytes], failures: list[ThresherError]) -> Any:  # noqa: ANN401 (pyarrow's)
    """Lines of CDXJ as a table that is read once. An error that ends it is added to `failures`."""
    import pyarrow as pa

    schema = _cdxj_schema()

    def batches() -> Iterator[pa.RecordBatch]:
        rows: list[dict[str, Any]] = []
        try:
            for line in lines:
                if (row := cdxj_row(line)) is not None:
                    rows.append(row)
                if len(rows) >= _BATCH:
                    yield pa.RecordBatch.from_pylist(rows, schema=schema)
                    rows = []
        except ThresherError as error:
            failures.append(error)
            raise
        yield pa.RecordBatch.from_pylist(rows, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _cdxj_schema() -> pa.Schema:
    import pyarrow as pa

    kinds = {name: pa.int64() if name in _NUMBERS else pa.string() for name in _CDXJ}
    derived = {
        "url_surtkey": pa.string(),
        "url_host_name": pa.string(),
        "url_host_tld": pa.string(),
        "fetch_time": pa.timestamp("ms", "UTC"),
    }
    return pa.schema([pa.field(name, kind) for name, kind in (kinds | derived).items()])


def cdxj_row(line: bytes) -> dict[str, Any] | None:
    """A line of CDXJ as a row; None for a header or an empty line.

    A line that cannot be read is a row without an archive, so that it becomes a dead letter and is not lost.
    """
    text = line.decode("utf-8", "replace").strip()
    if not text or text.startswith(("!", " CDX", "CDX ")):
        return None
    parts = text.split(" ", 2)
    try:
        fields: Any = json.loads(parts[2])
        values = {name: fields.get(key) for name, key in _CDXJ.items()}
    except (IndexError, ValueError, AttributeError, RecursionError):
        return {"url": text[:200]}
    row: dict[str, Any] = {
        name: _number(value) if name in _NUMBERS else None if value is None else str(value)
        for name, value in values.items()
    }
    try:
        "".join(value for value in row.values() if isinstance(value, str)).encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return {"url": text[:200]}
    row["url_surtkey"] = parts[0]
    host = host_of_surt(parts[0])
    with suppress(ValueError):
        host = (urllib.parse.urlsplit(row["url"] or "").hostname or host).lower()
    row["url_host_name"] = host or None
    row["url_host_tld"] = host.rpartition(".")[2] or None
    try:
        row["fetch_time"] = datetime.strptime(parts[1][:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        row["fetch_time"] = None
    return row


def _number(value: object) -> int | None:
    text = str(value)
    return int(text) if re.fullmatch(r"-?\d{1,18}", text, re.ASCII) else None


def host_of_surt(key: str) -> str:
    """The host name of a SURT key: "org,example,www)/path" is of www.example.org."""
    return ".".join(reversed(key.partition(")")[0].partition(":")[0].split(",")))


def surt_prefixes(wanted: Wanted) -> tuple[str, ...]:
    """What the keys of wanted pages begin with; none if any page may be wanted.

    Keys have no upper case, and most have no "www.". Of several kinds of wishes the first that is there is looked up;
    what else a page must be is tested when it is read.
    """
    if wanted.hosts:
        return tuple(sorted({key + end for host in wanted.hosts for key in _surts(host) for end in (")", ":")}))
    if wanted.urls:
        found: set[str] = set()
        for pattern in wanted.urls:
            match = re.match(r"[a-z][a-z0-9+.-]*://([^/?#*:@]+)([:/?#].*)?$", pattern, re.IGNORECASE | re.DOTALL)
            if not match:
                return ()
            rest = match[2] or ""
            path = re.match(r"(?:/[A-Za-z0-9_-]+)*(?=/|$)", rest)
            end = "" if rest.startswith(":") else ")" + (path[0].lower() if path else "")  # a key may have no port
            found.update(key + end for key in _surts(match[1]))
        return tuple(sorted(found))
    return tuple(sorted({key + end for name in wanted.domains for key in _surts(name) for end in (")", ":", ",")}))


def _surts(host: str) -> set[str]:
    """What may stand for a host in a SURT key: indexes keep or drop "www.", and reverse IP addresses or do not."""
    name = host.strip().lower().rstrip(".")
    with suppress(UnicodeError):
        name = name.encode("idna").decode("ascii")
    labels = name.split(".")
    found = {",".join(reversed(labels)), ",".join(reversed(re.sub(r"^www\d*\.", "", name).split(".")))}
    return found | {name} if all(map(str.isdigit, labels)) else found


def _may_hold(prefixes: Sequence[str]) -> Callable[[bytes], bool]:
    """Whether a line of CDXJ has a key that begins with one of these prefixes."""
    if not prefixes:
        return lambda _: True
    encoded = tuple(prefix.encode() for prefix in prefixes)
    return lambda line: line.startswith(encoded)


def _lines(name: str, wanted: Wanted) -> Iterator[bytes]:
    """The lines of a CDXJ file whose keys may be wanted."""
    wanted_line = _may_hold(surt_prefixes(wanted))
    too_long = b"a line of more than %d bytes" % MAX_LINE
    for line in lines_of(name, MAX_LINE, instead=too_long):
        if wanted_line(line) or line is too_long:
            yield line


def _cluster_lines(name: str, wanted: Wanted) -> Iterator[bytes]:
    """The lines of a ZipNum cluster whose keys may be wanted; only their blocks are read. In place of a block that is
    not where cluster.idx says comes a line that says so, and is no CDXJ.

    A line of cluster.idx has the first key of a block with its time, the shard, and the block's offset and length.
    """
    prefixes = surt_prefixes(wanted)
    wanted_line = _may_hold(prefixes)
    folder = _folder_of(name)
    query = name.partition("?")[2] if scheme_of(name) else ""
    fetcher = RangeFetcher()
    try:
        for shard, offset, length in _blocks(name, prefixes):
            source = join(folder, shard)
            if scheme_of(name):
                check_listed(shard, name, folder)
            try:
                if not (shard and 0 <= offset <= MAX_LENGTH and 0 < length <= MAX_SHARD_BLOCK):
                    raise InputError("no range of bytes")
                block = fetcher.fetch(source + (f"?{query}" if query else ""), offset, length)
                inflater = zlib.decompressobj(31)
                text = inflater.decompress(block, MAX_SHARD_BLOCK)
                if not inflater.eof:
                    raise InputError("the block is not whole")
            except (InputError, zlib.error) as error:
                problem = f"cluster.idx:no block of CDXJ in {shard[:100]} at {offset}: {error}"
                yield problem.replace("\n", " ").encode("utf-8", "replace")
                continue
            for line in text.split(b"\n"):
                if line and wanted_line(line):
                    yield line
    finally:
        fetcher.close()


def _blocks(name: str, prefixes: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """(shard, offset, length) of the blocks of a cluster that may hold keys with these prefixes."""
    before: tuple[str, tuple[str, int, int]] | None = None
    for line in lines_of(name, MAX_LINE, instead=b"too long"):
        parts = line.decode("utf-8", "replace").rstrip("\r\n").split("\t")
        if parts == [""]:
            continue
        if len(parts) < 4:
            if before is not None:
                yield "", -1, 0  # a line that cannot be read, among others
                continue
            raise InputError(f"{name}: no cluster.idx: each line has a key, a shard, an offset and a length")
        key = parts[0].partition(" ")[0]
        if before is not None and _overlaps(before[0], key, prefixes):
            yield before[1]
        offset, length = _number(parts[2]), _number(parts[3])
        before = key, (parts[1], -1 if offset is None else offset, min(length or 0, MAX_SHARD_BLOCK))
    if before is not None and _overlaps(before[0], None, prefixes):
        yield before[1]


def _overlaps(first: str, following: str | None, prefixes: Sequence[str]) -> bool:
    """Whether a key with one of the prefixes may lie in the block from the key `first` to the next block's."""
    if not prefixes:
        return True
    return any(
        first.startswith(prefix) or (first < prefix and (following is None or following >= prefix))
        for prefix in prefixes
    )

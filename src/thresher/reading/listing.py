# SPDX-License-Identifier: Apache-2.0
"""Lists the inputs that a user names: files, folders, globs, manifests, what a WACZ holds."""

from __future__ import annotations

import glob
import io
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from thresher.errors import InputError
from thresher.options import CaptureOptions
from thresher.reading.captures import Capture
from thresher.reading.folders import FoundFile, files_below, html_files, kind_in_folder, listed_type
from thresher.reading.inputs import Input
from thresher.reading.kinds import FOLDER, JSON_LINES, LIST, PARQUET, WACZ, WAT, kind_by_name, kind_of
from thresher.reading.names import (
    MAX_PATHS,
    RUN_FILE,
    STDIN,
    WACZ_MEMBER,
    WARC_SUFFIXES,
    identity,
    is_wacz_name,
    join,
    local_path,
    parts_of,
    path_of,
    scheme_of,
)
from thresher.reading.opening import open_input
from thresher.reading.text_files import content_of, read_text
from thresher.terminal import one_line

MANIFEST_SUFFIXES: Final = (".paths", ".paths.gz", ".txt", ".txt.gz", ".list", ".lst")
_MAX_EMPTY: Final = 1 << 10  # bytes of a compressed file that may hold nothing
MAX_MANIFEST_BYTES: Final = 256 << 20  # a whole crawl of 90,000 paths is 13 MB


@dataclass(slots=True)
class Listing:
    """What some inputs name: the inputs of a run in order, and every file, read or not."""

    inputs: list[Input] = field(default_factory=list)
    found: list[FoundFile] = field(default_factory=list)
    """The files, but of the HTML files of a folder only the folder; see files()."""

    def files(self) -> Iterator[FoundFile]:
        """Every file, those of folders of HTML too."""
        for each in self.found:
            if each.kind == FOLDER and each.source is not None and os.path.isdir(folder := local_path(each.source)):
                for name in html_files(folder):
                    yield FoundFile(os.path.join(folder, name), FOLDER, each.source)
            else:
                yield each

    @property
    def left_out(self) -> list[FoundFile]:
        """The files that are not read, each with its reason."""
        return [each for each in self.found if each.reason]

    def leave_out_empty(self) -> None:
        """Leaves out local files of no bytes, compressed or not, but for HTML. Raises InputError if nothing is left."""
        empty = {each.location for each in self.inputs if not each.is_remote and _is_empty(each)}
        self.found = [replace(each, source=None, reason="empty") if each.path in empty else each for each in self.found]
        self.inputs = [each for each in self.inputs if each.location not in empty]
        if not self.inputs:
            raise InputError(f"{one_line(self.found[0].path)}: nothing to read{summary(self.found)}")

    def check_local(self, options: CaptureOptions) -> None:
        """Raises InputError for a local input that cannot be opened, or that lacks a column of pages. What a list of
        paths names may be missing: that is a dead letter of the run.
        """
        listed = {each.path for each in self.found if each.listed}
        for source in self.inputs:
            path = local_path(source.location)
            if source.is_remote or (source.location in listed and not os.path.exists(path)):
                continue
            if not (os.path.isdir(path) or WACZ_MEMBER.fullmatch(path)):  # both were listed
                source.open().close()
            if source.kind in (JSON_LINES, PARQUET):
                from thresher.reading.pages import check_columns, check_keys

                (check_columns if source.kind == PARQUET else check_keys)(source.location, options)


def _is_empty(source: Input) -> bool:
    path = local_path(source.location)
    if source.kind == FOLDER or not os.path.isfile(path) or os.path.getsize(path) > _MAX_EMPTY:
        return False
    try:
        with closing(source.open()) as file:
            return not any(content_of(file))
    except (InputError, OSError):
        return False  # its reader says what is wrong


def list_inputs(
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    base_url: str | None = None,
    options: CaptureOptions | None = None,
) -> list[str]:
    """The archives and other files that `inputs` name, as paths and URLs in a stable order, each once.

    An input is a WARC, a WACZ, a WET, JSON Lines or Parquet with a column of HTML, an HTML file, a folder (all that is
    read of these at any depth; its HTML files are one input, the folder), a glob, a manifest, or the URL of any of
    these; folders and globs may be on S3 too. A local file is known by its content where its name does not tell.
    `options` name the column of HTML that files of folders and globs must have.
    A manifest is a text file with one path or URL per line, compressed or not, named *.paths, *.paths.gz, *.txt or
    *.list. Its relative paths are relative to `base_url` ("s3://commoncrawl/", "https://data.commoncrawl.org/", or a
    folder), or by default to the manifest's own folder. A relative input that does not exist locally is looked for
    under `base_url` too.

    A manifest from a network may name http://, https:// and s3:// URLs, URLs of its own scheme, and relative paths
    without "..". It may not name a local file, since its author could then make this machine read any file.

    Raises InputError for an input that is missing, holds no pages, or is not a list of paths.
    """
    return [each.location for each in list_files(inputs, base_url=base_url, options=options).inputs]


def list_files(
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    base_url: str | None = None,
    options: CaptureOptions | None = None,
) -> Listing:
    """The inputs that list_inputs() returns, and what became of every file that was found: which input reads it, or why
    none does. A file is there once, and read once, however its path is spelled.

    Raises InputError as list_inputs() does.
    """
    given: Any = [inputs] if isinstance(inputs, str | os.PathLike) else inputs
    if isinstance(given, bytes | io.IOBase) or not isinstance(given, Iterable):
        raise _no_input(given)
    if options is not None and not isinstance(options, CaptureOptions):
        raise TypeError(f"capture_options must be CaptureOptions, not {type(options).__name__}")
    names = list(given)
    for name in names:
        if not isinstance(name, str | os.PathLike):
            raise _no_input(name)
    if not names:
        raise InputError("no input given: name a WARC, a folder, a glob or a list of paths")
    sources: dict[str, Input] = {}  # by the identity of each
    read: dict[str, str] = {}  # identity → the name under which a file is read
    found: dict[str, FoundFile] = {}
    for name in names:
        for file in expand(os.fspath(name), base_url, options or CaptureOptions()):
            each = file
            if each.source is not None and read.setdefault(target_of(each.source), each.source) != each.source:
                each = replace(each, source=None, reason="again")
            if each.source is not None:
                for member in members_of(each.source):
                    if (key := identity(member)) not in sources:
                        is_missing = each.listed and not scheme_of(member) and not os.path.exists(local_path(member))
                        known = not is_missing or kind_by_name(member) is not None
                        sources[key] = Input.of(member) if known else Input.named(member)
            if each.path not in found or found[each.path].reason:
                found[each.path] = each
    if nested := _nested(sources):
        found |= {path: replace(each, source=None, reason="again") for path, each in found.items() if path in nested}
    return Listing([each for each in sources.values() if each.location not in nested], list(found.values()))


def _no_input(value: object) -> TypeError:
    return TypeError(f"an input must be str or PathLike, not {type(value).__name__}")


def target_of(name: str) -> str:
    """What an input is known by among those that are read at once: a link to a file by that file."""
    known = identity(name)
    return os.path.realpath(known) if os.path.islink(known) else known


def _nested(sources: Mapping[str, Input]) -> set[str]:
    """The HTML files, and folders of them, that another of the folders holds."""
    folders = {key: each for key, each in sources.items() if each.kind == FOLDER and os.path.isdir(key)}
    names: dict[str, set[str]] = {}
    found = set()
    for key, each in sources.items() if folders else ():
        outer = next((above for above in map(str, Path(key).parents) if above in folders), None)
        if each.kind != FOLDER or outer is None:
            continue
        if outer not in names:
            names[outer] = set(html_files(local_path(folders[outer].location)))
        own = html_files(local_path(each.location)) if key in folders else ("",)
        below = os.path.relpath(key, outer)
        if all(os.path.join(below, name).rstrip("/") in names[outer] for name in own):
            found.add(each.location)
    return found


def read_captures(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], *, capture_options: CaptureOptions | None = None
) -> Iterator[Capture]:
    """The captures of one or more archives, folders, files of JSON Lines or Parquet, or lists of paths.

    `capture_options` say which records are pages. Unreadable records are passed over in silence; `page_batches`
    accounts for them.
    """
    chosen = capture_options or CaptureOptions()
    for each in list_files(source, options=chosen).inputs:
        yield from (outcome for outcome in each.read(chosen).outcomes() if isinstance(outcome, Capture))


def read_robots(archives: Sequence[str]) -> Iterator[Capture]:
    """The captures of robots.txt and tdmrep.json in archives, in their order. Raises InputError if one is missing or
    cannot be opened.
    """
    if archives:
        yield from read_captures(archives, capture_options=CaptureOptions(statuses=(200,), robots_only=True))


def members_of(name: str) -> list[str]:
    """The WARCs in a WACZ; of another input its name."""
    if not is_wacz_name(name):
        return [name]
    from thresher.reading.wacz import wacz_members

    return wacz_members(name, open_input(name))


def expand(name: str, base_url: str | None, options: CaptureOptions) -> list[FoundFile]:
    """The files that one input names. Those that are read have a source."""
    if not name.strip():
        raise InputError("empty input name: name a WARC, a folder, a glob or a list of paths")
    if scheme_of(name):
        return expand_url(name, base_url)
    path = os.path.expanduser(local_path(name))
    if os.path.isdir(path):
        return files_in(path, name, options)
    if os.path.exists(path):
        if path.lower().endswith(MANIFEST_SUFFIXES):
            return listed(read_manifest(path, base_url))
        if not os.path.isfile(path):
            raise InputError(f"{name}: neither a file nor a folder")
        kind, _ = kind_of(path)
        return (
            listed(read_manifest(path, base_url))
            if kind == LIST
            else [FoundFile(path, kind_by_name(path) or kind, path)]
        )
    if glob.has_magic(path):
        return files_of_pattern(path, name, base_url, options)
    if base_url and not os.path.isabs(path):
        return expand(join(base_url, path), None, options)
    if name == STDIN:
        raise InputError(f"{name}: standard input is read by thresher extract alone; save it as a file, and name that")
    raise InputError(f"{name}: no such file or folder")


def expand_url(name: str, base_url: str | None) -> list[FoundFile]:
    """The files that the URL of a file, a list of paths, a folder or a glob names."""
    scheme, parts = scheme_of(name), parts_of(name)
    path = parts.path
    if scheme in ("http", "https") and not parts.hostname:
        raise InputError(f"{name}: a URL without a host")
    if path.lower().endswith(MANIFEST_SUFFIXES):
        return listed(read_manifest(name, base_url))
    if scheme in ("http", "https") or not (path.endswith("/") or "*" in path or "[" in path):
        return named([name])
    from thresher.reading.buckets import list_bucket

    urls = list_bucket(name)
    found = named(urls) if "*" in path or "[" in path else list(map(remote_file, urls))
    if not any(each.source for each in found):
        raise InputError(f"{name}: no WARC, WACZ, JSON Lines or Parquet in this folder{summary(found)}")
    return found


def named(sources: Iterable[str]) -> list[FoundFile]:
    """Files that were named one by one: each is read."""
    return [FoundFile(source, kind_by_name(source), source) for source in sources]


def listed(sources: Iterable[str]) -> list[FoundFile]:
    """Files that a list of paths names."""
    return [replace(each, listed=True) for each in named(sources)]


def remote_file(url: str) -> FoundFile:
    """A file of a folder in a store, known by its name alone."""
    kind = kind_by_name(url)
    if kind == FOLDER:
        return FoundFile(url, kind, reason="remote")
    if kind == WAT:
        return FoundFile(url, kind, reason="wat")
    if kind is None:
        type_ = listed_type(path_of(url))
        return FoundFile(url, type_, reason="no_pages" if type_ else "unknown")
    return FoundFile(url, kind, url)


def files_in(path: str, name: str, options: CaptureOptions) -> list[FoundFile]:
    """The files of a folder. Its HTML files are one entry, the folder itself, after all others that are read."""
    if os.path.exists(os.path.join(path, RUN_FILE)):
        raise InputError(f"{name} is the output of a run; {render_hint(name)}")
    html_files.cache_clear()  # the folder may have changed since it was listed
    found = [member(each, options) for each in sorted(files_below(path), key=lambda each: each.path)]
    has_html = any(each.kind == FOLDER for each in found)
    found = [each for each in found if each.kind != FOLDER]
    if has_html:
        found.append(FoundFile(path, FOLDER, path))
    if not any(each.source for each in found):
        above = Path(path).absolute().parent
        hint = f"; {render_hint(str(above))}" if os.path.exists(above / RUN_FILE) else ""
        raise InputError(
            f"{name}: no WARC in this folder (names end in {', '.join(WARC_SUFFIXES)}), and no .wacz, .jsonl, "
            f".parquet or .html file{summary(found)}{hint}"
        )
    return found


def render_hint(run: str) -> str:
    """How the pages of an earlier run are extracted again."""
    return f"thresher render {run} -o OUT extracts its pages again, if it kept them (--blocks)"


def files_of_pattern(path: str, name: str, base_url: str | None, options: CaptureOptions) -> list[FoundFile]:
    """The files that a local pattern matches; lists of paths are read as such."""
    matches = sorted(glob.glob(path, recursive=True))
    if not any(os.path.isfile(each) for each in matches):
        raise InputError(f"{name}: no file matches this pattern")
    found: list[FoundFile] = []
    for each in matches:
        if os.path.isdir(each):
            if "**" not in path:  # which matches the files of folders too
                found.append(FoundFile(each, None, reason="folder"))
            continue
        kind, reason = kind_in_folder(each)
        if reason == "list" or (reason and each.lower().endswith(MANIFEST_SUFFIXES)):
            found += listed(read_manifest(each, base_url))
        else:
            found.append(member(FoundFile(each, kind, reason=reason), options))
    if not any(each.source for each in found):
        raise InputError(f"{name}: no file with pages matches this pattern{summary(found)}")
    return found


def member(file: FoundFile, options: CaptureOptions) -> FoundFile:
    """A file of a folder or pattern with itself as its source, or the reason why it is not read."""
    if file.reason:
        return file
    if file.kind == WACZ:
        try:
            members_of(file.path)
        except InputError:
            return FoundFile(file.path, file.kind, reason="unreadable")
    if file.kind in (JSON_LINES, PARQUET):
        from thresher.reading.pages import check_html_column, has_key  # an archive needs neither
    if file.kind == JSON_LINES and not has_key(file.path, options.html_column):
        return FoundFile(file.path, file.kind, reason="no_html")
    if file.kind == PARQUET:
        try:
            check_html_column(file.path, options)
        except InputError:
            return FoundFile(file.path, file.kind, reason="no_html")
    return FoundFile(file.path, file.kind, file.path)


def summary(found: Iterable[FoundFile]) -> str:
    """How many files are left out for which reason, in brackets; nothing if there are none."""
    reasons = Counter(each.reason for each in found if each.reason)
    shown = ", ".join(f"{n:,} {reason}" for reason, n in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0])))
    return f" (left out: {shown})" if shown else ""


def read_manifest(name: str, base_url: str | None) -> list[str]:
    """The paths that a manifest lists, without blank lines and lines that begin with #."""
    data = read_text(name, MAX_MANIFEST_BYTES)
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

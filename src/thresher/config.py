# SPDX-License-Identifier: Apache-2.0
"""The frozen configuration: defaults from conf/default.toml, overridden by a file, then by the command line.

Its sections are the dataclasses of thresher.options and of this module. Defaults are written only in
conf/default.toml.

thresher.options checks values, not a library: pydantic-settings takes 200 ms to import, as long as all of
`thresher text`; msgspec takes 20 ms, but ignores unknown keys of a dataclass, and its errors do not list the choices.
"""

# Without `from __future__ import annotations`, see thresher.options.
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from thresher.errors import ConfigError, nearest
from thresher.file_kinds import DOCUMENTS
from thresher.options import (
    CaptureOptions,
    Filters,
    LanguageOptions,
    Limits,
    Options,
    Section,
    defaults,
    knob,
    knobs,
    section,
)
from thresher.page_types import GROUPS, TYPES
from thresher.python_extractors import is_python_extractor

_Section = TypeVar("_Section", bound=Section)

PARTS: Final = ("images", "tables", "code", "posts")
"""Tables of parts of the main text, as in thresher.schemas, which imports pyarrow."""

JSON_LINES: Final = ("jsonl", "dolma", "datatrove")
"""What a line of JSON may hold: the columns of a row, or a document as Dolma or datatrove reads it."""


@section("read")
class Read(CaptureOptions):
    """Which records are pages, and how a WARC is split into partitions."""

    split_bytes: int = knob("Bytes of a WARC in one partition.", least=1)


@section("templates")
class Templates(Section):
    """How text that a host repeats is treated."""

    mode: str = knob(
        "Use what hosts repeat on their pages. off: each page by itself; fused: count and decide; "
        "learn: write only the table; apply: use an earlier run's table.",
        "--templates",
        choices=("off", "learn", "apply", "fused"),
        example="--templates fused",
    )
    source: str = knob("With --templates apply: output folder of the earlier run.", "--templates-from", metavar="OUT")
    known: tuple[str, ...] = knob(
        "With --templates: output folders of earlier runs with --templates, separated by commas. duplicate_of then "
        "names their pages too.",
        "--known",
        metavar="OUT,…",
    )
    known_pages: int = knob("Most pages counted per host.", least=2)
    min_pages: int = knob("Pages of a host that must share a text before it counts as template.", least=2)

    def check(self) -> None:
        """Raises ValueError if `source` is missing, or given in a mode that does not use it."""
        if (self.mode == "apply") != bool(self.source):
            raise ValueError("source: --templates apply needs --templates-from OUT, and no other mode takes it")
        if self.known and self.mode == "off":
            raise ValueError("known: copies are looked for in runs with --templates; add --templates fused")


@section("write")
class Write(Section):
    """What is written, and how."""

    to: str = knob(
        "What pages are written as: Parquet; JSON Lines with the columns of a row (jsonl), or with a document as Dolma "
        "or datatrove reads it; CSV; or WET (WARC records of type conversion). The other tables stay Parquet; those of "
        "--also are JSON Lines with jsonl.",
        "--to",
        choices=("parquet", *JSON_LINES, "csv", "wet"),
        example="--to jsonl",
    )
    columns: tuple[str, ...] = knob(
        "Columns of the table pages to write; all by default. A name with + in front is added to these: "
        "+n_text_words,+quality_gopher.",
        "--columns",
        metavar="NAME,…",
        example="--columns url,title,text,language",
    )
    blocks: bool = knob(
        "Write the table blocks, a row for each block of a page with its scores, and the page itself into the column "
        "html of pages, from which thresher render extracts it again.",
        "--blocks/--no-blocks",
    )
    also: tuple[str, ...] = knob(
        "Write parts of the main text as tables of their own: images (text and pictures in reading order), tables "
        "(data tables, cell by cell), code (listings), posts (of threads). Separated by commas, or repeated.",
        "--also",
        metavar="NAME,…",
        choices=PARTS,
        example="--also images,tables",
        repeatable=True,
    )
    pass_on: tuple[str, ...] = knob(
        "Copy the WARC records of documents that are no web pages into OUT/passed_on, for the tools that read them: "
        f"{', '.join(DOCUMENTS)}, or a media type such as application/json. Separated by commas, or repeated.",
        "--pass-on",
        metavar="NAME,…",
        example="--pass-on pdf,docx",
        repeatable=True,
    )
    structure_types: tuple[str, ...] = knob(
        "Types of the items that the columns jsonld, microdata and rdfa hold, such as Recipe,Product; all by default.",
        "--structure-types",
        metavar="NAME,…",
    )
    skipped: str = knob(
        "Count the records that are left out, or also list them, each with its URL and the reason, in the table "
        "skipped.",
        "--skipped",
        choices=("count", "list"),
    )
    compression: str = knob(
        "Codec of the files; auto is zstd, gzip for WET, and none for CSV.",
        "--output-compression",
        choices=("auto", "zstd", "gzip", "snappy", "none"),
    )
    compression_level: int = knob("Level of zstd (1 to 22) and gzip (1 to 9).", least=1)
    batch_rows: int = knob("Most rows in a row group.", least=1)
    # A string column has 32-bit offsets, and one page may exceed the limit.
    batch_bytes: int = knob("Most bytes of text in a row group.", least=1, most=1 << 30)
    page_timings: bool = knob("Fill the *_us columns.")

    def check(self) -> None:
        """Raises ValueError for a codec that the format does not have, and for an unknown kind of document."""
        for name in self.pass_on:
            if name not in DOCUMENTS and "/" not in name:
                raise ValueError(
                    f"pass_on: unknown kind {name!r}{nearest(name, DOCUMENTS)} Known: {', '.join(DOCUMENTS)}"
                )
        if self.compression == "snappy" and self.to != "parquet":
            raise ValueError(f"compression: {self.to} cannot be compressed with snappy; use gzip")
        if self.compression == "zstd" and self.to == "wet":
            raise ValueError("compression: WET is read as gzip; use gzip or none")


@section("route")
class Route(Section):
    """What becomes of a page, by the column `route`: trust its text, ask a larger model, or drop it."""

    trust: float = knob("Trust a text of at least this confidence.", most=1)
    drop: float = knob("Drop a text of less than this confidence.", most=1)
    min_words: int = knob("Drop a text of fewer words.")
    drop_types: tuple[str, ...] = knob("Drop pages of these types, such as listing.", choices=TYPES)
    drop_type_groups: tuple[str, ...] = knob("Drop pages of these groups of types, such as product.", choices=GROUPS)
    min_agreement: float = knob(
        "Ask about a text whose mean word F1 with the texts of further extractors is lower.", most=1
    )

    def check(self) -> None:
        """Raises ValueError if what is dropped is trusted too."""
        if self.drop > self.trust:
            raise ValueError(f"drop: {self.drop} is more than route.trust, {self.trust}")


@section("run")
class Running(Section):
    """How the work is done. These settings do not affect rows."""

    workers: int = knob("Worker processes; 0 means one per core.", "--workers", metavar="N", example="--workers 4")
    limit_hours: float = knob(
        "Begin no further partition after H hours; the same command resumes the run.", "--limit-hours", metavar="H"
    )
    max_requests_per_second: float = knob(
        "Most requests a second to one store, by all workers together. 0 means 10 to a web server and no limit to an "
        "object store.",
        "--max-requests-per-second",
        metavar="N",
    )
    max_connections: int = knob(
        "Most requests to one store at the same time, by all workers together, but one for each worker at least. "
        "0 means, for each worker, one to a web server and four to an object store.",
        "--max-connections",
        metavar="N",
    )
    patience_minutes: float = knob(
        "How long to wait for a store that answered before and now refuses or fails; then the run ends, and the same "
        "command resumes it."
    )
    max_bytes_per_second: float = knob("Most bytes a second from one store, by all workers together; 0: no limit.")
    max_error_ratio: float = knob(
        "Exit with status 3 if a larger share of pages fails.", "--max-error-ratio", metavar="SHARE"
    )
    keep_first_pass: bool = knob(
        "With --templates: keep the notes of the first pass, so that thresher retry works on this run.",
        "--keep-first-pass/--no-keep-first-pass",
    )
    stall_seconds: float = knob("Seconds without progress after which a worker is stopped.")
    log_level: str = knob(
        "How much to log on standard error.", "--log-level", choices=("debug", "info", "warning", "error")
    )


@dataclass(frozen=True, slots=True)
class Configuration:
    """The resolved configuration, section by section; [limits] and [language] are parts of `extract`."""

    read: Read
    extract: Options
    filter: Filters
    templates: Templates
    write: Write
    route: Route
    run: Running

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """The configuration as plain data, section by section, as `_run.json` keeps it."""
        extract = self.extract
        first: tuple[Section, ...] = (self.read, extract.limits, extract, extract.language_options)
        sections = (*first, self.filter, self.templates, self.write, self.route, self.run)
        return {each.section: each.to_dict() for each in sections}

    def row_settings(self) -> dict[str, Any]:
        """The settings that rows depend on, all but [run], as {"section.key": value}."""
        return {
            f"{section}.{key}": value
            for section, values in self.to_dict().items()
            if section != "run"
            for key, value in values.items()
        }


SECTIONS: Final[dict[str, type[Section]]] = {
    cls.section: cls for cls in (Read, Limits, Options, LanguageOptions, Filters, Templates, Write, Route, Running)
}


def load_configuration(path: str | Path | None = None, overrides: Mapping[str, object] | None = None) -> Configuration:
    """The defaults, overridden by the TOML file at `path`, then by `overrides` ({"section.key": value}).

    Raises ConfigError for an unknown key (and names the nearest known one), for a wrong type, and for a value out of
    range.
    """
    file = file_settings(Path(path)) if path is not None else {}
    given = [(key, value, str(path)) for key, value in file.items()]
    given += [(key, value, "command line") for key, value in (overrides or {}).items()]
    values: dict[str, dict[str, Any]] = {name: {} for name in SECTIONS}
    for key, value, where in given:
        section_name, _, option = _known(key, where).partition(".")
        values[section_name][option] = value
    limits, language = _make(Limits, values), _make(LanguageOptions, values)
    configuration = Configuration(
        read=_make(Read, values),
        extract=_make(Options, values, limits=limits, language_options=language),
        filter=_make(Filters, values),
        templates=_make(Templates, values),
        write=_make(Write, values),
        route=_make(Route, values),
        run=_make(Running, values),
    )
    _check_python(configuration)
    return configuration


def _check_python(configuration: Configuration) -> None:
    """Raises ConfigError for what needs the blocks that an extractor chose, where a Python extractor chooses none."""
    name = configuration.extract.extractors[0]
    if not is_python_extractor(name):
        return
    asked = {
        "templates.mode": configuration.templates.mode != "off",
        "write.blocks": configuration.write.blocks,
        "write.also": bool(configuration.write.also),
        "write.columns: outlinks": not {"outlinks", "+outlinks"}.isdisjoint(configuration.write.columns),
    }
    for key, is_asked in asked.items():
        if is_asked:
            raise ConfigError(f"{key}: the Python extractor {name!r} chooses no blocks of a page; leave this out")


def with_new_settings(rows: Mapping[str, Any]) -> dict[str, Any]:
    """What the rows of an earlier run depended on, with the settings that came later: their defaults change no row."""
    if "language.max_letters" not in rows:
        return dict(rows)
    sections = {name: values for name, values in defaults().items() if name != "run"}
    usual = {f"{name}.{key}": value for name, values in sections.items() for key, value in values.items()}
    return usual | dict(rows)


def _make(cls: type[_Section], values: Mapping[str, Mapping[str, Any]], **parts: Section) -> _Section:
    """A section filled from `values`, which are by section and key. Raises ConfigError, which names the key."""
    try:
        return cls(**values[cls.section], **parts)
    except (TypeError, ValueError) as error:
        message = str(error)
        names_the_key = re.split(r"\W", message, maxsplit=1)[0] in knobs(cls)
        raise ConfigError(f"{cls.section}.{message}" if names_the_key else f"[{cls.section}] {message}") from error


def parse_setting(text: str) -> tuple[str, object]:
    """(key, value) of one `--set section.key=value`. A value that is not valid TOML is a string."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"--set {text}: expected section.key=value, as in --set limits.max_nodes=500000")
    import tomllib

    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def file_settings(path: Path) -> dict[str, Any]:
    """The values of a configuration file as {"section.key": value}."""
    import tomllib

    try:
        tree = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read configuration {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    flat: dict[str, Any] = {}
    for name, values in tree.items():
        if not isinstance(values, dict):
            raise ConfigError(f"{path}: {name} is outside any section; write [section] first")
        flat.update({f"{name}.{key}": value for key, value in values.items()})
    return flat


def is_setting(key: str) -> bool:
    """Whether there is such a setting, section.key."""
    section_name, _, name = key.partition(".")
    return section_name in SECTIONS and name in knobs(SECTIONS[section_name])


def _known(key: str, where: str) -> str:
    if is_setting(key):
        return key
    from difflib import get_close_matches

    known = [f"{section_name}.{name}" for section_name, cls in SECTIONS.items() for name in knobs(cls)]
    same_name = [name for name in known if name.split(".")[1] == key.rsplit(".", maxsplit=1)[-1]]
    near = same_name or get_close_matches(key, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "conf/default.toml has all settings, and so has `thresher config`"
    raise ConfigError(f"{where}: unknown setting {key}; {hint}")

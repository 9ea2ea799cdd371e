# SPDX-License-Identifier: Apache-2.0
"""One frozen configuration: the defaults in conf/default.toml, then a file, then the command line.

The sections are the dataclasses of thresher.options and this module; conf/default.toml is the one place where a default
stands.

Values are checked by thresher.options rather than by a library. pydantic-settings takes 200 ms to import, as long as
all of `thresher text`; msgspec takes 20 ms, but passes over unknown keys of a dataclass and does not name the choices
that a value may have.
"""

# Without `from __future__ import annotations`, see thresher.options.
import difflib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from thresher.errors import ConfigError
from thresher.options import CaptureOptions, LanguageOptions, Limits, Options, Section, knob, knobs, section

_Section = TypeVar("_Section", bound=Section)


@section("read")
class Read(CaptureOptions):
    """Which records are pages, and how a WARC is cut into partitions."""

    split_bytes: int = knob("Bytes of a WARC in one partition.", least=1)


@section("templates")
class Templates(Section):
    """What is done with what a host repeats."""

    mode: str = knob(
        "What hosts repeat on their pages: off looks at each page by itself; fused counts it and decides with it; "
        "learn writes only the table templates; apply decides with that of an earlier crawl.",
        "--templates",
        choices=("off", "learn", "apply", "fused"),
    )
    source: str = knob(
        "With --templates apply: the output folder of the crawl whose templates are applied.",
        "--templates-from",
        metavar="OUT",
    )
    known_pages: int = knob("Pages of a host that are counted at most.", least=2)
    min_pages: int = knob("Pages of a host that must have a text before it is template.", least=2)

    def check(self) -> None:
        """Raises ValueError where `source` is missing or not needed."""
        if (self.mode == "apply") != bool(self.source):
            raise ValueError(
                "source (--templates-from) names the output folder whose templates are applied: it goes with "
                "templates.mode = apply, and with no other"
            )


@section("write")
class Write(Section):
    """How the Parquet files are written."""

    compression: str = knob(
        "Codec of the Parquet files.", "--output-compression", choices=("zstd", "gzip", "snappy", "none")
    )
    compression_level: int = knob("Level of zstd (1 to 22) and gzip (1 to 9).", least=1)
    batch_rows: int = knob("Rows of a row group at most.", least=1)
    # A string column addresses its text with 32 bits, and one page may come on top of the limit.
    batch_bytes: int = knob("Bytes of text in a row group at most.", least=1, most=1 << 30)
    page_timings: bool = knob("Fill the *_us columns.")


@section("run")
class Run(Section):
    """How the work is done; nothing here changes a row."""

    workers: int = knob("Worker processes; 0 is one for each core.", "--workers", metavar="N")
    max_error_ratio: float = knob(
        "Exit status 3 where a larger share of pages fails.", "--max-error-ratio", metavar="SHARE"
    )
    stall_seconds: float = knob("Seconds without a finished page after which a worker is taken for dead.")
    log_level: str = knob(
        "How much is logged on standard error.", "--log-level", choices=("debug", "info", "warning", "error")
    )


@dataclass(frozen=True, slots=True)
class Configuration:
    """The resolved configuration, section by section; [limits] and [language] are parts of `extract`."""

    read: Read
    extract: Options
    templates: Templates
    write: Write
    run: Run

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """The configuration as plain data, section by section, as `_run.json` keeps it."""
        return {each.section: each.to_dict() for each in self._sections()}

    def _sections(self) -> tuple[Section, ...]:
        return self.read, self.extract.limits, self.extract, self.extract.language, self.templates, self.write, self.run

    def row_settings(self) -> dict[str, Any]:
        """What rows depend on, as {"section.key": value}: everything but [run]."""
        return {
            f"{section}.{key}": value
            for section, values in self.to_dict().items()
            if section != "run"
            for key, value in values.items()
        }

    def fingerprint(self) -> str:
        """A hash over `row_settings()`: equal for configurations that give equal rows."""
        import hashlib

        return hashlib.sha256(json.dumps(self.row_settings(), sort_keys=True).encode()).hexdigest()[:16]


SECTIONS: Final[dict[str, type[Section]]] = {
    cls.section: cls for cls in (Read, Limits, Options, LanguageOptions, Templates, Write, Run)
}


def load_configuration(path: str | Path | None = None, overrides: Mapping[str, object] | None = None) -> Configuration:
    """The defaults, changed by the TOML file at `path` and then by `overrides` ({"section.key": value}).

    Raises ConfigError for a key that does not exist (naming the nearest that does), a value of the wrong type, and a
    value out of range.
    """
    given = [(key, value, str(path)) for key, value in (_read_toml(Path(path)).items() if path is not None else ())]
    given += [(key, value, "command line") for key, value in (overrides or {}).items()]
    values: dict[str, dict[str, Any]] = {name: {} for name in SECTIONS}
    for key, value, where in given:
        section_name, _, option = _known(key, where).partition(".")
        values[section_name][option] = value
    limits, language = _make(Limits, values), _make(LanguageOptions, values)
    return Configuration(
        read=_make(Read, values),
        extract=_make(Options, values, limits=limits, language=language),
        templates=_make(Templates, values),
        write=_make(Write, values),
        run=_make(Run, values),
    )


def _make(cls: type[_Section], values: Mapping[str, Mapping[str, Any]], **parts: Section) -> _Section:
    """A section with these values, by section and key. Raises ConfigError, which names the key."""
    try:
        return cls(**values[cls.section], **parts)
    except (TypeError, ValueError) as error:
        message = str(error)
        names_the_key = re.split(r"\W", message, maxsplit=1)[0] in knobs(cls)
        raise ConfigError(f"{cls.section}.{message}" if names_the_key else f"[{cls.section}] {message}") from error


def parse_setting(text: str) -> tuple[str, object]:
    """(key, value) of one `--set section.key=value`; the value is read as TOML, else as a string."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"--set {text}: expected section.key=value, as in --set limits.max_nodes=500000")
    import tomllib

    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def _read_toml(path: Path) -> dict[str, Any]:
    """The values of a configuration file as {"section.key": value}."""
    import tomllib

    try:
        tree = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    flat: dict[str, Any] = {}
    for name, values in tree.items():
        if not isinstance(values, dict):
            raise ConfigError(f"{path}: {name} stands outside a section; write it as [section] and then {name} = …")
        flat.update({f"{name}.{key}": value for key, value in values.items()})
    return flat


def _known(key: str, where: str) -> str:
    known = [f"{section_name}.{name}" for section_name, cls in SECTIONS.items() for name in knobs(cls)]
    if key in known:
        return key
    same_name = [name for name in known if name.split(".")[1] == key.rsplit(".", maxsplit=1)[-1]]
    near = same_name or difflib.get_close_matches(key, known, n=1, cutoff=0.0)
    raise ConfigError(f"{where}: there is no {key}; the nearest is {near[0]}")

# SPDX-License-Identifier: Apache-2.0
"""One frozen configuration: the defaults in conf/default.toml, then a file, then the command line.

The sections are dataclasses without defaults of their own: conf/default.toml is the one place where a value stands.
"""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import GenericAlias
from typing import Any, get_args, get_origin, get_type_hints

from thresher.errors import ConfigError

LOG_LEVELS = ("debug", "info", "warning", "error")
TEMPLATE_MODES = ("off", "learn", "apply", "fused")
COMPRESSIONS = ("zstd", "gzip", "snappy", "none")
COMMENTS = {"auto": None, "keep": True, "drop": False}
FORMATS = ("text", "markdown", "html")


@dataclass(frozen=True, slots=True)
class Read:
    """Which records are pages, and how a WARC is cut into partitions."""

    statuses: list[int]
    max_payload_bytes: int
    split_bytes: int


@dataclass(frozen=True, slots=True)
class PageLimits:
    """What a page may cost; over a limit its status says so."""

    max_bytes: int
    max_nodes: int
    max_depth: int
    max_attributes: int


@dataclass(frozen=True, slots=True)
class Extract:
    """Which extractors run, and how."""

    extractors: list[str]
    mode: str
    format: str
    comments: str
    tables: bool
    links: bool
    images: bool


@dataclass(frozen=True, slots=True)
class Language:
    """How the language of the main text is identified."""

    max_letters: int
    min_letters: int
    min_score: float


@dataclass(frozen=True, slots=True)
class Templates:
    """What is done with what a host repeats."""

    mode: str
    source: str
    known_pages: int
    min_pages: int


@dataclass(frozen=True, slots=True)
class Write:
    """How the Parquet files are written."""

    compression: str
    compression_level: int
    batch_rows: int
    batch_bytes: int
    page_timings: bool


@dataclass(frozen=True, slots=True)
class Run:
    """How the work is done; nothing here changes a row."""

    workers: int
    max_error_ratio: float
    stall_seconds: float
    log_level: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """The resolved configuration, a section for each part of the work."""

    read: Read
    limits: PageLimits
    extract: Extract
    language: Language
    templates: Templates
    write: Write
    run: Run

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """The configuration as plain data, section by section, as `_run.json` keeps it."""
        return dataclasses.asdict(self)

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
        return hashlib.sha256(json.dumps(self.row_settings(), sort_keys=True).encode()).hexdigest()[:16]


_SECTIONS: dict[str, type[Any]] = get_type_hints(Configuration)


def load_configuration(path: str | Path | None = None, overrides: Mapping[str, object] | None = None) -> Configuration:
    """The defaults, changed by the TOML file at `path` and then by `overrides` ({"section.key": value}).

    Raises ConfigError for a key that does not exist (naming the nearest that does), a value of the wrong type, and a
    value out of range.
    """
    values = _flatten(tomllib.loads(_default_text()), "conf/default.toml")
    if path is not None:
        for key, value in _flatten(_read_toml(Path(path)), str(path)).items():
            values[_known(key, str(path))] = value
    for key, value in (overrides or {}).items():
        values[_known(key, "command line")] = value
    sections: dict[str, dict[str, Any]] = {name: {} for name in _SECTIONS}
    for section, key, type_ in _knobs():
        sections[section][key] = _convert(f"{section}.{key}", values[f"{section}.{key}"], type_)
    configuration = Configuration(**{name: cls(**sections[name]) for name, cls in _SECTIONS.items()})
    _check(configuration)
    return configuration


def parse_setting(text: str) -> tuple[str, object]:
    """(key, value) of one `--set section.key=value`; the value is read as TOML, else as a string."""
    key, equals, value = text.partition("=")
    if not equals:
        message = f"--set {text}: expected section.key=value, as in --set limits.max_nodes=500000"
        raise ConfigError(message)
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def _default_text() -> str:
    return (files("thresher") / "conf" / "default.toml").read_text("utf-8")


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        message = f"cannot read the configuration {path}: {error.strerror}"
        raise ConfigError(message) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"{path} is not TOML: {error}"
        raise ConfigError(message) from error


def _knobs() -> Iterator[tuple[str, str, Any]]:
    for section, cls in _SECTIONS.items():
        for key, type_ in get_type_hints(cls).items():
            yield section, key, type_


def _flatten(tree: Mapping[str, Any], where: str) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for section, values in tree.items():
        if not isinstance(values, dict):
            message = f"{where}: {section} stands outside a section; write it as [section] and then {section} = …"
            raise ConfigError(message)
        flat.update({f"{section}.{key}": value for key, value in values.items()})
    return flat


def _known(key: str, where: str) -> str:
    known = [f"{section}.{name}" for section, name, _ in _knobs()]
    if key in known:
        return key
    same_name = [name for name in known if name.split(".")[1] == key.rsplit(".", maxsplit=1)[-1]]
    near = same_name or difflib.get_close_matches(key, known, n=1, cutoff=0.0)
    message = f"{where}: there is no {key}; the nearest is {near[0]}"
    raise ConfigError(message)


def _convert(key: str, value: Any, type_: Any) -> Any:  # noqa: ANN401 (this is where TOML gets its types)
    """`value` where it is of the knob's type (a whole number will do for a float); ConfigError otherwise."""
    if isinstance(type_, GenericAlias) and get_origin(type_) is list:
        (item,) = get_args(type_)
        if isinstance(value, list):
            return [_convert(key, each, item) for each in value]
    elif type_ is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    elif isinstance(value, type_) and (type_ is bool or not isinstance(value, bool)):
        return value
    name = str(type_) if isinstance(type_, GenericAlias) else type_.__name__
    message = f"{key} must be of type {name}, not {value!r}"
    raise ConfigError(message)


def _check(configuration: Configuration) -> None:
    values = {f"{s}.{k}": v for s, section in configuration.to_dict().items() for k, v in section.items()}
    for key, value in values.items():
        lowest = 1 if key.split(".")[0] in {"limits", "write", "read"} else 0
        if isinstance(value, int | float) and not isinstance(value, bool) and value < lowest:
            message = f"{key} must be at least {lowest}, not {value}"
            raise ConfigError(message)
    if values["write.batch_bytes"] > 1 << 30:
        # A string column addresses its text with 32 bits, and one page may come on top of the limit.
        message = f"write.batch_bytes must be at most {1 << 30}, not {values['write.batch_bytes']}"
        raise ConfigError(message)
    for key, choices in (
        ("run.log_level", LOG_LEVELS),
        ("write.compression", COMPRESSIONS),
        ("templates.mode", TEMPLATE_MODES),
        ("extract.comments", COMMENTS),
        ("extract.format", FORMATS),
    ):
        if values[key] not in choices:
            message = f"{key} must be one of {', '.join(choices)}, not {values[key]!r}"
            raise ConfigError(message)
    if (values["templates.mode"] == "apply") != bool(values["templates.source"]):
        message = "templates.source (--templates-from) names the output folder whose templates are applied: it goes with templates.mode = apply, and with no other"
        raise ConfigError(message)
    if values["templates.known_pages"] < 2 or values["templates.min_pages"] < 2:
        message = (
            "templates.known_pages and templates.min_pages must be at least 2: what stands on one page is no template"
        )
        raise ConfigError(message)
    for key in ("extract.links", "extract.images"):
        if values[key] and values["extract.format"] == "text":
            message = f"{key}: plain text has no {key.split('.')[1]}; choose --format markdown or html"
            raise ConfigError(message)

# SPDX-License-Identifier: Apache-2.0
"""Options: each is declared once, as a field of a frozen dataclass, and has its default in conf/default.toml.

A dataclass stands for a section of the configuration. Its fields carry what the command line and the checks need to
know: help, flags, choices, bounds. So an option is its field here (or in thresher.config), its line in
conf/default.toml, and its use.
"""

# Without `from __future__ import annotations`: the types of the fields are looked at when values are checked.
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Any, ClassVar, Final, TypeVar, cast, dataclass_transform, get_args

from thresher.native.extractors.registry import EXTRACTORS as EXTRACTOR_TABLE
from thresher.native.extractors.registry import NAMES
from thresher.native.workspace import FORMATS

EXTRACTORS: Final[tuple[str, ...]] = NAMES

MODES: Final = {"precision": -0.5, "balanced": 0.0, "recall": 0.5}
"""For each mode the value of an extractor's parameter `lean`."""

COMMENTS: Final = {"auto": "leave", "keep": "keep", "drop": "drop"}
"""For each way to treat readers' comments the core's name for it."""

_DEFAULTS: Final = Path(__file__).parent / "conf" / "default.toml"
_KNOB: Final = "knob"  # key of a field's metadata
_Class = TypeVar("_Class", bound=type)


@dataclass(frozen=True)
class Knob:
    """What is known of an option beside its name, type and default."""

    help: str
    flags: tuple[str, ...] = ()
    """Its names on the command line; none: only `--set section.key=value` reaches it."""
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: float = 0
    most: float | None = None
    switch: tuple[str, str] | None = None
    """For a pair of flags such as --comments/--no-comments: the two choices that they stand for."""


def knob(
    help: str,  # noqa: A002 (click's word)
    *flags: str,
    metavar: str | None = None,
    choices: Iterable[str] = (),
    least: float = 0,
    most: float | None = None,
    switch: tuple[str, str] | None = None,
) -> Any:  # noqa: ANN401 (a field of any type)
    """A field of a section; its default is the value in conf/default.toml."""
    return Knob(help, flags, metavar, tuple(choices), least, most, switch)


@cache
def defaults() -> dict[str, dict[str, Any]]:
    """conf/default.toml, section by section. It is read when the first default is needed: importing thresher does
    without.
    """
    import tomllib

    return tomllib.loads(_DEFAULTS.read_text("utf-8"))


def _default(section: str, key: str) -> object:
    return defaults()[section][key]


@dataclass_transform(frozen_default=True, kw_only_default=True)
def section(name: str) -> Callable[[_Class], _Class]:
    """Makes a frozen dataclass of a class whose fields are knobs: the section `name` of the configuration."""

    def make(cls: _Class) -> _Class:
        for key, value in list(vars(cls).items()):
            if isinstance(value, Knob):
                setattr(cls, key, field(default_factory=partial(_default, name, key), metadata={_KNOB: value}))
        made: Any = dataclass(frozen=True, slots=True, kw_only=True, repr=False)(cls)
        made.section = name
        return cast("_Class", made)

    return make


def knobs(cls: type[Any]) -> dict[str, tuple[Field[Any], Knob]]:
    """The fields of a section that stand in the configuration, by name."""
    return {each.name: (each, each.metadata[_KNOB]) for each in fields(cls) if _KNOB in each.metadata}


class Section:
    """What all sections have: values are checked and brought into form when an object is made."""

    __slots__ = ()
    section: ClassVar[str]

    def __post_init__(self) -> None:
        """Raises TypeError or ValueError, with the option's name, the value and what is allowed."""
        for name, (each, about) in knobs(type(self)).items():
            value = _convert(name, getattr(self, name), each.type)
            _check_bounds(name, value, about)
            object.__setattr__(self, name, value)
        self.check()

    def check(self) -> None:
        """Raises ValueError where options do not go together."""

    def to_dict(self) -> dict[str, Any]:
        """The section as plain data, as in the configuration file."""
        values = {name: getattr(self, name) for name in knobs(type(self))}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def __repr__(self) -> str:
        """What differs from the defaults."""
        changed = [
            f"{each.name}={getattr(self, each.name)!r}"
            for each in fields(self)  # type: ignore[arg-type]
            if getattr(self, each.name) != _in_form(each)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def _in_form(each: Field[Any]) -> object:
    """A field's default in the form in which an object holds it."""
    value = each.default_factory() if each.default_factory is not MISSING else each.default
    return _convert(each.name, value, each.type) if _KNOB in each.metadata else value


def _convert(name: str, value: Any, type_: Any) -> Any:  # noqa: ANN401 (any option's value)
    """`value` where it is of the option's type, a list as a tuple, a whole number as a float; TypeError otherwise."""
    if isinstance(type_, UnionType):
        if value is None:
            return None
        type_ = get_args(type_)[0]
    if isinstance(type_, GenericAlias):
        item = get_args(type_)[0]
        if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
            return tuple(_convert(name, each, item) for each in value)
        raise TypeError(f"{name} must be a sequence of {item.__name__}, not {value!r}")
    if type_ is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, type_) and (type_ is bool or not isinstance(value, bool)):
        return value
    raise TypeError(f"{name} must be {type_.__name__}, not {value!r}")


def _check_bounds(name: str, value: object, about: Knob) -> None:
    if isinstance(value, str) and about.choices and value not in about.choices:
        raise ValueError(f"{name} must be one of {', '.join(about.choices)}, not {value!r}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not value >= about.least:  # NaN is refused too
            raise ValueError(f"{name} must be at least {about.least:,}, not {value:,}")
        if about.most is not None and value > about.most:
            raise ValueError(f"{name} must be at most {about.most:,}, not {value:,}")


@section("limits")
class Limits(Section):
    """What one page may cost. A page over a limit yields what was read so far, and its status says so."""

    max_bytes: int = knob("Bytes of a page in UTF-8; the rest is not parsed.", least=1, most=1 << 27)
    max_nodes: int = knob("Nodes of the tree: elements, texts, comments.", least=1, most=1 << 28)
    max_depth: int = knob("Open elements; a deeper one becomes a sibling, as in Blink.", least=1, most=1 << 28)
    max_attributes: int = knob("Attributes of all elements together.", least=1, most=1 << 28)


@section("language")
class LanguageOptions(Section):
    """How the language of the main text is identified."""

    max_letters: int = knob("Letters of the main text that are looked at.")
    min_letters: int = knob("A text with fewer letters is `und`.")
    min_score: float = knob("A text whose best language is less certain than this is `und`.")


@section("read")
class CaptureOptions(Section):
    """Which records are pages.

    Payloads are cut at `max_payload_bytes` (content_truncated is then "limit"); a body whose chunks or compression are
    broken is kept up to the damage (content_truncated is then "encoding"). WARC-Truncated takes precedence over both.
    """

    statuses: tuple[int, ...] | None = knob("HTTP statuses of pages; None: any. Resource records have none and pass.")
    max_payload_bytes: int = knob("Bytes of a payload that are read.", least=1)
    record_types: frozenset[str] = frozenset({"response", "resource"})
    """Types of WARC records that may hold pages."""


@section("extract")
class Options(Section):
    """Everything that the extraction of a page depends on. Whatever is not given is as in conf/default.toml.

    Options can be compared, hashed and pickled; `dataclasses.replace(options, mode="recall")` makes changed ones.
    """

    extractors: tuple[str, ...] = knob(
        "Which extractor chooses the main text; each further one has a text of its own, from the same parse. "
        f"Known: {', '.join(NAMES)}.",
        "--extractors",
        "--extractor",
        metavar="NAME,…",
    )
    mode: str = knob(
        "precision keeps less text, recall more; of extractors that have modes: thresher.", "--mode", choices=MODES
    )
    format: str = knob(
        "What the text is written as: plain text, Markdown (CommonMark with GitHub's tables) or minimal, safe HTML.",
        "--format",
        choices=FORMATS,
    )
    comments: str = knob(
        "Keep readers' comments, or drop them, whatever the extractor chooses.",
        "--comments/--no-comments",
        choices=COMMENTS,
        switch=("keep", "drop"),
    )
    tables: bool = knob(
        "Keep tables of data. Tables that only lay out a page are not affected.", "--tables/--no-tables"
    )
    links: bool = knob("Keep the addresses of links; in Markdown and HTML only.", "--links/--no-links")
    images: bool = knob("Keep images with their addresses; in Markdown and HTML only.", "--images/--no-images")
    limits: Limits = field(default_factory=Limits)
    """What one page may cost."""
    language: LanguageOptions = field(default_factory=LanguageOptions)
    """How the language of the text is identified."""
    parameters: tuple[tuple[str, float], ...] = ()
    """Parameters of the first extractor, by name. A mapping will do."""

    def check(self) -> None:
        """Raises TypeError for a value of the wrong type or an unknown parameter, ValueError for options that do not go
        together.
        """
        for name, type_ in (("limits", Limits), ("language", LanguageOptions)):
            if not isinstance(getattr(self, name), type_):
                raise TypeError(f"{name} must be {type_.__name__}, not {getattr(self, name)!r}")
        given: Any = self.parameters
        pairs = sorted(given.items() if isinstance(given, Mapping) else given)
        for name, value in pairs:
            if not isinstance(value, int | float):
                raise TypeError(f"option {name!r} must be a number, not {type(value).__name__}")
        check_extractors(self.extractors, self.mode)
        known = EXTRACTOR_TABLE[self.extractors[0]].options
        for name, _ in pairs:
            if name not in known:
                names = ", ".join(known) or "none"
                raise TypeError(f"extractor {self.extractors[0]!r} has no option {name!r}. Known: {names}")
        object.__setattr__(self, "parameters", tuple((name, float(value)) for name, value in pairs))
        for name in ("links", "images"):
            if getattr(self, name) and self.format == "text":
                raise ValueError(f"{name}: plain text has no {name}; choose the format markdown or html")


def make_options(
    options: Options | None = None,
    *,
    extractor: str | None = None,
    extractors: Sequence[str] | None = None,
    mode: str | None = None,
    format: str | None = None,  # noqa: A002 (what every user calls it)
    comments: bool | str | None = None,
    tables: bool | None = None,
    links: bool | None = None,
    images: bool | None = None,
    limits: Limits | None = None,
    language: LanguageOptions | None = None,
    **parameters: float,
) -> Options:
    """`options`, or the defaults, with what is given beside them; for the keywords see thresher.extract().

    Raises TypeError for a value of the wrong type or an unknown parameter, ValueError for one that is not allowed.
    """
    if extractor is not None and extractors is not None:
        raise TypeError("give extractor or extractors, not both")
    if extractor is not None and not isinstance(extractor, str):
        raise TypeError(f"extractor must be str, not {type(extractor).__name__}")
    named = extractors if extractor is None else (extractor,)
    values = {
        "extractors": named,
        "mode": mode,
        "format": format,
        "comments": ("keep" if comments else "drop") if isinstance(comments, bool) else comments,
        "tables": tables,
        "links": links,
        "images": images,
        "limits": limits,
        "language": language,
    }
    changes: dict[str, Any] = {name: value for name, value in values.items() if value is not None}
    base = options if options is not None else default_options()
    # Parameters are the first extractor's: another one has others.
    if named is not None:
        changes["parameters"] = parameters
    elif parameters:
        changes["parameters"] = dict(base.parameters) | parameters
    return replace(base, **changes) if changes else base


@cache
def default_options() -> Options:
    """The options of conf/default.toml."""
    return Options()


def check_extractors(names: Sequence[str], mode: str | None = None) -> tuple[str, ...]:
    """The names, if each is an extractor's and none is there twice, and one of them has the mode.

    Raises ValueError otherwise, TypeError for a name that is not a str.
    """
    if not names:
        raise ValueError(f"no extractor is named. Known: {', '.join(NAMES)}")
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"extractor must be str, not {type(name).__name__}")
        if name not in EXTRACTOR_TABLE:
            near = get_close_matches(name, NAMES, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"unknown extractor {name!r}{hint} Known: {', '.join(NAMES)}")
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise ValueError(f"extractor {twice[0]!r} is named twice")
    if mode is not None:
        if mode not in MODES:
            raise ValueError(f"unknown mode {mode!r}. Known: {', '.join(MODES)}")
        # Every extractor has the mode "balanced": it changes nothing.
        if MODES[mode] and not any("lean" in EXTRACTOR_TABLE[name].options for name in names):
            able = ", ".join(name for name in NAMES if "lean" in EXTRACTOR_TABLE[name].options)
            raise ValueError(f"extractor {names[0]!r} has no mode {mode!r}; these have: {able}")
    return tuple(names)

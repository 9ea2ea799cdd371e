# SPDX-License-Identifier: Apache-2.0
"""Options. Each is declared once, as a field of a frozen dataclass, with its default in conf/default.toml.

A dataclass is a section of the configuration. Its fields carry what the command line and the checks need: help, flags,
choices and bounds. To add an option, add its field here (or in thresher.config), its line in conf/default.toml, and
the code that uses it.
"""

# Without `from __future__ import annotations`: the types of the fields are looked at when values are checked.
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields, replace
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeVar, cast, dataclass_transform, get_args, get_origin

from thresher.errors import check_known, nearest
from thresher.native.choosing.registry import EXTRACTORS as EXTRACTOR_TABLE
from thresher.native.choosing.registry import NAMES
from thresher.python_extractors import is_python_extractor, known_python_extractors

Mode = Literal["precision", "balanced", "recall"]
Format = Literal["text", "markdown", "html", "source"]
Comments = Literal["auto", "keep", "drop"]
Captions = Literal["auto", "extractor", "keep", "drop"]
Titles = Literal["auto", "keep", "drop"]
Datelines = Literal["auto", "keep", "drop"]
Hidden = Literal["auto", "keep", "drop"]
Formulas = Literal["tex", "text", "drop"]
Tables = Literal["keep", "drop", "html"]

EXTRACTORS: Final[tuple[str, ...]] = NAMES

MODES: Final = {"precision": -0.5, "balanced": 0.0, "recall": 0.5}
"""The value of the extractor parameter `lean` for each mode."""

CAPTIONS: Final = {"auto": "auto", "extractor": "leave", "keep": "keep", "drop": "drop"}
"""The core's name for each way to treat captions and credits of pictures."""

TABLES: Final = {"keep": "leave", "drop": "drop", "html": "leave"}
"""The core's name for each way to treat data tables."""

_DEFAULTS: Final = Path(__file__).parent / "conf" / "default.toml"
_KNOB: Final = "knob"  # key of a field's metadata
_Class = TypeVar("_Class", bound=type)


class Knob(NamedTuple):
    """What an option declares besides its name, type and default."""

    help: str
    flags: tuple[str, ...] = ()
    """Its names on the command line. An option without any can only be set with `--set section.key=value`."""
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: float = 0
    most: float | None = None
    example: str = ""
    """How it is typed. --help shows the options that have an example, --help-all all of them."""
    repeatable: bool = False
    """Whether the option of a list may be given several times."""


def knob(
    help: str,  # noqa: A002 (click's word)
    *flags: str,
    **about: Any,  # noqa: ANN401 (fields of Knob)
) -> Any:  # noqa: ANN401 (a field of any type)
    """Declares a field of a section. Its default is the value in conf/default.toml."""
    return Knob(help, flags, **about)


@cache
def defaults() -> dict[str, dict[str, Any]]:
    """The contents of conf/default.toml, read when the first default is needed, not when thresher is imported."""
    import tomllib

    return tomllib.loads(_DEFAULTS.read_text("utf-8"))


def _default(section: str, key: str) -> object:
    return defaults()[section][key]


@dataclass_transform(frozen_default=True, kw_only_default=True)
def section(name: str) -> Callable[[_Class], _Class]:
    """Turns a class whose fields come from knob() into a frozen dataclass: the section `name` of the configuration."""

    def make(cls: _Class) -> _Class:
        for key, value in list(vars(cls).items()):
            if isinstance(value, Knob):
                of: Any = cls.__annotations__[key]
                words = get_args(of) if get_origin(of) == Literal else ()
                about = {_KNOB: value._replace(choices=words or value.choices)}
                setattr(cls, key, field(default_factory=partial(_default, name, key), metadata=about))
        made: Any = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=True)(cls)
        made.section = name
        made.values = attrgetter(*(each.name for each in fields(made)))
        return cast("_Class", made)

    return make


def knobs(cls: type[Any]) -> dict[str, tuple[Field[Any], Knob]]:
    """The fields of a section that can be set in the configuration, by name."""
    return {each.name: (each, each.metadata[_KNOB]) for each in fields(cls) if _KNOB in each.metadata}


class Section:
    """Base class of all sections. It checks and converts values when an object is made.

    Its methods are written once here: generating them for each section takes 20 ms of every start.
    """

    __slots__ = ()
    section: ClassVar[str]
    values: ClassVar[Callable[[Any], tuple[Any, ...]]]
    """The values of a section's fields, in order."""

    def __init__(self, **values: Any) -> None:  # noqa: ANN401 (the fields of a section)
        """Raises TypeError or ValueError, naming the option, the value and what is allowed."""
        for each in fields(self):  # type: ignore[arg-type]
            value = values.pop(each.name) if each.name in values else _default_of(each)
            if _KNOB in each.metadata:
                value = _convert(each.name, value, each.type)
                _check_bounds(each.name, value, each.metadata[_KNOB])
            object.__setattr__(self, each.name, value)
        for name in values:
            hint = nearest(name, (each.name for each in fields(self)))  # type: ignore[arg-type]
            raise TypeError(f"{type(self).__name__} got an unexpected keyword argument {name!r}{hint}")
        self.check()

    def __setattr__(self, name: str, _: object) -> None:
        """Raises FrozenInstanceError, as __delattr__ does."""
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        """Whether this is the same section with the same values."""
        return type(self).values(self) == type(self).values(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        """The hash of the values."""
        return hash(type(self).values(self))

    def __getstate__(self) -> tuple[Any, ...]:
        """The values, for pickle."""
        return type(self).values(self)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Takes values that were checked before."""
        for each, value in zip(fields(self), state, strict=True):  # type: ignore[arg-type]
            object.__setattr__(self, each.name, value)

    def check(self) -> None:
        """Raises ValueError if options contradict each other."""

    def to_dict(self) -> dict[str, Any]:
        """The section as plain data, as in the configuration file."""
        values = {name: getattr(self, name) for name in knobs(type(self))}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def __repr__(self) -> str:
        """The class name and the values that differ from the defaults."""
        usual = type(self)()
        values = ((each.name, getattr(self, each.name)) for each in fields(self))  # type: ignore[arg-type]
        changed = [f"{name}={value!r}" for name, value in values if value != getattr(usual, name)]
        return f"{type(self).__name__}({', '.join(changed)})"


def _default_of(each: Field[Any]) -> object:
    return each.default_factory() if each.default_factory is not MISSING else each.default


def _convert(name: str, value: Any, type_: Any) -> Any:  # noqa: ANN401 (any option's value)
    """`value` as the option's type: lists become tuples, integers floats. Raises TypeError for any other type."""
    if isinstance(type_, UnionType):
        if value is None:
            return None
        type_ = get_args(type_)[0]
    if get_origin(type_) is Literal:
        if not isinstance(value, str):  # _check_bounds looks whether it is a choice
            raise TypeError(f"{name} must be one of {', '.join(get_args(type_))}, not {value!r}")
        type_ = str
    if isinstance(type_, GenericAlias):
        item = get_args(type_)[0]
        if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
            return tuple(_convert(name, each, item) for each in value)
        raise TypeError(f"{name} must be a sequence of {item.__name__}, not {value!r}")
    if type_ is float and isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise ValueError(f"{name} is too large a number") from None
    if isinstance(value, type_) and (type_ is bool or not isinstance(value, bool)):
        return value
    raise TypeError(f"{name} must be {type_.__name__}, not {value!r}")


def _check_bounds(name: str, value: object, about: Knob) -> None:
    if isinstance(value, tuple) and "" in value:
        raise ValueError(f"{name} must not hold an empty text")  # which no page has
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, str) and about.choices and each not in about.choices:
            hint = nearest(each, about.choices).removesuffix(".")
            raise ValueError(f"{name} must be one of {', '.join(about.choices)}, not {each!r}{hint}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not value >= about.least:  # NaN is refused too
            raise ValueError(f"{name} must be at least {about.least:,}, not {value:,}")
        if about.most is not None and value > about.most:
            raise ValueError(f"{name} must be at most {about.most:,}, not {value:,}")


@section("limits")
class Limits(Section):
    """What one page may cost. A page over a limit yields what was read up to it, and its status names the limit."""

    max_bytes: int = knob("Bytes of a page, in UTF-8. The rest is not parsed.", least=1, most=1 << 27)
    max_nodes: int = knob("Nodes of the tree: elements, texts and comments.", least=1, most=1 << 28)
    max_depth: int = knob("Depth of nested elements. Deeper ones become siblings, as in Blink.", least=1, most=1 << 28)
    max_attributes: int = knob("Attributes of all elements together.", least=1, most=1 << 28)


@section("language")
class LanguageOptions(Section):
    """How the language of the main text is identified."""

    max_letters: int = knob("Letters of the main text to look at.")
    min_letters: int = knob("A text with fewer letters gets the language `und`.")
    min_score: float = knob("A text whose best language scores lower gets the language `und`.")
    model: str = knob(
        "What identifies languages: lid176 (built in), cld2, py3langid, or the path of a fastText model (.bin, .ftz).",
        "--language-model",
        metavar="NAME|FILE",
        example="--language-model cld2",
    )
    fasttext: str = knob("Path of the fastText model whose opinion is the column language_fasttext.")
    blocks: bool = knob("With --blocks: identify the language of each block too, about 0.03 ms each.")


@section("read")
class CaptureOptions(Section):
    """Which records are pages.

    A page may be read only in part. `content_truncated` then says why: "limit" for a payload longer than
    `max_payload_bytes`, "record" for one whose gzip member or frame ends before its Content-Length says so, "encoding"
    for broken chunks or compression, "markup" for a feed with broken XML, and "segment" for a page whose rest is in
    records of type continuation, which are not read. What the crawler says itself (WARC-Truncated) takes precedence.
    """

    statuses: tuple[int, ...] | None = knob(
        "HTTP statuses of pages; None allows any. Resource records have no status and always pass."
    )
    max_payload_bytes: int = knob("Bytes read of a payload.", least=1)
    plain_text: bool = knob("Take text/plain records as pages too, except robots.txt.")
    feeds: bool = knob("Take feeds (RSS, Atom) as pages too, one for each feed, with all of its entries.")
    html_column: str = knob("JSON Lines and Parquet: the column with the HTML.", "--html-column", metavar="NAME")
    url_column: str = knob("JSON Lines and Parquet: the column with the URL.", "--url-column", metavar="NAME")
    robots: tuple[str, ...] = knob(
        "Archives with records of robots.txt, for the columns of rights and the table hosts; every worker reads "
        "them whole.",
        "--robots",
        metavar="IN,…",
    )
    url_prefix: str = knob("HTML files: text before the path that makes it a URL; https:// for the folders of wget -r.")
    record_types: frozenset[str] = frozenset({"response", "resource"})
    """Types of WARC records that may hold pages."""
    keep_head: bool = False
    """Keep the HTTP head of each page, for the columns of rights."""
    robots_only: bool = False
    """Read records of robots.txt and /.well-known/tdmrep.json, and nothing else."""

    def check(self) -> None:
        """Raises TypeError for record types that are no set: `in` would look for parts of a str."""
        if not isinstance(self.record_types, frozenset):
            raise TypeError(f"record_types must be a frozenset of str, not {self.record_types!r}")


@section("filter")
class Filters(Section):
    """Which pages are written. A page that a filter leaves out is counted in `skipped`, under the filter's name."""

    where: str = knob(
        "Keep only pages for which this condition on the columns of a row holds, written as in SQL: "
        "\"language = 'ell' AND NOT url LIKE '%/tag/%'\".",
        "--where",
        metavar="CONDITION",
        example="--where \"confidence >= 0.8 AND NOT url LIKE '%/tag/%'\"",
    )
    hosts: tuple[str, ...] = knob(
        "Keep only pages of these hosts.", "--host", metavar="NAME,…", example="--host example.org,www.example.org"
    )
    domains: tuple[str, ...] = knob("Keep only pages of these registered domains.", "--domain", metavar="NAME,…")
    urls: tuple[str, ...] = knob(
        "Keep only pages whose URL matches one of these patterns; * stands for any text.",
        "--url-pattern",
        metavar="PATTERN,…",
    )
    exclude: str = knob(
        "Leave out pages of the domains and addresses in this file, one a line, as in UT1's blacklists.",
        "--exclude",
        metavar="FILE",
        example="--exclude adult/domains",
    )
    mime_types: tuple[str, ...] = knob("Keep only pages of these media types.", "--mime", metavar="TYPE,…")
    since: str = knob("Keep only pages captured at this time or later, such as 2026-11-20.", "--since", metavar="TIME")
    before: str = knob("Keep only pages captured earlier than this time.", "--before", metavar="TIME")
    languages: tuple[str, ...] = knob(
        "Keep only pages whose text is in one of these languages (ISO 639: ell or el).",
        "--language",
        metavar="CODE,…",
        example="--language ell,eng",
    )
    min_language_share: float = knob(
        "With --language: keep pages of which at least this share of the letters is in these languages, counted line "
        "by line; 0 asks for the main language alone.",
        "--min-language-share",
        metavar="SHARE",
        most=1,
    )
    min_language_score: float = knob("Least score of the language.", most=1)
    min_confidence: float = knob(
        "Keep only pages whose text has at least this expected F1.", "--min-confidence", metavar="F1", most=1
    )
    min_words: int = knob(
        "Keep only pages whose text has at least N words.", "--min-words", metavar="N", example="--min-words 50"
    )
    quality: tuple[str, ...] = knob(
        "Keep only pages whose text passes these heuristics for English: gopher, repetition, c4, fineweb.",
        "--quality",
        metavar="NAME,…",
        choices=("gopher", "repetition", "c4", "fineweb"),
    )


@section("extract")
class Options(Section):
    """Everything that the extraction of a page depends on. Defaults come from conf/default.toml.

    Options can be compared, hashed and pickled. `dataclasses.replace(options, mode="recall")` returns a changed copy.
    """

    extractors: tuple[str, ...] = knob(
        "Extractor of the main text. Further names, comma-separated, each get a text of their own from the same parse. "
        f"Known: {', '.join(NAMES)}. The first may be a Python function, module:function.",
        "--extractors",
        "--extractor",
        metavar="NAME,…",
        example="--extractors thresher,cetd",
    )
    mode: Mode = knob(
        "Keep less text (precision) or more (recall) than balanced. Only for thresher.",
        "--mode",
        example="--mode precision",
    )
    format: Format = knob(
        "Output format: plain text, Markdown (CommonMark with GitHub's tables), minimal, safe HTML (html), or the"
        " page's own elements around the main text with their attributes, made safe (source).",
        "--format",
        example="--format markdown",
    )
    comments: Comments = knob(
        "Readers' comments: kept, dropped, or judged by the extractor (auto), which keeps none on recipes.",
        "--comments",
        example="--comments drop",
    )
    captions: Captions = knob(
        "Captions and credits of pictures: dropped on pages that declare a news article and judged by the extractor on "
        "others (auto), always judged by the extractor (extractor), kept or dropped.",
        "--captions",
    )
    titles: Titles = knob(
        "The headline of the page: kept if it heads the kept text (auto), always kept, or dropped. It is the heading "
        "with most words of the title, otherwise the first h1.",
        "--titles",
        example="--titles keep",
    )
    datelines: Datelines = knob(
        "Authors, dates, sources, reading times, categories and tags of the main content, and names and dates of posts:"
        " kept, dropped, or judged by the extractor (auto).",
        "--datelines",
        example="--datelines drop",
    )
    hidden: Hidden = knob(
        "Hidden text (display: none, noscript, aria-hidden and the like): judged by the extractor (auto), judged as if "
        "it were shown (keep), or never in the text (drop).",
        "--hidden",
    )
    tables: Tables = knob(
        "Data tables: kept, dropped, or kept and written as HTML where Markdown cannot hold them (html): with cells "
        "that span others, lists, code or several paragraphs. Tables used for layout are not affected.",
        "--tables",
        example="--tables html",
    )
    formulas: Formulas = knob(
        "Formulas: as TeX between dollars (tex), as the text that the page shows (text), or left out (drop).",
        "--formulas",
        example="--formulas text",
    )
    links: bool = knob(
        "Keep or drop the addresses of links. Only in Markdown and HTML.",
        "--links/--no-links",
        example="--format markdown --links",
    )
    images: bool = knob("Keep or drop images and their addresses. Only in Markdown and HTML.", "--images/--no-images")
    limits: Limits = field(default_factory=Limits)
    """What one page may cost."""
    language_options: LanguageOptions = field(default_factory=LanguageOptions)
    """How the language of the text is identified."""
    parameters: tuple[tuple[str, float], ...] = ()
    """Parameters of the first extractor: pairs of name and value, or a mapping."""

    def check(self) -> None:
        """Raises TypeError for a wrong type or unknown parameter, ValueError for options that contradict each other."""
        for name, type_ in (("limits", Limits), ("language_options", LanguageOptions)):
            if not isinstance(getattr(self, name), type_):
                raise TypeError(f"{name} must be {type_.__name__}, not {getattr(self, name)!r}")
        given: Any = self.parameters
        pairs = sorted(given.items() if isinstance(given, Mapping) else given)
        check_extractors(self.extractors, self.mode)
        if self.extractors[0] in known_python_extractors():
            self._check_python()
            known: Mapping[str, float] = {}
        else:
            known = EXTRACTOR_TABLE[self.extractors[0]].options
        for name, value in pairs:
            if name not in known:
                own = [each.name for each in fields(self) if each.name != "parameters"]
                if (hint := nearest(name, own)) != ".":
                    raise TypeError(f"there is no option {name!r}{hint}")
                options = f"Options: {', '.join(own)}. Parameters of {self.extractors[0]}: {', '.join(known) or 'none'}"
                raise TypeError(f"there is no option {name!r}. {options}")
            if not isinstance(value, int | float):
                raise TypeError(f"option {name!r} must be a number, not {type(value).__name__}")
            if not abs(value) <= sys.float_info.max:  # nor is anything true of nan
                raise ValueError(f"option {name!r} must be a finite number")
        object.__setattr__(self, "parameters", tuple((name, float(value)) for name, value in pairs))
        for name in ("links", "images"):
            if getattr(self, name) and self.format == "text":
                raise ValueError(f"{name}: plain text cannot hold {name}; use the format markdown, html or source")

    def _check_python(self) -> None:
        """Raises ValueError for options that a Python extractor, which is the first one, cannot obey."""
        name = self.extractors[0]
        if self.format != "text":
            raise ValueError(f"format: the Python extractor {name!r} gives text as it is; use the format text")
        if len(self.extractors) > 1:
            return
        for option in ("comments", "captions", "titles", "datelines", "hidden", "tables", "formulas"):
            if getattr(self, option) != defaults()[self.section][option]:
                raise ValueError(f"{option}: the Python extractor {name!r} decides this itself; leave the option out")


def make_options(
    options: Options | None = None,
    *,
    extractor: str | None = None,
    extractors: Sequence[str] | None = None,
    **keywords: Any,  # noqa: ANN401 (fields of Options, and parameters)
) -> Options:
    """`options` (by default those of conf/default.toml), changed by the keywords, which thresher.extract() describes:
    fields of Options, of which None changes nothing, and parameters of the first extractor.

    Raises TypeError for a wrong type or an unknown parameter, ValueError for a value that is not allowed.
    """
    if extractor is not None and extractors is not None:
        raise TypeError("give extractor or extractors, not both")
    if extractor is not None and not isinstance(extractor, str):
        raise TypeError(f"extractor must be str, not {type(extractor).__name__}")
    named = extractors if extractor is None else (extractor,)
    changes = {name: value for name, value in keywords.items() if name in KEYWORDS and value is not None}
    parameters = {name: value for name, value in keywords.items() if name not in KEYWORDS}
    if named is not None:
        changes["extractors"] = named
    base = options if options is not None else default_options()
    if not isinstance(base, Options):
        raise TypeError(f"options must be Options, not {type(base).__name__}")
    # Parameters are the first extractor's: another one has others.
    if named is not None:
        changes["parameters"] = parameters
    elif parameters:
        changes["parameters"] = dict(base.parameters) | parameters
    return replace(base, **changes) if changes else base


KEYWORDS: Final = tuple(each.name for each in fields(Options) if each.name not in ("extractors", "parameters"))
"""The keywords of make_options() that are fields of Options."""


@cache
def default_options() -> Options:
    """The options of conf/default.toml."""
    return Options()


def check_extractors(names: Sequence[str], mode: str | None = None) -> tuple[str, ...]:
    """The names, after checking that each is an extractor, none occurs twice, and one of them supports the mode.

    Raises ValueError if one check fails, TypeError for a name that is not a str.
    """
    if not names:
        raise ValueError(f"no extractor given. Known: {', '.join(NAMES)}")
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"extractor must be str, not {type(name).__name__}")
        if is_python_extractor(name):
            if name not in known_python_extractors():
                raise ValueError(
                    f"the Python extractor {name!r} is not loaded; only the command line loads one (--extractor {name})"
                )
            if name != names[0]:
                raise ValueError(f"the Python extractor {name!r} must be the first: its text becomes the column text")
        else:
            check_known([name], NAMES, "extractor", ValueError)
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise ValueError(f"extractor {twice[0]!r} is named twice")
    if mode is not None:
        check_known([mode], MODES, "mode", ValueError)
        # Every extractor has the mode "balanced": it changes nothing.
        if MODES[mode] and not any(
            "lean" in EXTRACTOR_TABLE[name].options for name in names if name in EXTRACTOR_TABLE
        ):
            able = ", ".join(name for name in NAMES if "lean" in EXTRACTOR_TABLE[name].options)
            raise ValueError(f"extractor {names[0]!r} has no mode {mode!r}; these do: {able}")
    return tuple(names)

# SPDX-License-Identifier: Apache-2.0
"""Selects the pages that a run writes, and their columns.

A filter is tested as soon as everything that it reads is known: URL, host, media type, status and time before the page
is parsed, everything else when the row is finished (in a run with templates, after the second pass).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache, partial
from html import unescape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa

from thresher.config import Configuration
from thresher.errors import ConfigError
from thresher.native.base.characters import measure
from thresher.page.columns import PAGES, PageRow, Source, text_column, values
from thresher.page.language_models import BUILT_IN
from thresher.page.result import NOT_EXTRACTED
from thresher.page_types import GROUPS as TYPE_GROUPS
from thresher.page_types import TYPES
from thresher.reading.captures import MAX_SHOWN, Rejection
from thresher.rows.expressions import DAY, NUMBER, TEXT, TIME, Condition, like, moment_of, parse_condition
from thresher.rows.routing import ROUTES, agreement_of, route_of
from thresher.rows.tables import further_columns, further_extractors
from thresher.schemas import TABLES
from thresher.schemas.pages import (
    AGREEMENT,
    DERIVED,
    EXTRACTOR_AGREEMENT,
    GROUPS,
    LANGUAGE_MODELS,
    LANGUAGES,
    QUALITY_HEURISTICS,
    ROUTE,
    STATUSES,
    language_column,
    quality_column,
)
from thresher.schemas.table import ADDRESSES, SHARES, TIMESTAMP
from thresher.terminal import one_line
from thresher.writing.file_format import COLUMNS

if TYPE_CHECKING:
    from datetime import datetime

    from thresher.options import Filters
    from thresher.page.quality import Checked
    from thresher.reading.captures import Capture

_BEFORE_PARSING: Final = frozenset(
    name
    for name, source in PAGES.items()
    if isinstance(source, str) and not source.startswith(("result.", "extractor"))
)
"""The columns that are known before a page is parsed."""

PLAIN_TEXT: Final = "plain_text"
"""A column beside those of `pages`, until the rows are finished: what is derived from a text is not of its markup."""
_WRITTEN: Final = frozenset(("where", "time"))  # filters that are conditions in SQL
_QUALITY: Final = frozenset(map(quality_column, QUALITY_HEURISTICS))

_CLOSED: Final[Mapping[str, Collection[str]]] = {
    "status": STATUSES,
    "type": TYPES,
    "type_group": TYPE_GROUPS,
    ROUTE: ROUTES,
}
"""Columns of which all values are known."""
_KINDS: Final = {pa.string(): TEXT, TIMESTAMP: TIME, pa.date32(): DAY}


@dataclass(frozen=True, slots=True)
class _Filter:
    reason: str
    condition: Condition
    rule: Callable[[Sequence[Any]], str | None] | None = None
    """The rule that leaves out a page with these values, where the filter has several."""

    def rejection(self, row: Sequence[Any]) -> Rejection:
        """Why a page with these values in the condition's columns is left out."""
        if self.rule is not None:
            return Rejection(self.reason, rule=self.rule(row), value=_shown(row[0]))
        if self.reason == "quality":
            return Rejection(self.reason, rule=row[0])
        if self.reason not in _WRITTEN:
            return Rejection(self.reason, value=_shown(row[0]))
        named = dict(zip(self.condition.columns, row, strict=True))
        value = ", ".join(f"{name} = {_shown(each)}" for name, each in named.items())
        return Rejection(self.reason, one_line(self.condition.text, MAX_SHOWN), value)


def _shown(value: object) -> str:
    return "null" if value is None else one_line(str(value), MAX_SHOWN)


class Selection:
    """The filters of a configuration, and the columns that it writes."""

    def __init__(self, configuration: Configuration) -> None:
        """Raises ConfigError for an invalid condition or column."""
        further = further_columns(configuration)
        self.columns = written_columns(configuration.write.columns, further)
        """The names of the columns of `pages`, in order."""
        write = configuration.write
        needed = COLUMNS.get(write.to, ())
        if missing := [name for name in needed if name not in self.columns]:
            raise ConfigError(f"write.columns: {write.to} needs {', '.join(missing)} too")
        self.schema: pa.Schema = TABLES["pages"].only(self.columns).to_arrow()
        """The schema of what is written."""
        known = [*TABLES["pages"].written((*further, *DERIVED)).columns]
        kinds = {
            column.name: _KINDS.get(column.type, NUMBER)
            for column in known
            if not column.measured and column.type not in (SHARES, ADDRESSES)
        }
        filters = _filters(configuration.filter, kinds, configuration.extract.language_options.model)
        self._before = [each for each in filters if _BEFORE_PARSING.issuperset(each.condition.columns)]
        self._sources: list[Sequence[Source]] = [
            [PAGES[name] for name in each.condition.columns] for each in self._before
        ]
        self._after = [each for each in filters if each not in self._before]
        self._has_all_columns = self.columns == written_columns((), further)
        self._derived = [name for name in self.columns if name in DERIVED]
        self._derive = derivations(configuration, self.columns)
        read = {name for each in self._after for name in each.condition.columns}.union(self._derived)
        if configuration.templates.known and "duplicate_of" not in read.union(self.columns):
            raise ConfigError(
                "templates.known: copies of earlier pages are named in duplicate_of; add it to write.columns, or leave "
                'them out: --where "duplicate_of IS NULL"'
            )
        self._quality = sorted(_QUALITY & read)
        self.needs_plain_text = configuration.extract.format != "text" and not _OF_PLAIN_TEXT.isdisjoint(read)
        """True if columns are derived from texts that are written as markup."""
        if self._after:
            _check_confidence(configuration, self._after)
            import pyarrow.compute  # noqa: F401 (RecordBatch.filter() needs it)

    @property
    def changes_rows(self) -> bool:
        """True if finish() does anything."""
        return bool(self._after) or not self._has_all_columns

    @property
    def reads_rows(self) -> bool:
        """True if it does more than to leave columns out."""
        return bool(self._after or self._derived)

    def reject(self, capture: Capture, host: str | None, domain: str | None, segment: str | None) -> Rejection | None:
        """Why a page is left out before it is parsed; None if it is not."""
        if not self._before:
            return None
        row = PageRow(capture, NOT_EXTRACTED, "", host, domain, segment)
        for each, sources in zip(self._before, self._sources, strict=True):
            found = [values(source, (row,))[0] for source in sources]
            if not each.condition.test(found):
                return each.rejection(found)
        return None

    def with_plain_text(self, batch: pa.RecordBatch, rows: Sequence[PageRow]) -> pa.RecordBatch:
        """A batch with the plain texts of its rows beside it, if columns are derived from them; finish() drops them."""
        if not self.needs_plain_text:
            return batch
        texts = [None if row.result.plain is None else row.result.plain.decode("utf-8", "replace") for row in rows]
        return pa.RecordBatch.from_arrays(
            [*batch.columns, pa.array(texts, pa.string())],
            schema=batch.schema.append(pa.field(PLAIN_TEXT, pa.string())),
        )

    def finish(self, batch: pa.RecordBatch) -> tuple[pa.RecordBatch, list[Rejection | None]]:
        """The finished rows of a batch to write, with their columns; and for each row of the batch why it is left out,
        or None.
        """
        found = _Rows(batch, self._derive, self._quality)
        reasons: list[Rejection | None] = [None] * batch.num_rows
        for each in self._after:
            places = [place for place, reason in enumerate(reasons) if reason is None]
            columns = [found.column(name, places) for name in each.condition.columns]
            test = each.condition.test
            for place in places:
                row = [column[place] for column in columns]
                if not test(row):
                    reasons[place] = each.rejection(row)
        kept = [place for place, reason in enumerate(reasons) if reason is None]
        if any(reasons):
            batch = batch.filter(pa.array([reason is None for reason in reasons]))
        derived = {name: found.column(name, kept) for name in self._derived}
        arrays = [
            pa.array([derived[field.name][place] for place in kept], field.type)
            if field.name in derived
            else batch[field.name]
            for field in self.schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema), reasons


_OF_EXTRACTION: Final = frozenset((EXTRACTOR_AGREEMENT, ROUTE))
"""Derived columns that say nothing of a text from elsewhere."""
_OF_PLAIN_TEXT: Final = frozenset(DERIVED) - {EXTRACTOR_AGREEMENT}  # which compares texts as they are written


class Derivation(NamedTuple):
    columns: tuple[str, ...]
    value: Callable[..., Any]
    """The value for those of these columns."""


def _of_text(value: Callable[[str, str], Any]) -> Derivation:
    """A column that is computed from text and language, and null without a text."""
    return Derivation(("text", "language"), lambda text, language: None if text is None else value(text, language))


_ELEMENTS: Final = frozenset(("html", "source"))  # formats
_TAG: Final = re.compile(r"<[^<>]*>")


class _Rows:
    """The columns of a batch as Python values, converted on first use."""

    def __init__(self, batch: pa.RecordBatch, derive: Mapping[str, Derivation], quality: Sequence[str]) -> None:
        """`quality` are the columns of quality that will be asked for: they are derived together, a text's words are
        split once.
        """
        self._batch = batch
        self._derive = derive
        self._quality = quality
        self._columns: dict[str, list[Any]] = {}
        self._derived: dict[str, dict[int, Any]] = {}

    def column(self, name: str, places: Sequence[int]) -> Sequence[Any] | Mapping[int, Any]:
        """A column by place. One that is derived from the text has values only at places that were asked for."""
        if name not in DERIVED:
            if name not in self._columns:
                self._columns[name] = self._batch[name].to_pylist()
            return self._columns[name]
        together = self._quality if name in _QUALITY else (name,)
        is_plain = name in _OF_PLAIN_TEXT and PLAIN_TEXT in self._batch.schema.names
        judged = {"text": PLAIN_TEXT} if is_plain else {}
        columns = [self.column(judged.get(each, each), places) for each in self._derive[name].columns]
        known = [self._derived.setdefault(each, {}) for each in together]
        for place in places:
            if place not in known[0]:
                row = [column[place] for column in columns]
                for each, values_ in zip(together, known, strict=True):
                    values_[place] = self._derive[each].value(*row)
        return self._derived[name]


@lru_cache(maxsize=1)
def _checked(text: str, language: str) -> Checked:
    from thresher.page.quality import Checked

    return Checked(text, language)


def _quality_of(heuristic: str) -> Derivation:
    def derive(text: str, language: str) -> str:
        from thresher.page.quality import QUALITY

        return QUALITY[heuristic](_checked(text, language))

    return _of_text(derive)


def derivations(configuration: Configuration, columns: Collection[str]) -> dict[str, Derivation]:
    """What computes each derived column from text and language in a run that writes these columns. Raises ConfigError
    for a language model that cannot be loaded.
    """
    from thresher.page.language import opinion, shares_of
    from thresher.page.language_models import FASTTEXT, language_model

    options = configuration.extract.language_options
    models = {name: options.fasttext or options.model if name == FASTTEXT else name for name in LANGUAGE_MODELS}
    asked = [name for name in LANGUAGE_MODELS if language_column(name) in columns]
    further = tuple(text_column(name) for name in further_extractors(configuration))

    def opinion_of(name: str) -> Derivation:
        return _of_text(lambda text, _: opinion(text, models[name], options))

    def agreement(text: str, language: str) -> float | None:
        found = [opinion(text, models[name], options) == language for name in asked]
        return sum(found) / len(found) if found else None

    try:
        for name in [options.model] * (options.model != BUILT_IN) + [models[name] for name in asked]:
            language_model(name)
    except ValueError as error:
        raise ConfigError(f"language.model: {error}") from None
    return {
        "n_text_words": _of_text(lambda text, _: measure(text.encode("utf-8", "replace"))[1]),
        **{quality_column(name): _quality_of(name) for name in QUALITY_HEURISTICS},
        LANGUAGES: _of_text(lambda text, language: shares_of(text, language, options)),
        **{language_column(name): opinion_of(name) for name in LANGUAGE_MODELS},
        AGREEMENT: _of_text(agreement),
        EXTRACTOR_AGREEMENT: Derivation(("text", *further), lambda text, *others: agreement_of(text, others)),
        ROUTE: Derivation(
            ("status", "text", "confidence", "type", EXTRACTOR_AGREEMENT), partial(route_of, configuration.route)
        ),
    }


def derive_columns(configuration: Configuration, batch: pa.RecordBatch, places: Sequence[int]) -> dict[str, list[Any]]:
    """The derived columns of a batch of finished rows whose texts were replaced at these places; null where a column
    that is needed was not written.
    """
    names = set(batch.schema.names)
    wanted = [name for name in batch.schema.names if name in DERIVED]
    derive = derivations(configuration, wanted)
    if configuration.extract.format in _ELEMENTS:
        plain = [text and unescape(_TAG.sub(" ", text)) for text in batch["text"].to_pylist()]
        batch = batch.append_column(PLAIN_TEXT, pa.array(plain, pa.string()))
    rows = _Rows(batch, derive, sorted(_QUALITY.intersection(wanted)))
    nulls: list[Any] = [None] * len(places)
    return {
        name: [rows.column(name, places)[place] for place in places]
        if names.issuperset(derive[name].columns) and name not in _OF_EXTRACTION
        else nulls
        for name in wanted
    }


def language_models(configuration: Configuration) -> dict[str, dict[str, str]]:
    """The model of each column that a run writes of a language, with the SHA-256 of its file."""
    from thresher.page.language_models import FASTTEXT, language_model

    options = configuration.extract.language_options
    columns = written_columns(configuration.write.columns, further_columns(configuration))
    names = {"language": options.model}
    for name in LANGUAGE_MODELS:
        if language_column(name) in columns:
            names[language_column(name)] = options.fasttext or options.model if name == FASTTEXT else name
    return {column: language_model(name).about() for column, name in names.items()}


def _in_group(name: str) -> list[str]:
    """The columns that a name of write.columns stands for."""
    plus = "+" if name.startswith("+") else ""
    return [plus + column for column in GROUPS.get(name.removeprefix("+"), (name.removeprefix("+"),))]


def written_columns(wanted: Sequence[str], further: Sequence[str]) -> tuple[str, ...]:
    """The columns of `pages` that a run with these further texts writes, in order. Raises ConfigError for an unknown
    column.
    """
    wanted = [each for name in wanted for each in _in_group(name)]
    usual = TABLES["pages"].written(further).names()
    possible = TABLES["pages"].written((*further, *DERIVED)).names()
    for name in wanted:
        if name.removeprefix("+") not in possible:
            everywhere = TABLES["pages"].names()
            if name.removeprefix("+") in everywhere:
                raise ConfigError(f"write.columns: {name} is only in a run with that further extractor (--extractors)")
            plus = name.startswith("+")
            near = get_close_matches(name[plus:], possible, n=1, cutoff=0.0)
            raise ConfigError(f"write.columns: there is no column {name[plus:]!r}; did you mean {near[0]!r}?")
    named = {name.removeprefix("+") for name in wanted}
    if all(name.startswith("+") for name in wanted):
        named.update(usual)
    return tuple(name for name in possible if name in named)


def _filters(filters: Filters, kinds: Mapping[str, str], model: str) -> list[_Filter]:
    """The filters that are set, cheap ones first."""
    found: list[_Filter] = []

    def add(reason: str, columns: Sequence[str], test: Callable[[Sequence[Any]], bool]) -> None:
        found.append(_Filter(reason, Condition(reason, tuple(columns), test)))

    _check_hosts(filters)
    if filters.hosts:
        hosts = frozenset(map(str.lower, filters.hosts))
        add("host", ["url_host_name"], lambda row: row[0] in hosts)
    if filters.domains:
        domains = frozenset(map(str.lower, filters.domains))
        add("domain", ["url_host_registered_domain"], lambda row: row[0] in domains)
    if filters.urls:
        patterns = [like(pattern, many="*", one="") for pattern in filters.urls]
        add("url", ["url"], lambda row: any(matches(row[0]) for matches in patterns))
    if filters.exclude:
        found.append(_exclusion(filters.exclude))
    if filters.mime_types:
        types = frozenset(map(str.lower, filters.mime_types))
        add("mime", ["content_mime_detected", "content_mime_type"], lambda row: (row[0] or row[1]) in types)
    found += _times(filters, kinds)
    if filters.languages:
        found.append(_language(filters, model))
    elif filters.min_language_share:
        raise ConfigError("filter.min_language_share: a share of which languages? Add --language CODE,…")
    for reason, column, least in (
        ("language_score", "language_score", filters.min_language_score),
        ("confidence", "confidence", filters.min_confidence),
        ("words", "n_text_words", filters.min_words),
    ):
        if least:
            add(reason, [column], _at_least(least))
    for name in filters.quality:
        add("quality", [quality_column(name)], lambda row: row[0] == "ok")
    if filters.where:
        found += [_Filter("where", each) for each in _where(filters.where, kinds, model)]
    return found


def _where(text: str, kinds: Mapping[str, str], model: str) -> list[Condition]:
    """The conditions of filter.where, whose values are possible ones."""
    if "language" not in text.lower():
        return parse_condition(text, kinds, closed=_CLOSED)
    from thresher.page.language import known_languages, language_names
    from thresher.page.language_models import BIBLIOGRAPHIC, iso_639_3

    closed = dict(_CLOSED)
    with suppress(ValueError):  # said of the model, when it is loaded
        closed["language"] = known_languages(model)
    return parse_condition(text, kinds, closed=closed, names=language_names() | iso_639_3() | BIBLIOGRAPHIC)


def _check_hosts(filters: Filters) -> None:
    """Raise ConfigError for a host or a domain that no page can have: it would leave out every page."""
    from thresher.page.hosts import host_and_domain, registered_domain

    for each in (*filters.hosts, *filters.domains):
        if "/" in each:
            name = host_and_domain(each if "://" in each else f"http://{each}")[0]
            raise ConfigError(f"filter: {each!r} is a URL and no host{f'; give {name}' if name else ''}")
        if "*" in each:
            raise ConfigError(f"filter: {each!r} is a pattern and no host; give it to --url-pattern, or name a domain")
    for each in filters.domains:
        domain = registered_domain(each.lower())
        if domain != each.lower():
            what = f"; give {domain}, or the host with --host" if domain else ""
            raise ConfigError(f"filter.domains: {each!r} is no registered domain{what}")


def _times(filters: Filters, kinds: Mapping[str, str]) -> list[_Filter]:
    """The filters by time. Raises ConfigError for times between which there is none."""
    found: list[_Filter] = []
    moments: list[datetime] = []
    for name, sign in (("since", ">="), ("before", "<")):
        if text := getattr(filters, name).replace("'", ""):
            conditions = parse_condition(f"fetch_time {sign} '{text}'", kinds, where=f"filter.{name}")
            found += [_Filter("time", each) for each in conditions]
            moments.append(moment_of(text))
    if moments != sorted(set(moments)):
        raise ConfigError(f"filter.since: no time is at {filters.since} or later and before {filters.before}")
    return found


def _language(filters: Filters, model: str) -> _Filter:
    languages, least = _language_codes(filters.languages, model), filters.min_language_share
    if not least:
        return _Filter("language", Condition("language", ("language",), lambda row: row[0] in languages))

    def has_share(row: Sequence[Any]) -> bool:
        return bool(sum(n for code, n in row[0] or () if code in languages) >= least)

    return _Filter("language", Condition("language", (LANGUAGES,), has_share))


def _exclusion(file: str) -> _Filter:
    from thresher.rows.exclusions import read_exclusions  # only where it is asked for

    entry = read_exclusions(file).entry
    condition = Condition("exclude", ("url", "url_host_name"), lambda row: entry(*row) is None)
    return _Filter("exclude", condition, lambda row: entry(*row))


def _at_least(least: float) -> Callable[[Sequence[Any]], bool]:
    return lambda row: row[0] is not None and row[0] >= least


def _language_codes(given: Sequence[str], model: str) -> frozenset[str]:
    """ISO 639-3 codes for codes of ISO 639-1, 639-2 or 639-3. Raises ConfigError for a language that is never
    identified.
    """
    from thresher.page.language import known_languages, language_names
    from thresher.page.language_models import BIBLIOGRAPHIC, iso_639_3

    try:
        known = known_languages(model)
    except ValueError as error:
        raise ConfigError(f"language.model: {error}") from None
    others = iso_639_3() | BIBLIOGRAPHIC
    codes = {others.get(code.lower(), code.lower()) for code in given}
    for code in sorted(codes - known):
        names = language_names()
        near = get_close_matches(code, names if len(code) > len("eng") else known, n=3, cutoff=0.6)
        meant = [f"{names[name]} ({name.title()})" if name in names else name for name in near]
        hint = f"; did you mean {' or '.join(meant)}?" if meant else "."
        raise ConfigError(
            f"filter.languages: no text is identified as {code!r}{hint} Give a code of ISO 639-1 or 639-3"
        )
    return frozenset(codes)


def _check_confidence(configuration: Configuration, filters: Sequence[_Filter]) -> None:
    """Raise ConfigError for a minimum confidence if the extractor estimates none: it would leave out every page."""
    first = configuration.extract.extractors[0]
    if first != "thresher" and any(each.reason == "confidence" for each in filters):
        raise ConfigError(
            f"filter.min_confidence: the extractor {first!r} estimates no confidence; use thresher, or leave this out"
        )

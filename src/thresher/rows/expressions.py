# SPDX-License-Identifier: Apache-2.0
"""Conditions on the columns of a row, written as in SQL's WHERE.

    language = 'ell' AND confidence >= 0.8 AND NOT url LIKE '%/tag/%'

A condition means what it means in DuckDB, so a filter can be tried on the rows of an earlier run. It may use

- columns, numbers, 'text', and dates and times written as text ('2026-11-20', '2026-11-20 06:30');
- =, <>, !=, <, <=, >, >=, AND, OR, NOT, parentheses;
- IN (…), BETWEEN … AND …, LIKE and ILIKE (% is any text, _ any character), IS NULL, IS NOT NULL;
- lower(text), length(text), starts_with(text, text), contains(text, text), regexp_matches(text, 'pattern').

Nothing is evaluated as Python. Names, types and patterns are checked when a condition is parsed. Whatever a page holds,
evaluation takes linear time: LIKE never backtracks, and regular expressions are RE2's. A comparison with null is
neither true nor false, as in SQL.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, Final, TypeVar

from thresher.errors import ConfigError, nearest
from thresher.schemas.pages import HTML, RENDERED, RIGHTS, STRUCTURE

TEXT, NUMBER, TIME, DAY, TRUTH = "text", "number", "time", "date", "condition"
"""The kinds of values."""

Values = Sequence[Any]
Getter = Callable[[Values], Any]
_Found = TypeVar("_Found")

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)(?![A-Za-z_])|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|"
    r"(?P<text>'(?:[^']|'')*')|\"(?P<quoted>[^\"]+)\"|(?P<sign><>|!=|==|<=|>=|[=<>(),-]))"
)
_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "==": operator.eq,
    "<>": operator.ne,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_EQUALITY: Final = frozenset(("=", "==", "<>", "!="))
_NONE: Final[Mapping[str, Collection[str]]] = {}
_NAMES: Final[Mapping[str, str]] = {}
_MOST_LISTED: Final = 25  # values of a column in a message
_WORDS: Final = frozenset({"AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "ILIKE", "IS", "NULL", "TRUE", "FALSE"})
_FUNCTIONS: Final = ("contains", "length", "lower", "regexp_matches", "starts_with")
_MAX_DEPTH: Final = 50  # of parentheses and NOT
_MAX_LENGTH: Final = 1 << 16  # characters of a condition


@dataclass(frozen=True, slots=True)
class Condition:
    text: str
    columns: tuple[str, ...]
    """The columns that it reads."""
    test: Callable[[Values], bool]
    """Whether it holds for the values of these columns; false where the values are null and it cannot be told."""


@dataclass(frozen=True, slots=True)
class _Operand:
    kind: str
    get: Getter
    literal: Any = None  # the value itself if it is no column's
    is_literal: bool = False
    values: Collection[str] = ()
    """The only values of a column, where they are known."""


def moment_of(text: str) -> datetime:
    """A time as ISO 8601 writes it, of UTC unless it says otherwise. Raises ValueError."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def parse_condition(
    text: str,
    kinds: Mapping[str, str],
    *,
    where: str = "filter.where",
    closed: Mapping[str, Collection[str]] = _NONE,
    names: Mapping[str, str] = _NAMES,
) -> list[Condition]:
    """The conditions that `text` joins by AND: each can be tested as soon as its columns are known.

    `kinds` are the columns that there are, and the kind of their values; `closed` are the only values that some of them
    have, `names` what else these are called, for a hint. Raises ConfigError, which says what is wrong and where.
    """
    return _Parser(text, kinds, where, closed, names).parse()


class _Parser:
    """Recursive descent, one method for each level of precedence."""

    def __init__(
        self,
        text: str,
        kinds: Mapping[str, str],
        where: str,
        closed: Mapping[str, Collection[str]],
        names: Mapping[str, str],
    ) -> None:
        self._text, self._kinds, self._where, self._closed, self._names = text, kinds, where, closed, names
        self._columns: list[str] = []
        self._depth = 0
        self._at = 0
        self._tokens = self._split(text)

    def parse(self) -> list[Condition]:
        found: list[Condition] = []
        while True:
            self._columns, start = [], self._start()
            test = self._negation()
            if self._peek() == "OR":  # binds less tightly than AND: the whole is one condition
                self._columns, self._at, found = [], 0, []
                start = 0
                test = self._alternatives()
            end = self._start()
            found.append(self._condition(self._text[start:end].strip(), test))
            if self._take("AND"):
                continue
            if self._peek() is not None:
                raise self._problem("AND or OR expected")
            return found

    def _condition(self, text: str, test: Getter) -> Condition:
        return Condition(text, tuple(self._columns), lambda values: test(values) is True)

    # --- levels ---

    def _alternatives(self) -> Getter:
        parts = [self._conjunction()]
        while self._take("OR"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else _combined(parts, decisive=True)

    def _conjunction(self) -> Getter:
        parts = [self._negation()]
        while self._take("AND"):
            parts.append(self._negation())
        return parts[0] if len(parts) == 1 else _combined(parts, decisive=False)

    def _negation(self) -> Getter:
        if self._take("NOT"):
            with_not = self._deeper(self._negation)
            return lambda values: None if (found := with_not(values)) is None else not found
        return self._comparison()

    def _comparison(self) -> Getter:
        if self._peek() == "(":
            self._take("(")
            inner = self._deeper(self._alternatives)
            self._expect(")")
            return inner
        if self._peek() in ("TRUE", "FALSE"):
            value = self._next() == "TRUE"
            return lambda _: value
        left = self._operand()
        if left.kind == TRUTH:
            return left.get
        token = self._peek()
        if token in _COMPARE:
            self._next()
            return self._compare(left, str(token))
        if self._take("IS"):
            negated = self._take("NOT")
            self._expect("NULL")
            get = left.get
            return lambda values: (get(values) is None) != negated
        negated = self._take("NOT")
        test = self._predicate(left)
        return (lambda values: None if (found := test(values)) is None else not found) if negated else test

    def _predicate(self, left: _Operand) -> Getter:
        get = left.get
        if self._take("IN"):
            self._expect("(")
            choices = [self._possible(left, self._literal(left))]
            while self._take(","):
                choices.append(self._possible(left, self._literal(left)))
            self._expect(")")
            known = frozenset(choices)
            return lambda values: None if (value := get(values)) is None else value in known
        if self._take("BETWEEN"):
            least = self._literal(left)
            self._expect("AND")
            most = self._literal(left)
            return lambda values: None if (value := get(values)) is None else least <= value <= most
        for word in ("LIKE", "ILIKE"):
            if self._take(word):
                if left.kind != TEXT:
                    raise self._problem(f"{word} needs text on its left, not a {left.kind}")
                matches = like(self._literal(left), ignore_case=word == "ILIKE")
                return lambda values: None if (value := get(values)) is None else matches(value)
        raise self._problem("comparison expected, such as = 'text' or >= 0.5")

    def _compare(self, left: _Operand, sign: str) -> Getter:
        compare, right = _COMPARE[sign], self._operand()
        left, right = self._same_kind(left, right)
        if sign in _EQUALITY:
            for one, other in ((left, right), (right, left)):
                if other.is_literal:
                    self._possible(one, other.literal)
        first, second = left.get, right.get

        def test(values: Values) -> bool | None:
            one, other = first(values), second(values)
            return None if one is None or other is None else compare(one, other)

        return test

    def _same_kind(self, left: _Operand, right: _Operand) -> tuple[_Operand, _Operand]:
        if left.kind == right.kind != TRUTH:
            return left, right
        if right.is_literal:
            return left, self._converted(right, left.kind)
        if left.is_literal:
            return self._converted(left, right.kind), right
        raise self._problem(f"cannot compare a {left.kind} with a {right.kind}")

    def _possible(self, column: _Operand, value: Any) -> Any:  # noqa: ANN401 (of any kind)
        """A value that is compared with a column. Raises ConfigError for one that the column never has."""
        if column.values and value not in column.values:
            meant = self._names.get(value.lower())
            hint = f"; did you mean {meant!r}?" if meant in column.values else nearest(value, sorted(column.values))
            known = f" Known: {', '.join(column.values)}" if len(column.values) <= _MOST_LISTED else ""
            raise self._problem(f"no page has the value {value!r}{hint}{known}", back=True)
        return value

    def _literal(self, like_: _Operand) -> Any:  # noqa: ANN401 (of any kind)
        operand = self._operand()
        if not operand.is_literal:
            raise self._problem("a number or 'text' expected")
        return self._converted(operand, like_.kind).literal

    def _converted(self, literal: _Operand, kind: str) -> _Operand:
        """A literal as a value of another kind: text is read as a time or date."""
        if literal.kind == kind:
            return literal
        if literal.kind == TEXT and kind in (TIME, DAY):
            try:
                value: Any = moment_of(literal.literal)
            except ValueError:
                raise self._problem(f"{literal.literal!r} is no {kind}; write it as '2026-11-20'", back=True) from None
            return _literal_operand(kind, value.date() if kind == DAY else value)
        raise self._problem(f"cannot compare a {kind} with a {literal.kind}", back=True)

    def _operand(self) -> _Operand:
        token = self._next()
        if token is None:
            raise self._problem("the condition ends too early", back=True)
        if self._tokens[self._at - 1][1] == "-":
            number = self._deeper(self._operand)
            if number.kind != NUMBER or not number.is_literal:
                raise self._problem("a number expected after -", back=True)
            return _literal_operand(NUMBER, -number.literal)
        kind, value = self._tokens[self._at - 1][:2]
        if kind == "number":
            return _literal_operand(NUMBER, float(value) if re.search(r"[.eE]", value) else int(value))
        if kind == "text":
            return _literal_operand(TEXT, value[1:-1].replace("''", "'"))
        if kind == "name" and value.upper() in _WORDS:
            raise self._problem("a column expected", back=True)
        if kind == "name" and self._peek() == "(":
            return self._function(value.lower())
        if kind in ("name", "quoted"):
            return self._column(value)
        raise self._problem("a column expected", back=True)

    def _column(self, name: str) -> _Operand:
        if name not in self._kinds:
            name = name.lower() if name.lower() in self._kinds else name
        if name not in self._kinds:
            if name.lower() in (HTML, RENDERED, *RIGHTS, *STRUCTURE):
                raise self._problem(f"the run has no column {name.lower()!r}; add --columns +{name.lower()}", back=True)
            near = get_close_matches(name, self._kinds, n=1, cutoff=0.0)
            raise self._problem(f"there is no column {name!r}; did you mean {near[0]!r}?", back=True)
        if name not in self._columns:
            self._columns.append(name)
        get = operator.itemgetter(self._columns.index(name))
        return _Operand(self._kinds[name], get, values=self._closed.get(name, ()))

    def _function(self, name: str) -> _Operand:
        if name not in _FUNCTIONS:
            raise self._problem(f"there is no function {name!r}; there are {', '.join(_FUNCTIONS)}", back=True)
        self._expect("(")
        first = self._deeper(self._operand)
        if first.kind != TEXT:
            raise self._problem(f"{name} needs text, not a {first.kind}", back=True)
        get = first.get
        if name in ("lower", "length"):
            self._expect(")")
            change: Callable[[str], Any] = str.lower if name == "lower" else len
            return _Operand(
                TEXT if name == "lower" else NUMBER,
                lambda values: None if (value := get(values)) is None else change(value),
            )
        self._expect(",")
        wanted = self._literal(first)
        self._expect(")")
        test = self._test_of(name, wanted)
        return _Operand(TRUTH, lambda values: None if (value := get(values)) is None else test(value))

    def _test_of(self, name: str, wanted: str) -> Callable[[str], bool]:
        if name == "starts_with":
            return lambda value: value.startswith(wanted)
        if name == "contains":
            return lambda value: wanted in value
        try:
            return _regular_expression(wanted)
        except ValueError as error:
            raise self._problem(f"regular expression {wanted!r}: {error}", back=True) from None

    # --- tokens ---

    def _split(self, text: str) -> list[tuple[str, str, int]]:
        """(kind, text, position) of each token."""
        if len(text) > _MAX_LENGTH:
            raise ConfigError(f"{self._where}: the condition is longer than {_MAX_LENGTH:,} characters")
        tokens, position = [], 0
        end = len(text.rstrip())
        while position < end:
            found = _TOKEN.match(text, position)
            if not found or found.lastgroup is None:
                raise ConfigError(f"{self._where}: cannot read {text[position : position + 40].strip()!r}")
            tokens.append((found.lastgroup, found[found.lastgroup], found.start(found.lastgroup)))
            position = found.end()
        if not tokens:
            raise ConfigError(f"{self._where}: the condition is empty")
        return tokens

    def _peek(self) -> str | None:
        """The next token: a sign, or a name in capitals; None at the end."""
        if self._at >= len(self._tokens):
            return None
        kind, value, _ = self._tokens[self._at]
        return value.upper() if kind == "name" else value

    def _next(self) -> str | None:
        token = self._peek()
        self._at += 1
        return token

    def _take(self, token: str) -> bool:
        if self._peek() == token:
            self._at += 1
            return True
        return False

    def _expect(self, token: str) -> None:
        if not self._take(token):
            raise self._problem(f"{token} expected")

    def _start(self) -> int:
        return self._tokens[self._at][2] if self._at < len(self._tokens) else len(self._text)

    def _deeper(self, parse: Callable[[], _Found]) -> _Found:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._problem(f"nested more than {_MAX_DEPTH} deep")
        found = parse()
        self._depth -= 1
        return found

    def _problem(self, problem: str, *, back: bool = False) -> ConfigError:
        """The error to raise; `back`: it is about the token before the next one."""
        self._at -= back
        here = self._text[self._start() :][:40]
        place = f"at {here!r}" if here else "at its end"
        return ConfigError(f"{self._where}: {problem} ({place})")


def _literal_operand(kind: str, value: Any) -> _Operand:  # noqa: ANN401 (of any kind)
    return _Operand(kind, lambda _: value, value, is_literal=True)


def _combined(parts: Sequence[Getter], *, decisive: bool) -> Getter:
    """AND if one false part decides, OR if one true part does. Otherwise one unknown part makes the whole unknown."""

    def test(values: Values) -> bool | None:
        undecided = not decisive
        found: bool | None = undecided
        for part in parts:
            one = part(values)
            if one is decisive:
                return not undecided
            if one is None:
                found = None
        return found

    return test


def like(pattern: str, *, many: str = "%", one: str = "_", ignore_case: bool = False) -> Callable[[str], bool]:
    """Tests whether all of a text matches a pattern with wildcards for `many` characters and for `one`.

    The time is linear in the text for each wildcard: what matched between two wildcards is never tried elsewhere.
    """
    chunks = [
        "".join("." if character == one else re.escape(character) for character in chunk)
        for chunk in re.split(re.escape(many) + "+", pattern)
    ]
    first, *middle = chunks
    expression = first
    if middle:
        *middle, last = middle
        expression += "".join(f"(?>.*?{chunk})" for chunk in middle) + ".*" + last
    found = re.compile(expression, re.DOTALL | (re.IGNORECASE if ignore_case else 0)).fullmatch
    return lambda text: found(text) is not None


def _regular_expression(pattern: str) -> Callable[[str], bool]:
    """Tests whether a regular expression of RE2 matches somewhere in a text. Raises ValueError for a wrong one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    options = pc.MatchSubstringOptions(pattern)

    def test(text: str) -> bool:
        array = pa.array([text.encode("utf-8", "replace").decode("utf-8")], pa.string())
        found: Any = pc.call_function("match_substring_regex", [array], options)
        return bool(found[0].as_py())

    test("")
    return test

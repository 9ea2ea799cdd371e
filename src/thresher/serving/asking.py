# SPDX-License-Identifier: Apache-2.0
"""Requests for one page: parse a body, its media type and the query into a page and options.

A body is HTML, a form (multipart/form-data with the page in the field `html`), or a JSON object with the key `html`.
Options have the names that thresher.extract() gives them. Bodies are parsed here, in a worker, because strangers write
them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from thresher.errors import Refused, check_known
from thresher.native.choosing.registry import EXTRACTORS
from thresher.options import KEYWORDS, Limits, Options, default_options, make_options

if TYPE_CHECKING:
    from starlette.datastructures import QueryParams

_Value = TypeVar("_Value", str, bytes)
OPTION_NAMES: Final = ("extractor", "extractors", *(name for name in KEYWORDS if name != "language_options"))
_AS_TEXT: Final = tuple(name for name in OPTION_NAMES if name != "limits")
"""What a query or a form may hold; limits are an object."""
_PARAMETERS: Final = tuple(dict.fromkeys(name for each in EXTRACTORS.values() for name in each.options))
_SWITCHES: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_BOOLEAN: Final = frozenset({"links", "images"})
_MAX_URL: Final = 1 << 16


@dataclass(slots=True)
class Ask:
    html: bytes | str
    url: str | None = None
    charset: str | None = None
    options: Options = field(default_factory=default_options)
    rest: dict[str, Any] = field(default_factory=dict)
    """Other keys of a JSON body."""


def read_ask(body: bytes, content_type: str, query: Mapping[str, str], more: Collection[str] = ()) -> Ask:
    """The page and options of a request; a JSON body may have the keys `more`, too. Raises Refused, with the reason,
    for an invalid request.
    """
    media_type, parameters = _media_type(content_type)
    if media_type == "application/json":
        return ask_of(read_object(body), query, more)
    if media_type == "multipart/form-data":
        values = _form(body, parameters.get("boundary", ""))
        if "html" not in values:
            raise Refused("the form has no field `html`")
        html = values.pop("html")
        texts = {name: value.decode("utf-8", "replace") for name, value in values.items()}
        return _ask(html, {**query, **texts}, charset=None)
    return _ask(body, query, charset=parameters.get("charset"))


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object in a body. Raises Refused if it is not one."""
    try:
        found = json.loads(body, parse_constant=_refuse_number, parse_float=_finite)
    except RecursionError:
        raise Refused("the JSON is nested too deeply") from None
    except ValueError as error:
        raise Refused(f"the body is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise Refused("the body must be a JSON object")
    return found


def _finite(text: str) -> float:
    """A number of JSON. One that a float cannot hold would be `Infinity` in an answer, which is no JSON."""
    number = float(text)
    return number if math.isfinite(number) else _refuse_number(text)


def _refuse_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is no number")


def query_of(parameters: QueryParams) -> dict[str, str]:
    """The parameters of a query. Raises Refused for one that is given twice: only one of its values could count."""
    found: dict[str, str] = {}
    for name, value in parameters.multi_items():
        _add_once(found, name, value)
    return found


def _add_once(found: dict[str, _Value], name: str, value: _Value) -> None:
    if name in found:
        raise Refused(f"{name!r} is given more than once")
    found[name] = value


def check_keys(found: Mapping[str, Any], known: Collection[str]) -> None:
    """Raises Refused for a key of a JSON object that means nothing here, and names the nearest that does."""
    check_known(found, known, "key", Refused)


def ask_of(found: Mapping[str, Any], query: Mapping[str, str] | None = None, more: Collection[str] = ()) -> Ask:
    """The page and options of a JSON object. Options are its keys, or those of an object under `options`; `more` are
    the other keys that it may have.
    """
    values: dict[str, Any] = {**_from_text(query or {}), **found}
    html = values.pop("html", None)
    if not isinstance(html, str):
        raise Refused("`html` is missing or not a string")
    nested = values.pop("options", None)
    if nested is not None:
        if not isinstance(nested, dict):
            raise Refused("`options` must be an object")
        check_keys(nested, (*OPTION_NAMES, "parameters"))
        values |= nested
    check_keys(values, ("url", "charset", *OPTION_NAMES, "parameters", *more))
    options: dict[str, Any] = {name: values.pop(name) for name in OPTION_NAMES if values.get(name) is not None}
    parameters = values.pop("parameters", None) or {}
    url, charset = _text(values, "url"), _text(values, "charset")
    return Ask(html, url, charset, make(options, parameters), values)


def _ask(html: bytes, texts: Mapping[str, str], charset: str | None) -> Ask:
    check_keys(texts, ("url", "charset", *_AS_TEXT, *_PARAMETERS))
    values = _from_text(texts)
    url, declared = _text(values, "url"), _text(values, "charset")
    options: dict[str, Any] = {name: values.pop(name) for name in _AS_TEXT if name in values}
    return Ask(html, url, declared or charset, make(options, {name: _number(values, name) for name in values}))


def _number(values: Mapping[str, str], name: str) -> float:
    try:
        return float(values[name])
    except ValueError:
        raise Refused(f"{name} must be a number, not {values[name]!r}") from None


def _from_text(texts: Mapping[str, str]) -> dict[str, Any]:
    """Option values given as text, converted to the types that JSON would have."""
    values: dict[str, Any] = dict(texts)
    for name in _BOOLEAN & values.keys():
        if values[name].lower() not in _SWITCHES:
            raise Refused(f"{name} must be true or false, not {values[name]!r}")
        values[name] = _SWITCHES[values[name].lower()]
    for name in ("extractors", "extractor"):
        if "," in str(values.get(name, "")):
            values["extractors"] = values.pop(name).split(",")
    if isinstance(values.get("extractors"), str):
        values["extractors"] = [values["extractors"]]
    return values


def _text(values: dict[str, Any], name: str) -> str | None:
    value = values.pop(name, None)
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > _MAX_URL:
        raise Refused(f"`{name}` must be a short string")
    return value


def make(options: dict[str, Any], parameters: object) -> Options:
    """Options under the names of thresher.extract(). Limits can be lowered, not raised. Raises Refused."""
    if not isinstance(parameters, dict):
        raise Refused("`parameters` must be an object")
    values = dict(options)
    try:
        if "limits" in values:
            values["limits"] = _limits(values["limits"])
        if "extractors" in values and isinstance(values["extractors"], list):
            values["extractors"] = tuple(values["extractors"])
        return make_options(None, **values, **parameters)
    except (TypeError, ValueError) as error:
        raise Refused(str(error)) from None


def _limits(given: object) -> Limits:
    if not isinstance(given, dict):
        raise Refused("`limits` must be an object")
    usual = Limits()
    known = {each.name: getattr(usual, each.name) for each in fields(Limits)}
    check_known(given, known, "limit", Refused)
    for name, value in given.items():
        if not isinstance(value, int) or not 0 < value <= known[name]:
            raise Refused(f"{name} must be a whole number from 1 to {known[name]:,}")
    return Limits(**{**known, **given})


def _media_type(content_type: str) -> tuple[str, dict[str, str]]:
    """A media type in lower case, and its parameters."""
    first, *others = content_type.split(";")
    parameters = {}
    for each in others:
        name, _, value = each.partition("=")
        parameters[name.strip().lower()] = value.strip().strip('"')
    return first.strip().lower(), parameters


def _form(body: bytes, boundary: str) -> dict[str, bytes]:
    """The fields of a multipart/form-data body."""
    if not boundary:
        raise Refused("the multipart body names no boundary")
    parts = (b"\r\n" + body).split(b"\r\n--" + boundary.encode("latin-1", "replace"))
    if len(parts) < 3 or not parts[-1].startswith(b"--"):
        raise Refused("the multipart body is not complete")
    found: dict[str, bytes] = {}
    for part in parts[1:-1]:
        head, blank, content = part.partition(b"\r\n\r\n")
        if not blank:
            raise Refused("a part of the multipart body has no head")
        for line in head.decode("latin-1").split("\r\n"):
            name, _, value = line.partition(":")
            if name.strip().lower() == "content-disposition":
                field_name = _media_type(value)[1].get("name")
                if field_name:
                    _add_once(found, field_name, content)
    return found

# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI description of the service. The options are generated from their declarations."""

from __future__ import annotations

from typing import Any, Final

from thresher._version import __version__
from thresher.options import EXTRACTORS, Limits, Options, knobs
from thresher.serving.settings import Settings
from thresher.serving.tasks import MAX_PAGES

_TYPES: Final = {bool: "boolean", int: "integer", float: "number", str: "string"}


def option_schemas() -> dict[str, Any]:
    found: dict[str, Any] = {"extractor": {"type": "string", "enum": list(EXTRACTORS)}}
    for name, (declared, about) in knobs(Options).items():
        schema: dict[str, Any] = {"description": about.help}
        if name == "extractors":
            schema |= {"type": "array", "items": {"type": "string", "enum": list(EXTRACTORS)}}
        elif about.choices:
            schema |= {"type": "string", "enum": list(about.choices)}
        else:
            schema["type"] = _TYPES.get(declared.type, "string")  # type: ignore[arg-type]
        found[name] = schema
    found["parameters"] = {
        "type": "object",
        "additionalProperties": {"type": "number"},
        "description": "Parameters of the first extractor; GET /extractors lists them.",
    }
    found["limits"] = {
        "type": "object",
        "properties": {
            name: {"type": "integer", "description": about.help} for name, (_, about) in knobs(Limits).items()
        },
        "description": "Lower limits than those of the service.",
    }
    return found


def describe_service(settings: Settings) -> dict[str, Any]:
    options = option_schemas()
    page = {
        "type": "object",
        "required": ["html"],
        "properties": {
            "html": {"type": "string", "description": "The page."},
            "url": {"type": "string", "description": "Where the page came from."},
            "charset": {"type": "string", "description": "Encoding that the transport named; for bytes."},
            "options": {"type": "object", "properties": options, "description": "Options may also stand here."},
            **options,
        },
    }
    query = [
        {"name": name, "in": "query", "schema": {"type": "string"}, "description": schema.get("description", "")}
        for name, schema in {"url": {}, "charset": {}, **options}.items()
        if name not in ("limits", "parameters")
    ]
    of_page = {"$ref": "#/components/schemas/Page"}
    form = {"type": "object", "required": ["html"], "properties": {"html": {"type": "string"}}}
    a_page: dict[str, dict[str, Any]] = {
        "text/html": {"type": "string", "format": "binary"}, "multipart/form-data": form, "application/json": of_page,
    }  # fmt: skip
    several = {"type": "array", "minItems": 2, "maxItems": MAX_PAGES, "items": of_page}
    pages = {"application/json": {"type": "object", "required": ["pages"], "properties": {"pages": several}}}
    address = {"application/json": {"type": "object", "required": ["url"], "properties": {"url": {"type": "string"}}}}
    lines = {"application/x-ndjson": {"type": "string"}}
    each_line = "A line for each line. A line that failed has its `id`, its number (`line`), `error` and `message`."
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "Thresher", "version": __version__, "license": {"name": "Apache-2.0"}},
        "paths": {
            "/extract": _post("Extract the main text of a page.", a_page, "The columns of the table `pages`.", query),
            "/extract/batch": _post(
                "Extract many pages: JSON Lines in, JSON Lines out, in the same order.", lines, each_line, query
            ),
            "/blocks": _post("Every block of a page, and why it was kept or dropped.", a_page, "The blocks.", query),
            "/facts": _post("What may be a page's facts, and why which was taken.", a_page, "The candidates.", query),
            "/site": _post(
                "What several pages of one host have in common.",
                pages,
                "For each page its blocks and what is template.",
            ),
            "/pages": _post("Send a page to the workbench.", a_page, "Where to open it."),
            "/fetch": _post(
                "Fetch a page by its `url`; only with --fetch.", address, "The page, as /extract takes it."
            ),
            "/extractors": _get("The extractors and their parameters.", "The extractors."),
            "/health": _get("Whether the service has workers.", "It has."),
            "/metrics": _get("Counts for Prometheus.", "Text."),
        },
        "components": {
            "schemas": {
                "Page": page,
                "Error": {"type": "object", "properties": {"error": {"type": "string"}, "message": {"type": "string"}}},
            },
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
    if settings.token is not None:
        document["security"] = [{"token": []}]
    return document


_FAILURES: Final = {
    "400": "The request makes no sense.",
    "408": "The body did not come in time.",
    "413": "The body is too large.",
    "415": "The body is compressed.",
    "429": "The service has as many requests as it takes.",
    "500": "The page killed its worker.",
    "504": "The page took too long.",
}


def _get(summary: str, answer: str) -> dict[str, Any]:
    return {"get": {"summary": summary, "responses": {"200": {"description": answer}}}}


def _post(
    summary: str, body: dict[str, dict[str, Any]], answer: str, query: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """A path to which a body is posted, whose schemas are given by media type."""
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    failures = {status: {"description": about, "content": error} for status, about in _FAILURES.items()}
    found = {
        "summary": summary,
        "responses": {"200": {"description": answer}, **failures},
        "requestBody": {"required": True, "content": {kind: {"schema": schema} for kind, schema in body.items()}},
    }
    return {"post": found | ({"parameters": query} if query else {})}

# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI description of the service. The options are generated from their declarations."""

from __future__ import annotations

from typing import Any, Final

from thresher._version import __version__
from thresher.options import EXTRACTORS, Limits, Options, knobs
from thresher.serving.settings import Settings

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
    body = {
        "required": True,
        "content": {
            "text/html": {"schema": {"type": "string", "format": "binary"}},
            "multipart/form-data": {
                "schema": {"type": "object", "required": ["html"], "properties": {"html": {"type": "string"}}}
            },
            "application/json": {"schema": {"$ref": "#/components/schemas/Page"}},
        },
    }
    paths: dict[str, Any] = {
        "/extract": {
            "post": _operation("Extract the main text of a page.", body, "The columns of the table `pages`.", query)
        },
        "/extract/batch": {
            "post": _operation(
                "Extract many pages: JSON Lines in, JSON Lines out, in the same order.",
                {"required": True, "content": {"application/x-ndjson": {"schema": {"type": "string"}}}},
                "A line for each line. A line that failed has its `id`, its number (`line`), `error` and `message`.",
                query,
            )
        },
        "/blocks": {
            "post": _operation("Every block of a page, and why it was kept or dropped.", body, "The blocks.", query)
        },
        "/facts": {
            "post": _operation("What may be a page's facts, and why which was taken.", body, "The candidates.", query)
        },
        "/site": {
            "post": _operation(
                "What several pages of one host have in common.",
                {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["pages"],
                                "properties": {
                                    "pages": {
                                        "type": "array",
                                        "minItems": 2,
                                        "maxItems": settings.max_site,
                                        "items": {"$ref": "#/components/schemas/Page"},
                                    }
                                },
                            }
                        }
                    },
                },
                "For each page its blocks and what is template.",
            )
        },
        "/pages": {"post": _operation("Send a page to the workbench.", body, "Where to open it.")},
        "/extractors": {"get": _operation("The extractors and their parameters.", None, "The extractors.")},
        "/health": {"get": _operation("Whether the service has workers.", None, "It has.")},
        "/metrics": {"get": _operation("Counts for Prometheus.", None, "Text.")},
    }
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "Thresher", "version": __version__, "license": {"name": "Apache-2.0"}},
        "paths": paths,
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


def _operation(
    summary: str, body: dict[str, Any] | None, answer: str, parameters: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    responses = {"200": {"description": answer}}
    if body is not None:
        for status, about in (
            ("400", "The request makes no sense."),
            ("408", "The body did not come in time."),
            ("413", "The body is too large."),
            ("415", "The body is compressed."),
            ("429", "The service has as many requests as it takes."),
            ("500", "The page killed its worker."),
            ("504", "The page took too long."),
        ):
            responses[status] = {"description": about, "content": error}  # type: ignore[dict-item]
    found: dict[str, Any] = {"summary": summary, "responses": responses}
    if body is not None:
        found["requestBody"] = body
    if parameters:
        found["parameters"] = parameters
    return found

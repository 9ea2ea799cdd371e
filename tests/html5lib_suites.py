# SPDX-License-Identifier: Apache-2.0
"""Readers for the html5lib tree-construction (.dat) and tokenizer (.test) suites, and the list of their exceptions."""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

EXCEPTIONS = Path(__file__).parent / "differential" / "html5lib_exceptions.toml"

_SECTION = re.compile(r"^#(data|errors|new-errors|document-fragment|script-off|script-on|document)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TreeCase:
    """One case: `name` is the file and the case's number in it, counted from 1."""

    name: str
    page: bytes
    tree: str
    is_fragment: bool
    needs_scripting: bool


def tree_cases(path: Path) -> Iterator[TreeCase]:
    """All cases of a .dat file, fragments and scripting included."""
    content = path.read_bytes().decode("utf-8", "surrogatepass")
    for number, raw in enumerate(re.split(r"(?:\A|\n\n)(?=#data\n)", content)[1:], start=1):
        parts = _SECTION.split(raw)
        sections: dict[str, str] = {}
        for name, body in zip(parts[1::2], parts[2::2], strict=True):
            sections.setdefault(name, body)
        yield TreeCase(
            name=f"{path.stem}:{number}",
            page=sections["data"][1:-1].encode("utf-8", "surrogatepass"),
            tree=sections["document"].strip("\n"),
            is_fragment="document-fragment" in sections,
            needs_scripting="script-on" in sections,
        )


@dataclass(frozen=True, slots=True)
class TokenizerCase:
    """One case in one initial state."""

    name: str
    page: str
    state: str
    last_start_tag: str
    tokens: list[list[object]]


def _unescape(value: object) -> object:
    """Undo the second escaping of a doubleEscaped case."""
    if isinstance(value, str):
        return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda match: chr(int(match[1], 16)), value)
    if isinstance(value, list):
        return [_unescape(item) for item in value]
    if isinstance(value, dict):
        return {_unescape(key): _unescape(item) for key, item in value.items()}
    return value


def tokenizer_cases(path: Path) -> Iterator[TokenizerCase]:
    """All cases of a .test file, each once for every initial state; adjacent character tokens are one."""
    suite = json.loads(path.read_text("utf-8"))
    for number, raw in enumerate(suite.get("tests", []), start=1):
        case = (
            raw | {"input": _unescape(raw["input"]), "output": _unescape(raw["output"])}
            if raw.get("doubleEscaped")
            else raw
        )
        tokens: list[list[object]] = []
        for token in case["output"]:
            if token[0] == "Character" and tokens and tokens[-1][0] == "Character":
                tokens[-1] = ["Character", f"{tokens[-1][1]}{token[1]}"]
            else:
                tokens.append(list(token))
        for state in case.get("initialStates", ["Data state"]):
            yield TokenizerCase(
                name=f"{path.stem}:{number}:{state}",
                page=case["input"],
                state=state,
                last_start_tag=case.get("lastStartTag", ""),
                tokens=tokens,
            )


def exceptions(suite: str) -> dict[str, str]:
    """Names of the cases of a suite that cannot apply, with the reason."""
    return {entry["case"]: entry["reason"] for entry in tomllib.loads(EXCEPTIONS.read_text("utf-8")).get(suite, [])}

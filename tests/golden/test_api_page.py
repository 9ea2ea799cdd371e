# SPDX-License-Identifier: Apache-2.0
"""docs/python-api.md is made from the docstrings of what thresher exports (`make golden` writes it)."""

import ast
import inspect
import re
import textwrap
from typing import Any, Literal, get_args, get_origin

from shared_data import CHECKOUT

import thresher
from thresher import options
from thresher.options import Section, knobs

HEAD = """# Python API

What `import thresher` exports. `make golden` generates this page from the docstrings. [README.md](../README.md) has
examples. Anything else in the package may change without notice.

`extract` may be called from several threads at a time. The lock of the interpreter is released while a page is parsed
and its main text found, so threads use several cores ([figures](../benchmarks/results/threads.md)).
"""

ERRORS = ("ConfigError", "InputError", "TransferError")


def signature(name: str, value: Any) -> str:
    shown = str(inspect.signature(value))
    for long, short in (
        ("thresher.options.", ""),
        ("thresher.reading.captures.", ""),
        ("thresher.running.page_batches.", ""),
    ):
        shown = shown.replace(long, short)
    shown = re.sub(r"(: |-> )'([^']*)'", r"\1\2", shown)  # annotations are strings, as defaults may be
    for alias in (alias for alias, kind in vars(options).items() if get_origin(kind) is Literal):
        choices = " | ".join(map(repr, get_args(getattr(options, alias)))).replace("'", '"')
        shown = re.sub(rf"\b{alias}\b", choices, shown)
    one_line = f"{name}{shown}"
    if len(one_line) <= 100:
        return one_line
    inside, _, end = shown[1:].rpartition(")")
    parameters = re.split(r", (?=(?:[^\[\]]*\[[^\[\]]*\])*[^\[\]]*$)", inside)
    return f"{name}(\n" + "".join(f"    {parameter},\n" for parameter in parameters) + f"){end}"


def text_of(value: Any) -> str:
    text = inspect.cleandoc(value.__doc__ or "")
    return (
        text.partition("\n\n")[2] if re.match(r"\w+\(.*-> None\n", text) else text
    )  # Cython puts the signature on top


def attribute_docs(cls: type) -> dict[str, str]:
    """What the source says of each attribute: the string below its line, or else the comment behind it."""
    source = textwrap.dedent(inspect.getsource(cls))
    found = {}
    for parent in ast.walk(ast.parse(source)):
        body = getattr(parent, "body", [])
        for node, after in zip(body, [*body[1:], None], strict=False) if isinstance(body, list) else ():
            if isinstance(node, ast.AnnAssign):
                name = ast.unparse(node.target)
                if not (isinstance(parent, ast.ClassDef) or name.startswith("self.")):
                    continue
                name = name.removeprefix("self.")
                comment = source.splitlines()[(node.end_lineno or 0) - 1].partition("  # ")[2]
                is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                found[name] = " ".join(after.value.value.split()) if is_text else comment
    return {name: text for name, text in found.items() if not name.startswith("_")}


def fields_of(cls: type) -> list[str]:
    """A line for each field or property of a class, with its docstring, help or comment."""
    helps = {name: knob.help for name, (_, knob) in knobs(cls).items()} if issubclass(cls, Section) else {}
    lines = [
        f"- `{name}`" + (f": {helps.get(name, text)}" if helps.get(name, text) else "")
        for name, text in attribute_docs(cls).items()
    ]
    if issubclass(cls, Section):
        return lines
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        wrapped = member.fget if isinstance(member, property) else getattr(member, "func", member)
        if inspect.isfunction(wrapped):
            called = "" if not inspect.isfunction(member) else "()"
            lines.append(f"- `{name}{called}`: {' '.join(text_of(wrapped).split())}")
    return lines


def section(name: str) -> str:
    value = getattr(thresher, name)
    if isinstance(value, tuple):
        return f"\n## {name}\n\n{', '.join(f'`{each}`' for each in value)}\n"
    parts = [f"\n## {name}\n"]
    if inspect.isfunction(value):
        parts.append(f"```python\n{signature(name, value)}\n```\n")
    parts.append(text_of(value) + "\n")
    if inspect.isclass(value) and not issubclass(value, Exception) and value.__module__ != thresher.Document.__module__:
        parts += ["\n".join(fields_of(value)) + "\n"]
    return "\n".join(parts)


def test_the_page_of_the_api_is_true(golden):
    functions = [name for name in thresher.__all__ if inspect.isfunction(getattr(thresher, name))]
    types = [name for name in thresher.__all__ if inspect.isclass(getattr(thresher, name)) and name not in ERRORS]
    rest = [name for name in thresher.__all__ if name not in (*functions, *types, *ERRORS, "__version__")]
    names = [*functions, *types, *rest, *(name for name in thresher.__all__ if name in ERRORS)]
    golden(CHECKOUT / "docs" / "python-api.md", (HEAD + "".join(map(section, names))).encode())

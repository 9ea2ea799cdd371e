# SPDX-License-Identifier: Apache-2.0
"""Layers: native imports nothing of ours, schemas only pyarrow, thresher both; pyspark only in jobs and to_spark().

Rooms: imports go one way, between the folders of the package and between the modules of each.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from shared_data import CHECKOUT

LAYERS = ("jobs", "native", "schemas")


def python_files(folder: str) -> list[Path]:
    """The .py files of a layer; `src/thresher` is what is left when the symlinked layers are taken out."""
    root = CHECKOUT / folder
    return sorted(
        path for path in root.rglob("*.py") if folder in LAYERS or path.relative_to(root).parts[0] not in LAYERS
    )


@cache
def imports(path: Path, *, with_types: bool = False) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(imported module, names of the functions and classes around the statement) of every import that a Python file can
    run; with `with_types` also of those that only a type checker sees.
    """

    def walk(node: ast.AST, around: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
        if isinstance(node, ast.Import):
            yield from ((alias.name, around) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; absolute ones are searched for more easily"
            yield from ((f"{node.module}.{alias.name}", around) for alias in node.names)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not with_types:
            return  # for mypy's eyes only: nothing is imported when the code runs
        inner = (
            (*around, node.name) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else around
        )
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inner)

    return tuple(walk(ast.parse(path.read_text()), ()))


def is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def wrong(folder: str, is_right: Callable[[str, tuple[str, ...]], bool]) -> list[str]:
    """The imports of a layer's Python files that are not right, each with its file."""
    return [
        f"{path} imports {module}"
        for path in python_files(folder)
        for module, around in imports(path)
        if not is_right(module, around)
    ]


def test_native_python_imports_nothing_of_ours_but_itself() -> None:
    assert wrong("native", lambda module, _: is_standard(module) or is_within(module, "thresher.native")) == []


def test_native_cython_imports_nothing_of_ours_but_itself() -> None:
    statement = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import|c?import\s+([\w.]+))", re.MULTILINE)
    for path in sorted([*(CHECKOUT / "native").rglob("*.pyx"), *(CHECKOUT / "native").rglob("*.pxd")]):
        code = re.sub(r'"""(?:[^"]|"(?!""))*"""', "", path.read_text())
        for match in statement.finditer(code):
            module = match[1] or match[2]
            packages = ("thresher.native", "libc", "cython", "cpython")
            allowed = is_standard(module) or any(is_within(module, package) for package in packages)
            assert allowed, f"{path} imports {module}"


def test_schemas_import_pyarrow_only_and_pyspark_in_to_spark() -> None:
    def is_right(module: str, around: tuple[str, ...]) -> bool:
        if is_within(module, "pyspark"):
            return any("spark" in name for name in around)
        return is_standard(module) or is_within(module, "pyarrow") or is_within(module, "thresher.schemas")

    assert wrong("schemas", is_right) == []


def test_the_package_knows_neither_spark_nor_its_jobs() -> None:
    banned = ("pyspark", "thresher.jobs")
    assert wrong("src/thresher", lambda module, _: not any(is_within(module, each) for each in banned)) == []


def test_the_walk_sees_what_it_must():
    """Guards the rule itself: an import inside a function of a class is found, with what stands around it."""
    source = CHECKOUT / "tests" / "unit" / "repository" / "test_import_rule.py"
    assert ("pathlib.Path", ()) in set(imports(source))
    assert python_files("native")
    assert python_files("schemas")
    assert python_files("src/thresher")
    assert not any("native" in path.parts for path in python_files("src/thresher"))


# Which rooms of the package a room may import from, beside itself and the modules at the top. Commands import from
# everywhere; nothing imports from commands.
ROOMS = {
    "page": {"native", "schemas"},
    "reading": {"native", "schemas"},
    "writing": {"native", "schemas", "reading"},
    "rows": {"native", "schemas", "reading", "page", "writing"},
    "running": {"native", "schemas", "reading", "page", "writing", "rows"},
    "templates": {"native", "schemas", "reading", "page", "writing", "rows", "running"},
    "after": {"native", "schemas", "reading", "page", "writing", "rows", "running", "templates"},
    "integrations": {"schemas", "page", "rows", "running"},
    "compat": {"page"},
    "serving": {"native", "schemas", "reading", "page", "writing", "running", "templates"},
    "lab": {"native", "schemas", "reading", "page", "writing", "rows", "running", "templates", "serving"},
}
PACKAGE = CHECKOUT / "src" / "thresher"


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """The groups of names that reach each other along the arrows."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        left = [start]
        while left:
            new = arrows.get(left.pop(), set()) - found
            found |= new
            left.extend(new)
        return found

    reach = {name: reached(name) for name in arrows}
    groups = [frozenset(other for other in reach[name] if name in reach.get(other, ())) for name in arrows]
    return [set(group) for group in sorted({group for group in groups if group}, key=sorted)]


@cache
def module_arrows() -> dict[str, set[str]]:
    """The modules of the package, each with those that it imports, in functions and for type checkers too."""
    names = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in python_files("src/thresher")
    }
    modules = {name.removesuffix(".__init__"): path for name, path in names.items()}
    arrows: dict[str, set[str]] = {name: set() for name in modules}
    for name, path in modules.items():
        for imported, _ in imports(path, with_types=True):
            arrows[name] |= ({imported, imported.rpartition(".")[0]} & modules.keys()) - {name}
            if imported in modules:
                arrows[name].discard(imported.rpartition(".")[0])  # `from package import module`
    return arrows


def test_modules_import_each_other_in_no_circle() -> None:
    assert circles(module_arrows()) == []


@pytest.mark.parametrize("folder", ["benchmarks", "fuzz"])
def test_scripts_import_each_other_in_no_circle(folder: str) -> None:
    modules = {path.stem: path for path in (CHECKOUT / folder).glob("*.py")}
    arrows = {
        name: {imported.partition(".")[0] for imported, _ in imports(path)} & modules.keys() - {name}
        for name, path in modules.items()
    }
    assert circles(arrows) == []


def test_the_modules_at_the_top_import_no_room() -> None:
    """But for the core; `__init__` imports what it exports when it is first used."""
    rooms = ROOMS.keys() - {"native"} | {"commands"}
    for path in PACKAGE.glob("*.py"):
        if path.stem not in {"__init__", "__main__"}:
            for module, _ in imports(path, with_types=True):
                assert module.split(".")[:1] != ["thresher"] or module.split(".")[1] not in rooms, f"{path}: {module}"


def test_the_package_itself_and_its_rooms_import_each_other_in_no_circle() -> None:
    """Integrations and `compat` may use what `thresher` exports; so it exports nothing of theirs."""

    def room(module: str) -> str:
        first = module.split(".")[1:2]
        return first[0] if first and (PACKAGE / first[0]).is_dir() else module

    arrows: dict[str, set[str]] = {}
    for module, imported in module_arrows().items():
        arrows.setdefault(room(module), set()).update({room(each) for each in imported} - {room(module)})
    assert circles(arrows) == []
    assert "thresher" in arrows["integrations"]
    assert "thresher" not in module_arrows()["thresher.integrations.duckdb"], "`thresher.duckdb` is this module"


def test_every_room_has_its_rule() -> None:
    rooms = {path.relative_to(PACKAGE).parts[0] for path in python_files("src/thresher") if path.parent != PACKAGE}
    assert rooms - {"commands", "models", "conf"} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_imports_go_one_way(room: str) -> None:
    """No import of a room goes to one that its rule does not name, be it in a function or for type checkers alone."""
    for path in sorted((PACKAGE / room).rglob("*.py")):
        for module, _ in imports(path, with_types=True):
            first, _, rest = module.partition(".")
            other = rest.partition(".")[0]
            if first == "thresher" and other != room and (PACKAGE / other).is_dir():
                assert not other or other in ROOMS[room], f"{path} imports {module}"


def test_rows_open_no_archive() -> None:
    """They are made of readings that somebody else opened; texts and lists beside an archive they may read."""
    known = {f"thresher.reading.{each}" for each in ("captures", "progress", "rendered", "text_files")}
    for module, imported in module_arrows().items():
        if is_within(module, "thresher.rows"):
            assert {each for each in imported if is_within(each, "thresher.reading")} <= known | {"thresher.reading"}


CORE = (
    "base",
    "parsing",
    "shown",
    "facts",
    "unseen",
    "measuring",
    "constructs",
    "scoring",
    "choosing",
    "writing",
    "templates",
)
"""The rooms of the core: each imports only from those before it."""


def core_arrows() -> dict[str, set[str]]:
    """The modules of the core, each with those that it imports."""
    statement = re.compile(r"^\s*(?:from|c?import) thresher\.native\.([\w.]+)", re.MULTILINE)
    arrows: dict[str, set[str]] = {}
    for path in sorted([*(CHECKOUT / "native").rglob("*.pyx"), *(CHECKOUT / "native").rglob("*.pxd")]):
        name = ".".join(path.relative_to(CHECKOUT / "native").with_suffix("").parts)
        arrows.setdefault(name, set()).update(set(statement.findall(path.read_text())) - {name})
    return arrows


def test_modules_of_the_core_import_each_other_in_no_circle() -> None:
    assert circles(core_arrows()) == []


def test_rooms_of_the_core_import_one_way() -> None:
    rooms = {path.name for path in (CHECKOUT / "native").iterdir() if path.is_dir()} - {"__pycache__"}
    assert rooms == set(CORE)
    for name, imported in core_arrows().items():
        room = name.partition(".")[0]
        for other in (each.partition(".")[0] for each in imported):
            if room in CORE:
                assert other in CORE[: CORE.index(room) + 1], f"{name} imports {other}"


def test_circles_are_found() -> None:
    """Guards the rule itself."""
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [{"b", "c"}]
    arrows = module_arrows()
    assert "thresher.reading.wacz" in arrows["thresher.reading.opening"], "imported in a function"
    assert "thresher.writing.file_format" in arrows["thresher.writing.jsonl"], "imported for its types"
    assert "parsing.document" in core_arrows()["workspace"]


def test_no_module_is_named_like_one_of_the_standard_library() -> None:
    """A script puts its folder first on sys.path, where such a module would be found instead."""
    folders = [CHECKOUT / "jobs", *(PACKAGE / room for room in ("", "commands", *ROOMS))]
    names = {path.stem for folder in folders for path in folder.glob("*.py")}
    assert not names & (sys.stdlib_module_names - {"__main__"})

# SPDX-License-Identifier: Apache-2.0
"""Compiles the Cython core in native/; everything else about the package is in pyproject.toml.

THRESHER_DEBUG=1 turns on Cython's bounds checks and the core's own checks, native/base/check.h (`make debug`).
THRESHER_SANITIZE=1 builds with AddressSanitizer and UndefinedBehaviorSanitizer, and the core's own checks.
THRESHER_NO_CORE=1 leaves the core out: for an installation in place (-e) whose core `setup.py build_ext --inplace`
compiles, which unlike pip compiles only what has changed. Each of the three kinds of build has its own folder below
build/, so that none takes another's object files for its own. All builds of a kind share the generated C and what was
compiled of it: an installation, a build in place and a wheel compile once. THRESHER_BUILD names another folder for what
is compiled (.ci/wheel, with another compiler).
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup


def enabled(variable: str) -> bool:
    """True when an environment variable says yes; "0", "no" and "" mean no."""
    return os.environ.get(variable, "").lower() in {"1", "yes", "true", "on"}


DEBUG = enabled("THRESHER_DEBUG")
SANITIZE = enabled("THRESHER_SANITIZE")
KIND = "debug" if DEBUG else "sanitize" if SANITIZE else "release"
BUILD = os.environ.get("THRESHER_BUILD", f"build/{KIND}")
COMPILE_ARGS = ["-Wno-unused-function", "-Wno-sign-compare", "-Wno-unreachable-code"]
LINK_ARGS: list[str] = []
MACROS: list[tuple[str, str | None]] = []
if DEBUG:
    COMPILE_ARGS.append("-UNDEBUG")
else:
    MACROS.append(("CYTHON_WITHOUT_ASSERTIONS", None))
    if not SANITIZE:
        # Python's own flags ask for debug symbols: objects eight times as large. Those of Debian's ask for -O2,
        # with which a page takes 11 % more instructions.
        COMPILE_ARGS += ["-g0", "-O3"]
if DEBUG or SANITIZE:
    MACROS.append(("THRESHER_CHECKS", "1"))
if SANITIZE:
    MACROS.append(("THRESHER_TIGHT", "1"))
    # -O1: under Python's own -O3 the checks make a module take minutes to compile.
    COMPILE_ARGS += ["-O1", "-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]
    LINK_ARGS += ["-fsanitize=address,undefined"]

DIRECTIVES = {
    "language_level": 3,
    "embedsignature": True,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": True,
    "binding": True,
}

# Cython's own code for memoryviews is compiled once, not in each of the 57 modules that see one: with the comments left
# out, C of 70 MB instead of 112.
SHARED = "thresher.native._cyutility"
Options.emit_code_comments = DEBUG or SANITIZE

# Little but tables, which one long function fills when the module is imported. -O3 takes 29 of all 113 seconds of CPU
# for these two, the flags here 6, and no page is slower.
FLAGS_OF_TABLES = {
    "src/thresher/native/parsing/tags.pyx": ["-O0", "-U_FORTIFY_SOURCE"],  # the latter asks for optimisation
    "src/thresher/native/scoring/feature_table.pyx": ["-O1"],
}

extensions = [
    Extension(
        path.removeprefix("src/").removesuffix(".pyx").replace("/", "."),
        [path],
        define_macros=MACROS,
        extra_compile_args=COMPILE_ARGS + FLAGS_OF_TABLES.get(path, []),
        extra_link_args=LINK_ARGS,
        include_dirs=["src/thresher/native"],
    )
    for path in sorted(map(str, Path("src/thresher/native").rglob("*.pyx")))
]
extensions.append(
    Extension(
        SHARED,
        [f"src/{SHARED.replace('.', '/')}.c"],
        define_macros=MACROS,
        extra_compile_args=[*COMPILE_ARGS, "-O1"],
        extra_link_args=LINK_ARGS,
    )
)

setup(
    ext_modules=[]
    if enabled("THRESHER_NO_CORE")
    else cythonize(
        extensions,
        include_path=["src"],
        build_dir=f"build/{KIND}/cython",
        shared_utility_qualified_name=SHARED,
        compiler_directives=DIRECTIVES,
        emit_linenums=DEBUG or SANITIZE,  # a check that fails then names the line in native/ and not in the generated C
        nthreads=os.cpu_count() or 1,
    ),
    options={"build": {"build_base": BUILD}, "build_ext": {"parallel": os.cpu_count() or 1}},
)

# SPDX-License-Identifier: Apache-2.0
"""Compiles the Cython core in native/; everything else about the package is in pyproject.toml.

THRESHER_DEBUG=1 turns on Cython's bounds checks and the core's own checks, native/base/check.h (`make debug`).
THRESHER_SANITIZE=1 builds with AddressSanitizer and UndefinedBehaviorSanitizer, and the core's own checks.
THRESHER_NO_CORE=1 leaves the core out: for an installation in place (-e) whose core `setup.py build_ext --inplace`
compiles, which unlike pip compiles only what has changed. Each of the three kinds of build has its own folder below
build/, so that none takes another's object files for its own. THRESHER_BUILD names another folder (.ci/wheel).
"""

import os
from pathlib import Path

from Cython.Build import cythonize
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
        COMPILE_ARGS.append("-g0")  # Python's own flags ask for debug symbols: objects eight times as large
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

extensions = [
    Extension(
        path.removeprefix("src/").removesuffix(".pyx").replace("/", "."),
        [path],
        define_macros=MACROS,
        extra_compile_args=COMPILE_ARGS,
        extra_link_args=LINK_ARGS,
        include_dirs=["src/thresher/native"],
    )
    for path in sorted(map(str, Path("src/thresher/native").rglob("*.pyx")))
]

setup(
    ext_modules=[]
    if enabled("THRESHER_NO_CORE")
    else cythonize(
        extensions,
        include_path=["src"],
        build_dir=f"{BUILD}/cython",
        compiler_directives=DIRECTIVES,
        emit_linenums=DEBUG or SANITIZE,  # a check that fails then names the line in native/ and not in the generated C
        nthreads=os.cpu_count() or 1,
    ),
    options={"build": {"build_base": BUILD}, "build_ext": {"parallel": os.cpu_count() or 1}},
)

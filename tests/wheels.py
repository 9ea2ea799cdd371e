# SPDX-License-Identifier: Apache-2.0
"""Wheels that tests install: built without the core, whose compiled modules this checkout has and lends."""

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from shared_data import CHECKOUT
from waiting import LIMIT

SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX")
WITHOUT_CORE = {**os.environ, "THRESHER_NO_CORE": "1"}


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    """What a command prints, standard error included; fails with it when the command does."""
    env = env or {**os.environ, "PYTHONPATH": ""}  # so that pip does not take a checkout on it for an installation
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=LIMIT,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-5000:]}"
    return done.stdout


def build_wheel(folder: Path) -> Path:
    """A wheel of this checkout, with its compiled core. It is built in the folder: nothing of an earlier build is in it."""
    environment = {**WITHOUT_CORE, "THRESHER_BUILD": str(folder / "build")}
    run(sys.executable, "setup.py", "--quiet", "bdist_wheel", "--dist-dir", folder, cwd=CHECKOUT, env=environment)
    (wheel,) = folder.glob("*.whl")
    return lend_core(wheel)


def lend_core(wheel: Path) -> Path:
    """The wheel with the compiled modules of this checkout, under the name of a wheel that has them."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    whole = wheel.with_name(re.sub(r"-[^-]+-[^-]+-[^-]+\.whl$", f"-{tag}-{tag}-{platform}.whl", wheel.name))
    wheel.rename(whole)
    with zipfile.ZipFile(whole, "a") as archive:
        for path in (CHECKOUT / "native").rglob(f"*{SUFFIX}"):
            archive.write(path, f"thresher/{path.relative_to(CHECKOUT)}")
    return whole

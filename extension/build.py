# SPDX-License-Identifier: Apache-2.0
"""Builds the extension: `python extension/build.py` writes a folder and a zip for each browser to build/extension/.

Both have the same files; only what a browser would warn about is left out of its manifest. The same sources give the
same bytes.
"""

import json
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
FILES = (
    "icons/128.png",
    "icons/16.png",
    "icons/48.png",
    "page.css",
    "page.js",
    "popup.css",
    "popup.html",
    "popup.js",
    "service.js",
    "settings.html",
    "settings.js",
)
ONLY = {"browser_specific_settings": "firefox", "minimum_chrome_version": "chromium"}
"""Entries of the manifest that one browser alone knows."""


def version() -> str:
    """The version of the package; browsers take numbers and dots."""
    text = (HERE.parent / "src" / "thresher" / "_version.py").read_text(encoding="utf-8")
    found = re.search(r'"(\d+(?:\.\d+){0,3})', text)
    assert found is not None
    return found[1]


def manifest(browser: str) -> bytes:
    """The manifest for a browser."""
    entries = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    entries["version"] = version()
    kept = {name: value for name, value in entries.items() if ONLY.get(name, browser) == browser}
    return json.dumps(kept, indent=2).encode() + b"\n"


def build(out: Path) -> list[Path]:
    """Writes both extensions; their zips."""
    zips = []
    for browser in ("chromium", "firefox"):
        contents = {"manifest.json": manifest(browser)} | {name: (HERE / name).read_bytes() for name in FILES}
        for name, data in contents.items():
            file = out / browser / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        zips.append(out / f"thresher-{version()}-{browser}.zip")
        with zipfile.ZipFile(zips[-1], "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in sorted(contents.items()):
                entry = zipfile.ZipInfo(name, date_time=(2026, 1, 1, 0, 0, 0))
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return zips


if __name__ == "__main__":
    for path in build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "build" / "extension"):
        print(path)

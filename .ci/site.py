# SPDX-License-Identifier: Apache-2.0
"""Hooks of MkDocs: pages of the repository that lie outside docs/, and links as they are on the site.

The pages are written to be read in the repository as well. README.md is the site's first page. Other Markdown files
that pages link to appear below repository/; links to source files and folders become plain code.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files, InclusionLevel

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
# Notes beside data, which are read in the repository.
LEFT_OUT = ("benchmarks/fixtures/",)
# Long tables of figures: pages that others link to, and that the navigation does not list.
EVIDENCE = "benchmarks/results/"


def on_files(files: Files, config: Any) -> Files:  # noqa: ANN401 (MkDocs has no types for its configuration)
    """Adds the pages outside docs/, found by following links from README.md."""
    waiting, seen = ["README.md"], set()
    for file in files.documentation_pages():
        waiting += targets(f"docs/{file.src_uri}")
    while waiting:
        path = waiting.pop()
        if path in seen or path.startswith("docs/") or not is_page(path):
            continue
        seen.add(path)
        content = (ROOT / path).read_text("utf-8")
        level = InclusionLevel.NOT_IN_NAV if path.startswith(EVIDENCE) else InclusionLevel.INCLUDED
        files.append(File.generated(config, site_path(path), content=content, inclusion=level))
        waiting += targets(path)
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401 (MkDocs' page)
    """The page with its links as they are on the site."""
    here = page.file.src_uri
    source = "README.md" if here == "index.md" else here.removeprefix("repository/")
    source = source if source != here or here == "README.md" else f"docs/{here}"

    def link(found: re.Match[str]) -> str:
        mark, text, target = found.groups()
        path, _, anchor = target.partition("#")
        if "://" in target or not path:
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if not (ROOT / path).exists():
            return found[0]  # which MkDocs reports
        if not (path.startswith("docs/") or is_page(path)):
            return text
        there = posixpath.relpath(site_path(path), posixpath.dirname(here) or ".")
        return f"{mark}[{text}]({there}{'#' + anchor if anchor else ''})"

    # Not within code; re.split keeps the code at odd places.
    parts = CODE.split(markdown)
    parts[::2] = [LINK.sub(link, part) for part in parts[::2]]
    return "".join(parts)


def is_page(path: str) -> bool:
    """Whether a file of the repository is a page of the site."""
    return path.endswith(".md") and not path.startswith(LEFT_OUT) and (ROOT / path).is_file()


def site_path(path: str) -> str:
    """Where a page of the repository is on the site."""
    if path == "README.md":
        return "index.md"
    return path.removeprefix("docs/") if path.startswith("docs/") else f"repository/{path}"


def targets(path: str) -> list[str]:
    """The files of the repository that a page links to."""
    text = CODE.sub("", (ROOT / path).read_text("utf-8"))
    found = [link[3].partition("#")[0] for link in LINK.finditer(text) if "://" not in link[3]]
    return [posixpath.normpath(posixpath.join(posixpath.dirname(path), each)) for each in found if each]

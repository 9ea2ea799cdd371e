# SPDX-License-Identifier: Apache-2.0
"""Checks that every link, image and style sheet of a built site leads to a file, and every anchor to an element.

    python .ci/check_links.py build/site

MkDocs checks links of Markdown; this checks what was written, navigation and theme included. Links to other servers
are only listed: they would make the result depend on a network.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The ids and links of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keeps ids, names of anchors, and addresses."""
        for name, value in attrs:
            if value and (name == "id" or (tag == "a" and name == "name")):
                self.ids.add(value)
            if value and name in ("href", "src"):
                self.links.append(value)


def main(site: Path) -> int:
    """Prints broken links; the exit status is 1 if there are any."""
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    broken, others = [], set()
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                others.add(link)
                continue
            # The page for unknown addresses has links from the root.
            base = site if parts.path.startswith("/") else path.parent
            target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                broken.append(f"{path.relative_to(site.resolve())}: {link} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                broken.append(f"{path.relative_to(site.resolve())}: {link} has no such anchor")
    print(f"{len(pages)} pages, {len(others)} links to other sites, {len(broken)} broken links")
    print("\n".join(sorted(set(broken))), file=sys.stderr)
    return bool(broken) or not pages


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

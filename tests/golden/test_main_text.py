# SPDX-License-Identifier: Apache-2.0
"""Made-up pages and the text expected of them: NAME.html beside NAME.EXTRACTOR.txt. `make golden` rewrites, review the
diff.
"""

from pathlib import Path

import pytest

from thresher.page.page_extractor import PageExtractor

PAGES = sorted((Path(__file__).parent / "pages").glob("*.html"))


@pytest.mark.parametrize("extractor", ["all", "cetd", "thresher"])
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_text(page, extractor, golden):
    golden(page.with_suffix(f".{extractor}.txt"), PageExtractor(extractor).extract(page.read_bytes()) + b"\n")


def test_there_are_pages():
    assert len(PAGES) >= 5

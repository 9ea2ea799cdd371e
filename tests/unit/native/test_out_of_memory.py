# SPDX-License-Identifier: Apache-2.0
"""Running out of memory anywhere in the core is a MemoryError or a status, never a crash, and what was there can be
used again.
"""

import subprocess
import sys

import pytest

CODE = """
import resource, sys
from thresher.page.page_extractor import PageExtractor
from thresher.native.parsing.document import Document
from thresher.native.templates.fingerprints import node_keys
from thresher.native.templates.mapping import Mapping
from thresher.native.templates.outline import Outline
from thresher.native.templates.profiles import Profiles

PAGE = b"".join(
    b"<div class=c%d><p>text &amp; %d <b>bold</b> <a href=/x%d>link</a><li>x<table><tr><td>1<td>2</table>y<x-%d a%d>"
    % (i, i, i, i, i) for i in range(15_000)
)

def markup():
    for form in ("markdown", "source"):
        extractor = PageExtractor("all", format=form, links=True, images=True)
        assert extractor.extract(PAGE) or extractor.status in ("error", "empty")

def mapping():
    document, profiles = Document(), Profiles()
    document.parse(PAGE)
    one, other = Outline(profiles), Outline(profiles)
    one.read(document)
    other.read(document)
    assert Mapping().pairs(one, other) or document.status == "error"

def keys():
    assert len(node_keys(bytes(range(1, 256)) * 8 * 500, 3, distinct=True)) > 0

held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
limit = held + int(sys.argv[1]) * 1024 * 1024
resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
failures = 0
for step in (markup, mapping, keys):
    try:
        step()
    except MemoryError:
        failures += 1
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
markup()
print(failures)
"""


@pytest.mark.parametrize("megabytes", [1, 4, 12, 25, 40, 60, 90])
def test_no_memory_is_no_crash(megabytes):
    done = subprocess.run([sys.executable, "-c", CODE, str(megabytes)], text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 0 or megabytes > 12

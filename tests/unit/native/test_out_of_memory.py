# SPDX-License-Identifier: Apache-2.0
"""Running out of memory anywhere in the core is a MemoryError or a status, never a crash, and what was there can be
used again.
"""

import os
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


SIGNATURES = """
import resource
from array import array
from thresher.native.parsing.document import Document
from thresher.native.templates.signatures import signatures_of_nodes

document = Document()
document.parse(b"<p>a" * 500_000)
size = len(signatures_of_nodes(document)) * 8
held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
failures = 0
for sixteenths in range(0, 64):
    resource.setrlimit(resource.RLIMIT_AS, (held + size * sixteenths // 16, resource.RLIM_INFINITY))
    try:
        assert len(signatures_of_nodes(document)) * 8 == size
    except MemoryError as error:
        failures += "signatures" in str(error)
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert len(signatures_of_nodes(document)) * 8 == size
print(failures)
"""


def test_no_memory_for_signatures_is_an_error():
    # Memory that is freed goes back to the system, so that none is left from the call before.
    environment = os.environ | {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "0"}
    command = [sys.executable, "-c", SIGNATURES]
    done = subprocess.run(command, text=True, capture_output=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 0

# SPDX-License-Identifier: Apache-2.0
"""Segments and shadow roots are put in place (native/shown/placing.pxd)."""

import re

import pytest

from thresher.native.parsing.document import Document
from thresher.native.workspace import Workspace

END = "The end of the page, with more text than all that is hidden on it. " * 4
SHELL = '<p>Above</p><!--$?--><template id="B:0"></template><i>Loading</i><!--/$--><p>Below</p>'
SEGMENT = '<div hidden id="S:0"><b>Content</b></div>'


def placed(page: str) -> str:
    """The texts of a page in order, those that are hidden in brackets; the tree keeps its promises."""
    workspace = Workspace(Document())
    workspace.parse(f"<body>{page}<p>{END}".encode())
    document = workspace.document
    assert document.verify() == ""
    workspace.measure()
    found = []
    for node in range(document.n_nodes):
        if document.tag(node) != "#text" or document.tag(document.parent(node)) == "script":
            continue
        text = document.text(node).strip()
        if text:
            found.append(text if workspace.metrics[node]["characters"] else f"[{text}]")
    assert found.pop() == END.strip()
    return " ".join(found)


@pytest.mark.parametrize(
    "call", ['$RC("B:0","S:0")', "$RC('B:0','S:0')", '$RR("B:0", "S:0",[["a.css"]])', 'x=1;$RC("B:0","S:0");y()']
)
def test_a_segment_takes_the_place_of_the_fallback(call: str) -> None:
    assert placed(f"{SHELL}{SEGMENT}<script>{call}</script>") == "Above Content Below"


def test_a_segment_takes_the_place_of_a_placeholder() -> None:
    page = '<p>a</p><template id="P:1"></template><p>c</p><div hidden id="S:1"><p>b</p></div>'
    assert placed(page + '<script>$RS("S:1","P:1")</script>') == "a b c"


def test_segments_come_in_any_order_and_within_each_other() -> None:
    inner = '<div hidden id="S:1"><p>inner</p></div><script>$RC("B:1","S:1")</script>'
    outer = '<div hidden id="S:0"><p>outer</p><template id="B:1"></template></div><script>$RC("B:0","S:0")</script>'
    assert placed(SHELL + inner + outer) == placed(SHELL + outer + inner) == "Above outer inner Below"


def test_rows_of_a_table_are_segments_too() -> None:
    page = (
        "<table><tbody><tr><td>1</td></tr><template id='P:a'></template></tbody></table>"
        "<table hidden><tbody id='S:a'><tr><td>2</td></tr></tbody></table><script>$RS('S:a','P:a')</script>"
    )
    assert placed(page) == "1 2"


def test_a_fallback_within_a_fallback_goes_with_it() -> None:
    shell = '<!--$?--><template id="B:0"></template><!--$?--><template id="B:1"></template>x<!--/$-->y<!--/$-->z'
    assert placed(f'{shell}{SEGMENT}<script>$RC("B:0","S:0")</script>') == "Content z"


def test_without_the_comment_that_ends_it_nothing_of_the_fallback_is_dropped() -> None:
    page = f'<div><template id="B:0"></template>Loading</div>{SEGMENT}<script>$RC("B:0","S:0")</script>'
    assert placed(page) == "Content Loading"


@pytest.mark.parametrize(
    "page",
    [
        SHELL + SEGMENT,  # no call
        f'{SHELL}{SEGMENT}<script>$RC("B:0","S:1")</script>',  # another segment
        f'{SHELL}{SEGMENT}<script>$RC("B:1","S:0")</script>',  # another place
        f'{SHELL}{SEGMENT}<script>$RX("B:0","S:0")</script>',  # an error
        f'{SHELL}{SEGMENT}<script>$RC("B:0",S:0)</script>',
        f'{SHELL}{SEGMENT}<script>$RC("B:0"</script>',
        f"{SHELL}{SEGMENT}<script>$RC</script>",
        f'{SHELL}{SEGMENT}<script type=text/plain>$RC("B:0","S:0")</script>',
        f'{SHELL}{SEGMENT}<noscript><script>$RC("B:0","S:0")</script></noscript>',
    ],
)
def test_what_cannot_be_placed_stays(page: str) -> None:
    assert placed(page) == "Above Loading Below [Content]"


def test_a_segment_moves_once() -> None:
    page = '<template id="B:0"></template>x<template id="B:1"></template>' + SEGMENT
    assert placed(f'{page}<script>$RC("B:0","S:0");$RC("B:1","S:0")</script>') == "Content x"
    twice = f'{page}<div hidden id="S:1">Other</div><script>$RC("B:0","S:0");$RC("B:0","S:1")</script>'
    assert placed(twice) == "Content x [Other]"


def test_a_segment_never_ends_inside_itself() -> None:
    one = '<div hidden id="S:0">a<template id="B:0"></template></div><script>$RC("B:0","S:0")</script>'
    assert placed(one) == "[a]"
    two = (
        '<div hidden id="S:0">a<template id="B:1"></template></div>'
        '<div hidden id="S:1">b<template id="B:0"></template></div><script>$RC("B:0","S:0");$RC("B:1","S:1")</script>'
    )
    assert placed(two) == "[a] [b]"


def test_a_place_in_a_template_or_in_a_fallback_is_none() -> None:
    assert placed(f'<template><template id="B:0"></template></template>{SEGMENT}<script>$RC("B:0","S:0")</script>') == (
        "[Content]"
    )
    page = '<!--$?--><template id="B:0"></template><p><template id="B:1"></template></p><!--/$-->' + SEGMENT
    page += '<div hidden id="S:1">Other</div><script>$RC("B:0","S:0");$RC("B:1","S:1")</script>'
    assert placed(page) == "Content [Other]"


def test_segments_too_deep_within_each_other_stay() -> None:
    n = 40
    page = '<template id="B:0"></template>' + "".join(
        f'<div hidden id="S:{i:x}">{i}<template id="B:{i + 1:x}"></template></div>'
        f'<script>$RC("B:{i:x}","S:{i:x}")</script>'
        for i in range(n)
    )
    shown = re.sub(r"\[\d+\]", "", placed(page)).split()
    assert shown == [str(i) for i in range(32)]


# --- shadow roots ---


def test_the_shadow_root_stands_where_its_host_stands() -> None:
    page = "<p>a</p><x-y><template shadowrootmode=open><p>b</p></template></x-y><p>c</p>"
    assert placed(page) == "a b c"


def test_slots_are_filled() -> None:
    page = (
        "<x-y>light <b slot=n>named</b><template shadowrootmode=closed>"
        "<h1><slot name=n>unnamed</slot></h1><p>shadow <slot></slot> end <slot name=q>default</slot></p><slot></slot>"
        "</template>more</x-y>"
    )
    assert placed(page) == "named shadow light more end default"


def test_children_without_a_slot_are_not_shown() -> None:
    assert placed("<x-y>light<template shadowrootmode=open><p>shadow</p></template></x-y>") == "shadow [light]"


def test_slots_pass_on_what_they_get() -> None:
    page = (
        "<x-y>light<template shadowrootmode=open><z-z><template shadowrootmode=open><i>(</i><slot></slot><i>)</i>"
        "</template><slot></slot></z-z></template></x-y>"
    )
    assert placed(page) == "( light )"


def test_the_first_shadow_root_of_a_host_counts() -> None:
    page = "<div><template shadowrootmode=open>a</template><template shadowrootmode=open>b</template></div>"
    assert placed(page) == "a [b]"


@pytest.mark.parametrize("host", ["ul", "a", "table", "button"])
def test_other_elements_have_no_shadow_root(host: str) -> None:
    assert placed(f"<{host}><template shadowrootmode=open>a</template></{host}>") == "[a]"


def test_other_templates_stay_as_they_are() -> None:
    assert placed("<x-y><template>a</template>b</x-y>") == "[a] b"
    assert placed("<x-y><template shadowrootmode=shut>a</template>b</x-y>") == "[a] b"


def test_styles_of_a_shadow_root_style_it_alone() -> None:
    page = "<p class=a>shown</p><x-y><template shadowrootmode=open><style>.a{display:none}</style>b</template></x-y>"
    assert placed(page) == "shown b"

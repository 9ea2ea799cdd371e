# SPDX-License-Identifier: Apache-2.0
"""Results know which page they are of: what is left of another page is refused, and never read."""

from collections.abc import Callable

import pytest

from thresher.native.choosing.registry import EXTRACTORS, Extractor
from thresher.native.measuring.blocks import Blocks
from thresher.native.measuring.metrics import Metrics
from thresher.native.parsing.document import Document
from thresher.native.scoring.features import Features
from thresher.native.templates.fingerprints import block_excerpts, block_fingerprints
from thresher.native.templates.packed import PackedPage
from thresher.native.workspace import Workspace
from thresher.page.page_extractor import PageExtractor

SENTENCE = "Boards of plain oak were laid across the barn floor, and on them the sheaves were beaten. "
PAGE = f"<title>t</title><body><nav><a href=/>Home</a></nav><main><h1>Oak</h1><p>{SENTENCE * 4}<p>{SENTENCE * 3}</main>".encode()
# As many nodes as PAGE, and less text.
SAME_SHAPE = b"<title>u</title><body><nav><a href=/>x</a></nav><main><h1>y</h1><p>z<p>w</main>"

CALLS: dict[str, Callable[[Workspace], object]] = {
    "measure": Workspace.measure,
    "classify": lambda workspace: workspace.classify(EXTRACTORS["cetd"]),
    "render": Workspace.render,
    "render_markup": lambda workspace: workspace.render_markup("markdown"),
    "render_block": lambda workspace: workspace.render_block(0),
    "apply_region_rules": lambda workspace: workspace.apply_region_rules(("drop", "drop", "leave", "leave", "drop")),
    "pack": lambda workspace: workspace.pack(0),
    "keep_nodes": lambda workspace: workspace.keep_nodes(bytes(workspace.document.n_nodes)),
    "marked_shares": lambda workspace: workspace.marked_shares(bytes(workspace.document.n_nodes)),
    "node_marks": Workspace.node_marks,
    "kept": Workspace.kept,
    "kept_bytes": Workspace.kept_bytes,
    "drop": lambda workspace: workspace.drop(bytes(workspace.n_blocks)),
    "scores": Workspace.scores,
    "confidence": lambda workspace: workspace.confidence,
    "n_blocks": lambda workspace: workspace.n_blocks,
    "n_words": lambda workspace: workspace.n_words,
    "text_density": lambda workspace: workspace.text_density,
    "link_density": lambda workspace: workspace.link_density,
}


def classified(page: bytes = PAGE, name: str = "thresher") -> Workspace:
    workspace = Workspace(Document())
    workspace.parse(page)
    workspace.measure()
    workspace.classify(EXTRACTORS[name])
    return workspace


@pytest.mark.parametrize("page", [b"", b"<p>x", SAME_SHAPE, PAGE], ids=["empty", "small", "same shape", "same page"])
@pytest.mark.parametrize("call", CALLS)
def test_a_workspace_whose_document_parsed_another_page_gives_nothing(call: str, page: bytes) -> None:
    """render() returned bytes of the heap after document.parse() behind the workspace's back."""
    workspace = classified()
    workspace.document.parse(page)
    with pytest.raises(RuntimeError, match="another page"):
        CALLS[call](workspace)
    workspace.parse(PAGE)
    workspace.measure()
    workspace.classify(EXTRACTORS["thresher"])
    assert SENTENCE.strip() in workspace.render().decode()


def test_a_page_extractor_whose_document_parsed_another_page_gives_nothing() -> None:
    extractor = PageExtractor("all")
    text = extractor.extract(PAGE)
    extractor.workspace.document.parse(b"<p>x")
    with pytest.raises(RuntimeError, match="another page"):
        extractor.render()
    assert extractor.extract(PAGE) == text


def test_the_parts_of_a_workspace_are_used_by_it_alone() -> None:
    workspace, other, metrics = classified(), Document(), Metrics()
    text = workspace.render()
    other.parse(SAME_SHAPE)
    metrics.measure(other)
    for call in (lambda: workspace.metrics.measure(other), lambda: workspace.blocks.find(other, metrics)):
        with pytest.raises(RuntimeError, match="belong to a workspace"):
            call()
    assert workspace.render() == text


def test_blocks_that_were_found_by_other_metrics_are_refused() -> None:
    document, metrics, blocks, features = Document(), Metrics(), Blocks(), Features()
    document.parse(b"<p>a<div hidden><p>b<p>c</div><p>d")
    metrics.measure(document, with_concealed=True)
    blocks.find(document, metrics)
    features.compute(document, metrics, blocks)
    metrics.measure(document)
    for call in (
        lambda: features.compute(document, metrics, blocks),
        lambda: features.terms(document, metrics, blocks),
        lambda: block_fingerprints(document, metrics, blocks),
        lambda: block_excerpts(document, metrics, blocks, 10),
    ):
        with pytest.raises(RuntimeError, match="measured again"):
            call()


def test_results_of_a_page_of_the_same_shape_are_refused() -> None:
    """Only the number of nodes was compared."""
    document, other, metrics, blocks, features = Document(), Document(), Metrics(), Blocks(), Features()
    document.parse(PAGE)
    other.parse(SAME_SHAPE)
    assert document.n_nodes == other.n_nodes
    metrics.measure(document)
    blocks.find(document, metrics)
    features.compute(document, metrics, blocks)
    for call in (
        lambda: blocks.find(other, metrics),
        lambda: metrics.density_sum(other, 1),
        lambda: features.compute(other, metrics, blocks),
        lambda: features.terms(other, metrics, blocks),
        lambda: features.tokens(other),
        lambda: block_fingerprints(other, metrics, blocks),
        lambda: block_excerpts(other, metrics, blocks, 10),
    ):
        with pytest.raises(RuntimeError, match="another page"):
            call()
    # The same document with another page is another page, too.
    document.parse(SAME_SHAPE)
    with pytest.raises(RuntimeError, match="another page"):
        features.tokens(document)


def test_a_choice_of_nodes_forgets_the_scores() -> None:
    """pack() said that it could choose again, by the features of the page before."""
    workspace, packed = classified(), PackedPage()
    n_blocks = workspace.n_blocks
    assert workspace.scores() is not None
    packed.load(workspace.pack(-32768))
    packed.choose(EXTRACTORS["thresher"], bytes(2 * n_blocks), bytes(2 * n_blocks))
    workspace.parse(PAGE)
    workspace.measure()
    workspace.keep_nodes(bytes(workspace.document.n_nodes))
    n_blocks = workspace.n_blocks
    assert workspace.scores() is None
    assert workspace.confidence is None
    packed.load(workspace.pack(-32768))
    with pytest.raises(ValueError, match="nothing to choose by"):
        packed.choose(EXTRACTORS["thresher"], bytes(2 * n_blocks), bytes(2 * n_blocks))


@pytest.mark.parametrize("name", ["all", "cetd", "majority"])
def test_another_extractor_forgets_the_scores(name: str) -> None:
    workspace, packed = classified(), PackedPage()
    workspace.classify(EXTRACTORS[name])
    assert workspace.scores() is None
    packed.load(workspace.pack(-32768))
    with pytest.raises(ValueError, match="nothing to choose by"):
        packed.choose(EXTRACTORS["thresher"], bytes(2 * workspace.n_blocks), bytes(2 * workspace.n_blocks))


def test_scores_outlive_the_writing_of_markup() -> None:
    """Markup was written in the memory that the scores were in."""
    workspace, packed = classified(), PackedPage()
    scores, kept, confidence = workspace.scores(), workspace.kept_bytes(), workspace.confidence
    workspace.render_markup("markdown", links=True)
    assert workspace.scores() == scores
    assert scores is not None
    packed.load(workspace.pack(-32768))
    packed.choose(EXTRACTORS["thresher"], scores, bytes(len(scores)))
    assert (packed.kept_bytes(), packed.confidence) == (kept, confidence)


def test_an_extractor_that_is_not_of_the_table_is_refused() -> None:
    workspace = classified()
    with pytest.raises(TypeError, match="EXTRACTORS"):
        workspace.classify(Extractor.__new__(Extractor))
    with pytest.raises(TypeError, match="no option 'x'"):
        EXTRACTORS["cetd"].with_options(x=1)
    with pytest.raises(TypeError, match="must be a number"):
        EXTRACTORS["cetd"].with_options(composite="1")  # type: ignore[arg-type]
    changed = EXTRACTORS["cetd"].with_options(descend=0)
    assert changed.options == {"composite": 1.0, "descend": 0.0}
    assert EXTRACTORS["cetd"].options == {"composite": 1.0, "descend": 1.0}


def test_memory_that_a_small_page_does_not_need_is_still_held():
    workspace = Workspace(Document())
    pages = [
        b"<body>" + b"".join(b"<div class=c%d><p>%b</div>" % (i, SENTENCE.encode()) for i in range(n)) for n in (500, 1)
    ]
    held = []
    for page in pages:
        workspace.parse(page)
        workspace.measure()
        workspace.classify(EXTRACTORS["thresher"])
        workspace.render_markup("markdown", images=True)
        held.append(workspace.nbytes)
    assert held[1] == held[0]

# SPDX-License-Identifier: Apache-2.0
"""What `import thresher` offers: exported, typed, shown, pickled, and safe after fork and in threads."""

import json
import os
import pickle
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from shared_data import CHECKOUT
from small_archive import page, write_archive
from waiting import LIMIT

import thresher
from thresher.page.page_extractor import PageExtractor

URL = "https://www.mill.example/2014/03/05/wheel"
PAGE = """<html lang=en><title>The wheel | Mill</title><meta property=og:site_name content=Mill><meta name=author content='A. <b>Miller'>
<ul class=menu><li><a href=/>Home</a></ul><article><h1>The wheel</h1><p>For eleven years the wheel lay in the reeds behind the
barn, and most of the village had forgotten what it once drove &lt;and why&gt;.</p></article>"""


def test_everything_exported_is_there_and_described() -> None:
    for name in thresher.__all__:
        value = getattr(thresher, name)
        if callable(value):
            assert value.__doc__, name
            assert value.__module__.startswith("thresher"), name
    assert set(thresher.__all__) <= set(dir(thresher))
    with pytest.raises(AttributeError, match="no_such"):
        _ = thresher.no_such


@pytest.mark.parametrize("code", ["thresher.Capture", "thresher.read_captures", "thresher.page_batches"])
def test_names_are_found_in_a_fresh_interpreter(code: str) -> None:
    subprocess.run([sys.executable, "-W", "error", "-c", f"import thresher; {code}"], check=True)


def test_star_import() -> None:
    names: dict[str, object] = {}
    exec("from thresher import *", names)
    assert set(thresher.__all__) <= names.keys()


def test_an_extraction_shows_itself() -> None:
    found = thresher.extract(PAGE, url=URL)
    assert repr(found).startswith("<Extraction ok: 'The wheel', '")
    shown = found._repr_html_()
    assert "<b>The wheel</b>" in shown
    assert "A. &lt;b&gt;Miller" in shown
    assert "&lt;and why&gt;" in shown
    assert "2014-03-05" in shown
    assert repr(thresher.parse(PAGE)).startswith("<Document ok: ")
    assert "kind='heading-1'" in repr(found.blocks[1])


def test_parse_refuses_arguments_of_another_type() -> None:
    for arguments, says in (
        ({"charset": 5}, "charset must be str"),
        ({"limits": {}}, "limits must be Limits, not dict"),
    ):
        with pytest.raises(TypeError, match=says):
            thresher.parse(PAGE, **arguments)  # type: ignore[arg-type]


def test_an_extraction_as_plain_data() -> None:
    found = thresher.extract(PAGE, url=URL, extractors=["thresher", "all"])
    record = json.loads(json.dumps(found.to_dict()))
    assert (record["url"], record["title"], record["date"]) == (URL, "The wheel", "2014-03-05")
    assert (record["language"], record["language_declared"]) == ("eng", "en")
    assert record["text"] == found.text
    assert record["text_all"] == found.texts["all"]
    assert (record["extractor"], record["extractor_version"]) == ("thresher", thresher.__version__)
    assert found.blocks[0].to_dict()["text"] == found.blocks[0].text


def test_language_is_that_of_the_text_in_every_format() -> None:
    for markup in ("text", "markdown", "html"):
        found = thresher.extract(PAGE, format=markup)
        assert found.language == "eng"
        assert found.language_score == thresher.identify_language(thresher.extract(PAGE).text)[1]
    nothing = thresher.extract("<p>12</p>", extractor="all")
    assert (nothing.language, nothing.language_score) == ("und", None)
    strict = thresher.extract(PAGE, language_options=thresher.LanguageOptions(min_letters=10_000))
    assert strict.language == "und"


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_language_and_blocks_of_the_page_at_hand_do_not_extract_again(form, monkeypatch) -> None:
    def extracted() -> tuple[str, list[thresher.Block]]:
        found = thresher.extract(page(1), format=form, extractors=["thresher", "cetd"])
        monkeypatch.setattr(PageExtractor, "parse", lambda *_: pytest.fail("the page is parsed again"))
        return found.language, found.blocks

    language, blocks = extracted()
    monkeypatch.undo()
    later = thresher.extract(page(1), format=form, extractors=["thresher", "cetd"])
    thresher.extract(page(2))
    assert (later.language, later.blocks) == (language, blocks)
    assert language == "eng"
    assert any(block.kept for block in blocks)


def test_what_is_computed_once_is_an_attribute_of_the_class_too() -> None:
    for name in ("text", "texts", "blocks"):
        assert getattr(thresher.Extraction, name).__doc__


def test_blocks_of_several_extractors_with_a_mode_that_the_first_has_not() -> None:
    found = thresher.extract(PAGE, extractors=["cetd", "thresher"], mode="precision")
    alone = thresher.extract(PAGE, extractor="cetd")
    assert [(block.text, block.kept) for block in found.blocks] == [(block.text, block.kept) for block in alone.blocks]


def test_what_is_returned_can_be_pickled(tmp_path: Path) -> None:
    found = thresher.extract(PAGE.encode(), url=URL, format="markdown")
    lazily = pickle.loads(pickle.dumps(found))
    assert lazily.to_dict() == found.to_dict()
    assert lazily.blocks == found.blocks
    assert pickle.loads(pickle.dumps(found)).blocks == found.blocks  # with everything computed
    (capture,) = thresher.read_captures(write_archive(tmp_path / "a.warc.gz", {"https://e.org/": page(1)}))
    assert pickle.loads(pickle.dumps(capture)) == capture
    letter = thresher.DeadLetter("a.warc.gz", 0, 0, None, "read", "DamagedFile", "cut off")
    for each in (found.blocks[0], found.options, thresher.Limits(max_nodes=3), thresher.CaptureOptions(), letter):
        assert pickle.loads(pickle.dumps(each)) == each


def test_errors_can_be_pickled_and_are_their_builtin() -> None:
    for error, builtin in (
        (thresher.InputError, ValueError),
        (thresher.ConfigError, ValueError),
        (thresher.TransferError, OSError),
    ):
        assert issubclass(error, builtin)
        assert str(pickle.loads(pickle.dumps(error("what is wrong")))) == "what is wrong"


def facts(html: str) -> tuple[object, ...]:
    found = thresher.extract(html, url=URL)
    return found.text, found.title, found.confidence, found.language


# In a process of its own: other tests leave threads behind, which may hold locks of the allocator at a fork.
IN_THREADS_AND_A_CHILD = """
import os
from concurrent.futures import ThreadPoolExecutor
from test_public_api import PAGE, facts

pages = [PAGE.replace("eleven", f"eleven and {k}") for k in range(30)]
here = [facts(html) for html in pages]
with ThreadPoolExecutor(4) as pool:
    assert list(pool.map(facts, pages * 4)) == here * 4
child = os.fork()
if child == 0:
    status = 1
    try:
        status = 0 if [facts(html) for html in pages] == here else 2
    finally:
        os._exit(status)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""


def test_threads_and_a_forked_child_have_the_same_texts() -> None:
    path = os.pathsep.join(
        [str(Path(__file__).parent), str(CHECKOUT / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    command = [sys.executable, "-c", IN_THREADS_AND_A_CHILD]
    subprocess.run(command, check=True, timeout=LIMIT, env={**os.environ, "PYTHONPATH": path})


def test_a_capture_shows_no_payload_of_megabytes() -> None:
    capture = thresher.Capture(
        url="https://e.org/",
        warc_record_id=None,
        record_type="response",
        warc_filename="a.warc.gz",
        warc_record_offset=0,
        warc_record_length=10,
        fetch_time=datetime(2026, 11, 20, tzinfo=UTC),
        fetch_status=200,
        content_mime_type="text/html",
        content_mime_detected=None,
        mime_source="http",
        http_charset=None,
        content_digest=None,
        content_truncated=None,
        payload=b"x" * 5_000_000,
    )
    assert len(repr(capture)) < 500
    assert "5,000,000 bytes" in repr(capture)

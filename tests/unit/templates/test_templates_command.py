# SPDX-License-Identifier: Apache-2.0
"""Two passes over made-up sites: what goes, what stays, and that the rows are the same however the work is cut."""

import functools
import itertools
import json
import random
import shutil
import signal
from array import array
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from small_archive import write_archive

from thresher.after.report import rows_digest
from thresher.commands.main import main
from thresher.errors import install_command
from thresher.native.templates.evidence import template_blocks
from thresher.options import CaptureOptions
from thresher.page.page_extractor import PageExtractor
from thresher.reading.captures import WarcReading
from thresher.reading.progress import Progress
from thresher.running.outcome import inspect_run
from thresher.templates import deciding
from thresher.templates.evidence import default_model, is_taken

RANDOM = random.Random(5)
WORDS = ["".join(RANDOM.choice("etaoinshrdlu") for _ in range(RANDOM.randint(2, 9))) for _ in range(2000)]


def sentence(n: int) -> str:
    return " ".join(RANDOM.choice(WORDS) for _ in range(n)).capitalize() + "."


def article(paragraphs: int = 4) -> str:
    return "".join(f"<p>{sentence(40)}</p>" for _ in range(paragraphs))


class Site:
    """A host whose pages have a menu, a teaser among the text, and a footer in common."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.menu = "".join(f"<li><a href=/{k}>{sentence(2)}</a></li>" for k in range(8))
        self.teaser, self.footer = sentence(14), sentence(25)

    def page(self, body: str, title: str | None = None) -> bytes:
        return (
            f"<!doctype html><meta charset=utf-8><title>{title or sentence(4)}</title><body><ul>{self.menu}</ul><div id=main>{body}"
            f"<div class=box><p>{self.teaser}</p></div></div><div><p>{self.footer}</p></div>"
        ).encode()

    def url(self, path: str) -> str:
        return f"http://{self.host}/{path}"


@pytest.fixture(scope="module")
def site() -> Site:
    RANDOM.seed(6)  # the same site whichever tests run before
    return Site("www.many.example.com")


@pytest.fixture(scope="module")
def quotation() -> str:
    RANDOM.seed(7)
    return f"<blockquote><p>{sentence(45)}</p></blockquote>"


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory, site: Site, quotation: str) -> Path:
    RANDOM.seed(8)
    pages = {site.url(f"news/{k}.html"): site.page(f"<h1>{sentence(5)}</h1>{article()}") for k in range(20)}
    # The same quotation on two of the pages.
    for name in ("quoting/a.html", "quoting/b.html"):
        pages[site.url(name)] = site.page(f"<h1>{sentence(5)}</h1>{article(2)}{quotation}{article(2)}")
    # One page under two URLs, one that is nearly the same, and one product's text in two shops of the host.
    body = article(12)
    pages[site.url("copy/one.html")] = site.page(body, "Copied")
    pages[site.url("copy/two.html")] = pages[site.url("copy/one.html")]
    pages[site.url("copy/three.html?session=9")] = site.page(body.replace("</p>", " Updated.</p>", 1), "Nearly")
    lonely = Site("lonely.example.org")
    pages[lonely.url("")] = lonely.page(article())
    order = list(pages.items())
    RANDOM.shuffle(order)
    folder = tmp_path_factory.mktemp("archives")
    write_archive(folder / "a.warc.gz", dict(order[:14]))
    write_archive(folder / "b.warc.gz", dict(order[14:]))
    return folder


@pytest.mark.parametrize(("count", "signs"), [(-1, {0}), (9, {-1})])
def test_what_cannot_be_compared_gets_no_evidence(count: int, signs: set[int]) -> None:
    """A price between blocks that all other pages have."""
    scores, sizes, counts = array("h", [-1000] * 9), array("i", [20] * 9), array("i", [*[9] * 4, count, *[9] * 4])
    found = array("h", default_model().weigh(scores.tobytes(), sizes.tobytes(), counts.tobytes(), 9))
    assert {(each > 0) - (each < 0) for each in found[4:5]} == signs
    assert all(each < 0 for each in found[:4])


def test_evidence_changes_the_choice_of_the_learned_extractor(site: Site) -> None:
    html = site.page(f"<h1>{sentence(5)}</h1>{article(6)}")
    extractor = PageExtractor("thresher")
    before = extractor.extract(html)
    scores = array("h", extractor.workspace.scores() or b"")
    place = max(range(len(scores)), key=scores.__getitem__)
    against = array("h", [-30000 if each == place else 0 for each in range(len(scores))])
    extractor.classify(evidence=against.tobytes())
    assert extractor.workspace.kept_bytes()[place] == 0
    after = extractor.render()
    assert len(after) < len(before)
    assert extractor.workspace.scores() is None
    # Nothing that is said against a page leaves it without any text.
    extractor.classify(evidence=array("h", [-30000] * len(scores)).tobytes())
    assert extractor.render()


def test_repetition_speaks_against_a_block_and_more_of_it_more() -> None:
    model = default_model()
    scores, sizes = array("h", [4096] * 11).tobytes(), array("i", [200] * 11).tobytes()

    def weight(count: int, known: int) -> int:
        counts = array("i", [count if each == 5 else 0 for each in range(11)]).tobytes()
        return array("h", model.weigh(scores, sizes, counts, known))[5]

    assert weight(0, 30) == 0 > weight(1, 1) > weight(30, 30)  # that nobody repeats a block speaks for none


def test_a_second_decision_that_looks_worse_is_not_taken() -> None:
    assert is_taken(0.7, 0.7)
    assert is_taken(0.7, 0.71)
    assert not is_taken(0.71, 0.7)
    # Of what the table keeps: .1 as a 32-bit float is more than .1.
    (stored,) = array("f", [0.1])
    assert stored > 0.1
    assert is_taken(stored, 0.1)
    assert is_taken(None, 0.1)
    assert is_taken(0.1, None)


def template_by_the_book(kept: list[int], sizes: list[int], counts: list[int], least: float) -> list[int] | None:
    repeated = [count > 0 and count >= least for count in counts]
    places = itertools.groupby(range(len(sizes)), lambda block: repeated[block])
    runs = [list(blocks) for is_repeated, blocks in places if not is_repeated]
    characters = [sum(sizes[block] for block in run) for run in runs]
    long = sum(size for size in characters if size >= 300)
    alone = set()
    if any(repeated) and long and 2 * long >= sum(characters):
        alone = {block for run, size in zip(runs, characters, strict=True) if size < 300 for block in run}
    found = [int(kept[block] and (each or block in alone)) for block, each in enumerate(repeated)]
    return found if 0 < sum(found) < sum(kept) else None


def template_of(kept: list[int], sizes: list[int], counts: list[int], least: float) -> list[int] | None:
    found = template_blocks(bytes(kept), array("i", sizes).tobytes(), array("i", counts).tobytes(), least)
    return None if found is None else list(found)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, 1, 1]), st.sampled_from([0, 20, 150, 299, 300, 900]), st.sampled_from([-1, 0, 1, 2, 9])
        ),
        max_size=30,
    ),
    st.sampled_from([1.0, 1.5, 2.0]),
)
def test_template_by_what_is_repeated_alone(blocks: list[tuple[int, int, int]], least: float) -> None:
    kept, sizes, counts = ([block[k] for block in blocks] for k in range(3))
    assert template_of(kept, sizes, counts, least) == template_by_the_book(kept, sizes, counts, least)


@pytest.mark.parametrize(
    ("sizes", "counts", "expected"),
    [
        ([20, 10, 20, 900, 20, 5, 20], [9, 0, 9, 0, 9, -1, 9], [1, 1, 1, 0, 1, 1, 1]),  # a date and a counter between menus
        ([400, 9, 200, 9, 250, 9, 210], [0, 9, 0, 9, 0, 9, 0], [0, 1, 0, 1, 0, 1, 0]),  # posts of a thread
        ([20, 200, 20], [9, 0, 9], [1, 0, 1]),  # nothing longer on the page
        ([20, 900, 20], [0, 0, 0], None),
        ([20, 900, 20], [9, 9, 9], None),  # nothing would be left
    ],
)  # fmt: skip
def test_what_stands_alone_between_template(sizes: list[int], counts: list[int], expected: list[int] | None) -> None:
    assert template_of([1] * len(sizes), sizes, counts, 2) == expected


def run(archives: Path, output: Path, *arguments: str) -> Path:
    done = CliRunner().invoke(main, ["extract", str(archives), "-o", str(output), "--workers", "1", *arguments])
    assert done.exit_code == 0, done.output
    return output


def rows(output: Path) -> dict[str, dict[str, Any]]:
    return {row["url"]: row for row in pq.read_table(output / "pages").to_pylist()}


@pytest.fixture(scope="module")
def outputs(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("out")
    return {
        "off": run(archives, folder / "off"),
        "fused": run(archives, folder / "fused", "--templates", "fused", "--set", "read.split_bytes=5000"),
        "all-off": run(archives, folder / "all-off", "--extractor", "all"),
        "all-fused": run(archives, folder / "all-fused", "--templates", "fused", "--extractor", "all"),
    }


def test_a_page_without_another_of_its_host_has_the_row_that_it_has_without_templates(outputs: dict[str, Path]) -> None:
    off, fused = rows(outputs["off"]), rows(outputs["fused"])
    lonely = "http://lonely.example.org/"
    measured = {name for name in off[lonely] if name.endswith("_us")}
    assert {k: v for k, v in fused[lonely].items() if k not in measured} == {
        k: v for k, v in off[lonely].items() if k not in measured
    }
    assert fused[lonely]["template_share"] is None
    assert all(row["template_share"] is None and row["duplicate_of"] is None for row in off.values())


def test_what_every_page_has_goes_from_all_blocks(outputs: dict[str, Path], site: Site) -> None:
    before, after = rows(outputs["all-off"]), rows(outputs["all-fused"])
    for url in (site.url(f"news/{k}.html") for k in range(20)):
        assert site.teaser in before[url]["text"]
        assert site.teaser not in after[url]["text"]
        assert site.footer not in after[url]["text"]
        kept = [
            line
            for line in before[url]["text"].split("\n")
            if len(line) > 150 and line not in (site.teaser, site.footer)
        ]
        assert len(kept) == 4
        assert all(line in after[url]["text"] for line in kept)
        assert 0.1 < after[url]["template_share"] < 0.6


@pytest.mark.parametrize("kind", ["fused", "all-fused"])
def test_what_is_rightly_repeated_stays(outputs: dict[str, Path], site: Site, quotation: str, kind: str) -> None:
    found = rows(outputs[kind])
    quoted = quotation.removeprefix("<blockquote><p>").removesuffix("</p></blockquote>")
    for name in ("quoting/a.html", "quoting/b.html"):
        assert quoted in found[site.url(name)]["text"]
    off = rows(outputs["off"])
    for name in ("copy/one.html", "copy/two.html", "copy/three.html?session=9"):
        lines = [line for line in off[site.url(name)]["text"].split("\n") if len(line) > 150 and line != site.footer]
        assert len(lines) == 12
        assert all(line in found[site.url(name)]["text"] for line in lines)


def pages_of(archives: Path) -> dict[str, bytes]:
    """The HTML of each page by its URL."""
    return {
        capture.url: capture.payload
        for file in sorted(archives.iterdir())
        for capture in WarcReading(str(file), CaptureOptions())
    }


class Severe:
    """Takes what two other pages have for template."""

    def weigh(self, scores: bytes, sizes: bytes, counts: bytes, known: int) -> bytes:
        assert len(scores) // 2 == len(sizes) // 4
        return array("h", [-32000 if count > 1 and known > 1 else 0 for count in array("i", counts)]).tobytes()


@pytest.mark.parametrize("extractor", ["all", "thresher"])
@pytest.mark.parametrize("markup", ["markdown", "html"])
def test_markup_is_written_from_the_same_decisions(
    archives: Path,
    outputs: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    markup: str,
    extractor: str,
) -> None:
    # The shipped weights hardly change a made-up page; these do.
    monkeypatch.setattr("thresher.templates.deciding.default_model", Severe)
    text = rows(run(archives, tmp_path / "text", "--templates", "fused", "--extractor", extractor))
    off = rows(outputs["all-off" if extractor == "all" else "off"])
    found = rows(run(archives, tmp_path / "out", "--templates", "fused", "--extractor", extractor, "--format", markup))
    writer = PageExtractor(extractor, format=markup)
    plain = PageExtractor(extractor)
    html = pages_of(archives)
    changed = 0
    for url, row in found.items():
        for column in ("confidence", "template_share", "duplicate_of", "language", "language_score"):
            assert row[column] == text[url][column], (url, column)
        first = writer.extract(html[url], url=url).decode()
        if text[url]["text"] == off[url]["text"]:
            assert row["text"] == first
            continue
        changed += 1
        # What is left of the blocks that were kept at first: those whose text is in the row that is plain text.
        plain.extract(html[url], url=url)
        lines = set(text[url]["text"].split("\n"))
        gone = bytes(block.kept and not set(block.text.split("\n")) <= lines for block in plain.blocks())
        assert any(gone)
        plain.classify(unwanted=gone)
        assert plain.render().decode() == text[url]["text"]
        writer.classify(unwanted=gone)
        assert row["text"] == writer.render().decode() != first
    assert changed >= 20


def test_the_language_is_that_of_the_text_that_is_left(tmp_path: Path) -> None:
    """An English frame around a few Greek words."""
    said = "ο μύλος του χωριού γύρισε πάλι την τελευταία Κυριακή του Οκτωβρίου ύστερα από έντεκα χρόνια σιωπής"
    greek, order = said.split(), random.Random(9)
    frame = (
        "<p>The members of this society read the letter of the village and answer what the others have asked.</p>" * 6
    )
    texts = [" ".join(order.sample(greek, len(greek))) for _ in range(6)]
    pages = {f"http://mill.example/{k}": f"{frame}<p>{text}.</p>{frame}".encode() for k, text in enumerate(texts)}
    archive = write_archive(tmp_path / "a.warc.gz", pages)
    off = rows(run(archive, tmp_path / "off", "--extractor", "all"))
    fused = rows(run(archive, tmp_path / "fused", "--extractor", "all", "--templates", "fused"))
    assert {row["language"] for row in off.values()} == {"eng"}
    assert {row["language"] for row in fused.values()} == {"ell"}


def test_copies_are_marked_and_point_to_the_first_page(outputs: dict[str, Path], site: Site) -> None:
    found = rows(outputs["fused"])
    copies = [found[site.url(name)] for name in ("copy/one.html", "copy/two.html", "copy/three.html?session=9")]
    copies.sort(key=lambda row: (row["warc_filename"], row["warc_record_offset"]))
    first = f"{copies[0]['warc_filename']}#{copies[0]['warc_record_offset']}"
    assert [row["duplicate_of"] for row in copies] == [None, first, first]
    assert [row["duplicate_reason"] for row in copies] == [None, "text", "near_text"]
    assert sum(row["duplicate_of"] is not None for row in found.values()) == 2


def words(seed: int, n: int = 400) -> list[str]:
    return [
        f"w{letters}" for letters in ("".join(chr(97 + int(d)) for d in str(seed * 7919 + k * 31)) for k in range(n))
    ]


def body(text: list[str]) -> bytes:
    lines = (" ".join(text[k : k + 40]) for k in range(0, len(text), 40))
    return b"<html><body><h1>Mill</h1>%b</body></html>" % "".join(f"<p>{line}.</p>" for line in lines).encode()


@pytest.mark.parametrize("split", [10**6, 600])
def test_address_text_and_nearly_the_same_text_are_told_apart(tmp_path: Path, split: int) -> None:
    home = words(1)
    pages = [
        ("https://mill.example/", body(home), None, None),
        ("https://mill.example/about", body(words(2)), None, None),
        ("https://mill.example/", body(words(3)), "address", 0),  # a later capture, changed
        ("https://mill.example/", body(words(3)).replace(b"<h1>", b"<h1 id=a>"), "text", 2),  # and once more, as it was
        ("https://mill.example/start", body(home).replace(b"<html>", b"<html lang=en>"), "text", 0),
        ("https://mill.example/home", body([*home[:399], "other"]), "near_text", 0),
        ("https://mill.example/about", body(home), "text", 0),  # the surest way, though its address was seen before
        ("https://other.example/", body(home), None, None),  # of another host
        ("https://mill.example/faq?faq_id=1", body(words(4)), None, None),
        ("https://mill.example/faq?faq_id=2", body(words(5)), None, None),  # another page behind the same path
        ("http://mill.example/faq?faq_id=1", body(words(6)), "address", 8),
        ("https://mill.example/faq?faq_id=1&session=7", body(words(4)), "text", 8),
        ("https://mill.example/show?id=1", body(words(7)), None, None),
        ("https://mill.example/show?id=1", body(words(8)).replace(b"Mill", b"Sail"), "address", 12),  # another title
    ]
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(b"")
    for url, html, _, _ in pages:
        part = write_archive(tmp_path / "part.warc.gz", {url: html})
        archive.write_bytes(archive.read_bytes() + part.read_bytes())
    command = ["extract", str(archive), "-o", str(tmp_path / "out"), "--templates", "fused"]
    result = CliRunner().invoke(main, [*command, "--set", f"read.split_bytes={split}"])
    assert result.exit_code == 0, result.output
    found = pq.read_table(tmp_path / "out" / "pages").sort_by("warc_record_offset").to_pylist()
    places = [f"{row['warc_filename']}#{row['warc_record_offset']}" for row in found]
    expected = [(reason, None if first is None else places[first]) for _, _, reason, first in pages]
    assert [(row["duplicate_reason"], row["duplicate_of"]) for row in found] == expected
    # The query of the recipes: every state of a front page, no text twice.
    import duckdb

    query = (
        f"select url from '{tmp_path}/out/pages/0*.parquet' where duplicate_of is null or duplicate_reason = 'address'"
    )
    assert len(duckdb.sql(query).fetchall()) == 9


def test_the_table_of_templates(outputs: dict[str, Path], site: Site) -> None:
    found = pq.read_table(outputs["all-fused"] / "templates").to_pylist()
    assert {row["node"] for row in found} == {site.host}
    by_example = {row["example"]: row for row in found}
    teaser = next(row for example, row in by_example.items() if example and site.teaser.startswith(example))
    # Twenty-two articles, and three copies of one page that count once.
    assert (teaser["pages"], teaser["known"]) == (23, 23)
    assert all(2 <= row["pages"] <= row["known"] for row in found)


def test_rows_are_the_same_however_the_work_is_cut(archives: Path, outputs: dict[str, Path], tmp_path: Path) -> None:
    cut = run(archives, tmp_path / "cut", "--templates", "fused", "--workers", "2", "--set", "read.split_bytes=5000")
    again = run(archives, tmp_path / "again", "--templates", "fused", "--workers", "2")
    for output in (cut, again):
        assert rows_digest(str(output)) == rows_digest(str(outputs["fused"]))
    assert rows_digest(str(cut), "templates") == rows_digest(str(outputs["fused"]), "templates")

    def templates(output: Path) -> list[dict[str, Any]]:
        # Examples are of a host's first page in a partition, so that how the archives are cut decides which there are.
        found = pq.read_table(output / "templates").drop_columns("example").to_pylist()
        return sorted(found, key=lambda row: (row["node"], row["fingerprint"]))

    assert templates(again) == templates(outputs["fused"])
    report = inspect_run(str(again))
    assert report.unaccounted == 0
    assert not (again / "_staging").exists()


def test_a_large_host_is_known_by_a_sample(archives: Path, tmp_path: Path) -> None:
    some = run(archives, tmp_path / "some", "--templates", "fused", "--set", "templates.known_pages=8")
    cut = run(
        archives,
        tmp_path / "cut",
        "--templates",
        "fused",
        "--set",
        "templates.known_pages=8",
        "--set",
        "read.split_bytes=5000",
    )
    assert rows_digest(str(some)) == rows_digest(str(cut))
    known = {row["known"] for row in pq.read_table(some / "templates").to_pylist()}
    assert len(known) == 1
    assert 2 <= known.pop() < 20


def test_templates_of_an_earlier_crawl(archives: Path, outputs: dict[str, Path], site: Site, tmp_path: Path) -> None:
    learned = run(archives, tmp_path / "learned", "--templates", "learn", "--extractor", "all")
    assert rows_digest(str(learned), "templates") == rows_digest(str(outputs["all-fused"]), "templates")
    assert pq.read_table(learned / "pages").num_rows == 0
    later = tmp_path / "later"
    later.mkdir()
    write_archive(later / "c.warc.gz", {site.url("news/new.html"): site.page(f"<h1>{sentence(4)}</h1>{article()}")})
    applied = run(
        later, tmp_path / "applied", "--templates", "apply", "--templates-from", str(learned), "--extractor", "all"
    )
    (row,) = rows(applied).values()
    assert site.teaser not in row["text"]
    assert row["text"].count("\n") > 3
    assert row["template_share"] > 0.1


def test_stopped_in_the_second_pass_it_goes_on(
    archives: Path, outputs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out"
    arguments = ["--templates", "fused", "--set", "read.split_bytes=5000"]
    decide = deciding.SecondPass.decide
    calls: list[str] = []

    @functools.wraps(decide)
    def stop_at_the_third(self: deciding.SecondPass, name: str, progress: Progress) -> int:
        calls.append(name)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        return decide(self, name, progress)

    monkeypatch.setattr(deciding.SecondPass, "decide", stop_at_the_third)
    done = CliRunner().invoke(main, ["extract", str(archives), "-o", str(output), "--workers", "1", *arguments])
    assert done.exit_code == 130
    assert len(list((output / "pages").glob("0*.parquet"))) == 2
    monkeypatch.undo()
    # This process still holds the lock of the first folder, which a killed one would not.
    moved = tmp_path / "moved"
    shutil.copytree(output, moved)
    run(archives, moved, *arguments)
    assert rows_digest(str(moved)) == rows_digest(str(outputs["fused"]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--templates", "fusd"], "'off', 'learn', 'apply', 'fused'"),
        (["--templates", "apply"], "--templates-from"),
        (["--templates", "fused", "--templates-from", "x"], "--templates-from"),
        (["--templates", "apply", "--templates-from", "nowhere"], "nowhere"),
        (["--templates", "fused", "--set", "templates.known_pages=1"], "at least 2"),
    ],
)
def test_what_makes_no_sense_is_refused(archives: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(main, ["extract", str(archives), "-o", str(tmp_path / "out"), *arguments])
    assert done.exit_code == 2
    assert message in done.output
    assert not (tmp_path / "out" / "pages").exists()


def test_a_run_without_templates_gives_none_to_another(archives: Path, tmp_path: Path) -> None:
    run(archives, tmp_path / "plain")
    applied = ["extract", str(archives), "-o", str(tmp_path / "out"), "--templates", "apply"]
    done = CliRunner().invoke(main, [*applied, "--templates-from", str(tmp_path / "plain")])
    assert (done.exit_code, "its run was without --templates" in done.output) == (2, True)
    assert not (tmp_path / "out" / "pages").exists()


def test_without_duckdb_the_extra_is_named(archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.commands.options.find_spec", lambda _: None)
    done = CliRunner().invoke(main, ["extract", str(archives), "-o", str(tmp_path / "out"), "--templates", "fused"])
    assert done.exit_code == 2
    assert install_command("templates") in done.output
    assert not (tmp_path / "out").exists()


def test_what_was_taken_for_template_is_shown(outputs: dict[str, Path], site: Site) -> None:
    done = CliRunner().invoke(main, ["templates", "show", str(outputs["fused"]), site.host])
    assert done.exit_code == 0, done.output
    assert f"    23 of     23 pages  {site.footer[:60]}" in done.output
    hosts = CliRunner().invoke(main, ["templates", "show", str(outputs["fused"])])
    assert hosts.output.splitlines()[1].split()[:3] == [site.host, "25", "2"]
    unknown = CliRunner().invoke(main, ["templates", "show", str(outputs["fused"]), "lonely.example.org"])
    assert unknown.exit_code == 2
    assert "lonely.example.org" in unknown.output
    assert CliRunner().invoke(main, ["templates", "show", "nowhere"]).exit_code == 2
    none = CliRunner().invoke(main, ["templates", "show", str(outputs["off"])])
    assert (none.exit_code, "was without --templates" in none.output) == (2, True)


def test_in_stream_order_the_first_page_keeps_all_and_the_second_not(
    archives: Path, site: Site, tmp_path: Path
) -> None:
    done = CliRunner().invoke(main, ["templates", "stream", str(archives), "-o", str(tmp_path / "rows.jsonl")])
    assert done.exit_code == 0, done.output
    found = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text("utf-8").splitlines()]
    own = [row for row in found if site.host in row["url"]]
    assert len(found) == 26
    assert site.footer in own[0]["text"]
    assert not any(site.footer in row["text"] for row in own[1:] if not row["duplicate"])
    assert sum(row["duplicate"] for row in found) == 0  # the three copies have three URL keys
    wrong = CliRunner().invoke(main, ["templates", "stream", str(archives), "-o", "-", "--heuristic", "strikt"])
    assert wrong.exit_code == 2
    assert "did you mean 'strict'?" in wrong.output

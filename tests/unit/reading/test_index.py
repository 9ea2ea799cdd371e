# SPDX-License-Identifier: Apache-2.0
"""Runs over an index: the records that it names, the same rows as from whole archives, and who was wrong where a record
is not there.
"""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from in_process import extract_here
from run_rows import rows_of
from s3_store import KEYS, s3_client
from small_archive import page, write_archive, write_archives

from thresher.after.report import rows_digest, to_text
from thresher.commands.extract import extract
from thresher.config import load_configuration
from thresher.errors import ConfigError, InputError, OutputError
from thresher.reading.captures import Capture, WarcReading
from thresher.reading.index import Index, Wanted, cdxj_row, surt_prefixes
from thresher.reading.listing import read_captures
from thresher.running.outcome import inspect_run
from thresher.running.run import Run, start_run

PAGES = 12


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawl") / "archives"
    write_archives(folder, archives=3, pages=PAGES)
    return folder


def captures(folder: Path) -> list[Capture]:
    return [capture for path in sorted(folder.glob("*.warc.gz")) for capture in WarcReading(path, filename=path.name)]


def index_rows(folder: Path) -> list[dict[str, Any]]:
    """Rows of a columnar index of the pages in a folder, as Common Crawl has them."""
    return [
        {
            "url": each.url,
            "url_host_name": each.url.split("/")[2],
            "content_languages": "eng",
            "warc_filename": each.warc_filename,
            "warc_record_offset": each.warc_record_offset,
            "warc_record_length": each.warc_record_length,
        }
        for each in captures(folder)
    ]


def write_index(path: Path, rows: list[dict[str, Any]]) -> Path:
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def begin(index: Path | str, output: Path, base: Path | str | None, where: str = "", **knobs: object) -> Run:
    settings = {name.replace("__", "."): value for name, value in knobs.items()}
    configuration = load_configuration(None, settings)
    chosen = configuration.filter
    wanted = Wanted(chosen.hosts, chosen.domains, chosen.urls)
    return start_run(
        [], str(output), configuration, base_url=base and str(base), index=Index((str(index),), where, wanted)
    )


def run_over(index: Path | str, output: Path, base: Path | str | None, where: str = "", **knobs: object) -> list[str]:
    run = begin(index, output, base, where, **knobs)
    names = extract_here(run)
    run.folder.close_run()
    return names


def pages(output: Path) -> list[dict[str, Any]]:
    """The rows of `pages`, in order, without the times that were measured."""
    return [{name: value for name, value in row.items() if not name.endswith("_us")} for row in rows_of(output)]


@pytest.fixture(scope="module")
def whole(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a run over the whole archives."""
    output = tmp_path_factory.mktemp("whole") / "out"
    run = start_run([str(archives)], str(output), load_configuration(None, {}), base_url=str(archives))
    extract_here(run)
    run.folder.close_run()
    return output


# --- the same rows ---


def test_the_table_pages_is_an_index_and_gives_the_rows_of_whole_archives(
    archives: Path, whole: Path, tmp_path: Path
) -> None:
    assert len(run_over(whole / "pages", tmp_path / "out", archives)) == 1
    assert pages(tmp_path / "out") == pages(whole)
    assert inspect_run(str(tmp_path / "out")).unaccounted == 0


def test_rows_do_not_depend_on_how_ranges_are_split_nor_on_what_is_merged(
    archives: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.running.indexed.LEAST_GROUP_BYTES", 9000)
    monkeypatch.setattr("thresher.reading.limits.MOST_GAP", 0)
    names = run_over(whole / "pages", tmp_path / "out", archives, read__split_bytes=2500)
    assert len({name.partition("-")[0] for name in names}) > 2
    assert len(names) > 6
    assert rows_digest(str(tmp_path / "out")) == rows_digest(str(whole))
    assert [row["url"] for row in pages(tmp_path / "out")] == [row["url"] for row in pages(whole)]


def test_a_condition_chooses_records_and_each_is_read_once(archives: Path, tmp_path: Path) -> None:
    rows = index_rows(archives)
    index = write_index(tmp_path / "index.parquet", [*rows, *rows])
    run_over(index, tmp_path / "out", archives, "url_host_name = 'www.site2.co.uk' AND content_languages LIKE 'eng%'")
    wanted = [row["url"] for row in rows if row["url_host_name"] == "www.site2.co.uk"]
    assert [row["url"] for row in pages(tmp_path / "out")] == wanted
    assert {row["content_languages"] for row in pages(tmp_path / "out")} == {"eng"}  # the index's: no note was read
    assert inspect_run(str(tmp_path / "out")).records == len(wanted)


@pytest.fixture(scope="module")
def repetitive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives whose records lie at the same offsets, with a template and with copies of pages across archives."""
    folder = tmp_path_factory.mktemp("repetitive") / "archives"
    folder.mkdir()
    for name, order in (("a", range(12)), ("b", range(11, -1, -1)), ("c", range(6, 18))):
        write_archive(folder / f"{name}.warc.gz", {f"https://www.same.example/{name}/{p}": page(p) for p in order})
    return folder


def fused(command: list[str], output: Path) -> list[dict[str, Any]]:
    done = CliRunner().invoke(extract, [*command, "-o", str(output), "--templates", "fused", "--workers", "2"])
    assert done.exit_code == 0, done.output
    return pages(output)


@pytest.mark.parametrize(
    "kind", [pytest.param("text", marks=pytest.mark.nightly), "markdown"]
)  # pages of markdown are read and parsed again
def test_templates_have_the_rows_of_whole_archives(
    repetitive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("thresher.running.indexed.LEAST_GROUP_BYTES", 9000)
    how = ["--extractor", "all", "--format", kind]
    from_archives = fused([str(repetitive), "--input-base-url", str(repetitive), *how], tmp_path / "whole")
    assert sum(row["duplicate_of"] is not None for row in from_archives) > 12
    index = write_index(
        tmp_path / "index.parquet", [row | {"content_languages": None} for row in index_rows(repetitive)]
    )
    command = ["--index", str(index), "--warc-prefix", str(repetitive), *how, "--set", "read.split_bytes=2500"]
    assert fused(command, tmp_path / "out") == from_archives
    assert len(list((tmp_path / "out" / "_index").iterdir())) > 2
    without = CliRunner().invoke(extract, [*command, "-o", str(tmp_path / "off")])
    assert without.exit_code == 0
    assert [row["text"] for row in pages(tmp_path / "off")] != [row["text"] for row in from_archives]


def test_inspect_calls_inputs_of_an_index_groups_of_records(archives: Path, tmp_path: Path) -> None:
    index = write_index(tmp_path / "index.parquet", index_rows(archives))
    run_over(index, tmp_path / "out", archives, "url_host_name = 'www.site1.co.uk'")
    said = to_text(inspect_run(str(tmp_path / "out")))
    n = sum(row["url_host_name"] == "www.site1.co.uk" for row in index_rows(archives))
    assert f"{n} pages from 1 record group in" in said
    assert f"{n} records named by the index {index} where url_host_name = 'www.site1.co.uk'" in said


def test_hosts_are_looked_up_in_the_index(archives: Path, tmp_path: Path) -> None:
    index = write_index(tmp_path / "index.parquet", index_rows(archives))
    run_over(index, tmp_path / "out", archives, filter__hosts=["www.site1.co.uk"])
    report = inspect_run(str(tmp_path / "out"))
    assert list(report.hosts) == ["www.site1.co.uk"]
    assert report.records == report.pages


@pytest.mark.parametrize("kind", ["plain", "gzip"])
def test_cdxj_is_an_index(archives: Path, whole: Path, tmp_path: Path, kind: str) -> None:
    lines = b"".join(cdxj_line(each) for each in captures(archives))
    index = archives.parent / ("all.cdxj" if kind == "plain" else "all.cdxj.gz")
    index.write_bytes(b"!meta {}\n" + lines if kind == "plain" else gzip.compress(lines))
    run_over(index, tmp_path / "out", archives)
    assert pages(tmp_path / "out") == pages(whole)


def cdxj_line(capture: Capture) -> bytes:
    _, _, host, path = capture.url.split("/", 3)
    key = ",".join(reversed(host.removeprefix("www.").split("."))) + ")/" + path
    fields = {
        "url": capture.url,
        "status": "200",
        "filename": capture.warc_filename,
        "offset": str(capture.warc_record_offset),
        "length": str(capture.warc_record_length),
    }
    return f"{key} 20261120000000 {json.dumps(fields)}\n".encode()


def write_cluster(folder: Path, found: list[Capture], *, block: int = 4) -> Path:
    """A ZipNum cluster: sorted lines in blocks of gzip, and the list of blocks."""
    lines = sorted(cdxj_line(each) for each in found)
    data, listed = b"", []
    for number, start in enumerate(range(0, len(lines), block)):
        member = gzip.compress(b"".join(lines[start : start + block]))
        key = b" ".join(lines[start].split(b" ", 2)[:2]).decode()
        listed.append(f"{key}\tcdx-00000.gz\t{len(data)}\t{len(member)}\t{number + 1}\n")
        data += member
    folder.mkdir()
    (folder / "cdx-00000.gz").write_bytes(data)
    (folder / "cluster.idx").write_text("".join(listed))
    return folder / "cluster.idx"


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"filter__hosts": ["www.site0.co.uk"]},
        {"filter__hosts": ["www.site4.co.uk", "none.example"]},
        {"filter__domains": ["site3.co.uk"]},
        {"filter__urls": ["https://www.site2.co.uk/1/*"]},
        {"filter__urls": ["*/0/1"]},
    ],
    ids=str,
)
def test_a_cluster_is_looked_up_by_host_domain_and_url(
    archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, filters: dict[str, Any]
) -> None:
    index = write_cluster(tmp_path / "zip?num", captures(archives))
    blocks: list[int] = []
    from thresher.reading.fetching import RangeFetcher

    real = RangeFetcher.fetch

    def fetch(self: RangeFetcher, source: str, start: int, n: int) -> bytes:
        if source.endswith("cdx-00000.gz"):
            blocks.append(start)
        return real(self, source, start, n)

    monkeypatch.setattr(RangeFetcher, "fetch", fetch)
    run_over(index, tmp_path / "out", archives, **filters)
    settings = {name.replace("__", "."): value for name, value in filters.items()}
    everything = start_run(
        [str(archives)], str(tmp_path / "all"), load_configuration(None, settings), base_url=str(archives)
    )
    extract_here(everything)
    assert sorted(row["url"] for row in pages(tmp_path / "out")) == sorted(
        row["url"] for row in pages(tmp_path / "all")
    )
    assert len(blocks) == 9 if filters in ({}, {"filter__urls": ["*/0/1"]}) else 0 < len(blocks) < 5


def test_prefixes_of_keys() -> None:
    assert surt_prefixes(Wanted(hosts=("www.Example.org.",))) == (
        "org,example)", "org,example,www)", "org,example,www:", "org,example:"
    )  # fmt: skip
    assert {"192.0.2.1)", "1,2,0,192)"} <= set(surt_prefixes(Wanted(hosts=("192.0.2.1",))))
    assert surt_prefixes(Wanted(urls=("http://example.org:8080/a/*",))) == ("org,example",)
    assert surt_prefixes(Wanted(domains=("example.org",))) == ("org,example)", "org,example,", "org,example:")
    assert surt_prefixes(Wanted(urls=("https://example.org/A/b*",))) == ("org,example)/a",)
    assert surt_prefixes(Wanted(urls=("https://example.org/a/b/*",))) == ("org,example)/a/b",)
    assert surt_prefixes(Wanted(urls=("https://example.org/x", "*/feed"))) == ()
    assert surt_prefixes(Wanted()) == ()


# --- who is wrong ---


@pytest.mark.parametrize(
    ("change", "stage", "error", "says"),
    [
        ({"warc_record_offset": 20}, "index", "NoRecord", "the index is wrong: no record begins at 20"),
        ({"warc_record_length": 300}, "index", "WrongLength", "the index is wrong: the record at"),
        ({"warc_record_offset": None}, "index", "BadEntry", "the index is wrong: offset None"),
        ({"warc_record_offset": -5}, "index", "BadEntry", "the index is wrong: offset -5"),
        ({"warc_record_length": -4}, "index", "BadEntry", "the index is wrong"),
        ({"warc_record_length": 1 << 62}, "index", "BadEntry", "the index is wrong"),
        ({"url": "https://another.example/"}, "index", "WrongUrl", "the index is wrong: at"),
        ({"warc_record_offset": 10**9}, "read", "ArchiveTooShort", "the archive ends before 1,000,000,000"),
        ({"warc_filename": "none.warc.gz"}, "read", "InputError", "No such file"),
        ({"warc_filename": "cut.warc.gz"}, "read", "DamagedFile", "the archive is damaged: the file ends inside"),
        ({"warc_filename": "bent.warc.gz"}, "read", "DamagedFile", "the archive is damaged: broken gzip member"),
        ({"warc_filename": None}, "index", "BadEntry", "the index is wrong"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_record_that_is_not_there_is_a_dead_letter_that_says_who_is_wrong(
    archives: Path, tmp_path: Path, change: dict[str, Any], stage: str, error: str, says: str
) -> None:
    folder = tmp_path / "archives"
    folder.mkdir()
    rows = index_rows(archives)[:PAGES]
    data = (archives / "crawl-0.warc.gz").read_bytes()
    (folder / "crawl-0.warc.gz").write_bytes(data)
    chosen = rows[5]
    offset, length = chosen["warc_record_offset"], chosen["warc_record_length"]
    (folder / "cut.warc.gz").write_bytes(data[: offset + length - 9])
    middle = offset + length // 2
    (folder / "bent.warc.gz").write_bytes(data[:middle] + bytes(40) + data[middle + 40 :])
    index = write_index(tmp_path / "index.parquet", [*rows[:5], chosen | change, *rows[6:]])
    run_over(index, tmp_path / "out", folder)
    (letter,) = rows_of(tmp_path / "out", "dead_letter")
    assert (letter["stage"], letter["error_class"]) == (stage, error)
    assert says in letter["message"]
    assert letter["url"] == (chosen | change)["url"]
    assert len(pages(tmp_path / "out")) == PAGES - 1
    report = inspect_run(str(tmp_path / "out"))
    assert (report.records, report.unreadable, report.unaccounted) == (PAGES, 1, 0)


def test_a_range_that_is_too_long_gives_the_record_at_its_beginning(archives: Path, tmp_path: Path) -> None:
    first = index_rows(archives)[0]
    index = write_index(
        tmp_path / "index.parquet", [first | {"warc_record_length": first["warc_record_length"] + 5000}]
    )
    run_over(index, tmp_path / "out", archives)
    (row,) = pages(tmp_path / "out")
    assert (row["url"], row["warc_record_length"]) == (first["url"], first["warc_record_length"])


def test_a_record_that_is_no_page_is_skipped_with_its_reason(archives: Path, tmp_path: Path) -> None:
    first = index_rows(archives)[0]
    index = write_index(tmp_path / "index.parquet", [first | {"warc_record_offset": 0, "url": None}])
    run_over(index, tmp_path / "out", archives)
    assert inspect_run(str(tmp_path / "out")).skipped == {"not_response": 1}


def test_a_line_of_cdxj_that_cannot_be_read_is_not_lost(archives: Path, tmp_path: Path) -> None:
    index = tmp_path / "a.cdxj"
    index.write_bytes(cdxj_line(captures(archives)[0]) + b"org,example)/ 2026 {broken\n" + b"org,example)/b 2026\n")
    run_over(index, tmp_path / "out", archives)
    assert len(pages(tmp_path / "out")) == 1
    assert [(letter["stage"], letter["error_class"]) for letter in rows_of(tmp_path / "out", "dead_letter")] == [
        ("index", "BadEntry")
    ] * 2
    said = [letter["message"] for letter in rows_of(tmp_path / "out", "dead_letter")]
    assert said[0] == "the index is wrong: org,example)/ 2026 {broken names no archive"


def test_a_page_that_kills_workers_is_known_by_its_place_not_by_its_offset(tmp_path: Path) -> None:
    """Two archives have a record at the same offset; only one of them is given up."""
    folder = tmp_path / "archives"
    folder.mkdir()
    first = write_archive(folder / "a.warc.gz", {"https://a.example/": page(1)})
    (folder / "b.warc.gz").write_bytes(first.read_bytes())
    rows = index_rows(folder)
    assert len({row["warc_record_offset"] for row in rows}) == 1
    run = begin(write_index(tmp_path / "index.parquet", rows), tmp_path / "out", folder)
    from thresher.running.partition_queue import PartitionQueue
    from thresher.running.pipeline import PartitionMaker

    task: Any = PartitionQueue(run.folder, run.configuration, run.pending).next_task()
    result = PartitionMaker(run.configuration, run.output).extract_partition(
        task.partition, give_up=frozenset({rows[0]["warc_record_length"]})
    )
    run.folder.commit(task.partition.name, result.files)
    assert [(row["warc_filename"], row["status"]) for row in pages(tmp_path / "out")] == [
        ("a.warc.gz", "ok"),
        ("b.warc.gz", "error"),
    ]


# --- beginning, killing, resuming ---


def test_a_run_that_was_killed_is_resumed_without_the_index(
    archives: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.running.indexed.LEAST_GROUP_BYTES", 9000)
    index = write_index(tmp_path / "index.parquet", index_rows(archives))
    run = begin(index, tmp_path / "out", archives, read__split_bytes=2500)
    first = extract_here(run, at_most=3)
    run.folder.lock.release()  # as when a process is killed
    index.write_bytes(b"gone")
    second = run_over(index, tmp_path / "out", archives, read__split_bytes=2500)
    assert second
    assert not set(first) & set(second)
    undisturbed = [row | {"content_languages": "eng"} for row in pages(whole)]
    assert pages(tmp_path / "out") == undisturbed


def test_another_condition_cannot_resume_a_run(archives: Path, tmp_path: Path) -> None:
    index = write_index(tmp_path / "index.parquet", index_rows(archives))
    run_over(index, tmp_path / "out", archives, "url_host_name = 'www.site1.co.uk'")
    with pytest.raises(OutputError, match=r"index\.where"):
        begin(index, tmp_path / "out", archives, "url_host_name = 'www.site2.co.uk'")


def test_a_folder_that_holds_anything_else_is_not_touched(archives: Path, tmp_path: Path) -> None:
    index = write_index(tmp_path / "index.parquet", index_rows(archives))
    with pytest.raises(OutputError, match="not output of a run"):
        begin(index, tmp_path, archives)
    assert os.listdir(tmp_path) == ["index.parquet"]


@pytest.mark.parametrize(
    ("where", "error", "says"),
    [
        ("url_host_name =", ConfigError, "--index-where: "),
        ("no_such_column = 1", ConfigError, "no_such_column"),
        ("url_host_name = 'nobody.example'", InputError, "names no record for which url_host_name"),
    ],
)
def test_conditions_that_cannot_be(
    archives: Path, tmp_path: Path, where: str, error: type[Exception], says: str
) -> None:
    index = write_index(tmp_path / "index.parquet", index_rows(archives))
    with pytest.raises(error, match=says):
        begin(index, tmp_path / "out", archives, where)


def test_a_table_that_is_no_index_is_refused(tmp_path: Path) -> None:
    index = write_index(tmp_path / "index.parquet", [{"url": "https://example.org/"}])
    with pytest.raises(InputError, match="no column warc_filename, warc_record_offset, warc_record_length"):
        begin(index, tmp_path / "out", None)


def test_an_offset_below_zero_is_called_by_its_number() -> None:
    line = b'org,example)/ 20260101000000 {"filename": "a.warc.gz", "offset": "-5", "length": "100"}'
    row = cdxj_row(line)
    assert row is not None
    assert (row["warc_record_offset"], row["warc_record_length"]) == (-5, 100)


def test_an_archive_that_indexes_spell_in_several_ways_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    archive = write_archive(tmp_path / "in" / "a b.warc.gz", {f"https://a.example/{k}": page(k) for k in range(3)})
    (tmp_path / "in" / "newest.warc.gz").symlink_to(archive.name)
    (tmp_path / "link").symlink_to("in")
    records = [(each.warc_record_offset, each.warc_record_length) for each in read_captures(archive)]
    names = ["in/a b.warc.gz", "./in/../in/a b.warc.gz", "link/a b.warc.gz", "in/newest.warc.gz", archive.as_uri()]
    for number, name in enumerate(names):
        lines = [
            f"example,a)/ 2026 {json.dumps({'filename': name, 'offset': offset, 'length': length})}\n"
            for offset, length in records
        ]
        (tmp_path / f"{number}.cdxj").write_text("".join(lines))
    run = start_run((), str(tmp_path / "out"), load_configuration(), index=Index((str(tmp_path),)))
    extract_here(run)
    assert pq.read_table(tmp_path / "out" / "pages").num_rows == 3
    assert pq.read_table(tmp_path / "out" / "dead_letter").num_rows == 0


def test_the_output_of_a_run_named_as_an_index_is_told_the_folder_of_its_pages(tmp_path: Path) -> None:
    archive, out = write_archive(tmp_path / "a.warc.gz", {"https://a.example/": page(1)}), tmp_path / "out"
    assert CliRunner().invoke(extract, [str(archive), "-o", str(out)]).exit_code == 0
    for named in (out, tmp_path):
        with pytest.raises(InputError, match=f"the output of a run; .* --index {out}/pages"):
            begin(named, tmp_path / "again", None)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name an input"),
        (["a.warc.gz", "--index", "i.parquet"], "no other input"),
        (["a.warc.gz", "--index-where", "x = 1"], "name one with --index"),
        (["--index", "i.parquet", "--append"], "--append cannot be used with --index"),
        (["--index", "none.parquet"], "none.parquet: no such index"),
    ],
)
def test_commands_that_make_no_sense_are_refused(tmp_path: Path, arguments: list[str], says: str) -> None:
    done = CliRunner().invoke(extract, [*arguments, "-o", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert says in " ".join(done.output.split())


# --- stores ---


@pytest.fixture
def bucket(s3_server: str, archives: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": s3_server, "AWS_REGION": "us-east-1"}.items():
        monkeypatch.setenv(name, value)
    client = s3_client(s3_server)
    client.create_bucket(Bucket="indexed")
    for path in archives.glob("*.warc.gz"):
        client.upload_file(str(path), "indexed", f"crawl/{path.name}")
    yield "s3://indexed/"
    for found in client.list_objects_v2(Bucket="indexed").get("Contents", ()):
        client.delete_object(Bucket="indexed", Key=found["Key"])
    client.delete_bucket(Bucket="indexed")


def test_index_and_archives_on_s3(s3_server: str, bucket: str, archives: Path, whole: Path, tmp_path: Path) -> None:
    rows = [row | {"warc_filename": "crawl/" + row["warc_filename"]} for row in index_rows(archives)]
    index = write_index(tmp_path / "part-0.parquet", rows)
    s3_client(s3_server).upload_file(str(index), "indexed", "index/subset=warc/part-0.parquet")
    run_over(f"{bucket}index/*/*.parquet", tmp_path / "out", bucket, "subset = 'warc'")
    assert [row["text"] for row in pages(tmp_path / "out")] == [row["text"] for row in pages(whole)]
    with pytest.raises(InputError, match="--warc-prefix"):
        begin(f"{bucket}index/*/*.parquet", tmp_path / "other", None)


@pytest.mark.parametrize("name", ["/etc/passwd", "file:///etc/passwd", "../../etc/passwd", "ftp://example.org/a"])
def test_an_index_from_a_network_names_no_file_of_this_machine(
    s3_server: str, bucket: str, tmp_path: Path, name: str
) -> None:
    index = write_index(
        tmp_path / "i.parquet", [{"warc_filename": name, "warc_record_offset": 0, "warc_record_length": 9}]
    )
    s3_client(s3_server).upload_file(str(index), "indexed", "i.parquet")
    with pytest.raises(InputError, match="may not name"):
        begin(f"{bucket}i.parquet", tmp_path / "out", bucket)

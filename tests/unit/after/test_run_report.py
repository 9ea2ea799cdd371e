# SPDX-License-Identifier: Apache-2.0
"""The report of a run as a page of HTML, in Prometheus' format and as JSON, from an archive that wants to break it."""

import json
import math
import re
import shlex
import subprocess
from collections import Counter
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from headless_chromium import CHROMIUM
from small_archive import SENTENCE, page, write_archive
from waiting import LIMIT

from thresher.after.prometheus import to_prometheus
from thresher.after.report import to_text
from thresher.after.survey import survey_run
from thresher.commands.main import main
from thresher.running.outcome import FACTS, inspect_run

ATTACK = "</title></summary>\"'><script>document.body.id='broken'</script><img src=x onerror=document.body.id='broken'>"
HOSTILE = f"<html><head><title>{{}}</title></head><body><h1>{{}}</h1><pre>{{}}</pre><p>{SENTENCE * 6}</p></body></html>"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the names of those that are not closed."""

    VOID = frozenset(("meta", "img", "br", "input", "link"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module", params=[True, False], ids=["blocks", "no blocks"])
def output(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    escaped = ATTACK.replace("<", "&lt;")
    pages = {f"http://good.example/{n}": page(n) for n in range(12)}
    pages["http://good.example/3"] = page(3, paragraphs=1)  # so short that it is less trusted
    pages |= {
        f"http://bad.example/{ATTACK}\u202e": HOSTILE.format(escaped, escaped, escaped).encode(),
        "http://nothing.example/": b"<p>",
    }
    write_archive(folder / "in.warc.gz", pages)
    whole = (folder / "in.warc.gz").read_bytes()
    (folder / "in.warc.gz").write_bytes(whole[:-200])  # a dead letter
    flags = ["--blocks"] if request.param else []
    arguments = ["extract", str(folder / "in.warc.gz"), "-o", str(folder / "out"), "--max-error-ratio", "1", *flags]
    done = CliRunner().invoke(main, [*arguments, "--set", "read.split_bytes=4000", "--workers", "1"])
    assert done.exit_code == 0, done.output
    return folder / "out"


def report(output: Path, target: Path) -> str:
    done = CliRunner().invoke(main, ["inspect", str(output), "--html", str(target)])
    assert done.exit_code == 0, done.output
    return target.read_text("utf-8")


def test_a_hostile_archive_cannot_write_into_the_page(output: Path, tmp_path: Path) -> None:
    text = report(output, tmp_path / "report.html")
    elements = Elements(text)
    assert not elements.open
    assert not {"script", "img", "iframe", "form", "link", "object"} & {tag for tag, _ in elements.found}
    for tag, attributes in elements.found:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "action")], tag
        assert (attributes.get("href") or "#").startswith("#")
        assert re.fullmatch(r"(width:[\d.]+%)?", attributes.get("style") or "")
    assert (
        "meta",
        {"http-equiv": "Content-Security-Policy", "content": "default-src 'none'; style-src 'unsafe-inline'"},
    ) in elements.found
    assert "\u202e" not in text, "no name turns the order of what follows"
    assert "&lt;script&gt;document.body" in text, "the attack is shown as text"


@pytest.mark.browser
def test_no_script_of_an_archive_runs_in_a_browser(output: Path, tmp_path: Path) -> None:
    """With the page's policy taken away, so that nothing but escaping is tested; with a page that shows that it is."""
    text = report(output, tmp_path / "report.html")
    policy = next(line for line in text.splitlines() if "Content-Security-Policy" in line)
    (tmp_path / "open.html").write_text(text.replace(policy, ""), "utf-8")
    (tmp_path / "broken.html").write_text(f"<title>x{ATTACK}", "utf-8")
    assert "<script" not in text
    assert CHROMIUM is not None, "no Chromium: .ci/environment check browsers"
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile", "--dump-dom"]
    ids = []
    for name in ("broken", "open"):
        command = [CHROMIUM, *flags, (tmp_path / f"{name}.html").as_uri()]
        shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LIMIT).stdout
        ids.append('<body id="broken"' in shown)
    assert ids == [True, False]


def test_the_page_says_what_the_tables_say(output: Path, tmp_path: Path) -> None:
    text = report(output, tmp_path / "report.html")
    found, survey = inspect_run(str(output)), survey_run(str(output))
    for title in (
        "Statuses", "Throughput", "Dead letters", "Languages", "Hosts", "Confidence", "Cost and expected F1",
        "Least confident pages",
    ):  # fmt: skip
        assert f">{title}</h2>" in text
    assert f"<dd>{found.pages}</dd>" in text
    headings = re.findall(r"<h2[^>]*>([^<]*)</h2>", text)
    assert (headings[0], headings[-3:]) == ("Languages", ["Throughput", "Stages", "Slowest pages"])
    assert "<bdi>English (eng)</bdi>" in text
    assert "<bdi>Greek (ell)</bdi>" in text
    assert "<dt>duplicates</dt><dd>not counted</dd>" in text
    assert "<dt>captured</dt><dd>2026</dd>" in text
    assert re.search(r"<dt>run of</dt><dd>20\d\d-\d\d-\d\d</dd>", text)
    command = escape(shlex.quote(found.run["command"][-1]))
    assert f"{command}</bdi></code>" in text[: text.index("<nav")]
    rows = pq.read_table(output / "pages").to_pylist()
    assert survey.fields["title"] == sum(row["title"] is not None for row in rows) > 0
    assert found.known == {fact: sum(row[fact] is not None for row in rows) for fact in FACTS}
    for fact, n in found.known.items():
        share = f"{n / found.pages:.1%}"
        assert re.search(rf"^ *{fact} +{n} +{re.escape(share)}$", to_text(found), re.MULTILINE), fact
    assert found.types == Counter(row["type"] or "(none)" for row in rows)
    assert survey.captured == {2026: found.pages}
    bins = re.findall(r"<bdi>(0\.\d\d) to \d\.\d\d</bdi></th><td>(\d+)</td>", text)
    assert int(bins[0][1]) > 0 < int(bins[-1][1]), "a histogram begins and ends with pages"
    assert sum(survey.confidence) == sum(host.judged for host in found.hosts.values())
    assert sum(survey.lengths.values()) == found.pages
    assert survey.lengths[0] == found.statuses["empty"]
    assert sum(each.pages for each in survey.groups) == found.pages
    assert len(survey.groups) == found.partitions > 1
    confidences = [row["confidence"] for row in survey.least_confident]
    assert confidences == sorted(confidences)
    times = [row["milliseconds"] for row in survey.slowest]
    assert times == sorted(times, reverse=True)
    (name,) = survey.letters
    assert name in found.errors
    if list(output.glob("blocks/0*")):
        assert set(survey.blocks) >= {
            f"{row['warc_filename']}#{row['warc_record_offset']}" for row in survey.drawn if row["status"] == "ok"
        }
        assert 'class="block kept"' in text
        assert 'class="block dropped"' in text
    else:
        assert not survey.blocks
        assert 'class="block' not in text
    assert SENTENCE.strip() in text


def test_runs_of_other_shapes_are_reported_too(tmp_path: Path) -> None:
    write_archive(tmp_path / "in.warc.gz", {f"http://a.example/{n}": page(n) for n in range(20)})
    for name, flags in {
        "jsonl": ["--to", "jsonl"],
        "csv": ["--to", "csv"],
        "few": ["--columns", "url,text"],
        "cetd": ["--extractor", "cetd"],
    }.items():
        out = tmp_path / name
        arguments = ["extract", str(tmp_path / "in.warc.gz"), "-o", str(out), *flags, "--workers", "1"]
        assert CliRunner().invoke(main, arguments).exit_code == 0
        assert "Throughput" in report(out, tmp_path / "report.html")


def test_prometheus_and_json(output: Path) -> None:
    done = CliRunner().invoke(main, ["inspect", str(output), "--prometheus"])
    assert done.exit_code == 0, done.output
    samples = dict(line.rsplit(" ", 1) for line in done.output.splitlines() if not line.startswith("#"))
    found = inspect_run(str(output))
    assert float(samples['thresher_pages_total{status="ok"}']) == found.statuses["ok"]
    assert float(samples["thresher_records_total"]) == found.records
    assert float(samples['thresher_state{state="finished"}']) == 1
    assert sum(float(n) for name, n in samples.items() if name.startswith("thresher_dead_letters")) == 1
    for line in done.output.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) \S+ .+|\w+(\{(\w+="(\\.|[^"\\\n])*",?)+\})? -?[\d.e+-]+', line), line
    printed = CliRunner().invoke(main, ["inspect", str(output), "--json"])
    assert json.loads(printed.output)["survey"]["lengths"]["0"] == 1


def test_labels_stay_inside_their_quotes(output: Path) -> None:
    found = inspect_run(str(output))
    found.errors['read: a"b\\c\nd'] = 1
    assert 'class="a\\"b\\\\c\\nd"} 1\n' in to_prometheus(found)


def test_a_page_that_cannot_be_written_is_refused(output: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["inspect", str(output), "--html", str(tmp_path / "none" / "report.html")])
    assert done.exit_code == 2
    assert "cannot write" in done.output


def test_the_curve_says_what_each_threshold_trusts(output: Path, tmp_path: Path) -> None:
    rows = pq.read_table(output / "pages", columns=["confidence", "text"]).to_pylist()
    known = [(row["confidence"], len((row["text"] or "").encode())) for row in rows if row["confidence"] is not None]
    curve = survey_run(str(output)).thresholds
    assert 0 < len(known) < len(rows)
    assert len(curve) > 1
    assert [each.trust for each in curve] == sorted({math.floor(value * 20) / 20 for value, _ in known}, reverse=True)
    for each in curve:
        trusted = [value for value, _ in known if value >= each.trust]
        assert (each.trusted, each.asked) == (len(trusted), len(known) - len(trusted))
        assert each.share == pytest.approx(len(trusted) / len(known), abs=1e-6)
        assert each.expected_f1 == pytest.approx(sum(trusted) / len(trusted), abs=1e-6)
        assert each.asked_bytes == sum(size for value, size in known if value < each.trust)
    assert curve[-1].asked == curve[-1].asked_bytes == 0
    text = report(output, tmp_path / "report.html")
    shown = text[text.index("Cost and expected F1</h2>") :].partition("</section>")[0]
    points = re.search(r'<polyline points="([^"]*)"', shown)
    assert points is not None
    places = [tuple(map(float, point.split(","))) for point in points[1].split()]
    assert len(places) == len(curve) == shown.count("<circle")
    assert all(40 <= x <= 480 and 10 <= y <= 160 for x, y in places)
    assert places[-1][0] == 40, "nothing is asked about"
    assert [f"{each.expected_f1:.3f}" in shown for each in curve] == [True] * len(curve)


def test_a_run_without_confidence_has_no_curve(tmp_path: Path) -> None:
    write_archive(tmp_path / "in.warc.gz", {"http://nothing.example/": b"<p>"})
    done = CliRunner().invoke(main, ["extract", str(tmp_path / "in.warc.gz"), "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert survey_run(str(tmp_path / "out")).thresholds == []
    assert "Cost and expected F1" not in report(tmp_path / "out", tmp_path / "report.html")

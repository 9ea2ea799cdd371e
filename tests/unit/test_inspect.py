# SPDX-License-Identifier: Apache-2.0
"""What `thresher inspect` says of the hosts of a run."""

from pathlib import Path

import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner
from small_archive import page, write_archive

from thresher.commands.main import main
from thresher.running.report import inspect_run, to_text


@pytest.fixture(params=["off", "fused"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """The mode of templates, and the output of a run over hosts of six, two and one pages, with one page twice."""
    pages = {
        f"http://{host}.example/{n}": page(n) for host, count in (("a", 5), ("b", 2), ("c", 1)) for n in range(count)
    }
    write_archive(tmp_path / "pages.warc.gz", pages | {"http://a.example/again": page(0)})
    arguments = ["extract", str(tmp_path / "pages.warc.gz"), "-o", str(tmp_path / "out"), "--templates", request.param]
    done = CliRunner().invoke(main, [*arguments, "--workers", "1"])
    assert done.exit_code == 0, done.output
    return request.param, str(tmp_path / "out")


def test_hosts_are_summed_over_their_pages(run: tuple[str, str]) -> None:
    mode, output = run
    rows = ds.dataset(Path(output) / "pages").to_table().to_pylist()
    hosts = inspect_run(output).hosts
    assert {name: host.pages for name, host in hosts.items()} == {"a.example": 6, "b.example": 2, "c.example": 1}
    for name, host in hosts.items():
        own = [row for row in rows if row["url_host_name"] == name]
        shares = [row["template_share"] for row in own if row["template_share"] is not None]
        assert host.words == sum(row["n_words"] for row in own)
        assert (host.judged, host.confidence) == (len(own), pytest.approx(sum(row["confidence"] for row in own)))
        assert (host.counted, host.template_share) == (len(shares), pytest.approx(sum(shares)))
        assert host.copies == sum(row["duplicate_of"] is not None for row in own)
    assert bool(hosts["a.example"].copies) == bool(hosts["a.example"].counted) == (mode == "fused")


def test_hosts_are_shown_with_their_figures(run: tuple[str, str]) -> None:
    mode, output = run
    report = inspect_run(output)
    lines = to_text(report, top=2).splitlines()
    head = next(line for line in lines if line.startswith("host "))
    at = lines.index(head)
    assert ("copies" in head) == ("template share" in head) == (mode == "fused")
    assert lines[at + 1].split()[:2] == ["a.example", "6"]
    assert lines[at + 3].split()[:4] == ["(1", "other)", "1", "11.1%"]
    assert report.to_dict()["hosts"]["b.example"]["pages"] == 2

# SPDX-License-Identifier: Apache-2.0
"""A run of a hundred thousand archives looks into its folders no more often than a run of a few: a folder is listed
whole, so a look for each input would cost the square of their number.
"""

from collections import Counter
from pathlib import Path

import pytest
from commanding import run
from small_archive import page, write_archive

from thresher.writing.storage import Storage

FEW, MANY = 3, 9


def looks_of(inputs: int, folder: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a command on a run over so many inputs lists which folder."""
    (folder / "in").mkdir(parents=True)
    for k in range(inputs):
        url = f"https://site{k % 2}.example/{k}"
        write_archive(folder / f"in/{k}.warc.gz", {url: page(k), f"{url}/b": page(k + 100)})
    out = folder / "out"
    extract = ["extract", folder / "in", "-o", out, "--max-error-ratio", 1, "--keep-first-pass"]
    looks: Counter[str] = Counter()

    def counted(name: str) -> None:
        real = getattr(Storage, name)

        def look(self: Storage, below: str = "") -> object:
            looks[below.removeprefix("_shards/")] += 1
            return real(self, below)

        monkeypatch.setattr(Storage, name, look)

    if command == "merge":
        for shard in (1, 2):
            run(*extract, "--shard", f"{shard}/2")
    elif command not in {"extract", "templates"}:
        run(*extract, "--columns", "+html")
    with monkeypatch.context():
        counted("names")
        counted("files")
        if command == "extract":
            run(*extract)
        elif command == "templates":
            run(*extract, "--templates", "fused")
        elif command == "render":
            run("render", out, "-o", folder / "new")
        else:
            run(command, out)
    monkeypatch.undo()
    return looks


@pytest.mark.parametrize("command", ["extract", "templates", "merge", "inspect", "retry", "compact", "render"])
def test_folders_are_looked_into_as_often_for_many_inputs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = (looks_of(n, tmp_path / str(n), command, monkeypatch) for n in (FEW, MANY))
    del many["_answers"]  # holds a file for each time that answers were merged
    more = {folder: (few[folder], n) for folder, n in many.items() if n > few[folder] + 1}
    assert not more

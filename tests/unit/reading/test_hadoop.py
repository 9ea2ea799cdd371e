# SPDX-License-Identifier: Apache-2.0
"""hdfs:// with a local folder in the place of a name node: names, folders, globs, and how long a file system lives."""

from __future__ import annotations

import gc
import gzip
import urllib.parse
import weakref
from pathlib import Path
from typing import Any

import pytest
from pyarrow import fs

from thresher.errors import InputError
from thresher.reading.buckets import list_bucket
from thresher.reading.opening import open_input


class NameNode:
    """Stands for pyarrow's FileSystem.from_uri(): the local file system, and what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def from_uri(self, url: str) -> tuple[Any, str]:
        self.asked.append(url)
        host, slash, path = url.removeprefix("hdfs://").partition("/")
        assert all((host, slash)), url  # libhdfs takes no URL without a host
        return fs.LocalFileSystem(), "/" + urllib.parse.unquote(path)


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch) -> NameNode:
    found = NameNode()
    monkeypatch.setattr(fs, "FileSystem", found)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.warc.gz", "b.warc", "sub folder/100% c.warc.gz", "notes.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(gzip.compress(b"WARC/1.0"))
    return tmp_path


@pytest.mark.parametrize("store", ["hdfs://node:8020", "hdfs://"])
def test_folders_and_globs(node: NameNode, folder: Path, store: str) -> None:
    url = f"{store}{folder}"
    escaped = f"{url}/sub%20folder/100%25%20c.warc.gz"
    assert list_bucket(f"{url}/*.warc.gz") == [f"{url}/a.warc.gz"]
    assert list_bucket(f"{url}/**/*.gz") == [f"{url}/a.warc.gz", escaped]
    assert {f"{url}/a.warc.gz", f"{url}/b.warc", escaped} <= set(list_bucket(f"{url}/"))
    file = open_input(escaped)
    assert file.read(2) == b"\x1f\x8b"
    file.close()
    assert node.asked[-1] == escaped.replace("hdfs:///", "hdfs://default/")


def test_what_libhdfs_cannot_parse_is_escaped(node: NameNode, folder: Path) -> None:
    (folder / "a b.warc").write_bytes(b"WARC/1.0")
    open_input(f"hdfs://node{folder}/a b.warc").close()
    assert node.asked == [f"hdfs://node{folder}/a%20b.warc"]


@pytest.mark.usefixtures("node")
def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none: does not exist"):
        open_input(f"hdfs://node{tmp_path}/none")


def test_a_file_system_lives_as_long_as_its_open_file(
    node: NameNode, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Store(fs.SubTreeFileSystem):  # type: ignore[misc]
        """One that can be referred to weakly."""

    kept = []

    def from_uri(_: str) -> tuple[Any, str]:
        store = Store(str(folder), fs.LocalFileSystem())
        kept.append(weakref.ref(store))
        return store, "b.warc"

    monkeypatch.setattr(node, "from_uri", from_uri)
    file = open_input("hdfs://node/b.warc")
    gc.collect()
    assert kept[0]() is not None
    file.close()
    del file
    gc.collect()
    assert kept[0]() is None

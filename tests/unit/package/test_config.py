# SPDX-License-Identifier: Apache-2.0
"""Defaults, then a file, then the command line; what is wrong is said with the nearest right thing."""

import tomllib
from dataclasses import FrozenInstanceError
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from thresher.config import ConfigError, load_configuration, parse_setting

CONF = files("thresher") / "conf"


def test_default_toml_and_the_dataclasses_name_the_same_knobs() -> None:
    tree = tomllib.loads((CONF / "default.toml").read_text("utf-8"))
    assert tree == load_configuration().to_dict()


def test_every_setting_has_a_comment_beside_it_or_above() -> None:
    lines = (CONF / "default.toml").read_text("utf-8").splitlines()
    comments = []
    for above, line in pairwise(lines):
        if "=" in line.split("#")[0]:
            beside = line.partition("#")[2]
            comments.append(beside or (above[1:] if above.startswith("#") else ""))
    assert len(comments) == sum(len(section) for section in load_configuration().to_dict().values())
    assert all(len(comment.strip()) > 15 for comment in comments)


def test_file_over_defaults_and_command_line_over_file(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text("[limits]\nmax_nodes = 10\nmax_depth = 20\n")
    configuration = load_configuration(path, {"limits.max_depth": 30})
    assert (configuration.extract.limits.max_nodes, configuration.extract.limits.max_depth) == (10, 30)
    assert configuration.extract.limits.max_bytes == load_configuration().extract.limits.max_bytes


def test_cluster_toml_is_valid() -> None:
    assert load_configuration(str(CONF / "cluster.toml")).read.split_bytes > load_configuration().read.split_bytes


def test_configuration_is_frozen() -> None:
    configuration = load_configuration()
    with pytest.raises(FrozenInstanceError):
        configuration.extract.limits.max_nodes = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("limits.max_node", "limits.max_nodes"),
        ("limit.max_nodes", "limits.max_nodes"),
        ("max_letters", "language.max_letters"),
        ("write.compresion", "write.compression"),
    ],
)
def test_unknown_key_names_the_nearest(key: str, nearest: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=rf"did you mean {nearest}\?$"):
        load_configuration(None, {key: 1})
    if "." in key:
        section, name = key.split(".")
        (tmp_path / "c.toml").write_text(f"[{section}]\n{name} = 1\n")
        with pytest.raises(ConfigError, match=rf"c.toml: unknown setting {key}; did you mean {nearest}\?$"):
            load_configuration(tmp_path / "c.toml")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("limits.max_nodes", "many"),
        ("limits.max_nodes", 1.5),
        ("limits.max_nodes", True),
        ("limits.max_nodes", 0),
        ("write.page_timings", 1),
        ("write.compression", "rar"),
        ("write.batch_bytes", 1 << 31),
        ("read.statuses", 200),
        ("read.statuses", ["200"]),
        ("run.workers", -1),
        ("run.log_level", "loud"),
        ("language.min_score", "high"),
        ("filter.hosts", [""]),
    ],
)
def test_wrong_value_is_refused_by_name(key: str, value: object) -> None:
    with pytest.raises(ConfigError, match=key):
        load_configuration(None, {key: value})


def test_whole_number_will_do_for_a_fraction() -> None:
    assert load_configuration(None, {"run.max_error_ratio": 1}).run.max_error_ratio == 1.0


@pytest.mark.parametrize("text", ["not toml", "max_nodes = 1"])
def test_file_that_is_no_configuration(text: str, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"c\.toml"):
        load_configuration(tmp_path / "c.toml")


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load_configuration(tmp_path / "none.toml")


def test_settings_from_the_command_line() -> None:
    assert parse_setting("limits.max_nodes=5") == ("limits.max_nodes", 5)
    assert parse_setting("extract.mode=recall") == ("extract.mode", "recall")
    assert parse_setting("read.statuses=[200, 203]") == ("read.statuses", [200, 203])
    with pytest.raises(ConfigError, match=r"section\.key=value"):
        parse_setting("limits.max_nodes")


def test_the_settings_of_rows_are_all_but_those_of_the_run() -> None:
    configuration = load_configuration()
    assert configuration.row_settings() == load_configuration(None, {"run.workers": 7}).row_settings()
    for section in configuration.to_dict().keys() - {"run"}:
        key, value = next((k, v) for k, v in configuration.row_settings().items() if k.startswith(section + "."))
        other = {
            int: lambda v: v + 1,
            float: lambda v: v / 2,
            list: lambda v: {"extract": ["all"], "write": ["url"]}.get(section, v + v),  # noqa: B023
            str: lambda v: {"parquet": "jsonl", "off": "fused"}.get(v, "all"),
        }[type(value)](value)
        assert configuration.row_settings() != load_configuration(None, {key: other}).row_settings(), key

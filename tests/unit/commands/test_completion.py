# SPDX-License-Identifier: Apache-2.0
"""What a shell completes of the command line."""

import pytest
from click.shell_completion import ShellComplete

from thresher.commands.main import main


@pytest.mark.parametrize(
    ("words", "begun", "completed"),
    [
        ([], "ins", ["inspect"]),
        (["extract"], "--te", ["--templates", "--templates-from"]),
        (["extract", "--format"], "", ["text", "markdown", "html", "source"]),
        (["text", "--extractors"], "conex,majority-", ["conex,majority-best", "conex,majority-weighted"]),
        (["extract", "--columns"], "url,site", ["url,site_name"]),
        (["extract", "--quality"], "c4,g", ["c4,gopher"]),
        (["extract", "", "--language", ""], "--templates-", ["--templates-from"]),
    ],
)
def test_names_are_completed(words: list[str], begun: str, completed: list[str]) -> None:
    found = ShellComplete(main, {}, "thresher", "_THRESHER_COMPLETE").get_completions(words, begun)
    assert [item.value for item in found] == completed


@pytest.mark.parametrize("words", [["extract"], ["extract", "a.warc", "-o"], ["inspect"], ["text"], ["estimate"]])
def test_files_are_completed(words: list[str]) -> None:
    found = ShellComplete(main, {}, "thresher", "_THRESHER_COMPLETE").get_completions(words, "a")
    assert [item.type for item in found] == ["file"]

# SPDX-License-Identifier: Apache-2.0
"""Help: what one needs first with --help, everything with --help-all, and commands that say where to begin."""

import re
import shlex

import click
import pytest
from click.testing import CliRunner

from thresher.commands.estimate import estimate
from thresher.commands.extract import extract
from thresher.commands.help import Option
from thresher.commands.main import main
from thresher.commands.render import render
from thresher.commands.text import text
from thresher.jobs.extract import main as job


def shown(command: click.Command, flag: str) -> str:
    return CliRunner().invoke(command, [flag], catch_exceptions=False, terminal_width=110).output


def options_of(command: click.Command) -> list[Option]:
    return [each for each in command.params if isinstance(each, Option)]


@pytest.mark.parametrize(
    "command", [extract, render, estimate, text, job], ids=lambda command: command.callback.__module__
)
def test_help_shows_what_has_an_example_and_help_all_everything(command: click.Command) -> None:
    brief, whole = shown(command, "--help"), shown(command, "--help-all")
    common = [option for option in options_of(command) if option.example]
    assert 5 < len(common) < len(options_of(command))
    for option in options_of(command):
        assert option.group
        assert f"\n{option.group}:\n" in whole
        name = f"  {option.opts[0]}"
        assert name in whole
        assert (name in brief) == bool(option.example), name
    assert f"Show {len(options_of(command)) - len(common)} further options too." in brief
    assert "Example:" in brief
    assert len(brief.splitlines()) < len(whole.splitlines())


def commands(group: click.Group, name: str = "thresher") -> list[tuple[str, click.Command]]:
    """A group and every command below it, each with its name."""
    found: list[tuple[str, click.Command]] = [(name, group)]
    context = click.Context(group)
    for each in group.list_commands(context):
        command = group.get_command(context, each)
        assert command
        below = f"{name} {each}"
        found += commands(command, below) if isinstance(command, click.Group) else [(below, command)]
    return found


@pytest.mark.parametrize(("name", "command"), commands(main), ids=lambda each: each if isinstance(each, str) else "")
def test_every_command_has_examples_and_says_what_each_option_does(name: str, command: click.Command) -> None:
    program = "spark-submit" if name == "thresher spark-job" else "thresher"
    assert re.search(rf"Examples?:\n +{program} ", shown(command, "--help"))
    for option in command.params:
        assert isinstance(option, click.Argument) or getattr(option, "help", None), option.name


def examples() -> list[str]:
    return sorted({option.example for command in (extract, render) for option in options_of(command) if option.example})


@pytest.mark.parametrize("example", examples())
def test_examples_can_be_typed(example: str) -> None:
    """They are parsed without an error; nothing is run."""
    arguments = [each for each in shlex.split(example) if each not in ("thresher", "extract")]
    with extract.make_context("extract", ["x.warc.gz", "-o", "out", *arguments]) as context:
        given = [name for name, value in context.params.items() if value not in (None, (), "", False)]
    assert len(given) >= 2


def test_thresher_alone_shows_where_to_begin() -> None:
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 0
    named = [line.split()[1] for line in done.output.splitlines() if line.startswith("  thresher ")]
    assert named == ["demo", "extract", "head", "inspect", "text"]
    assert len(done.output.splitlines()) < 12


def test_the_help_of_thresher_lists_every_command() -> None:
    output = shown(main, "--help")
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        assert command.name == name
        assert f"\n  {name} " in output
    assert CliRunner().invoke(main, ["extrat"]).exit_code == 2

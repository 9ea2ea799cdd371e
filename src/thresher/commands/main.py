# SPDX-License-Identifier: Apache-2.0
"""The command `thresher` and its subcommands.

A subcommand is imported when it is used, and commands import heavy modules when they run, so that `thresher --help`
answers at once.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click

from thresher._version import __version__
from thresher.collector import calm_collector
from thresher.commands.help import SETTINGS
from thresher.commands.refusals import Incomplete
from thresher.errors import NOT_WRITTEN

_COMMANDS: Final = {
    "extract": ("extract", "extract"),
    "head": ("head", "head"),
    "inspect": ("inspect_run", "inspect"),
    "text": ("text", "text"),
    "demo": ("demonstrate", "demo"),
    "estimate": ("estimate", "estimate"),
    "retry": ("retry", "retry"),
    "render": ("render", "render"),
    "compact": ("compact", "compact"),
    "select": ("selecting", "select"),
    "ask": ("asking", "ask"),
    "spread": ("spreading", "spread"),
    "merge": ("merge", "merge"),
    "config": ("show_config", "config"),
    "templates": ("templates", "templates"),
    "serve": ("serve", "serve"),
    "spark-job": ("spark_job", "spark_job"),
    "evaluate": ("evaluate", "evaluate"),
}
"""The module and the name of each subcommand, in the order of the help."""

_FIRST: Final = """\
Thresher extracts the main text from web archives: WARC in, Parquet out.

  thresher demo                          try it on a small archive of made-up sites
  thresher extract crawl.warc.gz -o out  all pages of an archive into out/pages/*.parquet
  thresher head out                      the first rows
  thresher inspect out                   a summary of the run
  thresher text page.html                the main text of one page (or URL, or standard input)

thresher --help lists all commands, thresher COMMAND --help explains one."""


@contextmanager
def _stopped() -> Iterator[None]:
    """A command that Ctrl-C or a full disk stops ends with the status of a run that it stops, wherever it was. Where
    its reader has had enough (`| head`), it ends without a word, with the status that a shell gives to such a tool.
    """
    try:
        yield
    except KeyboardInterrupt:
        click.echo("Stopped. Run the same command again.", err=True)
        raise click.exceptions.Exit(128 + signal.SIGINT) from None
    except OSError as error:
        if error.errno not in NOT_WRITTEN and error.errno != errno.EPIPE:
            raise
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:  # Python would try again when it ends, and end with 120
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if error.errno == errno.EPIPE:
            raise click.exceptions.Exit(128 + signal.SIGPIPE) from None
        what = f"{error.filename}: " * bool(error.filename) + os.strerror(error.errno or 0)
        raise Incomplete(f"{what}; mend that, and the same command goes on") from error


class _Commands(click.Group):
    """Subcommands that are imported when they are used."""

    def main(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (click's)
        """Runs a command; what it imports is not searched for cycles over and over. What it says is lost, and nothing
        else, where the shell closed an output (`>&-`); a closed input is empty.
        """
        calm_collector()
        sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
        sys.stdout, sys.stderr = (each or open(os.devnull, "w") for each in (sys.stdout, sys.stderr))  # noqa: SIM115
        return super().main(*args, **kwargs)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:  # noqa: ANN401 (click's)
        with _stopped():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 (click's)
        with _stopped():
            return super().invoke(ctx)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name]
        found: click.Command = getattr(import_module(f"thresher.commands.{module}"), name)
        return found


@click.group(cls=_Commands, context_settings=SETTINGS, invoke_without_command=True)
@click.version_option(__version__, "-V", "--version", message="thresher %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Extract the main text from web archives: WARC in, Parquet out.

    \b
    Examples:
      thresher extract crawl.warc.gz -o out      all pages of an archive into out/pages/*.parquet
      thresher head out                          the first rows
      thresher inspect out                       a summary of the run
      thresher retry out                         what failed in it, tried again
      thresher render out -o new                 its pages with another extractor, mode or format
      thresher text page.html                    the main text of one page (or URL, or standard input)

    On a Spark cluster: spark-submit $(thresher spark-job) IN OUT, with the same options and the same rows.
    """
    if ctx.invoked_subcommand is None:
        click.echo(_FIRST)


if __name__ == "__main__":
    main()

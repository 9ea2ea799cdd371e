# SPDX-License-Identifier: Apache-2.0
"""The command `thresher` and its subcommands.

Commands import heavy modules when they run, so `thresher --help` answers at once.
"""

from __future__ import annotations

import click

from thresher._version import __version__
from thresher.commands.compact import compact
from thresher.commands.estimate import estimate
from thresher.commands.evaluate import evaluate
from thresher.commands.experiments import experiments
from thresher.commands.extract import extract
from thresher.commands.inspect_run import inspect
from thresher.commands.merge import merge
from thresher.commands.options import SETTINGS
from thresher.commands.render import render
from thresher.commands.retry import retry
from thresher.commands.serve import serve
from thresher.commands.templates import templates
from thresher.commands.text import text


@click.group(context_settings=SETTINGS)
@click.version_option(__version__, "-V", "--version", message="thresher %(version)s")
def main() -> None:
    """Extract the main text from web archives: WARC in, Parquet out.

    \b
      thresher extract crawl.warc.gz -o out      all pages of an archive into out/pages/*.parquet
      thresher inspect out                       a summary of the run
      thresher estimate crawl.warc.gz            what a run would cost, from a sample
      thresher retry out                         what failed in it, tried again
      thresher render out -o new                 its pages with another extractor, mode or format
      thresher compact out                       its files, rewritten for look-ups
      thresher merge out                         the shards of an array job, joined
      thresher text page.html                    the main text of one page (or URL, or standard input)
      thresher templates nodes crawl.warc.gz     what the pages of each host have in common
      thresher serve                             a service over HTTP, and a workbench in the browser

    On a Spark cluster: spark-submit jobs/extract.py IN OUT, with the same options and the same rows.
    """


main.add_command(extract)
main.add_command(estimate)
main.add_command(text)
main.add_command(inspect)
main.add_command(retry)
main.add_command(compact)
main.add_command(render)
main.add_command(merge)
main.add_command(evaluate)
main.add_command(experiments)
main.add_command(templates)
main.add_command(serve)


if __name__ == "__main__":
    main()

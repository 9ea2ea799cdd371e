# SPDX-License-Identifier: Apache-2.0
"""`thresher extract`: the main text of every page in web archives, on this machine."""

from __future__ import annotations

import click

from thresher.arrow import import_pyarrow
from thresher.commands.help import command
from thresher.commands.options import PATH, begin, carry_out, knob_option, output_option, run_options
from thresher.options import Filters


@command(arrow="rows")
@click.argument("inputs", metavar="IN...", nargs=-1, type=PATH)
@output_option("Output folder or URL (s3://, hdfs://); created if missing.")
@knob_option("run.workers")
@run_options
def extract(inputs: tuple[str, ...], output: str, **options: object) -> None:
    """Extract the main text of every page in web archives.

    IN is a WARC or ARC (gzip, zstd, lz4 or plain), a WACZ, JSON Lines or Parquet with a column of HTML, a folder of any
    of these or of HTML files, a glob, a list of paths (warc.paths, warc.paths.gz), a URL (https://, s3://,
    hdfs://), or - for standard input.

    \b
    Examples:
      thresher extract crawl.warc.gz -o out
      thresher extract 'archives/*.warc.gz' extra/ -o out --format markdown --links
      thresher extract warc.paths.gz --input-base-url https://data.commoncrawl.org/ -o out
      thresher extract crawl.warc.gz -o out --language ell --min-words 50 --to dolma

    \b
    OUT holds pages/ in the format of --to, metrics/, dead_letter/, skipped/ and files/ as Parquet, and _run.json
    (configuration and versions). Rows do not depend on the number of workers. If the run is stopped or killed, run the
    same command again to resume it.

    \b
    Exit status: 0 done; 2 invalid input, output or option, nothing was done; 3 more errors than --max-error-ratio,
    everything was written; 4 incomplete, run the same command again; 130 stopped by Ctrl-C.
    """
    run = begin(inputs, output, options, one_machine=True)
    if run.first_pass or run.configuration.write.blocks or run.configuration.filter != Filters():
        import_pyarrow(compute=True)  # before any worker is forked
    carry_out(run, fork=not options["index"])

# SPDX-License-Identifier: Apache-2.0
"""`thresher extract` on a Spark cluster, with the same options and the same rows.

    spark-submit jobs/extract.py IN... OUT [options]

Each task works on one WARC and writes its files into OUT itself. Only counts pass through Spark, and with --templates
the fingerprints of blocks. A stopped job resumes when started again. See docs/running-on-a-cluster.md.
"""

import sys
from functools import partial

import click

from thresher.commands.help import command
from thresher.commands.options import begin, run_options
from thresher.running.execute import execute
from thresher.running.reporter import TerminalReporter


@command()
@click.argument("inputs", metavar="IN...", nargs=-1)
@click.argument("output", metavar="OUT")
@click.option(
    "--num-input-partitions", type=click.IntRange(min=1), metavar="N", help="Number of tasks. Default: one per WARC."
)
@run_options
def main(inputs: tuple[str, ...], output: str, num_input_partitions: int | None, **options: object) -> None:
    """Extract the main text of every page in the archives IN into the folder OUT.

    IN is a WARC or ARC, a WACZ, JSON Lines or Parquet with a column of HTML, a folder, a glob, a list of paths (with
    --input-base-url) or a URL. OUT is a folder that all executors can reach, or an s3:// URL (hdfs:// is not tested).
    """
    # Executors work in folders of their own.
    run = begin(inputs, output, options, one_machine=False).with_absolute_paths()
    from thresher.jobs.engine import SparkEngine
    from thresher.templates import second_pass

    engine_for = partial(SparkEngine, tasks=num_input_partitions)
    sys.exit(execute(run, engine_for, TerminalReporter(bar=False), second_pass=second_pass))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Main text of every page in web archives, on a Spark cluster: the same rows and options as `thresher extract`.

    spark-submit jobs/extract.py IN... OUT [options]

One task works on one WARC, and writes its files into OUT itself; only counts go through Spark, and with --templates the
fingerprints of blocks. Stopped and started again, the job goes on with what is left. See docs/running-on-a-cluster.md.
"""

import sys
import time

import click

from thresher.cli import begin, finish
from thresher.command_options import SETTINGS, run_options
from thresher.run import COUNT_SCHEMA, extract_batches
from thresher.templates.passes import second_pass


@click.command(context_settings=SETTINGS)
@click.argument("inputs", metavar="IN...", nargs=-1, required=True)
@click.argument("output", metavar="OUT")
@click.option(
    "--num-input-partitions", type=click.IntRange(min=1), metavar="N", help="Tasks; default one for each WARC."
)
@run_options
def main(inputs: tuple[str, ...], output: str, num_input_partitions: int | None, **options: object) -> None:
    """Extract the main text of every page in the archives IN into the folder OUT.

    IN is a WARC, a folder, a glob, a list of paths (with --input-base-url) or a URL; OUT a folder that all executors see,
    s3:// or hdfs://.
    """
    started = time.monotonic()
    run = begin(inputs, output, options, one_machine=False)
    if run.pending:
        from pyspark.sql import SparkSession

        from thresher.jobs.engine import Spark

        spark = SparkSession.builder.appName("thresher extract").getOrCreate()
        # Places in the list of WARCs, one in each partition; the list itself travels once to each executor.
        work = run.first_pass or run
        n = len(work.pending)
        tasks = spark.range(0, n, 1, num_input_partitions or max(n, 1))
        tasks.mapInArrow(extract_batches(work), COUNT_SCHEMA).agg({"pages": "sum"}).collect()
        if run.first_pass:
            second_pass(run, Spark(spark, len(run.warcs)), lambda message: click.echo(message, err=True))
        spark.stop()
    sys.exit(finish(run, time.monotonic() - started))


if __name__ == "__main__":
    main()

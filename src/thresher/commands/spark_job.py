# SPDX-License-Identifier: Apache-2.0
"""`thresher spark-job`: where the Spark job lies in this installation."""

from __future__ import annotations

from pathlib import Path

import click

from thresher.commands.help import command

_PACKAGE = Path(__file__).parents[1]


@command()
@click.option("--properties", is_flag=True, help="Print the path of Spark's settings for --properties-file instead.")
@click.option("--settings", is_flag=True, help="Print the path of Thresher's settings for --conf instead.")
def spark_job(*, properties: bool, settings: bool) -> None:
    """Print the path of the script that runs `thresher extract` on a Spark cluster.

    \b
    Examples:
      spark-submit --properties-file $(thresher spark-job --properties) $(thresher spark-job) IN... OUT
      spark-submit … $(thresher spark-job) warc.paths s3://bucket/out --conf $(thresher spark-job --settings)
    """
    if properties and settings:
        raise click.UsageError("--properties and --settings are two files; ask for one")
    name = "conf/spark-defaults.conf" if properties else "conf/cluster.toml" if settings else "jobs/extract.py"
    click.echo(_PACKAGE / name)

# SPDX-License-Identifier: Apache-2.0
"""What the command line and the Spark job share: the options of a run, and the run that they ask for."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from thresher.refusals import Refusal, refusals

if TYPE_CHECKING:
    from thresher.config import Configuration
    from thresher.run import Run

# Options of a run that stand for a knob of the configuration.
_KNOBS: Final = {
    "workers": "run.workers",
    "extractors": "extract.extractors",
    "mode": "extract.mode",
    "output_format": "extract.format",
    "comments": "extract.comments",
    "tables": "extract.tables",
    "links": "extract.links",
    "images": "extract.images",
    "max_error_ratio": "run.max_error_ratio",
    "output_compression": "write.compression",
    "templates": "templates.mode",
    "templates_from": "templates.source",
    "log_level": "run.log_level",
}

# `_` and `-` are the same in options, so that cc-pyspark's spellings work: --input_base_url, --output_compression.
SETTINGS: Final = {
    "help_option_names": ["-h", "--help"],
    "token_normalize_func": lambda token: token.replace("_", "-"),
    "max_content_width": 110,
}


def extraction_options() -> list[Callable[..., Any]]:
    """The options of everything that extracts: which extractors, how, and what the text holds."""
    return [
        click.option("--extractors", "--extractor", "extractors", metavar="NAME,…", help="Which extractor chooses the main text: thresher (default), cetd, all, …; further ones have a text each, from the same parse."),
        click.option("--mode", metavar="MODE", help="precision (rather less text), balanced (default), recall (rather more); of extractors that have it: thresher."),
        click.option("--format", "output_format", metavar="FORMAT", help="What the text is given as: text (default), markdown, html."),
        click.option("--comments/--no-comments", default=None, help="Readers' comments in or out whatever the extractor says; without either it decides."),
        click.option("--tables/--no-tables", default=None, help="Tables of data in (default) or out."),
        click.option("--links", is_flag=True, default=None, help="Keep the addresses of links; with --format markdown or html."),
        click.option("--images", is_flag=True, default=None, help="Keep images; with --format markdown or html."),
    ]  # fmt: skip


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that `thresher extract` and jobs/extract.py share."""
    options = [
        click.option("--input-base-url", metavar="URL", help="What relative paths in a list of paths begin with: s3://commoncrawl/, https://data.commoncrawl.org/, a folder."),
        *extraction_options(),
        click.option("--templates", metavar="MODE", help="What hosts repeat on their pages: off (default) looks at each page by itself; fused counts it and decides with it; learn writes only the table templates; apply decides with that of an earlier crawl."),
        click.option("--templates-from", metavar="OUT", help="With --templates apply: the output folder of the crawl whose templates are applied."),
        click.option("--conf", metavar="FILE", type=click.Path(dir_okay=False), help="TOML file with knobs; see conf/default.toml for all of them."),
        click.option("--set", "settings", metavar="SECTION.KEY=VALUE", multiple=True, help="One knob, as often as needed; goes before --conf."),
        click.option("--max-error-ratio", type=float, metavar="SHARE", help="Exit status 3 where a larger share of pages fails (default 0.05)."),
        click.option("--output-compression", metavar="CODEC", help="Of the Parquet files: zstd (default), gzip, snappy, none."),
        click.option("--log-level", metavar="LEVEL", help="debug, info (default), warning, error."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def split_names(text: str) -> list[str]:
    """The names in a comma-separated list."""
    return [name.strip() for name in text.split(",") if name.strip()]


def resolve(options: dict[str, Any]) -> Configuration:
    """The configuration that the options of a run give."""
    from thresher.config import load_configuration, parse_setting

    overrides = dict(parse_setting(setting) for setting in options["settings"])
    for name, key in _KNOBS.items():
        if options.get(name) is not None:
            value = options[name]
            if name in ("log_level", "output_compression", "mode", "output_format"):
                value = value.lower()
            elif name == "extractors":
                value = split_names(value)
            elif name == "comments":
                value = "keep" if value else "drop"
            overrides[key] = value
    return load_configuration(options["conf"], overrides)


def begin(inputs: tuple[str, ...], output: str, options: dict[str, Any], *, one_machine: bool) -> Run:
    """The run that the command line asks for, its output folder ready. `one_machine` says that DuckDB counts, not Spark.

    What the user has to mend ends the process with a message and exit status 2.
    """
    from thresher.inputs import scheme_of
    from thresher.run import start_run

    with refusals():
        configuration = resolve(options)
        logging.basicConfig(
            level=configuration.run.log_level.upper(), format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr
        )
        logging.getLogger("py4j").setLevel(logging.WARNING)  # Spark's bridge tells of each connection
        if one_machine and configuration.templates.mode != "off" and scheme_of(output):
            raise Refusal(
                f"--templates on one machine needs a local folder, not {output}; jobs/extract.py on Spark writes there"
            )
        return start_run(inputs, output, configuration, base_url=options["input_base_url"])

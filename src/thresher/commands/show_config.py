# SPDX-License-Identifier: Apache-2.0
"""`thresher config`: the settings that are in force, and where each comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from thresher.commands.help import command
from thresher.commands.options import PATH, every_setting_option, overrides_of, resolve
from thresher.commands.refusals import Refusal, refusals
from thresher.config import file_settings


@command()
@click.argument("output", metavar="[OUT]", required=False, type=PATH)
@click.option("--changed", is_flag=True, help="Only the settings that differ from the defaults.")
@every_setting_option
def config(output: str | None, *, changed: bool, **options: object) -> None:
    """Show every setting in force, and where it comes from: a default, a file (--conf) or the command line.

    With OUT, the settings of the run in that folder. What is printed is TOML, which --conf reads.

    \b
    Examples:
      thresher config
      thresher config --conf mine.toml --format markdown --changed
      thresher config out --changed > same.toml
    """
    from thresher.options import defaults

    with refusals():
        if output is not None:
            if overrides_of(options) or options["conf"]:
                raise Refusal("give the folder of a run, or settings, not both")
            settings, sources = _of_run(output)
        else:
            settings = resolve(options).to_dict()
            sources = dict.fromkeys(overrides_of(options), "command line")
            file: Any = options["conf"]
            sources = dict.fromkeys(file_settings(Path(file)) if file else (), str(file)) | sources
    for section, values in settings.items():
        usual = defaults()[section]
        lines = [
            (f"{name} = {json.dumps(value, ensure_ascii=False)}", sources.get(f"{section}.{name}", "default"))
            for name, value in values.items()
            if not changed or value != usual.get(name)
        ]
        if lines:
            width = max(len(line) for line, _ in lines)
            click.echo(f"[{section}]")
            click.echo("\n".join(f"{line:<{min(width, 48)}}  # {source}" for line, source in lines) + "\n")


def _of_run(output: str) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """The settings of the run in a folder, and that they come from there."""
    from thresher.writing.layout import RUN_FILE
    from thresher.writing.run_folder import RunFolder

    kept = RunFolder(output).read_run().get("configuration", {})
    names = [f"{section}.{name}" for section, values in kept.items() for name in values]
    return kept, dict.fromkeys(names, f"{output}/{RUN_FILE}")

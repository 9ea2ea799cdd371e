# SPDX-License-Identifier: Apache-2.0
"""`thresher demo`: a small archive of made-up sites, extracted."""

from __future__ import annotations

import os
import shutil
import sys

import click

from thresher.commands.help import command
from thresher.commands.options import PATH
from thresher.commands.refusals import writable


@command()
@click.argument("folder", metavar="[FOLDER]", default="thresher-demo", type=PATH)
@click.pass_context
def demo(ctx: click.Context, folder: str) -> None:
    """Write a small archive of made-up sites into FOLDER, extract it, and show what came of it.

    FOLDER is thresher-demo by default. It gets sites.warc.gz, the archive, and out/, the rows. The sites are in many
    languages and encodings, and some of their pages are broken, empty, mislabelled or hostile, as in any crawl.

    \b
    Examples:
      thresher demo
      thresher demo /tmp/demo
    """
    from thresher.demo import write_archive

    archive, out = os.path.join(folder, "sites.warc.gz"), os.path.join(folder, "out")
    with writable(folder):
        os.makedirs(folder, exist_ok=True)
        if os.path.exists(os.path.join(out, "_run.json")):
            shutil.rmtree(out)  # of an earlier demo; thresher extract would go on with it
        n = write_archive(archive)
    click.echo(f"{archive}: {n} records of made-up sites, some of them broken on purpose")
    # More is broken than a run usually tolerates, hence --max-error-ratio 1.
    commands = (["extract", archive, "-o", out, "--max-error-ratio", "1"], ["head", out, "-n", "4"], ["inspect", out])
    main = ctx.find_root().command
    for arguments in commands:
        click.echo(f"\n$ thresher {' '.join(arguments)}")
        sys.stdout.flush()
        try:
            main.main(arguments, prog_name="thresher", standalone_mode=True)
        except SystemExit as end:
            if end.code:
                sys.exit(end.code)
    click.echo(
        f"\nEverything lies in {out}: pages/, metrics/ and dead_letter/ are Parquet; _run.json says how they were made."
    )
    click.echo("Your own archive: thresher extract FILE.warc.gz -o OUT")

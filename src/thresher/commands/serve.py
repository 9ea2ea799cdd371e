# SPDX-License-Identifier: Apache-2.0
"""`thresher serve`: the service over HTTP and the workbench."""

from __future__ import annotations

import ipaddress
import os
from pathlib import Path

import click

from thresher.commands.help import command
from thresher.commands.options import PATH
from thresher.commands.refusals import Refusal, refusals
from thresher.errors import install_command
from thresher.reading.listing import list_files
from thresher.reading.names import STDIN, scheme_of

_LEAST_TOKEN = 16


@command()
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65_535),
    default=8737,
    show_default=True,
    help="Port to listen on; 0 for any free one.",
)
@click.option(
    "--token-file",
    metavar="FILE",
    type=PATH,
    help="File with the token that clients must send. Default: $THRESHER_TOKEN. Required beyond 127.0.0.1.",
)
@click.option("--workers", metavar="N", type=click.IntRange(1), help="Worker processes. Default: one per core.")
@click.option(
    "--page-seconds", metavar="S", default=10.0, show_default=True, help="Stop a worker that takes longer for one page."
)
@click.option(
    "--max-body", metavar="BYTES", default=16 << 20, show_default=True, help="Largest body of a request, in bytes."
)
@click.option(
    "--max-requests",
    metavar="N",
    default=64,
    show_default=True,
    help="Requests at the same time; further ones get 429.",
)
@click.option("--fetch", is_flag=True, help="Fetch public http and https URLs for clients.")
@click.option(
    "--archive", "archives", metavar="IN", multiple=True, type=PATH, help="Archive, folder, glob or list to browse."
)
@click.option("--run", "runs", metavar="OUT", multiple=True, type=PATH, help="Output of `thresher extract`.")
@click.option(
    "--labelled", metavar="FILE", multiple=True, type=PATH, help="Parquet file of labelled pages, for F1 beside a page."
)
@click.option("--labels", metavar="DIR", type=PATH, help="Folder for labels; switches labelling on.")
def serve(
    host: str,
    port: int,
    token_file: str | None,
    workers: int | None,
    page_seconds: float,
    max_body: int,
    max_requests: int,
    *,
    fetch: bool,
    archives: tuple[str, ...],
    runs: tuple[str, ...],
    labelled: tuple[str, ...],
    labels: str | None,
) -> None:
    """Serve extraction over HTTP, with a workbench for the browser at http://127.0.0.1:8737/.

    POST /extract takes a page and answers with its text and metadata as JSON. The workbench shows which blocks of a
    page are kept, and why. Nothing is written, except labels into the folder of --labels. Ctrl-C ends the service.

    \b
    Examples:
      thresher serve
      thresher serve --archive crawl.warc.gz --run out --labels labels
      curl --data-binary @page.html -H 'Content-Type: text/html' http://127.0.0.1:8737/extract
    """
    try:
        from thresher.lab.routes import LabRoutes
        from thresher.serving.run import serve_forever
        from thresher.writing.run_folder import RunFolder
    except ImportError as error:
        raise Refusal(f"{error}; install it with: {install_command('serve')}") from error
    from thresher.serving.settings import Settings, usual_workers

    token = _token(token_file)
    if token is None and not _is_loopback(host):
        raise Refusal(
            f"--host {host} can be reached from other machines: a token is needed (--token-file or $THRESHER_TOKEN)"
        )
    for name in (*archives, *runs, *labelled):
        if name == STDIN:
            raise Refusal("standard input cannot be browsed; save it as a file, and name that")
        if "://" not in name and name not in archives and not os.path.exists(name):
            raise Refusal(f"{name} does not exist")
    with refusals():
        for name in archives:
            if not scheme_of(name):
                list_files(name)  # what `thresher extract` refuses is refused at once
        for name in runs:
            folder = RunFolder(name)
            folder.read_run()  # is the output of a run
            folder.tables.files("pages")  # are in Parquet
    settings = Settings(
        host=host,
        port=port,
        token=token,
        workers=workers or usual_workers(),
        page_seconds=page_seconds,
        max_body=max_body,
        max_requests=max_requests,
        fetch=fetch,
        archives=archives,
        runs=runs,
        labelled=labelled,
    )
    with refusals():
        routes = LabRoutes(Path(labels) if labels is not None else None)
        serve_forever(settings, lambda url: click.echo(f"{url} (Ctrl-C ends it)", err=True), [routes])


def _token(file: str | None) -> str | None:
    token = os.environ.get("THRESHER_TOKEN")
    if file is not None:
        try:
            token = Path(file).read_text("utf-8").strip()
        except (OSError, ValueError) as error:
            raise Refusal(f"{file}: {error}") from error
    if token is None or not token:
        if file is not None or token is not None:
            raise Refusal("the token is empty")
        return None
    if len(token) < _LEAST_TOKEN or not token.isascii() or not token.isprintable():
        raise Refusal(f"a token has at least {_LEAST_TOKEN} printable ASCII characters")
    return token


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

# SPDX-License-Identifier: Apache-2.0
"""What the service takes: requests a second, latency and memory, and what hostile pages do to it.

    python benchmarks/service.py [--only load,memory,hostile] [--seconds 60] [--requests 100000] [--peer]

Clients on 127.0.0.1 send real labelled pages to POST /extract, each its next one as soon as the last is answered; they
share the machine with the service. --peer puts Trafilatura behind the same server (Starlette, uvicorn, as many worker
processes) and measures its load, too. Prints Markdown tables.
"""

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measure import DATA, MODERN, OLDER, labelled, machine, versions

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / "unit" / "native")]

from test_hostile_pages import PAGES  # noqa: E402

WORKERS = 2
CLIENTS = (1, 8, 64)
MOST_BYTES = 300_000  # of a page of the load
LARGEST_BODY = 16 << 20  # that the service takes
PORT = 8741
SPLICES = (
    b"<table>",
    b"<svg>",
    b"<math>",
    b"</p>",
    b"<template>",
    b"<!--",
    b"<plaintext>",
    b"<select>",
    b"\0",
    b"<b><a>",
)

PEER = """
import trafilatura
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


async def extract(request: Request) -> JSONResponse:
    page = await request.body()
    return JSONResponse({"text": await run_in_threadpool(trafilatura.extract, page)})


app = Starlette(routes=[Route("/extract", extract, methods=["POST"])])
"""


@dataclass(slots=True)
class Load:
    """What clients saw."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)  # seconds, of requests answered with 200
    statuses: Counter[int] = field(default_factory=Counter)

    def row(self) -> str:
        """Requests a second, latencies in milliseconds, other statuses."""
        found = sorted(self.latencies)
        others = ", ".join(f"{n} × {status}" for status, n in sorted(self.statuses.items()) if status != 200)
        late = found[len(found) * 99 // 100]
        times = f"{1000 * statistics.median(found):.1f} | {1000 * late:.1f} | {1000 * found[-1]:.0f}"
        return f"{len(self.latencies) / self.seconds:.0f} | {times} | {others or 'none'}"


def requests_of(pages: list[bytes], path: str = "/extract") -> list[bytes]:
    """Whole HTTP requests."""
    head = "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
    return [(head % (path, len(page))).encode() + page for page in pages]


async def send(port: int, requests: Iterator[bytes], load: Load, until: float) -> None:
    """A client: sends requests one after the other until they or the time ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in requests:
        started = time.perf_counter()
        if started > until:
            break
        writer.write(request)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = re.search(rb"content-length: (\d+)", head)
        await reader.readexactly(int(length[1]) if length else 0)
        status = int(head.split()[1])
        load.statuses[status] += 1
        if status == 200:
            load.latencies.append(time.perf_counter() - started)
        if b"connection: close" in head:
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()


def under_load(port: int, requests: list[bytes], clients: int, *, seconds: float = 1e9, most: int = 0) -> Load:
    """So many clients at a time, for so many seconds or requests."""
    load = Load()

    def shared() -> Iterator[bytes]:
        number = 0
        while not most or number < most:
            yield requests[number % len(requests)]
            number += 1

    async def run() -> None:
        source = shared()
        until = time.perf_counter() + seconds
        await asyncio.gather(*(send(port, source, load, until) for _ in range(clients)))

    started = time.perf_counter()
    asyncio.run(run())
    load.seconds = time.perf_counter() - started
    return load


def metrics(port: int) -> dict[str, float]:
    """What GET /metrics says, without the prefix."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return {line.split()[0].removeprefix("thresher_"): float(line.split()[-1]) for line in lines if line[:1] != "#"}


@contextmanager
def running(command: list[Any], path: str, folder: str | None = None) -> Iterator[None]:
    """A service, until the block ends."""
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}", timeout=5).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def service() -> list[Any]:
    return [sys.executable, "-m", "thresher.commands.main", "serve", "--port", PORT, "--workers", WORKERS]


def hostile_pages(count: int, real: list[bytes]) -> list[bytes]:
    """Pages written against the parser, and real and hostile ones cut, doubled and spliced at random places."""
    rng = random.Random(7)
    pages = [make() for make, _ in PAGES.values()] + [path.read_bytes() for path in sorted(DATA.glob("hostile/*"))]
    bases = [page[:60_000] for page in pages] + real[:20]
    while len(pages) < count:
        page = bytearray(rng.choice(bases))
        for _ in range(rng.randrange(1, 60)):
            if not page:
                break
            kind, at = rng.randrange(4), rng.randrange(len(page))
            if kind == 0:
                page[at] = rng.randrange(256)
            elif kind == 1:
                del page[at : at + rng.randrange(400)]
            elif kind == 2:
                page[at:at] = page[at : at + rng.randrange(400)]
            else:
                page[at:at] = rng.choice(SPLICES)
        pages.append(bytes(page))
    return [page[:LARGEST_BODY] for page in pages[:count]]


def measure_load(name: str, requests: list[bytes], seconds: float) -> None:
    under_load(PORT, requests, 8, most=50)  # workers load their models
    for clients in CLIENTS:
        load = under_load(PORT, requests, clients, seconds=seconds)
        print(f"| {name} | {clients} | {load.row()} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="load,memory,hostile")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--hostile", type=int, default=500, help="number of hostile pages")
    parser.add_argument("--peer", action="store_true")
    arguments = parser.parse_args()
    os.environ["no_proxy"] = "127.0.0.1,localhost"
    pages = [page for page in labelled((*MODERN, *OLDER), 600) if 1000 < len(page) <= MOST_BYTES][:400]
    requests = requests_of(pages)
    mean = sum(map(len, pages)) / len(pages) / 1000
    print(f"{machine()}. {versions('starlette', 'uvicorn', 'trafilatura')}.\n")
    wanted = arguments.only.split(",")
    if "load" in wanted:
        print(
            f"{len(pages)} pages, {mean:.0f} KB on average, {WORKERS} worker processes, {arguments.seconds:g} s each.\n"
        )
        print("| service | clients | requests/s | median ms | 99 % ms | longest ms | other statuses |")
        print("|---|---|---|---|---|---|---|")
        with running(service(), "/health"):
            measure_load("thresher serve", requests, arguments.seconds)
        if arguments.peer:
            with tempfile.TemporaryDirectory() as folder:
                Path(folder, "peer.py").write_text(PEER)
                command = [sys.executable, "-m", "uvicorn", "peer:app", "--port", PORT, "--workers", WORKERS]
                with running([*command, "--log-level", "warning"], "/extract", folder):
                    measure_load("Trafilatura", requests, arguments.seconds)
    if "memory" in wanted:
        with running(service(), "/health"):
            print("\n| requests | MB of the service and its workers |\n|---|---|")
            steps = [arguments.requests // 20, *[arguments.requests // 4] * 3]
            steps.append(arguments.requests - sum(steps))
            print(f"| 0 | {metrics(PORT)['resident_bytes'] / 1e6:.0f} |", flush=True)
            done = 0
            for step in steps:
                load = under_load(PORT, requests, 8, most=step)
                done += load.statuses[200]
                print(f"| {done:,} | {metrics(PORT)['resident_bytes'] / 1e6:.0f} |", flush=True)
    if "hostile" in wanted:
        found = hostile_pages(arguments.hostile, pages)
        with running(service(), "/health"):
            print(f"\n{len(found)} hostile pages, one after the other.\n")
            print("| request | statuses | median ms | longest s | workers that died |\n|---|---|---|---|---|")
            for path in ("/extract", "/blocks?shown=1"):
                load = under_load(PORT, requests_of(found, path), 1, most=len(found))
                statuses = ", ".join(f"{n} × {status}" for status, n in sorted(load.statuses.items()))
                times = f"{1000 * statistics.median(load.latencies):.1f} | {max(load.latencies):.1f}"
                print(f"| POST {path} | {statuses} | {times} | {metrics(PORT)['workers_lost_total']:.0f} |", flush=True)
            assert under_load(PORT, requests[:1], 1, most=1).statuses == {200: 1}


if __name__ == "__main__":
    main()

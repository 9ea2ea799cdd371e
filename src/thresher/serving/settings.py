# SPDX-License-Identifier: Apache-2.0
"""Limits of a service, and what it offers."""

from __future__ import annotations

from dataclasses import dataclass, field

from thresher.running.crew import available_cores

MEGABYTE = 1 << 20


def usual_workers() -> int:
    """One worker process per core, eight at most."""
    return max(1, min(8, available_cores()))


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a service. Sizes are in bytes, times in seconds."""

    host: str = "127.0.0.1"
    port: int = 8737
    token: str | None = None
    """What clients must send as `Authorization: Bearer TOKEN`; None asks for none."""
    workers: int = field(default_factory=usual_workers)
    page_seconds: float = 10.0
    """A worker that takes longer over one page is stopped."""
    worker_memory: int = 4096 * MEGABYTE
    """Address space of a worker. A page that needs more fails alone."""
    max_body: int = 16 * MEGABYTE
    """Of a request, and of a line of a batch."""
    max_held: int = 256 * MEGABYTE
    """Bodies of all requests that are held at a time."""
    body_seconds: float = 20.0
    """For a whole body, and for each line of a batch."""
    head_seconds: float = 10.0
    """For the head of a request, and for a client that does not take its answer."""
    max_requests: int = 64
    """Requests at work or waiting for a worker; one more is answered with 429."""
    fetch: bool = False
    """Whether clients may name a URL to be fetched."""
    archives: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    labelled: tuple[str, ...] = ()
    """Labelled files, for pages with gold text."""

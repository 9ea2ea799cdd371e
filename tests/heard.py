# SPDX-License-Identifier: Apache-2.0
"""A reporter that keeps what a run says."""

from thresher.running.reporter import Reporter


class Heard(Reporter):
    """Keeps the messages of a run, one in a line."""

    def __init__(self) -> None:
        self.said = ""

    def say(self, message: str) -> None:
        self.said += f"{message}\n"

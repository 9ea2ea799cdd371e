# SPDX-License-Identifier: Apache-2.0
"""`thresher` in the test's own process: starting one takes a second."""

from click.testing import CliRunner

from thresher.commands.main import main


def run(*arguments: object, status: int = 0) -> str:
    """What a command says. Fails unless it ends with this exit status."""
    done = CliRunner().invoke(main, [*map(str, arguments)])
    assert done.exit_code == status, (done.output, done.exception)
    return done.output

# SPDX-License-Identifier: Apache-2.0
"""A headless Firefox, driven over Marionette, its own protocol: no driver is needed."""

import json
import os
import shutil
import socket
import subprocess
from pathlib import Path

from waiting import LIMIT, wait_for

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)


class Firefox:
    """A browser with one page; use it in a with statement."""

    def __init__(self, profile: Path, preferences: dict[str, str | int | bool]) -> None:
        assert FIREFOX is not None, "no Firefox: .ci/environment check browsers"
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in {"marionette.port": port, **preferences}.items()
        ]
        profile.mkdir(parents=True)
        (profile / "user.js").write_text("".join(lines))
        self._process = subprocess.Popen(
            [
                FIREFOX,
                "--headless",
                "--marionette",
                "--remote-allow-system-access",
                "--no-remote",
                "--profile",
                profile,
            ],
            env={**os.environ, "HOME": str(profile), "MOZ_CRASHREPORTER_DISABLE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0
        self._socket = wait_for(lambda: self._connection(port), "for Firefox")
        self._stream = self._socket.makefile("rb")

    def _connection(self, port: int) -> socket.socket | None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        except OSError:
            assert self._process.poll() is None, "Firefox ended"
            return None

    def __enter__(self):
        self._receive()
        self.call("WebDriver:NewSession")
        return self

    def __exit__(self, *_):
        self._stream.close()
        self._socket.close()
        self._process.kill()
        self._process.wait()

    def call(self, command: str, **parameters):
        """The result of a command of Marionette."""
        self._number += 1
        message = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._receive()
        assert error is None, f"{command}: {error}"
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _receive(self):
        length = b""
        while (letter := self._stream.read(1)) != b":":
            assert letter, "Firefox ended"
            length += letter
        return json.loads(self._stream.read(int(length)))

    def run(self, script: str):
        """The value of an expression in the page; promises are awaited."""
        return self.call("WebDriver:ExecuteScript", script=f"return {script}", args=[], sandbox=None)

    def wait(self, script: str) -> None:
        """Waits until an expression in the page is true."""
        wait_for(lambda: self.run(f"Boolean({script})"), f"for {script}")

    def open(self, url: str) -> None:
        """Goes to an address and waits until it is there."""
        self.call("WebDriver:Navigate", url=url)

    def tab(self) -> str:
        """The handle of the tab that is driven."""
        return self.call("WebDriver:GetWindowHandle")

    def new_tab(self) -> str:
        """Opens a tab and drives it; its handle."""
        handle = self.call("WebDriver:NewWindow", type="tab", focus=True)["handle"]
        self.choose(handle)
        return handle

    def choose(self, handle: str) -> None:
        """Drives another tab, and brings it to the front."""
        self.call("WebDriver:SwitchToWindow", handle=handle, focus=True)

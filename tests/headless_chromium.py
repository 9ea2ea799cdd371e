# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over a pair of pipes: no driver and no web socket are needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

from waiting import LIMIT, wait_for

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Chromium:
    """A browser with one page; use it in a with statement."""

    def __init__(self, profile: Path, *flags: str) -> None:
        assert CHROMIUM is not None, "no Chromium: .ci/environment check browsers"
        there, self._out = os.pipe()
        self._in, back = os.pipe()
        command = [
            CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--hide-scrollbars", "--remote-debugging-pipe",
            f"--user-data-dir={profile}", *flags, "about:blank",
        ]  # fmt: skip
        # The browser reads from descriptor 3 and writes to 4; both ends move out of the way first.
        script = f'exec 8<&{there} 9>&{back}; exec 3<&8 4>&9 8<&- 9>&-; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "bash", *command],
            pass_fds=(there, back),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(there)
        os.close(back)
        self._rest = b""
        self._number = 0
        self._session = None
        self.console: list[str] = []
        self.requested: list[str] = []

    def __enter__(self):
        target = next(each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page")
        found = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = found["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def call(self, method: str, **parameters):
        """The result of a command of the DevTools protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + LIMIT
        while time.monotonic() < until:
            answer = self._receive(until)
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
        raise TimeoutError(method)

    def _receive(self, until: float) -> dict:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self._in, 1 << 16)
            if not piece:
                raise ConnectionError("the browser ended")
            self._rest += piece
        first, _, self._rest = self._rest.partition(b"\0")
        event = json.loads(first)
        if event.get("method") == "Runtime.exceptionThrown":
            self.console.append(json.dumps(event["params"]["exceptionDetails"])[:500])
        elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.console.append(event["params"]["entry"]["text"])
        elif event.get("method") == "Network.requestWillBeSent":
            self.requested.append(event["params"]["request"]["url"])
        return event

    def open(self, url: str) -> None:
        """Goes to an address and waits until it is there."""
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def run(self, script: str):
        """The value of an expression in the page; promises are awaited."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait(self, script: str) -> None:
        """Waits until an expression in the page is true."""
        wait_for(lambda: self.run(f"Boolean({script})"), f"for {script}")

    def size(self, width: int, height: int) -> None:
        """Sets the size of the window."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def dark(self, *, on: bool) -> None:
        """Sets what the user prefers."""
        value = "dark" if on else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def key(self, name: str, text: str = "", *, shift: bool = False) -> None:
        """Presses a key."""
        code = {"ArrowDown": 40, "ArrowUp": 38, "Tab": 9, "Enter": 13}.get(name, ord(name.upper()[0]))
        common = {"key": name, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def drawn(self) -> None:
        """Waits until the page is drawn as it is now."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def mouse(self, kind: str, x: float, y: float, *, pressed: bool = False) -> None:
        """Moves, presses or releases the mouse, where the page is as it was drawn last."""
        button = "left" if pressed or kind != "mouseMoved" else "none"
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=int(pressed), clickCount=1)

    def screenshot(self, file: Path) -> None:
        """Writes a picture of the window."""
        Path(file).write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

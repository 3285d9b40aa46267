"""Open, check and serve web pages for tests and measurements: Chromium, npm packages, axe-core and running servers."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from kiebitz.store.table import Table
from kiebitz_host.outcome import Trouble
from kiebitz_host.web.devices import DeviceThread
from kiebitz_host.web.server import Server, listen, new_site
from kiebitz_host.web.site import Site
from playwright.sync_api import Browser, Playwright

from kiebitz_lab.frozen_tree import ROOT

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def launch(playwright: Playwright) -> Browser:
    """Return the browser, ready to open pages."""
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


NPM_FOLDER = ROOT / "build" / "npm" / "node_modules"


def npm_micropython() -> Path:
    """Return the folder of MicroPython for pages."""
    return _npm_package("@micropython/micropython-webassembly-pyscript")


def npm_axe() -> Path:
    """Return the script that checks a page for accessibility."""
    return _npm_package("axe-core") / "axe.min.js"


def _npm_package(name: str) -> Path:
    if not (NPM_FOLDER / name).exists():
        raise Trouble(f"the package {name} is missing: run make build/npm/ready, which needs Node.js and its npm.")
    return NPM_FOLDER / name


# WCAG 2.2 A and AA, and what axe-core calls best practice
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def barriers(page: Any) -> list[str]:
    """Return every accessibility violation that axe-core finds on an open page, with its elements."""
    page.evaluate(npm_axe().read_text("utf-8"))
    found = page.evaluate("tags => axe.run({runOnly: tags})", TAGS)
    return [
        f"{broken['id']}: {broken['help']}: " + "; ".join(node["html"][:160] for node in broken["nodes"][:3])
        for broken in found["violations"]
    ]


PATIENCE_S = 60.0  # timeout, reached only by failures


class WebStand:
    """A context in which the pages are served at `address`; `link` adds the token to a path."""

    def __init__(self, db: Path, lang: str = "en", find=list, **options):
        self.site: Site = new_site(db, find=find, **options)
        self.token = self.site.token
        self._socket = listen(0, False)
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.server = Server(self.site, lang)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self._socket]}, daemon=True)

    def __enter__(self) -> "WebStand":
        self._thread.start()
        wait_until(lambda: self.server.started, "the server has started")
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server, and wait for its end."""
        self.server.should_exit = True
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), "the server does not end"

    def link(self, path: str = "/live") -> str:
        """Return an address with the token."""
        return f"{self.address}{path}{'&' if '?' in path else '?'}token={self.site.token}"

    def show(self, table: Table | None, device: str = "e661a4d1275b3c0f", board: str = "pico_oled") -> DeviceThread:
        """Show a table as if a device had it. Returns the follower of that device, which is not connected."""
        followers = self.site.devices.followers
        if device not in followers:
            followers[device] = DeviceThread(device, self.site.devices.tell, self.site.devices.show)
        if table is None:
            followers[device].idle("stand")
        else:
            followers[device].shows("stand", table, "")
        return followers[device]


class WebProcess:
    """A context in which `kiebitz web` runs as a process of its own; `errors()` returns its standard error so far."""

    def __init__(self, folder: Path, *options: str, files: int | None = None, **environment: str):
        """Prepare the command; the database is in `folder`. `files` limits the file descriptors of the process."""
        self._errors = folder / "errors.txt"
        code = "import sys; from kiebitz_host.cli import main; sys.exit(main())"
        if files is not None:
            code = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files})); {code}"
        self._command = [sys.executable, "-c", code, "web", "--port", "0", "--lang", "en", "--db",
                         str(folder / "results.db"), *options]  # fmt: skip
        self._environment = {**os.environ, **environment}

    def __enter__(self) -> "WebProcess":
        with open(self._errors, "w") as errors:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=errors, text=True, env=self._environment
            )
        assert self._process.stdout is not None
        self.own_link = self._process.stdout.readline().split()[-1]
        place = urlsplit(self.own_link)
        self.address = f"http://{place.netloc}"
        self.port = place.port or 0
        self.token = parse_qs(place.query)["token"][0]
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(PATIENCE_S)
        finally:
            self._process.kill()
            self._process.communicate()

    def errors(self) -> str:
        return self._errors.read_text()

    def memory_mb(self) -> float:
        """Return the most memory that the process has had."""
        return int(Path(f"/proc/{self._process.pid}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024


def wait_until(condition, what: str) -> None:
    """Poll until a condition holds; fail with `what` after the timeout."""
    waiting = threading.Event()
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if condition():
            return
        waiting.wait(0.001)
    raise AssertionError(f"timeout after {PATIENCE_S:.0f} s before {what}")

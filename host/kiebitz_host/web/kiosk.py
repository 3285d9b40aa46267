"""Show the live table in a browser without frame or controls, for a television with a small computer behind it."""

import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

from ..outcome import Trouble

_CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "microsoft-edge")
_CHROMIUM_OPTIONS = (
    "--kiosk",
    "--no-first-run",
    "--noerrdialogs",
    "--hide-crash-restore-bubble",
    "--password-store=basic",  # because the system's one may ask for a password
    "--disable-features=Translate",
)
AGAIN_S = 2.0  # before a browser that has crashed is started again
SHORT_S = 10.0  # a browser that ends earlier has failed
FAILURES_MAX = 5  # in a row


class Kiosk:
    """A thread that keeps the browser open, and calls closed(sentence) after somebody has closed it."""

    def __init__(self, address: str, profile: Path, closed: Callable[[str], None]):
        """Find the browser; raises Trouble if there is none. `profile` is a folder for its data."""
        self._command = _command(address, profile)
        self._closed = closed
        self._browser: subprocess.Popen | None = None
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kiosk", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Close the browser."""
        self._ends.set()
        if self._browser is not None:
            self._browser.terminate()

    def _run(self) -> None:
        failures = 0
        while failures < FAILURES_MAX:
            began = time.monotonic()
            try:
                self._browser = subprocess.Popen(
                    self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            except OSError as trouble:
                self._closed(f"{self._command[0]} does not start ({trouble.strerror}).")
                return
            if self._ends.is_set():
                self._browser.terminate()
            code = self._browser.wait()
            if self._ends.is_set():
                return
            if code == 0:
                self._closed("")
                return
            failures = failures + 1 if time.monotonic() - began < SHORT_S else 0
            self._ends.wait(AGAIN_S)
        self._closed(f"{self._command[0]} has failed {FAILURES_MAX} times in a row: is there a screen?")


def _command(address: str, profile: Path) -> list[str]:
    """Return the command line that opens an address in the first browser found, and make the folder for its data."""
    profile.mkdir(parents=True, exist_ok=True)
    for name in _CHROMIUM:
        found = shutil.which(name)
        if found:
            return [found, *_CHROMIUM_OPTIONS, f"--user-data-dir={profile}", address]
    found = shutil.which("firefox")
    if found:
        return [found, "--kiosk", "--profile", str(profile), address]
    raise Trouble("--kiosk needs a browser: install chromium or firefox.")

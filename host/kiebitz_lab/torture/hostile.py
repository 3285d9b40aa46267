"""Run every command that talks to a device against all hostile ones: python -m kiebitz_lab.torture.hostile N.

Tracebacks and unescaped terminal control bytes are counted; memory and reading time are measured.
"""

import argparse
import hashlib
import io
import random
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from kiebitz_host import report
from kiebitz_host.cli import doctor, live, main, sync
from kiebitz_host.cli.doctor import Doctor
from kiebitz_host.cli.install import Install
from kiebitz_host.games.live import DeviceState
from kiebitz_host.install.device import enter_bootloader, wait_for_first_screen
from kiebitz_host.install.find_picos import INFO, RASPBERRY_PI, Usb
from kiebitz_host.install.prompt_session import Session
from kiebitz_host.install.uf2 import Uf2
from kiebitz_host.library.store import Store
from kiebitz_host.link.client import Client
from kiebitz_host.link.follower import GameFollower
from kiebitz_host.link.ports import PICO, Port
from kiebitz_host.link.sync import Sync
from kiebitz_host.outcome import OK, Trouble
from kiebitz_host.printable import complain
from kiebitz_host.report import Reporter
from kiebitz_host.report.sheet import sheet
from kiebitz_host.show.present import print_json
from kiebitz_host.terminal import Terminal
from kiebitz_host.web import live as web_live
from kiebitz_host.web.devices import DeviceThread
from mpremote import transport_serial

from . import (  # noqa: F401 - add their kinds to the corpus
    flash_kinds,  # noqa: F401 - add their kinds to the corpus
    lying_kinds,
)
from .devices import PORT, VERSION, Cable, Clock, Endless, Honest, Prompt
from .kinds import KINDS, Kind, Scene

FAILED = 1
MEMORY_MAX_MB = 100
NOW = 1_800_000_000
WATCHING = ("live", "web")
# Ctrl-C is pressed in these commands after this time, or after this many bytes
WATCHED_S = 60.0
WATCHED_BYTES = 8 << 20
_TELL_S = 10.0
_OBEYED = {*map(chr, range(32)), *map(chr, range(127, 160))} - {"\n"}


class _Store(Store):
    """A store in memory with renamed players, one with a name that no device accepts."""

    def __init__(self) -> None:
        super().__init__("/there/is/no/such/file", create=False, now=lambda: NOW)

    def renames(self) -> dict[str, str]:
        return {"Ben": "Benjamin", "Long": "\U0001f600" * 400, "Cleo": "\x1b[2J"}


class Meeting:
    """One command and one device."""

    def __init__(self, kind: Kind, command: str, seed: str):
        self.clock = Clock(WATCHED_S, WATCHED_BYTES, KeyboardInterrupt) if command in WATCHING else Clock()
        self._command = command
        self._scene = Scene(Honest(), Prompt(self.clock), random.Random(seed))
        kind.spoil(self._scene)

    def run(self) -> tuple[str, str]:
        """Run the command. Returns (its output, the traceback of an unexpected error)."""
        printed = io.StringIO()
        trace = ""
        with redirect_stdout(printed), redirect_stderr(printed):
            try:
                getattr(self, f"_{self._command}")()
            except Trouble as trouble:
                complain(trouble)
            except KeyboardInterrupt:
                pass
            except (Exception, Endless):
                trace = traceback.format_exc()
        return printed.getvalue(), trace

    def _connect(self, path: str = PORT) -> Client:
        return Client(Cable(self._scene.link.answer, self.clock))

    # --- the commands ---

    def _sync(self) -> None:
        if self._scene.later:
            self._sync_often()
            return
        with _Store() as store, self._connect() as client:
            report = Sync(client, store, NOW).run()
        sync.print_report(Terminal(), report)
        print_json(sync.as_json([report]))

    def _sync_often(self) -> None:
        """Sync a device that changes its answers, then read what is stored."""
        with TemporaryDirectory() as folder:
            for change in (lambda: None, *self._scene.later):
                change()
                self._command_line(sync, "sync", folder, "--port", PORT)
            self._read_all(folder)

    def _command_line(self, module: ModuleType, *argv: str) -> None:
        """Run a command as from a shell, with this device on its port; the database is in the folder argv[1]."""
        command, folder, *rest = argv
        with patch.object(module, "open_port", self._open_port):
            main([command, *rest, "--db", str(Path(folder, "results.db"))])

    def _open_port(self, port: Port) -> Cable:
        return Cable(lambda *request: self._scene.link.answer(*request), self.clock)

    def _read_all(self, folder: str) -> None:
        """Run commands on what was stored; raise their errors."""
        for command in ("games", "league", "players", "show 1", "rebuild", "games --json"):
            main([*command.split(), "--db", str(Path(folder, "results.db"))])

    def _presets(self) -> None:
        with TemporaryDirectory() as folder:
            self._command_line(sync, "presets", folder, "add", "Skyjo", "--low")
            self._command_line(sync, "presets", folder, "add", "Phase 10")
            for words in ("send", "list", "remove Skyjo", "list --json", "send --json"):
                self._command_line(sync, "presets", folder, *words.split(), "--port", PORT)

    def _players(self) -> None:
        with TemporaryDirectory() as folder:
            for words in ("send", "send Anna Zoë", "send Ben --json"):
                self._command_line(sync, "players", folder, *words.split(), "--port", PORT)

    def _evening(self) -> None:
        """Send the tables of an evening."""
        with TemporaryDirectory() as folder:
            for words in ("new Club --game top_spot", "here --new Anna Ben Cleo", "draw"):
                main(["evening", *words.split(), "--db", str(Path(folder, "results.db"))])
            for words in ("seats", "seats --json", "seats --clear"):
                self._command_line(sync, "evening", folder, *words.split(), "--port", PORT)
            for words in ("show", "history --json"):
                main(["evening", *words.split(), "--db", str(Path(folder, "results.db"))])

    def _rescue(self) -> None:
        """Save the flash of the device, and recover its games."""
        with patch.object(transport_serial, "time", self.clock), TemporaryDirectory() as folder:
            image = Path(folder, "flash.bin")
            Doctor(_usb([PORT], Path(folder)), self._connect, self._session).save(None, image)
            main(["rescue", str(image), "--db", str(Path(folder, "results.db"))])
            main(["rescue", str(image), "--dry-run", "--json"])
            self._read_all(folder)

    def _web(self) -> None:
        """Follow the device as kiebitz web does, and render what pages would show."""
        seen: list[DeviceState] = []
        listener = DeviceThread("e661a4d1275b3c0f", seen.append, lambda device, picture: None)

        def connect() -> list:
            client = self._connect()
            return [(client, client.hello())]

        try:
            GameFollower(connect, listener, self.clock, self.clock.sleep).run()
        finally:
            for state in (*seen[-3:], replace(DeviceState("x"), lost=True)):
                markup = web_live.render([state], "") + web_live.render([state, DeviceState("y")], "")
                assert "<script" not in markup

    def _live(self) -> None:
        dice = self._scene.dice
        onlooker = dice.choice((live.JsonLines(), live.Sheets(Terminal())))

        def connect() -> list:
            client = self._connect()
            return [(client, client.hello())]

        GameFollower(connect, onlooker, self.clock, self.clock.sleep).run()

    def _session(self, path: str) -> Session:
        def opened(path: str) -> Any:
            made: Any = transport_serial.SerialTransport.__new__(transport_serial.SerialTransport)
            vars(made).update(serial=self._scene.prompt, in_raw_repl=False, use_raw_paste=True, is_pty=True)
            return made

        return Session(path, opened, self.clock, self.clock.sleep)

    def _doctor(self) -> None:
        # mpremote takes no clock as an argument
        with patch.object(transport_serial, "time", self.clock), TemporaryDirectory() as folder:
            doctor.tell(Doctor(_usb([PORT], Path(folder)), self._connect, self._session, lambda: "0.2.0").report(None))

    def _report(self) -> None:
        """Make a report; the device may refuse other requests, but nobody plays on it."""
        link = self._scene.link
        link.state, link.refusal = {"id": None}, None
        self._scene.prompt.app = link.answer

        def first_screen(path: Callable[[], str], connect: Callable[[str], Client]) -> str:
            return wait_for_first_screen(path, connect, self.clock, self.clock.sleep)

        with patch.object(transport_serial, "time", self.clock), patch.object(report, "VERSION", VERSION):
            reporter = Reporter(self._connect, self._session, lambda _: None, self.clock, first_screen)
            print(sheet(reporter.run(PORT)))

    def _save(self) -> None:
        with patch.object(transport_serial, "time", self.clock), TemporaryDirectory() as folder:
            usb = _usb([PORT], Path(folder))
            Doctor(usb, self._connect, self._session).save(None, Path(folder, "flash.bin"))

    def _install(self) -> None:
        with patch.object(transport_serial, "time", self.clock), TemporaryDirectory() as folder:
            self._install_from(Path(folder))

    def _install_drive(self) -> None:
        """Install on a drive given by name."""
        with TemporaryDirectory() as folder:
            drive = self._drive(Path(folder))
            installing = Install(_usb([], Path(folder)), clock=self.clock, sleep=self.clock.sleep)
            installing.run(_uf2(Path(folder)), drive=str(drive))

    def _drive(self, folder: Path) -> Path:
        """Make the drive of the Pico. Returns its folder."""
        drive = folder / self._scene.drive
        drive.mkdir()
        (drive / INFO).write_bytes(self._scene.info)
        return drive

    def _install_from(self, folder: Path) -> None:
        uf2 = _uf2(folder)
        ports = [PORT]

        def enter(path: str) -> tuple[str | None, str]:
            ran = enter_bootloader(path, self._connect, self._session)
            ports.clear()
            self._drive(folder)
            return ran

        def sleep(seconds: float) -> None:
            self.clock.sleep(seconds)
            if self._scene.returns and (folder / self._scene.drive / uf2.path.name).exists():
                ports[:] = [PORT]

        def first_screen(path: Callable[[], str]) -> str:
            return wait_for_first_screen(path, self._connect, self.clock, self.clock.sleep)

        usb = _usb(ports, folder)
        Install(usb, enter=enter, first_screen=first_screen, clock=self.clock, sleep=sleep).run(uf2)


def _uf2(folder: Path) -> Uf2:
    """Write the UF2 file that a meeting copies. Returns its path."""
    path = folder / "kiebitz-0.2.0.uf2"
    path.write_bytes(bytes(100_000))
    return Uf2(path, "0.2.0", hashlib.sha256(path.read_bytes()).hexdigest())


def _usb(ports: list[str], folder: Path) -> Usb:
    """Return the connected devices, a Pico on each port and the drives in a folder."""

    def comports() -> list:
        return [SimpleNamespace(device=port, vid=RASPBERRY_PI, pid=PICO[1], serial_number="e66") for port in ports]

    return Usb(comports, lambda: sorted(folder.glob("RP*")), folder / "labels")


# --- all of them ---


class Figures:
    """The result so far."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()
        self.runs = self.tracebacks = self.escapes = 0
        self.longest = self.longest_there = (0.0, "nobody")

    def meet(self, kind: Kind, command: str, seed: str) -> None:
        """Run a command against a device, and report failures."""
        started = time.monotonic()
        meeting = Meeting(kind, command, seed)
        printed, trace = meeting.run()
        name = f"{command} meets {kind.name} ({seed})"
        self.kinds.add(kind.name)
        self.runs += 1
        self.longest = max(self.longest, (time.monotonic() - started, name))
        self.longest_there = max(self.longest_there, (meeting.clock(), name))
        obeyed = _OBEYED & set(printed)
        if obeyed:
            self.escapes += sum(printed.count(char) for char in obeyed)
            print(f"escape bytes: {name}: {printed!r:.300}")
        if trace:
            self.tracebacks += 1
            print(f"traceback: {name}\n{trace}", flush=True)

    def __str__(self) -> str:
        return (
            f"kinds {len(self.kinds)}, runs {self.runs}, tracebacks {self.tracebacks}, escape bytes {self.escapes}, "
            f"peak memory {peak_mb():.0f} MB\n"
            f"longest run {self.longest[0]:.1f} s: {self.longest[1]}\n"
            f"longest wait {self.longest_there[0]:.0f} s of the device: {self.longest_there[1]}"
        )

    @property
    def good(self) -> bool:
        return not self.tracebacks and not self.escapes and peak_mb() < MEMORY_MAX_MB


def peak_mb() -> float:
    """Return the most memory that this process has had."""
    status = Path("/proc/self/status")
    if status.exists():
        # Not from getrusage(), which includes the memory of the parent
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    import resource  # not on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1024)


def run_corpus(argv: list[str] | None = None) -> int:
    """Run the corpus N times. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="hostile", description=__doc__)
    parser.add_argument("n", nargs="?", type=int, default=1, metavar="N", help="variations of each kind (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the variations (default: 1)")
    parser.add_argument("--kind", default="", help="only kinds with this in their name")
    options = parser.parse_args(argv)
    chosen = [kind for kind in KINDS if options.kind in kind.name]
    figures = Figures()
    told = time.monotonic()
    for variation in range(options.n):
        for number, kind in enumerate(chosen):
            for command in kind.commands:
                figures.meet(kind, command, f"{options.seed}-{variation}-{number}")
            if time.monotonic() - told > _TELL_S:
                told = time.monotonic()
                print(f"{variation * len(chosen) + number + 1} of {options.n * len(chosen)} devices", flush=True)
    print(figures)
    return OK if figures.good else FAILED


if __name__ == "__main__":
    sys.exit(run_corpus())

"""Fixtures for the laptop tests: the command `kiebitz` in this process, and an install on fake hardware."""

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from helpers.cable import memory_store, whole_evening
from helpers.installing import PORT, FakeUsb, Scenario, flash, uf2, write
from helpers.play import ev, setup
from helpers.shelf import games_on
from kiebitz.board.storage import Storage
from kiebitz.store.settings import Settings
from kiebitz_host.cli import main
from kiebitz_host.install.uf2 import check
from kiebitz_host.sim.flash_folder import DATA, MARK

GAMES = Path(__file__).parents[1] / "games"


@dataclass
class Run:
    code: int
    out: str
    err: str


@pytest.fixture
def store():
    """Yield a store that is deleted after the test."""
    with memory_store() as store:
        yield store


@pytest.fixture
def evening():
    """Return a device with one game of each kind, and a finished one."""
    return whole_evening()


@pytest.fixture
def kiebitz(monkeypatch, capsys):
    """Return a function that runs the command line and returns its exit code and outputs."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)

    def run(*argv, stdin=b""):
        stream = io.BufferedReader(stdin) if isinstance(stdin, io.RawIOBase) else io.BytesIO(stdin)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        code = main(list(argv))
        return Run(code, *capsys.readouterr())

    return run


@pytest.fixture
def game_file():
    """Return the path of one of the recorded games in tests/games/KIND/recorded."""

    def game_file(name):
        (found,) = GAMES.glob(f"*/recorded/{name}.jsonl")
        return str(found)

    return game_file


# --- an install ---


@pytest.fixture
def usb(tmp_path):
    return FakeUsb(tmp_path)


@pytest.fixture
def firmware(tmp_path):
    return check(write(tmp_path / "kiebitz-0.2.0.uf2", uf2(flash("0.2.0"))))


@pytest.fixture
def story(usb):
    usb.plug(PORT, number="e66")
    return Scenario(usb)


@pytest.fixture(name="flash")
def flash_with_a_game(tmp_path):
    """Return a flash with a game on it, in which Ben has a point."""
    folder = tmp_path / "flash"
    folder.mkdir()
    (folder / MARK).touch()
    storage = Storage(str(folder / DATA))
    Settings(storage).set("language", "en")
    games = games_on(storage)
    games.create(setup("top_spot", 3, match_length=3))
    games.play(ev("point", p=1))
    return folder

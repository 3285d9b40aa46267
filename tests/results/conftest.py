"""Fixtures for the results tests: a store in a temporary folder, and the command `kiebitz` that uses it."""

import hashlib
import io
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from helpers.finished import DAY, SEVEN
from kiebitz_host.cli import main
from kiebitz_host.library import database
from kiebitz_host.library.store import Store

NOW = 1767700000  # 2026-01-06 11:46:40 UTC

# These test the SQLite file itself: its bytes, its format, and its disk
ABOUT_FILES = ("test_damage", "test_trouble", "test_club")


def pytest_generate_tests(metafunc):
    """Run every test that has a store on both engines; those on PostgreSQL belong to the long ones."""
    if "engine" in metafunc.fixturenames:
        engines = ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)]
        about_files = metafunc.module.__name__.rpartition(".")[2] in ABOUT_FILES
        only_files = about_files or metafunc.definition.get_closest_marker("only_files")
        metafunc.parametrize("engine", engines[:1] if only_files else engines)


@pytest.fixture
def place_of(engine, request):
    """Return a function that maps a path to the path itself or to a schema of the club's database."""
    made = {}

    def place(path):
        if engine == "sqlite" or not isinstance(path, Path):
            return path
        if path not in made:
            name = "t" + hashlib.sha256(str(path).encode()).hexdigest()[:20]
            made[path] = request.getfixturevalue("server").new_schema(name)
        return made[path]

    return place


@dataclass
class Run:
    code: int
    out: str
    err: str

    @property
    def json(self):
        assert (self.code, self.err) == (0, "")
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def at_home(monkeypatch, tmp_path, place_of):
    """Set UTC, a terminal of 80 columns, and a temporary home."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "XDG_DATA_HOME", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("KIEBITZ_DB", str(place_of(tmp_path / "results.db")))
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")  # the power stays on; waiting for the disk takes half the time
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def path(tmp_path, place_of):
    return place_of(tmp_path / "results.db")


@pytest.fixture
def open_store(path, place_of):
    """Return a function that opens the store, with a frozen clock and without messages."""
    opened = []

    def open_it(where=path, **keys):
        store = Store(place_of(where), **{"now": lambda: NOW, "say": lambda message: None, **keys})
        opened.append(store)
        return store

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store):
    return open_store()


@pytest.fixture
def put(store):
    """Return a function that adds a game played at noon on a day of January 2026 and returns its number."""
    count = 0

    def add(lines, day=5, game_id=None, approximate=False, damaged=False):
        nonlocal count
        count += 1
        game_id = game_id or f"aabbcc-{count:04d}-{count:06x}"
        at = 1767139200 + day * 86400 + 43200
        store.add_journal(game_id, lines, {"id": "e6aabbcc"}, at, approximate, damaged)
        return store.number(game_id)

    return add


@pytest.fixture
def kiebitz(capsys, monkeypatch):
    """Return a function that runs the command line on the store, with `answers` as lines of its input."""

    def run(*argv, answers=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        code = main([str(word) for word in argv])
        return Run(code, *capsys.readouterr())

    return run


@pytest.fixture
def evening(kiebitz):
    """Begin an evening with seven people."""
    kiebitz("evening", "new", "Club", "--game", "poker_carre", "--series", "2", "--day", DAY, "--sizes", "4", "3")
    assert kiebitz("evening", "here", "--new", *SEVEN).code == 0


@pytest.fixture
def folder(tmp_path):
    """Return an empty folder for exchanges, as on a stick."""
    place = tmp_path / "stick"
    place.mkdir()
    return place


@pytest.fixture
def club(server, request):
    """Return the address of an empty club database."""
    return server.new_schema(f"club_{abs(hash(request.node.name)) % 10**9}")


@pytest.fixture
def opened(club):
    """Return a function that opens the club's database."""
    stores = []

    def open_it(address=club, **keys):
        stores.append(Store(address, **{"now": lambda: NOW, "say": lambda message: None, **keys}))
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()

"""What the tests of the laptop share: the command `kiebitz`, run in this process."""

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from kiebitz_host.cli import main

GAMES = Path(__file__).parents[1] / "data" / "games"


@dataclass
class Run:
    code: int
    out: str
    err: str


@pytest.fixture
def kiebitz(monkeypatch, capsys):
    """kiebitz("replay", "-", stdin=b"...") runs the command line and returns its exit code and outputs."""
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
    """Return the path of one of the recorded games in tests/data/games."""
    return lambda name: str(GAMES / f"{name}.jsonl")

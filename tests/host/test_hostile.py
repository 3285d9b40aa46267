"""Hostile devices: every command that talks to one ends without traceback or escape byte."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kiebitz_lab.torture.devices import PORT, Endless
from kiebitz_lab.torture.hostile import MEMORY_MAX_MB, Figures, Meeting
from kiebitz_lab.torture.kinds import KINDS, Kind

ROOT = Path(__file__).parents[2]
RESCUE_S = 30.0  # takes one second; trying every id on every line took minutes
HONEST = Kind("honest", ("sync", "live", "doctor", "save", "report", "install"), lambda scene: None)


def run(*argv):
    """Run the corpus in a subprocess, to measure its memory. Return its figures by name."""
    path = os.pathsep.join(str(ROOT / part) for part in ("firmware", "host"))
    command = [sys.executable, "-m", "kiebitz_lab.torture.hostile", *argv]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return {name: int(number) for name, number in re.findall(r"([a-z ]+) (\d+)", done.stdout) if name}


def test_there_are_more_than_a_hundred_kinds_each_with_its_own_name():
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 300


def test_every_kind_once():
    figures = run("1", "--seed", "3")
    assert figures["kinds"] == len(KINDS)
    assert figures[" tracebacks"] == figures[" escape bytes"] == 0
    assert 0 < figures[" peak memory"] < MEMORY_MAX_MB


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_some_kinds(part):
    figures = Figures()
    for number, kind in enumerate(KINDS[part::40]):
        for command in kind.commands:
            figures.meet(kind, command, f"0-{part}-{number}")
    assert figures.runs and (figures.tracebacks, figures.escapes) == (0, 0)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("sync", "Kiebitz 5b3c0f on /dev/null: 2 games fetched."),
        ("live", "Anna"),
        ("doctor", "  last error   of kiebitz 0.2.0: ValueError: bad"),
        ("report", "the scenario ended early: 5 pictures in a row were different"),
        ("install", f"{PORT}: kiebitz 0.2.0 shows its first screen, kiebitz 0.2.0 ran before."),
    ],
)
def test_an_honest_device_is_served(command, words):
    printed, trace = Meeting(HONEST, command, "1").run()
    assert trace == "" and words in printed, printed


@pytest.mark.parametrize("name", ["an error of blanks", "no raw prompt", "a flood", "a window of zero", "drops"])
def test_a_prompt_that_is_none_ends_with_a_sentence(name):
    kind = next(kind for kind in KINDS if kind.name == f"prompt: {name}")
    for command in kind.commands:
        printed, trace = Meeting(kind, command, "1").run()
        assert trace == "" and re.search("kiebitz: |! trouble ", printed), printed


def test_ends_that_are_too_many_end_nothing_more():
    kind = next(kind for kind in KINDS if kind.name == "prompt: too many ends")
    for seed in "1234":
        printed, trace = Meeting(kind, "doctor", seed).run()
        assert trace == "" and "port         /dev/null" in printed


def lying(name):
    """Return the kind of device with valid journals that lies about this."""
    return next(kind for kind in KINDS if kind.name == f"lying about {name}")


@pytest.mark.parametrize(
    ("command", "about", "words"),
    [
        ("sync", "games: nothing", r"Kiebitz 5b3c0f on /dev/null: [1-6] games? fetched\."),
        ("sync", "games: another journal each time", r"Kiebitz 5b3c0f on /dev/null: "),
        ("presets", "its names", r"Skyjo"),
        ("players", "its presets", r"Anna and Zoë can be chosen|Zoë can be chosen"),
        ("rescue", "its flash: whole games", r"games found, [0-9]+ complete"),
    ],
)
def test_a_device_with_valid_journals_is_served_as_far_as_it_tells_the_truth(command, about, words):
    printed, trace = Meeting(lying(about), command, "1").run()
    assert trace == "" and re.search(words, printed), printed


@pytest.mark.parametrize("about", ["places", "ids", "branches", "marks", "versions", "numbers"])
def test_games_are_rescued_from_a_flash_of_valid_lines_in_an_impossible_order(about):
    """Fill a flash with ids, versions or marks: the time must not grow with their product."""
    for seed in "12":
        started = time.monotonic()
        printed, trace = Meeting(lying(f"its flash: {about}"), "rescue", seed).run()
        assert trace == "" and re.search("games found, [0-9]+ complete", printed), printed
        assert time.monotonic() - started < RESCUE_S


class Broken(Meeting):
    """A laptop with every bug that the corpus detects."""

    def _sync(self):
        print("\x1b[2J")
        raise KeyError("a bug")

    def _doctor(self):
        with self._connect() as client:
            while True:
                client.transport.read(60)


def test_the_corpus_finds_tracebacks_escapes_and_a_laptop_that_listens_without_end():
    printed, trace = Broken(HONEST, "sync", "1").run()
    assert printed == "\x1b[2J\n" and "KeyError: 'a bug'" in trace
    assert Endless.__name__ in Broken(HONEST, "doctor", "1").run()[1]

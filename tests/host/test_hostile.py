"""Hostile devices and environments: every command ends without traceback or escape byte."""

import contextlib
import io
import os
import re
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kiebitz_host.cli import COMMANDS
from kiebitz_lab.torture import command_lines
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
        ("evening", "its names", r"Kiebitz [0-9a-f]{6} on /dev/null: table 1 of series 1: "),
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


NOT_UTF8 = os.fsdecode(b"\xff\xfe")
GAME = '{"game":"poker_carre","players":["Anna","Ben"]}\n{"ev":"mark","p":0,"rubric":1}\n{"ev":"finish"}\n'


@pytest.fixture(autouse=True)
def at_home(monkeypatch, tmp_path):
    """Set up an empty home and store."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("KIEBITZ_DB", str(tmp_path / "results.db"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


@pytest.fixture
def game(tmp_path):
    """Return the path of a recorded game."""
    path = tmp_path / "game.jsonl"
    path.write_text(GAME)
    return str(path)


@pytest.fixture
def trouble(kiebitz):
    """Return a function that runs a command that must fail and returns its one sentence."""

    def run(*argv):
        done = kiebitz(*argv)
        assert (done.code, done.out) == (2, ""), argv
        assert done.err.startswith("kiebitz: ") and done.err.count("\n") == 1
        return done.err

    return run


def shell(line, *argv):
    """Run a line of the shell, in which K is the command line tool."""
    command = ["/bin/sh", "-c", line.replace("K", '"$0" -m kiebitz_host.cli'), sys.executable, *argv]
    here = Path(command_lines.__file__).parents[2]
    paths = os.pathsep.join([str(here), str(here.parent / "firmware")])
    done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": paths})
    return done.returncode, done.stderr.decode()


# --- streams ---


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "unbuffered"),
    [("rules", ""), ("games", ""), ("--help", ""), ("rules --json", ""), ("rules", "1"), ("games", "1")],
)
def test_a_full_disk_behind_the_output_is_said(command, unbuffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    code, err = shell(f"K {command} >/dev/full")
    assert (code, err) == (2, "kiebitz: the output cannot be written: No space left on device.\n")


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("K rules >&-", 0),
        ("K rules >&- 2>&-", 0),
        ("K nonsense 2>&-", 2),
        ("K nonsense 2>/dev/full", 2),
        ("K rules >/dev/full 2>/dev/full", 2),
        ("K replay - <&-", 2),
        ("K replay nosuch >&- 2>/dev/full <&-", 2),
    ],
)
def test_closed_streams_and_full_ones_do_not_end_in_a_traceback(line, code):
    ended, err = shell(line)
    assert ended == code
    assert "Traceback" not in err and "Exception ignored" not in err


@pytest.mark.long
def test_what_was_stored_stays_stored_if_it_cannot_be_said(game, kiebitz):
    code, err = shell('K add "$1" >/dev/full', game)
    assert code == 2 and "No space left" in err
    assert kiebitz("games", "--json").out.count('"number"') == 1


@pytest.mark.long
def test_the_command_line_runs_as_a_module():
    assert shell("K --version") == (0, "")


# --- home and paths ---


@pytest.mark.long
def test_without_a_home_a_sentence_says_what_to_do(trouble, monkeypatch):
    def nobody(number):
        raise KeyError(number)

    monkeypatch.setattr("pwd.getpwuid", nobody)
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("KIEBITZ_DB")
    for argv in (["games"], ["delete", "1"], ["sync"], ["sim"]):
        assert "home folder cannot be found: set HOME" in trouble(*argv)


@pytest.mark.long
def test_the_home_of_nobody_is_said(trouble):
    for argv in (["games", "--db", "~nosuchuser/x.db"], ["rescue", "~nosuchuser/x"]):
        assert "home folder cannot be found" in trouble(*argv)


@pytest.mark.long
def test_a_path_need_not_be_utf8(kiebitz, tmp_path, game):
    place = str(tmp_path / NOT_UTF8)
    assert kiebitz("add", game, "--db", f"{place}.db").code == 0
    assert kiebitz("games", "--json", "--db", f"{place}.db").out.count('"number"') == 1
    Path(f"{place}.jsonl").write_text(GAME)
    done = kiebitz("add", f"{place}.jsonl")
    assert (done.code, done.err) == (0, "")
    assert kiebitz("export", "csv", "-o", f"{place}.csv").code == 0
    assert "poker_carre" in Path(f"{place}.csv").read_text()


@pytest.mark.long
def test_a_path_that_is_too_long_is_said(trouble, tmp_path):
    long = str(tmp_path / ("x" * 300))
    for argv in (
        ["games", "--db", long],
        ["delete", "1", "--db", long],
        ["add", long],
        ["replay", long],
        ["rebuild", "--from", long],
        ["rescue", long],
        ["export", "csv", "-o", long],
        ["sim", "--script", "-", "--flash", long],
    ):
        assert "File name too long" in trouble(*argv), argv


@pytest.mark.long
def test_a_device_without_an_end_is_no_image(trouble):
    assert "too large" in trouble("rescue", "/dev/zero")


@pytest.mark.long
def test_a_working_folder_that_is_gone(tmp_path):
    (tmp_path / "gone").mkdir()
    code, err = shell(f"cd {tmp_path}/gone; rmdir ../gone; K sim --script - --flash x </dev/null")
    assert (code, err) == (2, "kiebitz: the working folder is gone: No such file or directory.\n")


# --- arguments and files ---


@pytest.mark.long
def test_arguments_that_are_no_text(trouble, game, kiebitz):
    assert kiebitz("add", game).code == 0
    for argv in (
        ["games", "--player", NOT_UTF8],
        ["players", "rename", "Anna", "\ud800"],
        ["players", "rename", NOT_UTF8, "Eva"],
        ["players", "split", NOT_UTF8],
        ["players", "join", "Anna", NOT_UTF8],
    ):
        assert "is not UTF-8" in trouble(*argv) or "1 to 24 letters" in trouble(*argv), argv
    assert kiebitz("show", NOT_UTF8).code == kiebitz("rules", NOT_UTF8).code == kiebitz(NOT_UTF8).code == 2


@pytest.mark.long
def test_numbers_beyond_64_bits(kiebitz, game):
    assert kiebitz("add", game).code == 0
    assert kiebitz("games", "-n", "9" * 30, "--json").out.count('"number"') == 1
    for argv in (["show", "9" * 30], ["delete", "9" * 30], ["fix", "1", "--entry", "9" * 30, "--with", '{"ev":"x"}']):
        assert kiebitz(*argv).code == 2, argv


@pytest.mark.long
@pytest.mark.parametrize(
    "extra", ['"at":99999999999999999999999', '"device":"\\udfff"', '"id":"\\ud800aaaa"', '"at":1e400']
)
def test_a_file_with_lone_surrogates_or_endless_numbers_is_taken_without_them(kiebitz, tmp_path, extra):
    path = tmp_path / "odd.jsonl"
    path.write_text(GAME.replace('"players"', f'{extra},"players"', 1))
    assert kiebitz("add", str(path)).code in (0, 3)
    assert kiebitz("replay", str(path)).code in (0, 3)


# --- the file of an export ---


@pytest.mark.long
def test_an_export_follows_a_link_and_keeps_it(kiebitz, tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "real.csv").chmod(0o640)
    (tmp_path / "link.csv").symlink_to("real.csv")
    assert kiebitz("export", "csv", "-o", str(tmp_path / "link.csv")).code == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("number,")
    assert stat.S_IMODE((tmp_path / "real.csv").stat().st_mode) == 0o640


@pytest.mark.long
def test_an_export_through_a_link_to_nothing_makes_the_file(kiebitz, tmp_path):
    (tmp_path / "link.csv").symlink_to("real.csv")
    assert kiebitz("export", "csv", "-o", str(tmp_path / "link.csv")).code == 0
    assert (tmp_path / "real.csv").read_text().startswith("number,") and (tmp_path / "link.csv").is_symlink()


@pytest.mark.long
def test_an_export_touches_no_other_file(kiebitz, tmp_path):
    (tmp_path / "scores.csv.tmp").write_text("mine")
    assert kiebitz("export", "csv", "-o", str(tmp_path / "scores.csv")).code == 0
    assert (tmp_path / "scores.csv.tmp").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["scores.csv", "scores.csv.tmp"]


@pytest.mark.long
def test_an_export_into_a_pipe_or_device_is_written_straight(kiebitz, tmp_path, trouble):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        assert kiebitz("export", "csv", "-o", str(pipe)).code == 0
        assert reader.read().startswith(b"number,")
    assert pipe.is_fifo()
    # The terminal is a device, which no command can replace by a file
    screen, device = os.openpty()
    with open(screen, "rb", buffering=0) as reader, open(device, "wb"):
        (tmp_path / "device").symlink_to(os.ttyname(device))
        assert kiebitz("export", "csv", "-o", str(tmp_path / "device")).code == 0
        assert reader.read(7) == b"number,"
    assert (tmp_path / "device").is_symlink()
    assert "Is a directory" in trouble("export", "csv", "-o", f"{tmp_path}/new/")


@pytest.mark.long
def test_an_export_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch, trouble):
    place = tmp_path / "scores.csv"
    place.write_text("old")

    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kiebitz_host.export.files.os.fsync", full)
    assert "No space left" in trouble("export", "csv", "-o", str(place))
    assert place.read_text() == "old" and list(tmp_path.iterdir()) == [place]


# --- all commands in all of it ---

WORDS = {
    "sim": ["--script", "-"], "sync": [], "live": ["--nonsense"], "install": ["--uf2", "nosuch"], "doctor": [],
    "replay": ["-"], "combos": ["7H"], "rules": [], "texts": ["zz"], "add": ["-"], "games": [], "show": ["1"],
    "players": [], "presets": [], "league": [], "fix": ["1"], "delete": ["1"], "restore": ["1"], "rebuild": [],
    "rescue": ["nosuch"], "export": ["csv"], "exchange": ["nosuch"], "web": ["--port", "x"],
    "import": ["results", "-"], "evening": ["list"],
}  # fmt: skip


def full_output():
    return open("/dev/full", "w")


def lost_reader():
    read_end, write_end = os.pipe()
    os.close(read_end)
    return open(write_end, "w")


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("output", [full_output, lost_reader, lambda: None], ids=["full", "no reader", "closed"])
@pytest.mark.parametrize("home", [True, False])
def test_every_command_in_every_environment(command, output, home, monkeypatch, game, kiebitz):
    assert kiebitz("add", game).code == 0
    if not home:
        monkeypatch.delenv("HOME")
        monkeypatch.setattr("pwd.getpwuid", lambda number: {}[number])
    for words in (WORDS[command], [NOT_UTF8], ["x" * 5000], ["9" * 40], ["~nosuchuser/x"], ["--help"]):
        if command in ("live", "sim") and words != WORDS[command]:
            continue  # these would wait for a device, or for keys
        out, err = output(), output()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\n")))
            code = command_lines.kiebitz([command, *words])
            opened = {sys.stdout, sys.stderr}
        assert code in (0, 2, 3, 141), (command, words)
        for stream in opened:
            stream.close()


@pytest.mark.long
def test_random_command_lines_in_random_environments(capsys):
    """Run the short form of python -m kiebitz_lab.torture.command_lines 1000."""
    assert command_lines.main(["100"]) == 0
    assert "failed: 0" in capsys.readouterr().out


@pytest.mark.long
def test_more_random_command_lines(capsys):
    assert command_lines.main(["600", "--seed", "7"]) == 0
    assert "failed: 0" in capsys.readouterr().out

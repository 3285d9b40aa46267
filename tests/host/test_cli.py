"""The command line itself: bad usage, help, and endings without a word too many."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).with_name("kiebitz"))


@pytest.fixture
def trouble(kiebitz):
    """trouble(argument, ...) runs a command that cannot work and gives its one sentence."""

    def run(*argv):
        done = kiebitz(*argv)
        assert (done.code, done.out) == (2, "")
        assert done.err.count("\n") == 1
        return done.err

    return run


def test_a_file_that_cannot_be_read_is_bad_usage(trouble, tmp_path):
    (tmp_path / "file").write_bytes(b"")
    missing, inside = str(tmp_path / "none.jsonl"), str(tmp_path / "file" / "x")
    assert trouble("replay", missing) == f"kiebitz: cannot read {missing}: No such file or directory.\n"
    assert trouble("replay", str(tmp_path)) == f"kiebitz: cannot read {tmp_path}: Is a directory.\n"
    assert "Not a directory" in trouble("replay", inside, "--json")


def test_a_file_that_may_not_be_read_is_bad_usage(trouble, monkeypatch):
    def locked(name, mode):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("kiebitz_host.bounded_lines.open", locked, raising=False)
    assert trouble("replay", "x", "--json") == "kiebitz: cannot read x: Permission denied.\n"


def test_wrong_arguments_are_bad_usage(kiebitz):
    for argv in (["replay"], ["replay", "a", "b"], ["replay", "-", "--xml"], ["nonsense"], ["--nonsense"]):
        done = kiebitz(*argv)
        assert (done.code, done.out) == (2, ""), argv
        assert done.err.startswith("usage: kiebitz"), argv


def test_without_a_command_the_help_is_shown(kiebitz):
    done = kiebitz()
    assert done.code == 2
    assert done.out == kiebitz("--help").out
    assert kiebitz("--help").code == 0
    for word in ("replay", "combos", "rules", "examples:", "exit codes:"):
        assert word in done.out


def test_version(kiebitz):
    from kiebitz import VERSION

    assert kiebitz("--version").out == f"kiebitz {VERSION}\n"


def test_a_reader_that_goes_away_ends_the_command_quietly(game_file):
    for extra in ([], ["--json"]):
        read_end, write_end = os.pipe()
        os.close(read_end)
        with os.fdopen(write_end, "wb") as stdout:
            command = [COMMAND, "replay", game_file("poch"), *extra]
            done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (141, b""), extra


def test_ctrl_c_ends_the_command_quietly(kiebitz):
    class Impatient(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            raise KeyboardInterrupt

    done = kiebitz("replay", "-", stdin=Impatient())
    assert (done.code, done.out, done.err) == (130, "", "")


def test_an_output_that_knows_only_ascii_still_gets_the_sheet(game_file):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([COMMAND, "replay", game_file("poch")], capture_output=True, check=True, env=environment)
    assert b"Poch" in done.stdout
    assert done.stderr == b""

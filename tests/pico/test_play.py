"""Test kiebitz sim --chip, and the report of a device."""

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios

import pytest
from helpers.play import short_game
from kiebitz.board.storage import Storage
from kiebitz.store.journal_files import JournalFiles
from kiebitz.widgets.screen import LINE
from kiebitz_host.cli import main
from kiebitz_host.install.bootloader import open_client
from kiebitz_host.install.prompt_session import Session
from kiebitz_host.png import SIGNATURE
from kiebitz_host.report.report import CutShort, InAGame, Reporter
from kiebitz_host.report.scenario import SimulatedApp, presses
from kiebitz_host.report.sheet import sheet, summary
from kiebitz_host.report.stage import SILENCE_MS
from kiebitz_lab.chip.flash import changed, read_files
from kiebitz_lab.chip.pty import Port
from kiebitz_lab.chip.reference import ReferenceDevice, settled
from kiebitz_lab.chip.rig import Rig

PATIENCE_S = 300
RUN = "import sys; from kiebitz_host.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture
def folder(tmp_path):
    """Return a flash on which a language has been chosen, for both simulators."""
    flash = tmp_path / "flash"
    (flash / "data").mkdir(parents=True)
    (flash / ".kiebitz-flash").touch()
    for name, data in ReferenceDevice().files().items():
        (flash / name).write_bytes(data)
    return flash


def journal(folder):
    """Return the lines of the only game there is."""
    newest = JournalFiles(Storage(str(folder / "data")))
    (game_id,) = newest.ids()
    return newest.read(game_id + ".kbz")


def play(capsys, *arguments):
    assert main(["sim", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_a_script_ends_with_the_same_picture_on_the_chip(folder, tmp_path, capsys):
    script = tmp_path / "script"
    script.write_text("at:start.players wait:100 text at:start.games # back\n")
    shot = tmp_path / "shot.png"
    told = play(capsys, "--chip", "--script", script, "--flash", folder, "--style", "braille", "--shot", shot)
    pictures = told.strip("\n").split("\n\n")
    assert len(pictures) == 2 and pictures[0] != pictures[1]
    simulated = play(capsys, "--script", script, "--flash", folder, "--style", "braille")
    assert pictures[1] in simulated
    assert shot.read_bytes().startswith(SIGNATURE)
    assert told == play(capsys, "--chip", "--script", script, "--flash", folder, "--style", "braille")


def test_both_simulators_play_on_the_same_games(folder, tmp_path, capsys):
    new_game, entry = tmp_path / "new", tmp_path / "entry"
    new_game.write_text("ok ok ok ok right ok")
    entry.write_text("ok up ok")
    play(capsys, "--chip", "--script", new_game, "--flash", folder)
    begun = journal(folder)
    play(capsys, "--script", entry, "--flash", folder)
    entered = journal(folder)
    assert entered.startswith(begun) and entered != begun
    play(capsys, "--chip", "--script", entry, "--flash", folder)
    assert journal(folder).startswith(entered) and journal(folder) != entered


def test_a_wrong_image_is_told_in_one_sentence(tmp_path, capsys):
    script = tmp_path / "script"
    script.write_text("ok")
    assert main(["sim", "--chip", "--uf2", str(script), "--script", str(script)]) == 2
    assert capsys.readouterr().err.startswith(f"kiebitz: {script} ")


class Terminal:
    """A pseudo-terminal with `kiebitz sim --chip` in it."""

    def __init__(self, *arguments):
        self.near, far = os.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.program = subprocess.Popen(
            [sys.executable, "-c", RUN, "sim", "--chip", *map(str, arguments)],
            stdin=far,
            stdout=far,
            stderr=subprocess.PIPE,
            env={**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        )
        os.close(far)
        self.shown = ""

    def wait_for(self, text, after=0):
        while text not in self.shown[after:]:
            ready, _, _ = select.select([self.near], [], [], PATIENCE_S)
            assert ready, f"{text!r} is not in {self.shown[-3000:]!r}"
            self.shown += os.read(self.near, 65536).decode("utf-8", "replace")
        return len(self.shown)

    def type(self, keys):
        os.write(self.near, keys)


def test_a_person_plays_in_a_terminal_and_sees_how_fast_it_is(folder):
    terminal = Terminal("--flash", folder)
    try:
        terminal.wait_for("emulated RP2040")
        terminal.wait_for("% of real time")
        lit = terminal.wait_for(" Kiebitz ─")  # no longer "(display off)"
        terminal.type(b"\x1b[B\r")
        after = terminal.wait_for("\x1b[", lit)
        terminal.type(b"q")
        terminal.wait_for("\x1b[?1049l", after)
        assert terminal.program.wait(PATIENCE_S) == 0, terminal.program.stderr.read()
    finally:
        terminal.program.kill()
        terminal.program.wait()
        terminal.program.stderr.close()
        os.close(terminal.near)


PRESSES = presses(SimulatedApp("pico_oled", {"language": "en"}))


@pytest.fixture(scope="module")
def with_games(flash):
    """Return a flash with two games, the second of them on the table."""
    reference = ReferenceDevice()
    for kind in ("poch", "royal_flush"):
        reference.sit_down(*short_game(kind))
    return changed(flash, reference.files())


def leave(flash):
    """Return the keys from the table of the running game to the first screen."""
    return ReferenceDevice(read_files(flash, "data")).pressed("left pick:menu.leave")


def games(port):
    """Return the journals on the device, with the newest lines, which the app moves to the file when idle."""
    return settled(port.call("files", "data"))


def test_a_pulled_cable_leaves_no_device_in_the_scenario(with_games):
    def pull(line):
        if "key 30 of" in line:
            port.unplug()

    with Port(lambda: Rig(with_games).boot().keys(leave(with_games))) as port:
        before = games(port)
        with pytest.raises(CutShort, match="The games on it were not touched"):
            Reporter(open_client, Session, pull).run(port.name)
        assert port.call("files", "report") and games(port) == before
        resets = port.call("pico.resets")
        port.call("run_ms", SILENCE_MS + 5000)  # it has a battery
        assert port.call("pico.resets") == resets + 1
        assert not port.call("files", "report") and games(port) == before
        assert port.call("frame")[:-LINE] == ReferenceDevice(read_files(with_games, "data")).frame()[:-LINE]


def test_every_picture_of_the_scenario_is_the_simulators_and_the_games_stay(with_games):
    with Port(lambda: Rig(with_games, cache=True).boot()) as port:
        reporter = Reporter(open_client, Session, lambda _: None)
        before = games(port)
        with pytest.raises(InAGame):
            reporter.run(port.name)
        assert games(port) == before
        port.call("keys", leave(with_games))
        before = games(port)
        report = reporter.run(port.name)
        assert games(port) == before and not port.call("files", "report")
    assert summary(report.played) == f"all {1 + len(PRESSES)} pictures are the simulator's"
    assert report.files == report.files_after
    print(sheet(report))
    for hits, accesses in (report.times["start_cache"], report.times["press_cache"]):
        assert 0.9 * accesses < hits < accesses
    assert len(report.times["press_us"]) == len(PRESSES)
    # Acceptable times to open a table and for the slowest key, emulated with the cache
    assert report.times["start_us"] < 400_000 and max(report.times["press_us"]) < 800_000

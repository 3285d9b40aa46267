"""Test install, doctor, report and flash image on the emulated Pico over its USB port, and kiebitz sim --chip."""

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import time

import pytest
from helpers.chip import program
from helpers.installing import INFO_RP2040, FakeUsb
from helpers.play import short_game
from kiebitz import VERSION
from kiebitz.board.profiles import DEFAULT
from kiebitz.board.storage import Storage
from kiebitz.store.events import encode
from kiebitz.store.journal_files import JournalFiles
from kiebitz.widgets.screen import LINE
from kiebitz_host.cli import main
from kiebitz_host.cli.doctor import Doctor
from kiebitz_host.cli.install import Install
from kiebitz_host.cli.rescue import rescue
from kiebitz_host.flash_layout import FS_START
from kiebitz_host.install.device import Device, enter_bootloader, open_client
from kiebitz_host.install.find_picos import INFO
from kiebitz_host.install.prompt_session import Session
from kiebitz_host.install.trouble import DoesNotStart
from kiebitz_host.install.uf2 import check, flash_content, read_uf2
from kiebitz_host.link.trouble import NotAKiebitz
from kiebitz_host.png import SIGNATURE
from kiebitz_host.report import CutShort, InAGame, Reporter, SimulatedApp, presses
from kiebitz_host.report.sheet import sheet, summary
from kiebitz_host.report.stage import SILENCE_MS
from kiebitz_host.rescue import read_image
from kiebitz_lab.chip.flash import FS_END, changed, flash_with, read_files
from kiebitz_lab.chip.play import Port
from kiebitz_lab.chip.probes import ReferenceDevice, in_use, settled
from kiebitz_lab.chip.rig import Rig

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
SPEND = {"ev": "spend", "p": 0, "k": 2}
LIMIT_S = 60  # against hanging only
SAVE_S = 20  # of emulated time, at most


class Emulated(FakeUsb):
    """A laptop with the emulated Pico, which is a port while it runs and a folder while it is a drive."""

    def __init__(self, port, folder):
        super().__init__(folder)
        self._port = port
        self._drive = folder / "media"

    def picos(self):
        self._look()
        return [self._port.name] if self._port.name else []

    def drives(self):
        self._look()
        return super().drives()

    def _look(self):
        """Act as the boot loader: become a drive, then start the copied firmware."""
        if not self._port.call("pico.in_bootloader"):
            return
        if not self._drive.exists():
            self._drive.mkdir()
            (self._drive / INFO).write_text(INFO_RP2040)
        for copied in self._drive.glob("*.uf2"):
            flash = with_program(self._port.call("pico.flash_content"), flash_content(copied.read_bytes()))
            (self._drive / INFO).unlink()
            self._port.call("with_flash", flash)


def with_program(flash, program):
    """Return the flash with another program; the file system is not touched."""
    return program + flash[len(program) :]


@pytest.fixture
def at_prompt(image):
    """Return a Pico at its prompt, where no Kiebitz runs, with a game on its flash."""
    return flash_with(image, {**program("pass"), **ReferenceDevice().sit_down(ROYAL, [SPEND]).files()})


# --- the boot loader ---


def wait_for_bootloader(port):
    """Run the Pico."""
    end = time.monotonic() + LIMIT_S
    while not port.call("pico.in_bootloader"):
        assert time.monotonic() < end, "it goes on as if nobody had said anything"


def test_the_emulator_notices_the_way_into_the_boot_loader_and_tells_it_from_a_reset(at_prompt):
    rig = Rig(at_prompt).run_ms(1000)
    told = []
    rig.pico.on_bootloader.append(lambda: told.append(rig.ms))
    rig.serial.send(b"import machine; machine.reset()\r\n")
    rig.run_ms(1500)
    assert (rig.pico.resets, rig.pico.in_bootloader, told) == (1, False, [])
    rig.serial.send(b"import machine; machine.bootloader()\r\n")
    rig.pico.run_until(lambda: rig.pico.in_bootloader)
    assert len(told) == 1
    assert (rig.pico.resets, rig.pico.powered) == (1, False)
    assert rig.pico.flash_content() == at_prompt


def test_a_pico_at_its_prompt_is_told_to_become_a_drive(at_prompt):
    with Port(Rig(at_prompt)) as port:
        assert enter_bootloader(port.name) == (None, "")
        wait_for_bootloader(port)
        assert port.name == ""


def test_a_running_kiebitz_becomes_a_drive_and_says_which_version_it_was(flash):
    with Port(lambda: Rig(flash).boot()) as port:
        assert enter_bootloader(port.name) == (VERSION, DEFAULT)
        wait_for_bootloader(port)


# --- the whole way ---


def test_the_firmware_is_replaced_and_the_game_goes_on(image, tmp_path):
    reference = ReferenceDevice(in_use()).sit_down(ROYAL, [SPEND])
    newest = flash_with(image, reference.files())
    older = newest[:FS_START].replace(b"MicroPython v1.25.0", b"MicroPython v1.24.9") + newest[FS_START:]
    said = []
    with Port(lambda: Rig(older).boot()) as port:
        usb = Emulated(port, tmp_path)
        Install(usb, say=said.append, sleep=lambda _: None).run(check(image))
        now, frame = port.call("pico.flash_content"), port.call("frame")
    assert f"kiebitz {VERSION} on it" in said[0] and f"kiebitz {VERSION}" in said[-1]
    assert now.startswith(read_uf2(image))
    reference.app.library.close()  # as an update does
    assert settled(read_files(now, "data")) == settled(reference.files())
    reference.restart()
    assert frame == reference.frame()


def test_a_pico_at_its_prompt_gets_the_firmware_and_says_if_it_does_not_start(at_prompt, image, tmp_path):
    # The flash still has the file that keeps the app from starting
    files = read_files(at_prompt)
    said = []
    with Port(Rig(at_prompt)) as port:
        usb = Emulated(port, tmp_path)
        with pytest.raises(DoesNotStart, match="it has stopped at the MicroPython prompt"):
            Install(usb, say=said.append, sleep=lambda _: None).run(check(image))
        assert said[0].endswith(f": no Kiebitz on it, kiebitz {VERSION} here")
        assert read_files(port.call("pico.flash_content")) == files


# --- doctor ---


def silent(path):
    raise NotAKiebitz(path)


def test_a_doctor_sees_what_is_on_the_flash(at_prompt, tmp_path):
    with Port(Rig(at_prompt)) as port:
        usb = Emulated(port, tmp_path)
        told = [str(line) for line in Doctor(usb, connect=silent).report(None)]
    assert told[1] == "  MicroPython  1.25.0 on Raspberry Pi Pico, Kiebitz with RP2040 at 200 MHz"
    assert told[2] == "! firmware     no Kiebitz on it: run kiebitz install"
    assert told[3].startswith("  flash        9") and told[3].endswith(" of 1024 KB free")
    assert told[4] == "  games        1" and told[5].startswith("! modules      those in /dev come before")
    assert told[6:] == ["  last error   none"]


def test_a_doctor_works_without_a_mounted_file_system_and_the_flash_is_saved_bit_by_bit(at_prompt, tmp_path):
    target = tmp_path / "flash.bin"
    with Port(Rig(at_prompt)) as port, Session(port.name) as session:
        session.run("os.umount('/')")
        device = Device(session)
        facts = device.facts()
        assert (facts.is_mounted, facts.games, facts.names) == (False, 0, [])
        assert device.read("data/crash.txt") == b""
        doctor = Doctor(Emulated(port, tmp_path), session=lambda path: Kept(session))
        started, wall = port.call("ms"), time.monotonic()
        assert doctor.save(port.name, target) == FS_END - FS_START
        seconds = (port.call("ms") - started) / 1000
        print(f"saved in {seconds:.1f} s of emulated time, {time.monotonic() - wall:.1f} s on this computer")
        assert target.read_bytes() == port.call("pico.flash_content")[FS_START:FS_END]
    assert [(game.lines[1:], game.flaw) for game in rescue(read_image(target)).games] == [([encode(SPEND)], "")]
    assert seconds < SAVE_S


class Kept:
    """A session that stays open."""

    def __init__(self, session):
        self._session = session

    def __enter__(self):
        return self._session

    def __exit__(self, *_):
        pass


# --- sim --chip and the report ---

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

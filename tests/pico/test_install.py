"""Test install, doctor and the flash image on the emulated Pico, over its real USB port."""

import time

import pytest
from helpers.chip import program
from helpers.installing import INFO_RP2040, FakeUsb
from kiebitz import VERSION
from kiebitz.board.profiles import DEFAULT
from kiebitz.store.events import encode
from kiebitz_host.cli.doctor import Doctor
from kiebitz_host.cli.install import Install
from kiebitz_host.cli.rescue import rescue
from kiebitz_host.flash_layout import FS_START
from kiebitz_host.install.bootloader import enter_bootloader
from kiebitz_host.install.device import Device
from kiebitz_host.install.find_picos import INFO
from kiebitz_host.install.prompt_session import Session
from kiebitz_host.install.trouble import DoesNotStart
from kiebitz_host.install.uf2 import check, flash_content, read_uf2
from kiebitz_host.link.trouble import NotAKiebitz
from kiebitz_host.rescue.image import read_image
from kiebitz_lab.chip.flash import FS_END, flash_with, read_files
from kiebitz_lab.chip.pty import Port
from kiebitz_lab.chip.reference import ReferenceDevice, in_use, settled
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

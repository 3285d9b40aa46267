"""`kiebitz doctor`: its output for a fake Pico, and the flash image that it saves."""

import random

import pytest
from helpers.fake_pico import FakePico
from helpers.installing import FakeUsb
from kiebitz_host.cli.doctor import Doctor, compared
from kiebitz_host.flash_layout import BLOCK, BLOCKS
from kiebitz_host.install.trouble import (
    CannotSave,
    DeviceFailed,
    FlashUnreadable,
    InBootsel,
    NoPico,
    Pulled,
    SeveralPicos,
)
from kiebitz_host.link.trouble import NoPermission, NotAKiebitz

PORT = "/dev/null"  # which exists
GAMES = {"data/x-0001-y.kbz": b"", "data/x-0002-y.kbz": b"", "data/roster": b""}


class FakeClient:
    def __init__(self, settings):
        self._settings = settings

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def hello(self):
        return {"version": "0.1.0"}

    def settings(self):
        return self._settings


@pytest.fixture
def usb(tmp_path):
    usb = FakeUsb(tmp_path)
    usb.plug(PORT)
    return usb


def silent(path):
    raise NotAKiebitz(path)


def doctor(usb, pico, connect=None, here="0.1.0"):
    return Doctor(usb, connect or (lambda path: FakeClient({"board": "pico_lcd_13"})), pico.session, lambda: here)


def lines(usb, pico, *args, **keys):
    return [str(line) for line in doctor(usb, pico, *args, **keys).report(None)]


def test_a_healthy_device(usb):
    pico = FakePico(GAMES)
    assert lines(usb, pico) == [
        f"  port         {PORT}",
        "  MicroPython  1.25.0 on Raspberry Pi Pico with RP2040 at 200 MHz",
        "  firmware     kiebitz 0.1.0, the same as here",
        "  flash        1012 of 1024 KB free",
        "  games        2",
        "  board        pico_lcd_13",
        "  last error   none",
    ]
    assert pico.restarts == 1


def test_a_file_system_that_cannot_be_mounted(usb):
    told = lines(usb, FakePico(None), silent)
    assert told[2:] == [
        "  firmware     kiebitz 0.1.0, the same as here",
        "! app          it does not answer: look at the display, and plug the Pico in again",
        "! flash        no file system is mounted: save it with kiebitz doctor --save-flash FILE; "
        "kiebitz rescue FILE takes the games out of that",
        "  last error   none",
    ]


def test_a_pico_without_a_kiebitz(usb):
    assert "! firmware     no Kiebitz on it: run kiebitz install" in lines(usb, FakePico({}, kiebitz=None), silent)


def test_another_micropython_is_marked(usb):
    pico = FakePico({})
    pico.version = (1, 19, 1)
    assert "! MicroPython  1.19.1 on Raspberry Pi Pico with RP2040 at 200 MHz" in lines(usb, pico)


@pytest.mark.parametrize(
    ("there", "here", "words"),
    [
        ("0.1.0", "0.1.0", "the same as here"),
        ("0.1.0", "0.2.0", "older than 0.2.0 here: kiebitz install updates it"),
        ("0.10.0", "0.9.1", "newer than 0.9.1 here"),
        ("1.0", "1.0.1", "older than 1.0.1 here: kiebitz install updates it"),
        ("0.1.0-dev", "odd", "newer than odd here"),
        ("0.1.0", None, "and there is no UF2 file here to compare it with"),
    ],
)
def test_versions_are_compared(there, here, words):
    assert compared(there, here) == words


def test_a_tree_of_a_developer(usb):
    pico = FakePico(GAMES)
    pico.sys_path.insert(0, "/dev")
    assert "! modules      those in /dev come before the firmware: a developer has put them there" in lines(usb, pico)


def test_the_last_crash(usb):
    crashes = b"kiebitz 0.0.9\nold.py:1 x\nOSError\n--\n"
    crashes += b"kiebitz 0.1.0\nmain.py:3 m\napp.py:7 draw\nValueError: bad\n--\n"
    assert lines(usb, FakePico({"data/crash.txt": crashes}))[-3:] == [
        "  last error   of kiebitz 0.1.0: ValueError: bad",
        "               main.py:3 m",
        "               app.py:7 draw",
    ]


def test_a_pico_2_is_examined_like_a_pico(usb):
    pico = FakePico(GAMES)
    pico.machine = "Raspberry Pi Pico 2 with RP2350"
    assert "  MicroPython  1.25.0 on Raspberry Pi Pico 2 with RP2350 at 200 MHz" in lines(usb, pico)


def test_troubles_are_lines(usb):
    def denied(path):
        raise NoPermission(path, "dialout")

    assert lines(usb, FakePico({}), denied)[1].startswith(f"! trouble      you may not open {PORT}")
    pico = FakePico({})
    pico.lost_after = 1
    assert lines(usb, pico)[1].startswith(f"! trouble      the connection to {PORT} was lost")


def test_a_device_that_talks_nonsense(usb):
    pico = FakePico({})
    pico.run = lambda code: "x"
    assert "something that this computer does not understand" in lines(usb, pico)[1]


@pytest.mark.parametrize(
    "told",
    ["null", "7", "[]", "{}", "[" * 60_000, '{"version":1,"machine":"","platform":"rp2","path":[]}',
     '{"version":[1],"machine":7,"platform":"rp2","path":[]}',
     '{"version":[1],"machine":"x","platform":"rp2","path":[7]}',
     '{"version":[1],"machine":"\\u001b[2J","platform":"rp2","path":[]}',
     '{"version":[1],"machine":"x","platform":"rp2","path":[],"kiebitz":[]}',
     '{"version":[1],"machine":"x","platform":"rp2","path":[],"block":"4096"}'],
)  # fmt: skip
def test_facts_of_another_kind_are_not_understood(usb, told):
    pico = FakePico({})
    pico.run = lambda code: told
    assert "something that this computer does not understand" in lines(usb, pico)[1]


def test_a_crash_of_many_lines_is_cut(usb):
    crash = b"kiebitz 0.1.0\n" + b"\x1b[2J" * 500 + b"\nplace\n" * 900 + b"Error\n--\n"
    told = lines(usb, FakePico({"data/crash.txt": crash}))
    assert len(told) < 30 and all(line.isprintable() and len(line) < 250 for line in told)


@pytest.mark.parametrize("told", ["0 4096", "-1 4096", "99999999999 4096", "256 1", "256", "a b", "9" * 5000 + " 1"])
def test_a_flash_of_impossible_size_is_not_saved(usb, tmp_path, told):
    pico = FakePico(None)
    pico.run = lambda code: told if code.startswith("geometry") else ""
    with pytest.raises(DeviceFailed, match="does not understand"):
        doctor(usb, pico).save(None, tmp_path / "flash.bin")
    assert not list(tmp_path.glob("flash*"))


def test_drives_and_nothing_at_all(usb):
    usb.unplug(PORT)
    assert lines(usb, FakePico())[0].startswith("! port         there is no Pico on USB")
    device = usb.unmounted_drive()
    assert lines(usb, FakePico())[0].startswith(f"! drive        the Pico is there as the drive {device}")
    folder = usb.drive()
    assert lines(usb, FakePico()) == [
        f"! drive        the Pico waits for its firmware on the drive {folder}: run kiebitz install."
    ]


def test_the_command_line(kiebitz, tmp_path):
    done = kiebitz("doctor", str(tmp_path / "tty"))
    assert done.code == 2
    assert done.out.splitlines()[1].startswith(f"! trouble      there is no port {tmp_path / 'tty'}")
    done = kiebitz("doctor", str(tmp_path / "tty"), "--save-flash", str(tmp_path / "flash.bin"))
    assert (done.code, done.out) == (2, "")
    assert list(tmp_path.iterdir()) == []


# --- the image of the flash ---


@pytest.fixture
def pico():
    return FakePico(None, flash=random.Random(1).randbytes(BLOCK * BLOCKS))


def test_the_flash_is_saved_bit_by_bit_without_a_file_system(usb, pico, tmp_path):
    target = tmp_path / "flash.bin"
    shown = []
    saving = doctor(usb, pico)
    saving.progress = shown.append
    assert saving.save(None, target) == BLOCK * BLOCKS
    assert target.read_bytes() == pico.flash
    assert shown[0] == "reading the flash, 0 %"
    assert shown[-2:] == ["reading the flash, 100 %", ""]
    assert pico.restarts == 1


def test_what_arrives_damaged_is_read_again(usb, pico, tmp_path):
    pico.spoils = {0: 1, 17: 2, 351: 1}
    doctor(usb, pico).save(None, tmp_path / "flash.bin")
    assert (tmp_path / "flash.bin").read_bytes() == pico.flash
    pico.spoils = {17: 3}
    with pytest.raises(FlashUnreadable, match="block 17 of the flash keeps arriving damaged"):
        doctor(usb, pico).save(None, tmp_path / "again.bin")
    assert [path.name for path in tmp_path.glob("again*")] == []


def test_a_cable_that_is_pulled_leaves_no_half_file(usb, pico, tmp_path):
    pico.lost_after = 9
    with pytest.raises(Pulled):
        doctor(usb, pico).save(None, tmp_path / "flash.bin")
    assert not list(tmp_path.glob("flash*"))
    assert not list(tmp_path.glob("*.part"))


def test_a_file_that_cannot_be_written_or_is_there(usb, pico, tmp_path):
    (tmp_path / "old.bin").write_bytes(b"precious")
    for path, words in (
        (tmp_path / "old.bin", "it is there already"),
        (tmp_path / "none" / "x", "No such file"),
        (tmp_path / "old.bin" / "x", "Not a directory"),
    ):
        with pytest.raises(CannotSave, match=words):
            doctor(usb, pico).save(None, path)
    assert (tmp_path / "old.bin").read_bytes() == b"precious"


def test_which_pico_is_to_be_saved_must_be_clear(usb, pico, tmp_path):
    usb.plug("/dev/ttyACM1")
    with pytest.raises(SeveralPicos, match="as in kiebitz doctor /dev/null"):
        doctor(usb, pico).save(None, tmp_path / "x")
    usb.unplug(PORT)
    usb.unplug("/dev/ttyACM1")
    with pytest.raises(NoPico):
        doctor(usb, pico).save(None, tmp_path / "x")
    usb.drive()
    with pytest.raises(InBootsel):
        doctor(usb, pico).save(None, tmp_path / "x")

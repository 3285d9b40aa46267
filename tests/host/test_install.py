"""`kiebitz install`: from the port through the boot loader to the first screen."""

import os
import pty
import tty

import pytest
import serial
from helpers.fake_pico import FakePico
from helpers.installing import (
    INFO_RP2040,
    INFO_RP2350,
    PORT,
    RP2040,
    RP2350,
    Clock,
    FakeClient,
    Scenario,
    flash,
    part,
    trouble,
    uf2,
    write,
)
from kiebitz.board.family import MARK
from kiebitz_host.install import device, prompt_session
from kiebitz_host.install.device import enter_bootloader, wait_for_first_screen
from kiebitz_host.install.find_picos import copy
from kiebitz_host.install.trouble import (
    DoesNotStart,
    NoDrive,
    NoRestart,
    NotMounted,
    OtherBoard,
    OtherVersion,
    SeveralPicos,
    Silent,
)
from kiebitz_host.install.uf2 import check, mark_of
from kiebitz_host.link.trouble import (
    DeviceRefused,
    LinkLost,
    NoAnswer,
    NoPermission,
    NoPort,
    NotAKiebitz,
    OtherProtocol,
)

# --- from the port to the first screen ---


def test_a_running_kiebitz_is_updated(story, usb, firmware, tmp_path):
    story.happens(2, usb.drive)
    story.happens(4, lambda: usb.plug("/dev/ttyACM5", number="e66"))
    assert story.install(firmware) == "0.2.0"
    assert story.said == [
        f"{PORT}: kiebitz 0.1.0 on it, kiebitz 0.2.0 here",
        "/dev/ttyACM5: kiebitz 0.2.0 shows its first screen, kiebitz 0.1.0 ran before.",
    ]
    assert (tmp_path / "media" / "kiebitz-0.2.0.uf2").read_bytes() == part(flash("0.2.0"))
    assert "waiting for the drive of the Pico, 1 s" in story.shown
    assert f"copying kiebitz-0.2.0.uf2 to {tmp_path / 'media'}, 46 %" in story.shown
    assert "waiting for the Pico to come back, 1 s" in story.shown
    assert story.shown[-1] == ""


def test_a_pico_without_a_kiebitz(story, usb, firmware):
    story.before = None
    story.happens(2, usb.drive)
    story.happens(4, lambda: usb.plug("/dev/ttyACM0", number="e66"))
    story.install(firmware)
    assert story.said == [
        f"{PORT}: no Kiebitz on it, kiebitz 0.2.0 here",
        "/dev/ttyACM0: kiebitz 0.2.0 shows its first screen.",
    ]


def test_a_new_pico_that_waits_as_a_drive_beside_another_one(usb, firmware, tmp_path):
    usb.plug("/dev/ttyACM0", number="other")
    folder = usb.drive()
    story = Scenario(usb)
    story.happens(1, lambda: usb.plug("/dev/ttyACM1", number="new"))
    story.install(firmware, drive=str(folder))
    assert story.said == [
        f"{folder}: a Pico that waits for its firmware; kiebitz 0.2.0 here",
        "/dev/ttyACM1: kiebitz 0.2.0 shows its first screen.",
    ]


@pytest.mark.parametrize(
    ("runs_on", "board", "family"),
    [
        ("picosystem", None, "picosystem"),
        ("picoboy_color", None, "picoboy"),
        ("pico_lcd_13", None, ""),
        ("", None, ""),
        ("of the future", None, ""),
        ("pico_lcd_13", "display_pack", "displaypack"),
    ],
)
def test_the_copy_is_for_the_board_that_runs_or_is_named(story, usb, tmp_path, runs_on, board, family):
    """The mark of the family lies in two blocks of the file."""
    plain = flash("0.2.0")
    at = 2 * 256 - 8
    made = [plain[:at] + mark + plain[at + len(MARK) :] for mark in (MARK, mark_of(family))]
    firmware = check(write(tmp_path / "kiebitz-0.2.0.uf2", uf2(made[0])))
    story.board = runs_on
    story.happens(2, usb.drive)
    story.happens(4, lambda: usb.plug("/dev/ttyACM0", number="e66"))
    story.install(firmware, board=board)
    assert (tmp_path / "media" / "kiebitz-0.2.0.uf2").read_bytes() == part(made[1])
    assert (made[0] == made[1]) == (family == "")


def test_a_drive_that_was_there_before_is_left_alone(story, usb, firmware, tmp_path):
    other = usb.drive("media1")
    story.happens(2, lambda: usb.drive("media2"))
    story.happens(4, lambda: usb.plug(PORT, number="e66"))
    story.install(firmware, PORT)
    assert [path.name for path in other.iterdir()] == ["INFO_UF2.TXT"]
    assert (tmp_path / "media2" / "kiebitz-0.2.0.uf2").exists()


def test_a_file_without_a_checksum_is_said_to_be_one(story, usb, tmp_path):
    path = write(tmp_path / "mine.uf2", uf2(flash("0.2.0")), checksum=False)
    story.happens(2, usb.drive)
    story.happens(4, lambda: usb.plug(PORT, number="e66"))
    story.install(check(path, named=True))
    assert story.said[0] == "mine.uf2: there is no checksum beside it, so it is not compared with one."


# --- trouble on the way ---


def test_no_drive_comes(story, firmware):
    trouble(story, firmware, NoDrive, "not become a drive RPI-RP2 within 30 seconds.*BOOTSEL.*Games on it stay")
    assert 30 <= story.clock() < 31


def test_a_drive_comes_that_nobody_mounts(story, usb, firmware):
    story.happens(2, usb.unmounted_drive)
    trouble(story, firmware, NotMounted, "sdb1, which is not mounted: run udisksctl mount -b .*sdb1")
    assert 11 < story.clock() < 13


def test_a_drive_that_is_mounted_after_a_while(story, usb, firmware):
    story.happens(2, usb.unmounted_drive)
    story.happens(10, usb.drive)
    story.happens(12, lambda: usb.plug(PORT, number="e66"))
    assert story.install(firmware) == "0.2.0"


def test_two_drives_come_at_once(story, usb, firmware):
    story.happens(2, lambda: (usb.drive("media1"), usb.drive("media2")))
    trouble(story, firmware, SeveralPicos, "--drive")


def test_each_chip_gets_its_own_part_of_the_file(story, usb, firmware):
    for k, (info, family) in enumerate([(INFO_RP2350, RP2350), (INFO_RP2040, RP2040)]):
        drive = usb.drive(f"media{k}", info)
        copy(firmware, drive)
        assert (drive / firmware.path.name).read_bytes() == part(flash("0.2.0"), family=family)


def test_the_pico_does_not_come_back(story, usb, firmware):
    story.happens(2, usb.drive)
    trouble(
        story, firmware, NoRestart, "was copied, but the Pico has not come back within 30 seconds.*plug it in again"
    )


def test_another_version_runs_than_the_one_that_was_copied(story, usb, firmware):
    story.after = "0.1.0"
    story.happens(2, usb.drive)
    story.happens(4, lambda: usb.plug(PORT, number="e66"))
    trouble(
        story,
        firmware,
        OtherVersion,
        "kiebitz 0.2.0 was copied, but kiebitz 0.1.0 runs on /dev/null: run kiebitz doctor",
    )


def test_ctrl_c_in_the_middle_of_the_copy_says_what_is_left(story, usb, firmware):
    def impatient(line):
        if line.startswith("copying"):
            raise KeyboardInterrupt

    story.happens(2, usb.drive)
    story.shown = type("Shown", (), {"append": staticmethod(impatient)})
    with pytest.raises(KeyboardInterrupt):
        story.install(firmware)
    assert story.said[-1].startswith("stopped in the middle: the Pico waits as a drive, and its games stay.")


# --- the command line ---


def test_bad_files_and_places_end_with_a_sentence(kiebitz, tmp_path, firmware):
    for words, argv in (
        ("is not a Kiebitz firmware for the Pico: it cannot be read", ["--uf2", str(tmp_path / "none.uf2")]),
        ("is not the drive of a Pico", ["--uf2", str(firmware.path), "--drive", str(tmp_path)]),
        ("there is no port", ["--uf2", str(firmware.path), str(tmp_path / "tty")]),
    ):
        done = kiebitz("install", *argv)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("kiebitz: ") and words in done.err and done.err.count("\n") == 1


# --- the boot loader ---


def no_session(path):
    raise AssertionError("nobody needs a prompt")


def test_a_running_kiebitz_is_asked_over_the_link():
    client = FakeClient()
    assert enter_bootloader(PORT, lambda path: client, no_session) == ("0.1.0", "picosystem")
    assert client.updated


def test_a_kiebitz_that_is_quicker_than_its_answer():
    assert enter_bootloader(PORT, lambda path: FakeClient(update=LinkLost(PORT)), no_session) == ("0.1.0", "picosystem")


@pytest.mark.parametrize(
    ("client", "there", "version"),
    [
        (FakeClient(update=DeviceRefused(PORT, "update", "E_VERB")), "0.1.0", "0.1.0"),
        (FakeClient(update=NoAnswer(PORT)), "0.1.0", "0.1.0"),
        (FakeClient(hello=NotAKiebitz(PORT)), "0.0.9", "0.0.9"),
        (FakeClient(hello=NotAKiebitz(PORT, prompt=True)), None, None),
        (FakeClient(hello=OtherProtocol(PORT, "9.9", 9, 1)), "9.9", "9.9"),
    ],
)
def test_anybody_else_is_told_at_the_prompt(client, there, version):
    pico = FakePico({}, kiebitz=there)
    assert enter_bootloader(PORT, lambda path: client, pico.session)[0] == version
    assert (pico.in_bootloader, pico.restarts) == (True, 0)


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ({"machine": "ESP32 module", "platform": "esp32"}, OtherBoard),
    ],
)
def test_another_board_is_left_as_it_is(what, kind):
    pico = FakePico({})
    vars(pico).update(what)
    with pytest.raises(kind):
        enter_bootloader(PORT, lambda path: FakeClient(hello=NotAKiebitz(PORT)), pico.session)
    assert (pico.in_bootloader, pico.restarts) == (False, 1)


def test_a_port_that_nobody_may_open_is_said_at_once():
    def connect(path):
        raise NoPermission(path, "dialout")

    with pytest.raises(NoPermission, match="you may not open /dev/null: ask for the group"):
        enter_bootloader(PORT, connect, no_session)


# --- the first screen ---


def wait(*answers):
    left = list(answers)
    clock = Clock()

    def connect(path):
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, NoPort):
            raise answer
        return FakeClient(hello=answer)

    return wait_for_first_screen(lambda: "/dev/ttyACM0", connect, clock, clock.sleep)


def test_the_first_screen_is_waited_for():
    assert wait(NoPort("x"), NotAKiebitz("x"), None) == "0.1.0"
    assert wait(NotAKiebitz("x", prompt=True), None) == "0.1.0"  # left over from before the restart


def test_a_firmware_that_does_not_start():
    for answer, words in (
        (NotAKiebitz("x", prompt=True), r"\(it has stopped at the MicroPython prompt\)"),
        (NotAKiebitz("x"), r"\(it does not answer\)"),
        (NoPort("x"), "there is no port x"),
    ):
        with pytest.raises(DoesNotStart, match=words + ".*run kiebitz doctor"):
            wait(answer)


# --- a real port ---


@pytest.fixture
def dead_port(monkeypatch):
    """Yield a port that never answers."""
    monkeypatch.setattr(prompt_session, "PROMPT_S", 0.2)
    monkeypatch.setattr(prompt_session, "ASK_S", 0.1)
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    yield os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def test_a_port_where_nobody_answers(dead_port):
    with pytest.raises(Silent, match=f"MicroPython does not answer on {dead_port}: unplug the Pico.*BOOTSEL"):
        enter_bootloader(dead_port, lambda path: FakeClient(hello=NotAKiebitz(path)))


def test_a_port_that_is_in_use(kiebitz, dead_port, firmware):
    with serial.Serial(dead_port, exclusive=True):
        done = kiebitz("install", dead_port, "--uf2", str(firmware.path))
    assert done.code == 2
    assert f"{dead_port} is in use by another program" in done.err
    assert device.open_client(dead_port).port == dead_port

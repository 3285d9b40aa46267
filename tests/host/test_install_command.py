"""`kiebitz install` from the port to the first screen, with a Pico, a drive and a clock that a test holds."""

import errno
import os
import pty
import tty

import pytest
from helpers.fake_pico import FakePico
from helpers.fake_usb import INFO_RP2350, Clock, FakeUsb
from helpers.uf2 import flash, uf2, write
from kiebitz_host.cli.install import Install
from kiebitz_host.install import bootloader, prompt_session
from kiebitz_host.install.bootloader import enter_bootloader
from kiebitz_host.install.drive import copy
from kiebitz_host.install.first_screen import wait_for_first_screen
from kiebitz_host.install.trouble import (
    BadUf2,
    DoesNotStart,
    DriveFailed,
    DriveFull,
    DriveGone,
    DriveProtected,
    NoDrive,
    NoRestart,
    NotMounted,
    OtherBoard,
    OtherVersion,
    Pico2,
    SeveralPicos,
    Silent,
)
from kiebitz_host.install.uf2 import check
from kiebitz_host.link.trouble import (
    DeviceRefused,
    LinkLost,
    NoAnswer,
    NoPermission,
    NoPort,
    NotAKiebitz,
    OtherProtocol,
)

PORT = "/dev/null"  # which exists


@pytest.fixture
def usb(tmp_path):
    return FakeUsb(tmp_path)


@pytest.fixture
def firmware(tmp_path):
    return check(write(tmp_path / "kiebitz-0.2.0.uf2", uf2(flash("0.2.0"))))


class Story:
    """An install in which the Pico on PORT does what the test says."""

    def __init__(self, usb, before="0.1.0", after="0.2.0"):
        self.usb = usb
        self.before = before
        self.after = after
        self.said = []
        self.shown = []
        self.clock = Clock()
        self.copy = copy

    def happens(self, moment, action):
        self.clock._events.append((moment, action))

    def enter(self, path):
        self.usb.unplug(path)
        return self.before

    def install(self, firmware, port=None, drive=None):
        parts = {"enter": self.enter, "copy": self.copy, "first_screen": lambda path: path() and self.after}
        doors = {"say": self.said.append, "progress": self.shown.append, "clock": self.clock, "sleep": self.clock.sleep}
        return Install(self.usb, **doors, **parts).run(firmware, port, drive)


@pytest.fixture
def story(usb):
    usb.plug(PORT, number="e66")
    return Story(usb)


# --- from the port to the first screen ---


def test_a_running_kiebitz_is_updated(story, usb, firmware, tmp_path):
    story.happens(2, usb.drive)
    story.happens(4, lambda: usb.plug("/dev/ttyACM5", number="e66"))
    assert story.install(firmware) == "0.2.0"
    assert story.said == [
        f"{PORT}: kiebitz 0.1.0 on it, kiebitz 0.2.0 here",
        "/dev/ttyACM5: kiebitz 0.2.0 shows its first screen, kiebitz 0.1.0 ran before.",
    ]
    assert (tmp_path / "media" / "kiebitz-0.2.0.uf2").read_bytes() == firmware.path.read_bytes()
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
    story = Story(usb)
    story.happens(1, lambda: usb.plug("/dev/ttyACM1", number="new"))
    story.install(firmware, drive=str(folder))
    assert story.said == [
        f"{folder}: a Pico that waits for its firmware; kiebitz 0.2.0 here",
        "/dev/ttyACM1: kiebitz 0.2.0 shows its first screen.",
    ]


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


def trouble(story, firmware, kind, words):
    with pytest.raises(kind, match=words) as told:
        story.install(firmware)
    assert story.shown[-1] == ""
    return str(told.value)


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


def test_it_turns_out_to_be_a_pico_2(story, usb, firmware):
    story.happens(2, lambda: usb.drive(info=INFO_RP2350))
    trouble(story, firmware, Pico2, "Nothing was changed")


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


# --- the copy ---


@pytest.fixture
def failing(usb, firmware):
    """failing(errno, after, vanishes) copies to a drive that fails so many pieces later."""

    def copy_it(number, after, vanishes=False):
        folder = usb.drive()
        left = [after]

        def fsync(_):
            left[0] -= 1
            if left[0] < 0:
                if vanishes:
                    (folder / "INFO_UF2.TXT").unlink()
                raise OSError(number, os.strerror(number))

        return copy(firmware, folder, fsync=fsync)

    return copy_it


@pytest.mark.parametrize(
    ("number", "vanishes", "kind", "words"),
    [
        (errno.EIO, True, DriveGone, "vanished when 31 percent were copied.*not complete.*BOOTSEL"),
        (errno.ENOSPC, False, DriveFull, "says that it is full"),
        (errno.EROFS, False, DriveProtected, "nothing may be written to the drive"),
        (errno.EACCES, False, DriveProtected, "mount it again"),
        (errno.EIO, False, DriveFailed, "Input/output error"),
    ],
)
def test_a_drive_that_fails_in_the_middle(failing, number, vanishes, kind, words):
    with pytest.raises(kind, match=words):
        failing(number, 1, vanishes)


def test_a_drive_that_is_gone_once_it_has_everything_is_as_it_should_be(failing, firmware):
    failing(errno.EIO, -(-firmware.path.stat().st_size // 65536) - 1, vanishes=True)


LAST = 6  # the piece with the last block of the firmware, counted from 0


def test_a_last_step_that_fails_on_a_drive_still_listed_is_left_to_the_pico(failing, firmware):
    assert (firmware.path.stat().st_size - 1) // 65536 == LAST
    assert isinstance(failing(errno.EIO, LAST), DriveFailed)


@pytest.mark.parametrize(("number", "kind"), [(errno.ENOSPC, DriveFull), (errno.EROFS, DriveProtected)])
def test_a_last_step_that_fails_for_another_reason_is_a_trouble(failing, number, kind):
    with pytest.raises(kind):
        failing(number, LAST)


def copy_to_a_restarting_pico(firmware, folder, progress):
    """Copy to a Pico that restarts before the folder is written: the system reports an error for the last piece."""
    left = iter(range(LAST))

    def fsync(_):
        if next(left, None) is None:
            raise OSError(errno.EIO, "Input/output error")

    return copy(firmware, folder, progress, fsync)


def test_a_pico_that_restarts_before_the_last_step_is_done_is_well(story, usb, firmware):
    story.copy = copy_to_a_restarting_pico
    story.happens(2, usb.drive)
    story.happens(4, lambda: usb.plug(PORT, number="e66"))
    assert story.install(firmware) == "0.2.0"


def test_a_last_step_that_failed_is_said_if_the_pico_does_not_come_back(story, usb, firmware):
    story.copy = copy_to_a_restarting_pico
    story.happens(2, usb.drive)
    trouble(story, firmware, DriveFailed, "Input/output error")


def test_a_file_that_changes_after_it_was_checked_is_not_copied(usb, firmware):
    folder = usb.drive()
    firmware.path.write_bytes(uf2(flash("0.3.0")))
    with pytest.raises(BadUf2, match="it has changed since it was checked. .*Nothing was copied"):
        copy(firmware, folder)
    firmware.path.unlink()
    with pytest.raises(BadUf2, match="it cannot be read"):
        copy(firmware, folder)
    assert [path.name for path in folder.iterdir()] == ["INFO_UF2.TXT"]


def test_a_drive_that_cannot_be_opened(usb, firmware):
    folder = usb.drive()
    (folder / firmware.path.name).mkdir()
    with pytest.raises(DriveFailed, match="Is a directory"):
        copy(firmware, folder)


# --- into the boot loader ---


class FakeClient:
    def __init__(self, hello=None, update=None):
        self._hello = hello
        self._update = update
        self.updated = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def hello(self):
        if self._hello:
            raise self._hello
        return {"version": "0.1.0"}

    def update(self):
        if self._update:
            raise self._update
        self.updated = True


def no_session(path):
    raise AssertionError("nobody needs a prompt")


def test_a_running_kiebitz_is_asked_over_the_link():
    client = FakeClient()
    assert enter_bootloader(PORT, lambda path: client, no_session) == "0.1.0"
    assert client.updated


def test_a_kiebitz_that_is_quicker_than_its_answer():
    assert enter_bootloader(PORT, lambda path: FakeClient(update=LinkLost(PORT)), no_session) == "0.1.0"


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
    assert enter_bootloader(PORT, lambda path: client, pico.session) == version
    assert (pico.in_bootloader, pico.restarts) == (True, 0)


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ({"machine": "Raspberry Pi Pico 2 with RP2350"}, Pico2),
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


def test_a_firmware_that_does_not_start():
    for answer, words in (
        (NotAKiebitz("x", prompt=True), r"\(it has stopped at the MicroPython prompt\)"),
        (NotAKiebitz("x"), r"\(it does not answer\)"),
        (NoPort("x"), "there is no port x"),
    ):
        with pytest.raises(DoesNotStart, match=words + ".*run kiebitz doctor"):
            wait(answer)


# --- the command line ---


def test_bad_files_and_places_end_with_a_sentence(kiebitz, tmp_path, firmware):
    for words, argv in (
        ("is no Kiebitz for the Pico: it cannot be read", ["--uf2", str(tmp_path / "none.uf2")]),
        ("is no drive of a Pico", ["--uf2", str(firmware.path), "--drive", str(tmp_path)]),
        ("there is no port", ["--uf2", str(firmware.path), str(tmp_path / "tty")]),
    ):
        done = kiebitz("install", *argv)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("kiebitz: ") and words in done.err and done.err.count("\n") == 1


@pytest.fixture
def dead_port(monkeypatch):
    """Yield a port behind which nobody is."""
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
    import serial

    with serial.Serial(dead_port, exclusive=True):
        done = kiebitz("install", dead_port, "--uf2", str(firmware.path))
    assert done.code == 2
    assert f"{dead_port} is in use by another program" in done.err
    assert bootloader.open_client(dead_port).port == dead_port

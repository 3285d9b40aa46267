"""`kiebitz install` from the port to the first screen, and what may go wrong on the way."""

import pytest
from helpers.installing import (
    INFO_RP2040,
    INFO_RP2350,
    PORT,
    RP2040,
    RP2350,
    Scenario,
    flash,
    part,
    trouble,
    uf2,
    write,
)
from kiebitz_host.install.find_picos import copy
from kiebitz_host.install.trouble import NoDrive, NoRestart, NotMounted, OtherVersion, SeveralPicos
from kiebitz_host.install.uf2 import check

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

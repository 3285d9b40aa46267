"""UF2 files, and the copy to the drive of a Pico."""

import errno
import hashlib
import os

import pytest
from helpers.installing import FLASH_START, PORT, RP2350, flash, part, trouble, uf2, write
from kiebitz import VERSION
from kiebitz_host.flash_layout import FS_START
from kiebitz_host.install.find_picos import copy
from kiebitz_host.install.trouble import BadUf2, DriveFailed, DriveFull, DriveGone, DriveProtected, NoUf2, OtherSum
from kiebitz_host.install.uf2 import find_uf2


@pytest.fixture
def failing(usb, firmware):
    """Return a function that copies to a drive that fails after a number of blocks."""

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
        (errno.ENOSPC, False, DriveFull, "reports that it is full"),
        (errno.EROFS, False, DriveProtected, "nothing may be written to the drive"),
        (errno.EACCES, False, DriveProtected, "mount it again"),
        (errno.EIO, False, DriveFailed, "Input/output error"),
    ],
)
def test_a_drive_that_fails_in_the_middle(failing, number, vanishes, kind, words):
    with pytest.raises(kind, match=words):
        failing(number, 1, vanishes)


def test_a_drive_that_is_gone_once_it_has_everything_is_as_it_should_be(failing, firmware):
    failing(errno.EIO, -(-firmware.path.stat().st_size // 2 // 65536) - 1, vanishes=True)


LAST = 6  # the piece with the last block of the firmware, counted from 0


def test_a_last_step_that_fails_on_a_drive_still_listed_is_left_to_the_pico(failing, firmware):
    assert (firmware.path.stat().st_size // 2 - 1) // 65536 == LAST, "each chip has half of the file"
    assert isinstance(failing(errno.EIO, LAST), DriveFailed)


@pytest.mark.parametrize(("number", "kind"), [(errno.ENOSPC, DriveFull), (errno.EROFS, DriveProtected)])
def test_a_last_step_that_fails_for_another_reason_is_a_trouble(failing, number, kind):
    with pytest.raises(kind):
        failing(number, LAST)


def copy_to_a_restarting_pico(firmware, folder, progress):
    """Copy to a Pico that restarts before the directory is written, so that the last fsync fails."""
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


# --- UF2 files ---

NAME = f"kiebitz-{VERSION}.uf2"


@pytest.fixture
def find(tmp_path):
    """Return a function that searches the folders `shipped` and `build` for the firmware."""

    def find_it(given=None, named=None):
        environ = {"KIEBITZ_UF2": str(named)} if named else {}
        return find_uf2(given and str(given), environ, (tmp_path / "shipped", tmp_path / "build"))

    return find_it


def test_what_is_named_comes_first_then_what_was_shipped_then_what_was_built(find, tmp_path):
    places = [tmp_path / "a.uf2", tmp_path / "b.uf2", tmp_path / "shipped" / NAME, tmp_path / "build" / NAME]
    for k, path in enumerate(places):
        write(path, uf2(flash(f"0.{k}.0")))
    assert find(places[0], places[1]).version == "0.0.0"
    assert find(None, places[1]).version == "0.1.0"
    assert find().version == "0.2.0"
    places[2].unlink()
    found = find()
    assert (found.path, found.version, found.compared) == (places[3], "0.3.0", True)
    assert found.sha256 == hashlib.sha256(places[3].read_bytes()).hexdigest()


def test_without_a_file_it_is_said_how_to_get_one(find):
    with pytest.raises(NoUf2) as trouble:
        find()
    assert str(trouble.value) == (
        f"there is no {NAME} on this computer: run make uf2 in a checkout of the project, which builds it, "
        "or name a file with --uf2 FILE."
    )


def test_a_checksum_may_be_missing_only_for_a_file_that_was_named(find, tmp_path):
    path = write(tmp_path / "build" / NAME, uf2(flash()), checksum=False)
    with pytest.raises(BadUf2, match=f"its checksum {NAME}.sha256 is missing.*Nothing was copied"):
        find()
    assert not find(path).compared
    assert not find(None, path).compared


@pytest.mark.parametrize("text", ["", "no sum", "0" * 64 + "  x.uf2\n", "\xff\xfe"])
def test_another_checksum_is_refused_also_for_a_file_that_was_named(find, tmp_path, text):
    path = write(tmp_path / "x.uf2", uf2(flash()))
    (tmp_path / "x.uf2.sha256").write_text(text)
    with pytest.raises(OtherSum, match="does not match the SHA-256 in x.uf2.sha256"):
        find(path)


def test_a_damaged_file_is_found_out(find, tmp_path):
    path = write(tmp_path / "x.uf2", uf2(flash()))
    data = bytearray(path.read_bytes())
    data[100_000] ^= 1
    path.write_bytes(data)
    with pytest.raises(OtherSum):
        find(path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "its length is not a multiple of 512"),
        (b"UF2" * 1000, "its length is not a multiple of 512"),
        (bytes(5120), "it is not a UF2 file"),
        (uf2(flash(), payload=500), "it is not a UF2 file"),
        (uf2(flash()) + part(flash(), family=0xADA52840), "it is made for another chip"),
        (part(flash()), "the part for the RP2350 is missing"),
        (part(flash(), family=RP2350), "the part for the RP2040 is missing"),
        (part(flash()) + part(flash(), family=RP2350), "its parts are in the wrong order"),
        (part(flash(), family=RP2350)[:-512] + part(flash()), "it is not complete"),
        (part(flash("0.1.0"), family=RP2350) + part(flash("0.2.0")), "its parts are different versions"),
        (uf2(flash(size=400_000))[: 512 * 900], "it is not complete"),
        (uf2(flash(size=400_000))[:-512], "it is not complete"),
        (uf2(flash(), start=FLASH_START + 256), "it does not lie where a Pico keeps MicroPython"),
        (uf2(flash(size=FS_START + 256)), "it does not lie where a Pico keeps MicroPython"),
        (uf2(flash(size=9999)), "there is no MicroPython in it"),
        (uf2(b"x" * 300_000), "there is no MicroPython in it"),
        (uf2(flash(micropython="1.24.1")), "it is not version 1.25.0"),
        (uf2(flash(version="")), "there is MicroPython in it, but no Kiebitz"),
    ],
)
def test_any_other_file_is_refused_with_the_reason(find, tmp_path, data, words):
    path = write(tmp_path / "x.uf2", data)
    with pytest.raises(BadUf2) as trouble:
        find(path)
    assert f"{path} is not a Kiebitz firmware for the Pico: {words}. " in str(trouble.value)


def test_a_file_that_cannot_be_read(find, tmp_path):
    for path, words in ((tmp_path / "none.uf2", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(BadUf2, match=f"it cannot be read .{words}"):
            find(path)

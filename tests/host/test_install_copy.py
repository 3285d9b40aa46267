"""The copy to the drive of a Pico, and the drives that fail."""

import errno
import os

import pytest
from helpers.installing import PORT, flash, trouble, uf2
from kiebitz_host.install.find_picos import copy
from kiebitz_host.install.trouble import BadUf2, DriveFailed, DriveFull, DriveGone, DriveProtected


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

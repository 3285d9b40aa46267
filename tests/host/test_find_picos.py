"""Finding the Pico: on which port, as a drive, several of them or none, each with a sentence that says what to do."""

import pytest
from helpers.installing import INFO_OTHER, INFO_RP2350, MODEM, PROBE, FakeUsb
from kiebitz_host.install.find_picos import find_pico
from kiebitz_host.install.trouble import (
    NoPico,
    NoSuchDrive,
    NoSuchPort,
    NotMounted,
    OtherBoard,
    OtherProgram,
    SeveralPicos,
)


@pytest.fixture
def usb(tmp_path):
    return FakeUsb(tmp_path)


def test_the_only_pico_is_found_among_other_things(usb):
    usb.plug("/dev/ttyS0", (None, None))
    usb.plug("/dev/ttyACM1")
    usb.plug("/dev/ttyUSB0", MODEM)
    usb.plug("/dev/ttyACM7", PROBE)
    assert find_pico(usb) == "/dev/ttyACM1"


def test_a_pico_that_waits_as_a_drive_is_found(usb):
    folder = usb.drive()
    usb.drive("media2", INFO_OTHER)
    assert find_pico(usb) == folder


def test_of_several_picos_one_must_be_named(usb):
    usb.plug("/dev/ttyACM1")
    usb.plug("/dev/ttyACM0")
    with pytest.raises(SeveralPicos) as trouble:
        find_pico(usb)
    assert str(trouble.value) == (
        "there are several Picos, on /dev/ttyACM0 and /dev/ttyACM1: say which one is meant, "
        "as in kiebitz install /dev/ttyACM0."
    )


def test_of_several_drives_one_must_be_named(usb):
    folders = [usb.drive("media1"), usb.drive("media2")]
    with pytest.raises(SeveralPicos, match=f"drive {folders[0]} and drive {folders[1]}.*install --drive {folders[0]}"):
        find_pico(usb)
    assert find_pico(usb, drive=str(folders[1])) == folders[1]
    usb.unplug("media1")


def test_a_port_and_a_drive_are_several_as_well(usb):
    folder = usb.drive()
    usb.plug("/dev/null")
    with pytest.raises(SeveralPicos, match=f"on /dev/null and drive {folder}"):
        find_pico(usb)
    assert find_pico(usb, port="/dev/null") == "/dev/null"


def test_no_pico_at_all(usb):
    with pytest.raises(NoPico, match="a cable that carries data.*BOOTSEL.*kiebitz install"):
        find_pico(usb)


def test_a_port_that_does_not_exist(usb, tmp_path):
    with pytest.raises(NoSuchPort, match="there is no Pico on USB now"):
        find_pico(usb, str(tmp_path / "ttyACM7"))
    usb.plug("/dev/ttyACM0")
    with pytest.raises(NoSuchPort, match="there is one on /dev/ttyACM0"):
        find_pico(usb, str(tmp_path / "ttyACM7"))


def test_a_pico_with_another_program(usb):
    usb.plug("/dev/null", PROBE)
    for given in (None, "/dev/null"):
        with pytest.raises(OtherProgram, match="runs another program.*BOOTSEL"):
            find_pico(usb, given)


def test_a_drive_that_is_not_mounted(usb):
    device = usb.unmounted_drive()
    with pytest.raises(NotMounted, match=f"the drive {device}, which is not mounted: run udisksctl mount -b {device}"):
        find_pico(usb)


def test_a_pico_2_is_found_like_a_pico_mounted_or_not(usb):
    folder = usb.drive(info=INFO_RP2350)
    assert find_pico(usb) == find_pico(usb, drive=str(folder)) == folder
    (folder / "INFO_UF2.TXT").unlink()
    device = usb.unmounted_drive("RP2350")
    with pytest.raises(NotMounted, match=str(device)):
        find_pico(usb)


def test_a_folder_that_is_no_drive_of_a_pico(usb, tmp_path):
    with pytest.raises(NoSuchDrive, match="there is no INFO_UF2.TXT in it"):
        find_pico(usb, drive=str(tmp_path))
    folder = usb.drive(info=INFO_OTHER)
    with pytest.raises(OtherBoard, match="is not a Raspberry Pi Pico, but Feather M0"):
        find_pico(usb, drive=str(folder))


def test_a_pico_is_known_by_its_serial_number(usb):
    usb.plug("/dev/ttyACM0", number="e66")
    usb.plug("/dev/ttyACM1", number="e77")
    assert usb.serial_number("/dev/ttyACM1") == "e77"
    assert usb.serial_number("/dev/pts/3") is None
    usb.unplug("/dev/ttyACM1")
    usb.plug("/dev/ttyACM2", number="e77")
    assert usb.port_of("e77") == "/dev/ttyACM2"
    assert usb.port_of("e99") is None
    assert usb.port_of(None) is None

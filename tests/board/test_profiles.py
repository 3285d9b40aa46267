"""Which board a device is: one line in board.txt, and a clear word on the display if it names none."""

from helpers.real_flash import with_real_flash
from kiebitz.board.choice import NO_FILE, chosen
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.board.storage import Storage


def choice(data):
    """What is chosen when the file holds these bytes; without a file if they are None."""
    found = []

    def look(path):
        storage = Storage(path)
        if data is not None:
            storage.write("board.txt", data)
        found.append(chosen(path + "/board.txt"))

    with_real_flash(look)
    return found[0]


def test_without_a_file_it_is_the_default():
    assert DEFAULT in PROFILES
    assert choice(None) == (DEFAULT, NO_FILE)


def test_every_profile_can_be_named():
    for name in PROFILES:
        assert choice(name.encode()) == (name, None)


def test_one_line_is_enough_however_an_editor_writes_it():
    for data in (
        b"pico_oled_sh1106\n",
        b"  pico_oled_sh1106  \r\n",
        b"\r\n\r\npico_oled_sh1106\r\n# the 1.3 inch display\r\n",
        b"PICO_OLED_SH1106",
        b"\xef\xbb\xbfpico_oled_sh1106\n",
        b"\xff\xfe" + b"".join([bytes((byte, 0)) for byte in b"pico_oled_sh1106\r\n"]),
    ):
        assert choice(data) == ("pico_oled_sh1106", None), data


def test_a_name_nobody_knows_is_told_and_the_default_is_taken():
    for data, said in (
        (b"pico_led\n", "pico_led"),
        (b"pico_oled pico_oled_sh1106", "pico_oled pico_oled_sh1106"),
        (b"", ""),
        (b"\n \n", ""),
        (b"\x00\xff\xfe\x01", ""),
        (b"x" * 5000, "x" * 200),
    ):
        assert choice(data) == (DEFAULT, said), data


def test_a_file_that_cannot_be_read_is_told():
    found = []

    def look(path):
        Storage(path + "/board.txt/x")  # a folder where the file should be
        found.append(chosen(path + "/board.txt"))

    with_real_flash(look)
    assert found == [(DEFAULT, "?")]


def test_both_controllers_have_a_profile_with_the_same_wires():
    first, second = PROFILES["pico_oled"], PROFILES["pico_oled_sh1106"]
    assert (first["display"]["controller"], second["display"]["controller"]) == ("ssd1306", "sh1106")
    assert [first[part] for part in ("keys", "buzzer", "vsys")] == [second[part] for part in ("keys", "buzzer", "vsys")]
    assert [first["display"][pin] for pin in ("sda", "scl")] == [second["display"][pin] for pin in ("sda", "scl")]

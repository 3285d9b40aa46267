"""Which profile this device has: one line in a small file, written by whoever builds the device."""

from .profiles import DEFAULT, PROFILES

FILE = "board.txt"  # in the first folder of the device, beside main.py
NO_FILE = False
WITHOUT_OLED = "pico_lcd_13"  # taken if the file does not tell, and no OLED answers: else its display would stay dark

_NO_ENTRY = 2
_LONGEST = 200  # bytes of it that are looked at


def chosen(path: str = FILE):
    """The name of the profile and None; or the default and what the file says in place of a known name, or NO_FILE."""
    try:
        with open(path, "rb") as file:
            data = file.read(_LONGEST)
    except OSError as trouble:
        return DEFAULT, NO_FILE if trouble.args[0] == _NO_ENTRY else "?"
    said = _first_line(data)
    return (said, None) if said in PROFILES else (DEFAULT, said)


def _first_line(data):
    """The first line that is not empty; what some editors write around the letters is left out."""
    letters = "".join([chr(byte) for byte in data if 32 <= byte < 127 or byte in b"\r\n"])
    lines = [line.strip().lower() for line in letters.replace("\r", "\n").split("\n")]
    return ([line for line in lines if line] + [""])[0]

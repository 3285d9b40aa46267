"""Finds out which display a device has: an OLED answers on its bus and names its controller, the square LCD is mute."""

from ..machine_code import const
from ..store.sealed_lines import attempt
from .profiles import DEFAULT, PROFILES

FILE = "board.txt"  # named the board in older versions; beside the folder of the games
_SSD1306 = DEFAULT
_SH1106 = "pico_oled_sh1106"
_MUTE = "pico_lcd_13"
_LONGEST = const(200)  # bytes of the file that are read
_KIND = const(0x0F)  # bits of the status byte: 0 or 8 is an SH1106, 3 or 6 an SSD1306


class BoardChoice:
    """The profile in force: `found` if the device found it without a player, `on_trial` until the player keeps it.

    `unstored` names the setting that should hold it, until it does.
    """

    def __init__(self, name, found=False, on_trial=False, unstored=""):
        self.name = name
        self.found = found
        self.on_trial = on_trial
        self.unstored = unstored


def choose(machine, settings, profiles=PROFILES):
    """Decide which board this is. Returns a BoardChoice: on trial, chosen by a player, or found now or before.

    A profile on trial is removed from the settings before it is tried: if nobody can see its picture, the next start
    uses the old profile.
    """
    trial = settings["trial"]
    if trial:
        attempt(settings.set, "trial", "")
        if not settings["trial"]:
            return BoardChoice(trial, on_trial=True)
    if settings["board"]:
        return BoardChoice(settings["board"])
    if not settings["found"] and not settings.chosen("board"):
        said = said_before()
        if said:
            attempt(settings.set, "board", said)
            return BoardChoice(said, unstored="" if settings["board"] else "board")
    found = find(machine, settings["found"], profiles)
    return BoardChoice(found, found=True, unstored="" if found == settings["found"] else "found")


def find(machine, before="", profiles=PROFILES):
    """Ask for an OLED. Returns the name of a profile; without an answer the one that was found before.

    An SSD1309 is taken for an SSD1306: its status byte is not specified, and its picture is complete with either name.
    """
    wiring = profiles[_SSD1306].display
    reset = wiring.hold_reset(machine)
    if reset:
        reset.value(1)  # a display with a reset wire does not answer before
    bus, address = wiring.open_bus(machine), wiring.address
    try:
        bus.writeto(address, b"\x00")
    except OSError:
        return before or _MUTE
    try:
        status = bus.readfrom(address, 1)[0]
    except OSError:
        return before or _SSD1306  # the display takes commands and reports nothing
    return _SH1106 if status & _KIND in (0, 8) else _SSD1306


def said_before(path=FILE):
    """Return the board that a file of an older version names; empty without a file, or if the board is unknown."""
    try:
        with open(path, "rb") as file:
            data = file.read(_LONGEST)
    except OSError:
        return ""
    # Some editors write other bytes around the letters: those are left out
    letters = "".join([chr(byte) for byte in data if 32 <= byte < 127 or byte in b"\r\n"])
    lines = [line.strip().lower() for line in letters.replace("\r", "\n").split("\n")]
    said = ([line for line in lines if line] + [""])[0]
    return said if said in PROFILES else ""

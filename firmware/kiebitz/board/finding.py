"""Find out which display a device has. An OLED answers on its bus; no other display can.

So only an OLED is found, and only by an image for boards that may have one. Everything else is decided by the family of
the image, because a wrong guess could drive a pin that another part drives, too.
"""

from ..machine_code import const
from ..store.sealed_lines import attempt
from .family import FAMILY
from .profiles import DEFAULT, FAMILIES, PROFILES

_SSD1306 = DEFAULT
_SH1106 = "pico_oled_sh1106"
_MUTE = FAMILIES[""][-1]
_ASK_MS = const(2000)  # poll interval for a display that did not answer
_KIND = const(0x0F)  # bits of the status byte: 0 or 8 is an SH1106, 3 or 6 an SSD1306


class BoardChoice:
    """The profile in force. `found` if it was detected, `on_trial` until the player keeps it.

    `guessed` is True if nobody chose it and no display answered; `unstored` until the setting `found` holds it.
    """

    def __init__(self, name, found=False, on_trial=False, unstored=False):
        self.name = name
        self.found = found
        self.on_trial = on_trial
        self.guessed = found and name == _MUTE
        self.unstored = unstored

    def store(self, settings):
        """Store which display was found, because it may not answer at the next start."""
        if self.unstored:
            attempt(settings.set, "found", self.name)
            self.unstored = False


def choose(machine, settings, profiles=PROFILES, family=FAMILY):
    """Return the BoardChoice for a profile of this family: on trial, chosen by a player, or found now or before.

    A choice made with an image of another family is ignored, so that the right image repairs a device
    with the wrong one. A profile on trial is removed from the settings before it is tried, so that the next start uses
    the old profile if nobody can see the picture.
    """
    names = FAMILIES[family]
    trial = settings["trial"]
    if trial in names:
        attempt(settings.set, "trial", "")
        if not settings["trial"]:
            return BoardChoice(trial, on_trial=True)
    if settings["board"] in names:
        return BoardChoice(settings["board"])
    before = settings["found"]
    if _SSD1306 in names:
        found = find(machine, before if before in names else "", profiles)
    else:
        found = names[-1]
    return BoardChoice(found, found=True, unstored=found != before)


def find(machine, before="", profiles=PROFILES):
    """Probe the bus for an OLED. Returns the name of a profile, without an answer the one that was found before.

    An SSD1309 is taken for an SSD1306, because its status byte is not specified and either driver shows its picture.
    """
    wiring = profiles[_SSD1306].display
    bus, address = wiring.open_bus(machine), wiring.address
    if not _answers(bus, address, wiring.hold_reset(machine)):
        return before or _MUTE
    try:
        status = bus.readfrom(address, 1)[0]
    except OSError:
        return before or _SSD1306  # the display is write-only
    return _SH1106 if status & _KIND in (0, 8) else _SSD1306


def _answers(bus, address, reset):
    """Return True if an OLED answers; one with a reset wire answers only after its pulse."""
    if reset:
        reset.value(0)
        reset.value(1)
    try:
        bus.writeto(address, b"\x00")
    except OSError:
        return False
    return True


class Asking:
    """Polls for an OLED that is connected after power-on, while the display is only guessed."""

    def __init__(self, machine, clock, profiles):
        wiring = profiles[_SSD1306].display
        self._bus = wiring.open_bus(machine)
        self._address = wiring.address
        self._reset = wiring.hold_reset(machine)
        self._clock = clock
        self._asked = clock.ms()

    def answered(self, now: int) -> bool:
        """Ask, unless that was done a short time ago. Returns True if an OLED answers, and answers again at once."""
        if 0 <= self._clock.diff(now, self._asked) < _ASK_MS:
            return False
        self._asked = now
        bus, address = self._bus, self._address
        # Twice, because noise on open wires must not restart a device
        return _answers(bus, address, self._reset) and _answers(bus, address, None)

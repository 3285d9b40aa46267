"""The emulated chip's twin on CPython: fake hardware that answers as the chip does, so that both must do the same."""

from kiebitz_host.fakes import Hardware

from helpers.device import Device

CHIP_ID = b"\xff" * 8
CHIP_RANDOM = b"*"  # all that the emulated chip's random generator ever gives


class Twin(Device):
    """Power-on with an empty flash on which a language has been chosen."""

    def on(self, hw=None):
        hw = Hardware(urandom=lambda n: CHIP_RANDOM * n)
        hw.unique_id = CHIP_ID
        super().on(hw)

    def frame(self):
        return self.hw.oled.frame()

    def files(self):
        """What is on its flash, by the paths that the chip has for it."""
        return {"data/" + name: self.storage.get(name) for name in self.storage.names()}

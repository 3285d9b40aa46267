"""What can go wrong with an install, each with a sentence that says what to do."""

from ..chip.image import VERSION as MICROPYTHON
from ..outcome import Trouble

DOWNLOAD = "https://micropython.org/download/RPI_PICO/"

# How MicroPython gets onto a Pico; the file system with the games lies elsewhere on the flash
_BOOTSEL = (
    "unplug it, hold its BOOTSEL button down while you plug it in again, and run kiebitz install --uf2, "
    f"which puts MicroPython {MICROPYTHON} on it"
)


class InstallTrouble(Trouble):
    """The install did not come to its end."""


class NoPico(InstallTrouble):
    def __init__(self):
        super().__init__(
            "there is no Pico on USB: plug it in with a cable that carries data, not only power. "
            f"If it is plugged in, and new: {_BOOTSEL}."
        )


class SeveralPicos(InstallTrouble):
    def __init__(self, command, paths):
        super().__init__(
            f"there are Picos on {', '.join(paths[:-1])} and {paths[-1]}: say which one is meant, "
            f"as in kiebitz {command} {paths[0]}."
        )


class NoSuchPort(InstallTrouble):
    def __init__(self, path, others):
        there = f"there is one on {others[0]}" if others else "there is no Pico on USB now"
        super().__init__(f"there is no port {path}; {there}. Without a port, the Pico is found by itself.")


class InBootsel(InstallTrouble):
    """The drive of a Pico without MicroPython is there, and nobody has asked to put MicroPython on it."""

    def __init__(self, drive, image=None):
        way = f"copy {image} there" if image else f"copy the UF2 file from {DOWNLOAD} there"
        super().__init__(
            f"the Pico waits for MicroPython on the drive {drive}: run kiebitz install --uf2, or {way} "
            "and run kiebitz install."
        )


class NotMounted(InstallTrouble):
    def __init__(self):
        super().__init__(
            "the Pico waits for MicroPython, but its drive RPI-RP2 is not mounted: open it in your file manager, "
            "and run kiebitz install --uf2."
        )


class NoDrive(InstallTrouble):
    """MicroPython was to be put on a Pico that does not wait for it."""

    def __init__(self):
        super().__init__(
            "there is no drive RPI-RP2 to put MicroPython on: unplug the Pico, hold its BOOTSEL button down while you "
            "plug it in again, and repeat the command."
        )


class DriveFailed(InstallTrouble):
    def __init__(self, drive, reason):
        super().__init__(
            f"MicroPython could not be copied to {drive} ({reason}): unplug the Pico, hold its BOOTSEL button down "
            "while you plug it in again, and repeat the command."
        )


class NoRestart(InstallTrouble):
    def __init__(self):
        super().__init__(
            "the Pico did not come back with MicroPython: unplug it, plug it in again, and run kiebitz install."
        )


class OtherProgram(InstallTrouble):
    def __init__(self, path):
        super().__init__(f"the Pico on {path} has another program in place of MicroPython: {_BOOTSEL}.")


class Silent(InstallTrouble):
    def __init__(self, path):
        super().__init__(
            f"MicroPython does not answer on {path}: unplug the Pico, plug it in again, and repeat the command. "
            f"If that does not help: {_BOOTSEL}. Games on it stay."
        )


class OtherBoard(InstallTrouble):
    def __init__(self, path, machine):
        super().__init__(f"the board on {path} is no Pico, but {machine}: give the port of the Pico.")


class OldMicroPython(InstallTrouble):
    def __init__(self, path, version):
        super().__init__(
            f"the Pico on {path} has MicroPython {version}, and Kiebitz needs {MICROPYTHON}: {_BOOTSEL}. "
            "Games on it stay."
        )


class NoRoom(InstallTrouble):
    def __init__(self, need_kb, free_kb):
        super().__init__(
            f"too little flash is free: the install needs {need_kb} KB for a while, and {free_kb} KB are there. "
            "Bring the games to this computer with kiebitz sync, remove the finished ones on the device, and repeat "
            "the command. Nothing was changed."
        )


class FlashWrong(InstallTrouble):
    def __init__(self, path, before):
        super().__init__(
            f"{path} reads differently from what was written, twice: the flash of this Pico is worn or damaged. "
            f"{_state(before)} Repeat the command, and take another Pico if it fails again."
        )


class DeviceFailed(InstallTrouble):
    def __init__(self, reason, before):
        super().__init__(f"the Pico reports {reason}. {_state(before)} Unplug it, plug it in, and repeat the command.")


class Pulled(InstallTrouble):
    def __init__(self, path, before):
        super().__init__(
            f"the connection to {path} was lost. {_state(before)} "
            "Plug the Pico in again and repeat the command: it goes on where it stopped."
        )


class DoesNotStart(InstallTrouble):
    def __init__(self, path, reason):
        super().__init__(
            f"the firmware is complete on {path}, but does not show its first screen ({reason}): "
            "look at the display, and run kiebitz doctor."
        )


def _state(before):
    """`before`: whether there was a firmware on the device when the install began; None if nobody has seen."""
    if before is None:
        return "Nothing was changed."
    if before:
        return "Its firmware is complete, the old one or the new one, and starts."
    return "It may have no complete firmware yet."

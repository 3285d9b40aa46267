"""Define the errors of an install, each with a sentence of advice."""

from ..outcome import Trouble

# How to enter the bootloader by hand; the file system with the games is in another part of the flash
_BOOTSEL = "unplug it, hold its BOOTSEL button down while you plug it in again, and run kiebitz install"
_GAMES_STAY = "Games on it stay."


class InstallTrouble(Trouble):
    """The install did not finish."""


# --- the file ---


class NoUf2(InstallTrouble):
    def __init__(self, name):
        super().__init__(
            f"there is no {name} on this computer: run make uf2 in a checkout of the project, which builds it, "
            "or name a file with --uf2 FILE."
        )


class BadUf2(InstallTrouble):
    def __init__(self, path, reason):
        super().__init__(
            f"{path} is not a Kiebitz firmware for the Pico: {reason}. Name another file with --uf2 FILE, or build one "
            "with make uf2 in a checkout of the project. Nothing was copied."
        )


class OtherSum(InstallTrouble):
    def __init__(self, path, beside):
        super().__init__(
            f"{path} does not match the SHA-256 in {beside.name}: the file is damaged, or the two do not belong "
            "together. Fetch or build both again. Nothing was copied."
        )


# --- which Pico ---


class NoPico(InstallTrouble):
    def __init__(self):
        super().__init__(
            "there is no Pico on USB: plug it in with a cable that carries data, not only power. "
            f"If it is plugged in: {_BOOTSEL}."
        )


class SeveralPicos(InstallTrouble):
    def __init__(self, command, ports, drives=()):
        places = [*map(str, ports), *(f"drive {drive}" for drive in drives)]
        example = f"{command} {ports[0]}" if ports else f"{command} --drive {drives[0]}"
        super().__init__(
            f"there are several Picos, on {', '.join(places[:-1])} and {places[-1]}: say which one is meant, "
            f"as in kiebitz {example}."
        )


class NoSuchPort(InstallTrouble):
    def __init__(self, path, others):
        there = f"there is one on {others[0]}" if others else "there is no Pico on USB now"
        super().__init__(f"there is no port {path}; {there}. Without a port, the Pico is found automatically.")


class NoSuchDrive(InstallTrouble):
    def __init__(self, path):
        super().__init__(
            f"{path} is not the drive of a Pico: there is no INFO_UF2.TXT in it. "
            "Without --drive, the drive is found automatically."
        )


class OtherProgram(InstallTrouble):
    def __init__(self, path):
        super().__init__(f"the Pico on {path} runs another program, which cannot be stopped over USB: {_BOOTSEL}.")


class OtherBoard(InstallTrouble):
    def __init__(self, where, machine):
        super().__init__(f"what is on {where} is not a Raspberry Pi Pico, but {machine}: plug in the Pico.")


class Silent(InstallTrouble):
    def __init__(self, path):
        super().__init__(
            f"MicroPython does not answer on {path}: unplug the Pico, plug it in again, and repeat the command. "
            f"If that does not help: {_BOOTSEL}. {_GAMES_STAY}"
        )


# --- the drive ---


class InBootsel(InstallTrouble):
    """The Pico to examine is in bootloader mode."""

    def __init__(self, drive):
        super().__init__(f"the Pico waits for its firmware on the drive {drive}: run kiebitz install.")


class NotMounted(InstallTrouble):
    def __init__(self, device):
        super().__init__(
            f"the Pico is there as the drive {device}, which is not mounted: run udisksctl mount -b {device}, or open "
            "the drive in your file manager, and run kiebitz install again."
        )


class NoDrive(InstallTrouble):
    """The Pico has not appeared as a drive after the request."""

    def __init__(self, seconds):
        super().__init__(f"the Pico has not become a drive RPI-RP2 within {seconds} seconds: {_BOOTSEL}. {_GAMES_STAY}")


class DriveGone(InstallTrouble):
    def __init__(self, drive, percent):
        super().__init__(
            f"the drive {drive} has vanished when {percent} percent were copied, so the firmware on the Pico is not "
            f"complete: {_BOOTSEL}. {_GAMES_STAY}"
        )


class DriveFull(InstallTrouble):
    def __init__(self, drive):
        super().__init__(
            f"the drive {drive} reports that it is full, which the drive of a Pico never does: check that it is the "
            f"drive of the Pico, then {_BOOTSEL}. {_GAMES_STAY}"
        )


class DriveProtected(InstallTrouble):
    def __init__(self, drive):
        super().__init__(
            f"nothing may be written to the drive {drive}: unmount it, mount it again so that you may write to it "
            "(opening it in your file manager does that), and run kiebitz install again. Nothing was changed."
        )


class DriveFailed(InstallTrouble):
    def __init__(self, drive, reason):
        super().__init__(f"the firmware could not be copied to {drive} ({reason}): {_BOOTSEL}. {_GAMES_STAY}")


# --- afterwards ---


class NoRestart(InstallTrouble):
    def __init__(self, seconds):
        super().__init__(
            f"the firmware was copied, but the Pico has not come back within {seconds} seconds: unplug it and plug it "
            f"in again. If its display stays dark, {_BOOTSEL}. {_GAMES_STAY}"
        )


class DoesNotStart(InstallTrouble):
    def __init__(self, path, reason):
        super().__init__(
            f"the firmware is on {path}, but does not show its first screen ({reason}): "
            "look at the display, and run kiebitz doctor."
        )


class OtherVersion(InstallTrouble):
    def __init__(self, path, runs, wanted):
        super().__init__(
            f"kiebitz {wanted} was copied, but kiebitz {runs} runs on {path}: run kiebitz doctor, which shows whether "
            "files on the Pico override its firmware."
        )


class Pulled(InstallTrouble):
    def __init__(self, path):
        super().__init__(
            f"the connection to {path} was lost: plug the Pico in again and repeat the command. Nothing was changed."
        )


class DeviceFailed(InstallTrouble):
    def __init__(self, path, reason):
        super().__init__(
            f"the Pico on {path} reports {reason}: unplug it, plug it in again, and repeat the command. "
            "Nothing was changed."
        )


# --- the image of the flash ---


class FlashUnreadable(InstallTrouble):
    def __init__(self, path, block):
        super().__init__(
            f"block {block} of the flash keeps arriving damaged from {path}: use another cable or another "
            "USB port, and repeat the command. No file was written."
        )


class CannotSave(InstallTrouble):
    def __init__(self, path, reason):
        super().__init__(f"{path} cannot be written ({reason}): name another file. Nothing was changed on the Pico.")

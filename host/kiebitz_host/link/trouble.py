"""Define the errors of the link, each with a sentence of advice."""

from kiebitz.store.sealed_lines import READ_ONLY

from ..outcome import Trouble


class LinkTrouble(Trouble):
    """An error of the link to one port; other ports may work."""


class PortBusy(LinkTrouble):
    def __init__(self, port):
        super().__init__(
            f"{port} is in use by another program: wait until the other kiebitz sync is done, or end kiebitz live, "
            "kiebitz web, mpremote or the serial monitor that has it open, and try again."
        )


class NoPermission(LinkTrouble):
    def __init__(self, port, group=""):
        way = (
            f'ask for the group "{group}" (sudo usermod -aG {group} $USER), log out and in, and try again'
            if group
            else "ask the administrator of this computer for access, and try again"
        )
        super().__init__(f"you may not open {port}: {way}.")


class NoPort(LinkTrouble):
    def __init__(self, port):
        super().__init__(f"there is no port {port}: plug the Kiebitz in, and leave out --port to have it found.")


class NoSimulator(LinkTrouble):
    def __init__(self, folder):
        super().__init__(f"no simulator is running on {folder}: start it with kiebitz sim --flash {folder}.")


class PortTrouble(LinkTrouble):
    def __init__(self, port, reason):
        super().__init__(f"cannot open {port}: {reason}: unplug the Kiebitz, plug it in again, and try again.")


class LinkLost(LinkTrouble):
    def __init__(self, port):
        super().__init__(
            f"the connection to {port} was lost: plug the Kiebitz in again and repeat the command. Nothing is lost."
        )


class NoAnswer(LinkTrouble):
    """A device is connected, but does not answer as the protocol requires."""

    def __init__(self, port):
        super().__init__(
            f"the Kiebitz on {port} no longer answers: look at its display, unplug it and plug it in again if it shows "
            "an error, and repeat the command. Nothing is lost."
        )


class Nonsense(LinkTrouble):
    """An answer that arrived complete, but is invalid."""

    def __init__(self, port, verb):
        super().__init__(
            f"the Kiebitz on {port} gives an answer to {verb} that this computer does not understand: "
            "install the current program on both, and try again."
        )


class NotAKiebitz(LinkTrouble):
    def __init__(self, port, prompt=False):
        self.prompt = prompt
        super().__init__(
            f"the Pico on {port} shows a MicroPython prompt, so the program of the Kiebitz is not running: unplug it, "
            "plug it in again, and try again."
            if prompt
            else f"what is plugged in at {port} does not answer like a Kiebitz: if it is one, unplug it, plug it in "
            "again, and try again; if not, give another --port."
        )


class OtherProtocol(LinkTrouble):
    def __init__(self, port, version, theirs, ours):
        super().__init__(
            f"the Kiebitz on {port} (version {version}) speaks protocol {theirs}, this computer {ours}: "
            "update kiebitz on this computer."
        )


class DeviceRefused(LinkTrouble):
    """The device understood the request and refused it with the error `code`."""

    SENTENCES = {
        "E_FLASH": "its memory cannot be read or written (error {errno}): turn it off and on, and try again",
        "E_MEMORY": "it has too little memory free at the moment: leave the game on its display, and try again",
        "E_BUSY": "it has not handled the last keys yet: try again in a moment",
        "E_GAME": "it does not have this game any more: run kiebitz sync again",
    }

    def __init__(self, port, verb, code, errno=0):
        self.code = code
        if code == "E_FLASH" and errno == READ_ONLY:
            reason = f"what {verb} needs was written by a newer Kiebitz: install the newer firmware"
        elif code in self.SENTENCES:
            reason = self.SENTENCES[code].format(errno=errno)
        else:
            reason = f"it refuses the request {verb} ({code}): update it or this computer"
        super().__init__(f"the Kiebitz on {port} has trouble: {reason}.")


class Endless(LinkTrouble):
    """A device that sends more than any answer can hold."""

    def __init__(self, port):
        super().__init__(
            f"what is plugged in at {port} sends without end: unplug it, plug it in again, and repeat the command. "
            "Nothing is lost."
        )


class NameTooLong(LinkTrouble):
    def __init__(self, port, name):
        super().__init__(
            f"the name {name[:24]} is too long for the Kiebitz on {port}: shorten it with kiebitz players rename."
        )
